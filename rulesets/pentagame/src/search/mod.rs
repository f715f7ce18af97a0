//! `impl Search`: alpha-beta for two players, Monte-Carlo tree search for three
//! and four, and exact values where the rules decide the game.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`alpha_beta`] | the two-player search |
//! | `multiplayer`, `game` | the search for more players: the SDK's tree search, and the game for it |
//! | `candidates`, `block_stops` | selective move generation: the moves worth searching, the stops worth a block |
//! | `endgame` | the last turns of a game, exactly |
//! | `proven` | evaluations that the rules alone prove |

pub mod alpha_beta;
mod block_stops;
mod candidates;
pub(crate) mod endgame;
mod game;
mod multiplayer;
mod proven;

use pentad_sdk::search::table_bytes;
use pentad_sdk::{Control, Evaluation, Refusal, Report, Request, Resources, Search};

use crate::Pentagame;
use crate::evaluate::Race;
use crate::moves::Move;
use crate::position::Position;
use alpha_beta::TwoPlayerSearch;

/// Memory kept between searches: the transposition table.
#[derive(Debug)]
pub struct Context {
    two_player: TwoPlayerSearch,
}

impl Search for Pentagame {
    type Context = Context;

    fn context(&self, _resources: Resources) -> Result<Context, Refusal> {
        Ok(Context { two_player: TwoPlayerSearch::new() })
    }

    fn search(
        &self,
        context: &mut Context,
        position: &Position,
        request: &Request<Move>,
        control: &dyn Control<Move>,
    ) -> Report<Move> {
        if self.n_seats == 2 {
            let request = request.with_memory_max(table_bytes(request));
            context.two_player.search(position, &request, control)
        } else {
            multiplayer::search(position, request, control)
        }
    }

    /// Evaluates statically, unless the game is over or the rules decide it within this
    /// turn (for two players, within this round).
    fn evaluate(&self, position: &Position) -> Evaluation {
        if position.is_over() {
            return proven::terminal(position);
        }
        let race = Race::of(position);
        let decided = if self.n_seats == 2 {
            position.probe_endgame(&race.costs).map(|value| proven::endgame(position, &value))
        } else {
            position.probe_last_turn(&race.costs).map(proven::last_turn)
        };
        decided.unwrap_or_else(|| Evaluation::static_estimate(position.expected_scores_in(&race).estimated()))
    }
}
