use std::collections::HashMap;

use pentad_sdk::{Limits, NeverStop, Report, Request, Ruleset};
use pentago::alphabeta::PentagoSearch;
use pentago::{Move, Pentago, Position};

use crate::walks::moves;

pub(crate) fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

pub(crate) fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

pub(crate) fn request(limits: Limits) -> Request<Move> {
    Request { memory_bytes: 4 << 20, ..Request::new(limits) }
}

pub(crate) fn search(game: &Pentago, position: &Position, limits: Limits, n_lines: usize) -> Report<Move> {
    PentagoSearch::new().search(game, position, &Request { n_lines, ..request(limits) }, &NeverStop)
}

/// Plain minimax: 1 if the side to move wins within that many plies, -1 if it
/// loses, 0 if neither. The last ply is left to `win_in_one`, which has a test
/// of its own.
pub(crate) fn within(game: &Pentago, position: &Position, plies: u32) -> i32 {
    if let Some(verdict) = game.verdict(position) {
        return verdict.winner().map_or(0, |winner| if winner == position.side() { 1 } else { -1 });
    }
    if plies == 0 {
        return 0;
    }
    if game.win_in_one(position).is_some() {
        return 1;
    }
    // A turn may give the other side five.
    let mut best = -1;
    for mv in moves(game, position) {
        let next = game.play(position, &mv);
        let value = within(game, &next, plies - 1);
        // A pass leaves the side as it is.
        best = best.max(if next.side() == position.side() { value } else { -value });
        // With one ply left nothing better can come.
        if best == 1 || (best == 0 && plies == 1) {
            break;
        }
    }
    best
}

/// 1, 0 or -1 for the side to move, by trying everything.
pub(crate) fn everything(game: &Pentago, position: &Position, known: &mut HashMap<Position, i32>) -> i32 {
    if let Some(verdict) = game.verdict(position) {
        return verdict.winner().map_or(0, |winner| if winner == position.side() { 1 } else { -1 });
    }
    if let Some(&value) = known.get(position) {
        return value;
    }
    let mut best = -1;
    for mv in moves(game, position) {
        let next = game.play(position, &mv);
        let value = everything(game, &next, known);
        best = best.max(if next.side() == position.side() { value } else { -value });
        if best == 1 {
            break;
        }
    }
    known.insert(*position, best);
    best
}
