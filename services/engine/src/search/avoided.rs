//! Avoided moves of positions that have too many others to name.
//!
//! A request to a rule set can name the moves to search, but not those to avoid. Where a position has more
//! moves than are listed, the search is asked for one more line per avoided move, and the lines that begin
//! with one are dropped from its reports.

use pentad_model::{Certainty, Evaluation, Report, StopReason};

use crate::resolve::considered::Considered;

/// Drops the lines that begin with an avoided move, and further ones until `n_lines` are left. The rest may
/// be empty. `seat` is the one to move.
pub(crate) fn without_avoided(
    mut report: Report<String>,
    considered: &Considered,
    n_lines: usize,
    seat: usize,
) -> Report<String> {
    let n_reported = report.lines.len();
    report.lines.retain(|line| considered.contains(&line.moves[0]));
    let was_avoided = report.lines.len() < n_reported;
    report.lines.truncate(n_lines);
    if let Some(best) = report.lines.first().filter(|_| was_avoided) {
        report.evaluation = restricted(&best.evaluation, &report.evaluation, seat);
        if report.evaluation.certainty == Certainty::Estimate && report.stop == Some(StopReason::Proven) {
            report.stop = Some(StopReason::Depth);
        }
    }
    report
}

/// Returns the value of a position without some of its moves, given the best line that is left and the value
/// with all moves. A move that was not reported may be better than that line, unless no move is.
fn restricted(best: &Evaluation, all: &Evaluation, seat: usize) -> Evaluation {
    let is_won = best.scores[seat] >= 1.0;
    let is_as_good = all.certainty == Certainty::Proven && best.scores[seat] >= all.scores[seat];
    if best.certainty == Certainty::Proven && (is_won || is_as_good) { *best } else { best.as_estimate() }
}

#[cfg(test)]
mod tests {
    use pentad_model::{Line, Scores, Source};

    use super::*;

    fn value(certainty: Certainty, score: f64) -> Evaluation {
        let scores = Scores::new(&[score, 1.0 - score]);
        Evaluation { certainty, source: Source::Search, ..Evaluation::static_estimate(scores) }
    }

    fn report(lines: &[(&str, Certainty, f64)], all: Evaluation) -> Report<String> {
        let line = |&(mv, certainty, score): &(&str, Certainty, f64)| Line {
            moves: vec![mv.to_owned()],
            evaluation: value(certainty, score),
        };
        let lines = lines.iter().map(line).collect();
        Report { lines, evaluation: all, depth: 3, nodes: 9, stop: Some(StopReason::Proven) }
    }

    fn left(report: Report<String>, avoided: &[&str]) -> (Vec<String>, Certainty, f64, Option<StopReason>) {
        let considered = Considered::Except(avoided.iter().map(|&mv| mv.to_owned()).collect());
        let Report { lines, evaluation, stop, .. } = without_avoided(report, &considered, 2, 0);
        let moves = lines.into_iter().map(|mut line| line.moves.swap_remove(0)).collect();
        (moves, evaluation.certainty, evaluation.scores[0], stop)
    }

    /// The value is that of the best line left. It stays proven only if no move can be better: a win, or one
    /// that is worth what the whole position is.
    #[test]
    fn the_rest_is_valued_without_what_is_avoided() {
        use Certainty::{Estimate, Proven};
        let won = value(Proven, 1.0);
        let lines = [("a", Proven, 1.0), ("b", Proven, 1.0), ("c", Estimate, 0.4), ("d", Proven, 0.0)];
        let (moves, certainty, score, stop) = left(report(&lines, won), &["a"]);
        assert_eq!((moves, certainty, score), (vec!["b".to_owned(), "c".to_owned()], Proven, 1.0));
        assert_eq!(stop, Some(StopReason::Proven));
        let (moves, certainty, .., stop) = left(report(&lines, won), &["a", "b", "c"]);
        assert_eq!((moves, certainty), (vec!["d".to_owned()], Estimate), "a move that was not reported may not lose");
        assert_eq!(stop, Some(StopReason::Depth));
        let lost = [("a", Proven, 0.0), ("b", Proven, 0.0)];
        let (_, certainty, score, _) = left(report(&lost, value(Proven, 0.0)), &["a"]);
        assert_eq!((certainty, score), (Proven, 0.0), "every move loses");
        let (_, certainty, score, _) = left(report(&lines, won), &["d"]);
        assert_eq!((certainty, score), (Proven, 1.0), "the best move is not avoided");
        assert!(left(report(&lost, won), &["a", "b"]).0.is_empty());
    }
}
