//! Endpoints about one position. GET takes query parameters and its responses
//! can be cached; POST takes the same question as JSON.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;

use super::body::Json;
use super::docs::{Failures, HintParams, NotJson};
use super::middleware::RequestContext;
use super::query::Params;
use super::response::{self, CachePolicy};
use super::types::{
    Certainty, EvaluationAnswer, EvaluationQuestion, HintsAnswer, HintsQuestion, Limits, MovesAnswer, MovesQuestion,
    PositionAnswer, PositionQuestion, StopReason,
};
use crate::app::App;
use crate::convert::json as convert;
use crate::error::ApiError;

type HandlerResult = Result<Response, ApiError>;

/// Describes a position
///
/// Its canonical text, whose turn it is, whether the game is over, and where the
/// pieces are.
#[utoipa::path(post, path = "/v1/games/{game}/position", tag = "positions", operation_id = "describePosition",
    params(("game" = String, Path, description = "Id of the game", example = "pentago")),
    request_body = PositionQuestion,
    responses((status = 200, description = "The position", body = PositionAnswer), Failures, NotJson))]
pub(super) async fn post_position(
    State(app): State<Arc<App>>,
    context: RequestContext,
    Json(question): Json<PositionQuestion>,
) -> HandlerResult {
    response::json(&position(&app, context, question).await?)
}

/// Describes a position, with an ETag
#[utoipa::path(get, path = "/v1/games/{game}/position", tag = "positions", operation_id = "getPosition",
    params(("game" = String, Path, description = "Id of the game", example = "pentago"), PositionQuestion),
    responses((status = 200, description = "The position", body = PositionAnswer),
        (status = 304, description = "Not modified"), Failures))]
pub(super) async fn get_position(
    State(app): State<Arc<App>>,
    context: RequestContext,
    params: Params,
) -> HandlerResult {
    let headers = context.headers.clone();
    response::cacheable_words(&headers, &position(&app, context, params.position()?).await?, CachePolicy::Hour)
}

/// The legal moves
///
/// In canonical order, page by page.
#[utoipa::path(post, path = "/v1/games/{game}/legal-moves", tag = "positions", operation_id = "listLegalMoves",
    params(("game" = String, Path, description = "Id of the game", example = "pentago")),
    request_body = MovesQuestion,
    responses((status = 200, description = "A page of moves", body = MovesAnswer), Failures, NotJson))]
pub(super) async fn post_moves(
    State(app): State<Arc<App>>,
    context: RequestContext,
    Json(question): Json<MovesQuestion>,
) -> HandlerResult {
    response::json(&moves(&app, context, question).await?)
}

/// The legal moves, with an ETag
#[utoipa::path(get, path = "/v1/games/{game}/legal-moves", tag = "positions", operation_id = "getLegalMoves",
    params(("game" = String, Path, description = "Id of the game", example = "pentago"), MovesQuestion),
    responses((status = 200, description = "A page of moves", body = MovesAnswer),
        (status = 304, description = "Not modified"), Failures))]
pub(super) async fn get_moves(State(app): State<Arc<App>>, context: RequestContext, params: Params) -> HandlerResult {
    let headers = context.headers.clone();
    response::cacheable(&headers, &moves(&app, context, params.moves()?).await?, CachePolicy::Hour)
}

/// Evaluates a position
#[utoipa::path(post, path = "/v1/games/{game}/evaluation", tag = "analysis", operation_id = "evaluate",
    params(("game" = String, Path, description = "Id of the game", example = "pentago")),
    request_body = EvaluationQuestion,
    responses((status = 200, description = "The evaluation", body = EvaluationAnswer), Failures, NotJson))]
pub(super) async fn post_evaluation(
    State(app): State<Arc<App>>,
    context: RequestContext,
    Json(question): Json<EvaluationQuestion>,
) -> HandlerResult {
    response::json(&evaluation(&app, context, question).await?)
}

/// Evaluates a position, with an ETag
#[utoipa::path(get, path = "/v1/games/{game}/evaluation", tag = "analysis", operation_id = "getEvaluation",
    params(("game" = String, Path, description = "Id of the game", example = "pentago"), PositionQuestion, Limits),
    responses((status = 200, description = "The evaluation", body = EvaluationAnswer),
        (status = 304, description = "Not modified"), Failures))]
pub(super) async fn get_evaluation(
    State(app): State<Arc<App>>,
    context: RequestContext,
    params: Params,
) -> HandlerResult {
    let headers = context.headers.clone();
    let answer = evaluation(&app, context, params.evaluation()?).await?;
    let policy = match answer.evaluation.certainty {
        Certainty::Proven => CachePolicy::Proven,
        Certainty::Estimate => CachePolicy::Minute,
    };
    response::cacheable(&headers, &answer, policy)
}

/// The best moves
///
/// With their values, expected lines and reasons. For a finished game the error
/// is `game_over`.
#[utoipa::path(post, path = "/v1/games/{game}/hints", tag = "analysis", operation_id = "hint",
    params(("game" = String, Path, description = "Id of the game", example = "pentago")),
    request_body = HintsQuestion,
    responses((status = 200, description = "The hints", body = HintsAnswer), Failures, NotJson))]
pub(super) async fn post_hints(
    State(app): State<Arc<App>>,
    context: RequestContext,
    Json(question): Json<HintsQuestion>,
) -> HandlerResult {
    response::json(&hints(&app, context, question).await?)
}

/// The best moves, with an ETag
#[utoipa::path(get, path = "/v1/games/{game}/hints", tag = "analysis", operation_id = "getHints",
    params(("game" = String, Path, description = "Id of the game", example = "pentago"),
        PositionQuestion, Limits, HintParams),
    responses((status = 200, description = "The hints", body = HintsAnswer),
        (status = 304, description = "Not modified"), Failures))]
pub(super) async fn get_hints(State(app): State<Arc<App>>, context: RequestContext, params: Params) -> HandlerResult {
    let headers = context.headers.clone();
    let question = convert::hint_question(context.game.clone(), params.hints()?);
    context.admit_search(&app, question.limits)?;
    let answer = convert::hints_answer(app.engine.hint(&question, context.caller).await?);
    let policy = match answer.stop_reason {
        _ if question.is_random() => CachePolicy::Never,
        Some(StopReason::Proven) if question.is_full_strength() => CachePolicy::Proven,
        Some(StopReason::Proven | StopReason::Time | StopReason::Nodes | StopReason::Depth) => CachePolicy::Minute,
        Some(StopReason::Deadline | StopReason::Load | StopReason::Shutdown) | None => CachePolicy::Never,
    };
    response::cacheable_hints(&headers, &answer, policy)
}

async fn position(app: &App, context: RequestContext, question: PositionQuestion) -> Result<PositionAnswer, ApiError> {
    let spec = convert::position_question(context.game, question);
    let description = app.engine.describe(&spec, context.caller).await?;
    Ok(convert::position_answer(description))
}

async fn moves(app: &App, context: RequestContext, question: MovesQuestion) -> Result<MovesAnswer, ApiError> {
    let question = convert::moves_question(context.game, question);
    Ok(convert::moves_answer(app.engine.legal_moves(&question, context.caller).await?))
}

async fn evaluation(
    app: &App,
    context: RequestContext,
    question: EvaluationQuestion,
) -> Result<EvaluationAnswer, ApiError> {
    let (spec, limits) = convert::evaluation_question(context.game.clone(), question);
    context.admit_search(app, limits)?;
    let value = app.engine.evaluate(&spec, limits, context.caller).await?;
    Ok(convert::evaluation_answer(value))
}

async fn hints(app: &App, context: RequestContext, question: HintsQuestion) -> Result<HintsAnswer, ApiError> {
    let question = convert::hint_question(context.game.clone(), question);
    context.admit_search(app, question.limits)?;
    let hints = app.engine.hint(&question, context.caller).await?;
    Ok(convert::hints_answer(hints))
}
