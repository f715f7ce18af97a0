//! What a search owes its caller, whatever the game: [`Contract`].
//!
//! Limits are kept, a caller is asked and heard, answers repeat, lines can be
//! played. Whether what a search says is *true* is for the game's own tests,
//! which know the rules a second time.
//!
//! ```
//! use std::time::Duration;
//!
//! use pentad_sdk::Search;
//! use pentad_sdk::search::rng::Rng;
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

use pentad_search::rng::Rng;
use pentad_search::{Certainty, Control, Limits, NeverStop, Report, Request, StopReason, Wdl};

use super::{move_text, moves, play, text};
use crate::abilities::{Resources, Search};
use crate::ruleset::Ruleset;

/// Time passes by this much with each reading of the clock: about what a search
/// aims for, so that it neither speeds up nor slows down its polling.
const TICK: Duration = Duration::from_micros(300);
/// A search is stopped at this poll.
const STOPPED_AT_POLL: u32 = 300;
/// Polls and readings of the clock after the one that ended it, for each thread:
/// the stages of a search may each look once.
const AFTERWARDS_MAX: u32 = 8;
/// Positions between two polls, for each thread.
const NODES_PER_POLL_MAX: u64 = 512;

/// Stops after so many nodes.
pub fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// Stops after so many plies.
pub fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

/// A search of one variant, and the laws it has to keep. Each check panics with
/// the variant, the position and what was wrong; where it gives the report, the
/// game may ask more of it.
#[derive(Debug)]
pub struct Contract<'a, R: Ruleset, S> {
    rules: &'a R,
    variant: &'a str,
    memory_bytes: u64,
    fresh: Fresh<R, S>,
    ask: Ask<R, S>,
}

type Fresh<R, S> = fn(&R, Resources) -> S;
type Ask<R, S> = fn(
    &mut S,
    &R,
    &<R as Ruleset>::Position,
    &Request<<R as Ruleset>::Move>,
    &dyn Control<<R as Ruleset>::Move>,
) -> Report<<R as Ruleset>::Move>;

impl<'a, R: Search<Move: Debug + Send>> Contract<'a, R, R::Context> {
    /// Of the search that the host gets.
    pub fn of(rules: &'a R, variant: &'a str) -> Self {
        let fresh: Fresh<R, R::Context> =
            |rules, resources| rules.context(resources).unwrap_or_else(|refusal| panic!("{resources:?}: {refusal}"));
        Contract::new(rules, variant, fresh, |context, rules, position, request, control| {
            rules.search(context, position, request, control)
        })
    }
}

impl<'a, R: Ruleset<Move: Debug + Send>, S> Contract<'a, R, S> {
    /// Of a search beneath the one that the host gets.
    pub fn new(rules: &'a R, variant: &'a str, fresh: Fresh<R, S>, ask: Ask<R, S>) -> Self {
        Contract { rules, variant, memory_bytes: 16 << 20, fresh, ask }
    }

    /// With so much memory in every request, instead of 16 MiB.
    #[must_use]
    pub fn with_memory(self, memory_bytes: u64) -> Self {
        Contract { memory_bytes, ..self }
    }

    /// For one line, by one thread.
    pub fn request(&self, limits: Limits) -> Request<R::Move> {
        Request { memory_bytes: self.memory_bytes, ..Request::new(limits) }
    }

    /// The answer of a fresh searcher.
    pub fn ask(
        &self,
        position: &R::Position,
        request: &Request<R::Move>,
        control: &dyn Control<R::Move>,
    ) -> Report<R::Move> {
        let resources = Resources { memory_bytes: request.memory_bytes, threads: request.threads };
        (self.ask)(&mut (self.fresh)(self.rules, resources), self.rules, position, request, control)
    }

    /// The answer of a fresh searcher, to one thread that nobody stops.
    pub fn search(&self, position: &R::Position, limits: Limits, n_lines: usize) -> Report<R::Move> {
        self.ask(position, &Request { n_lines, ..self.request(limits) }, &NeverStop)
    }

    /// The same about some moves alone.
    #[track_caller]
    pub fn search_only(&self, position: &R::Position, limits: Limits, root_moves: &[&str]) -> Report<R::Move> {
        let parsed = root_moves.iter().map(|mv| self.rules.parse_move(position, mv));
        let root_moves = parsed.map(|mv| mv.unwrap_or_else(|refusal| panic!("{}: {refusal}", self.at(position))));
        self.ask(position, &Request { root_moves: root_moves.collect(), ..self.request(limits) }, &NeverStop)
    }

    /// What a fresh searcher answers to `request`, a used one answers to each of
    /// `again`, whatever it did before.
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
            let found = (self.ask)(used, self.rules, position, again, &NeverStop);
            assert_eq!(found, fresh, "{}: a used searcher answers {again:?} otherwise", self.at(position));
        }
    }

    /// So many nodes are not passed, by more than a first one, and end the
    /// search; even with none a legal move is named. For a position that so few
    /// nodes do not prove.
    #[track_caller]
    pub fn check_nodes(&self, position: &R::Position, n: u64) -> Report<R::Move> {
        let report = self.search(position, nodes(n), 1);
        assert!(report.nodes <= n.max(1), "{}: {} nodes of {n}", self.at(position), report.nodes);
        self.check_end(position, &report, StopReason::Nodes);
        report
    }

    /// So many plies are looked at, and end the search. For a position that so
    /// few plies do not prove.
    #[track_caller]
    pub fn check_depth(&self, position: &R::Position, plies: u32) -> Report<R::Move> {
        let report = self.search(position, depth(plies), 1);
        assert!(report.depth >= plies, "{}: {} plies of {plies}", self.at(position), report.depth);
        self.check_end(position, &report, StopReason::Depth);
        report
    }

    /// The time is kept and ends the search; even without any a legal move is
    /// named. For a position that so short a search does not prove. The clock is
    /// the test's own, so the machine's speed does not matter.
    #[track_caller]
    pub fn check_time(&self, position: &R::Position, time: Duration) -> Report<R::Move> {
        let control = TickingControl::new(u32::MAX);
        let request = self.request(Limits { time: Some(time), ..Limits::default() });
        let report = self.ask(position, &request, &control);
        self.check_end(position, &report, StopReason::Time);
        let n_in_time = (time.as_nanos() / TICK.as_nanos()) as u32;
        let n_late = control.n_readings.load(Ordering::Relaxed).saturating_sub(n_in_time);
        assert!(n_late <= AFTERWARDS_MAX, "{}: {n_late} readings of the clock after {time:?}", self.at(position));
        self.check_polls(position, &request, &report, control.n_polls.into_inner());
        report
    }

    /// A search polls often whether to stop, and stops when it should. The request
    /// has no limit that would end it before.
    #[track_caller]
    pub fn check_stop(&self, position: &R::Position, request: &Request<R::Move>) {
        let control = TickingControl::new(STOPPED_AT_POLL);
        let report = self.ask(position, request, &control);
        assert_eq!(report.stop, Some(StopReason::Cancelled), "{}", self.at(position));
        assert!(!report.lines.is_empty(), "{}: no move is named", self.at(position));
        let n_polls = control.n_polls.into_inner();
        let n_late = n_polls.saturating_sub(STOPPED_AT_POLL);
        let n_late_max = AFTERWARDS_MAX * request.threads as u32;
        assert!(n_late <= n_late_max, "{}: {n_late} polls after it was stopped", self.at(position));
        self.check_polls(position, request, &report, n_polls);
    }

    /// Told to stop before it begins, a search still names a legal move.
    #[track_caller]
    pub fn check_stop_at_once(&self, position: &R::Position) {
        let report = self.ask(position, &self.request(Limits::default()), &StopNow);
        self.check_end(position, &report, StopReason::Cancelled);
    }

    /// Lines are different legal moves, at most as many as asked for and at
    /// least one; each can be played to its end, which is no farther than the end
    /// of the game; wins come first and losses last; estimates are within 0 and 1.
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
            assert!(is_new, "{first:?} twice in {}", context());
            let mut at = position.clone();
            for mv in &line.moves {
                at = play(self.rules, &at, &move_text(self.rules, &at, mv));
            }
            if let Some(plies) = line.evaluation.plies_to_end {
                assert!(line.moves.len() <= plies as usize, "{line:?} is longer than the game in {}", context());
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

    /// Of two random moves asked about, each is considered and nothing else.
    #[track_caller]
    pub fn check_root_moves(&self, position: &R::Position, limits: Limits, rng: &mut Rng) {
        let legal = moves(self.rules, position);
        let root_moves: Vec<R::Move> = (0..2).map(|_| legal[rng.below(legal.len())].clone()).collect();
        let sorted = |mut texts: Vec<String>| {
            texts.sort_unstable();
            texts
        };
        let mut asked = sorted(root_moves.iter().map(|mv| move_text(self.rules, position, mv)).collect());
        asked.dedup();
        let request = Request { root_moves, n_lines: 2, ..self.request(limits) };
        let report = self.ask(position, &request, &NeverStop);
        let firsts = report.lines.iter().map(|line| move_text(self.rules, position, &line.moves[0]));
        assert_eq!(sorted(firsts.collect()), asked, "{}", self.at(position));
    }

    /// Reports come on the way, of no fewer plies and nodes than those before,
    /// each with lines and none as the last word. Gives them and the answer.
    #[track_caller]
    pub fn check_reports(&self, position: &R::Position, limits: Limits) -> (Vec<Report<R::Move>>, Report<R::Move>) {
        let hear = Hear(Mutex::default());
        let report = self.ask(position, &self.request(limits), &hear);
        let heard = hear.0.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        assert!(!heard.is_empty(), "{}: nothing is reported", self.at(position));
        for (at, on_the_way) in heard.iter().enumerate() {
            let is_open = on_the_way.stop.is_none() && !on_the_way.lines.is_empty();
            assert!(is_open, "{}: {on_the_way:?} on the way", self.at(position));
            let later = heard.get(at + 1).unwrap_or(&report);
            let grows = on_the_way.depth <= later.depth && on_the_way.nodes <= later.nodes;
            assert!(grows, "{}: {on_the_way:?} and then {later:?}", self.at(position));
        }
        (heard, report)
    }

    /// A game that is over has no lines and its result.
    #[track_caller]
    pub fn check_over(&self, position: &R::Position) -> Report<R::Move> {
        let outcome = self.rules.outcome(position).unwrap_or_else(|| panic!("{}: goes on", self.at(position)));
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

    /// So many polls are enough for so many nodes.
    #[track_caller]
    fn check_polls(&self, position: &R::Position, request: &Request<R::Move>, report: &Report<R::Move>, n_polls: u32) {
        let nodes_max = NODES_PER_POLL_MAX * (u64::from(n_polls) + request.threads as u64);
        assert!(report.nodes <= nodes_max, "{}: {n_polls} polls in {} nodes", self.at(position), report.nodes);
    }

    fn at(&self, position: &R::Position) -> String {
        format!("{} {}", self.variant, text(self.rules, position))
    }
}

/// Stops a search at a given poll. Its clock moves by [`TICK`] with each reading.
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

/// Stops before anything was done.
struct StopNow;

impl<M> Control<M> for StopNow {
    fn should_stop(&self) -> bool {
        true
    }
    fn report(&self, _: &Report<M>) {}
}

/// Keeps what is reported.
struct Hear<M>(Mutex<Vec<Report<M>>>);

impl<M: Clone + Send> Control<M> for Hear<M> {
    fn should_stop(&self) -> bool {
        false
    }
    fn report(&self, report: &Report<M>) {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(report.clone());
    }
}
