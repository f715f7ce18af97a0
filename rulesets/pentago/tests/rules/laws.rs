use std::collections::HashSet;

use pentad_sdk::rng::Rng;
use pentad_sdk::search::Game;
use pentad_sdk::testing::laws::{check_canonical, check_list, check_symmetries, check_texts_and_bytes, check_visitors};
use pentad_sdk::{Certainty, Ruleset, Search, Source, Symmetry};
use pentago::{Edition, Pentago, Position};

use crate::support::{all_rules, moves, parse, walk};

fn positions(game: &Pentago, seed: u64, n_games: usize) -> Vec<Position> {
    let mut rng = Rng::new(seed);
    (0..n_games).flat_map(|_| walk(game, &mut rng)).collect()
}

/// Text and bytes round-trip, and text, bytes and code distinguish positions.
#[test]
fn texts_and_bytes_return() {
    for game in all_rules() {
        let positions = positions(&game, 1, 500);
        let codes: HashSet<_> = positions.iter().map(Position::code).collect();
        assert_eq!(check_texts_and_bytes(&game, &positions), codes.len());
    }
}

/// Moves are listed in ASCII order, exactly those that are accepted; a prefix selects
/// those that begin with it; a visitor can stop the listing.
#[test]
fn moves_are_listed_when_accepted() {
    for game in all_rules() {
        let mut rng = Rng::new(2);
        let mut every = vec!["pass".to_owned()];
        for cell in pentago::Cell::all() {
            every.push(cell.to_string());
            every.extend(pentago::Turn::all().map(|turn| format!("{cell}-{turn:?}")));
        }
        every.sort();
        for position in positions(&game, 2, 20) {
            let prefixes = ["a", "c3", "c3-", "f6-2", "e1-4r", "pass", "p", "x", "é", "c3-4rr"];
            let listed = check_list(&game, &position, &prefixes);
            let accepted = every.iter().map(String::as_str).filter(|mv| game.parse_move(&position, mv).is_ok());
            assert_eq!(listed, accepted.collect::<Vec<_>>());
            check_visitors(&game, &position, rng.below(listed.len().max(1)));
        }
    }
}

/// No game is longer than stated.
#[test]
fn games_end_in_time() {
    for game in all_rules() {
        let variant = Pentago::variants()[Edition::ALL.iter().position(|&e| e == game.edition()).unwrap()].clone();
        assert_eq!(variant.id, game.edition().id());
        let mut rng = Rng::new(4);
        for _ in 0..2_000 {
            let n_plies = walk(&game, &mut rng).len() - 1;
            assert!(n_plies <= variant.plies_max.unwrap() as usize);
        }
    }
}

/// A symmetry and its inverse cancel out; moves, seats and outcomes follow.
#[test]
fn symmetries_keep_the_game() {
    for game in all_rules() {
        assert_eq!(game.n_symmetries(), if game.edition() == Edition::Clockwise { 8 } else { 16 });
        let mut rng = Rng::new(6);
        positions(&game, 6, 30).iter().for_each(|position| check_symmetries(&game, position, &mut rng));
    }
}

/// All symmetric positions have the same canonical one, which is one of them.
#[test]
fn canonical_is_the_same_for_all() {
    for game in all_rules() {
        positions(&game, 7, 40).iter().for_each(|position| check_canonical(&game, position));
    }
}

/// Symmetric positions have the same value for the side to move, within the
/// bounds of estimates; a finished game has its outcome.
#[test]
fn evaluation_keeps_its_laws() {
    for game in all_rules() {
        for position in positions(&game, 8, 200) {
            let evaluation = Search::evaluate(&game, &position);
            if let Some(outcome) = Ruleset::outcome(&game, &position) {
                assert_eq!((evaluation.source, evaluation.certainty), (Source::Terminal, Certainty::Proven));
                assert_eq!(evaluation.scores, outcome.scores);
                continue;
            }
            let value = game.static_value(&position);
            assert!(value.abs() <= 10_000);
            let seat = Ruleset::to_move(&game, &position);
            assert_eq!(evaluation.scores[0] + evaluation.scores[1], 1.0);
            if position.is_reply() {
                assert_eq!(evaluation.certainty, Certainty::Proven);
                let answered = |mv: &pentago::Move| {
                    game.game_result(&game.play_unchecked(&position, *mv))
                        .is_some_and(|result| result.winner().is_none())
                };
                let best = if moves(&game, &position).iter().any(answered) { 0.5 } else { 0.0 };
                assert_eq!(evaluation.scores[seat], best);
            } else if evaluation.source == Source::Book {
                assert_eq!(evaluation.outcome, pentago::book::value(&position));
            } else if evaluation.certainty == Certainty::Proven {
                assert_eq!(evaluation.scores[seat], 1.0);
                assert!(game.winning_move(&position).is_some());
            } else {
                assert_eq!(evaluation.scores[seat] > 0.5, value > 0, "{value}");
            }
            for symmetry in 0..game.n_symmetries() {
                assert_eq!(game.static_value(&game.apply(symmetry, &position)), value, "{symmetry} {position:?}");
            }
        }
    }
}

/// `winning_move` finds a win exactly where one of the legal moves is one.
#[test]
fn winning_move_misses_nothing() {
    for game in all_rules() {
        for position in positions(&game, 9, 300) {
            if game.game_result(&position).is_some() {
                continue;
            }
            let wins = |mv| {
                game.game_result(&game.play_unchecked(&position, mv)).and_then(|v| v.winner()) == Some(position.side())
            };
            let found = game.winning_move(&position);
            assert_eq!(found.is_some(), moves(&game, &position).into_iter().any(wins), "{position:?}");
            assert!(found.is_none_or(wins), "{position:?} {found:?}");
            assert!(found.is_none_or(|mv| moves(&game, &position).contains(&mv)), "{position:?} {found:?}");
        }
    }
}

/// The evaluation prefers more marbles on a line.
#[test]
fn evaluation_knows_better_from_worse() {
    let game = Pentago::of(Edition::Standard);
    let value = |text| game.static_value(&parse(&game, text));
    assert!(value("6/6/6/6/6/6 w") > 0, "the first player wins this game");
    assert!(value("6/1w2w1/6/6/6/b4b w") > value("w5/4w1/6/6/6/b4b w"), "centres are good");
    assert!(value("www3/6/6/6/6/b2b1b w") > value("w5/3w2/1w4/6/6/b2b1b w"), "three on an open line are better");
    assert!(!Game::can_cycle(&game), "every move fills a cell");
}
