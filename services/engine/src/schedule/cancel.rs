//! Cancelling queued and running work.

use std::sync::OnceLock;
use std::time::Instant;

use crate::answer::StopReason;

/// Shared by a search and everybody who may cancel it. Remembers when and why.
#[derive(Debug, Default)]
pub(crate) struct CancelToken {
    /// Asking whether it is set is one load, as of a flag.
    cause: OnceLock<(Instant, StopReason)>,
}

impl CancelToken {
    /// The first cause counts.
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
