//! A slow and plain reference of Pentaflip: `RULES.md` translated into code sentence by
//! sentence, on arrays of characters. It shares nothing with the crate, so an error has
//! to be in both to go unnoticed.

/// By row from the top and column from the left. On top `w` and `b` are rings,
/// `W` and `B` spots; `.` is empty. Underneath the spots count as empty.
type Board = [[char; 6]; 6];

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ReferenceGame {
    pub(crate) top: Board,
    pub(crate) under: Board,
    pub(crate) side: char,
    pub(crate) last: char,
}

/// Scores and places of white and black.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ReferenceOutcome {
    pub(crate) scores: [f64; 2],
    pub(crate) places: [u32; 2],
}

const WHITE_WINS: ReferenceOutcome = ReferenceOutcome { scores: [1.0, 0.0], places: [1, 2] };
const BLACK_WINS: ReferenceOutcome = ReferenceOutcome { scores: [0.0, 1.0], places: [2, 1] };
const DRAW: ReferenceOutcome = ReferenceOutcome { scores: [0.5, 0.5], places: [1, 1] };
const FLIPS: [char; 8] = ['1', '2', '3', '4', 'L', 'R', 'T', 'B'];

impl ReferenceGame {
    pub(crate) fn start() -> ReferenceGame {
        ReferenceGame::parse("6/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w -").unwrap()
    }

    /// Reads a position; `None` for any text that `RULES.md` does not accept.
    pub(crate) fn parse(text: &str) -> Option<ReferenceGame> {
        let fields: Vec<&str> = text.split(' ').collect();
        let [top, under, side, last] = fields[..] else { return None };
        let (top, under) = (read_board(top)?, read_board(under)?);
        let side = match side {
            "w" => 'w',
            "b" => 'b',
            _ => return None,
        };
        let last = match last {
            "-" => '-',
            _ => FLIPS.into_iter().find(|flip| flip.to_string() == last)?,
        };
        for row in 0..6 {
            for column in 0..6 {
                let (above, below) = (top[row][column], under[row][column]);
                let fits = if is_spot(row, column) {
                    "WB".contains(above) && below == '.'
                } else {
                    "wb.".contains(above) && "wb.".contains(below)
                };
                if !fits {
                    return None;
                }
            }
        }
        let reference = ReferenceGame { top, under, side, last };
        let spots_fit = count(&top, 'W') == 2 && count(&top, 'B') == 2;
        let rings_fit = reference.rings('w') <= 22 && reference.rings('b') <= 22;
        if spots_fit && rings_fit { Some(reference) } else { None }
    }

    pub(crate) fn format(&self) -> String {
        format!("{} {} {} {}", board_text(&self.top), board_text(&self.under), self.side, self.last)
    }

    fn rings(&self, colour: char) -> usize {
        count(&self.top, colour) + count(&self.under, colour)
    }

    pub(crate) fn outcome(&self) -> Option<ReferenceOutcome> {
        match (has_five(&self.top, 'w'), has_five(&self.top, 'b')) {
            (true, true) => Some(DRAW),
            (true, false) => Some(WHITE_WINS),
            (false, true) => Some(BLACK_WINS),
            (false, false) if self.rings('w') + self.rings('b') == 44 => Some(DRAW),
            (false, false) => None,
        }
    }

    /// Returns the legal moves in ASCII order.
    pub(crate) fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if self.outcome().is_some() {
            return moves;
        }
        for row in 0..6 {
            for column in 0..6 {
                if self.rings(self.side) < 22 && self.may_place(row, column) {
                    moves.push(format!("{}{}", "abcdef".as_bytes()[column] as char, row + 1));
                }
            }
        }
        for flip in FLIPS {
            if flip != self.last {
                moves.push(format!("~{flip}"));
            }
        }
        moves.sort();
        moves
    }

    fn may_place(&self, row: usize, column: usize) -> bool {
        if is_spot(row, column) || self.top[row][column] != '.' {
            return false;
        }
        if self.under[row][column] == self.side {
            return true;
        }
        let is_own = |row: usize, column: usize| {
            row < 6 && column < 6 && self.top[row][column].to_ascii_lowercase() == self.side
        };
        is_own(row + 1, column)
            || is_own(row.wrapping_sub(1), column)
            || is_own(row, column + 1)
            || is_own(row, column.wrapping_sub(1))
    }

    /// Returns the position after a legal move, which is not checked.
    pub(crate) fn play(&self, mv: &str) -> ReferenceGame {
        let mut next = self.clone();
        next.side = if self.side == 'w' { 'b' } else { 'w' };
        let mv: Vec<char> = mv.chars().collect();
        if mv[0] != '~' {
            let (column, row) = ("abcdef".find(mv[0]).unwrap(), mv[1].to_digit(10).unwrap() as usize - 1);
            next.top[row][column] = self.side;
            next.last = '-';
            return next;
        }
        next.last = mv[1];
        for row in 0..6 {
            for column in 0..6 {
                let Some((to_row, to_column)) = destination(mv[1], row, column) else { continue };
                if is_spot(row, column) {
                    next.top[to_row][to_column] = self.top[row][column];
                } else {
                    next.top[to_row][to_column] = self.under[row][column];
                    next.under[to_row][to_column] = self.top[row][column];
                }
            }
        }
        next
    }
}

/// Returns the cell to which a flip takes a cell; `None` if it does not turn over.
pub(crate) fn destination(flip: char, row: usize, column: usize) -> Option<(usize, usize)> {
    let (top, left) = (row < 3, column < 3);
    match flip {
        // The main diagonal of the quarter.
        '1' if top && left => Some((column, row)),
        '4' if !top && !left => Some((column, row)),
        // The other diagonal: d1 goes to f3.
        '2' if top && !left => Some((5 - column, 5 - row)),
        '3' if !top && left => Some((5 - column, 5 - row)),
        'L' if left => Some((5 - row, column)),
        'R' if !left => Some((5 - row, column)),
        'T' if top => Some((row, 5 - column)),
        'B' if !top => Some((row, 5 - column)),
        _ => None,
    }
}

pub(crate) fn is_spot(row: usize, column: usize) -> bool {
    (row == 2 || row == 3) && (column == 2 || column == 3)
}

fn read_board(text: &str) -> Option<Board> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != 6 {
        return None;
    }
    let mut board = [['.'; 6]; 6];
    for (row, row_text) in rows.iter().enumerate() {
        let mut spelled = String::new();
        for letter in row_text.chars() {
            match letter {
                'w' | 'b' | 'W' | 'B' => spelled.push(letter),
                '1'..='6' => spelled.push_str(&".".repeat(letter.to_digit(10)? as usize)),
                _ => return None,
            }
        }
        if spelled.len() != 6 {
            return None;
        }
        for (column, letter) in spelled.chars().enumerate() {
            board[row][column] = letter;
        }
    }
    Some(board)
}

fn board_text(board: &Board) -> String {
    let mut rows = Vec::new();
    for row in board {
        let mut text: String = row.iter().collect();
        for run in (1..=6).rev() {
            text = text.replace(&".".repeat(run), &run.to_string());
        }
        rows.push(text);
    }
    rows.join("/")
}

fn count(board: &Board, what: char) -> usize {
    board.iter().flatten().filter(|&&letter| letter == what).count()
}

fn has_five(board: &Board, colour: char) -> bool {
    let at = |row: i32, column: i32| {
        (0..6).contains(&row)
            && (0..6).contains(&column)
            && board[row as usize][column as usize].to_ascii_lowercase() == colour
    };
    for row in 0..6 {
        for column in 0..6 {
            for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                if (0..5).all(|i| at(row + i * down, column + i * right)) {
                    return true;
                }
            }
        }
    }
    false
}
