//! Compares threats with a reference implementation, and stopping moves with threats.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Debug;
use std::ops::ControlFlow;

use pentad_model::rng::Rng;

use super::reasons::ReferencePosition;
use super::{move_text, moves, text};
use crate::threats::{Threat, ThreatKey, Threats};

/// The reference implementation's view of threats.
#[derive(Clone, Copy, Debug)]
pub struct ThreatReference<W, D> {
    /// Whether a seat has won, or its win is settled, in a position after its move.
    pub is_won: W,
    /// Describes every threat that a winning move of a position carries out.
    pub described: D,
}

/// Checks that the wins in one of every seat are those of the reference: the same
/// descriptions, and each threat's move among the winning ones. `describe` describes a
/// threat whose move has that text. Returns the number of threats.
#[track_caller]
pub fn check_threats<R: Threats, P: ReferencePosition, T: Ord + Debug>(
    rules: &R,
    n_seats: usize,
    position: &R::Position,
    reference: &P,
    expected: &ThreatReference<impl Fn(&P, usize) -> bool, impl Fn(&P, &str) -> Vec<T>>,
    describe: impl Fn(&Threat<R::Move>, &str) -> T,
) -> usize {
    let mut n_threats = 0;
    for seat in 0..n_seats {
        let situation = || format!("{}, seat {seat}", text(rules, position));
        let Some(turn) = rules.turn_of(position, seat) else { continue };
        assert_eq!(rules.to_move(&turn), seat, "{}", situation());
        let of_other;
        let before = if seat == reference.to_move() {
            assert!(turn == *position, "{}: it is its turn", situation());
            reference
        } else {
            of_other = reference.with_turn_of(seat);
            &of_other
        };
        let is_winning = |mv: &String| (expected.is_won)(&before.after(mv), seat);
        let winning: Vec<String> = before.legal_moves().into_iter().filter(is_winning).collect();
        let wanted: BTreeSet<T> = winning.iter().flat_map(|mv| (expected.described)(before, mv)).collect();
        let threats = rules.threats(&turn);
        let texts: Vec<String> = threats.iter().map(|threat| move_text(rules, &turn, &threat.mv)).collect();
        let found: BTreeSet<T> = threats.iter().zip(&texts).map(|(threat, mv)| describe(threat, mv)).collect();
        assert_eq!(found, wanted, "{}", situation());
        assert!(texts.iter().all(|mv| winning.contains(mv)), "{}: {texts:?} of {winning:?}", situation());
        let keys: BTreeSet<u64> = threats.iter().map(|threat| threat.key).collect();
        assert_eq!(keys.len(), threats.len(), "{}: a key twice", situation());
        assert!(threats.iter().all(|threat| threat.kind < R::KINDS.len() && threat.score > 0.0), "{}", situation());
        n_threats += threats.len();
    }
    n_threats
}

/// Checks that `stops` agrees with [`Threats::threats`] after the moves: all of them, or
/// `n_moves` at random. Returns the number of moves that stop something.
#[track_caller]
pub fn check_stops<R: Threats>(
    rules: &R,
    sides: &[u32],
    position: &R::Position,
    n_moves: usize,
    rng: &mut Rng,
) -> usize {
    let mover = rules.to_move(position);
    let others: Vec<usize> = (0..sides.len()).filter(|&seat| sides[seat] != sides[mover]).collect();
    let of_seat = |position: &R::Position, seat: usize| -> Vec<ThreatKey> {
        let threats = rules.turn_of(position, seat).map(|turn| rules.threats(&turn)).unwrap_or_default();
        threats.iter().map(|threat| ThreatKey { seat, key: threat.key, score: threat.score }).collect()
    };
    let mut threats: Vec<ThreatKey> = others.iter().flat_map(|&seat| of_seat(position, seat)).collect();
    threats.truncate(64);
    if threats.is_empty() {
        return 0;
    }
    let mut listed = HashMap::new();
    let mut texts = Vec::new();
    let flow = rules.stops(sides, position, &threats, &mut |stop| {
        if let Some(stop) = stop {
            let mv = move_text(rules, position, stop.mv);
            assert!(listed.insert(mv.clone(), (stop.stopped, stop.stops_all)).is_none(), "`{mv}` twice");
            texts.push(mv);
        }
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue());
    let mut tried = moves(rules, position);
    let order: Vec<String> = tried.iter().map(|mv| move_text(rules, position, mv)).collect();
    let in_order: Vec<&String> = order.iter().filter(|mv| listed.contains_key(*mv)).collect();
    assert_eq!(in_order, texts.iter().collect::<Vec<_>>(), "{}: canonical order", text(rules, position));
    while tried.len() > n_moves {
        tried.swap_remove(rng.below(tried.len()));
    }
    for mv in tried {
        let next = rules.play(position, &mv);
        let over = rules.outcome(&next).map(|outcome| outcome.scores);
        let left: Vec<ThreatKey> = others.iter().flat_map(|&seat| of_seat(&next, seat)).collect();
        let is_stopped = |threat: &ThreatKey| match &over {
            Some(scores) => scores[threat.seat] < threat.score,
            None => !left.iter().any(|other| (other.seat, other.key) == (threat.seat, threat.key)),
        };
        let stopped = threats.iter().rev().fold(0, |bits, threat| bits << 1 | u64::from(is_stopped(threat)));
        let stops_all = match &over {
            Some(scores) => others.iter().all(|&seat| scores[seat] <= scores[mover]),
            None => left.is_empty(),
        };
        let mv = move_text(rules, position, &mv);
        let found = listed.get(&mv).copied();
        let wanted = (stopped != 0).then_some((stopped, stops_all));
        assert_eq!(found, wanted, "{}: {mv} of {threats:?}", text(rules, position));
    }
    listed.len()
}
