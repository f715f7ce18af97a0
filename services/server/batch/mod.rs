//! Many questions in one call: answers as they finish, in a bounded window.
//!
//! A [`Batch`] reads questions while fewer than its window are unanswered, sends them to
//! the engine as bulk questions, and yields the outcome of each. It is a stream that
//! works only while it is polled: if its outputs are not taken it stops reading, and
//! dropping it cancels everything. So it needs no more memory than its window.
//!
//! A question that exceeds the engine's capacity or the caller's quota is retried: a
//! batch may wait, and the window slows its caller down.
//!
//! It is independent of the protocol: [`ndjson`] reads and writes lines for REST and the
//! command line; gRPC converts its messages.

pub(crate) mod lines;
pub(crate) mod ndjson;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::{AbortHandle, Abortable, Aborted};
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, Stream, StreamExt};
use pentad_engine::{Caller, CallerKey, Class, Engine, EngineError, Priority, Trace};
use pentad_model::i18n::Language;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval, sleep, sleep_until};
use tracing::Level;

use crate::access::QuotaReservation;
use crate::calls::kinds::{Answer, Kind, Question};
use crate::error::ApiError;

/// Maximum bytes of an id.
const ID_LEN_MAX: usize = 256;
/// Maximum bytes of the questions of a window, as received; reading stops beyond.
const WINDOW_BYTES_MAX: usize = 1 << 20;
/// Reading stops this long before the deadline, so that the answers arrive in time.
const DEADLINE_MARGIN: Duration = Duration::from_millis(20);
/// Maximum wait before a retry. Capacity is often free earlier than promised to callers,
/// because searches end early and give back what they reserved.
const RETRY_INTERVAL_MAX: Duration = Duration::from_millis(200);
/// How often a question is asked again after its worker process was lost.
const LOST_WORKERS_MAX: u32 = 3;
/// Interval of progress messages, if there is progress.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);
/// After this many intervals progress is sent in any case, so that no proxy takes the
/// stream for dead.
const PROGRESS_INTERVALS_MAX: u32 = 15;

/// A message or line from the caller.
#[derive(Debug)]
pub(crate) enum Input {
    Question(Item),
    /// The id of a question.
    Cancel(String),
    /// Something that is not a question.
    Malformed {
        id: Option<String>,
        line: u64,
        error: ApiError,
    },
}

/// A question, its id and its place in the input.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) id: String,
    /// Number of its line or message, from 1.
    pub(crate) line: u64,
    pub(crate) priority: Priority,
    pub(crate) question: Question,
    /// Approximate memory.
    pub(crate) len: usize,
}

/// An output of a batch.
#[derive(Debug)]
pub(crate) enum Output {
    Answer {
        id: String,
        answer: Answer,
    },
    Error {
        id: Option<String>,
        line: u64,
        error: ApiError,
    },
    Cancelled {
        id: String,
    },
    Progress(Progress),
    /// The last output.
    Done(Done),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    pub(crate) answered: u64,
    pub(crate) failed: u64,
    pub(crate) cancelled: u64,
    pub(crate) pending: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Done {
    pub(crate) answered: u64,
    pub(crate) failed: u64,
    pub(crate) cancelled: u64,
    /// Whether all input was read.
    pub(crate) is_complete: bool,
}

/// How a question ended, as metrics count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ItemResult {
    Answered,
    Failed,
    Cancelled,
}

impl ItemResult {
    pub(crate) const ALL: [ItemResult; 3] = [ItemResult::Answered, ItemResult::Failed, ItemResult::Cancelled];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            ItemResult::Answered => "answered",
            ItemResult::Failed => "failed",
            ItemResult::Cancelled => "cancelled",
        }
    }
}

/// Called when a question ends, with its kind if that is known.
pub(crate) type CountItem = Box<dyn Fn(Option<Kind>, ItemResult) + Send>;

/// The caller of a batch, and its bounds.
pub(crate) struct BatchContext {
    pub(crate) engine: Arc<Engine>,
    /// Maximum number of unanswered questions; at least 1.
    pub(crate) window: usize,
    /// How long the caller may be silent while no question is unanswered.
    pub(crate) idle_timeout: Option<Duration>,
    /// When all answers are due.
    pub(crate) deadline: Option<Instant>,
    pub(crate) caller: CallerKey,
    /// Language of texts for players.
    pub(crate) language: Language,
    /// Whether answers that were found earlier are left out.
    pub(crate) skips_cache: bool,
    pub(crate) trace: Trace,
    /// The quota that is charged, if there is one.
    pub(crate) reservation: Option<Arc<QuotaReservation>>,
    pub(crate) count: CountItem,
}

/// Ends the reading when it is done.
pub(crate) type StopSignal = Pin<Box<dyn Future<Output = ()> + Send>>;

type ItemFuture = Pin<Box<dyn Future<Output = (String, Result<Result<Answer, ApiError>, Aborted>)> + Send>>;

/// A running batch.
pub(crate) struct Batch<I> {
    context: BatchContext,
    /// `None` when nothing more is read.
    input: Option<I>,
    /// Unanswered questions by id.
    open: HashMap<String, OpenItem>,
    running: FuturesUnordered<ItemFuture>,
    open_len: usize,
    stop: StopSignal,
    /// Ends the waits before retries.
    stopping: watch::Sender<bool>,
    has_stopped: bool,
    /// Time of the last input or answer.
    quiet_since: tokio::time::Instant,
    counts: Progress,
    told: Progress,
    n_intervals: u32,
    is_complete: bool,
    is_done: bool,
}

struct OpenItem {
    line: u64,
    kind: Kind,
    len: usize,
    abort: AbortHandle,
}

/// The next event.
enum Event {
    Finished(String, Result<Result<Answer, ApiError>, Aborted>),
    Input(Option<Result<Input, ApiError>>),
    Tick,
    Idle,
    /// The server stops, or the deadline comes.
    Stop,
}

impl<I> Batch<I>
where
    I: Stream<Item = Result<Input, ApiError>> + Send + Unpin + 'static,
{
    /// Answers `input` until it ends or fails, or `stop` is done.
    pub(crate) fn new(context: BatchContext, input: I, stop: StopSignal) -> Batch<I> {
        Batch {
            context,
            input: Some(input),
            open: HashMap::new(),
            running: FuturesUnordered::new(),
            open_len: 0,
            stop,
            stopping: watch::Sender::new(false),
            has_stopped: false,
            quiet_since: tokio::time::Instant::now(),
            counts: Progress::default(),
            told: Progress::default(),
            n_intervals: 0,
            is_complete: false,
            is_done: false,
        }
    }

    /// Its outputs; [`Output::Done`] is the last.
    pub(crate) fn outputs(self) -> impl Stream<Item = Output> + Send {
        let mut ticks = interval(PROGRESS_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
        ticks.reset();
        futures_util::stream::unfold((self, ticks), async |(mut batch, mut ticks)| {
            let output = batch.next(&mut ticks).await?;
            Some((output, (batch, ticks)))
        })
    }

    async fn next(&mut self, ticks: &mut tokio::time::Interval) -> Option<Output> {
        while !self.is_done {
            if self.input.is_none() && self.running.is_empty() {
                self.is_done = true;
                let Progress { answered, failed, cancelled, .. } = self.counts;
                return Some(Output::Done(Done { answered, failed, cancelled, is_complete: self.is_complete }));
            }
            let event = self.next_event(ticks).await;
            if matches!(event, Event::Finished(..) | Event::Input(_)) {
                self.quiet_since = tokio::time::Instant::now();
            }
            if let Some(output) = self.handle(event) {
                return Some(output);
            }
        }
        None
    }

    async fn next_event(&mut self, ticks: &mut tokio::time::Interval) -> Event {
        let has_room = self.open.len() < self.context.window && self.open_len < WINDOW_BYTES_MAX;
        let is_idle = self.input.is_some() && self.open.is_empty();
        let idle_at = self.context.idle_timeout.filter(|_| is_idle).map(|timeout| self.quiet_since + timeout);
        let stop_at = self.context.deadline.filter(|_| !self.has_stopped);
        let stop_at = stop_at.map(|deadline| deadline.checked_sub(DEADLINE_MARGIN).unwrap_or(deadline).into());
        let input = async {
            match &mut self.input {
                Some(input) if has_room => input.next().await,
                _ => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            Some((id, result)) = self.running.next() => Event::Finished(id, result),
            () = &mut self.stop, if !self.has_stopped => Event::Stop,
            () = at(stop_at) => Event::Stop,
            input = input => Event::Input(input),
            _ = ticks.tick() => Event::Tick,
            () = at(idle_at) => Event::Idle,
        }
    }

    fn handle(&mut self, event: Event) -> Option<Output> {
        match event {
            Event::Finished(id, result) => self.finish(id, result),
            Event::Input(Some(Ok(Input::Question(item)))) => self.start(item),
            Event::Input(Some(Ok(Input::Cancel(id)))) => {
                if let Some(item) = self.open.get(&id) {
                    item.abort.abort();
                }
                None
            }
            Event::Input(Some(Ok(Input::Malformed { id, line, error }))) => Some(self.fail(None, id, line, error)),
            Event::Input(Some(Err(error))) => {
                self.stop_reading();
                // It belongs to no question.
                let (id, line) = (None, 0);
                Some(Output::Error { id, line, error: self.logged(error) })
            }
            Event::Input(None) => {
                self.input = None;
                self.is_complete = true;
                None
            }
            Event::Tick => {
                self.n_intervals += 1;
                let progress = self.progress();
                if progress == self.told && self.n_intervals < PROGRESS_INTERVALS_MAX {
                    return None;
                }
                (self.told, self.n_intervals) = (progress, 0);
                Some(Output::Progress(progress))
            }
            Event::Idle => {
                self.stop_reading();
                let timeout = self.context.idle_timeout.unwrap_or_default();
                let message = format!("no question arrived within {} ms", timeout.as_millis());
                Some(Output::Error { id: None, line: 0, error: ApiError::bad_request("", message) })
            }
            Event::Stop => {
                self.stop_reading();
                None
            }
        }
    }

    /// Stops reading; questions that were read are still answered.
    fn stop_reading(&mut self) {
        self.input = None;
        self.has_stopped = true;
        self.stopping.send_replace(true);
    }

    fn start(&mut self, item: Item) -> Option<Output> {
        let Item { id, line, priority, question, len } = item;
        let kind = question.kind();
        if let Err(error) = check_id(&id) {
            return Some(self.fail(Some(kind), Some(id.chars().take(ID_LEN_MAX).collect()), line, error));
        }
        let Entry::Vacant(entry) = self.open.entry(id.clone()) else {
            let error = ApiError::bad_request("id", format!("`{id}` is the id of a question that is not answered yet"));
            return Some(self.fail(Some(kind), Some(id), line, error));
        };
        let (abort, registration) = AbortHandle::new_pair();
        entry.insert(OpenItem { line, kind, len, abort });
        self.open_len += len;
        let asking = Asking {
            engine: self.context.engine.clone(),
            caller: Caller {
                deadline: self.context.deadline,
                class: Class::Bulk,
                priority,
                key: self.context.caller,
                language: self.context.language,
                skips_cache: self.context.skips_cache,
                // The spans of thousands of questions would crowd out those of other calls.
                trace: unrecorded(&self.context.trace),
                ..Caller::now()
            },
            reservation: self.context.reservation.as_ref().map(|reservation| reservation.for_item()),
            stopping: self.stopping.subscribe(),
            question,
        };
        let answer = AssertUnwindSafe(asking.answer())
            .catch_unwind()
            .map(|result| result.unwrap_or_else(|panic| Err(ApiError::from_panic(panic))));
        let answer = Abortable::new(answer, registration);
        self.running.push(Box::pin(async move { (id, answer.await) }));
        None
    }

    fn finish(&mut self, id: String, result: Result<Result<Answer, ApiError>, Aborted>) -> Option<Output> {
        let OpenItem { line, kind, len, .. } = self.open.remove(&id)?;
        self.open_len -= len;
        Some(match result {
            Ok(Ok(answer)) => {
                self.counts.answered += 1;
                (self.context.count)(Some(kind), ItemResult::Answered);
                Output::Answer { id, answer }
            }
            Ok(Err(error)) => self.fail(Some(kind), Some(id), line, error),
            Err(Aborted) => {
                self.counts.cancelled += 1;
                (self.context.count)(Some(kind), ItemResult::Cancelled);
                Output::Cancelled { id }
            }
        })
    }

    fn fail(&mut self, kind: Option<Kind>, id: Option<String>, line: u64, error: ApiError) -> Output {
        self.counts.failed += 1;
        (self.context.count)(kind, ItemResult::Failed);
        Output::Error { id, line, error: self.logged(error) }
    }

    /// The error as its caller may see it. Internal errors are logged and redacted.
    fn logged(&self, error: ApiError) -> ApiError {
        let error = error.redacted();
        if error.mapping().level == Level::ERROR {
            let trace = &self.context.trace;
            error.log(
                trace.request_id().unwrap_or_default(),
                trace.id().unwrap_or(pentad_engine::TraceId::INVALID),
                None,
            );
        }
        error
    }

    fn progress(&self) -> Progress {
        Progress { pending: self.open.len() as u64, ..self.counts }
    }
}

/// One question, until it is answered.
struct Asking {
    engine: Arc<Engine>,
    caller: Caller,
    reservation: Option<Arc<QuotaReservation>>,
    stopping: watch::Receiver<bool>,
    question: Question,
}

impl Asking {
    async fn answer(mut self) -> Result<Answer, ApiError> {
        let mut is_charged = self.reservation.is_none();
        let mut n_lost_workers = LOST_WORKERS_MAX;
        loop {
            self.caller.arrived = Instant::now();
            let error = match self.charge(is_charged) {
                Ok(()) => {
                    is_charged = true;
                    match self.question.step(&self.engine, self.caller.clone()).await {
                        Ok(Some(answer)) => return Ok(answer),
                        Ok(None) => {
                            self.begin_step();
                            (is_charged, n_lost_workers) = (self.reservation.is_none(), LOST_WORKERS_MAX);
                            continue;
                        }
                        Err(error @ ApiError::Engine(EngineError::Overloaded { .. })) => error,
                        Err(ApiError::Engine(error)) if n_lost_workers > 0 && self.engine.has_lost_worker(&error) => {
                            n_lost_workers -= 1;
                            ApiError::Engine(error)
                        }
                        Err(error) => return Err(error),
                    }
                }
                Err(error) => error,
            };
            let retry_after = error.details().retry_after.map_or(RETRY_INTERVAL_MAX, |it| it.min(RETRY_INTERVAL_MAX));
            tokio::select! {
                () = sleep(retry_after) => {}
                // There will be no retry.
                _ = self.stopping.wait_for(|is_stopping| *is_stopping) => return Err(error),
            }
        }
    }

    /// Gives back what the last step has not used, before the next one is charged.
    fn begin_step(&mut self) {
        // The engine's handle of the meter has to be the last one.
        self.caller.meter = Arc::default();
        if let Some(reservation) = &self.reservation {
            reservation.settle();
        }
    }

    /// Reserves the cost of the next step in the caller's quota.
    fn charge(&mut self, is_charged: bool) -> Result<(), ApiError> {
        let Some(reservation) = self.reservation.as_ref().filter(|_| !is_charged) else { return Ok(()) };
        reservation.reserve_item(&self.engine, self.question.limits(), &self.caller)?;
        self.caller.meter = reservation.meter();
        Ok(())
    }
}

fn check_id(id: &str) -> Result<(), ApiError> {
    if id.is_empty() {
        return Err(ApiError::bad_request("id", "every question needs an id"));
    }
    if id.len() > ID_LEN_MAX {
        let message = format!("it has {} bytes; {ID_LEN_MAX} are allowed", id.len());
        return Err(ApiError::TooLarge { field: "id".to_owned(), message });
    }
    Ok(())
}

/// The same call, without spans.
fn unrecorded(trace: &Trace) -> Trace {
    let Some(id) = trace.id() else { return Trace::default() };
    let unrecorded = Trace::unrecorded(id);
    match trace.request_id() {
        Some(request_id) => unrecorded.with_request_id(request_id),
        None => unrecorded,
    }
}

/// Waits until a time; forever without one.
async fn at(time: Option<tokio::time::Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests;
