//! Notices when a search has to stop.
//!
//! Nodes are counted exactly. The caller and the clock are asked once in a
//! simulation, which takes far less than the 5 ms allowed, and every few moves
//! where a list of moves is worked through. The SDK's watch asks by counting
//! nodes, of which there are none in such a list, and nothing found at the last
//! node allowed may be believed; here all allowed are, and one more is refused.

use std::time::Instant;

use pentad_sdk::{Control, StopReason};

use crate::moves::Move;

pub(crate) struct Watch<'a> {
    control: &'a dyn Control<Move>,
    deadline: Option<Instant>,
    nodes: u64,
    nodes_max: u64,
    stop: Option<StopReason>,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(control: &'a dyn Control<Move>, deadline: Option<Instant>, nodes_max: Option<u64>) -> Self {
        let mut watch = Watch { control, deadline, nodes: 0, nodes_max: nodes_max.unwrap_or(u64::MAX), stop: None };
        watch.poll();
        watch
    }

    /// Counts one position; false if there was no more to be had.
    #[inline]
    pub(crate) fn visit(&mut self) -> bool {
        if self.nodes >= self.nodes_max {
            self.stop = self.stop.or(Some(StopReason::Nodes));
        }
        if self.stop.is_some() {
            return false;
        }
        self.nodes += 1;
        true
    }

    /// Asks the caller and the clock.
    pub(crate) fn poll(&mut self) {
        if self.stop.is_some() {
            return;
        }
        if self.control.should_stop() {
            self.stop = Some(StopReason::Cancelled);
        } else if self.deadline.is_some_and(|deadline| self.control.now() >= deadline) {
            self.stop = Some(StopReason::Time);
        } else if self.nodes >= self.nodes_max {
            self.stop = Some(StopReason::Nodes);
        }
    }

    pub(crate) fn stop(&self) -> Option<StopReason> {
        self.stop
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }
}
