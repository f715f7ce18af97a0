//! Pentaflip's own search: alpha-beta with proofs, made for the game.
//!
//! What makes it different from the general one is that a win with the next
//! move is seen in 30 ns, by a ring or by a flip, so a move that allows one is
//! never searched, threats are followed beyond the horizon, and a quiet
//! position may be passed in to see how good it is.
//!
//! | module | what it holds |
//! | --- | --- |
//! | `value` | what values mean here |
//! | `node`, `choice`, `ordering` | the recursion |
//! | `deepen`, `root`, `mates` | iterations, lines, distances |
//! | `worker` | what a search keeps |
//!
//! Flips can go round in circles and the rules do not forbid it. A state that
//! was there before on the path is worth an even estimate; nothing is proven
//! by that, and what depends on it is not stored (see `value`, `worker`).
//!
//! One thread is used, and where nodes or depth are limited the answer depends
//! on nothing but the question.

mod choice;
mod deepen;
mod mates;
mod node;
mod ordering;
mod root;
mod value;
mod worker;

use std::fmt;

use pentad_sdk::search::primitives::{Summary, TranspositionTable};
use pentad_sdk::search::{Limiter, finished};
use pentad_sdk::{Control, Report, Request};

use crate::Pentaflip;
use crate::moves::Move;
use crate::position::Position;
use crate::state::State;
use deepen::Deepening;
use root::{RootMove, report};
use value::OPTIMISM;
use worker::Worker;

/// The deepest iteration.
const DEPTH_MAX: u32 = 60;

/// Runs searches one after the other in the same memory.
///
/// A search never sees what an earlier one found, so its answer does not
/// depend on those before.
#[derive(Default)]
pub struct PentaflipSearch {
    table: TranspositionTable,
}

impl PentaflipSearch {
    /// Owns no memory until its first search, which takes what its request
    /// allows.
    pub fn new() -> Self {
        PentaflipSearch::default()
    }

    /// Searches one position.
    ///
    /// A position that is over gets a report without lines, with the final
    /// scores, stopped as proven. A depth beyond 60 is 60.
    pub fn search(
        &mut self,
        rules: &Pentaflip,
        position: &Position,
        request: &Request<Move>,
        control: &dyn Control<Move>,
    ) -> Report<Move> {
        self.search_favouring(None, rules, position, request, control)
    }

    /// The same, with one move in front of the others as long as nothing is
    /// proven that speaks against it.
    pub fn search_favouring(
        &mut self,
        favoured: Option<Move>,
        rules: &Pentaflip,
        position: &Position,
        request: &Request<Move>,
        control: &dyn Control<Move>,
    ) -> Report<Move> {
        let begin = control.now();
        if rules.verdict(position).is_some() {
            return finished(rules, position);
        }
        let root = State::of(position);
        let mut moves = root_moves(root, request);
        for mv in &mut moves {
            mv.is_favoured = favoured == Some(mv.pv[0]);
        }
        self.table.reset(request.memory_bytes);
        let deadline = request.limits.deadline(begin);
        let mut limiter = Limiter::new(control, deadline);
        limiter.set_quota(request.limits.nodes.unwrap_or(u64::MAX));
        let n_lines = request.n_lines.clamp(1, moves.len());
        let mut deepening = Deepening {
            worker: Worker::new(&mut self.table, limiter, root),
            control,
            summary: Summary {
                seat: position.side as usize,
                n_lines,
                depth: 0,
                is_true_distance: false,
                nodes: 0,
                optimism: OPTIMISM,
            },
            moves,
        };
        let stop = deepening.run(request.limits.depth.unwrap_or(DEPTH_MAX).min(DEPTH_MAX));
        let Deepening { worker, summary, moves, .. } = &deepening;
        report(worker, moves, &Summary { nodes: worker.limiter.nodes(), ..*summary }, Some(stop))
    }
}

impl fmt::Debug for PentaflipSearch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PentaflipSearch").finish_non_exhaustive()
    }
}

/// The moves to choose from: those that the request names, each once, or all.
fn root_moves(root: State, request: &Request<Move>) -> Vec<RootMove> {
    let mut moves: Vec<Move> = Vec::new();
    for &mv in &request.root_moves {
        if !moves.contains(&mv) && root.allows(mv) {
            moves.push(mv);
        }
    }
    if moves.is_empty() {
        moves.extend(root.moves());
        moves.sort_unstable();
    }
    moves.into_iter().map(|mv| RootMove::new(mv, root.played(mv))).collect()
}
