//! Decides when a search has to stop.
//!
//! One per thread. Nodes are counted exactly. The caller and the clock are polled every
//! few nodes; the stride adapts so that there are about five polls per millisecond,
//! whether a node takes 100 ns or 100 µs. Polling does not affect the search unless it
//! stops.

use std::fmt;
use std::time::{Duration, Instant};

use pentad_model::{Control, StopReason};

/// Nodes between two polls, at the start and at most.
const STRIDE_FIRST: u64 = 4;
const STRIDE_MAX: u64 = 512;
const GAP: Duration = Duration::from_micros(200);

/// Node count and limits of one search thread. For searches that games write
/// themselves.
pub struct Limiter<'a, M> {
    control: &'a dyn Control<M>,
    deadline: Option<Instant>,
    nodes: u64,
    quota: u64,
    next_poll: u64,
    stride: u64,
    last_poll: Instant,
    stop: Option<StopReason>,
}

impl<'a, M> Limiter<'a, M> {
    /// Creates a limiter that polls the caller and the clock, without a node limit.
    pub fn new(control: &'a dyn Control<M>, deadline: Option<Instant>) -> Self {
        let mut limiter = Limiter {
            control,
            deadline,
            nodes: 0,
            quota: u64::MAX,
            next_poll: 0,
            stride: STRIDE_FIRST,
            last_poll: control.now(),
            stop: None,
        };
        limiter.poll();
        limiter
    }

    /// Counts one position. The search has to check [`stopped`](Self::stopped) before
    /// it uses any result found since.
    #[inline]
    pub fn visit(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.next_poll {
            self.poll();
        }
    }

    /// Returns whether the search has to stop.
    #[inline]
    pub fn stopped(&self) -> bool {
        self.stop.is_some()
    }

    /// Returns why the search has to stop.
    #[inline]
    pub fn stop(&self) -> Option<StopReason> {
        self.stop
    }

    /// Returns the number of positions counted so far.
    #[inline]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Allows `more` nodes from here, and lifts a stop by the node limit.
    pub fn allow(&mut self, more: u64) {
        self.set_quota(self.nodes.saturating_add(more));
    }

    /// Returns the limit of the node count.
    #[inline]
    pub fn quota(&self) -> u64 {
        self.quota
    }

    /// Sets the limit of the node count, and lifts a stop by an earlier one.
    pub fn set_quota(&mut self, quota: u64) {
        self.quota = quota;
        if self.stop == Some(StopReason::Nodes) {
            self.stop = None;
        }
        self.poll();
    }

    #[cold]
    fn poll(&mut self) {
        let now = self.control.now();
        let gap = now - self.last_poll;
        if gap > 2 * GAP {
            self.stride = (self.stride / 2).max(1);
        } else if gap < GAP {
            self.stride = (self.stride * 2).min(STRIDE_MAX);
        }
        self.last_poll = now;
        self.next_poll = (self.nodes + self.stride).min(self.quota);
        if self.stop.is_some() {
            return;
        }
        if self.control.should_stop() {
            self.stop = Some(StopReason::Cancelled);
        } else if self.deadline.is_some_and(|deadline| now >= deadline) {
            self.stop = Some(StopReason::Time);
        } else if self.nodes >= self.quota {
            self.stop = Some(StopReason::Nodes);
        }
    }
}

impl<M> fmt::Debug for Limiter<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limiter").field("nodes", &self.nodes).field("stop", &self.stop).finish_non_exhaustive()
    }
}
