//! One search: the pool's job, from the queue to its result.

use std::sync::{Arc, Mutex};
use std::task::Waker;
use std::time::{Duration, Instant};

use pentad_host::{CallError, Failed, Fault, Position};
use pentad_model::FaultKind;
use pentad_model::{Control, Report, Request};
use tokio::runtime::Handle;

use crate::answer::StopReason;
use crate::error::EngineError;
use crate::observer::FaultContext;
use crate::question::{Caller, CallerKey, Priority, QuestionLimits};
use crate::resolve::considered::Considered;
use crate::resolve::query::{ResolvedQuery, SearchKey};
use crate::rules::job::report_hang;
use crate::schedule::cancel::CancelToken;
use crate::schedule::job::{Job, PoolLoad};
use crate::search::avoided::without_avoided;
use crate::search::cache::Snapshot;
use crate::search::immediate_move::{IMMEDIATE, immediate_move};
use crate::search::queue::TimedJob;
use crate::search::root_moves::RootMoves;
use crate::search::single_flight::{Progress, SharedSearch};
use crate::search::sources::SearchEnvironment;
use crate::search::time_share::TimeShare;
use crate::served_game::ServedGame;
use crate::store::answer_store::SearchLease;
use crate::trace::QueueSpan;

/// The search for a resolved question.
pub(crate) struct SearchJob {
    pub(crate) environment: Arc<SearchEnvironment>,
    pub(crate) query: Arc<ResolvedQuery>,
    /// The caller that started it.
    pub(crate) caller: Caller,
    pub(crate) search: SharedSearch,
    /// Threads of the search inside the rule set.
    pub(crate) n_threads: usize,
    /// Estimates whose search took at least this long are stored.
    pub(crate) stored_estimate_min: Duration,
    /// Present until a worker takes the job. The lease is kept until the search has ended.
    pub(crate) waiting: Mutex<Option<(QueueSpan, SearchLease)>>,
}

impl Job for SearchJob {
    fn caller(&self) -> CallerKey {
        self.caller.key
    }

    fn priority(&self) -> Priority {
        self.caller.priority
    }

    fn is_cancelled(&self) -> bool {
        self.search.cancel.is_cancelled()
    }

    /// Searches, publishes improvements and the result. Waiters are woken by their channel.
    fn run(&self, load: &PoolLoad<'_>) -> Option<(Waker, &Handle)> {
        let waiting = self.waiting.lock().expect("nothing panics while it is locked").take();
        let (queue_span, lease) = waiting.expect("a job runs once");
        self.environment.observer.job_dequeued(self.caller.class, queue_span.taken());
        self.search_and_publish(load);
        // The answer was offered to the store before.
        drop(lease);
        None
    }

    fn cancelled(&self) {
        self.end(Progress::NotStarted(StopReason::Shutdown));
    }

    fn evicted(&self, retry_after: Duration) {
        self.end(Progress::Failed(EngineError::Overloaded { retry_after }));
    }

    fn hung(&self) {
        let error = report_hang(&self.query.game, "search", &*self.environment.observer, self.about());
        self.search.progress.send_replace(Progress::Failed(error));
    }

    fn returned(&self) {
        self.query.game.returned();
    }
}

impl TimedJob for SearchJob {
    fn cost(&self) -> Duration {
        self.query.cost
    }

    fn cancel(&self) -> &CancelToken {
        &self.search.cancel
    }

    fn due(&self) -> Instant {
        self.query.due
    }

    fn time(&self) -> Option<Duration> {
        self.query.search_time
    }

    fn is_isolated(&self) -> bool {
        self.query.game.ruleset.is_isolated()
    }
}

impl SearchJob {
    /// Ends the flight with a last message to its waiters; later callers start a new search.
    pub(crate) fn end(&self, progress: Progress) {
        self.environment.in_flight.remove(&self.query.flight_key(), &self.search);
        self.search.progress.send_replace(progress);
    }

    fn about(&self) -> FaultContext<'_> {
        FaultContext { trace: &self.search.trace, position: &self.query.root.text }
    }

    /// Searches, caches the answer and ends the flight.
    fn search_and_publish(&self, load: &PoolLoad<'_>) {
        let (game, observer) = (&self.query.game, &self.environment.observer);
        let _running = game.begin_search();
        let metered = self.caller.meter.begin(self.n_threads, game.ruleset.is_isolated());
        let mut span = self.search.trace.begin("search", &game.id);
        let started = Instant::now();
        let result = self.search(load, started);
        // Before the caller can look at it.
        drop(metered);
        if let Some((cancelled_at, StopReason::Cancelled)) = self.search.cancel.cause() {
            observer.search_cancelled(&game.id, cancelled_at.elapsed());
        }
        let progress = match result {
            Ok(snapshot) => {
                let stop = snapshot.stop.unwrap_or(StopReason::Time);
                let Report { nodes, depth, .. } = snapshot.report;
                span.set("pentad.stop_reason", stop.as_str());
                span.set("pentad.nodes", i64::try_from(nodes).unwrap_or(i64::MAX));
                span.set("pentad.depth", i64::from(depth));
                observer.search_finished(&game.id, snapshot.took, nodes, stop);
                self.keep(&snapshot);
                Progress::Done(Arc::new(snapshot))
            }
            Err(error) => {
                if let CallError::Fault(fault) = &error {
                    span.fail(fault.kind.as_str());
                    observer.ruleset_faulted(&game.id, fault, self.about());
                } else {
                    span.fail("refused");
                }
                Progress::Failed(EngineError::from_call(&game.id, error))
            }
        };
        // Before the call that waits for it can end.
        drop(span);
        self.end(progress);
    }

    /// Caches an answer, and offers it to the store if it is a proof or took long.
    fn keep(&self, snapshot: &Snapshot) {
        let SearchEnvironment { cache, stored, .. } = &*self.environment;
        let kept = Arc::new(snapshot.for_cache());
        cache.put(self.query.key.clone(), kept.clone());
        let is_long = kept.stop == Some(StopReason::Proven) || kept.took >= self.stored_estimate_min;
        if let Some(stored) = stored.as_ref().filter(|_| self.query.is_storable() && is_long) {
            stored.offer(&self.query, &kept);
        }
    }

    fn search(&self, load: &PoolLoad<'_>, started: Instant) -> Result<Snapshot, CallError> {
        let SearchKey { variant, position, considered, .. } = &self.query.key;
        let (game, effort) = (&self.query.game, self.query.effort);
        let search_time = self.time(load, started);
        let is_over = || self.search.cancel.is_cancelled() || search_time.is_over();
        let root = Arc::new(RootMoves::find(&game.ruleset, *variant, position, considered, &is_over)?);
        let n_avoided = if matches!(*root, RootMoves::Any { .. }) { considered.n_avoided() } else { 0 };
        // A search that may choose from all moves can prove things about the position as a whole; of several
        // lines, each should be a different idea.
        let is_whole = considered.is_all() && effort.n_lines == 1;
        let time = Some(search_time.due.saturating_duration_since(Instant::now()));
        let mut lease = self.environment.contexts.lease(&game.ruleset, *variant, self.n_threads);
        let request = Request {
            limits: QuestionLimits { time, ..effort.limits },
            n_lines: effort.n_lines + n_avoided,
            seed: 0,
            root_moves: if is_whole { Vec::new() } else { root.representatives().cloned().collect() },
            threads: self.n_threads,
            memory_bytes: lease.memory_bytes(),
        };
        let seat = game.ruleset.to_move(*variant, position)?;
        let (bad_line, counters) = (Mutex::default(), Mutex::default());
        let callbacks =
            SearchCallbacks { job: self, root: &root, seat, time: &search_time, started, bad_line, counters };
        let report = if game.ruleset.info().capabilities.search {
            lease.searcher(&game.ruleset, *variant)?.run(position, &request, &callbacks)?
        } else {
            game.ruleset.fallback_search(*variant, position, &request, &callbacks)?
        };
        let checked = callbacks.checked(report);
        if let Some(error) = callbacks.bad_line.into_inner().expect("nothing panics while it is locked") {
            return Err(error);
        }
        // After a failure its tables may be half written, so they are dropped.
        lease.keep();
        let mut report = checked?;
        if report.lines.is_empty() {
            report = self.any_considered_move(report)?;
        }
        let stop = self.stop_reason(report.stop, &search_time);
        Ok(Snapshot { report, root, stop: Some(stop), n_lines: effort.n_lines, took: started.elapsed() })
    }

    /// Replaces a report whose lines were all avoided: the rule set named fewer moves than it was asked for.
    fn any_considered_move(&self, report: Report<String>) -> Result<Report<String>, CallError> {
        use pentad_model::StopReason::{Depth, Proven};
        let Report { nodes, stop, .. } = report;
        let stop = if stop == Some(Proven) { Some(Depth) } else { stop };
        let found = immediate_move(&self.query.game, &self.query.key, Instant::now() + IMMEDIATE)?;
        Ok(found.map_or(report, |found| Report { nodes, stop, ..found.report }))
    }

    /// Returns when the search ends at the latest, and its part of the time until then while others wait. A
    /// bulk search has all of its time: its caller can wait.
    fn time<'a>(&self, load: &'a PoolLoad<'a>, started: Instant) -> SearchTime<'a> {
        let ResolvedQuery { due, search_time, is_deadline, .. } = *self.query;
        if let Some(time) = search_time {
            let end = due.min(started + time);
            return SearchTime { due: end, share: None, is_deadline: is_deadline && end == due };
        }
        let limit = due.saturating_duration_since(self.caller.arrived);
        let share = Some(TimeShare::new(load, self.caller.key, limit, started));
        SearchTime { due, share, is_deadline }
    }

    fn stop_reason(&self, stop: Option<pentad_model::StopReason>, time: &SearchTime<'_>) -> StopReason {
        use pentad_model::StopReason as Search;
        match stop {
            Some(Search::Proven) => StopReason::Proven,
            Some(Search::Nodes) => StopReason::Nodes,
            Some(Search::Depth) => StopReason::Depth,
            Some(Search::Time | Search::Cancelled) | None => match self.search.cancel.cause() {
                Some((_, reason)) => reason,
                None if time.was_cut() => StopReason::Load,
                None if time.is_deadline => StopReason::Deadline,
                None => StopReason::Time,
            },
        }
    }
}

/// When a search ends by itself, and why.
struct SearchTime<'a> {
    due: Instant,
    share: Option<TimeShare<'a>>,
    /// Whether the caller's deadline decides, rather than the time limit.
    is_deadline: bool,
}

impl SearchTime<'_> {
    fn is_over(&self) -> bool {
        let now = Instant::now();
        now >= self.due || self.share.as_ref().is_some_and(|share| share.is_used_up(now))
    }

    /// Whether it ended early because other searches waited.
    fn was_cut(&self) -> bool {
        self.share.as_ref().is_some_and(TimeShare::was_used_up)
    }
}

/// Callbacks of a running search: when to stop, and where reports go.
struct SearchCallbacks<'a> {
    job: &'a SearchJob,
    root: &'a Arc<RootMoves>,
    /// The seat to move in the canonical position.
    seat: usize,
    time: &'a SearchTime<'a>,
    started: Instant,
    bad_line: Mutex<Option<CallError>>,
    /// The greatest depth and number of nodes reported so far.
    counters: Mutex<(u32, u64)>,
}

impl SearchCallbacks<'_> {
    /// Makes a report consistent with those before it: depth and nodes never fall, although a search may go
    /// on by other means, and no value of an unfinished iteration is deeper than the plies completed.
    fn with_rising_counters(&self, mut report: Report<String>) -> Report<String> {
        let mut counters = self.counters.lock().expect("nothing panics while it is locked");
        if report.stop == Some(pentad_model::StopReason::Proven) {
            report.depth = report.depth.max(report.evaluation.depth);
        }
        *counters = (counters.0.max(report.depth), counters.1.max(report.nodes));
        (report.depth, report.nodes) = *counters;
        let values = report.lines.iter_mut().map(|line| &mut line.evaluation).chain([&mut report.evaluation]);
        values.for_each(|value| value.depth = value.depth.min(counters.0));
        report
    }

    /// Returns a report without avoided moves, checked against the rules. It may have no line left.
    fn checked(&self, report: Report<String>) -> Result<Report<String>, CallError> {
        let report = self.with_rising_counters(report);
        let ResolvedQuery { game, key, effort, .. } = &*self.job.query;
        let report = match (&**self.root, &key.considered) {
            (RootMoves::Any { .. }, considered @ Considered::Except(_)) => {
                without_avoided(report, considered, effort.n_lines, self.seat)
            }
            _ => report,
        };
        check_lines(game, key.variant, &key.position, self.root, report)
    }
}

impl Control<String> for SearchCallbacks<'_> {
    fn should_stop(&self) -> bool {
        self.job.search.cancel.is_cancelled() || self.time.is_over()
    }

    fn report(&self, report: &Report<String>) {
        match self.checked(report.clone()) {
            Ok(report) if report.lines.is_empty() => {}
            Ok(report) => {
                let snapshot = Snapshot {
                    report,
                    root: self.root.clone(),
                    stop: None,
                    n_lines: self.job.query.effort.n_lines,
                    took: self.started.elapsed(),
                };
                self.job.search.progress.send_replace(Progress::Partial(Arc::new(snapshot)));
            }
            Err(error) => {
                self.bad_line.lock().expect("nothing panics while it is locked").get_or_insert(error);
            }
        }
    }
}

/// Checks the moves of a report against the rules: an illegal first move is a fault, and a line is cut at a
/// later illegal move.
fn check_lines(
    game: &ServedGame,
    variant: usize,
    position: &Position,
    root: &RootMoves,
    mut report: Report<String>,
) -> Result<Report<String>, CallError> {
    for line in &mut report.lines {
        let not_considered = || {
            let detail = format!("`{}` is not one of the moves it was to consider", line.moves[0]);
            let fault = Fault { kind: FaultKind::BadValue, call: "search", detail };
            game.ruleset.record_fault(fault.clone());
            CallError::Fault(fault)
        };
        if !root.contains(&line.moves[0]) {
            return Err(not_considered());
        }
        let Err(failed) = game.ruleset.play_moves(variant, position, &line.moves) else { continue };
        let Failed { move_idx, error, .. } = *failed;
        match error {
            CallError::Fault(_) | CallError::Unavailable { .. } => return Err(error),
            _ if move_idx == 0 => return Err(not_considered()),
            _ => line.moves.truncate(move_idx),
        }
    }
    Ok(report)
}
