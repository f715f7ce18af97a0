//! Root moves, and their principal variations as reported.

use pentad_sdk::search::primitives::{self, Summary};
use pentad_sdk::{Report, StopReason};

use crate::moves::Move;
use crate::search::alpha_beta::worker::Worker;
use crate::search::position::{SearchPosition, Successor};

/// A root move; `after` is its [`Successor`].
pub(crate) type RootMove = primitives::RootMove<Move, Successor>;

/// A report on ranked moves.
pub(crate) fn report(
    worker: &Worker<'_>,
    moves: &[RootMove],
    summary: &Summary,
    stop: Option<StopReason>,
) -> Report<Move> {
    primitives::report(moves, summary, |mv| extended_pv(worker, mv), stop)
}

/// The principal variation, extended by the moves of both tables.
fn extended_pv(worker: &Worker<'_>, mv: &RootMove) -> Vec<Move> {
    let mut line = mv.pv.clone();
    let Successor::Ongoing(mut pos) = mv.after else { return line };
    let mut is_ongoing = line[1..].iter().all(|&mv| step(worker, &mut pos, mv));
    while is_ongoing && line.len() < 36 {
        let Some(next) = table_move(worker, pos) else { break };
        line.push(next);
        is_ongoing = step(worker, &mut pos, next);
    }
    line
}

/// Plays a move; `false` if it ends the game.
fn step(worker: &Worker<'_>, pos: &mut SearchPosition, mv: Move) -> bool {
    match worker.rules.successor(*pos, mv) {
        Successor::Ongoing(next) => {
            *pos = next;
            true
        }
        Successor::Terminal(_) => false,
    }
}

fn table_move(worker: &Worker<'_>, pos: SearchPosition) -> Option<Move> {
    if let Some((mv, _)) = worker.rules.immediate_win(pos) {
        return Some(mv);
    }
    let key = worker.key(pos);
    let tt_move = worker.tt_move(key, &worker.table.probe(key.word));
    tt_move.or_else(|| worker.proof_move(pos))
}
