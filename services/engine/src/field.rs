//! The parts of a question that an error may name.

use std::fmt;

/// A part of a question. Each edge spells it in its own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// The position's text.
    Position,
    /// Moves played from the position.
    Moves,
    /// The only moves to consider.
    AllowMoves,
    /// Moves not to consider.
    AvoidMoves,
    /// Moves to compare.
    CompareMoves,
    /// Number of hints or puzzles.
    Count,
    /// Level of play.
    Level,
    /// Amount of detail of a hint.
    Detail,
    /// Whether to give every move a probability.
    Policy,
    /// Time limit of a search.
    TimeLimit,
    /// Node limit of a search.
    NodeLimit,
    /// Depth limit of a search.
    DepthLimit,
    /// Plies within which threats are looked for.
    Depth,
    /// Time limit of a call with many searches.
    TotalTime,
    /// Moves of a game to review.
    Turns,
    /// Fewest plies to the end of a puzzle.
    MinPlies,
    /// Most plies to the end of a puzzle.
    MaxPlies,
    /// Prefix of the moves to list.
    Prefix,
    /// Whether to list one move per resulting position.
    Distinct,
    /// Token of a page.
    PageToken,
    /// Id of a recorded game.
    GameId,
    /// Scores of a recorded game.
    Scores,
}

impl Field {
    /// All fields, in the order of the enum.
    pub const ALL: [Field; 22] = [
        Field::Position,
        Field::Moves,
        Field::AllowMoves,
        Field::AvoidMoves,
        Field::CompareMoves,
        Field::Count,
        Field::Level,
        Field::Detail,
        Field::Policy,
        Field::TimeLimit,
        Field::NodeLimit,
        Field::DepthLimit,
        Field::Depth,
        Field::TotalTime,
        Field::Turns,
        Field::MinPlies,
        Field::MaxPlies,
        Field::Prefix,
        Field::Distinct,
        Field::PageToken,
        Field::GameId,
        Field::Scores,
    ];

    /// Returns one item of a list.
    pub fn item(self, idx: usize) -> FieldPath {
        FieldPath { field: self, idx: Some(idx) }
    }
}

/// In words, for the log.
impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Field::Position => "position",
            Field::Moves => "moves",
            Field::AllowMoves => "allowed moves",
            Field::AvoidMoves => "avoided moves",
            Field::CompareMoves => "compared moves",
            Field::Count => "count",
            Field::Level => "level",
            Field::Detail => "detail",
            Field::Policy => "policy",
            Field::TimeLimit => "time limit",
            Field::NodeLimit => "node limit",
            Field::DepthLimit => "depth limit",
            Field::Depth => "depth",
            Field::TotalTime => "total time",
            Field::Turns => "turns",
            Field::MinPlies => "fewest plies",
            Field::MaxPlies => "most plies",
            Field::Prefix => "prefix",
            Field::Distinct => "distinct",
            Field::PageToken => "page token",
            Field::GameId => "id",
            Field::Scores => "scores",
        })
    }
}

/// A field, or one item of a field that is a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FieldPath {
    /// The field.
    pub field: Field,
    /// Index of the item, from 0.
    pub idx: Option<usize>,
}

impl FieldPath {
    /// Spells the path with an edge's names of the fields: `moves[3]`.
    pub fn spell(self, name: impl Fn(Field) -> &'static str) -> String {
        let name = name(self.field);
        self.idx.map_or_else(|| name.to_owned(), |idx| format!("{name}[{idx}]"))
    }
}

impl From<Field> for FieldPath {
    fn from(field: Field) -> Self {
        FieldPath { field, idx: None }
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.idx {
            Some(idx) => write!(f, "{}[{idx}]", self.field),
            None => write!(f, "{}", self.field),
        }
    }
}

/// A text that may name fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldMessage(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Field(FieldPath),
}

impl FieldMessage {
    /// Appends the name of a field.
    #[must_use]
    pub fn field(mut self, field: impl Into<FieldPath>) -> Self {
        self.0.push(Part::Field(field.into()));
        self
    }

    /// Appends a text.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.0.push(Part::Text(text.into()));
        self
    }

    /// Returns the text with an edge's names of the fields.
    pub fn spell(&self, name: impl Fn(Field) -> &'static str) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Field(path) => path.spell(&name),
        };
        self.0.iter().map(part).collect()
    }
}

impl From<String> for FieldMessage {
    fn from(text: String) -> Self {
        FieldMessage::default().text(text)
    }
}

impl From<&str> for FieldMessage {
    fn from(text: &str) -> Self {
        FieldMessage::default().text(text)
    }
}

impl fmt::Display for FieldMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|part| match part {
            Part::Text(text) => f.write_str(text),
            Part::Field(path) => write!(f, "{path}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each edge gets its own names, and the log gets words.
    #[test]
    fn messages_are_spelled_by_the_edge() {
        let message = FieldMessage::from("as ").field(Field::AllowMoves.item(2)).text(", not ").field(Field::Count);
        let name = |field| if field == Field::Count { "n" } else { "allow_moves" };
        assert_eq!(message.spell(name), "as allow_moves[2], not n");
        assert_eq!(message.to_string(), "as allowed moves[2], not count");
    }
}
