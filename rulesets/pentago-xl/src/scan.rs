//! Which moves lose to the very next one, found for all moves at once.
//!
//! A move and the next player's move turn at most two blocks, so they show one
//! of 137 boards, two marbles aside. Where the next player has four and an open
//! fifth cell on the board after turns `t` and `u`, every move that turns `t`
//! loses to a turn of `u`, except a placement on that fifth cell.
//!
//! **Exactness.** A move is left out of [`Scan::safe`] only if the next player
//! (or a mate of theirs) then has a five at hand that no rival of theirs
//! shares, or if its turn gives somebody five. The tests compare this with the
//! plain rules.

use crate::PentagoXl;
use crate::board::{Cell, Cells, Turn};
use crate::lines::fifths;
use crate::moves::Move;
use crate::position::Position;
use crate::threats::{Seats, any_five};

/// Cells to place on, by turn.
pub(crate) type Masks = [u128; Turn::COUNT];

/// The moves of a position whose side to move has no five at hand.
#[derive(Clone, Debug)]
pub(crate) struct Scan {
    /// Moves that do not end the game and do not lose to the next move.
    pub(crate) safe: Masks,
    /// Turns that give a rival five; all moves with them end the game.
    pub(crate) ending: [bool; Turn::COUNT],
    /// How many moves that go on lose to the next one.
    pub(crate) n_unsafe: u32,
}

impl Scan {
    pub(crate) fn any_safe(&self) -> bool {
        self.safe.iter().any(|&cells| cells != 0)
    }

    pub(crate) fn is_safe(&self, mv: Move) -> bool {
        mv.turn().is_some_and(|turn| Cells(self.safe[turn.index()]).contains(mv.cell()))
    }
}

impl PentagoXl {
    /// Finds the safe moves. The position is decisive, not over, and its side
    /// to move has no five at hand.
    pub(crate) fn scan(&self, position: &Position) -> Scan {
        let seat = position.side as usize;
        let mut scan = Scan { safe: [position.empty().0; Turn::COUNT], ending: [false; Turn::COUNT], n_unsafe: 0 };
        let rivals = self.rivals(position, seat);
        for turn in Turn::all() {
            if any_five(position, rivals, turn) {
                scan.ending[turn.index()] = true;
                scan.safe[turn.index()] = 0;
            }
        }
        let next = self.after(position.side, &position.places) as usize;
        let before = scan.safe;
        if position.empty().count() > 1 && next != seat {
            Scanner::new(self, position, next, &mut scan).run();
        }
        scan.n_unsafe = before.iter().zip(&scan.safe).map(|(before, safe)| (before & !safe).count_ones()).sum();
        scan
    }
}

struct Scanner<'a> {
    position: &'a Position,
    empty: Cells,
    own: Cells,
    /// Of the next player.
    marbles: Cells,
    /// The fellows of the next player, whose five serves as well.
    mates: Seats,
    /// Everybody against the next player.
    rivals: Seats,
    singles: [Cells; Turn::COUNT],
    /// Fifth cells of the next player as it lies and after each turn.
    base_fifths: u128,
    single_fifths: [u128; Turn::COUNT],
    scan: &'a mut Scan,
}

impl<'a> Scanner<'a> {
    fn new(rules: &PentagoXl, position: &'a Position, next: usize, scan: &'a mut Scan) -> Self {
        let marbles = position.marbles[next];
        let base_fifths = fifths(marbles);
        let mut singles = [marbles; Turn::COUNT];
        let mut single_fifths = [base_fifths; Turn::COUNT];
        for turn in Turn::all() {
            let turned = marbles.turned(turn);
            if turned != marbles {
                singles[turn.index()] = turned;
                single_fifths[turn.index()] = fifths(turned);
            }
        }
        Scanner {
            position,
            empty: position.empty(),
            own: position.own(),
            marbles,
            mates: rules.mates(next) & !(1 << next),
            rivals: rules.rivals(position, next),
            singles,
            base_fifths,
            single_fifths,
            scan,
        }
    }

    fn run(&mut self) {
        if self.marbles.count() < 4 && self.mates == 0 {
            return;
        }
        // As it lies: the next player turns back what was turned.
        let stopped = self.stopped(self.marbles, self.base_fifths, &[]);
        self.scan.safe.iter_mut().for_each(|safe| *safe &= stopped);
        for first in Turn::all() {
            let t = first.index();
            // After one turn the next player places.
            self.scan.safe[t] &= self.stopped(self.singles[t], self.single_fifths[t], &[first]);
            // A block turned twice the same way.
            if first.is_clockwise() {
                let half = self.singles[t].turned(first);
                let found = if half == self.marbles { self.base_fifths } else { fifths(half) };
                let stopped = self.stopped(half, found, &[first, first]);
                self.scan.safe[t] &= stopped;
                self.scan.safe[t ^ 1] &= stopped;
            }
            for second in Turn::all().skip(t / 2 * 2 + 2) {
                self.pair(first, second);
            }
        }
    }

    /// Two blocks are turned, whichever of them first.
    #[inline]
    fn pair(&mut self, first: Turn, second: Turn) {
        let (t, u) = (first.index(), second.index());
        if self.scan.safe[t] | self.scan.safe[u] == 0 {
            return;
        }
        let changes = [self.singles[t] != self.marbles, self.singles[u] != self.marbles];
        let (board, found) = match changes {
            [false, _] => (self.singles[u], self.single_fifths[u]),
            [true, false] => (self.singles[t], self.single_fifths[t]),
            [true, true] => {
                let board = self.singles[t].turned(second);
                (board, fifths(board))
            }
        };
        if found == 0 && self.mates == 0 {
            return;
        }
        let stopped = self.stopped(board, found, &[first, second]);
        self.scan.safe[t] &= stopped;
        self.scan.safe[u] &= stopped;
    }

    /// The placements that keep the next player from five on the board that
    /// some turns lead to, the last of which is theirs unless it is the only
    /// one. `found` are the fifth cells there.
    #[inline]
    fn stopped(&self, board: Cells, found: u128, turns: &[Turn]) -> u128 {
        let after = |cells: Cells| turns.iter().fold(cells, |cells, &turn| cells.turned(turn));
        let open = found & after(self.empty).0;
        let is_five = (found & board.0 != 0 && board.has_five()) || self.any_has_five(self.mates, after);
        if open == 0 && !is_five {
            return u128::MAX;
        }
        // One turn is the mover's own: then the next player places, and no
        // rival can share that. A five that is there already is an end.
        if turns.len() == 1 {
            return if is_five { u128::MAX } else { self.only(open, turns) };
        }
        // As it lies counts where the next player turns back; a five there is
        // impossible, since the game goes on.
        if self.any_has_five(self.rivals, after) {
            return u128::MAX;
        }
        let stopped = if is_five { 0 } else { self.only(open, turns) };
        // A placement that gives the mover five by the same turn shares it.
        let shared = fifths(after(self.own)) & after(self.empty).0;
        stopped | self.before(Cells(shared), turns).0
    }

    /// The one placement that takes the only open cell, if there is only one.
    #[inline]
    fn only(&self, open: u128, turns: &[Turn]) -> u128 {
        if open & open.wrapping_sub(1) != 0 { 0 } else { self.before(Cells(open), turns).0 }
    }

    /// Where cells lay before the turns.
    #[inline]
    fn before(&self, cells: Cells, turns: &[Turn]) -> Cells {
        turns.iter().rev().fold(cells, |cells, turn| cells.turned(turn.inverse()))
    }

    fn any_has_five(&self, seats: Seats, after: impl Fn(Cells) -> Cells) -> bool {
        seats != 0
            && (0..4).any(|seat| {
                let marbles = self.position.marbles[seat];
                seats >> seat & 1 != 0 && marbles.count() >= 5 && after(marbles).has_five()
            })
    }
}

/// Moves that stand for all that end the game by their turn: one for each
/// result that a turn can have.
pub(crate) fn endings(position: &Position, scan: &Scan, out: &mut Vec<Move>) {
    for turn in Turn::all().filter(|turn| scan.ending[turn.index()]) {
        let (own, empty) = (position.own().turned(turn), position.empty().turned(turn));
        let shared = if own.has_five() { empty } else { Cells(fifths(own)).and(empty) };
        for cells in [shared, empty.and(shared.complement())] {
            let cell = cells.turned(turn.inverse()).first();
            out.extend(cell.map(|cell: Cell| Move::place_and_turn(cell, turn)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use pentad_sdk::search::rng::Rng;

    use super::*;
    use crate::variant::Contest;

    /// Positions of random games, with some marbles on the board.
    fn positions(rules: &PentagoXl, rng: &mut Rng, n: usize) -> Vec<Position> {
        let mut found = Vec::new();
        while found.len() < n {
            let mut position = Position::START;
            rules.playout_with(
                &Position::START,
                || rng.next_u64(),
                |mv| {
                    if position.occupied().count() > 12 && is_sampled(&position) {
                        found.push(position);
                    }
                    position = rules.play_unchecked(&position, mv);
                },
            );
        }
        found
    }

    /// One position in seven.
    fn is_sampled(position: &Position) -> bool {
        position.occupied().count() % 7 == 3
    }

    /// A move is safe exactly if the game goes on after it and the next player
    /// has no five at hand; and a turn is an ending one exactly if it gives a
    /// rival five.
    #[test]
    fn safe_moves_are_those_that_do_not_lose_at_once() {
        for rules in Contest::ALL.map(PentagoXl::of) {
            let mut rng = Rng::new(3);
            let (mut n_checked, mut n_unsafe) = (0, 0);
            for position in positions(&rules, &mut rng, 120) {
                if !rules.is_decisive(&position) || rules.win_in_one(&position).is_some() {
                    continue;
                }
                let scan = rules.scan(&position);
                let mut unsafe_here = 0;
                let _complete = rules.each_move(&position, |mv| {
                    let next = rules.play_unchecked(&position, mv);
                    let is_over = rules.verdict(&next).is_some();
                    let loses = !is_over && rules.win_in_one(&next).is_some();
                    let is_last = position.empty().count() == 1;
                    unsafe_here += u32::from(loses);
                    assert!(
                        scan.is_safe(mv) == (!loses && (!is_over || is_last)) || (is_over && is_last),
                        "{rules:?} {position:?} {mv:?}"
                    );
                    ControlFlow::Continue(())
                });
                assert_eq!(scan.n_unsafe, unsafe_here, "{rules:?} {position:?}");
                n_checked += 1;
                n_unsafe += usize::from(unsafe_here > 0);
            }
            let wanted = if rules.contest.aim() == crate::variant::Aim::Places { 0 } else { 20 };
            assert!(n_checked >= wanted && n_unsafe * 4 >= wanted, "{rules:?}: {n_checked} {n_unsafe}");
        }
    }

    /// The moves that stand for those that end the game show every result that
    /// such a move has.
    #[test]
    fn endings_show_every_result() {
        for rules in Contest::ALL.map(PentagoXl::of) {
            let mut rng = Rng::new(4);
            for position in positions(&rules, &mut rng, 80) {
                if !rules.is_decisive(&position) || rules.win_in_one(&position).is_some() {
                    continue;
                }
                if position.empty().count() < 3 {
                    continue;
                }
                let scan = rules.scan(&position);
                let mut shown = Vec::new();
                endings(&position, &scan, &mut shown);
                let result = |mv: Move| rules.verdict(&rules.play_unchecked(&position, mv)).map(|end| end.places);
                let shown: Vec<_> = shown.into_iter().map(result).collect();
                let _complete = rules.each_move(&position, |mv| {
                    let end = result(mv);
                    assert!(end.is_none() || shown.contains(&end), "{rules:?} {position:?} {mv:?}");
                    ControlFlow::Continue(())
                });
                assert!(!shown.contains(&None), "{rules:?} {position:?}");
            }
        }
    }
}
