//! Which moves matter, found for all moves at once.
//!
//! A move followed by the other side's (or one's own next) move shows one of 37
//! boards, a marble or two aside. So the lines of those boards tell everything:
//! where the other side has four and an open fifth cell on the board after
//! turns `t` and `u`, every move that turns `t` loses to a turn of `u`, except a
//! placement on that fifth cell. Where the side to move has three and two open
//! cells, a placement on one of them with the turn `t` threatens five.
//!
//! **Exactness.** A move is not safe only if the other side then wins at once,
//! or has been given five. In all editions but the Czech the reverse holds as
//! well; there a five by turning may be answered, and only threats of placing
//! are counted. Threats are exact but for fives that come with one of the other
//! side. `tests/alphabeta` compares both with the plain rules.

use crate::Pentago;
use crate::alphabeta::counts::{
    AS_IT_LIES, Counts, FIRST_PAIR, PAIRS, after_half_turn, after_turn, any, both, each_line, line_before,
};
use crate::alphabeta::glance::five_cells;
use crate::alphabeta::masks::{Masks, NO_TURN};
use crate::alphabeta::state::State;
use crate::tables::ALL;
use crate::variant::Edition;

/// The moves of a state whose side to move has no win at hand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scan {
    /// Moves that do not lose to the next move of the other side.
    pub(crate) safe: Masks,
    /// Moves after which five is threatened; where they were asked for.
    pub(crate) threats: Masks,
    /// Every move gives the other side five at once.
    pub(crate) hopeless: bool,
}

impl Scan {
    pub(crate) fn any_safe(&self) -> bool {
        self.safe.iter().any(|&cells| cells != 0)
    }

    /// Safe moves that threaten.
    pub(crate) fn forcing(&self) -> Masks {
        std::array::from_fn(|turn| self.safe[turn] & self.threats[turn])
    }
}

impl Pentago {
    /// Finds the safe moves and, if `THREATS`, those that threaten.
    pub(crate) fn scan<const THREATS: bool>(&self, state: State) -> Scan {
        let mut scanner = Scanner::new(self, state);
        scanner.turn_into_fives();
        if scanner.empty.count_ones() > 1 {
            scanner.single_turns::<THREATS>();
            scanner.second_turns::<THREATS>();
        }
        scanner.finish()
    }
}

struct Scanner<'a> {
    rules: &'a Pentago,
    state: State,
    empty: u64,
    own: Counts,
    opposing: Counts,
    /// By turn, both colours.
    changes: [(Counts, Counts); 8],
    /// Turns that end the game or decide it, whatever is placed.
    dead: [bool; 8],
    /// Moves to keep, whatever else is found: they end the game undecided.
    kept: Masks,
    scan: Scan,
}

impl<'a> Scanner<'a> {
    #[inline]
    fn new(rules: &'a Pentago, state: State) -> Self {
        let empty = state.empty().0;
        let mut safe = [0; 9];
        let mut changes = [(Counts([0; 2]), Counts([0; 2])); 8];
        for turn in rules.turns() {
            safe[usize::from(turn.0)] = empty;
            changes[usize::from(turn.0)] = (Counts::change(state.own, turn), Counts::change(state.opposing, turn));
        }
        if rules.edition == Edition::Finnish {
            safe[NO_TURN] = rules.skippable(&state.position()).0 & empty;
        }
        Scanner {
            rules,
            state,
            empty,
            own: Counts::of(state.own),
            opposing: Counts::of(state.opposing),
            changes,
            dead: [false; 8],
            kept: [0; 9],
            scan: Scan { safe, threats: [0; 9], hopeless: false },
        }
    }

    /// Turns that make five by themselves for the other side lose, or draw if
    /// the placement makes five too. In the Czech edition an own five by
    /// turning ends in a reply.
    #[inline]
    fn turn_into_fives(&mut self) {
        let czech = self.rules.edition == Edition::Czech;
        for turn in self.rules.turns() {
            let t = usize::from(turn.0);
            let opposing = self.opposing.plus(self.changes[t].1);
            if opposing.any_four() && any(opposing.fives()) {
                self.dead[t] = true;
                self.scan.safe[t] = 0;
                self.kept[t] = five_cells(self.state, turn).0;
            } else if czech && self.own.plus(self.changes[t].0).any_four() {
                self.kept[t] = five_cells(self.state, turn).0;
            }
        }
        self.scan.hopeless = self.rules.turns().all(|turn| self.dead[usize::from(turn.0)])
            && self.kept == [0; 9]
            && self.scan.safe[NO_TURN] == 0;
    }

    #[inline]
    fn single_turns<const THREATS: bool>(&mut self) {
        let finnish = self.rules.edition == Edition::Finnish;
        for turn in self.rules.turns() {
            let t = usize::from(turn.0);
            let (own, opposing) = (self.own.plus(self.changes[t].0), self.opposing.plus(self.changes[t].1));
            if opposing.any_four() {
                let stopped = self.stopped(after_turn(t), own, opposing, false);
                self.scan.safe[t] &= stopped;
                if finnish {
                    self.scan.safe[NO_TURN] &= stopped;
                }
            }
            if THREATS {
                let threats = self.threats(after_turn(t), own, opposing);
                self.scan.threats[t] |= threats;
                self.scan.threats[NO_TURN] |= threats;
            }
        }
        // As it lies: the other side places, or turns back what was turned.
        let both_ways = self.rules.edition != Edition::Clockwise;
        if self.opposing.any_four() {
            let stopped = self.stopped(AS_IT_LIES, self.own, self.opposing, false);
            self.scan.safe[NO_TURN] &= stopped;
            if both_ways && self.rules.edition != Edition::Czech {
                self.scan.safe[..8].iter_mut().for_each(|safe| *safe &= stopped);
            }
        }
        if THREATS {
            let threats = self.threats(AS_IT_LIES, self.own, self.opposing);
            let n = if both_ways { 0 } else { NO_TURN };
            self.scan.threats[n..].iter_mut().for_each(|cells| *cells |= threats);
        }
    }

    #[inline]
    fn second_turns<const THREATS: bool>(&mut self) {
        let clockwise = self.rules.edition == Edition::Clockwise;
        for (idx, &(first, second)) in PAIRS.iter().enumerate() {
            if clockwise && first & second & 1 == 0 {
                continue;
            }
            let (first, second) = (usize::from(first & 7), usize::from(second & 7));
            let own = self.own.plus(self.changes[first].0).plus(self.changes[second].0);
            let opposing = self.opposing.plus(self.changes[first].1).plus(self.changes[second].1);
            self.second_turn::<THREATS>(FIRST_PAIR + idx, own, opposing, first, second);
        }
        for block in 0..4 {
            let own = self.own.plus(Counts::half_change(self.state.own, block));
            let opposing = self.opposing.plus(Counts::half_change(self.state.opposing, block));
            let left = if clockwise { 2 * block + 1 } else { 2 * block };
            self.second_turn::<THREATS>(after_half_turn(block), own, opposing, left, 2 * block + 1);
        }
    }

    /// A board that two turns lead to, whichever of them comes first.
    #[inline]
    fn second_turn<const THREATS: bool>(&mut self, board: usize, own: Counts, opposing: Counts, a: usize, b: usize) {
        if opposing.any_four() && self.rules.edition != Edition::Czech {
            let stopped = self.stopped(board, own, opposing, true);
            self.scan.safe[a] &= stopped;
            self.scan.safe[b] &= stopped;
        }
        if THREATS {
            let threats = self.threats(board, own, opposing);
            self.scan.threats[a] |= threats;
            self.scan.threats[b] |= threats;
        }
    }

    /// The placements that keep the other side from five on a board. `turned`
    /// says that it gets there by turning, so that an own five, where the
    /// edition draws then, helps as well.
    fn stopped(&self, board: usize, own: Counts, opposing: Counts, turned: bool) -> u64 {
        let mut stopped = ALL;
        each_line(both(opposing.fours(), own.nones()), |line| {
            // Of a line of five no cell is empty: nothing stops it.
            stopped &= line_before(board, line) & self.empty;
        });
        if stopped == ALL || !turned || self.rules.edition == Edition::Finnish || !own.any_four() {
            return stopped;
        }
        if any(own.fives()) {
            return ALL;
        }
        each_line(both(own.fours(), opposing.nones()), |line| stopped |= line_before(board, line) & self.empty);
        stopped
    }

    /// The placements that leave the side to move with four on a board.
    #[inline]
    fn threats(&self, board: usize, own: Counts, opposing: Counts) -> u64 {
        let open = opposing.nones();
        if own.any_four() && any(both(own.fours(), open)) {
            return ALL;
        }
        let mut cells = 0;
        each_line(both(own.threes(), open), |line| cells |= line_before(board, line));
        cells
    }

    #[inline]
    fn finish(mut self) -> Scan {
        for (t, safe) in self.scan.safe.iter_mut().enumerate() {
            if t < 8 && self.dead[t] {
                *safe = 0;
            }
            *safe = (*safe | self.kept[t]) & self.empty;
            self.scan.threats[t] &= self.empty;
        }
        self.scan
    }
}
