//! The lines reported: a move at the root and the play expected after it.

use pentad_sdk::search::primitives::{self, Summary, plies};
use pentad_sdk::{Report, StopReason};

use crate::moves::Move;
use crate::search::worker::{PLIES_MAX, Worker};
use crate::state::State;

/// One move at the root, and what is known of it.
pub(crate) type RootMove = primitives::RootMove<Move, State>;

/// A report on ranked moves.
pub(crate) fn report(
    worker: &Worker<'_>,
    moves: &[RootMove],
    summary: &Summary,
    stop: Option<StopReason>,
) -> Report<Move> {
    primitives::report(moves, summary, |mv| extended(worker, mv), stop)
}

/// The expected play, continued by what the table knows and up to where it
/// would go round in circles.
fn extended(worker: &Worker<'_>, mv: &RootMove) -> Vec<Move> {
    let mut line = mv.pv.clone();
    let (mut state, mut seen) = (mv.after, vec![mv.after.key()]);
    let n_max = if mv.is_decided() { plies(mv.value) as usize } else { PLIES_MAX };
    for at in 1.. {
        if state.end().is_some() || at >= n_max.max(line.len()) {
            break;
        }
        let next = match line.get(at) {
            Some(&next) => next,
            None => {
                let known =
                    state.win_in_one().or_else(|| Move::at(worker.table.probe(worker.key(state, at)).move_idx.into()));
                let Some(next) = known.filter(|&next| state.allows(next)) else { break };
                if seen.contains(&state.played(next).key()) {
                    break;
                }
                line.push(next);
                next
            }
        };
        state = state.played(next);
        seen.push(state.key());
    }
    line
}
