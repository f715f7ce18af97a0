//! Compares a game with its reference implementation.
//!
//! A reference implementation is a second, slow and simple implementation of the rules
//! in a game's tests, written from the rules page alone and sharing nothing with the fast
//! code. Both are compared by text, so it is free in how it represents positions.

use std::ops::ControlFlow;

use pentad_model::rng::Rng;

use super::{moves, text};
use crate::ruleset::Ruleset;

/// The reference implementation's description of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// Origin of the position, for messages: the variant and the seed.
    pub origin: String,
    /// The position's text.
    pub text: String,
    /// The seat whose turn it is, or in a finished game would be.
    pub to_move: usize,
    /// Scores and places by seat, if the game is over.
    pub outcome: Option<(Vec<f64>, Vec<u32>)>,
}

/// Checks that a position has the expected text, seat to move and outcome, and that the
/// text round-trips.
#[track_caller]
pub fn check_position<R: Ruleset>(rules: &R, position: &R::Position, expected: &Expected) {
    let context = || format!("{} {}", expected.origin, expected.text);
    assert_eq!(text(rules, position), expected.text, "{}", expected.origin);
    assert!(rules.parse(&expected.text).as_ref() == Ok(position), "{}: does not round-trip", context());
    assert_eq!(rules.to_move(position), expected.to_move, "{}: seat to move", context());
    let outcome = rules.outcome(position);
    assert_eq!(outcome.is_some(), expected.outcome.is_some(), "{}: whether the game is over", context());
    if let (Some(outcome), Some((scores, places))) = (outcome, &expected.outcome) {
        assert_eq!(outcome.places, *places, "{}", context());
        let ours = outcome.scores.as_slice();
        let is_same = ours.len() == scores.len() && ours.iter().zip(scores).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(is_same, "{}: {ours:?}, not {scores:?}", context());
    }
}

/// Checks that the legal moves are those that the reference lists, in its order, and up
/// to `n_played` of them lead to the position that its `play` returns. Returns the moves.
#[track_caller]
pub fn check_moves<R: Ruleset>(
    rules: &R,
    position: &R::Position,
    expected: &Expected,
    listed: &[String],
    n_played: usize,
    play: impl Fn(&str) -> String,
) -> Vec<R::Move> {
    let context = || format!("{} {}", expected.origin, expected.text);
    let mut n_texts = 0;
    let _complete = rules.legal_move_texts(position, "", |text| {
        assert_eq!(Some(text), listed.get(n_texts).map(String::as_str), "{}: texts of moves", context());
        n_texts += 1;
        ControlFlow::Continue(())
    });
    let legal = moves(rules, position);
    let mut mv_text = String::new();
    for (mv, listed) in legal.iter().zip(listed) {
        mv_text.clear();
        rules.format_move(position, mv, &mut mv_text);
        assert_eq!(mv_text, *listed, "{}: moves", context());
    }
    let counts = [n_texts, legal.len(), rules.count_moves(position, "") as usize];
    assert_eq!(counts, [listed.len(); 3], "{}: number of texts, of moves, count_moves", context());
    assert_eq!(
        legal.is_empty(),
        expected.outcome.is_some(),
        "{}: legal moves in a finished game, or none before",
        context()
    );
    let step = legal.len().div_ceil(n_played.max(1)).max(1);
    for (mv, listed) in legal.iter().zip(listed).step_by(step).take(n_played) {
        assert_eq!(text(rules, &rules.play(position, mv)), play(listed), "{}: {listed}", context());
    }
    legal
}

/// Checks that the reference accepts exactly those broken texts that the rules accept,
/// and formats them alike. Calls `compare` with each accepted pair and its number;
/// returns the number of pairs, which must be at least one in a hundred.
#[track_caller]
pub fn check_acceptance<R: Ruleset, T>(
    rules: &R,
    texts: impl Iterator<Item = String>,
    read: impl Fn(&str) -> Option<T>,
    write: impl Fn(&T) -> String,
    mut compare: impl FnMut(usize, &R::Position, &T),
) -> usize {
    let (mut n_texts, mut n_accepted) = (0, 0);
    for broken in texts {
        n_texts += 1;
        match (rules.parse(&broken), read(&broken)) {
            (Ok(position), Some(reference)) => {
                assert_eq!(text(rules, &position), write(&reference), "{broken:?}: is read differently");
                n_accepted += 1;
                compare(n_accepted, &position, &reference);
            }
            (Err(_), None) => {}
            (Ok(_), None) => panic!("{broken:?}: only the rules accept it"),
            (Err(refusal), Some(_)) => panic!("{broken:?}: only the reference accepts it: {refusal}"),
        }
    }
    assert!(n_accepted > n_texts / 100, "only {n_accepted} of {n_texts} broken texts were accepted");
    n_accepted
}

/// Returns `n` broken texts, each a mutation of the text of one of `positions`.
pub fn broken<R: Ruleset>(
    rules: &R,
    positions: &[R::Position],
    n: usize,
    mut rng: Rng,
    mutate: impl Fn(&str, &mut Rng) -> String,
) -> impl Iterator<Item = String> {
    let seeds: Vec<String> = positions.iter().map(|position| text(rules, position)).collect();
    (0..n).map(move |_| mutate(&seeds[rng.below(seeds.len())], &mut rng))
}

/// Returns the text with one to three small changes. Three in eight remove, insert or
/// swap characters. `change` makes those numbered from 3 to 6, at an index that may be
/// one past the last; if it returns false, a character is replaced by one of `letters`
/// instead, as in all other changes.
pub fn mutated(
    text: &str,
    letters: &[u8],
    rng: &mut Rng,
    mut change: impl FnMut(usize, &mut Vec<u8>, usize, &mut Rng) -> bool,
) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + rng.below(3) {
        let letter = letters[rng.below(letters.len())];
        let at = rng.below(bytes.len().max(1)).min(bytes.len());
        match rng.below(8) {
            0 if at < bytes.len() => drop(bytes.remove(at)),
            1 => bytes.insert(at, letter),
            2 if at + 1 < bytes.len() => bytes.swap(at, at + 1),
            kind @ 3..=6 if change(kind, &mut bytes, at, rng) => {}
            _ if at < bytes.len() => bytes[at] = letter,
            _ => {}
        }
    }
    String::from_utf8(bytes).expect("only ASCII was written")
}

/// Splits a run of empty cells in two, if there is a digit above 1 at `at`.
pub fn split_run(bytes: &mut Vec<u8>, at: usize) {
    if let Some(&digit @ b'2'..=b'9') = bytes.get(at) {
        bytes[at] = b'1';
        bytes.insert(at + 1, digit - 1);
    }
}
