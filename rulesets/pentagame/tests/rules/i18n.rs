//! Every message of Pentagame exists in every language.

use std::collections::BTreeSet;

use pentad_sdk::Ruleset;
use pentad_sdk::testing::i18n;
use pentagame::Pentagame;

use crate::support::{parse, rules};

/// No message lacks a translation or a parameter.
#[test]
fn every_message_is_translated() {
    i18n::check::<Pentagame>();
}

/// Sole and shared wins have a sentence in every language.
#[test]
fn every_outcome_is_translated() {
    let mut seen = BTreeSet::new();
    for (variant, end, expected) in [
        ("2p", "*,*,*,D,E/A,B,C,D,E a,b,c,d,e - 1 -", "Player 1 has three figures out and wins."),
        (
            "2p",
            "*,*,*,D,E/*,*,*,D,E a,b,c,d,e - 1 -",
            "Players 1 and 2 have three figures out in the same round and share the win.",
        ),
        (
            "4p",
            "*,*,*,D,E/*,*,*,D,E/A,B,C,D,E/*,*,*,D,E a,b,c,d,e - 1 -",
            "Players 1, 2 and 4 have three figures out in the same round and share the win.",
        ),
    ] {
        let game = rules(variant);
        let end = parse(&game, end);
        seen.insert(i18n::check_outcome(&game, &end));
        assert_eq!(game.outcome(&end).unwrap().text, expected);
    }
    assert_eq!(seen.iter().collect::<Vec<_>>(), ["outcome.alone", "outcome.shared"]);
}
