//! Compare: moves of a position, side by side.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use pentad_engine::{Caller, CompareQuestion, ComparedMove, Comparison, Engine, EngineError, QuestionLimits};
use serde::{Deserialize, Serialize};
#[cfg(test)]
use utoipa::ToSchema;

use super::PositionCall;
use super::evaluation::{Evaluation, evaluation};
use super::hints::{MoveReason, reasons};
use super::limits::{Limits, limits};
use super::position::spec;
use super::wire::{index, message, question, seat_id};
use crate::app::App;
use crate::error::ApiError;
use crate::rest::body::Json;
#[cfg(test)]
use crate::rest::docs::document::{Failures, NotJson};
use crate::rest::middleware::RequestContext;
use crate::rest::response;

/// Moves of a position to compare.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schema(example = json!({"moves": ["c3-2r"], "compareMoves": ["d4-1l", "c4-1r"], "limits": {"timeMs": 500}})))]
pub struct ComparisonQuestion {
    /// Id of the variant; the game's first by default.
    pub variant: Option<String>,
    /// Position in the game's notation; the start by default.
    pub position: Option<String>,
    /// Moves played from the position; none by default.
    pub moves: Option<Vec<String>>,
    /// Limits of the search.
    #[serde(default, deserialize_with = "crate::rest::body::object")]
    pub limits: Option<Limits>,
    /// 2 to 8 different legal moves.
    #[cfg_attr(test, schema(min_items = 2, max_items = 8))]
    pub compare_moves: Option<Vec<String>>,
}

question!(CompareRequest => ComparisonQuestion { variant, position, moves, limits, compare_moves });

/// Moves of a position, side by side.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ComparisonAnswer {
    /// In the order of `compareMoves`.
    pub comparisons: Vec<MoveComparison>,
    /// The best of all legal moves.
    pub best_move: String,
    /// The position after `moves`, in canonical form.
    pub position: String,
    /// Id of the seat whose turn it is.
    pub to_move: String,
    /// The expected line after the best move, starting with the move itself.
    pub best_line: Vec<String>,
    /// The value of the position.
    pub evaluation: Evaluation,
    /// As in the response of `position`.
    pub key: String,
    /// The best move in a player's words, in the language of the request; empty if the game
    /// has none.
    pub best_move_text: String,
}

message!(ComparisonAnswer => CompareResponse {
    comparisons, best_move, position, to_move, best_line, evaluation, key, best_move_text
});

/// One of the moves that are compared.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct MoveComparison {
    /// In canonical notation.
    pub r#move: String,
    /// Its value, from the same search as the other moves.
    pub evaluation: Evaluation,
    /// The best reply; empty if the move ends the game.
    pub reply: String,
    /// The expected line, starting with the move itself; up to the end of the game for a
    /// proven win or loss.
    pub line: Vec<String>,
    /// Index into `line` from which it differs from `bestLine`; null if it does not.
    #[cfg_attr(test, schema(required = true))]
    pub differs_at: Option<u32>,
    /// Verified facts. In games with the capability `threats`, a move that is proven
    /// worse than the best one may also have `block_missed` (another side already had a
    /// win in one, and the move does not stop it) and `undone_by` (the move threatens to
    /// win, and the reply stops that), with the cells of that win. Where nothing is
    /// proven, the only reason is `estimate`.
    pub reasons: Vec<MoveReason>,
    /// The move in a player's words, in the language of the request; empty if the game has
    /// none.
    pub move_text: String,
    /// The reply in words.
    pub reply_text: String,
}

message!(MoveComparison => MoveComparison {
    r#move, evaluation, reply, line, differs_at, reasons, move_text, reply_text
});

pub(crate) struct Call;

impl PositionCall for Call {
    type Body = ComparisonQuestion;
    type Question = CompareQuestion;
    type Found = Comparison;
    type Answer = ComparisonAnswer;

    fn question(game: String, question: ComparisonQuestion) -> CompareQuestion {
        CompareQuestion {
            spec: spec(game, question.variant, question.position, question.moves),
            limits: limits(question.limits),
            moves: question.compare_moves.unwrap_or_default(),
        }
    }

    fn limits(question: &CompareQuestion) -> Option<QuestionLimits> {
        Some(question.limits)
    }

    async fn ask(engine: &Arc<Engine>, question: &CompareQuestion, caller: Caller) -> Result<Comparison, EngineError> {
        engine.compare(question, caller).await
    }

    fn json(comparison: Comparison) -> ComparisonAnswer {
        let variant = &*comparison.variant;
        let compared = |it: ComparedMove| MoveComparison {
            r#move: it.mv,
            evaluation: evaluation(variant, &it.evaluation),
            reply: it.reply,
            line: it.line,
            differs_at: it.differs_at.map(index),
            reasons: reasons(it.reasons),
            move_text: it.mv_text,
            reply_text: it.reply_text,
        };
        ComparisonAnswer {
            comparisons: comparison.moves.into_iter().map(compared).collect(),
            best_move: comparison.best_move,
            position: comparison.position,
            to_move: seat_id(variant, comparison.to_move),
            best_line: comparison.best_line,
            evaluation: evaluation(variant, &comparison.evaluation),
            key: comparison.key.to_string(),
            best_move_text: comparison.best_move_text,
        }
    }
}

/// Compares moves
///
/// Gives the value of each, the best reply to it, where its line departs from the best
/// one, and why.
#[cfg_attr(test, utoipa::path(post, path = "/v1/games/{game}/compare", tag = "analysis", operation_id = "compare",
    params(("game" = String, Path, description = "Id of the game", example = "pentago")),
    request_body = ComparisonQuestion,
    responses((status = 200, description = "The moves", body = ComparisonAnswer), Failures, NotJson)))]
pub(crate) async fn post(
    State(app): State<Arc<App>>,
    context: RequestContext,
    Json(question): Json<ComparisonQuestion>,
) -> Result<Response, ApiError> {
    response::json(&context.answer::<Call>(&app, question).await?)
}
