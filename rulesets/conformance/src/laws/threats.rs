//! Laws of the threats.

use std::collections::{HashMap, HashSet};

use pentad_host::Position;
use pentad_model::Threat;
use pentad_model::rng::Rng;

use crate::report::Failure;
use crate::sample::{CheckResult, SampledPosition, VariantSample, in_call};

/// Positions per variant whose threats are played.
const PLAYED_MAX: usize = 60;
/// Positions with threats per variant whose stopping moves are compared.
const STOPPED_MAX: usize = 5;
/// Moves of a position that are played to find wins, or the threats that they stop.
const MOVES_TRIED_MAX: usize = 200;
/// Threats of a seat that are played to the end of a game.
const THREATS_PLAYED_MAX: usize = 6;
/// Maximum plies to that end.
const ENDING_PLIES_MAX: usize = 400;
const EPSILON: f64 = 1e-9;

/// Checks that every threat is a legal move of its seat after which the seat gets its
/// score, and a seat that has a win in one has a threat.
pub(super) fn are_wins(sample: &VariantSample<'_>, rng: &mut Rng) -> Vec<Result<(), Box<Failure>>> {
    sample.spread(PLAYED_MAX).map(|at| sample.attempt(at, || check_wins(sample, at, rng))).collect()
}

fn check_wins(sample: &VariantSample<'_>, at: &SampledPosition, rng: &mut Rng) -> CheckResult {
    let (rules, variant) = (sample.rules, sample.variant);
    let to_move = rules.to_move(variant, &at.position).map_err(in_call("to_move"))?;
    let is_over = rules.scores(variant, &at.position).map_err(in_call("outcome"))?.is_some();
    for seat in 0..rules.variants()[variant].seats.len() {
        let Some(turn) = rules.turn_of(variant, &at.position, seat).map_err(in_call("turn_of"))? else {
            if seat == to_move && !is_over {
                return Err("`turn_of` the seat to move is unsupported, though the game goes on".to_owned());
            }
            continue;
        };
        if seat == to_move && turn != at.position {
            return Err("`turn_of` the seat to move is another position".to_owned());
        }
        let threats = rules.list_threats(variant, &turn).map_err(in_call("threats.list"))?;
        for threat in threats.iter().take(THREATS_PLAYED_MAX) {
            check_threat(sample, &turn, threat, rng)?;
        }
        if threats.is_empty() {
            check_no_win(sample, &turn, seat, rng)?;
        }
    }
    Ok(())
}

/// Plays the move, and a random game from there, after which the seat has its score.
fn check_threat(sample: &VariantSample<'_>, turn: &Position, threat: &Threat, rng: &mut Rng) -> CheckResult {
    let (rules, variant) = (sample.rules, sample.variant);
    let Threat { seat, mv, score, .. } = threat;
    let played = rules.play(variant, turn, mv);
    let played = played.map_err(|error| format!("the threat `{mv}` of seat {seat} cannot be played: {error}"))?;
    if played.canonical != *mv {
        return Err(format!("the threat `{mv}` of seat {seat} is not canonical, but `{}`", played.canonical));
    }
    let mut position = played.position;
    for _ply in 0..ENDING_PLIES_MAX {
        if let Some(scores) = rules.scores(variant, &position).map_err(in_call("outcome"))? {
            if scores[*seat] < score - EPSILON {
                return Err(format!("after `{mv}` seat {seat} got {} points, not {score}", scores[*seat]));
            }
            break;
        }
        let moves = rules.legal_moves(variant, &position, "").map_err(in_call("legal_moves"))?;
        let Some(mv) = moves.get(rng.below(moves.len().max(1))) else { break };
        position = rules.play_known(variant, &position, mv).map_err(in_call("play"))?;
    }
    Ok(())
}

/// Checks that no move of a seat without threats ends the game with the whole point for
/// it.
fn check_no_win(sample: &VariantSample<'_>, turn: &Position, seat: usize, rng: &mut Rng) -> CheckResult {
    let (rules, variant) = (sample.rules, sample.variant);
    for mv in some_moves(sample, turn, rng)? {
        let next = rules.play_known(variant, turn, &mv).map_err(in_call("play"))?;
        let scores = rules.scores(variant, &next).map_err(in_call("outcome"))?;
        if scores.is_some_and(|scores| scores[seat] > 1.0 - EPSILON) {
            return Err(format!("`{mv}` of seat {seat} wins at once, and no threat is listed"));
        }
    }
    Ok(())
}

/// Checks that a move is listed as stopping a threat exactly when the threat is gone
/// after it.
pub(super) fn are_stopped(sample: &VariantSample<'_>, rng: &mut Rng) -> Vec<Result<(), Box<Failure>>> {
    let (mut results, mut n_with_threats) = (Vec::new(), 0);
    for at in sample.spread(20 * STOPPED_MAX) {
        let mut has_threats = false;
        results.push(sample.attempt(at, || check_stops(sample, at, rng, &mut has_threats)));
        n_with_threats += usize::from(has_threats);
        if n_with_threats == STOPPED_MAX {
            break;
        }
    }
    results
}

fn check_stops(sample: &VariantSample<'_>, at: &SampledPosition, rng: &mut Rng, has_threats: &mut bool) -> CheckResult {
    let (rules, variant) = (sample.rules, sample.variant);
    let mut threats = threats_of_others(sample, &at.position, None)?;
    threats.truncate(pentad_host::THREATS_MAX);
    *has_threats = !threats.is_empty();
    if threats.is_empty() {
        return Ok(());
    }
    let to_move = rules.to_move(variant, &at.position).map_err(in_call("to_move"))?;
    let listed = rules.list_stops(variant, &at.position, &threats).map_err(in_call("threats.stops"))?;
    let listed: HashMap<String, (u64, bool)> =
        listed.into_iter().map(|(mv, stopped, stops_all)| (mv, (stopped, stops_all))).collect();
    let legal: HashSet<String> =
        rules.legal_moves(variant, &at.position, "").map_err(in_call("legal_moves"))?.into_iter().collect();
    if let Some(mv) = listed.keys().find(|mv| !legal.contains(*mv)) {
        return Err(format!("`{mv}` is listed as stopping a threat, but not as legal"));
    }
    for mv in some_moves(sample, &at.position, rng)? {
        let next = rules.play_known(variant, &at.position, &mv).map_err(in_call("play"))?;
        let scores = rules.scores(variant, &next).map_err(in_call("outcome"))?;
        let left = threats_of_others(sample, &next, Some(to_move))?;
        let is_stopped = |threat: &Threat| match &scores {
            Some(scores) => scores[threat.seat] < threat.score - EPSILON,
            None => !left.iter().any(|other| (other.seat, other.key) == (threat.seat, threat.key)),
        };
        let (stopped, stops_all) = listed.get(&mv).copied().unwrap_or_default();
        for (idx, threat) in threats.iter().enumerate() {
            let (is_listed, is_stopped) = (stopped >> idx & 1 != 0, is_stopped(threat));
            if is_listed != is_stopped {
                let Threat { seat, mv: threat, .. } = threat;
                let is_not = if is_stopped { "stops it, and is not listed" } else { "does not stop it, but is listed" };
                return Err(format!("`{mv}` against the threat `{threat}` of seat {seat}: {is_not}"));
            }
        }
        let no_more = match &scores {
            Some(scores) => others(sample, to_move).all(|seat| scores[seat] <= scores[to_move]),
            None => left.is_empty(),
        };
        if stopped != 0 && stops_all != no_more {
            return Err(format!("`{mv}` stops all threats: {no_more}, listed: {stops_all}"));
        }
    }
    Ok(())
}

/// Returns the threats of all seats that are not on the side of `mover`, by default the
/// seat to move.
fn threats_of_others(
    sample: &VariantSample<'_>,
    position: &Position,
    mover: Option<usize>,
) -> Result<Vec<Threat>, String> {
    let (rules, variant) = (sample.rules, sample.variant);
    let mover = match mover {
        Some(mover) => mover,
        None => rules.to_move(variant, position).map_err(in_call("to_move"))?,
    };
    let mut threats = Vec::new();
    for seat in others(sample, mover) {
        if let Some(turn) = rules.turn_of(variant, position, seat).map_err(in_call("turn_of"))? {
            threats.extend(rules.list_threats(variant, &turn).map_err(in_call("threats.list"))?);
        }
    }
    Ok(threats)
}

fn others(sample: &VariantSample<'_>, mover: usize) -> impl Iterator<Item = usize> {
    let seats = &sample.rules.variants()[sample.variant].seats;
    (0..seats.len()).filter(move |&seat| seats[seat].side != seats[mover].side)
}

fn some_moves(sample: &VariantSample<'_>, position: &Position, rng: &mut Rng) -> Result<Vec<String>, String> {
    let mut moves = sample.rules.legal_moves(sample.variant, position, "").map_err(in_call("legal_moves"))?;
    while moves.len() > MOVES_TRIED_MAX {
        moves.swap_remove(rng.below(moves.len()));
    }
    Ok(moves)
}
