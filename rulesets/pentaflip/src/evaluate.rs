//! What a position seems to be worth, as it stands.
//!
//! A weighted sum of what both sides have: open lines on top (those that the
//! other side has nothing on), moves that would make five, places to put a
//! ring, and the rings by where they lie, on top and underneath. The weights
//! are logarithms of odds, fitted to the results of games of the search against
//! itself by `examples/fit.rs`; 400 is ten times the odds.
//!
//! Open lines as each flip would make them were tried and left out: a fit with
//! them scored 49 % of 200 games at 10 ms a move against one without, which is
//! no difference, and 53 % of 300 at equal nodes, which is hardly one.

use crate::Pentaflip;
use crate::board::{Holes, Rings, Spots, next_to};
use crate::lines::{Filled, Marked, completing, fives_by_flips};
use crate::position::Position;
use crate::state::State;

/// What is counted for each side.
pub const N_FEATURES: usize = N_COUNTS + 2 * N_KINDS;

/// The names of what is counted, in order.
pub const FEATURES: [&str; N_FEATURES] = [
    "open lines of one",
    "open lines of two",
    "open lines of three",
    "open lines of four",
    "holes that complete five",
    "flips that bring up five",
    "places for a ring",
    "rings on top, beside the spot",
    "rings on top, two off the spot",
    "rings on top, beside the corner",
    "rings on top, amid a panel",
    "rings on top, in the corner",
    "rings underneath, beside the spot",
    "rings underneath, two off the spot",
    "rings underneath, beside the corner",
    "rings underneath, amid a panel",
    "rings underneath, in the corner",
];

/// Features that are no rings.
const N_COUNTS: usize = 7;
/// Kinds of holes: those that the symmetries of the square take to each other.
const N_KINDS: usize = 5;
/// The holes of each kind.
const KINDS: [u32; N_KINDS] = [0x1111_1111, 0x2222_2222, 0x4444_4444, 0x0808_0808, 0x8080_8080];

/// Of the side to move, and of the other side: what `fit -- 6000 3000 4` gave,
/// played with the weights of the round before.
static WEIGHTS: [[i32; N_FEATURES]; 2] = [
    [-6, -15, 3, -7, 0, 104, -22, 155, 173, 36, 49, 150, 115, 144, 76, 33, 105],
    [10, 22, 15, 16, -82, -208, 24, -168, -142, -81, -81, -143, -99, -120, -67, -40, -121],
];
/// It is good to be on the move.
const TEMPO: i32 = 38;
/// Estimates are held within this.
const VALUE_MAX: i32 = 10_000;

/// What the rings of a panel's byte are worth, by side, on top and underneath.
static RINGS: [[[i16; 256]; 2]; 2] = [rings_worth(0), rings_worth(1)];

impl Pentaflip {
    /// A guess for the side to move of a position that is not over: 0 is even,
    /// and 400 more means ten times the odds.
    pub fn static_value(&self, position: &Position) -> i32 {
        State::of(position).value()
    }

    /// What the evaluation counts, of the side to move and of the other side.
    pub fn features(&self, position: &Position) -> [[i32; N_FEATURES]; 2] {
        let state = State::of(position);
        let counts = state.counts();
        [(state.own, counts[0]), (state.opposing, counts[1])].map(|(rings, counts)| {
            let mut features = [0; N_FEATURES];
            features[..N_COUNTS].copy_from_slice(&counts);
            for (kind, holes) in KINDS.into_iter().enumerate() {
                features[N_COUNTS + kind] = (rings.top().0 & holes).count_ones() as i32;
                features[N_COUNTS + N_KINDS + kind] = (rings.under().0 & holes).count_ones() as i32;
            }
            features
        })
    }
}

impl State {
    #[inline]
    pub(crate) fn value(self) -> i32 {
        let mut value = TEMPO + rings_value(self.own, 0) + rings_value(self.opposing, 1);
        for (counts, weights) in self.counts().iter().zip(&WEIGHTS) {
            value += counts.iter().zip(weights).map(|(count, weight)| count * weight).sum::<i32>();
        }
        value.clamp(-VALUE_MAX, VALUE_MAX)
    }

    /// The features that are no rings, of both sides.
    #[inline]
    fn counts(self) -> [[i32; N_COUNTS]; 2] {
        let theirs = self.spots.others();
        let own = Filled::of(self.own.top(), self.spots);
        let opposing = Filled::of(self.opposing.top(), theirs);
        let empty = self.empty();
        [
            counts_of(self.own, self.spots, own, opposing.none(), empty),
            counts_of(self.opposing, theirs, opposing, own.none(), empty),
        ]
    }
}

#[inline]
fn counts_of(rings: Rings, spots: Spots, filled: Filled, open: Marked, empty: Holes) -> [i32; N_COUNTS] {
    let fours = filled.fours().and(open);
    let places = next_to(rings.top(), spots).or(rings.under()).and(empty);
    let places = if rings.count() < Rings::MAX { places } else { Holes::NONE };
    let winning = if fours.is_empty() { Holes::NONE } else { completing(fours, rings.top()).and(places) };
    [
        filled.ones().and(open).total(),
        filled.twos().and(open).total(),
        filled.threes().and(open).total(),
        fours.total(),
        winning.count() as i32,
        fives_by_flips(rings, spots).count_ones() as i32,
        places.count() as i32,
    ]
}

/// What rings are worth by where they lie.
#[inline]
fn rings_value(rings: Rings, side: usize) -> i32 {
    let [top, under] = &RINGS[side];
    let mut value = 0;
    for panel in 0..4 {
        value += i32::from(top[rings.top().panel(panel)]) + i32::from(under[rings.under().panel(panel)]);
    }
    value
}

const fn rings_worth(side: usize) -> [[i16; 256]; 2] {
    let mut worth = [[0; 256]; 2];
    let mut at = 0;
    while at < 2 * 256 * N_KINDS {
        let (level, byte, kind) = (at / (256 * N_KINDS), at / N_KINDS % 256, at % N_KINDS);
        let n = (byte as u32 & KINDS[kind] & 0xff).count_ones() as i32;
        worth[level][byte] += (n * WEIGHTS[side][N_COUNTS + level * N_KINDS + kind]) as i16;
        at += 1;
    }
    worth
}
