//! Which way to an answer: the strongest true one within the limits.
//!
//! 1. Under the standard rules, a position of up to six marbles has its exact
//!    value in the [`book`], and so have the moves of one with up to five.
//! 2. A late position is solved, if that fits the time and the memory, or if
//!    it follows from one that was solved before. A short search goes first:
//!    it often proves the same sooner ([`solution`](crate::solution)).
//! 3. Everything else is searched, and the search solves what it meets near
//!    the end ([`endgames`](crate::endgames)).

use std::time::{Duration, Instant};

use pentad_sdk::search::Game;
use pentad_sdk::{
    Certainty, Control, Evaluation, Line, Refusal, Report, Request, Resources, Scores, Search, Source, Wdl,
};

use crate::Pentago;
use crate::alphabeta::PentagoSearch;
use crate::book;
use crate::endgames::{self, Endgames};
use crate::exact::{self, Oracle, exact};
use crate::lines::completing;
use crate::moves::Move;
use crate::position::Position;
use crate::solver::Solved;
use crate::variant::Edition;

/// Tables of a search take no more than this of the memory: more does not make
/// it stronger within the time, and filling it for the first time takes some.
const TABLES_BYTES_MAX: u64 = 32 << 20;
const LONG_TABLES_BYTES_MAX: u64 = 256 << 20;
/// What is a long search.
const LONG: Duration = Duration::from_secs(2);

/// What is kept between searches.
#[derive(Debug)]
pub struct Context {
    pub(crate) resources: Resources,
    searcher: PentagoSearch,
    /// The latest last.
    pub(crate) solved: Vec<Solved>,
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
    pub(crate) fn look(
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
        let deadline = request.limits.deadline(control.now());
        let is_due = || deadline.is_some_and(|deadline| control.now() >= deadline);
        let stop = || control.should_stop() || is_due();
        let left_bytes = context.resources.memory_bytes.saturating_sub(request.memory_bytes);
        let each_bytes = left_bytes / context.resources.threads.max(1) as u64;
        let endgames = Endgames::new(self, usize::try_from(each_bytes).unwrap_or(usize::MAX), &stop);
        context.searcher.search_with(self, position, &request, control, Some(&endgames))
    }
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

    fn now(&self) -> Instant {
        self.inner.now()
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
