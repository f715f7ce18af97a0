//! Short calls of the rules: where they run, and what happens if they hang.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pentad_host::{Fault, FaultKind};
use tokio::sync::oneshot;
use tokio::time::timeout_at;

use crate::cache::Key;
use crate::config::EngineConfig;
use crate::describe;
use crate::engine::Engine;
use crate::error::EngineError;
use crate::game::{Call, Game};
use crate::hints::{self, Assembly};
use crate::moves;
use crate::observer::Observer;
use crate::pool::{Due, Job};
use crate::question::{Caller, Class, HintQuestion, MovesQuestion, Place};
use crate::situation::HintSituation;
use crate::stop::Stop;
use crate::task::instant_snapshot;
use crate::trace::{Trace, TraceId, Work};

/// A call of the rules that takes longer has hung.
const RULES_CALL_MAX: Duration = Duration::from_secs(5);
/// How long getting to know a rule set may take.
const WARM_UP_MAX: Duration = Duration::from_millis(500);

impl Engine {
    /// Runs a short call of the rules: here if its kind has proved cheaper than
    /// handing it over, else on a thread of the pool for such calls.
    pub(crate) async fn rules_call<I, T>(
        &self,
        game: &Arc<Game>,
        call: Call,
        caller: &Caller,
        variant: usize,
        input: &I,
        body: fn(&Game, usize, &EngineConfig, &I) -> Result<T, EngineError>,
    ) -> Result<T, EngineError>
    where
        I: Clone + Send + Sync + 'static,
        T: Send + 'static,
    {
        let timed = move |game: &Game, config: &EngineConfig, input: &I, trace: &Trace| {
            let mut part = trace.begin(&game.id, Work::Rules { call: call.as_str() });
            let started = Instant::now();
            let result = body(game, variant, config, input);
            game.note(call, started.elapsed());
            if let Err(EngineError::RulesetFault { fault, .. }) = &result {
                part.fail(fault.kind.as_str());
            }
            result
        };
        let result = if game.is_cheap(call) {
            timed(game, &self.config, input, &caller.trace)
        } else {
            let (config, input, work_game) = (self.config.clone(), input.clone(), game.clone());
            let trace = caller.trace.clone();
            self.rules_job(game, caller, move || timed(&work_game, &config, &input, &trace)).await
        };
        // A hang was reported when the call was given up, by whoever watches it.
        if let Err(EngineError::RulesetFault { fault, .. }) = &result
            && fault.kind != FaultKind::Hang
        {
            self.observer.ruleset_faulted(&game.id, fault, caller.trace.id());
        }
        result
    }

    /// Makes the short calls of every game a number of times, on the threads for
    /// calls that are not known to be cheap, so that most are known by the time
    /// somebody asks. A rule set that fails here will fail again when asked.
    pub(crate) fn warm_up(&self, games: &[Arc<Game>]) {
        for game in games {
            let (work_game, config) = (game.clone(), self.config.clone());
            let (hang_game, observer, returning) = (game.clone(), self.observer.clone(), game.clone());
            let job = Job {
                class: Class::Bulk,
                stop: Arc::new(Stop::default()),
                due: Due::WithinOfStart(RULES_CALL_MAX),
                work: Box::new(move |_worker| {
                    let end = Instant::now() + WARM_UP_MAX;
                    while Instant::now() < end && !work_game.is_known() && warm_up_round(&work_game, &config).is_ok() {}
                }),
                on_hang: Box::new(move || {
                    let _told_to_the_observer = hang(&hang_game, "rules", &*observer, None);
                }),
                on_return: Box::new(move || returning.returned()),
            };
            // A queue that is full at the start knows better what is needed.
            let _refused = self.rules_pool.submit(job);
        }
    }

    async fn rules_job<T: Send + 'static>(
        &self,
        game: &Arc<Game>,
        caller: &Caller,
        work: impl FnOnce() -> Result<T, EngineError> + Send + 'static,
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
        let (hang_sender, trace_id) = (sender.clone(), caller.trace.id());
        let queue = |taken| Work::Queue { pool: self.rules_pool.name(), class: caller.class, taken };
        let (mut waiting, taken) = (caller.trace.begin(&game.id, queue(false)), queue(true));
        let job = Job {
            class: caller.class,
            stop: Arc::new(Stop::default()),
            due: Due::WithinOfStart(RULES_CALL_MAX),
            work: Box::new(move |_worker| {
                waiting.set(taken);
                drop(waiting);
                send(&sender, work());
            }),
            on_hang: Box::new(move || send(&hang_sender, Err(hang(&hang_game, "rules", &*observer, trace_id)))),
            on_return: Box::new(move || returning.returned()),
        };
        self.rules_pool.submit(job).map_err(|full| EngineError::Overloaded { retry_after: full.retry_after })?;
        let result = async {
            receiver.await.unwrap_or_else(|_dropped| {
                Err(EngineError::Internal { message: "a call of the rules ended without a word".to_owned() })
            })
        };
        match caller.deadline {
            Some(deadline) => timeout_at(deadline.into(), result).await.unwrap_or(Err(EngineError::Deadline)),
            None => result.await,
        }
    }
}

/// One call of each kind, about the start of the first variant.
fn warm_up_round(game: &Game, config: &EngineConfig) -> Result<(), EngineError> {
    let place = Place { game: game.id.to_string(), ..Place::default() };
    let timed = |call: Call, body: &mut dyn FnMut() -> Result<(), EngineError>| {
        let started = Instant::now();
        let result = body();
        game.note(call, started.elapsed());
        result
    };
    timed(Call::Describe, &mut || describe::describe(game, 0, config, &place).map(|_| ()))?;
    let question = MovesQuestion { place: place.clone(), ..MovesQuestion::default() };
    timed(Call::Moves, &mut || moves::page(game, 0, config, &question).map(|_| ()))?;
    let question = HintQuestion::new(place);
    let mut situation = None;
    timed(Call::Resolve, &mut || {
        situation = Some(HintSituation::resolve(game, 0, config, &question)?);
        Ok(())
    })?;
    let Some(situation) = situation else { return Ok(()) };
    let key = Key {
        game: game.id.clone(),
        variant: 0,
        position: situation.canonical.clone(),
        only: None,
        level: question.level,
    };
    let snapshot =
        instant_snapshot(game, &key, Instant::now()).map_err(|error| EngineError::from_call(&game.id, error))?;
    let Some(snapshot) = snapshot else { return Ok(()) };
    let input = Assembly { situation: Arc::new(situation), question: Arc::new(question), snapshot: Arc::new(snapshot) };
    timed(Call::Assemble, &mut || hints::assemble(game, 0, config, &input).map(|_| ()))
}

/// Charges a rule set with a call that does not return.
pub(crate) fn hang(game: &Game, call: &'static str, observer: &dyn Observer, trace: Option<TraceId>) -> EngineError {
    game.hung();
    let fault = Fault { kind: FaultKind::Hang, call, detail: "did not return in time".to_owned() };
    game.ruleset.record_fault(fault.clone());
    observer.ruleset_faulted(&game.id, &fault, trace);
    EngineError::RulesetFault { game: game.id.to_string(), fault }
}
