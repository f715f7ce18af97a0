//! The two-player search: alpha-beta with proofs, written for this game.
//!
//! A turn is searched as one move, and only `candidates` are searched; the rest of
//! the thousands of moves differ only in where a block lies idle. Proofs do not
//! depend on the selection: `endgame` knows the last turns of a game exactly, and
//! before a position is proven lost, every distinct move in it has been tried. Nor
//! do they depend on repetitions, which count as an estimate of 0.
//!
//! | module | what it holds |
//! | --- | --- |
//! | `iteration` | iterative deepening at the root |
//! | `node` | the recursion: one position |
//! | `multi_pv` | the value that a root move has to beat |
//! | `root` | root moves, their ranking, and the report |
//! | `transposition_table` | results of positions already searched |
//! | `value` | the scale of values |
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

/// Runs searches one after another in the same memory.
///
/// A search never sees the results of earlier ones, so its answer does not depend
/// on them.
#[derive(Debug, Default)]
pub struct TwoPlayerSearch {
    table: TranspositionTable,
}

impl TwoPlayerSearch {
    /// Creates a searcher without memory; its first search allocates what the request
    /// allows.
    pub fn new() -> Self {
        TwoPlayerSearch::default()
    }

    /// Searches a position of a game for two players.
    ///
    /// A finished game gets a report without lines, with the final scores, stopped as
    /// proven. Depths are capped at 60.
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
