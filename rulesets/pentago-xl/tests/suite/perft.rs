//! Walks every sequence of plies and counts them. The limit on nodes keeps the
//! default run short; `PENTAD_PERFT_NODES` lifts it.

use std::ops::ControlFlow;

use pentad_sdk::Ruleset;
use pentago_xl::{PentagoXl, Position};

use crate::support::{parse, rules};

const NODES_MAX: u64 = 40_000_000;

/// The counts of `tests/perft.txt` are met.
#[test]
fn counts_agree_with_the_table() {
    let nodes_max = std::env::var("PENTAD_PERFT_NODES").map_or(NODES_MAX, |n| n.parse().expect("a number"));
    let (mut game, mut position) = (rules("ffa2"), Position::START);
    let mut n_checked = 0;
    for line in include_str!("../perft.txt").lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["variant", variant] => game = rules(variant),
            ["position", ..] => position = parse(&game, line.trim_start_matches("position ")),
            ["perft", depth, count] => {
                let (depth, count): (u32, u64) = (depth.parse().unwrap(), count.parse().unwrap());
                if count <= nodes_max {
                    assert_eq!(perft(&game, &position, depth), count, "{game:?} {position:?} depth {depth}");
                    n_checked += 1;
                }
            }
            ["id", ..] | [""] | ["#", ..] => {}
            _ => panic!("not a line of a perft file: {line:?}"),
        }
    }
    assert!(n_checked >= 13, "only {n_checked} counts were within {nodes_max} nodes");
}

fn perft(game: &PentagoXl, position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    let _complete = game.legal_moves(position, &mut |mv| {
        count += perft(game, &game.play(position, &mv), depth - 1);
        ControlFlow::Continue(())
    });
    count
}
