//! The API's answers, read back from their JSON and written as text, for commands and for
//! the tools of language models. Neither depends on where an answer comes from.
//!
//! | module | contents |
//! | --- | --- |
//! | `fields` | the fields of answers |
//! | `game_view` | a game with the names of its seats and its board |
//! | `ascii_board` | boards as plain text |
//! | `values` | evaluations and boards as text |

mod ascii_board;
mod fields;
mod game_view;
mod values;

pub(crate) use fields::*;
pub(crate) use game_view::{GameView, GamesAnswer};
pub(crate) use values::{drawn, evaluation_text, percent};
