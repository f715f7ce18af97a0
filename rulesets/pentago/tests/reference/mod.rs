//! A slow and plain reference of Pentago: `RULES.md` translated into code sentence by
//! sentence, on an array of characters. It shares nothing with the crate, so an error
//! has to be in both to go unnoticed.

/// `w`, `b` or `.`, by row from the top and column from the left.
type Board = [[char; 6]; 6];

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ReferenceGame {
    pub(crate) variant: String,
    pub(crate) board: Board,
    pub(crate) side: char,
    pub(crate) reply: bool,
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

impl ReferenceGame {
    pub(crate) fn start(variant: &str) -> ReferenceGame {
        ReferenceGame { variant: variant.to_owned(), board: [['.'; 6]; 6], side: 'w', reply: false }
    }

    /// Parses a position; `None` for texts that the rules do not accept.
    pub(crate) fn parse(variant: &str, text: &str) -> Option<ReferenceGame> {
        let fields: Vec<&str> = text.split(' ').collect();
        let reply = match fields.len() {
            2 => false,
            3 if variant == "czech" && fields[2] == "reply" => true,
            _ => return None,
        };
        let rows: Vec<&str> = fields[0].split('/').collect();
        if rows.len() != 6 {
            return None;
        }
        let mut board = [['.'; 6]; 6];
        for (row, row_text) in rows.iter().enumerate() {
            let mut spelled = String::new();
            for letter in row_text.chars() {
                match letter {
                    'w' | 'b' => spelled.push(letter),
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
        let side = match fields[1] {
            "w" => 'w',
            "b" => 'b',
            _ => return None,
        };
        let reference = ReferenceGame { variant: variant.to_owned(), board, side, reply };
        let (mine, theirs) = (count(&board, side), count(&board, other(side)));
        if mine != theirs && mine + 1 != theirs {
            return None;
        }
        // A reply is pending only after a five of the other side alone, and
        // only while a cell is empty.
        let pending = has_five(&board, other(side)) && !has_five(&board, side) && count(&board, '.') > 0;
        if reply && !pending { None } else { Some(reference) }
    }

    pub(crate) fn format(&self) -> String {
        let mut rows = Vec::new();
        for row in &self.board {
            let mut text: String = row.iter().collect();
            for run in (1..=6).rev() {
                text = text.replace(&".".repeat(run), &run.to_string());
            }
            rows.push(text);
        }
        format!("{} {}{}", rows.join("/"), self.side, if self.reply { " reply" } else { "" })
    }

    pub(crate) fn outcome(&self) -> Option<ReferenceOutcome> {
        if self.reply {
            return None;
        }
        match (has_five(&self.board, 'w'), has_five(&self.board, 'b')) {
            (true, true) if self.variant == "finnish" => {
                // The player who turned is the one who is not to move.
                Some(if self.side == 'b' { WHITE_WINS } else { BLACK_WINS })
            }
            (true, true) => Some(DRAW),
            (true, false) => Some(WHITE_WINS),
            (false, true) => Some(BLACK_WINS),
            (false, false) if count(&self.board, '.') == 0 => Some(DRAW),
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
                if self.board[row][column] != '.' {
                    continue;
                }
                let cell = format!("{}{}", "abcdef".as_bytes()[column] as char, row + 1);
                let mut placed = self.board;
                placed[row][column] = self.side;
                if self.reply || has_five(&placed, self.side) {
                    moves.push(cell);
                    continue;
                }
                if self.variant == "finnish" && (1..=4).any(|block| is_empty(&placed, block)) {
                    moves.push(cell.clone());
                }
                for block in 1..=4 {
                    moves.push(format!("{cell}-{block}r"));
                    if self.variant != "clockwise" {
                        moves.push(format!("{cell}-{block}l"));
                    }
                }
            }
        }
        if self.reply {
            moves.push("pass".to_owned());
        }
        moves.sort();
        moves
    }

    /// Plays a legal move.
    pub(crate) fn play(&self, mv: &str) -> ReferenceGame {
        let mut next = self.clone();
        next.reply = false;
        if mv == "pass" {
            return next;
        }
        let mv: Vec<char> = mv.chars().collect();
        let (column, row) = ("abcdef".find(mv[0]).unwrap(), mv[1].to_digit(10).unwrap() as usize - 1);
        assert_eq!(next.board[row][column], '.');
        next.board[row][column] = self.side;
        next.side = other(self.side);
        if mv.len() == 2 {
            return next;
        }
        next.board = turn(&next.board, mv[3].to_digit(10).unwrap() as usize, mv[4]);
        next.reply = self.variant == "czech"
            && has_five(&next.board, self.side)
            && !has_five(&next.board, next.side)
            && count(&next.board, '.') > 0;
        next
    }
}

fn other(side: char) -> char {
    if side == 'w' { 'b' } else { 'w' }
}

fn count(board: &Board, what: char) -> usize {
    board.iter().flatten().filter(|&&found| found == what).count()
}

/// Returns the top left corner of a block, as row and column.
fn corner(block: usize) -> (usize, usize) {
    [(0, 0), (0, 3), (3, 0), (3, 3)][block - 1]
}

fn is_empty(board: &Board, block: usize) -> bool {
    let (top, left) = corner(block);
    (0..3).all(|row| (0..3).all(|column| board[top + row][left + column] == '.'))
}

fn turn(board: &Board, block: usize, direction: char) -> Board {
    let (top, left) = corner(block);
    let mut turned = *board;
    for row in 0..3 {
        for column in 0..3 {
            let (to_row, to_column) = if direction == 'r' { (column, 2 - row) } else { (2 - column, row) };
            turned[top + to_row][left + to_column] = board[top + row][left + column];
        }
    }
    turned
}

fn has_five(board: &Board, side: char) -> bool {
    let at = |row: i32, column: i32| {
        (0..6).contains(&row) && (0..6).contains(&column) && board[row as usize][column as usize] == side
    };
    for row in 0..6 {
        for column in 0..6 {
            if !at(row, column) {
                continue;
            }
            for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                if (0..5).all(|i| at(row + i * down, column + i * right)) {
                    return true;
                }
            }
        }
    }
    false
}

/// Returns the fives that the mover has after a move, each as the sorted names of the
/// cells where its marbles stand, or are placed, before the turn.
#[allow(dead_code, reason = "only the tests of threats ask for that")]
pub(crate) fn fives_after(before: &ReferenceGame, mv: &str) -> Vec<Vec<String>> {
    let after = before.play(mv);
    // Every cell gets the name of the cell that its marble comes from.
    let mut names = [[(); 6]; 6].map(|row| row.map(|()| String::new()));
    for (row, cells) in names.iter_mut().enumerate() {
        for (column, name) in cells.iter_mut().enumerate() {
            *name = format!("{}{}", "abcdef".as_bytes()[column] as char, row + 1);
        }
    }
    if let Some((_, text)) = mv.split_once('-') {
        let (block, direction) = (text[..1].parse().unwrap(), text.chars().nth(1).unwrap());
        let unturned = names.clone();
        let (top, left) = corner(block);
        for row in 0..3 {
            for column in 0..3 {
                let (to_row, to_column) = if direction == 'r' { (column, 2 - row) } else { (2 - column, row) };
                names[top + to_row][left + to_column] = unturned[top + row][left + column].clone();
            }
        }
    }
    let mut fives = Vec::new();
    for row in 0..6_i32 {
        for column in 0..6_i32 {
            for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let cells: Vec<(i32, i32)> = (0..5).map(|i| (row + i * down, column + i * right)).collect();
                let is_own = |&(row, column): &(i32, i32)| {
                    (0..6).contains(&row)
                        && (0..6).contains(&column)
                        && after.board[row as usize][column as usize] == before.side
                };
                if cells.iter().all(is_own) {
                    let name = |&(row, column): &(i32, i32)| names[row as usize][column as usize].clone();
                    let mut five: Vec<String> = cells.iter().map(name).collect();
                    five.sort();
                    fives.push(five);
                }
            }
        }
    }
    fives
}
