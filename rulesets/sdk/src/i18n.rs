//! Translations of the sentences about moves and outcomes.
//!
//! A sentence is a [`Message`]: an id and typed parameters. [`messages!`](crate::messages)
//! declares messages and defines a function for each. Their texts are in one file per
//! language, lines of `id = template` in the syntax of `pentad/messages.h`, which
//! [`translation_files!`](crate::translation_files) includes. [`Translations`] combines
//! both, and [`Ruleset::translations`](crate::Ruleset::translations) passes them to the
//! host, which answers each caller in the caller's language.
//!
//! ```
//! use pentad_sdk::i18n::{Language, TranslationSource, Translations};
//!
//! pentad_sdk::messages! {
//!     /// Reasons for moves of a game with matches.
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

/// Messages and their texts, from one or several sources.
#[derive(Debug)]
pub struct Translations {
    sources: &'static [TranslationSource],
    catalogue: OnceLock<Catalogue>,
}

/// Messages, terms, and their texts in each language.
#[derive(Clone, Copy, Debug)]
pub struct TranslationSource {
    /// Sentences, as [`messages!`](crate::messages) declares them.
    pub messages: &'static [MessageDecl],
    /// Names of things in the game: `seat.w`, `figure.a`.
    pub terms: &'static [&'static str],
    /// Language tags and the contents of their files, as
    /// [`translation_files!`](crate::translation_files) includes them.
    pub files: &'static [(&'static str, &'static str)],
}

impl Translations {
    /// Combines the messages and texts of several sources.
    pub const fn new(sources: &'static [TranslationSource]) -> Translations {
        Translations { sources, catalogue: OnceLock::new() }
    }

    /// Returns the validated catalogue, built at the first call.
    ///
    /// # Panics
    /// If a file is not well-formed or English is not complete; `testing::i18n::check`
    /// detects both.
    pub fn catalogue(&self) -> &Catalogue {
        self.catalogue.get_or_init(|| match Catalogue::build(self.messages(), self.templates()) {
            Ok((catalogue, _)) => catalogue,
            Err(violation) => panic!("{}", violation.detail),
        })
    }

    /// Renders a message in English.
    ///
    /// # Panics
    /// If the message is not declared, or for the reasons of
    /// [`catalogue`](Translations::catalogue).
    pub fn say(&self, message: Message) -> Sentence {
        let catalogue = self.catalogue();
        if let Err(violation) = catalogue.check(&message) {
            panic!("{}", violation.detail);
        }
        let text = catalogue.render(Language::English, &message, &[]);
        Sentence { text, message: Some(message) }
    }

    /// Builds a reason from its message, whose first part is the code, and the points of
    /// the board that it is about.
    ///
    /// # Panics
    /// For the reasons of [`say`](Translations::say).
    pub fn reason(&self, message: Message, points: Vec<String>) -> Reason {
        let code = match &message.id {
            Cow::Borrowed(id) => id.split('.').next().unwrap_or_default(),
            Cow::Owned(id) => panic!("`{id}` is not declared by `messages!`"),
        };
        let Sentence { text, message } = self.say(message);
        Reason { code, text, points, message }
    }

    /// Returns every declared message, including the terms.
    pub fn messages(&self) -> impl Iterator<Item = MessageInfo> {
        self.sources.iter().flat_map(|source| {
            let term = |id: &&str| MessageInfo { id: (*id).to_owned(), params: Vec::new() };
            source.messages.iter().map(MessageInfo::from).chain(source.terms.iter().map(term))
        })
    }

    /// Returns every template: the tag of its language, its id, and its text.
    ///
    /// # Panics
    /// If a file is not well-formed.
    pub fn templates(&self) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
        let files = self.sources.iter().flat_map(|source| source.files);
        files.flat_map(|&(language, content)| {
            file::entries(content).map(move |entry| match entry {
                Ok((id, template)) => (language, id, template),
                Err(error) => panic!("translation file of the language `{language}`, {error}"),
            })
        })
    }
}

/// Declares messages: a list of them, and for each a function that creates it.
///
/// The functions take anything that converts to the parameter's kind, a type of
/// [`i18n`](crate::i18n): [`Integer`], [`Decimal`], [`Seats`], [`Points`], [`Move`],
/// [`Text`], or [`Terms`] with their group. The module has an example.
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
            #[doc = concat!("Creates the message `", $id, "`.")]
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

/// Includes the translation files of a folder, `en.properties` and so on, one for each
/// [`Language`](crate::i18n::Language), for [`TranslationSource::files`]. The path is
/// relative to the source file that calls the macro.
///
/// ```ignore
/// TranslationSource { messages: MESSAGES, terms: &[], files: pentad_sdk::translation_files!("../i18n") }
/// ```
///
/// [`TranslationSource::files`]: crate::i18n::TranslationSource::files
#[macro_export]
macro_rules! translation_files {
    ($folder:literal) => {
        $crate::translation_files!($folder: en, sv, fi, de, fr)
    };
    ($folder:literal: $($tag:ident),+) => {
        &[$((stringify!($tag), include_str!(concat!($folder, "/", stringify!($tag), ".properties")))),+]
    };
}

/// A number.
#[derive(Clone, Copy, Debug)]
pub struct Integer(pub i64);

/// Hundredths, converted from a number rounded to two decimals.
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
    /// Converts to the seats `w` and `b`.
    fn from(colour: Colour) -> Seats {
        colour.letter().into()
    }
}

#[cfg(test)]
mod tests {
    use super::Language;

    /// The files of a folder are included for every language of the host, in its order.
    #[test]
    fn files_of_every_language_are_included() {
        let files: &[(&str, &str)] = translation_files!("../i18n");
        assert_eq!(files.iter().map(|(tag, _)| *tag).collect::<Vec<_>>(), Language::ALL.map(Language::tag));
        for (tag, content) in files {
            let path = format!("{}/i18n/{tag}.properties", env!("CARGO_MANIFEST_DIR"));
            assert_eq!(*content, std::fs::read_to_string(path).unwrap());
        }
    }
}
