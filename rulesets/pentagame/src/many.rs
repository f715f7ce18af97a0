//! The search for three and four players: the general Monte-Carlo tree search
//! over the candidates, with a value for every seat.
//!
//! Everybody plays for their own score. Since moves are left out, what that
//! search takes for proven is an estimate here, but for the last turn of a
//! round, whose outcome is read from the rules.

use std::time::Instant;

use pentad_sdk::search::{Game, MctsOptions, mcts};
use pentad_sdk::{Certainty, Control, Evaluation, Report, Request, Scores, Source, StopReason};

use crate::candidates::{Considered, Width, candidates};
use crate::moves::Move;
use crate::position::Position;
use crate::race::Race;
use crate::ruleset::final_scores;

/// Moves looked at in a position.
const WIDTH: Width = Width { blocks: 4, greys: 1, is_thorough: false, moves: 24 };

/// A game of some players, as the general search sees it.
#[derive(Clone, Copy, Debug)]
struct Crowd {
    n_seats: usize,
}

/// Searches a position of a game for three or four that goes on.
pub(crate) fn search(position: &Position, request: &Request<Move>, control: &dyn Control<Move>) -> Report<Move> {
    let crowd = Crowd { n_seats: position.n_seats() };
    let root_moves = Considered::of(position, request).moves;
    let request = Request { root_moves, ..request.clone() };
    let honest = Honest { position, inner: control };
    let report = mcts(&crowd, position, &request, &MctsOptions::default(), &honest);
    honest.told(report)
}

/// The scores of a game for three or four, where the turn that is left in the
/// round decides them: best for the player to move, and the same whatever they
/// do to reach it.
pub(crate) fn settled(position: &Position, race: &Race) -> Option<Scores> {
    if !position.is_last_turn_of_round() {
        return None;
    }
    let finish = position.finish_over(&race.ways);
    let anyone_has = (0..position.n_seats()).any(|seat| position.has_finished(seat));
    match finish {
        Some(finish) => Some(final_scores(&position.play_unchecked(position.any_blocks(finish.step)))),
        None => anyone_has.then(|| final_scores(position)),
    }
}

/// Makes estimates of what was only proven for the moves looked at.
struct Honest<'a> {
    position: &'a Position,
    inner: &'a dyn Control<Move>,
}

impl Control<Move> for Honest<'_> {
    fn should_stop(&self) -> bool {
        self.inner.should_stop()
    }

    fn now(&self) -> Instant {
        self.inner.now()
    }

    fn report(&self, report: &Report<Move>) {
        self.inner.report(&self.told(report.clone()));
    }
}

impl Honest<'_> {
    fn told(&self, mut report: Report<Move>) -> Report<Move> {
        for line in &mut report.lines {
            if !self.position.play_unchecked(line.moves[0]).is_over() {
                line.evaluation = line.evaluation.doubted();
            }
        }
        report.evaluation = match settled(self.position, &Race::of(self.position)) {
            Some(scores) => proven(scores),
            None => report.evaluation.doubted(),
        };
        if report.stop == Some(StopReason::Proven) && report.evaluation.certainty == Certainty::Estimate {
            report.stop = Some(StopReason::Depth);
        }
        report
    }
}

/// The value of a position that the turn at hand decides.
pub(crate) fn proven(scores: Scores) -> Evaluation {
    Evaluation {
        certainty: Certainty::Proven,
        outcome: None,
        plies_to_end: Some(1),
        scores,
        source: Source::Search,
        depth: 1,
    }
}

impl Game for Crowd {
    type Position = Position;
    type Move = Move;

    fn n_seats(&self) -> usize {
        self.n_seats
    }

    fn to_move(&self, position: &Position) -> usize {
        position.to_move()
    }

    fn key(&self, position: &Position) -> u64 {
        position.key()
    }

    fn outcome(&self, position: &Position) -> Option<Scores> {
        position.is_over().then(|| final_scores(position))
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        let mut found = Vec::with_capacity(256);
        candidates(position, &Race::of(position), WIDTH, &mut found);
        out.extend(found.iter().map(|candidate| candidate.mv));
    }

    fn play(&self, position: &Position, mv: &Move) -> Position {
        position.play_unchecked(*mv)
    }

    /// By the chances of the mover after it.
    fn order(&self, position: &Position, mv: &Move) -> i32 {
        (self.evaluate_seats(&position.play_unchecked(*mv))[position.to_move()] * 1e6) as i32
    }

    fn evaluate(&self, position: &Position) -> i32 {
        position.value(&Race::of(position))
    }

    fn evaluate_seats(&self, position: &Position) -> Scores {
        if position.is_over() {
            return final_scores(position);
        }
        let race = Race::of(position);
        settled(position, &race).unwrap_or_else(|| position.chances_in(&race))
    }
}
