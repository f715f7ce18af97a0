//! Positions and moves as text.
//!
//! Text is not trusted: a refusal names the field and column of the first
//! character that does not fit, and nothing is guessed. Columns count from 1.

mod moves;
mod position;

pub(crate) use moves::parse_move;
pub(crate) use position::{format, parse};
