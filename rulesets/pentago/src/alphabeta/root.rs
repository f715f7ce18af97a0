//! The lines reported: a move at the root and the play expected after it.

use pentad_sdk::search::primitives::{self, Summary};
use pentad_sdk::{Report, StopReason};

use crate::alphabeta::state::{After, State};
use crate::alphabeta::worker::Worker;
use crate::moves::Move;

/// One move at the root, and what is known of it.
pub(crate) type RootMove = primitives::RootMove<Move, After>;

/// A report on ranked moves.
pub(crate) fn report(
    worker: &Worker<'_>,
    moves: &[RootMove],
    summary: &Summary,
    stop: Option<StopReason>,
) -> Report<Move> {
    primitives::report(moves, summary, |mv| extended(worker, mv), stop)
}

/// The expected play, continued by what the tables know.
fn extended(worker: &Worker<'_>, mv: &RootMove) -> Vec<Move> {
    let mut line = mv.pv.clone();
    let After::Goes(mut state) = mv.after else { return line };
    let mut goes_on = line[1..].iter().all(|&mv| step(worker, &mut state, mv));
    while goes_on && line.len() < 36 {
        let Some(next) = expected(worker, state) else { break };
        line.push(next);
        goes_on = step(worker, &mut state, next);
    }
    line
}

/// Plays a move; whether the game goes on.
fn step(worker: &Worker<'_>, state: &mut State, mv: Move) -> bool {
    match worker.rules.after(*state, mv) {
        After::Goes(next) => {
            *state = next;
            true
        }
        After::Over(_) => false,
    }
}

fn expected(worker: &Worker<'_>, state: State) -> Option<Move> {
    if let Some((mv, _)) = worker.rules.quick_win(state) {
        return Some(mv);
    }
    let key = worker.key(state);
    let hint = worker.hint(key, &worker.table.probe(key.word));
    hint.or_else(|| worker.proven_reply(state))
}
