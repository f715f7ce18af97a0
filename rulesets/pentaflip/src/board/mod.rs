//! The board: colours, cells, rings and spots, lines of five, and the flips.
//!
//! Everything is a bitboard. The order of the bits, which makes flips cheap, is
//! described in `tables`.

mod cells;
mod flip;
pub(crate) mod lines;
mod rings;
pub(crate) mod tables;

pub use cells::{Cell, Holes};
pub use flip::Flip;
pub(crate) use flip::N_FLIPS;
pub use pentad_sdk::Colour;
pub(crate) use rings::neighbours;
pub use rings::{Rings, Spots};
