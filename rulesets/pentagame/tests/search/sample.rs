//! Positions to search.

use pentad_sdk::Ruleset;
use pentad_sdk::rng::Rng;
use pentagame::{Pentagame, Position};

use crate::support::racing_move;

/// Returns positions of racing games, up to 23 plies from the start.
pub(crate) fn played_positions(game: &Pentagame, seed: u64, n: usize) -> Vec<Position> {
    let mut rng = Rng::new(seed);
    let mut found = Vec::new();
    while found.len() < n {
        let mut position = game.start();
        for _ in 0..rng.below(24) {
            if position.is_over() {
                break;
            }
            let mv = racing_move(game, &position, &mut rng);
            position = game.play(&position, &mv);
        }
        if !position.is_over() {
            found.push(position);
        }
    }
    found
}
