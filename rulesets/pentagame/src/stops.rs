//! Sets of stops.

use std::fmt;

use crate::lines::Line;
use crate::stop::{N_STOPS, Stop};

/// A set of stops, one bit each.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Stops(pub(crate) u128);

impl Stops {
    /// No stop.
    pub const NONE: Stops = Stops(0);
    /// Every stop.
    pub const ALL: Stops = Stops((1 << N_STOPS) - 1);

    /// Whether it holds a stop.
    #[inline]
    pub fn contains(self, stop: Stop) -> bool {
        self.0 >> stop.0 & 1 != 0
    }

    /// The same with one stop more.
    #[inline]
    #[must_use]
    pub fn with(self, stop: Stop) -> Stops {
        Stops(self.0 | 1 << stop.0)
    }

    /// The same without a stop.
    #[inline]
    #[must_use]
    pub fn without(self, stop: Stop) -> Stops {
        Stops(self.0 & !(1 << stop.0))
    }

    /// What is in either.
    #[inline]
    #[must_use]
    pub fn or(self, other: Stops) -> Stops {
        Stops(self.0 | other.0)
    }

    /// What is in both.
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

    /// How many there are.
    #[inline]
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The one with the lowest number.
    #[inline]
    pub(crate) fn first(self) -> Option<Stop> {
        (self.0 != 0).then(|| Stop(self.0.trailing_zeros() as u8))
    }

    /// The stops by number.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Stop> {
        let mut left = self;
        std::iter::from_fn(move || {
            let stop = left.first()?;
            left.0 &= left.0 - 1;
            Some(stop)
        })
    }

    /// The stops of one line, from bit 0.
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
