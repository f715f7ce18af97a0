//! A position: the rings of both colours on both sides, the spots, who is to
//! move, and the flip that may not be made.

use pentad_sdk::search::rng::mix;

use crate::board::{Colour, Holes, Rings, Spots};
use crate::flip::{Flip, N_FLIPS};

/// Everything the rules need to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// By colour.
    pub(crate) rings: [Rings; 2],
    /// White's. The others are black's.
    pub(crate) spots: Spots,
    pub(crate) side: Colour,
    /// The flip of the preceding turn, if it was one.
    pub(crate) last: Option<Flip>,
}

impl Position {
    /// No rings, white's spots on c3 and d4, white to move.
    pub const START: Position =
        Position { rings: [Rings::NONE, Rings::NONE], spots: Spots(0b1001), side: Colour::White, last: None };

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
            Colour::Black => self.spots.others(),
        }
    }

    /// Whose turn it is, or would be.
    pub fn side(&self) -> Colour {
        self.side
    }

    /// The flip that the preceding turn made.
    pub fn last(&self) -> Option<Flip> {
        self.last
    }

    /// The holes that have a ring on top.
    #[inline]
    pub fn occupied(&self) -> Holes {
        self.rings[0].top().or(self.rings[1].top())
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

    /// A hash of everything. The position is two words and a little, so it is
    /// made anew as fast as it could be kept up to date: positions that differ
    /// in white's rings alone never share a key, others by chance only.
    #[inline]
    pub fn key(&self) -> u64 {
        let rest = u64::from(self.spots.0) | (self.side as u64) << 4 | last_code(self.last) << 5;
        self.rings[0].0 ^ mix(self.rings[1].0 ^ mix(rest))
    }
}

fn last_code(last: Option<Flip>) -> u64 {
    last.map_or(N_FLIPS as u64, |flip| u64::from(flip.0))
}

/// Bytes of an encoded position.
pub(crate) const SIZE: usize = 17;
/// White's spots: any two of the four.
const SPOTS: [u8; 6] = [0b0011, 0b0101, 0b0110, 0b1001, 0b1010, 0b1100];
/// Sides and spots together.
const N_SIDES_AND_SPOTS: u8 = 12;

/// The words of white and black, and one number for all the rest.
pub(crate) fn encode(position: &Position) -> [u8; SIZE] {
    let spots = SPOTS.iter().position(|&spots| spots == position.spots.0).expect("two spots are white's") as u8;
    let rest = last_code(position.last) as u8 * N_SIDES_AND_SPOTS + spots * 2 + position.side as u8;
    let mut bytes = [rest; SIZE];
    bytes[..8].copy_from_slice(&position.rings[0].0.to_le_bytes());
    bytes[8..16].copy_from_slice(&position.rings[1].0.to_le_bytes());
    bytes
}

/// Reads what [`encode`] wrote, and nothing else.
pub(crate) fn decode(bytes: &[u8]) -> Option<Position> {
    let bytes: &[u8; SIZE] = bytes.try_into().ok()?;
    let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
    let (white, black, rest) = (word(0), word(8), bytes[16]);
    let last = match rest / N_SIDES_AND_SPOTS {
        last @ 0..=7 => Some(Flip(last)),
        8 => None,
        _ => return None,
    };
    let too_many = [white, black].iter().any(|rings| rings.count_ones() > Rings::MAX);
    if white & black != 0 || too_many {
        return None;
    }
    Some(Position {
        rings: [Rings(white), Rings(black)],
        spots: Spots(SPOTS[usize::from(rest % N_SIDES_AND_SPOTS / 2)]),
        side: Colour::ALL[usize::from(rest % 2)],
        last,
    })
}
