//! State shared by all ports.

use std::path::PathBuf;
use std::sync::Arc;

use arc_swap::{ArcSwap, Guard};
use pentad_engine::{AnswerStore, Engine};
use pentad_store::Layers;
use tokio::sync::watch;

use crate::StartError;
use crate::access::Access;
use crate::batch::BatchStreams;
use crate::config::Config;
use crate::reload::Reloading;
use crate::rulesets::Found;
use crate::stores;
use crate::telemetry::Telemetry;

#[derive(Debug)]
pub(crate) struct App {
    config: ArcSwap<Config>,
    pub(crate) engine: Arc<Engine>,
    /// Stores of answers, if any are configured.
    pub(crate) store: Option<Layers>,
    pub(crate) access: Arc<Access>,
    pub(crate) telemetry: Arc<Telemetry>,
    refused: ArcSwap<Vec<RefusedFile>>,
    pub(crate) batches: Arc<BatchStreams>,
    pub(crate) phase: watch::Sender<ServerPhase>,
    pub(crate) reloading: Reloading,
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
    pub(crate) fn new(config: Config, found: Found, reloading: Reloading) -> Result<App, StartError> {
        let Found { rulesets, refused } = found;
        let telemetry = Telemetry::new(config.access_log)?;
        telemetry.set_rulesets(&rulesets, rulesets.len(), refused.len());
        let access = Arc::new(Access::new(&config, &telemetry)?);
        let store = stores::open(&config);
        let answers = store.clone().map(|store| Arc::new(store) as Arc<dyn AnswerStore>);
        let engine = Engine::with_store(config.engine(), rulesets, telemetry.observer(), answers);
        let phase = watch::Sender::new(ServerPhase::Starting);
        let (config, refused) = (ArcSwap::from_pointee(config), ArcSwap::from_pointee(refused));
        let batches = Arc::default();
        Ok(App { config, engine, store, access, telemetry, refused, batches, phase, reloading })
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

    /// Replaces the rule sets; `n_loaded` of them are new.
    pub(crate) fn set_rulesets(&self, found: Found, n_loaded: usize) {
        let Found { rulesets, refused } = found;
        // Before the engine serves them, so that the first call finds its metrics.
        self.telemetry.set_rulesets(&rulesets, n_loaded, refused.len());
        self.engine.set_rulesets(rulesets);
        self.refused.store(Arc::new(refused));
    }

    /// Files that the last load or reload refused.
    pub(crate) fn refused(&self) -> Arc<Vec<RefusedFile>> {
        self.refused.load_full()
    }

    /// Whether the server is ready for traffic.
    pub(crate) fn is_ready(&self) -> bool {
        *self.phase.borrow() == ServerPhase::Ready && self.has_a_game() && self.missing_games().is_none()
    }

    /// Whether any game is served.
    pub(crate) fn has_a_game(&self) -> bool {
        self.engine.rulesets().iter().any(|set| self.engine.is_up(&set.info().id))
    }

    /// Returns the required games that are not served, and why: `pentaflip (not
    /// loaded), pentago (down)`.
    pub(crate) fn missing_games(&self) -> Option<String> {
        let config = self.config.load();
        let missing = config.require_games.iter().filter(|game| !self.engine.is_up(game)).map(|game| {
            let state = if self.engine.ruleset(game).is_ok() { "down" } else { "not loaded" };
            format!("{game} ({state})")
        });
        let missing: Vec<String> = missing.collect();
        (!missing.is_empty()).then(|| missing.join(", "))
    }

    /// Whether the server is ready for traffic for this game.
    pub(crate) fn is_game_ready(&self, game: &str) -> bool {
        *self.phase.borrow() == ServerPhase::Ready && self.engine.is_up(game)
    }
}
