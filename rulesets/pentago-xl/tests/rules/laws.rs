use pentad_sdk::rng::Rng;
use pentad_sdk::testing::laws::{check_canonical, check_list, check_symmetries, check_texts_and_bytes, check_visitors};
use pentad_sdk::{Ruleset, Symmetry};
use pentago_xl::{Cell, PentagoXl, Position, Turn, Variant};

use crate::support::{all_rules, walk};

fn positions(game: &PentagoXl, seed: u64, n_games: usize) -> Vec<Position> {
    let mut rng = Rng::new(seed);
    (0..n_games).flat_map(|_| walk(game, &mut rng)).collect()
}

/// Variants come in the order that callers rely on, the default first.
#[test]
fn variants_are_listed_in_order() {
    let variants = PentagoXl::variants();
    let ids: Vec<&str> = variants.iter().map(|variant| variant.id).collect();
    assert_eq!(ids, ["ffa4", "ffa3", "ffa2", "places4", "places3", "teams"]);
    for (idx, variant) in variants.iter().enumerate() {
        let game = <PentagoXl as Ruleset>::new(idx);
        assert_eq!((game.variant().id(), game.variant().n_seats()), (variant.id, variant.seats.len()));
        let seats: String = variant.seats.iter().map(|seat| seat.id).collect();
        assert_eq!(seats, &"rygb"[..variant.seats.len()]);
        let sides: Vec<u32> = variant.seats.iter().map(|seat| seat.side).collect();
        assert_eq!(sides, if variant.id == "teams" { vec![0, 1, 0, 1] } else { (0..sides.len() as u32).collect() });
    }
}

/// Text and bytes round-trip, and differ for different positions.
#[test]
fn texts_and_bytes_round_trip() {
    for game in all_rules() {
        check_texts_and_bytes(&game, &positions(&game, 1, 100));
    }
}

/// The list of moves is in ASCII order and has exactly the accepted moves; a prefix
/// selects those that begin with it; visiting ends when the visitor breaks.
#[test]
fn listed_moves_are_the_accepted_ones() {
    let mut every = Vec::new();
    for cell in Cell::all() {
        every.push(cell.to_string());
        every.extend(Turn::all().map(|turn| format!("{cell}-{turn:?}")));
    }
    every.sort();
    for game in all_rules() {
        let mut rng = Rng::new(2);
        for position in positions(&game, 2, 5) {
            let prefixes = ["a", "c3", "c3-", "i9-2", "e5-9l", "x", "é", "c3-4rr", "a1-5"];
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
    for (game, variant) in Variant::ALL.map(PentagoXl::of).iter().zip(PentagoXl::variants()) {
        let mut rng = Rng::new(4);
        for _ in 0..2_000 {
            let plies = game.playout(&game.start(), || rng.next_u64()).plies;
            assert!(plies <= variant.plies_max.unwrap());
        }
    }
}

/// A symmetry and its inverse cancel out; moves, seats and outcomes are mapped along.
#[test]
fn symmetries_keep_the_game() {
    for game in all_rules() {
        assert_eq!(game.n_symmetries(), 8);
        let mut rng = Rng::new(6);
        positions(&game, 6, 4).iter().for_each(|position| check_symmetries(&game, position, &mut rng));
    }
}

/// All symmetric positions have the same canonical one, which is one of them.
#[test]
fn canonical_is_the_same_for_all() {
    for game in all_rules() {
        positions(&game, 7, 20).iter().for_each(|position| check_canonical(&game, position));
    }
}
