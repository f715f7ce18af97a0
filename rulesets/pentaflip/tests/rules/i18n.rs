//! All texts of Pentaflip exist in every language.

use std::collections::BTreeSet;

use pentad_sdk::rng::Rng;
use pentad_sdk::testing::i18n;
use pentaflip::Pentaflip;

use crate::support::{parse, walk};

/// No message lacks a language or a parameter.
#[test]
fn every_message_is_translated() {
    i18n::check::<Pentaflip>();
}

/// Outcomes of random games, and rare ones, have a text in every language.
#[test]
fn every_outcome_is_translated() {
    let mut seen = BTreeSet::new();
    let mut rng = Rng::new(3);
    let mut ends: Vec<_> = (0..200).map(|_| walk(&mut rng).pop().unwrap()).collect();
    ends.retain(|end| Pentaflip.game_result(end).is_some());
    ends.push(parse("wwwww1/bbbbb1/2WB2/2BW2/6/6 6/6/6/6/6/6 w -"));
    for end in &ends {
        seen.insert(i18n::check_outcome(&Pentaflip, end));
    }
    assert!(seen.contains("outcome.five") && seen.contains("outcome.both_five"), "{seen:?}");
}
