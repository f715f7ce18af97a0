//! Elo from the results of pairs of games, and the sequential probability ratio test.
//!
//! A pair is played from one opening with colours swapped, so its two games are not
//! independent: the error comes from the variance of pairs.

/// Error probabilities of the test, both ways.
const ERROR_PROBABILITY: f64 = 0.05;
/// Standard deviations of a 95 % interval.
const Z95: f64 = 1.96;

/// The scores of one player in pairs of games, each 0 to 1.
#[derive(Clone, Debug, Default)]
pub(super) struct PairScores(Vec<f64>);

/// A difference in strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Elo {
    pub(super) difference: f64,
    /// Half of the 95 % interval; `None` if all pairs ended alike, which bounds nothing.
    pub(super) error: Option<f64>,
}

/// The hypotheses of a test: the difference is `elo0`, or `elo1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sprt {
    pub(super) elo0: f64,
    pub(super) elo1: f64,
}

/// State of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The player is at least as strong as `elo1` says.
    Accepted,
    /// It is not stronger than `elo0` says.
    Rejected,
    Open,
}

impl PairScores {
    pub(super) fn push(&mut self, score: f64) {
        self.0.push(score);
    }

    fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len().max(1) as f64
    }

    /// Returns the variance of a pair.
    fn variance(&self) -> f64 {
        let mean = self.mean();
        self.0.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / (self.0.len().max(2) - 1) as f64
    }

    /// Returns the difference that the mean score stands for.
    pub(super) fn elo(&self) -> Elo {
        let n_pairs = self.0.len().max(1) as f64;
        // Half a pair of draws more, so that a clean score gives a number.
        let smoothed = (self.mean() * n_pairs + 0.5) / (n_pairs + 1.0);
        let deviation = (self.variance() / n_pairs).sqrt();
        let bound = |score: f64| elo_of(score.clamp(1e-3, 1.0 - 1e-3));
        let error =
            (deviation > 0.0).then(|| (bound(smoothed + Z95 * deviation) - bound(smoothed - Z95 * deviation)) / 2.0);
        Elo { difference: bound(smoothed), error }
    }

    /// Returns the log-likelihood ratio of a test, in the normal approximation, and its
    /// verdict.
    pub(super) fn test(&self, sprt: Sprt) -> (f64, Verdict) {
        let variance = self.variance();
        if variance <= 0.0 {
            return (0.0, Verdict::Open);
        }
        let (s0, s1) = (score_of(sprt.elo0), score_of(sprt.elo1));
        let llr = self.0.len() as f64 * (s1 - s0) * (2.0 * self.mean() - s0 - s1) / (2.0 * variance);
        let bound = ((1.0 - ERROR_PROBABILITY) / ERROR_PROBABILITY).ln();
        let verdict = match llr {
            _ if llr >= bound => Verdict::Accepted,
            _ if llr <= -bound => Verdict::Rejected,
            _ => Verdict::Open,
        };
        (llr, verdict)
    }
}

/// Returns the difference at which a player expects this score.
fn elo_of(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(scores: &[f64], n_times: usize) -> PairScores {
        PairScores(scores.repeat(n_times))
    }

    /// Even results are no difference, three quarters of the points are 191 Elo.
    #[test]
    fn scores_become_elo() {
        let even = pairs(&[0.0, 0.5, 1.0], 100).elo();
        assert!(
            even.difference.abs() < 0.5 && even.error.is_some_and(|error| (10.0..40.0).contains(&error)),
            "{even:?}"
        );
        let better = pairs(&[0.5, 1.0], 500).elo();
        assert!((better.difference - 190.8).abs() < 1.0, "{better:?}");
        assert_eq!(pairs(&[0.5], 50).elo().error, None, "equal pairs say nothing about the error");
        let clean = pairs(&[1.0], 10).elo();
        assert!(clean.difference > 300.0 && clean.difference.is_finite(), "{clean:?}");
    }

    /// More pairs narrow the interval.
    #[test]
    fn errors_shrink_with_the_number_of_pairs() {
        let error = |n| pairs(&[0.0, 1.0, 0.5, 0.5], n).elo().error.unwrap();
        assert!(error(400) < error(100) / 1.8, "{} {}", error(400), error(100));
    }

    /// The test accepts a clear gain, rejects a clear loss, and stays open without one.
    #[test]
    fn the_test_decides() {
        let sprt = Sprt { elo0: 0.0, elo1: 30.0 };
        assert_eq!(pairs(&[0.5, 1.0], 100).test(sprt).1, Verdict::Accepted);
        assert_eq!(pairs(&[0.0, 0.5], 100).test(sprt).1, Verdict::Rejected);
        assert_eq!(pairs(&[0.0, 1.0], 2).test(sprt).1, Verdict::Open);
        assert_eq!(pairs(&[1.0], 100).test(sprt), (0.0, Verdict::Open), "no variance");
    }
}
