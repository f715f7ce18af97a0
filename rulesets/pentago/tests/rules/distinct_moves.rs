use std::collections::HashMap;

use pentad_sdk::rng::Rng;
use pentad_sdk::search::Game;

use crate::support::{all_rules, moves, parse, walk};

/// The distinct moves lead to every position that legal moves lead to, and no two lead
/// to the same, unless one wins by placing.
#[test]
fn every_position_is_reached_once() {
    for game in all_rules() {
        let mut rng = Rng::new(3);
        for _ in 0..150 {
            for position in walk(&game, &mut rng) {
                let mut reached = HashMap::new();
                for mv in moves(&game, &position) {
                    reached.entry(game.play_unchecked(&position, mv)).or_insert(mv);
                }
                let mut distinct = Vec::new();
                Game::moves(&game, &position, &mut distinct);
                let won = |mv: &pentago::Move| game.game_result(&game.play_unchecked(&position, *mv)).is_some();
                let mut kept = HashMap::new();
                for mv in &distinct {
                    let next = game.play_unchecked(&position, *mv);
                    let twice = kept.insert(next, *mv);
                    assert!(twice.is_none() || won(mv), "{game:?} {position:?}: {mv:?} and {twice:?}");
                }
                assert_eq!(kept.len(), reached.len(), "{game:?} {position:?}");
            }
        }
    }
}

/// From the start 36 positions can be reached: only the marble's cell differs.
#[test]
fn start_has_36_distinct_moves() {
    for game in all_rules() {
        let mut distinct = Vec::new();
        Game::moves(&game, &parse(&game, "6/6/6/6/6/6 w"), &mut distinct);
        assert_eq!(distinct.len(), 36, "{game:?}");
    }
}
