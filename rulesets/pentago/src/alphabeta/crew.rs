//! The threads of a search.
//!
//! Each deepens by itself; they help each other through the table alone. The
//! answer is that of the first. With one thread there is nothing but it.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

use pentad_sdk::search::Limiter;
use pentad_sdk::search::primitives::{SharedTable, Summary};
use pentad_sdk::{Control, Report, Request};

use crate::Pentago;
use crate::alphabeta::deepen::Deepening;
use crate::alphabeta::proofs::Proofs;
use crate::alphabeta::root::{RootMove, report};
use crate::alphabeta::state::State;
use crate::alphabeta::worker::{Oracle, Worker};
use crate::moves::Move;
use crate::position::Position;

/// The deepest iteration. No game has more plies left, and what reductions
/// leave out is made up for on the way.
const DEPTH_MAX: u32 = 60;
/// Room for the deepest path, many times over.
const STACK_BYTES: usize = 8 << 20;

/// One question, as every thread gets it.
pub(crate) struct Task<'a> {
    pub(crate) rules: &'a Pentago,
    pub(crate) position: &'a Position,
    pub(crate) request: &'a Request<Move>,
    pub(crate) control: &'a dyn Control<Move>,
    pub(crate) oracle: Option<&'a dyn Oracle>,
    pub(crate) deadline: Option<Instant>,
    pub(crate) moves: Vec<RootMove>,
}

impl Task<'_> {
    /// Searches on this thread, with a helper for each further table of proofs.
    pub(crate) fn run(&self, table: &SharedTable, proofs: &mut Proofs, others: &mut [Proofs]) -> Report<Move> {
        let over = AtomicBool::new(false);
        let helper_control = HelperControl { over: &over, control: self.control };
        thread::scope(|scope| {
            let mut helpers = Vec::new();
            for (idx, proofs) in others.iter_mut().enumerate() {
                let helper_control = &helper_control;
                let help = move || {
                    let mut helper = self.deepening(table, proofs, helper_control, false);
                    // Half of them begin a ply deeper, so that they are not all
                    // at the same place.
                    let _reason = helper.run(2 - idx as u32 % 2, DEPTH_MAX);
                    helper.worker.limiter.nodes()
                };
                // Where the system gives no thread, the search does without.
                helpers.extend(thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, help).ok());
            }
            // The helpers stop also if this thread panics.
            let stop_helpers = SetOnDrop(&over);
            let mut main = self.deepening(table, proofs, self.control, true);
            let stop = main.run(1, self.request.limits.depth.unwrap_or(DEPTH_MAX).min(DEPTH_MAX));
            drop(stop_helpers);
            let helped: u64 =
                helpers.into_iter().map(|helper| helper.join().unwrap_or_else(|panic| resume_unwind(panic))).sum();
            let nodes = main.worker.limiter.nodes() + helped;
            report(&main.worker, &main.moves, &Summary { nodes, ..main.summary }, Some(stop))
        })
    }

    fn deepening<'s>(
        &'s self,
        table: &'s SharedTable,
        proofs: &'s mut Proofs,
        control: &'s dyn Control<Move>,
        speaks: bool,
    ) -> Deepening<'s> {
        let mut limiter = Limiter::new(control, self.deadline);
        limiter.set_quota(self.request.limits.nodes.unwrap_or(u64::MAX));
        let is_whole = self.request.root_moves.is_empty() && !self.position.reply;
        Deepening {
            worker: Worker::new(self.rules, table, proofs, limiter, self.oracle, self.position),
            control,
            summary: Summary {
                seat: self.position.side as usize,
                n_lines: self.request.n_lines.clamp(1, self.moves.len()),
                depth: 0,
                is_true_distance: false,
                nodes: 0,
                optimism: 0,
            },
            moves: self.moves.clone(),
            whole: is_whole.then(|| State::of(self.position)),
            speaks,
        }
    }
}

/// Stops a helper when the search is over.
struct HelperControl<'a> {
    over: &'a AtomicBool,
    control: &'a dyn Control<Move>,
}

impl Control<Move> for HelperControl<'_> {
    fn should_stop(&self) -> bool {
        self.over.load(Relaxed) || self.control.should_stop()
    }
    fn report(&self, _: &Report<Move>) {}
    fn now(&self) -> Instant {
        self.control.now()
    }
}

struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}
