//! Loads the configured rule sets.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use pentad_host::{
    AllowList, AllowListError, Confinement, IsolationOptions, LoadError, LoadOptions, Loaded, Ruleset, WorkerCommand,
};

use crate::app::RefusedFile;
use crate::config::{Config, Isolation, RulesetDir};
use crate::telemetry::WorkerLog;

/// Bound on any call of a worker process. A fallback: the engine's own limits notice a
/// hang earlier.
const CALL_TIME_MAX: Duration = Duration::from_secs(60);

/// Why no rule set is served.
#[derive(Debug, thiserror::Error)]
pub enum RulesetsError {
    /// The allow-list cannot be read.
    #[error("allow_list: {}: {error}", path.display())]
    AllowListUnreadable {
        /// The file.
        path: PathBuf,
        /// From reading it.
        error: std::io::Error,
    },
    /// The allow-list is malformed.
    #[error("allow_list: {}: {error}", path.display())]
    AllowList {
        /// The file.
        path: PathBuf,
        /// From parsing it.
        error: AllowListError,
    },
    /// A directory of rule sets cannot be read.
    #[error("rulesets: {0}")]
    Directory(#[from] LoadError),
    /// No file in them could be loaded.
    #[error("rulesets: no rule set in {place}; {refused} files could not be loaded{}", indented(files))]
    None {
        /// The directories.
        place: String,
        /// The number of files that could not be loaded.
        refused: usize,
        /// Their errors.
        files: Vec<String>,
    },
}

/// Rule sets to serve, and files that were refused.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) rulesets: Vec<Arc<Ruleset>>,
    pub(crate) refused: Vec<RefusedFile>,
}

/// Loads the configured rule sets. Files that cannot be loaded are logged and skipped.
/// `worker` starts the processes of isolated rule sets.
pub(crate) fn load(config: &Config, worker: &WorkerCommand) -> Result<Found, RulesetsError> {
    reload(config, worker, &[], &|_| Ok(()))
}

/// Loads the configured rule sets again. Those of `present` whose file is unchanged are
/// kept. Other files must pass the `check`; if one fails, the present rule set of that
/// file is kept.
pub(crate) fn reload(
    config: &Config,
    worker: &WorkerCommand,
    present: &[Arc<Ruleset>],
    check: &Check,
) -> Result<Found, RulesetsError> {
    let allow = config.allow_list.as_ref().map(read_allow_list).transpose()?;
    let isolation = IsolationOptions {
        command: worker.clone(),
        confinement: Confinement::full(config.worker_memory_bytes()),
        call_time_max: CALL_TIME_MAX,
        observer: Arc::new(WorkerLog),
    };
    let mut scan = Scan { allow: allow.as_ref(), present, check, loaded: Loaded::default(), refused: Vec::new() };
    for entry in config.rulesets.as_slice() {
        let is_isolated = match (entry.isolation.unwrap_or(config.isolation), &entry.dir) {
            (Isolation::Process, _) => true,
            (Isolation::InProcess, _) | (Isolation::Auto, RulesetDir::Bundled) => false,
            (Isolation::Auto, RulesetDir::Path(dir)) => !is_bundled_dir(dir),
        };
        let options = LoadOptions { allow: allow.as_ref(), isolation: is_isolated.then_some(&isolation) };
        let files = match &entry.dir {
            RulesetDir::Bundled => pentad_host::bundled_files()?,
            RulesetDir::Path(dir) => pentad_host::ruleset_files(dir)?,
        };
        files.into_iter().for_each(|path| scan.add(path, options));
    }
    let found = scan.finish();
    if found.rulesets.is_empty() {
        let place = if config.rulesets.is_unset() {
            "the bundled directory; name one with --rulesets".to_owned()
        } else {
            config.rulesets.as_slice().iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        };
        let files = found.refused.iter().map(|file| file.error.clone()).collect();
        return Err(RulesetsError::None { place, refused: found.refused.len(), files });
    }
    for info in found.rulesets.iter().map(|ruleset| ruleset.info()) {
        for path in &info.writable_by_others {
            tracing::warn!(
                game = info.id,
                path = %path.display(),
                "other users may write here and so control what is loaded; run `chmod go-w`, or make root the owner"
            );
        }
    }
    for file in &found.refused {
        tracing::error!(file = %file.path.display(), error = file.error, "rule set refused");
    }
    Ok(found)
}

/// Check that a file must pass before it replaces or joins the served rule sets.
pub(crate) type Check = dyn Fn(&Path) -> Result<(), String>;

/// A scan of the directories, resulting in [`Found`].
struct Scan<'a> {
    allow: Option<&'a AllowList>,
    present: &'a [Arc<Ruleset>],
    check: &'a Check,
    loaded: Loaded,
    refused: Vec<RefusedFile>,
}

impl Scan<'_> {
    fn add(&mut self, path: PathBuf, options: LoadOptions<'_>) {
        let present = path.canonicalize().ok().and_then(|path| self.present.iter().find(|it| it.info().path == path));
        match self.load(&path, options, present) {
            Ok(ruleset) => self.loaded.add(path, ruleset),
            Err(error) => {
                self.refused.push(RefusedFile { path: path.clone(), error });
                if let Some(present) = present.filter(|it| self.allows(&it.info().sha256)) {
                    self.loaded.add(path, Arc::clone(present));
                }
            }
        }
    }

    fn load(
        &self,
        path: &Path,
        options: LoadOptions<'_>,
        present: Option<&Arc<Ruleset>>,
    ) -> Result<Arc<Ruleset>, String> {
        let sha256 = pentad_host::file_sha256(path).map_err(|error| error.to_string())?;
        if let Some(present) = present.filter(|it| it.info().sha256 == sha256 && self.allows(&sha256)) {
            return Ok(Arc::clone(present));
        }
        // Code that is not allowed is not checked either, since a check runs it.
        if self.allows(&sha256) {
            (self.check)(path).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        let ruleset = options.load(path).map_err(|error| error.to_string())?;
        match ruleset.info().sha256 == sha256 {
            true => Ok(ruleset),
            false => Err(format!("{}: the file changed during the check; reload again", path.display())),
        }
    }

    fn allows(&self, sha256: &str) -> bool {
        self.allow.is_none_or(|allow| allow.contains(sha256))
    }

    fn finish(self) -> Found {
        let duplicates = self.loaded.refused.into_iter();
        let duplicates = duplicates.map(|file| RefusedFile { path: file.path, error: file.error.to_string() });
        Found { rulesets: self.loaded.rulesets, refused: self.refused.into_iter().chain(duplicates).collect() }
    }
}

/// Whether this path is the directory of the bundled rule sets.
fn is_bundled_dir(dir: &Path) -> bool {
    let bundled = pentad_host::bundled_dir().ok().and_then(|bundled| bundled.canonicalize().ok());
    bundled.is_some_and(|bundled| dir.canonicalize().is_ok_and(|dir| dir == bundled))
}

/// The plugin ABI of this server, `MAJOR.MINOR`.
pub(crate) fn abi_version() -> String {
    format!("{}.{}", pentad_abi::ABI_MAJOR, pentad_abi::ABI_MINOR)
}

fn read_allow_list(path: &PathBuf) -> Result<AllowList, RulesetsError> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| RulesetsError::AllowListUnreadable { path: path.clone(), error })?;
    AllowList::parse(&text).map_err(|error| RulesetsError::AllowList { path: path.clone(), error })
}

fn indented(files: &[String]) -> String {
    files.iter().map(|file| format!("\n  {file}")).collect()
}
