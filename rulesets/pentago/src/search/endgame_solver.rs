//! The solver inside the search tree.
//!
//! The later the position, the less a solution costs and the less a search proves:
//! draws become common, and a draw is proven only when every move has been searched. So
//! a late position with several plies left to search is solved instead. Its descendants
//! of up to four plies are then known as well.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use pentad_sdk::Wdl;

use crate::Pentago;
use crate::position::Position;
use crate::search::alpha_beta::EndgameProbe;
use crate::solver::{self, Solution, SolverOptions};

/// The remaining depth from which a position is solved, by its empty cells: at that
/// depth the solution takes about as long as the search. Positions with more than
/// twelve empty cells are not solved: that proved no more, and the search got less
/// deep.
const DEPTH_MIN: [i32; 13] = [1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 4, 5];
/// A search from a root with more empty cells reaches too few positions worth solving.
pub(crate) const ROOT_EMPTY_MAX: u32 = 17;
/// Number of solutions kept.
const SOLUTIONS_MAX: usize = 32;

/// Solves late positions for one search, and keeps the latest solutions.
pub(crate) struct EndgameSolver<'a> {
    rules: &'a Pentago,
    memory_bytes: usize,
    stop: &'a (dyn Fn() -> bool + Sync),
    solutions: Mutex<VecDeque<Solution>>,
}

impl<'a> EndgameSolver<'a> {
    /// Creates a solver. Each probing thread takes up to `memory_bytes` while it
    /// solves. `stop` is polled about every millisecond.
    pub(crate) fn new(rules: &'a Pentago, memory_bytes: usize, stop: &'a (dyn Fn() -> bool + Sync)) -> Self {
        EndgameSolver { rules, memory_bytes, stop, solutions: Mutex::default() }
    }

    fn probe_solutions(&self, position: &Position) -> Option<Wdl> {
        let solutions = self.solutions.lock().unwrap_or_else(PoisonError::into_inner);
        solutions.iter().rev().find_map(|solution| solution.probe(position))
    }
}

impl EndgameProbe for EndgameSolver<'_> {
    fn probe_wdl(&self, position: &Position, depth: i32) -> Option<Wdl> {
        let n_empty = position.empty().count() as usize;
        if depth < *DEPTH_MIN.get(n_empty)? {
            return None;
        }
        if let Some(value) = self.probe_solutions(position) {
            return Some(value);
        }
        let plan = solver::plan(self.rules, position, self.memory_bytes).ok()?;
        let solution = solver::solve(self.rules, position, &plan, SolverOptions::new(1), self.stop, &mut |_part| {})?;
        let value = solution.value;
        let mut solutions = self.solutions.lock().unwrap_or_else(PoisonError::into_inner);
        if solutions.len() == SOLUTIONS_MAX {
            solutions.pop_front();
        }
        solutions.push_back(solution);
        Some(value)
    }
}
