//! A slow, obviously correct implementation: `RULES.md` put into code sentence by
//! sentence, on a list of stops with neighbours. It shares nothing with the
//! crate, so an error that both have would have to be made twice.

use std::collections::VecDeque;
use std::sync::LazyLock;

/// Pieces on a stop: figures as (player, colour), and blocks.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Pieces {
    pub(crate) figures: Vec<(usize, usize)>,
    pub(crate) black: bool,
    pub(crate) grey: bool,
}

impl Pieces {
    fn is_free(&self) -> bool {
        self.figures.is_empty() && !self.black && !self.grey
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ReferenceGame {
    pub(crate) n_players: usize,
    /// By number of the stop.
    pub(crate) board: Vec<Pieces>,
    /// The player to move, from 0.
    pub(crate) to_move: usize,
    pub(crate) ko: Option<[(usize, usize); 2]>,
}

/// Names and neighbours of the 100 stops: corners, crossings, then small stops
/// in ASCII order, which is the order of lists.
pub(crate) struct Map {
    pub(crate) names: Vec<String>,
    pub(crate) neighbours: Vec<Vec<usize>>,
}

pub(crate) static MAP: LazyLock<Map> = LazyLock::new(Map::new);

impl Map {
    /// From the table of lines in `RULES.md` ("Board").
    fn new() -> Map {
        let mut lines: Vec<(char, char, usize)> = Vec::new();
        lines.extend(["AB", "BC", "CD", "DE", "AE"].map(|ends| (letter(ends, 0), letter(ends, 1), 3)));
        lines.extend(["ab", "bc", "cd", "de", "ae"].map(|ends| (letter(ends, 0), letter(ends, 1), 3)));
        for ends in ["Ac", "Ad", "Bd", "Be", "Ce", "Ca", "Da", "Db", "Eb", "Ec"] {
            lines.push((letter(ends, 0), letter(ends, 1), 6));
        }
        let mut small = Vec::new();
        let mut links = Vec::new();
        for (first, last, n) in lines {
            let mut before = first.to_string();
            for number in 1..=n {
                let name = format!("{first}{number}{last}");
                links.push((before, name.clone()));
                small.push(name.clone());
                before = name;
            }
            links.push((before, last.to_string()));
        }
        small.sort();
        let mut names: Vec<String> = "ABCDEabcde".chars().map(String::from).collect();
        names.extend(small);
        let find = |name: &String| names.iter().position(|known| known == name).unwrap();
        let mut neighbours = vec![Vec::new(); names.len()];
        for (one, other) in &links {
            neighbours[find(one)].push(find(other));
            neighbours[find(other)].push(find(one));
        }
        Map { names, neighbours }
    }

    /// Finds a stop by its name or its reversed name.
    pub(crate) fn stop(&self, text: &str) -> Option<usize> {
        let mut spellings = vec![text.to_owned()];
        if let [first, number @ '1'..='6', last] = text.chars().collect::<Vec<char>>()[..] {
            let n_stops = (1..=6).filter(|n| self.names.contains(&format!("{last}{n}{first}"))).count() as u32;
            let number = number.to_digit(10).unwrap();
            if number <= n_stops {
                spellings.push(format!("{last}{}{first}", n_stops + 1 - number));
            }
        }
        self.names.iter().position(|name| spellings.contains(name))
    }
}

fn letter(text: &str, at: usize) -> char {
    text.chars().nth(at).unwrap()
}

fn colour_letter(colour: usize) -> char {
    letter("abcde", colour)
}

/// Crossing a has number 5 and so on.
fn goal(colour: usize) -> usize {
    5 + colour
}

fn figure_name(figure: (usize, usize)) -> String {
    format!("{}{}", figure.0 + 1, colour_letter(figure.1))
}

impl ReferenceGame {
    /// Parses a position; `None` for whatever `RULES.md` does not accept.
    pub(crate) fn parse(n_players: usize, text: &str) -> Option<ReferenceGame> {
        let fields: Vec<&str> = text.split(' ').collect();
        let [figures, black, grey, to_move, ko] = fields[..] else { return None };
        let mut board = vec![Pieces::default(); 100];
        let players: Vec<&str> = figures.split('/').collect();
        if players.len() != n_players {
            return None;
        }
        for (player, list) in players.iter().enumerate() {
            let stops: Vec<&str> = list.split(',').collect();
            if stops.len() != 5 {
                return None;
            }
            for (colour, stop) in stops.iter().enumerate() {
                if *stop != "*" {
                    board[MAP.stop(stop)?].figures.push((player, colour));
                }
            }
        }
        let black: Vec<usize> = black.split(',').map(|stop| MAP.stop(stop)).collect::<Option<_>>()?;
        let grey: Vec<usize> = match grey {
            "-" => Vec::new(),
            list => list.split(',').map(|stop| MAP.stop(stop)).collect::<Option<_>>()?,
        };
        if black.len() != 5 || grey.len() > 5 {
            return None;
        }
        for (stops, is_black) in [(black, true), (grey, false)] {
            for stop in stops {
                if !board[stop].is_free() {
                    return None;
                }
                *(if is_black { &mut board[stop].black } else { &mut board[stop].grey }) = true;
            }
        }
        for (stop, pieces) in board.iter().enumerate() {
            if pieces.figures.len() > if stop < 5 { n_players } else { 1 } {
                return None;
            }
        }
        let to_move = (1..=n_players).find(|player| player.to_string() == to_move)? - 1;
        let all: Vec<(usize, usize)> = (0..n_players).flat_map(|p| (0..5).map(move |c| (p, c))).collect();
        let ko = match ko {
            "-" => None,
            pair => {
                let named = |one: &&(usize, usize), other: &&(usize, usize)| {
                    format!("{}{}", figure_name(**one), figure_name(**other)) == pair
                };
                let mut pairs = all.iter().flat_map(|one| all.iter().map(move |other| (one, other)));
                let (one, other) = pairs.find(|(one, other)| one < other && named(one, other))?;
                Some([*one, *other])
            }
        };
        let reference = ReferenceGame { n_players, board, to_move, ko };
        let n_out: usize = (0..n_players).map(|player| reference.n_out(player)).sum();
        if reference.n_grey() > n_out {
            return None;
        }
        let round_goes_on = to_move != 0;
        if round_goes_on && (to_move..n_players).any(|player| reference.n_out(player) >= 3) {
            return None;
        }
        let moved_last = (to_move + n_players - 1) % n_players;
        if ko.is_some_and(|pair| pair[0].0 != moved_last && pair[1].0 != moved_last) {
            return None;
        }
        Some(reference)
    }

    pub(crate) fn format(&self) -> String {
        let figure = |player, colour| self.find((player, colour)).map_or("*", |stop| MAP.names[stop].as_str());
        let player = |player| (0..5).map(|colour| figure(player, colour)).collect::<Vec<_>>().join(",");
        let figures = (0..self.n_players).map(player).collect::<Vec<_>>().join("/");
        let list = |is_there: fn(&Pieces) -> bool| {
            let stops = (0..100).filter(|&stop| is_there(&self.board[stop]));
            let names: Vec<&str> = stops.map(|stop| MAP.names[stop].as_str()).collect();
            if names.is_empty() { "-".to_owned() } else { names.join(",") }
        };
        let ko = self.ko.map_or("-".to_owned(), |pair| pair.map(figure_name).concat());
        let (black, grey) = (list(|pieces| pieces.black), list(|pieces| pieces.grey));
        format!("{figures} {black} {grey} {} {ko}", self.to_move + 1)
    }

    pub(crate) fn find(&self, figure: (usize, usize)) -> Option<usize> {
        self.board.iter().position(|pieces| pieces.figures.contains(&figure))
    }

    pub(crate) fn n_out(&self, player: usize) -> usize {
        (0..5).filter(|&colour| self.find((player, colour)).is_none()).count()
    }

    pub(crate) fn n_grey(&self) -> usize {
        self.board.iter().filter(|pieces| pieces.grey).count()
    }

    /// Returns scores and places once the game is over.
    pub(crate) fn outcome(&self) -> Option<(Vec<f64>, Vec<u32>)> {
        let won: Vec<bool> = (0..self.n_players).map(|player| self.n_out(player) >= 3).collect();
        let k = won.iter().filter(|&&won| won).count();
        if self.to_move != 0 || k == 0 {
            return None;
        }
        let scores = won.iter().map(|&won| if won { 1.0 / k as f64 } else { 0.0 }).collect();
        let places = won.iter().map(|&won| if won { 1 } else { k as u32 + 1 }).collect();
        Some((scores, places))
    }

    /// Returns the legal moves in ASCII order.
    pub(crate) fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if self.outcome().is_some() {
            return moves;
        }
        let own: Vec<(usize, usize)> = (0..5).map(|colour| (self.to_move, colour)).collect();
        let on_goal: Vec<_> = own.iter().filter(|figure| self.find(**figure) == Some(goal(figure.1))).collect();
        for figure in &on_goal {
            let mut board = self.board.clone();
            board[goal(figure.1)].figures.clear();
            put_greys(&mut board, 1, &format!("{}!", colour_letter(figure.1)), &mut moves);
        }
        if on_goal.is_empty() {
            for figure in own {
                if let Some(origin) = self.find(figure) {
                    self.moves_of(figure, origin, &mut moves);
                }
            }
        }
        if moves.is_empty() {
            moves.push("pass".to_owned());
        }
        moves.sort();
        moves
    }

    fn moves_of(&self, figure: (usize, usize), origin: usize, moves: &mut Vec<String>) {
        for to in self.reachable(origin) {
            let text = format!("{}-{}", colour_letter(figure.1), MAP.names[to]);
            let mut board = self.board.clone();
            board[origin].figures.retain(|other| *other != figure);
            let others = board[to].figures.clone();
            if others.is_empty() {
                let beats_black = board[to].black;
                board[to] = Pieces { figures: vec![figure], ..Pieces::default() };
                if beats_black {
                    for stop in 0..100 {
                        if board[stop].is_free() {
                            board[stop].black = true;
                            go_out(&board, figure, None, &format!("{text}@{}", MAP.names[stop]), moves);
                            board[stop].black = false;
                        }
                    }
                } else {
                    go_out(&board, figure, None, &text, moves);
                }
            }
            for other in others {
                let pair = [figure.min(other), figure.max(other)];
                if self.ko == Some(pair) {
                    continue;
                }
                let mut swapped = board.clone();
                swapped[to].figures.retain(|there| *there != other);
                swapped[to].figures.push(figure);
                swapped[origin].figures.push(other);
                go_out(&swapped, figure, Some(other), &format!("{text}={}", figure_name(other)), moves);
            }
        }
    }

    /// Returns the free stops that a figure can reach, and the first occupied ones.
    fn reachable(&self, origin: usize) -> Vec<usize> {
        let mut seen = vec![origin];
        let mut queue = VecDeque::from([origin]);
        while let Some(stop) = queue.pop_front() {
            for &next in &MAP.neighbours[stop] {
                if !seen.contains(&next) {
                    seen.push(next);
                    if self.board[next].is_free() {
                        queue.push_back(next);
                    }
                }
            }
        }
        seen.remove(0);
        seen
    }

    /// Returns the position after a legal move in canonical form.
    pub(crate) fn play(&self, mv: &str) -> ReferenceGame {
        let mut next = self.clone();
        next.ko = None;
        next.to_move = (self.to_move + 1) % self.n_players;
        if mv == "pass" {
            return next;
        }
        let figure = (self.to_move, "abcde".find(letter(mv, 0)).unwrap());
        let origin = self.find(figure).unwrap();
        next.board[origin].figures.retain(|other| *other != figure);
        let mut greys = mv.split('+');
        let step = greys.next().unwrap();
        let (step, black) = step.split_once('@').map_or((step, None), |(step, stop)| (step, MAP.stop(stop)));
        let (step, swap) = step.split_once('=').map_or((step, None), |(step, other)| (step, Some(other)));
        if let Some((_, to)) = step.split_once('-') {
            let to = MAP.stop(to).unwrap();
            let other = self.board[to].figures.iter().find(|there| swap == Some(figure_name(**there).as_str()));
            next.board[to].black = false;
            next.board[to].grey = false;
            next.board[to].figures.push(figure);
            if let Some(&other) = other {
                next.board[to].figures.retain(|there| *there != other);
                next.board[origin].figures.push(other);
                next.ko = Some([figure.min(other), figure.max(other)]);
                if other.0 == figure.0 && origin == goal(other.1) {
                    next.board[origin].figures.clear();
                }
            }
            if to == goal(figure.1) {
                next.board[to].figures.clear();
            }
        }
        if let Some(stop) = black {
            next.board[stop].black = true;
        }
        for grey in greys {
            let to = match grey.split_once('>') {
                Some((from, to)) => {
                    next.board[MAP.stop(from).unwrap()].grey = false;
                    to
                }
                None => grey,
            };
            next.board[MAP.stop(to).unwrap()].grey = true;
        }
        next
    }
}

/// Removes the mover's figures that moved and stand on their goals from the board, and
/// puts a grey block for each.
fn go_out(
    board: &[Pieces],
    figure: (usize, usize),
    swapped: Option<(usize, usize)>,
    text: &str,
    moves: &mut Vec<String>,
) {
    let mut board = board.to_vec();
    let mut n_out = 0;
    for moved in [Some(figure), swapped].into_iter().flatten() {
        if moved.0 == figure.0 && board[goal(moved.1)].figures.contains(&moved) {
            board[goal(moved.1)].figures.clear();
            n_out += 1;
        }
    }
    put_greys(&mut board, n_out, text, moves);
}

fn put_greys(board: &mut [Pieces], n_left: usize, text: &str, moves: &mut Vec<String>) {
    if n_left == 0 {
        moves.push(text.to_owned());
        return;
    }
    let on_board: Vec<usize> = (0..100).filter(|&stop| board[stop].grey).collect();
    if on_board.len() < 5 {
        for to in 0..100 {
            if board[to].is_free() {
                board[to].grey = true;
                put_greys(board, n_left - 1, &format!("{text}+{}", MAP.names[to]), moves);
                board[to].grey = false;
            }
        }
        return;
    }
    for from in on_board {
        for to in 0..100 {
            if board[to].is_free() {
                board[from].grey = false;
                board[to].grey = true;
                put_greys(board, n_left - 1, &format!("{text}+{}>{}", MAP.names[from], MAP.names[to]), moves);
                board[to].grey = false;
                board[from].grey = true;
            }
        }
    }
}
