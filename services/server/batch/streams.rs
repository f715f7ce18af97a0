//! Bounds the number of concurrent batches, in all and per caller.
//!
//! Each needs the memory of its window, so their number bounds their memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pentad_engine::{CallerKey, EngineError};

/// A caller may have 1/N of all batches.
const CALLER_SHARE: usize = 4;
/// Batches take minutes, and their end cannot be predicted.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// The running batches.
#[derive(Debug, Default)]
pub(crate) struct BatchStreams(Mutex<HashMap<CallerKey, usize>>);

/// A running batch, until it is dropped.
#[derive(Debug)]
pub(crate) struct BatchStream {
    streams: Arc<BatchStreams>,
    caller: CallerKey,
}

impl BatchStreams {
    /// Begins a batch if fewer than `n_max` are running and this caller has less than its
    /// share.
    pub(crate) fn begin(self: &Arc<Self>, caller: CallerKey, n_max: usize) -> Result<BatchStream, EngineError> {
        let mut by_caller = self.lock();
        let n_all: usize = by_caller.values().sum();
        let n_own = by_caller.entry(caller).or_default();
        if n_all >= n_max || *n_own >= n_max.div_ceil(CALLER_SHARE) {
            if *n_own == 0 {
                by_caller.remove(&caller);
            }
            return Err(EngineError::Overloaded { retry_after: RETRY_AFTER });
        }
        *n_own += 1;
        Ok(BatchStream { streams: Arc::clone(self), caller })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<CallerKey, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for BatchStream {
    fn drop(&mut self) {
        let mut by_caller = self.streams.lock();
        if let Some(n_own) = by_caller.get_mut(&self.caller) {
            *n_own -= 1;
            if *n_own == 0 {
                by_caller.remove(&self.caller);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One caller gets a quarter of the places, all together get all, and places that are
    /// left are free again.
    #[test]
    fn places_are_shared() {
        let streams = Arc::new(BatchStreams::default());
        let begin = |caller| streams.begin(CallerKey::of(caller), 8);
        let held: Vec<_> = [1, 1, 2, 2, 3, 3, 4, 4].map(|caller| begin(caller).expect("two each")).into();
        assert!(begin(5).is_err());
        drop(held);
        assert!(streams.lock().is_empty());
        let _own = [begin(1).expect("the first"), begin(1).expect("the second")];
        assert!(begin(1).is_err() && begin(2).is_ok());
        assert!(streams.begin(CallerKey::of(9), 0).is_err());
    }
}
