use std::collections::HashSet;
use std::ops::ControlFlow;

use pentad_sdk::search::Game;
use pentad_sdk::search::rng::Rng;
use pentad_sdk::{Certainty, Ruleset, Search, Source, Symmetry};
use pentago::{Edition, Pentago, Position};

use crate::support::{all_rules, moves, parse, text, walk};

fn positions(game: &Pentago, seed: u64, n_games: usize) -> Vec<Position> {
    let mut rng = Rng::new(seed);
    (0..n_games).flat_map(|_| walk(game, &mut rng)).collect()
}

fn encoded(game: &Pentago, position: &Position) -> Vec<u8> {
    let mut bytes = vec![0; game.position_size()];
    game.encode(position, &mut bytes);
    bytes
}

/// Text and bytes give the position back, and tell different ones apart.
#[test]
fn texts_and_bytes_return() {
    for game in all_rules() {
        let (mut texts, mut codes, mut all) = (HashSet::new(), HashSet::new(), HashSet::new());
        for position in positions(&game, 1, 500) {
            assert_eq!(game.parse(&text(&game, &position)), Ok(position));
            assert_eq!(game.decode(&encoded(&game, &position)), Some(position));
            texts.insert(text(&game, &position));
            codes.insert(position.code());
            all.insert(position);
        }
        assert_eq!((texts.len(), codes.len()), (all.len(), all.len()));
    }
}

/// Moves are listed in ASCII order, exactly those that are accepted, and a
/// prefix gives those that begin with it.
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
            let listed: Vec<&str> = moves(&game, &position).iter().map(|mv| mv.text()).collect();
            let accepted: Vec<&String> = every.iter().filter(|mv| game.parse_move(&position, mv).is_ok()).collect();
            assert_eq!(listed, accepted);
            for prefix in ["", "a", "c3", "c3-", "f6-2", "e1-4r", "pass", "p", "x", "é", "c3-4rr"] {
                let mut texts = Vec::new();
                let _complete = game.legal_move_texts(&position, prefix, &mut |text| {
                    texts.push(text.to_owned());
                    ControlFlow::Continue(())
                });
                let fitting: Vec<&str> = listed.iter().copied().filter(|text| text.starts_with(prefix)).collect();
                assert_eq!(texts, fitting, "{prefix}");
                assert_eq!(game.count_moves(&position, prefix), fitting.len() as u64, "{prefix}");
            }
            // Visiting ends when it is told to.
            let n_wanted = rng.below(listed.len().max(1));
            let mut n_seen = 0;
            let _stopped = game.legal_moves(&position, &mut |_| {
                n_seen += 1;
                if n_seen > n_wanted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            assert_eq!(n_seen, (n_wanted + 1).min(listed.len()));
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
        for position in positions(&game, 6, 30) {
            for symmetry in 0..game.n_symmetries() {
                let mapped = game.apply(symmetry, &position);
                assert!(symmetry != 0 || mapped == position);
                assert_eq!(game.parse(&text(&game, &mapped)), Ok(mapped));
                assert_eq!(game.apply(game.inverse(symmetry), &mapped), position);
                assert_eq!(
                    game.apply_seat(symmetry, Ruleset::to_move(&game, &position)),
                    Ruleset::to_move(&game, &mapped)
                );
                let (here, there) = (Ruleset::outcome(&game, &position), Ruleset::outcome(&game, &mapped));
                assert_eq!(here.is_some(), there.is_some());
                if let (Some(here), Some(there)) = (here, there) {
                    for seat in 0..2 {
                        let to = game.apply_seat(symmetry, seat);
                        assert_eq!((here.scores[seat], here.places[seat]), (there.scores[to], there.places[to]));
                    }
                    continue;
                }
                check_moves(&game, symmetry, &position, &mapped, &mut rng);
            }
        }
    }
}

fn check_moves(game: &Pentago, symmetry: usize, position: &Position, mapped: &Position, rng: &mut Rng) {
    let legal = moves(game, position);
    let mut images: Vec<&str> = legal.iter().map(|mv| game.apply_move(symmetry, position, mv).text()).collect();
    images.sort_unstable();
    assert_eq!(images, moves(game, mapped).iter().map(|mv| mv.text()).collect::<Vec<_>>());
    let mv = legal[rng.below(legal.len())];
    let image = game.apply_move(symmetry, position, &mv);
    assert_eq!(game.apply_move(game.inverse(symmetry), mapped, &image), mv);
    let next = Ruleset::play(game, position, &mv);
    assert_eq!(game.apply(symmetry, &next), Ruleset::play(game, mapped, &image), "{symmetry} {position:?} {mv:?}");
}

/// All symmetric positions have the same canonical one, which is one of them.
#[test]
fn canonical_is_the_same_for_all() {
    for game in all_rules() {
        for position in positions(&game, 7, 40) {
            let (canonical, symmetry) = game.canonical(&position);
            assert_eq!(game.apply(symmetry, &position), canonical);
            for symmetry in 0..game.n_symmetries() {
                assert_eq!(game.canonical(&game.apply(symmetry, &position)).0, canonical);
            }
        }
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
                    game.verdict(&game.play_unchecked(&position, *mv)).is_some_and(|verdict| verdict.winner().is_none())
                };
                let best = if moves(&game, &position).iter().any(answered) { 0.5 } else { 0.0 };
                assert_eq!(evaluation.scores[seat], best);
            } else if evaluation.source == Source::Book {
                assert_eq!(evaluation.outcome, pentago::book::value(&position));
            } else if evaluation.certainty == Certainty::Proven {
                assert_eq!(evaluation.scores[seat], 1.0);
                assert!(game.win_in_one(&position).is_some());
            } else {
                assert_eq!(evaluation.scores[seat] > 0.5, value > 0, "{value}");
            }
            for symmetry in 0..game.n_symmetries() {
                assert_eq!(game.static_value(&game.apply(symmetry, &position)), value, "{symmetry} {position:?}");
            }
        }
    }
}

/// `win_in_one` finds a win exactly where one of the legal moves is one.
#[test]
fn win_in_one_misses_nothing() {
    for game in all_rules() {
        for position in positions(&game, 9, 300) {
            if game.verdict(&position).is_some() {
                continue;
            }
            let wins = |mv| {
                game.verdict(&game.play_unchecked(&position, mv)).and_then(|v| v.winner()) == Some(position.side())
            };
            let found = game.win_in_one(&position);
            assert_eq!(found.is_some(), moves(&game, &position).into_iter().any(wins), "{position:?}");
            assert!(found.is_none_or(wins), "{position:?} {found:?}");
            assert!(found.is_none_or(|mv| moves(&game, &position).contains(&mv)), "{position:?} {found:?}");
        }
    }
}

/// The evaluation prefers more to less.
#[test]
fn evaluation_knows_better_from_worse() {
    let game = Pentago::of(Edition::Standard);
    let value = |text| game.static_value(&parse(&game, text));
    assert!(value("6/6/6/6/6/6 w") > 0, "the first player wins this game");
    assert!(value("6/1w2w1/6/6/6/b4b w") > value("w5/4w1/6/6/6/b4b w"), "centres are good");
    assert!(value("www3/6/6/6/6/b2b1b w") > value("w5/3w2/1w4/6/6/b2b1b w"), "three on an open line are better");
    assert!(!Game::can_cycle(&game), "every move fills a cell");
}
