//! How a question of the host is answered: by the game's own search, which in
//! the opening is told what did best in play, or at a glance.

use std::time::Duration;

use pentad_sdk::search::{Game, finished};
use pentad_sdk::{Certainty, Control, Evaluation, Refusal, Report, Request, Resources, Scores, Search, Source, Wdl};

use crate::Pentaflip;
use crate::moves::Move;
use crate::openings;
use crate::position::Position;
use crate::search::PentaflipSearch;

/// Tables of a search take no more than this of the memory: more does not make
/// it stronger within the time, and filling it for the first time takes some.
const TABLES_BYTES_MAX: u64 = 32 << 20;
const LONG_TABLES_BYTES_MAX: u64 = 512 << 20;
/// What is a long search.
const LONG: Duration = Duration::from_secs(2);

impl Search for Pentaflip {
    type Context = PentaflipSearch;

    fn context(&self, _resources: Resources) -> Result<PentaflipSearch, Refusal> {
        Ok(PentaflipSearch::new())
    }

    fn search(
        &self,
        context: &mut PentaflipSearch,
        position: &Position,
        request: &Request<Move>,
        control: &dyn Control<Move>,
    ) -> Report<Move> {
        let is_long = request.limits.time.is_none_or(|time| time > LONG);
        let memory_bytes_max = if is_long { LONG_TABLES_BYTES_MAX } else { TABLES_BYTES_MAX };
        let request = Request { memory_bytes: request.memory_bytes.min(memory_bytes_max), ..request.clone() };
        let favoured = openings::learnt(self, position).map(|learnt| learnt.mv);
        context.search_favouring(favoured, self, position, &request, control)
    }

    /// As it stands, but for a win at hand.
    fn evaluate(&self, position: &Position) -> Evaluation {
        if self.verdict(position).is_some() {
            return finished(self, position).evaluation;
        }
        let wins = self.win_in_one(position).is_some();
        let scores = if wins { Scores::pair(position.side as usize, 1.0) } else { self.evaluate_seats(position) };
        Evaluation {
            certainty: if wins { Certainty::Proven } else { Certainty::Estimate },
            outcome: wins.then_some(Wdl::Win),
            plies_to_end: wins.then_some(1),
            scores,
            source: if wins { Source::Search } else { Source::Static },
            depth: u32::from(wins),
        }
    }
}
