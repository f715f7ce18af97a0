//! Root moves and their reported principal variations.

use pentad_sdk::search::primitives::{self, Summary, plies};
use pentad_sdk::{Report, StopReason};

use super::worker::{PLIES_MAX, Worker};
use crate::moves::Move;
use crate::position::RelativePosition;

/// A root move, with the position after it.
pub(crate) type RootMove = primitives::RootMove<Move, RelativePosition>;

/// Reports ranked root moves.
pub(crate) fn report(
    worker: &Worker<'_>,
    moves: &[RootMove],
    summary: &Summary,
    stop: Option<StopReason>,
) -> Report<Move> {
    primitives::report(moves, summary, |mv| extended_pv(worker, mv), stop)
}

/// The principal variation, extended by moves of the transposition table up to
/// the end of the game or the first repetition.
fn extended_pv(worker: &Worker<'_>, mv: &RootMove) -> Vec<Move> {
    let mut pv = mv.pv.clone();
    let (mut position, mut seen) = (mv.after, vec![mv.after.key()]);
    let n_max = if mv.is_decided() { plies(mv.value) as usize } else { PLIES_MAX };
    for at in 1.. {
        if position.outcome_for_last_mover().is_some() || at >= n_max.max(pv.len()) {
            break;
        }
        let next = match pv.get(at) {
            Some(&next) => next,
            None => {
                let tt_move = || Move::from_index(worker.table.probe(worker.key(position, at)).move_idx.into());
                let Some(next) = position.winning_move().or_else(tt_move).filter(|&next| position.is_legal(next))
                else {
                    break;
                };
                if seen.contains(&position.play_unchecked(next).key()) {
                    break;
                }
                pv.push(next);
                next
            }
        };
        position = position.play_unchecked(next);
        seen.push(position.key());
    }
    pv
}
