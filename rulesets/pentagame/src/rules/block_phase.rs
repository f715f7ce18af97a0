//! The board between a step and its blocks: the free stops, and the number of blocks
//! to put.

use crate::board::{Figure, Stop, Stops};
use crate::moves::{Grey, Move};
use crate::position::{N_GREY, Position};

/// The board after a step, before any block is put.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockPhase {
    /// Occupied stops while the black block is put, including the goals of figures that
    /// move out.
    occupied: Stops,
    /// Goals whose figures move out: free for grey blocks only.
    leaving: Stops,
    pub(crate) beats_black: bool,
    /// Figures that move out, and so grey blocks to put: 0 to 2.
    pub(crate) n_out: u32,
    /// Grey blocks on the board.
    grey: Stops,
}

impl BlockPhase {
    /// Returns where the black block may be put.
    #[inline]
    pub(crate) fn free_for_black(&self) -> Stops {
        self.occupied.complement()
    }

    /// Returns the phase after the black block, if one is beaten, is put on `black`.
    #[inline]
    pub(crate) fn grey_phase(&self, black: Option<Stop>) -> GreyPhase {
        let occupied = black.map_or(self.occupied, |stop| self.occupied.with(stop));
        GreyPhase { free: occupied.complement().union(self.leaving), grey: self.grey }
    }

    fn move_out(&mut self, goal: Stop) {
        self.leaving = self.leaving.with(goal);
        self.n_out += 1;
    }
}

/// The board while grey blocks are put, one after the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GreyPhase {
    pub(crate) free: Stops,
    /// Grey blocks on the board.
    pub(crate) grey: Stops,
}

impl GreyPhase {
    /// Returns whether a grey block is off the board; if not, one on the board is moved.
    #[inline]
    pub(crate) fn any_outside(&self) -> bool {
        self.grey.count() < N_GREY
    }

    /// Returns the phase after one more grey block is put.
    #[inline]
    pub(crate) fn after(&self, put: Grey) -> GreyPhase {
        let mut next = *self;
        if let Some(from) = put.from {
            next.free = next.free.with(from);
            next.grey = next.grey.without(from);
        }
        GreyPhase { free: next.free.without(put.to), grey: next.grey.with(put.to) }
    }
}

impl Position {
    /// Returns the phase after a step, ignoring the blocks it names; `None` for the
    /// pass.
    pub(crate) fn block_phase_after(&self, step: Move) -> Option<BlockPhase> {
        let figure = step.figure()?;
        Some(match step.to() {
            Some(to) => self.block_phase(figure, to, step.swapped_figure()),
            None => self.block_phase_out(figure),
        })
    }

    /// Returns the phase after a figure goes to a stop, swapping with `swap`.
    #[inline]
    pub(crate) fn block_phase(&self, figure: Figure, to: Stop, swap: Option<Figure>) -> BlockPhase {
        let origin = self.stop_of(figure).unwrap_or(to);
        let mut phase = BlockPhase {
            occupied: self.occupied().with(to),
            leaving: Stops::NONE,
            beats_black: self.black.contains(to),
            n_out: 0,
            grey: self.grey.without(to),
        };
        let is_left = swap.is_none() && (!origin.is_corner() || self.figures_at(origin).nth(1).is_none());
        if is_left {
            phase.occupied = phase.occupied.without(origin);
        }
        if to == figure.goal() {
            phase.move_out(to);
        }
        if swap.is_some_and(|other| other.seat() == figure.seat() && other.goal() == origin) {
            phase.move_out(origin);
        }
        phase
    }

    /// Returns the phase after a figure on its goal moves out.
    pub(crate) fn block_phase_out(&self, figure: Figure) -> BlockPhase {
        let mut phase = BlockPhase {
            occupied: self.occupied(),
            leaving: Stops::NONE,
            beats_black: false,
            n_out: 0,
            grey: self.grey,
        };
        phase.move_out(figure.goal());
        phase
    }
}
