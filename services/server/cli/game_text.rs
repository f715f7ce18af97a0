//! Games as text, as the board page copies and reads them: tags in brackets, numbered
//! moves, variations in parentheses, comments in braces.
//!
//! ```text
//! [Game "pentago"]
//! [Variant "standard"]
//!
//! 1. c3-2r d4-1l (1... e5-2r) 2. b2-1r
//! ```
//!
//! A line of JSON as in files for `pentad import`, and a bare list of moves, are read as
//! well.

use std::error::Error;
use std::fs::File;
use std::io::{Read, stdin};
use std::path::Path;

use super::import::GameLine;

/// Longer texts are refused; a long game has some thousand characters.
const LEN_MAX: u64 = 1 << 20;
const LINE_LEN: usize = 90;

/// A game without its variations and comments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct GameText {
    /// `None` if the text does not say.
    pub(super) game: Option<String>,
    pub(super) variant: Option<String>,
    /// `None` for the start.
    pub(super) position: Option<String>,
    pub(super) moves: Vec<String>,
}

impl GameText {
    /// Reads a file; `-` is standard input.
    pub(super) fn read_file(path: &Path) -> Result<GameText, Box<dyn Error>> {
        let cannot = |error| format!("{}: {error}", path.display());
        let source: Box<dyn Read> = match path == Path::new("-") {
            true => Box::new(stdin()),
            false => Box::new(File::open(path).map_err(cannot)?),
        };
        let mut text = String::new();
        source.take(LEN_MAX + 1).read_to_string(&mut text).map_err(cannot)?;
        if text.len() as u64 > LEN_MAX {
            return Err(format!("{}: longer than {LEN_MAX} bytes; this reads one game", path.display()).into());
        }
        GameText::parse(&text).map_err(|error| format!("{}: {error}", path.display()).into())
    }

    pub(super) fn parse(text: &str) -> Result<GameText, String> {
        // A comment would hardly begin with a quotation mark.
        if text.trim_start().strip_prefix('{').is_some_and(|rest| rest.trim_start().starts_with('"')) {
            return serde_json::from_str::<GameLine>(text.trim()).map(Into::into).map_err(|error| error.to_string());
        }
        let mut game = GameText::default();
        let mut body = String::new();
        for line in text.lines() {
            match tag(line.trim()) {
                Some((name, value)) => match name.to_ascii_lowercase().as_str() {
                    "game" => game.game = Some(value),
                    "variant" => game.variant = Some(value),
                    "position" => game.position = Some(value),
                    _ => {}
                },
                None => {
                    body.push_str(line);
                    body.push('\n');
                }
            }
        }
        game.moves = moves(&body)?;
        Ok(game)
    }

    /// Writes the text; `result` is for readers.
    pub(super) fn write(&self, n_seats: usize, result: Option<&str>) -> String {
        let tags = [
            ("Game", self.game.as_deref()),
            ("Variant", self.variant.as_deref()),
            ("Position", self.position.as_deref()),
            ("Result", result),
        ];
        let tag = |(name, value): (&str, Option<&str>)| {
            let value = value?.replace('\\', "\\\\").replace('"', "\\\"");
            Some(format!("[{name} \"{value}\"]\n"))
        };
        let mut text: String = tags.into_iter().filter_map(tag).collect();
        text.push('\n');
        let n_seats = n_seats.max(1);
        let mut len = 0;
        for (idx, mv) in self.moves.iter().enumerate() {
            let number = if idx % n_seats == 0 { format!("{}. ", idx / n_seats + 1) } else { String::new() };
            let word = format!("{number}{mv}");
            match len {
                0 => {}
                _ if len + 1 + word.len() > LINE_LEN => {
                    text.push('\n');
                    len = 0;
                }
                _ => {
                    text.push(' ');
                    len += 1;
                }
            }
            text.push_str(&word);
            len += word.len();
        }
        text.push('\n');
        text
    }
}

impl From<GameLine> for GameText {
    fn from(line: GameLine) -> GameText {
        let set = |text: String| (!text.is_empty()).then_some(text);
        let GameLine { game, variant, position, moves, .. } = line;
        GameText { game: set(game), variant: set(variant), position: set(position), moves }
    }
}

/// Parses `[Name "value"]`, in which `\` makes the next character a plain one.
fn tag(line: &str) -> Option<(&str, String)> {
    let (name, value) = line.strip_prefix('[')?.strip_suffix(']')?.split_once(char::is_whitespace)?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    if name.is_empty() || !name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
        return None;
    }
    let mut letters = value.chars();
    let mut plain = String::new();
    while let Some(letter) = letters.next() {
        plain.extend(if letter == '\\' { letters.next() } else { Some(letter) });
    }
    Some((name, plain))
}

/// Returns the moves outside of variations and comments, without their numbers.
fn moves(body: &str) -> Result<Vec<String>, String> {
    let mut words = vec![String::new()];
    let (mut depth, mut is_comment) = (0_usize, false);
    for letter in body.chars() {
        match letter {
            '}' if is_comment => is_comment = false,
            _ if is_comment => {}
            '{' => is_comment = true,
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1).ok_or("a `)` without a `(`")?,
            _ if depth > 0 => {}
            ',' | ';' => words.push(String::new()),
            _ if letter.is_whitespace() => words.push(String::new()),
            _ => words.last_mut().expect("there is a first word").push(letter),
        }
        if is_comment || depth > 0 {
            words.push(String::new());
        }
    }
    if depth > 0 || is_comment {
        return Err("a variation or a comment does not end".to_owned());
    }
    words.retain(|word| !without_number(word).is_empty());
    Ok(words.iter().map(|word| without_number(word).to_owned()).collect())
}

/// Drops `12.` or `12...` before a move. A move may begin with a digit.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    match rest.strip_prefix('.') {
        Some(after) if rest.len() < word.len() => after.trim_start_matches('.'),
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> GameText {
        GameText::parse(text).expect("a game")
    }

    /// What is written is read again, whatever the position's text contains.
    #[test]
    fn texts_round_trip() {
        let game = GameText {
            game: Some("pentago".to_owned()),
            variant: Some("standard".to_owned()),
            position: Some(r#"a "quoted\" [position] w"#.to_owned()),
            moves: (0..60).map(|n| format!("c{n}-2r")).collect(),
        };
        let text = game.write(2, Some("White wins"));
        assert!(text.contains("\n1. c0-2r c1-2r 2. c2-2r") && text.contains("[Result \"White wins\"]"), "{text}");
        assert!(text.lines().all(|line| line.len() <= LINE_LEN), "{text}");
        assert_eq!(parsed(&text), game);
        let none = GameText::default();
        assert_eq!(parsed(&none.write(2, None)), none);
    }

    /// Variations, comments and numbers are no moves; moves that look like numbers are.
    #[test]
    fn only_the_main_line_counts() {
        let text =
            "[Game \"x\"]\n\n1. c3-2r {good (or not)} d4-1l (1... e5-2r (1... a1) 2. b2) 2.b2-1r\n3. 12-14, pass;7";
        assert_eq!(parsed(text).moves, ["c3-2r", "d4-1l", "b2-1r", "12-14", "pass", "7"]);
        assert_eq!(parsed("a1 b2").moves, ["a1", "b2"]);
        let line = r#"{"game": "pentago", "variant": "czech", "moves": ["a1-1l"], "players": {"w": "me"}}"#;
        let expected = GameText {
            game: Some("pentago".to_owned()),
            variant: Some("czech".to_owned()),
            position: None,
            moves: vec!["a1-1l".to_owned()],
        };
        assert_eq!(parsed(line), expected);
        for bad in ["a1 (b2", "a1 b2)", "a1 {b2"] {
            assert!(GameText::parse(bad).is_err(), "{bad}");
        }
    }
}
