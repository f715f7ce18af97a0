//! Cancellation of queued and running work.

use std::sync::OnceLock;
use std::time::Instant;

use crate::answer::StopReason;

/// Cancellation flag of a search. Remembers when and why the search was cancelled.
#[derive(Debug, Default)]
pub(crate) struct CancelToken {
    /// Reading it costs one atomic load, like a flag.
    cause: OnceLock<(Instant, StopReason)>,
}

impl CancelToken {
    /// Cancels; the first cause counts.
    pub(crate) fn cancel(&self, reason: StopReason) {
        let _already_cancelled = self.cause.set((Instant::now(), reason));
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cause.get().is_some()
    }

    pub(crate) fn cause(&self) -> Option<(Instant, StopReason)> {
        self.cause.get().copied()
    }
}
