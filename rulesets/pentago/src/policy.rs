//! Which way to an answer: the strongest true one within the limits.
//!
//! 1. Under the standard rules, a position of up to six marbles has its exact
//!    value in the [`book`], and so have the moves of one with up to five.
//! 2. A late position is solved, if that fits the time and the memory, or if
//!    it follows from one that was solved before. A short search goes first:
//!    it often proves the same sooner, and there is an answer if the time was
//!    too short after all.
//! 3. Everything else is searched, and the search solves what it meets near
//!    the end ([`endgames`](crate::endgames)).

use std::time::{Duration, Instant};

use pentad_sdk::search::Game;
use pentad_sdk::{
    Certainty, Control, Evaluation, Limits, Line, Refusal, Report, Request, Resources, Scores, Search, Source,
    StopReason, Wdl,
};

use crate::Pentago;
use crate::alphabeta::PentagoSearch;
use crate::book;
use crate::endgames::{self, Endgames};
use crate::exact::{self, Oracle, exact};
use crate::lines::completing;
use crate::moves::Move;
use crate::position::Position;
use crate::solver::{self, Plan, Solved, Workers};
use crate::variant::Edition;

/// Tables of a search take no more than this of the memory: more does not make
/// it stronger within the time, and filling it for the first time takes some.
const TABLES_BYTES_MAX: u64 = 32 << 20;
const LONG_TABLES_BYTES_MAX: u64 = 256 << 20;
/// What is a long search.
const LONG: Duration = Duration::from_secs(2);
/// The part of the time that the search before a solution takes.
const FIRST_LOOK: f64 = 0.1;
const FIRST_LOOK_MAX: Duration = Duration::from_millis(200);
/// A solution is begun if it should take no more than this part of what is
/// left: expectations err.
const SOLVER_SHARE: f64 = 0.8;
/// Solved positions that are kept for their children.
const SOLVED_MAX: usize = 8;

/// What is kept between searches.
#[derive(Debug)]
pub struct Context {
    resources: Resources,
    searcher: PentagoSearch,
    /// The latest last.
    solved: Vec<Solved>,
}

impl Search for Pentago {
    type Context = Context;

    fn context(&self, resources: Resources) -> Result<Context, Refusal> {
        Ok(Context { resources, searcher: PentagoSearch::new(), solved: Vec::new() })
    }

    fn search(
        &self,
        context: &mut Context,
        position: &Position,
        request: &Request<Move>,
        control: &dyn Control<Move>,
    ) -> Report<Move> {
        let known = self.book_value(position);
        if known.is_some()
            && let Some(report) = exact::report(self, position, request, &Book)
        {
            return report;
        }
        if let Some(value) = known {
            let known = Known { value, position, inner: control };
            return known.told(self.look(context, position, request, &known));
        }
        let solved = context.solved.iter().rev().find_map(|solved| exact::report(self, position, request, solved));
        if let Some(report) = solved {
            return report;
        }
        match self.solution_plan(context, position, request) {
            Some(plan) => self.look_and_solve(context, position, request, &plan, control),
            None => self.look(context, position, request, control),
        }
    }

    /// As it stands, but for what the next move decides: a win at hand, and a
    /// reply, after which the game is over.
    fn evaluate(&self, position: &Position) -> Evaluation {
        if let Some(verdict) = self.verdict(position) {
            let outcome = match verdict.winner() {
                None => Wdl::Draw,
                Some(winner) if winner == position.side => Wdl::Win,
                Some(_) => Wdl::Loss,
            };
            return exact(position, outcome, Some(0), Source::Terminal);
        }
        if self.win_in_one(position).is_some() {
            return exact(position, Wdl::Win, Some(1), Source::Search);
        }
        if position.reply {
            let saved = !completing(position.own(), position.empty()).is_empty();
            let outcome = if saved { Wdl::Draw } else { Wdl::Loss };
            return exact(position, outcome, Some(1), Source::Search);
        }
        if let Some(value) = self.book_value(position) {
            return exact(position, value, None, Source::Book);
        }
        let scores = self.evaluate_seats(position);
        Evaluation {
            certainty: Certainty::Estimate,
            outcome: None,
            plies_to_end: None,
            scores,
            source: Source::Static,
            depth: 0,
        }
    }
}

impl Pentago {
    /// The exact value for the side to move, where the book has it.
    pub(crate) fn book_value(&self, position: &Position) -> Option<Wdl> {
        (self.edition == Edition::Standard).then(|| book::value(position)).flatten()
    }
}

impl Pentago {
    /// Searches.
    fn look(
        &self,
        context: &mut Context,
        position: &Position,
        request: &Request<Move>,
        control: &dyn Control<Move>,
    ) -> Report<Move> {
        let is_long = request.limits.time.is_some_and(|time| time > LONG);
        let memory_bytes_max = if is_long { LONG_TABLES_BYTES_MAX } else { TABLES_BYTES_MAX };
        let request = Request { memory_bytes: request.memory_bytes.min(memory_bytes_max), ..request.clone() };
        // A solution counts no nodes, so a search that is to count them makes
        // none.
        let is_free = request.limits.nodes.is_none() && request.limits.depth.is_none();
        if !is_free || position.empty().count() > endgames::ROOT_EMPTY_MAX {
            return context.searcher.search(self, position, &request, control);
        }
        let begin = Instant::now();
        let is_due = || request.limits.time.is_some_and(|time| begin.elapsed() >= time);
        let stop = || control.should_stop() || is_due();
        let left_bytes = context.resources.memory_bytes.saturating_sub(request.memory_bytes);
        let each_bytes = left_bytes / context.resources.threads.max(1) as u64;
        let endgames = Endgames::new(self, usize::try_from(each_bytes).unwrap_or(usize::MAX), &stop);
        context.searcher.search_with(self, position, &request, control, Some(&endgames))
    }

    /// How to solve the position, if it can be done within the limits.
    fn solution_plan(&self, context: &Context, position: &Position, request: &Request<Move>) -> Option<Plan> {
        if request.limits.depth.is_some() {
            return None;
        }
        let memory_bytes = usize::try_from(context.resources.memory_bytes).unwrap_or(usize::MAX);
        let plan = solver::plan(self, position, memory_bytes).ok()?;
        let takes = plan.expected(context.resources.threads);
        let fits_time = request.limits.time.is_none_or(|time| takes <= time.mul_f64(SOLVER_SHARE));
        let fits_nodes = request.limits.nodes.is_none_or(|nodes| plan.n_configurations() as u64 <= nodes);
        (fits_time && fits_nodes).then_some(plan)
    }

    fn look_and_solve(
        &self,
        context: &mut Context,
        position: &Position,
        request: &Request<Move>,
        plan: &Plan,
        control: &dyn Control<Move>,
    ) -> Report<Move> {
        let started = Instant::now();
        let time = request.limits.time.map_or(FIRST_LOOK_MAX, |time| time.mul_f64(FIRST_LOOK).min(FIRST_LOOK_MAX));
        let first_limits = Limits { time: Some(time), ..request.limits };
        let first = self.look(context, position, &Request { limits: first_limits, ..request.clone() }, control);
        if first.stop != Some(StopReason::Time) {
            return first;
        }
        control.report(&Report { stop: None, ..first.clone() });
        let is_due = || request.limits.time.is_some_and(|time| started.elapsed() >= time);
        let stop = || control.should_stop() || is_due();
        let workers = Workers::new(context.resources.threads);
        let Some(solved) = solver::solve(self, position, plan, workers, &stop, &mut |_part| {}) else {
            let stop = if control.should_stop() { StopReason::Told } else { StopReason::Time };
            return Report { stop: Some(stop), ..first };
        };
        let report = exact::report(self, position, request, &solved);
        if context.solved.len() == SOLVED_MAX {
            context.solved.remove(0);
        }
        context.solved.push(solved);
        let nodes = first.nodes + plan.n_configurations() as u64;
        match report {
            Some(report) => Report { nodes, ..with_plies(report, &first) },
            None => first,
        }
    }
}

/// Exact values, with the distances that a search has proven for the same
/// moves.
fn with_plies(mut exact: Report<Move>, searched: &Report<Move>) -> Report<Move> {
    for line in &mut exact.lines {
        let same = searched.lines.iter().find(|other| other.moves[0] == line.moves[0]);
        if let Some(same) = same
            && same.evaluation.outcome == line.evaluation.outcome
        {
            line.evaluation.plies_to_end = line.evaluation.plies_to_end.or(same.evaluation.plies_to_end);
        }
    }
    exact
}

/// The opening, solved.
struct Book;

impl Oracle for Book {
    fn value_of(&self, position: &Position) -> Option<Wdl> {
        book::value(position)
    }

    fn source(&self) -> Source {
        Source::Book
    }
}

impl Oracle for Solved {
    fn value_of(&self, position: &Position) -> Option<Wdl> {
        Solved::value_of(self, position)
    }

    fn source(&self) -> Source {
        Source::Solver
    }
}

/// A search of a position whose value is known, though not which move has it.
struct Known<'a> {
    value: Wdl,
    position: &'a Position,
    inner: &'a dyn Control<Move>,
}

impl Control<Move> for Known<'_> {
    fn should_stop(&self) -> bool {
        self.inner.should_stop()
    }

    fn report(&self, report: &Report<Move>) {
        self.inner.report(&self.told(report.clone()));
    }
}

impl Known<'_> {
    /// A report that knows the position's value and says nothing against it:
    /// in a lost position every move is known to lose, in a drawn one none can
    /// be better than a draw.
    fn told(&self, mut report: Report<Move>) -> Report<Move> {
        let plies = report.evaluation.plies_to_end.filter(|_| report.evaluation.outcome == Some(self.value));
        report.evaluation = exact(self.position, self.value, plies, Source::Book);
        for Line { evaluation, .. } in &mut report.lines {
            if evaluation.certainty == Certainty::Proven {
                continue;
            }
            match self.value {
                Wdl::Loss => *evaluation = exact(self.position, Wdl::Loss, None, Source::Book),
                Wdl::Draw => evaluation.scores = at_most_even(self.position, evaluation.scores),
                Wdl::Win => {}
            }
        }
        report
    }
}

fn at_most_even(position: &Position, scores: Scores) -> Scores {
    let mine = scores[position.side as usize].min(0.5);
    let mut even = Scores::even(2);
    even.as_mut_slice()[position.side as usize] = mine;
    even.as_mut_slice()[position.side.other() as usize] = 1.0 - mine;
    even
}
