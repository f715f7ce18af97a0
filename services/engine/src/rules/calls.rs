//! Calls of the rules: on which threads they run, and for how long.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::time::timeout_at;

use crate::config::SharedConfig;
use crate::error::EngineError;
use crate::observer::Observer;
use crate::question::Caller;
use crate::rules::job::{AboutPosition, CallBody, CallJob, CallState, PendingCall};
use crate::rules::pool::{RulesPool, RulesPoolConfig};
use crate::served_game::ServedGame;

/// Calls that may wait; they are short, so this is not long.
const QUEUE_LEN_MAX: usize = 4096;
/// Long lists that may wait.
const LIST_QUEUE_LEN_MAX: usize = 64;
/// A call that takes longer has hung.
const CALL_TIME_MAX: Duration = Duration::from_secs(5);
/// A long list that takes longer has hung. A million moves take about a second, and
/// more on a busy machine.
const LIST_TIME_MAX: Duration = Duration::from_mins(1);
/// A call that takes longer gets a stand-in.
const SLOW: Duration = Duration::from_millis(20);
/// Slow calls that a game may have at once.
const SLOW_CALLS_MAX: usize = 2;

/// Kinds of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RulesCall {
    Describe,
    LegalMoves,
    /// A list that is known to be long: it has threads of its own.
    LongList,
    /// The wins in one of a position.
    Threats,
    /// The same where there are very many moves: on the threads of long lists.
    LongThreats,
    /// What searches found of longer wins.
    PresentThreats,
    Resolve,
    /// Any legal move, for an answer that is due.
    ImmediateMove,
    PresentEvaluation,
    PresentHints,
    /// The moves of a game that is to be reviewed.
    ReadGame,
    /// The different moves of a position.
    ListChoices,
    /// Those that are very many.
    ListManyChoices,
    /// A forced win, by all moves and defences.
    Solve,
    /// The different moves of a position, and where they lead.
    ListSuccessors,
    /// The same where there are many moves.
    ListManySuccessors,
    /// What is known of them.
    PresentSuccessors,
    /// The same where there are many moves.
    PresentManySuccessors,
    /// A game that is to be recorded.
    ReplayGame,
    /// Which rules these are, for stored answers.
    Fingerprint,
    /// A stored answer, if it is true to the rules.
    PresentStored,
}

impl RulesCall {
    /// As written in traces.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            RulesCall::Describe => "describe",
            RulesCall::LegalMoves | RulesCall::LongList => "legal_moves",
            RulesCall::Threats | RulesCall::LongThreats | RulesCall::PresentThreats => "threats",
            RulesCall::Resolve => "resolve",
            RulesCall::ImmediateMove => "immediate_move",
            RulesCall::PresentEvaluation => "evaluate",
            RulesCall::PresentHints => "explain",
            RulesCall::ReadGame => "read_game",
            RulesCall::ListChoices | RulesCall::ListManyChoices => "list_choices",
            RulesCall::Solve => "solve",
            RulesCall::ListSuccessors | RulesCall::ListManySuccessors => "list_successors",
            RulesCall::PresentSuccessors | RulesCall::PresentManySuccessors => "present_successors",
            RulesCall::ReplayGame => "replay_game",
            RulesCall::Fingerprint => "fingerprint",
            RulesCall::PresentStored => "present_stored",
        }
    }
}

/// Makes calls of the rules.
pub(crate) struct RulesCalls {
    config: SharedConfig,
    observer: Arc<dyn Observer>,
    short_calls: RulesPool,
    long_lists: RulesPool,
}

impl RulesCalls {
    /// Starts the workers.
    pub(crate) fn new(config: SharedConfig, observer: Arc<dyn Observer>) -> Self {
        let n_cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let short_calls = RulesPoolConfig {
            name: "rules",
            // With one, a call that is not slow yet would keep all others waiting.
            n_workers: n_cores.max(2),
            queue_len_max: QUEUE_LEN_MAX,
            slow_after: SLOW,
            slow_calls_max: SLOW_CALLS_MAX,
            call_time_max: CALL_TIME_MAX + config.load().hang_grace,
        };
        // One list of a game at a time: together they would starve searches.
        let long_lists = RulesPoolConfig {
            name: "lists",
            n_workers: 1,
            queue_len_max: LIST_QUEUE_LEN_MAX,
            slow_calls_max: 1,
            call_time_max: LIST_TIME_MAX + config.load().hang_grace,
            ..short_calls.clone()
        };
        let [short_calls, long_lists] = [short_calls, long_lists].map(RulesPool::new);
        RulesCalls { config, observer, short_calls, long_lists }
    }

    /// For short calls and for long lists.
    pub(crate) fn pools(&self) -> [&RulesPool; 2] {
        [&self.short_calls, &self.long_lists]
    }

    /// Makes a call and waits for its answer. Dropping the future abandons the
    /// call, and so does the caller's deadline.
    pub(crate) async fn run<I, T>(
        &self,
        game: &Arc<ServedGame>,
        call: RulesCall,
        caller: &Caller,
        variant: usize,
        input: I,
        body: CallBody<I, T>,
    ) -> Result<T, EngineError>
    where
        I: AboutPosition + Send + Sync + 'static,
        T: Send + 'static,
    {
        self.run_with_store(game, call, caller, variant, input, body, None).await
    }

    /// The same for a call that may read from a store, with its answer if that is late.
    #[allow(clippy::too_many_arguments, reason = "those of `run`, and one")]
    pub(crate) async fn run_with_store<I, T>(
        &self,
        game: &Arc<ServedGame>,
        call: RulesCall,
        caller: &Caller,
        variant: usize,
        input: I,
        body: CallBody<I, T>,
        without_store: Option<fn() -> T>,
    ) -> Result<T, EngineError>
    where
        I: AboutPosition + Send + Sync + 'static,
        T: Send + 'static,
    {
        let is_long = matches!(
            call,
            RulesCall::LongList
                | RulesCall::LongThreats
                | RulesCall::ListManyChoices
                | RulesCall::ListManySuccessors
                | RulesCall::PresentManySuccessors
                | RulesCall::Solve
        );
        let pool = if is_long { &self.long_lists } else { &self.short_calls };
        let queue_span = caller.trace.queue(&game.id, pool.name(), caller.class);
        let pending = PendingCall(Arc::new(CallJob {
            call,
            game: game.clone(),
            variant,
            config: self.config.load(),
            observer: self.observer.clone(),
            class: caller.class,
            caller: caller.key,
            priority: caller.priority,
            trace: caller.trace.clone(),
            meter: caller.meter.clone(),
            input,
            body,
            runtime: Handle::current(),
            is_abandoned: AtomicBool::new(false),
            is_reading_store: AtomicBool::new(false),
            without_store,
            state: Mutex::new(CallState::Queued(queue_span, None)),
        }));
        pool.submit(pending.0.clone(), call == RulesCall::ImmediateMove)
            .map_err(|full| EngineError::Overloaded { retry_after: full.retry_after })?;
        match caller.deadline {
            Some(deadline) => timeout_at(deadline.into(), pending.answer()).await.unwrap_or(Err(EngineError::Deadline)),
            None => pending.answer().await,
        }
    }
}
