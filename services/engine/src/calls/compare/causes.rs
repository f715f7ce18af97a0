//! Reasons why a move is worse than the best one, from the wins in one that the rules list.
//!
//! There are two causes: a win that another side had already and the move does not stop (`block_missed`), and
//! a win that the move prepares and the reply stops (`undone_by`). Both come from the rule set's own list of
//! threats, so games without that extension have none, and both are given only for moves whose value is
//! proven.

use std::sync::Arc;

use pentad_model::Certainty;
use pentad_model::Reason;
use pentad_model::i18n::{Param, ParamValue};

use super::{CompareQuestion, ComparedMove};
use crate::answer::{SeatThreat, Threats};
use crate::engine::Engine;
use crate::error::EngineError;
use crate::present::i18n;
use crate::question::{Caller, PositionSpec, ThreatsQuestion};

/// The causes of the moves of one comparison.
pub(super) struct Causes<'a> {
    pub(super) engine: &'a Arc<Engine>,
    pub(super) question: &'a CompareQuestion,
    pub(super) caller: &'a Caller,
    /// Seat number of the player to move.
    pub(super) seat: usize,
    /// The expected score of the best move, for that seat.
    pub(super) best_score: f64,
    /// The wins in one before any move, once they were requested; the inner option is `None` if they did not
    /// come in time.
    before: Option<Option<Threats>>,
}

impl<'a> Causes<'a> {
    pub(super) fn new(
        engine: &'a Arc<Engine>,
        question: &'a CompareQuestion,
        caller: &'a Caller,
        seat: usize,
        best_score: f64,
    ) -> Self {
        Causes { engine, question, caller, seat, best_score, before: None }
    }

    /// Returns why the move is proven to be worse than the best one; nothing for other moves.
    pub(super) async fn of(&mut self, compared: &ComparedMove) -> Result<Vec<Reason>, EngineError> {
        let evaluation = &compared.evaluation;
        let is_worse = evaluation.certainty == Certainty::Proven && evaluation.scores[self.seat] < self.best_score;
        if !is_worse || compared.reply.is_empty() {
            return Ok(Vec::new());
        }
        let missed = self.block_missed(compared).await?;
        let undone = self.undone_by(compared).await?;
        Ok(missed.into_iter().chain(undone).collect())
    }

    /// Returns a reason if the move loses at once to a side that had a win before it.
    async fn block_missed(&mut self, compared: &ComparedMove) -> Result<Option<Reason>, EngineError> {
        if compared.evaluation.plies_to_end != Some(2) || compared.evaluation.scores[self.seat] > 0.0 {
            return Ok(None);
        }
        if self.before.is_none() {
            self.before = Some(self.threats(Vec::new()).await?);
        }
        let Some(Some(before)) = &self.before else { return Ok(None) };
        let is_left = |threat: &&SeatThreat| {
            !is_same_side(before, threat.seat, self.seat) && !threat.stopped_by.contains(&compared.mv)
        };
        let left: Vec<&SeatThreat> = before.threats.iter().filter(is_left).collect();
        let named = left.iter().find(|threat| threat.mv == compared.reply).or(left.first());
        Ok(named.map(|threat| self.reason("block_missed", before, threat, None)))
    }

    /// Returns a reason if the move threatens to win and the reply stops that.
    async fn undone_by(&self, compared: &ComparedMove) -> Result<Option<Reason>, EngineError> {
        if compared.evaluation.plies_to_end == Some(2) {
            // The reply ends the game: it stops nothing.
            return Ok(None);
        }
        let Some(after) = self.threats(vec![compared.mv.clone()]).await? else { return Ok(None) };
        let is_undone = |threat: &&SeatThreat| threat.seat == self.seat && threat.stopped_by.contains(&compared.reply);
        let threat = after.threats.iter().find(is_undone);
        Ok(threat.map(|threat| self.reason("undone_by", &after, threat, Some(&compared.reply))))
    }

    /// Returns the wins in one after some moves; `None` if they do not come in time or are not all listed.
    async fn threats(&self, moves: Vec<String>) -> Result<Option<Threats>, EngineError> {
        let mut spec: PositionSpec = self.question.spec.clone();
        spec.moves.extend(moves);
        match self.engine.threats(&ThreatsQuestion::new(spec), self.caller.clone()).await {
            Ok(threats) => Ok(Some(threats).filter(|threats| !threats.is_truncated)),
            Err(EngineError::Deadline | EngineError::Overloaded { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn reason(&self, id: &'static str, threats: &Threats, threat: &SeatThreat, reply: Option<&str>) -> Reason {
        let param = |name: &'static str, mv: &str| Param::new(name, ParamValue::Move(mv.to_owned()));
        let mut params = vec![param("threat", &threat.mv)];
        params.extend(reply.map(|reply| param("reply", reply)));
        let board = threats.variant.board.as_ref();
        let point = |&idx: &u32| board.and_then(|board| board.points.get(idx as usize)).map(|point| point.id.clone());
        let points = threat.points.iter().filter_map(point).collect();
        Reason { points, ..i18n::reason_in(self.caller.language, id, params) }
    }
}

fn is_same_side(threats: &Threats, a: usize, b: usize) -> bool {
    let side = |seat: usize| threats.variant.seats.get(seat).map(|seat| seat.side);
    side(a) == side(b)
}
