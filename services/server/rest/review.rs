//! A whole game, judged move by move.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use pentad_engine::Review;

use super::body::Json;
use super::docs::{Failures, NotJson};
use super::middleware::RequestContext;
use super::stream::{self, Event, EventSource};
use super::types::{ReviewEvent, ReviewLine, ReviewMessage, ReviewQuestion};
use crate::app::App;
use crate::convert::json as convert;
use crate::error::ApiError;
use crate::quota_stream::QuotaStream;

/// Reviews a game
///
/// Judges the moves from the last to the first. Server-sent events: `move` for every
/// move, `progress` after each, then exactly one `final` with the summary; if the review
/// fails, the stream ends with `error` and a problem. With `Accept:
/// application/x-ndjson`, JSON lines with the same objects.
#[utoipa::path(post, path = "/v1/games/{game}/review", tag = "analysis", operation_id = "review",
    params(("game" = String, Path, description = "Id of the game", example = "pentago")),
    request_body = ReviewQuestion,
    responses((status = 200, description = "A stream", content(
        (ReviewEvent = "text/event-stream"), (ReviewLine = "application/x-ndjson"))), Failures, NotJson))]
pub(super) async fn post(
    State(app): State<Arc<App>>,
    context: RequestContext,
    Json(question): Json<ReviewQuestion>,
) -> Result<Response, ApiError> {
    let question = convert::review_question(context.game.clone(), question);
    let (admission, caller) = (context.admission().clone(), context.caller);
    let review = app.engine.review(&question, caller.clone()).await?;
    Ok(stream::response(&context.headers, QuotaStream::new(&app.engine, admission, caller, review)?))
}

impl EventSource for QuotaStream<Review> {
    async fn next_event(&mut self) -> Result<Event, ApiError> {
        let update = self.next().await?;
        let message = convert::review_message(self.variant(), update);
        let name = match message {
            ReviewMessage::Move(_) => "move",
            ReviewMessage::Progress(_) => "progress",
            ReviewMessage::Summary(_) => "final",
        };
        Ok(Event::new(name, &message))
    }
}
