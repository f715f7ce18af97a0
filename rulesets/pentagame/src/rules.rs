//! What may be played and how a game ends: the page `pentagame.md`, clause by
//! clause.
//!
//! A turn has two parts. The *step* moves a figure, beats or swaps what is in
//! its way and may bring figures out; a [`Stage`] is the board after it. Then
//! blocks are put on free stops. Listing and checking of moves both go through
//! stages, so they cannot disagree about what is free.

use crate::Pentagame;
use crate::figure::Figure;
use crate::moves::{Grey, Move};
use crate::position::{N_OUT_TO_WIN, Position};
use crate::reach::reach;
use crate::stop::Stop;
use crate::stops::Stops;

/// The board after a figure's own move, before any block is put.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stage {
    /// What is occupied while the black block is put; the figures that move out
    /// still stand there.
    occupied: Stops,
    /// Stops that figures moving out leave.
    leaving: Stops,
    pub(crate) beats_black: bool,
    pub(crate) n_out: u32,
    /// Grey blocks on the board.
    pub(crate) grey: Stops,
}

impl Stage {
    /// Where the black block may be put.
    #[inline]
    pub(crate) fn free_for_black(&self) -> Stops {
        self.occupied.complement()
    }

    /// The stage for grey blocks, after the black one if there is one.
    #[inline]
    pub(crate) fn cleared(&self, black: Option<Stop>) -> Greys {
        let occupied = black.map_or(self.occupied, |stop| self.occupied.with(stop));
        Greys { free: occupied.complement().or(self.leaving), grey: self.grey }
    }
}

/// The board while grey blocks are put, one after the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Greys {
    pub(crate) free: Stops,
    /// Grey blocks on the board.
    pub(crate) grey: Stops,
}

impl Greys {
    /// Whether one waits outside; if not, one on the board is moved.
    #[inline]
    pub(crate) fn any_outside(&self) -> bool {
        self.grey.count() < crate::position::N_GREY
    }

    /// After one more block was put.
    #[inline]
    pub(crate) fn after(&self, put: Grey) -> Greys {
        let mut next = *self;
        if let Some(from) = put.from {
            next.free = next.free.with(from);
            next.grey = next.grey.without(from);
        }
        Greys { free: next.free.without(put.to), grey: next.grey.with(put.to) }
    }
}

/// Why a move that is written well may not be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Illegal {
    GameOver,
    PassWithMoves,
    MustPass,
    FigureOut(Figure),
    MustMoveOut(Figure),
    NotOnGoal(Figure),
    SameStop(Stop),
    OutOfReach(Figure, Stop),
    SwapNotNamed(Stop),
    NobodyToSwap(Stop),
    NotThere(Figure, Stop),
    Ko(Figure, Figure),
    BlackNotPut(Stop),
    NoBlackToPut,
    NotFree(Stop),
    GreyCount { wanted: u32, found: u32 },
    GreyOutside,
    NoGreyOutside,
    NoGreyAt(Stop),
}

impl Position {
    /// Whether the game is over: the round is, and somebody has three out.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.to_move == 0 && (0..self.n_seats()).any(|seat| self.n_out(seat) >= N_OUT_TO_WIN)
    }

    /// Whether a seat has three out.
    pub(crate) fn has_finished(&self, seat: usize) -> bool {
        self.n_out(seat) >= N_OUT_TO_WIN
    }

    /// Whether the player to move has to move a figure out.
    #[inline]
    pub(crate) fn is_forced(&self) -> bool {
        self.figures_of(self.to_move()).any(|figure| self.stop_of(figure) == Some(figure.goal()))
    }

    /// Whether the player to move has no move. It takes three figures of theirs
    /// that have nowhere to go, and every stop has two neighbours, of which the
    /// ko may forbid one: no position that is accepted comes to this.
    pub(crate) fn must_pass(&self) -> bool {
        let has_move = |figure: Figure| {
            let Some(origin) = self.stop_of(figure) else { return false };
            let reach = reach(origin, self.occupied());
            let may_swap = |stop| self.figures_at(stop).any(|other| !self.is_ko(figure, other));
            !reach.free.is_empty() || reach.hits.iter().any(|stop| !self.figures.contains(stop) || may_swap(stop))
        };
        !self.is_over() && !self.is_forced() && !self.figures_of(self.to_move()).any(has_move)
    }

    /// The stage after a figure goes to a stop, swapping with `swap`.
    #[inline]
    pub(crate) fn stage(&self, figure: Figure, to: Stop, swap: Option<Figure>) -> Stage {
        let origin = self.stop_of(figure).unwrap_or(to);
        let mut stage = Stage {
            occupied: self.occupied().with(to),
            leaving: Stops::NONE,
            beats_black: self.black.contains(to),
            n_out: 0,
            grey: self.grey.without(to),
        };
        let is_left = swap.is_none() && (!origin.is_corner() || self.figures_at(origin).nth(1).is_none());
        if is_left {
            stage.occupied = stage.occupied.without(origin);
        }
        if to == figure.goal() {
            stage.leave(to);
        }
        if swap.is_some_and(|other| other.seat() == figure.seat() && other.goal() == origin) {
            stage.leave(origin);
        }
        stage
    }

    /// The stage after a figure moves out from where it stands.
    pub(crate) fn stage_out(&self, figure: Figure) -> Stage {
        let mut stage =
            Stage { occupied: self.occupied(), leaving: Stops::NONE, beats_black: false, n_out: 0, grey: self.grey };
        stage.leave(figure.goal());
        stage
    }

    /// The position after a legal move. Whether it is legal is not checked.
    #[inline]
    pub fn play_unchecked(&self, mv: Move) -> Position {
        let mut next = *self;
        next.set_ko(None);
        next.to_move = if self.to_move() + 1 == self.n_seats() { 0 } else { self.to_move + 1 };
        let Some(figure) = mv.figure() else { return next };
        if let (Some(to), Some(origin)) = (mv.to(), self.stop_of(figure)) {
            next.black = next.black.without(to);
            next.grey = next.grey.without(to);
            next.take(figure);
            if let Some(other) = mv.swap() {
                next.take(other);
                next.set_ko(Some((figure, other)));
                if other.seat() != figure.seat() || other.goal() != origin {
                    next.put(other, origin);
                }
            }
            if to != figure.goal() {
                next.put(figure, to);
            }
        } else {
            next.take(figure);
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

    /// Says why a move may not be played.
    pub(crate) fn check_move(&self, mv: Move) -> Result<(), Illegal> {
        if self.is_over() {
            return Err(Illegal::GameOver);
        }
        let Some(figure) = mv.figure() else {
            return if self.must_pass() { Ok(()) } else { Err(Illegal::PassWithMoves) };
        };
        if self.must_pass() {
            return Err(Illegal::MustPass);
        }
        let Some(origin) = self.stop_of(figure) else { return Err(Illegal::FigureOut(figure)) };
        let on_goal = self.figures_of(self.to_move()).find(|figure| self.stop_of(*figure) == Some(figure.goal()));
        let stage = match (mv.to(), on_goal) {
            (None, Some(_)) if origin == figure.goal() => self.stage_out(figure),
            (_, Some(other)) => return Err(Illegal::MustMoveOut(other)),
            (None, None) => return Err(Illegal::NotOnGoal(figure)),
            (Some(to), None) => {
                self.check_step(figure, origin, to, mv.swap())?;
                self.stage(figure, to, mv.swap())
            }
        };
        check_blocks(&stage, mv)
    }

    fn check_step(&self, figure: Figure, origin: Stop, to: Stop, swap: Option<Figure>) -> Result<(), Illegal> {
        if to == origin {
            return Err(Illegal::SameStop(to));
        }
        let reach = reach(origin, self.occupied());
        if !reach.free.or(reach.hits).contains(to) {
            return Err(Illegal::OutOfReach(figure, to));
        }
        match (self.figures.contains(to), swap) {
            (false, None) => Ok(()),
            (false, Some(_)) => Err(Illegal::NobodyToSwap(to)),
            (true, None) => Err(Illegal::SwapNotNamed(to)),
            (true, Some(other)) if self.stop_of(other) != Some(to) => Err(Illegal::NotThere(other, to)),
            (true, Some(other)) if self.is_ko(figure, other) => Err(Illegal::Ko(figure, other)),
            (true, Some(_)) => Ok(()),
        }
    }
}

fn check_blocks(stage: &Stage, mv: Move) -> Result<(), Illegal> {
    match (stage.beats_black, mv.black()) {
        (true, None) => return Err(Illegal::BlackNotPut(mv.to().unwrap_or(Stop(0)))),
        (false, Some(_)) => return Err(Illegal::NoBlackToPut),
        (true, Some(stop)) if !stage.free_for_black().contains(stop) => return Err(Illegal::NotFree(stop)),
        _ => {}
    }
    let found = mv.greys().count() as u32;
    if found != stage.n_out {
        return Err(Illegal::GreyCount { wanted: stage.n_out, found });
    }
    let mut greys = stage.cleared(mv.black());
    for grey in mv.greys() {
        match grey.from {
            Some(_) if greys.any_outside() => return Err(Illegal::GreyOutside),
            None if !greys.any_outside() => return Err(Illegal::NoGreyOutside),
            Some(from) if !greys.grey.contains(from) => return Err(Illegal::NoGreyAt(from)),
            _ => {}
        }
        if !greys.free.contains(grey.to) {
            return Err(Illegal::NotFree(grey.to));
        }
        greys = greys.after(grey);
    }
    Ok(())
}

impl Stage {
    fn leave(&mut self, goal: Stop) {
        self.leaving = self.leaving.with(goal);
        self.n_out += 1;
    }
}

impl Pentagame {
    /// Whose rules these are: the number of players.
    pub fn n_seats(&self) -> usize {
        self.n_seats
    }
}
