//! Loads the configured rule sets.
//!
//! | module | contents |
//! | --- | --- |
//! | `plan` | which files are loaded and where they run |
//! | `side_by_side` | loads them, each on a thread of its own |

mod plan;
mod side_by_side;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use pentad_host::{AllowListError, LoadError, Protections, Ruleset, WorkerCommand};

use crate::app::RefusedFile;
use crate::config::Config;

pub(crate) use plan::Plan;

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
    /// The file that was named could not be loaded.
    #[error("{errors}")]
    File {
        /// From loading it.
        errors: String,
    },
    /// No file in them could be loaded.
    #[error(transparent)]
    None(#[from] NoRulesets),
}

/// No file of the configured directories could be loaded.
#[derive(Clone, Debug, thiserror::Error)]
#[error("rulesets: no rule set in {place}; {} files could not be loaded{}", files.len(), indented(files))]
pub struct NoRulesets {
    /// The directories.
    pub place: String,
    /// Errors of the files that could not be loaded.
    pub files: Vec<String>,
}

/// Rule sets to serve, and files that were refused.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) rulesets: Vec<Arc<Ruleset>>,
    pub(crate) refused: Vec<RefusedFile>,
}

/// Check that a file must pass before it replaces or joins the served rule sets.
pub(crate) type Check = fn(&Path) -> Result<(), String>;

/// Accepts every file.
pub(crate) const NO_CHECK: Check = |_| Ok(());

/// Loads the configured rule sets and waits until all are loaded or refused. Files that
/// cannot be loaded are logged and skipped. `worker` starts the processes of isolated
/// rule sets.
pub(crate) fn load(config: &Config, worker: &WorkerCommand) -> Result<Found, RulesetsError> {
    Ok(Plan::new(config, worker)?.load(Vec::new(), NO_CHECK, &mut |_, _| ())?)
}

/// Loads one file in place of the configured directories. Whether it may be loaded, and
/// where it runs, follows from the settings as for a file of a directory.
pub(crate) fn load_file(config: &Config, worker: &WorkerCommand, file: &Path) -> Result<Found, RulesetsError> {
    let loaded = Plan::of_file(config, worker, file)?.load(Vec::new(), NO_CHECK, &mut |_, _| ());
    loaded.map_err(|NoRulesets { files, .. }| RulesetsError::File { errors: files.join("; ") })
}

/// Returns the protections that the kernel enforces on worker processes. The first call
/// starts one.
pub(crate) fn active_protections(config: &Config, worker: &WorkerCommand) -> Protections {
    static ACTIVE: OnceLock<Protections> = OnceLock::new();
    if let Some(active) = ACTIVE.get() {
        return *active;
    }
    match pentad_host::probe_protections(&plan::isolation_options(config, worker)) {
        Ok(active) => *ACTIVE.get_or_init(|| active),
        Err(error) => {
            tracing::warn!(error, "worker processes cannot be started");
            Protections::default()
        }
    }
}

/// The plugin ABI of this server, `MAJOR.MINOR`.
pub(crate) fn abi_version() -> String {
    format!("{}.{}", pentad_abi::ABI_MAJOR, pentad_abi::ABI_MINOR)
}

fn indented(files: &[String]) -> String {
    files.iter().map(|file| format!("\n  {file}")).collect()
}
