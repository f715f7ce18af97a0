//! Reasons for a move that its rule set does not explain: what its evaluation
//! proves, and whether there is a choice.

use pentad_model::Reason;
use pentad_model::{Certainty, Evaluation, Line, Report};

use crate::present::i18n;

/// Coverage of the position's moves by a report.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coverage {
    /// Whether every different legal move has a line.
    pub(crate) is_complete: bool,
    /// Legal moves, equivalent ones included; `None` if only some were considered.
    pub(crate) n_legal_moves: Option<usize>,
    /// Moves equivalent to the one that is explained.
    pub(crate) n_equivalents: usize,
}

/// Returns the reasons for the first move of a line, for the player to move.
pub(crate) fn explain(report: &Report<String>, line_idx: usize, seat: usize, coverage: Coverage) -> Vec<Reason> {
    let evaluation = &report.lines[line_idx].evaluation;
    proven(evaluation, seat).into_iter().chain(only_move(report, line_idx, seat, coverage)).collect()
}

/// Returns `wins`, `forced_win`, `draws` or `loses`.
fn proven(evaluation: &Evaluation, seat: usize) -> Option<Reason> {
    if evaluation.certainty != Certainty::Proven {
        return None;
    }
    let ends_now = evaluation.plies_to_end == Some(1);
    let has_two_sides = evaluation.outcome.is_some();
    let (id, params) = match (evaluation.scores[seat], evaluation.plies_to_end) {
        (1.0.., _) if ends_now => ("wins", Vec::new()),
        (1.0.., Some(plies)) => ("forced_win.plies", i18n::plies(plies)),
        (1.0.., None) => ("forced_win", Vec::new()),
        (..=0.0, _) if ends_now => ("loses.now", Vec::new()),
        (..=0.0, Some(plies)) => ("loses.plies", i18n::plies(plies)),
        (..=0.0, None) => ("loses", Vec::new()),
        _ if !has_two_sides => return None,
        _ if ends_now => ("draws.now", Vec::new()),
        _ => ("draws", Vec::new()),
    };
    Some(i18n::reason(id, params))
}

/// Returns `only_move` if there is no other move, or every other is proven to lose.
fn only_move(report: &Report<String>, line_idx: usize, seat: usize, coverage: Coverage) -> Option<Reason> {
    if coverage.n_legal_moves? == 1 {
        return Some(i18n::reason("only_move.legal", Vec::new()));
    }
    let is_lost =
        |line: &Line<String>| line.evaluation.certainty == Certainty::Proven && line.evaluation.scores[seat] <= 0.0;
    let is_only = report.lines.iter().enumerate().all(|(idx, line)| is_lost(line) == (idx != line_idx));
    let has_others = report.lines.len() > 1;
    let id = if coverage.n_equivalents == 0 { "only_move" } else { "only_move.equivalents" };
    (coverage.is_complete && has_others && is_only).then(|| i18n::reason(id, Vec::new()))
}

#[cfg(test)]
mod tests {
    use pentad_model::{Scores, Source, Wdl};

    use super::*;

    const COMPLETE: Coverage = Coverage { is_complete: true, n_legal_moves: Some(2), n_equivalents: 0 };

    fn line(mv: &str, proven: Option<(f64, u32)>) -> Line<String> {
        let (score, plies) = proven.map_or((0.6, None), |(score, plies)| (score, Some(plies)));
        let certainty = if proven.is_some() { Certainty::Proven } else { Certainty::Estimate };
        let outcome = proven.map(|(score, _)| Wdl::of_score(score));
        let scores = Scores::pair(0, score);
        let evaluation =
            Evaluation { certainty, outcome, plies_to_end: plies, scores, source: Source::Search, depth: 3 };
        Line { moves: vec![mv.to_owned()], evaluation }
    }

    fn explained(lines: Vec<Line<String>>, coverage: Coverage) -> Vec<String> {
        let evaluation = lines[0].evaluation;
        let report = Report { lines, evaluation, depth: 3, nodes: 1, stop: None };
        explain(&report, 0, 0, coverage).into_iter().map(|reason| format!("{}: {}", reason.code, reason.text)).collect()
    }

    /// Proven evaluations are put into words, estimates are not.
    #[test]
    fn proofs_are_explained() {
        let other = || line("b", None);
        let of = |proven| explained(vec![line("a", proven), other()], COMPLETE);
        assert_eq!(of(Some((1.0, 1))), ["wins: It wins at once."]);
        assert_eq!(of(Some((1.0, 5))), ["forced_win: It wins by force within 5 plies."]);
        assert_eq!(of(Some((0.5, 4))), ["draws: It draws with best play."]);
        assert_eq!(of(Some((0.0, 2))), ["loses: It loses within 2 plies against best play."]);
        assert_eq!(of(None), [""; 0]);
    }

    /// A move is an only move if all others are known to lose, or there are none.
    #[test]
    fn only_moves_are_explained() {
        let lost = || line("b", Some((0.0, 2)));
        let only = "only_move: It is the only move that does not lose.";
        assert_eq!(explained(vec![line("a", None), lost()], COMPLETE), [only]);
        let incomplete = Coverage { is_complete: false, ..COMPLETE };
        assert_eq!(explained(vec![line("a", None), lost()], incomplete), [""; 0]);
        assert_eq!(explained(vec![line("a", None), line("b", None)], COMPLETE), [""; 0]);
        assert_eq!(explained(vec![lost(), lost()], COMPLETE), ["loses: It loses within 2 plies against best play."]);
        let single = Coverage { n_legal_moves: Some(1), ..COMPLETE };
        assert_eq!(explained(vec![line("a", None)], single), ["only_move: It is the only legal move."]);
        let asked_for = Coverage { n_legal_moves: None, ..COMPLETE };
        assert_eq!(explained(vec![line("a", None)], asked_for), [""; 0]);
    }
}
