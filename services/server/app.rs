//! State shared by all ports.

use std::path::PathBuf;
use std::sync::Arc;

use pentad_engine::Engine;
use tokio::sync::watch;

use crate::access::Access;
use crate::config::Config;
use crate::telemetry::Telemetry;

#[derive(Debug)]
pub(crate) struct App {
    pub(crate) config: Config,
    pub(crate) engine: Arc<Engine>,
    pub(crate) access: Arc<Access>,
    pub(crate) telemetry: Arc<Telemetry>,
    pub(crate) refused: Vec<RefusedFile>,
    pub(crate) phase: watch::Sender<Phase>,
}

/// A file in the rule-set directory that could not be loaded.
#[derive(Debug)]
pub(crate) struct RefusedFile {
    pub(crate) path: PathBuf,
    pub(crate) error: String,
}

/// The server's lifecycle, for probes and health.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    /// Not all ports are open.
    Starting,
    /// Traffic is welcome.
    Ready,
    /// Still serves, but asks load balancers for no more traffic.
    Draining,
    /// The public ports are closed; running calls are completed.
    Closing,
}

impl App {
    /// Whether the server may get traffic.
    pub(crate) fn is_ready(&self) -> bool {
        *self.phase.borrow() == Phase::Ready && self.has_a_game() && self.missing_games().is_none()
    }

    /// Whether any game is answered.
    pub(crate) fn has_a_game(&self) -> bool {
        self.engine.rulesets().iter().any(|set| self.engine.is_up(&set.info().id))
    }

    /// The required games that are not answered, and why: `pentaflip (not loaded),
    /// pentago (down)`.
    pub(crate) fn missing_games(&self) -> Option<String> {
        let missing = self.config.require_games.iter().filter(|game| !self.engine.is_up(game)).map(|game| {
            let state = if self.engine.ruleset(game).is_ok() { "down" } else { "not loaded" };
            format!("{game} ({state})")
        });
        let missing: Vec<String> = missing.collect();
        (!missing.is_empty()).then(|| missing.join(", "))
    }

    /// Whether the server may get traffic for this game.
    pub(crate) fn is_game_ready(&self, game: &str) -> bool {
        *self.phase.borrow() == Phase::Ready && self.engine.is_up(game)
    }
}
