use std::collections::HashSet;
use std::ops::ControlFlow;

use pentad_sdk::search::Game;
use pentad_sdk::search::rng::Rng;
use pentad_sdk::{Certainty, Ruleset, Search, Source, Symmetry};
use pentaflip::{Cell, Flip, Pentaflip, Position};

use crate::support::{moves, parse, text, walk};

fn positions(seed: u64, n_games: usize) -> Vec<Position> {
    let mut rng = Rng::new(seed);
    (0..n_games).flat_map(|_| walk(&mut rng)).collect()
}

fn encoded(position: &Position) -> Vec<u8> {
    let mut bytes = vec![0; Pentaflip.position_size()];
    Pentaflip.encode(position, &mut bytes);
    bytes
}

/// Text and bytes give the position back, and text, bytes and key tell
/// different ones apart.
#[test]
fn texts_and_bytes_return() {
    let (mut texts, mut codes, mut keys, mut all) = (HashSet::new(), HashSet::new(), HashSet::new(), HashSet::new());
    for position in positions(1, 500) {
        assert_eq!(Pentaflip.parse(&text(&position)), Ok(position));
        assert_eq!(Pentaflip.decode(&encoded(&position)), Some(position));
        texts.insert(text(&position));
        codes.insert(encoded(&position));
        keys.insert(position.key());
        all.insert(position);
    }
    assert!(all.len() > 10_000);
    assert_eq!((texts.len(), codes.len(), keys.len()), (all.len(), all.len(), all.len()));
}

/// Moves are listed in ASCII order, exactly those that are accepted, and a
/// prefix gives those that begin with it.
#[test]
fn moves_are_listed_when_accepted() {
    let mut rng = Rng::new(2);
    let mut every: Vec<String> = Cell::all().map(|cell| cell.to_string()).collect();
    every.extend(Flip::all().map(|flip| format!("~{}", flip.letter())));
    every.sort();
    for position in positions(2, 60) {
        let listed: Vec<&str> = moves(&position).iter().map(|mv| mv.text()).collect();
        let accepted: Vec<&String> = every.iter().filter(|mv| Pentaflip.parse_move(&position, mv).is_ok()).collect();
        assert_eq!(listed, accepted);
        for prefix in ["", "a", "c2", "~", "~L", "~4", "x", "é", "c22"] {
            let mut texts = Vec::new();
            let _complete = Pentaflip.legal_move_texts(&position, prefix, &mut |text| {
                texts.push(text.to_owned());
                ControlFlow::Continue(())
            });
            let fitting: Vec<&str> = listed.iter().copied().filter(|text| text.starts_with(prefix)).collect();
            assert_eq!(texts, fitting, "{prefix}");
            assert_eq!(Pentaflip.count_moves(&position, prefix), fitting.len() as u64, "{prefix}");
        }
        // Visiting ends when it is told to.
        let n_wanted = rng.below(listed.len().max(1));
        let mut n_seen = 0;
        let _stopped = Pentaflip.legal_moves(&position, &mut |_| {
            n_seen += 1;
            if n_seen > n_wanted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(n_seen, (n_wanted + 1).min(listed.len()));
    }
}

/// Every flip undoes itself.
#[test]
fn flips_undo_themselves() {
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
    for position in positions(6, 40) {
        for symmetry in 0..Pentaflip.n_symmetries() {
            let mapped = Pentaflip.apply(symmetry, &position);
            assert!(symmetry != 0 || mapped == position);
            assert_eq!(Pentaflip.parse(&text(&mapped)), Ok(mapped));
            assert_eq!(Pentaflip.apply(Pentaflip.inverse(symmetry), &mapped), position);
            let seat = Pentaflip.apply_seat(symmetry, Ruleset::to_move(&Pentaflip, &position));
            assert_eq!(seat, Ruleset::to_move(&Pentaflip, &mapped));
            let (here, there) = (Ruleset::outcome(&Pentaflip, &position), Ruleset::outcome(&Pentaflip, &mapped));
            assert_eq!(here.is_some(), there.is_some());
            if let (Some(here), Some(there)) = (here, there) {
                for seat in 0..2 {
                    let to = Pentaflip.apply_seat(symmetry, seat);
                    assert_eq!((here.scores[seat], here.places[seat]), (there.scores[to], there.places[to]));
                }
                continue;
            }
            check_moves(symmetry, &position, &mapped, &mut rng);
        }
    }
}

fn check_moves(symmetry: usize, position: &Position, mapped: &Position, rng: &mut Rng) {
    let legal = moves(position);
    let mut images: Vec<&str> = legal.iter().map(|mv| Pentaflip.apply_move(symmetry, position, mv).text()).collect();
    images.sort_unstable();
    assert_eq!(images, moves(mapped).iter().map(|mv| mv.text()).collect::<Vec<_>>());
    let mv = legal[rng.below(legal.len())];
    let image = Pentaflip.apply_move(symmetry, position, &mv);
    assert_eq!(Pentaflip.apply_move(Pentaflip.inverse(symmetry), mapped, &image), mv);
    let next = Ruleset::play(&Pentaflip, position, &mv);
    let context = format!("{symmetry} {} {mv:?}", text(position));
    assert_eq!(Pentaflip.apply(symmetry, &next), Ruleset::play(&Pentaflip, mapped, &image), "{context}");
}

/// All symmetric positions have the same canonical one, which is one of them.
#[test]
fn canonical_is_the_same_for_all() {
    for position in positions(7, 60) {
        let (canonical, symmetry) = Pentaflip.canonical(&position);
        assert_eq!(Pentaflip.apply(symmetry, &position), canonical);
        for symmetry in 0..Pentaflip.n_symmetries() {
            assert_eq!(Pentaflip.canonical(&Pentaflip.apply(symmetry, &position)).0, canonical);
        }
    }
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
        let value = Pentaflip.static_value(&position);
        assert!(value.abs() <= 10_000);
        let seat = Ruleset::to_move(&Pentaflip, &position);
        assert_eq!(evaluation.scores[0] + evaluation.scores[1], 1.0);
        if evaluation.certainty == Certainty::Proven {
            assert_eq!(evaluation.scores[seat], 1.0);
            assert!(Pentaflip.win_in_one(&position).is_some());
        } else {
            assert_eq!(evaluation.scores[seat] > 0.5, value > 0, "{value}");
        }
        for symmetry in 0..Pentaflip.n_symmetries() {
            let mapped = Pentaflip.apply(symmetry, &position);
            assert_eq!(Pentaflip.static_value(&mapped), value, "{symmetry} {}", text(&position));
        }
    }
}

/// `win_in_one` finds a win exactly where one of the legal moves is one.
#[test]
fn win_in_one_misses_nothing() {
    let (mut by_rings, mut by_flips) = (0, 0);
    for position in positions(9, 1_500) {
        if Pentaflip.verdict(&position).is_some() {
            continue;
        }
        let wins = |mv| {
            let verdict = Pentaflip.verdict(&Pentaflip.play_unchecked(&position, mv));
            verdict.and_then(|verdict| verdict.winner()) == Some(position.side())
        };
        let found = Pentaflip.win_in_one(&position);
        let legal = moves(&position);
        assert_eq!(found.is_some(), legal.iter().any(|&mv| wins(mv)), "{}", text(&position));
        if let Some(mv) = found {
            assert!(legal.contains(&mv) && wins(mv), "{} {mv:?}", text(&position));
            *(if mv.cell().is_some() { &mut by_rings } else { &mut by_flips }) += 1;
        }
    }
    assert!(by_rings > 100 && by_flips > 100, "{by_rings} {by_flips}");
}

/// The evaluation prefers more to less, and knows that play may cycle.
#[test]
fn evaluation_knows_better_from_worse() {
    let value = |text| Pentaflip.static_value(&parse(text));
    let even = "6/2w3/2WB2/2BW2/2b3/6 6/6/6/6/6/6 w -";
    assert!(value("6/2w3/2WB2/2BW2/2b3/3w2 6/6/6/6/6/6 w -") > value(even), "a ring more");
    assert!(value("6/2w3/2WB2/2BW2/2b3/3b2 6/6/6/6/6/6 w -") < value(even), "a ring less");
    assert!(Game::can_cycle(&Pentaflip));
}
