//! Tic-tac-toe, with or without the hooks that help a search.

use pentad_model::Scores;
use pentad_search::Game;

#[derive(Clone, Copy, Debug)]
pub(crate) struct TicTacToe {
    /// Whether `winning_move`, `order` and `slot` are implemented.
    pub(crate) has_hints: bool,
}

/// Bitboards of both players; the first moves when both have equally many cells.
pub(crate) type Board = [u16; 2];

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

pub(crate) fn has_line(cells: u16) -> bool {
    LINES.iter().any(|line| cells & line == *line)
}

impl Game for TicTacToe {
    type Position = Board;
    type Move = u8;

    fn n_seats(&self) -> usize {
        2
    }

    fn to_move(&self, board: &Board) -> usize {
        (board[0].count_ones() + board[1].count_ones()) as usize % 2
    }

    fn key(&self, board: &Board) -> u64 {
        u64::from(board[0]) << 9 | u64::from(board[1])
    }

    fn outcome(&self, board: &Board) -> Option<Scores> {
        match () {
            () if has_line(board[0]) => Some(Scores::new(&[1.0, 0.0])),
            () if has_line(board[1]) => Some(Scores::new(&[0.0, 1.0])),
            () if board[0] | board[1] == 0o777 => Some(Scores::even(2)),
            () => None,
        }
    }

    fn moves(&self, board: &Board, out: &mut Vec<u8>) {
        if self.outcome(board).is_none() {
            out.extend((0..9).filter(|cell| (board[0] | board[1]) >> cell & 1 == 0));
        }
    }

    fn play(&self, board: &Board, cell: &u8) -> Board {
        let mut after = *board;
        after[self.to_move(board)] |= 1 << cell;
        after
    }

    fn evaluate(&self, board: &Board) -> i32 {
        // A weak estimate, which is sometimes wrong.
        let centre = |side: usize| i32::from(board[side] >> 4 & 1) * 50;
        let own = self.to_move(board);
        centre(own) - centre(1 - own)
    }

    fn order(&self, _board: &Board, cell: &u8) -> i32 {
        if self.has_hints { [3, 2, 3, 2, 4, 2, 3, 2, 3][usize::from(*cell)] } else { 0 }
    }

    fn winning_move(&self, board: &Board) -> Option<u8> {
        let own = self.to_move(board);
        let mut moves = Vec::new();
        self.moves(board, &mut moves);
        moves.into_iter().find(|cell| self.has_hints && has_line(board[own] | 1 << cell))
    }

    fn n_slots(&self) -> usize {
        if self.has_hints { 9 } else { 0 }
    }

    fn slot(&self, cell: &u8) -> usize {
        usize::from(*cell)
    }

    fn can_cycle(&self) -> bool {
        false
    }
}
