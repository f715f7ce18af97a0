//! Questions about one position. GET and POST ask the same; GET takes query
//! parameters, and its answers can be cached.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;

use super::answer::{self, Reuse};
use super::body::Json;
use super::docs::{Failures, HintParams};
use super::entry::Asked;
use super::query::Params;
use super::types::{
    EvaluationAnswer, EvaluationQuestion, HintsAnswer, HintsQuestion, Limits, MovesAnswer, MovesQuestion,
    PositionAnswer, PositionQuestion, StopReason,
};
use crate::app::App;
use crate::convert::json as convert;
use crate::error::ApiError;

type Answer = Result<Response, ApiError>;

/// What a position is
///
/// Its canonical text, whose turn it is, whether the game is over, which pieces
/// stand where.
#[utoipa::path(post, path = "/v1/games/{game}/position", tag = "positions",
    params(("game" = String, Path, description = "Id of the game", example = "pentago")),
    request_body = PositionQuestion, responses((status = 200, body = PositionAnswer), Failures))]
pub(super) async fn post_position(
    State(app): State<Arc<App>>,
    asked: Asked,
    Json(question): Json<PositionQuestion>,
) -> Answer {
    answer::json(&position(&app, asked, question).await?)
}

/// What a position is, with an ETag
#[utoipa::path(get, path = "/v1/games/{game}/position", tag = "positions",
    params(("game" = String, Path, description = "Id of the game", example = "pentago"), PositionQuestion),
    responses((status = 200, body = PositionAnswer), (status = 304, description = "As before"), Failures))]
pub(super) async fn get_position(State(app): State<Arc<App>>, asked: Asked, params: Params) -> Answer {
    let headers = asked.headers.clone();
    answer::cacheable(&headers, &position(&app, asked, params.position()?).await?, Reuse::Hour)
}

/// The legal moves
///
/// In canonical order, in pages.
#[utoipa::path(post, path = "/v1/games/{game}/legal-moves", tag = "positions",
    params(("game" = String, Path, description = "Id of the game", example = "pentago")),
    request_body = MovesQuestion, responses((status = 200, body = MovesAnswer), Failures))]
pub(super) async fn post_moves(
    State(app): State<Arc<App>>,
    asked: Asked,
    Json(question): Json<MovesQuestion>,
) -> Answer {
    answer::json(&moves(&app, asked, question).await?)
}

/// The legal moves, with an ETag
#[utoipa::path(get, path = "/v1/games/{game}/legal-moves", tag = "positions",
    params(("game" = String, Path, description = "Id of the game", example = "pentago"), MovesQuestion),
    responses((status = 200, body = MovesAnswer), (status = 304, description = "As before"), Failures))]
pub(super) async fn get_moves(State(app): State<Arc<App>>, asked: Asked, params: Params) -> Answer {
    let headers = asked.headers.clone();
    answer::cacheable(&headers, &moves(&app, asked, params.moves()?).await?, Reuse::Hour)
}

/// How good a position is
#[utoipa::path(post, path = "/v1/games/{game}/evaluation", tag = "analysis",
    params(("game" = String, Path, description = "Id of the game", example = "pentago")),
    request_body = EvaluationQuestion, responses((status = 200, body = EvaluationAnswer), Failures))]
pub(super) async fn post_evaluation(
    State(app): State<Arc<App>>,
    asked: Asked,
    Json(question): Json<EvaluationQuestion>,
) -> Answer {
    answer::json(&evaluation(&app, asked, question).await?)
}

/// How good a position is, with an ETag
#[utoipa::path(get, path = "/v1/games/{game}/evaluation", tag = "analysis",
    params(("game" = String, Path, description = "Id of the game", example = "pentago"), PositionQuestion, Limits),
    responses((status = 200, body = EvaluationAnswer), (status = 304, description = "As before"), Failures))]
pub(super) async fn get_evaluation(State(app): State<Arc<App>>, asked: Asked, params: Params) -> Answer {
    let headers = asked.headers.clone();
    answer::cacheable(&headers, &evaluation(&app, asked, params.evaluation()?).await?, Reuse::Minute)
}

/// The best moves
///
/// With what they are worth, the play expected to follow and why. A finished
/// game has none: `game_over`.
#[utoipa::path(post, path = "/v1/games/{game}/hints", tag = "analysis",
    params(("game" = String, Path, description = "Id of the game", example = "pentago")),
    request_body = HintsQuestion, responses((status = 200, body = HintsAnswer), Failures))]
pub(super) async fn post_hints(
    State(app): State<Arc<App>>,
    asked: Asked,
    Json(question): Json<HintsQuestion>,
) -> Answer {
    answer::json(&hints(&app, asked, question).await?)
}

/// The best moves, with an ETag
#[utoipa::path(get, path = "/v1/games/{game}/hints", tag = "analysis",
    params(("game" = String, Path, description = "Id of the game", example = "pentago"),
        PositionQuestion, Limits, HintParams),
    responses((status = 200, body = HintsAnswer), (status = 304, description = "As before"), Failures))]
pub(super) async fn get_hints(State(app): State<Arc<App>>, asked: Asked, params: Params) -> Answer {
    let headers = asked.headers.clone();
    let found = hints(&app, asked, params.hints()?).await?;
    let reuse = match found.stop_reason {
        Some(StopReason::Proven | StopReason::Time | StopReason::Nodes | StopReason::Depth) => Reuse::Minute,
        Some(StopReason::Deadline | StopReason::Load | StopReason::Shutdown) | None => Reuse::Never,
    };
    answer::cacheable_hints(&headers, &found, reuse)
}

async fn position(app: &App, asked: Asked, question: PositionQuestion) -> Result<PositionAnswer, ApiError> {
    let place = convert::position_question(asked.game, question);
    let found = app.engine.describe(&place, asked.caller).await?;
    Ok(convert::position_answer(app.variant(&place)?, found))
}

async fn moves(app: &App, asked: Asked, question: MovesQuestion) -> Result<MovesAnswer, ApiError> {
    let question = convert::moves_question(asked.game, question);
    Ok(convert::moves_answer(app.engine.legal_moves(&question, asked.caller).await?))
}

async fn evaluation(app: &App, asked: Asked, question: EvaluationQuestion) -> Result<EvaluationAnswer, ApiError> {
    let (place, limits) = convert::evaluation_question(asked.game, question);
    let found = app.engine.evaluate(&place, limits, asked.caller).await?;
    Ok(convert::evaluation_answer(app.variant(&place)?, found))
}

async fn hints(app: &App, asked: Asked, question: HintsQuestion) -> Result<HintsAnswer, ApiError> {
    let question = convert::hint_question(asked.game, question);
    let found = app.engine.hint(&question, asked.caller).await?;
    Ok(convert::hints_answer(app.variant(&question.place)?, found))
}
