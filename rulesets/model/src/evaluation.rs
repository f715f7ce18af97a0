//! Scores and evaluations.

use std::fmt;

use pentad_abi as abi;

use crate::code::Code;
use crate::violation::Violation;

/// More plies than any search reaches; a larger number is a violation.
const PLIES_MAX: u32 = 1 << 20;

/// Maximum number of seats of a game.
pub const SEATS_MAX: usize = 8;

/// Expected score of every seat, 0 to 1, in playing order.
#[derive(Clone, Copy, PartialEq)]
pub struct Scores {
    n_seats: u8,
    values: [f64; SEATS_MAX],
}

impl Scores {
    /// Scores from one value per seat.
    ///
    /// # Panics
    /// If there are more than [`SEATS_MAX`] values.
    #[inline]
    pub fn new(values: &[f64]) -> Self {
        assert!(values.len() <= SEATS_MAX, "{} seats, at most {SEATS_MAX}", values.len());
        let mut scores = Scores { n_seats: values.len() as u8, values: [0.0; SEATS_MAX] };
        scores.values[..values.len()].copy_from_slice(values);
        scores
    }

    /// Gives every seat the same score, `1 / n_seats`.
    #[inline]
    pub fn even(n_seats: usize) -> Self {
        Scores::new(&[1.0 / n_seats as f64; SEATS_MAX][..n_seats])
    }

    /// Gives `score` to `seat` of a game for two, and the rest to the other seat.
    ///
    /// # Panics
    /// If there is no such seat.
    #[inline]
    pub fn pair(seat: usize, score: f64) -> Self {
        let mut scores = [1.0 - score; 2];
        scores[seat] = score;
        Scores::new(&scores)
    }

    /// Clamps every score as [`estimated`] does.
    #[inline]
    #[must_use]
    pub fn estimated(mut self) -> Self {
        self.as_mut_slice().iter_mut().for_each(|score| *score = estimated(*score));
        self
    }

    /// Returns one value per seat.
    #[inline]
    pub fn as_slice(&self) -> &[f64] {
        &self.values[..usize::from(self.n_seats)]
    }

    /// Returns one mutable value per seat.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [f64] {
        &mut self.values[..usize::from(self.n_seats)]
    }
}

impl std::ops::Index<usize> for Scores {
    type Output = f64;
    #[inline]
    fn index(&self, seat: usize) -> &f64 {
        &self.as_slice()[seat]
    }
}

impl fmt::Debug for Scores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

/// Clamps an estimated score to 0.0001..=0.9999; 0 and 1 are reserved for proofs.
#[inline]
pub fn estimated(score: f64) -> f64 {
    score.clamp(0.0001, 0.9999)
}

/// Whether a value is proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Certainty {
    /// True under the rules, whatever the opponents do. With more than two
    /// sides: if every side plays for its own score, however it chooses among equally
    /// good moves.
    Proven,
    /// The best estimate within the limits.
    Estimate,
}

/// Win, draw or loss for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wdl {
    /// The side to move loses.
    Loss,
    /// Nobody wins.
    Draw,
    /// The side to move wins.
    Win,
}

impl Wdl {
    /// Converts the final score of the side to move.
    #[inline]
    pub fn of_score(score: f64) -> Self {
        if score > 0.5 {
            Wdl::Win
        } else if score < 0.5 {
            Wdl::Loss
        } else {
            Wdl::Draw
        }
    }

    /// Returns the same result for the other side.
    #[inline]
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Wdl::Win => Wdl::Loss,
            Wdl::Draw => Wdl::Draw,
            Wdl::Loss => Wdl::Win,
        }
    }
}

/// Origin of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The game is over.
    Terminal,
    /// An opening book: exact values where proven, otherwise a move preferred by results of games.
    Book,
    /// An exact solver.
    Solver,
    /// A search.
    Search,
    /// A static evaluation, without a search.
    Static,
}

/// The value of a position or move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation {
    /// Whether the value is proven.
    pub certainty: Certainty,
    /// Result for the side to move **at the root**, if the game has two sides and the
    /// value is proven.
    pub outcome: Option<Wdl>,
    /// Plies from the root to the end of the game with best play, where known.
    pub plies_to_end: Option<u32>,
    /// Expected score per seat.
    pub scores: Scores,
    /// Origin of the value.
    pub source: Source,
    /// Plies searched.
    pub depth: u32,
}

impl Evaluation {
    /// Creates the static evaluation of a position.
    pub fn static_estimate(scores: Scores) -> Self {
        Evaluation {
            certainty: Certainty::Estimate,
            outcome: None,
            plies_to_end: None,
            scores,
            source: Source::Static,
            depth: 0,
        }
    }

    /// Creates the evaluation of a finished game, with the outcome for the side to move if
    /// there are two sides.
    pub fn terminal(scores: Scores, outcome: Option<Wdl>) -> Self {
        Evaluation {
            certainty: Certainty::Proven,
            outcome,
            plies_to_end: Some(0),
            source: Source::Terminal,
            ..Evaluation::static_estimate(scores)
        }
    }

    /// Turns a value into an estimate, because a better move may exist.
    #[must_use]
    pub fn as_estimate(self) -> Self {
        Evaluation {
            certainty: Certainty::Estimate,
            outcome: None,
            plies_to_end: None,
            scores: self.scores.estimated(),
            ..self
        }
    }
}

/// Numbers of seats and sides that values are validated against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seating {
    /// The number of seats.
    pub n_seats: usize,
    /// The number of sides, that is, teams.
    pub n_sides: usize,
}

/// Writes an evaluation.
pub fn to_abi(evaluation: &Evaluation) -> abi::Evaluation {
    abi::Evaluation {
        certainty: evaluation.certainty.to_abi(),
        outcome: evaluation.outcome.map_or(abi::UNKNOWN, Code::to_abi),
        plies_to_end: evaluation.plies_to_end.unwrap_or(abi::PLIES_UNKNOWN),
        source: evaluation.source.to_abi(),
        depth: evaluation.depth,
        n_seats: evaluation.scores.as_slice().len() as u32,
        scores: scores_to_abi(&evaluation.scores),
    }
}

/// Validates and copies an evaluation.
pub fn from_plugin(raw: &abi::Evaluation, seating: Seating) -> Result<Evaluation, Violation> {
    let certainty = Certainty::from_plugin(raw.certainty)?;
    let outcome = match raw.outcome {
        abi::UNKNOWN => None,
        code => Some(Wdl::from_plugin(code)?),
    };
    if outcome.is_some() && (certainty != Certainty::Proven || seating.n_sides != 2) {
        return Err(Violation::value("an outcome that is not proven, or in a game without two sides"));
    }
    let source = Source::from_plugin(raw.source)?;
    let plies_to_end = match raw.plies_to_end {
        abi::PLIES_UNKNOWN => None,
        plies => Some(plies_from_plugin(plies)?),
    };
    let scores = scores_from_plugin(&raw.scores, raw.n_seats, seating)?;
    Ok(Evaluation { certainty, outcome, plies_to_end, scores, source, depth: plies_from_plugin(raw.depth)? })
}

/// Copies an evaluation; `None` if it has more seats than the ABI allows.
pub fn from_host(raw: &abi::Evaluation) -> Option<Evaluation> {
    Some(Evaluation {
        certainty: Certainty::from_abi(raw.certainty).unwrap_or(Certainty::Estimate),
        outcome: Wdl::from_abi(raw.outcome),
        plies_to_end: (raw.plies_to_end != abi::PLIES_UNKNOWN).then_some(raw.plies_to_end),
        scores: Scores::new(raw.scores.get(..raw.n_seats as usize)?),
        source: Source::from_abi(raw.source).unwrap_or(Source::Static),
        depth: raw.depth,
    })
}

pub(crate) fn scores_to_abi(scores: &Scores) -> [f64; abi::SEATS_MAX] {
    let mut raw = [0.0; abi::SEATS_MAX];
    raw[..scores.as_slice().len()].copy_from_slice(scores.as_slice());
    raw
}

pub(crate) fn scores_from_plugin(
    raw: &[f64; abi::SEATS_MAX],
    n_seats: u32,
    seating: Seating,
) -> Result<Scores, Violation> {
    if n_seats as usize != seating.n_seats {
        return Err(Violation::value(format!("{n_seats} seats, the variant has {}", seating.n_seats)));
    }
    let scores = &raw[..seating.n_seats];
    match scores.iter().find(|score| !(0.0..=1.0).contains(*score)) {
        Some(score) => Err(Violation::value(format!("a score of {score}"))),
        None => Ok(Scores::new(scores)),
    }
}

pub(crate) fn plies_from_plugin(plies: u32) -> Result<u32, Violation> {
    if plies <= PLIES_MAX { Ok(plies) } else { Err(Violation::value(format!("{plies} plies"))) }
}
