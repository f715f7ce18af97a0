//! One file: read, hashed, allowed, opened once and never closed.
//!
//! The same file is opened and initialised once per process, however often it is
//! loaded, because `init` may be called only once. Unloading a Rust library is unsound
//! (its thread-locals and leaked statics stay), so nothing is ever closed.
//!
//! A file that was replaced by renaming has a new inode and is opened beside
//! the old one. The dynamic linker would first compare names and hand out the
//! old library, so each new inode is opened by an alias of the same absolute
//! path: `/dir/./file`, `/dir/././file` and so on. A file that was
//! overwritten in place cannot be loaded: the old code is mapped from it.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use pentad_abi as abi;
use sha2::{Digest as _, Sha256};

use crate::allow::AllowList;
use crate::elf;
use crate::load::{call_init, check_entry};
use crate::load_error::LoadError;

/// Bundled rule sets have a few MiB; a larger file is a mistake, and hashing it would delay the start.
const FILE_BYTES_MAX: u64 = 1 << 30;

/// An opened library whose entry was checked and whose `init` succeeded.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    /// Index in the process-wide list of libraries.
    pub(crate) number: u32,
    /// Canonical and absolute.
    pub(crate) path: PathBuf,
    /// Hash of the file, in lower-case hexadecimal.
    pub(crate) sha256: String,
    /// A copy; what it points to lives as long as the process.
    pub(crate) entry: abi::Entry,
}

/// Every file that this process has opened so far; never shrinks.
static OPENED: Mutex<Vec<LoadedFile>> = Mutex::new(Vec::new());

struct LoadedFile {
    path: PathBuf,
    inode: Inode,
    sha256: String,
    /// What `init` returned, kept because it is not called again.
    init_result: Option<Result<abi::Entry, String>>,
}

/// Device and inode number.
type Inode = (u64, u64);

/// Reads, checks and opens a file; one that is open already is not opened again.
pub(crate) fn open(path: &Path, allow: Option<&AllowList>) -> Result<Opened, LoadError> {
    let unreadable = |source| LoadError::Unreadable { path: path.to_owned(), source };
    let path = path.canonicalize().map_err(unreadable)?;
    let (content, inode) = read(&path)?;
    if cfg!(target_os = "linux") {
        elf::check(&content).map_err(|detail| LoadError::NotALibrary { path: path.clone(), detail })?;
    }
    let sha256 = hex(&Sha256::digest(&content));
    drop(content);
    if allow.is_some_and(|allow| !allow.contains(&sha256)) {
        return Err(LoadError::NotAllowed { path, sha256 });
    }
    // Holding the lock also keeps `init` of one library to one thread.
    let mut opened = OPENED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let number = match opened.iter().position(|file| file.inode == inode) {
        Some(number) if opened[number].sha256 != sha256 => return Err(LoadError::Overwritten { path }),
        Some(number) => number,
        None => {
            opened.push(LoadedFile { path: path.clone(), inode, sha256: sha256.clone(), init_result: None });
            opened.len() - 1
        }
    };
    if opened[number].init_result.is_none() {
        let n_earlier = opened[..number].iter().filter(|file| file.path == path).count();
        let entry = dlopen(&path, &path_alias(&path, n_earlier))?;
        // What was hashed and what was opened must be the same file.
        if !path.metadata().is_ok_and(|now| (now.dev(), now.ino()) == inode) {
            return Err(LoadError::Changed { path });
        }
        // SAFETY: `entry` was just checked, and the library is never closed.
        opened[number].init_result = Some(unsafe { call_init(&entry) }.map(|()| entry));
    }
    match opened[number].init_result.as_ref().expect("set just above") {
        Ok(entry) => Ok(Opened { number: number as u32, path, sha256, entry: *entry }),
        Err(message) => Err(LoadError::Init { path, message: message.clone() }),
    }
}

/// The content and inode of a regular file.
fn read(path: &Path) -> Result<(Vec<u8>, Inode), LoadError> {
    let unreadable = |source| LoadError::Unreadable { path: path.to_owned(), source };
    let not_a_library = |detail: &str| LoadError::NotALibrary { path: path.to_owned(), detail: detail.to_owned() };
    // Checked before opening: opening a pipe would block until its other end is.
    if !path.metadata().map_err(unreadable)?.is_file() {
        return Err(not_a_library("not a regular file"));
    }
    let file = File::open(path).map_err(unreadable)?;
    let metadata = file.metadata().map_err(unreadable)?;
    let mut content = Vec::new();
    file.take(FILE_BYTES_MAX + 1).read_to_end(&mut content).map_err(unreadable)?;
    if content.len() as u64 > FILE_BYTES_MAX {
        return Err(not_a_library("more than 1 GiB"));
    }
    Ok((content, (metadata.dev(), metadata.ino())))
}

/// Opens the library and copies its entry.
fn dlopen(path: &Path, path_alias: &Path) -> Result<abi::Entry, LoadError> {
    // SAFETY: this runs the library's initialisers, which no check can vouch
    // for: the operator does, by installing the file and by the allow-list.
    let library = unsafe { Library::open(Some(path_alias), RTLD_NOW | RTLD_LOCAL) }
        .map_err(|source| LoadError::Open { path: path.to_owned(), source })?;
    // SAFETY: the type says no more than that the symbol has an address.
    let symbol = unsafe { library.get::<*const u8>(abi::ENTRY_SYMBOL.as_bytes()) }
        .map(|symbol| *symbol)
        .map_err(|source| LoadError::NoEntry { path: path.to_owned(), source });
    std::mem::forget(library);
    // SAFETY: the symbol is an object of the library, which stays loaded.
    unsafe { check_entry(path, symbol?) }
}

/// The same absolute path with `n` times `/.` before the file's name.
fn path_alias(path: &Path, n: usize) -> PathBuf {
    let (Some(dir), Some(name)) = (path.parent(), path.file_name()) else { return path.to_owned() };
    let mut path_alias = dir.to_owned();
    (0..n).for_each(|_| path_alias.push("."));
    path_alias.push(name);
    path_alias
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut out, byte| {
        write!(out, "{byte:02x}").expect("writing to a string succeeds");
        out
    })
}
