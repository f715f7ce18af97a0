//! Kinds of calls of the rules, the threads they run on, and their time limits.

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
use crate::rules::queue::{RulesJob, RulesQueue, RulesQueueConfig};
use crate::schedule::job::Refused;
use crate::schedule::pool::{Pool, PoolConfig};
use crate::schedule::thread_time::HangLimits;
use crate::served_game::ServedGame;

/// Names of the two pools, in threads, metrics and traces.
pub(crate) const POOL_NAMES: [&str; 2] = ["rules", "lists"];

/// Calls that may wait. They are short, so this many do not take long.
const QUEUE_LEN_MAX: usize = 4096;
/// Long lists that may wait.
const LIST_QUEUE_LEN_MAX: usize = 64;
/// A call that uses more CPU time, plus `hang_grace`, has hung.
const CALL_TIME_MAX: Duration = Duration::from_secs(5);
/// A long list that uses more CPU time, plus `hang_grace`, has hung. A million moves take about a second.
const LIST_TIME_MAX: Duration = Duration::from_mins(1);
/// A call that takes longer gets a replacement worker.
const SLOW: Duration = Duration::from_millis(20);
/// Slow calls that a game may have at once.
const SLOW_CALLS_MAX: usize = 2;
/// How often the watchdog checks running calls.
const WATCH_INTERVAL: Duration = Duration::from_millis(10);

/// Kinds of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RulesCall {
    Describe,
    LegalMoves,
    /// A page of a list that is known to be long.
    LongList,
    /// The wins in one of a position.
    Threats,
    /// The wins in one where there are very many moves.
    LongThreats,
    /// Longer wins that searches found.
    PresentThreats,
    Resolve,
    /// Any legal move, for an answer that is due.
    ImmediateMove,
    PresentEvaluation,
    PresentHints,
    /// The moves of a game to review.
    ReadGame,
    /// The different moves of a position.
    ListChoices,
    /// The different moves where there are very many.
    ListManyChoices,
    /// A forced win, by all moves and defences.
    Solve,
    /// The different moves of a position, and where they lead.
    ListSuccessors,
    /// As above, where there are many moves.
    ListManySuccessors,
    /// What is known about the different moves.
    PresentSuccessors,
    /// As above, where there are many moves.
    PresentManySuccessors,
    /// A game to record.
    ReplayGame,
    /// Fingerprint of the rules, for stored answers.
    Fingerprint,
    /// A stored answer, if it is true to the rules.
    PresentStored,
    /// Words for some moves.
    SayMoves,
}

impl RulesCall {
    /// Whether it runs on the threads of long lists.
    fn is_long(self) -> bool {
        matches!(
            self,
            RulesCall::LongList
                | RulesCall::LongThreats
                | RulesCall::ListManyChoices
                | RulesCall::ListManySuccessors
                | RulesCall::PresentManySuccessors
                | RulesCall::Solve
        )
    }

    /// Returns the value of `pentad.rules` in traces.
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
            RulesCall::SayMoves => "say_moves",
        }
    }
}

/// Makes calls of the rules, short ones and long lists on threads of their own.
pub(crate) struct RulesCalls {
    config: SharedConfig,
    observer: Arc<dyn Observer>,
    short_calls: Pool<RulesQueue>,
    long_lists: Pool<RulesQueue>,
}

impl RulesCalls {
    /// Starts the workers.
    pub(crate) fn new(config: SharedConfig, observer: Arc<dyn Observer>) -> Self {
        let n_cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let hang_grace = config.load().hang_grace;
        let short_calls = RulesQueueConfig {
            // With one, a call that is not slow yet would keep all others waiting.
            n_workers: n_cores.max(2),
            queue_len_max: QUEUE_LEN_MAX,
            slow_after: SLOW,
            slow_calls_max: SLOW_CALLS_MAX,
            hang: HangLimits::new(CALL_TIME_MAX + hang_grace, hang_grace, WATCH_INTERVAL),
        };
        // One list per game at a time: several would starve searches.
        let long_lists = RulesQueueConfig {
            n_workers: 1,
            queue_len_max: LIST_QUEUE_LEN_MAX,
            slow_calls_max: 1,
            hang: HangLimits::new(LIST_TIME_MAX + hang_grace, hang_grace, WATCH_INTERVAL),
            ..short_calls.clone()
        };
        let pool = |name, config| {
            let pool_config = PoolConfig { name, watch_interval: WATCH_INTERVAL, niceness: None };
            Pool::new(pool_config, RulesQueue::new(config))
        };
        let [short_calls, long_lists] = [pool(POOL_NAMES[0], short_calls), pool(POOL_NAMES[1], long_lists)];
        RulesCalls { config, observer, short_calls, long_lists }
    }

    /// Returns the pools of short calls and of long lists.
    pub(crate) fn pools(&self) -> [&Pool<RulesQueue>; 2] {
        [&self.short_calls, &self.long_lists]
    }

    /// Makes a call and waits for its answer. Dropping the future cancels the call, and so does the
    /// caller's deadline.
    pub(crate) async fn run<I, T>(
        &self,
        game: &Arc<ServedGame>,
        call: RulesCall,
        caller: &Caller,
        variant: usize,
        input: I,
        body: impl CallBody<I, T>,
    ) -> Result<T, EngineError>
    where
        I: AboutPosition + Send + Sync + 'static,
        T: Send + 'static,
    {
        self.run_with_store(game, call, caller, variant, input, body, None).await
    }

    /// Like [`run`](Self::run), for a call that may read from a store; `without_store` is its answer if
    /// the store is late.
    #[allow(clippy::too_many_arguments, reason = "the arguments of `run` and one more")]
    pub(crate) async fn run_with_store<I, T>(
        &self,
        game: &Arc<ServedGame>,
        call: RulesCall,
        caller: &Caller,
        variant: usize,
        input: I,
        body: impl CallBody<I, T>,
        without_store: Option<fn() -> T>,
    ) -> Result<T, EngineError>
    where
        I: AboutPosition + Send + Sync + 'static,
        T: Send + 'static,
    {
        let pool = if call.is_long() { &self.long_lists } else { &self.short_calls };
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
            is_cancelled: AtomicBool::new(false),
            is_reading_store: AtomicBool::new(false),
            without_store,
            state: Mutex::new(CallState::Queued(queue_span, None)),
        }));
        let job: Arc<dyn RulesJob> = pending.0.clone();
        pool.submit(&job).map_err(|refused| match refused {
            Refused::Full { retry_after } => EngineError::Overloaded { retry_after },
            Refused::TooLate => EngineError::Deadline,
        })?;
        drop(job);
        match caller.deadline {
            Some(deadline) => timeout_at(deadline.into(), pending.answer()).await.unwrap_or(Err(EngineError::Deadline)),
            None => pending.answer().await,
        }
    }
}
