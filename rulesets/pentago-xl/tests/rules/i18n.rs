//! Every message of Pentago XL exists in every language.

use std::collections::BTreeSet;

use pentad_sdk::Ruleset;
use pentad_sdk::rng::Rng;
use pentad_sdk::testing::{i18n, play, walk};
use pentago_xl::PentagoXl;

use crate::support::{all_rules, parse, rules};

/// No message lacks a translation or a parameter.
#[test]
fn every_message_is_translated() {
    i18n::check::<PentagoXl>();
}

/// Random games, and endings that they seldom reach, have a sentence in every language.
#[test]
fn every_outcome_is_translated() {
    let mut seen = BTreeSet::new();
    let mut rng = Rng::new(3);
    for game in all_rules() {
        for _ in 0..40 {
            let end = walk(&game, game.start(), &mut rng).pop().unwrap();
            seen.insert(i18n::check_outcome(&game, &end));
        }
    }
    for id in ["outcome.five", "outcome.team", "outcome.places_3", "outcome.places_4"] {
        assert!(seen.contains(id), "{seen:?}");
    }
}

/// Sentences of rankings and teams, word for word.
#[test]
fn outcomes_are_sentences() {
    for (variant, from, mv, expected) in [
        (
            "ffa2",
            "ry1rr4/ry1yy4/1y7/9/9/9/9/9/8r r -",
            "a3-1r",
            "Red and Yellow have five in a row by the same turn and share the win.",
        ),
        (
            "teams",
            "g2gg4/g8/g8/r1r1r1r1r/9/9/y1y1y1y1y/9/b1b1b1b1b r -",
            "i8-1r",
            "Green has five in a row: Red and Green win.",
        ),
        (
            "teams",
            "yg1yy4/yg1gg4/yg7/r1r1r1r1r/9/9/9/9/b1b1b1b1b r -",
            "i8-1r",
            "Both teams have five in a row by the same turn: a draw.",
        ),
        ("places3", "rrrr5/9/9/yyyyy4/9/9/g1g1g1g2/9/9 r y1", "e1", "Yellow is first, Red is second, Green is third."),
    ] {
        let game = rules(variant);
        let end = play(&game, &parse(&game, from), mv);
        i18n::check_outcome(&game, &end);
        assert_eq!(game.outcome(&end).unwrap().text, expected);
    }
}
