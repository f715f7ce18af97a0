//! A plugin that violates the contract in a call fails that call only: the fault
//! is reported and recorded, and the next well-behaved call works.

mod calls;

use std::ops::ControlFlow;
use std::sync::Arc;

use calls::{CALLS, assert_works, call};
use pentad_host::{CallError, Ruleset};
use pentad_model::FaultKind;
use pentad_test_plugins::build;

fn load(name: &str) -> Arc<Ruleset> {
    Ruleset::load(&build(name), None).unwrap()
}

fn fault(result: Result<(), CallError>) -> (FaultKind, &'static str, String) {
    match result {
        Err(CallError::Fault(fault)) => (fault.kind, fault.call, fault.detail),
        other => panic!("{other:?}"),
    }
}

/// The well-behaved game passes every call, so the faults below come from the
/// misbehaviour.
#[test]
fn well_behaved_game_has_no_faults() {
    let ruleset = load("well_behaved");
    for name in CALLS {
        assert_eq!(call(&ruleset, 0, name), Ok(()), "{name}");
    }
    assert_eq!(ruleset.faults(), 0);
    assert_works(&ruleset, 0);
}

/// Statuses that do not exist, blame the host, or report a stop that was not
/// requested are faults.
#[test]
fn wrong_statuses_are_faults() {
    for name in ["status_unknown", "status_negative", "status_invalid", "status_stopped"] {
        let ruleset = load(name);
        for (variant_idx, variant) in ruleset.variants().iter().enumerate().skip(1) {
            let before = ruleset.faults();
            let (kind, _, detail) = fault(call(&ruleset, variant_idx, &variant.id));
            assert_eq!(kind, FaultKind::BadStatus, "{name}, {}: {detail}", variant.id);
            assert_eq!(ruleset.faults(), before + 1, "{name}, {}", variant.id);
            assert_works(&ruleset, 0);
        }
    }
}

/// Wrong lengths, null pointers, invalid UTF-8 and endless text are faults in every
/// call that returns text.
#[test]
fn invalid_text_is_a_fault() {
    let ruleset = load("texts");
    for (variant_idx, variant) in ruleset.variants().iter().enumerate().skip(1) {
        let (name, kind) = variant.id.rsplit_once('-').unwrap();
        let result = if name == "parse" {
            ruleset.parse(variant_idx, "nonsense").map(|_| ())
        } else {
            call(&ruleset, variant_idx, name)
        };
        match (name, kind, result) {
            // Messages may quote a client's bytes: what is not printable is
            // replaced, and a column beyond any text is dropped.
            ("parse", "utf8", Err(CallError::Malformed { message, .. })) => {
                assert!(message.starts_with("\u{fffd}\u{fffd}pected a digit"), "{message}");
            }
            ("parse", "endless", Err(CallError::Malformed { column, .. })) => assert_eq!(column, None),
            // Ends in a move that is too long, after a million well-formed ones.
            ("legal-moves", "endless", Err(CallError::Fault(fault))) => assert_eq!(fault.kind, FaultKind::BadValue),
            (_, _, Err(CallError::Fault(fault))) => {
                assert!(matches!(fault.kind, FaultKind::BadText | FaultKind::BadValue), "{}: {fault}", variant.id);
            }
            (_, _, other) => panic!("{}: {other:?}", variant.id),
        }
        assert_works(&ruleset, 0);
    }
}

/// Numbers out of range are faults: seats, scores, places, enums, indices.
#[test]
fn wrong_numbers_are_faults() {
    let ruleset = load("numbers");
    for (variant_idx, variant) in ruleset.variants().iter().enumerate().skip(1) {
        let name = match variant.id.as_str() {
            "seat" => "to-move",
            "over" | "score-nan" | "score-two" | "score-negative" | "n-seats" | "place-zero" | "place-three" => {
                "outcome"
            }
            "point" | "piece" | "order" => "pieces",
            "foreign-point" => "explain",
            name @ ("inverse" | "apply-seat" | "canonical") => name,
            _ => "evaluate",
        };
        let (kind, _, detail) = fault(call(&ruleset, variant_idx, name));
        let expected = if name == "explain" { FaultKind::BadText } else { FaultKind::BadValue };
        assert_eq!(kind, expected, "{}: {detail}", variant.id);
        if name == "outcome" && !variant.id.starts_with("place") {
            let over = ruleset.parse(variant_idx, "0 b").unwrap();
            assert!(matches!(ruleset.scores(variant_idx, &over), Err(CallError::Fault(_))), "{}", variant.id);
        }
        assert_works(&ruleset, 0);
    }
}

/// Every breach of the contract of threats is a fault of that one call.
#[test]
fn wrong_threats_are_faults() {
    let ruleset = load("threats");
    for (variant_idx, variant) in ruleset.variants().iter().enumerate().skip(1) {
        let two_left = ruleset.parse(variant_idx, "2 a").unwrap();
        let result = ruleset.threats(variant_idx, &two_left, &|| false);
        if variant.id == "endless" {
            let list = result.unwrap();
            assert_eq!((list.threats.len(), list.is_truncated), (2 * pentad_host::THREATS_MAX, true));
            continue;
        }
        let (kind, call, detail) = fault(result.map(|_| ()));
        let expected = match variant.id.as_str() {
            "empty-move" | "stop-text" => FaultKind::BadText,
            "status" | "after-stop" => FaultKind::BadStatus,
            _ => FaultKind::BadValue,
        };
        assert_eq!(kind, expected, "{}: {call}: {detail}", variant.id);
        let three_left = ruleset.parse(variant_idx, "3 a").unwrap();
        let other = ruleset.threats(variant_idx, &three_left, &|| false);
        assert!(other.is_ok() || variant.id == "turn-seat", "{}: {other:?}", variant.id);
        assert_works(&ruleset, 0);
    }
}

/// Without the extension the wins of the seat to move are found by playing its moves,
/// and those of the others are unknown.
#[test]
fn wins_are_played_where_threats_are_not_listed() {
    let ruleset = load("rules_only");
    let two_left = ruleset.parse(0, "2 a").unwrap();
    let list = ruleset.threats(0, &two_left, &|| false).unwrap();
    let threats: Vec<_> = list.threats.iter().map(|it| (it.seat, &*it.kind, &*it.mv, it.score)).collect();
    assert_eq!(threats, [(0, pentad_host::WINNING, "2", 1.0)]);
    assert_eq!((list.seats, list.stops_all, list.is_truncated), (vec![0], Vec::new(), false));
    assert_eq!(ruleset.turn_of(0, &two_left, 1), Ok(None));
    let five_left = ruleset.start(0).unwrap();
    assert_eq!(ruleset.threats(0, &five_left, &|| false).unwrap().threats, []);
    assert!(ruleset.threat_kinds().is_empty() && !ruleset.info().capabilities.threats);
}

/// A plugin that continues after the visitor's break is a fault, and the visitor
/// is not called again.
#[test]
fn visitor_is_not_called_after_break() {
    let ruleset = load("ignores_stop");
    let start = ruleset.start(0).unwrap();
    let mut n_visited = 0;
    let result = ruleset.legal_moves(0, &start, "", &mut |_| {
        n_visited += 1;
        ControlFlow::Break(())
    });
    assert_eq!(fault(result.map(|_| ())).0, FaultKind::BadStatus);
    assert_eq!(n_visited, 1);
    assert_eq!(ruleset.count_moves(0, &start, ""), Ok(2));
}

/// Moves that do not begin with the prefix are a fault.
#[test]
fn moves_without_the_prefix_are_a_fault() {
    let ruleset = load("ignores_stop");
    let start = ruleset.start(0).unwrap();
    let result = ruleset.legal_moves(0, &start, "2", &mut |_| ControlFlow::Continue(()));
    assert_eq!(fault(result.map(|_| ())).0, FaultKind::BadText);
}

/// A visitor is never called on another thread.
#[test]
fn callbacks_from_other_threads_are_rejected() {
    let ruleset = load("wrong_thread");
    let start = ruleset.start(0).unwrap();
    let result = ruleset.legal_moves(0, &start, "", &mut |mv| panic!("called with {mv}"));
    assert_eq!(fault(result.map(|_| ())).0, FaultKind::BadValue);
    assert_eq!(ruleset.count_moves(0, &start, ""), Ok(2));
}

/// Faults are counted, and the last one is kept with its time.
#[test]
fn faults_are_recorded() {
    let ruleset = load("numbers");
    assert_eq!((ruleset.faults(), ruleset.last_fault()), (0, None));
    let variant = ruleset.variant_idx("seat").unwrap();
    let start = ruleset.start(variant).unwrap();
    assert!(ruleset.to_move(variant, &start).is_err());
    assert!(ruleset.to_move(variant, &start).is_err());
    let (when, last) = ruleset.last_fault().unwrap();
    assert_eq!((ruleset.faults(), last.kind, last.call), (2, FaultKind::BadValue, "to_move"));
    assert!(when.elapsed().unwrap().as_secs() < 60);
    let hang = pentad_host::Fault { kind: FaultKind::Hang, call: "run", detail: "no answer for 2 s".to_owned() };
    ruleset.record_fault(hang.clone());
    assert_eq!(ruleset.faults(), 3);
    assert_eq!(ruleset.last_fault().unwrap().1, hang);
    assert_eq!(hang.to_string(), "`run`: hang: no answer for 2 s");
}
