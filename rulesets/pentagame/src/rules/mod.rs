//! Legal moves and the end of a game, as in `RULES.md` ("Rules").
//!
//! A turn has two parts. The *step* moves a figure, beats or swaps what is on
//! the stop where it ends, and may bring figures out. Then blocks are put on
//! free stops. Move generation and the legality check both use
//! [`BlockPhase`], so they cannot disagree about which stops are free.
//!
//! | module | what it holds |
//! | --- | --- |
//! | `block_phase` | the board between a step and its blocks |
//! | `legality` | the check of a move |
//! | `outcome` | when a game is over, and who has won |

mod block_phase;
mod legality;
mod outcome;

pub(crate) use block_phase::{BlockPhase, GreyPhase};
pub(crate) use legality::IllegalMove;
pub(crate) use outcome::{final_scores, outcome};

use crate::board::{Figure, reach};
use crate::moves::Move;
use crate::position::Position;

impl Position {
    /// Returns whether the player to move has a figure on its goal, which must move out.
    #[inline]
    pub(crate) fn must_move_out(&self) -> bool {
        self.figures_of(self.to_move()).any(|figure| self.stop_of(figure) == Some(figure.goal()))
    }

    /// Returns whether the player to move has no move. At least three of their figures
    /// would have to be stuck, but every stop has two neighbours and the ko forbids at
    /// most one of them, so no accepted position is like this.
    pub(crate) fn must_pass(&self) -> bool {
        let has_move = |figure: Figure| {
            let Some(origin) = self.stop_of(figure) else { return false };
            let reach = reach(origin, self.occupied());
            let may_swap = |stop| self.figures_at(stop).any(|other| !self.is_ko(figure, other));
            !reach.free.is_empty() || reach.blockers.iter().any(|stop| !self.figures.contains(stop) || may_swap(stop))
        };
        !self.is_over() && !self.must_move_out() && !self.figures_of(self.to_move()).any(has_move)
    }

    /// Returns the position after a legal move, or after a step without its blocks. The
    /// caller guarantees that it is legal.
    #[inline]
    pub fn play_unchecked(&self, mv: Move) -> Position {
        let mut next = *self;
        next.set_ko(None);
        next.to_move = if self.to_move() + 1 == self.n_seats() { 0 } else { self.to_move + 1 };
        let Some(figure) = mv.figure() else { return next };
        if let (Some(to), Some(origin)) = (mv.to(), self.stop_of(figure)) {
            next.black = next.black.without(to);
            next.grey = next.grey.without(to);
            next.remove(figure);
            if let Some(other) = mv.swapped_figure() {
                next.remove(other);
                next.set_ko(Some((figure, other)));
                if other.seat() != figure.seat() || other.goal() != origin {
                    next.put(other, origin);
                }
            }
            if to != figure.goal() {
                next.put(figure, to);
            }
        } else {
            next.remove(figure);
        }
        if let Some(stop) = mv.black() {
            next.black = next.black.with(stop);
        }
        for grey in mv.greys() {
            if let Some(from) = grey.from {
                next.grey = next.grey.without(from);
            }
            next.grey = next.grey.with(grey.to);
        }
        next
    }
}
