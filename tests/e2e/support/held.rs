//! The test plugin `held`, whose calls block until a test releases them.

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// A copy of the plugin for one test.
pub(crate) struct Held {
    library: PathBuf,
}

impl Held {
    pub(crate) fn new() -> Held {
        let held = Held { library: pentad_test_plugins::scratch_dir().join("libheld.so") };
        let mut library = std::fs::read(pentad_test_plugins::build("held")).expect("the plugin was just built");
        let placeholder = b"@release-file@";
        let at = library.windows(placeholder.len()).position(|bytes| bytes == placeholder).expect("it has the path");
        // Ends in a zero byte: what follows the placeholder is zero.
        let path = held.release_file();
        let path = path.as_os_str().as_bytes();
        assert!(path.len() < 4096 && path.len() >= placeholder.len(), "it fits");
        library[at..at + path.len()].copy_from_slice(path);
        std::fs::write(&held.library, library).expect("its directory is writable");
        held
    }

    pub(crate) fn library(&self) -> &Path {
        &self.library
    }

    /// Calls in flight return, and later ones do not block.
    pub(crate) fn release(&self) {
        std::fs::write(self.release_file(), "").expect("its directory is writable");
    }

    /// Later calls block until the next release.
    pub(crate) fn hold(&self) {
        std::fs::remove_file(self.release_file()).expect("they were released");
    }

    fn release_file(&self) -> PathBuf {
        self.library.with_file_name("release")
    }

    /// A request whose search runs until it is released and ignores cancellation;
    /// each `n` below 8 is another position.
    pub(crate) fn search(n: usize) -> Value {
        assert!(n < 8, "a game begins with nine matches at most");
        json!({"variant": "search", "position": format!("{} a", n + 2)})
    }
}

impl Drop for Held {
    /// Releases calls that still block, so that they do not slow down other tests.
    fn drop(&mut self) {
        let _ignored = std::fs::write(self.release_file(), "");
    }
}
