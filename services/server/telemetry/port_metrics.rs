//! Metrics of a port's connections.

use metrics::{Counter, Gauge, counter, gauge};

use crate::listen::CloseReason;

#[derive(Clone, Debug)]
pub(crate) struct PortMetrics {
    pub(crate) n_open: Gauge,
    /// Indexed as [`CloseReason::COUNTED`].
    closed: [Counter; CloseReason::COUNTED.len()],
}

impl PortMetrics {
    /// Registers all series. Call it with the recorder set.
    pub(super) fn new(port: &'static str) -> PortMetrics {
        let closed = |reason: CloseReason| counter!("pentad_connections_closed_total", "port" => port, "reason" => reason.as_str());
        PortMetrics { n_open: gauge!("pentad_connections", "port" => port), closed: CloseReason::COUNTED.map(closed) }
    }

    /// For tests.
    #[cfg(test)]
    pub(crate) fn noop() -> PortMetrics {
        PortMetrics { n_open: Gauge::noop(), closed: CloseReason::COUNTED.map(|_| Counter::noop()) }
    }

    /// Counts that the server closed a connection, unless the whole port was closed.
    pub(crate) fn count_closed(&self, reason: CloseReason) {
        if let Some(idx) = CloseReason::COUNTED.iter().position(|counted| *counted == reason) {
            self.closed[idx].increment(1);
        }
    }
}
