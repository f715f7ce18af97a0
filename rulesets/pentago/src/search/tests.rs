//! Parts of the search compared with the plain rules, on positions of random games in
//! all editions.

use std::ops::ControlFlow;

use pentad_sdk::Ruleset;
use pentad_sdk::rng::Rng;
use pentad_sdk::search::primitives::{is_loss, is_win};

use crate::moves::Move;
use crate::position::Position;
use crate::search::move_set::{MoveSet, contains, distinct_turns, for_each_move, move_of};
use crate::search::search_position::{SearchPosition, Successor, move_at};
use crate::{Edition, Pentago};

/// Positions of random games in progress, without replies, at least `n` of each
/// edition.
fn sample(n: usize, seed: u64) -> impl Iterator<Item = (Pentago, Position)> {
    Edition::ALL.into_iter().map(Pentago::of).flat_map(move |rules| {
        let mut rng = Rng::new(seed);
        let mut positions = Vec::new();
        while positions.len() < n {
            let mut position = Position::START;
            rules.playout_with(
                &Position::START,
                || rng.next_u64(),
                |mv| {
                    if !position.is_reply() {
                        positions.push((rules, position));
                    }
                    position = rules.play_unchecked(&position, mv);
                },
            );
        }
        positions
    })
}

fn moves(rules: &Pentago, position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    let _complete = rules.legal_moves(position, |mv| {
        moves.push(mv);
        ControlFlow::Continue(())
    });
    moves
}

/// Returns the plies to the end if a move wins by itself, found by trying it and every
/// reply.
fn wins(rules: &Pentago, position: &Position, mv: Move) -> Option<u32> {
    let next = rules.play_unchecked(position, mv);
    if next.is_reply() {
        let saved = moves(rules, &next).into_iter().any(|reply| {
            let end = rules.play_unchecked(&next, reply);
            rules.game_result(&end).is_some_and(|result| result.winner().is_none())
        });
        return (!saved).then_some(2);
    }
    let winner = rules.game_result(&next)?.winner()?;
    (winner == position.side()).then_some(1)
}

fn fastest_win(rules: &Pentago, position: &Position) -> Option<u32> {
    moves(rules, position).into_iter().filter_map(|mv| wins(rules, position, mv)).min()
}

/// The bit-parallel value is that of [`Pentago::static_value`], and there is an
/// immediate win exactly where trying every move finds one.
#[test]
fn static_eval_agrees_with_the_rules() {
    for (rules, position) in sample(1_500, 11) {
        let search_position = SearchPosition::of(&position);
        let eval = rules.static_eval(search_position);
        assert_eq!(eval.value, rules.static_value(&position), "{} {position:?}", rules.edition().id());
        let win = rules.immediate_win(search_position);
        assert_eq!(win.map(|(_, plies)| plies), fastest_win(&rules, &position), "{position:?}");
        if let Some((mv, plies)) = win {
            assert!(eval.may_win, "{position:?}");
            assert_eq!(wins(&rules, &position, mv), Some(plies), "{position:?}");
        }
        if rules.winning_move(&search_position.after_null_move().position()).is_some() {
            assert!(eval.threatened, "{position:?}");
        }
    }
}

/// The safe moves are those that neither lose at once nor let the other side win with
/// its next move; in the Czech edition there may be more of them, since fives by
/// turning are not counted. Moves that threaten are those after which passing would
/// lose.
#[test]
fn safe_moves_and_threats_agree_with_the_rules() {
    for (rules, position) in sample(1_500, 12) {
        let search_position = SearchPosition::of(&position);
        if rules.immediate_win(search_position).is_some() {
            continue;
        }
        let scan = rules.scan_threats::<true>(search_position);
        let unthreatening = rules.scan_threats::<false>(search_position);
        assert_eq!(scan.safe, unthreatening.safe);
        let czech = rules.edition() == Edition::Czech;
        let mut all_lose = true;
        for mv in moves(&rules, &position) {
            let context = format!("{} {position:?} {mv:?}", rules.edition().id());
            let contains = |set: &MoveSet| contains(set, mv);
            let safe = contains(&scan.safe);
            match rules.successor(search_position, mv) {
                Successor::Terminal(result) => {
                    assert!(!is_win(result.value) || czech, "{context}");
                    assert_eq!(safe, !is_loss(result.value), "{context}");
                    all_lose &= is_loss(result.value);
                }
                Successor::Ongoing(next) => {
                    all_lose = false;
                    let loses_at_once = rules.winning_move(&next.position()).is_some();
                    assert!(safe || loses_at_once, "{context}");
                    assert!(!safe || !loses_at_once || czech, "{context}");
                    let next_own = next.after_null_move();
                    if !czech && rules.winning_move(&next_own.position()).is_some() {
                        assert!(contains(&scan.threats), "{context}");
                    }
                }
            }
        }
        assert_eq!(scan.every_move_gives_five, all_lose, "{} {position:?}", rules.edition().id());
    }
}

/// Listed threats are real: if the other side passed, the side to move could make five.
#[test]
fn listed_threats_are_threats() {
    for (rules, position) in sample(400, 13) {
        let search_position = SearchPosition::of(&position);
        if rules.edition() == Edition::Czech || rules.immediate_win(search_position).is_some() {
            continue;
        }
        for_each_move(&rules.scan_threats::<true>(search_position).forcing(), |turn, bit| {
            let Successor::Ongoing(next) = rules.successor(search_position, move_of(turn, bit.0)) else { return };
            let own = next.after_null_move();
            let five = rules.five_by_turning(&own.position(), crate::board::lines::LineCounts::of(own.own), true);
            let five = five.is_some() || rules.winning_move(&own.position()).is_some();
            assert!(five, "{} {position:?} {turn} {bit:?}", rules.edition().id());
        });
    }
}

/// Playing without colours agrees with the rules.
#[test]
fn successors_agree_with_the_rules() {
    for (rules, position) in sample(300, 14) {
        for mv in moves(&rules, &position) {
            let next = rules.play_unchecked(&position, mv);
            match rules.successor(SearchPosition::of(&position), mv) {
                Successor::Ongoing(search_position) => assert_eq!(search_position, SearchPosition::of(&next)),
                Successor::Terminal(result) => {
                    let over = next.is_reply() || rules.game_result(&next).is_some();
                    assert!(over, "{position:?} {mv:?}");
                    assert_eq!(is_win(result.value), wins(&rules, &position, mv).is_some(), "{position:?} {mv:?}");
                }
            }
            assert_eq!(move_at(mv.index() as u16), Some(mv));
        }
    }
}

/// The distinct turns reach every position that the legal moves reach.
#[test]
fn distinct_turns_reach_every_position() {
    for (rules, position) in sample(300, 15) {
        let search_position = SearchPosition::of(&position);
        if rules.immediate_win(search_position).is_some() {
            continue;
        }
        let set = distinct_turns(&rules, search_position);
        let mut reached = std::collections::HashSet::new();
        let mut all = std::collections::HashSet::new();
        for mv in moves(&rules, &position) {
            let next = rules.play_unchecked(&position, mv);
            all.insert(next);
            if contains(&set, mv) {
                reached.insert(next);
            }
        }
        assert_eq!(reached.len(), all.len(), "{} {position:?}", rules.edition().id());
    }
}
