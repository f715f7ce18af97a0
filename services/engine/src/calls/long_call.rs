//! The common part of calls that make many searches: they wait while the queue is full or a worker process
//! is restarted, and end in good order when the deadline comes or the engine stops.

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
/// How often a question is tried again after its worker process was lost. A question that ends every worker
/// must not lead to a quarantine of the game by itself.
const LOST_WORKERS_MAX: u32 = 3;
/// Wait before the first of these tries; twice as long before each further one.
const LOST_WORKER_WAIT: Duration = Duration::from_millis(250);

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
        let mut retries = Retries::default();
        loop {
            match self.engine.hint(question, self.caller_in_time()?).await {
                Ok(hints) if hints.stop == Some(StopReason::Shutdown) => return Err(Interrupted::OutOfTime),
                Ok(hints) => return Ok(hints),
                Err(error) => retries.wait(&self.engine, error).await?,
            }
        }
    }

    /// Evaluates the position of a question, however long the queue is; `None` if the game is over.
    pub(crate) async fn evaluate(&self, question: &HintQuestion) -> Result<Option<Evaluation>, Interrupted> {
        let mut retries = Retries::default();
        loop {
            match self.engine.evaluate_question(question, &self.caller_in_time()?).await {
                Ok((_, Some(StopReason::Shutdown))) => return Err(Interrupted::OutOfTime),
                Ok((value, stop)) => return Ok(stop.map(|_| value.evaluation)),
                Err(error) => retries.wait(&self.engine, error).await?,
            }
        }
    }

    /// Makes a call of the rules, however long the queue is.
    pub(crate) async fn rules<'a, T, F>(&'a self, call: impl Fn(&'a Engine, Caller) -> F) -> Result<T, Interrupted>
    where
        F: Future<Output = Result<T, EngineError>>,
    {
        let mut retries = Retries::default();
        loop {
            match call(&self.engine, self.caller()).await {
                Ok(result) => return Ok(result),
                Err(error) => retries.wait(&self.engine, error).await?,
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

/// The tries of one question.
#[derive(Default)]
struct Retries {
    n_lost_workers: u32,
}

impl Retries {
    /// Waits until another try is worthwhile if the queue was full or a worker process was lost; passes other
    /// errors on.
    async fn wait(&mut self, engine: &Engine, error: EngineError) -> Result<(), Interrupted> {
        let wait = match error {
            EngineError::Overloaded { retry_after } => retry_after.min(RETRY_MAX),
            error if self.n_lost_workers < LOST_WORKERS_MAX && engine.has_lost_worker(&error) => {
                self.n_lost_workers += 1;
                LOST_WORKER_WAIT * (1 << (self.n_lost_workers - 1))
            }
            error => return Err(error.into()),
        };
        tokio::time::sleep(wait).await;
        Ok(())
    }
}
