//! One file: read, hashed, allowed, opened once and never closed.
//!
//! The file is read once. The same bytes are hashed, compared with the allow-list and
//! mapped, in a private [`Image`]: whatever happens to the file afterwards, the loaded
//! library does not change, and new content under the same path is another library
//! beside the old one.
//!
//! The same content of the same path is opened and initialised once per process,
//! however often it is loaded, because `init` may be called only once. Unloading a
//! Rust library is unsound (its thread-locals and leaked statics stay), so nothing
//! is ever closed.

use std::error::Error as _;
use std::fmt::Write as _;
use std::fs::{File, Metadata};
use std::io::Read as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use pentad_abi as abi;
use sha2::{Digest as _, Sha256};

use crate::allow::AllowList;
use crate::elf;
use crate::image::Image;
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
    sha256: String,
    library: Library,
    /// Keeps the library mapped.
    _image: Image,
    /// Result of `init`, kept because `init` is not called again.
    init_result: Option<Result<abi::Entry, String>>,
}

/// Content of a file that may be loaded.
#[derive(Debug)]
pub(crate) struct CheckedFile {
    /// Canonical and absolute.
    pub(crate) path: PathBuf,
    pub(crate) content: Vec<u8>,
    /// Hash of the content, in lower-case hexadecimal.
    pub(crate) sha256: String,
    /// As in [`RulesetInfo`](crate::RulesetInfo).
    pub(crate) writable_by_others: Vec<PathBuf>,
}

/// Reads a file and checks whether it may be loaded.
pub(crate) fn check(path: &Path, allow: Option<&AllowList>) -> Result<CheckedFile, LoadError> {
    let unreadable = |source| LoadError::Unreadable { path: path.to_owned(), source };
    let path = path.canonicalize().map_err(unreadable)?;
    let (content, metadata) = read(&path)?;
    if cfg!(target_os = "linux") {
        elf::check(&content).map_err(|detail| LoadError::NotALibrary { path: path.clone(), detail })?;
    }
    let sha256 = hex(&Sha256::digest(&content));
    if allow.is_some_and(|allow| !allow.contains(&sha256)) {
        return Err(LoadError::NotAllowed { path, sha256 });
    }
    let writable_by_others = writable_by_others(&path, &metadata);
    Ok(CheckedFile { path, content, sha256, writable_by_others })
}

/// Opens a checked file, unless it is already open.
pub(crate) fn open(file: &CheckedFile) -> Result<Opened, LoadError> {
    open_once(&file.path, &file.sha256, || dlopen(&file.path, &file.content))
}

/// Opens a copy of a file that another process checked.
pub(crate) fn open_image(path: &Path, sha256: &str, image: Image) -> Result<Opened, LoadError> {
    open_once(path, sha256, || map(image).map_err(|detail| LoadError::Open { path: path.to_owned(), detail }))
}

fn open_once(
    path: &Path,
    sha256: &str,
    dlopen: impl FnOnce() -> Result<(Library, Image), LoadError>,
) -> Result<Opened, LoadError> {
    // The lock also keeps `init` of one library to one thread.
    let mut opened = OPENED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let number = match opened.iter().position(|file| file.path == path && file.sha256 == sha256) {
        Some(number) => number,
        None => {
            let (library, image) = dlopen()?;
            let (path, sha256) = (path.to_owned(), sha256.to_owned());
            opened.push(LoadedFile { path, sha256, library, _image: image, init_result: None });
            opened.len() - 1
        }
    };
    let file = &mut opened[number];
    if file.init_result.is_none() {
        let entry = find_entry(path, &file.library)?;
        // SAFETY: `entry` was just checked, and the library is never closed.
        file.init_result = Some(unsafe { call_init(&entry) }.map(|()| entry));
    }
    let (path, sha256) = (path.to_owned(), sha256.to_owned());
    match file.init_result.as_ref().expect("set just above") {
        Ok(entry) => Ok(Opened { number: number as u32, path, sha256, entry: *entry }),
        Err(message) => Err(LoadError::Init { path, message: message.clone() }),
    }
}

/// Returns the hash of a file's content, in lower-case hexadecimal.
pub fn file_sha256(path: &Path) -> Result<String, LoadError> {
    let unreadable = |source| LoadError::Unreadable { path: path.to_owned(), source };
    let mut file = open_regular(path)?.0.take(FILE_BYTES_MAX + 1);
    // In chunks: a server that checks for changes does not need whole files in memory.
    let (mut sha256, mut part) = (Sha256::new(), vec![0; 64 << 10]);
    loop {
        match file.read(&mut part).map_err(unreadable)? {
            0 if file.limit() == 0 => return Err(too_large(path)),
            0 => return Ok(hex(&sha256.finalize())),
            n_read => sha256.update(&part[..n_read]),
        }
    }
}

/// Number of a library that worker processes load: the same for the same content, and
/// never an [`Opened::number`].
pub(crate) fn isolated_number(sha256: &str) -> u32 {
    static KNOWN: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut known = KNOWN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let idx = known.iter().position(|it| it == sha256).unwrap_or_else(|| {
        known.push(sha256.to_owned());
        known.len() - 1
    });
    u32::MAX - idx as u32
}

/// Returns the file and its directory, if others may write to them.
fn writable_by_others(path: &Path, file: &Metadata) -> Vec<PathBuf> {
    let own = rustix::process::geteuid().as_raw();
    let is_writable = |it: &Metadata| it.mode() & 0o022 != 0 || ![0, own].contains(&it.uid());
    let dir = path.parent().unwrap_or(Path::new("/"));
    let mut found = Vec::new();
    found.extend(is_writable(file).then(|| path.to_owned()));
    found.extend(dir.metadata().is_ok_and(|dir| is_writable(&dir)).then(|| dir.to_owned()));
    found
}

/// Reads a regular file, and its metadata.
fn read(path: &Path) -> Result<(Vec<u8>, Metadata), LoadError> {
    let unreadable = |source| LoadError::Unreadable { path: path.to_owned(), source };
    let (file, metadata) = open_regular(path)?;
    let mut content = Vec::new();
    file.take(FILE_BYTES_MAX + 1).read_to_end(&mut content).map_err(unreadable)?;
    if content.len() as u64 > FILE_BYTES_MAX {
        return Err(too_large(path));
    }
    Ok((content, metadata))
}

fn too_large(path: &Path) -> LoadError {
    LoadError::NotALibrary { path: path.to_owned(), detail: "more than 1 GiB".to_owned() }
}

/// Opens a regular file, and nothing else that a path may lead to.
fn open_regular(path: &Path) -> Result<(File, Metadata), LoadError> {
    let unreadable = |source| LoadError::Unreadable { path: path.to_owned(), source };
    let not_a_library = |detail: &str| LoadError::NotALibrary { path: path.to_owned(), detail: detail.to_owned() };
    // Checked before opening: opening a pipe would block until its other end is opened.
    if !path.metadata().map_err(unreadable)?.is_file() {
        return Err(not_a_library("not a regular file"));
    }
    // Does not block if it became a pipe since.
    let flags = rustix::fs::OFlags::NONBLOCK.bits() as i32;
    let file = File::options().read(true).custom_flags(flags).open(path).map_err(unreadable)?;
    let metadata = file.metadata().map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(not_a_library("not a regular file"));
    }
    Ok((file, metadata))
}

/// Opens a private copy of the library: in memory, else in a temporary file.
fn dlopen(path: &Path, content: &[u8]) -> Result<(Library, Image), LoadError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut no_copy = String::new();
    let mut not_mapped = None;
    for copy in [Image::in_memory, Image::in_temp_dir] {
        match copy(&name, content).map(map) {
            Ok(Ok(opened)) => return Ok(opened),
            Ok(Err(message)) => not_mapped = Some(message),
            Err(error) => no_copy = format!("no private copy could be made: {error}"),
        }
    }
    Err(LoadError::Open { path: path.to_owned(), detail: not_mapped.unwrap_or(no_copy) })
}

fn map(image: Image) -> Result<(Library, Image), String> {
    // SAFETY: this runs the library's initialisers, which no check can vouch
    // for: the operator does, by installing the file and by the allow-list.
    let library = unsafe { Library::open(Some(image.path()), RTLD_NOW | RTLD_LOCAL) };
    image.remove_name();
    match library {
        Ok(library) => Ok((library, image)),
        Err(error) => {
            let message = error.source().map_or_else(|| error.to_string(), ToString::to_string);
            // The message begins with the copy's path, which is meaningless.
            Err(message.replace(&format!("{}: ", image.path().display()), ""))
        }
    }
}

/// Finds, checks and copies the library's entry.
fn find_entry(path: &Path, library: &Library) -> Result<abi::Entry, LoadError> {
    // SAFETY: the type says no more than that the symbol has an address.
    let symbol = unsafe { library.get::<*const u8>(abi::ENTRY_SYMBOL.as_bytes()) }
        .map(|symbol| *symbol)
        .map_err(|_| LoadError::NoEntry { path: path.to_owned() })?;
    // SAFETY: the symbol is an object of the library, which stays loaded.
    unsafe { check_entry(path, symbol) }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut out, byte| {
        write!(out, "{byte:02x}").expect("writing to a string succeeds");
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without memfds a library is mapped from a temporary file, which is removed.
    #[test]
    fn temporary_copy_is_mapped_and_removed() {
        let path = pentad_test_plugins::build("well_behaved");
        let image = Image::in_temp_dir("libwell_behaved.so", &read(&path).unwrap().0).unwrap();
        let (library, image) = map(image).unwrap();
        assert!(!image.path().exists());
        assert_eq!(find_entry(&path, &library).unwrap().abi_major, abi::ABI_MAJOR);
        // Never unloaded, like any other.
        std::mem::forget(library);
    }
}
