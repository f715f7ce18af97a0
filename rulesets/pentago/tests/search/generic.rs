use std::collections::HashMap;

use pentad_sdk::rng::Rng;
use pentad_sdk::testing::contract::depth;
use pentad_sdk::{Certainty, Limits, Ruleset, Wdl};
use pentago::{Pentago, Position};

use crate::harness::outcome_within;
use crate::support::generic::{contract, search};
use crate::support::{all_rules, check_czech_reply, check_signature, minimax, parse, random_position, rules, text};

/// Variant, position, and a move that wins at once.
const WINS_IN_ONE: &[(&str, &str, &str)] = &[
    ("standard", "wwww2/6/6/6/6/bbb1b1 w", "e1"),
    ("standard", "w2ww1/w5/6/6/6/bbb1b1 w", "a3-1r"),
    ("finnish", "wb1ww1/wb1bb1/1b4/6/6/6 w", "a3-1r"),
    ("czech", "wwww2/6/6/6/6/bbb1b1 w", "e1"),
    ("clockwise", "w2ww1/w5/6/6/6/bbb1b1 w", "a3-1r"),
];

/// A win with the next move is found by any search and is proven.
#[test]
fn finds_wins_in_one() {
    for (variant, position, mv) in WINS_IN_ONE {
        let game = rules(variant);
        let report = search(&game, &parse(&game, position), depth(1), 1);
        assert_eq!(report.lines[0].moves[0].text(), *mv, "{variant} {position}");
        assert_eq!(report.evaluation.outcome, Some(Wdl::Win), "{variant} {position}");
        assert_eq!(report.evaluation.plies_to_end, Some(1), "{variant} {position}");
    }
}

/// Positions where the side to move wins with its second move, and all first
/// moves that do it.
const WINS_IN_TWO: &[(&str, &[&str])] = &[
    ("6/w3b1/2b2w/b3w1/4w1/1bb1ww b", &["c2-3l"]),
    ("6/w3b1/2b2w/b1b2w/3www/1bb3 w", &["f2-1l", "f2-1r", "f2-3l", "f2-3r"]),
    ("3w2/2b3/1bw2b/5w/5b/2ww2 b", &["e4-1l", "e4-2r"]),
    ("6/2b2b/1w4/b1w1b1/2w1wb/5w w", &["a3-1l"]),
    ("4bw/1b2b1/6/4w1/4w1/b1ww2 b", &["c2-2l"]),
];

/// A win with the second move is found at depth 3.
#[test]
fn finds_wins_in_two() {
    let game = rules("standard");
    for (position, first_moves) in WINS_IN_TWO {
        let report = search(&game, &parse(&game, position), depth(3), 1);
        let found = report.lines[0].moves[0].text();
        assert!(first_moves.contains(&found), "{position}: {found}");
        assert_eq!(report.evaluation.outcome, Some(Wdl::Win), "{position}");
        assert_eq!(report.evaluation.plies_to_end, Some(3), "{position}");
    }
}

/// In the Czech edition a five by turning that cannot be answered is a win,
/// and one that can is a draw.
#[test]
fn czech_reply_is_searched() {
    check_czech_reply(search);
}

/// A search of depth 3 finds a win or loss within three plies exactly where
/// minimax finds one.
#[test]
fn misses_nothing_within_three_plies() {
    for game in all_rules() {
        let mut rng = Rng::new(31);
        for n_marbles in (9..=22).chain(9..=22) {
            let position = random_position(&game, &mut rng, n_marbles);
            let known = outcome_within(&game, &position, 3);
            let report = search(&game, &position, depth(3), 1);
            let found = match report.evaluation.outcome {
                Some(Wdl::Win) => 1,
                Some(Wdl::Loss) => -1,
                _ => 0,
            };
            // Quiescence may see further.
            let near = report.evaluation.plies_to_end.is_some_and(|plies| plies <= 3);
            if known != 0 || near {
                assert_eq!(found, known, "{} {}", game.edition().id(), text(&game, &position));
            }
        }
    }
}

/// Without limits the search proves the minimax value of late positions, and its
/// move keeps that value.
#[test]
fn proofs_agree_with_minimax() {
    for game in all_rules() {
        let mut rng = Rng::new(41);
        for i in 0..150 {
            let n_marbles = if i < 30 { 30 + i % 2 } else { 32 + i % 4 };
            let position = random_position(&game, &mut rng, n_marbles);
            let value = minimax(&game, &position, &mut HashMap::new());
            let report = search(&game, &position, Limits::default(), 1);
            let expected = [Wdl::Loss, Wdl::Draw, Wdl::Win][(value + 1) as usize];
            let context = format!("{} {}", game.edition().id(), text(&game, &position));
            assert_eq!(report.evaluation.certainty, Certainty::Proven, "{context}");
            assert_eq!(report.evaluation.outcome, Some(expected), "{context}");
            let next = game.play(&position, &report.lines[0].moves[0]);
            assert_eq!(-seen_by(&game, &position, &next), value, "{context}: the move keeps the value");
        }
    }
}

/// Returns the value of `next` for the side that is not to move in `position`.
fn seen_by(game: &Pentago, position: &Position, next: &Position) -> i32 {
    let value = minimax(game, next, &mut HashMap::new());
    if next.side() == position.side() { -value } else { value }
}

/// Every legal move can be a root move, even one to the same position as another.
#[test]
fn every_legal_move_can_be_a_root_move() {
    for game in all_rules() {
        let mut rng = Rng::new(51);
        for position in [game.start(), random_position(&game, &mut rng, 5), random_position(&game, &mut rng, 20)] {
            for _ in 0..10 {
                contract(&game).check_root_moves(&position, depth(1), &mut rng);
            }
        }
    }
}

/// Positions of the signature, with the depth to search them to.
const SIGNATURE: &[(&str, u32, &str)] = &[
    ("standard", 4, "6/6/6/6/6/6 w"),
    ("standard", 3, "6/1w2w1/6/6/1b2b1/6 w"),
    ("standard", 3, "6/w3b1/2b2w/b3w1/4w1/1bb3 w"),
    ("standard", 4, "b1w1b1/1w2bb/wwbw2/1bwb1b/wb2w1/2wb2 w"),
    ("finnish", 3, "6/1w2w1/6/6/1b2b1/6 w"),
    ("czech", 3, "w2ww1/w5/6/6/b5/bb3b w"),
    ("clockwise", 3, "6/1w2w1/6/6/1b2b1/6 w"),
];

/// Node counts, moves and values of fixed searches are those of
/// `tests/search/generic_signature.txt`. A change of the search changes them
/// deliberately; `PENTAD_BLESS=1` rewrites them.
#[test]
fn signature_is_unchanged() {
    check_signature("tests/search/generic_signature.txt", SIGNATURE, search);
}
