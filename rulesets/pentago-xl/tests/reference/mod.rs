//! A slow, obviously correct implementation: `RULES.md` put into code sentence by
//! sentence, on an array of characters. It shares nothing with the crate, so an
//! error that both have would have to be made twice.

/// `r`, `y`, `g`, `b` or `.`, by row from the top and column from the left.
pub(crate) type Board = [[char; 9]; 9];

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ReferenceGame {
    pub(crate) variant: String,
    pub(crate) board: Board,
    pub(crate) side: char,
    /// Colour and place of players who have finished, in playing order.
    pub(crate) places: Vec<(char, u32)>,
}

/// Places and scores by player, in playing order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ReferenceOutcome {
    pub(crate) scores: Vec<f64>,
    pub(crate) places: Vec<u32>,
}

/// Returns the players of a variant, in playing order.
pub(crate) fn players(variant: &str) -> Vec<char> {
    match variant {
        "ffa2" => vec!['r', 'y'],
        "ffa3" | "places3" => vec!['r', 'y', 'g'],
        _ => vec!['r', 'y', 'g', 'b'],
    }
}

impl ReferenceGame {
    pub(crate) fn start(variant: &str) -> ReferenceGame {
        ReferenceGame { variant: variant.to_owned(), board: [['.'; 9]; 9], side: 'r', places: Vec::new() }
    }

    fn has_places(&self) -> bool {
        self.variant.starts_with("places")
    }

    fn has_finished(&self, player: char) -> bool {
        self.places.iter().any(|(finished, _)| *finished == player)
    }

    fn unfinished(&self) -> Vec<char> {
        players(&self.variant).into_iter().filter(|player| !self.has_finished(*player)).collect()
    }

    /// Parses a position; `None` for whatever `RULES.md` does not accept.
    pub(crate) fn parse(variant: &str, text: &str) -> Option<ReferenceGame> {
        let fields: Vec<&str> = text.split(' ').collect();
        if fields.len() != 3 {
            return None;
        }
        let players = players(variant);
        let rows: Vec<&str> = fields[0].split('/').collect();
        if rows.len() != 9 {
            return None;
        }
        let mut board = [['.'; 9]; 9];
        for (row, row_text) in rows.iter().enumerate() {
            let mut spelled = String::new();
            for letter in row_text.chars() {
                match letter {
                    '1'..='9' => spelled.push_str(&".".repeat(letter.to_digit(10)? as usize)),
                    _ if players.contains(&letter) => spelled.push(letter),
                    _ => return None,
                }
            }
            if spelled.len() != 9 {
                return None;
            }
            for (column, letter) in spelled.chars().enumerate() {
                board[row][column] = letter;
            }
        }
        let side = fields[1].chars().next()?;
        if fields[1].len() != 1 || !players.contains(&side) {
            return None;
        }
        let mut places = Vec::new();
        if fields[2] != "-" {
            let letters: Vec<char> = fields[2].chars().collect();
            if letters.is_empty() || !letters.len().is_multiple_of(2) || !variant.starts_with("places") {
                return None;
            }
            for pair in letters.chunks(2) {
                places.push((pair[0], pair[1].to_digit(10)?));
            }
        }
        let reference = ReferenceGame { variant: variant.to_owned(), board, side, places };
        if reference.is_possible() { Some(reference) } else { None }
    }

    fn is_possible(&self) -> bool {
        let players = players(&self.variant);
        // In playing order, each once.
        let order: Vec<Option<usize>> =
            self.places.iter().map(|(player, _)| players.iter().position(|other| other == player)).collect();
        if order.contains(&None) || !order.is_sorted_by(|a, b| a < b) {
            return false;
        }
        // Places that can arise: groups of players share the next place, one group
        // after another, while at least two players are left.
        let mut given: Vec<u32> = self.places.iter().map(|(_, place)| *place).collect();
        given.sort_unstable();
        if !sequences(players.len()).contains(&given) {
            return false;
        }
        let unfinished = self.unfinished();
        if !unfinished.is_empty() {
            // A finished player to move while another has not finished.
            let Some(turn) = unfinished.iter().position(|player| *player == self.side) else { return false };
            let mine = count(&self.board, self.side);
            for (idx, player) in unfinished.iter().enumerate() {
                let theirs = count(&self.board, *player);
                if (idx < turn && theirs != mine + 1) || (idx >= turn && theirs != mine) {
                    return false;
                }
            }
        }
        for (player, _) in &self.places {
            let marbles = count(&self.board, *player);
            let most = unfinished.iter().map(|other| count(&self.board, *other)).max();
            if marbles < 5 || most.is_some_and(|most| marbles > most + 1) {
                return false;
            }
        }
        !(self.has_places() && unfinished.iter().any(|player| has_five(&self.board, *player)))
    }

    pub(crate) fn format(&self) -> String {
        let mut rows = Vec::new();
        for row in &self.board {
            let mut text = String::new();
            for cell in row {
                match (cell, text.chars().last().and_then(|last| last.to_digit(10))) {
                    ('.', Some(run)) => {
                        text.pop();
                        text.push_str(&(run + 1).to_string());
                    }
                    ('.', None) => text.push('1'),
                    (marble, _) => text.push(*marble),
                }
            }
            rows.push(text);
        }
        let mut places: String = self.places.iter().map(|(player, place)| format!("{player}{place}")).collect();
        if places.is_empty() {
            places.push('-');
        }
        format!("{} {} {places}", rows.join("/"), self.side)
    }

    pub(crate) fn outcome(&self) -> Option<ReferenceOutcome> {
        let players = players(&self.variant);
        let n = players.len();
        let is_full = count(&self.board, '.') == 0;
        let five = |player: &char| has_five(&self.board, *player);
        if self.has_places() {
            let unfinished = self.unfinished();
            if unfinished.len() > 1 && !is_full {
                return None;
            }
            let place = |player: &char| {
                let given = self.places.iter().find(|(finished, _)| finished == player);
                given.map_or(self.places.len() as u32 + 1, |(_, place)| *place)
            };
            let places: Vec<u32> = players.iter().map(place).collect();
            // First to last from 1 to 0; players who share places get their mean.
            let worth = |place: u32| (n as f64 - f64::from(place)) / (n as f64 - 1.0);
            let score = |place: &u32| {
                let n_sharing = places.iter().filter(|other| *other == place).count() as u32;
                (*place..*place + n_sharing).map(worth).sum::<f64>() / f64::from(n_sharing)
            };
            return Some(ReferenceOutcome { scores: places.iter().map(score).collect(), places });
        }
        if self.variant == "teams" {
            let red_green = five(&'r') || five(&'g');
            let yellow_blue = five(&'y') || five(&'b');
            return match (red_green, yellow_blue) {
                (true, false) => Some(ReferenceOutcome { scores: vec![1.0, 0.0, 1.0, 0.0], places: vec![1, 3, 1, 3] }),
                (false, true) => Some(ReferenceOutcome { scores: vec![0.0, 1.0, 0.0, 1.0], places: vec![3, 1, 3, 1] }),
                (false, false) if !is_full => None,
                _ => Some(ReferenceOutcome { scores: vec![0.5; 4], places: vec![1; 4] }),
            };
        }
        let k = players.iter().filter(|player| five(player)).count();
        if k == 0 {
            return is_full.then(|| ReferenceOutcome { scores: vec![1.0 / n as f64; n], places: vec![1; n] });
        }
        let score = |player: &char| if five(player) { 1.0 / k as f64 } else { 0.0 };
        let place = |player: &char| if five(player) { 1 } else { k as u32 + 1 };
        Some(ReferenceOutcome {
            scores: players.iter().map(score).collect(),
            places: players.iter().map(place).collect(),
        })
    }

    /// Returns the legal moves in ASCII order.
    pub(crate) fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if self.outcome().is_some() {
            return moves;
        }
        for row in 0..9 {
            for column in 0..9 {
                if self.board[row][column] != '.' {
                    continue;
                }
                let cell = format!("{}{}", "abcdefghi".as_bytes()[column] as char, row + 1);
                let mut placed = self.board;
                placed[row][column] = self.side;
                if has_five(&placed, self.side) {
                    moves.push(cell);
                    continue;
                }
                for block in [1, 2, 3, 4, 6, 7, 8, 9] {
                    moves.push(format!("{cell}-{block}r"));
                    moves.push(format!("{cell}-{block}l"));
                }
            }
        }
        moves.sort();
        moves
    }

    /// Returns the position after a legal move.
    pub(crate) fn play(&self, mv: &str) -> ReferenceGame {
        let mut next = self.clone();
        let mv: Vec<char> = mv.chars().collect();
        let (column, row) = ("abcdefghi".find(mv[0]).unwrap(), mv[1].to_digit(10).unwrap() as usize - 1);
        assert_eq!(next.board[row][column], '.');
        next.board[row][column] = self.side;
        if mv.len() > 2 {
            next.board = turn(&next.board, mv[3].to_digit(10).unwrap() as usize, mv[4]);
        }
        let players = players(&self.variant);
        if self.has_places() {
            let place = self.places.len() as u32 + 1;
            for player in self.unfinished() {
                if has_five(&next.board, player) {
                    next.places.push((player, place));
                }
            }
            next.places.sort_by_key(|(player, _)| players.iter().position(|other| other == player));
        }
        // The next player who has not finished, or the next colour.
        let mover = players.iter().position(|player| *player == self.side).unwrap();
        next.side = players[(mover + 1) % players.len()];
        for step in 1..=players.len() {
            let candidate = players[(mover + step) % players.len()];
            if !next.has_finished(candidate) {
                next.side = candidate;
                break;
            }
        }
        next
    }
}

/// Returns all sorted lists of places that a game of n players can assign.
fn sequences(n: usize) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    let mut at = 0;
    while at < all.len() {
        let given = all[at].clone();
        let left = n - given.len();
        if left >= 2 {
            for group in 1..=left {
                let mut longer = given.clone();
                longer.extend(std::iter::repeat_n(given.len() as u32 + 1, group));
                all.push(longer);
            }
        }
        at += 1;
    }
    all
}

fn count(board: &Board, what: char) -> usize {
    board.iter().flatten().filter(|&&found| found == what).count()
}

pub(crate) fn turn(board: &Board, block: usize, direction: char) -> Board {
    let (top, left) = ((block - 1) / 3 * 3, (block - 1) % 3 * 3);
    let mut turned = *board;
    for row in 0..3 {
        for column in 0..3 {
            let (to_row, to_column) = if direction == 'r' { (column, 2 - row) } else { (2 - column, row) };
            turned[top + to_row][left + to_column] = board[top + row][left + column];
        }
    }
    turned
}

pub(crate) fn has_five(board: &Board, side: char) -> bool {
    let at = |row: i32, column: i32| {
        (0..9).contains(&row) && (0..9).contains(&column) && board[row as usize][column as usize] == side
    };
    for row in 0..9 {
        for column in 0..9 {
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
