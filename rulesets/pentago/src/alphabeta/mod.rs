//! Pentago's own search: alpha-beta with proofs, made for the game.
//!
//! What makes it different from the general one is that a move here decides
//! little unless it threatens five, and that threats can be counted for all
//! moves at once. `scan` finds the moves that do not lose to the next one and
//! those that threaten; `prover` follows threats until one cannot be met;
//! `node` searches the rest; `mates` makes distances true.
//!
//! | module | what it holds |
//! | --- | --- |
//! | `state`, `value` | positions without colours, proofs without a distance |
//! | `counts`, `glance`, `scan`, `masks` | lines of many boards at once, and what they tell |
//! | `prover`, `branches`, `proofs` | wins by force, and their table |
//! | `node`, `choice`, `ordering` | the alpha-beta search |
//! | `deepen`, `root`, `mates` | iterations, lines, distances |
//! | `crew`, `worker` | threads, and one of them |
//!
//! The answer depends on nothing but the question where nodes or depth are
//! limited. Several threads are used only where they are not: each deepens by
//! itself and they share the table.

mod branches;
mod choice;
mod counts;
mod crew;
mod deepen;
mod glance;
mod masks;
mod mates;
mod node;
mod ordering;
mod proofs;
mod prover;
mod root;
mod scan;
mod state;
mod value;
mod worker;

#[cfg(test)]
mod tests;

use std::fmt;

use pentad_sdk::search::primitives::SharedTable;
use pentad_sdk::search::{finished, root_moves};
use pentad_sdk::{Control, Report, Request};

use crate::Pentago;
use crate::moves::Move;
use crate::position::Position;
use crew::Task;
use proofs::Proofs;
use root::RootMove;
pub use worker::Oracle;

/// More threads than this are not used.
const THREADS_MAX: usize = 64;

/// Runs searches one after the other in the same memory.
///
/// A search never sees what an earlier one found, so its answer does not
/// depend on those before.
#[derive(Default)]
pub struct PentagoSearch {
    table: SharedTable,
    proofs: Vec<Proofs>,
}

impl PentagoSearch {
    /// Owns no memory until its first search, which takes what its request
    /// allows.
    pub fn new() -> Self {
        PentagoSearch::default()
    }

    /// Searches one position.
    ///
    /// A position that is over gets a report without lines, with the final
    /// scores, stopped as proven. A depth beyond 60 is 60.
    pub fn search(
        &mut self,
        rules: &Pentago,
        position: &Position,
        request: &Request<Move>,
        control: &dyn Control<Move>,
    ) -> Report<Move> {
        self.search_with(rules, position, request, control, None)
    }

    /// Searches one position with the help of somebody who knows some values.
    /// What the oracle says is taken for proven, without a distance.
    pub fn search_with(
        &mut self,
        rules: &Pentago,
        position: &Position,
        request: &Request<Move>,
        control: &dyn Control<Move>,
        oracle: Option<&dyn Oracle>,
    ) -> Report<Move> {
        let begin = control.now();
        let moves: Vec<RootMove> = root_moves(rules, position, request)
            .into_iter()
            .map(|mv| RootMove::new(mv, rules.after_at_root(position, mv)))
            .collect();
        if rules.verdict(position).is_some() || moves.is_empty() {
            return finished(rules, position);
        }
        let threads = if is_free(request) { request.threads.clamp(1, THREADS_MAX) } else { 1 };
        self.proofs.resize_with(threads, Proofs::default);
        self.table.reset(request.memory_bytes / 4 * 3);
        self.proofs.iter_mut().for_each(|proofs| proofs.reset(request.memory_bytes / 4 / threads as u64));
        let task = Task { rules, position, request, control, oracle, deadline: request.limits.deadline(begin), moves };
        let Some((first, others)) = self.proofs.split_first_mut() else { return finished(rules, position) };
        task.run(&self.table, first, others)
    }
}

impl fmt::Debug for PentagoSearch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PentagoSearch").field("n_threads", &self.proofs.len()).finish()
    }
}

/// Whether nothing but time and the caller ends the search, so that threads may
/// race each other.
fn is_free(request: &Request<Move>) -> bool {
    request.limits.nodes.is_none() && request.limits.depth.is_none()
}
