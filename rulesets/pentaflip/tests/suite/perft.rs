//! Walks every sequence of plies and counts them, with the crate and, up to a
//! smaller number, with the twin. The limit on nodes keeps the default run
//! short; `PENTAD_PERFT_NODES` lifts it.

use std::ops::ControlFlow;

use pentad_sdk::Ruleset;
use pentaflip::{Pentaflip, Position};

use crate::support::{parse, text};
use crate::twin::Twin;

const NODES_MAX: u64 = 40_000_000;
const TWIN_NODES_MAX: u64 = 20_000;

/// The counts of `tests/perft.txt` are met.
#[test]
fn counts_agree_with_the_table() {
    let nodes_max = std::env::var("PENTAD_PERFT_NODES").map_or(NODES_MAX, |n| n.parse().expect("a number"));
    let mut position = Position::START;
    let mut n_checked = 0;
    for line in include_str!("../perft.txt").lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["position", ..] => position = parse(line.trim_start_matches("position ")),
            ["perft", depth, count] => {
                let (depth, count): (u32, u64) = (depth.parse().unwrap(), count.parse().unwrap());
                if count <= nodes_max {
                    assert_eq!(perft(&position, depth), count, "{} depth {depth}", text(&position));
                    n_checked += 1;
                }
                if count <= TWIN_NODES_MAX {
                    let twin = Twin::parse(&text(&position)).unwrap();
                    assert_eq!(twin_perft(&twin, depth), count, "{} depth {depth}", text(&position));
                }
            }
            ["id", _] | [""] | ["#", ..] => {}
            _ => panic!("not a line of a perft file: {line:?}"),
        }
    }
    assert!(n_checked >= 10, "only {n_checked} counts were within {nodes_max} nodes");
}

fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    let _complete = Pentaflip.legal_moves(position, &mut |mv| {
        count += perft(&Ruleset::play(&Pentaflip, position, &mv), depth - 1);
        ControlFlow::Continue(())
    });
    count
}

fn twin_perft(twin: &Twin, depth: u32) -> u64 {
    if depth == 0 { 1 } else { twin.legal().iter().map(|mv| twin_perft(&twin.play(mv), depth - 1)).sum() }
}
