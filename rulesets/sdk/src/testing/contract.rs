//! The contract of every search with its caller: [`Contract`].
//!
//! Limits are kept, `should_stop` is polled and honoured, results are
//! reproducible, and lines can be played. Whether a result is *correct* is checked by
//! the game's own tests, which have a reference implementation.
//!
//! ```
//! use std::time::Duration;
//!
//! use pentad_sdk::Search;
//! use pentad_sdk::rng::Rng;
//! use pentad_sdk::testing::contract::{Contract, nodes};
//!
//! fn keeps_its_contract<G: Search<Move: std::fmt::Debug + Send>>(game: &G, variant: &str, early: &G::Position) {
//!     let contract = Contract::of(game, variant);
//!     contract.check_nodes(early, 1_000);
//!     contract.check_time(early, Duration::from_millis(30));
//!     contract.check_stop(early, &contract.request(Default::default()));
//!     contract.check_root_moves(early, nodes(1_000), &mut Rng::new(1));
//!     let report = contract.check_lines(early, nodes(1_000), 5);
//!     assert_eq!(report.lines.len(), 5);
//! }
//! ```

use std::fmt::Debug;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use pentad_model::rng::Rng;
use pentad_model::{Certainty, Control, Limits, NeverStop, Report, Request, StopReason, Wdl};

use super::{move_text, moves, play, text};
use crate::abilities::{Resources, Search};
use crate::ruleset::Ruleset;

/// Advance of the test clock with each reading: about the interval between polls that a
/// search aims for, so that it does not adapt its polling.
const TICK: Duration = Duration::from_micros(300);
/// The poll at which a search is cancelled.
const STOPPED_AT_POLL: u32 = 300;
/// Maximum polls and clock readings per thread after the one that ended the search: each
/// stage of a search may poll once more.
const POLLS_AFTER_STOP_MAX: u32 = 8;
/// Maximum nodes between two polls, per thread.
const NODES_PER_POLL_MAX: u64 = 512;

/// Limits a search by nodes alone.
pub fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// Limits a search by depth alone, in plies.
pub fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

/// The search of one variant, and the checks of its contract. Each check panics with the
/// variant, the position and the violation; some return the report for more assertions.
#[derive(Debug)]
pub struct Contract<'a, R: Ruleset, S> {
    rules: &'a R,
    variant: &'a str,
    memory_bytes: u64,
    new_searcher: NewSearcher<R, S>,
    run: RunSearch<R, S>,
}

type NewSearcher<R, S> = fn(&R, Resources) -> S;
type RunSearch<R, S> = fn(
    &mut S,
    &R,
    &<R as Ruleset>::Position,
    &Request<<R as Ruleset>::Move>,
    &dyn Control<<R as Ruleset>::Move>,
) -> Report<<R as Ruleset>::Move>;

impl<'a, R: Search<Move: Debug + Send>> Contract<'a, R, R::Context> {
    /// Creates the contract of the search that the host calls.
    pub fn of(rules: &'a R, variant: &'a str) -> Self {
        let new_searcher: NewSearcher<R, R::Context> =
            |rules, resources| rules.context(resources).unwrap_or_else(|refusal| panic!("{resources:?}: {refusal}"));
        Contract::new(rules, variant, new_searcher, |context, rules, position, request, control| {
            rules.search(context, position, request, control)
        })
    }
}

impl<'a, R: Ruleset<Move: Debug + Send>, S> Contract<'a, R, S> {
    /// Creates the contract of an internal search, which the host does not call directly.
    pub fn new(rules: &'a R, variant: &'a str, new_searcher: NewSearcher<R, S>, run: RunSearch<R, S>) -> Self {
        Contract { rules, variant, memory_bytes: 16 << 20, new_searcher, run }
    }

    /// Sets the memory of every request, instead of 16 MiB.
    #[must_use]
    pub fn with_memory(self, memory_bytes: u64) -> Self {
        Contract { memory_bytes, ..self }
    }

    /// Creates a request for one line, by one thread.
    pub fn request(&self, limits: Limits) -> Request<R::Move> {
        Request { memory_bytes: self.memory_bytes, ..Request::new(limits) }
    }

    /// Searches with a new searcher.
    pub fn ask(
        &self,
        position: &R::Position,
        request: &Request<R::Move>,
        control: &dyn Control<R::Move>,
    ) -> Report<R::Move> {
        let resources = Resources { memory_bytes: request.memory_bytes, threads: request.threads };
        (self.run)(&mut (self.new_searcher)(self.rules, resources), self.rules, position, request, control)
    }

    /// Searches with a new searcher and one thread, never cancelled.
    pub fn search(&self, position: &R::Position, limits: Limits, n_lines: usize) -> Report<R::Move> {
        self.ask(position, &Request { n_lines, ..self.request(limits) }, &NeverStop)
    }

    /// Searches as [`search`](Self::search) does, restricted to these root moves.
    #[track_caller]
    pub fn search_only(&self, position: &R::Position, limits: Limits, root_moves: &[&str]) -> Report<R::Move> {
        let parsed = root_moves.iter().map(|mv| self.rules.parse_move(position, mv));
        let root_moves = parsed.map(|mv| mv.unwrap_or_else(|refusal| panic!("{}: {refusal}", self.at(position))));
        self.ask(position, &Request { root_moves: root_moves.collect(), ..self.request(limits) }, &NeverStop)
    }

    /// Checks that the score of each estimated line differs by at most `tolerance` from
    /// that of its move searched alone, for its share of the nodes. Returns how many were
    /// compared.
    #[track_caller]
    pub fn check_lines_alone(&self, position: &R::Position, n_nodes: u64, n_lines: usize, tolerance: f64) -> usize {
        let seat = self.rules.to_move(position);
        let report = self.search(position, nodes(n_nodes), n_lines);
        let share = self.request(nodes(n_nodes / n_lines as u64));
        let estimates = report.lines.iter().filter(|line| line.evaluation.certainty == Certainty::Estimate);
        let mut n_compared = 0;
        for line in estimates {
            let request = Request { root_moves: vec![line.moves[0].clone()], ..share.clone() };
            let alone = self.ask(position, &request, &NeverStop).lines[0].evaluation;
            if alone.certainty == Certainty::Proven {
                continue;
            }
            let (shown, alone) = (line.evaluation.scores[seat], alone.scores[seat]);
            assert!(
                (shown - alone).abs() <= tolerance,
                "{}: {:?} at {shown:.3}, alone {alone:.3}",
                self.at(position),
                line.moves[0]
            );
            n_compared += 1;
        }
        n_compared
    }

    /// Checks that a used searcher reports for each of `again` what a new one reports for
    /// `request`, whatever it searched before.
    #[track_caller]
    pub fn check_repeats(
        &self,
        used: &mut S,
        position: &R::Position,
        request: &Request<R::Move>,
        again: &[&Request<R::Move>],
    ) {
        let fresh = self.ask(position, request, &NeverStop);
        for again in again {
            let found = (self.run)(used, self.rules, position, again, &NeverStop);
            assert_eq!(found, fresh, "{}: a used searcher gives another report for {again:?}", self.at(position));
        }
    }

    /// Checks that the node limit ends the search and is not exceeded (a limit of 0
    /// counts as 1), and that there is a legal move even then. For a position that is not
    /// proven within `n` nodes.
    #[track_caller]
    pub fn check_nodes(&self, position: &R::Position, n: u64) -> Report<R::Move> {
        let report = self.search(position, nodes(n), 1);
        assert!(report.nodes <= n.max(1), "{}: {} nodes of {n}", self.at(position), report.nodes);
        self.check_end(position, &report, StopReason::Nodes);
        report
    }

    /// Checks that the depth limit ends the search and is reached. For a position that is
    /// not proven within `plies`.
    #[track_caller]
    pub fn check_depth(&self, position: &R::Position, plies: u32) -> Report<R::Move> {
        let report = self.search(position, depth(plies), 1);
        assert!(report.depth >= plies, "{}: {} plies of {plies}", self.at(position), report.depth);
        self.check_end(position, &report, StopReason::Depth);
        report
    }

    /// Checks that the time limit ends the search and is kept, and that there is a legal
    /// move even without any time. For a position that is not proven within `time`. The
    /// clock is the test's own, so the machine's speed does not matter.
    #[track_caller]
    pub fn check_time(&self, position: &R::Position, time: Duration) -> Report<R::Move> {
        let control = TickingControl::new(u32::MAX);
        let request = self.request(Limits { time: Some(time), ..Limits::default() });
        let report = self.ask(position, &request, &control);
        self.check_end(position, &report, StopReason::Time);
        let n_within_limit = (time.as_nanos() / TICK.as_nanos()) as u32;
        let n_late = control.n_readings.load(Ordering::Relaxed).saturating_sub(n_within_limit);
        assert!(
            n_late <= POLLS_AFTER_STOP_MAX,
            "{}: {n_late} clock readings after the limit of {time:?}",
            self.at(position)
        );
        self.check_polls(position, &request, &report, control.n_polls.into_inner());
        report
    }

    /// Checks that a search polls `should_stop` often and ends when it returns true. The
    /// request must have no limit that ends it before.
    #[track_caller]
    pub fn check_stop(&self, position: &R::Position, request: &Request<R::Move>) {
        let control = TickingControl::new(STOPPED_AT_POLL);
        let report = self.ask(position, request, &control);
        assert_eq!(report.stop, Some(StopReason::Cancelled), "{}", self.at(position));
        assert!(!report.lines.is_empty(), "{}: no lines", self.at(position));
        let n_polls = control.n_polls.into_inner();
        let n_late = n_polls.saturating_sub(STOPPED_AT_POLL);
        let n_late_max = POLLS_AFTER_STOP_MAX * request.threads as u32;
        assert!(n_late <= n_late_max, "{}: {n_late} polls after it was cancelled", self.at(position));
        self.check_polls(position, request, &report, n_polls);
    }

    /// Checks that a search that is cancelled before it begins still reports a legal
    /// move.
    #[track_caller]
    pub fn check_stop_at_once(&self, position: &R::Position) {
        let report = self.ask(position, &self.request(Limits::default()), &StopImmediately);
        self.check_end(position, &report, StopReason::Cancelled);
    }

    /// Checks that there is at least one line and at most `n_lines`; that they begin with
    /// different legal moves, can be played to their ends and are not longer than
    /// `plies_to_end`; that wins come first and losses last; and that the scores of
    /// estimates are strictly between 0 and 1.
    #[track_caller]
    pub fn check_lines(&self, position: &R::Position, limits: Limits, n_lines: usize) -> Report<R::Move> {
        let report = self.search(position, limits, n_lines);
        let context = || format!("{}: {report:?}", self.at(position));
        let legal = moves(self.rules, position);
        assert!((1..=n_lines.min(legal.len())).contains(&report.lines.len()), "number of lines in {}", context());
        for (idx, line) in report.lines.iter().enumerate() {
            let first = &line.moves[0];
            assert!(legal.contains(first), "{first:?} is not legal in {}", context());
            let is_new = report.lines[..idx].iter().all(|before| before.moves[0] != *first);
            assert!(is_new, "two lines for {first:?} in {}", context());
            let mut at = position.clone();
            for mv in &line.moves {
                at = play(self.rules, &at, &move_text(self.rules, &at, mv));
            }
            if let Some(plies) = line.evaluation.plies_to_end {
                assert!(
                    line.moves.len() <= plies as usize,
                    "{line:?} is longer than its plies_to_end in {}",
                    context()
                );
            }
            if line.evaluation.certainty == Certainty::Estimate {
                let is_within = |&score: &f64| score > 0.0 && score < 1.0;
                let scores = line.evaluation.scores;
                assert!(scores.as_slice().iter().all(is_within), "an estimate of {scores:?} in {}", context());
            }
        }
        let class = |outcome: Option<Wdl>| outcome.unwrap_or(Wdl::Draw);
        let classes: Vec<Wdl> = report.lines.iter().map(|line| class(line.evaluation.outcome)).collect();
        assert!(classes.is_sorted_by(|one, next| one >= next), "order of lines in {}", context());
        report
    }

    /// Checks that a search restricted to two random root moves reports both and no
    /// other.
    #[track_caller]
    pub fn check_root_moves(&self, position: &R::Position, limits: Limits, rng: &mut Rng) {
        let legal = moves(self.rules, position);
        let root_moves: Vec<R::Move> = (0..2).map(|_| legal[rng.below(legal.len())].clone()).collect();
        let sorted = |mut texts: Vec<String>| {
            texts.sort_unstable();
            texts
        };
        let mut expected = sorted(root_moves.iter().map(|mv| move_text(self.rules, position, mv)).collect());
        expected.dedup();
        let request = Request { root_moves, n_lines: 2, ..self.request(limits) };
        let report = self.ask(position, &request, &NeverStop);
        let firsts = report.lines.iter().map(|line| move_text(self.rules, position, &line.moves[0]));
        assert_eq!(sorted(firsts.collect()), expected, "{}", self.at(position));
    }

    /// Checks that there are intermediate reports, with lines and without a stop reason,
    /// whose depth and nodes never decrease. Returns them and the final report.
    #[track_caller]
    pub fn check_reports(&self, position: &R::Position, limits: Limits) -> (Vec<Report<R::Move>>, Report<R::Move>) {
        let collector = ReportCollector(Mutex::default());
        let final_report = self.ask(position, &self.request(limits), &collector);
        let reports = collector.0.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        assert!(!reports.is_empty(), "{}: no intermediate report", self.at(position));
        for (at, report) in reports.iter().enumerate() {
            let is_intermediate = report.stop.is_none() && !report.lines.is_empty();
            assert!(is_intermediate, "{}: {report:?} before the final report", self.at(position));
            let next = reports.get(at + 1).unwrap_or(&final_report);
            let is_monotonic = report.depth <= next.depth && report.nodes <= next.nodes;
            assert!(is_monotonic, "{}: {report:?}, followed by {next:?}", self.at(position));
        }
        (reports, final_report)
    }

    /// Checks that the report of a finished game has its outcome and no lines.
    #[track_caller]
    pub fn check_over(&self, position: &R::Position) -> Report<R::Move> {
        let outcome = self.rules.outcome(position).unwrap_or_else(|| panic!("{}: not finished", self.at(position)));
        let report = self.search(position, Limits::default(), 1);
        assert!(report.lines.is_empty(), "{}: {:?}", self.at(position), report.lines);
        assert_eq!(report.stop, Some(StopReason::Proven), "{}", self.at(position));
        assert_eq!(report.evaluation.certainty, Certainty::Proven, "{}", self.at(position));
        assert_eq!(report.evaluation.scores, outcome.scores, "{}", self.at(position));
        report
    }

    #[track_caller]
    fn check_end(&self, position: &R::Position, report: &Report<R::Move>, stop: StopReason) {
        assert_eq!(report.stop, Some(stop), "{}", self.at(position));
        assert_eq!(report.lines.len(), 1, "{}: number of lines", self.at(position));
        let first = &report.lines[0].moves[0];
        assert!(moves(self.rules, position).contains(first), "{}: {first:?} is not legal", self.at(position));
    }

    /// Checks that the number of polls is sufficient for the number of nodes.
    #[track_caller]
    fn check_polls(&self, position: &R::Position, request: &Request<R::Move>, report: &Report<R::Move>, n_polls: u32) {
        let nodes_max = NODES_PER_POLL_MAX * (u64::from(n_polls) + request.threads as u64);
        assert!(report.nodes <= nodes_max, "{}: {n_polls} polls in {} nodes", self.at(position), report.nodes);
    }

    fn at(&self, position: &R::Position) -> String {
        format!("{} {}", self.variant, text(self.rules, position))
    }
}

/// Cancels a search at a given poll. Its clock advances by [`TICK`] with each
/// reading.
struct TickingControl {
    begin: Instant,
    stop_at_poll: u32,
    n_polls: AtomicU32,
    n_readings: AtomicU32,
}

impl TickingControl {
    fn new(stop_at_poll: u32) -> Self {
        let [n_polls, n_readings] = [const { AtomicU32::new(0) }; 2];
        TickingControl { begin: Instant::now(), stop_at_poll, n_polls, n_readings }
    }
}

impl<M> Control<M> for TickingControl {
    fn should_stop(&self) -> bool {
        self.n_polls.fetch_add(1, Ordering::Relaxed) + 1 >= self.stop_at_poll
    }
    fn report(&self, _: &Report<M>) {}
    fn now(&self) -> Instant {
        self.begin + TICK * self.n_readings.fetch_add(1, Ordering::Relaxed)
    }
}

/// Cancels a search at its first poll.
struct StopImmediately;

impl<M> Control<M> for StopImmediately {
    fn should_stop(&self) -> bool {
        true
    }
    fn report(&self, _: &Report<M>) {}
}

/// Collects the intermediate reports.
struct ReportCollector<M>(Mutex<Vec<Report<M>>>);

impl<M: Clone + Send> Control<M> for ReportCollector<M> {
    fn should_stop(&self) -> bool {
        false
    }
    fn report(&self, report: &Report<M>) {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(report.clone());
    }
}
