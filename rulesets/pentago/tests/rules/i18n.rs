//! All texts of Pentago exist in every language.

use std::collections::BTreeSet;

use pentad_sdk::Ruleset;
use pentad_sdk::rng::Rng;
use pentad_sdk::testing::{i18n, walk};
use pentago::Pentago;

use crate::support::{all_rules, parse, rules};

/// No message lacks a language or a parameter.
#[test]
fn every_message_is_translated() {
    i18n::check::<Pentago>();
}

/// Outcomes of random games, and rare ones, have a text in every language.
#[test]
fn every_outcome_is_translated() {
    let mut seen = BTreeSet::new();
    let mut rng = Rng::new(3);
    for game in all_rules() {
        for _ in 0..100 {
            let end = walk(&game, game.start(), &mut rng).pop().unwrap();
            seen.insert(i18n::check_outcome(&game, &end));
        }
    }
    for (variant, end) in [
        ("finnish", "wwwww1/bbbbb1/6/6/6/6 b"),
        ("standard", "wwwww1/bbbbb1/6/6/6/6 b"),
        ("standard", "wwbbww/bbwwbb/wwbbww/bbwwbb/wwbbww/bbwwbb w"),
    ] {
        let game = rules(variant);
        seen.insert(i18n::check_outcome(&game, &parse(&game, end)));
    }
    let all = ["outcome.board_full", "outcome.both_five", "outcome.five", "outcome.turner"];
    assert_eq!(seen.iter().collect::<Vec<_>>(), all);
}
