//! Directories of rule sets: which files are loaded, and which are refused.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::allow::AllowList;
use crate::bundled::bundled_files;
use crate::isolation::IsolationOptions;
use crate::load_error::LoadError;
use crate::ruleset::{Ruleset, RulesetInfo};

/// The rule sets of one or more directories. A file that cannot be loaded is
/// reported and skipped; the others are used.
#[derive(Debug, Default)]
pub struct Loaded {
    /// In the order of directories and file names.
    pub rulesets: Vec<Arc<Ruleset>>,
    /// In the same order.
    pub refused: Vec<LoadFailure>,
}

/// A file that was not loaded.
#[derive(Debug)]
pub struct LoadFailure {
    /// The file as the directory names it, links not resolved.
    pub path: PathBuf,
    /// Why it was not loaded; its message names the file.
    pub error: LoadError,
}

/// Which files of a directory are loaded, and where they run.
#[derive(Clone, Copy, Debug, Default)]
pub struct LoadOptions<'a> {
    /// Hashes that may be loaded; `None` allows all.
    pub allow: Option<&'a AllowList>,
    /// How worker processes are started; `None` loads rule sets into this process.
    pub isolation: Option<&'a IsolationOptions>,
}

impl LoadOptions<'_> {
    /// Loads one file.
    pub fn load(&self, path: &Path) -> Result<Arc<Ruleset>, LoadError> {
        match self.isolation {
            Some(isolation) => Ruleset::load_isolated(path, self.allow, isolation),
            None => Ruleset::load(path, self.allow),
        }
    }
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
    /// If two files have the same game or the same content, the first is loaded, even if
    /// it is in a directory that was added earlier; the other is refused.
    pub fn add_dir(&mut self, dir: &Path, options: LoadOptions<'_>) -> Result<(), LoadError> {
        ruleset_files(dir)?.into_iter().for_each(|path| self.add_file(path, options));
        Ok(())
    }

    /// Loads the rule sets that are bundled with this program, from
    /// [`bundled_dir`](crate::bundled_dir), as [`add_dir`](Loaded::add_dir) does.
    pub fn add_bundled(&mut self, options: LoadOptions<'_>) -> Result<(), LoadError> {
        bundled_files()?.into_iter().for_each(|path| self.add_file(path, options));
        Ok(())
    }

    /// Loads one file, as [`add_dir`](Loaded::add_dir) does.
    pub fn add_file(&mut self, path: PathBuf, options: LoadOptions<'_>) {
        match options.load(&path) {
            Ok(ruleset) => self.add(path, ruleset),
            Err(error) => self.refused.push(LoadFailure { path, error }),
        }
    }

    /// Adds a rule set that was loaded from `path`, unless it is a duplicate.
    pub fn add(&mut self, path: PathBuf, ruleset: Arc<Ruleset>) {
        match check_duplicate(&path, ruleset.info(), &self.rulesets) {
            Ok(()) => self.rulesets.push(ruleset),
            Err(error) => self.refused.push(LoadFailure { path, error }),
        }
    }
}

/// The shared libraries of a directory that [`Loaded::add_dir`] loads, in order.
pub fn ruleset_files(dir: &Path) -> Result<Vec<PathBuf>, LoadError> {
    list_files(dir, "")
}

pub(crate) fn list_files(dir: &Path, prefix: &str) -> Result<Vec<PathBuf>, LoadError> {
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
    Ok(paths)
}

/// Fails if one of the `others` has the same content or game.
fn check_duplicate(path: &Path, info: &RulesetInfo, others: &[Arc<Ruleset>]) -> Result<(), LoadError> {
    let path = path.to_owned();
    for other in others.iter().map(|other| other.info()) {
        if other.sha256 == info.sha256 {
            return Err(LoadError::DuplicateFile { path, first: other.path.clone() });
        }
        if other.id == info.id {
            return Err(LoadError::DuplicateGame { path, id: info.id.clone(), first: other.path.clone() });
        }
    }
    Ok(())
}
