//! Colours, cells, sets of cells, turns of blocks and lines of five.

mod cell;
mod cells;
mod colour;
pub(crate) mod lines;
pub(crate) mod tables;
mod turn;

pub use cell::Cell;
pub use cells::Cells;
pub use colour::Colour;
pub use turn::Turn;
