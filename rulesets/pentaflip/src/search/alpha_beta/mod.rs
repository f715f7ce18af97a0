//! Pentaflip's own search: alpha-beta with proofs.
//!
//! It differs from the generic one in that it detects a win in one, by a ring or by a
//! flip, in 30 ns. So a move that allows one is never searched, threats extend the
//! search beyond the horizon, and positions without threats are pruned by null moves.
//!
//! | module | what it holds |
//! | --- | --- |
//! | `worker` | the state of a running search |
//! | `root` | root moves and lines, for the SDK's iterative deepening |
//! | `node`, `move_loop` | principal variation search |
//! | `mate_search`, `value` | exact distances, and the meaning of values |
//!
//! The rules allow positions to repeat forever. A position that repeats one on the
//! path is worth an even estimate. A repetition proves nothing, and values that
//! depend on one are not stored (see `value`, `worker`).
//!
//! A search uses one thread. If nodes or depth are limited, its result depends on
//! the query alone.

mod mate_search;
mod move_loop;
mod node;
mod root;
mod value;
mod worker;

use std::fmt;

use pentad_sdk::search::primitives::{IterativeDeepening, TranspositionTable};
use pentad_sdk::search::{Limiter, finished};
use pentad_sdk::{Control, Report, Request};

use crate::Pentaflip;
use crate::moves::Move;
use crate::position::{Position, RelativePosition};
use root::RootMove;
use value::OPTIMISM;
use worker::Worker;

/// The deepest iteration.
const DEPTH_MAX: u32 = 60;

/// Runs searches one after the other in the same memory.
///
/// The table is cleared before each search, so its result does not depend on earlier
/// ones.
#[derive(Default)]
pub struct PentaflipSearch {
    table: TranspositionTable,
}

impl PentaflipSearch {
    /// Searches one position.
    ///
    /// A finished game gets a report without lines, with the final scores and
    /// [`StopReason::Proven`](pentad_sdk::StopReason::Proven). Depths beyond 60 count
    /// as 60.
    pub fn search(
        &mut self,
        rules: &Pentaflip,
        position: &Position,
        request: &Request<Move>,
        control: &dyn Control<Move>,
    ) -> Report<Move> {
        self.search_with_book_move(None, rules, position, request, control)
    }

    /// Searches like [`search`](Self::search), with the book's move ranked first unless
    /// it is proven not to win or another one to win.
    pub fn search_with_book_move(
        &mut self,
        book_move: Option<Move>,
        rules: &Pentaflip,
        position: &Position,
        request: &Request<Move>,
        control: &dyn Control<Move>,
    ) -> Report<Move> {
        let start = control.now();
        if rules.game_result(position).is_some() {
            return finished(rules, position);
        }
        let root = RelativePosition::of(position);
        let mut moves = root_moves(root, request);
        for mv in &mut moves {
            mv.is_favoured = book_move == Some(mv.pv[0]);
        }
        self.table.reset(request.memory_bytes);
        let deadline = request.limits.deadline(start);
        let mut limiter = Limiter::new(control, deadline);
        limiter.set_quota(request.limits.nodes.unwrap_or(u64::MAX));
        let worker = Worker::new(&mut self.table, limiter, root);
        let mut search =
            IterativeDeepening::new(worker, Some(control), request, moves, position.side as usize, OPTIMISM);
        let stop = search.run(1, request.limits.depth.unwrap_or(DEPTH_MAX).min(DEPTH_MAX));
        search.report(search.nodes(), stop)
    }
}

impl fmt::Debug for PentaflipSearch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PentaflipSearch").finish_non_exhaustive()
    }
}

/// Returns the legal moves that the request names, each once, or all if it names none.
fn root_moves(root: RelativePosition, request: &Request<Move>) -> Vec<RootMove> {
    let mut moves: Vec<Move> = Vec::new();
    for &mv in &request.root_moves {
        if !moves.contains(&mv) && root.is_legal(mv) {
            moves.push(mv);
        }
    }
    if moves.is_empty() {
        moves.extend(root.moves());
        moves.sort_unstable();
    }
    moves.into_iter().map(|mv| RootMove::new(mv, root.successor(mv))).collect()
}
