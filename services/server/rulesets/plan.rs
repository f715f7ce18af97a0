//! Which files are loaded, and where they run.
//!
//! Links to one file are one file, and of several files with the same content only the
//! first is loaded, so that copies cost a hash and not a process.

use std::collections::HashMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use pentad_host::{
    AllowList, BundledRulesets, Confinement, IsolationOptions, LoadError, LoadOptions, Protections, Ruleset,
    WorkerCommand,
};

use super::{Check, NoRulesets, RulesetsError};
use crate::app::RefusedFile;
use crate::config::{Config, Isolation, RulesetDir};
use crate::telemetry::WorkerLog;

/// Bound on any call of a worker process: a page of a very long list takes seconds.
const CALL_TIME_MAX: Duration = Duration::from_secs(60);
/// Shortest bound on a cancelled search of a worker process. It is observed every 100 ms.
const STOP_TIME_MIN: Duration = Duration::from_secs(1);

/// The files of the configured directories, in order, each once.
#[derive(Debug)]
pub(crate) struct Plan {
    allow: Option<AllowList>,
    bundled: Option<BundledRulesets>,
    isolation: IsolationOptions,
    /// Required protections that the kernel lacks.
    missing: Protections,
    pub(super) files: Vec<PlannedFile>,
    /// Further links to the files.
    pub(super) links: Vec<RefusedFile>,
    /// The directories, for messages.
    pub(super) place: String,
}

#[derive(Debug)]
pub(super) struct PlannedFile {
    /// As the directory names it, links not resolved.
    pub(super) path: PathBuf,
    runs: Isolation,
    /// Only files of the same size are compared.
    size: u64,
    /// Hash of its content, or why it cannot be read.
    sha256: OnceLock<Result<String, String>>,
}

/// Result of loading one file. Both parts are present if the file is refused and the
/// rule set that was loaded from it before is kept.
#[derive(Debug, Default)]
pub(super) struct FileResult {
    pub(super) ruleset: Option<Arc<Ruleset>>,
    pub(super) error: Option<String>,
}

impl Plan {
    /// Lists the files of the configured directories.
    pub(crate) fn new(config: &Config, worker: &WorkerCommand) -> Result<Plan, RulesetsError> {
        let mut plan = Plan::empty(config, worker)?;
        let mut known = HashMap::new();
        for entry in config.rulesets.as_slice() {
            let paths = match &entry.dir {
                RulesetDir::Bundled => pentad_host::bundled_files()?,
                RulesetDir::Path(dir) => pentad_host::ruleset_files(dir)?,
            };
            for path in paths {
                plan.add(path, entry.isolation.unwrap_or(config.isolation), &mut known);
            }
        }
        match plan.files.is_empty() {
            true => Err(NoRulesets { place: plan.place, files: Vec::new() }.into()),
            false => Ok(plan),
        }
    }

    /// A plan of one file.
    pub(crate) fn of_file(config: &Config, worker: &WorkerCommand, file: &Path) -> Result<Plan, RulesetsError> {
        let mut plan = Plan::empty(config, worker)?;
        plan.place = file.display().to_string();
        plan.add(file.to_owned(), config.isolation, &mut HashMap::new());
        Ok(plan)
    }

    fn empty(config: &Config, worker: &WorkerCommand) -> Result<Plan, RulesetsError> {
        let isolation = isolation_options(config, worker);
        let required = config.require_protections.0;
        let missing = match required.is_empty() {
            true => Protections::default(),
            false => required.missing_from(super::active_protections(config, worker)),
        };
        let place = if config.rulesets.is_unset() {
            "the bundled directory; name one with --rulesets".to_owned()
        } else {
            config.rulesets.as_slice().iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        };
        let lists = config.allow_list.0.iter().map(|path| read_allow_list(path)).collect::<Result<Vec<_>, _>>()?;
        let allow = (!lists.is_empty()).then(|| lists.into_iter().collect());
        let bundled = BundledRulesets::find().ok();
        Ok(Plan { allow, bundled, isolation, missing, files: Vec::new(), links: Vec::new(), place })
    }

    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        self.files.iter().map(|file| file.path.clone()).collect()
    }

    /// Adds a file, unless it is a link to one of the `known` files, by device and inode.
    fn add(&mut self, path: PathBuf, runs: Isolation, known: &mut HashMap<(u64, u64), PathBuf>) {
        let metadata = path.metadata().ok();
        if let Some(metadata) = &metadata {
            let identity = (metadata.dev(), metadata.ino());
            if let Some(first) = known.get(&identity) {
                let error = LoadError::DuplicateFile { path: path.clone(), first: first.clone() }.to_string();
                return self.links.push(RefusedFile { path, error });
            }
            known.insert(identity, path.canonicalize().unwrap_or_else(|_| path.clone()));
        }
        // A file that cannot be read is refused when it is loaded.
        let size = metadata.map_or(0, |metadata| metadata.size());
        self.files.push(PlannedFile { path, runs, size, sha256: OnceLock::new() });
    }

    /// Loads one file. A rule set of `present` whose file is unchanged is kept. A changed
    /// or new file must pass the `check`; if it fails, the present one is kept.
    pub(super) fn load_file(&self, idx: usize, present: &[Arc<Ruleset>], check: Check) -> FileResult {
        let path = &self.files[idx].path;
        let present = path.canonicalize().ok().and_then(|path| present.iter().find(|it| it.info().path == path));
        match self.try_load(idx, present, check) {
            Ok(ruleset) => FileResult { ruleset: Some(ruleset), error: None },
            Err(error) => {
                let kept = present.filter(|it| self.allows(&it.info().sha256));
                FileResult { ruleset: kept.cloned(), error: Some(error) }
            }
        }
    }

    fn try_load(&self, idx: usize, present: Option<&Arc<Ruleset>>, check: Check) -> Result<Arc<Ruleset>, String> {
        let file = &self.files[idx];
        let path = &file.path;
        let sha256 = self.sha256(idx)?;
        let is_same = |other: &PlannedFile| other.size == file.size;
        if let Some(first) = (0..idx).find(|it| is_same(&self.files[*it]) && self.sha256(*it).as_ref() == Ok(&sha256)) {
            let first = self.files[first].path.clone();
            return Err(LoadError::DuplicateFile { path: path.clone(), first }.to_string());
        }
        let is_isolated = self.is_isolated(file, &sha256);
        let is_kept =
            |it: &&Arc<Ruleset>| it.info().sha256 == sha256 && it.is_isolated() == is_isolated && self.allows(&sha256);
        if let Some(present) = present.filter(is_kept) {
            return Ok(Arc::clone(present));
        }
        if is_isolated && !self.missing.is_empty() {
            let missing = self.missing;
            let lacks = format!("this system does not enforce {missing}, which require_protections names");
            return Err(format!("{}: {lacks}", path.display()));
        }
        // Code that is not allowed is not checked either, since a check runs it.
        if !self.allows(&sha256) {
            let error = LoadError::NotAllowed { path: path.clone(), sha256 };
            return Err(error.to_string());
        }
        check(path).map_err(|error| format!("{}: {error}", path.display()))?;
        // Only the content that was checked, and for which isolation was decided.
        let content = AllowList::parse(&sha256).ok();
        let isolation = is_isolated.then_some(&self.isolation);
        let loaded = LoadOptions { allow: content.as_ref(), isolation }.load(path);
        loaded.map_err(|error| match error {
            LoadError::NotAllowed { path, .. } => {
                format!("{}: the file changed while it was loaded; reload again", path.display())
            }
            error => error.to_string(),
        })
    }

    fn is_isolated(&self, file: &PlannedFile, sha256: &str) -> bool {
        match file.runs {
            Isolation::Process => true,
            Isolation::InProcess => false,
            Isolation::Auto => !self.bundled.as_ref().is_some_and(|bundled| bundled.contains(&file.path, sha256)),
        }
    }

    fn sha256(&self, idx: usize) -> Result<String, String> {
        let PlannedFile { path, sha256, .. } = &self.files[idx];
        sha256.get_or_init(|| pentad_host::file_sha256(path).map_err(|error| error.to_string())).clone()
    }

    fn allows(&self, sha256: &str) -> bool {
        self.allow.as_ref().is_none_or(|allow| allow.contains(sha256))
    }
}

/// How worker processes are started.
pub(super) fn isolation_options(config: &Config, worker: &WorkerCommand) -> IsolationOptions {
    let required = config.require_protections.0;
    IsolationOptions {
        command: worker.clone(),
        confinement: Confinement { required, ..Confinement::full(config.worker_memory_bytes()) },
        call_time_max: CALL_TIME_MAX,
        stop_time_max: Duration::from_millis(config.hang_grace_ms).max(STOP_TIME_MIN),
        observer: Arc::new(WorkerLog),
    }
}

fn read_allow_list(path: &Path) -> Result<AllowList, RulesetsError> {
    let text = crate::settings_file::read_to_string(path)
        .map_err(|error| RulesetsError::AllowListUnreadable { path: path.to_owned(), error })?;
    AllowList::parse(&text).map_err(|error| RulesetsError::AllowList { path: path.to_owned(), error })
}
