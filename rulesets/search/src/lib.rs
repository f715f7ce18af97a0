//! Game-tree search, generic over a game.
//!
//! A game describes itself through [`Game`]; [`search`] picks the algorithm that fits
//! it and returns a [`Report`](pentad_model::Report): the best moves, their values, and
//! whether these are proven. The crate does no I/O, has no `unsafe`, and reads the
//! clock only through [`Limits`](pentad_model::Limits).
//!
//! For a given node limit, seed and number of threads the result is always the same,
//! whatever else the machine does.
//!
//! | sides | algorithm | entry |
//! | --- | --- | --- |
//! | two | alpha-beta with proofs | [`alpha_beta`] |
//! | one, or three and more | Monte-Carlo tree search with proofs | [`mcts`] |
//! | two, without a static evaluation | both in turns | [`interleaved`](fn@interleaved) |
//!
//! A game that knows more than [`Game`] can express has its own search, built from
//! [`primitives`], [`Limiter`], [`root_moves`], [`select_lines`] and [`table_bytes`].
//!
//! # Example
//!
//! Take one, two or three from a heap; taking the last wins.
//!
//! ```
//! use pentad_model::{Limits, NeverStop, Request, Scores, StopReason, Wdl};
//! use pentad_search::{Game, search};
//!
//! struct Heap;
//!
//! impl Game for Heap {
//!     type Position = (u32, usize); // size of the heap, and the seat to move
//!     type Move = u32;
//!
//!     fn n_seats(&self) -> usize {
//!         2
//!     }
//!     fn to_move(&self, position: &(u32, usize)) -> usize {
//!         position.1
//!     }
//!     fn key(&self, position: &(u32, usize)) -> u64 {
//!         u64::from(position.0) * 2 + position.1 as u64
//!     }
//!     fn outcome(&self, position: &(u32, usize)) -> Option<Scores> {
//!         let last = 1 - position.1;
//!         (position.0 == 0).then(|| Scores::new(&[(last == 0) as u8 as f64, (last == 1) as u8 as f64]))
//!     }
//!     fn moves(&self, position: &(u32, usize), out: &mut Vec<u32>) {
//!         out.extend(1..=position.0.min(3));
//!     }
//!     fn play(&self, position: &(u32, usize), take: &u32) -> (u32, usize) {
//!         (position.0 - take, 1 - position.1)
//!     }
//!     fn evaluate(&self, _: &(u32, usize)) -> i32 {
//!         0
//!     }
//!     fn can_cycle(&self) -> bool {
//!         false
//!     }
//! }
//!
//! let report = search(&Heap, &(7, 0), &Request::new(Limits::default()), &NeverStop);
//! assert_eq!(report.lines[0].moves[0], 3);
//! assert_eq!(report.evaluation.outcome, Some(Wdl::Win));
//! assert_eq!(report.evaluation.plies_to_end, Some(3));
//! assert_eq!(report.stop, Some(StopReason::Proven));
//! ```

#![forbid(unsafe_code)]

mod alpha_beta;
mod alternatives;
mod game;
mod interleaved;
mod limiter;
mod mcts;
pub mod primitives;
mod root;
mod searcher;
mod threads;

pub use alpha_beta::AlphaBetaOptions;
pub use alternatives::{put_lines_first, select_lines};
pub use game::Game;
pub use interleaved::interleaved;
pub use limiter::Limiter;
pub use mcts::MctsOptions;
pub use primitives::{Proven, table_bytes};
pub use root::{finished, root_moves};
pub use searcher::{Searcher, alpha_beta, mcts, search};
