//! With one ring left to place, all positions that flips can lead to are a few
//! thousand. They are solved here with all their circles, by going back
//! from the ends of the game until nothing changes: what is then neither won
//! nor lost can be held for ever by both.

use std::collections::HashMap;

use pentad_sdk::search::rng::Rng;
use pentad_sdk::{Certainty, Wdl};
use pentaflip::{Pentaflip, Position};

use crate::support::{nodes, search};
use crate::walks::{moves, parse, text};

/// Values for the side to move of everything that flips can lead to.
fn solve(start: Position) -> Vec<(Position, Wdl)> {
    let (mut positions, mut known) = (vec![start], HashMap::from([(start, 0)]));
    // Of each position the moves that go on, and the best end at once.
    let (mut next, mut ends) = (Vec::new(), Vec::new());
    while next.len() < positions.len() {
        let position = positions[next.len()];
        let (mut onward, mut end) = (Vec::new(), None);
        for mv in moves(&position) {
            let after = Pentaflip.play_unchecked(&position, mv);
            if let Some(verdict) = Pentaflip.verdict(&after) {
                let value = verdict.winner().map_or(Wdl::Draw, |winner| wdl(winner == position.side()));
                end = end.max(Some(value));
                continue;
            }
            onward.push(*known.entry(after).or_insert_with(|| {
                positions.push(after);
                positions.len() - 1
            }));
        }
        next.push(onward);
        ends.push(end);
    }
    let mut values: Vec<Option<Wdl>> = vec![None; positions.len()];
    loop {
        let mut changed = false;
        for at in 0..positions.len() {
            if values[at].is_some() {
                continue;
            }
            let wins = ends[at] == Some(Wdl::Win) || next[at].iter().any(|&to| values[to] == Some(Wdl::Loss));
            let ends_lost = ends[at].is_none_or(|end| end == Wdl::Loss);
            let loses = ends_lost && next[at].iter().all(|&to| values[to] == Some(Wdl::Win));
            if wins || loses {
                values[at] = Some(wdl(wins));
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    positions.into_iter().zip(values.into_iter().map(|value| value.unwrap_or(Wdl::Draw))).collect()
}

fn wdl(wins: bool) -> Wdl {
    if wins { Wdl::Win } else { Wdl::Loss }
}

/// Positions with one ring in hand, white's or black's.
const STARTS: &[&str] = &[
    "1bwb1b/bwwww1/wwWBbw/1wBW2/3bbb/bwww1w wbbwb1/1bwwb1/4bb/b3ww/1bwbb1/w3bb w -",
    "bwbw2/w1b1b1/wwWBwb/b1BWbb/w1b3/wbwww1 1b2bb/ww1www/bb2b1/bb2wb/2w1w1/bw1bww w -",
];

/// Whatever the search claims of 300 such positions is so: wins, losses and
/// draws, of the position and of each line.
#[test]
fn claims_about_late_positions_are_true() {
    let mut rng = Rng::new(12);
    let mut n_claims = [0; 3];
    let mut n_open = 0;
    for start in STARTS {
        let solved = solve(parse(start));
        assert!(solved.len() > 1_000, "{}", solved.len());
        let values: HashMap<Position, Wdl> = solved.iter().copied().collect();
        for _ in 0..150 {
            let (position, truth) = solved[rng.below(solved.len())];
            let report = search(&position, nodes(4_000), 3);
            let context = || format!("{} is {truth:?}: {report:?}", text(&position));
            match report.evaluation.outcome {
                Some(outcome) => {
                    assert_eq!(outcome, truth, "{}", context());
                    n_claims[outcome as usize] += 1;
                }
                None => n_open += 1,
            }
            for line in &report.lines {
                let after = Pentaflip.play_unchecked(&position, line.moves[0]);
                let value = match Pentaflip.verdict(&after) {
                    Some(verdict) => verdict.winner().map_or(Wdl::Draw, |winner| wdl(winner == position.side())),
                    None => match values[&after] {
                        Wdl::Win => Wdl::Loss,
                        Wdl::Draw => Wdl::Draw,
                        Wdl::Loss => Wdl::Win,
                    },
                };
                if line.evaluation.certainty == Certainty::Proven {
                    assert_eq!(line.evaluation.outcome, Some(value), "{} {:?}", context(), line.moves[0]);
                }
            }
        }
    }
    let [lost, drawn, won] = n_claims;
    assert!(won > 20 && lost > 0, "{lost} lost, {drawn} drawn, {won} won, {n_open} open");
}
