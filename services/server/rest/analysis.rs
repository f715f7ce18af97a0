//! Streaming analysis: server-sent events, or JSON lines.
//!
//! Closing the connection drops the stream, and that stops the search.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::{FutureExt, Stream, stream};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use pentad_engine as engine;
use serde::Serialize;

use super::body::Json;
use super::docs::{Failures, HintParams, NotJson};
use super::middleware::{RequestContext, StreamOutcome};
use super::problem::Problem;
use super::query::Params;
use super::types::{AnalysisEvent, AnalysisLine, AnalysisUpdate, HintsQuestion, Limits, PositionQuestion};
use crate::app::App;
use crate::convert::json as convert;
use crate::error::ApiError;
use crate::request_id;

/// The id of the last event of a stream, which `EventSource` sends when it
/// reconnects.
const LAST_EVENT_ID: &str = "end";
/// How long `EventSource` waits before it reconnects after a broken connection.
const RETRY_MS: u32 = 3_000;

/// Interval of comments on an idle event stream, below usual proxy timeouts.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(15);

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
    let format = StreamFormat::negotiate(&context.headers);
    let request_id = context.headers.get(request_id::HEADER).map(request_id::as_str).unwrap_or_default().to_owned();
    let question = convert::hint_question(context.game.clone(), question);
    context.admit_search(&app, question.limits)?;
    let analysis = app.engine.analyze(&question, context.caller).await?;
    let outcome = StreamOutcome::default();
    let first = next_update(analysis);
    let updates = Updates { next: first, format, n_sent: 0, request_id, outcome: outcome.clone() };
    let mut response = Response::new(Body::from_stream(updates.frames()));
    response.extensions_mut().insert(outcome);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(format.content_type()));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // Keeps nginx from buffering the events.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(response)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StreamFormat {
    ServerSentEvents,
    JsonLines,
}

impl StreamFormat {
    fn negotiate(headers: &HeaderMap) -> StreamFormat {
        let accepts = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
        let mut kinds =
            accepts.flat_map(|value| value.split(',')).map(|kind| kind.split(';').next().unwrap_or("").trim());
        if kinds.any(|kind| kind.eq_ignore_ascii_case("application/x-ndjson")) {
            StreamFormat::JsonLines
        } else {
            StreamFormat::ServerSentEvents
        }
    }

    fn content_type(self) -> &'static str {
        match self {
            StreamFormat::ServerSentEvents => "text/event-stream",
            StreamFormat::JsonLines => "application/x-ndjson",
        }
    }

    fn frame<T: Serialize>(self, event: &str, id: &str, value: &T) -> Bytes {
        // Serialising our own types cannot fail.
        let json = serde_json::to_string(value).unwrap_or_default();
        match self {
            StreamFormat::ServerSentEvents => {
                format!("event: {event}\nid: {id}\nretry: {RETRY_MS}\ndata: {json}\n\n").into()
            }
            StreamFormat::JsonLines if event == "error" => format!("{{\"error\":{json}}}\n").into(),
            StreamFormat::JsonLines => format!("{json}\n").into(),
        }
    }
}

/// The next update, and the analysis for those after it.
type NextUpdate = Pin<Box<dyn Future<Output = (engine::Analysis, Result<AnalysisUpdate, ApiError>)> + Send>>;

fn next_update(mut analysis: engine::Analysis) -> NextUpdate {
    Box::pin(async move {
        let update = match AssertUnwindSafe(analysis.next()).catch_unwind().await {
            Ok(Some(hints)) => hints.map(convert::analysis_update).map_err(ApiError::from),
            Ok(None) => Err(ApiError::internal("an analysis ended without a final update")),
            Err(panic) => Err(ApiError::from_panic(panic)),
        };
        (analysis, update)
    })
}

struct Updates {
    /// Kept across keep-alives: dropping it could lose an update.
    next: NextUpdate,
    format: StreamFormat,
    n_sent: u64,
    request_id: String,
    outcome: StreamOutcome,
}

impl Updates {
    fn frames(self) -> impl Stream<Item = Result<Bytes, Infallible>> {
        stream::unfold(Some(self), async |updates| {
            let (frame, updates) = updates?.next_frame().await;
            Some((Ok(frame), updates))
        })
    }

    async fn next_frame(mut self) -> (Bytes, Option<Updates>) {
        let (analysis, update) = match self.format {
            StreamFormat::ServerSentEvents => match tokio::time::timeout(KEEP_ALIVE_INTERVAL, &mut self.next).await {
                Ok(next) => next,
                Err(_) => return (Bytes::from_static(b": keep-alive\n\n"), Some(self)),
            },
            StreamFormat::JsonLines => (&mut self.next).await,
        };
        match update {
            Ok(update) if update.r#final => (self.format.frame("final", LAST_EVENT_ID, &update), None),
            Ok(update) => {
                self.next = next_update(analysis);
                self.n_sent += 1;
                (self.format.frame("update", &self.n_sent.to_string(), &update), Some(self))
            }
            Err(error) => (self.error_frame(error), None),
        }
    }

    fn error_frame(&self, error: ApiError) -> Bytes {
        let error = error.redacted();
        let frame = self.format.frame("error", LAST_EVENT_ID, &Problem::new(&error, &self.request_id));
        // It is set at most once: an error ends the stream.
        let _ = self.outcome.0.set(error);
        frame
    }
}
