//! The law of moves that are well-formed and illegal.

use std::collections::{BTreeSet, HashSet};

use pentad_host::CallError;
use pentad_model::rng::Rng;

use crate::report::Failure;
use crate::sample::{CheckResult, SampledPosition, VariantSample, in_call};

/// Positions tried per variant.
const POSITIONS_MAX: usize = 500;
/// Moves that each position contributes to those tried in the others.
const MOVES_GIVEN: usize = 40;
/// Moves tried in each position.
const MOVES_TRIED: usize = 40;

/// Plays moves of other positions: those that are not listed must be refused by the
/// rules, not by the notation, and must not be accepted or cause a fault.
pub(super) fn refused(sample: &VariantSample<'_>, rng: &mut Rng) -> Vec<Result<(), Box<Failure>>> {
    let mut elsewhere = BTreeSet::new();
    for at in sample.spread(POSITIONS_MAX) {
        let mut moves = listed(sample, at).unwrap_or_default();
        for _ in 0..MOVES_GIVEN.min(moves.len()) {
            elsewhere.insert(moves.swap_remove(rng.below(moves.len())));
        }
    }
    let elsewhere: Vec<String> = elsewhere.into_iter().collect();
    let mut results = Vec::new();
    for at in sample.spread(POSITIONS_MAX) {
        // Other laws report a list that fails, and the moves of a finished game.
        let Ok(moves) = listed(sample, at) else { continue };
        let moves: HashSet<String> = moves.into_iter().collect();
        if moves.is_empty() {
            continue;
        }
        let tried = (0..MOVES_TRIED).map(|_| elsewhere[rng.below(elsewhere.len())].as_str());
        let illegal: BTreeSet<&str> = tried.filter(|mv| !moves.contains(*mv)).collect();
        if !illegal.is_empty() {
            results.push(sample.attempt(at, || illegal.iter().try_for_each(|mv| is_refused(sample, at, &moves, mv))));
        }
    }
    results
}

fn listed(sample: &VariantSample<'_>, at: &SampledPosition) -> Result<Vec<String>, String> {
    sample.rules.begin(sample.law, sample.variant, at.place());
    sample.rules.legal_moves(sample.variant, &at.position, "").map_err(in_call("legal_moves"))
}

fn is_refused(sample: &VariantSample<'_>, at: &SampledPosition, listed: &HashSet<String>, mv: &str) -> CheckResult {
    match sample.rules.play(sample.variant, &at.position, mv) {
        Err(CallError::Illegal { .. }) => Ok(()),
        // Another spelling of a legal move.
        Ok(played) if listed.contains(&played.canonical) => Ok(()),
        Ok(_) => Err(format!("`{mv}` is legal in other positions and not listed here, but accepted")),
        Err(error) => {
            Err(format!("`{mv}` is legal in other positions and not listed here; want ILLEGAL, not: {error:?}"))
        }
    }
}
