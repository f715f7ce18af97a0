//! Rule sets for tests, compiled on demand.
//!
//! - [`build`]`("tictactoe")` is `tictactoe.c`: a complete game in plain C.
//! - [`build`]`("wrong_magic")` and so on are `misbehaving/*.c`: a trivial game
//!   (`misbehaving/well_behaved.h`) that breaks one rule of the contract each.
//!   [`misbehaving`] lists them. Most that misbehave while they run do so in one
//!   variant per call and are well-behaved in the others. The game's id is the
//!   file's name with `-` for `_`.
//! - [`build`]`("abi_1_0")` and so on are `frozen/*.c`: rule sets written for that
//!   ABI version, one per minor version, never edited.
//! - [`build`]`("crashes")` is `crashing/crashes.c`: it ends the process that calls it;
//!   `("hangs")` beside it hangs while it is loaded, `("hostile")` does what a worker
//!   process must not do.
//! - [`panics`] is `panics/`: a Rust plugin that panics in one call per variant.
//!
//! The C compiler is `$CC` or `cc`. Each process has a directory of its own, and removes
//! those that earlier processes left behind. Compiled libraries are kept in `target/` for
//! other test programs, under a hash of the sources and of the command.

#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

/// Returns the shared library of a plugin in C, built at the first call.
///
/// # Panics
/// If there is no such plugin, no compiler, or the compiler reports anything.
pub fn build(name: &str) -> PathBuf {
    static BUILT: Mutex<Option<HashMap<String, Arc<OnceLock<PathBuf>>>>> = Mutex::new(None);
    let slot = {
        let mut built = BUILT.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        Arc::clone(built.get_or_insert_default().entry(name.to_owned()).or_default())
    };
    // Outside the lock: different plugins are compiled side by side.
    slot.get_or_init(|| compile(name)).clone()
}

/// Returns the names of all plugins in `misbehaving/`, sorted. A few of them keep the
/// contract, such as `well_behaved` and `newer_minor`.
pub fn misbehaving() -> Vec<String> {
    let dir = sources().join("misbehaving");
    let entries = dir.read_dir().unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("the directory stays readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .map(|path| path.file_stem().expect("it has a name").to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Builds all plugins in C into one directory, as `load_dir` would find them.
pub fn build_all() -> PathBuf {
    for name in misbehaving().iter().map(String::as_str).chain(["tictactoe"]) {
        build(name);
    }
    directory().to_owned()
}

/// Returns a new, empty directory that lasts as long as this process.
pub fn scratch_dir() -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let dir = directory().join(format!("scratch-{}", COUNT.fetch_add(1, Ordering::Relaxed)));
    std::fs::create_dir(&dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    dir
}

/// Writes a file with these bytes in its own directory.
pub fn file(name: &str, content: &[u8]) -> PathBuf {
    let path = scratch_dir().join(name);
    std::fs::write(&path, content).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    path
}

/// Returns a plugin in C truncated to `len` bytes, as an interrupted copy leaves it.
pub fn truncated(name: &str, len: usize) -> PathBuf {
    let content = std::fs::read(build(name)).expect("a plugin that was just built is readable");
    file(&format!("libtruncated_{name}_{len}.so"), &content[..len.min(content.len())])
}

/// Returns the Rust plugin that panics in one call per variant: Cargo builds it into `deps/`
/// as a dependency of this crate.
///
/// # Panics
/// If the file does not exist.
pub fn panics() -> PathBuf {
    let program = std::env::current_exe().expect("a running program has a path");
    let dir = program.parent().expect("a program lies in a directory");
    let name = format!("{}plugin_panics{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let places = [dir.join(&name), dir.join("deps").join(&name), dir.join("../deps").join(&name)];
    let found = places.iter().find(|path| path.is_file());
    found.unwrap_or_else(|| panic!("no {name} in or beside {}", dir.display())).clone()
}

fn sources() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn compile(name: &str) -> PathBuf {
    let (source, dir) = match name {
        "tictactoe" => (sources().join("tictactoe.c"), directory().to_owned()),
        // In a directory of its own: `build_all` does not include it.
        frozen if frozen.starts_with("abi_") => (sources().join("frozen").join(format!("{frozen}.c")), scratch_dir()),
        // Likewise: they must not be called in the process of a test.
        "crashes" | "hangs" | "hostile" => (sources().join("crashing").join(format!("{name}.c")), scratch_dir()),
        name => (sources().join("misbehaving").join(format!("{name}.c")), directory().to_owned()),
    };
    let file_name = format!("lib{name}{}", std::env::consts::DLL_SUFFIX);
    let library = dir.join(&file_name);
    let cached = cache().join(&file_name);
    if !cached.is_file() {
        // Compiled under a unique name, then renamed: other programs see complete files only.
        let unique = cache().join(format!("{file_name}.{}", std::process::id()));
        run_compiler(name, &source, &unique);
        std::fs::rename(&unique, &cached).unwrap_or_else(|error| panic!("{}: {error}", cached.display()));
    }
    // A copy, because tests may change the file.
    std::fs::copy(&cached, &library).unwrap_or_else(|error| panic!("{}: {error}", library.display()));
    library
}

const FLAGS: [&str; 8] = ["-shared", "-fPIC", "-std=c11", "-O1", "-pthread", "-Wall", "-Wextra", "-Werror"];

fn run_compiler(name: &str, source: &Path, library: &Path) {
    let compiler = compiler();
    let output = Command::new(&compiler)
        .args(FLAGS)
        .arg(format!("-DGAME_ID=\"{}\"", name.replace('_', "-")))
        .arg("-I")
        .arg(headers())
        .arg("-o")
        .arg(library)
        .arg(source)
        .output()
        .unwrap_or_else(|error| panic!("these tests need a C compiler; `{compiler}`: {error}"));
    assert!(output.status.success(), "{}:\n{}", source.display(), String::from_utf8_lossy(&output.stderr));
}

fn compiler() -> String {
    std::env::var("CC").unwrap_or_else(|_| "cc".to_owned())
}

fn headers() -> PathBuf {
    sources().join("../../rulesets/abi/include")
}

/// Returns the directory of libraries that were compiled from exactly these sources, beside
/// the test programs.
fn cache() -> &'static Path {
    static CACHE: LazyLock<PathBuf> = LazyLock::new(|| {
        let mut hasher = DefaultHasher::new();
        (compiler(), FLAGS).hash(&mut hasher);
        for dir in [sources().to_owned(), headers()] {
            hash_sources(&dir, &mut hasher);
        }
        let program = std::env::current_exe().expect("a running program has a path");
        let dir = program.parent().expect("a program lies in a directory");
        let dir = dir.join("test-plugins").join(format!("{:016x}", hasher.finish()));
        std::fs::create_dir_all(&dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
        dir
    });
    &CACHE
}

/// Hashes the C sources and headers of a directory and those below it, in order of name.
fn hash_sources(dir: &Path, hasher: &mut DefaultHasher) {
    let entries = dir.read_dir().unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("the directory stays readable").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            hash_sources(&path, hasher);
        } else if path.extension().is_some_and(|extension| extension == "c" || extension == "h") {
            let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            (path, text).hash(hasher);
        }
    }
}

/// Returns the directory of this process's libraries.
fn directory() -> &'static Path {
    static DIRECTORY: LazyLock<PathBuf> = LazyLock::new(|| {
        let parent = std::env::temp_dir().join("pentad-test-plugins");
        let own = parent.join(std::process::id().to_string());
        remove_leftovers(&parent);
        std::fs::create_dir_all(&own).unwrap_or_else(|error| panic!("{}: {error}", own.display()));
        own.canonicalize().expect("it was just made")
    });
    &DIRECTORY
}

/// Removes the directories of processes that have ended. Needs Linux's `/proc`.
fn remove_leftovers(parent: &Path) {
    if !Path::new("/proc/self").exists() {
        return;
    }
    for entry in parent.read_dir().into_iter().flatten().flatten() {
        if !Path::new("/proc").join(entry.file_name()).exists() || entry.file_name() == *std::process::id().to_string()
        {
            // Another process may remove it first, or it may be another user's.
            let _ignored = std::fs::remove_dir_all(entry.path());
        }
    }
}
