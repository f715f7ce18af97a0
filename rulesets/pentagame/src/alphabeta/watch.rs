//! Notices when a search has to stop.
//!
//! Nodes are counted exactly; the caller and the clock are asked every few
//! nodes, so few that 200 µs pass between. When they are asked has no effect on
//! the search unless the answer is to stop.

use std::time::{Duration, Instant};

use pentad_sdk::{Control, Limits, StopReason};

use crate::moves::Move;

/// Nodes between two questions, at the start and at most.
const STRIDE_FIRST: u64 = 4;
const STRIDE_MAX: u64 = 512;
const GAP: Duration = Duration::from_micros(200);

/// When a search stops.
pub(crate) struct Watch<'a> {
    control: &'a dyn Control<Move>,
    deadline: Option<Instant>,
    nodes: u64,
    nodes_max: u64,
    next_poll: u64,
    stride: u64,
    last_poll: Instant,
    stop: Option<StopReason>,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(control: &'a dyn Control<Move>, limits: Limits) -> Self {
        let now = Instant::now();
        let mut watch = Watch {
            control,
            deadline: limits.time.and_then(|time| now.checked_add(time)),
            nodes: 0,
            nodes_max: limits.nodes.unwrap_or(u64::MAX),
            next_poll: 0,
            stride: STRIDE_FIRST,
            last_poll: now,
            stop: None,
        };
        watch.poll();
        watch
    }

    /// Counts one position. The search has to look at [`stopped`](Self::stopped)
    /// before it believes anything found since.
    #[inline]
    pub(crate) fn visit(&mut self) {
        if self.stop.is_some() {
            return;
        }
        self.nodes += 1;
        if self.nodes >= self.next_poll {
            self.poll();
        }
    }

    #[inline]
    pub(crate) fn stopped(&self) -> bool {
        self.stop.is_some()
    }

    pub(crate) fn stop(&self) -> Option<StopReason> {
        self.stop
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    #[cold]
    fn poll(&mut self) {
        let now = Instant::now();
        let gap = now - self.last_poll;
        if gap > 2 * GAP {
            self.stride = (self.stride / 2).max(1);
        } else if gap < GAP {
            self.stride = (self.stride * 2).min(STRIDE_MAX);
        }
        self.last_poll = now;
        self.next_poll = (self.nodes + self.stride).min(self.nodes_max);
        if self.control.should_stop() {
            self.stop = Some(StopReason::Told);
        } else if self.deadline.is_some_and(|deadline| now >= deadline) {
            self.stop = Some(StopReason::Time);
        } else if self.nodes >= self.nodes_max {
            self.stop = Some(StopReason::Nodes);
        }
    }
}
