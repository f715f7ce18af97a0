//! The static evaluation, its features and weights.
//!
//! A line counts for a colour while the other has no marble on it: the more marbles,
//! the higher its value. Lines on the boards after one quarter turn count as well,
//! since every move includes a turn. The side to move has better chances, and a
//! threatened five of the other side takes away most of them. The middle of a block
//! needs no weight of its own: it is on more lines than other cells.
//!
//! The weights are in the units of
//! [`Game::evaluate`](pentad_sdk::search::Game::evaluate). They are fitted to exact
//! values only: 70,000 positions of 4 to 6 marbles from the book and 206,000 of 16 to
//! 24 from the solver, with equal weight for every number of marbles. The example `fit`
//! generates the data and fits. Weights fitted only to late positions predict these
//! better and play worse (45 % in 100 games against weights from self-play; with the
//! openings 51 % in 200).

use crate::Pentago;
use crate::board::lines::{LineCounts, completing_cells};
use crate::position::Position;

/// Bonus for the side to move.
pub(crate) const TEMPO: i32 = 94;
/// Open lines of the side to move on the board, by their marbles, 1 to 4.
pub(crate) const OWN: [i32; 4] = [36, 44, -115, 0];
/// Open lines of the other side. A line of three is also counted on the boards after a
/// turn of another block, hence the signs.
pub(crate) const OPPOSING: [i32; 4] = [14, 31, -19, 16];
/// Open lines of three, and of four or five, after each of the eight turns.
pub(crate) const OWN_TURNED: [i32; 2] = [50, 48];
pub(crate) const OPPOSING_TURNED: [i32; 2] = [19, 51];
/// Threats of the other side: a five by placing, and by turning.
pub(crate) const THREAT: i32 = 23;
pub(crate) const THREAT_BY_TURNING: i32 = 35;
/// The value of a reply that cannot save the game.
const LOST_REPLY: i32 = -4_000;
/// Bound of the value; only proofs exceed it.
pub(crate) const VALUE_MAX: i32 = 2_000;

impl Pentago {
    /// Returns the value of a position that is not over, for the side to move: 0 is
    /// even, and 400 more means ten times the odds.
    pub fn static_value(&self, position: &Position) -> i32 {
        if position.reply {
            let saved = !completing_cells(position.own(), position.empty()).is_empty();
            return if saved { 0 } else { LOST_REPLY };
        }
        let value: i32 = self.features(position).iter().zip(weights()).map(|(feature, weight)| feature * weight).sum();
        value.clamp(-VALUE_MAX, VALUE_MAX)
    }

    /// Returns the features of a position, in the order of [`FEATURES`]. Those of the
    /// other side are negative.
    pub fn features(&self, position: &Position) -> [i32; N_FEATURES] {
        let (own, opposing) = (position.own(), position.opposing());
        let sides = Sides { own: LineCounts::of(own), opposing: LineCounts::of(opposing) };
        let (ones, twos, threes, fours) = (sides.open(1), sides.open(2), sides.open(3), sides.open_fours());
        let (mut turned_threes, mut turned_fours) = ([0; 2], [0; 2]);
        for turn in self.turns() {
            let sides = Sides { own: sides.own.turned(own, turn), opposing: sides.opposing.turned(opposing, turn) };
            turned_threes = sum(turned_threes, sides.open(3));
            turned_fours = sum(turned_fours, sides.open_fours());
        }
        // In an edition with half the turns each counts twice.
        let per_turn = 8 / self.edition.n_turns() as i32;
        [
            1,
            ones[0],
            twos[0],
            threes[0],
            fours[0],
            -ones[1],
            -twos[1],
            -threes[1],
            -fours[1],
            per_turn * turned_threes[0],
            per_turn * turned_fours[0],
            -per_turn * turned_threes[1],
            -per_turn * turned_fours[1],
            -i32::from(fours[1] > 0),
            -i32::from(turned_fours[1] > 0),
        ]
    }
}

/// Number of features.
pub const N_FEATURES: usize = 15;
/// Names of the features.
pub const FEATURES: [&str; N_FEATURES] = [
    "to move",
    "own ones",
    "own twos",
    "own threes",
    "own fours",
    "their ones",
    "their twos",
    "their threes",
    "their fours",
    "own threes after a turn",
    "own fours after a turn",
    "their threes after a turn",
    "their fours after a turn",
    "their four",
    "their four after a turn",
];

/// Returns the weights in the order of [`FEATURES`].
pub fn weights() -> [i32; N_FEATURES] {
    let ([a, b, c, d], [e, f, g, h]) = (OWN, OPPOSING);
    let ([i, j], [k, l]) = (OWN_TURNED, OPPOSING_TURNED);
    [TEMPO, a, b, c, d, e, f, g, h, i, j, k, l, THREAT, THREAT_BY_TURNING]
}

/// The lines of both sides on one board.
struct Sides {
    own: LineCounts,
    opposing: LineCounts,
}

impl Sides {
    /// Counts open lines with `n` marbles, own and opposing.
    fn open(&self, n: u32) -> [i32; 2] {
        let side = |own: LineCounts, opposing: LineCounts| count(own.exactly(n) & opposing.exactly(0));
        [side(self.own, self.opposing), side(self.opposing, self.own)]
    }

    /// Counts open lines with four or five marbles, own and opposing.
    fn open_fours(&self) -> [i32; 2] {
        [self.own.n_open_fours(self.opposing), self.opposing.n_open_fours(self.own)]
    }
}

fn sum(a: [i32; 2], b: [i32; 2]) -> [i32; 2] {
    [a[0] + b[0], a[1] + b[1]]
}

fn count(lines: u64) -> i32 {
    lines.count_ones() as i32
}
