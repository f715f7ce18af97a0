//! Pentago's own search: alpha-beta with proofs.
//!
//! It differs from the generic one because moves without a threat of five decide little
//! here, and because threats can be found for all moves at once.
//! [`threat_scan`](super::static_eval::threat_scan) finds the moves that do not lose to
//! the next one and those that threaten; [`proof_number`](super::proof_number) follows
//! threats until one cannot be parried; `node` searches the rest; `mate_search` makes
//! distances exact.
//!
//! | module | what it holds |
//! | --- | --- |
//! | `threads`, `worker` | the threads of a search, and the state of one |
//! | `root` | root moves, proofs at the root, and lines, for the SDK's iterative deepening |
//! | `node`, `move_loop` | principal variation search |
//! | `mate_search`, `value` | exact distances, and proofs without one |
//!
//! A search limited by nodes or depth runs on one thread and is deterministic. Other
//! searches may use several: each deepens independently, and they share the
//! transposition table.

mod mate_search;
mod move_loop;
mod node;
pub(crate) mod root;
mod threads;
pub(crate) mod value;
pub(crate) mod worker;

use std::fmt;

use pentad_sdk::search::primitives::SharedTable;
use pentad_sdk::search::{finished, root_moves};
use pentad_sdk::{Control, Report, Request};

use crate::Pentago;
use crate::moves::Move;
use crate::position::Position;
use crate::search::proof_number::table::ProofTable;
use root::RootMove;
use threads::RootSearch;
pub use worker::EndgameProbe;

/// Upper bound of the threads of one search.
const THREADS_MAX: usize = 64;

/// Runs searches one after the other in the same memory.
///
/// The tables are cleared before each search, so its result does not depend on
/// earlier ones. The first search allocates what its request allows.
#[derive(Default)]
pub struct PentagoSearch {
    table: SharedTable,
    /// One per thread.
    proof_tables: Vec<ProofTable>,
}

impl PentagoSearch {
    /// Searches one position.
    ///
    /// A finished game gets a report without lines, with the final scores and
    /// [`StopReason::Proven`](pentad_sdk::StopReason::Proven). Depths beyond 60
    /// count as 60.
    pub fn search(
        &mut self,
        rules: &Pentago,
        position: &Position,
        request: &Request<Move>,
        control: &dyn Control<Move>,
    ) -> Report<Move> {
        self.search_with_endgames(rules, position, request, control, None)
    }

    /// Searches like [`search`](Self::search), and probes `endgames` inside the tree. A
    /// value from there counts as proven, without a distance.
    pub fn search_with_endgames(
        &mut self,
        rules: &Pentago,
        position: &Position,
        request: &Request<Move>,
        control: &dyn Control<Move>,
        endgames: Option<&dyn EndgameProbe>,
    ) -> Report<Move> {
        let begin = control.now();
        let moves: Vec<RootMove> = root_moves(rules, position, request)
            .into_iter()
            .map(|mv| RootMove::new(mv, rules.root_successor(position, mv)))
            .collect();
        if rules.game_result(position).is_some() || moves.is_empty() {
            return finished(rules, position);
        }
        let threads = if request.is_limited_by_time() { request.threads.clamp(1, THREADS_MAX) } else { 1 };
        self.proof_tables.resize_with(threads, ProofTable::default);
        self.table.reset(request.memory_bytes / 4 * 3);
        self.proof_tables.iter_mut().for_each(|table| table.reset(request.memory_bytes / 4 / threads as u64));
        let search =
            RootSearch { rules, position, request, control, endgames, deadline: request.limits.deadline(begin), moves };
        let Some((first, others)) = self.proof_tables.split_first_mut() else { return finished(rules, position) };
        search.run(&self.table, first, others)
    }
}

impl fmt::Debug for PentagoSearch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PentagoSearch").field("n_threads", &self.proof_tables.len()).finish()
    }
}
