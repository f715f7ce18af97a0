//! One call of the rules: its input, cancellation and answer, in one allocation that caller and worker share.

use std::future::poll_fn;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use pentad_host::Fault;
use pentad_model::FaultKind;
use tokio::runtime::Handle;

use crate::config::EngineConfig;
use crate::cost::CostMeter;
use crate::error::EngineError;
use crate::observer::{FaultContext, Observer};
use crate::question::{CallerKey, Class, Priority};
use crate::rules::calls::RulesCall;
use crate::rules::queue::RulesJob;
use crate::schedule::job::{Job, PoolLoad};
use crate::served_game::ServedGame;
use crate::trace::{QueueSpan, Trace};

/// Context of a call of the rules.
pub(crate) struct CallContext<'a> {
    pub(crate) game: &'a ServedGame,
    pub(crate) variant: usize,
    pub(crate) config: &'a EngineConfig,
    /// Trace of the caller.
    pub(crate) trace: &'a Trace,
    pub(crate) is_cancelled: &'a AtomicBool,
    pub(crate) is_reading_store: &'a AtomicBool,
    /// A fault in spite of which there is an answer; it is counted when the call ends.
    pub(crate) survived_fault: &'a Mutex<Option<Fault>>,
}

impl CallContext<'_> {
    /// Whether nobody waits for the answer any more. Long calls check it often.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    /// Reads from a store. While this takes, the call counts as waiting for the store and not for the rules.
    pub(crate) fn read_store<T>(&self, read: impl FnOnce() -> T) -> T {
        self.is_reading_store.store(true, Ordering::Relaxed);
        let read = read();
        self.is_reading_store.store(false, Ordering::Relaxed);
        read
    }

    /// Breaks off a list of moves that nobody waits for any more.
    pub(crate) fn check_cancelled(&self) -> ControlFlow<()> {
        if self.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// The work of a call.
pub(crate) trait CallBody<I, T>:
    Fn(&CallContext<'_>, &I) -> Result<T, EngineError> + Send + Sync + 'static
{
}

impl<I, T, F: Fn(&CallContext<'_>, &I) -> Result<T, EngineError> + Send + Sync + 'static> CallBody<I, T> for F {}

/// The position that a call is about, for the log of its faults.
pub(crate) trait AboutPosition {
    fn position(&self) -> String;
}

/// A call, from the queue to its answer.
pub(crate) struct CallJob<I, T, F> {
    pub(crate) call: RulesCall,
    pub(crate) game: Arc<ServedGame>,
    pub(crate) variant: usize,
    pub(crate) config: Arc<EngineConfig>,
    pub(crate) observer: Arc<dyn Observer>,
    pub(crate) class: Class,
    pub(crate) caller: CallerKey,
    pub(crate) priority: Priority,
    pub(crate) trace: Trace,
    pub(crate) meter: Arc<CostMeter>,
    pub(crate) input: I,
    pub(crate) body: F,
    /// Runtime on which the caller waits.
    pub(crate) runtime: Handle,
    pub(crate) is_cancelled: AtomicBool,
    pub(crate) is_reading_store: AtomicBool,
    /// Answer if the store is late.
    pub(crate) without_store: Option<fn() -> T>,
    pub(crate) state: Mutex<CallState<T>>,
}

/// State of a call.
pub(crate) enum CallState<T> {
    Queued(QueueSpan, Option<Waker>),
    Running(Option<Waker>),
    Answered(Result<T, EngineError>),
    /// The answer was taken, or nobody waits for it.
    Over,
}

/// The caller's side of a call. Dropping it cancels the call.
pub(crate) struct PendingCall<I, T, F>(pub(crate) Arc<CallJob<I, T, F>>);

impl<I, T, F> PendingCall<I, T, F> {
    pub(crate) async fn answer(self) -> Result<T, EngineError> {
        poll_fn(|context| self.poll(context)).await
    }

    fn poll(&self, context: &mut Context<'_>) -> Poll<Result<T, EngineError>> {
        let mut state = self.0.state();
        if let CallState::Queued(_, waker) | CallState::Running(waker) = &mut *state {
            // Usually the same task polls again.
            if !waker.as_ref().is_some_and(|waker| waker.will_wake(context.waker())) {
                *waker = Some(context.waker().clone());
            }
            return Poll::Pending;
        }
        match std::mem::replace(&mut *state, CallState::Over) {
            CallState::Answered(answer) => Poll::Ready(answer),
            _ => unreachable!("an answer is waited for once"),
        }
    }
}

impl<I, T, F> Drop for PendingCall<I, T, F> {
    fn drop(&mut self) {
        self.0.is_cancelled.store(true, Ordering::Relaxed);
        // Ends the queue's span, if the call still waits, and drops the answer.
        let over = std::mem::replace(&mut *self.0.state(), CallState::Over);
        drop(over);
    }
}

impl<I, T, F> CallJob<I, T, F> {
    fn state(&self) -> MutexGuard<'_, CallState<T>> {
        self.state.lock().expect("nothing panics while a call's state is locked")
    }

    /// Sets the answer, unless there is one already, from the call or the watchdog. Returns the waker of the
    /// caller.
    #[must_use]
    fn answer(&self, answer: Result<T, EngineError>) -> Option<Waker> {
        let before = {
            let mut state = self.state();
            match &*state {
                CallState::Queued(..) | CallState::Running(_) => {
                    std::mem::replace(&mut *state, CallState::Answered(answer))
                }
                CallState::Answered(_) | CallState::Over => return None,
            }
        };
        match before {
            CallState::Queued(_, waker) | CallState::Running(waker) => waker,
            CallState::Answered(_) | CallState::Over => None,
        }
    }

    /// Answers in place of the call and wakes the caller.
    fn answer_now(&self, answer: Result<T, EngineError>) {
        if let Some(waker) = self.answer(answer) {
            waker.wake();
        }
    }

    /// Marks the call as running; false if the caller has left.
    fn start(&self) -> bool {
        let before = {
            let mut state = self.state();
            match std::mem::replace(&mut *state, CallState::Over) {
                CallState::Queued(span, waker) => {
                    *state = CallState::Running(waker);
                    Some(span)
                }
                other => {
                    *state = other;
                    None
                }
            }
        };
        before.map(QueueSpan::taken).is_some()
    }
}

impl<I: AboutPosition, T, F: CallBody<I, T>> CallJob<I, T, F> {
    fn call(&self) -> Result<T, EngineError> {
        let _metered = self.meter.begin_call(self.game.ruleset.is_isolated());
        let mut span = self.trace.begin("rules", &self.game.id);
        span.set("pentad.rules", self.call.as_str());
        let CallJob { game, variant, config, trace, is_cancelled, is_reading_store, .. } = self;
        let survived_fault = &Mutex::default();
        let context =
            CallContext { game, variant: *variant, config, trace, is_cancelled, is_reading_store, survived_fault };
        let result = (self.body)(&context, &self.input);
        let survived = survived_fault.lock().expect("nothing panics while it is locked").take();
        let fault = match &result {
            Err(EngineError::RulesetFault { fault, .. }) => Some(fault),
            _ => survived.as_ref(),
        };
        if let Some(fault) = fault {
            span.fail(fault.kind.as_str());
            let about = FaultContext { trace: &self.trace, position: &self.input.position() };
            self.observer.ruleset_faulted(&self.game.id, fault, about);
        }
        result
    }
}

impl<I, T, F> Job for CallJob<I, T, F>
where
    I: AboutPosition + Send + Sync,
    T: Send,
    F: CallBody<I, T>,
{
    fn caller(&self) -> CallerKey {
        self.caller
    }

    fn priority(&self) -> Priority {
        self.priority
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    fn run(&self, _: &PoolLoad<'_>) -> Option<(Waker, &Handle)> {
        if !self.start() {
            return None;
        }
        let result = catch_unwind(AssertUnwindSafe(|| self.call())).unwrap_or_else(|_panic| {
            Err(EngineError::Internal { message: "a call of the rules panicked in the engine".to_owned() })
        });
        self.answer(result).map(|waker| (waker, &self.runtime))
    }

    fn evicted(&self, retry_after: Duration) {
        self.answer_now(Err(EngineError::Overloaded { retry_after }));
    }

    fn unavailable(&self) {
        let message = "its calls did not return in time".to_owned();
        self.answer_now(Err(EngineError::RulesetUnavailable { game: self.game.id.to_string(), message }));
    }

    fn store_late(&self) {
        if let Some(answer) = self.without_store {
            self.answer_now(Ok(answer()));
        }
    }

    fn hung(&self) {
        let about = FaultContext { trace: &self.trace, position: &self.input.position() };
        self.answer_now(Err(report_hang(&self.game, "rules", &*self.observer, about)));
    }

    fn returned(&self) {
        self.game.returned();
    }
}

impl<I, T, F> RulesJob for CallJob<I, T, F>
where
    I: AboutPosition + Send + Sync,
    T: Send,
    F: CallBody<I, T>,
{
    fn game(&self) -> &Arc<ServedGame> {
        &self.game
    }

    fn class(&self) -> Class {
        self.class
    }

    fn is_urgent(&self) -> bool {
        self.call == RulesCall::ImmediateMove
    }

    fn is_reading_store(&self) -> bool {
        self.is_reading_store.load(Ordering::Relaxed)
    }
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
