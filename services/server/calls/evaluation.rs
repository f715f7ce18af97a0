//! Evaluate: the value of a position, and evaluations in the answers of other calls.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use pentad_engine::{Caller, Engine, EngineError, PositionSpec, PositionValue, QuestionLimits};
use pentad_host::Variant;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use utoipa::ToSchema;

use super::PositionCall;
use super::limits::{Limits, limits};
use super::position::spec;
use super::wire::{Keyed, message, question, scores, seat_id, wire_enum};
use crate::app::App;
use crate::error::ApiError;
use crate::rest::body::Json;
#[cfg(test)]
use crate::rest::docs::document::{Failures, NotJson};
use crate::rest::middleware::RequestContext;
use crate::rest::query::Params;
use crate::rest::response;

/// A position to evaluate.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schema(example = json!({"moves": ["c3-2r"], "limits": {"timeMs": 500}})))]
pub struct EvaluationQuestion {
    /// Id of the variant; the game's first by default.
    pub variant: Option<String>,
    /// Position in the game's notation; the start by default.
    pub position: Option<String>,
    /// Moves played from the position; none by default.
    pub moves: Option<Vec<String>>,
    /// Limits of the search.
    #[serde(default, deserialize_with = "crate::rest::body::object")]
    pub limits: Option<Limits>,
}

question!(EvaluateRequest => EvaluationQuestion { variant, position, moves, limits });

/// The evaluation of a position.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct EvaluationAnswer {
    /// The value of the position.
    pub evaluation: Evaluation,
    /// The position after `moves`, in canonical form.
    pub position: String,
    /// Id of the seat whose turn it is, or would be.
    pub to_move: String,
    /// As in the response of `position`.
    pub key: String,
}

message!(EvaluationAnswer => EvaluateResponse { evaluation, position, to_move, key });

/// The value of a position or move. An estimate never contradicts a proof.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, schema(example = json!({"certainty": "proven", "outcome": "win", "pliesToEnd": 3,
    "scores": {"w": 1.0, "b": 0.0}, "source": "search", "depth": 3})))]
pub struct Evaluation {
    /// Whether the value is proven.
    pub certainty: Certainty,
    /// For the side to move, where the game has two sides and the value is
    /// proven; null otherwise.
    #[cfg_attr(test, schema(required = true))]
    pub outcome: Option<Outcome>,
    /// Plies to the end of the game with best play, where known.
    #[cfg_attr(test, schema(required = true))]
    pub plies_to_end: Option<u32>,
    /// Expected score of every seat, 0 to 1, by seat id, independent of whose
    /// turn it is.
    #[cfg_attr(test, schema(value_type = std::collections::BTreeMap<String, f64>))]
    pub scores: Keyed<f64>,
    /// Where the value comes from.
    pub source: Source,
    /// Search depth in plies.
    pub depth: u32,
}

message!(Evaluation => Evaluation { certainty, outcome, plies_to_end, scores, source, depth });

/// Whether a value is proven.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// True whatever the opponents do.
    Proven,
    /// The best estimate within the limits.
    Estimate,
}

wire_enum!(Certainty, pentad_model::Certainty => Proven, Estimate);

/// The result for the side to move.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Outcome {
    Win,
    Draw,
    Loss,
}

wire_enum!(Outcome, pentad_model::Wdl => Win, Draw, Loss);

/// Where a value comes from.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The game is over.
    Terminal,
    /// An opening book: exact values where proven, otherwise a move preferred by results of games.
    Book,
    /// An exact solver.
    Solver,
    /// A search.
    Search,
    /// A static evaluation, without a search.
    Static,
}

wire_enum!(Source, pentad_model::Source => Terminal, Book, Solver, Search, Static);

/// An evaluation with its scores by seat id.
pub(super) fn evaluation(variant: &Variant, evaluation: &pentad_model::Evaluation) -> Evaluation {
    Evaluation {
        certainty: evaluation.certainty.into(),
        outcome: evaluation.outcome.map(Into::into),
        plies_to_end: evaluation.plies_to_end,
        scores: scores(variant, &evaluation.scores),
        source: evaluation.source.into(),
        depth: evaluation.depth,
    }
}

pub(crate) struct Call;

impl PositionCall for Call {
    type Body = EvaluationQuestion;
    type Question = (PositionSpec, QuestionLimits);
    type Found = PositionValue;
    type Answer = EvaluationAnswer;

    fn question(game: String, question: EvaluationQuestion) -> Self::Question {
        (spec(game, question.variant, question.position, question.moves), limits(question.limits))
    }

    fn limits((_, limits): &Self::Question) -> Option<QuestionLimits> {
        Some(*limits)
    }

    async fn ask(
        engine: &Arc<Engine>,
        (spec, limits): &Self::Question,
        caller: Caller,
    ) -> Result<PositionValue, EngineError> {
        engine.evaluate(spec, *limits, caller).await
    }

    fn json(value: PositionValue) -> EvaluationAnswer {
        let variant = &*value.variant;
        EvaluationAnswer {
            evaluation: evaluation(variant, &value.evaluation),
            to_move: seat_id(variant, value.to_move),
            position: value.position,
            key: value.key.to_string(),
        }
    }
}

/// Evaluates a position
#[cfg_attr(test, utoipa::path(post, path = "/v1/games/{game}/evaluation", tag = "analysis", operation_id = "evaluate",
    params(("game" = String, Path, description = "Id of the game", example = "pentago")),
    request_body = EvaluationQuestion,
    responses((status = 200, description = "The evaluation", body = EvaluationAnswer), Failures, NotJson)))]
pub(crate) async fn post(
    State(app): State<Arc<App>>,
    context: RequestContext,
    Json(question): Json<EvaluationQuestion>,
) -> Result<Response, ApiError> {
    response::json(&context.answer::<Call>(&app, question).await?)
}

/// Evaluates a position, with an ETag
#[cfg_attr(test, utoipa::path(get, path = "/v1/games/{game}/evaluation", tag = "analysis", operation_id = "getEvaluation",
    params(("game" = String, Path, description = "Id of the game", example = "pentago"), crate::calls::position::PositionQuestion, Limits),
    responses((status = 200, description = "The evaluation", body = EvaluationAnswer),
        (status = 304, description = "Not modified"), Failures)))]
pub(crate) async fn get(
    State(app): State<Arc<App>>,
    context: RequestContext,
    params: Params,
) -> Result<Response, ApiError> {
    let answer = context.answer::<Call>(&app, params.evaluation()?).await?;
    response::cacheable(&context, &answer)
}
