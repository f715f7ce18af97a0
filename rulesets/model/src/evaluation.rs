//! Scores and evaluations.

use pentad_abi as abi;
use pentad_search::{Certainty, Evaluation, Scores, Source, Wdl};

use crate::code::Code;
use crate::violation::Violation;

/// More plies than any search reaches; a larger number is a violation.
const PLIES_MAX: u32 = 1 << 20;

/// What a variant's values are validated against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seating {
    /// The number of seats.
    pub n_seats: usize,
    /// The number of sides, that is of teams.
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
