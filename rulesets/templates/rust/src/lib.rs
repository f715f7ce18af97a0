//! My Game, a rule set for Pentad.
//!
//! | file | content |
//! | --- | --- |
//! | `position.rs` | the rules: positions, moves, results |
//! | `ruleset.rs` | texts: names, notation, errors |
//! | `layout.rs` | the drawing of the board, and its symmetries |
//! | `search.rs` | what the search needs to know: an estimate, the order of moves |
//! | `reasons.rs` | why a move is good or bad |
//! | `tests.rs` | the rules' own tests; `pentad check` has those of every game |

mod layout;
mod position;
mod reasons;
mod ruleset;
mod search;
#[cfg(test)]
mod tests;

/// The rules of one variant. A game with several keeps here what they differ in.
#[derive(Debug)]
pub struct Rules;

// The words after the colon are abilities, each a trait. All are optional: without
// `search` the server's own search plays the game, without `layout` the page lists moves.
pentad_sdk::export!(Rules: search, symmetry, layout, reasons);
