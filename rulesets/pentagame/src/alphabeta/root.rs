//! The moves at the root, their ranking, and the report made of them.

use std::cmp::Reverse;

use pentad_sdk::search::Proven;
use pentad_sdk::search::primitives::{evaluation, is_decided, is_loss, is_win, plies};
use pentad_sdk::{Evaluation, Line, Report, Scores, StopReason};

use crate::alphabeta::node::Worker;
use crate::moves::Move;
use crate::position::Position;
use crate::race::Race;
use crate::settle::Settled;

/// The longest line shown.
const LINE_MAX: usize = 24;

/// One move at the root and what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    pub(crate) next: Position,
    /// Exact for its depth, or the last exact one.
    pub(crate) value: i32,
    /// Turns looked ahead for the value.
    pub(crate) depth: u32,
    /// The value is exact in the latest iteration that tried it; otherwise the
    /// move was found to be no better than the lines reported.
    pub(crate) is_valued: bool,
    /// The move leads to a draw for certain.
    pub(crate) is_draw: bool,
}

impl RootMove {
    pub(crate) fn new(position: &Position, mv: Move) -> Self {
        let next = position.play_unchecked(mv);
        let race = Race::of(&next);
        let is_draw = if next.is_over() {
            (0..2).all(|seat| next.has_finished(seat))
        } else {
            matches!(next.settled(&race.ways), Some(Settled::Draw(_)))
        };
        let value = if next.is_over() { 0 } else { -next.value(&race) };
        RootMove { mv, next, value, depth: 0, is_valued: false, is_draw }
    }

    pub(crate) fn is_proven(&self) -> bool {
        is_decided(self.value) || self.is_draw
    }

    /// Proven wins first, losses last; of the others those valued first.
    fn rank(&self) -> impl Ord + use<> {
        let class = i32::from(is_win(self.value)) - i32::from(is_loss(self.value));
        Reverse((class, class != 0 || self.is_valued, self.value))
    }
}

/// Sorts the moves best first; equals stay as they are.
pub(crate) fn rank(moves: &mut [RootMove]) {
    moves.sort_by_key(RootMove::rank);
}

/// What a report says besides the moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary {
    pub(crate) n_lines: usize,
    pub(crate) depth: u32,
    /// The best move's value is that of the position: a win, or all moves have
    /// been accounted for.
    pub(crate) is_certain: bool,
    pub(crate) stop: Option<StopReason>,
}

/// A report on ranked moves.
pub(crate) fn report(worker: &Worker<'_>, position: &Position, moves: &[RootMove], summary: &Summary) -> Report<Move> {
    let seat = position.to_move();
    let lines = moves
        .iter()
        .take(summary.n_lines)
        .map(|mv| Line { moves: line(worker, mv), evaluation: value(mv, seat) })
        .collect();
    let mut best = value(&moves[0], seat);
    if !is_win(moves[0].value) && !summary.is_certain {
        best = best.doubted();
    }
    Report { lines, evaluation: best, depth: summary.depth, nodes: worker.limiter.nodes(), stop: summary.stop }
}

/// A move's value in the words of a report.
fn value(mv: &RootMove, seat: usize) -> Evaluation {
    let proven = if mv.is_draw { Proven::DRAW } else { Proven::NONE };
    let plies_to_end = if is_decided(mv.value) {
        Some(plies(mv.value))
    } else {
        mv.is_draw.then_some(if mv.next.is_over() { 1 } else { 2 })
    };
    evaluation(mv.value, proven, plies_to_end, mv.depth, |score| Scores::pair(seat, score))
}

/// The move and the play expected to follow, as far as the table knows.
fn line(worker: &Worker<'_>, root: &RootMove) -> Vec<Move> {
    let mut moves = vec![root.mv];
    let mut position = root.next;
    let mut seen = Vec::new();
    let plies_max = if is_decided(root.value) { plies(root.value) as usize } else { LINE_MAX };
    while moves.len() < plies_max && !position.is_over() {
        let key = position.key();
        let Some(mv) = expected(worker, &position, key).filter(|_| !seen.contains(&key)) else { break };
        seen.push(key);
        moves.push(mv);
        position = position.play_unchecked(mv);
    }
    moves
}

fn expected(worker: &Worker<'_>, position: &Position, key: u64) -> Option<Move> {
    match position.settled(&Race::of(position).ways) {
        Some(Settled::Win(mv, _) | Settled::Draw(mv)) => return Some(mv),
        Some(Settled::Loss) => return None,
        None => {}
    }
    worker.table.probe(key)?.mv.filter(|&mv| position.check_move(mv).is_ok())
}
