//! Which way to an answer: alpha-beta for two players, Monte-Carlo tree search
//! for more, and the rules where they decide.

use std::time::Duration;

use pentad_sdk::{Certainty, Control, Evaluation, Refusal, Report, Request, Resources, Scores, Search, Source, Wdl};

use crate::Pentagame;
use crate::alphabeta::{PairSearch, over_evaluation};
use crate::many;
use crate::moves::Move;
use crate::position::Position;
use crate::race::Race;
use crate::settle::Settled;

/// Tables of a search take no more than this of the memory: more does not make
/// it stronger within the time, and filling it for the first time takes some.
const TABLES_BYTES_MAX: u64 = 16 << 20;
const LONG_TABLES_BYTES_MAX: u64 = 256 << 20;
/// What is a long search.
const LONG: Duration = Duration::from_secs(2);

/// What is kept between searches: the memory of tables.
#[derive(Debug)]
pub struct Context {
    searcher: PairSearch,
}

impl Search for Pentagame {
    type Context = Context;

    fn context(&self, _resources: Resources) -> Result<Context, Refusal> {
        Ok(Context { searcher: PairSearch::new() })
    }

    fn search(
        &self,
        context: &mut Context,
        position: &Position,
        request: &Request<Move>,
        control: &dyn Control<Move>,
    ) -> Report<Move> {
        let is_long = request.limits.time.is_some_and(|time| time > LONG);
        let memory_bytes_max = if is_long { LONG_TABLES_BYTES_MAX } else { TABLES_BYTES_MAX };
        let request = Request { memory_bytes: request.memory_bytes.min(memory_bytes_max), ..request.clone() };
        if self.n_seats == 2 {
            context.searcher.search(position, &request, control)
        } else {
            many::search(position, &request, control)
        }
    }

    /// As it stands, but for what this turn decides.
    fn evaluate(&self, position: &Position) -> Evaluation {
        if position.is_over() {
            return over_evaluation(position);
        }
        let race = Race::of(position);
        let settled = if self.n_seats == 2 {
            position.settled(&race.ways).map(|settled| settled_evaluation(position, &settled))
        } else {
            many::settled(position, &race).map(many::proven)
        };
        settled.unwrap_or_else(|| Evaluation {
            certainty: Certainty::Estimate,
            outcome: None,
            plies_to_end: None,
            scores: position.chances_in(&race).estimated(),
            source: Source::Static,
            depth: 0,
        })
    }
}

fn settled_evaluation(position: &Position, settled: &Settled) -> Evaluation {
    let (outcome, plies, score) = match settled {
        Settled::Win(_, plies) => (Wdl::Win, *plies, 1.0),
        Settled::Draw(_) => (Wdl::Draw, 1, 0.5),
        Settled::Loss => (Wdl::Loss, 1, 0.0),
    };
    Evaluation {
        outcome: Some(outcome),
        plies_to_end: Some(plies),
        ..many::proven(Scores::pair(position.to_move(), score))
    }
}
