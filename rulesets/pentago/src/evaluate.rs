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
//! They are fitted to exact values alone: 70,000 positions of 4 to 6 marbles
//! from the book and 206,000 of 16 to 24 from the solver, every number of
//! marbles counting alike. The example `fit` makes the data and fits. Fitted to
//! the late ones only, they tell those better and play worse (45 % in 100 games
//! against weights from self-play; with the openings 51 % in 200).

use crate::Pentago;
use crate::lines::{Filled, completing};
use crate::position::Position;

/// To be the one to move.
pub(crate) const TEMPO: i32 = 94;
/// Open lines on the board by their marbles, 1 to 4: of the side to move ...
pub(crate) const OWN: [i32; 4] = [36, 44, -115, 0];
/// ... and of the other side. A line of three is also counted on the boards
/// after a turn of another block, hence the signs.
pub(crate) const OPPOSING: [i32; 4] = [14, 31, -19, 16];
/// Open lines of three, and of four or five, after each of the eight turns.
pub(crate) const OWN_TURNED: [i32; 2] = [50, 48];
pub(crate) const OPPOSING_TURNED: [i32; 2] = [19, 51];
/// The other side threatens five by placing, and by turning.
pub(crate) const THREAT: i32 = 23;
pub(crate) const THREAT_BY_TURNING: i32 = 35;
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
        let value: i32 = self.features(position).iter().zip(weights()).map(|(feature, weight)| feature * weight).sum();
        value.clamp(-LIMIT, LIMIT)
    }

    /// What is counted in a position, in the order of [`FEATURES`]. What the
    /// other side has counts negatively.
    pub fn features(&self, position: &Position) -> [i32; N_FEATURES] {
        let (own, opposing) = (position.own(), position.opposing());
        let sides = Sides { own: Filled::of(own), opposing: Filled::of(opposing) };
        let lying = sides.counted();
        let mut turned = [[0; 4]; 2];
        for turn in self.turns() {
            let sides = Sides { own: sides.own.turned(own, turn), opposing: sides.opposing.turned(opposing, turn) };
            for (sum, counted) in turned.iter_mut().flatten().zip(sides.counted().iter().flatten()) {
                *sum += counted;
            }
        }
        // An edition with fewer turns counts each the more.
        let turned = turned.map(|side| side.map(|n| n * (8 / self.edition.n_turns() as i32)));
        let threat = [lying[1][3], turned[1][3]].map(|fours| -i32::from(fours > 0));
        let [own, opposing] = lying;
        let opposing = opposing.map(|n| -n);
        [
            1,
            own[0],
            own[1],
            own[2],
            own[3],
            opposing[0],
            opposing[1],
            opposing[2],
            opposing[3],
            turned[0][2],
            turned[0][3],
            -turned[1][2],
            -turned[1][3],
            threat[0],
            threat[1],
        ]
    }
}

/// How many things are counted.
pub const N_FEATURES: usize = 15;
/// What they are.
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

/// The weights in the order of [`FEATURES`].
pub fn weights() -> [i32; N_FEATURES] {
    let ([a, b, c, d], [e, f, g, h]) = (OWN, OPPOSING);
    let ([i, j], [k, l]) = (OWN_TURNED, OPPOSING_TURNED);
    [TEMPO, a, b, c, d, e, f, g, h, i, j, k, l, THREAT, THREAT_BY_TURNING]
}

/// The lines of both sides on one board.
struct Sides {
    own: Filled,
    opposing: Filled,
}

impl Sides {
    /// Open lines by their marbles, 1, 2, 3, and 4 or 5, of both sides.
    fn counted(&self) -> [[i32; 4]; 2] {
        let side = |own: Filled, opposing: Filled| {
            let open = opposing.exactly(0);
            let [ones, twos, threes] = [1, 2, 3].map(|n| count(own.exactly(n) & open));
            [ones, twos, threes, own.fours(opposing)]
        };
        [side(self.own, self.opposing), side(self.opposing, self.own)]
    }
}

fn count(lines: u64) -> i32 {
    lines.count_ones() as i32
}
