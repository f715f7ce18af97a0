//! Judge: how often the decisions of a game kept what was proven. Only batches have it.

use std::sync::Arc;

use pentad_engine as engine;
use pentad_engine::{Caller, Engine, EngineError, Judgement, Judging, QuestionLimits};
use serde::{Deserialize, Serialize};
#[cfg(test)]
use utoipa::ToSchema;

use super::kinds::BatchCall;
use super::limits::{Limits, limits};
use super::position::spec;
use super::wire::{Keyed, by_seat, message, question, rounded};

/// A game whose decisions are judged; a kind of question of batches.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schema(example = json!({"moves": ["c3-2r", "d4-1l", "c4-1r"], "limits": {"nodes": 20000}})))]
pub struct JudgeQuestion {
    /// Id of the variant; the game's first by default.
    pub variant: Option<String>,
    /// Position that the game began with; the start by default.
    pub position: Option<String>,
    /// The moves of the game, or of its beginning. Those that are not legal are counted as
    /// illegal attempts and skipped; moves after the end of the game are ignored.
    pub moves: Option<Vec<String>>,
    /// Limits of the search of each position.
    #[serde(default, deserialize_with = "crate::rest::body::object")]
    pub limits: Option<Limits>,
}

question!(JudgeRequest => JudgeQuestion { variant, position, moves, limits });

/// What was counted in a game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct JudgeAnswer {
    /// By seat id.
    #[cfg_attr(test, schema(value_type = std::collections::BTreeMap<String, SeatJudgement>))]
    pub seats: Keyed<SeatJudgement>,
}

message!(JudgeAnswer => JudgeResponse { seats });

/// Decisions of one seat, by what was proven before and after them. Counts of several games
/// may be added.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
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
    /// Moves in lost positions: there was nothing to lose.
    pub lost_before: u32,
    /// Moves before or after which nothing is proven.
    pub unknown: u32,
    /// Score of the game; null if it did not come to its end.
    #[cfg_attr(test, schema(required = true))]
    pub score: Option<f64>,
}

message!(SeatJudgement => SeatJudgement {
    moves, illegal, kept_win, threw_away_win, kept_draw, threw_away_draw, lost_before, unknown, score
});

pub(crate) struct Call;

impl BatchCall for Call {
    type Body = JudgeQuestion;
    type Question = Judging;
    type Found = Judgement;
    type Answer = JudgeAnswer;

    fn question(game: String, question: JudgeQuestion) -> Judging {
        let spec = spec(game, question.variant, question.position, question.moves);
        Judging::new(engine::JudgeQuestion { spec, limits: limits(question.limits) })
    }

    fn limits(judging: &Judging) -> Option<QuestionLimits> {
        judging.next_limits()
    }

    async fn step(
        engine: &Arc<Engine>,
        judging: &mut Judging,
        caller: Caller,
    ) -> Result<Option<Judgement>, EngineError> {
        judging.step(engine, caller).await
    }

    fn json(judgement: Judgement) -> JudgeAnswer {
        JudgeAnswer { seats: by_seat(&judgement.variant, judgement.seats.into_iter().map(seat)) }
    }
}

fn seat(it: engine::SeatJudgement) -> SeatJudgement {
    SeatJudgement {
        moves: it.moves,
        illegal: it.illegal,
        kept_win: it.kept_win,
        threw_away_win: it.threw_away_win,
        kept_draw: it.kept_draw,
        threw_away_draw: it.threw_away_draw,
        lost_before: it.lost_before,
        unknown: it.unknown,
        score: it.score.map(rounded),
    }
}
