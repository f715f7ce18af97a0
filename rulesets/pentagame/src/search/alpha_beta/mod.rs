//! The two-player search: alpha-beta with proofs, written for this game.
//!
//! A turn is searched as one move, of the `candidates` that matter; the
//! rest of the thousands differ only in where a block lies idle. Proofs do not
//! rest on candidates: `endgame` knows the last turns of a game exactly, and
//! before a position is proven lost, every distinct move in it has been tried. So
//! a proof depends neither on a move left out nor on a repetition, which counts
//! as an estimate of 0.
//!
//! | module | what it holds |
//! | --- | --- |
//! | `iteration` | iterative deepening at the root |
//! | `node` | the recursion: one position |
//! | `multi_pv` | what a root move has to beat |
//! | `root` | root moves, their ranking, and the report |
//! | `transposition_table` | what is known of positions already searched |
//! | `value` | what values mean |
//!
//! The search is single-threaded, and its answer is deterministic where nodes or
//! depth are limited.

mod iteration;
mod multi_pv;
mod node;
mod root;
mod transposition_table;
mod value;

use pentad_sdk::search::Limiter;
use pentad_sdk::{Control, Report, Request, StopReason};

use crate::moves::Move;
use crate::position::Position;
use crate::search::proven;
use iteration::IterativeDeepening;
use node::Worker;
use transposition_table::TranspositionTable;

/// Runs searches one after the other in the same memory.
///
/// A search never sees what an earlier one found, so its answer does not
/// depend on those before.
#[derive(Debug, Default)]
pub struct TwoPlayerSearch {
    table: TranspositionTable,
}

impl TwoPlayerSearch {
    /// Owns no memory until its first search, which takes what its request
    /// allows.
    pub fn new() -> Self {
        TwoPlayerSearch::default()
    }

    /// Searches a position of a game for two players.
    ///
    /// A position that is over gets a report without lines, with the final
    /// scores, stopped as proven. Depths are capped at 60.
    pub fn search(
        &mut self,
        position: &Position,
        request: &Request<Move>,
        control: &dyn Control<Move>,
    ) -> Report<Move> {
        let mut limiter = Limiter::new(control, request.limits.deadline(control.now()));
        limiter.set_quota(request.limits.nodes.unwrap_or(u64::MAX));
        if position.is_over() {
            let (evaluation, stop) = (proven::terminal(position), Some(StopReason::Proven));
            return Report { lines: Vec::new(), evaluation, depth: 0, nodes: 0, stop };
        }
        self.table.reset(request.memory_bytes);
        let worker = Worker::new(&mut self.table, limiter);
        IterativeDeepening::new(worker, position, request).run(request, control)
    }
}
