//! State shared by all ports.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use arc_swap::{ArcSwap, Guard};
use pentad_engine::{AnswerStore, Engine};
use pentad_host::Protections;
use pentad_store::Layers;
use tokio::sync::watch;

use crate::StartError;
use crate::access::Access;
use crate::config::Config;
use crate::reload::Reloading;
use crate::rulesets::{self, Found, NoRulesets, Plan};
use crate::stores;
use crate::streams::Streams;
use crate::telemetry::Telemetry;

#[derive(Debug)]
pub(crate) struct App {
    config: ArcSwap<Config>,
    pub(crate) engine: Arc<Engine>,
    /// Stores of answers, if any are configured.
    pub(crate) store: Option<Layers>,
    pub(crate) access: Arc<Access>,
    pub(crate) telemetry: Arc<Telemetry>,
    /// Held while a backup is sent.
    pub(crate) backing_up: Arc<tokio::sync::Mutex<()>>,
    refused: ArcSwap<Vec<RefusedFile>>,
    /// Whether all required games have been loaded at the same time.
    had_required_games: AtomicBool,
    pub(crate) streams: Arc<Streams>,
    pub(crate) phase: watch::Sender<ServerPhase>,
    /// Progress of the load at the start.
    pub(crate) loading: watch::Sender<Loading>,
    pub(crate) reloading: Reloading,
    /// Protections that the kernel enforces on worker processes, once known.
    pub(crate) protections: OnceLock<Protections>,
}

/// How long the public ports wait for rule sets before they accept connections, and the line
/// that names the ports before it is printed: the first call should find its game.
const GAMES_WAIT: Duration = Duration::from_secs(1);

/// Progress of the load at the start.
#[derive(Clone, Debug)]
pub(crate) enum Loading {
    /// Files that are still being loaded.
    Files(Vec<PathBuf>),
    Complete,
    /// No file could be loaded.
    Failed(NoRulesets),
}

/// A file in the rule-set directory that could not be loaded.
#[derive(Clone, Debug)]
pub(crate) struct RefusedFile {
    pub(crate) path: PathBuf,
    pub(crate) error: String,
}

/// The server's lifecycle, for probes and health.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ServerPhase {
    /// Not all ports are open.
    Starting,
    /// Accepts traffic.
    Ready,
    /// Still serves, but reports not ready, so that load balancers send no more
    /// traffic.
    Draining,
    /// The public ports are closed; running calls complete.
    Closing,
}

impl App {
    /// Creates the state of a server without games.
    pub(crate) fn new(config: Config, reloading: Reloading) -> Result<App, StartError> {
        let telemetry = Telemetry::new(config.access_log)?;
        telemetry.set_rulesets(&[], 0);
        let access = Arc::new(Access::new(&config, &telemetry)?);
        let store = stores::open(&config)?;
        let answers = store.clone().map(|store| Arc::new(store) as Arc<dyn AnswerStore>);
        let engine = Engine::with_store(config.engine(), Vec::new(), telemetry.observer(), answers);
        let phase = watch::Sender::new(ServerPhase::Starting);
        let (config, refused) = (ArcSwap::from_pointee(config), ArcSwap::default());
        let (streams, protections) = (Arc::default(), OnceLock::new());
        let loading = watch::Sender::new(Loading::Files(Vec::new()));
        let backing_up = Arc::default();
        Ok(App {
            config,
            engine,
            store,
            backing_up,
            access,
            telemetry,
            refused,
            had_required_games: AtomicBool::new(false),
            streams,
            phase,
            loading,
            reloading,
            protections,
        })
    }

    /// Returns the current settings.
    pub(crate) fn config(&self) -> Guard<Arc<Config>> {
        self.config.load()
    }

    /// Replaces the settings, for calls that arrive from now on.
    pub(crate) fn set_config(&self, config: Config) {
        self.engine.set_config(config.engine());
        self.config.store(Arc::new(config));
    }

    /// Resolves when the public ports are closed: long-lived streams then end.
    pub(crate) fn closing(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut phase = self.phase.subscribe();
        // The phase outlives every call; without it there is nothing to wait for.
        async move { drop(phase.wait_for(|phase| *phase == ServerPhase::Closing).await) }
    }

    /// Begins to load the rule sets of a plan.
    pub(crate) fn start_loading(self: &Arc<Self>, plan: Plan) {
        self.engine.set_loading(true);
        self.loading.send_replace(Loading::Files(plan.paths()));
        let (this, probing) = (Arc::clone(self), Arc::clone(self));
        drop(self.reloading.thread.run(move || this.load(plan)));
        drop(self.reloading.watch_thread.run(move || probing.probe_protections()));
    }

    fn probe_protections(&self) {
        let active = rulesets::active_protections(&self.config(), self.reloading.worker());
        self.telemetry.set_protections(*self.protections.get_or_init(|| active));
    }

    /// Loads the rule sets of a plan and serves each as soon as it is loaded.
    fn load(&self, plan: Plan) {
        let loaded = plan.load(Vec::new(), rulesets::NO_CHECK, &mut |found, left| {
            self.loading.send_replace(Loading::Files(left));
            self.set_rulesets(found);
        });
        let loading = match loaded {
            Ok(found) => {
                self.telemetry.count_loads(found.rulesets.len(), found.refused.len());
                self.set_rulesets(found);
                Loading::Complete
            }
            Err(error) => Loading::Failed(error),
        };
        self.engine.set_loading(false);
        self.loading.send_replace(loading);
    }

    /// Resolves when every rule set is loaded or refused, at the latest after a second.
    pub(crate) fn loaded_or_late(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut loading = self.loading.subscribe();
        async move {
            let loaded = loading.wait_for(|loading| !matches!(loading, Loading::Files(_)));
            // Late, or there is no server any more.
            drop(tokio::time::timeout(GAMES_WAIT, loaded).await);
        }
    }

    /// Replaces the rule sets.
    pub(crate) fn set_rulesets(&self, found: Found) {
        let Found { rulesets, refused } = found;
        // Before the engine serves them, so that the first call finds its metrics.
        self.telemetry.set_rulesets(&rulesets, refused.len());
        self.engine.set_rulesets(rulesets);
        self.refused.store(Arc::new(refused));
        if self.required_games_that_are_missing().is_empty() {
            self.had_required_games.store(true, Ordering::Relaxed);
        }
    }

    /// Files that the last load or reload refused.
    pub(crate) fn refused(&self) -> Arc<Vec<RefusedFile>> {
        self.refused.load_full()
    }

    /// Whether the server is ready for traffic.
    pub(crate) fn is_ready(&self) -> bool {
        let is_ready = *self.phase.borrow() == ServerPhase::Ready && self.n_awaited() == 0;
        is_ready && self.has_a_game() && self.missing_games().is_none()
    }

    /// Number of files that are still being loaded at the start.
    pub(crate) fn n_loading(&self) -> usize {
        match &*self.loading.borrow() {
            Loading::Files(left) => left.len(),
            Loading::Complete | Loading::Failed(_) => 0,
        }
    }

    /// Number of those files that readiness waits for: none if the required games are
    /// named, since others may come later.
    pub(crate) fn n_awaited(&self) -> usize {
        if self.config().require_games.is_empty() { self.n_loading() } else { 0 }
    }

    /// Whether any game is served.
    pub(crate) fn has_a_game(&self) -> bool {
        self.engine.rulesets().iter().any(|set| self.engine.is_up(&set.info().id))
    }

    /// Returns the required games that are not loaded, until all of them have been. A game that
    /// goes down or vanishes later does not make the server unready for the others: it has a
    /// health service and an alert of its own.
    pub(crate) fn missing_games(&self) -> Option<String> {
        if self.had_required_games.load(Ordering::Relaxed) {
            return None;
        }
        let missing = self.required_games_that_are_missing();
        (!missing.is_empty()).then(|| missing.join(", "))
    }

    fn required_games_that_are_missing(&self) -> Vec<String> {
        let config = self.config.load();
        let missing = config.require_games.iter().filter(|game| self.engine.ruleset(game).is_err());
        missing.map(|game| format!("{game} (not loaded)")).collect()
    }

    /// Whether the server is ready for traffic for this game.
    pub(crate) fn is_game_ready(&self, game: &str) -> bool {
        *self.phase.borrow() == ServerPhase::Ready && self.engine.is_up(game)
    }
}
