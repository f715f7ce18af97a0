pub(crate) use pentad_sdk::testing::contract::{depth, nodes};

use pentad_sdk::testing::contract::Contract;
use pentad_sdk::{Limits, Report, Ruleset};
use pentago::search::PentagoSearch;
use pentago::{Move, Pentago, Position};

use crate::support::moves;

pub(crate) fn contract(game: &Pentago) -> Contract<'_, Pentago, PentagoSearch> {
    let fresh = |_: &_, _| PentagoSearch::default();
    Contract::new(game, game.edition().id(), fresh, PentagoSearch::search).with_memory(4 << 20)
}

pub(crate) fn search(game: &Pentago, position: &Position, limits: Limits, n_lines: usize) -> Report<Move> {
    contract(game).search(position, limits, n_lines)
}

/// Evaluates by minimax to a depth: 1 if the side to move wins within `plies`, -1 if it
/// loses, 0 otherwise. Relies on `winning_move`, which has a test of its own.
pub(crate) fn outcome_within(game: &Pentago, position: &Position, plies: u32) -> i32 {
    if let Some(result) = game.game_result(position) {
        return result.winner().map_or(0, |winner| if winner == position.side() { 1 } else { -1 });
    }
    if plies == 0 {
        return 0;
    }
    if game.winning_move(position).is_some() {
        return 1;
    }
    // A turn may give the other side five.
    let mut best = -1;
    for mv in moves(game, position) {
        let next = game.play(position, &mv);
        let value = outcome_within(game, &next, plies - 1);
        // A pass leaves the side as it is.
        best = best.max(if next.side() == position.side() { value } else { -value });
        // With one ply left nothing better is possible.
        if best == 1 || (best == 0 && plies == 1) {
            break;
        }
    }
    best
}
