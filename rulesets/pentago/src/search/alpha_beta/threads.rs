//! The threads of a search.
//!
//! Lazy SMP: each thread deepens independently, and they help each other only through
//! the shared transposition table. The result is that of the main thread.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

use pentad_sdk::search::Limiter;
use pentad_sdk::search::primitives::{IterativeDeepening, SharedTable};
use pentad_sdk::{Control, Report, Request};

use crate::Pentago;
use crate::moves::Move;
use crate::position::Position;
use crate::search::alpha_beta::root::RootMove;
use crate::search::alpha_beta::worker::{EndgameProbe, Worker};
use crate::search::proof_number::table::ProofTable;

/// The deepest iteration. No game has more than 36 plies; the additional iterations
/// make up for reductions.
const DEPTH_MAX: u32 = 60;
/// Stack of a helper: many times the deepest path.
const STACK_BYTES: usize = 8 << 20;

/// The search of one root position, shared by all its threads.
pub(crate) struct RootSearch<'a> {
    pub(crate) rules: &'a Pentago,
    pub(crate) position: &'a Position,
    pub(crate) request: &'a Request<Move>,
    pub(crate) control: &'a dyn Control<Move>,
    pub(crate) endgames: Option<&'a dyn EndgameProbe>,
    pub(crate) deadline: Option<Instant>,
    pub(crate) moves: Vec<RootMove>,
}

impl RootSearch<'_> {
    /// Searches on the calling thread, with one helper thread for each of
    /// `helper_tables`.
    pub(crate) fn run(
        &self,
        table: &SharedTable,
        proof_table: &mut ProofTable,
        helper_tables: &mut [ProofTable],
    ) -> Report<Move> {
        let is_done = AtomicBool::new(false);
        let helper_control = HelperControl { is_done: &is_done, control: self.control };
        thread::scope(|scope| {
            let mut helpers = Vec::new();
            for (idx, proof_table) in helper_tables.iter_mut().enumerate() {
                let helper_control = &helper_control;
                let help = move || {
                    let mut helper = self.iterative_deepening(table, proof_table, helper_control, false);
                    // Half of the helpers begin a ply deeper, so that not all search
                    // the same nodes.
                    let _reason = helper.run(2 - idx as u32 % 2, DEPTH_MAX);
                    helper.nodes()
                };
                // If the system refuses a thread, the search runs without it.
                helpers.extend(thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, help).ok());
            }
            // Dropped, and the helpers stopped, even if this thread panics.
            let stop_helpers = SetOnDrop(&is_done);
            let mut main = self.iterative_deepening(table, proof_table, self.control, true);
            let stop = main.run(1, self.request.limits.depth.unwrap_or(DEPTH_MAX).min(DEPTH_MAX));
            drop(stop_helpers);
            let helper_nodes: u64 =
                helpers.into_iter().map(|helper| helper.join().unwrap_or_else(|panic| resume_unwind(panic))).sum();
            main.report(main.nodes() + helper_nodes, stop)
        })
    }

    fn iterative_deepening<'s>(
        &'s self,
        table: &'s SharedTable,
        proof_table: &'s mut ProofTable,
        control: &'s dyn Control<Move>,
        reports_progress: bool,
    ) -> IterativeDeepening<'s, Worker<'s>> {
        let mut limiter = Limiter::new(control, self.deadline);
        limiter.set_quota(self.request.limits.nodes.unwrap_or(u64::MAX));
        let searches_all_moves = self.request.root_moves.is_empty() && !self.position.reply;
        let worker =
            Worker::new(self.rules, table, proof_table, limiter, self.endgames, self.position, searches_all_moves);
        let control = reports_progress.then_some(control);
        IterativeDeepening::new(worker, control, self.request, self.moves.clone(), self.position.side as usize, 0)
    }
}

/// Stops the helpers once the main thread is done; they report nothing.
struct HelperControl<'a> {
    is_done: &'a AtomicBool,
    control: &'a dyn Control<Move>,
}

impl Control<Move> for HelperControl<'_> {
    fn should_stop(&self) -> bool {
        self.is_done.load(Relaxed) || self.control.should_stop()
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
