//! Translations in messages between the host and a worker.

use pentad_abi as abi;
use pentad_model::Violation;
use pentad_model::i18n::{Catalogue, Language, Message, MessageInfo, Param, ParamInfo, Sentence};
use serde::{Deserialize, Serialize};

use crate::i18n::LoadedTranslations;
use crate::variant::Variant;

/// Id, and the name, group and kind of each parameter.
type WireMessageInfo = (String, Vec<(String, String, u32)>);

/// What a rule set lists by `pentad.messages/1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct WireTranslations {
    messages: Vec<WireMessageInfo>,
    /// Language, id and text.
    templates: Vec<(String, String, String)>,
}

/// An [`abi::Message`].
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct WireMessage<'a> {
    id: &'a str,
    #[serde(borrow)]
    params: Vec<WireParam<'a>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct WireParam<'a> {
    name: &'a str,
    #[serde(borrow)]
    items: Vec<&'a str>,
    number: i64,
    kind: u32,
}

impl WireTranslations {
    pub(super) fn new(words: &LoadedTranslations) -> WireTranslations {
        let param = |param: &ParamInfo| (param.name.clone(), param.group.clone(), param.kind.code());
        let message =
            |message: &MessageInfo| (message.id.clone(), message.params.iter().map(param).collect::<Vec<_>>());
        WireTranslations { messages: words.messages.iter().map(message).collect(), templates: words.templates.clone() }
    }

    /// Validates them like those of a library in this process. Mistakes outside English
    /// were recorded by the worker.
    pub(super) fn read(&self) -> Result<LoadedTranslations, Violation> {
        if self.messages.len() as u64 > abi::MESSAGES_MAX || self.templates.len() as u64 > abi::TEMPLATES_MAX {
            return Err(Violation::value("too many messages or templates"));
        }
        let read = |(id, params): &WireMessageInfo| {
            let param = |(name, group, kind): &(String, String, u32)| abi::ParamInfo {
                name: abi::Str::new(name),
                group: abi::Str::new(group),
                kind: *kind,
                reserved: 0,
            };
            let params: Vec<abi::ParamInfo> = params.iter().map(param).collect();
            let raw =
                abi::MessageInfo { id: abi::Str::new(id), params: params.as_ptr(), n_params: params.len() as u64 };
            // SAFETY: the parameters, and the texts in `self`, are readable during the
            // call.
            unsafe { MessageInfo::from_plugin(&raw const raw) }
        };
        let messages = self.messages.iter().map(read).collect::<Result<_, _>>()?;
        Ok(LoadedTranslations::new(messages, self.templates.clone())?.0)
    }
}

impl<'a> WireMessage<'a> {
    pub(crate) fn new(message: &'a Message) -> WireMessage<'a> {
        let param = |param: &'a Param| WireParam {
            name: &param.name,
            items: param.value.items(),
            number: param.value.number(),
            kind: param.value.kind().code(),
        };
        WireMessage { id: &message.id, params: message.params.iter().map(param).collect() }
    }

    pub(super) fn with_abi<T>(&self, give: impl FnOnce(&abi::Message) -> T) -> T {
        let strs = |param: &WireParam<'_>| param.items.iter().map(|item| abi::Str::new(item)).collect();
        let items: Vec<Vec<abi::Str>> = self.params.iter().map(strs).collect();
        let param = |(param, items): (&WireParam<'_>, &Vec<abi::Str>)| abi::Param {
            name: abi::Str::new(param.name),
            items: items.as_ptr(),
            n_items: items.len() as u64,
            number: param.number,
            kind: param.kind,
            reserved: 0,
        };
        let params: Vec<abi::Param> = self.params.iter().zip(&items).map(param).collect();
        give(&abi::Message { id: abi::Str::new(self.id), params: params.as_ptr(), n_params: params.len() as u64 })
    }

    /// Validates a message of a variant and renders its English text.
    pub(crate) fn read(&self, catalogue: Option<&Catalogue>, variant: &Variant) -> Result<Sentence, Violation> {
        let catalogue = catalogue.ok_or_else(|| Violation::value("a message without a table of words"))?;
        let board = variant.board.as_ref();
        // SAFETY: what the message points to is readable during the call.
        let message = self.with_abi(|raw| unsafe { Message::from_plugin(raw, &variant.seats, board) })?;
        catalogue.check(&message)?;
        let text = catalogue.render(Language::English, &message, &variant.seats);
        Ok(Sentence { text, message: Some(message) })
    }
}

/// For arbitrary messages: two seats and no board.
#[cfg(any(test, feature = "fuzzing"))]
pub(super) fn arbitrary_variant() -> Variant {
    let seat = |id: &str, side| pentad_model::Seat { id: id.to_owned(), name: id.to_owned(), side };
    let description = pentad_model::Variant {
        id: "any".to_owned(),
        name: "Any".to_owned(),
        summary: String::new(),
        seats: vec![seat("a", 0), seat("b", 1)],
        plies_max: None,
    };
    Variant { description, n_sides: 2, position_size: 1, n_symmetries: 1, board: None }
}

/// For arbitrary messages: one message with two parameters.
#[cfg(any(test, feature = "fuzzing"))]
pub(super) fn arbitrary_words() -> &'static LoadedTranslations {
    use std::sync::OnceLock;

    use pentad_model::i18n::ParamKind;

    static TRANSLATIONS: OnceLock<LoadedTranslations> = OnceLock::new();
    TRANSLATIONS.get_or_init(|| {
        let param = |name: &str, kind| ParamInfo { name: name.to_owned(), kind, group: String::new() };
        let params = vec![param("winner", ParamKind::Seats), param("plies", ParamKind::Integer)];
        let template = ("en".to_owned(), "wins".to_owned(), "{winner} wins in {plies}.".to_owned());
        let built = LoadedTranslations::new(vec![MessageInfo { id: "wins".to_owned(), params }], vec![template]);
        built.expect("the table is complete").0
    })
}
