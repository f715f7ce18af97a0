//! What the SDK's search needs to know about the game. It finds wins, losses and the best
//! moves by itself; a good estimate makes it strong where the end is far away.

use pentad_sdk::search::{Game, Searcher};
use pentad_sdk::{Control, Evaluation, Refusal, Report, Request, Resources, Scores, Search, Wdl};

use crate::Rules;
use crate::position::{CELLS, Position, SIZE};

impl Game for Rules {
    type Position = Position;
    type Move = usize;

    fn n_seats(&self) -> usize {
        2
    }

    fn to_move(&self, position: &Position) -> usize {
        usize::from(position.to_move)
    }

    /// A hash of the whole position.
    fn key(&self, position: &Position) -> u64 {
        let digits = position
            .cells
            .iter()
            .map(|cell| cell.map_or(0, |seat| u64::from(seat) + 1));
        digits.fold(u64::from(position.to_move), |key, digit| {
            (key ^ digit)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(23)
        })
    }

    fn outcome(&self, position: &Position) -> Option<Scores> {
        position.is_over().then(|| {
            position
                .winner()
                .map_or(Scores::even(2), |seat| Scores::pair(seat, 1.0))
        })
    }

    fn moves(&self, position: &Position, out: &mut Vec<usize>) {
        out.extend(position.moves());
    }

    fn play(&self, position: &Position, cell: &usize) -> Position {
        position.play(*cell)
    }

    /// An estimate for the side to move: 0 is even, and 400 more means ten times the odds.
    /// Here stones near the middle are worth more.
    fn evaluate(&self, position: &Position) -> i32 {
        let worth = |cell: usize| 10 - 10 * distance_to_middle(cell);
        let sign = |seat: u8| if seat == position.to_move { 1 } else { -1 };
        (0..CELLS)
            .filter_map(|cell| position.cells[cell].map(|seat| sign(seat) * worth(cell)))
            .sum()
    }

    /// Moves that are tried first cost the least: the middle.
    fn order(&self, _position: &Position, cell: &usize) -> i32 {
        -distance_to_middle(*cell)
    }

    /// Stones stay, so no position occurs twice in a game.
    fn can_cycle(&self) -> bool {
        false
    }
}

fn distance_to_middle(cell: usize) -> i32 {
    let from_middle = |at: usize| (at as i32 - SIZE as i32 / 2).abs();
    from_middle(cell % SIZE) + from_middle(cell / SIZE)
}

impl Search for Rules {
    type Context = Searcher;

    fn context(&self, _resources: Resources) -> Result<Searcher, Refusal> {
        Ok(Searcher::new())
    }

    fn search(
        &self,
        context: &mut Searcher,
        position: &Position,
        request: &Request<usize>,
        control: &dyn Control<usize>,
    ) -> Report<usize> {
        context.search(self, position, request, control)
    }

    fn evaluate(&self, position: &Position) -> Evaluation {
        match Game::outcome(self, position) {
            Some(scores) => Evaluation::terminal(
                scores,
                Some(Wdl::of_score(scores[usize::from(position.to_move)])),
            ),
            None => Evaluation::static_estimate(self.evaluate_seats(position)),
        }
    }
}
