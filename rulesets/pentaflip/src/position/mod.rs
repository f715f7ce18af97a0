//! A position: the rings of both colours on both sides, the spots, the side to
//! move, and the last flip, which may not be repeated at once.
//!
//! `RelativePosition` is the same from the point of view of the side to move,
//! for search and evaluation.

mod relative;

use pentad_sdk::search::rng::mix;

use crate::board::{Colour, Flip, Holes, N_FLIPS, Rings, Spots};
pub(crate) use relative::{NO_FLIP, RelativePosition};

/// Everything the rules need: equal positions have the same future.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// White's, then black's.
    pub(crate) rings: [Rings; 2],
    /// White's spots; the others are black's.
    pub(crate) spots: Spots,
    pub(crate) side: Colour,
    /// The flip of the preceding turn, if it was one.
    pub(crate) last_flip: Option<Flip>,
}

impl Position {
    /// No rings, white's spots on c3 and d4, white to move.
    pub const START: Position =
        Position { rings: [Rings::NONE, Rings::NONE], spots: Spots(0b1001), side: Colour::White, last_flip: None };

    /// The rings of a colour.
    #[inline]
    pub fn rings(&self, colour: Colour) -> Rings {
        self.rings[colour as usize]
    }

    /// The spots of a colour.
    #[inline]
    pub fn spots(&self, colour: Colour) -> Spots {
        match colour {
            Colour::White => self.spots,
            Colour::Black => self.spots.complement(),
        }
    }

    /// The side to move, also in a position that is over.
    pub fn side(&self) -> Colour {
        self.side
    }

    /// The flip that the preceding turn made; it may not be made again at once.
    pub fn last_flip(&self) -> Option<Flip> {
        self.last_flip
    }

    /// The holes that have a ring on top.
    #[inline]
    pub fn occupied(&self) -> Holes {
        self.rings[0].top().union(self.rings[1].top())
    }

    /// Rings that a colour has not yet placed.
    #[inline]
    pub fn in_hand(&self, colour: Colour) -> u32 {
        Rings::MAX.saturating_sub(self.rings(colour).count())
    }

    /// Rings on the board, of both colours.
    pub fn n_rings(&self) -> u32 {
        self.rings[0].count() + self.rings[1].count()
    }

    /// A hash of the whole position, computed from scratch: for two words and a
    /// few bits that costs no more than updating it. Positions that differ in
    /// white's rings alone never collide; others do by chance only.
    #[inline]
    pub fn key(&self) -> u64 {
        let rest = u64::from(self.spots.0) | (self.side as u64) << 4 | flip_code(self.last_flip) << 5;
        self.rings[0].0 ^ mix(self.rings[1].0 ^ mix(rest))
    }
}

/// The number of a flip, or one more than the highest for none.
fn flip_code(flip: Option<Flip>) -> u64 {
    flip.map_or(N_FLIPS as u64, |flip| u64::from(flip.0))
}

/// Bytes of an encoded position.
pub(crate) const ENCODED_BYTES: usize = 17;
/// White's spots: any two of the four. Encoded by index.
const SPOT_PAIRS: [u8; 6] = [0b0011, 0b0101, 0b0110, 0b1001, 0b1010, 0b1100];
/// Combinations of side to move and spots.
const N_SIDES_AND_SPOTS: u8 = 12;

/// Eight bytes for white's rings, eight for black's, and one number for the
/// last flip, the spots and the side to move.
pub(crate) fn encode(position: &Position) -> [u8; ENCODED_BYTES] {
    let spots = SPOT_PAIRS.iter().position(|&spots| spots == position.spots.0).expect("two spots are white's") as u8;
    let rest = flip_code(position.last_flip) as u8 * N_SIDES_AND_SPOTS + spots * 2 + position.side as u8;
    let mut bytes = [rest; ENCODED_BYTES];
    bytes[..8].copy_from_slice(&position.rings[0].0.to_le_bytes());
    bytes[8..16].copy_from_slice(&position.rings[1].0.to_le_bytes());
    bytes
}

/// Reads what [`encode`] writes; `None` for any other bytes.
pub(crate) fn decode(bytes: &[u8]) -> Option<Position> {
    let bytes: &[u8; ENCODED_BYTES] = bytes.try_into().ok()?;
    let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
    let (white, black, rest) = (word(0), word(8), bytes[16]);
    let last_flip = match rest / N_SIDES_AND_SPOTS {
        flip @ 0..=7 => Some(Flip(flip)),
        8 => None,
        _ => return None,
    };
    let too_many = [white, black].iter().any(|rings| rings.count_ones() > Rings::MAX);
    if white & black != 0 || too_many {
        return None;
    }
    Some(Position {
        rings: [Rings(white), Rings(black)],
        spots: Spots(SPOT_PAIRS[usize::from(rest % N_SIDES_AND_SPOTS / 2)]),
        side: Colour::ALL[usize::from(rest % 2)],
        last_flip,
    })
}
