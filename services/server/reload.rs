//! Applies changed settings and rule sets while the server runs.
//!
//! A new or changed rule set is checked first, in a process of its own. It then serves
//! the questions that arrive from then on; running questions end with the rule set that
//! they began with. What cannot be used is reported and changes nothing. A rule set
//! whose file is gone is no longer served.
//!
//! Libraries that run in this process are never unloaded, so each replaced one leaves a
//! few MiB of code behind. The process of an isolated one ends with its last question.

use std::fmt;
use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use pentad_host::{Ruleset, WorkerCommand};
use serde::Serialize;

use crate::app::App;
use crate::background_thread::BackgroundThread;
use crate::cli;
use crate::coalesce::Coalescer;
use crate::config::{Config, ConfigError, JwksSource, RulesetDir, SettingChanges};
use crate::rulesets::Plan;
use crate::telemetry;

/// How often `watch` compares the files.
const WATCH_INTERVAL: Duration = Duration::from_secs(2);

/// Reads the settings again, from their original sources.
pub type ReadConfig = dyn Fn() -> Result<Config, ConfigError> + Send + Sync;

/// Inputs of reloads other than the state that they change.
pub(crate) struct Reloading {
    worker: WorkerCommand,
    read_config: Box<ReadConfig>,
    runs: Coalescer<Result<Reloaded, String>>,
    /// For the load at the start, then for reloads.
    pub(crate) thread: BackgroundThread,
    /// For listing files, since a file system may not respond.
    pub(crate) watch_thread: BackgroundThread,
}

impl Reloading {
    pub(crate) fn new(worker: WorkerCommand, read_config: Box<ReadConfig>) -> io::Result<Reloading> {
        let (thread, watch_thread) = (BackgroundThread::start("reload")?, BackgroundThread::start("watch")?);
        Ok(Reloading { worker, read_config, runs: Coalescer::default(), thread, watch_thread })
    }

    /// The command that runs worker processes.
    pub(crate) fn worker(&self) -> &WorkerCommand {
        &self.worker
    }
}

impl fmt::Debug for Reloading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reloading")
    }
}

/// Changes of a reload.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reloaded {
    /// Games that were not served before.
    pub(crate) added: Vec<String>,
    /// Games with a new rule set.
    pub(crate) replaced: Vec<String>,
    /// Games that are no longer served.
    pub(crate) removed: Vec<String>,
    /// Files that were refused, and why.
    pub(crate) refused: Vec<RefusedReport>,
    /// Keys of the settings that changed.
    pub(crate) settings: Vec<&'static str>,
    /// Keys of changed settings that need a restart.
    pub(crate) need_restart: Vec<&'static str>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct RefusedReport {
    file: String,
    pub(crate) error: String,
}

/// Result of a reload, for its metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReloadResult {
    Ok,
    /// Files were refused; everything else was applied.
    Partial,
    /// Nothing was changed.
    Failed,
}

impl ReloadResult {
    pub(crate) const ALL: [ReloadResult; 3] = [ReloadResult::Ok, ReloadResult::Partial, ReloadResult::Failed];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            ReloadResult::Ok => "ok",
            ReloadResult::Partial => "partial",
            ReloadResult::Failed => "failed",
        }
    }
}

impl App {
    /// Applies changes, after a reload that is already running; all who wait for that
    /// share one. `cause` is for the log. The error says why nothing was changed.
    pub(crate) async fn reload(self: &Arc<Self>, cause: &'static str) -> Result<Reloaded, String> {
        let this = Arc::clone(self);
        // A caller may disconnect, but a reload that has begun must complete before the
        // next.
        let run = tokio::spawn(async move { this.reloading.runs.run(async || this.reload_once(cause).await).await });
        run.await.unwrap_or_else(|panic| Err(format!("the reload panicked: {panic}")))
    }

    async fn reload_once(self: &Arc<Self>, cause: &'static str) -> Result<Reloaded, String> {
        let this = Arc::clone(self);
        let reloaded = self.reloading.thread.run(move || this.reload_now()).await;
        let reloaded = reloaded.unwrap_or_else(|panic| Err(format!("the reload panicked: {panic}")));
        let result = match &reloaded {
            Ok(reloaded) if reloaded.refused.is_empty() => ReloadResult::Ok,
            Ok(_) => ReloadResult::Partial,
            Err(_) => ReloadResult::Failed,
        };
        self.telemetry.count_reload(result);
        match &reloaded {
            Ok(Reloaded { added, replaced, removed, refused, settings, need_restart }) => tracing::info!(
                cause,
                added = added.join(", "),
                replaced = replaced.join(", "),
                removed = removed.join(", "),
                refused = refused.len(),
                settings = settings.join(", "),
                need_restart = need_restart.join(", "),
                "reloaded"
            ),
            Err(error) => tracing::error!(cause, error, "reload failed; nothing was changed"),
        }
        reloaded
    }

    fn reload_now(&self) -> Result<Reloaded, String> {
        let new = (self.reloading.read_config)().map_err(|error| error.to_string())?;
        let SettingChanges { config, applied, need_restart } = SettingChanges::between(&self.config(), &new);
        let present = self.engine.rulesets();
        let plan = Plan::new(&config, &self.reloading.worker).map_err(|error| error.to_string())?;
        let found =
            plan.load(present.clone(), cli::check_briefly, &mut |_, _| ()).map_err(|error| error.to_string())?;
        self.access.reload(&config).map_err(|error| error.to_string())?;
        // Nothing fails after this point.
        telemetry::set_log_level(&config.log_level);
        self.set_config(config);
        let changes = GameChanges::between(&present, &found.rulesets);
        let refused = found
            .refused
            .iter()
            .map(|file| RefusedReport { file: file.path.display().to_string(), error: file.error.clone() });
        let refused = refused.collect();
        self.telemetry.count_loads(changes.added.len() + changes.replaced.len(), found.refused.len());
        self.set_rulesets(found);
        let GameChanges { added, replaced, removed } = changes;
        Ok(Reloaded { added, replaced, removed, refused, settings: applied, need_restart })
    }

    /// Reloads when the files have changed and then stayed the same for an interval, so
    /// that a file is not read while it is being copied.
    pub(crate) async fn watch_files(self: Arc<Self>) {
        let mut loaded = self.fingerprint();
        let mut last = loaded.clone();
        loop {
            tokio::time::sleep(WATCH_INTERVAL).await;
            // On another thread, since probes need this one: a directory may have very
            // many files.
            let this = Arc::clone(&self);
            let Ok(now) = self.reloading.watch_thread.run(move || this.fingerprint()).await else { continue };
            if now != loaded && now == last {
                // On failure the same files would fail again.
                let _logged = self.reload("watch").await;
                loaded = now.clone();
            }
            last = now;
        }
    }

    /// Returns the files that a reload reads, except for the settings file, with their
    /// modification times.
    fn fingerprint(&self) -> Vec<(Option<[i64; 4]>, PathBuf)> {
        let config = Arc::clone(&self.config());
        let stamp = |file: Metadata| [file.mtime(), file.mtime_nsec(), file.size() as i64, file.ino() as i64];
        let files = config.rulesets.as_slice().iter().flat_map(|entry| match &entry.dir {
            RulesetDir::Bundled => pentad_host::bundled_files().unwrap_or_default(),
            RulesetDir::Path(dir) => pentad_host::ruleset_files(dir).unwrap_or_default(),
        });
        let named = [&config.tokens, &config.tls_cert, &config.tls_key, &config.tls_client_ca];
        let named = named.into_iter().flatten().chain(&config.allow_list.0);
        let jwks = config.oidc_jwks.as_ref().and_then(|source| match source {
            JwksSource::File(path) => Some(path),
            JwksSource::Url(_) => None,
        });
        let files = files.chain(named.chain(jwks).cloned());
        files.map(|path| (path.metadata().ok().map(stamp), path)).collect()
    }
}

/// Games by kind of change.
struct GameChanges {
    added: Vec<String>,
    replaced: Vec<String>,
    removed: Vec<String>,
}

impl GameChanges {
    fn between(before: &[Arc<Ruleset>], after: &[Arc<Ruleset>]) -> GameChanges {
        let find = |rulesets: &[Arc<Ruleset>], id: &str| rulesets.iter().find(|it| it.info().id == id).cloned();
        let ids = |rulesets: &[Arc<Ruleset>], is_listed: &dyn Fn(&Arc<Ruleset>) -> bool| {
            let listed = rulesets.iter().filter(|ruleset| is_listed(ruleset));
            listed.map(|ruleset| ruleset.info().id.clone()).collect()
        };
        GameChanges {
            added: ids(after, &|new| find(before, &new.info().id).is_none()),
            replaced: ids(after, &|new| find(before, &new.info().id).is_some_and(|old| !Arc::ptr_eq(&old, new))),
            removed: ids(before, &|old| find(after, &old.info().id).is_none()),
        }
    }
}
