//! The search for three and four players: the SDK's Monte-Carlo tree search over
//! the candidates, with an expected score for every seat.
//!
//! Since legal moves are left out, its proofs are reported as estimates, except for
//! the last turn of a round and the move before it, whose outcome follows from the
//! rules.

use pentad_sdk::CorrectedReports;
use pentad_sdk::search::{MctsOptions, mcts};
use pentad_sdk::{Certainty, Control, Evaluation, Line, Report, Request, StopReason};

use crate::evaluate::Race;
use crate::moves::Move;
use crate::position::Position;
use crate::rules::final_scores;
use crate::search::candidates::RootCandidates;
use crate::search::game::MultiplayerGame;
use crate::search::proven;

/// Searches a position of a game for three or four players that is not over.
pub(crate) fn search(position: &Position, request: &Request<Move>, control: &dyn Control<Move>) -> Report<Move> {
    let game = MultiplayerGame { n_seats: position.n_seats() };
    let root_moves = RootCandidates::new(position, request).moves;
    let request = Request { root_moves, ..request.clone() };
    let correct = |report| without_proofs(position, report);
    let control = CorrectedReports::new(control, correct);
    correct(mcts(&game, position, &request, &MctsOptions::default(), &control))
}

/// Downgrades proofs that hold for the candidates only to estimates, and proves what
/// the rules decide.
fn without_proofs(position: &Position, mut report: Report<Move>) -> Report<Move> {
    for line in &mut report.lines {
        let next = position.play_unchecked(line.moves[0]);
        if next.is_over() {
            line.evaluation = proven::last_turn(final_scores(&next));
            continue;
        }
        match next.probe_last_turn(&Race::of(&next).costs) {
            Some(scores) => {
                line.evaluation = Evaluation { plies_to_end: Some(2), depth: 2, ..proven::last_turn(scores) };
                line.moves.truncate(1);
                line.moves.extend(next.last_move());
            }
            None => line.evaluation = line.evaluation.as_estimate(),
        }
    }
    let score = |line: &Line<Move>| line.evaluation.scores[position.to_move()];
    let is_won = |line: &Line<Move>| line.evaluation.certainty == Certainty::Proven && score(line) == 1.0;
    report.lines.sort_by(|a, b| is_won(b).cmp(&is_won(a)).then(score(b).total_cmp(&score(a))));
    report.evaluation = match position.probe_last_turn(&Race::of(position).costs) {
        Some(scores) => proven::last_turn(scores),
        // No move that was left out can be better.
        None if is_won(&report.lines[0]) => report.lines[0].evaluation,
        None => report.evaluation.as_estimate(),
    };
    if report.stop == Some(StopReason::Proven) && report.evaluation.certainty == Certainty::Estimate {
        report.stop = Some(StopReason::Depth);
    }
    report
}
