//! Walks the tree of legal moves, token by token.
//!
//! A position may have a hundred thousand moves, because blocks may be put on any
//! free stop. But a move is a product of choices, and its text a sequence of tokens:
//! the figure, where it goes, what it swaps with, where each block goes. A
//! [`MoveVisitor`] receives the tokens one by one. It may reject a token, and with
//! it all moves that begin so, or accept a count of those moves instead.
//!
//! Moves come in the ASCII order of their texts. The names of stops are in that
//! order, with one exception: a single letter comes before the small stops named
//! after it if nothing or `+` follows, and after them if `=`, `>` or `@` follows.

use std::ops::ControlFlow;

use crate::board::{Figure, NAME_ORDER, Reach, Stop, Stops, reach};
use crate::moves::{Grey, Move};
use crate::position::{N_GREY, Position};
use crate::rules::{BlockPhase, GreyPhase};

/// One part of a move's text.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Token {
    Pass,
    Figure(Figure),
    To(Stop),
    Out,
    Swap(Figure),
    Black(Stop),
    /// A grey block from outside.
    Grey(Stop),
    /// A grey block on the board that is moved; `GreyTo` follows.
    GreyFrom(Stop),
    GreyTo(Stop),
}

/// Receives the tokens of all legal moves, depth first. By default it accepts
/// every token and counts nothing.
pub(crate) trait MoveVisitor {
    /// Descends along a token. Returns false to skip the moves that continue with it;
    /// [`pop_token`](MoveVisitor::pop_token) follows in either case.
    #[inline]
    fn push_token(&mut self, _token: Token) -> bool {
        true
    }

    /// Removes the last token.
    #[inline]
    fn pop_token(&mut self) {}

    /// Offers the number of moves that begin with the tokens so far. If the visitor
    /// accepts it (calls `count` and returns true), those moves are not generated.
    #[inline]
    fn accept_count(&mut self, _count: impl FnOnce() -> u64) -> bool {
        false
    }

    /// Visits the complete move of the tokens so far.
    fn visit_move(&mut self, mv: Move) -> ControlFlow<()>;
}

/// Walks all legal moves until the visitor breaks.
pub(crate) fn generate<V: MoveVisitor>(position: &Position, visitor: &mut V) -> ControlFlow<()> {
    if position.is_over() {
        return ControlFlow::Continue(());
    }
    if position.must_pass() {
        let flow =
            if visitor.push_token(Token::Pass) { visitor.visit_move(Move::PASS) } else { ControlFlow::Continue(()) };
        visitor.pop_token();
        return flow;
    }
    let mut generator = Generator { position, occupied: position.occupied(), visitor };
    let must_move_out = position.must_move_out();
    for figure in position.figures_of(position.to_move()) {
        let Some(origin) = position.stop_of(figure) else { continue };
        if must_move_out && origin != figure.goal() {
            continue;
        }
        let flow = if !generator.visitor.push_token(Token::Figure(figure)) {
            ControlFlow::Continue(())
        } else if must_move_out {
            generator.move_out(figure)
        } else {
            generator.figure_moves(figure, origin)
        };
        generator.visitor.pop_token();
        flow?;
    }
    ControlFlow::Continue(())
}

struct Generator<'a, V> {
    position: &'a Position,
    occupied: Stops,
    visitor: &'a mut V,
}

impl<V: MoveVisitor> Generator<'_, V> {
    fn figure_moves(&mut self, figure: Figure, origin: Stop) -> ControlFlow<()> {
        let position = self.position;
        let reach = reach(origin, self.occupied);
        if self.visitor.accept_count(|| count_figure_moves(position, figure, reach)) {
            return ControlFlow::Continue(());
        }
        // `=` or `@` follows these stops.
        let late = position.figures.union(position.black);
        for_each_in_text_order(reach.free.union(reach.blockers), late, |to| {
            self.with(Token::To(to), |generator| {
                if !position.figures.contains(to) {
                    return generator.place_blocks(Move::go(figure, to), &position.block_phase(figure, to, None));
                }
                position
                    .figures_at(to)
                    .filter(|&other| !position.is_ko(figure, other))
                    .try_for_each(|other| generator.swap_moves(figure, to, other))
            })
        })
    }

    fn swap_moves(&mut self, figure: Figure, to: Stop, other: Figure) -> ControlFlow<()> {
        self.with(Token::Swap(other), |generator| {
            let mv = Move::go(figure, to).with_swap(other);
            generator.place_blocks(mv, &generator.position.block_phase(figure, to, Some(other)))
        })
    }

    fn move_out(&mut self, figure: Figure) -> ControlFlow<()> {
        self.with(Token::Out, |generator| {
            generator.place_blocks(Move::out(figure), &generator.position.block_phase_out(figure))
        })
    }

    fn place_blocks(&mut self, mv: Move, phase: &BlockPhase) -> ControlFlow<()> {
        if self.visitor.accept_count(|| count_block_placements(phase)) {
            return ControlFlow::Continue(());
        }
        if !phase.beats_black {
            return self.place_greys(mv, &phase.grey_phase(None), phase.n_out);
        }
        for_each_in_text_order(phase.free_for_black(), Stops::NONE, |stop| {
            self.with(Token::Black(stop), |generator| {
                generator.place_greys(mv.with_black(stop), &phase.grey_phase(Some(stop)), phase.n_out)
            })
        })
    }

    fn place_greys(&mut self, mv: Move, greys: &GreyPhase, n_left: u32) -> ControlFlow<()> {
        if n_left == 0 {
            return self.visitor.visit_move(mv);
        }
        if self.visitor.accept_count(|| count_grey_placements(greys, n_left)) {
            return ControlFlow::Continue(());
        }
        if greys.any_outside() {
            return for_each_in_text_order(greys.free, Stops::NONE, |to| {
                self.with(Token::Grey(to), |generator| generator.place_grey(mv, greys, Grey { from: None, to }, n_left))
            });
        }
        for_each_in_text_order(greys.grey, greys.grey, |from| {
            self.with(Token::GreyFrom(from), |generator| {
                for_each_in_text_order(greys.free, Stops::NONE, |to| {
                    let grey = Grey { from: Some(from), to };
                    generator.with(Token::GreyTo(to), |generator| generator.place_grey(mv, greys, grey, n_left))
                })
            })
        })
    }

    #[inline]
    fn place_grey(&mut self, mv: Move, greys: &GreyPhase, grey: Grey, n_left: u32) -> ControlFlow<()> {
        let mv = mv.with_grey(grey);
        // The last block is by far the most frequent case.
        if n_left == 1 { self.visitor.visit_move(mv) } else { self.place_greys(mv, &greys.after(grey), n_left - 1) }
    }

    /// Pushes a token, descends if the visitor accepts it, and pops it again.
    #[inline]
    fn with(&mut self, token: Token, descend: impl FnOnce(&mut Self) -> ControlFlow<()>) -> ControlFlow<()> {
        let flow = if self.visitor.push_token(token) { descend(self) } else { ControlFlow::Continue(()) };
        self.visitor.pop_token();
        flow
    }
}

/// Visits stops in ASCII order of their names; a node in `late` comes after the
/// small stops that begin with its letter.
#[inline]
fn for_each_in_text_order(
    stops: Stops,
    late: Stops,
    mut visit: impl FnMut(Stop) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut deferred = None;
    for &stop in &NAME_ORDER {
        if stop.is_node()
            && let Some(deferred) = deferred.take()
        {
            visit(deferred)?;
        }
        if !stops.contains(stop) {
            continue;
        }
        if stop.is_node() && late.contains(stop) {
            deferred = Some(stop);
        } else {
            visit(stop)?;
        }
    }
    deferred.map_or(ControlFlow::Continue(()), visit)
}

fn count_figure_moves(position: &Position, figure: Figure, reach: Reach) -> u64 {
    // Going to a free stop other than the goal is one move.
    let goal = Stops::only(figure.goal());
    let mut count = u64::from(reach.free.intersection(goal.complement()).count());
    for to in reach.free.intersection(goal).union(reach.blockers).iter() {
        if !position.figures.contains(to) {
            count += count_block_placements(&position.block_phase(figure, to, None));
            continue;
        }
        for other in position.figures_at(to).filter(|&other| !position.is_ko(figure, other)) {
            count += count_block_placements(&position.block_phase(figure, to, Some(other)));
        }
    }
    count
}

/// Counts as a product: wherever a block is put, equally many stops are left for the
/// next.
fn count_block_placements(phase: &BlockPhase) -> u64 {
    let free = phase.free_for_black();
    match free.first() {
        _ if !phase.beats_black => count_grey_placements(&phase.grey_phase(None), phase.n_out),
        Some(stop) => u64::from(free.count()) * count_grey_placements(&phase.grey_phase(Some(stop)), phase.n_out),
        None => 0,
    }
}

fn count_grey_placements(greys: &GreyPhase, n_left: u32) -> u64 {
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
