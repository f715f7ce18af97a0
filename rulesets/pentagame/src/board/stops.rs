//! Sets of stops.

use std::fmt;

use crate::board::lines::Line;
use crate::board::stop::{N_STOPS, Stop};

/// A set of stops, one bit each.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Stops(pub(crate) u128);

impl Stops {
    /// The empty set.
    pub const NONE: Stops = Stops(0);
    /// All 100 stops.
    pub const ALL: Stops = Stops((1 << N_STOPS) - 1);

    /// Whether a stop is in the set.
    #[inline]
    pub fn contains(self, stop: Stop) -> bool {
        self.0 >> stop.0 & 1 != 0
    }

    /// The set with a stop added.
    #[inline]
    #[must_use]
    pub fn with(self, stop: Stop) -> Stops {
        Stops(self.0 | 1 << stop.0)
    }

    /// The set with a stop removed.
    #[inline]
    #[must_use]
    pub fn without(self, stop: Stop) -> Stops {
        Stops(self.0 & !(1 << stop.0))
    }

    /// The union.
    #[inline]
    #[must_use]
    pub fn or(self, other: Stops) -> Stops {
        Stops(self.0 | other.0)
    }

    /// The intersection.
    #[inline]
    #[must_use]
    pub fn and(self, other: Stops) -> Stops {
        Stops(self.0 & other.0)
    }

    /// The stops that are not in it.
    #[inline]
    #[must_use]
    pub fn complement(self) -> Stops {
        Stops(!self.0 & Stops::ALL.0)
    }

    /// Number of stops in the set.
    #[inline]
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set holds no stop.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The stop with the lowest number.
    #[inline]
    pub(crate) fn first(self) -> Option<Stop> {
        (self.0 != 0).then(|| Stop(self.0.trailing_zeros() as u8))
    }

    /// The stops in ascending order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Stop> {
        let mut left = self;
        std::iter::from_fn(move || {
            let stop = left.first()?;
            left.0 &= left.0 - 1;
            Some(stop)
        })
    }

    /// The small stops of one line, the first as bit 0.
    #[inline]
    pub(crate) fn on_line(self, line: &Line) -> u32 {
        (self.0 >> line.base) as u32 & line.mask()
    }
}

impl FromIterator<Stop> for Stops {
    fn from_iter<I: IntoIterator<Item = Stop>>(stops: I) -> Self {
        stops.into_iter().fold(Stops::NONE, Stops::with)
    }
}

impl fmt::Debug for Stops {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
