//! Invariants of texts, bytes, move lists, symmetries and evaluations.

use std::collections::HashSet;

use pentad_sdk::rng::Rng;
use pentad_sdk::testing::laws::{check_canonical, check_list, check_symmetries, check_texts_and_bytes, check_visitors};
use pentad_sdk::testing::move_texts;
use pentad_sdk::{Certainty, Ruleset, Search, Source, Symmetry};
use pentagame::{Pentagame, Position};

use crate::support::{all_rules, moves, racing_move, random_position, text};

/// Returns random positions and positions of racing games, half each.
fn positions(game: &Pentagame, seed: u64, n: usize) -> Vec<Position> {
    let mut rng = Rng::new(seed);
    let mut found: Vec<Position> = (0..n / 2).map(|_| random_position(game, &mut rng)).collect();
    while found.len() < n {
        let mut position = game.start();
        while !position.is_over() && found.len() < n {
            found.push(position);
            let mv = racing_move(game, &position, &mut rng);
            position = game.play(&position, &mv);
        }
    }
    found
}

/// Text and bytes round-trip, and differ for different positions.
#[test]
fn texts_and_bytes_round_trip() {
    for game in all_rules() {
        check_texts_and_bytes(&game, &positions(&game, 1, 400));
    }
}

/// Lists are in ASCII order without duplicates; for every prefix, the texts that begin
/// with it, and their count, agree with the full list.
#[test]
fn prefixes_filter_the_list() {
    for game in all_rules() {
        let mut rng = Rng::new(2);
        for position in positions(&game, 2, 60) {
            if game.count_moves(&position, "") > 15_000 {
                continue;
            }
            let all = moves(&game, &position);
            let mut prefixes: Vec<String> = Vec::new();
            for _ in 0..12.min(all.len()) {
                let mv = all[rng.below(all.len())].text();
                prefixes.push(mv[..1 + rng.below(mv.len())].to_owned());
                prefixes.push(format!("{mv}+"));
            }
            let mut prefixes: Vec<&str> = prefixes.iter().map(String::as_str).collect();
            prefixes.extend(["a", "b-", "c!", "d-A", "e-a", "a-B=", "a-c@", "pass", "p", "x", "é", "a-A1B+", "ab"]);
            check_list(&game, &position, &prefixes);
        }
    }
}

/// Generation stops when the visitor breaks.
#[test]
fn visitors_stop_lists() {
    for game in all_rules() {
        for position in positions(&game, 3, 20) {
            for n_wanted in [0, 1, 7, game.count_moves(&position, "") as usize / 2] {
                check_visitors(&game, &position, n_wanted);
            }
        }
    }
}

/// Every listed move is accepted as written and read back the same.
#[test]
fn listed_moves_are_accepted() {
    for game in all_rules() {
        for position in positions(&game, 5, 40) {
            let all = moves(&game, &position);
            for mv in all.iter().step_by(1 + all.len() / 200) {
                assert_eq!(game.parse_move(&position, &mv.text()), Ok(*mv), "{}", text(&game, &position));
            }
        }
    }
}

/// Staged generation, multiplied out, gives the full list.
#[test]
fn staged_generation_gives_the_list() {
    for game in all_rules() {
        for position in positions(&game, 15, 40) {
            if game.count_moves(&position, "") > 5_000 {
                continue;
            }
            let mut complete = HashSet::new();
            let mut open = Vec::new();
            position.steps(&mut open);
            while let Some(partial) = open.pop() {
                let n_open = open.len();
                position.next_blocks(partial, &mut open);
                if open.len() == n_open {
                    complete.insert(partial.text());
                }
            }
            assert_eq!(complete, move_texts(&game, &position, "").into_iter().collect(), "{}", text(&game, &position));
        }
    }
}

/// A symmetry and its inverse cancel out; moves and outcomes are mapped along.
#[test]
fn symmetries_keep_the_game() {
    for game in all_rules() {
        assert_eq!(game.n_symmetries(), 10);
        let mut rng = Rng::new(6);
        positions(&game, 6, 16).iter().for_each(|position| check_symmetries(&game, position, &mut rng));
    }
}

/// Known images: the rotation by a fifth takes A to B, and the arm from A to c to that
/// from B to d; the reflection through A fixes A and swaps c and d.
#[test]
fn symmetries_are_those_of_the_pentagon() {
    let game = Pentagame::for_players(2);
    let position = game.parse("A2c,B,C,D,E/A1E,B,C,D,E a,b,c,d,e1d - 2 1a1b").unwrap();
    assert_eq!(text(&game, &game.apply(1, &position)), "A,B2d,C,D,E/A,A3B,C,D,E b,c,d,e,a1e - 2 1b1c");
    assert_eq!(text(&game, &game.apply(5, &position)), "A2d,B,C,D,E/A1B,B,C,D,E a,c,d,e,b1c - 2 1a1e");
}

/// All symmetric positions have the same canonical one, which is one of them.
#[test]
fn canonical_is_the_same_for_all() {
    for game in all_rules() {
        positions(&game, 7, 30).iter().for_each(|position| check_canonical(&game, position));
    }
}

/// Symmetric positions have the same value; expected scores add up to one; a
/// finished game is evaluated by its outcome.
#[test]
fn evaluation_keeps_its_laws() {
    for game in all_rules() {
        for position in positions(&game, 8, 120) {
            let evaluation = game.evaluate(&position);
            if let Some(outcome) = game.outcome(&position) {
                assert_eq!((evaluation.source, evaluation.certainty), (Source::Terminal, Certainty::Proven));
                assert_eq!(evaluation.scores, outcome.scores);
                continue;
            }
            let total: f64 = evaluation.scores.as_slice().iter().sum();
            assert!((total - 1.0).abs() < 1e-3, "{:?}", evaluation.scores);
            for symmetry in 1..10 {
                let mapped = game.evaluate(&game.apply(symmetry, &position));
                assert_eq!(mapped.certainty, evaluation.certainty);
                let pairs = mapped.scores.as_slice().iter().zip(evaluation.scores.as_slice());
                assert!(pairs.clone().all(|(one, other)| (one - other).abs() < 1e-9), "{symmetry} {position:?}");
            }
        }
    }
}
