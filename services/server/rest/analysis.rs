//! Streaming analysis.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use pentad_engine as engine;

use super::body::Json;
use super::docs::{Failures, HintParams, NotJson};
use super::middleware::RequestContext;
use super::query::Params;
use super::stream::{self, Event, EventSource, LAST_EVENT_ID};
use super::types::{AnalysisEvent, AnalysisLine, HintsQuestion, Limits, PositionQuestion};
use crate::app::App;
use crate::convert::json as convert;
use crate::error::ApiError;

/// The best moves, improving
///
/// Server-sent events: `update` for every improvement, then exactly one
/// `final`; if the analysis fails, the stream ends with `error` and a problem.
/// A browser's `EventSource` should be closed at `final` or `error`; if it
/// reconnects instead, it gets 204 and stops.
/// With `Accept: application/x-ndjson`, JSON lines instead: the updates, the last
/// with `final` true, or a line `{"error": problem}`.
#[utoipa::path(post, path = "/v1/games/{game}/analysis", tag = "analysis", operation_id = "analyze",
    params(("game" = String, Path, description = "Id of the game", example = "pentago")),
    request_body = HintsQuestion,
    responses((status = 200, description = "A stream", content(
        (AnalysisEvent = "text/event-stream"), (AnalysisLine = "application/x-ndjson"))), Failures, NotJson))]
pub(super) async fn post(
    State(app): State<Arc<App>>,
    context: RequestContext,
    Json(question): Json<HintsQuestion>,
) -> Result<Response, ApiError> {
    start(app, context, question).await
}

/// The best moves, improving, for `EventSource`
#[utoipa::path(get, path = "/v1/games/{game}/analysis", tag = "analysis", operation_id = "getAnalysis",
    params(("game" = String, Path, description = "Id of the game", example = "pentago"),
        PositionQuestion, Limits, HintParams),
    responses((status = 200, description = "A stream", content(
        (AnalysisEvent = "text/event-stream"), (AnalysisLine = "application/x-ndjson"))),
        (status = 204, description = "The stream with this `Last-Event-ID` has ended"), Failures))]
pub(super) async fn get(
    State(app): State<Arc<App>>,
    context: RequestContext,
    params: Params,
) -> Result<Response, ApiError> {
    let question = params.hints()?;
    if context.headers.get("last-event-id").is_some_and(|id| id == LAST_EVENT_ID) {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    start(app, context, question).await
}

async fn start(app: Arc<App>, context: RequestContext, question: HintsQuestion) -> Result<Response, ApiError> {
    let question = convert::hint_question(context.game.clone(), question);
    context.admit_search(&app, question.limits)?;
    let analysis = app.engine.analyze(&question, context.caller).await?;
    Ok(stream::response(&context.headers, analysis))
}

impl EventSource for engine::Analysis {
    async fn next_event(&mut self) -> Result<Event, ApiError> {
        let hints = self.next().await.unwrap_or_else(|| Err(stream::no_final_event("an analysis")))?;
        let update = convert::analysis_update(hints);
        Ok(Event::new(if update.r#final { "final" } else { "update" }, &update))
    }
}
