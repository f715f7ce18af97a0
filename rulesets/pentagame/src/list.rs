//! The legal moves, stage by stage.
//!
//! A position may have a hundred thousand moves, because blocks may be put on
//! any free stop; but they are products, and their texts are made of words: the
//! figure, where it goes, what it swaps with, where each block goes. A [`Sink`]
//! takes the words one by one. It may turn down a word, and with it all moves
//! that begin so, or take all moves that begin so by their number.
//!
//! The order is that of the texts in ASCII. Names of stops are in that order,
//! but for one thing: a letter alone comes before the small stops named after
//! it if nothing or `+` follows, and behind them if `=`, `>` or `@` does.

use std::ops::ControlFlow;

use crate::figure::Figure;
use crate::moves::{Grey, Move};
use crate::position::{N_GREY, Position};
use crate::reach::{Reach, reach};
use crate::rules::{Greys, Stage};
use crate::stop::{NAME_ORDER, Stop};
use crate::stops::Stops;

/// One word of a move's text.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Word {
    Pass,
    Figure(Figure),
    To(Stop),
    Out,
    Swap(Figure),
    Black(Stop),
    /// A grey block from outside.
    Grey(Stop),
    /// A grey block on the board, and where it is moved.
    GreyFrom(Stop),
    GreyTo(Stop),
}

/// Takes moves word by word.
pub(crate) trait Sink {
    /// One word more. If the answer is no, nothing behind it is given;
    /// [`back`](Sink::back) follows in any case.
    fn word(&mut self, word: Word) -> bool;

    /// Takes back the last word.
    fn back(&mut self);

    /// Whether all moves that begin with the words so far are taken by their
    /// number.
    fn takes_all(&mut self, count: impl FnOnce() -> u64) -> bool;

    /// The words so far are a move.
    fn whole(&mut self, mv: Move) -> ControlFlow<()>;
}

/// Gives all legal moves to a sink.
pub(crate) fn list<S: Sink>(position: &Position, sink: &mut S) -> ControlFlow<()> {
    if position.is_over() {
        return ControlFlow::Continue(());
    }
    if position.must_pass() {
        let flow = if sink.word(Word::Pass) { sink.whole(Move::PASS) } else { ControlFlow::Continue(()) };
        sink.back();
        return flow;
    }
    let mut lister = Lister { position, occupied: position.occupied(), sink };
    let is_forced = position.is_forced();
    for figure in position.figures_of(position.to_move()) {
        let Some(origin) = position.stop_of(figure) else { continue };
        if is_forced && origin != figure.goal() {
            continue;
        }
        let flow = if !lister.sink.word(Word::Figure(figure)) {
            ControlFlow::Continue(())
        } else if is_forced {
            lister.out(figure)
        } else {
            lister.figure(figure, origin)
        };
        lister.sink.back();
        flow?;
    }
    ControlFlow::Continue(())
}

struct Lister<'a, S> {
    position: &'a Position,
    occupied: Stops,
    sink: &'a mut S,
}

impl<S: Sink> Lister<'_, S> {
    fn figure(&mut self, figure: Figure, origin: Stop) -> ControlFlow<()> {
        let position = self.position;
        let reach = reach(origin, self.occupied);
        if self.sink.takes_all(|| count_figure(position, figure, reach)) {
            return ControlFlow::Continue(());
        }
        // Behind these `=` or `@` follows.
        let late = position.figures.or(position.black);
        in_order(reach.free.or(reach.hits), late, |to| {
            self.with(Word::To(to), |lister| {
                if !position.figures.contains(to) {
                    return lister.stage(Move::go(figure, to), &position.stage(figure, to, None));
                }
                position
                    .figures_at(to)
                    .filter(|&other| !position.is_ko(figure, other))
                    .try_for_each(|other| lister.swap(figure, to, other))
            })
        })
    }

    fn swap(&mut self, figure: Figure, to: Stop, other: Figure) -> ControlFlow<()> {
        self.with(Word::Swap(other), |lister| {
            let mv = Move::go(figure, to).with_swap(other);
            lister.stage(mv, &lister.position.stage(figure, to, Some(other)))
        })
    }

    fn out(&mut self, figure: Figure) -> ControlFlow<()> {
        self.with(Word::Out, |lister| lister.stage(Move::out(figure), &lister.position.stage_out(figure)))
    }

    fn stage(&mut self, mv: Move, stage: &Stage) -> ControlFlow<()> {
        if self.sink.takes_all(|| count_stage(stage)) {
            return ControlFlow::Continue(());
        }
        if !stage.beats_black {
            return self.greys(mv, &stage.cleared(None), stage.n_out);
        }
        in_order(stage.free_for_black(), Stops::NONE, |stop| {
            self.with(Word::Black(stop), |lister| {
                lister.greys(mv.with_black(stop), &stage.cleared(Some(stop)), stage.n_out)
            })
        })
    }

    fn greys(&mut self, mv: Move, greys: &Greys, n_left: u32) -> ControlFlow<()> {
        if n_left == 0 {
            return self.sink.whole(mv);
        }
        if self.sink.takes_all(|| count_greys(greys, n_left)) {
            return ControlFlow::Continue(());
        }
        if greys.any_outside() {
            return in_order(greys.free, Stops::NONE, |to| {
                self.with(Word::Grey(to), |lister| lister.grey(mv, greys, Grey { from: None, to }, n_left))
            });
        }
        in_order(greys.grey, greys.grey, |from| {
            self.with(Word::GreyFrom(from), |lister| {
                in_order(greys.free, Stops::NONE, |to| {
                    let grey = Grey { from: Some(from), to };
                    lister.with(Word::GreyTo(to), |lister| lister.grey(mv, greys, grey, n_left))
                })
            })
        })
    }

    #[inline]
    fn grey(&mut self, mv: Move, greys: &Greys, grey: Grey, n_left: u32) -> ControlFlow<()> {
        let mv = mv.with_grey(grey);
        // The last block is by far the most frequent case.
        if n_left == 1 { self.sink.whole(mv) } else { self.greys(mv, &greys.after(grey), n_left - 1) }
    }

    /// Adds a word, goes on if it is wanted, and takes it back.
    #[inline]
    fn with(&mut self, word: Word, go_on: impl FnOnce(&mut Self) -> ControlFlow<()>) -> ControlFlow<()> {
        let flow = if self.sink.word(word) { go_on(self) } else { ControlFlow::Continue(()) };
        self.sink.back();
        flow
    }
}

/// Gives stops in ASCII order of their names; a node in `late` comes behind the
/// small stops that begin with its letter.
#[inline]
fn in_order(stops: Stops, late: Stops, mut give: impl FnMut(Stop) -> ControlFlow<()>) -> ControlFlow<()> {
    let mut held = None;
    for &stop in &NAME_ORDER {
        if stop.is_node()
            && let Some(held) = held.take()
        {
            give(held)?;
        }
        if !stops.contains(stop) {
            continue;
        }
        if stop.is_node() && late.contains(stop) {
            held = Some(stop);
        } else {
            give(stop)?;
        }
    }
    held.map_or(ControlFlow::Continue(()), give)
}

fn count_figure(position: &Position, figure: Figure, reach: Reach) -> u64 {
    // Going to a free stop is one move, but for the goal.
    let goal = Stops::NONE.with(figure.goal());
    let mut count = u64::from(reach.free.and(goal.complement()).count());
    for to in reach.free.and(goal).or(reach.hits).iter() {
        if !position.figures.contains(to) {
            count += count_stage(&position.stage(figure, to, None));
            continue;
        }
        for other in position.figures_at(to).filter(|&other| !position.is_ko(figure, other)) {
            count += count_stage(&position.stage(figure, to, Some(other)));
        }
    }
    count
}

/// Every block put leaves equally many stops for the next, so these are products.
fn count_stage(stage: &Stage) -> u64 {
    let free = stage.free_for_black();
    match free.first() {
        _ if !stage.beats_black => count_greys(&stage.cleared(None), stage.n_out),
        Some(stop) => u64::from(free.count()) * count_greys(&stage.cleared(Some(stop)), stage.n_out),
        None => 0,
    }
}

fn count_greys(greys: &Greys, n_left: u32) -> u64 {
    let (mut n_free, mut n_on_board) = (u64::from(greys.free.count()), greys.grey.count());
    let mut count = 1;
    for _ in 0..n_left {
        if n_on_board < N_GREY {
            count *= n_free;
            (n_free, n_on_board) = (n_free.saturating_sub(1), n_on_board + 1);
        } else {
            count *= n_free * u64::from(N_GREY);
        }
    }
    count
}
