//! How a question is answered: by a search, or as the position stands.

use pentad_sdk::{Certainty, Control, Evaluation, Refusal, Report, Request, Resources, Scores, Search, Source, Wdl};

use crate::PentagoXl;
use crate::moves::Move;
use crate::position::Position;
use crate::search::{XlSearch, over};

/// More memory does not help within minutes, and the first use of it takes
/// time.
const MEMORY_BYTES_MAX: u64 = 256 << 20;

impl Search for PentagoXl {
    type Context = XlSearch;

    fn context(&self, _resources: Resources) -> Result<XlSearch, Refusal> {
        Ok(XlSearch::new())
    }

    fn search(
        &self,
        context: &mut XlSearch,
        position: &Position,
        request: &Request<Move>,
        control: &dyn Control<Move>,
    ) -> Report<Move> {
        let memory_bytes = request.memory_bytes.min(MEMORY_BYTES_MAX);
        context.search(self, position, &Request { memory_bytes, ..request.clone() }, control)
    }

    /// As it stands, but for a win at hand.
    fn evaluate(&self, position: &Position) -> Evaluation {
        if let Some(verdict) = self.verdict(position) {
            return over(self, position, &verdict);
        }
        let seat = position.side as usize;
        if self.is_decisive(position) && self.win_in_one(position).is_some() {
            let values = self.values_of_five(position, seat);
            let scores =
                Scores::new(&values.map(|value| (12.0 * f64::from(value)).round() / 12.0)[..self.contest.n_seats()]);
            return Evaluation {
                certainty: Certainty::Proven,
                outcome: self.contest.is_two_sided().then(|| Wdl::of_score(scores[seat])),
                plies_to_end: Some(1),
                scores,
                source: Source::Search,
                depth: 1,
            };
        }
        Evaluation {
            certainty: Certainty::Estimate,
            outcome: None,
            plies_to_end: None,
            scores: self.static_scores(position),
            source: Source::Static,
            depth: 0,
        }
    }
}
