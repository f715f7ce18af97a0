//! Positions and moves as text.
//!
//! Text is untrusted; the SDK's `Reader` reports the column that does not fit.

mod move_text;
mod position_text;

pub(crate) use move_text::{parse_move, parse_move_text};
pub(crate) use position_text::{format, parse};
