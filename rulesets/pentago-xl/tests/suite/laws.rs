use std::collections::HashSet;
use std::ops::ControlFlow;

use pentad_sdk::search::rng::Rng;
use pentad_sdk::{Ruleset, Symmetry};
use pentago_xl::{Cell, Contest, PentagoXl, Position, Turn};

use crate::support::{all_rules, moves, text, walk};

fn positions(game: &PentagoXl, seed: u64, n_games: usize) -> Vec<Position> {
    let mut rng = Rng::new(seed);
    (0..n_games).flat_map(|_| walk(game, &mut rng)).collect()
}

fn encoded(game: &PentagoXl, position: &Position) -> Vec<u8> {
    let mut bytes = vec![0; game.position_size()];
    game.encode(position, &mut bytes);
    bytes
}

/// Variants come in the order that callers rely on, the default first.
#[test]
fn variants_are_listed_in_order() {
    let variants = PentagoXl::variants();
    let ids: Vec<&str> = variants.iter().map(|variant| variant.id).collect();
    assert_eq!(ids, ["ffa4", "ffa3", "ffa2", "places4", "places3", "teams"]);
    for (idx, variant) in variants.iter().enumerate() {
        let game = <PentagoXl as Ruleset>::new(idx);
        assert_eq!((game.contest().id(), game.contest().n_seats()), (variant.id, variant.seats.len()));
        let seats: String = variant.seats.iter().map(|seat| seat.id).collect();
        assert_eq!(seats, &"rygb"[..variant.seats.len()]);
        let sides: Vec<u32> = variant.seats.iter().map(|seat| seat.side).collect();
        assert_eq!(sides, if variant.id == "teams" { vec![0, 1, 0, 1] } else { (0..sides.len() as u32).collect() });
    }
}

/// Text and bytes give the position back, and tell different ones apart.
#[test]
fn texts_and_bytes_return() {
    for game in all_rules() {
        let (mut texts, mut codes, mut all) = (HashSet::new(), HashSet::new(), HashSet::new());
        for position in positions(&game, 1, 100) {
            assert_eq!(game.parse(&text(&game, &position)), Ok(position));
            assert_eq!(game.decode(&encoded(&game, &position)), Some(position));
            texts.insert(text(&game, &position));
            codes.insert(encoded(&game, &position));
            all.insert(position);
        }
        assert_eq!((texts.len(), codes.len()), (all.len(), all.len()));
    }
}

/// Moves are listed in ASCII order, exactly those that are accepted, and a
/// prefix gives those that begin with it.
#[test]
fn moves_are_listed_when_accepted() {
    let mut every = Vec::new();
    for cell in Cell::all() {
        every.push(cell.to_string());
        every.extend(Turn::all().map(|turn| format!("{cell}-{turn:?}")));
    }
    every.sort();
    for game in all_rules() {
        let mut rng = Rng::new(2);
        for position in positions(&game, 2, 5) {
            let listed: Vec<&str> = moves(&game, &position).iter().map(|mv| mv.text()).collect();
            let accepted: Vec<&String> = every.iter().filter(|mv| game.parse_move(&position, mv).is_ok()).collect();
            assert_eq!(listed, accepted);
            for prefix in ["", "a", "c3", "c3-", "i9-2", "e5-9l", "x", "é", "c3-4rr", "a1-5"] {
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
    for (game, variant) in Contest::ALL.map(PentagoXl::of).iter().zip(PentagoXl::variants()) {
        let mut rng = Rng::new(4);
        for _ in 0..2_000 {
            let plies = game.playout(&game.start(), || rng.next_u64()).plies;
            assert!(plies <= variant.plies_max.unwrap());
        }
    }
}

/// A symmetry and its inverse cancel out; moves, seats and outcomes follow.
#[test]
fn symmetries_keep_the_game() {
    for game in all_rules() {
        assert_eq!(game.n_symmetries(), 8);
        let mut rng = Rng::new(6);
        for position in positions(&game, 6, 4) {
            for symmetry in 0..game.n_symmetries() {
                let mapped = game.apply(symmetry, &position);
                assert!(symmetry != 0 || mapped == position);
                assert_eq!(game.parse(&text(&game, &mapped)), Ok(mapped));
                assert_eq!(game.apply(game.inverse(symmetry), &mapped), position);
                assert_eq!(game.to_move(&position), game.to_move(&mapped));
                assert_eq!(game.outcome(&position), game.outcome(&mapped));
                if game.outcome(&position).is_none() {
                    check_moves(&game, symmetry, &position, &mapped, &mut rng);
                }
            }
        }
    }
}

fn check_moves(game: &PentagoXl, symmetry: usize, position: &Position, mapped: &Position, rng: &mut Rng) {
    let legal = moves(game, position);
    let mut images: Vec<&str> = legal.iter().map(|mv| game.apply_move(symmetry, position, mv).text()).collect();
    images.sort_unstable();
    assert_eq!(images, moves(game, mapped).iter().map(|mv| mv.text()).collect::<Vec<_>>());
    let mv = legal[rng.below(legal.len())];
    let image = game.apply_move(symmetry, position, &mv);
    assert_eq!(game.apply_move(game.inverse(symmetry), mapped, &image), mv);
    let next = game.play(position, &mv);
    assert_eq!(game.apply(symmetry, &next), game.play(mapped, &image), "{symmetry} {position:?} {mv:?}");
}

/// All symmetric positions have the same canonical one, which is one of them.
#[test]
fn canonical_is_the_same_for_all() {
    for game in all_rules() {
        for position in positions(&game, 7, 20) {
            let (canonical, symmetry) = game.canonical(&position);
            assert_eq!(game.apply(symmetry, &position), canonical);
            for symmetry in 0..game.n_symmetries() {
                assert_eq!(game.canonical(&game.apply(symmetry, &position)).0, canonical);
            }
        }
    }
}
