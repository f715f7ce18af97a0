//! Laws of texts, bytes, move lists and symmetries that hold for every game.
//!
//! Each check takes positions that the game's tests choose and panics with the one that
//! fails. `pentad check` checks the same laws on the loaded library; here a game checks
//! them on positions that random play seldom reaches.

use std::collections::HashSet;
use std::hash::Hash;
use std::ops::ControlFlow;

use pentad_model::rng::Rng;

use super::{encoded, move_text, move_texts, moves, text};
use crate::abilities::Symmetry;
use crate::ruleset::Ruleset;

/// Longer lists of symmetric moves are compared by length only.
const IMAGES_MAX: usize = 5_000;

/// Checks that every position round-trips through text and bytes, and that different
/// positions have different ones. Returns the number of different positions.
#[track_caller]
pub fn check_texts_and_bytes<R: Ruleset<Position: Eq + Hash>>(rules: &R, positions: &[R::Position]) -> usize {
    let (mut texts, mut blocks, mut all) = (HashSet::new(), HashSet::new(), HashSet::new());
    for position in positions {
        let (text, bytes) = (text(rules, position), encoded(rules, position));
        assert!(rules.parse(&text).as_ref() == Ok(position), "{text} does not round-trip");
        assert!(rules.decode(&bytes).as_ref() == Some(position), "{text}: {bytes:?} does not round-trip");
        let is_new = all.insert(position);
        assert_eq!(
            (texts.insert(text.clone()), blocks.insert(bytes)),
            (is_new, is_new),
            "two positions are written as {text}, or one in two ways"
        );
    }
    all.len()
}

/// Checks that the legal moves are listed in ASCII order and without duplicates, as moves
/// and as texts; for each prefix, the texts that begin with it and their count match the
/// complete list. Returns the texts.
#[track_caller]
pub fn check_list<R: Ruleset>(rules: &R, position: &R::Position, prefixes: &[&str]) -> Vec<String> {
    let context = text(rules, position);
    let all = move_texts(rules, position, "");
    assert!(all.is_sorted_by(|one, next| one < next), "{context}: {all:?} is not sorted");
    for prefix in [""].iter().chain(prefixes) {
        let begin = all.partition_point(|mv| mv.as_str() < *prefix);
        let n = all[begin..].iter().take_while(|mv| mv.starts_with(prefix)).count();
        assert_eq!(
            move_texts(rules, position, prefix),
            all[begin..begin + n],
            "{context}: moves with prefix {prefix:?}"
        );
        assert_eq!(rules.count_moves(position, prefix), n as u64, "{context}: number of moves with prefix {prefix:?}");
    }
    let mut texts = all.iter();
    let mut mv_text = String::new();
    let _complete = rules.legal_moves(position, |mv| {
        mv_text.clear();
        rules.format_move(position, &mv, &mut mv_text);
        assert_eq!(Some(&mv_text), texts.next(), "{context}: moves and texts differ");
        ControlFlow::Continue(())
    });
    assert_eq!(texts.next(), None, "{context}: more texts than moves");
    all
}

/// Checks that a visitor of moves or texts that breaks at call `n_wanted + 1` is not
/// called again.
#[track_caller]
pub fn check_visitors<R: Ruleset>(rules: &R, position: &R::Position, n_wanted: usize) {
    let (mut n_moves, mut n_texts) = (0, 0);
    let count = |n: &mut usize| {
        *n += 1;
        if *n > n_wanted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let _stopped = rules.legal_moves(position, |_| count(&mut n_moves));
    let _stopped = rules.legal_move_texts(position, "", |_| count(&mut n_texts));
    let n_expected = (n_wanted + 1).min(rules.count_moves(position, "") as usize);
    assert_eq!((n_moves, n_texts), (n_expected, n_expected), "{}: moves and texts visited", text(rules, position));
}

/// Checks that every symmetry is undone by its inverse, and maps moves, seats and
/// outcomes.
#[track_caller]
pub fn check_symmetries<R: Symmetry>(rules: &R, position: &R::Position, rng: &mut Rng) {
    let legal = moves(rules, position);
    for symmetry in 0..rules.n_symmetries() {
        let mapped = rules.apply(symmetry, position);
        let context = || format!("symmetry {symmetry} of {}, {}", text(rules, position), text(rules, &mapped));
        assert!(symmetry != 0 || mapped == *position, "{}: 0 is not the identity", context());
        assert!(rules.parse(&text(rules, &mapped)).as_ref() == Ok(&mapped), "{}: does not round-trip", context());
        assert!(rules.apply(rules.inverse(symmetry), &mapped) == *position, "{}: inverse does not undo it", context());
        let seat = rules.apply_seat(symmetry, rules.to_move(position));
        assert_eq!(seat, rules.to_move(&mapped), "{}: seat to move", context());
        check_outcome(rules, symmetry, position, &mapped);
        check_moves(rules, symmetry, position, &mapped, &legal, rng);
    }
}

#[track_caller]
fn check_outcome<R: Symmetry>(rules: &R, symmetry: usize, position: &R::Position, mapped: &R::Position) {
    let context = || format!("symmetry {symmetry} of {}", text(rules, position));
    let (here, there) = (rules.outcome(position), rules.outcome(mapped));
    assert_eq!(here.is_some(), there.is_some(), "{}: whether the game is over", context());
    let (Some(here), Some(there)) = (here, there) else { return };
    let mut seats = 0..here.places.len();
    for seat in seats.clone() {
        let to = rules.apply_seat(symmetry, seat);
        assert_eq!((here.scores[seat], here.places[seat]), (there.scores[to], there.places[to]), "{}", context());
    }
    if seats.all(|seat| rules.apply_seat(symmetry, seat) == seat) {
        assert_eq!(here, there, "{}", context());
    }
}

#[track_caller]
fn check_moves<R: Symmetry>(
    rules: &R,
    symmetry: usize,
    position: &R::Position,
    mapped: &R::Position,
    legal: &[R::Move],
    rng: &mut Rng,
) {
    let context = || format!("symmetry {symmetry} of {}", text(rules, position));
    assert_eq!(rules.count_moves(mapped, ""), legal.len() as u64, "{}: number of moves", context());
    if legal.is_empty() || legal.len() > IMAGES_MAX {
        return;
    }
    let image = |mv: &R::Move| rules.apply_move(symmetry, position, mv);
    let mut images: Vec<String> = legal.iter().map(|mv| move_text(rules, mapped, &image(mv))).collect();
    images.sort_unstable();
    assert_eq!(images, move_texts(rules, mapped, ""), "{}: moves", context());
    let mv = &legal[rng.below(legal.len())];
    let played = || format!("{}: {}", context(), move_text(rules, position, mv));
    let image = image(mv);
    assert!(rules.apply_move(rules.inverse(symmetry), mapped, &image) == *mv, "{}: inverse does not undo it", played());
    let next = rules.apply(symmetry, &rules.play(position, mv));
    assert!(next == rules.play(mapped, &image), "{} does not lead to symmetric positions", played());
}

/// Checks that all symmetric positions have the same canonical one, which is one of them.
#[track_caller]
pub fn check_canonical<R: Symmetry>(rules: &R, position: &R::Position) {
    let (canonical, symmetry) = rules.canonical(position);
    assert!(
        rules.apply(symmetry, position) == canonical,
        "{}: not mapped to its canonical position",
        text(rules, position)
    );
    for symmetry in 0..rules.n_symmetries() {
        let image = rules.apply(symmetry, position);
        let context = || format!("{} and {}", text(rules, position), text(rules, &image));
        assert!(rules.canonical(&image).0 == canonical, "{}: different canonical positions", context());
    }
}
