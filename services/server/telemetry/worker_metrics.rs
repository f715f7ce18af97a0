//! Restarts and crashes of worker processes.
//!
//! The host counts them by rule set. A reload replaces a game's rule set by one that
//! begins at zero, while a Prometheus counter may only grow; so the totals of replaced
//! ones are added here.

use std::collections::HashMap;
use std::ops::Add;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use metrics::counter;
use pentad_host::{IsolationStatus, Ruleset};
use pentad_model::FaultKind;

/// By game id, including games that are no longer served.
#[derive(Debug, Default)]
pub(super) struct WorkerMetrics {
    games: Mutex<HashMap<String, GameWorkers>>,
}

#[derive(Debug, Default)]
struct GameWorkers {
    /// The served rule set.
    ruleset: Weak<Ruleset>,
    /// Totals of replaced workers.
    earlier: WorkerCounts,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct WorkerCounts {
    restarts: u64,
    crashes: u64,
}

impl Add for WorkerCounts {
    type Output = WorkerCounts;

    fn add(self, other: WorkerCounts) -> WorkerCounts {
        WorkerCounts { restarts: self.restarts + other.restarts, crashes: self.crashes + other.crashes }
    }
}

impl GameWorkers {
    fn total(&self) -> WorkerCounts {
        let present = self.ruleset.upgrade().map(|ruleset| ruleset.isolation());
        self.earlier
            + match present {
                Some(IsolationStatus::Process(worker)) => {
                    WorkerCounts { restarts: worker.restarts, crashes: worker.crashes }
                }
                Some(IsolationStatus::InProcess) | None => WorkerCounts::default(),
            }
    }
}

impl WorkerMetrics {
    /// Sets the rule sets that are served from now on. Call it while the previous ones
    /// still exist.
    pub(super) fn set_rulesets(&self, rulesets: &[Arc<Ruleset>]) {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        for game in games.values_mut() {
            let is_served = rulesets.iter().any(|ruleset| Weak::as_ptr(&game.ruleset) == Arc::as_ptr(ruleset));
            if !is_served {
                *game = GameWorkers { ruleset: Weak::new(), earlier: game.total() };
            }
        }
        for ruleset in rulesets {
            games.entry(ruleset.info().id.clone()).or_default().ruleset = Arc::downgrade(ruleset);
        }
    }

    /// Sets the counters. Call it with the recorder set.
    pub(super) fn export(&self) {
        let games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        for (game, workers) in games.iter() {
            let WorkerCounts { restarts, crashes } = workers.total();
            counter!("pentad_ruleset_restarts_total", "game" => game.clone()).absolute(restarts);
            // Counted by the host: a worker may also end without a call.
            let kind = FaultKind::Crash.as_str();
            counter!("pentad_ruleset_faults_total", "game" => game.clone(), "kind" => kind).absolute(crashes);
        }
    }
}
