//! The directory: which files are tried, and what became of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::allow::AllowList;
use crate::load_error::LoadError;
use crate::ruleset::Ruleset;

/// What a directory gave. A file that cannot be loaded is reported and
/// skipped; the others serve.
#[derive(Debug, Default)]
pub struct Loaded {
    /// In the order of their file names.
    pub rulesets: Vec<Arc<Ruleset>>,
    /// In the same order.
    pub refused: Vec<Refused>,
}

/// A file that was not loaded.
#[derive(Debug)]
pub struct Refused {
    /// The file as it was found.
    pub path: PathBuf,
    /// Why.
    pub error: LoadError,
}

/// Loads every shared library of a directory, in the order of their names.
/// Hidden files are left alone: they may be uploads that are not finished.
///
/// Of two files with the same game or the same content, the first is taken.
pub fn load_dir(dir: &Path, allow: Option<&AllowList>) -> Result<Loaded, LoadError> {
    load_files(dir, "", allow)
}

/// Loads the rule sets that came with this program, from [`bundled_dir`].
pub fn load_bundled(allow: Option<&AllowList>) -> Result<Loaded, LoadError> {
    let dir = bundled_dir()?;
    // Cargo's directory also holds proc macros and plugins that are made for tests.
    let prefix = if dir.ends_with("deps") { "libruleset_" } else { "" };
    load_files(&dir, prefix, allow)
}

/// Where the rule sets that came with this program are: `rulesets/` beside the
/// executable, if there is one. Else Cargo's `deps/`, where a build leaves them
/// as `libruleset_*`: beside the executable, or its own directory if that is
/// called so, as it is for tests.
pub fn bundled_dir() -> Result<PathBuf, LoadError> {
    let unreadable = |source| LoadError::Unreadable { path: PathBuf::from("the running executable"), source };
    let program = std::env::current_exe().map_err(unreadable)?;
    let dir = program.parent().unwrap_or(Path::new("/"));
    let installed = dir.join("rulesets");
    Ok(if installed.is_dir() {
        installed
    } else if dir.ends_with("deps") {
        dir.to_owned()
    } else {
        dir.join("deps")
    })
}

fn load_files(dir: &Path, prefix: &str, allow: Option<&AllowList>) -> Result<Loaded, LoadError> {
    let unreadable = |source| LoadError::Unreadable { path: dir.to_owned(), source };
    let mut paths = Vec::new();
    for entry in dir.read_dir().map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.ends_with(std::env::consts::DLL_SUFFIX) && name.starts_with(prefix) && !name.starts_with('.') {
            paths.push(entry.path());
        }
    }
    paths.sort();
    let mut loaded = Loaded::default();
    for path in paths {
        match load_beside(&path, allow, &loaded.rulesets) {
            Ok(ruleset) => loaded.rulesets.push(ruleset),
            Err(error) => loaded.refused.push(Refused { path, error }),
        }
    }
    Ok(loaded)
}

/// Loads a file unless it is, or holds the game of, one of the `others`.
fn load_beside(path: &Path, allow: Option<&AllowList>, others: &[Arc<Ruleset>]) -> Result<Arc<Ruleset>, LoadError> {
    let ruleset = Ruleset::load(path, allow)?;
    let (path, info) = (path.to_owned(), ruleset.info());
    for other in others.iter().map(|other| other.info()) {
        if other.sha256 == info.sha256 {
            return Err(LoadError::DuplicateFile { path, first: other.path.clone() });
        }
        if other.id == info.id {
            return Err(LoadError::DuplicateGame { path, id: info.id.clone(), first: other.path.clone() });
        }
    }
    Ok(ruleset)
}
