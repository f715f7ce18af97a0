//! Retrograde analysis: with one ring left to place, flips reach a few thousand
//! positions. They are solved backwards from the ends of the game until nothing
//! changes; in positions that are then neither won nor lost, both sides can repeat
//! forever.

use std::collections::HashMap;

use pentad_sdk::rng::Rng;
use pentad_sdk::{Certainty, Wdl};
use pentaflip::{Pentaflip, Position};

use crate::positions::{moves, parse, text};
use crate::support::{nodes, search};

/// Returns the values, for the side to move, of all positions that flips reach.
fn solve(start: Position) -> Vec<(Position, Wdl)> {
    let (mut positions, mut index_of) = (vec![start], HashMap::from([(start, 0)]));
    // For each position its successors that are not over, and its best end in one ply.
    let (mut successors, mut ends) = (Vec::new(), Vec::new());
    while successors.len() < positions.len() {
        let position = positions[successors.len()];
        let (mut ongoing, mut end) = (Vec::new(), None);
        for mv in moves(&position) {
            let after = Pentaflip.play_unchecked(&position, mv);
            if let Some(result) = Pentaflip.game_result(&after) {
                let value = result.winner().map_or(Wdl::Draw, |winner| wdl(winner == position.side()));
                end = end.max(Some(value));
                continue;
            }
            ongoing.push(*index_of.entry(after).or_insert_with(|| {
                positions.push(after);
                positions.len() - 1
            }));
        }
        successors.push(ongoing);
        ends.push(end);
    }
    let mut values: Vec<Option<Wdl>> = vec![None; positions.len()];
    loop {
        let mut changed = false;
        for at in 0..positions.len() {
            if values[at].is_some() {
                continue;
            }
            let wins = ends[at] == Some(Wdl::Win) || successors[at].iter().any(|&to| values[to] == Some(Wdl::Loss));
            let ends_lost = ends[at].is_none_or(|end| end == Wdl::Loss);
            let loses = ends_lost && successors[at].iter().all(|&to| values[to] == Some(Wdl::Win));
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

/// Wins, losses and draws that the search claims in 300 such positions are true, for
/// the position and for each line.
#[test]
fn proofs_agree_with_retrograde_analysis() {
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
                let value = match Pentaflip.game_result(&after) {
                    Some(result) => result.winner().map_or(Wdl::Draw, |winner| wdl(winner == position.side())),
                    None => values[&after].opposite(),
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
