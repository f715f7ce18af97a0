//! Retrograde analysis: exact values of a late position and of all its moves.
//!
//! The solver computes every position below the root, slice by slice from the full
//! board upwards, as a tablebase generator does. It is fast because it does not handle
//! boards: marbles are placed in the frame of the root, in which blocks never turn, and
//! each pair of sets (a configuration) has one bit for each rotation of the blocks. A
//! turn is then a permutation of bits, the same for all configurations, and fives
//! depend on the set of one colour only.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`plan`](plan()) | memory, work and expected time, known in advance |
//! | `rotation`, `indexing` | the indices of rotations and of sets |
//! | `fives` | the rotations at which a set has five |
//! | `kernel` | one slice from the one below; threads and SIMD |
//! | `retrograde` | all slices, in one pass or two |
//! | `solution` | [`Solution`]: the values of the root, its moves and near descendants |
//!
//! Callers decide when to solve, and keep solutions.

mod fives;
mod indexing;
#[allow(unsafe_code, reason = "vector instructions, and threads that fill one slice with vectors")]
mod kernel;
mod plan;
mod retrograde;
mod rotation;
mod solution;

pub use plan::{N_EMPTY_MAX, Plan, Unsolvable, plan};
pub use retrograde::{SolverOptions, solve};
pub use solution::Solution;
