//! One search, from the queue to its result.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pentad_host::{CallError, Failed, Fault, Position};
use pentad_model::FaultKind;
use pentad_model::{Certainty, Control, Evaluation, Line, Report, Request, Scores, Source, Wdl};

use crate::answer::StopReason;
use crate::cost::CostMeter;
use crate::error::EngineError;
use crate::observer::{FaultContext, Observer};
use crate::question::{CallerKey, Class, QuestionLimits};
use crate::resolve::SearchRoot;
use crate::schedule::pool::Pool;
use crate::search::cache::{AnswerCache, CacheKey, Snapshot};
use crate::search::contexts::Searchers;
use crate::search::root_moves::RootMoves;
use crate::search::single_flight::{Progress, SharedSearch, SingleFlight};
use crate::served_game::ServedGame;
use crate::store::stored::{StoredAnswers, is_storable};

/// What makes two searches the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SearchKey {
    pub(crate) key: CacheKey,
    pub(crate) limits: QuestionLimits,
    pub(crate) n_lines: usize,
    /// An interactive question does not wait for a bulk search.
    pub(crate) class: Class,
}

/// Everything one search needs.
pub(crate) struct SearchJob {
    pub(crate) game: Arc<ServedGame>,
    pub(crate) search_key: SearchKey,
    pub(crate) root: Arc<SearchRoot>,
    pub(crate) search: SharedSearch,
    /// The caller who started it.
    pub(crate) caller: CallerKey,
    pub(crate) meter: Arc<CostMeter>,
    pub(crate) in_flight: SingleFlight<SearchKey>,
    pub(crate) cache: AnswerCache,
    pub(crate) stored: Option<Arc<StoredAnswers>>,
    /// An estimate that took at least so long is stored.
    pub(crate) stored_estimate_min: Duration,
    pub(crate) observer: Arc<dyn Observer>,
    pub(crate) searchers: Arc<Searchers>,
    pub(crate) n_threads: usize,
    /// When the answer is due.
    pub(crate) due: Instant,
    /// The time of the search, if that counts from its start.
    pub(crate) search_time: Option<Duration>,
    /// Whether a caller's deadline made it due, rather than the time limit.
    pub(crate) is_deadline: bool,
}

impl SearchJob {
    /// Searches, publishes improvements, caches the answer and ends the flight.
    pub(crate) fn run(self, pool: &Pool) {
        let _running = self.game.begin_search();
        let metered = self.meter.begin(self.n_threads, self.game.ruleset.is_isolated());
        let mut span = self.search.trace.begin("search", &self.game.id);
        let started = Instant::now();
        let result = self.search(pool, started);
        // Before the caller can look at it.
        drop(metered);
        if let Some((cancelled_at, StopReason::Cancelled)) = self.search.cancel.cause() {
            self.observer.search_cancelled(&self.game.id, cancelled_at.elapsed());
        }
        let progress = match result {
            Ok(snapshot) => {
                let stop = snapshot.stop.unwrap_or(StopReason::Time);
                let Report { nodes, depth, .. } = snapshot.report;
                span.set("pentad.stop_reason", stop.as_str());
                span.set("pentad.nodes", i64::try_from(nodes).unwrap_or(i64::MAX));
                span.set("pentad.depth", i64::from(depth));
                self.observer.search_finished(&self.game.id, snapshot.took, nodes, stop);
                let kept = Arc::new(snapshot.for_cache());
                self.cache.put(self.search_key.key.clone(), kept.clone());
                if let Some(stored) = self.stored.as_ref().filter(|_| self.is_worth_storing(&kept)) {
                    stored.offer(&self.game, &self.root, &self.search_key, &kept);
                }
                Progress::Done(Arc::new(snapshot))
            }
            Err(error) => {
                if let CallError::Fault(fault) = &error {
                    span.fail(fault.kind.as_str());
                    let about = FaultContext { trace: &self.search.trace, position: &self.root.text };
                    self.observer.ruleset_faulted(&self.game.id, fault, about);
                } else {
                    span.fail("refused");
                }
                Progress::Failed(EngineError::from_call(&self.game.id, error))
            }
        };
        // Before the call that waits for it can end.
        drop(span);
        self.in_flight.remove(&self.search_key, &self.search);
        self.search.progress.send_replace(progress);
    }

    /// A proof, or an estimate that took long.
    fn is_worth_storing(&self, kept: &Snapshot) -> bool {
        let is_long = kept.stop == Some(StopReason::Proven) || kept.took >= self.stored_estimate_min;
        is_storable(&self.search_key) && is_long
    }

    fn search(&self, pool: &Pool, started: Instant) -> Result<Snapshot, CallError> {
        let CacheKey { variant, position, considered, .. } = &self.search_key.key;
        let root = Arc::new(RootMoves::find(&self.game.ruleset, *variant, position, considered.as_deref())?);
        let SearchEnd { due, is_cut, is_deadline } = self.fair_end(pool, started);
        // A search that may choose from all moves can prove things about the
        // position as a whole; of several lines, each should be another idea.
        let is_whole = considered.is_none() && self.search_key.n_lines == 1;
        let time = Some(due.saturating_duration_since(Instant::now()));
        let mut lease = self.searchers.lease(&self.game.ruleset, *variant, self.n_threads);
        let request = Request {
            limits: QuestionLimits { time, ..self.search_key.limits },
            n_lines: self.search_key.n_lines,
            seed: 0,
            root_moves: if is_whole { Vec::new() } else { root.representatives().cloned().collect() },
            threads: self.n_threads,
            memory_bytes: lease.memory_bytes(),
        };
        let callbacks = SearchCallbacks { job: self, root: &root, due, started, bad_line: Mutex::new(None) };
        let report = if self.game.ruleset.info().capabilities.search {
            lease.searcher(&self.game.ruleset, *variant)?.run(position, &request, &callbacks)?
        } else {
            self.game.ruleset.fallback_search(*variant, position, &request, &callbacks)?
        };
        if let Some(error) = callbacks.bad_line.into_inner().expect("nothing panics while it is locked") {
            return Err(error);
        }
        // After a failure its tables may be half written, and go.
        lease.keep();
        let stop = self.stop_reason(report.stop, is_cut, is_deadline);
        let report = check_lines(&self.game, *variant, position, &root, report)?;
        Ok(Snapshot { report, root, stop: Some(stop), n_lines: self.search_key.n_lines, took: started.elapsed() })
    }

    /// When this search should end so that those who wait get their share of
    /// the workers too. A bulk search has all of its time: whoever asks for so much at
    /// once can wait.
    fn fair_end(&self, pool: &Pool, started: Instant) -> SearchEnd {
        if let Some(time) = self.search_time {
            let due = self.due.min(started + time);
            return SearchEnd { due, is_cut: false, is_deadline: self.is_deadline && due == self.due };
        }
        let SearchJob { due, is_deadline, .. } = *self;
        let n_waiting = pool.n_competing(self.caller);
        if n_waiting == 0 {
            return SearchEnd { due, is_cut: false, is_deadline };
        }
        let n_workers = pool.n_workers();
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
    /// Others wait, so that is earlier than it could be.
    is_cut: bool,
    /// The caller's deadline decides, rather than the time limit.
    is_deadline: bool,
}

/// The callbacks of a running search: when to stop, and where reports go.
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
        let CacheKey { variant, position, .. } = &self.job.search_key.key;
        match check_lines(&self.job.game, *variant, position, self.root, report.clone()) {
            Ok(report) => {
                let snapshot = Snapshot {
                    report,
                    root: self.root.clone(),
                    stop: None,
                    n_lines: self.job.search_key.n_lines,
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

/// A legal move for a question whose time is up before its search has begun: the
/// first one that wins, or else the one with the best static evaluation, of those
/// looked at before `until`.
pub(crate) fn immediate_move(game: &ServedGame, key: &CacheKey, until: Instant) -> Result<Option<Snapshot>, CallError> {
    let rules = &game.ruleset;
    let mut first_move = None;
    let mut root_moves: Vec<String> = Vec::new();
    let wanted =
        |mv: &str| key.considered.as_ref().is_none_or(|moves| moves.binary_search_by(|it| it.as_str().cmp(mv)).is_ok());
    let _complete = rules.legal_moves(key.variant, &key.position, "", &mut |mv| {
        if wanted(mv) {
            first_move.get_or_insert_with(|| mv.to_owned());
            root_moves.push(mv.to_owned());
        }
        if Instant::now() < until || first_move.is_none() {
            std::ops::ControlFlow::Continue(())
        } else {
            std::ops::ControlFlow::Break(())
        }
    })?;
    let Some(first_move) = first_move else { return Ok(None) };
    let seat = rules.to_move(key.variant, &key.position)?;
    let n_seats = rules.variants()[key.variant].seats.len();
    let unknown = Evaluation {
        certainty: Certainty::Estimate,
        outcome: None,
        plies_to_end: None,
        scores: Scores::even(n_seats),
        source: Source::Static,
        depth: 0,
    };
    let mut best = (first_move, unknown, f64::NEG_INFINITY);
    for mv in root_moves {
        if Instant::now() >= until {
            break;
        }
        let next = rules.play_known(key.variant, &key.position, &mv)?;
        let ended = rules.scores(key.variant, &next)?;
        let scores = match ended {
            Some(scores) => scores,
            None if rules.info().capabilities.search => rules.evaluate(key.variant, &next)?.scores,
            None => unknown.scores,
        };
        if ended.is_some() && scores[seat] == 1.0 {
            best = (mv, won_at_once(scores, rules.variants()[key.variant].n_sides), 1.0);
            break;
        }
        if scores[seat] > best.2 {
            best = (mv, Evaluation { scores, depth: 1, ..unknown }, scores[seat]);
        }
    }
    let (mv, evaluation, _) = best;
    let report = Report {
        lines: vec![Line { moves: vec![mv], evaluation }],
        evaluation,
        depth: 0,
        nodes: 0,
        stop: Some(pentad_model::StopReason::Cancelled),
    };
    Ok(Some(Snapshot { report, root: Arc::default(), stop: None, n_lines: 1, took: Duration::ZERO }))
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

    /// With the time to look at every move, the one that wins is seen; without any
    /// time, a legal move is named all the same.
    #[test]
    fn a_move_is_named_at_once() {
        let dir = pentad_host::bundled_dir().expect("a running program has a path");
        let file = dir.join(format!("libruleset_pentago{}", std::env::consts::DLL_SUFFIX));
        let game = ServedGame::new(Ruleset::load(&file, None).expect("the plugin loads"));
        let position = game.ruleset.parse(0, "wwww2/6/bbbb2/6/6/6 w").expect("a position");
        let key = CacheKey { revision: game.revision, variant: 0, position, considered: None, level: 10 };
        let named = |until| immediate_move(&game, &key, until).expect("no fault").expect("a move").report;
        let best = named(Instant::now() + Duration::from_mins(10));
        assert_eq!((best.lines[0].moves[0].as_str(), best.evaluation.outcome), ("e1", Some(Wdl::Win)));
        let any = named(Instant::now());
        game.ruleset.play_known(0, &key.position, &any.lines[0].moves[0]).expect("a legal move");
        assert_eq!(any.evaluation.certainty, Certainty::Estimate);
    }
}
