pub(crate) use pentad_sdk::testing::contract::{depth, nodes};

use pentad_sdk::testing::contract::Contract;
use pentad_sdk::{Limits, Report};
use pentaflip::search::PentaflipSearch;
use pentaflip::{Move, Pentaflip, Position};

use crate::positions::moves;

pub(crate) fn contract() -> Contract<'static, Pentaflip, PentaflipSearch> {
    let fresh = |_: &_, _| PentaflipSearch::default();
    Contract::new(&Pentaflip, "standard", fresh, PentaflipSearch::search).with_memory(2 << 20)
}

pub(crate) fn search(position: &Position, limits: Limits, n_lines: usize) -> Report<Move> {
    contract().search(position, limits, n_lines)
}

/// Evaluates by plain minimax with the rules alone: 1 if the side to move wins within
/// `plies`, minus 1 if it loses, 0 otherwise.
pub(crate) fn minimax(position: &Position, plies: u32) -> i32 {
    if let Some(result) = Pentaflip.game_result(position) {
        return result.winner().map_or(0, |winner| if winner == position.side() { 1 } else { -1 });
    }
    if plies == 0 {
        return 0;
    }
    let legal = moves(position);
    let ends = |mv: Move| {
        let result = Pentaflip.game_result(&Pentaflip.play_unchecked(position, mv))?;
        Some(result.winner() == Some(position.side()))
    };
    if legal.iter().any(|&mv| ends(mv) == Some(true)) {
        return 1;
    }
    let mut best = -1;
    for mv in legal {
        best = best.max(-minimax(&Pentaflip.play_unchecked(position, mv), plies - 1));
        // A win in one is excluded above.
        if best == 1 || (best == 0 && plies == 1) {
            break;
        }
    }
    best
}
