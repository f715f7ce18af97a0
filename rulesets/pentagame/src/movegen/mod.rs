//! Move generation.
//!
//! | module | what it holds |
//! | --- | --- |
//! | `generator` | all legal moves, token by token, in the ASCII order of their texts |
//! | `visitors` | moves, texts with a prefix, or their number, for callers |
//! | `staged` | a turn in stages: first what a figure does, then each block |

mod generator;
mod staged;
mod visitors;

pub(crate) use visitors::{count_moves, legal_move_texts, legal_moves};
