//! Wild tic-tac-toe: each turn puts either sign on any cell; completing three of a kind
//! wins. A turn is either one move or two steps.

use pentad_model::Scores;
use pentad_search::Game;

use super::tictactoe::has_line;

/// Crosses, noughts, turns played, and the sign chosen within a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Board {
    pub(crate) signs: [u16; 2],
    pub(crate) n_turns: u8,
    pub(crate) chosen: Option<u8>,
}

impl Board {
    pub(crate) const START: Board = Board { signs: [0, 0], n_turns: 0, chosen: None };
}

#[derive(Debug)]
pub(crate) struct Wild {
    pub(crate) staged: bool,
}

impl Game for Wild {
    type Position = Board;
    /// A sign times nine plus a cell; staged: a sign (100, 101), then a cell.
    type Move = u8;

    fn n_seats(&self) -> usize {
        2
    }

    fn to_move(&self, board: &Board) -> usize {
        usize::from(board.n_turns % 2)
    }

    fn key(&self, board: &Board) -> u64 {
        let chosen = board.chosen.map_or(0, |sign| u64::from(sign) + 1);
        u64::from(board.signs[0]) << 24 | u64::from(board.signs[1]) << 8 | chosen
    }

    fn outcome(&self, board: &Board) -> Option<Scores> {
        if board.signs.iter().any(|&cells| has_line(cells)) {
            let last = usize::from((board.n_turns + 1) % 2);
            return Some(Scores::new(if last == 0 { &[1.0, 0.0] } else { &[0.0, 1.0] }));
        }
        (board.signs[0] | board.signs[1] == 0o777).then(|| Scores::even(2))
    }

    fn moves(&self, board: &Board, out: &mut Vec<u8>) {
        let free = (0..9).filter(|cell| (board.signs[0] | board.signs[1]) >> cell & 1 == 0);
        match board.chosen {
            _ if !self.staged => out.extend(free.flat_map(|cell| [cell, 9 + cell])),
            None => out.extend([100, 101]),
            Some(_) => out.extend(free),
        }
    }

    fn play(&self, board: &Board, mv: &u8) -> Board {
        let mut after = *board;
        let (sign, cell) = match board.chosen {
            _ if !self.staged => (mv / 9, mv % 9),
            None => return Board { chosen: Some(mv - 100), ..after },
            Some(sign) => (sign, *mv),
        };
        after.signs[usize::from(sign)] |= 1 << cell;
        after.n_turns += 1;
        after.chosen = None;
        after
    }

    fn evaluate(&self, board: &Board) -> i32 {
        i32::from(board.signs[0] % 7) * 10 - 30
    }

    fn ends_turn(&self, _before: &Board, after: &Board) -> bool {
        after.chosen.is_none()
    }

    fn can_cycle(&self) -> bool {
        false
    }
}
