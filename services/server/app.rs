//! What all edges share.

use std::path::PathBuf;
use std::sync::Arc;

use pentad_engine::{Engine, EngineError, Place};
use pentad_host::Variant;
use tokio::sync::watch;

use crate::config::Config;
use crate::telemetry::Telemetry;

/// What all edges share.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) config: Config,
    pub(crate) engine: Arc<Engine>,
    pub(crate) telemetry: Arc<Telemetry>,
    pub(crate) refused: Vec<RefusedFile>,
    pub(crate) phase: watch::Sender<Phase>,
}

/// A file that is not served.
#[derive(Debug)]
pub(crate) struct RefusedFile {
    pub(crate) path: PathBuf,
    pub(crate) error: String,
}

/// Where in its life the server is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    /// Not all ports are open.
    Starting,
    /// It may get traffic.
    Ready,
    /// Still answers, but wants no traffic.
    Draining,
    /// The public ports are closed; what runs is finished.
    Closing,
}

impl App {
    /// Whether it may get traffic at all.
    pub(crate) fn is_ready(&self) -> bool {
        *self.phase.borrow() == Phase::Ready
            && self.engine.rulesets().iter().any(|set| self.engine.is_up(&set.info().id))
    }

    /// Whether it may get questions about this game.
    pub(crate) fn is_game_ready(&self, game: &str) -> bool {
        *self.phase.borrow() == Phase::Ready && self.engine.is_up(game)
    }

    /// The variant that a question is about.
    pub(crate) fn variant(&self, place: &Place) -> Result<&Variant, EngineError> {
        let (ruleset, variant_idx) = self.engine.variant(place)?;
        ruleset.variants().get(variant_idx).ok_or_else(|| EngineError::Internal {
            message: format!("{} has no variant number {variant_idx}", place.game),
        })
    }
}
