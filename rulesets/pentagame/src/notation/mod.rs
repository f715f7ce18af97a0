//! Text for positions and moves, as in `RULES.md` ("Position", "Move").
//!
//! Texts are untrusted: a refusal names the field and the column, from 1, of the
//! first character that does not fit, and nothing is guessed. Reversed names of
//! stops and unsorted lists are accepted.

mod move_text;
mod position_text;
mod reader;

pub(crate) use move_text::{parse_move, read_move};
pub(crate) use position_text::{format, parse};
