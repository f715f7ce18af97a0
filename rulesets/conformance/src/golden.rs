//! Golden games: games played through, with what is expected on the way.
//!
//! Whether rules are consistent can be checked; whether they are those of the game, only
//! its author can say. A golden game says it in a few lines:
//!
//! ```text
//! # the first to connect four wins, here on the d file
//! variant standard
//! play d c d c d c
//! to-move r
//! moves 7
//! illegal h
//! play d
//! result r=1 y=0
//! ```
//!
//! | line | expectation |
//! | --- | --- |
//! | `variant ID` | the game begins, in this variant; without the line, in the default one |
//! | `start TEXT` | it begins with this position |
//! | `play MOVE…` | each move is legal |
//! | `position TEXT` | this position has been reached |
//! | `to-move SEAT` | this seat is to move |
//! | `moves COUNT` | this number of moves is legal |
//! | `legal MOVE…`, `illegal MOVE…` | each of them is legal, or none is |
//! | `unfinished` | the game goes on |
//! | `result SEAT=SCORE…` | the game is over with these scores |

use pentad_host::{CallError, Position};

use crate::rules::{Place, Rules};

/// A game with expectations, read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct GoldenGame {
    /// Name in reports, such as that of its file.
    name: String,
    variant: String,
    steps: Vec<(usize, Step)>,
}

#[derive(Clone, Debug, PartialEq)]
enum Step {
    Start(String),
    Play(Vec<String>),
    Position(String),
    ToMove(String),
    CountMoves(u64),
    Legal(Vec<String>),
    Illegal(Vec<String>),
    Unfinished,
    Result(Vec<(String, f64)>),
}

impl GoldenGame {
    /// Reads a game.
    ///
    /// # Errors
    /// The number of the first bad line, and what is wrong with it.
    pub fn read(name: &str, text: &str) -> Result<GoldenGame, String> {
        let mut game = GoldenGame { name: name.to_owned(), variant: String::new(), steps: Vec::new() };
        for (idx, line) in text.lines().enumerate() {
            let line = line.trim();
            let (word, rest) = line.split_once(' ').map_or((line, ""), |(word, rest)| (word, rest.trim()));
            if word.is_empty() || word.starts_with('#') {
                continue;
            }
            if word == "variant" {
                game.variant = rest.to_owned();
                continue;
            }
            let step = Step::read(word, rest).map_err(|what| format!("line {}: {what}: `{line}`", idx + 1))?;
            game.steps.push((idx + 1, step));
        }
        if game.steps.is_empty() { Err("there is nothing to play or to expect".to_owned()) } else { Ok(game) }
    }

    /// Plays the game and checks what it expects.
    pub(crate) fn check(&self, rules: &Rules<'_>, law: &str) -> Result<(), Box<crate::report::Failure>> {
        let variant = rules.variants().iter().position(|variant| variant.id == self.variant);
        let variant = if self.variant.is_empty() { Some(0) } else { variant };
        let mut replay = Replay { position: None, moves: Vec::new(), text: String::new() };
        let mut found_at = self.name.clone();
        let result = match variant {
            None => Err(format!("there is no variant `{}`", self.variant)),
            Some(variant) => self.steps.iter().try_for_each(|(line, step)| {
                found_at = format!("{}, line {line}", self.name);
                rules.begin(law, variant, replay.place(&found_at));
                replay.check(rules, variant, step)
            }),
        };
        result.map_err(|message| rules.failure(variant.unwrap_or(0), replay.place(&found_at), message))
    }
}

impl Step {
    fn read(word: &str, rest: &str) -> Result<Step, &'static str> {
        let words = || -> Vec<String> { rest.split_whitespace().map(str::to_owned).collect() };
        let some = |words: Vec<String>| if words.is_empty() { Err("expected a move") } else { Ok(words) };
        let score = |word: &str| -> Option<(String, f64)> {
            let (seat, score) = word.split_once('=')?;
            Some((seat.to_owned(), score.parse().ok()?))
        };
        Ok(match word {
            "start" => Step::Start(rest.to_owned()),
            "play" => Step::Play(some(words())?),
            "position" => Step::Position(rest.to_owned()),
            "to-move" => Step::ToMove(rest.to_owned()),
            "moves" => Step::CountMoves(rest.parse().map_err(|_| "expected a number of moves")?),
            "legal" => Step::Legal(some(words())?),
            "illegal" => Step::Illegal(some(words())?),
            "unfinished" => Step::Unfinished,
            "result" => {
                let scores: Option<Vec<_>> = rest.split_whitespace().map(score).collect();
                Step::Result(
                    scores.filter(|scores| !scores.is_empty()).ok_or("expected SEAT=SCORE, such as `w=1 b=0`")?,
                )
            }
            _ => return Err("no such line; see `pentad check --help`"),
        })
    }
}

/// A game that is being played.
struct Replay {
    /// `None` before the start.
    position: Option<Position>,
    moves: Vec<String>,
    text: String,
}

impl Replay {
    fn place<'a>(&'a self, found_at: &'a str) -> Place<'a> {
        Place { found_at, position: &self.text, moves: &self.moves }
    }

    fn check(&mut self, rules: &Rules<'_>, variant: usize, step: &Step) -> Result<(), String> {
        if let Step::Start(text) = step {
            let parsed = rules.parse(variant, text).map_err(|error| format!("`{text}`: {error}"))?;
            return self.reach(rules, variant, parsed);
        }
        if self.position.is_none() {
            let start = rules.start(variant).map_err(|error| format!("start: {error}"))?;
            self.reach(rules, variant, start)?;
        }
        if let Step::Play(moves) = step {
            return moves.iter().try_for_each(|mv| self.play(rules, variant, mv));
        }
        let position = self.position.as_ref().expect("the game has begun");
        check_expectation(rules, variant, position, &self.text, step)
    }

    fn play(&mut self, rules: &Rules<'_>, variant: usize, mv: &str) -> Result<(), String> {
        let position = self.position.as_ref().expect("the game has begun");
        let played = rules.play(variant, position, mv).map_err(|error| format!("`{mv}` cannot be played: {error}"))?;
        self.moves.push(played.canonical);
        self.reach(rules, variant, played.position)
    }

    fn reach(&mut self, rules: &Rules<'_>, variant: usize, position: Position) -> Result<(), String> {
        self.text = rules.format(variant, &position).map_err(|error| format!("format: {error}"))?;
        self.position = Some(position);
        Ok(())
    }
}

fn check_expectation(
    rules: &Rules<'_>,
    variant: usize,
    position: &Position,
    text: &str,
    step: &Step,
) -> Result<(), String> {
    let seats = &rules.variants()[variant].seats;
    let said = |error: CallError| error.to_string();
    match step {
        Step::Position(expected) if expected != text => Err(format!("the position is `{text}`, expected `{expected}`")),
        Step::ToMove(expected) => {
            let seat = &seats[rules.to_move(variant, position).map_err(said)?].id;
            if seat == expected { Ok(()) } else { Err(format!("`{seat}` is to move, expected `{expected}`")) }
        }
        Step::CountMoves(expected) => {
            let count = rules.legal_moves(variant, position, "").map_err(said)?.len() as u64;
            if count == *expected { Ok(()) } else { Err(format!("{count} moves are legal, expected {expected}")) }
        }
        Step::Legal(moves) => moves.iter().try_for_each(|mv| match rules.play(variant, position, mv) {
            Ok(_) => Ok(()),
            Err(error) => Err(format!("`{mv}` is expected to be legal: {error}")),
        }),
        Step::Illegal(moves) => moves.iter().try_for_each(|mv| match rules.play(variant, position, mv) {
            Ok(_) => Err(format!("`{mv}` is accepted, expected to be illegal")),
            Err(CallError::Fault(fault)) => Err(format!("`{mv}`: {fault}")),
            Err(_) => Ok(()),
        }),
        Step::Unfinished => match rules.scores(variant, position).map_err(said)? {
            None => Ok(()),
            Some(scores) => Err(format!("the game is over with {scores:?}, expected to go on")),
        },
        Step::Result(expected) => {
            let Some(scores) = rules.scores(variant, position).map_err(said)? else {
                return Err("the game goes on, expected to be over".to_owned());
            };
            expected.iter().try_for_each(|(seat, expected)| {
                let seat_idx = seats.iter().position(|known| known.id == *seat);
                let score = seat_idx.map(|idx| scores[idx]).ok_or_else(|| format!("there is no seat `{seat}`"))?;
                let is_close = (score - expected).abs() < 1e-6;
                if is_close { Ok(()) } else { Err(format!("`{seat}` has the score {score}, expected {expected}")) }
            })
        }
        Step::Position(_) | Step::Start(_) | Step::Play(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bad lines are named, with their number.
    #[test]
    fn bad_games_are_refused() {
        for (text, error) in [
            ("# nothing", "there is nothing to play or to expect"),
            ("play", "line 1: expected a move: `play`"),
            ("play 1\nmoves many", "line 2: expected a number of moves: `moves many`"),
            ("result a", "line 1: expected SEAT=SCORE, such as `w=1 b=0`: `result a`"),
            ("pley 1", "line 1: no such line; see `pentad check --help`: `pley 1`"),
        ] {
            assert_eq!(GoldenGame::read("game", text), Err(error.to_owned()));
        }
    }
}
