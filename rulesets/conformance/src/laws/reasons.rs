//! The law of the reasons.

use pentad_host::Position;
use pentad_model::rng::Rng;
use pentad_model::{Certainty, Evaluation, Line, Reason, Report, Scores, Source, StopReason, Wdl};

use super::search::on_reports;
use crate::report::Failure;
use crate::rules::Rules;
use crate::sample::{CheckResult, SampledPosition, VariantSample, in_call};

/// Games per variant whose last moves are explained.
const ENDINGS_MAX: usize = 6;
/// Positions at the end of such a game.
const ENDING_PLIES: usize = 3;
/// Moves explained in such a position, those that end the game first.
const MOVES_MAX: usize = 24;
/// Moves of such a position that are played to find those.
const MOVES_PLAYED_MAX: usize = 400;

/// Explains the lines of a search, and the moves at the end of games, where most reasons
/// are about: wins, defences and last chances.
pub(super) fn are_given(sample: &VariantSample<'_>, _rng: &mut Rng) -> Vec<Result<(), Box<Failure>>> {
    let rules = sample.rules;
    let mut results = on_reports(sample, |position, report| explain_twice(rules, sample.variant, position, report));
    for at in endings(sample) {
        results.push(sample.attempt(at, || {
            let report = report_of_ending(rules, sample.variant, &at.position)?;
            if report.lines.is_empty() { Ok(()) } else { explain_twice(rules, sample.variant, &at.position, &report) }
        }));
    }
    results
}

fn explain_twice(rules: &Rules<'_>, variant: usize, position: &Position, report: &Report<String>) -> CheckResult {
    let reasons = rules.explain(variant, position, report).map_err(in_call("explain"))?;
    if rules.explain(variant, position, report).map_err(in_call("explain"))? != reasons {
        return Err("two explanations of the same report differ".to_owned());
    }
    let explained = report.lines.iter().zip(&reasons);
    explained.flat_map(|(line, reasons)| reasons.iter().map(move |reason| (line, reason))).try_for_each(
        |(line, reason)| {
            is_declared(rules, reason).map_err(|message| format!("a reason for `{}` {message}", line.moves[0]))
        },
    )
}

/// Checks a reason against the list of codes, if there is one.
fn is_declared(rules: &Rules<'_>, reason: &Reason) -> CheckResult {
    let codes = rules.reason_codes();
    match codes.iter().find(|known| known.code == reason.code) {
        None if codes.is_empty() => Ok(()),
        None => Err(format!("has the code `{}`, which is not in the list of codes", reason.code)),
        Some(known) if !known.names_points && !reason.points.is_empty() => {
            Err(format!("with the code `{}` names points, though the list says that it does not", reason.code))
        }
        Some(_) => Ok(()),
    }
}

/// Returns the last unfinished positions of some games.
fn endings<'a>(sample: &VariantSample<'a>) -> impl Iterator<Item = &'a SampledPosition> {
    let positions = sample.positions;
    let last = positions.iter().enumerate().filter(|(_, at)| at.is_last).map(|(idx, _)| idx);
    last.take(ENDINGS_MAX).flat_map(|last| {
        let n_plies = positions[last].ply.min(ENDING_PLIES);
        &positions[last - n_plies..last]
    })
}

/// Returns a report on the moves of a position, those that end the game first, as proven.
fn report_of_ending(rules: &Rules<'_>, variant: usize, position: &Position) -> Result<Report<String>, String> {
    let description = &rules.variants()[variant];
    let seat = rules.to_move(variant, position).map_err(in_call("to_move"))?;
    let mut moves = rules.legal_moves(variant, position, "").map_err(in_call("legal_moves"))?;
    moves.truncate(MOVES_PLAYED_MAX);
    let mut report = report_of(&moves, description.seats.len());
    for line in &mut report.lines {
        let next = rules.play_known(variant, position, &line.moves[0]).map_err(in_call("play"))?;
        if let Some(scores) = rules.scores(variant, &next).map_err(in_call("outcome"))? {
            let outcome = (description.n_sides == 2).then(|| Wdl::of_score(scores[seat]));
            let (certainty, plies_to_end) = (Certainty::Proven, Some(1));
            line.evaluation = Evaluation { certainty, outcome, plies_to_end, scores, ..line.evaluation };
        }
    }
    let rank = |line: &Line<String>| (line.evaluation.certainty != Certainty::Proven, -line.evaluation.scores[seat]);
    report.lines.sort_by(|a, b| rank(a).0.cmp(&rank(b).0).then(rank(a).1.total_cmp(&rank(b).1)));
    report.lines.truncate(MOVES_MAX);
    if let Some(best) = report.lines.first().filter(|best| best.evaluation.outcome == Some(Wdl::Win)) {
        report.evaluation = best.evaluation;
    }
    Ok(report)
}

/// Builds the report of a search that knows nothing about the position: its moves, all
/// worth the same.
pub(super) fn report_of(moves: &[String], n_seats: usize) -> Report<String> {
    let evaluation = Evaluation {
        certainty: Certainty::Estimate,
        outcome: None,
        plies_to_end: None,
        scores: Scores::even(n_seats),
        source: Source::Search,
        depth: 1,
    };
    let line = |mv: &String| Line { moves: vec![mv.clone()], evaluation };
    let lines = moves.iter().map(line).collect();
    Report { lines, evaluation, depth: 1, nodes: 1, stop: Some(StopReason::Depth) }
}
