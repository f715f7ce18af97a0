//! Solving what a search meets on its way down.
//!
//! The further the game, the less a solution costs and the less a search finds
//! out: the game is drawn more often, and a draw is only proven when nothing is
//! left to try. So where a search would have to look several plies into a late
//! position, it is solved instead. What follows from a solved position within
//! four plies is then known as well.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use pentad_sdk::Wdl;

use crate::Pentago;
use crate::alphabeta::Oracle;
use crate::position::Position;
use crate::solver::{self, Solved, Workers};

/// From how many plies left to search on a position is solved, by its empty
/// cells: where the solution takes about as long as that search. With more than
/// twelve empty cells the search is better left alone: it proved no more with
/// larger solutions, and got less deep.
const DEPTH_MIN: [i32; 13] = [1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 4, 5];
/// A search from a position with more empty cells than this meets too few
/// that are worth solving.
pub(crate) const ROOT_EMPTY_MAX: u32 = 17;
/// Solved positions that are remembered.
const SOLVED_MAX: usize = 32;

/// Solves late positions for one search.
pub(crate) struct Endgames<'a> {
    rules: &'a Pentago,
    memory_bytes: usize,
    stop: &'a (dyn Fn() -> bool + Sync),
    solved: Mutex<VecDeque<Arc<Solved>>>,
}

impl<'a> Endgames<'a> {
    /// Each thread that asks takes up to `memory_bytes` while it solves. `stop`
    /// is asked about every millisecond.
    pub(crate) fn new(rules: &'a Pentago, memory_bytes: usize, stop: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Endgames { rules, memory_bytes, stop, solved: Mutex::default() }
    }

    fn known(&self, position: &Position) -> Option<Wdl> {
        let solved = self.solved.lock().unwrap_or_else(PoisonError::into_inner);
        solved.iter().rev().find_map(|solved| solved.value_of(position))
    }
}

impl Oracle for Endgames<'_> {
    fn value(&self, position: &Position, depth: i32) -> Option<Wdl> {
        let n_empty = position.empty().count() as usize;
        if depth < *DEPTH_MIN.get(n_empty)? {
            return None;
        }
        if let Some(value) = self.known(position) {
            return Some(value);
        }
        let plan = solver::plan(self.rules, position, self.memory_bytes).ok()?;
        let solved = solver::solve(self.rules, position, &plan, Workers::new(1), self.stop, &mut |_part| {})?;
        let value = solved.value;
        let mut kept = self.solved.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == SOLVED_MAX {
            kept.pop_front();
        }
        kept.push_back(Arc::new(solved));
        Some(value)
    }
}
