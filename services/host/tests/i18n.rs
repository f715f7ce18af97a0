//! Translations of a plugin: rendered in all of its languages, and never trusted.

mod calls;

use std::sync::Arc;

use calls::{CALLS, call};
use pentad_host::{CallError, Ruleset};
use pentad_model::i18n::Language;
use pentad_model::{Evaluation, FaultKind, Line, Reason, Report, Scores, Source};
use pentad_test_plugins::build;

fn load(name: &str) -> Arc<Ruleset> {
    Ruleset::load(&build(name), None).unwrap()
}

/// The reasons for taking one match of five.
fn explain(ruleset: &Ruleset, variant: usize) -> Result<Vec<Reason>, CallError> {
    let evaluation = Evaluation {
        certainty: pentad_model::Certainty::Estimate,
        outcome: None,
        plies_to_end: None,
        scores: Scores::even(2),
        source: Source::Search,
        depth: 1,
    };
    let line = Line { moves: vec!["1".to_owned()], evaluation };
    let report = Report { lines: vec![line], evaluation, depth: 1, nodes: 1, stop: None };
    let position = ruleset.start(variant)?;
    Ok(ruleset.explain(variant, &position, &report, &[0])?.remove(0))
}

fn said(ruleset: &Ruleset, language: Language) -> String {
    let reason = explain(ruleset, 0).unwrap().remove(0);
    let message = reason.message.expect("it is a message");
    ruleset.catalogue().expect("it has words").render(language, &message, &ruleset.variants()[0].seats)
}

/// Reasons and outcomes are messages with an English text, and render in other
/// languages; English replaces languages that the plugin lacks.
#[test]
fn messages_are_said_in_every_language() {
    let ruleset = load("well_behaved");
    assert!(ruleset.info().capabilities.messages && ruleset.has_both_reasons());
    let reason = explain(&ruleset, 0).unwrap().remove(0);
    assert_eq!((reason.code.as_str(), reason.text.as_str()), ("only_idea", "it takes a match"));
    assert_eq!(reason.points, ["1"]);
    assert_eq!(said(&ruleset, Language::Swedish), "Anna tar en sticka");
    assert_eq!(said(&ruleset, Language::Finnish), "it takes a match");
    let end = ruleset.parse(0, "0 a").unwrap();
    let outcome = ruleset.outcome(0, &end).unwrap().expect("it is over");
    assert_eq!(outcome.text, "the last match is taken");
    let message = outcome.message.expect("it is a message");
    assert_eq!(ruleset.catalogue().unwrap().render(Language::Swedish, &message, &[]), "sista stickan är tagen");
    assert_eq!(ruleset.outcome_text(0, &end).unwrap(), outcome.text);
    assert_eq!(ruleset.catalogue().unwrap().seat_name(Language::Swedish, "b").as_deref(), Some("Bo"));
    assert_eq!(ruleset.faults(), 0);
}

/// Moves are said in words in every language, and capitalised where they stand alone.
#[test]
fn moves_are_said_in_words() {
    let ruleset = load("well_behaved");
    assert!(ruleset.info().capabilities.move_text);
    let start = ruleset.start(0).unwrap();
    let said = ruleset.say_moves(0, &start, &["1", "2", "none"]).unwrap();
    assert_eq!(said[2], None, "the rule set has no words for it");
    let catalogue = ruleset.catalogue().unwrap();
    let two = said[1].as_ref().expect("a message");
    assert_eq!(catalogue.render_phrase(Language::English, two, &[]), "take 2 matches");
    assert_eq!(catalogue.render_alone(Language::English, two, &[]), "Take 2 matches");
    assert_eq!(catalogue.render_alone(Language::Swedish, said[0].as_ref().unwrap(), &[]), "Ta en sticka");
    assert_eq!(ruleset.faults(), 0);
    let ruleset = load("tictactoe");
    let start = ruleset.start(0).unwrap();
    assert!(!ruleset.info().capabilities.move_text);
    assert_eq!(ruleset.say_moves(0, &start, &["a1"]).unwrap(), [None]);
}

/// A plugin without messages works as before.
#[test]
fn texts_stay_as_they_are() {
    let ruleset = load("tictactoe");
    assert!(!ruleset.info().capabilities.messages && ruleset.catalogue().is_none());
    let ruleset = load("abi_1_0");
    assert!(ruleset.info().capabilities.reasons && ruleset.catalogue().is_none());
}

/// Bad English disables all messages: reasons come as texts. A bad template of another
/// language disables that one message.
#[test]
fn bad_templates_fall_back_to_english() {
    for (plugin, part) in [
        ("words_bad_english", "en: `only_idea`: the parameter `seat` is not used"),
        ("words_endless", "too many messages"),
        ("words_unlisted", "not listed by `pentad.messages/1`"),
    ] {
        let ruleset = load(plugin);
        let (_, fault) = ruleset.last_fault().expect(plugin);
        assert_eq!(fault.call, "messages.list", "{plugin}: {fault}");
        assert!(fault.detail.contains(part), "{plugin}: {fault}");
        assert!(ruleset.catalogue().is_none() && ruleset.info().capabilities.reasons, "{plugin}");
        let reason = explain(&ruleset, 0).unwrap().remove(0);
        assert_eq!((reason.text.as_str(), reason.message), ("it takes a match", None), "{plugin}");
        let end = ruleset.parse(0, "0 a").unwrap();
        assert_eq!(ruleset.outcome(0, &end).unwrap().expect("over").text, "the last match is taken", "{plugin}");
    }
    let ruleset = load("words_bad_swedish");
    let (_, fault) = ruleset.last_fault().expect("a fault");
    assert!(fault.detail.contains("there is no parameter `number`"), "{fault}");
    assert_eq!(said(&ruleset, Language::Swedish), "it takes a match");
    assert_eq!(ruleset.catalogue().unwrap().seat_name(Language::Swedish, "a").as_deref(), Some("Anna"));
}

/// An unlisted message, or one whose parameters differ from the list, is a fault of
/// that one call.
#[test]
fn bad_messages_are_faults() {
    let ruleset = load("words");
    for (variant_idx, variant) in ruleset.variants().iter().enumerate() {
        let before = ruleset.faults();
        let result = match variant.id.split('-').next() {
            Some("outcome") => {
                let end = ruleset.parse(variant_idx, "0 a").unwrap();
                ruleset.outcome(variant_idx, &end).map(|_| ())
            }
            Some("say") => {
                let start = ruleset.start(variant_idx).unwrap();
                ruleset.say_moves(variant_idx, &start, &["1"]).map(|_| ())
            }
            _ => explain(&ruleset, variant_idx).map(|_| ()),
        };
        let part = match variant.id.as_str() {
            "well-behaved" | "say-unsupported" => {
                assert_eq!(result, Ok(()));
                continue;
            }
            "explain-unknown" | "outcome-unknown" | "say-unknown" => "`never_listed` is not a message that was listed",
            "explain-missing" => "message `only_idea`: 1 parameters instead of 2",
            "explain-kind" => "message `only_idea`: `count` is of the kind Text instead of Integer",
            "explain-seat" => "parameter 1: `c` is not one of the Seats",
            "explain-empty" => "parameter 1: 0 items of the kind Seats",
            "explain-null" => "message `only_idea`: parameters: a length of 2 at the address",
            "explain-huge" => "items: a length of",
            "explain-utf8" => "not UTF-8",
            "explain-point" => "`c` is not a point of the board",
            "outcome-none" => "no message of a finished game",
            "outcome-twice" | "say-twice" => "a second message",
            "say-none" => "no message for the move",
            "outcome-null" => "a length of 1 at the address",
            other => panic!("{other} is not expected here"),
        };
        let Err(CallError::Fault(fault)) = result else { panic!("{}: {result:?}", variant.id) };
        assert!(fault.detail.contains(part), "{}: {fault}", variant.id);
        assert!(matches!(fault.kind, FaultKind::BadText | FaultKind::BadValue), "{}: {fault}", variant.id);
        assert_eq!(ruleset.faults(), before + 1, "{}", variant.id);
        assert_eq!(explain(&ruleset, 0).map(|reasons| reasons.len()), Ok(1));
    }
    for name in CALLS {
        assert_eq!(call(&ruleset, 0, name), Ok(()), "{name}");
    }
}
