//! Moves side by side.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;

use super::body::Json;
use super::docs::{Failures, NotJson};
use super::middleware::RequestContext;
use super::response;
use super::types::{ComparisonAnswer, ComparisonQuestion};
use crate::app::App;
use crate::convert::json as convert;
use crate::error::ApiError;

/// Compares moves
///
/// What each is worth, what answers it, where it parts from the best play, and why.
#[utoipa::path(post, path = "/v1/games/{game}/compare", tag = "analysis", operation_id = "compare",
    params(("game" = String, Path, description = "Id of the game", example = "pentago")),
    request_body = ComparisonQuestion,
    responses((status = 200, description = "The moves", body = ComparisonAnswer), Failures, NotJson))]
pub(super) async fn post(
    State(app): State<Arc<App>>,
    context: RequestContext,
    Json(question): Json<ComparisonQuestion>,
) -> Result<Response, ApiError> {
    let question = convert::comparison_question(context.game.clone(), question);
    context.admit_search(&app, question.limits)?;
    let comparison = app.engine.compare(&question, context.caller).await?;
    response::json(&convert::comparison_answer(comparison))
}
