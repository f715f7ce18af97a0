//! A probability for every move, derived from the values that a search gave them.
//!
//! Searches here do not try moves in proportion to their worth, so there is no share of visits to report.
//! The probabilities say instead how a player would choose who sees the values of the search and takes
//! small differences for noise: a softmax of the expected scores.

use pentad_model::{Certainty, Evaluation};

/// Most moves that a policy values.
pub(crate) const POLICY_MOVES_MAX: usize = 1_000;
/// Difference in expected score by which a move is e times as probable as another, in a game of two sides.
/// It is the loss from which a review calls a move an inaccuracy.
const TEMPERATURE: f64 = 0.05;

/// Returns the probability of each move from its value; they add up to 1.
///
/// Proven wins share everything; proven losses get nothing while there is any other move.
pub(crate) fn probabilities(values: &[Evaluation], seat: usize, n_sides: usize) -> Vec<f64> {
    let temperature = TEMPERATURE * 2.0 / n_sides.max(2) as f64;
    let class = |value: &Evaluation| match (value.certainty, value.scores[seat]) {
        (Certainty::Proven, 1.0..) => 2,
        (Certainty::Proven, ..=0.0) => 0,
        _ => 1,
    };
    let best_class = values.iter().map(class).max().unwrap_or_default();
    let is_playable = |value: &&Evaluation| class(value) == best_class;
    let best = values.iter().filter(is_playable).map(|value| value.scores[seat]).fold(0.0, f64::max);
    let weight = |value: &Evaluation| match is_playable(&value) {
        true => ((value.scores[seat] - best) / temperature).exp(),
        false => 0.0,
    };
    let weights: Vec<f64> = values.iter().map(weight).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

#[cfg(test)]
mod tests {
    use pentad_model::{Scores, Source, Wdl};

    use super::*;

    fn estimate(score: f64) -> Evaluation {
        Evaluation::static_estimate(Scores::pair(0, score))
    }

    fn proven(score: f64) -> Evaluation {
        Evaluation {
            certainty: Certainty::Proven,
            outcome: Some(Wdl::of_score(score)),
            source: Source::Solver,
            ..estimate(score)
        }
    }

    /// A move that is worth less by the temperature is e times less probable, and all add up to 1.
    #[test]
    fn worse_moves_are_less_probable() {
        let found = probabilities(&[estimate(0.6), estimate(0.55), estimate(0.6), estimate(0.1)], 0, 2);
        assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{found:?}");
        assert!((found[0] / found[1] - std::f64::consts::E).abs() < 1e-9, "{found:?}");
        assert!(found[0] == found[2] && found[3] > 0.0 && found[3] < 1e-4, "{found:?}");
        let of_four_sides = probabilities(&[estimate(0.6), estimate(0.575)], 0, 4);
        assert!((of_four_sides[0] / of_four_sides[1] - std::f64::consts::E).abs() < 1e-9, "{of_four_sides:?}");
    }

    /// Proofs overrule estimates: proven wins share everything, proven losses get nothing.
    #[test]
    fn proofs_decide() {
        assert_eq!(probabilities(&[proven(1.0), estimate(1.0), proven(1.0)], 0, 2), [0.5, 0.0, 0.5]);
        assert_eq!(probabilities(&[estimate(0.0), proven(0.0)], 0, 2), [1.0, 0.0]);
        assert_eq!(probabilities(&[proven(0.0), proven(0.0)], 0, 2), [0.5, 0.5]);
        assert_eq!(probabilities(&[proven(0.5), proven(0.0)], 0, 2), [1.0, 0.0]);
        assert!(probabilities(&[], 0, 2).is_empty());
    }
}
