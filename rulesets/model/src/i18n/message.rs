//! A message: what is to be said, before a language is chosen.

use std::borrow::Cow;

/// What is to be said, without a language: an id and its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Such as `loses_to.at_once`.
    pub id: Cow<'static, str>,
    /// Those that are declared for the id, in any order.
    pub params: Vec<Param>,
}

/// A parameter with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// As it is declared.
    pub name: Cow<'static, str>,
    /// Of the kind that is declared.
    pub value: ParamValue,
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParamValue {
    /// A number.
    Integer(i64),
    /// A number of hundredths, written with two decimals.
    Decimal(i64),
    /// Seats of the variant, by id; at least one.
    Seats(Vec<String>),
    /// Points of the board, by id; at least one.
    Points(Vec<String>),
    /// A move in the game's notation.
    Move(String),
    /// Terms of a group, by id; at least one.
    Terms(Vec<String>),
    /// A line of text, the same in every language.
    Text(String),
}

/// The kind of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// [`ParamValue::Integer`].
    Integer,
    /// [`ParamValue::Decimal`].
    Decimal,
    /// [`ParamValue::Seats`].
    Seats,
    /// [`ParamValue::Points`].
    Points,
    /// [`ParamValue::Move`].
    Move,
    /// [`ParamValue::Terms`].
    Terms,
    /// [`ParamValue::Text`].
    Text,
}

impl ParamKind {
    /// Whether its values are numbers or lists, by which words take their plural.
    pub fn is_countable(self) -> bool {
        matches!(self, ParamKind::Integer | ParamKind::Seats | ParamKind::Points | ParamKind::Terms)
    }

    /// Whether its values are words of the table, which have forms.
    pub fn has_forms(self) -> bool {
        matches!(self, ParamKind::Seats | ParamKind::Terms)
    }
}

impl ParamValue {
    /// A number rounded to two decimals, as `{:.2}` does.
    pub fn decimal(number: f64) -> ParamValue {
        ParamValue::Decimal(format!("{number:.2}").replace('.', "").parse().unwrap_or_default())
    }

    /// Its kind.
    pub fn kind(&self) -> ParamKind {
        match self {
            ParamValue::Integer(_) => ParamKind::Integer,
            ParamValue::Decimal(_) => ParamKind::Decimal,
            ParamValue::Seats(_) => ParamKind::Seats,
            ParamValue::Points(_) => ParamKind::Points,
            ParamValue::Move(_) => ParamKind::Move,
            ParamValue::Terms(_) => ParamKind::Terms,
            ParamValue::Text(_) => ParamKind::Text,
        }
    }

    /// The number by which words take their plural: the value, or the length of a
    /// list.
    pub(super) fn count(&self) -> u64 {
        match self {
            ParamValue::Integer(number) => number.unsigned_abs(),
            ParamValue::Seats(items) | ParamValue::Points(items) | ParamValue::Terms(items) => items.len() as u64,
            ParamValue::Decimal(_) | ParamValue::Move(_) | ParamValue::Text(_) => 0,
        }
    }
}

impl Message {
    /// A message of this program's own.
    pub fn new(id: &'static str, params: Vec<Param>) -> Message {
        Message { id: Cow::Borrowed(id), params }
    }

    /// The first part of the id: a reason's code.
    pub fn code(&self) -> &str {
        self.id.split('.').next().unwrap_or_default()
    }

    pub(super) fn get(&self, name: &str) -> Option<&ParamValue> {
        self.params.iter().find(|param| param.name == name).map(|param| &param.value)
    }
}

impl Param {
    /// A parameter of this program's own.
    pub fn new(name: &'static str, value: ParamValue) -> Param {
        Param { name: Cow::Borrowed(name), value }
    }
}

/// A message that may be given, and its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageInfo {
    /// As in [`Message::id`].
    pub id: String,
    /// No two with the same name.
    pub params: Vec<ParamInfo>,
}

/// A parameter of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamInfo {
    /// Lower-case letters, digits and `_`.
    pub name: String,
    /// What values it has.
    pub kind: ParamKind,
    /// Of [`ParamKind::Terms`]: the first part of their ids; else empty.
    pub group: String,
}

/// A [`MessageInfo`] as a constant.
#[derive(Clone, Copy, Debug)]
pub struct MessageDecl {
    /// As in [`Message::id`].
    pub id: &'static str,
    /// No two with the same name.
    pub params: &'static [ParamDecl],
}

/// A [`ParamInfo`] as a constant.
#[derive(Clone, Copy, Debug)]
pub struct ParamDecl {
    /// Lower-case letters, digits and `_`.
    pub name: &'static str,
    /// What values it has.
    pub kind: ParamKind,
    /// Of [`ParamKind::Terms`]: the first part of their ids; else empty.
    pub group: &'static str,
}

impl From<&MessageDecl> for MessageInfo {
    fn from(decl: &MessageDecl) -> MessageInfo {
        let param = |it: &ParamDecl| ParamInfo { name: it.name.into(), kind: it.kind, group: it.group.into() };
        MessageInfo { id: decl.id.to_owned(), params: decl.params.iter().map(param).collect() }
    }
}

/// A sentence for players: its English text, and the message that other languages
/// are rendered from, if there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// In English.
    pub text: String,
    /// What it says, without a language.
    pub message: Option<Message>,
}

impl From<String> for Sentence {
    fn from(text: String) -> Sentence {
        Sentence { text, message: None }
    }
}

impl From<&str> for Sentence {
    fn from(text: &str) -> Sentence {
        Sentence::from(text.to_owned())
    }
}
