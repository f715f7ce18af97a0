//! Whose call it is, and where its time goes.
//!
//! A [`Trace`] goes with its caller, also to the queue and to the worker, which
//! is another thread. Parts of the call are told to a [`SpanRecorder`] as they end.
//! Without one, which is the rule, nothing is measured: beginning a part then
//! costs a comparison.
//!
//! A search belongs to the call that started it, also when that call has gone
//! and only others, who joined it, still wait.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use crate::answer::StopReason;
use crate::cancel::CancelToken;
use crate::observer::CacheResult;
use crate::question::Class;

/// By which everything about one call is found, here and in other services.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TraceId(pub u128);

impl fmt::Display for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// Whose call it is.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    id: Option<TraceId>,
    recorder: Option<Arc<dyn SpanRecorder>>,
}

/// SearchCallbacks of the parts of one call as they end, from any thread. It should return
/// at once.
pub trait SpanRecorder: fmt::Debug + Send + Sync {
    /// By which the call itself is known within its trace.
    fn span_id(&self) -> u64;
    /// A part has ended.
    fn record(&self, part: &SpanRecord<'_>);
}

/// One part of a call, ended.
#[derive(Clone, Copy, Debug)]
pub struct SpanRecord<'a> {
    /// Id of the game.
    pub game: &'a str,
    /// What was done.
    pub work: SpanDetails,
    /// Why it failed, in a word.
    pub error: Option<&'static str>,
    /// When it began.
    pub started: Instant,
    /// When it ended.
    pub ended: Instant,
}

/// What a part of a call consists in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpanDetails {
    /// Waiting for a worker.
    Queue {
        /// Whose worker: `rules`, `short` or `long`.
        pool: &'static str,
        /// How urgent it was.
        class: Class,
        /// Whether a worker took it; else it was refused, or nobody waited for
        /// it any more.
        taken: bool,
    },
    /// Running on a worker.
    Search {
        /// What came of it; `None` if it failed.
        found: Option<SearchSummary>,
    },
    /// Asking for a remembered answer, or for a search under way.
    Cache {
        /// What there was.
        result: CacheResult,
        /// The call whose search is shared, if its parts are recorded too.
        shared_with: Option<(TraceId, u64)>,
    },
    /// A short call of the rules: `describe`, `legal_moves`, `resolve` or
    /// `explain`.
    Rules {
        /// The call's name.
        call: &'static str,
    },
}

/// What came of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchSummary {
    /// What ended it.
    pub stop: StopReason,
    /// Positions visited.
    pub nodes: u64,
    /// Plies completed.
    pub depth: u32,
}

impl Trace {
    /// A call with this id; its parts are told to the recorder, if there is one.
    pub fn new(id: TraceId, recorder: Option<Arc<dyn SpanRecorder>>) -> Self {
        Trace { id: Some(id), recorder }
    }

    /// `None` for what the engine does on its own account.
    pub fn id(&self) -> Option<TraceId> {
        self.id
    }

    /// The call itself, for others to refer to.
    pub(crate) fn recorded(&self) -> Option<(TraceId, u64)> {
        Some((self.id?, self.recorder.as_ref()?.span_id()))
    }

    /// Begins a part, which ends when what is returned is dropped.
    pub(crate) fn begin(&self, game: &Arc<str>, work: SpanDetails) -> OpenSpan {
        OpenSpan(self.recorder.as_ref().map(|recorder| Open {
            recorder: recorder.clone(),
            game: game.clone(),
            work,
            error: None,
            started: Instant::now(),
            cancel: None,
        }))
    }
}

/// A part under way.
#[derive(Debug)]
pub(crate) struct OpenSpan(Option<Open>);

#[derive(Debug)]
struct Open {
    recorder: Arc<dyn SpanRecorder>,
    game: Arc<str>,
    work: SpanDetails,
    error: Option<&'static str>,
    started: Instant,
    cancel: Option<Arc<CancelToken>>,
}

impl OpenSpan {
    /// Ends it, at the latest, when this is cancelled.
    pub(crate) fn until(mut self, cancel: &Arc<CancelToken>) -> OpenSpan {
        if let Some(open) = &mut self.0 {
            open.cancel = Some(cancel.clone());
        }
        self
    }

    /// Replaces what is recorded as done.
    pub(crate) fn set(&mut self, work: SpanDetails) {
        if let Some(open) = &mut self.0 {
            open.work = work;
        }
    }

    /// Records that it failed.
    pub(crate) fn fail(&mut self, error: &'static str) {
        if let Some(open) = &mut self.0 {
            open.error = Some(error);
        }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        let error = if std::thread::panicking() { Some("panic") } else { self.error };
        let cancelled_at = self.cancel.as_ref().and_then(|cancel| cancel.cause()).map(|(at, _)| at);
        let Open { game, work, started, .. } = self;
        let ended = cancelled_at.unwrap_or_else(Instant::now).max(*started);
        self.recorder.record(&SpanRecord { game, work: *work, error, started: *started, ended });
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Mutex;

    use super::*;

    #[derive(Debug, Default)]
    struct Notes(Mutex<Vec<(SpanDetails, Option<&'static str>)>>);

    impl SpanRecorder for Notes {
        fn span_id(&self) -> u64 {
            7
        }
        fn record(&self, part: &SpanRecord<'_>) {
            assert!(part.started <= part.ended && part.game == "pentago");
            self.0.lock().expect("no panics while it is locked").push((part.work, part.error));
        }
    }

    /// Every part is told once, as it ended: in order, without a word, by a panic.
    #[test]
    fn parts_are_told_as_they_end() {
        let notes = Arc::new(Notes::default());
        let trace = Trace::new(TraceId(5), Some(notes.clone()));
        let game: Arc<str> = "pentago".into();
        let waiting = SpanDetails::Queue { pool: "short", class: Class::Interactive, taken: false };
        let taken = SpanDetails::Queue { pool: "short", class: Class::Interactive, taken: true };
        let mut first = trace.begin(&game, waiting);
        drop(trace.begin(&game, waiting));
        first.set(taken);
        drop(first);
        let searching = SpanDetails::Search { found: None };
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            let _part = trace.begin(&game, searching);
            panic!("a defect");
        }));
        assert!(panicked.is_err());
        let mut failing = trace.begin(&game, searching);
        failing.fail("hang");
        drop(failing);
        let told = notes.0.lock().expect("no panics while it is locked");
        let expected = [(waiting, None), (taken, None), (searching, Some("panic")), (searching, Some("hang"))];
        assert_eq!(*told, expected);
        assert_eq!(trace.recorded(), Some((TraceId(5), 7)));
    }

    /// Ids are written as other services write them.
    #[test]
    fn ids_have_32_digits() {
        assert_eq!(TraceId(0xab).to_string(), format!("{}ab", "0".repeat(30)));
        assert_eq!(Trace::default().id(), None);
    }
}
