//! Positions that one move wins.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use pentad_engine::Puzzles;

use super::body::Json;
use super::docs::{Failures, NotJson};
use super::middleware::RequestContext;
use super::stream::{self, Event, EventSource};
use super::types::{PuzzleEvent, PuzzleLine, PuzzleMessage, PuzzleQuestion};
use crate::app::App;
use crate::convert::json as convert;
use crate::error::ApiError;
use crate::quota_stream::QuotaStream;

/// Finds puzzles
///
/// Positions that exactly one distinct move wins in time, proven for every defence, from
/// a given game or from games that are played for it. Server-sent events: `puzzle` for
/// each, `progress` in between, then exactly one `final`; if the search fails, the stream
/// ends with `error` and a problem. With `Accept: application/x-ndjson`, JSON lines with
/// the same objects.
#[utoipa::path(post, path = "/v1/games/{game}/puzzles", tag = "analysis", operation_id = "findPuzzles",
    params(("game" = String, Path, description = "Id of the game", example = "pentago")),
    request_body = PuzzleQuestion,
    responses((status = 200, description = "A stream", content(
        (PuzzleEvent = "text/event-stream"), (PuzzleLine = "application/x-ndjson"))), Failures, NotJson))]
pub(super) async fn post(
    State(app): State<Arc<App>>,
    context: RequestContext,
    Json(question): Json<PuzzleQuestion>,
) -> Result<Response, ApiError> {
    let question = convert::puzzle_question(context.game.clone(), question);
    let (admission, caller) = (context.admission().clone(), context.caller);
    let puzzles = app.engine.puzzles(&question, caller.clone()).await?;
    Ok(stream::response(&context.headers, QuotaStream::new(&app.engine, admission, caller, puzzles)?))
}

impl EventSource for QuotaStream<Puzzles> {
    async fn next_event(&mut self) -> Result<Event, ApiError> {
        let update = self.next().await?;
        let message = convert::puzzle_message(self.variant(), update);
        let name = match message {
            PuzzleMessage::Puzzle(_) => "puzzle",
            PuzzleMessage::Progress(_) => "progress",
            PuzzleMessage::Final(_) => "final",
        };
        Ok(Event::new(name, &message))
    }
}
