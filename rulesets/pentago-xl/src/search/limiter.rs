//! Decides when a search has to stop.
//!
//! It differs from the SDK's `Limiter` in two ways. That one polls the caller and
//! the clock every so many nodes, but no nodes are counted while a list of moves is
//! scored; this one is polled by its user, once per simulation (far less than the
//! 5 ms allowed) and every few moves of a list. And that one discards the result
//! of the last node allowed; here every node within the limit counts, and the node
//! beyond it is refused before it is searched.

use std::time::Instant;

use pentad_sdk::{Control, StopReason};

use crate::moves::Move;

pub(crate) struct Limiter<'a> {
    control: &'a dyn Control<Move>,
    deadline: Option<Instant>,
    nodes: u64,
    nodes_max: u64,
    stop: Option<StopReason>,
}

impl<'a> Limiter<'a> {
    /// Creates a limiter and polls once, so that a request cancelled before it begins
    /// stops at once.
    pub(crate) fn new(control: &'a dyn Control<Move>, deadline: Option<Instant>, nodes_max: Option<u64>) -> Self {
        let mut limiter = Limiter { control, deadline, nodes: 0, nodes_max: nodes_max.unwrap_or(u64::MAX), stop: None };
        limiter.poll();
        limiter
    }

    /// Counts one node; returns false if the search has stopped or stops here.
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

    /// Checks cancellation, the clock and the node limit.
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

    /// Returns why the search has stopped, if it has.
    pub(crate) fn stop(&self) -> Option<StopReason> {
        self.stop
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }
}
