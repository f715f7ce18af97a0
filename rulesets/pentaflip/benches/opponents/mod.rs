//! Opponents for matches: UCT with random playouts.

use pentad_sdk::search::{Game, MctsOptions, mcts};
use pentad_sdk::{Limits, NeverStop, Request, Scores};
use pentaflip::{Move, Pentaflip, Position};

/// UCT over a [`Game`].
pub(crate) struct Uct<G> {
    pub(crate) game: G,
    /// Playouts per move.
    pub(crate) playouts: u64,
}

impl<G: Game<Position = Position, Move = Move>> Uct<G> {
    pub(crate) fn choose(&self, position: &Position, seed: u64) -> Move {
        let request = Request { seed, memory_bytes: 256 << 20, ..Request::new(Limits::default()) };
        mcts(&self.game, position, &request, &MctsOptions::plain(self.playouts), &NeverStop).lines[0].moves[0]
    }
}

/// The game without evaluation, move ordering or detection of wins in one.
pub(crate) struct RulesOnly;

impl Game for RulesOnly {
    type Position = Position;
    type Move = Move;

    fn n_seats(&self) -> usize {
        2
    }
    fn to_move(&self, position: &Position) -> usize {
        position.side() as usize
    }
    fn key(&self, position: &Position) -> u64 {
        position.key()
    }
    fn outcome(&self, position: &Position) -> Option<Scores> {
        Game::outcome(&Pentaflip, position)
    }
    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        Game::moves(&Pentaflip, position, out);
    }
    fn play(&self, position: &Position, mv: &Move) -> Position {
        Pentaflip.play_unchecked(position, *mv)
    }
    fn evaluate(&self, _position: &Position) -> i32 {
        0
    }
}
