//! Staged move generation: first what a figure does, then where each block goes.
//! Searches and clients can branch on one choice at a time instead of on thousands
//! of complete moves.

use crate::board::reach;
use crate::moves::{Grey, Move};
use crate::position::Position;
use crate::rules::GreyPhase;

impl Position {
    /// Appends the steps of this turn: moves without their blocks, or the pass if
    /// there is none. Appends nothing if the game is over.
    pub fn steps(&self, out: &mut Vec<Move>) {
        if self.is_over() {
            return;
        }
        let begin = out.len();
        let (occupied, must_move_out) = (self.occupied(), self.must_move_out());
        for figure in self.figures_of(self.to_move()) {
            let Some(origin) = self.stop_of(figure) else { continue };
            if must_move_out {
                out.extend((origin == figure.goal()).then(|| Move::out(figure)));
                continue;
            }
            let reach = reach(origin, occupied);
            for to in reach.free.union(reach.blockers).iter() {
                if self.figures().contains(to) {
                    let others = self.figures_at(to).filter(|&other| !self.is_ko(figure, other));
                    out.extend(others.map(|other| Move::go(figure, to).with_swap(other)));
                } else {
                    out.push(Move::go(figure, to));
                }
            }
        }
        if out.len() == begin {
            out.push(Move::PASS);
        }
    }

    /// Appends the partial move with its next block on every stop where it may
    /// go. Appends nothing if the move is complete.
    pub fn next_blocks(&self, partial: Move, out: &mut Vec<Move>) {
        let Some(phase) = self.block_phase_after(partial) else { return };
        if phase.beats_black && partial.black().is_none() {
            out.extend(phase.free_for_black().iter().map(|stop| partial.with_black(stop)));
            return;
        }
        let greys: GreyPhase = partial.greys().fold(phase.grey_phase(partial.black()), |greys, put| greys.after(put));
        if partial.greys().count() as u32 == phase.n_out {
            return;
        }
        if greys.any_outside() {
            out.extend(greys.free.iter().map(|to| partial.with_grey(Grey { from: None, to })));
            return;
        }
        for from in greys.grey.iter() {
            out.extend(greys.free.iter().map(|to| partial.with_grey(Grey { from: Some(from), to })));
        }
    }
}
