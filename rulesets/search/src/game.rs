//! [`Game`]: a game as the searches see it.

use std::fmt::Debug;

use pentad_model::Scores;

/// A game with complete information and no chance, for one to eight seats.
///
/// `self` holds what is fixed for a variant; positions are small and cloned freely.
/// Moves are not checked: a search plays only those that [`moves`](Game::moves)
/// generates.
pub trait Game: Sync {
    /// Everything the rules need to continue the game.
    type Position: Clone + Send + Sync;
    /// A move, or in a staged game one step of it.
    type Move: Clone + PartialEq + Debug + Send + Sync;

    /// Returns the number of players.
    fn n_seats(&self) -> usize;

    /// Returns the side a seat plays for. Seats of one side win and lose together.
    fn side_of(&self, seat: usize) -> usize {
        seat
    }

    /// Returns the number of sides; with two the game is zero-sum.
    fn n_sides(&self) -> usize {
        self.n_seats()
    }

    /// Returns the seat to move.
    fn to_move(&self, position: &Self::Position) -> usize;

    /// Returns a 64-bit hash of everything that [`moves`](Game::moves),
    /// [`play`](Game::play) and [`outcome`](Game::outcome) depend on.
    fn key(&self, position: &Self::Position) -> u64;

    /// Returns the scores if the game is over.
    fn outcome(&self, position: &Self::Position) -> Option<Scores>;

    /// Appends the legal moves, always in the same order. Empty only when the
    /// game is over.
    fn moves(&self, position: &Self::Position, out: &mut Vec<Self::Move>);

    /// Returns the position after a legal move.
    fn play(&self, position: &Self::Position, mv: &Self::Move) -> Self::Position;

    /// Returns an estimate for a game with two sides, for the side to move: 0 is even,
    /// and 400 more means ten times the odds. Within ±10,000.
    fn evaluate(&self, position: &Self::Position) -> i32;

    /// Returns an estimate for any number of seats: the expected score of each. The
    /// default derives two sides from [`evaluate`](Game::evaluate); a game with more
    /// sides must override it.
    fn evaluate_seats(&self, position: &Self::Position) -> Scores {
        let mine = win_probability(self.evaluate(position));
        let side = self.side_of(self.to_move(position));
        let mut scores = Scores::even(self.n_seats());
        for (seat, score) in scores.as_mut_slice().iter_mut().enumerate() {
            *score = if self.side_of(seat) == side { mine } else { 1.0 - mine };
        }
        scores
    }

    /// Returns how promising a move looks before it is searched: higher is tried first.
    /// Called once per move and node, so it should be cheap.
    fn order(&self, _position: &Self::Position, _mv: &Self::Move) -> i32 {
        0
    }

    /// Appends the moves that quiescence searches before it evaluates a position, such
    /// as immediate wins. None by default. Only legal moves are allowed; omitting some
    /// costs strength, never correctness.
    fn forcing_moves(&self, _position: &Self::Position, _out: &mut Vec<Self::Move>) {}

    /// Returns whether `after`, reached by one step from `before`, begins a new turn. A
    /// staged game returns false between the steps of one turn; depth and plies count
    /// turns.
    fn ends_turn(&self, _before: &Self::Position, _after: &Self::Position) -> bool {
        true
    }

    /// Returns a move (in a staged game: a step) that ends the game at once with a win
    /// for the mover's side. `None` if none is found cheaply. Called at every position
    /// before its moves are generated, so an implementation makes one-ply wins almost
    /// free. The move is trusted.
    fn winning_move(&self, _position: &Self::Position) -> Option<Self::Move> {
        None
    }

    /// Returns the number of [`slot`](Game::slot)s. With 0, the default, the search
    /// keeps no history of cutoffs.
    fn n_slots(&self) -> usize {
        0
    }

    /// Returns a small number for a move, the same wherever that move is played, below
    /// [`n_slots`](Game::n_slots). The search records cutoffs by side and slot and adds
    /// 0 to 1,000 for them to [`order`](Game::order); a killer adds 2,000.
    fn slot(&self, _mv: &Self::Move) -> usize {
        0
    }

    /// Returns a number that moves of one position share if they differ only in
    /// details, such as where a block is put. Reported lines are different alternatives
    /// as long as there are enough; only the Monte-Carlo search uses this. By default
    /// every move is an alternative of its own.
    fn alternative(&self, _mv: &Self::Move) -> Option<u64> {
        None
    }

    /// Returns whether a position can be repeated. A game that always makes progress
    /// returns false and saves the search the bookkeeping.
    fn can_cycle(&self) -> bool {
        true
    }
}

/// Converts a two-sided evaluation into an expected score.
#[inline]
pub(crate) fn win_probability(evaluation: i32) -> f64 {
    1.0 / (1.0 + 10f64.powf(-f64::from(evaluation) / 400.0))
}
