//! Translations: messages, templates, and the catalogue that renders one with the other.
//!
//! A [`Message`] is an id and parameters, without a language. A [`Catalogue`] has a
//! [`Template`] for every id and language and [renders](Catalogue::render) messages.
//! It is validated as a whole when it is built, so that rendering cannot fail: a message
//! that a language lacks is rendered in English.
//!
//! The syntax of templates is that of `pentad/messages.h`; [`file`](mod@file) reads them from
//! text. The server chooses the language of each caller.

mod catalogue;
mod codec;
pub mod file;
mod language;
mod message;
mod template;

pub use catalogue::Catalogue;
pub use language::{Language, PluralCategory};
pub use message::{Message, MessageDecl, MessageInfo, Param, ParamDecl, ParamInfo, ParamKind, ParamValue, Sentence};
pub use template::{Template, TemplateError};
