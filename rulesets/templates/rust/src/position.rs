//! The rules: who wins, which moves there are, what they change.
//!
//! Replace this game by your own: two players put a stone on an empty cell in turn, and
//! three in a row win.

/// Cells per side of the board.
pub const SIZE: usize = 3;
pub const CELLS: usize = SIZE * SIZE;
/// Stones in a row that win.
const ROW: usize = 3;
/// From a cell to the next: right, down, and the two diagonals. In columns and rows.
const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

/// Everything that the rules need to continue a game. Cells are numbered row by row from
/// the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The seat whose stone is there: 0 or 1.
    pub cells: [Option<u8>; CELLS],
    pub to_move: u8,
}

impl Position {
    pub const START: Position = Position {
        cells: [None; CELLS],
        to_move: 0,
    };

    /// The legal moves: a stone on each of these cells.
    pub fn moves(&self) -> impl Iterator<Item = usize> {
        let is_over = self.is_over();
        (0..CELLS).filter(move |&cell| !is_over && self.cells[cell].is_none())
    }

    pub fn play(&self, cell: usize) -> Position {
        let mut next = *self;
        next.cells[cell] = Some(self.to_move);
        next.to_move = 1 - self.to_move;
        next
    }

    /// The seat that has won, if one has.
    pub fn winner(&self) -> Option<usize> {
        (0..2).find(|&seat| !self.rows_of(seat).is_empty())
    }

    pub fn is_over(&self) -> bool {
        self.winner().is_some() || self.cells.iter().all(Option::is_some)
    }

    /// The cells of all winning rows of a seat.
    pub fn rows_of(&self, seat: usize) -> Vec<usize> {
        let mut found = Vec::new();
        for (cell, direction) in
            (0..CELLS).flat_map(|cell| DIRECTIONS.map(|direction| (cell, direction)))
        {
            let row = row_from(cell, direction);
            if row.len() == ROW && row.iter().all(|&at| self.cells[at] == Some(seat as u8)) {
                found.extend(row);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Why no game leads to this position, if none does.
    pub fn impossible(&self) -> Option<&'static str> {
        let count = |seat| {
            self.cells
                .iter()
                .filter(|cell| **cell == Some(seat))
                .count()
        };
        let (first, second) = (count(0), count(1));
        if first != second + usize::from(self.to_move) {
            return Some("the numbers of stones do not fit the side to move");
        }
        let has_moved_on = !self.rows_of(usize::from(self.to_move)).is_empty();
        has_moved_on.then_some("the side to move has won already")
    }
}

/// The cells of a row that begins here; fewer where the board ends.
fn row_from(cell: usize, (right, down): (isize, isize)) -> Vec<usize> {
    let (column, row) = ((cell % SIZE) as isize, (cell / SIZE) as isize);
    let is_on_board = |at: isize| (0..SIZE as isize).contains(&at);
    (0..ROW as isize)
        .map(|step| (column + step * right, row + step * down))
        .take_while(|&(column, row)| is_on_board(column) && is_on_board(row))
        .map(|(column, row)| row as usize * SIZE + column as usize)
        .collect()
}
