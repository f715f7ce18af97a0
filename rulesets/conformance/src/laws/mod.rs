//! The laws, as a table.

mod moves;
mod notation;
mod outcome;
mod search;
mod symmetry;
mod texts;
mod threads;

use std::sync::Arc;

use pentad_host::{Position, Ruleset};
use pentad_search::rng::Rng;

use crate::Options;
use crate::site::{Held, Site};
use crate::verdict::Failure;

/// A law about every position.
pub(crate) struct PositionLaw {
    pub(crate) name: &'static str,
    pub(crate) statement: &'static str,
    pub(crate) holds: fn(&Site<'_>, &mut Rng) -> Held,
}

/// A law about a variant, tried on a sample of positions.
pub(crate) struct VariantLaw {
    pub(crate) name: &'static str,
    pub(crate) statement: &'static str,
    #[allow(clippy::type_complexity, reason = "named once, here")]
    pub(crate) holds: fn(&Arc<Ruleset>, usize, &Options, &[Position], &mut Rng) -> Vec<Result<(), Failure>>,
}

pub(crate) const POSITION_LAWS: &[PositionLaw] = &[
    PositionLaw { name: "notation", statement: "parse(format(p)) == p", holds: notation::round_trip },
    // Before the others that play: they would only see what is left of it.
    PositionLaw { name: "unchanged", statement: "playing never changes the original", holds: moves::unchanged },
    PositionLaw { name: "accepted", statement: "every listed move is accepted as written", holds: moves::accepted },
    PositionLaw { name: "listed", statement: "every accepted move is listed", holds: moves::listed },
    PositionLaw { name: "counted", statement: "counts and prefixes agree with the list", holds: moves::counted },
    PositionLaw { name: "fresh", statement: "a position played equals the same position read", holds: moves::fresh },
    PositionLaw {
        name: "outcome",
        statement: "scores and places are sound, and an end is an end",
        holds: outcome::sound,
    },
    PositionLaw { name: "symmetry", statement: "symmetries keep rules, outcome and moves", holds: symmetry::kept },
    PositionLaw {
        name: "canonical",
        statement: "symmetric positions share one canonical form",
        holds: symmetry::canonical,
    },
    PositionLaw { name: "layout", statement: "pieces stand on points of the board", holds: outcome::drawn },
];

pub(crate) const VARIANT_LAWS: &[VariantLaw] = &[
    VariantLaw {
        name: "texts",
        statement: "no text crashes it, and what it accepts is canonical",
        holds: texts::survived,
    },
    VariantLaw {
        name: "search",
        statement: "a search names legal moves within its limits, repeatably",
        holds: search::sound,
    },
    VariantLaw { name: "proofs", statement: "short proofs are true", holds: search::proofs },
    VariantLaw {
        name: "stops",
        statement: "a search polls `should_stop` at least every 50 ms of its CPU time and ends when it should",
        holds: search::stops,
    },
    VariantLaw { name: "threads", statement: "several threads get the same answers", holds: threads::agree },
];
