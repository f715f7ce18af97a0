//! The stages of the search against the plain rules, on positions of random
//! games in all editions.

use std::ops::ControlFlow;

use pentad_sdk::search::primitives::{is_loss, is_win};
use pentad_sdk::search::rng::Rng;

use crate::alphabeta::masks::{Masks, contains, distinct, each_move, move_of};
use crate::alphabeta::state::{After, State, move_at};
use crate::moves::Move;
use crate::position::Position;
use crate::{Edition, Pentago};

/// Positions of random games that go on, no replies, `n` of each edition.
fn sample(n: usize, seed: u64) -> impl Iterator<Item = (Pentago, Position)> {
    Edition::ALL.into_iter().map(Pentago::of).flat_map(move |rules| {
        let mut rng = Rng::new(seed);
        let mut found = Vec::new();
        while found.len() < n {
            let mut position = Position::START;
            rules.playout_with(
                &Position::START,
                || rng.next_u64(),
                |mv| {
                    if !position.is_reply() {
                        found.push((rules, position));
                    }
                    position = rules.play_unchecked(&position, mv);
                },
            );
        }
        found
    })
}

fn moves(rules: &Pentago, position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    let _complete = rules.each_move(position, |mv| {
        moves.push(mv);
        ControlFlow::Continue(())
    });
    moves
}

/// Whether a move wins by itself, reply or not; by trying it.
fn wins(rules: &Pentago, position: &Position, mv: Move) -> Option<u32> {
    let next = rules.play_unchecked(position, mv);
    if next.is_reply() {
        let saved = moves(rules, &next).into_iter().any(|reply| {
            let end = rules.play_unchecked(&next, reply);
            rules.verdict(&end).is_some_and(|verdict| verdict.winner().is_none())
        });
        return (!saved).then_some(2);
    }
    let winner = rules.verdict(&next)?.winner()?;
    (winner == position.side()).then_some(1)
}

fn quickest(rules: &Pentago, position: &Position) -> Option<u32> {
    moves(rules, position).into_iter().filter_map(|mv| wins(rules, position, mv)).min()
}

/// The fast value is the value, and a win is at hand exactly where trying
/// every move finds one.
#[test]
fn glances_are_true() {
    for (rules, position) in sample(1_500, 11) {
        let state = State::of(&position);
        let glance = rules.glance(state);
        assert_eq!(glance.value, rules.static_value(&position), "{} {position:?}", rules.edition().id());
        let found = rules.quick_win(state);
        assert_eq!(found.map(|(_, plies)| plies), quickest(&rules, &position), "{position:?}");
        if let Some((mv, plies)) = found {
            assert!(glance.may_win, "{position:?}");
            assert_eq!(wins(&rules, &position, mv), Some(plies), "{position:?}");
        }
        if rules.win_in_one(&state.passed().position()).is_some() {
            assert!(glance.threatened, "{position:?}");
        }
    }
}

/// The safe moves are those that neither lose at once nor let the other side
/// win with its next move; in the Czech edition there may be more of them, for
/// a five by turning is not counted. Moves that threaten are those after which
/// passing would lose.
#[test]
fn scans_are_true() {
    for (rules, position) in sample(1_500, 12) {
        let state = State::of(&position);
        if rules.quick_win(state).is_some() {
            continue;
        }
        let scan = rules.scan::<true>(state);
        let unthreatening = rules.scan::<false>(state);
        assert_eq!(scan.safe, unthreatening.safe);
        let czech = rules.edition() == Edition::Czech;
        let mut all_fatal = true;
        for mv in moves(&rules, &position) {
            let context = format!("{} {position:?} {mv:?}", rules.edition().id());
            let contains = |masks: &Masks| contains(masks, mv);
            let safe = contains(&scan.safe);
            match rules.after(state, mv) {
                After::Over(found) => {
                    assert!(!is_win(found.value) || czech, "{context}");
                    assert_eq!(safe, !is_loss(found.value), "{context}");
                    all_fatal &= is_loss(found.value);
                }
                After::Goes(next) => {
                    all_fatal = false;
                    let at_once = rules.win_in_one(&next.position()).is_some();
                    assert!(safe || at_once, "{context}");
                    assert!(!safe || !at_once || czech, "{context}");
                    let next_own = next.passed();
                    if !czech && rules.win_in_one(&next_own.position()).is_some() {
                        assert!(contains(&scan.threats), "{context}");
                    }
                }
            }
        }
        assert_eq!(scan.hopeless, all_fatal, "{} {position:?}", rules.edition().id());
    }
}

/// A threat listed is one: passing would let the side to move make five.
#[test]
fn threats_are_true() {
    for (rules, position) in sample(400, 13) {
        let state = State::of(&position);
        if rules.edition() == Edition::Czech || rules.quick_win(state).is_some() {
            continue;
        }
        each_move(&rules.scan::<true>(state).forcing(), |turn, bit| {
            let After::Goes(next) = rules.after(state, move_of(turn, bit.0)) else { return };
            let own = next.passed();
            let five = rules.five_by_turning(&own.position(), crate::lines::Filled::of(own.own), true);
            let five = five.is_some() || rules.win_in_one(&own.position()).is_some();
            assert!(five, "{} {position:?} {turn} {bit:?}", rules.edition().id());
        });
    }
}

/// Playing without colours is playing.
#[test]
fn states_follow_the_rules() {
    for (rules, position) in sample(300, 14) {
        for mv in moves(&rules, &position) {
            let next = rules.play_unchecked(&position, mv);
            match rules.after(State::of(&position), mv) {
                After::Goes(state) => assert_eq!(state, State::of(&next)),
                After::Over(found) => {
                    let over = next.is_reply() || rules.verdict(&next).is_some();
                    assert!(over, "{position:?} {mv:?}");
                    assert_eq!(is_win(found.value), wins(&rules, &position, mv).is_some(), "{position:?} {mv:?}");
                }
            }
            assert_eq!(move_at(mv.index() as u16), Some(mv));
        }
    }
}

/// The distinct turns reach every state that the legal moves reach.
#[test]
fn distinct_turns_reach_everything() {
    for (rules, position) in sample(300, 15) {
        let state = State::of(&position);
        if rules.quick_win(state).is_some() {
            continue;
        }
        let masks = distinct(&rules, state);
        let mut reached = std::collections::HashSet::new();
        let mut all = std::collections::HashSet::new();
        for mv in moves(&rules, &position) {
            let next = rules.play_unchecked(&position, mv);
            all.insert(next);
            if contains(&masks, mv) {
                reached.insert(next);
            }
        }
        assert_eq!(reached.len(), all.len(), "{} {position:?}", rules.edition().id());
    }
}
