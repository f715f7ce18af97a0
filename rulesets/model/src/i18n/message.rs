//! Messages: sentences before a language is chosen.

use std::borrow::Cow;

/// A sentence without a language: an id and its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Id such as `loses_to.at_once`.
    pub id: Cow<'static, str>,
    /// The parameters declared for the id, in any order.
    pub params: Vec<Param>,
}

/// A parameter with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Declared name.
    pub name: Cow<'static, str>,
    /// Value of the declared kind.
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
    /// Returns whether the values are numbers or lists, which can select a plural form.
    pub fn is_countable(self) -> bool {
        matches!(self, ParamKind::Integer | ParamKind::Seats | ParamKind::Points | ParamKind::Terms)
    }

    /// Returns whether the values are terms of the catalogue, which have forms.
    pub fn has_forms(self) -> bool {
        matches!(self, ParamKind::Seats | ParamKind::Terms)
    }
}

impl ParamValue {
    /// Converts a number rounded to two decimals, as `{:.2}` does.
    pub fn decimal(number: f64) -> ParamValue {
        ParamValue::Decimal(format!("{number:.2}").replace('.', "").parse().unwrap_or_default())
    }

    /// Returns the kind.
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

    /// Returns the number that selects a plural form: the value, or the length of a list.
    pub(super) fn count(&self) -> u64 {
        match self {
            ParamValue::Integer(number) => number.unsigned_abs(),
            ParamValue::Seats(items) | ParamValue::Points(items) | ParamValue::Terms(items) => items.len() as u64,
            ParamValue::Decimal(_) | ParamValue::Move(_) | ParamValue::Text(_) => 0,
        }
    }
}

impl Message {
    /// Creates a message that this program declares.
    pub fn new(id: &'static str, params: Vec<Param>) -> Message {
        Message { id: Cow::Borrowed(id), params }
    }

    /// Returns the first part of the id: a reason's code.
    pub fn code(&self) -> &str {
        self.id.split('.').next().unwrap_or_default()
    }

    pub(super) fn get(&self, name: &str) -> Option<&ParamValue> {
        self.params.iter().find(|param| param.name == name).map(|param| &param.value)
    }
}

impl Param {
    /// Creates a parameter that this program declares.
    pub fn new(name: &'static str, value: ParamValue) -> Param {
        Param { name: Cow::Borrowed(name), value }
    }
}

/// The declaration of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageInfo {
    /// Id, as in [`Message::id`].
    pub id: String,
    /// Parameters, no two with the same name.
    pub params: Vec<ParamInfo>,
}

/// The declaration of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamInfo {
    /// Lower-case letters, digits and `_`.
    pub name: String,
    /// Kind of its values.
    pub kind: ParamKind,
    /// First part of the terms' ids, for [`ParamKind::Terms`]; else empty.
    pub group: String,
}

/// A [`MessageInfo`] as a constant.
#[derive(Clone, Copy, Debug)]
pub struct MessageDecl {
    /// Id, as in [`Message::id`].
    pub id: &'static str,
    /// Parameters, no two with the same name.
    pub params: &'static [ParamDecl],
}

/// A [`ParamInfo`] as a constant.
#[derive(Clone, Copy, Debug)]
pub struct ParamDecl {
    /// Lower-case letters, digits and `_`.
    pub name: &'static str,
    /// Kind of its values.
    pub kind: ParamKind,
    /// First part of the terms' ids, for [`ParamKind::Terms`]; else empty.
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
    /// English text.
    pub text: String,
    /// The message that the text renders.
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
