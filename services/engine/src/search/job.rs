//! One search: the pool's job, from the queue to its result.

use std::sync::{Arc, Mutex};
use std::task::Waker;
use std::time::{Duration, Instant};

use pentad_host::{CallError, Failed, Fault, Position};
use pentad_model::FaultKind;
use pentad_model::{Certainty, Control, Evaluation, Line, Report, Request, Scores, Source, Wdl};
use tokio::runtime::Handle;

use crate::answer::StopReason;
use crate::error::EngineError;
use crate::observer::FaultContext;
use crate::question::{Caller, CallerKey, Priority, QuestionLimits};
use crate::resolve::query::{ResolvedQuery, SearchKey};
use crate::rules::job::report_hang;
use crate::schedule::cancel::CancelToken;
use crate::schedule::job::{Job, PoolLoad};
use crate::search::cache::Snapshot;
use crate::search::queue::TimedJob;
use crate::search::root_moves::RootMoves;
use crate::search::single_flight::{Progress, SharedSearch};
use crate::search::sources::SearchEnvironment;
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
        let root = Arc::new(RootMoves::find(&game.ruleset, *variant, position, considered.as_deref())?);
        let SearchEnd { due, is_cut, is_deadline } = self.fair_end(load, started);
        // A search that may choose from all moves can prove things about the
        // position as a whole; of several lines, each should be another idea.
        let is_whole = considered.is_none() && effort.n_lines == 1;
        let time = Some(due.saturating_duration_since(Instant::now()));
        let mut lease = self.environment.contexts.lease(&game.ruleset, *variant, self.n_threads);
        let request = Request {
            limits: QuestionLimits { time, ..effort.limits },
            n_lines: effort.n_lines,
            seed: 0,
            root_moves: if is_whole { Vec::new() } else { root.representatives().cloned().collect() },
            threads: self.n_threads,
            memory_bytes: lease.memory_bytes(),
        };
        let callbacks = SearchCallbacks { job: self, root: &root, due, started, bad_line: Mutex::new(None) };
        let report = if game.ruleset.info().capabilities.search {
            lease.searcher(&game.ruleset, *variant)?.run(position, &request, &callbacks)?
        } else {
            game.ruleset.fallback_search(*variant, position, &request, &callbacks)?
        };
        if let Some(error) = callbacks.bad_line.into_inner().expect("nothing panics while it is locked") {
            return Err(error);
        }
        // After a failure its tables may be half written, and go.
        lease.keep();
        let stop = self.stop_reason(report.stop, is_cut, is_deadline);
        let report = check_lines(game, *variant, position, &root, report)?;
        Ok(Snapshot { report, root, stop: Some(stop), n_lines: effort.n_lines, took: started.elapsed() })
    }

    /// Returns when this search should end so that waiting ones get their share of the workers. A bulk
    /// search has all of its time: its caller can wait.
    fn fair_end(&self, load: &PoolLoad<'_>, started: Instant) -> SearchEnd {
        let ResolvedQuery { due, search_time, is_deadline, .. } = *self.query;
        if let Some(time) = search_time {
            let end = due.min(started + time);
            return SearchEnd { due: end, is_cut: false, is_deadline: is_deadline && end == due };
        }
        let n_waiting = load.n_competing(self.caller.key);
        if n_waiting == 0 {
            return SearchEnd { due, is_cut: false, is_deadline };
        }
        let n_workers = load.n_workers;
        let left = due.saturating_duration_since(started);
        let share = left.mul_f64(n_workers as f64 / (n_workers + n_waiting) as f64);
        SearchEnd { due: started + share.max(Duration::from_millis(1)).min(left), is_cut: true, is_deadline }
    }

    fn stop_reason(&self, stop: Option<pentad_model::StopReason>, is_cut: bool, is_deadline: bool) -> StopReason {
        use pentad_model::StopReason as Search;
        match stop {
            Some(Search::Proven) => StopReason::Proven,
            Some(Search::Nodes) => StopReason::Nodes,
            Some(Search::Depth) => StopReason::Depth,
            Some(Search::Time | Search::Cancelled) | None => match self.search.cancel.cause() {
                Some((_, reason)) => reason,
                None if is_cut => StopReason::Load,
                None if is_deadline => StopReason::Deadline,
                None => StopReason::Time,
            },
        }
    }
}

/// When a search ends by itself, and why.
struct SearchEnd {
    due: Instant,
    /// Whether it ends early because other searches wait.
    is_cut: bool,
    /// Whether the caller's deadline decides, rather than the time limit.
    is_deadline: bool,
}

/// Callbacks of a running search: when to stop, and where reports go.
struct SearchCallbacks<'a> {
    job: &'a SearchJob,
    root: &'a Arc<RootMoves>,
    due: Instant,
    started: Instant,
    bad_line: Mutex<Option<CallError>>,
}

impl Control<String> for SearchCallbacks<'_> {
    fn should_stop(&self) -> bool {
        self.job.search.cancel.is_cancelled() || Instant::now() >= self.due
    }

    fn report(&self, report: &Report<String>) {
        let SearchKey { variant, position, .. } = &self.job.query.key;
        match check_lines(&self.job.query.game, *variant, position, self.root, report.clone()) {
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

/// Checks the moves of a report against the rules: a line that begins with an
/// illegal move is a fault, and a line that goes on with one is cut there.
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
        let Err(Failed { move_idx, error, .. }) = game.ruleset.play_moves(variant, position, &line.moves) else {
            continue;
        };
        match error {
            CallError::Fault(_) | CallError::Unavailable { .. } => return Err(error),
            _ if move_idx == 0 => return Err(not_considered()),
            _ => line.moves.truncate(move_idx),
        }
    }
    Ok(report)
}

/// Returns a legal move for a question that is due before its search has begun: the first one that wins,
/// or else the one with the best static evaluation, among those examined before `until`.
pub(crate) fn immediate_move(
    game: &ServedGame,
    key: &SearchKey,
    until: Instant,
) -> Result<Option<Snapshot>, CallError> {
    let moves = moves_listed_until(game, key, until)?;
    let Some(first_move) = moves.first() else { return Ok(None) };
    let rules = &game.ruleset;
    let seat = rules.to_move(key.variant, &key.position)?;
    let variant = &rules.variants()[key.variant];
    let unknown = Evaluation {
        certainty: Certainty::Estimate,
        outcome: None,
        plies_to_end: None,
        scores: Scores::even(variant.seats.len()),
        source: Source::Static,
        depth: 0,
    };
    let mut best = (first_move, unknown, f64::NEG_INFINITY);
    for mv in &moves {
        if Instant::now() >= until {
            break;
        }
        let next = rules.play_known(key.variant, &key.position, mv)?;
        let ended = rules.scores(key.variant, &next)?;
        let scores = match ended {
            Some(scores) => scores,
            None if rules.info().capabilities.search => rules.evaluate(key.variant, &next)?.scores,
            None => unknown.scores,
        };
        if ended.is_some() && scores[seat] == 1.0 {
            best = (mv, won_at_once(scores, variant.n_sides), 1.0);
            break;
        }
        if scores[seat] > best.2 {
            best = (mv, Evaluation { scores, depth: 1, ..unknown }, scores[seat]);
        }
    }
    let (mv, evaluation, _) = best;
    let report = Report {
        lines: vec![Line { moves: vec![mv.clone()], evaluation }],
        evaluation,
        depth: 0,
        nodes: 0,
        stop: Some(pentad_model::StopReason::Cancelled),
    };
    Ok(Some(Snapshot { report, root: Arc::default(), stop: None, n_lines: 1, took: Duration::ZERO }))
}

/// Lists the moves to consider; after `until` it stops at the first one.
fn moves_listed_until(game: &ServedGame, key: &SearchKey, until: Instant) -> Result<Vec<String>, CallError> {
    let is_considered =
        |mv: &str| key.considered.as_ref().is_none_or(|moves| moves.binary_search_by(|it| it.as_str().cmp(mv)).is_ok());
    let mut moves = Vec::new();
    let _complete = game.ruleset.legal_moves(key.variant, &key.position, "", &mut |mv| {
        if is_considered(mv) {
            moves.push(mv.to_owned());
        }
        if Instant::now() < until || moves.is_empty() {
            std::ops::ControlFlow::Continue(())
        } else {
            std::ops::ControlFlow::Break(())
        }
    })?;
    Ok(moves)
}

fn won_at_once(scores: Scores, n_sides: usize) -> Evaluation {
    Evaluation {
        certainty: Certainty::Proven,
        outcome: (n_sides == 2).then_some(Wdl::Win),
        plies_to_end: Some(1),
        scores,
        source: Source::Search,
        depth: 1,
    }
}

#[cfg(test)]
mod tests {
    use pentad_host::Ruleset;

    use super::*;

    /// With the time to examine every move, the one that wins is found; without any time, a legal move is
    /// returned nevertheless.
    #[test]
    fn a_move_is_named_at_once() {
        let dir = pentad_host::bundled_dir().expect("a running program has a path");
        let file = dir.join(format!("libruleset_pentago{}", std::env::consts::DLL_SUFFIX));
        let game = ServedGame::new(Ruleset::load(&file, None).expect("the plugin loads"));
        let position = game.ruleset.parse(0, "wwww2/6/bbbb2/6/6/6 w").expect("a position");
        let key = SearchKey { revision: game.revision, variant: 0, position, considered: None, level: 10 };
        let named = |until| immediate_move(&game, &key, until).expect("no fault").expect("a move").report;
        let best = named(Instant::now() + Duration::from_mins(10));
        assert_eq!((best.lines[0].moves[0].as_str(), best.evaluation.outcome), ("e1", Some(Wdl::Win)));
        let any = named(Instant::now());
        game.ruleset.play_known(0, &key.position, &any.lines[0].moves[0]).expect("a legal move");
        assert_eq!(any.evaluation.certainty, Certainty::Estimate);
    }
}
