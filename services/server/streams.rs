//! Bounds the number of concurrent streams of each kind, in all and per caller.
//!
//! A stream has a connection, or a part of one, and memory for as long as it runs, and
//! it costs its caller little: equal analyses share one search. Without a bound, two
//! addresses could keep everybody else off a port.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pentad_engine::{CallerKey, EngineError};

use crate::calls::{Method, Updates};
use crate::config::Config;
use crate::error::ApiError;

/// A caller may have 1/N of the streams of a kind.
const CALLER_SHARE: usize = 4;
/// Streams take seconds to minutes, and their end cannot be predicted.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// The running streams, by kind.
#[derive(Debug, Default)]
pub(crate) struct Streams(Mutex<HashMap<Method, RunningStreams>>);

#[derive(Debug, Default)]
struct RunningStreams {
    n_all: usize,
    by_caller: HashMap<CallerKey, usize>,
}

/// The place of a running stream, until it is dropped.
#[derive(Debug)]
pub(crate) struct StreamPlace {
    streams: Arc<Streams>,
    kind: Method,
    caller: CallerKey,
}

/// A stream of updates that has its place.
pub(crate) struct PlacedUpdates<U> {
    pub(crate) updates: U,
    pub(crate) _place: StreamPlace,
}

impl Streams {
    /// Takes a place for a stream of this kind, if there is one and the caller has less
    /// than its share.
    pub(crate) fn begin(
        self: &Arc<Self>,
        kind: Method,
        caller: CallerKey,
        config: &Config,
    ) -> Result<StreamPlace, EngineError> {
        let n_max = if kind == Method::Batch { config.batch_streams_max } else { config.streams_max };
        let mut kinds = self.lock();
        let running = kinds.entry(kind).or_default();
        let n_own = running.by_caller.get(&caller).copied().unwrap_or(0);
        if running.n_all >= n_max || n_own >= n_max.div_ceil(CALLER_SHARE) {
            return Err(EngineError::Overloaded { retry_after: RETRY_AFTER });
        }
        running.n_all += 1;
        running.by_caller.insert(caller, n_own + 1);
        Ok(StreamPlace { streams: Arc::clone(self), kind, caller })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Method, RunningStreams>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for StreamPlace {
    fn drop(&mut self) {
        let mut kinds = self.streams.lock();
        let Some(running) = kinds.get_mut(&self.kind) else { return };
        running.n_all -= 1;
        if let Some(n_own) = running.by_caller.get_mut(&self.caller) {
            *n_own -= 1;
            if *n_own == 0 {
                running.by_caller.remove(&self.caller);
            }
        }
    }
}

impl<U: Updates> Updates for PlacedUpdates<U> {
    type Update = U::Update;

    async fn next_update(&mut self) -> Result<U::Update, ApiError> {
        self.updates.next_update().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One caller gets a quarter of the places of a kind, all together get all, kinds do not
    /// compete, and places that are left are free again.
    #[test]
    fn places_are_shared() {
        let streams = Arc::new(Streams::default());
        let config = Config { streams_max: 8, batch_streams_max: 0, ..Config::default() };
        let begin = |caller| streams.begin(Method::Review, CallerKey::of(caller), &config);
        let held: Vec<_> = [1, 1, 2, 2, 3, 3, 4, 4].map(|caller| begin(caller).expect("two each")).into();
        assert!(begin(5).is_err());
        let analysis = streams.begin(Method::Analyze, CallerKey::of(1), &config);
        assert!(analysis.is_ok(), "another kind");
        assert!(streams.begin(Method::Batch, CallerKey::of(1), &config).is_err());
        drop((held, analysis));
        assert!(streams.lock().values().all(|running| running.n_all == 0 && running.by_caller.is_empty()));
        let _own = [begin(1).expect("the first"), begin(1).expect("the second")];
        assert!(begin(1).is_err() && begin(2).is_ok());
    }
}
