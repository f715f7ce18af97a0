//! Exact values of late positions, and of all their moves.
//!
//! The solver goes through everything that can happen below the root, from the
//! full board upwards. What makes this quick is that it does not look at
//! boards: marbles are placed in the frame of the root, where blocks never
//! turn, and beside each pair of sets stands one bit for each rotation the
//! blocks can have. Turning is then a permutation of bits, the same for all
//! configurations, and fives depend on the set of one colour only.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`plan`](plan()) | memory, work and time, before anything is done |
//! | `rotation`, `subsets` | the numbering of rotations and of sets |
//! | `fives` | at which rotations a set has five |
//! | `kernel` | one slice from the next; threads and vector instructions |
//! | `sweep` | all slices, in one sweep or two |
//! | [`Solved`] | the answer |
//!
//! Choosing when to solve, and keeping answers, is left to callers.

mod fives;
#[allow(unsafe_code, reason = "vector instructions, and threads that fill one slice with vectors")]
mod kernel;
mod plan;
mod rotation;
mod solved;
mod subsets;
mod sweep;

pub use plan::{N_EMPTY_MAX, Plan, Unsolvable, plan};
pub use solved::Solved;
pub use sweep::{Workers, solve};
