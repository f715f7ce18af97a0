//! Safe moves, which do not lose to the very next one, found for all moves at once.
//!
//! A move and the next player's move turn at most two blocks, so apart from two
//! marbles they lead to one of 137 boards. Where the next player has four and an
//! empty fifth cell on the board after turns `t` and `u`, every move that turns
//! `t` loses to a turn of `u`, except a placement on that fifth cell.
//!
//! **Exactness.** A move is unsafe exactly if the next player (or the partner) then
//! has a win in one, or if its turn gives an opponent five. The tests compare this
//! with the plain rules.

use crate::PentagoXl;
use crate::board::lines::completing_cells;
use crate::board::{Cell, Cells, Turn};
use crate::moves::Move;
use crate::position::Position;
use crate::rules::Seats;
use crate::search::winning_moves::turn_gives_five;

/// A set of moves: the cells to place on, by turn.
pub(crate) type MoveMasks = [u128; Turn::COUNT];

/// The moves of a position whose side to move has no win in one.
#[derive(Clone, Debug)]
pub(crate) struct SafeMoves {
    /// Moves that do not end the game and do not lose to the next move.
    safe: MoveMasks,
    /// Turns that give an opponent five; all moves with them end the game.
    pub(crate) ends_game: [bool; Turn::COUNT],
    /// Moves that do not end the game and lose to the next move.
    pub(crate) n_unsafe: u32,
}

impl SafeMoves {
    pub(crate) fn any(&self) -> bool {
        self.safe.iter().any(|&cells| cells != 0)
    }

    pub(crate) fn contains(&self, mv: Move) -> bool {
        mv.turn().is_some_and(|turn| Cells(self.safe[turn.index()]).contains(mv.cell()))
    }
}

impl PentagoXl {
    /// Finds the safe moves. The position is decisive, not over, and its side
    /// to move has no win in one.
    pub(crate) fn safe_moves(&self, position: &Position) -> SafeMoves {
        let seat = position.side as usize;
        let mut moves =
            SafeMoves { safe: [position.empty().0; Turn::COUNT], ends_game: [false; Turn::COUNT], n_unsafe: 0 };
        let opponents = self.opponents(position, seat);
        for turn in Turn::all() {
            if turn_gives_five(position, opponents, turn) {
                moves.ends_game[turn.index()] = true;
                moves.safe[turn.index()] = 0;
            }
        }
        let next = self.next_to_move(position.side, &position.places) as usize;
        let not_ending = moves.safe;
        if position.empty().count() > 1 && next != seat {
            SafeMoveScan::new(self, position, next, &mut moves.safe).run();
        }
        moves.n_unsafe = not_ending.iter().zip(&moves.safe).map(|(all, safe)| (all & !safe).count_ones()).sum();
        moves
    }
}

/// Scans the boards that two moves can lead to and removes from `safe` the moves
/// that lose there.
struct SafeMoveScan<'a> {
    position: &'a Position,
    empty: Cells,
    own: Cells,
    /// Marbles of the next player, before and after each turn.
    marbles: Cells,
    turned: [Cells; Turn::COUNT],
    /// Cells that complete a five of these marbles.
    completing: u128,
    turned_completing: [u128; Turn::COUNT],
    /// Partner of the next player, whose five also wins.
    partner: Seats,
    /// Opponents of the next player.
    opponents: Seats,
    safe: &'a mut MoveMasks,
}

impl<'a> SafeMoveScan<'a> {
    fn new(rules: &PentagoXl, position: &'a Position, next: usize, safe: &'a mut MoveMasks) -> Self {
        let marbles = position.marbles[next];
        let completing = completing_cells(marbles);
        let mut turned = [marbles; Turn::COUNT];
        let mut turned_completing = [completing; Turn::COUNT];
        for turn in Turn::all() {
            let after = marbles.turned(turn);
            if after != marbles {
                turned[turn.index()] = after;
                turned_completing[turn.index()] = completing_cells(after);
            }
        }
        SafeMoveScan {
            position,
            empty: position.empty(),
            own: position.own(),
            marbles,
            turned,
            completing,
            turned_completing,
            partner: rules.team(next) & !(1 << next),
            opponents: rules.opponents(position, next),
            safe,
        }
    }

    fn run(&mut self) {
        if self.marbles.count() < 4 && self.partner == 0 {
            return;
        }
        // Net effect of no turn: the next player undoes the mover's turn.
        let stopping = self.stopping_cells(self.marbles, self.completing, &[]);
        self.safe.iter_mut().for_each(|safe| *safe &= stopping);
        for first in Turn::all() {
            let t = first.index();
            // After one turn the next player places.
            self.safe[t] &= self.stopping_cells(self.turned[t], self.turned_completing[t], &[first]);
            // A block turned twice the same way.
            if first.is_clockwise() {
                let half = self.turned[t].turned(first);
                let completing = if half == self.marbles { self.completing } else { completing_cells(half) };
                let stopping = self.stopping_cells(half, completing, &[first, first]);
                self.safe[t] &= stopping;
                self.safe[t ^ 1] &= stopping;
            }
            for second in Turn::all().skip(t / 2 * 2 + 2) {
                self.scan_two_blocks(first, second);
            }
        }
    }

    /// Scans the board with two blocks turned, in either order.
    #[inline]
    fn scan_two_blocks(&mut self, first: Turn, second: Turn) {
        let (t, u) = (first.index(), second.index());
        if self.safe[t] | self.safe[u] == 0 {
            return;
        }
        let changes = [self.turned[t] != self.marbles, self.turned[u] != self.marbles];
        let (board, completing) = match changes {
            [false, _] => (self.turned[u], self.turned_completing[u]),
            [true, false] => (self.turned[t], self.turned_completing[t]),
            [true, true] => {
                let board = self.turned[t].turned(second);
                (board, completing_cells(board))
            }
        };
        if completing == 0 && self.partner == 0 {
            return;
        }
        let stopping = self.stopping_cells(board, completing, &[first, second]);
        self.safe[t] &= stopping;
        self.safe[u] &= stopping;
    }

    /// Returns the placements that keep the next player from five on the board after
    /// `turns`; the last turn is the next player's unless it is the only one. On that
    /// board, a marble on a cell of `completing` completes a five.
    #[inline]
    fn stopping_cells(&self, board: Cells, completing: u128, turns: &[Turn]) -> u128 {
        let after = |cells: Cells| turns.iter().fold(cells, |cells, &turn| cells.turned(turn));
        let open = completing & after(self.empty).0;
        let is_five = (completing & board.0 != 0 && board.has_five()) || self.any_seat_has_five(self.partner, after);
        if open == 0 && !is_five {
            return u128::MAX;
        }
        // A single turn is the mover's own: the next player wins by placing, which
        // nobody can share. A five that already exists ends the game.
        if turns.len() == 1 {
            return if is_five { u128::MAX } else { self.only_cell(open, turns) };
        }
        // Without turns in effect nobody has five, since the game goes on.
        if self.any_seat_has_five(self.opponents, after) {
            return u128::MAX;
        }
        let stopping = if is_five { 0 } else { self.only_cell(open, turns) };
        // A placement that gives the mover five by the same turn shares it.
        let shared = completing_cells(after(self.own)) & after(self.empty).0;
        stopping | self.before_turns(Cells(shared), turns).0
    }

    /// Returns the placement on the open cell if there is exactly one.
    #[inline]
    fn only_cell(&self, open: u128, turns: &[Turn]) -> u128 {
        if open & open.wrapping_sub(1) != 0 { 0 } else { self.before_turns(Cells(open), turns).0 }
    }

    /// Returns where the cells were before the turns.
    #[inline]
    fn before_turns(&self, cells: Cells, turns: &[Turn]) -> Cells {
        turns.iter().rev().fold(cells, |cells, turn| cells.turned(turn.inverse()))
    }

    fn any_seat_has_five(&self, seats: Seats, after: impl Fn(Cells) -> Cells) -> bool {
        seats != 0
            && (0..4).any(|seat| {
                let marbles = self.position.marbles[seat];
                seats >> seat & 1 != 0 && marbles.count() >= 5 && after(marbles).has_five()
            })
    }
}

/// Appends representatives of the moves that end the game by their turn: one per
/// result that a turn can have.
pub(crate) fn game_ending_moves(position: &Position, moves: &SafeMoves, out: &mut Vec<Move>) {
    for turn in Turn::all().filter(|turn| moves.ends_game[turn.index()]) {
        let (own, empty) = (position.own().turned(turn), position.empty().turned(turn));
        let shared = if own.has_five() { empty } else { Cells(completing_cells(own)).intersection(empty) };
        for cells in [shared, empty.intersection(shared.complement())] {
            let cell = cells.turned(turn.inverse()).first();
            out.extend(cell.map(|cell: Cell| Move::place_and_turn(cell, turn)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use pentad_sdk::Ruleset;
    use pentad_sdk::rng::Rng;

    use super::*;
    use crate::variant::{Objective, Variant};

    /// Returns positions of random games, with more than 12 marbles on the board.
    fn positions(rules: &PentagoXl, rng: &mut Rng, n: usize) -> Vec<Position> {
        let mut sample = Vec::new();
        while sample.len() < n {
            let mut position = Position::START;
            rules.playout_with(
                &Position::START,
                || rng.next_u64(),
                |mv| {
                    if position.occupied().count() > 12 && is_sampled(&position) {
                        sample.push(position);
                    }
                    position = rules.play_unchecked(&position, mv);
                },
            );
        }
        sample
    }

    /// Selects one position in seven.
    fn is_sampled(position: &Position) -> bool {
        position.occupied().count() % 7 == 3
    }

    /// A move is safe exactly if the game continues after it and the next player has no
    /// win in one.
    #[test]
    fn safe_moves_do_not_lose_to_the_next_one() {
        for rules in Variant::ALL.map(PentagoXl::of) {
            let mut rng = Rng::new(3);
            let (mut n_checked, mut n_unsafe) = (0, 0);
            for position in positions(&rules, &mut rng, 120) {
                if !rules.is_decisive(&position) || rules.winning_move(&position).is_some() {
                    continue;
                }
                let safe_moves = rules.safe_moves(&position);
                let mut unsafe_here = 0;
                let _complete = rules.legal_moves(&position, |mv| {
                    let next = rules.play_unchecked(&position, mv);
                    let is_over = rules.game_result(&next).is_some();
                    let loses = !is_over && rules.winning_move(&next).is_some();
                    let is_last = position.empty().count() == 1;
                    unsafe_here += u32::from(loses);
                    assert!(
                        safe_moves.contains(mv) == (!loses && (!is_over || is_last)) || (is_over && is_last),
                        "{rules:?} {position:?} {mv:?}"
                    );
                    ControlFlow::Continue(())
                });
                assert_eq!(safe_moves.n_unsafe, unsafe_here, "{rules:?} {position:?}");
                n_checked += 1;
                n_unsafe += usize::from(unsafe_here > 0);
            }
            let wanted = if rules.variant.objective() == Objective::Places { 0 } else { 20 };
            assert!(n_checked >= wanted && n_unsafe * 4 >= wanted, "{rules:?}: {n_checked} {n_unsafe}");
        }
    }

    /// The representatives of moves that end the game have every result that such a
    /// move can have.
    #[test]
    fn game_ending_moves_have_every_result() {
        for rules in Variant::ALL.map(PentagoXl::of) {
            let mut rng = Rng::new(4);
            for position in positions(&rules, &mut rng, 80) {
                if !rules.is_decisive(&position) || rules.winning_move(&position).is_some() {
                    continue;
                }
                if position.empty().count() < 3 {
                    continue;
                }
                let safe_moves = rules.safe_moves(&position);
                let mut shown = Vec::new();
                game_ending_moves(&position, &safe_moves, &mut shown);
                let result = |mv: Move| rules.game_result(&rules.play_unchecked(&position, mv)).map(|end| end.places);
                let shown: Vec<_> = shown.into_iter().map(result).collect();
                let _complete = rules.legal_moves(&position, |mv| {
                    let end = result(mv);
                    assert!(end.is_none() || shown.contains(&end), "{rules:?} {position:?} {mv:?}");
                    ControlFlow::Continue(())
                });
                assert!(!shown.contains(&None), "{rules:?} {position:?}");
            }
        }
    }
}
