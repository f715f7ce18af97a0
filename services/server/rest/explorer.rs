//! What is known of the moves of a position.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;

use super::body::Json;
use super::docs::{Failures, NotJson};
use super::middleware::RequestContext;
use super::response;
use super::types::{ExplorationAnswer, ExplorationQuestion};
use crate::app::App;
use crate::convert::json as convert;
use crate::error::ApiError;

/// Explores a position
///
/// What is known of each different move: recorded games, their results, the best known value. Nothing is searched: the rules
/// give static values or those of a book, the server's cache and its store what earlier searches found, and the store
/// the games that were recorded (`pentad selfplay`, `pentad import`).
#[utoipa::path(post, path = "/v1/games/{game}/explorer", tag = "positions", operation_id = "explore",
    params(("game" = String, Path, description = "Id of the game", example = "pentago")),
    request_body = ExplorationQuestion,
    responses((status = 200, description = "The moves", body = ExplorationAnswer), Failures, NotJson))]
pub(super) async fn post(
    State(app): State<Arc<App>>,
    context: RequestContext,
    Json(question): Json<ExplorationQuestion>,
) -> Result<Response, ApiError> {
    let question = convert::exploration_question(context.game.clone(), question);
    let exploration = app.engine.explore(&question, context.caller).await?;
    response::json(&convert::exploration_answer(exploration))
}
