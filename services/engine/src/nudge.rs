//! What to look for, without saying where.

use pentad_search::{Certainty, Evaluation};

/// From this share of an even one on, chances are better or worse than even.
const BETTER: f64 = 1.3;
const WORSE: f64 = 0.7;

/// A sentence about a move that is not named: what it is worth, and whether it is
/// the one that the search ranks first. `position` is the value of the position.
pub(crate) fn text(position: &Evaluation, mv: &Evaluation, is_best: bool, seat: usize) -> String {
    let move_word = if is_best { "There is a move that" } else { "There is another move, which" };
    if mv.certainty == Certainty::Proven {
        return proven(position, mv, move_word, seat);
    }
    let scores = mv.scores.as_slice();
    let even = scores.iter().sum::<f64>() / scores.len() as f64;
    let share = scores[seat] / even;
    match (is_best, share) {
        (true, BETTER..) => "There is a move that keeps the better chances.".to_owned(),
        (true, WORSE..BETTER) => "Chances are about even: look for a move that does two things at once.".to_owned(),
        (true, _) if scores.len() == 2 => "The position is difficult: look at what the opponent threatens.".to_owned(),
        (true, _) => "The position is difficult: look at what the others threaten.".to_owned(),
        (false, BETTER..) => format!("{move_word} also keeps good chances."),
        (false, WORSE..BETTER) => format!("{move_word} keeps chances about even."),
        (false, _) => format!("{move_word} makes the position difficult."),
    }
}

fn proven(position: &Evaluation, mv: &Evaluation, move_word: &str, seat: usize) -> String {
    let score = mv.scores[seat];
    let has_two_sides = mv.outcome.is_some();
    if score >= 1.0 {
        return match mv.plies_to_end {
            Some(1) => format!("{move_word} wins at once."),
            Some(plies) => format!("{move_word} wins by force within {plies} plies."),
            None => format!("{move_word} wins by force."),
        };
    }
    let is_best_possible = position.certainty == Certainty::Proven && position.scores[seat] <= score;
    match (is_best_possible, score <= 0.0, has_two_sides) {
        (true, true, _) => "Every move loses against best play: make it as hard as possible.".to_owned(),
        (true, false, true) => "The best that can be had is a draw.".to_owned(),
        (true, false, false) => format!("The result is settled: the best that can be had is a score of {score:.2}."),
        (false, true, _) => format!("{move_word} loses against best play."),
        (false, false, true) => format!("{move_word} only draws against best play."),
        (false, false, false) => format!("{move_word} leads to a score of {score:.2}."),
    }
}

#[cfg(test)]
mod tests {
    use pentad_search::{Scores, Source, Wdl};

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
            let text = text(&evaluation, &evaluation, true, 0);
            assert!(text.contains(word), "{scores:?}: {text}");
        }
    }

    /// A proof is told as one, with any number of seats, and "every move" is said
    /// only where the position itself is proven.
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
            assert_eq!(text(&position, &mv, is_best, 0), expected);
        }
    }
}
