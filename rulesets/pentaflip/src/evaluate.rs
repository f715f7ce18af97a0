//! Static evaluation.
//!
//! A weighted sum of features of both sides: open lines on top (those without the other
//! side's rings and spots), moves that would make five, placements, and rings by their
//! hole, on top and underneath. The weights are log-odds, fitted to games of the search
//! against itself by `examples/fit.rs`; 400 more means ten times the odds.
//!
//! Open lines after each flip were tried and left out: a fit with them scored 49 % of
//! 200 games at 10 ms per move against one without, which is no difference, and 53 % of
//! 300 at equal nodes, which hardly is.

use crate::Pentaflip;
use crate::board::lines::{LineCounts, LineSet, completing_holes, flips_making_five};
use crate::board::{Holes, Rings, Spots};
use crate::moves::movegen::placements;
use crate::position::{Position, RelativePosition};

/// Number of features of each side.
pub const N_FEATURES: usize = N_COUNTS + 2 * N_HOLE_CLASSES;

/// The names of the features, in order.
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

/// Number of features other than rings by their hole.
const N_COUNTS: usize = 7;
/// Number of classes of holes, which the symmetries of the square map to each other.
const N_HOLE_CLASSES: usize = 5;
/// The holes of each class.
const HOLE_CLASSES: [u32; N_HOLE_CLASSES] = [0x1111_1111, 0x2222_2222, 0x4444_4444, 0x0808_0808, 0x8080_8080];

/// Weights of the features of the side to move, then of the other side: the output of
/// `fit -- 6000 3000 4`, run with the weights of the previous round.
static WEIGHTS: [[i32; N_FEATURES]; 2] = [
    [-6, -15, 3, -7, 0, 104, -22, 155, 173, 36, 49, 150, 115, 144, 76, 33, 105],
    [10, 22, 15, 16, -82, -208, 24, -168, -142, -81, -81, -143, -99, -120, -67, -40, -121],
];
/// Bonus for the side to move.
const TEMPO: i32 = 38;
/// Evaluations are clamped to this magnitude.
const EVAL_MAX: i32 = 10_000;

/// The sum of the weights of the rings of a panel's byte, by side, on top and
/// underneath.
static RING_VALUES: [[[i16; 256]; 2]; 2] = [ring_values(0), ring_values(1)];

impl Pentaflip {
    /// Returns the static evaluation of a position that is not over, for the side to
    /// move: 0 is even, and 400 more means ten times the odds.
    pub fn static_eval(&self, position: &Position) -> i32 {
        RelativePosition::of(position).static_eval()
    }

    /// Returns the features of the side to move and of the other side.
    pub fn features(&self, position: &Position) -> [[i32; N_FEATURES]; 2] {
        let position = RelativePosition::of(position);
        let counts = position.counts();
        [(position.own, counts[0]), (position.opponent, counts[1])].map(|(rings, counts)| {
            let mut features = [0; N_FEATURES];
            features[..N_COUNTS].copy_from_slice(&counts);
            for (class, holes) in HOLE_CLASSES.into_iter().enumerate() {
                features[N_COUNTS + class] = (rings.top().0 & holes).count_ones() as i32;
                features[N_COUNTS + N_HOLE_CLASSES + class] = (rings.under().0 & holes).count_ones() as i32;
            }
            features
        })
    }
}

impl RelativePosition {
    /// Evaluates like [`Pentaflip::static_eval`].
    #[inline]
    pub(crate) fn static_eval(self) -> i32 {
        let mut value = TEMPO + rings_value(self.own, 0) + rings_value(self.opponent, 1);
        for (counts, weights) in self.counts().iter().zip(&WEIGHTS) {
            value += counts.iter().zip(weights).map(|(count, weight)| count * weight).sum::<i32>();
        }
        value.clamp(-EVAL_MAX, EVAL_MAX)
    }

    /// Returns the features of both sides other than rings by their hole.
    #[inline]
    fn counts(self) -> [[i32; N_COUNTS]; 2] {
        let opponent_spots = self.spots.complement();
        let own = LineCounts::of(self.own.top(), self.spots);
        let opponent = LineCounts::of(self.opponent.top(), opponent_spots);
        let empty = self.empty_holes();
        [
            side_counts(self.own, self.spots, own, opponent.none(), empty),
            side_counts(self.opponent, opponent_spots, opponent, own.none(), empty),
        ]
    }
}

#[inline]
fn side_counts(rings: Rings, spots: Spots, lines: LineCounts, open: LineSet, empty: Holes) -> [i32; N_COUNTS] {
    let fours = lines.fours().intersection(open);
    let placements = placements(rings, spots, empty);
    let winning =
        if fours.is_empty() { Holes::NONE } else { completing_holes(fours, rings.top()).intersection(placements) };
    [
        lines.ones().intersection(open).count(),
        lines.twos().intersection(open).count(),
        lines.threes().intersection(open).count(),
        fours.count(),
        winning.count() as i32,
        flips_making_five(rings, spots).count_ones() as i32,
        placements.count() as i32,
    ]
}

/// Returns the sum of the weights of all rings of a side.
#[inline]
fn rings_value(rings: Rings, side: usize) -> i32 {
    let [top, under] = &RING_VALUES[side];
    let mut value = 0;
    for panel in 0..4 {
        value += i32::from(top[rings.top().panel(panel)]) + i32::from(under[rings.under().panel(panel)]);
    }
    value
}

const fn ring_values(side: usize) -> [[i16; 256]; 2] {
    let mut values = [[0; 256]; 2];
    let mut at = 0;
    while at < 2 * 256 * N_HOLE_CLASSES {
        let (level, byte, class) = (at / (256 * N_HOLE_CLASSES), at / N_HOLE_CLASSES % 256, at % N_HOLE_CLASSES);
        let n = (byte as u32 & HOLE_CLASSES[class] & 0xff).count_ones() as i32;
        values[level][byte] += (n * WEIGHTS[side][N_COUNTS + level * N_HOLE_CLASSES + class]) as i16;
        at += 1;
    }
    values
}
