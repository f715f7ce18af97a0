//! `impl Search`: the game's own alpha-beta search, given the opening book's move if
//! there is one.
//!
//! | module | what it holds |
//! | --- | --- |
//! | `alpha_beta` | [`PentaflipSearch`]: iterative deepening, nodes, move ordering |
//! | `game` | the game as the generic searches see it |

mod alpha_beta;
mod game;

use pentad_sdk::search::{Game, finished, table_bytes};
use pentad_sdk::{Certainty, Control, Evaluation, Refusal, Report, Request, Resources, Scores, Search, Source, Wdl};

use crate::moves::Move;
use crate::position::Position;
use crate::{Pentaflip, book};
pub use alpha_beta::PentaflipSearch;

impl Search for Pentaflip {
    type Context = PentaflipSearch;

    fn context(&self, _resources: Resources) -> Result<PentaflipSearch, Refusal> {
        Ok(PentaflipSearch::default())
    }

    fn search(
        &self,
        context: &mut PentaflipSearch,
        position: &Position,
        request: &Request<Move>,
        control: &dyn Control<Move>,
    ) -> Report<Move> {
        let request = request.with_memory_max(table_bytes(request));
        let book_move = book::probe(self, position).map(|book_move| book_move.mv);
        context.search_with_book_move(book_move, self, position, &request, control)
    }

    /// Returns the static evaluation, except that a win in one is proven.
    fn evaluate(&self, position: &Position) -> Evaluation {
        if self.game_result(position).is_some() {
            return finished(self, position).evaluation;
        }
        if self.winning_move(position).is_none() {
            return Evaluation::static_estimate(self.evaluate_seats(position));
        }
        Evaluation {
            certainty: Certainty::Proven,
            outcome: Some(Wdl::Win),
            plies_to_end: Some(1),
            scores: Scores::pair(position.side as usize, 1.0),
            source: Source::Search,
            depth: 1,
        }
    }
}
