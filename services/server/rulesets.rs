//! Loads the configured rule sets.

use std::path::PathBuf;
use std::sync::Arc;

use pentad_host::{AllowList, AllowListError, LoadError, Loaded, Ruleset};

use crate::app::RefusedFile;
use crate::config::{Config, RulesetDir};

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

/// Files that cannot be loaded are logged and skipped.
pub(crate) fn load(config: &Config) -> Result<(Vec<Arc<Ruleset>>, Vec<RefusedFile>), RulesetsError> {
    let allow = config.allow_list.as_ref().map(read_allow_list).transpose()?;
    let mut loaded = Loaded::default();
    for dir in config.rulesets.as_slice() {
        match dir {
            RulesetDir::Bundled => loaded.add_bundled(allow.as_ref())?,
            RulesetDir::Path(dir) => loaded.add_dir(dir, allow.as_ref())?,
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
    for file in &refused {
        tracing::error!(file = %file.path.display(), error = file.error, "rule set refused");
    }
    Ok((rulesets, refused))
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
