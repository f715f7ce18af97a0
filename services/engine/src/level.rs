//! Weaker play, for bots and beginners.
//!
//! A lower level searches less and chooses among its estimates with some luck.
//! What it knows it does not forget: no level leaves a win that is proven, or
//! chooses a move that is proven to lose while another is not.

use std::hash::{BuildHasher, RandomState};

use pentad_search::rng::Rng;
use pentad_search::{Certainty, Evaluation, Line, Report};

use crate::question::QuestionLimits;

/// The strongest level, which changes nothing.
pub(crate) const FULL: u8 = 10;

/// Levels 1 to 9: plies, positions, and how many points of expected score luck
/// may outweigh.
const LEVELS: [(u32, u64, f64); 9] = [
    (1, 2_000, 0.30),
    (1, 2_000, 0.20),
    (1, 4_000, 0.10),
    (2, 8_000, 0.10),
    (2, 20_000, 0.05),
    (3, 50_000, 0.05),
    (3, 150_000, 0.03),
    (4, 500_000, 0.02),
    (6, 2_000_000, 0.01),
];

/// How many different moves a lower level chooses from.
const CHOICES: usize = 12;

/// Tightens the limits of a question to what a level may use.
pub(crate) fn tighten(level: u8, limits: QuestionLimits) -> QuestionLimits {
    let Some(&(depth, nodes, _)) = LEVELS.get(usize::from(level) - 1) else { return limits };
    QuestionLimits {
        time: limits.time,
        nodes: Some(limits.nodes.map_or(nodes, |asked| asked.min(nodes))),
        depth: Some(limits.depth.map_or(depth, |asked| asked.min(depth))),
    }
}

/// How many lines to search so that `count` can be given at this level.
pub(crate) fn n_lines(level: u8, count: usize) -> usize {
    if level == FULL { count } else { count.max(CHOICES) }
}

/// The lines of a report, by index, in the order in which a level would choose
/// them for the seat to move; the same order for the same seed.
pub(crate) fn order(level: u8, seed: u64, seat: usize, report: &Report<String>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..report.lines.len()).collect();
    let Some(&(_, _, luck)) = LEVELS.get(usize::from(level) - 1) else { return order };
    let mut rng = Rng::new(seed ^ u64::from(level));
    let rank = |line: &Line<String>| {
        let Evaluation { certainty, plies_to_end, scores, .. } = &line.evaluation;
        let score = scores[seat];
        let chance = luck * centred(&mut rng);
        // The sooner the end, the further from all estimates.
        let urgency = plies_to_end.map_or(chance, |plies| 1.0 + 1.0 / f64::from(plies + 1));
        match certainty {
            Certainty::Proven if score >= 1.0 => 10.0 + urgency,
            Certainty::Proven if score <= 0.0 => -10.0 - urgency,
            Certainty::Proven | Certainty::Estimate => score + chance,
        }
    };
    let ranks: Vec<f64> = report.lines.iter().map(rank).collect();
    order.sort_by(|&a, &b| ranks[b].total_cmp(&ranks[a]));
    order
}

/// Another seed each time.
pub(crate) fn random_seed() -> Option<u64> {
    Some(RandomState::new().hash_one(()))
}

/// A number between -1 and 1, small ones more often.
fn centred(rng: &mut Rng) -> f64 {
    rng.unit() - rng.unit()
}

#[cfg(test)]
mod tests {
    use pentad_search::{Scores, Source, Wdl};

    use super::*;

    /// A line that is proven, to end in so many plies where that is known, or an
    /// estimate.
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
        let evaluation = lines[0].evaluation;
        Report { lines, evaluation, depth: 1, nodes: 10, stop: None }
    }

    /// Luck never outranks a proof, however far the end is.
    #[test]
    fn proofs_keep_their_places() {
        for level in 1..=FULL {
            for seed in 0..200 {
                let order = order(level, seed, 0, &report());
                assert_eq!((&order[..2], &order[11..]), (&[0, 1][..], &[11, 12][..]), "level {level}, seed {seed}");
            }
        }
    }

    /// Level 1 varies more often than level 8, and level 10 not at all.
    #[test]
    fn lower_levels_vary_more() {
        let varied = |level| (0..300).filter(|&seed| order(level, seed, 0, &report())[2] != 2).count();
        assert!(varied(1) > varied(8), "{} and {}", varied(1), varied(8));
        assert!(varied(8) > 0);
        assert_eq!(varied(FULL), 0);
    }

    /// Of several wins whose length is not known, another one is chosen now and then.
    #[test]
    fn equal_proofs_vary() {
        let lines: Vec<_> = (0..4).map(|_| line(1.0, Some(None))).collect();
        let report = Report { evaluation: lines[0].evaluation, lines, depth: 1, nodes: 10, stop: None };
        let mut first: Vec<usize> = (0..100).map(|seed| order(5, seed, 0, &report)[0]).collect();
        first.sort_unstable();
        first.dedup();
        assert_eq!(first, [0, 1, 2, 3]);
    }
}
