//! Translations: the engine's own texts (generic reasons and nudges), and every text of an answer in the
//! language of its caller.
//!
//! Searches, caches and rule sets know no language. Texts are chosen last, by [`text_in`], when an answer is
//! rendered for one caller.

use std::sync::LazyLock;

use pentad_model::i18n::{Catalogue, Language, Message};
use pentad_model::i18n::{MessageDecl, MessageInfo, Param, ParamDecl, ParamKind, ParamValue, file};
use pentad_model::{Outcome, Reason};

use crate::answer::VariantRef;

const fn integer(name: &'static str) -> ParamDecl {
    ParamDecl { name, kind: ParamKind::Integer, group: "" }
}

const fn decimal(name: &'static str) -> ParamDecl {
    ParamDecl { name, kind: ParamKind::Decimal, group: "" }
}

const fn move_text(name: &'static str) -> ParamDecl {
    ParamDecl { name, kind: ParamKind::Move, group: "" }
}

const fn message(id: &'static str, params: &'static [ParamDecl]) -> MessageDecl {
    MessageDecl { id, params }
}

/// All begin with `pentad.`, as no message of a rule set does.
const MESSAGES: &[MessageDecl] = &[
    message("pentad.to_move", const { &[ParamDecl { name: "seat", kind: ParamKind::Text, group: "" }] }),
    message("pentad.estimate", &[]),
    message("pentad.wins", &[]),
    message("pentad.forced_win", &[]),
    message("pentad.forced_win.plies", const { &[integer("plies")] }),
    message("pentad.loses.now", &[]),
    message("pentad.loses", &[]),
    message("pentad.loses.plies", const { &[integer("plies")] }),
    message("pentad.draws.now", &[]),
    message("pentad.draws", &[]),
    message("pentad.only_move.legal", &[]),
    message("pentad.only_move", &[]),
    message("pentad.only_move.equivalents", &[]),
    message("pentad.block_missed", const { &[move_text("threat")] }),
    message("pentad.undone_by", const { &[move_text("threat"), move_text("reply")] }),
    message("pentad.nudge.best.better", &[]),
    message("pentad.nudge.best.even", &[]),
    message("pentad.nudge.best.worse", &[]),
    message("pentad.nudge.best.worse_many", &[]),
    message("pentad.nudge.other.better", &[]),
    message("pentad.nudge.other.even", &[]),
    message("pentad.nudge.other.worse", &[]),
    message("pentad.nudge.best.wins_now", &[]),
    message("pentad.nudge.best.wins_plies", const { &[integer("plies")] }),
    message("pentad.nudge.best.wins", &[]),
    message("pentad.nudge.other.wins_now", &[]),
    message("pentad.nudge.other.wins_plies", const { &[integer("plies")] }),
    message("pentad.nudge.other.wins", &[]),
    message("pentad.nudge.all_lose", &[]),
    message("pentad.nudge.all_draw", &[]),
    message("pentad.nudge.all_score", const { &[decimal("score")] }),
    message("pentad.nudge.best.loses", &[]),
    message("pentad.nudge.best.draws", &[]),
    message("pentad.nudge.best.scores", const { &[decimal("score")] }),
    message("pentad.nudge.other.loses", &[]),
    message("pentad.nudge.other.draws", &[]),
    message("pentad.nudge.other.scores", const { &[decimal("score")] }),
];

const FILES: [(&str, &str); 5] = [
    ("en", include_str!("../../i18n/en.properties")),
    ("sv", include_str!("../../i18n/sv.properties")),
    ("fi", include_str!("../../i18n/fi.properties")),
    ("de", include_str!("../../i18n/de.properties")),
    ("fr", include_str!("../../i18n/fr.properties")),
];

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    let templates = FILES.iter().flat_map(|(language, content)| {
        let entry = |entry: Result<(&'static str, &'static str), String>| entry.expect("the words are well-formed");
        file::entries(content).map(entry).map(|(id, text)| (*language, id, text))
    });
    let (catalogue, problems) =
        Catalogue::build(MESSAGES.iter().map(MessageInfo::from), templates).expect("English is complete");
    assert!(problems.is_empty(), "every language is complete: {problems:?}");
    catalogue
});

/// Returns a reason of the engine's own, about no points. `id` is one of [`MESSAGES`] without its `pentad.`;
/// its first part is the code.
pub(crate) fn reason(id: &'static str, params: Vec<Param>) -> Reason {
    let message = Message { id: format!("pentad.{id}").into(), params };
    let text = CATALOGUE.render(Language::English, &message, &[]);
    let code = id.split('.').next().unwrap_or_default().to_owned();
    Reason { code, text, points: Vec::new(), message: Some(message) }
}

/// Like [`reason`], in a given language.
pub(crate) fn reason_in(language: Language, id: &'static str, params: Vec<Param>) -> Reason {
    let mut reason = reason(id, params);
    if let Some(message) = &reason.message {
        reason.text = CATALOGUE.render(language, message, &[]);
    }
    reason
}

/// Returns a number of plies as a parameter.
pub(crate) fn plies(plies: u32) -> Vec<Param> {
    vec![Param::new("plies", ParamValue::Integer(plies.into()))]
}

/// Returns a score as a parameter.
pub(crate) fn score(score: f64) -> Vec<Param> {
    vec![Param::new("score", ParamValue::decimal(score))]
}

/// Returns a text of an answer about a variant in a language: rendered from its message, or unchanged if it
/// has none.
pub fn text_in(language: Language, variant: &VariantRef, message: Option<&Message>, text: &str) -> String {
    let message = message.filter(|_| language != Language::English);
    message.and_then(|message| rendered(language, variant, message)).unwrap_or_else(|| text.to_owned())
}

/// Renders a message about a variant; `None` if its catalogue is not there.
pub(crate) fn rendered(language: Language, variant: &VariantRef, message: &Message) -> Option<String> {
    let is_own = message.id.starts_with("pentad.");
    let catalogue = if is_own { Some(&*CATALOGUE) } else { variant.ruleset().catalogue() };
    catalogue.map(|catalogue| catalogue.render(language, message, &variant.seats))
}

/// Returns the text that says whose turn it is, in a language; empty if there is no such seat.
pub fn to_move_text(language: Language, variant: &VariantRef, seat: usize) -> String {
    let Some(seat) = variant.seats.get(seat) else { return String::new() };
    let name = variant.ruleset().catalogue().and_then(|words| words.seat_name(language, &seat.id));
    let name = ParamValue::Text(name.unwrap_or_else(|| seat.name.clone()));
    CATALOGUE.render(language, &Message::new("pentad.to_move", vec![Param::new("seat", name)]), &[])
}

/// Translates an outcome.
pub(crate) fn localise_outcome(language: Language, variant: &VariantRef, outcome: &mut Outcome) {
    outcome.text = text_in(language, variant, outcome.message.as_ref(), &outcome.text);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every message of the engine is a sentence in every language; building the catalogue checks that none
    /// is missing and every parameter is used.
    #[test]
    fn every_message_is_a_sentence() {
        for language in Language::ALL {
            assert!(CATALOGUE.speaks(language), "{language}");
            for decl in MESSAGES.iter().filter(|decl| decl.id != "pentad.to_move") {
                for n in [0, 1, 2, 7] {
                    let param = |decl: &ParamDecl| match decl.kind {
                        ParamKind::Integer => plies(n),
                        ParamKind::Move => vec![Param::new(decl.name, ParamValue::Move(format!("a{n}")))],
                        _ => score(f64::from(n) / 7.0),
                    };
                    let params = decl.params.iter().flat_map(param).collect();
                    let message = Message::new(decl.id, params);
                    assert_eq!(CATALOGUE.check(&message), Ok(()));
                    let text = CATALOGUE.render(language, &message, &[]);
                    assert!(text.ends_with('.') && text.starts_with(char::is_uppercase), "{language}: {text}");
                    assert!(!text.contains(['{', '}', '#']) && !text.contains("  "), "{language}: {text}");
                }
            }
        }
    }
}
