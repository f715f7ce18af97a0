//! Which way to an answer: the strongest true one within the limits.
//!
//! Under the standard rules, a position of up to six marbles has its exact value
//! in the [`book`], and so have the moves of one with up to five. Everything
//! else is searched.

use pentad_sdk::search::{Game, Searcher};
use pentad_sdk::{
    Certainty, Control, Evaluation, Line, Refusal, Report, Request, Resources, Scores, Search, Source, Wdl,
};

use crate::Pentago;
use crate::book;
use crate::lines::completing;
use crate::moves::Move;
use crate::opening;
use crate::position::Position;
use crate::rules::Verdict;
use crate::search::scores;
use crate::variant::Edition;

impl Search for Pentago {
    type Context = Searcher;

    fn context(&self, _resources: Resources) -> Result<Searcher, Refusal> {
        Ok(Searcher::new())
    }

    fn search(
        &self,
        context: &mut Searcher,
        position: &Position,
        request: &Request<Move>,
        control: &dyn Control<Move>,
    ) -> Report<Move> {
        match self.book_value(position) {
            Some(_) if position.occupied().count() < book::MARBLES_MAX => opening::report(self, position, request),
            Some(value) => {
                let known = Known { value, position, inner: control };
                known.told(context.search(self, position, request, &known))
            }
            None => context.search(self, position, request, control),
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

/// A value that is known to be true.
pub(crate) fn exact(position: &Position, value: Wdl, plies: Option<u32>, source: Source) -> Evaluation {
    let verdict = match value {
        Wdl::Win => Verdict::Five(position.side),
        Wdl::Draw => Verdict::BothFive,
        Wdl::Loss => Verdict::Five(position.side.other()),
    };
    Evaluation {
        certainty: Certainty::Proven,
        outcome: Some(value),
        plies_to_end: plies,
        scores: scores(verdict),
        source,
        depth: plies.unwrap_or(0),
    }
}

fn at_most_even(position: &Position, scores: Scores) -> Scores {
    let mine = scores[position.side as usize].min(0.5);
    let mut even = Scores::even(2);
    even.as_mut_slice()[position.side as usize] = mine;
    even.as_mut_slice()[position.side.other() as usize] = 1.0 - mine;
    even
}
