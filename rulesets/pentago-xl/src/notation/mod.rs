//! Positions and moves as text.
//!
//! Text is not trusted; the SDK's `Reader` says where it does not fit.

mod moves;
mod position;

pub(crate) use moves::parse_move;
pub(crate) use position::{format, parse};
