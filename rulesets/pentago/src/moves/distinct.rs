//! Move generation for the search: one move for each reachable position.
//!
//! Many moves lead to the same board: turning an empty block changes nothing, a block
//! with half-turn symmetry may be turned either way, and a cell of a symmetric block
//! may be turned into another. One of each is enough for a search.
//!
//! Two moves that place in different blocks never lead to the same board, since marbles
//! stay in their block. Nor do two that place in one block and change different others.
//! So only the block of the placement has to be compared, and only if the other side's
//! marbles in it look the same after half a turn; otherwise they distinguish the turns.

use crate::Pentago;
use crate::board::lines::completing_cells;
use crate::board::tables::{BLOCK_STRIDE, CELL_AT, TURN_CHANGE};
use crate::board::{Cell, Turn};
use crate::moves::Move;
use crate::position::Position;
use crate::variant::Edition;

impl Pentago {
    /// Appends one legal move for each position that legal moves lead to, block by
    /// block. A five by placing is always listed.
    pub(crate) fn distinct_moves(&self, position: &Position, out: &mut Vec<Move>) {
        if self.game_result(position).is_some() {
            return;
        }
        let empty = position.empty();
        if position.reply {
            out.extend(empty.iter_by_bit().map(Move::place));
            out.push(Move::PASS);
            return;
        }
        let both_ways = self.edition != Edition::Clockwise;
        let turns = Turns::new(self, position);
        let skippable = self.skippable(position);
        let final_cells = completing_cells(position.own(), empty);
        for home in 0..4 {
            let before = Content::of(position, home);
            let mut seen = Seen::new(before.opposing);
            let mut cells = empty.block(home);
            while cells != 0 {
                let bit = cells & cells.wrapping_neg();
                cells ^= bit;
                let cell = Cell(CELL_AT[home * BLOCK_STRIDE + bit.trailing_zeros() as usize]);
                if final_cells.contains(cell) {
                    out.push(Move::place(cell));
                    continue;
                }
                let placed = Content { own: before.own | bit, ..before };
                let idle = if skippable.contains(cell) {
                    Some(Move::place(cell))
                } else {
                    turns.idle[home].map(|turn| Move::place_and_turn(cell, turn))
                };
                out.extend(idle.filter(|_| seen.insert(placed)));
                for turn in self.turns_of(home) {
                    let turned = placed.turned(turn);
                    let idle_again = turned == placed && idle.is_some();
                    let turned_left = turn.is_clockwise() && both_ways && placed.is_half_turn_symmetric();
                    if !idle_again && !turned_left && seen.insert(turned) {
                        out.push(Move::place_and_turn(cell, turn));
                    }
                }
                out.extend(turns.of_others(home).map(|turn| Move::place_and_turn(cell, turn)));
            }
        }
    }

    /// Returns the turns of one block that this edition allows.
    fn turns_of(&self, block: usize) -> impl Iterator<Item = Turn> + use<> {
        let first = if self.edition == Edition::Clockwise { 1 } else { 0 };
        (first..2).map(move |i| Turn(block as u8 * 2 + i))
    }
}

/// The effect of each turn on a position before anything is placed.
struct Turns {
    /// Turns that change their block; one of two if both do the same.
    changing: [Option<Turn>; 8],
    /// For each block, a turn of another one that changes nothing.
    idle: [Option<Turn>; 4],
}

impl Turns {
    fn new(rules: &Pentago, position: &Position) -> Self {
        let mut turns = Turns { changing: [None; 8], idle: [None; 4] };
        for turn in rules.turns() {
            let content = Content::of(position, turn.block());
            if content.turned(turn) == content {
                for (block, idle) in turns.idle.iter_mut().enumerate() {
                    if block != turn.block() {
                        idle.get_or_insert(turn);
                    }
                }
            } else if rules.edition == Edition::Clockwise || !turn.is_clockwise() || !content.is_half_turn_symmetric() {
                turns.changing[usize::from(turn.0)] = Some(turn);
            }
        }
        turns
    }

    fn of_others(&self, home: usize) -> impl Iterator<Item = Turn> {
        self.changing.iter().flatten().copied().filter(move |turn| turn.block() != home)
    }
}

/// The marbles in one block.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Content {
    own: usize,
    opposing: usize,
}

impl Content {
    fn of(position: &Position, block: usize) -> Self {
        Content { own: position.own().block(block), opposing: position.opposing().block(block) }
    }

    fn turned(self, turn: Turn) -> Self {
        let table = &TURN_CHANGE[usize::from(turn.is_clockwise())];
        let turned = |marbles: usize| marbles ^ usize::from(table[marbles & 0x1ff]);
        Content { own: turned(self.own), opposing: turned(self.opposing) }
    }

    /// Returns whether it looks the same after half a turn, so that both directions do
    /// the same.
    fn is_half_turn_symmetric(self) -> bool {
        is_half_turn_symmetric(self.own) && is_half_turn_symmetric(self.opposing)
    }
}

fn is_half_turn_symmetric(marbles: usize) -> bool {
    TURN_CHANGE[0][marbles & 0x1ff] == TURN_CHANGE[1][marbles & 0x1ff]
}

/// The contents of one block after the moves so far: at most three for each of its nine
/// cells, one unturned and two turned.
struct Seen {
    contents: [Content; 27],
    n: usize,
    /// Set if no content can repeat; then nothing is compared.
    is_off: bool,
}

impl Seen {
    fn new(opposing: usize) -> Self {
        Seen { contents: [Content::default(); 27], n: 0, is_off: !is_half_turn_symmetric(opposing) }
    }

    /// Returns whether the content is new.
    fn insert(&mut self, content: Content) -> bool {
        if self.is_off {
            return true;
        }
        let is_new = !self.contents[..self.n].contains(&content);
        if is_new {
            self.contents[self.n] = content;
            self.n += 1;
        }
        is_new
    }
}
