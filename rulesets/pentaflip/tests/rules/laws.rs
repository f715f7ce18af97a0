use std::collections::HashSet;

use pentad_sdk::rng::Rng;
use pentad_sdk::search::Game;
use pentad_sdk::testing::laws::{check_canonical, check_list, check_symmetries, check_texts_and_bytes, check_visitors};
use pentad_sdk::{Certainty, Ruleset, Search, Source, Symmetry};
use pentaflip::{Cell, Flip, Pentaflip, Position};

use crate::support::{moves, parse, text, walk};

fn positions(seed: u64, n_games: usize) -> Vec<Position> {
    let mut rng = Rng::new(seed);
    (0..n_games).flat_map(|_| walk(&mut rng)).collect()
}

/// Text and bytes round-trip, and text, bytes and key distinguish positions.
#[test]
fn texts_and_bytes_round_trip() {
    let positions = positions(1, 500);
    let n_different = check_texts_and_bytes(&Pentaflip, &positions);
    assert!(n_different > 10_000);
    assert_eq!(positions.iter().map(Position::key).collect::<HashSet<_>>().len(), n_different);
}

/// Moves are listed in ASCII order, exactly those that are accepted; a prefix selects
/// those that begin with it; a visitor can stop the listing.
#[test]
fn moves_are_listed_when_accepted() {
    let mut rng = Rng::new(2);
    let mut all_moves: Vec<String> = Cell::all().map(|cell| cell.to_string()).collect();
    all_moves.extend(Flip::all().map(|flip| format!("~{}", flip.letter())));
    all_moves.sort();
    for position in positions(2, 60) {
        let listed = check_list(&Pentaflip, &position, &["a", "c2", "~", "~L", "~4", "x", "é", "c22"]);
        let accepted = all_moves.iter().map(String::as_str).filter(|mv| Pentaflip.parse_move(&position, mv).is_ok());
        assert_eq!(listed, accepted.collect::<Vec<_>>());
        check_visitors(&Pentaflip, &position, rng.below(listed.len().max(1)));
    }
}

/// Every flip is its own inverse.
#[test]
fn flips_are_involutions() {
    for position in positions(3, 100) {
        for flip in Flip::all() {
            for rings in [position.rings(position.side()), position.rings(position.side().other())] {
                assert_eq!(rings.flipped(flip).flipped(flip), rings);
                assert_eq!(rings.flipped(flip).count(), rings.count());
            }
            let spots = position.spots(position.side());
            assert_eq!(spots.flipped(flip).flipped(flip), spots);
        }
    }
}

/// A symmetry and its inverse cancel out; moves, seats and outcomes follow.
#[test]
fn symmetries_keep_the_game() {
    assert_eq!(Pentaflip.n_symmetries(), 16);
    let mut rng = Rng::new(6);
    positions(6, 40).iter().for_each(|position| check_symmetries(&Pentaflip, position, &mut rng));
}

/// All symmetric positions have the same canonical one, which is one of them.
#[test]
fn canonical_is_the_same_for_all() {
    positions(7, 60).iter().for_each(|position| check_canonical(&Pentaflip, position));
}

/// Symmetric positions have the same value for the side to move, within the
/// bounds of estimates; a finished game has its outcome.
#[test]
fn evaluation_keeps_its_laws() {
    for position in positions(8, 200) {
        let evaluation = Search::evaluate(&Pentaflip, &position);
        if let Some(outcome) = Ruleset::outcome(&Pentaflip, &position) {
            assert_eq!((evaluation.source, evaluation.certainty), (Source::Terminal, Certainty::Proven));
            assert_eq!(evaluation.scores, outcome.scores);
            continue;
        }
        let value = Pentaflip.static_eval(&position);
        assert!(value.abs() <= 10_000);
        let seat = Ruleset::to_move(&Pentaflip, &position);
        assert_eq!(evaluation.scores[0] + evaluation.scores[1], 1.0);
        if evaluation.certainty == Certainty::Proven {
            assert_eq!(evaluation.scores[seat], 1.0);
            assert!(Pentaflip.winning_move(&position).is_some());
        } else {
            assert_eq!(evaluation.scores[seat] > 0.5, value > 0, "{value}");
        }
        for symmetry in 0..Pentaflip.n_symmetries() {
            let mapped = Pentaflip.apply(symmetry, &position);
            assert_eq!(Pentaflip.static_eval(&mapped), value, "{symmetry} {}", text(&position));
        }
    }
}

/// `winning_move` returns a move exactly when some legal move wins.
#[test]
fn winning_move_misses_nothing() {
    let (mut by_rings, mut by_flips) = (0, 0);
    for position in positions(9, 1_500) {
        if Pentaflip.game_result(&position).is_some() {
            continue;
        }
        let wins = |mv| {
            let result = Pentaflip.game_result(&Pentaflip.play_unchecked(&position, mv));
            result.and_then(|result| result.winner()) == Some(position.side())
        };
        let winning = Pentaflip.winning_move(&position);
        let legal = moves(&position);
        assert_eq!(winning.is_some(), legal.iter().any(|&mv| wins(mv)), "{}", text(&position));
        if let Some(mv) = winning {
            assert!(legal.contains(&mv) && wins(mv), "{} {mv:?}", text(&position));
            *(if mv.as_placement().is_some() { &mut by_rings } else { &mut by_flips }) += 1;
        }
    }
    assert!(by_rings > 100 && by_flips > 100, "{by_rings} {by_flips}");
}

/// One ring more is better and one less is worse; the game may cycle.
#[test]
fn evaluation_counts_rings() {
    let value = |text| Pentaflip.static_eval(&parse(text));
    let even = "6/2w3/2WB2/2BW2/2b3/6 6/6/6/6/6/6 w -";
    assert!(value("6/2w3/2WB2/2BW2/2b3/3w2 6/6/6/6/6/6 w -") > value(even), "a ring more");
    assert!(value("6/2w3/2WB2/2BW2/2b3/3b2 6/6/6/6/6/6 w -") < value(even), "a ring less");
    assert!(Game::can_cycle(&Pentaflip));
}
