//! The table of laws.

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
use crate::report::Failure;
use crate::sample::{CheckResult, Sample};

/// A law: its name, what it requires in one sentence, and its check.
pub(crate) struct Law<C> {
    pub(crate) name: &'static str,
    pub(crate) statement: &'static str,
    pub(crate) check: C,
}

/// Checks a law on one position.
pub(crate) type PositionCheck = fn(&Sample<'_>, &mut Rng) -> CheckResult;

/// Checks a law of a variant on sampled positions; one result for each check.
pub(crate) type VariantCheck = fn(&Arc<Ruleset>, usize, &Options, &[Position], &mut Rng) -> Vec<Result<(), Failure>>;

const fn law<C: Copy>(name: &'static str, statement: &'static str, check: C) -> Law<C> {
    Law { name, statement, check }
}

#[rustfmt::skip]
pub(crate) const POSITION_LAWS: &[Law<PositionCheck>] = &[
    law("notation", "parse(format(p)) == p", notation::round_trip),
    // Before the others that play moves: a changed position would mislead them.
    law("unchanged", "playing a move does not change the original position", moves::playing_is_pure),
    law("accepted", "every listed move can be played and is canonical", moves::listed_moves_are_legal),
    law("listed", "every move that can be played is listed", moves::legal_moves_are_listed),
    law("counted", "count_moves and prefixes agree with the list of moves", moves::counts_and_prefixes),
    law("fresh", "a position after a move equals the one parsed from its text", moves::played_equals_parsed),
    law("outcome", "scores and places are consistent, and a finished game has no moves", outcome::consistent),
    law("symmetry", "symmetries preserve outcome, seat to move and moves", symmetry::preserves_game),
    law("canonical", "symmetric positions have the same canonical form", symmetry::canonical_form),
    law("layout", "pieces are on points of the board", outcome::pieces_on_board),
];

#[rustfmt::skip]
pub(crate) const VARIANT_LAWS: &[Law<VariantCheck>] = &[
    law("texts", "no text causes a fault, and accepted text has a stable canonical form", texts::no_faults),
    law("search", "a search reports legal moves and is reproducible", search::legal_and_reproducible),
    law("proofs", "proven results within 4 plies are confirmed by brute force", search::proofs_are_true),
    law("stops", "a search polls `should_stop` every 50 ms of CPU time and ends when cancelled", search::polls_and_stops),
    law("threads", "calls from several threads return the same results", threads::same_results),
];
