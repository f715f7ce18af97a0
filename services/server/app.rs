//! State shared by all ports.

use std::path::PathBuf;
use std::sync::Arc;

use pentad_engine::{Engine, EngineError, Place};
use pentad_host::Variant;
use tokio::sync::watch;

use crate::config::Config;
use crate::telemetry::Telemetry;

#[derive(Debug)]
pub(crate) struct App {
    pub(crate) config: Config,
    pub(crate) engine: Arc<Engine>,
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
        *self.phase.borrow() == Phase::Ready
            && self.engine.rulesets().iter().any(|set| self.engine.is_up(&set.info().id))
    }

    /// Whether the server may get traffic for this game.
    pub(crate) fn is_game_ready(&self, game: &str) -> bool {
        *self.phase.borrow() == Phase::Ready && self.engine.is_up(game)
    }

    /// The variant that a request is about.
    pub(crate) fn variant(&self, place: &Place) -> Result<&Variant, EngineError> {
        let (ruleset, variant_idx) = self.engine.variant(place)?;
        ruleset.variants().get(variant_idx).ok_or_else(|| EngineError::Internal {
            message: format!("{} has no variant number {variant_idx}", place.game),
        })
    }
}
