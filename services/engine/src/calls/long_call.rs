//! What calls of many searches have in common: they wait where the queue is full, and
//! end in good order when the deadline comes or the engine stops.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::answer::{Hints, StopReason};
use crate::engine::Engine;
use crate::error::EngineError;
use crate::question::{Caller, Class, HintQuestion};

/// The last message is sent so long before the caller's deadline.
const LAST_MESSAGE_MARGIN: Duration = Duration::from_millis(50);
/// A search that found no room in the queue is tried again after at most this.
const RETRY_MAX: Duration = Duration::from_secs(1);

/// Why a call ends before all its searches are made.
pub(crate) enum Interrupted {
    /// The deadline has come, or the engine stops.
    OutOfTime,
    By(EngineError),
}

impl From<EngineError> for Interrupted {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Deadline => Interrupted::OutOfTime,
            error => Interrupted::By(error),
        }
    }
}

/// A call that makes many searches, one after the other.
pub(crate) struct LongCall {
    pub(crate) engine: Arc<Engine>,
    caller: Caller,
}

impl LongCall {
    /// Its searches are bulk: somebody waits for them, but for long.
    pub(crate) fn new(engine: Arc<Engine>, caller: Caller) -> Self {
        LongCall { engine, caller: Caller { class: Class::Bulk, ..caller } }
    }

    /// Since it arrived.
    pub(crate) fn elapsed(&self) -> Duration {
        self.caller.arrived.elapsed()
    }

    /// For the next search or call of the rules.
    pub(crate) fn caller(&self) -> Caller {
        Caller { arrived: Instant::now(), deadline: self.finish_by(), ..self.caller.clone() }
    }

    /// The answer to a question, however long the queue is.
    pub(crate) async fn hint(&self, question: &HintQuestion) -> Result<Hints, Interrupted> {
        loop {
            let caller = self.caller();
            if self.finish_by().is_some_and(|time| caller.arrived >= time) {
                return Err(Interrupted::OutOfTime);
            }
            match self.engine.hint(question, caller).await {
                Ok(hints) if hints.stop == Some(StopReason::Shutdown) => return Err(Interrupted::OutOfTime),
                Ok(hints) => return Ok(hints),
                Err(EngineError::Overloaded { retry_after }) => tokio::time::sleep(retry_after.min(RETRY_MAX)).await,
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// When the last message is due.
    fn finish_by(&self) -> Option<Instant> {
        let bound = self.caller.arrived.checked_add(self.engine.config().stream_time_max);
        let deadline = self.caller.deadline.map(|it| it.checked_sub(LAST_MESSAGE_MARGIN).unwrap_or(it));
        bound.into_iter().chain(deadline).min()
    }
}
