//! The moves at the root, their ranking, and the report made of them.

use std::cmp::Reverse;

use pentad_sdk::{Certainty, Evaluation, Line, Report, Scores, Source, StopReason, Wdl};

use crate::board::Colour;
use crate::moves::Move;
use crate::search::value::{Facts, Found, OPTIMISM, is_loss, is_win, plies};
use crate::search::worker::{PLIES_MAX, Worker};
use crate::state::{End, State};

/// How much the latest iteration says about a root move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Its value is exact, in this iteration or the last.
    Valued,
    /// It was found to be no better than the lines reported.
    Passed,
}

/// One move at the root and what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) next: State,
    /// How the game ends with the move, if it does.
    pub(crate) end: Option<End>,
    /// Exact for its depth, or where `Passed` the last exact one. In the range
    /// of wins and losses always proven.
    pub(crate) value: i32,
    pub(crate) facts: Facts,
    pub(crate) depth: u32,
    /// The distance of a win or loss is the true one.
    pub(crate) is_true_distance: bool,
    pub(crate) standing: Standing,
    /// Known to do better than estimates can tell; see `openings`.
    pub(crate) favoured: bool,
    /// The move and the expected play after it.
    pub(crate) line: Vec<Move>,
}

impl RootMove {
    pub(crate) fn new(root: State, mv: Move) -> Self {
        let next = root.played(mv);
        RootMove {
            next,
            end: next.end(),
            value: 0,
            facts: Facts::NONE,
            depth: 0,
            is_true_distance: false,
            standing: Standing::Passed,
            favoured: false,
            line: vec![mv],
        }
    }

    /// Takes an exact value over. What was proven stays so, also where a later
    /// iteration does not see it again for want of room in the table.
    pub(crate) fn value(&mut self, found: Found, depth: u32, rest: &[Move]) {
        self.depth = depth;
        self.standing = Standing::Valued;
        self.facts = self.facts.and(found.facts);
        if self.is_decided() {
            return;
        }
        self.value = self.facts.confine(found.value);
        self.line.truncate(1);
        self.line.extend_from_slice(rest);
    }

    /// Takes over that the move is worth `found` at most.
    pub(crate) fn pass(&mut self, found: Found, rest: &[Move]) {
        self.facts = self.facts.and(found.facts);
        self.standing = Standing::Passed;
        if is_loss(found.value) && !self.is_decided() {
            self.value = found.value;
            self.line.truncate(1);
            self.line.extend_from_slice(rest);
        }
    }

    pub(crate) fn is_decided(&self) -> bool {
        is_win(self.value) || is_loss(self.value)
    }

    pub(crate) fn is_proven(&self) -> bool {
        self.is_decided() || self.facts == Facts::DRAW
    }

    /// Proven wins first, losses last, between them the favoured move and then
    /// the best value; of equals the proven draw.
    fn rank(&self) -> impl Ord + use<> {
        let class = i32::from(is_win(self.value)) - i32::from(is_loss(self.value));
        let favoured = class == 0 && self.favoured;
        let valued = class != 0 || self.standing == Standing::Valued;
        Reverse((class, favoured, valued, self.value, self.facts == Facts::DRAW))
    }
}

/// What a report says besides the moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary {
    pub(crate) side: Colour,
    pub(crate) n_lines: usize,
    /// Plies completed.
    pub(crate) depth: u32,
    /// The distance to the end is true of the position, not of its best line
    /// alone.
    pub(crate) is_true_distance: bool,
    pub(crate) nodes: u64,
}

/// Sorts the moves best first; equals stay as they are.
pub(crate) fn rank(moves: &mut [RootMove]) {
    moves.sort_by_key(RootMove::rank);
}

/// Whether more search could change neither the lines nor their values. The
/// moves are ranked.
pub(crate) fn all_proven(moves: &[RootMove], n_lines: usize) -> bool {
    let n_lines = n_lines.min(moves.len());
    if !moves[..n_lines].iter().all(RootMove::is_proven) {
        return false;
    }
    let last = moves[n_lines - 1].value;
    // Behind a draw nothing may win; behind a loss there are only losses.
    is_win(last) || moves[n_lines..].iter().all(|mv| if is_loss(last) { is_loss(mv.value) } else { mv.facts.held() })
}

/// A report on ranked moves.
pub(crate) fn report(
    worker: &Worker<'_>,
    moves: &[RootMove],
    summary: &Summary,
    stop: Option<StopReason>,
) -> Report<Move> {
    let value = |mv: &RootMove| evaluation(mv, summary.side);
    let lines = moves
        .iter()
        .take(summary.n_lines)
        .map(|mv| Line { moves: extended(worker, mv), evaluation: value(mv) })
        .collect();
    let mut best = value(&moves[0]);
    if !summary.is_true_distance {
        best.plies_to_end = best.plies_to_end.filter(|&plies| plies == 1 && is_win(moves[0].value));
    }
    let all_held = moves.iter().all(|mv| mv.facts.held());
    if !is_win(moves[0].value) && !all_held {
        best = doubted(best);
    }
    Report { lines, evaluation: best, depth: summary.depth, nodes: summary.nodes, stop }
}

/// A move's value in the words of a report.
fn evaluation(mv: &RootMove, side: Colour) -> Evaluation {
    let (outcome, score) = if is_win(mv.value) {
        (Some(Wdl::Win), 1.0)
    } else if is_loss(mv.value) {
        (Some(Wdl::Loss), 0.0)
    } else if mv.facts == Facts::DRAW {
        (Some(Wdl::Draw), 0.5)
    } else {
        let sober = sober(mv.value);
        (None, estimated(1.0 / (1.0 + 10f64.powf(-f64::from(sober) / 400.0))))
    };
    let mut scores = [1.0 - score; 2];
    scores[side as usize] = score;
    Evaluation {
        certainty: if outcome.is_some() { Certainty::Proven } else { Certainty::Estimate },
        outcome,
        plies_to_end: (mv.is_decided() && mv.is_true_distance).then(|| plies(mv.value)),
        scores: Scores::new(&scores),
        source: if mv.depth == 0 && outcome.is_none() { Source::Static } else { Source::Search },
        depth: mv.depth,
    }
}

/// An estimate without the optimism. What optimism alone ranks above a draw is
/// called even, so that scores are in the order of the moves.
fn sober(value: i32) -> i32 {
    match value {
        1.. => (value - OPTIMISM).max(0),
        0 => 0,
        _ => value - OPTIMISM,
    }
}

/// Keeps an estimated score away from 0 and 1, which are for proofs.
fn estimated(score: f64) -> f64 {
    score.clamp(0.0001, 0.9999)
}

/// The value of the best move where a better one may exist.
fn doubted(best: Evaluation) -> Evaluation {
    let mut scores = best.scores;
    scores.as_mut_slice().iter_mut().for_each(|score| *score = estimated(*score));
    Evaluation { certainty: Certainty::Estimate, outcome: None, plies_to_end: None, scores, ..best }
}

/// The expected play, continued by what the table knows and up to where it
/// would go round in circles.
fn extended(worker: &Worker<'_>, mv: &RootMove) -> Vec<Move> {
    let mut line = mv.line.clone();
    let (mut state, mut seen) = (mv.next, vec![mv.next.key()]);
    let n_max = if mv.is_decided() { plies(mv.value) as usize } else { PLIES_MAX };
    for at in 1.. {
        if state.end().is_some() || at >= n_max.max(line.len()) {
            break;
        }
        let next = match line.get(at) {
            Some(&next) => next,
            None => {
                let known = state.win_in_one().or_else(|| worker.table.probe(worker.key(state, at)).best);
                let Some(next) = known.filter(|&next| state.allows(next)) else { break };
                if seen.contains(&state.played(next).key()) {
                    break;
                }
                line.push(next);
                next
            }
        };
        state = state.played(next);
        seen.push(state.key());
    }
    line
}
