//! The rule set `held`, whose calls return when a test releases them.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// A copy of the rule set that belongs to one test.
pub(crate) struct Held {
    library: PathBuf,
}

impl Held {
    pub(crate) fn new() -> Held {
        let library = pentad_test_plugins::scratch_dir().join("libheld.so");
        // A copy is another library to the process, with a directory of its own.
        std::fs::copy(pentad_test_plugins::build("held"), &library).expect("the plugin was just built");
        Held { library }
    }

    pub(crate) fn library(&self) -> &Path {
        &self.library
    }

    /// Calls under way return, and later ones do not wait.
    pub(crate) fn release(&self) {
        std::fs::write(self.release_file(), "").expect("its directory is writable");
    }

    /// Later calls wait for the next release.
    pub(crate) fn hold(&self) {
        std::fs::remove_file(self.release_file()).expect("they were released");
    }

    fn release_file(&self) -> PathBuf {
        self.library.with_file_name("release")
    }

    /// A question whose search goes on until it is released, no two of them
    /// alike; it does not stop for anything else. `n` is below 8.
    pub(crate) fn search(n: usize) -> Value {
        assert!(n < 8, "a game begins with nine matches at most");
        json!({"variant": "search", "position": format!("{} a", n + 2)})
    }
}

impl Drop for Held {
    /// What still hangs ends, and takes no time from other tests.
    fn drop(&mut self) {
        let _gone = std::fs::write(self.release_file(), "");
    }
}
