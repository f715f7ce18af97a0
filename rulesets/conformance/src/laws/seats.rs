//! The law of the seat to move.

use std::collections::BTreeSet;

use pentad_model::rng::Rng;

use crate::report::Failure;
use crate::sample::{VariantSample, in_call};

/// Positions per variant whose seat to move is asked for.
const POSITIONS_MAX: usize = 2_000;

/// Checks that every seat moves at least once in all games together: a constant `to_move`
/// contradicts nothing else.
pub(super) fn all_move(sample: &VariantSample<'_>, _rng: &mut Rng) -> Vec<Result<(), Box<Failure>>> {
    let (rules, variant) = (sample.rules, sample.variant);
    let n_seats = rules.variants()[variant].seats.len();
    let unfinished: Vec<_> = sample.positions.iter().filter(|at| !at.is_last).take(POSITIONS_MAX).collect();
    // Too few plies for every seat to have had a turn.
    if unfinished.len() < 2 * n_seats {
        return Vec::new();
    }
    let mut seen = BTreeSet::new();
    let mut results: Vec<Result<(), Box<Failure>>> = Vec::new();
    for at in &unfinished {
        results.push(sample.attempt(at, || {
            seen.insert(rules.to_move(variant, &at.position).map_err(in_call("to_move"))?);
            Ok(())
        }));
    }
    let never: Vec<&str> = (0..n_seats)
        .filter(|seat| !seen.contains(seat))
        .map(|seat| rules.variants()[variant].seats[seat].id.as_str())
        .collect();
    let last = unfinished[unfinished.len() - 1];
    if results.iter().all(Result::is_ok) && !never.is_empty() {
        let (n_plies, never) = (unfinished.len(), never.join("`, `"));
        results.push(sample.attempt(last, || {
            Err(format!("`to_move` never returned the seat `{never}` in {n_plies} plies of all games"))
        }));
    }
    results
}
