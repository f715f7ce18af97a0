//! The opening book: moves that score better in games than the search can tell.
//!
//! Many opening moves are even for a search of minutes, because either side can repeat
//! positions or bring up five for both. They differ in how easily the opponent errs;
//! `examples/openings.rs` measures that in games against plain UCT.
//!
//! The book proves nothing. Its move is ranked first, with at least the score of the best
//! other move and [`Source::Book`](pentad_sdk::Source::Book), unless the search proves
//! that it does not win or that another one wins.

use std::sync::LazyLock;

use pentad_sdk::{Ruleset, Symmetry};

use crate::Pentaflip;
use crate::moves::Move;
use crate::position::Position;

/// The book's move in one position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BookMove {
    /// The move that scored best.
    pub mv: Move,
    /// Points it scored in [`GAMES_PER_MOVE`] games.
    pub points: f64,
    /// Points of the worst move tried. Moves are tried if the search scores
    /// them at most a quarter of a point below the best.
    pub worst_points: f64,
}

/// Number of games with each tried move.
pub const GAMES_PER_MOVE: u32 = 24;

/// Position, move, its points and those of the worst: the output of
/// `openings -- 24 1`. Replies to a first ring that are not listed are proven to
/// lose.
static ENTRIES: [(&str, &str, f64, f64); 4] = [
    ("6/6/2WB2/1bBW2/3w2/6 6/6/6/6/6/6 w -", "~T", 24.0, 13.0),
    ("6/6/2WB2/2BW2/2bw2/6 6/6/6/6/6/6 w -", "d6", 24.0, 20.0),
    ("6/3b2/2WB2/2BW2/3w2/6 6/6/6/6/6/6 w -", "d6", 24.0, 16.5),
    ("6/6/2WBb1/2BW2/3w2/6 6/6/6/6/6/6 w -", "d6", 24.0, 20.0),
];

/// The book by canonical position.
static BOOK: LazyLock<Vec<(Position, BookMove)>> = LazyLock::new(|| {
    let canonical = |(position, book_move): (Position, BookMove)| {
        let (canonical, symmetry) = Pentaflip.canonical(&position);
        (canonical, BookMove { mv: Pentaflip.apply_move(symmetry, &position, &book_move.mv), ..book_move })
    };
    entries().map(canonical).collect()
});

/// Returns every position of the book, one for each set of symmetric ones.
pub fn entries() -> impl Iterator<Item = (Position, BookMove)> {
    ENTRIES.iter().map(|&(text, mv, points, worst_points)| {
        let position = Pentaflip.parse(text).expect("the book holds positions");
        let mv = Pentaflip.parse_move(&position, mv).expect("the book holds legal moves");
        (position, BookMove { mv, points, worst_points })
    })
}

/// Maximum number of rings on the board in positions of the book.
const RINGS_MAX: u32 = 2;

/// Returns the book's move in a position, if the book has the position or a symmetric
/// one.
pub fn probe(rules: &Pentaflip, position: &Position) -> Option<BookMove> {
    if position.n_rings() > RINGS_MAX {
        return None;
    }
    let (canonical, symmetry) = rules.canonical(position);
    let &(_, entry) = BOOK.iter().find(|(known, _)| *known == canonical)?;
    let mv = rules.apply_move(rules.inverse(symmetry), &canonical, &entry.mv);
    Some(BookMove { mv, ..entry })
}
