//! Checks that a game is completely translated.

use std::collections::BTreeSet;

use pentad_model::i18n::{ParamInfo, Template};

use super::text;
use crate::abilities::{MoveText, Reasons};
use crate::i18n::{Catalogue, Language, Message, Param, ParamKind, ParamValue, Translations};
use crate::ruleset::Ruleset;

/// First part of the ids of phrases for moves.
const MOVE: &str = "move";

/// Checks that every message has a template in every language of the host, with exactly
/// its parameters, and renders as a sentence; that every code has a message, and every
/// message belongs to a code, to the outcome or to a move; and that seats and variants have terms,
/// in English the names that the rules use.
#[track_caller]
pub fn check<R: Reasons>() {
    let translations = translations::<R>();
    let (catalogue, problems) = match Catalogue::build(translations.messages(), translations.templates()) {
        Ok(built) => built,
        Err(violation) => panic!("{}", violation.detail),
    };
    let problems: Vec<&str> = problems.iter().map(|violation| violation.detail.as_str()).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    for language in Language::ALL {
        assert!(catalogue.speaks(language), "there is no template in the language `{language}`");
    }
    for (tag, id, text) in translations.templates() {
        assert!(Language::from_tag(tag).is_some(), "`{tag}` is not a language of the host");
        assert!(Template::parse(text).is_ok(), "{tag}: {id}");
        assert!(!text.contains("  ") && !text.contains(" ."), "{tag}: `{id}` has a stray space: {text}");
    }
    let ids = catalogue.messages();
    let code_of = |id: &str| id.split('.').next().unwrap_or_default().to_owned();
    let said: BTreeSet<String> = ids.keys().map(|id| code_of(id)).collect();
    for known in R::CODES {
        assert!(said.contains(known.code), "no message has the code `{}`", known.code);
    }
    let is_sentence = |id: &str| R::CODES.iter().any(|known| known.code == code_of(id)) || code_of(id) == "outcome";
    for (id, params) in ids.iter().filter(|(id, _)| is_sentence(id)) {
        for message in samples::<R>(id, params, &catalogue) {
            let text = catalogue.render(Language::English, &message, &[]);
            check_sentence::<R>(Some(&message), &text, &|| format!("{message:?}"));
        }
    }
    let groups: BTreeSet<&str> =
        ids.values().flat_map(|params| params.iter()).map(|param| param.group.as_str()).collect();
    for id in ids.keys() {
        let group = code_of(id);
        let is_term = ["seat", "piece", "variant"].contains(&group.as_str()) || groups.contains(group.as_str());
        let is_phrase = group == MOVE;
        assert!(is_sentence(id) || is_term || is_phrase, "`{id}` is the message of no code, and no term");
    }
    for variant in R::variants() {
        for id in [format!("variant.{}", variant.id), format!("variant.{}.summary", variant.id)] {
            assert!(ids.contains_key(id.as_str()), "there is no `{id}`");
        }
        assert_eq!(catalogue.term(Language::English, &format!("variant.{}", variant.id)), Some(variant.name));
        assert_eq!(
            catalogue.term(Language::English, &format!("variant.{}.summary", variant.id)),
            Some(variant.summary)
        );
        for seat in &variant.seats {
            let name = catalogue.seat_name(Language::English, seat.id);
            assert_eq!(name.as_deref(), Some(seat.name), "the name of the seat `{}`", seat.id);
        }
    }
}

/// Checks that a message is declared, that its English text is `text`, and that it is a
/// complete sentence in every language.
#[track_caller]
pub fn check_sentence<R: Ruleset>(message: Option<&Message>, text: &str, context: &dyn Fn() -> String) {
    let Some(message) = message else { panic!("{}: no message", context()) };
    let catalogue = translations::<R>().catalogue();
    assert_eq!(catalogue.check(message), Ok(()), "{}", context());
    assert_eq!(catalogue.render(Language::English, message, &[]), text, "{}", context());
    for language in Language::ALL {
        let text = catalogue.render(language, message, &[]);
        let is_complete = !text.contains(['{', '}', '#']) && !text.contains("  ");
        let is_sentence = text.ends_with('.') && text.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
        assert!(is_complete && is_sentence, "{}, in the language `{language}`: {text}", context());
    }
}

/// Checks that the phrases of a position's moves are declared, begin with `move.` in their
/// ids, and are phrases in every language. Returns the English ones, in the order of moves.
#[track_caller]
pub fn check_moves<R: MoveText>(rules: &R, position: &R::Position) -> Vec<String> {
    let catalogue = translations::<R>().catalogue();
    let mut phrases = Vec::new();
    let _complete = rules.legal_move_texts(position, "", |mv| {
        let context = || format!("{}: {mv}", text(rules, position));
        let Some(message) = rules.say(position, mv) else { panic!("{}: no words", context()) };
        assert_eq!((catalogue.check(&message), message.code()), (Ok(()), MOVE), "{}", context());
        for language in Language::ALL {
            let phrase = catalogue.render_phrase(language, &message, &[]);
            let is_complete = !phrase.contains(['{', '}', '#']) && !phrase.contains("  ") && phrase.trim() == phrase;
            assert!(is_complete && !phrase.is_empty() && !phrase.ends_with('.'), "{}: {language}: {phrase}", context());
        }
        phrases.push(catalogue.render_phrase(Language::English, &message, &[]));
        std::ops::ControlFlow::Continue(())
    });
    phrases
}

/// Checks that the outcome of a finished game is a sentence in every language. Returns
/// the id of its message.
#[track_caller]
pub fn check_outcome<R: Ruleset>(rules: &R, end: &R::Position) -> String {
    let Some(outcome) = rules.outcome(end) else { panic!("{}: the game goes on", text(rules, end)) };
    let context = || format!("{}: {}", text(rules, end), outcome.text);
    check_sentence::<R>(outcome.message.as_ref(), &outcome.text, &context);
    outcome.message.map(|message| message.id.into_owned()).unwrap_or_default()
}

/// Returns a message with twelve different sets of values.
fn samples<R: Ruleset>(id: &str, params: &[ParamInfo], catalogue: &Catalogue) -> Vec<Message> {
    let seats: Vec<String> = R::variants().iter().flat_map(|it| &it.seats).map(|seat| seat.id.to_owned()).collect();
    let sample = |n: usize| {
        let value = |param: &ParamInfo| match param.kind {
            ParamKind::Integer => ParamValue::Integer(n as i64),
            ParamKind::Decimal => ParamValue::Decimal(53 * n as i64),
            ParamKind::Seats => ParamValue::Seats(seats.iter().cycle().skip(n).take(1 + n % 3).cloned().collect()),
            ParamKind::Points => ParamValue::Points(vec!["a1".to_owned(); 1 + n % 3]),
            ParamKind::Move => ParamValue::Move("a1".to_owned()),
            ParamKind::Text => ParamValue::Text("a text".to_owned()),
            ParamKind::Terms => {
                let group = format!("{}.", param.group);
                let ids = catalogue.messages().into_keys().filter_map(|id| id.strip_prefix(&group)).map(str::to_owned);
                let ids: Vec<String> = ids.collect();
                ParamValue::Terms(ids.iter().cycle().skip(n).take(1 + n % 2).cloned().collect())
            }
        };
        let param = |param: &ParamInfo| Param { name: param.name.clone().into(), value: value(param) };
        Message { id: id.to_owned().into(), params: params.iter().map(param).collect() }
    };
    (0..12).map(sample).collect()
}

#[track_caller]
fn translations<R: Ruleset>() -> &'static Translations {
    R::translations().expect("the game has translations")
}
