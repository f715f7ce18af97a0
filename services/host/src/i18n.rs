//! Translations of a rule set: the calls of `pentad.messages/1` and
//! `pentad.outcome_message/1`.

use std::ops::ControlFlow;

use pentad_abi as abi;
use pentad_model::i18n::{Catalogue, Language, Message, MessageInfo, Sentence};
use pentad_model::{FaultKind, Violation, text};

use crate::call::ErrorSet;
use crate::error::CallError;
use crate::output::{ItemResult, ListedText, OutputSink};
use crate::position::Position;
use crate::ruleset::Ruleset;
use crate::tables::{Tables, non_null};

/// Prefix of the host's own ids.
const OWN_IDS: &str = "pentad.";

/// Messages and templates of a rule set.
#[derive(Debug)]
pub(crate) struct LoadedTranslations {
    /// As listed, for the description of a worker.
    pub(crate) messages: Vec<MessageInfo>,
    /// As listed: language, id and text.
    pub(crate) templates: Vec<(String, String, String)>,
    pub(crate) catalogue: Catalogue,
}

impl LoadedTranslations {
    /// Validates what was listed. Also returns the mistakes in languages other than
    /// English, whose messages are then given in English.
    pub(crate) fn new(
        messages: Vec<MessageInfo>,
        templates: Vec<(String, String, String)>,
    ) -> Result<(LoadedTranslations, Vec<Violation>), Violation> {
        if let Some(message) = messages.iter().find(|message| message.id.starts_with(OWN_IDS)) {
            return Err(Violation::text(format!("`{}`: ids that begin with `{OWN_IDS}` are the host's", message.id)));
        }
        let texts = templates.iter().map(|(language, id, text)| (language.as_str(), id.as_str(), text.as_str()));
        let (catalogue, problems) = Catalogue::build(messages.iter().cloned(), texts)?;
        Ok((LoadedTranslations { messages, templates, catalogue }, problems))
    }

    /// Lists a plugin's messages, and the mistakes in them; `None` without the
    /// extension, or if English is incomplete.
    pub(crate) fn list(tables: &Tables) -> (Option<LoadedTranslations>, Vec<Violation>) {
        match LoadedTranslations::list_all(tables) {
            Ok(Some((words, problems))) => (Some(words), problems),
            Ok(None) if tables.needs_messages() => {
                (None, vec![Violation::value("messages are given, but not listed by `pentad.messages/1`")])
            }
            Ok(None) => (None, Vec::new()),
            Err(violation) => (None, vec![violation]),
        }
    }

    fn list_all(tables: &Tables) -> Result<Option<(LoadedTranslations, Vec<Violation>)>, Violation> {
        let Some(table) = &tables.messages else { return Ok(None) };
        let (mut messages, mut templates) = (Vec::new(), Vec::new());
        let sink = OutputSink::new(|listed| {
            match listed {
                ListedText::Message(_) if messages.len() as u64 == abi::MESSAGES_MAX => {
                    return Err(Violation::value("too many messages").into());
                }
                ListedText::Template(_) if templates.len() as u64 == abi::TEMPLATES_MAX => {
                    return Err(Violation::value("too many templates").into());
                }
                // SAFETY: the header says that a lister gets readable messages; null and
                // lengths are checked first.
                ListedText::Message(raw) => messages.push(unsafe { MessageInfo::from_plugin(raw) }?),
                // SAFETY: likewise for templates.
                ListedText::Template(raw) => templates.push(unsafe { read_template(raw) }?),
            }
            Ok(ControlFlow::Continue(()))
        });
        let lister = sink.message_lister();
        // SAFETY: the table was checked at load; lister and sink outlive the call.
        let status = unsafe { non_null(table.list)(&raw const lister) };
        sink.finish()?;
        match status {
            abi::OK => LoadedTranslations::new(messages, templates).map(Some),
            abi::UNSUPPORTED => Ok(None),
            abi::FAULT => Err(Violation { kind: FaultKind::Panic, detail: "panicked".to_owned() }),
            other => Err(Violation::status(format!("status {other}"))),
        }
    }
}

impl Ruleset {
    /// Messages of the rule set in each of its languages; `None` if its texts are the
    /// same in all of them.
    pub fn catalogue(&self) -> Option<&Catalogue> {
        self.words.as_ref().map(|words| &words.catalogue)
    }

    /// Returns the message of a finished game's outcome, with its English text; `None`
    /// if the rule set has no messages for outcomes.
    pub(crate) fn outcome_message(
        &self,
        tables: &Tables,
        variant: usize,
        position: &Position,
    ) -> Result<Option<Sentence>, CallError> {
        const CALL: &str = "outcome_message";
        let (Some(table), Some(catalogue)) = (&tables.outcome_message, self.catalogue()) else { return Ok(None) };
        let bytes = self.position_ptr(CALL, variant, position)?;
        let mut found = None;
        let sink = OutputSink::new(self.single_message(catalogue, variant, &mut found));
        let taker = sink.message_taker();
        // SAFETY: the table was checked at load; the position is of this variant; taker
        // and sink outlive the call.
        let status = unsafe { non_null(table.outcome)(variant as u32, bytes, &raw const taker) };
        self.check_status(CALL, status, ErrorSet::NONE, None, sink.finish())?;
        let message = found.ok_or_else(|| self.fault(CALL, Violation::value("no message of a finished game")))?;
        let text = catalogue.render(Language::English, &message, &self.variants[variant].seats);
        Ok(Some(Sentence { text, message: Some(message) }))
    }

    /// Stores a message about a variant; a second one is a violation.
    pub(crate) fn single_message(
        &self,
        catalogue: &Catalogue,
        variant: usize,
        out: &mut Option<Message>,
    ) -> impl FnMut(*const abi::Message) -> ItemResult {
        let variant = &self.variants[variant];
        move |raw| {
            // SAFETY: the header says that a taker gets a readable message; null is
            // checked here, lengths below.
            let [raw] = unsafe { text::slice(raw, 1, 1) }? else {
                return Err(Violation::value("a null message").into());
            };
            if out.is_some() {
                return Err(Violation::value("a second message").into());
            }
            // SAFETY: as above.
            let message = unsafe { Message::from_plugin(raw, &variant.seats, variant.board.as_ref()) }?;
            catalogue.check(&message)?;
            *out = Some(message);
            Ok(ControlFlow::Continue(()))
        }
    }
}

/// # Safety
/// `raw` must be null or point to a template whose texts are readable if their lengths
/// are within the bounds.
unsafe fn read_template(raw: *const abi::Template) -> Result<(String, String, String), Violation> {
    // SAFETY: the caller's promise, here and for each text.
    let [raw] = unsafe { text::slice(raw, 1, 1) }? else { return Err(Violation::value("a null template")) };
    // SAFETY: as above.
    let (language, id) = unsafe { (text::short_id(raw.language)?, text::long_id(raw.id)?) };
    // SAFETY: as above.
    let bytes = unsafe { text::bytes(raw.text, abi::TEMPLATE_LEN_MAX) };
    let text = bytes.and_then(|bytes| text::sentence(bytes.to_vec()));
    Ok((language, id, text.map_err(|violation| violation.at("a template"))?))
}
