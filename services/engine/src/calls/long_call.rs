//! The common part of calls that make many searches: they wait while the queue is full, and end in good
//! order when the deadline comes or the engine stops.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pentad_model::Evaluation;

use crate::answer::{Hints, StopReason};
use crate::engine::Engine;
use crate::error::EngineError;
use crate::question::{Caller, Class, HintQuestion};

/// How long before the deadline the final message is sent.
const LAST_MESSAGE_MARGIN: Duration = Duration::from_millis(50);
/// Longest wait before a search that found no room in the queue is tried again.
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
    /// Time after which it ends, if that is before `stream_time_max`.
    time_max: Option<Duration>,
}

impl LongCall {
    /// Creates a call whose searches are bulk: somebody waits for them, but for long.
    pub(crate) fn new(engine: Arc<Engine>, caller: Caller, time_max: Option<Duration>) -> Self {
        LongCall { engine, caller: Caller { class: Class::Bulk, ..caller }, time_max }
    }

    /// Returns the time since the call arrived.
    pub(crate) fn elapsed(&self) -> Duration {
        self.caller.arrived.elapsed()
    }

    /// Returns the caller of the next search or call of the rules.
    pub(crate) fn caller(&self) -> Caller {
        Caller { arrived: Instant::now(), deadline: self.finish_by(), ..self.caller.clone() }
    }

    /// Answers a question, however long the queue is.
    pub(crate) async fn hint(&self, question: &HintQuestion) -> Result<Hints, Interrupted> {
        loop {
            match self.engine.hint(question, self.caller_in_time()?).await {
                Ok(hints) if hints.stop == Some(StopReason::Shutdown) => return Err(Interrupted::OutOfTime),
                Ok(hints) => return Ok(hints),
                Err(error) => wait_if_full(error).await?,
            }
        }
    }

    /// Evaluates the position of a question, however long the queue is; `None` if the game is over.
    pub(crate) async fn evaluate(&self, question: &HintQuestion) -> Result<Option<Evaluation>, Interrupted> {
        loop {
            match self.engine.evaluate_question(question, &self.caller_in_time()?).await {
                Ok((_, Some(StopReason::Shutdown))) => return Err(Interrupted::OutOfTime),
                Ok((value, stop)) => return Ok(stop.map(|_| value.evaluation)),
                Err(error) => wait_if_full(error).await?,
            }
        }
    }

    /// Returns the caller of the next search, unless the final message is due.
    fn caller_in_time(&self) -> Result<Caller, Interrupted> {
        let caller = self.caller();
        let is_over = self.finish_by().is_some_and(|time| caller.arrived >= time);
        if is_over { Err(Interrupted::OutOfTime) } else { Ok(caller) }
    }

    /// Returns when the final message is due.
    fn finish_by(&self) -> Option<Instant> {
        let stream_time_max = self.engine.config().stream_time_max;
        let time_max = self.time_max.map_or(stream_time_max, |time| time.min(stream_time_max));
        let bound = self.caller.arrived.checked_add(time_max);
        let deadline = self.caller.deadline.map(|it| it.checked_sub(LAST_MESSAGE_MARGIN).unwrap_or(it));
        bound.into_iter().chain(deadline).min()
    }
}

/// Waits until another try is worthwhile if the queue was full; passes other errors on.
async fn wait_if_full(error: EngineError) -> Result<(), Interrupted> {
    let EngineError::Overloaded { retry_after } = error else { return Err(error.into()) };
    tokio::time::sleep(retry_after.min(RETRY_MAX)).await;
    Ok(())
}
