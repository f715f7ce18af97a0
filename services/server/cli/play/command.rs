//! What is typed at the prompt: a move, or one of a few words.

/// A line at the prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command<'a> {
    Nothing,
    Help,
    Board,
    Quit,
    Move(&'a str),
    Undo,
    /// With the number of hints.
    Hint(u32),
    /// With a prefix.
    Moves(&'a str),
    /// With the players in playing order.
    Seats(&'a str),
    Save(&'a str),
    Load(&'a str),
    /// With the reason.
    Unknown(&'static str),
}

pub(super) const HELP: &str = "\
a move         plays it, such as one that `moves` lists
moves [TEXT]   lists the legal moves, or those that begin with TEXT
hint [N]       shows the best moves
undo           takes back the moves since your last turn
board          shows the board again
seats PLAYERS  changes who plays, such as person,level7
save FILE      writes the game as text
load FILE      continues a game that was saved
quit           ends, as does the end of the input";

impl Command<'_> {
    pub(super) fn parse(line: &str) -> Command<'_> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match (word, rest) {
            ("", _) => Command::Nothing,
            ("help" | "?", "") => Command::Help,
            ("board", "") => Command::Board,
            ("quit" | "exit", "") => Command::Quit,
            ("undo", "") => Command::Undo,
            ("moves", prefix) => Command::Moves(prefix),
            ("hint", "") => Command::Hint(1),
            ("hint", count) => match count.parse() {
                Ok(count) => Command::Hint(count),
                Err(_) => Command::Unknown("write `hint N` with a number"),
            },
            ("seats" | "save" | "load", "") => Command::Unknown("something is missing after this word; see `help`"),
            ("seats", players) => Command::Seats(players),
            ("save", file) => Command::Save(file),
            ("load", file) => Command::Load(file),
            (mv, "") => Command::Move(mv),
            _ => Command::Unknown("write one move, or `help`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_moves_or_commands() {
        for (line, expected) in [
            ("  ", Command::Nothing),
            (" c3-2r \n", Command::Move("c3-2r")),
            ("pass", Command::Move("pass")),
            ("hint", Command::Hint(1)),
            ("hint 3", Command::Hint(3)),
            ("moves c3", Command::Moves("c3")),
            ("moves", Command::Moves("")),
            ("save my game.txt", Command::Save("my game.txt")),
            ("seats person,level7", Command::Seats("person,level7")),
        ] {
            assert_eq!(Command::parse(line), expected, "{line}");
        }
        for unknown in ["c3-2r d4-1l", "hint x", "save"] {
            assert!(matches!(Command::parse(unknown), Command::Unknown(_)), "{unknown}");
        }
    }
}
