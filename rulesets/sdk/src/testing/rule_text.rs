//! Checks of single sentences of the rules: the effect of a move, and refusals.

use super::{moves, parse, play, text};
use crate::ruleset::{RefusalKind, Ruleset};

/// Defines a test for each variant, so that they run in parallel: each calls `check`
/// with the variant's id.
///
/// ```text
/// variant_tests!(compare_games: standard_games_agree = "standard", czech_games_agree = "czech");
/// ```
#[macro_export]
macro_rules! variant_tests {
    ($check:path: $($name:ident = $variant:literal),+ $(,)?) => {
        $(
            #[test]
            fn $name() {
                $check($variant);
            }
        )+
    };
}

/// Checks that a position round-trips through its text and that a move leads from it to
/// `after`. Returns the position after the move; `rule` is the sentence of the rules that
/// is checked.
#[track_caller]
pub fn check_play<R: Ruleset>(rules: &R, rule: &str, position: &str, mv: &str, after: &str) -> R::Position {
    let parsed = rules.parse(position).unwrap_or_else(|refusal| panic!("{rule}: {refusal}"));
    assert_eq!(text(rules, &parsed), position, "{rule}");
    let next = play(rules, &parsed, mv);
    assert_eq!(text(rules, &next), after, "{rule}");
    assert_eq!(moves(rules, &next).is_empty(), rules.outcome(&next).is_some(), "{rule}");
    next
}

/// Checks that a move is refused, as malformed at a column or as illegal, with a message
/// that contains `words`.
#[track_caller]
pub fn check_refused_move<R: Ruleset>(rules: &R, position: &str, mv: &str, column: Option<usize>, words: &str) {
    let refusal = rules.parse_move(&parse(rules, position), mv).err();
    let refusal = refusal.unwrap_or_else(|| panic!("{mv} in {position} is accepted"));
    let kind = if column.is_some() { RefusalKind::Malformed } else { RefusalKind::Illegal };
    assert_eq!((refusal.kind, refusal.column), (kind, column), "{mv} in {position}: {refusal}");
    assert!(refusal.message.contains(words), "{mv} in {position}: {refusal}");
}

/// Checks that a move in a finished game is refused as such.
#[track_caller]
pub fn check_refused_after_end<R: Ruleset>(rules: &R, position: &str, mv: &str) {
    let refusal = rules.parse_move(&parse(rules, position), mv).err();
    assert_eq!(refusal.map(|refusal| refusal.kind), Some(RefusalKind::GameOver), "{mv} in {position}");
}

/// Checks that the text of a position is refused as malformed, in that field and column,
/// with a message that contains `words`.
#[track_caller]
pub fn check_refused_position<R: Ruleset>(rules: &R, text: &str, field: &str, column: Option<usize>, words: &str) {
    let refusal = rules.parse(text).err().unwrap_or_else(|| panic!("{text:?} is accepted"));
    assert_eq!(refusal.kind, RefusalKind::Malformed, "{text:?}: {refusal}");
    assert_eq!((refusal.field, refusal.column), (field, column), "{text:?}: {refusal}");
    assert!(!refusal.message.is_empty() && refusal.message.contains(words), "{text:?}: {refusal}");
}

/// Checks that `count` moves are listed and counted.
#[track_caller]
pub fn check_count<R: Ruleset>(rules: &R, position: &str, count: u64) {
    let parsed = parse(rules, position);
    assert_eq!(moves(rules, &parsed).len() as u64, count, "{position}: listed");
    assert_eq!(rules.count_moves(&parsed, ""), count, "{position}: counted");
}
