//! First moves that did better in play than the search can see.
//!
//! Of the first moves many are even, as far as a search of minutes can tell:
//! either side may end in a perpetual or bring up five for both. Some of them
//! lead the opponent down a path of forced replies that are easy to find, others
//! leave room to go wrong. Games tell them apart: those of
//! `examples/openings.rs` against opponents that play random games.
//!
//! Nothing of it is a proof, and no score is taken from it. The move is put in
//! front unless the search proves it lost or another one won.

use std::sync::LazyLock;

use pentad_sdk::{Ruleset, Symmetry};

use crate::Pentaflip;
use crate::moves::Move;
use crate::position::Position;

/// What was learnt of one position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Learnt {
    /// The move that did best.
    pub mv: Move,
    /// Its points, of [`GAMES`].
    pub points: f64,
    /// The points of the worst of the moves tried: those that a search sees no
    /// more than a quarter of a point behind the best.
    pub points_least: f64,
}

/// Games played with each move.
pub const GAMES: u32 = 24;

/// What `openings -- 24 1` gave. Replies to a first ring that are not named
/// here are proven to lose.
static OPENINGS: [(&str, &str, f64, f64); 4] = [
    ("6/6/2WB2/1bBW2/3w2/6 6/6/6/6/6/6 w -", "~T", 24.0, 13.0),
    ("6/6/2WB2/2BW2/2bw2/6 6/6/6/6/6/6 w -", "d6", 24.0, 20.0),
    ("6/3b2/2WB2/2BW2/3w2/6 6/6/6/6/6/6 w -", "d6", 24.0, 16.5),
    ("6/6/2WBb1/2BW2/3w2/6 6/6/6/6/6/6 w -", "d6", 24.0, 20.0),
];

/// By canonical position.
static TABLE: LazyLock<Vec<(Position, Learnt)>> = LazyLock::new(|| {
    let canonical = |(position, learnt): (Position, Learnt)| {
        let (canonical, symmetry) = Pentaflip.canonical(&position);
        (canonical, Learnt { mv: Pentaflip.apply_move(symmetry, &position, &learnt.mv), ..learnt })
    };
    all().map(canonical).collect()
});

/// Every position of which something was learnt, but for symmetry.
pub fn all() -> impl Iterator<Item = (Position, Learnt)> {
    OPENINGS.iter().map(|&(text, mv, points, points_least)| {
        let position = Pentaflip.parse(text).expect("a position");
        let mv = Pentaflip.parse_move(&position, mv).expect("a move of it");
        (position, Learnt { mv, points, points_least })
    })
}

/// Rings on the board, at most, where something was learnt.
const RINGS_MAX: u32 = 2;

/// What was learnt of a position, if anything was.
pub fn learnt(rules: &Pentaflip, position: &Position) -> Option<Learnt> {
    if position.n_rings() > RINGS_MAX {
        return None;
    }
    let (canonical, symmetry) = rules.canonical(position);
    let &(_, found) = TABLE.iter().find(|(known, _)| *known == canonical)?;
    let mv = rules.apply_move(rules.inverse(symmetry), &canonical, &found.mv);
    Some(Learnt { mv, ..found })
}
