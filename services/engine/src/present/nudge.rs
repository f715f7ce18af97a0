//! Nudges: what to look for, without saying where.

use pentad_model::Reason;
use pentad_model::{Certainty, Evaluation};

use crate::present::i18n;

/// Ratio to the even share from which chances count as better or worse than even.
const BETTER: f64 = 1.3;
const WORSE: f64 = 0.7;

/// Returns a reason with the code `nudge` about a move that is not named: its value, and whether the search
/// ranks it first. `position` is the value of the position.
pub(crate) fn reason(position: &Evaluation, mv: &Evaluation, is_best: bool, seat: usize) -> Reason {
    if mv.certainty == Certainty::Proven {
        return proven(position, mv, is_best, seat);
    }
    let scores = mv.scores.as_slice();
    let even = scores.iter().sum::<f64>() / scores.len() as f64;
    let share = scores[seat] / even;
    let id = match (is_best, share) {
        (true, BETTER..) => "nudge.best.better",
        (true, WORSE..BETTER) => "nudge.best.even",
        (true, _) if scores.len() == 2 => "nudge.best.worse",
        (true, _) => "nudge.best.worse_many",
        (false, BETTER..) => "nudge.other.better",
        (false, WORSE..BETTER) => "nudge.other.even",
        (false, _) => "nudge.other.worse",
    };
    i18n::reason(id, Vec::new())
}

fn proven(position: &Evaluation, mv: &Evaluation, is_best: bool, seat: usize) -> Reason {
    let of = |[best, other]: [&'static str; 2]| if is_best { best } else { other };
    let score = mv.scores[seat];
    let has_two_sides = mv.outcome.is_some();
    if score >= 1.0 {
        return match mv.plies_to_end {
            Some(1) => i18n::reason(of(["nudge.best.wins_now", "nudge.other.wins_now"]), Vec::new()),
            Some(plies) => i18n::reason(of(["nudge.best.wins_plies", "nudge.other.wins_plies"]), i18n::plies(plies)),
            None => i18n::reason(of(["nudge.best.wins", "nudge.other.wins"]), Vec::new()),
        };
    }
    let is_best_possible = position.certainty == Certainty::Proven && position.scores[seat] <= score;
    match (is_best_possible, score <= 0.0, has_two_sides) {
        (true, true, _) => i18n::reason("nudge.all_lose", Vec::new()),
        (true, false, true) => i18n::reason("nudge.all_draw", Vec::new()),
        (true, false, false) => i18n::reason("nudge.all_score", i18n::score(score)),
        (false, true, _) => i18n::reason(of(["nudge.best.loses", "nudge.other.loses"]), Vec::new()),
        (false, false, true) => i18n::reason(of(["nudge.best.draws", "nudge.other.draws"]), Vec::new()),
        (false, false, false) => i18n::reason(of(["nudge.best.scores", "nudge.other.scores"]), i18n::score(score)),
    }
}

#[cfg(test)]
mod tests {
    use pentad_model::{Scores, Source, Wdl};

    use super::*;

    fn estimate(scores: &[f64]) -> Evaluation {
        Evaluation {
            certainty: Certainty::Estimate,
            outcome: None,
            plies_to_end: None,
            scores: Scores::new(scores),
            source: Source::Search,
            depth: 1,
        }
    }

    fn proven(scores: &[f64], plies_to_end: Option<u32>) -> Evaluation {
        let outcome = (scores.len() == 2).then(|| Wdl::of_score(scores[0]));
        Evaluation { certainty: Certainty::Proven, outcome, plies_to_end, ..estimate(scores) }
    }

    /// Chances are compared with the even share, however many seats there are.
    #[test]
    fn chances_are_relative_to_the_even_share() {
        for (scores, word) in [
            (&[0.5, 0.5][..], "about even"),
            (&[0.7, 0.3], "better chances"),
            (&[0.3, 0.7], "difficult"),
            (&[0.25, 0.25, 0.25, 0.25], "about even"),
            (&[0.4, 0.2, 0.2, 0.2], "better chances"),
            (&[0.2, 0.4, 0.4], "others threaten"),
            (&[0.5, 0.5, 0.5, 0.5], "about even"),
        ] {
            let evaluation = estimate(scores);
            let text = reason(&evaluation, &evaluation, true, 0).text;
            assert!(text.contains(word), "{scores:?}: {text}");
        }
    }

    /// A proof is described as one, with any number of seats, and "every move" appears only where the
    /// position itself is proven.
    #[test]
    fn proofs_are_told() {
        let (two, four) = (&[1.0, 0.0][..], &[1.0, 0.0, 0.0, 0.0][..]);
        for (position, mv, is_best, expected) in [
            (proven(two, Some(1)), proven(two, Some(1)), true, "There is a move that wins at once."),
            (proven(four, Some(1)), proven(four, Some(1)), true, "There is a move that wins at once."),
            (
                proven(two, Some(3)),
                proven(two, Some(5)),
                false,
                "There is another move, which wins by force within 5 plies.",
            ),
            (
                proven(two, None),
                proven(&[0.0, 1.0], Some(2)),
                false,
                "There is another move, which loses against best play.",
            ),
            (
                proven(&[0.0, 1.0], Some(4)),
                proven(&[0.0, 1.0], Some(4)),
                true,
                "Every move loses against best play: make it as hard as possible.",
            ),
            (proven(&[0.5, 0.5], None), proven(&[0.5, 0.5], None), true, "The best that can be had is a draw."),
            (
                estimate(&[0.6, 0.4]),
                proven(&[0.0, 1.0], Some(2)),
                false,
                "There is another move, which loses against best play.",
            ),
            (
                proven(&[0.67, 1.0, 0.33, 0.0], Some(2)),
                proven(&[0.67, 1.0, 0.33, 0.0], Some(2)),
                true,
                "The result is settled: the best that can be had is a score of 0.67.",
            ),
        ] {
            let nudge = reason(&position, &mv, is_best, 0);
            assert_eq!((nudge.code.as_str(), nudge.text.as_str()), ("nudge", expected));
        }
    }
}
