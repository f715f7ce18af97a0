//! Contradictions in a stored answer, found without a search.
//!
//! A search that keeps to the plugin contract reports none of them, so an answer that has one was damaged or
//! forged. The parity of the plies is not among them: in Pentago, for example, a move can lose the game.

use pentad_model::{Certainty, Evaluation, Line, Report, Scores, Wdl};

use crate::answer::StopReason;
use crate::store::check::Subject;

/// Why an answer is refused, for the log.
pub(crate) type Reason = &'static str;

/// More plies than any search reaches.
const PLIES_MAX: u32 = 1 << 20;
/// Difference up to which two scores are equal.
const SCORE_TOLERANCE: f64 = 1e-6;

/// The seats of a position, and the bounds of its variant.
#[derive(Clone, Debug)]
pub(super) struct Seating {
    /// Seat to move.
    pub(super) mover: usize,
    /// Side of each seat.
    pub(super) sides: Vec<u32>,
    pub(super) has_two_sides: bool,
    pub(super) plies_max: Option<u32>,
}

impl Seating {
    pub(super) fn of(subject: &Subject<'_>) -> Result<Self, pentad_host::CallError> {
        let variant = &subject.rules.variants()[subject.variant];
        Ok(Seating {
            mover: subject.rules.to_move(subject.variant, subject.position)?,
            sides: variant.seats.iter().map(|seat| seat.side).collect(),
            has_two_sides: variant.n_sides == 2,
            plies_max: variant.plies_max,
        })
    }

    /// Returns the result for the side to move.
    pub(super) fn outcome(&self, scores: &Scores) -> Wdl {
        Wdl::of_score(scores[self.mover])
    }

    /// Checks that the values of a report agree with each other and with the bounds of the game.
    pub(super) fn check_report(&self, report: &Report<String>, stop: Option<StopReason>) -> Result<(), Reason> {
        let Report { lines, evaluation, depth, .. } = report;
        let Some(best) = lines.first() else { return Err("no line") };
        for evaluation in lines.iter().map(|line| &line.evaluation).chain([evaluation]) {
            self.check_evaluation(evaluation)?;
        }
        if *depth > PLIES_MAX {
            return Err("a depth that no search reaches");
        }
        if !is_proven(evaluation) {
            return if stop == Some(StopReason::Proven) { Err("a proof without a proven value") } else { Ok(()) };
        }
        let value = evaluation.scores[self.mover];
        let is_better = |line: &Line<String>| {
            is_proven(&line.evaluation) && line.evaluation.scores[self.mover] > value + SCORE_TOLERANCE
        };
        if lines.iter().any(is_better) {
            return Err("a move that is better than the position");
        }
        if !is_proven(&best.evaluation) {
            return Ok(());
        }
        if value > best.evaluation.scores[self.mover] + SCORE_TOLERANCE {
            return Err("a position that is better than its best move");
        }
        match (evaluation.plies_to_end, best.evaluation.plies_to_end) {
            (Some(plies), Some(of_best)) if plies != of_best => Err("a position and its best move with other plies"),
            _ => Ok(()),
        }
    }

    fn check_evaluation(&self, evaluation: &Evaluation) -> Result<(), Reason> {
        let Evaluation { outcome, plies_to_end, scores, depth, .. } = evaluation;
        if scores.as_slice().len() != self.sides.len() {
            return Err("scores of another number of seats");
        }
        if !scores.as_slice().iter().all(|score| (0.0..=1.0).contains(score)) {
            return Err("a score outside 0 to 1");
        }
        if *depth > PLIES_MAX || plies_to_end.is_some_and(|plies| plies > self.plies_max.unwrap_or(PLIES_MAX)) {
            return Err("more plies than a game has");
        }
        if is_proven(evaluation) && *plies_to_end == Some(0) {
            return Err("an end in no plies of a game that is not over");
        }
        let Some(outcome) = outcome else { return Ok(()) };
        if !is_proven(evaluation) || !self.has_two_sides {
            return Err("an outcome that is not proven, or in a game without two sides");
        }
        let expected = |side: u32| if side == self.sides[self.mover] { *outcome } else { outcome.opposite() };
        let agrees = |(score, side): (&f64, &u32)| Wdl::of_score(*score) == expected(*side);
        match scores.as_slice().iter().zip(&self.sides).all(agrees) {
            true => Ok(()),
            false => Err("scores that do not agree with the outcome"),
        }
    }

    /// Checks the value of a proven line against its end: the final scores, if it ends the game.
    pub(super) fn check_end(&self, line: &Line<String>, ended: Option<&Scores>) -> Result<(), Reason> {
        let Evaluation { plies_to_end, scores, .. } = &line.evaluation;
        let n_moves = u32::try_from(line.moves.len()).unwrap_or(u32::MAX);
        let Some(ended) = ended else {
            // The later moves of a line are expected, and not always the best: they do not refute its plies.
            return if *plies_to_end == Some(1) { Err("a last move that does not end the game") } else { Ok(()) };
        };
        if (ended[self.mover] - scores[self.mover]).abs() > SCORE_TOLERANCE {
            return Err("a line that ends the game with another result");
        }
        match plies_to_end {
            Some(plies) if *plies != n_moves => Err("a line that ends the game after other plies"),
            _ => Ok(()),
        }
    }
}

pub(super) fn is_proven(evaluation: &Evaluation) -> bool {
    evaluation.certainty == Certainty::Proven
}

#[cfg(test)]
mod tests {
    use pentad_model::Source;

    use super::*;

    fn seating() -> Seating {
        Seating { mover: 0, sides: vec![0, 1], has_two_sides: true, plies_max: Some(36) }
    }

    fn win_in(plies: u32) -> Evaluation {
        Evaluation {
            certainty: Certainty::Proven,
            outcome: Some(Wdl::Win),
            plies_to_end: Some(plies),
            scores: Scores::pair(0, 1.0),
            source: Source::Search,
            depth: plies,
        }
    }

    fn line(evaluation: Evaluation, n_moves: usize) -> Line<String> {
        Line { moves: vec!["a1".to_owned(); n_moves], evaluation }
    }

    fn report(evaluation: Evaluation, of_line: Evaluation) -> Report<String> {
        let stop = Some(pentad_model::StopReason::Proven);
        Report { lines: vec![line(of_line, 1)], evaluation, depth: 3, nodes: 9, stop }
    }

    /// Answers that contradict themselves or the bounds of the game are refused, with the reason.
    #[test]
    fn contradictions() {
        let win = win_in(3);
        let with = |change: fn(&mut Evaluation)| {
            let mut changed = win_in(3);
            change(&mut changed);
            changed
        };
        let draw = with(|it| (it.outcome, it.scores) = (Some(Wdl::Draw), Scores::pair(0, 0.5)));
        let loss = with(|it| (it.outcome, it.scores) = (Some(Wdl::Loss), Scores::pair(0, 0.0)));
        let both_ways = |evaluation: Evaluation| report(evaluation, evaluation);
        let cases = [
            (both_ways(win), None),
            (both_ways(draw), None),
            (report(win, win.as_estimate()), None),
            (both_ways(with(|it| it.plies_to_end = None)), None),
            (Report { lines: Vec::new(), ..both_ways(win) }, Some("no line")),
            (both_ways(with(|it| it.scores = Scores::even(3))), Some("scores of another number of seats")),
            (both_ways(with(|it| it.scores = Scores::new(&[f64::NAN, 0.0]))), Some("a score outside 0 to 1")),
            (both_ways(with(|it| it.plies_to_end = Some(37))), Some("more plies than a game has")),
            (both_ways(with(|it| it.depth = u32::MAX)), Some("more plies than a game has")),
            (Report { depth: u32::MAX, ..both_ways(win) }, Some("a depth that no search reaches")),
            (both_ways(win_in(0)), Some("an end in no plies of a game that is not over")),
            (
                both_ways(with(|it| it.certainty = Certainty::Estimate)),
                Some("an outcome that is not proven, or in a game without two sides"),
            ),
            (both_ways(with(|it| it.outcome = Some(Wdl::Loss))), Some("scores that do not agree with the outcome")),
            (
                both_ways(with(|it| (it.outcome, it.scores) = (Some(Wdl::Draw), Scores::new(&[1.0, 1.0])))),
                Some("scores that do not agree with the outcome"),
            ),
            (
                both_ways(with(|it| it.scores = Scores::new(&[1.0, 1.0]))),
                Some("scores that do not agree with the outcome"),
            ),
            (both_ways(win.as_estimate()), Some("a proof without a proven value")),
            (report(loss, draw), Some("a move that is better than the position")),
            (report(draw, loss), Some("a position that is better than its best move")),
            (report(win, win_in(5)), Some("a position and its best move with other plies")),
        ];
        for (report, expected) in cases {
            assert_eq!(seating().check_report(&report, Some(StopReason::Proven)).err(), expected, "{report:?}");
        }
        let three_sides = Seating { sides: vec![0, 1, 2], has_two_sides: false, ..seating() };
        let of_three = with(|it| it.scores = Scores::new(&[1.0, 0.0, 0.0]));
        let refused = three_sides.check_report(&both_ways(of_three), None).err();
        assert_eq!(refused, Some("an outcome that is not proven, or in a game without two sides"));
    }

    /// A line that ends the game fixes result and plies; the last move of a game ends it.
    #[test]
    fn ends_of_lines() {
        let (won, lost) = (Scores::pair(0, 1.0), Scores::pair(0, 0.0));
        let unknown = Evaluation { plies_to_end: None, ..win_in(1) };
        let cases = [
            (win_in(3), 3, Some(won), None),
            (unknown, 3, Some(won), None),
            (win_in(3), 2, None, None),
            (unknown, 9, None, None),
            (win_in(3), 3, Some(lost), Some("a line that ends the game with another result")),
            (win_in(5), 3, Some(won), Some("a line that ends the game after other plies")),
            (win_in(3), 4, None, None),
            (win_in(1), 1, None, Some("a last move that does not end the game")),
        ];
        for (evaluation, n_moves, ended, expected) in cases {
            let line = line(evaluation, n_moves);
            assert_eq!(seating().check_end(&line, ended.as_ref()).err(), expected, "{line:?}");
        }
    }
}
