//! Short calls of the rules: where they run, and what happens if they hang.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pentad_host::{Fault, FaultKind};
use tokio::sync::oneshot;
use tokio::time::sleep_until;

use crate::config::EngineConfig;
use crate::engine::Engine;
use crate::error::EngineError;
use crate::game::{Call, Game};
use crate::observer::Observer;
use crate::pool::Job;
use crate::question::Caller;
use crate::stop::Stop;

/// A call of the rules that takes longer has hung.
const RULES_CALL_MAX: Duration = Duration::from_secs(5);

impl Engine {
    /// Runs a short call of the rules: here if its kind has proved cheaper than
    /// handing it over, else on a thread of the pool for such calls.
    pub(crate) async fn rules_call<I, T>(
        &self,
        game: &Arc<Game>,
        call: Call,
        caller: Caller,
        variant: usize,
        input: &I,
        body: fn(&Game, usize, &EngineConfig, &I) -> Result<T, EngineError>,
    ) -> Result<T, EngineError>
    where
        I: Clone + Send + Sync + 'static,
        T: Send + 'static,
    {
        let timed = move |game: &Game, config: &EngineConfig, input: &I| {
            let started = Instant::now();
            let result = body(game, variant, config, input);
            game.note(call, started.elapsed());
            result
        };
        let result = if game.is_cheap(call) {
            timed(game, &self.config, input)
        } else {
            let (config, input, work_game) = (self.config.clone(), input.clone(), game.clone());
            self.rules_job(game, caller, move || timed(&work_game, &config, &input)).await
        };
        if let Err(EngineError::RulesetFault { fault, .. }) = &result {
            self.observer.ruleset_faulted(&game.id, fault);
        }
        result
    }

    async fn rules_job<T: Send + 'static>(
        &self,
        game: &Arc<Game>,
        caller: Caller,
        work: impl FnOnce() -> Result<T, EngineError> + Send + 'static,
    ) -> Result<T, EngineError> {
        let (sender, receiver) = oneshot::channel();
        let (hang_game, observer, returning) = (game.clone(), self.observer.clone(), game.clone());
        let job = Job {
            class: caller.class,
            stop: Arc::new(Stop::default()),
            due: Instant::now() + RULES_CALL_MAX,
            work: Box::new(move |_worker| {
                let _nobody_waits = sender.send(work());
            }),
            on_hang: Box::new(move || {
                let _told_to_the_observer = hang(&hang_game, "rules", &*observer);
            }),
            on_return: Box::new(move || returning.returned()),
        };
        self.rules_pool.submit(job).map_err(|full| EngineError::Overloaded { retry_after: full.retry_after })?;
        let give_up = caller.deadline.unwrap_or_else(|| Instant::now() + RULES_CALL_MAX + self.config.hang_grace);
        tokio::select! {
            result = receiver => result.unwrap_or_else(|_dropped| {
                Err(EngineError::Internal { message: "a call of the rules ended without a word".to_owned() })
            }),
            () = sleep_until(give_up.into()) => Err(EngineError::Deadline),
        }
    }
}

/// Charges a rule set with a call that does not return.
pub(crate) fn hang(game: &Game, call: &'static str, observer: &dyn Observer) -> EngineError {
    game.hung();
    let fault = Fault { kind: FaultKind::Hang, call, detail: "did not return in time".to_owned() };
    game.ruleset.record_fault(fault.clone());
    observer.ruleset_faulted(&game.id, &fault);
    EngineError::RulesetFault { game: game.id.to_string(), fault }
}
