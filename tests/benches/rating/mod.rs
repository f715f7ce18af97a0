//! Ratings from the results of matches.

/// Elo of a tenfold chance to win.
const ELO_PER_TENFOLD: f64 = 400.0;
/// Iterations after which strengths no longer change in any printed digit.
const ITERATIONS: usize = 10_000;
/// Standard deviations of a 95 % confidence interval.
const Z: f64 = 1.96;

/// Results of the games between two players, from the first one's view.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) wins: u32,
    pub(crate) draws: u32,
    pub(crate) losses: u32,
}

impl Tally {
    pub(crate) fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Returns the share of the points, with half a point for a draw.
    pub(crate) fn score(&self) -> f64 {
        (f64::from(self.wins) + 0.5 * f64::from(self.draws)) / f64::from(self.games().max(1))
    }

    /// Returns the 95 % confidence interval of the score, by Wilson's formula.
    pub(crate) fn interval(&self) -> (f64, f64) {
        let (n, score) = (f64::from(self.games().max(1)), self.score());
        let centre = (score + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
        let half = Z / (1.0 + Z * Z / n) * (score * (1.0 - score) / n + Z * Z / (4.0 * n * n)).sqrt();
        ((centre - half).max(0.0), (centre + half).min(1.0))
    }
}

/// A match between two players.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Match {
    pub(crate) stronger: u8,
    pub(crate) weaker: u8,
    /// Results from the stronger player's view.
    pub(crate) tally: Tally,
}

/// Returns the Elo-like rating of every player that matches link to the lowest one, whose
/// rating is 0: the maximum-likelihood strengths of the Bradley-Terry model. Each match
/// counts one additional drawn game, so that a clean sweep is finite.
pub(crate) fn ratings(matches: &[Match]) -> Vec<(u8, f64)> {
    let mut players: Vec<u8> = matches.iter().map(|it| it.weaker.min(it.stronger)).min().into_iter().collect();
    // Each round adds the neighbours of linked players.
    for _ in 0..=u8::MAX {
        let linked = matches.iter().filter(|it| players.contains(&it.stronger) != players.contains(&it.weaker));
        let Some(next) = linked.map(|it| [it.stronger, it.weaker]).next() else { break };
        players.extend(next.into_iter().filter(|player| !players.contains(player)).collect::<Vec<_>>());
    }
    players.sort_unstable();
    let idx = |player: u8| players.iter().position(|&it| it == player);
    let mut strengths = vec![1.0; players.len()];
    for _ in 0..ITERATIONS {
        let (mut points, mut expected) = (vec![0.0; players.len()], vec![0.0; players.len()]);
        for Match { stronger, weaker, tally } in matches {
            let (Some(a), Some(b)) = (idx(*stronger), idx(*weaker)) else { continue };
            let n = f64::from(tally.games());
            points[a] += n * tally.score() + 0.5;
            points[b] += n * (1.0 - tally.score()) + 0.5;
            let share = (n + 1.0) / (strengths[a] + strengths[b]);
            expected[a] += share;
            expected[b] += share;
        }
        for (strength, (points, expected)) in strengths.iter_mut().zip(points.into_iter().zip(expected)) {
            *strength = points / expected;
        }
        let lowest = strengths.first().copied().unwrap_or(1.0);
        strengths.iter_mut().for_each(|strength| *strength /= lowest);
    }
    players.into_iter().zip(strengths.into_iter().map(|strength| ELO_PER_TENFOLD * f64::log10(strength))).collect()
}
