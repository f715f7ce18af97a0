//! Judges the decisions of a played game: did they keep what was proven?
//!
//! Every position of the game is evaluated once, the last one first: proofs are found near the end, and help with
//! what came before. Only proven values count. `services/JUDGE.md` has the definitions.

use pentad_host::{CallError, Played};
use pentad_model::{Certainty, Scores};

use crate::answer::VariantRef;
use crate::engine::Engine;
use crate::error::EngineError;
use crate::field::Field;
use crate::question::{Caller, PositionSpec, QuestionLimits, check_limits};
use crate::resolve::{ResolvedPosition, refused_move};
use crate::rules::job::CallContext;

/// Scores this close are equal.
const EPSILON: f64 = 1e-6;

/// Which game to judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgeQuestion {
    /// Moves may be illegal attempts, which are counted and skipped.
    pub spec: PositionSpec,
    /// Limits of the search of each position.
    pub limits: QuestionLimits,
}

/// What was counted in a game.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// Variant with the seats.
    pub variant: VariantRef,
    /// By seat number.
    pub seats: Vec<SeatJudgement>,
}

/// Decisions of one seat, by what was proven before and after them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SeatJudgement {
    /// Legal moves.
    pub moves: u32,
    /// Attempts that were not legal.
    pub illegal: u32,
    /// Moves in won positions that kept the win.
    pub kept_win: u32,
    /// Moves in won positions that did not.
    pub threw_away_win: u32,
    /// Moves in positions worth a draw, or a shared or lower place, that kept it.
    pub kept_draw: u32,
    /// Moves in such positions that did not.
    pub threw_away_draw: u32,
    /// Moves in lost positions.
    pub lost_before: u32,
    /// Moves before or after which nothing is proven.
    pub unknown: u32,
    /// Score of the game, if it came to its end.
    pub score: Option<f64>,
}

impl SeatJudgement {
    /// Counts a legal move by the proven scores of its seat before and after it.
    fn count_move(&mut self, before: Option<f64>, after: Option<f64>) {
        self.moves += 1;
        let (Some(before), Some(after)) = (before, after) else {
            self.unknown += 1;
            return;
        };
        let is_kept = after > before - EPSILON;
        let count = match before {
            _ if before < EPSILON => &mut self.lost_before,
            _ if before > 1.0 - EPSILON && is_kept => &mut self.kept_win,
            _ if before > 1.0 - EPSILON => &mut self.threw_away_win,
            _ if is_kept => &mut self.kept_draw,
            _ => &mut self.threw_away_draw,
        };
        *count += 1;
    }
}

/// A game that is being judged, one search at a time.
#[derive(Debug)]
pub struct Judging {
    question: JudgeQuestion,
    /// `None` until the game is read. Boxed so that batches do not hold its size for every question.
    game: Option<Box<JudgedGame>>,
}

#[derive(Debug)]
struct JudgedGame {
    judgement: Judgement,
    /// Legal moves, and the seats that made them.
    moves: Vec<String>,
    movers: Vec<usize>,
    /// Moves before the position that is evaluated next.
    n_before: usize,
    /// Proven scores of the position after that.
    after: Option<Scores>,
}

/// The legal moves of a game, who made them, and what else was tried.
pub(crate) struct ReadGame {
    moves: Vec<String>,
    movers: Vec<usize>,
    /// Seats of the illegal attempts.
    illegal: Vec<usize>,
    /// `None` if the game goes on.
    scores: Option<Scores>,
}

impl Judging {
    /// Creates the state before the first step.
    pub fn new(question: JudgeQuestion) -> Judging {
        Judging { question, game: None }
    }

    /// Returns the limits of the search that the next step makes; `None` if it makes none.
    pub fn next_limits(&self) -> Option<QuestionLimits> {
        self.game.as_ref().map(|_| self.question.limits)
    }

    /// Reads the game, or evaluates one of its positions; returns the result after the last step. A step that
    /// failed may be tried again.
    pub async fn step(&mut self, engine: &Engine, caller: Caller) -> Result<Option<Judgement>, EngineError> {
        let Some(game) = &mut self.game else {
            check_limits(self.question.limits)?;
            let (variant, read) = engine.read_attempts(&self.question.spec, &caller).await?;
            self.game = Some(Box::new(JudgedGame::new(variant, read)));
            return Ok(None);
        };
        let moves = game.moves[..game.n_before].to_vec();
        let spec = PositionSpec { moves, ..self.question.spec.clone() };
        let value = engine.evaluate(&spec, self.question.limits, caller).await?.evaluation;
        game.count((value.certainty == Certainty::Proven).then_some(value.scores));
        if game.n_before == 0 {
            return Ok(Some(game.judgement.clone()));
        }
        game.n_before -= 1;
        Ok(None)
    }
}

impl JudgedGame {
    fn new(variant: VariantRef, read: ReadGame) -> JudgedGame {
        let ReadGame { moves, movers, illegal, scores } = read;
        let mut seats = vec![SeatJudgement::default(); variant.seats.len()];
        for seat in illegal {
            seats[seat].illegal += 1;
        }
        if let Some(scores) = scores {
            seats.iter_mut().zip(scores.as_slice()).for_each(|(seat, score)| seat.score = Some(*score));
        }
        let n_before = moves.len();
        JudgedGame { judgement: Judgement { variant, seats }, moves, movers, n_before, after: None }
    }

    /// Counts the move that was made in the position, if one was. Takes the proven scores of the position.
    fn count(&mut self, before: Option<Scores>) {
        if let Some(&seat) = self.movers.get(self.n_before) {
            let score = |scores: &Option<Scores>| scores.as_ref().map(|scores| scores[seat]);
            self.judgement.seats[seat].count_move(score(&before), score(&self.after));
        }
        self.after = before;
    }
}

/// Plays the moves of a game, and skips those that are not legal. Moves after the end are no attempts.
pub(crate) fn read(context: &CallContext<'_>, spec: &PositionSpec) -> Result<ReadGame, EngineError> {
    let CallContext { game, variant, .. } = *context;
    let rules = &game.ruleset;
    let fault = |error| EngineError::from_call(&game.id, error);
    let mut position = ResolvedPosition::before_moves(context, spec)?;
    let mut read = ReadGame { moves: Vec::new(), movers: Vec::new(), illegal: Vec::new(), scores: None };
    for (move_idx, mv) in spec.moves.iter().enumerate() {
        let seat = rules.to_move(variant, &position).map_err(fault)?;
        match rules.play(variant, &position, mv) {
            Ok(Played { position: next, canonical }) => {
                read.moves.push(canonical);
                read.movers.push(seat);
                position = next;
            }
            Err(CallError::Malformed { .. } | CallError::Illegal { .. }) => read.illegal.push(seat),
            Err(CallError::GameOver) => break,
            Err(error) => return Err(refused_move(game, Field::Moves, move_idx, mv, error)),
        }
    }
    read.scores = rules.scores(variant, &position).map_err(fault)?;
    Ok(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every kind of decision is counted once, and where it belongs.
    #[test]
    fn decisions_are_told_apart() {
        let mut seat = SeatJudgement::default();
        for (before, after) in [
            (Some(1.0), Some(1.0)),
            (Some(1.0), Some(0.5)),
            (Some(1.0), Some(0.0)),
            (Some(0.5), Some(0.5)),
            (Some(0.5), Some(0.0)),
            (Some(0.0), Some(0.0)),
            (None, Some(1.0)),
            (Some(1.0), None),
        ] {
            seat.count_move(before, after);
        }
        let expected = SeatJudgement {
            moves: 8,
            kept_win: 1,
            threw_away_win: 2,
            kept_draw: 1,
            threw_away_draw: 1,
            lost_before: 1,
            unknown: 2,
            ..SeatJudgement::default()
        };
        assert_eq!(seat, expected);
    }
}
