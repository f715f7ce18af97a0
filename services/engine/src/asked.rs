//! The way of a question about moves: resolved, remembered or searched,
//! assembled.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pentad_search::{Certainty, Evaluation, Scores, Source, Wdl};

use crate::answer::{Hints, StopReason};
use crate::cache::{Key, Snapshot};
use crate::calls::hang;
use crate::config::EngineConfig;
use crate::engine::Engine;
use crate::error::EngineError;
use crate::findings::Findings;
use crate::flight::{Progress, Ticket};
use crate::game::{Call, Game};
use crate::hints::{self, Assembly};
use crate::level;
use crate::observer::CacheResult;
use crate::pool::{Due, Full, Job};
use crate::question::{Caller, HintQuestion, QuestionLimits};
use crate::situation::HintSituation;
use crate::task::{FlightKey, Task};
use crate::trace::Work;

/// Questions due sooner than this have workers of their own, so that they do
/// not wait behind long ones.
const SHORT: Duration = Duration::from_secs(2);
/// A search is not taken up again for less than this.
const WORTHWHILE: Duration = Duration::from_millis(5);

/// A question, resolved.
pub(crate) struct Asked {
    pub(crate) game: Arc<Game>,
    pub(crate) variant: usize,
    pub(crate) situation: Arc<HintSituation>,
    question: Arc<HintQuestion>,
    /// When the answer is due.
    pub(crate) due: Instant,
    /// Whether a caller's deadline made it due, rather than the time limit.
    is_deadline: bool,
    pub(crate) flight_key: FlightKey,
}

/// What there is to a question already.
pub(crate) enum LookedUp {
    /// Its answer.
    Remembered(Arc<Snapshot>),
    /// A search, by this asker or by another who asked the same.
    Ticket { ticket: Box<Ticket<FlightKey>>, is_own: bool },
}

impl Asked {
    /// A finished game has no moves to ask for.
    pub(crate) fn refuse_finished(&self) -> Result<(), EngineError> {
        match &self.situation.over {
            Some(outcome) => Err(EngineError::GameOver { move_idx: None, text: outcome.text.clone() }),
            None => Ok(()),
        }
    }

    /// What ends a search that goes on to the end.
    pub(crate) fn ends_by(&self) -> StopReason {
        if self.is_deadline { StopReason::Deadline } else { StopReason::Time }
    }

    /// Whether another asker's deadline ended the search so early that this one
    /// has time to find out more.
    pub(crate) fn has_time_after(&self, snapshot: &Snapshot) -> bool {
        let left = self.due.saturating_duration_since(Instant::now());
        snapshot.stop == Some(StopReason::Deadline) && left >= WORTHWHILE && left * 4 > snapshot.took
    }
}

impl Engine {
    pub(crate) async fn resolve(&self, question: &HintQuestion, caller: &Caller) -> Result<Asked, EngineError> {
        let (game, variant) = self.game_variant(&question.place)?;
        check(&self.config, question)?;
        let situation = self.rules_call(game, Call::Resolve, caller, variant, question, HintSituation::resolve).await?;
        let limits = level::tighten(question.level, self.bounded(question.limits));
        let time = limits.time.unwrap_or(self.config.time_max);
        let by_limit = caller.arrived + time;
        let by_deadline = caller.answer_by();
        let n_lines = level::n_lines(question.level, question.count);
        let key = Key {
            game: game.id.clone(),
            variant,
            position: situation.canonical.clone(),
            only: situation.only.clone(),
            level: question.level,
        };
        Ok(Asked {
            game: game.clone(),
            variant,
            situation: Arc::new(situation),
            question: Arc::new(question.clone()),
            due: by_deadline.map_or(by_limit, |deadline| deadline.min(by_limit)),
            is_deadline: by_deadline.is_some_and(|deadline| deadline < by_limit),
            flight_key: FlightKey { key, limits, n_lines },
        })
    }

    /// Limits within the engine's bounds.
    fn bounded(&self, limits: QuestionLimits) -> QuestionLimits {
        let asks_nothing = limits == QuestionLimits::default();
        let time = if asks_nothing { Some(self.config.time_default) } else { limits.time };
        QuestionLimits { time: time.map(|time| time.min(self.config.time_max)), ..limits }
    }

    /// An answer from the cache, from a search under way, or from a new one.
    pub(crate) async fn find(&self, asked: &Asked, caller: &Caller) -> Result<(Arc<Snapshot>, bool), EngineError> {
        Findings::start(self, asked, caller)?.last(self, asked, caller).await
    }

    /// Finds a remembered answer, joins the search for it, or starts one.
    pub(crate) fn look_up(&self, asked: &Asked, caller: &Caller) -> Result<LookedUp, EngineError> {
        let FlightKey { key, limits, n_lines } = &asked.flight_key;
        let cache = |result| Work::Cache { result, shared_with: None };
        let mut part = caller.trace.begin(&asked.game.id, cache(CacheResult::Miss));
        if let Some(snapshot) = self.cache.get(key, limits, *n_lines) {
            part.set(cache(CacheResult::Hit));
            self.observer.cache_asked(&asked.game.id, CacheResult::Hit);
            return Ok(LookedUp::Remembered(snapshot));
        }
        let (ticket, is_first) = self.flights.join(&asked.flight_key, &caller.trace);
        if !is_first {
            let shared_with = ticket.flight.trace.recorded();
            part.set(Work::Cache { result: CacheResult::Shared, shared_with });
            self.observer.cache_asked(&asked.game.id, CacheResult::Shared);
            return Ok(LookedUp::Ticket { ticket: Box::new(ticket), is_own: false });
        }
        drop(part);
        self.observer.cache_asked(&asked.game.id, CacheResult::Miss);
        self.depart(asked, caller, &ticket)?;
        Ok(LookedUp::Ticket { ticket: Box::new(ticket), is_own: true })
    }

    /// Starts the search for a question.
    fn depart(&self, asked: &Asked, caller: &Caller, ticket: &Ticket<FlightKey>) -> Result<(), EngineError> {
        let is_short = asked.due.saturating_duration_since(caller.arrived) <= SHORT;
        let (pool, n_threads) = if is_short {
            (&self.short_pool, self.config.threads_per_search)
        } else {
            (&self.long_pool, self.config.threads_per_long_search)
        };
        let task = Task {
            game: asked.game.clone(),
            flight_key: asked.flight_key.clone(),
            flight: ticket.flight.clone(),
            flights: self.flights.clone(),
            cache: self.cache.clone(),
            observer: self.observer.clone(),
            config: self.config.clone(),
            n_threads: n_threads.get(),
            due: asked.due,
            is_deadline: asked.is_deadline,
        };
        let on_hang = {
            let (game, flight, observer) = (asked.game.clone(), ticket.flight.clone(), self.observer.clone());
            move || {
                let error = hang(&game, "search", &*observer, flight.trace.id());
                flight.progress.send_replace(Progress::Failed(error));
            }
        };
        let returning = asked.game.clone();
        let job_pool = pool.clone();
        let queue = |taken| Work::Queue { pool: pool.name(), class: caller.class, taken };
        // Nobody takes a job out of the queue when its askers leave.
        let mut waiting = caller.trace.begin(&asked.game.id, queue(false)).until(&ticket.flight.stop);
        let taken = queue(true);
        let job = Job {
            class: caller.class,
            stop: ticket.flight.stop.clone(),
            due: Due::At(asked.due),
            work: Box::new(move |worker| {
                waiting.set(taken);
                drop(waiting);
                task.run(worker, &job_pool);
            }),
            on_hang: Box::new(on_hang),
            on_return: Box::new(move || returning.returned()),
        };
        if let Err(Full { retry_after }) = pool.submit(job) {
            let error = EngineError::Overloaded { retry_after };
            self.flights.land(&asked.flight_key, &ticket.flight);
            ticket.flight.progress.send_replace(Progress::Failed(error.clone()));
            return Err(error);
        }
        Ok(())
    }

    /// Turns what was found into what the asker reads.
    pub(crate) async fn assemble(
        &self,
        asked: &Asked,
        snapshot: &Arc<Snapshot>,
        caller: &Caller,
    ) -> Result<Hints, EngineError> {
        let input = Assembly {
            situation: asked.situation.clone(),
            question: asked.question.clone(),
            snapshot: snapshot.clone(),
        };
        // A move is known: told a moment too late it is worth more than none.
        let caller = Caller { deadline: None, ..caller.clone() };
        self.rules_call(&asked.game, Call::Assemble, &caller, asked.variant, &input, hints::assemble).await
    }
}

/// The value of a finished game.
pub(crate) fn terminal(scores: &[f64], to_move: usize, n_sides: usize) -> Evaluation {
    let outcome = match scores.get(to_move) {
        _ if n_sides != 2 => None,
        Some(&score) if score > 0.5 => Some(Wdl::Win),
        Some(&score) if score < 0.5 => Some(Wdl::Loss),
        _ => Some(Wdl::Draw),
    };
    Evaluation {
        certainty: Certainty::Proven,
        outcome,
        plies_to_end: Some(0),
        scores: Scores::new(scores),
        source: Source::Terminal,
        depth: 0,
    }
}

fn check(config: &EngineConfig, question: &HintQuestion) -> Result<(), EngineError> {
    let bad = |field: &str, message: String| Err(EngineError::BadArgument { field: field.to_owned(), message });
    if question.count == 0 || question.count > config.hints_max {
        return bad("count", format!("{} is not between 1 and {}", question.count, config.hints_max));
    }
    if question.level == 0 || question.level > level::FULL {
        return bad("level", format!("{} is not between 1 and {}", question.level, level::FULL));
    }
    let QuestionLimits { time, nodes, depth } = question.limits;
    if time == Some(Duration::ZERO) {
        return bad("limits.timeMs", "must be at least 1".to_owned());
    }
    if nodes == Some(0) {
        return bad("limits.nodes", "must be at least 1".to_owned());
    }
    if depth == Some(0) {
        return bad("limits.depth", "must be at least 1".to_owned());
    }
    Ok(())
}
