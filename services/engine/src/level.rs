//! Weaker play, for bots and beginners.
//!
//! A lower level looks less far and prefers among its guesses with some luck.
//! It never plays a loss that it sees where there is something better, and
//! never leaves a win that it sees; but it sees no further than its depth, so
//! of what a book or solver knows it feels only a little.

use pentad_search::rng::Rng;
use pentad_search::{Certainty, Evaluation, Line, Report, Wdl};

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

/// How much of a proof beyond its depth a level feels.
const FELT: f64 = 0.2;

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

/// Reorders the lines of a report as a level would choose for the seat to move,
/// the same way for the same position.
pub(crate) fn choose(level: u8, seed: u64, seat: usize, report: &mut Report<String>) {
    let Some(&(depth, _, luck)) = LEVELS.get(usize::from(level) - 1) else { return };
    let mut rng = Rng::new(seed ^ u64::from(level));
    let mut rank = |line: &Line<String>| {
        let Evaluation { certainty, outcome, plies_to_end, scores, .. } = line.evaluation;
        let is_proven = certainty == Certainty::Proven;
        match outcome {
            Some(Wdl::Win) if plies_to_end.is_some_and(|plies| plies <= depth) => 10.0,
            Some(Wdl::Loss) if plies_to_end.is_some_and(|plies| plies <= depth) => -10.0,
            _ if is_proven => 0.5 + FELT * (scores[seat] - 0.5) + luck * centred(&mut rng),
            _ => scores[seat] + luck * centred(&mut rng),
        }
    };
    let mut ranked: Vec<(f64, Line<String>)> = report.lines.drain(..).map(|line| (rank(&line), line)).collect();
    // The sort is stable: proven wins and losses stay in the order of their length.
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    report.lines = ranked.into_iter().map(|(_, line)| line).collect();
}

/// A number between -1 and 1, small ones more often.
fn centred(rng: &mut Rng) -> f64 {
    rng.unit() - rng.unit()
}

#[cfg(test)]
mod tests {
    use pentad_search::{Scores, Source};

    use super::*;

    fn line(name: &str, score: f64, outcome: Option<Wdl>) -> Line<String> {
        let certainty = if outcome.is_some() { Certainty::Proven } else { Certainty::Estimate };
        let scores = Scores::new(&[score, 1.0 - score]);
        let evaluation = Evaluation {
            certainty,
            outcome,
            plies_to_end: outcome.map(|_| 1),
            scores,
            source: Source::Search,
            depth: 1,
        };
        Line { moves: vec![name.to_owned()], evaluation }
    }

    fn report() -> Report<String> {
        let mut lines = vec![line("win", 1.0, Some(Wdl::Win))];
        lines.extend((0..8).map(|idx| line(&format!("guess{idx}"), 0.6 - 0.02 * f64::from(idx), None)));
        lines.push(line("loss", 0.0, Some(Wdl::Loss)));
        let evaluation = lines[0].evaluation;
        Report { lines, evaluation, depth: 1, nodes: 10, stop: None }
    }

    /// Luck never outranks a proof, whatever the level and the position.
    #[test]
    fn proofs_keep_their_places() {
        for level in 1..=9 {
            for seed in 0..200 {
                let mut report = report();
                choose(level, seed, 0, &mut report);
                assert_eq!(report.lines[0].moves[0], "win", "level {level}, seed {seed}");
                assert_eq!(report.lines[9].moves[0], "loss", "level {level}, seed {seed}");
            }
        }
    }

    /// Level 1 varies more often than level 8, and level 10 not at all.
    #[test]
    fn lower_levels_vary_more() {
        let varied = |level| {
            let first = |seed| {
                let mut report = report();
                choose(level, seed, 0, &mut report);
                report.lines[1].moves[0].clone()
            };
            (0..300).filter(|&seed| first(seed) != "guess0").count()
        };
        assert!(varied(1) > varied(8), "{} and {}", varied(1), varied(8));
        assert!(varied(8) > 0);
        assert_eq!(varied(FULL), 0);
    }
}
