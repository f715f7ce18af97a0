//! Root moves, their ranking, and the report.

use std::cmp::Reverse;

use pentad_sdk::search::primitives::{WIN, evaluation, is_decided, is_loss, is_win, plies};
use pentad_sdk::search::{Proven, select_lines};
use pentad_sdk::{Evaluation, Line, Report, Scores, StopReason};

use crate::evaluate::Race;
use crate::moves::Move;
use crate::position::Position;
use crate::search::alpha_beta::node::Worker;
use crate::search::alpha_beta::transposition_table::Entry;
use crate::search::candidates::{CandidateLimits, candidates};
use crate::search::endgame::EndgameValue;

/// Plies of the longest principal variation reported.
const PV_PLIES_MAX: usize = 24;

/// In a lost position one reply is enough.
const LOST_REPLY_LIMITS: CandidateLimits =
    CandidateLimits { stops_per_block: 1, grey_origins: 1, blocks_wide_paths: false, moves_max: 1 };

/// A root move and its latest result.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    pub(crate) next: Position,
    /// Last exact value, for the player to move at the root.
    pub(crate) value: i32,
    /// Depth of that value; 0 if it is the static evaluation.
    pub(crate) depth: u32,
    /// Whether the latest iteration found an exact value; otherwise it only
    /// showed that the move is no better than the reported lines.
    pub(crate) is_exact: bool,
    /// The move is proven to draw.
    pub(crate) is_draw: bool,
}

impl RootMove {
    pub(crate) fn new(position: &Position, mv: Move) -> Self {
        let next = position.play_unchecked(mv);
        let race = Race::of(&next);
        let is_draw = if next.is_over() {
            (0..2).all(|seat| next.has_finished(seat))
        } else {
            matches!(next.probe_endgame(&race.costs), Some(EndgameValue::Draw(_)))
        };
        let value = if next.is_over() { 0 } else { -next.static_eval(&race) };
        RootMove { mv, next, value, depth: 0, is_exact: false, is_draw }
    }

    pub(crate) fn is_proven(&self) -> bool {
        is_decided(self.value) || self.is_draw
    }

    /// Returns the sort key: proven wins first, proven losses last, exact values first
    /// among the others.
    fn rank(&self) -> impl Ord + use<> {
        let class = i32::from(is_win(self.value)) - i32::from(is_loss(self.value));
        Reverse((class, class != 0 || self.is_exact, self.value))
    }
}

/// Sorts the moves best first; the sort is stable.
pub(crate) fn rank(moves: &mut [RootMove]) {
    moves.sort_by_key(RootMove::rank);
}

/// Returns the moves to report: the best ranked move of each alternative, and others if
/// there are too few alternatives.
pub(crate) fn lines(moves: &[RootMove], n_lines: usize) -> Vec<&RootMove> {
    let selected = select_lines(moves.iter().map(|mv| Some(mv.mv.alternative())), n_lines);
    selected.into_iter().map(|idx| &moves[idx]).collect()
}

/// Fields of a report other than its lines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReportSummary {
    pub(crate) n_lines: usize,
    pub(crate) depth: u32,
    /// Every move that matters is proven, so the position has the best move's value.
    pub(crate) is_proven: bool,
    pub(crate) stop: Option<StopReason>,
}

/// Creates the report of ranked moves.
pub(crate) fn report(
    worker: &Worker<'_>,
    position: &Position,
    moves: &[RootMove],
    summary: &ReportSummary,
) -> Report<Move> {
    let seat = position.to_move();
    let lines = lines(moves, summary.n_lines)
        .into_iter()
        .map(|mv| Line { moves: principal_variation(worker, mv), evaluation: evaluation_of(mv, seat) })
        .collect();
    let mut best = evaluation_of(&moves[0], seat);
    if !is_win(moves[0].value) && !summary.is_proven {
        best = best.as_estimate();
    }
    Report { lines, evaluation: best, depth: summary.depth, nodes: worker.limiter.nodes(), stop: summary.stop }
}

/// Converts a root move's value to an evaluation.
fn evaluation_of(mv: &RootMove, seat: usize) -> Evaluation {
    let proven = if mv.is_draw { Proven::DRAW } else { Proven::NONE };
    let plies_to_end = if is_decided(mv.value) {
        Some(plies(mv.value))
    } else {
        mv.is_draw.then_some(if mv.next.is_over() { 1 } else { 2 })
    };
    evaluation(mv.value, proven, plies_to_end, mv.depth, |score| Scores::pair(seat, score))
}

/// Returns the move and the play expected to follow, to the end of the game where the
/// move is proven to win or lose.
fn principal_variation(worker: &Worker<'_>, root: &RootMove) -> Vec<Move> {
    let mut moves = vec![root.mv];
    let mut position = root.next;
    let mut seen = Vec::new();
    let plies_max = if is_decided(root.value) { plies(root.value) as usize } else { PV_PLIES_MAX };
    while moves.len() < plies_max && !position.is_over() {
        let key = position.key();
        if seen.contains(&key) {
            break;
        }
        seen.push(key);
        let expected = if is_decided(root.value) {
            // The root move's value for the player to move here.
            let n_left = (plies_max - moves.len()) as i32;
            let wins = is_win(root.value) == moves.len().is_multiple_of(2);
            proven_move(worker, &position, if wins { WIN - n_left } else { n_left - WIN })
        } else {
            expected_move(worker, &position)
        };
        let Some(mv) = expected else { break };
        moves.push(mv);
        position = position.play_unchecked(mv);
    }
    moves
}

/// Returns the move that play is expected to continue with.
fn expected_move(worker: &Worker<'_>, position: &Position) -> Option<Move> {
    match position.probe_endgame(&Race::of(position).costs) {
        Some(EndgameValue::Win(mv, _) | EndgameValue::Draw(mv)) => Some(mv),
        Some(EndgameValue::Loss) => None,
        None => table_entry(worker, position).and_then(|entry| entry.mv),
    }
}

/// Returns a move that keeps the proven value of a position. In a lost position every
/// move does: the opponent wins the endgame after it.
fn proven_move(worker: &Worker<'_>, position: &Position, value: i32) -> Option<Move> {
    let race = Race::of(position);
    if let Some(EndgameValue::Win(mv, _)) = position.probe_endgame(&race.costs) {
        return Some(mv);
    }
    let known = table_entry(worker, position).filter(|entry| entry.value == value).and_then(|entry| entry.mv);
    if known.is_some() || is_win(value) {
        return known;
    }
    let mut natural = Vec::new();
    candidates(position, &race, LOST_REPLY_LIMITS, &mut natural);
    natural.first().map(|candidate| candidate.mv).or_else(|| position.any_move())
}

/// Returns the table's entry of a position if its move is legal there.
fn table_entry(worker: &Worker<'_>, position: &Position) -> Option<Entry> {
    let is_legal = |entry: &Entry| entry.mv.is_some_and(|mv| position.check_move(mv).is_ok());
    worker.table.probe(position.key()).filter(is_legal)
}
