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

/// A net below the engine's own limits, which notice a hang earlier: no call of a worker
/// process takes longer.
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

/// Files that cannot be loaded are logged and skipped. `worker` starts the processes of
/// isolated rule sets.
pub(crate) fn load(
    config: &Config,
    worker: WorkerCommand,
) -> Result<(Vec<Arc<Ruleset>>, Vec<RefusedFile>), RulesetsError> {
    let allow = config.allow_list.as_ref().map(read_allow_list).transpose()?;
    let isolation = IsolationOptions {
        command: worker,
        confinement: Confinement::full(config.worker_memory_bytes()),
        call_time_max: CALL_TIME_MAX,
        observer: Arc::new(WorkerLog),
    };
    let mut loaded = Loaded::default();
    for entry in config.rulesets.as_slice() {
        let is_isolated = match (entry.isolation.unwrap_or(config.isolation), &entry.dir) {
            (Isolation::Process, _) => true,
            (Isolation::InProcess, _) | (Isolation::Auto, RulesetDir::Bundled) => false,
            (Isolation::Auto, RulesetDir::Path(dir)) => !is_bundled_dir(dir),
        };
        let options = LoadOptions { allow: allow.as_ref(), isolation: is_isolated.then_some(&isolation) };
        match &entry.dir {
            RulesetDir::Bundled => loaded.add_bundled(options)?,
            RulesetDir::Path(dir) => loaded.add_dir(dir, options)?,
        }
    }
    let Loaded { rulesets, refused } = loaded;
    let refused: Vec<RefusedFile> =
        refused.into_iter().map(|file| RefusedFile { path: file.path, error: file.error.to_string() }).collect();
    if rulesets.is_empty() {
        let place = if config.rulesets.is_unset() {
            "the bundled directory; name one with --rulesets".to_owned()
        } else {
            config.rulesets.as_slice().iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        };
        let files = refused.iter().map(|file| file.error.clone()).collect();
        return Err(RulesetsError::None { place, refused: refused.len(), files });
    }
    for info in rulesets.iter().map(|ruleset| ruleset.info()) {
        for path in &info.writable_by_others {
            tracing::warn!(
                game = info.id,
                path = %path.display(),
                "other users may write here and so decide what is loaded; `chmod go-w` it, or let root own it"
            );
        }
    }
    for file in &refused {
        tracing::error!(file = %file.path.display(), error = file.error, "rule set refused");
    }
    Ok((rulesets, refused))
}

/// Whether this is the directory of the bundled rule sets, named by its path.
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
