//! The search for two players: alpha-beta with proofs, made for the game.
//!
//! A turn is searched as one move, of the `candidates` that matter; the
//! rest of the thousands differ in nothing but where a block lies idle. What is
//! certain comes from elsewhere: `settle` knows the last turns of a game
//! exactly, and before a position is called lost, all kinds of moves in it
//! have been tried. So a proof never rests on a move left out, nor on a
//! position that repeats, which counts as an even estimate.
//!
//! | module | what it holds |
//! | --- | --- |
//! | `node` | one position |
//! | `root` | ranking and reports |
//! | `table`, `value` | what is known, and what values mean |
//!
//! One thread does all of it. The answer depends on nothing but the question
//! where nodes or depth are limited.

mod node;
pub(crate) mod root;
mod table;
mod value;

use pentad_sdk::search::Limiter;
use pentad_sdk::search::primitives::{INFINITE, WIN, Window, is_loss, is_win};
use pentad_sdk::{Certainty, Control, Evaluation, Report, Request, Source, StopReason, Wdl};

use crate::candidates::Considered;
use crate::moves::Move;
use crate::position::Position;
use crate::race::Race;
use crate::ruleset::final_scores;
use crate::settle::{Rescue, Settled};
use node::Worker;
use root::{RootMove, Summary, rank, report};
use table::Table;
use value::{bound_for_child, seen_from_parent};

/// No search looks deeper.
const DEPTH_MAX: u32 = 60;

/// Runs searches one after the other in the same memory.
///
/// A search never sees what an earlier one found, so its answer does not
/// depend on those before.
#[derive(Debug, Default)]
pub struct PairSearch {
    table: Table,
}

impl PairSearch {
    /// Owns no memory until its first search, which takes what its request
    /// allows.
    pub fn new() -> Self {
        PairSearch::default()
    }

    /// Searches one position of a game for two.
    ///
    /// A position that is over gets a report without lines, with the final
    /// scores, stopped as proven. A depth beyond 60 is 60.
    pub fn search(
        &mut self,
        position: &Position,
        request: &Request<Move>,
        control: &dyn Control<Move>,
    ) -> Report<Move> {
        let mut limiter = Limiter::new(control, request.limits.deadline(control.now()));
        limiter.set_quota(request.limits.nodes.unwrap_or(u64::MAX));
        if position.is_over() {
            return finished(position);
        }
        self.table.reset(request.memory_bytes);
        let worker = Worker::new(&mut self.table, limiter);
        Root::new(worker, position, request).run(request, control)
    }
}

/// The root of one search.
struct Root<'a> {
    worker: Worker<'a>,
    position: &'a Position,
    moves: Vec<RootMove>,
    n_lines: usize,
    /// Every move asked about is accounted for: nothing is better than the best.
    is_complete: bool,
    /// Other moves than those named are not asked about.
    is_limited: bool,
}

impl<'a> Root<'a> {
    fn new(mut worker: Worker<'a>, position: &'a Position, request: &Request<Move>) -> Self {
        let n_lines = request.n_lines.max(1);
        let considered = Considered::of(position, request);
        let mut moves = Vec::new();
        for mv in &considered.moves {
            if !worker.visit() && !moves.is_empty() {
                break;
            }
            moves.push(RootMove::new(position, *mv));
        }
        let is_all = considered.is_all && moves.len() == considered.moves.len();
        // Nothing beats what a last turn decides, nor moves that are not asked for.
        let is_last = matches!(position.settled(&Race::of(position).ways), Some(Settled::Draw(_) | Settled::Loss));
        let is_limited = !request.root_moves.is_empty();
        Root { worker, position, moves, n_lines, is_complete: is_all || (is_last && !is_limited), is_limited }
    }

    fn run(mut self, request: &Request<Move>, control: &dyn Control<Move>) -> Report<Move> {
        let depth_max = request.limits.depth.unwrap_or(DEPTH_MAX).clamp(1, DEPTH_MAX);
        rank(&mut self.moves);
        let mut depth = 0;
        let stop = loop {
            if depth == depth_max {
                break StopReason::Depth;
            }
            self.iterate(depth as i32 + 1);
            if let Some(stop) = self.worker.limiter.stop() {
                break stop;
            }
            depth += 1;
            self.look_for_rescue();
            if self.all_proven() {
                break StopReason::Proven;
            }
            control.report(&self.report(depth, None));
        };
        self.report(depth, Some(stop))
    }

    /// Values the moves to a depth, in the order of their ranks. Those that are
    /// no better than the lines wanted are only shown to be so.
    fn iterate(&mut self, depth: i32) {
        let mut values: Vec<i32> = Vec::with_capacity(self.moves.len());
        self.worker.path.clear();
        self.worker.path.push(self.position.key());
        let mut n_done = 0;
        for at in 0..self.moves.len() {
            if self.moves[at].is_proven() && self.moves[at].depth > 0 {
                values.push(self.moves[at].value);
                n_done += 1;
                continue;
            }
            values.sort_unstable_by_key(|&value| std::cmp::Reverse(value));
            let bound = values.get(self.n_lines - 1).copied().unwrap_or(-INFINITE);
            let next = self.moves[at].next;
            let value = self.value(&next, bound, depth, at);
            if self.worker.limiter.stopped() {
                break;
            }
            let entry = &mut self.moves[at];
            entry.is_valued = value > bound;
            if entry.is_valued || is_loss(value) {
                entry.value = if entry.is_draw { 0 } else { value };
                entry.depth = depth as u32;
                values.push(entry.value);
            }
            n_done += 1;
        }
        // An iteration that did not get beyond its first moves says nothing
        // about the others: they keep their places.
        if n_done == self.moves.len() || n_done > self.n_lines {
            self.moves[n_done..].iter_mut().for_each(|mv| mv.is_valued = false);
            rank(&mut self.moves);
        }
    }

    fn value(&mut self, next: &Position, bound: i32, depth: i32, n_tried: usize) -> i32 {
        let window =
            |alpha: i32, beta: i32, depth| Window { alpha: bound_for_child(beta), beta: bound_for_child(alpha), depth };
        if bound > -INFINITE {
            let less = if depth >= 3 { i32::from(n_tried >= 8) + i32::from(n_tried >= 40) } else { 0 };
            let mut value = seen_from_parent(self.worker.node(next, window(bound, bound + 1, depth - 1 - less)));
            if value > bound && less > 0 {
                value = seen_from_parent(self.worker.node(next, window(bound, bound + 1, depth - 1)));
            }
            if value <= bound {
                return value;
            }
        }
        seen_from_parent(self.worker.node(next, window(bound, INFINITE, depth - 1)))
    }

    /// If every move considered loses, tries all kinds of others.
    fn look_for_rescue(&mut self) {
        if self.is_complete || self.is_limited || !self.moves.iter().all(|mv| is_loss(mv.value)) {
            return;
        }
        match self.worker.rescue(self.position) {
            Rescue::None(_) => self.is_complete = true,
            Rescue::By(mv) if !self.moves.iter().any(|known| known.mv == mv) => {
                self.moves.insert(0, RootMove::new(self.position, mv));
            }
            Rescue::By(_) | Rescue::Unknown => {}
        }
    }

    /// Whether more search could change neither the lines nor their values. The
    /// moves are ranked.
    fn all_proven(&self) -> bool {
        let n_lines = self.n_lines.min(self.moves.len());
        let last = &self.moves[n_lines - 1];
        self.moves[..n_lines].iter().all(RootMove::is_proven)
            && (is_win(last.value) || self.is_complete && self.moves.iter().all(RootMove::is_proven))
    }

    fn report(&self, depth: u32, stop: Option<StopReason>) -> Report<Move> {
        let is_certain = self.is_complete && self.moves.iter().all(RootMove::is_proven);
        let summary = Summary { n_lines: self.n_lines, depth, is_certain, stop };
        report(&self.worker, self.position, &self.moves, &summary)
    }
}

/// The report on a game that is over.
fn finished(position: &Position) -> Report<Move> {
    let evaluation = over_evaluation(position);
    Report { lines: Vec::new(), evaluation, depth: 0, nodes: 0, stop: Some(StopReason::Proven) }
}

/// The value of a finished game, of any number of players.
pub(crate) fn over_evaluation(position: &Position) -> Evaluation {
    let value = if position.n_seats() == 2 { Some(node::over(position)) } else { None };
    let outcome = value.map(|value| match value {
        WIN => Wdl::Win,
        0 => Wdl::Draw,
        _ => Wdl::Loss,
    });
    Evaluation {
        certainty: Certainty::Proven,
        outcome,
        plies_to_end: Some(0),
        scores: final_scores(position),
        source: Source::Terminal,
        depth: 0,
    }
}
