//! What alpha-beta passes from node to node: a value and the facts behind it.
//!
//! A value beyond ±[`WIN_MIN`] is a win or loss with its distance and comes
//! only from the rules; estimates stay within ±[`ESTIMATE_MAX`], so the two
//! never mix. A drawn value cannot be told from an even estimate by its number,
//! hence [`Facts`]: what is proven about win, draw and loss. Facts follow from
//! facts alone and so hold whatever window, depth or reduction found them.

use crate::facts::Facts;
use crate::game::{Game, win_probability};
use crate::report::{Certainty, Evaluation, Scores, Source, Wdl};

/// A win here and now; one in `n` turns is worth `WIN - n`.
pub(crate) const WIN: i32 = 32_000;
/// Anything from here on is a win.
pub(crate) const WIN_MIN: i32 = 30_000;
/// Above every value.
pub(crate) const INFINITE: i32 = 32_100;
/// Estimates are held within this.
pub(crate) const ESTIMATE_MAX: i32 = 20_000;

/// The node depends on no position above it; see [`Found::anchor`].
pub(crate) const UNANCHORED: u32 = u32::MAX;

/// The result of searching a position, for the side to move there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) value: i32,
    pub(crate) facts: Facts,
    /// The lowest index on the current path that a repetition below leads back
    /// to. The value depends on the path if that lies above the node.
    pub(crate) anchor: u32,
}

impl Found {
    pub(crate) fn new(value: i32, facts: Facts) -> Self {
        Found { value, facts, anchor: UNANCHORED }
    }

    /// The end of the game, for the side that made the last move.
    pub(crate) fn over(score: f64) -> Self {
        if score > 0.5 {
            Found::new(WIN - 1, Facts::HOLDS)
        } else if score < 0.5 {
            Found::new(1 - WIN, Facts::HELD)
        } else {
            Found::new(0, Facts::DRAW)
        }
    }

    /// The same as the parent sees it: `turn` if a turn ended on the way,
    /// `same` if both nodes belong to one side.
    pub(crate) fn seen_from_parent(self, turn: bool, same: bool) -> Self {
        let value = if turn { aged(self.value) } else { self.value };
        if same {
            Found { value, ..self }
        } else {
            Found { value: -value, facts: self.facts.flipped(), anchor: self.anchor }
        }
    }
}

pub(crate) fn is_win(value: i32) -> bool {
    value >= WIN_MIN
}

pub(crate) fn is_loss(value: i32) -> bool {
    value <= -WIN_MIN
}

/// A bound of the parent as the child has to meet it; undoes the ageing.
pub(crate) fn unaged(bound: i32) -> i32 {
    bound + i32::from(is_win(bound)) - i32::from(is_loss(bound))
}

fn aged(value: i32) -> i32 {
    value - i32::from(is_win(value)) + i32::from(is_loss(value))
}

/// Keeps an estimated score away from 0 and 1, which are for proofs.
pub(crate) fn estimated(score: f64) -> f64 {
    score.clamp(0.0001, 0.9999)
}

/// A value of the side of `seat` in the words of a report. Plies are named
/// only up to `plies_known`: a longer way to the end might not be the best.
pub(crate) fn evaluation<G: Game>(
    game: &G,
    seat: usize,
    value: i32,
    facts: Facts,
    depth: u32,
    plies_known: u32,
) -> Evaluation {
    let (outcome, score) = if is_win(value) {
        (Some(Wdl::Win), 1.0)
    } else if is_loss(value) {
        (Some(Wdl::Loss), 0.0)
    } else if facts == Facts::DRAW {
        (Some(Wdl::Draw), 0.5)
    } else {
        (None, estimated(win_probability(value)))
    };
    let plies = (WIN - value.abs()) as u32;
    let plies_to_end = (value.abs() >= WIN_MIN && plies <= plies_known.max(1)).then_some(plies);
    let side = game.side_of(seat);
    let mut scores = Scores::even(game.n_seats());
    for (seat, out) in scores.as_mut_slice().iter_mut().enumerate() {
        *out = if game.side_of(seat) == side { score } else { 1.0 - score };
    }
    Evaluation {
        certainty: if outcome.is_some() { Certainty::Proven } else { Certainty::Estimate },
        outcome,
        plies_to_end,
        scores,
        source: if depth == 0 && outcome.is_none() { Source::Static } else { Source::Search },
        depth,
    }
}
