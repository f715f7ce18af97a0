//! Throughput measurements, for the benches of a rule set.
//!
//! Each figure is the best of several rounds, since other work on the machine can only
//! slow a round down. The last column compares it with the goal, if there is one.
//! Arguments after `--` select measurements by name.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use pentad_model::{Certainty, Report};

use crate::ruleset::Ruleset;

const ROUNDS: usize = 7;

/// The measurements selected on the command line.
#[derive(Debug)]
pub struct Speed {
    wanted: Vec<String>,
}

impl Speed {
    /// Reads the selection from the command line; all if there is none.
    pub fn from_args() -> Self {
        Speed { wanted: std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect() }
    }

    /// Returns whether a measurement is selected.
    pub fn wants(&self, name: &str) -> bool {
        self.wanted.is_empty() || self.wanted.iter().any(|word| name.contains(word.as_str()))
    }

    /// Runs the rounds and prints the best rate, if it is selected. A round returns
    /// the number of items it processed.
    pub fn take(&self, name: &str, unit: &str, goal: Option<f64>, mut round: impl FnMut() -> u64) {
        if !self.wants(name) {
            return;
        }
        let rates = (0..ROUNDS).map(|_| {
            let begin = Instant::now();
            let n = round();
            n as f64 / begin.elapsed().as_secs_f64()
        });
        let best = rates.fold(0.0, f64::max);
        let ratio = goal.map_or(String::new(), |goal| format!("{:8.2} × goal", best / goal));
        println!("{name:<24} {:>10.4} M {unit}/s {:>9.1} ns each  {ratio}", best / 1e6, 1e9 / best);
    }
}

/// Calls `ask` for each position; returns their number.
pub fn each<P, T>(positions: &[P], mut ask: impl FnMut(&P) -> T) -> u64 {
    for position in positions {
        black_box(ask(black_box(position)));
    }
    positions.len() as u64
}

/// Returns at least `n` positions of random games, without their last ones. `playout`
/// plays one game and calls its argument with each move.
pub fn sample<R: Ruleset>(rules: &R, n: usize, mut playout: impl FnMut(&mut dyn FnMut(R::Move))) -> Vec<R::Position> {
    let mut positions = Vec::new();
    while positions.len() < n {
        let mut position = rules.start();
        playout(&mut |mv| {
            let next = rules.play(&position, &mv);
            positions.push(std::mem::replace(&mut position, next));
        });
    }
    positions
}

/// Formats all legal moves of each position; returns their number.
pub fn texts<R: Ruleset>(rules: &R, positions: &[R::Position]) -> u64 {
    let mut n = 0;
    for position in positions {
        let _complete = rules.legal_move_texts(black_box(position), "", |text| {
            black_box(text);
            n += 1;
            ControlFlow::Continue(())
        });
    }
    n
}

/// Describes a search in one line: speed, depth, best move, value and time.
pub fn describe<M: std::fmt::Debug>(report: &Report<M>, elapsed: Duration) -> String {
    let rate = report.nodes as f64 / elapsed.as_secs_f64() / 1e6;
    let value = match (report.evaluation.certainty, report.evaluation.outcome) {
        (Certainty::Proven, Some(outcome)) => format!("{outcome:?} {:?}", report.evaluation.plies_to_end),
        _ => format!("{:.3}", report.evaluation.scores[0]),
    };
    let mv = format!("{:?}", report.lines[0].moves[0]);
    format!("{rate:6.2} M/s depth {:2} {mv:6} {value:14} {:5} ms", report.depth, elapsed.as_millis())
}
