//! A panic in a plugin fails that one call; the next one works.

mod calls;

use std::sync::Arc;

use calls::{CALLS, NeverStop, assert_works, call};
use pentad_host::{CallError, Ruleset};
use pentad_model::{FaultKind, Limits, Request};

fn panics() -> Arc<Ruleset> {
    Ruleset::load(&pentad_test_plugins::panics(), None).unwrap()
}

/// In each variant one call panics, and the others work before and after it.
#[test]
fn panic_fails_one_call() {
    let ruleset = panics();
    assert_eq!(ruleset.faults(), 0);
    for (variant_idx, variant) in ruleset.variants().iter().enumerate() {
        let panicking = match variant.id.as_str() {
            // One call of the ABI for two functions of the trait.
            "parse-move" => "play",
            // Part of one call of the host.
            "stops" => "threats",
            id => id,
        };
        for round in 0..2 {
            for name in CALLS {
                let before = ruleset.faults();
                match call(&ruleset, variant_idx, name) {
                    Ok(()) => assert_ne!(name, panicking),
                    Err(CallError::Fault(fault)) => {
                        assert_eq!(fault.kind, FaultKind::Panic, "{}, {name}: {fault}", variant.id);
                        assert!(may_panic(panicking, name), "{}, {name}, round {round}: {fault}", variant.id);
                        assert!(ruleset.faults() > before);
                    }
                    Err(other) => panic!("{}, {name}: {other:?}", variant.id),
                }
            }
        }
        assert_works(&ruleset, 0);
    }
}

/// Whether a call may panic in the variant that panics in `panicking`: that call
/// itself, and those that depend on it.
fn may_panic(panicking: &str, name: &str) -> bool {
    match panicking {
        _ if name == panicking => true,
        // A context is created before it runs.
        "create" => name == "run",
        // The call of `outcome` parses a finished position first.
        "parse" => matches!(name, "outcome" | "threats"),
        // Threats are listed with each seat's turn, and played.
        "turn-of" | "to-move" | "outcome" | "legal-moves" => {
            name == "threats" || name == "turn-of" && panicking == "to-move"
        }
        // Parsing the moves of a line plays them; so does formatting a report.
        "play" => matches!(name, "run" | "apply-move" | "explain" | "threats"),
        "apply" => name == "apply-move",
        _ => false,
    }
}

/// The panic's message is passed on by calls that have an error argument.
#[test]
fn panic_message_is_kept() {
    let ruleset = panics();
    let variant = ruleset.variant_idx("parse").unwrap();
    match ruleset.parse(variant, "7 a") {
        Err(CallError::Fault(fault)) => assert_eq!(fault.to_string(), "`parse`: panic: this variant panics in parse"),
        other => panic!("{other:?}"),
    }
}

/// A searcher whose run panicked continues with a new context.
#[test]
fn searcher_recovers_from_a_panic() {
    let ruleset = panics();
    let variant = ruleset.variant_idx("run").unwrap();
    let start = ruleset.start(variant).unwrap();
    let mut searcher = ruleset.searcher(variant, 1 << 20, 1).unwrap();
    assert_eq!(searcher.variant(), variant);
    for _ in 0..3 {
        let result = searcher.run(&start, &Request::new(Limits::default()), &NeverStop);
        assert!(matches!(result, Err(CallError::Fault(fault)) if fault.kind == FaultKind::Panic));
    }
    assert_eq!(ruleset.faults(), 3);
}
