//! A turn in stages, as a person plays it: first what a figure does, then where
//! each block goes. Players that look at one choice at a time use this.

use crate::moves::{Grey, Move};
use crate::position::Position;
use crate::reach::reach;
use crate::rules::Greys;

impl Position {
    /// Appends what figures can do this turn, without blocks; the pass if
    /// nothing else is left. Nothing if the game is over.
    pub fn steps(&self, out: &mut Vec<Move>) {
        if self.is_over() {
            return;
        }
        let begin = out.len();
        let (occupied, is_forced) = (self.occupied(), self.is_forced());
        for figure in self.figures_of(self.to_move()) {
            let Some(origin) = self.stop_of(figure) else { continue };
            if is_forced {
                out.extend((origin == figure.goal()).then(|| Move::out(figure)));
                continue;
            }
            let reach = reach(origin, occupied);
            for to in reach.free.or(reach.hits).iter() {
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

    /// Appends the step with one block more in every place it may go. Nothing
    /// is appended to a move that is whole.
    pub fn next_blocks(&self, begun: Move, out: &mut Vec<Move>) {
        let Some(figure) = begun.figure() else { return };
        let stage = begun.to().map_or_else(|| self.stage_out(figure), |to| self.stage(figure, to, begun.swap()));
        if stage.beats_black && begun.black().is_none() {
            out.extend(stage.free_for_black().iter().map(|stop| begun.with_black(stop)));
            return;
        }
        let greys: Greys = begun.greys().fold(stage.cleared(begun.black()), |greys, put| greys.after(put));
        if begun.greys().count() as u32 == stage.n_out {
            return;
        }
        if greys.any_outside() {
            out.extend(greys.free.iter().map(|to| begun.with_grey(Grey { from: None, to })));
            return;
        }
        for from in greys.grey.iter() {
            out.extend(greys.free.iter().map(|to| begun.with_grey(Grey { from: Some(from), to })));
        }
    }
}
