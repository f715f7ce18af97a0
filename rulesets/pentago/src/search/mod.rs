//! `impl Search`: the choice between book, solver and alpha-beta search.
//!
//! 1. Under the standard rules, the [`book`] has the exact values of positions with up
//!    to six marbles, and so those of all moves with up to five.
//! 2. A late position is solved if that fits the time and the memory, or if it follows
//!    from one that was solved before. A short search runs first: it often proves the
//!    same sooner (`solve`).
//! 3. Everything else is searched, and the search solves late positions that it reaches
//!    (`endgame_solver`).
//!
//! | module | what it holds |
//! | --- | --- |
//! | `game` | `impl Game`: Pentago for the generic search |
//! | `exact_values` | ranking of moves whose exact values are known |
//! | `solve`, `endgame_solver` | when the solver runs, at the root and inside the tree |
//! | `alpha_beta` | iterative deepening, nodes, move ordering, threads |
//! | `proof_number` | df-pn search for wins by continuous threats |
//! | `static_eval` | bit-parallel evaluation and threat scan of all moves at once |
//! | `search_position`, `move_set` | positions without colours, sets of moves |

mod alpha_beta;
mod endgame_solver;
mod exact_values;
mod game;
mod move_set;
mod proof_number;
mod search_position;
mod solve;
mod static_eval;

#[cfg(test)]
mod tests;

use pentad_sdk::CorrectedReports;
use pentad_sdk::search::{Game, table_bytes};
use pentad_sdk::{
    Certainty, Control, Evaluation, Line, Refusal, Report, Request, Resources, Ruleset, Scores, Search, Source, Wdl,
};

use crate::Pentago;
use crate::board::lines::completing_cells;
use crate::book;
use crate::moves::Move;
use crate::position::Position;
use crate::solver::Solution;
use crate::variant::Edition;
pub use alpha_beta::{EndgameProbe, PentagoSearch};
use endgame_solver::EndgameSolver;
use exact_values::{ExactValues, proven_evaluation};

/// State kept between searches: the tables' memory and the latest solutions.
#[derive(Debug)]
pub struct Context {
    resources: Resources,
    searcher: PentagoSearch,
    /// Oldest first.
    solutions: Vec<Solution>,
}

impl Search for Pentago {
    type Context = Context;

    fn context(&self, resources: Resources) -> Result<Context, Refusal> {
        Ok(Context { resources, searcher: PentagoSearch::default(), solutions: Vec::new() })
    }

    fn search(
        &self,
        context: &mut Context,
        position: &Position,
        request: &Request<Move>,
        control: &dyn Control<Move>,
    ) -> Report<Move> {
        if let Some(value) = self.book_value(position) {
            if let Some(report) = exact_values::report(self, position, request, &Book) {
                return report;
            }
            let correct = |report| with_known_value(position, value, report);
            let control = CorrectedReports::new(control, correct);
            return correct(self.search_tree(context, position, request, &control));
        }
        // Book and solver only know positions of a game.
        if self.is_off_turn(position) {
            return self.search_tree(context, position, request, control);
        }
        let mut solutions = context.solutions.iter().rev();
        if let Some(report) = solutions.find_map(|solution| exact_values::report(self, position, request, solution)) {
            return report;
        }
        match self.solver_plan(context, position, request) {
            Some(plan) => self.search_then_solve(context, position, request, &plan, control),
            None => self.search_tree(context, position, request, control),
        }
    }

    /// Returns the static evaluation, unless the next move decides: an immediate win,
    /// or a reply, after which the game is over.
    fn evaluate(&self, position: &Position) -> Evaluation {
        if let Some(result) = self.game_result(position) {
            return proven_evaluation(position, result.wdl(position.side), Some(0), Source::Terminal);
        }
        if self.winning_move(position).is_some() {
            return proven_evaluation(position, Wdl::Win, Some(1), Source::Search);
        }
        if position.reply {
            let saved = !completing_cells(position.own(), position.empty()).is_empty();
            let outcome = if saved { Wdl::Draw } else { Wdl::Loss };
            return proven_evaluation(position, outcome, Some(1), Source::Search);
        }
        if let Some(value) = self.book_value(position) {
            return proven_evaluation(position, value, None, Source::Book);
        }
        Evaluation::static_estimate(self.evaluate_seats(position))
    }
}

impl Pentago {
    /// Returns the exact value for the side to move, if the book has it.
    fn book_value(&self, position: &Position) -> Option<Wdl> {
        let is_known = self.edition == Edition::Standard && !self.is_off_turn(position);
        is_known.then(|| book::value(position)).flatten()
    }

    /// Runs the alpha-beta search, with the solver at late nodes.
    fn search_tree(
        &self,
        context: &mut Context,
        position: &Position,
        request: &Request<Move>,
        control: &dyn Control<Move>,
    ) -> Report<Move> {
        let request = request.with_memory_max(table_bytes(request));
        // The solver counts no nodes, so a search limited by nodes or depth does
        // not call it.
        let is_late = position.empty().count() <= endgame_solver::ROOT_EMPTY_MAX;
        if !request.is_limited_by_time() || !is_late || self.is_off_turn(position) {
            return context.searcher.search(self, position, &request, control);
        }
        let deadline = request.limits.deadline(control.now());
        let is_due = || deadline.is_some_and(|deadline| control.now() >= deadline);
        let stop = || control.should_stop() || is_due();
        let free_bytes = context.resources.memory_bytes.saturating_sub(request.memory_bytes);
        let thread_bytes = free_bytes / context.resources.threads.max(1) as u64;
        let endgames = EndgameSolver::new(self, usize::try_from(thread_bytes).unwrap_or(usize::MAX), &stop);
        context.searcher.search_with_endgames(self, position, &request, control, Some(&endgames))
    }
}

/// The opening book as a source of exact values.
struct Book;

impl ExactValues for Book {
    fn value(&self, position: &Position) -> Option<Wdl> {
        book::value(position)
    }

    fn source(&self) -> Source {
        Source::Book
    }
}

impl ExactValues for Solution {
    fn value(&self, position: &Position) -> Option<Wdl> {
        self.probe(position)
    }

    fn source(&self) -> Source {
        Source::Solver
    }
}

/// Sets the exact value of the root from the book, and adjusts the lines, which are not
/// in the book: in a lost position every move loses, in a drawn one none is better than
/// a draw.
fn with_known_value(position: &Position, value: Wdl, mut report: Report<Move>) -> Report<Move> {
    let plies = report.evaluation.plies_to_end.filter(|_| report.evaluation.outcome == Some(value));
    report.evaluation = proven_evaluation(position, value, plies, Source::Book);
    for Line { evaluation, .. } in &mut report.lines {
        if evaluation.certainty == Certainty::Proven {
            continue;
        }
        match value {
            Wdl::Loss => *evaluation = proven_evaluation(position, Wdl::Loss, None, Source::Book),
            Wdl::Draw => evaluation.scores = at_most_draw(position, evaluation.scores),
            Wdl::Win => {}
        }
    }
    report
}

fn at_most_draw(position: &Position, scores: Scores) -> Scores {
    let mine = scores[position.side as usize].min(0.5);
    Scores::pair(position.side as usize, mine)
}
