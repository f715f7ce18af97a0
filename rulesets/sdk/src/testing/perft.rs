//! Perft: the number of move sequences of a given length, and files of such counts.
//!
//! A file has lines `variant ID`, `position TEXT`, `perft DEPTH COUNT`, and
//! `id NAME` or `# …` for the reader. A position applies to the lines after it.

use std::ops::ControlFlow;

use super::{parse, rules, text};
use crate::ruleset::Ruleset;

/// Counts the sequences of `depth` moves.
pub fn perft<R: Ruleset>(rules: &R, position: &R::Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    let _complete = rules.legal_moves(position, |mv| {
        count += perft(rules, &rules.play(position, &mv), depth - 1);
        ControlFlow::Continue(())
    });
    count
}

/// One count of a file.
#[derive(Debug)]
pub struct Row<R: Ruleset> {
    /// The rules of the variant.
    pub rules: R,
    /// The position that the sequences start from.
    pub position: R::Position,
    /// Moves per sequence.
    pub depth: u32,
    /// The expected number of sequences.
    pub count: u64,
}

impl<R: Ruleset> Row<R> {
    /// Counts the sequences and compares.
    #[track_caller]
    pub fn check(&self) {
        let found = perft(&self.rules, &self.position, self.depth);
        assert_eq!(found, self.count, "{} depth {}", text(&self.rules, &self.position), self.depth);
    }
}

/// Reads the rows of a file whose count is at most `count_max`, or the value of the
/// environment variable `PENTAD_PERFT_NODES`.
#[track_caller]
pub fn rows<R: Ruleset>(file: &str, count_max: u64) -> Vec<Row<R>> {
    let count_max = std::env::var("PENTAD_PERFT_NODES").map_or(count_max, |n| n.parse().expect("a number"));
    let (mut variant, mut from) = (R::variants()[0].id, "");
    let mut rows = Vec::new();
    for line in file.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["variant", id] => variant = id,
            ["position", ..] => from = line.trim_start_matches("position "),
            ["perft", depth, count] => {
                let (depth, count) = (depth.parse().expect("a depth"), count.parse().expect("a count"));
                if count <= count_max {
                    let rules: R = rules(variant);
                    let position = if from.is_empty() { rules.start() } else { parse(&rules, from) };
                    rows.push(Row { rules, position, depth, count });
                }
            }
            ["id", ..] | [""] | ["#", ..] => {}
            _ => panic!("not a line of a perft file: {line:?}"),
        }
    }
    rows
}
