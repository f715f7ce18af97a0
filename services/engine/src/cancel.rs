//! Cancelling queued and running work.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::answer::StopReason;

/// Shared by a search and everybody who may cancel it. Remembers when and why.
#[derive(Debug, Default)]
pub(crate) struct CancelToken {
    is_cancelled: AtomicBool,
    cause: OnceLock<(Instant, StopReason)>,
}

impl CancelToken {
    /// The first cause counts.
    pub(crate) fn cancel(&self, reason: StopReason) {
        let _already_cancelled = self.cause.set((Instant::now(), reason));
        self.is_cancelled.store(true, Ordering::Release);
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Acquire)
    }

    pub(crate) fn cause(&self) -> Option<(Instant, StopReason)> {
        self.cause.get().copied()
    }
}
