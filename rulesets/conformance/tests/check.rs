//! The conformance checks pass correct rule sets and detect broken ones.

use std::sync::Arc;

use pentad_conformance::{Options, check};
use pentad_host::Ruleset;

fn quick_options() -> Options {
    Options { n_games: 6, n_texts: 2_000, ..Options::default() }
}

fn load(plugin: &str) -> Arc<Ruleset> {
    Ruleset::load(&pentad_test_plugins::build(plugin), None).expect("the plugin loads")
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

/// So do tic-tac-toe in C, the game that the misbehaving plugins are made from, and
/// the plugin frozen at ABI 1.0.
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
        let broken: Vec<&str> = report.laws().iter().filter(|law| law.n_failed > 0).map(|law| law.name).collect();
        assert!(broken.contains(&variant.id.as_str()), "{} broke {broken:?}\n{report}", variant.id);
        assert!(report.to_string().contains(&format!("--variant {} --seed 1", variant.id)), "{report}");
    }
}

/// A rule set that panics fails the check; the check itself does not panic.
#[test]
fn panics_are_reported() {
    let ruleset = Ruleset::load(&pentad_test_plugins::panics(), None).expect("the plugin loads");
    let report = check(&ruleset, &Options { n_games: 2, n_texts: 100, ..Options::default() });
    assert!(!report.passed());
}
