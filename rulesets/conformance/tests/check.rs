//! The kit passes what is sound and catches what is not.

use std::sync::Arc;

use pentad_conformance::{Options, check};
use pentad_host::Ruleset;

fn quick() -> Options {
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
                let verdict = check(ruleset, &quick());
                assert!(verdict.passed(), "{verdict}");
            });
        }
    });
}

/// So do the game in plain C, the honest twin of the liars, and what was compiled
/// when the ABI was new.
#[test]
fn plugins_in_c_pass() {
    for plugin in ["tictactoe", "well_behaved", "abi_1_0"] {
        let verdict = check(&load(plugin), &quick());
        assert!(verdict.passed(), "{verdict}");
    }
}

/// Each variant of the nonconforming plugin breaks the law it is named after, and the
/// report says how to repeat it.
#[test]
fn every_broken_law_is_caught() {
    let nonconforming = load("nonconforming");
    for variant in nonconforming.variants() {
        let verdict = check(&nonconforming, &Options { variant: Some(variant.id.clone()), ..quick() });
        let broken: Vec<&str> = verdict.laws().iter().filter(|law| law.n_failed > 0).map(|law| law.name).collect();
        assert!(broken.contains(&variant.id.as_str()), "{} broke {broken:?}\n{verdict}", variant.id);
        assert!(verdict.to_string().contains(&format!("--variant {} --seed 1", variant.id)), "{verdict}");
    }
}

/// A rule set that panics is reported, not crashed on.
#[test]
fn panics_are_reported() {
    let ruleset = Ruleset::load(&pentad_test_plugins::panics(), None).expect("the plugin loads");
    let verdict = check(&ruleset, &Options { n_games: 2, n_texts: 100, ..Options::default() });
    assert!(!verdict.passed());
}
