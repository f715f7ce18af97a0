//! Sets of stops.

use crate::board::lines::Line;
use crate::board::stop::{N_STOPS, Stop};

pentad_sdk::bit_set! {
    /// A set of stops, one bit each.
    pub struct Stops(u128) of Stop {
        all: (1 << N_STOPS) - 1,
        mask: |stop: Stop| 1 << stop.0,
        at_bit: |bit| Stop(bit as u8),
    }
}

impl Stops {
    /// Iterates over the stops in ascending order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Stop> {
        self.iter_by_bit()
    }

    /// Returns the small stops of one line, the first as bit 0.
    #[inline]
    pub(crate) fn on_line(self, line: &Line) -> u32 {
        (self.0 >> line.base) as u32 & line.mask()
    }
}
