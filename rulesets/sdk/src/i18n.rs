//! Translations: what a rule set says of moves and outcomes.
//!
//! A sentence is a [`Message`]: an id and typed parameters. [`messages!`](crate::messages)
//! declares them, and makes a function for each. What they say stands in one file for
//! each language, lines of `id = template`, in the syntax of `pentad/messages.h`.
//! [`Translations`] puts both together, and
//! [`Ruleset::i18n`](crate::Ruleset::i18n) hands them to the host, which answers
//! each caller in the caller's language.
//!
//! ```
//! use pentad_sdk::i18n::{Language, TranslationSource, Translations};
//!
//! pentad_sdk::messages! {
//!     /// Why a move of a game with matches is good or bad.
//!     pub const MESSAGES;
//!     takes(count: Integer, seat: Seats) = "takes";
//! }
//!
//! static TRANSLATIONS: Translations = Translations::new(&[TranslationSource {
//!     messages: MESSAGES,
//!     terms: &["seat.a", "seat.b"],
//!     files: &[
//!         ("en", "seat.a = Ann\nseat.b = Bob\n\
//!                 takes = It leaves {seat} {count, plural, one {one match} other {# matches}}."),
//!         ("fi", "seat.a = Anna\nseat.b = Pekka\nseat.a.allative = Annalle\nseat.b.allative = Pekalle\n\
//!                 takes = Se jättää {seat.allative} {count, plural, one {yhden tikun} other {# tikkua}}."),
//!     ],
//! }]);
//!
//! let message = takes(2, "b");
//! assert_eq!(TRANSLATIONS.say(message.clone()).text, "It leaves Bob 2 matches.");
//! assert_eq!(TRANSLATIONS.catalogue().render(Language::Finnish, &message, &[]), "Se jättää Pekalle 2 tikkua.");
//! ```

use std::borrow::Cow;
use std::sync::OnceLock;

use pentad_model::i18n::file;
pub use pentad_model::i18n::{
    Catalogue, Language, Message, MessageDecl, MessageInfo, Param, ParamDecl, ParamKind, ParamValue, Sentence,
};

use crate::abilities::Reason;
use crate::board::Colour;

/// Messages and their words, from one or several sources.
#[derive(Debug)]
pub struct Translations {
    sources: &'static [TranslationSource],
    catalogue: OnceLock<Catalogue>,
}

/// Messages, terms, and what they say in each language.
#[derive(Clone, Copy, Debug)]
pub struct TranslationSource {
    /// Sentences, as [`messages!`](crate::messages) declares them.
    pub messages: &'static [MessageDecl],
    /// Words that stand for something of the game: `seat.w`, `figure.a`.
    pub terms: &'static [&'static str],
    /// The tag of a language and its table, as [`include_str!`] reads it.
    pub files: &'static [(&'static str, &'static str)],
}

impl Translations {
    /// The words of these sources together.
    pub const fn new(sources: &'static [TranslationSource]) -> Translations {
        Translations { sources, catalogue: OnceLock::new() }
    }

    /// The words as a table, built at the first call.
    ///
    /// # Panics
    /// If a file is not well-formed or English is not complete, which the tests of the
    /// rule set find with `testing::i18n::check`.
    pub fn catalogue(&self) -> &Catalogue {
        self.catalogue.get_or_init(|| match Catalogue::build(self.messages(), self.templates()) {
            Ok((catalogue, _)) => catalogue,
            Err(violation) => panic!("{}", violation.detail),
        })
    }

    /// A message with its text in English.
    ///
    /// # Panics
    /// If the message is not one of these sources, or as [`catalogue`](Translations::catalogue).
    pub fn say(&self, message: Message) -> Sentence {
        let catalogue = self.catalogue();
        if let Err(violation) = catalogue.check(&message) {
            panic!("{}", violation.detail);
        }
        let text = catalogue.render(Language::English, &message, &[]);
        Sentence { text, message: Some(message) }
    }

    /// A reason: its message, whose first part is the code, and the points of the
    /// board that it is about.
    ///
    /// # Panics
    /// As [`say`](Translations::say).
    pub fn reason(&self, message: Message, points: Vec<String>) -> Reason {
        let code = match &message.id {
            Cow::Borrowed(id) => id.split('.').next().unwrap_or_default(),
            Cow::Owned(id) => panic!("`{id}` is not declared by `messages!`"),
        };
        let Sentence { text, message } = self.say(message);
        Reason { code, text, points, message }
    }

    /// Every message that is declared, the terms among them.
    pub fn messages(&self) -> impl Iterator<Item = MessageInfo> {
        self.sources.iter().flat_map(|source| {
            let term = |id: &&str| MessageInfo { id: (*id).to_owned(), params: Vec::new() };
            source.messages.iter().map(MessageInfo::from).chain(source.terms.iter().map(term))
        })
    }

    /// Every template: the tag of its language, its id, and its text.
    ///
    /// # Panics
    /// If a file is not well-formed.
    pub fn templates(&self) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
        let files = self.sources.iter().flat_map(|source| source.files);
        files.flat_map(|&(language, content)| {
            file::entries(content).map(move |entry| match entry {
                Ok((id, template)) => (language, id, template),
                Err(error) => panic!("words of the language `{language}`, {error}"),
            })
        })
    }
}

/// Declares messages: a list of them, and a function for each that makes one.
///
/// The functions take anything that becomes a value of the parameter's kind, which
/// is a type of [`words`](crate::i18n): [`Integer`], [`Decimal`], [`Seats`],
/// [`Points`], [`Move`], [`Text`], or [`Terms`] with their group. The example is that
/// of the module.
#[macro_export]
macro_rules! messages {
    (
        $(#[$list_doc:meta])*
        $vis:vis const $list:ident;
        $($name:ident($($param:ident: $kind:ident $(($group:literal))?),* $(,)?) = $id:literal;)+
    ) => {
        $(#[$list_doc])*
        $vis const $list: &[$crate::i18n::MessageDecl] = &[$(
            $crate::i18n::MessageDecl {
                id: $id,
                params: &[$($crate::i18n::ParamDecl {
                    name: stringify!($param),
                    kind: $crate::i18n::ParamKind::$kind,
                    group: concat!($($group)?),
                }),*],
            }
        ),+];

        $(
            #[doc = concat!("The message `", $id, "`.")]
            $vis fn $name($($param: impl Into<$crate::i18n::$kind>),*) -> $crate::i18n::Message {
                $crate::i18n::Message::new($id, vec![$(
                    $crate::i18n::Param::new(
                        stringify!($param),
                        $crate::i18n::ParamValue::$kind(Into::<$crate::i18n::$kind>::into($param).0),
                    )
                ),*])
            }
        )+
    };
}

/// A number.
#[derive(Clone, Copy, Debug)]
pub struct Integer(pub i64);

/// A number of hundredths, from a number that is rounded to two decimals.
#[derive(Clone, Copy, Debug)]
pub struct Decimal(pub i64);

/// Seats, by id.
#[derive(Clone, Debug)]
pub struct Seats(pub Vec<String>);

/// Points of the board, by id.
#[derive(Clone, Debug)]
pub struct Points(pub Vec<String>);

/// A move in the game's notation.
#[derive(Clone, Debug)]
pub struct Move(pub String);

/// Terms of a group, by id.
#[derive(Clone, Debug)]
pub struct Terms(pub Vec<String>);

/// A line of text, the same in every language.
#[derive(Clone, Debug)]
pub struct Text(pub String);

macro_rules! from_numbers {
    ($($number:ty),+) => {$(
        impl From<$number> for Integer {
            fn from(number: $number) -> Integer {
                Integer(i64::try_from(number).unwrap_or(i64::MAX))
            }
        }
    )+};
}

from_numbers!(u8, u16, u32, u64, usize, i32, i64);

impl From<f64> for Decimal {
    fn from(number: f64) -> Decimal {
        match ParamValue::decimal(number) {
            ParamValue::Decimal(hundredths) => Decimal(hundredths),
            _ => unreachable!("it is a decimal"),
        }
    }
}

macro_rules! from_texts {
    ($($list:ident),+; $($text:ident),+) => {
        $(
            impl<Id: ToString> FromIterator<Id> for $list {
                fn from_iter<I: IntoIterator<Item = Id>>(ids: I) -> $list {
                    $list(ids.into_iter().map(|id| id.to_string()).collect())
                }
            }
            impl From<&str> for $list {
                fn from(id: &str) -> $list {
                    $list(vec![id.to_owned()])
                }
            }
            impl From<char> for $list {
                fn from(id: char) -> $list {
                    $list(vec![id.to_string()])
                }
            }
            impl From<String> for $list {
                fn from(id: String) -> $list {
                    $list(vec![id])
                }
            }
        )+
        $(
            impl From<&str> for $text {
                fn from(text: &str) -> $text {
                    $text(text.to_owned())
                }
            }
            impl From<String> for $text {
                fn from(text: String) -> $text {
                    $text(text)
                }
            }
        )+
    };
}

from_texts!(Seats, Points, Terms; Move, Text);

impl From<Colour> for Seats {
    /// The seats `w` and `b`.
    fn from(colour: Colour) -> Seats {
        colour.letter().into()
    }
}
