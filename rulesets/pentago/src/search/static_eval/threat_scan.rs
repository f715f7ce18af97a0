//! Safe moves and threats, found for all moves at once.
//!
//! A move followed by the other side's (or one's own next) move leads to one of 37
//! boards, apart from a marble or two. So the lines of those boards are enough: if the
//! other side has four and an open fifth cell on the board after turns `t` and `u`,
//! every move that turns `t` loses to a turn of `u`, except a placement on that fifth
//! cell. If the side to move has three and two open cells, a placement on one of them
//! with the turn `t` threatens five.
//!
//! **Exactness.** A move is unsafe only if the other side then wins at once, or has
//! five. In all editions but the Czech the converse holds as well; there a five by
//! turning may be answered, and only threats of placing are counted. Threats are exact
//! except for fives that coincide with one of the other side. The tests of
//! [`search`](crate::search) compare both with the rules.

use crate::Pentago;
use crate::board::lines::{LineCounts, any, both, each_line};
use crate::board::tables::ALL;
use crate::search::move_set::{MoveSet, NO_TURN};
use crate::search::search_position::SearchPosition;
use crate::search::static_eval::five_making_cells;
use crate::search::static_eval::turned_boards::{
    FIRST_PAIR, PAIRS, UNTURNED, after_half_turn, after_turn, line_before,
};
use crate::variant::Edition;

/// The moves of a position whose side to move has no immediate win.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThreatScan {
    /// Moves that do not lose to the next move of the other side.
    pub(crate) safe: MoveSet,
    /// Moves after which five is threatened; empty unless requested.
    pub(crate) threats: MoveSet,
    /// Whether every move gives the other side five at once.
    pub(crate) every_move_gives_five: bool,
}

impl ThreatScan {
    pub(crate) fn any_safe(&self) -> bool {
        self.safe.iter().any(|&cells| cells != 0)
    }

    /// Returns the plies to the end if no move is safe.
    pub(crate) fn loss_plies(&self) -> u32 {
        if self.every_move_gives_five { 1 } else { 2 }
    }

    /// Returns the safe moves that threaten.
    pub(crate) fn forcing(&self) -> MoveSet {
        std::array::from_fn(|turn| self.safe[turn] & self.threats[turn])
    }
}

impl Pentago {
    /// Finds the safe moves and, if `THREATS`, those that threaten.
    pub(crate) fn scan_threats<const THREATS: bool>(&self, position: SearchPosition) -> ThreatScan {
        let mut scanner = Scanner::new(self, position);
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
    position: SearchPosition,
    empty: u64,
    own: LineCounts,
    opposing: LineCounts,
    /// What each turn adds to the counts, own and opposing.
    deltas: [(LineCounts, LineCounts); 8],
    /// Turns that give the other side five, wherever the marble is placed.
    losing_turns: [bool; 8],
    /// Moves that end the game in a draw or in a reply: always safe.
    always_safe: MoveSet,
    scan: ThreatScan,
}

impl<'a> Scanner<'a> {
    #[inline]
    fn new(rules: &'a Pentago, position: SearchPosition) -> Self {
        let empty = position.empty().0;
        let mut safe = [0; 9];
        let mut deltas = [(LineCounts([0; 2]), LineCounts([0; 2])); 8];
        for turn in rules.turns() {
            safe[usize::from(turn.0)] = empty;
            deltas[usize::from(turn.0)] =
                (LineCounts::turn_delta(position.own, turn), LineCounts::turn_delta(position.opposing, turn));
        }
        if rules.edition == Edition::Finnish {
            safe[NO_TURN] = rules.skippable(&position.position()).0 & empty;
        }
        Scanner {
            rules,
            position,
            empty,
            own: LineCounts::of(position.own),
            opposing: LineCounts::of(position.opposing),
            deltas,
            losing_turns: [false; 8],
            always_safe: [0; 9],
            scan: ThreatScan { safe, threats: [0; 9], every_move_gives_five: false },
        }
    }

    /// Classifies turns that make five by themselves: for the other side they lose, or
    /// draw if the placement makes five too. In the Czech edition an own five by
    /// turning ends in a reply.
    #[inline]
    fn turn_into_fives(&mut self) {
        let czech = self.rules.edition == Edition::Czech;
        for turn in self.rules.turns() {
            let t = usize::from(turn.0);
            let opposing = self.opposing.plus(self.deltas[t].1);
            if opposing.any_four() && any(opposing.fives()) {
                self.losing_turns[t] = true;
                self.scan.safe[t] = 0;
                self.always_safe[t] = five_making_cells(self.position, turn).0;
            } else if czech && self.own.plus(self.deltas[t].0).any_four() {
                self.always_safe[t] = five_making_cells(self.position, turn).0;
            }
        }
        self.scan.every_move_gives_five = self.rules.turns().all(|turn| self.losing_turns[usize::from(turn.0)])
            && self.always_safe == [0; 9]
            && self.scan.safe[NO_TURN] == 0;
    }

    #[inline]
    fn single_turns<const THREATS: bool>(&mut self) {
        let finnish = self.rules.edition == Edition::Finnish;
        for turn in self.rules.turns() {
            let t = usize::from(turn.0);
            let (own, opposing) = (self.own.plus(self.deltas[t].0), self.opposing.plus(self.deltas[t].1));
            if opposing.any_four() {
                let blocking = self.blocking_cells(after_turn(t), own, opposing, false);
                self.scan.safe[t] &= blocking;
                if finnish {
                    self.scan.safe[NO_TURN] &= blocking;
                }
            }
            if THREATS {
                let threats = self.threatening_cells(after_turn(t), own, opposing);
                self.scan.threats[t] |= threats;
                self.scan.threats[NO_TURN] |= threats;
            }
        }
        // Unturned: the other side places, or reverses the turn.
        let both_ways = self.rules.edition != Edition::Clockwise;
        if self.opposing.any_four() {
            let blocking = self.blocking_cells(UNTURNED, self.own, self.opposing, false);
            self.scan.safe[NO_TURN] &= blocking;
            if both_ways && self.rules.edition != Edition::Czech {
                self.scan.safe[..8].iter_mut().for_each(|safe| *safe &= blocking);
            }
        }
        if THREATS {
            let threats = self.threatening_cells(UNTURNED, self.own, self.opposing);
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
            let own = self.own.plus(self.deltas[first].0).plus(self.deltas[second].0);
            let opposing = self.opposing.plus(self.deltas[first].1).plus(self.deltas[second].1);
            self.second_turn::<THREATS>(FIRST_PAIR + idx, own, opposing, first, second);
        }
        for block in 0..4 {
            let own = self.own.plus(LineCounts::half_turn_delta(self.position.own, block));
            let opposing = self.opposing.plus(LineCounts::half_turn_delta(self.position.opposing, block));
            let left = if clockwise { 2 * block + 1 } else { 2 * block };
            self.second_turn::<THREATS>(after_half_turn(block), own, opposing, left, 2 * block + 1);
        }
    }

    /// Scans a board that two turns lead to, in either order.
    #[inline]
    fn second_turn<const THREATS: bool>(
        &mut self,
        board: usize,
        own: LineCounts,
        opposing: LineCounts,
        a: usize,
        b: usize,
    ) {
        if opposing.any_four() && self.rules.edition != Edition::Czech {
            let blocking = self.blocking_cells(board, own, opposing, true);
            self.scan.safe[a] &= blocking;
            self.scan.safe[b] &= blocking;
        }
        if THREATS {
            let threats = self.threatening_cells(board, own, opposing);
            self.scan.threats[a] |= threats;
            self.scan.threats[b] |= threats;
        }
    }

    /// Returns the placements that keep the other side from five on a board. `turned`
    /// is set if it gets there by turning; then an own five helps as well, in editions
    /// that call this a draw.
    fn blocking_cells(&self, board: usize, own: LineCounts, opposing: LineCounts, turned: bool) -> u64 {
        let mut blocking = ALL;
        each_line(both(opposing.fours(), own.empties()), |line| {
            // A full line has no empty cell: nothing stops it.
            blocking &= line_before(board, line) & self.empty;
        });
        if blocking == ALL || !turned || self.rules.edition == Edition::Finnish || !own.any_four() {
            return blocking;
        }
        if any(own.fives()) {
            return ALL;
        }
        each_line(both(own.fours(), opposing.empties()), |line| blocking |= line_before(board, line) & self.empty);
        blocking
    }

    /// Returns the placements that leave the side to move with four on a board.
    #[inline]
    fn threatening_cells(&self, board: usize, own: LineCounts, opposing: LineCounts) -> u64 {
        let open = opposing.empties();
        if own.any_four() && any(both(own.fours(), open)) {
            return ALL;
        }
        let mut cells = 0;
        each_line(both(own.threes(), open), |line| cells |= line_before(board, line));
        cells
    }

    #[inline]
    fn finish(mut self) -> ThreatScan {
        for (t, safe) in self.scan.safe.iter_mut().enumerate() {
            if t < 8 && self.losing_turns[t] {
                *safe = 0;
            }
            *safe = (*safe | self.always_safe[t]) & self.empty;
            self.scan.threats[t] &= self.empty;
        }
        self.scan
    }
}
