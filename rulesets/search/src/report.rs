//! What a search is asked and what it answers.

use std::fmt;
use std::time::{Duration, Instant};

/// The most seats that a game may have.
pub const SEATS_MAX: usize = 8;

/// Expected score of every seat, 0 to 1, in playing order.
#[derive(Clone, Copy, PartialEq)]
pub struct Scores {
    n_seats: u8,
    values: [f64; SEATS_MAX],
}

impl Scores {
    /// Scores from one value per seat.
    ///
    /// # Panics
    /// If there are more than [`SEATS_MAX`] values.
    pub fn new(values: &[f64]) -> Self {
        assert!(values.len() <= SEATS_MAX, "{} seats, at most {SEATS_MAX}", values.len());
        let mut scores = Scores { n_seats: values.len() as u8, values: [0.0; SEATS_MAX] };
        scores.values[..values.len()].copy_from_slice(values);
        scores
    }

    /// Every seat gets the same: `1 / n_seats`.
    pub fn even(n_seats: usize) -> Self {
        Scores::new(&[1.0 / n_seats as f64; SEATS_MAX][..n_seats])
    }

    /// Of a game for two: `score` for `seat`, and the rest for the other.
    ///
    /// # Panics
    /// If there is no such seat.
    pub fn pair(seat: usize, score: f64) -> Self {
        let mut scores = [1.0 - score; 2];
        scores[seat] = score;
        Scores::new(&scores)
    }

    /// Kept away from 0 and 1, as [`estimated`] does.
    #[must_use]
    pub fn estimated(mut self) -> Self {
        self.as_mut_slice().iter_mut().for_each(|score| *score = estimated(*score));
        self
    }

    /// One value per seat.
    pub fn as_slice(&self) -> &[f64] {
        &self.values[..usize::from(self.n_seats)]
    }

    /// One value per seat, to change.
    pub fn as_mut_slice(&mut self) -> &mut [f64] {
        &mut self.values[..usize::from(self.n_seats)]
    }
}

impl std::ops::Index<usize> for Scores {
    type Output = f64;
    fn index(&self, seat: usize) -> &f64 {
        &self.as_slice()[seat]
    }
}

impl fmt::Debug for Scores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

/// Keeps an estimated score away from 0 and 1, which are for proofs.
pub fn estimated(score: f64) -> f64 {
    score.clamp(0.0001, 0.9999)
}

/// Whether a value is a fact or a guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Certainty {
    /// True under the rules, whatever the opponents do. With more than two
    /// sides: if everybody plays for their own score, and however they choose
    /// where that leaves them a choice.
    Proven,
    /// The best guess within the limits.
    Estimate,
}

/// Win, draw or loss for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wdl {
    /// The side to move loses.
    Loss,
    /// Nobody wins.
    Draw,
    /// The side to move wins.
    Win,
}

impl Wdl {
    /// By the final score of the side to move.
    pub fn of_score(score: f64) -> Self {
        if score > 0.5 {
            Wdl::Win
        } else if score < 0.5 {
            Wdl::Loss
        } else {
            Wdl::Draw
        }
    }

    /// The same result for the other side.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Wdl::Win => Wdl::Loss,
            Wdl::Draw => Wdl::Draw,
            Wdl::Loss => Wdl::Win,
        }
    }
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The game is over.
    Terminal,
    /// A table of exact opening values.
    Book,
    /// An exact solver.
    Solver,
    /// A search.
    Search,
    /// The evaluation of the position as it stands.
    Static,
}

/// What a position or move is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation {
    /// Fact or guess.
    pub certainty: Certainty,
    /// For the side to move **at the root**, where the game has two sides and
    /// the value is proven.
    pub outcome: Option<Wdl>,
    /// Plies from the root to the end of the game with best play, where known.
    pub plies_to_end: Option<u32>,
    /// Expected score per seat.
    pub scores: Scores,
    /// Where the value comes from.
    pub source: Source,
    /// Plies looked ahead.
    pub depth: u32,
}

impl Evaluation {
    /// A position as it stands, without a search.
    pub fn static_estimate(scores: Scores) -> Self {
        Evaluation {
            certainty: Certainty::Estimate,
            outcome: None,
            plies_to_end: None,
            scores,
            source: Source::Static,
            depth: 0,
        }
    }

    /// A finished game, with the outcome for the side to move if there are two sides.
    pub fn terminal(scores: Scores, outcome: Option<Wdl>) -> Self {
        Evaluation {
            certainty: Certainty::Proven,
            outcome,
            plies_to_end: Some(0),
            source: Source::Terminal,
            ..Evaluation::static_estimate(scores)
        }
    }

    /// The value of the best move where a better one may exist.
    #[must_use]
    pub fn as_estimate(self) -> Self {
        Evaluation {
            certainty: Certainty::Estimate,
            outcome: None,
            plies_to_end: None,
            scores: self.scores.estimated(),
            ..self
        }
    }
}

/// When a search stops; the first to trip does it. With none set it runs
/// until it has proven the value or is told to stop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Positions visited, over all threads.
    pub nodes: Option<u64>,
    /// Plies looked ahead.
    pub depth: Option<u32>,
}

impl Limits {
    /// When the time of a search that began then is up.
    pub fn deadline(&self, begin: Instant) -> Option<Instant> {
        self.time.and_then(|time| begin.checked_add(time))
    }
}

/// One question to a search.
#[derive(Clone, Debug)]
pub struct Request<M> {
    /// When to stop.
    pub limits: Limits,
    /// How many different moves to value, at least 1. Fewer are reported
    /// where fewer are legal.
    pub n_lines: usize,
    /// Seeds every random choice.
    pub seed: u64,
    /// Only these moves are considered at the root, all of them legal; empty
    /// means all.
    pub root_moves: Vec<M>,
    /// Worker threads, at least 1.
    pub threads: usize,
    /// Bound on the memory of tables and trees.
    pub memory_bytes: u64,
}

impl<M> Request<M> {
    /// One line, one thread, 16 MiB, within `limits`.
    pub fn new(limits: Limits) -> Self {
        Request { limits, n_lines: 1, seed: 0, root_moves: Vec::new(), threads: 1, memory_bytes: 16 << 20 }
    }

    /// The same request with its memory held within a bound of the search's own.
    #[must_use]
    pub fn with_memory_max(&self, bytes_max: u64) -> Self
    where
        M: Clone,
    {
        Request { memory_bytes: self.memory_bytes.min(bytes_max), ..self.clone() }
    }

    /// Whether only the clock and the caller end the search, so that its result may
    /// depend on timing.
    pub fn is_limited_by_time(&self) -> bool {
        self.limits.nodes.is_none() && self.limits.depth.is_none()
    }
}

/// A move with its value and the play expected to follow.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<M> {
    /// The move first, then the expected replies. Never empty. For staged
    /// games these are steps, several of which make one turn.
    pub moves: Vec<M>,
    /// What the move is worth.
    pub evaluation: Evaluation,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// The values asked for are proven: more search would change nothing.
    Proven,
    /// The time limit.
    Time,
    /// The node limit.
    Nodes,
    /// The depth limit.
    Depth,
    /// [`Control::should_stop`] said so.
    Cancelled,
}

/// What a search has found so far, or in the end.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M> {
    /// Best first. Never empty: even a search stopped at once names a legal
    /// move.
    pub lines: Vec<Line<M>>,
    /// The value of the position, if no other moves than those considered at
    /// the root were legal.
    pub evaluation: Evaluation,
    /// Plies completed.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Why it ended; `None` in a report made on the way.
    pub stop: Option<StopReason>,
}

/// The caller's side of a running search.
pub trait Control<M>: Sync {
    /// Asked at least every 5 ms by every thread; once true it stays true.
    fn should_stop(&self) -> bool;
    /// Told of each improvement, on the thread that called the search.
    fn report(&self, report: &Report<M>);
    /// The clock that [`Limits::time`] is measured by: a search reads no other,
    /// so a test that brings its own decides how fast time passes. A control
    /// that wraps another hands this on.
    fn now(&self) -> Instant {
        Instant::now()
    }
}

/// Passes the reports of a search on to another control, each corrected by a
/// function.
pub struct CorrectedReports<'a, M, F> {
    inner: &'a dyn Control<M>,
    correct: F,
}

impl<'a, M, F: Fn(Report<M>) -> Report<M> + Sync> CorrectedReports<'a, M, F> {
    /// Reports go to `inner`, which also decides when the search stops.
    pub fn new(inner: &'a dyn Control<M>, correct: F) -> Self {
        CorrectedReports { inner, correct }
    }
}

impl<M: Clone, F: Fn(Report<M>) -> Report<M> + Sync> Control<M> for CorrectedReports<'_, M, F> {
    fn should_stop(&self) -> bool {
        self.inner.should_stop()
    }
    fn report(&self, report: &Report<M>) {
        self.inner.report(&(self.correct)(report.clone()));
    }
    fn now(&self) -> Instant {
        self.inner.now()
    }
}

impl<M, F> fmt::Debug for CorrectedReports<'_, M, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CorrectedReports").finish_non_exhaustive()
    }
}

/// Lets a search run to its limits, unheard.
#[derive(Clone, Copy, Debug, Default)]
pub struct NeverStop;

impl<M> Control<M> for NeverStop {
    fn should_stop(&self) -> bool {
        false
    }
    fn report(&self, _: &Report<M>) {}
}
