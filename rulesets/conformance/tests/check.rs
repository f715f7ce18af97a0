//! The conformance checks pass correct rule sets and detect broken ones.

use std::sync::Arc;

use pentad_conformance::{ConformanceReport, LawState, Options, check};
use pentad_host::Ruleset;

fn quick_options() -> Options {
    Options { n_games: 6, n_texts: 2_000, ..Options::default() }
}

fn load(plugin: &str) -> Arc<Ruleset> {
    Ruleset::load(&pentad_test_plugins::build(plugin), None).expect("the plugin loads")
}

fn laws_in_state(report: &ConformanceReport, state: LawState) -> Vec<&str> {
    report.laws().iter().filter(|law| law.state() == state).map(|law| law.name.as_str()).collect()
}

/// Every bundled rule set obeys every law, side by side.
#[test]
fn bundled_rule_sets_pass() {
    let loaded = pentad_host::load_bundled(None).expect("the bundled rule sets are built");
    assert!(loaded.refused.is_empty(), "{:?}", loaded.refused);
    let games: Vec<&str> = loaded.rulesets.iter().map(|ruleset| ruleset.info().id.as_str()).collect();
    assert_eq!(games, ["pentaflip", "pentagame", "pentago", "pentago-xl"]);
    std::thread::scope(|scope| {
        for ruleset in &loaded.rulesets {
            scope.spawn(|| {
                let report = check(ruleset, &quick_options());
                assert!(report.passed(), "{report}");
            });
        }
    });
}

/// Tic-tac-toe in C, the well-behaved base of the misbehaving plugins, and the plugin
/// frozen at ABI 1.0 obey every law, too.
#[test]
fn plugins_in_c_pass() {
    for plugin in ["tictactoe", "well_behaved", "abi_1_0"] {
        let report = check(&load(plugin), &quick_options());
        assert!(report.passed(), "{report}");
    }
}

/// Each variant of the nonconforming plugin breaks the law it is named after, and the
/// report says how to reproduce it.
#[test]
fn every_broken_law_is_caught() {
    let nonconforming = load("nonconforming");
    for variant in nonconforming.variants() {
        let report = check(&nonconforming, &Options { variant: Some(variant.id.clone()), ..quick_options() });
        let broken = laws_in_state(&report, LawState::Failed);
        let law = variant.id.split('-').next().unwrap_or_default();
        assert!(broken.contains(&law), "{} broke {broken:?}\n{report}", variant.id);
        assert!(report.to_string().contains(&format!("--variant {} --seed 1", variant.id)), "{report}");
    }
}

/// Every failure of a law about positions names the moves that lead there, so that it can
/// be played through.
#[test]
fn failures_name_the_moves() {
    let nonconforming = load("nonconforming");
    for variant in ["fresh", "illegal", "plays-beyond", "reasons-point"] {
        let report = check(&nonconforming, &Options { variant: Some(variant.to_owned()), ..quick_options() });
        let failures =
            report.laws().iter().flat_map(|law| &law.failures).filter(|failure| failure.found_at.contains("ply"));
        let mut n_moves = 0;
        for failure in failures {
            n_moves += failure.moves.len();
            let index = nonconforming.variant_idx(variant).expect("the variant exists");
            // Guard bytes report the move itself, so it cannot be played.
            let taken: u32 = failure.moves.iter().map(|mv| mv.parse::<u32>().expect("a number")).sum();
            let start = nonconforming.format(index, &nonconforming.start(index).expect("a start")).expect("a text");
            assert_eq!(start[..1].parse::<u32>().ok(), failure.position[..1].parse::<u32>().ok().map(|it| it + taken));
        }
        assert!(variant == "plays-beyond" || n_moves > 0, "{variant}: {report}");
    }
}

/// A write behind a buffer is a fault of the call that wrote.
#[test]
fn writes_beyond_a_buffer_are_named() {
    let report =
        check(&load("nonconforming"), &Options { variant: Some("plays-beyond".to_owned()), ..quick_options() });
    assert!(
        report.to_string().contains("`play`: bad_value: it wrote beyond the end of a buffer of the host"),
        "{report}"
    );
}

/// A move that is legal only in other positions must be refused as illegal, neither
/// accepted nor called malformed.
#[test]
fn illegal_moves_must_be_refused() {
    let report = check(&load("well_behaved"), &quick_options());
    let law = report.laws().iter().find(|law| law.name == "illegal").expect("there is such a law");
    assert!(law.n_tried > 0 && law.n_failed == 0, "{report}");

    let only = |variant: &str| Options { variant: Some(variant.to_owned()), ..quick_options() };
    let report = check(&load("nonconforming"), &only("illegal"));
    assert_eq!(laws_in_state(&report, LawState::Failed), ["illegal"], "{report}");
    let text = report.to_string();
    assert!(text.contains("`2` is legal in other positions and not listed here, but accepted"), "{text}");
    assert!(text.contains("position `1 "), "{text}");

    let report = check(&load("nonconforming"), &only("illegal-malformed"));
    assert_eq!(laws_in_state(&report, LawState::Failed), ["illegal"], "{report}");
    assert!(report.to_string().contains("want ILLEGAL, not: Malformed"), "{report}");
}

/// Laws about abilities that a rule set lacks are skipped and counted as skipped.
#[test]
fn absent_abilities_are_skipped() {
    let report = check(&load("rules_only"), &quick_options());
    assert!(report.passed(), "{report}");
    let skipped = laws_in_state(&report, LawState::Skipped);
    assert_eq!(
        skipped,
        [
            "symmetry",
            "canonical",
            "layout",
            "search",
            "proofs",
            "stops",
            "reasons",
            "threats",
            "stopped",
            "words",
            "spoken"
        ],
        "{report}"
    );
    let n_held = laws_in_state(&report, LawState::Held).len();
    assert_eq!(n_held + skipped.len(), report.laws().len(), "{report}");
    let text = report.to_string();
    assert!(text.ends_with(&format!("{n_held} laws held, 0 failed, 11 skipped")), "{text}");
    for (law, id) in [
        ("layout", "layout"),
        ("search", "search"),
        ("canonical", "symmetry"),
        ("reasons", "reasons"),
        ("stopped", "threats"),
        ("words", "messages"),
        ("spoken", "move_text"),
    ] {
        let line = text.lines().find(|line| line.starts_with(&format!("  skip {law} "))).unwrap_or_default();
        assert!(line.ends_with(&format!("(no `pentad.{id}/1`)")), "{law}: {text}");
    }

    let report = check(&load("well_behaved"), &quick_options());
    assert_eq!(laws_in_state(&report, LawState::Skipped), [""; 0], "{report}");
}

/// Messages that the host had to drop fail the check, in English and in any other
/// language.
#[test]
fn bad_words_are_reported() {
    for (plugin, part) in [
        ("words_bad_english", "en: `only_idea`: the parameter `seat` is not used"),
        ("words_bad_swedish", "sv: `only_idea`: there is no parameter `number`"),
        ("words_endless", "too many messages"),
        ("words_unlisted", "not listed by `pentad.messages/1`"),
    ] {
        let report = check(&load(plugin), &quick_options());
        assert_eq!(laws_in_state(&report, LawState::Failed), ["loads"], "{plugin}: {report}");
        assert!(report.to_string().contains(part), "{plugin}: {report}");
    }
}

/// A board that the host had to drop is a failure, not an absent ability.
#[test]
fn faults_of_loading_are_reported() {
    let ruleset = load("boards");
    let report = check(&ruleset, &Options { variant: Some("well-behaved".to_owned()), ..quick_options() });
    assert_eq!(laws_in_state(&report, LawState::Failed), ["loads"], "{report}");
}

/// A fault that breaks several laws is shown at the first of them; panics are
/// counted by call and message.
#[test]
fn one_cause_is_reported_once() {
    let ruleset = Ruleset::load(&pentad_test_plugins::panics(), None).expect("the plugin loads");
    for (variant, call) in [("to-move", "to_move"), ("apply", "apply"), ("play", "play")] {
        let report = check(&ruleset, &Options { variant: Some(variant.to_owned()), ..quick_options() });
        let broken = laws_in_state(&report, LawState::Failed);
        let text = report.to_string();
        let [first, others @ ..] = &broken[..] else { panic!("{text}") };
        assert!(!others.is_empty(), "{text}");
        let causes: Vec<&str> = text.lines().filter(|line| line.contains(&format!("`{call}`: panic: "))).collect();
        assert_eq!(causes.len(), 1, "{text}");
        assert!(text.contains(&format!("also breaks: {}\n", others.join(", "))), "{text}");
        for other in others {
            let mut lines = text.lines().skip_while(|line| !line.starts_with(&format!("  FAIL {other} ")));
            assert_eq!(lines.nth(1), Some(format!("         by the same cause as `{first}`").as_str()), "{text}");
        }
        assert!(report.panics().keys().any(|panic| panic.starts_with(&format!("`{call}`: "))), "{text}");
        for (panic, n_times) in report.panics() {
            assert!(text.contains(&format!("\n  panicked {n_times} times in {panic}\n")), "{text}");
        }
    }
}

/// A rule set that panics fails the check; the check itself does not panic.
#[test]
fn panics_are_reported() {
    let ruleset = Ruleset::load(&pentad_test_plugins::panics(), None).expect("the plugin loads");
    let report = check(&ruleset, &Options { n_games: 2, n_texts: 100, ..Options::default() });
    assert!(!report.passed());
}
