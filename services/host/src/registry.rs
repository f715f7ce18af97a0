//! The directories: which files are loaded, and which are refused.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::allow::AllowList;
use crate::isolation::IsolationOptions;
use crate::load_error::LoadError;
use crate::ruleset::Ruleset;

/// The rule sets of one or more directories. A file that cannot be loaded is
/// reported and skipped; the others are used.
#[derive(Debug, Default)]
pub struct Loaded {
    /// In the order of the directories, and in each of the file names.
    pub rulesets: Vec<Arc<Ruleset>>,
    /// In the same order.
    pub refused: Vec<Refused>,
}

/// A file that was not loaded.
#[derive(Debug)]
pub struct Refused {
    /// The file as the directory names it, links not resolved.
    pub path: PathBuf,
    /// Why it was not loaded; its message names the file.
    pub error: LoadError,
}

/// Which files of a directory are loaded, and where.
#[derive(Clone, Copy, Debug, Default)]
pub struct LoadOptions<'a> {
    /// The hashes that may be loaded; without a list, all.
    pub allow: Option<&'a AllowList>,
    /// How worker processes are started; without it, rule sets are loaded into this
    /// process.
    pub isolation: Option<&'a IsolationOptions>,
}

/// Loads every shared library of a directory into this process; see
/// [`Loaded::add_dir`].
pub fn load_dir(dir: &Path, allow: Option<&AllowList>) -> Result<Loaded, LoadError> {
    let mut loaded = Loaded::default();
    loaded.add_dir(dir, LoadOptions { allow, isolation: None })?;
    Ok(loaded)
}

/// Loads the rule sets that are bundled with this program into this process; see
/// [`Loaded::add_bundled`].
pub fn load_bundled(allow: Option<&AllowList>) -> Result<Loaded, LoadError> {
    let mut loaded = Loaded::default();
    loaded.add_bundled(LoadOptions { allow, isolation: None })?;
    Ok(loaded)
}

impl Loaded {
    /// Loads every shared library of a directory, in the order of their names.
    /// Hidden files are skipped: they may be unfinished uploads.
    ///
    /// Of two files with the same game or the same content the first is loaded,
    /// also if it is in a directory that was added earlier; the other is refused.
    pub fn add_dir(&mut self, dir: &Path, options: LoadOptions<'_>) -> Result<(), LoadError> {
        self.add_files(dir, "", options)
    }

    /// Loads the rule sets that are bundled with this program, from
    /// [`bundled_dir`], as [`add_dir`](Loaded::add_dir) does.
    pub fn add_bundled(&mut self, options: LoadOptions<'_>) -> Result<(), LoadError> {
        let dir = bundled_dir()?;
        // Cargo's directory also holds proc macros and test plugins.
        let prefix = if dir.ends_with("deps") { "libruleset_" } else { "" };
        self.add_files(&dir, prefix, options)
    }

    fn add_files(&mut self, dir: &Path, prefix: &str, options: LoadOptions<'_>) -> Result<(), LoadError> {
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
        for path in paths {
            match load_unless_duplicate(&path, options, &self.rulesets) {
                Ok(ruleset) => self.rulesets.push(ruleset),
                Err(error) => self.refused.push(Refused { path, error }),
            }
        }
        Ok(())
    }
}

/// The directory of the bundled rule sets: `rulesets/` beside the executable if
/// it exists, else Cargo's `deps/`, where a build puts them as `libruleset_*`.
/// That is beside the executable, or, for tests, the executable's own directory.
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

/// Loads a file, unless one of the `others` has the same content or game.
fn load_unless_duplicate(
    path: &Path,
    options: LoadOptions<'_>,
    others: &[Arc<Ruleset>],
) -> Result<Arc<Ruleset>, LoadError> {
    let ruleset = match options.isolation {
        Some(isolation) => Ruleset::load_isolated(path, options.allow, isolation)?,
        None => Ruleset::load(path, options.allow)?,
    };
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
