//! Telling running work to stop, and remembering when and why.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::answer::StopReason;

/// Shared by a search and everybody who may end it.
#[derive(Debug, Default)]
pub(crate) struct Stop {
    told: AtomicBool,
    cause: OnceLock<(Instant, StopReason)>,
}

impl Stop {
    /// Ends the work. The first cause counts.
    pub(crate) fn tell(&self, reason: StopReason) {
        let _already_told = self.cause.set((Instant::now(), reason));
        self.told.store(true, Ordering::Release);
    }

    pub(crate) fn is_told(&self) -> bool {
        self.told.load(Ordering::Acquire)
    }

    pub(crate) fn cause(&self) -> Option<(Instant, StopReason)> {
        self.cause.get().copied()
    }
}
