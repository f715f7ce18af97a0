//! Weaker play, for bots and beginners.
//!
//! A level below the full one errs as people do: it searches less deep, overlooks some moves, and misjudges
//! those that it sees. Misjudgement is scaled by the spread of the candidates' estimates, so that a level
//! means much the same in a game whose estimates stay near even and in one where they jump. Nothing here
//! depends on a particular game. `services/LEVELS.md` has the measured strengths.
//!
//! The higher a level, the more it respects proofs:
//!
//! | from level | it |
//! | --- | --- |
//! | [`SEES_WINS`] | never misses a win in one that its search has proven; with two sides, never chooses a proven loss while another move is not |
//! | [`KEEPS_WINS`] | never leaves a proven win; with two sides or in a won game, errs only among moves that are nearly as good as the best |
//! | [`STOPS_ALL`] | does the same among more than two sides, whatever the position |

use std::hash::{BuildHasher, RandomState};

use pentad_model::rng::Rng;
use pentad_model::{Certainty, Line, Report};

use crate::question::QuestionLimits;

/// The strongest level, which changes nothing.
pub(crate) const FULL: u8 = 10;
/// From this level on a win in one is never missed and, with two sides, a proven loss never chosen.
const SEES_WINS: u8 = 6;
/// From this level on nothing is given away by chance with two sides or in a won game.
const KEEPS_WINS: u8 = 8;
/// From this level on the same holds among more than two sides. There all others stop the side that is about
/// to win, so a level that overlooks no threat draws with the strongest.
const STOPS_ALL: u8 = 9;
/// Most of the expected score that a level from [`KEEPS_WINS`] on gives away by chance.
const CARELESSNESS_MAX: f64 = 0.1;
/// Among more than two sides, a seat that is likelier to win than all others together has a won game.
const WON_AMONG_MANY: f64 = 0.5;

/// Parameters of a level.
struct Level {
    /// Node limit of its search.
    nodes: u64,
    /// Depth limit of its search.
    depth: u32,
    /// Number of moves that it chooses from.
    n_candidates: usize,
    /// Probability of overlooking a move; a win in one is examined twice.
    overlooks: f64,
    /// Error of its estimates, in standard deviations of the candidates' estimates.
    misjudges: f64,
}

/// Levels 1 to 9 of games with two sides.
const LEVELS: [Level; 9] = [
    Level { nodes: 1_000, depth: 1, n_candidates: 500, overlooks: 0.75, misjudges: 2.10 },
    Level { nodes: 1_000, depth: 1, n_candidates: 400, overlooks: 0.66, misjudges: 1.65 },
    Level { nodes: 1_500, depth: 2, n_candidates: 220, overlooks: 0.54, misjudges: 1.22 },
    Level { nodes: 2_000, depth: 2, n_candidates: 100, overlooks: 0.41, misjudges: 0.87 },
    Level { nodes: 3_000, depth: 3, n_candidates: 45, overlooks: 0.31, misjudges: 0.63 },
    Level { nodes: 4_500, depth: 3, n_candidates: 28, overlooks: 0.24, misjudges: 0.49 },
    Level { nodes: 6_000, depth: 64, n_candidates: 28, overlooks: 0.18, misjudges: 0.46 },
    Level { nodes: 8_000, depth: 64, n_candidates: 24, overlooks: 0.12, misjudges: 0.42 },
    Level { nodes: 60_000, depth: 64, n_candidates: 6, overlooks: 0.02, misjudges: 0.05 },
];

/// Levels 1 to 9 of games with more sides. There all others stop the side that is about to win, so small
/// mistakes decide nothing and lower levels have to make greater ones.
const LEVELS_OF_MANY: [Level; 9] = [
    Level { nodes: 1_000, depth: 1, n_candidates: 500, overlooks: 0.78, misjudges: 3.20 },
    Level { nodes: 1_000, depth: 1, n_candidates: 485, overlooks: 0.755, misjudges: 2.70 },
    Level { nodes: 1_000, depth: 1, n_candidates: 440, overlooks: 0.715, misjudges: 2.05 },
    Level { nodes: 1_200, depth: 2, n_candidates: 360, overlooks: 0.65, misjudges: 1.65 },
    Level { nodes: 1_400, depth: 2, n_candidates: 270, overlooks: 0.58, misjudges: 1.35 },
    Level { nodes: 1_550, depth: 2, n_candidates: 230, overlooks: 0.55, misjudges: 1.25 },
    Level { nodes: 1_900, depth: 2, n_candidates: 165, overlooks: 0.48, misjudges: 1.05 },
    Level { nodes: 2_300, depth: 2, n_candidates: 120, overlooks: 0.42, misjudges: 0.90 },
    Level { nodes: 60_000, depth: 64, n_candidates: 6, overlooks: 0.02, misjudges: 0.05 },
];

/// Returns the parameters of a level for a number of sides; `None` for the full level.
fn settings(level: u8, n_sides: usize) -> Option<&'static Level> {
    let levels = if n_sides > 2 { &LEVELS_OF_MANY } else { &LEVELS };
    levels.get(usize::from(level) - 1)
}

/// Tightens the limits of a question to what a level may use.
pub(crate) fn tighten(level: u8, n_sides: usize, limits: QuestionLimits) -> QuestionLimits {
    let Some(&Level { nodes, depth, .. }) = settings(level, n_sides) else { return limits };
    QuestionLimits {
        time: limits.time,
        nodes: Some(limits.nodes.map_or(nodes, |asked| asked.min(nodes))),
        depth: Some(limits.depth.map_or(depth, |asked| asked.min(depth))),
    }
}

/// Returns how many lines to search so that `count` hints can be given at this level.
pub(crate) fn n_lines(level: u8, n_sides: usize, count: usize) -> usize {
    settings(level, n_sides).map_or(count, |settings| count.max(settings.n_candidates))
}

/// Rank of a move at a level: first by what is proven or seen, then by how good the move seems.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
enum Rank {
    KnownLoss(f64),
    /// Not good enough to be chosen by mistake.
    TooBad(f64),
    Overlooked(f64),
    Seen(f64),
    KnownWin(f64),
}

/// Returns the indices of a report's lines in the order in which a level would choose them for the seat to
/// move; the same order for the same seed.
pub(crate) fn order(level: u8, n_sides: usize, seed: u64, seat: usize, report: &Report<String>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..report.lines.len()).collect();
    let Some(settings) = settings(level, n_sides) else { return order };
    let scores: Vec<f64> = report.lines.iter().map(|line| line.evaluation.scores[seat]).collect();
    let best = scores.iter().copied().fold(0.0, f64::max);
    let error = settings.misjudges * standard_deviation(&scores);
    let among_many = n_sides > 2;
    let sees_losses = level >= if among_many { STOPS_ALL } else { SEES_WINS };
    let is_careful = level >= if among_many && best <= WON_AMONG_MANY { STOPS_ALL } else { KEEPS_WINS };
    let mut rng = Rng::new(seed ^ u64::from(level));
    let rank = |line: &Line<String>| {
        let (score, plies) = (line.evaluation.scores[seat], line.evaluation.plies_to_end);
        let is_proven = line.evaluation.certainty == Certainty::Proven;
        let (is_won, is_lost) = (is_proven && score >= 1.0, is_proven && score <= 0.0);
        let ends_now = plies == Some(1);
        let looks: [f64; 2] = [rng.unit(), rng.unit()];
        let seems = score + error * gumbel(&mut rng);
        let is_seen = looks[0] >= settings.overlooks || (is_won && ends_now && looks[1] >= settings.overlooks);
        // The sooner the end, the further from all estimates.
        let urgency = plies.map_or(seems - 10.0, |plies| 1.0 / f64::from(plies + 1));
        match level {
            SEES_WINS.. if is_won && (ends_now || level >= KEEPS_WINS) => Rank::KnownWin(urgency),
            // Proven wins in one are not misjudged.
            _ if is_won && ends_now && is_seen => Rank::KnownWin(urgency),
            _ if is_lost && sees_losses => Rank::KnownLoss(-urgency),
            _ if is_careful && score < best - CARELESSNESS_MAX => Rank::TooBad(seems),
            _ if is_seen => Rank::Seen(seems),
            _ => Rank::Overlooked(seems),
        }
    };
    let ranks: Vec<Rank> = report.lines.iter().map(rank).collect();
    order.sort_by(|&a, &b| ranks[b].partial_cmp(&ranks[a]).expect("scores are numbers"));
    order
}

/// Returns a different seed each time.
pub(crate) fn random_seed() -> Option<u64> {
    Some(RandomState::new().hash_one(()))
}

/// Returns the standard deviation of numbers.
fn standard_deviation(numbers: &[f64]) -> f64 {
    let n = numbers.len().max(1) as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    (numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / n).sqrt()
}

/// Returns a random error such that of two estimates that differ by one, the better one seems better e times
/// as often (the Gumbel distribution, which makes the choice of the best a softmax).
fn gumbel(rng: &mut Rng) -> f64 {
    -(-rng.unit().max(f64::MIN_POSITIVE).ln()).ln()
}

#[cfg(test)]
mod tests {
    use pentad_model::{Evaluation, Scores, Source, Wdl};

    use super::*;

    /// Returns a proven line, with its plies to the end if known, or an estimate.
    fn line(score: f64, proven: Option<Option<u32>>) -> Line<String> {
        let certainty = if proven.is_some() { Certainty::Proven } else { Certainty::Estimate };
        let evaluation = Evaluation {
            certainty,
            outcome: proven.map(|_| Wdl::of_score(score)),
            plies_to_end: proven.flatten(),
            scores: Scores::new(&[score, 1.0 - score]),
            source: Source::Search,
            depth: 1,
        };
        Line { moves: vec!["a1".to_owned()], evaluation }
    }

    /// Two wins, eight estimates, a draw, two losses, in the search's order.
    fn report() -> Report<String> {
        let mut lines = vec![line(1.0, Some(Some(1))), line(1.0, Some(None))];
        lines.extend((0..8).map(|idx| line(0.6 - 0.02 * f64::from(idx), None)));
        lines.extend([line(0.5, Some(None)), line(0.0, Some(Some(6))), line(0.0, Some(Some(2)))]);
        of(lines)
    }

    /// Returns the choice of a level for each of many seeds.
    fn choices(level: u8, report: &Report<String>) -> Vec<usize> {
        (0..400).map(|seed| order(level, 2, seed, 0, report)[0]).collect()
    }

    /// Returns a report with these lines.
    fn of(lines: Vec<Line<String>>) -> Report<String> {
        Report { evaluation: lines[0].evaluation, lines, depth: 1, nodes: 10, stop: None }
    }

    /// From level 6 on a win in one is always chosen; a beginner misses it now and then.
    #[test]
    fn wins_in_one_are_seen() {
        let misses = |level| choices(level, &report()).iter().filter(|&&choice| choice != 0).count();
        for level in SEES_WINS..=FULL {
            assert_eq!(misses(level), 0, "level {level}");
        }
        assert!(misses(1) > misses(3) && misses(3) > 0, "{} and {}", misses(1), misses(3));
        assert!(misses(1) < 240, "seen about every other time, not missed {} of 400", misses(1));
    }

    /// From level 6 on moves that are known to lose come last, the longest resistance
    /// first.
    #[test]
    fn known_losses_come_last() {
        for level in SEES_WINS..=FULL {
            for seed in 0..200 {
                assert_eq!(order(level, 2, seed, 0, &report())[11..], [11, 12], "level {level}, seed {seed}");
            }
        }
    }

    /// From level 8 on a proven win is never left, however long it takes; below, it may
    /// be overlooked.
    #[test]
    fn won_endings_are_kept() {
        let mut lines = vec![line(1.0, Some(Some(9))), line(1.0, Some(None))];
        lines.extend((0..6).map(|idx| line(0.99 - 0.001 * f64::from(idx), None)));
        let ending = of(lines);
        let leaves = |level| choices(level, &ending).iter().filter(|&&choice| choice > 1).count();
        for level in KEEPS_WINS..=FULL {
            assert_eq!(leaves(level), 0, "level {level}");
        }
        assert!(leaves(SEES_WINS) > 0);
    }

    /// From level 8 on chance decides only among moves of nearly the same value.
    #[test]
    fn high_levels_give_little_away() {
        let scores = [0.85, 0.80, 0.76, 0.74, 0.60, 0.50];
        let estimates = of(scores.iter().map(|&score| line(score, None)).collect());
        for level in KEEPS_WINS..=FULL {
            assert!(choices(level, &estimates).iter().all(|&choice| choice < 3), "level {level}");
        }
        assert!(choices(SEES_WINS, &estimates).iter().any(|&choice| choice >= 3));
    }

    /// Among more than two sides the same holds for level 8 in won games, and for level 9 everywhere; only
    /// level 9 always stops a proven loss.
    #[test]
    fn a_won_game_is_kept_among_many() {
        let estimates = |best: f64| {
            of([0.0, 0.05, 0.09, 0.11, 0.25]
                .map(|less| Line {
                    evaluation: Evaluation {
                        scores: Scores::new(&[best - less, 0.1, 0.1]),
                        ..line(0.5, None).evaluation
                    },
                    ..line(0.5, None)
                })
                .to_vec())
        };
        let gives_away = |level, best| (0..400).any(|seed| order(level, 3, seed, 0, &estimates(best))[0] >= 3);
        assert!(gives_away(8, 0.4) && !gives_away(8, 0.8));
        assert!(!gives_away(9, 0.4) && !gives_away(9, 0.8));
        let threatened = of(vec![line(0.3, None), line(0.25, None), line(0.0, Some(Some(2)))]);
        let chooses_loss = |level, n_sides| (0..400).any(|seed| order(level, n_sides, seed, 0, &threatened)[0] == 2);
        assert!(chooses_loss(6, 3) && !chooses_loss(6, 2) && !chooses_loss(9, 3));
    }

    /// Level 1 varies more often than level 5, that more than level 8, and level 10 not
    /// at all.
    #[test]
    fn lower_levels_vary_more() {
        let estimates = of((0..12).map(|idx| line(0.6 - 0.02 * f64::from(idx), None)).collect());
        let varied = |level| choices(level, &estimates).iter().filter(|&&choice| choice != 0).count();
        let counts = [1, 5, 8, FULL].map(varied);
        assert!(counts.is_sorted_by(|a, b| a > b) && counts[3] == 0, "{counts:?}");
    }

    /// Every level is weaker than the next: it looks less far, overlooks more, misjudges more.
    #[test]
    fn levels_are_in_order() {
        for levels in [&LEVELS, &LEVELS_OF_MANY] {
            for pair in levels.windows(2) {
                let [lower, higher] = pair else { unreachable!("windows of two") };
                assert!(lower.nodes <= higher.nodes && lower.depth <= higher.depth);
                assert!(lower.n_candidates >= higher.n_candidates);
                assert!(lower.overlooks > higher.overlooks && lower.misjudges > higher.misjudges);
            }
        }
    }

    /// Errors are proportional to the differences between the moves, so that levels are the same in a game
    /// whose estimates are all near even.
    #[test]
    fn squeezed_estimates_make_no_difference() {
        let estimates = |scale: f64| of((0..12).map(|idx| line(0.5 + scale * f64::from(6 - idx), None)).collect());
        for level in 1..KEEPS_WINS {
            assert_eq!(choices(level, &estimates(0.05)), choices(level, &estimates(0.0005)), "level {level}");
        }
    }

    /// From level 3 on a mistake is more often a small one than a big one, and from level 5
    /// on far more often.
    #[test]
    fn plausible_mistakes_are_likelier() {
        let clear = of([0.8, 0.79, 0.78, 0.3, 0.3, 0.3].map(|score| line(score, None)).to_vec());
        for level in 3..KEEPS_WINS {
            let choices = choices(level, &clear);
            let [near, far] = [1..3, 3..6].map(|idxs| choices.iter().filter(|&it| idxs.contains(it)).count());
            let factor = if level < 5 { 1 } else { 2 };
            assert!(near > factor * far, "level {level}: {near} and {far}");
        }
    }

    /// Among wins of unknown length the choice varies.
    #[test]
    fn equal_proofs_vary() {
        let mut first = choices(5, &of((0..4).map(|_| line(1.0, Some(None))).collect()));
        first.sort_unstable();
        first.dedup();
        assert_eq!(first, [0, 1, 2, 3]);
    }
}
