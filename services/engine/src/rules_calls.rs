//! Short calls of the rules: where they run, and what happens if they hang.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pentad_host::{Fault, FaultKind};
use tokio::sync::oneshot;
use tokio::time::timeout_at;

use crate::cache::CacheKey;
use crate::cancel::CancelToken;
use crate::config::EngineConfig;
use crate::cost::CostMeter;
use crate::describe;
use crate::error::EngineError;
use crate::legal_moves;
use crate::observer::{FaultContext, Observer};
use crate::pool::{Due, Job, Pool};
use crate::present::{self, Presented};
use crate::question::{Caller, Class, HintQuestion, MovesQuestion, PositionSpec};
use crate::resolve::SearchRoot;
use crate::search_job::immediate_move;
use crate::served_game::{RulesCall, ServedGame};
use crate::trace::Trace;

/// Threads for calls that are not known to be cheap.
const WORKERS: usize = 2;
/// Calls that may wait for one of them; they are short, so this is not long.
const QUEUE_LEN_MAX: usize = 1024;
/// A call of the rules that takes longer has hung.
const CALL_TIME_MAX: Duration = Duration::from_secs(5);
/// How long measuring the calls of a new rule set may take.
const WARM_UP_MAX: Duration = Duration::from_millis(500);

/// Runs short calls of the rules.
pub(crate) struct RulesCalls {
    config: Arc<EngineConfig>,
    observer: Arc<dyn Observer>,
    pool: Pool,
}

impl RulesCalls {
    /// Starts the workers.
    pub(crate) fn new(config: Arc<EngineConfig>, observer: Arc<dyn Observer>) -> Self {
        let pool = Pool::new("rules", WORKERS, QUEUE_LEN_MAX, config.hang_grace);
        RulesCalls { config, observer, pool }
    }

    pub(crate) fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Runs a call: on this thread if its kind has proved cheaper than handing it
    /// over, else on a worker.
    pub(crate) async fn run<I, T>(
        &self,
        game: &Arc<ServedGame>,
        call: RulesCall,
        caller: &Caller,
        variant: usize,
        input: &I,
        body: fn(&ServedGame, usize, &EngineConfig, &I) -> Result<T, EngineError>,
    ) -> Result<T, EngineError>
    where
        I: AboutPosition + Clone + Send + Sync + 'static,
        T: Send + 'static,
    {
        let timed = move |game: &ServedGame, config: &EngineConfig, input: &I, trace: &Trace, meter: &Arc<CostMeter>| {
            let _metered = meter.begin(1);
            let mut span = trace.begin("rules", &game.id);
            span.set("pentad.rules", call.as_str());
            let started = Instant::now();
            let result = body(game, variant, config, input);
            game.record_call(call, started.elapsed());
            if let Err(EngineError::RulesetFault { fault, .. }) = &result {
                span.fail(fault.kind.as_str());
            }
            result
        };
        let result = if game.is_cheap(call) {
            timed(game, &self.config, input, &caller.trace, &caller.meter)
        } else {
            let (config, work_input, work_game) = (self.config.clone(), input.clone(), game.clone());
            let (trace, meter, hang_input) = (caller.trace.clone(), caller.meter.clone(), input.clone());
            let work = move || timed(&work_game, &config, &work_input, &trace, &meter);
            self.run_on_worker(game, caller, work, move || hang_input.position()).await
        };
        // The watchdog has reported a hang when it gave the call up.
        if let Err(EngineError::RulesetFault { fault, .. }) = &result
            && fault.kind != FaultKind::Hang
        {
            let about = FaultContext { trace: &caller.trace, position: &input.position() };
            self.observer.ruleset_faulted(&game.id, fault, about);
        }
        result
    }

    /// Makes the short calls of every game a number of times, on the workers, so
    /// that most are known to be cheap by the time a caller asks. A rule set that
    /// fails here will fail again when asked.
    pub(crate) fn warm_up(&self, games: &[Arc<ServedGame>]) {
        for game in games {
            let (work_game, config) = (game.clone(), self.config.clone());
            let (hang_game, observer, returning) = (game.clone(), self.observer.clone(), game.clone());
            let job = Job {
                class: Class::Bulk,
                cancel: Arc::new(CancelToken::default()),
                due: Due::WithinOfStart(CALL_TIME_MAX),
                work: Box::new(move |_worker| {
                    let end = Instant::now() + WARM_UP_MAX;
                    while Instant::now() < end && !work_game.is_known() && warm_up_round(&work_game, &config).is_ok() {}
                }),
                on_hang: Box::new(move || {
                    let about = FaultContext { trace: &Trace::default(), position: "start" };
                    let _reported = report_hang(&hang_game, "rules", &*observer, about);
                }),
                on_return: Box::new(move || returning.returned()),
            };
            // If the queue is full already, callers measure the calls instead.
            let _refused = self.pool.submit(job);
        }
    }

    async fn run_on_worker<T: Send + 'static>(
        &self,
        game: &Arc<ServedGame>,
        caller: &Caller,
        work: impl FnOnce() -> Result<T, EngineError> + Send + 'static,
        position: impl FnOnce() -> String + Send + 'static,
    ) -> Result<T, EngineError> {
        let (sender, receiver) = oneshot::channel();
        // Whichever comes first sends: the call, or the watchdog that gives it up.
        let sender = Arc::new(Mutex::new(Some(sender)));
        let send = |sender: &Mutex<Option<oneshot::Sender<_>>>, result| {
            if let Some(sender) = sender.lock().expect("nothing panics while it is locked").take() {
                let _nobody_waits = sender.send(result);
            }
        };
        let (hang_game, observer, returning) = (game.clone(), self.observer.clone(), game.clone());
        let (hang_sender, trace) = (sender.clone(), caller.trace.clone());
        let (class, dequeue_observer) = (caller.class, self.observer.clone());
        let cancel = Arc::new(CancelToken::default());
        let queue_span = caller.trace.queue(&game.id, self.pool.name(), caller.class, &cancel);
        let job = Job {
            class: caller.class,
            cancel,
            due: Due::WithinOfStart(CALL_TIME_MAX),
            work: Box::new(move |_worker| {
                dequeue_observer.job_dequeued(class, queue_span.taken());
                send(&sender, work());
            }),
            on_hang: Box::new(move || {
                let about = FaultContext { trace: &trace, position: &position() };
                send(&hang_sender, Err(report_hang(&hang_game, "rules", &*observer, about)));
            }),
            on_return: Box::new(move || returning.returned()),
        };
        self.pool.submit(job).map_err(|full| EngineError::Overloaded { retry_after: full.retry_after })?;
        let result = async {
            receiver.await.unwrap_or_else(|_dropped| {
                Err(EngineError::Internal { message: "a call of the rules ended without a result".to_owned() })
            })
        };
        match caller.deadline {
            Some(deadline) => timeout_at(deadline.into(), result).await.unwrap_or(Err(EngineError::Deadline)),
            None => result.await,
        }
    }
}

/// The position that a call is about, for the log of its faults.
pub(crate) trait AboutPosition {
    fn position(&self) -> String;
}

impl AboutPosition for PositionSpec {
    fn position(&self) -> String {
        self.to_log()
    }
}

impl AboutPosition for MovesQuestion {
    fn position(&self) -> String {
        self.spec.to_log()
    }
}

impl AboutPosition for HintQuestion {
    fn position(&self) -> String {
        self.spec.to_log()
    }
}

impl AboutPosition for Presented {
    fn position(&self) -> String {
        self.root.text.clone()
    }
}

/// One call of each kind, about the start of the first variant.
fn warm_up_round(game: &ServedGame, config: &EngineConfig) -> Result<(), EngineError> {
    fn timed<T>(
        game: &ServedGame,
        call: RulesCall,
        body: impl FnOnce() -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        let started = Instant::now();
        let result = body();
        game.record_call(call, started.elapsed());
        result
    }
    let spec = PositionSpec { game: game.id.to_string(), ..PositionSpec::default() };
    timed(game, RulesCall::Describe, || describe::describe(game, 0, config, &spec))?;
    let question = MovesQuestion { spec: spec.clone(), ..MovesQuestion::default() };
    timed(game, RulesCall::LegalMoves, || legal_moves::page(game, 0, config, &question))?;
    let question = HintQuestion::new(spec);
    let root = timed(game, RulesCall::Resolve, || SearchRoot::resolve(game, 0, config, &question))?;
    let key = CacheKey {
        game: game.id.clone(),
        variant: 0,
        position: root.canonical.clone(),
        considered: None,
        level: question.level,
    };
    let snapshot =
        immediate_move(game, &key, Instant::now()).map_err(|error| EngineError::from_call(&game.id, error))?;
    let Some(snapshot) = snapshot else { return Ok(()) };
    let input = Presented { root: Arc::new(root), question: Arc::new(question), snapshot: Arc::new(snapshot) };
    timed(game, RulesCall::PresentEvaluation, || present::evaluation(game, 0, config, &input))?;
    timed(game, RulesCall::PresentHints, || present::hints(game, 0, config, &input))?;
    Ok(())
}

/// Charges a rule set with a call that did not return in time.
pub(crate) fn report_hang(
    game: &ServedGame,
    call: &'static str,
    observer: &dyn Observer,
    about: FaultContext<'_>,
) -> EngineError {
    game.hung();
    let fault = Fault { kind: FaultKind::Hang, call, detail: "did not return in time".to_owned() };
    game.ruleset.record_fault(fault.clone());
    observer.ruleset_faulted(&game.id, &fault, about);
    EngineError::RulesetFault { game: game.id.to_string(), fault }
}
