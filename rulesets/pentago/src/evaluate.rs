//! What a position looks like it is worth.
//!
//! A line counts for a colour while the other has no marble on it: the more
//! marbles it has, the more it is worth. The same is counted on the boards that
//! one quarter turn leads to, since a turn comes with every move. Whoever is to
//! move has the better chances, and a five that the other side threatens costs
//! most of them. The middle of a block needs no weight of its own: it lies on
//! more lines than other cells.
//!
//! The weights are in the units of [`Game::evaluate`](pentad_sdk::search::Game::evaluate).
//! They were fitted to the results of 1,554 games of short searches against
//! themselves (17,144 positions without a win at hand), and the search that
//! uses them scored 64 % against one with weights set by hand.

use crate::Pentago;
use crate::lines::{Filled, completing};
use crate::position::Position;

/// To be the one to move.
pub(crate) const TEMPO: i32 = 105;
/// Open lines on the board by their marbles, 1 to 4: of the side to move ...
pub(crate) const OWN: [i32; 4] = [7, 33, -123, 0];
/// ... and of the other side. A line of three is also counted on the boards
/// after a turn of another block, hence the signs.
pub(crate) const OPPOSING: [i32; 4] = [12, 23, -26, -23];
/// Open lines of three, and of four or five, after each of the eight turns.
pub(crate) const OWN_TURNED: [i32; 2] = [41, 51];
pub(crate) const OPPOSING_TURNED: [i32; 2] = [19, 17];
/// The other side threatens five by placing, and by turning.
pub(crate) const THREAT: i32 = 103;
pub(crate) const THREAT_BY_TURNING: i32 = 81;
/// A reply that cannot save the game.
const LOST_REPLY: i32 = -4_000;
/// Nothing is worth more, short of a proof.
pub(crate) const LIMIT: i32 = 2_000;

impl Pentago {
    /// The value of a position that is not over, for the side to move: 0 is
    /// even, and 400 more means ten times the odds.
    pub fn static_value(&self, position: &Position) -> i32 {
        if position.reply {
            let saved = !completing(position.own(), position.empty()).is_empty();
            return if saved { 0 } else { LOST_REPLY };
        }
        let (own, opposing) = (position.own(), position.opposing());
        let sides = Sides { own: Filled::of(own), opposing: Filled::of(opposing) };
        let mut turned_value = 0;
        let mut n_threats = 0;
        for turn in self.turns() {
            let turned = Sides { own: sides.own.turned(own, turn), opposing: sides.opposing.turned(opposing, turn) };
            let fours = turned.opposing.fours(turned.own);
            n_threats += fours;
            turned_value += turned.threes() + OWN_TURNED[1] * turned.own.fours(turned.opposing);
            turned_value -= OPPOSING_TURNED[1] * fours;
        }
        let mut value = TEMPO + sides.as_they_lie() + turned_value * (8 / self.edition.n_turns() as i32);
        if n_threats > 0 {
            value -= THREAT_BY_TURNING;
        }
        value.clamp(-LIMIT, LIMIT)
    }
}

/// The lines of both sides on one board.
struct Sides {
    own: Filled,
    opposing: Filled,
}

impl Sides {
    fn as_they_lie(&self) -> i32 {
        let (open, open_opposing) = (self.opposing.exactly(0), self.own.exactly(0));
        let mut value = 0;
        for n in 1..=3 {
            value += OWN[n as usize - 1] * count(self.own.exactly(n) & open);
            value -= OPPOSING[n as usize - 1] * count(self.opposing.exactly(n) & open_opposing);
        }
        let (fours, threats) = (self.own.fours(self.opposing), self.opposing.fours(self.own));
        value += OWN[3] * fours - OPPOSING[3] * threats;
        if threats > 0 { value - THREAT } else { value }
    }

    #[inline]
    fn threes(&self) -> i32 {
        let own = self.own.exactly(3) & self.opposing.exactly(0);
        let opposing = self.opposing.exactly(3) & self.own.exactly(0);
        OWN_TURNED[0] * count(own) - OPPOSING_TURNED[0] * count(opposing)
    }
}

fn count(lines: u64) -> i32 {
    lines.count_ones() as i32
}
