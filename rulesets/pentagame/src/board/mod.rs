//! The board: stops, sets of stops, the lines that join them, figures, and the reach
//! of a figure.
//!
//! | module | what it holds |
//! | --- | --- |
//! | `stop`, `stops` | the 100 stops, their names and orders; sets of them as bits |
//! | `lines` | the 20 lines between the ten nodes, as tables |
//! | `figure` | a figure: its player and its colour |
//! | `reach` | stops within one move of a figure (flood fill) |
//! | `path_costs` | the fewest obstacles between any two nodes (Floyd and Warshall) |

mod figure;
mod lines;
mod path_costs;
mod reach;
mod stop;
mod stops;

pub use figure::Figure;
pub use stop::{N_STOPS, Stop};
pub use stops::Stops;

pub(crate) use figure::{COLOUR_NAMES, FIGURES_MAX, N_COLOURS, SEATS_MAX};
pub(crate) use lines::{LINES, Line, line_between, place_on_line};
pub(crate) use path_costs::{PathCosts, one_per_run};
pub(crate) use reach::{Reach, reach};
pub(crate) use stop::{N_NODES, NAME_ORDER, node_of, stop_on};
