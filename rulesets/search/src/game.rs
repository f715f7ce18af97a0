//! What a search needs to know of a game.

use std::fmt::Debug;

use pentad_model::Scores;

/// A game with complete information and no chance, for one to eight seats.
///
/// The value of `self` holds what is fixed for a variant; positions are small
/// and cloned freely. Nothing here is checked: a search plays only moves that
/// [`moves`](Game::moves) gave it.
pub trait Game: Sync {
    /// Everything the rules need to go on.
    type Position: Clone + Send + Sync;
    /// A move, or in a staged game one step of it.
    type Move: Clone + PartialEq + Debug + Send + Sync;

    /// Players at the board.
    fn n_seats(&self) -> usize;

    /// The side a seat plays for. Seats of one side win and lose together.
    fn side_of(&self, seat: usize) -> usize {
        seat
    }

    /// Sides at the board; two of them make a zero-sum game.
    fn n_sides(&self) -> usize {
        self.n_seats()
    }

    /// Whose turn it is.
    fn to_move(&self, position: &Self::Position) -> usize;

    /// A 64-bit hash of everything that [`moves`](Game::moves),
    /// [`play`](Game::play) and [`outcome`](Game::outcome) depend on.
    fn key(&self, position: &Self::Position) -> u64;

    /// The scores if the game is over.
    fn outcome(&self, position: &Self::Position) -> Option<Scores>;

    /// Appends the legal moves, always in the same order. Empty only when the
    /// game is over.
    fn moves(&self, position: &Self::Position, out: &mut Vec<Self::Move>);

    /// The position after a legal move.
    fn play(&self, position: &Self::Position, mv: &Self::Move) -> Self::Position;

    /// A guess for a game with two sides, from the view of the side to move:
    /// 0 is even, and 400 more means ten times the odds. Within ±10,000.
    fn evaluate(&self, position: &Self::Position) -> i32;

    /// A guess for any number of seats: expected score per seat. The default
    /// derives two sides from [`evaluate`](Game::evaluate); a game with more
    /// sides must write its own.
    fn evaluate_seats(&self, position: &Self::Position) -> Scores {
        let mine = win_probability(self.evaluate(position));
        let side = self.side_of(self.to_move(position));
        let mut scores = Scores::even(self.n_seats());
        for (seat, score) in scores.as_mut_slice().iter_mut().enumerate() {
            *score = if self.side_of(seat) == side { mine } else { 1.0 - mine };
        }
        scores
    }

    /// How promising a move looks before it is searched: higher is tried
    /// first. Called once per move and node, so it should be cheap.
    fn order(&self, _position: &Self::Position, _mv: &Self::Move) -> i32 {
        0
    }

    /// Appends the moves that must be looked at before a position is quiet
    /// enough to be evaluated (a win at hand, say). None by default. Only
    /// legal moves may be given; leaving some out loses strength, never truth.
    fn forcing_moves(&self, _position: &Self::Position, _out: &mut Vec<Self::Move>) {}

    /// Whether `after`, reached by one step from `before`, begins a new turn.
    /// A staged game says no between the steps of one turn; depth and plies
    /// count turns.
    fn ends_turn(&self, _before: &Self::Position, _after: &Self::Position) -> bool {
        true
    }

    /// A move (in a staged game: a step) that ends the game at once with a win
    /// for the mover's side. `None` means "none that I can see cheaply". Asked
    /// at every position before its moves are generated, so a game that knows
    /// makes one-ply wins almost free. A move given here is believed.
    fn winning_move(&self, _position: &Self::Position) -> Option<Self::Move> {
        None
    }

    /// How many different [`slot`](Game::slot)s there are. With none, the
    /// default, the search keeps no history of which moves did well.
    fn n_slots(&self) -> usize {
        0
    }

    /// A small number for a move, the same wherever that move is played, below
    /// [`n_slots`](Game::n_slots). The search remembers per side and slot how
    /// often such moves refuted something, and adds 0 to 1,000 for it to
    /// [`order`](Game::order); a refutation fresh from a sibling adds 2,000.
    fn slot(&self, _mv: &Self::Move) -> usize {
        0
    }

    /// A number that moves of one position share if they differ only in details, such
    /// as where a block is put. Of several lines each is another alternative while
    /// there is one; only the Monte-Carlo search asks. By default every move is an
    /// alternative of its own.
    fn alternative(&self, _mv: &Self::Move) -> Option<u64> {
        None
    }

    /// Whether play can come back to a position it left. A game that always
    /// makes progress says no and saves the search the bookkeeping.
    fn can_cycle(&self) -> bool {
        true
    }
}

/// Turns a two-sided evaluation into an expected score.
#[inline]
pub(crate) fn win_probability(evaluation: i32) -> f64 {
    1.0 / (1.0 + 10f64.powf(-f64::from(evaluation) / 400.0))
}
