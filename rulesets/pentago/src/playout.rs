//! Random games at full speed.
//!
//! Every ply draws one random number: its upper half picks the cell, its lower bits the
//! turn. The empty cells are counted per block, and turning a block does not change its
//! count, so picking the n-th one takes a few additions and one lookup. Fives are
//! checked only once a colour has five marbles.

use crate::Pentago;
use crate::board::tables::{BLOCK_STRIDE, CELL_AT, NTH_BIT};
use crate::board::{Cell, Cells, Colour, Turn};
use crate::moves::Move;
use crate::position::Position;
use crate::variant::Edition;

/// The result of a playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayoutResult {
    /// `None` is a draw.
    pub winner: Option<Colour>,
    /// Moves played.
    pub plies: u32,
}

impl Pentago {
    /// Plays from a position that is not over to the end. The cell is chosen uniformly
    /// among the empty ones and the turn uniformly among those legal after it, to
    /// within 2^-26; a reply uniformly among the legal ones. `random` returns 64 random
    /// bits per call.
    #[inline]
    pub fn playout(&self, position: &Position, random: impl FnMut() -> u64) -> PlayoutResult {
        self.playout_with(position, random, |_| {})
    }

    /// Plays like [`playout`](Pentago::playout), and calls `on_move` with every move.
    #[inline]
    pub fn playout_with(
        &self,
        position: &Position,
        mut random: impl FnMut() -> u64,
        mut on_move: impl FnMut(Move),
    ) -> PlayoutResult {
        debug_assert!(self.game_result(position).is_none(), "the game is over");
        let mut game = PlayoutState::new(position);
        if position.reply {
            let winner = game.reply(random(), &mut on_move);
            return PlayoutResult { winner, plies: 1 };
        }
        match self.edition {
            Edition::Standard => game.run::<{ Edition::Standard as u8 }>(random, on_move),
            Edition::Finnish => game.run::<{ Edition::Finnish as u8 }>(random, on_move),
            Edition::Czech => game.run::<{ Edition::Czech as u8 }>(random, on_move),
            Edition::Clockwise => game.run::<{ Edition::Clockwise as u8 }>(random, on_move),
        }
    }
}

enum PlyResult {
    Ongoing,
    Over(Option<Colour>),
    Reply,
}

/// A game in progress.
struct PlayoutState {
    own: Cells,
    opposing: Cells,
    side: Colour,
    n_own: u32,
    n_opposing: u32,
    /// Empty cells, a byte per block.
    n_empty: u32,
    plies: u32,
}

impl PlayoutState {
    fn new(position: &Position) -> Self {
        let empty = position.empty();
        let n_empty = (0..4).map(|i| (empty.block(i).count_ones()) << (8 * i)).sum();
        PlayoutState {
            own: position.own(),
            opposing: position.opposing(),
            side: position.side,
            n_own: position.own().count(),
            n_opposing: position.opposing().count(),
            n_empty,
            plies: 0,
        }
    }

    /// Returns the bit of the n-th empty cell.
    #[inline(always)]
    fn nth_empty(&self, n: u32) -> usize {
        const EACH: u32 = 0x0101_0101;
        // Byte i: number of empty cells in the blocks up to i.
        let up_to = self.n_empty.wrapping_mul(EACH);
        // High bit of byte i: n is not among them.
        let beyond = ((n.wrapping_mul(EACH) | 0x8080_8080) - up_to) & 0x8080_8080;
        let block = ((beyond >> 7).wrapping_mul(EACH) >> 24) as usize & 3;
        let before = (u64::from(up_to) << 8 >> (8 * block)) as u32 & 0xff;
        let empty = self.own.union(self.opposing).block(block) ^ 0x1ff;
        block * BLOCK_STRIDE + usize::from(NTH_BIT[empty][(n - before) as usize & 15])
    }

    #[inline(always)]
    fn n_empty_total(&self) -> u32 {
        36 - self.n_own - self.n_opposing
    }

    /// Plays to the end. `EDITION` is an [`Edition`] as a number, so that each
    /// edition is compiled separately.
    #[inline(always)]
    fn run<const EDITION: u8>(
        mut self,
        mut random: impl FnMut() -> u64,
        mut on_move: impl FnMut(Move),
    ) -> PlayoutResult {
        loop {
            match self.ply::<EDITION>(random(), &mut on_move) {
                PlyResult::Ongoing => {}
                PlyResult::Over(winner) => return PlayoutResult { winner, plies: self.plies },
                PlyResult::Reply => {
                    let winner = self.reply(random(), &mut on_move);
                    return PlayoutResult { winner, plies: self.plies };
                }
            }
        }
    }

    /// Plays one move.
    #[inline(always)]
    fn ply<const EDITION: u8>(&mut self, random: u64, on_move: &mut impl FnMut(Move)) -> PlyResult {
        let n = ((random >> 32) * u64::from(self.n_empty_total())) >> 32;
        let bit = self.nth_empty(n as u32);
        let cell = Cell(CELL_AT[bit & 63]);
        self.plies += 1;
        self.own.0 |= 1 << bit;
        self.n_own += 1;
        self.n_empty -= 1 << (bit / BLOCK_STRIDE * 8);
        if self.n_own >= 5 && self.own.has_five() {
            on_move(Move::place(cell));
            return PlyResult::Over(Some(self.side));
        }
        let Some(turn) = self.choose_turn::<EDITION>(random as u32) else {
            on_move(Move::place(cell));
            self.switch_sides();
            return PlyResult::Ongoing;
        };
        on_move(Move::place_and_turn(cell, turn));
        self.own = self.own.turned(turn);
        self.opposing = self.opposing.turned(turn);
        if self.n_opposing >= 4 {
            let (own, opposing) = (self.own.has_five(), self.opposing.has_five());
            if own | opposing {
                return self.after_five::<EDITION>(own, opposing);
            }
            if self.n_empty == 0 {
                return PlyResult::Over(None);
            }
        }
        self.switch_sides();
        PlyResult::Ongoing
    }

    /// Chooses a turn; `None` skips it.
    #[inline(always)]
    fn choose_turn<const EDITION: u8>(&self, random: u32) -> Option<Turn> {
        if EDITION == Edition::Clockwise as u8 {
            return Some(Turn((random as u8 & 3) * 2 + 1));
        }
        if EDITION == Edition::Finnish as u8 && self.has_empty_block() {
            let choice = ((u64::from(random) * 9) >> 32) as u8;
            return (choice < 8).then_some(Turn(choice));
        }
        Some(Turn(random as u8 & 7))
    }

    fn has_empty_block(&self) -> bool {
        (0..4).any(|block| self.n_empty >> (8 * block) & 0xff == 9)
    }

    #[cold]
    fn after_five<const EDITION: u8>(&mut self, own: bool, opposing: bool) -> PlyResult {
        if own && opposing {
            return PlyResult::Over((EDITION == Edition::Finnish as u8).then_some(self.side));
        }
        if opposing {
            return PlyResult::Over(Some(self.side.other()));
        }
        if EDITION == Edition::Czech as u8 && self.n_empty != 0 {
            self.switch_sides();
            return PlyResult::Reply;
        }
        PlyResult::Over(Some(self.side))
    }

    /// Plays the reply, which ends the game. The other side has five.
    #[cold]
    fn reply(&mut self, random: u64, on_move: &mut impl FnMut(Move)) -> Option<Colour> {
        let n_empty = self.n_empty_total();
        let n = (((random >> 32) * u64::from(n_empty + 1)) >> 32) as u32;
        self.plies += 1;
        if n == n_empty {
            on_move(Move::PASS);
            return Some(self.side.other());
        }
        let cell = Cell(CELL_AT[self.nth_empty(n) & 63]);
        on_move(Move::place(cell));
        (!self.own.with(cell).has_five()).then_some(self.side.other())
    }

    #[inline(always)]
    fn switch_sides(&mut self) {
        std::mem::swap(&mut self.own, &mut self.opposing);
        std::mem::swap(&mut self.n_own, &mut self.n_opposing);
        self.side = self.side.other();
    }
}
