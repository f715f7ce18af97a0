//! `POST /v1/batch`: lines of JSON in and out.
//!
//! Closing the connection drops the stream, and that cancels the unanswered questions.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use axum::extract::{Request, State};
use axum::response::Response;
use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};
use http::{HeaderMap, HeaderValue, header};
use serde::Serialize;
#[cfg(test)]
use utoipa::ToSchema;

use crate::app::App;
use crate::batch::{Batch, BatchContext, ndjson};
use crate::calls::{AdmittedCaller, Method};
use crate::error::ApiError;
use crate::request_id;
use crate::rest::Problem;
use crate::rest::body::{check_media_type_of, check_no_query};
#[cfg(test)]
use crate::rest::docs::document::{Failures, NotJson};
use crate::rest::middleware::{RequestContext, StreamOutcome};

/// Media types of JSON lines; curl and others send them as JSON.
const MEDIA_TYPES: [&str; 4] = ["application/x-ndjson", "application/ndjson", "application/jsonl", "application/json"];

/// Many questions in one request
///
/// One question per line: `id` (up to 256 bytes, different for all unanswered questions),
/// `kind` (`position`, `legal-moves`, `evaluation`, `hints`, `compare`, `threats`,
/// `judge`), `game`, optionally `priority` (`low`, `normal`, `high`), and the fields that
/// the call of this kind takes. `judge` takes a `JudgeQuestion`, answers with a
/// `JudgeAnswer` and exists in batches only. `{"cancel": id}` cancels a question.
///
/// Each answer is a line, sent as soon as it is found, while the body is still being
/// read: `{"id", "answer"}` or `{"id", "line", "error"}` with a problem, and
/// `{"cancelled": id}`. `{"progress"}` has the counts so far; the last line is
/// `{"done"}`, exactly once. The server stops reading while many questions are unanswered
/// or the answers are not read, so clients must read while they send. Questions wait
/// while the server is busy or the quota is used up.
///
/// The time limit of a question counts from the start of its search; questions outside
/// batches go first.
#[cfg_attr(test, utoipa::path(post, path = "/v1/batch", tag = "batch", operation_id = "batch",
    request_body(content = String, content_type = "application/x-ndjson", description = "Questions, a line of JSON each",
        example = "{\"id\": \"1\", \"kind\": \"hints\", \"game\": \"pentago\", \"moves\": [\"c3-2r\"], \"limits\": {\"nodes\": 1000}}\n"),
    responses((status = 200, description = "A stream of lines", body = BatchLine, content_type = "application/x-ndjson"),
        Failures, NotJson)))]
pub(crate) async fn post(
    State(app): State<Arc<App>>,
    context: RequestContext,
    request: Request,
) -> Result<Response, ApiError> {
    let (parts, body) = request.into_parts();
    check_no_query(&parts.uri)?;
    check_media_type_of(&parts.headers, |essence| MEDIA_TYPES.contains(&essence))?;
    let (AdmittedCaller { caller, admission }, request_id) = (context.admitted, context.stream.request_id);
    let config = app.config();
    let place = app.streams.begin(Method::Batch, caller.key, &config)?;
    let telemetry = Arc::clone(&app.telemetry);
    let idle_timeout = Duration::from_millis(config.body_timeout_ms);
    let context = BatchContext {
        engine: Arc::clone(&app.engine),
        window: config.batch_window,
        idle_timeout: Some(idle_timeout),
        deadline: None,
        caller: caller.key,
        language: caller.language,
        skips_cache: caller.skips_cache,
        trace: caller.trace,
        reservation: Some(admission.reservation),
        count: Box::new(move |kind, result| telemetry.count_batch_item(kind, result)),
    };
    let pieces = pieces(body, &parts.headers, idle_timeout).await?;
    let inputs = ndjson::inputs(pieces, config.body_bytes_max);
    let outputs = Batch::new(context, inputs, Box::pin(app.closing())).outputs();
    let lines = outputs.map(move |output| {
        // The batch has its place until its stream ends or is dropped.
        let _place = &place;
        Ok::<_, Infallible>(Bytes::from(ndjson::line(output, request_id::as_str(&request_id))))
    });
    let mut response = Response::new(Body::from_stream(lines));
    response.extensions_mut().insert(StreamOutcome::default());
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // Keeps nginx from buffering the lines.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(response)
}

/// The body as it arrives. A client that waits for `100 Continue` gets it only once the
/// body is read, so the first piece is read before the response.
async fn pieces(
    body: Body,
    headers: &HeaderMap,
    idle_timeout: Duration,
) -> Result<impl Stream<Item = Result<Bytes, ApiError>> + Send + Unpin + use<>, ApiError> {
    let mut data: BodyDataStream = body.into_data_stream();
    let mut first = None;
    if headers.contains_key(header::EXPECT) {
        let timed_out = |_| ApiError::body_timeout(idle_timeout.as_millis() as u64);
        first = tokio::time::timeout(idle_timeout, data.next()).await.map_err(timed_out)?;
    }
    let unreadable = |error| ApiError::bad_request("", format!("cannot read the body: {error}"));
    Ok(stream::iter(first).chain(data).map(move |piece| piece.map_err(unreadable)))
}

/// One line of the response to a batch.
#[derive(Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(untagged)]
#[allow(dead_code, reason = "documentation only")]
pub(crate) enum BatchLine {
    /// The answer to a question.
    Answer {
        /// As in the question.
        id: String,
        /// As the call of the question's kind answers.
        #[cfg_attr(test, schema(value_type = Object))]
        answer: serde_json::Value,
    },
    /// Why a question has no answer. The stream continues; if there is neither id nor
    /// line, no more is read.
    Error {
        /// As in the question, where one could be found.
        id: Option<String>,
        /// The line of the question, from 1.
        line: Option<u64>,
        /// Why.
        error: Problem,
    },
    /// A question was cancelled.
    Cancelled {
        /// Its id.
        cancelled: String,
    },
    /// Sent every second if it has changed, and every 15 seconds.
    Progress {
        /// Counts so far.
        progress: BatchProgress,
    },
    /// The last line.
    Done {
        /// Final counts.
        done: BatchDone,
    },
}

/// Progress of a batch.
#[derive(Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[allow(dead_code, reason = "documentation only")]
pub(crate) struct BatchProgress {
    answered: u64,
    failed: u64,
    cancelled: u64,
    /// Questions that are read and still unanswered.
    pending: u64,
}

/// How a batch ended.
#[derive(Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[allow(dead_code, reason = "documentation only")]
pub(crate) struct BatchDone {
    answered: u64,
    failed: u64,
    cancelled: u64,
    /// Whether the whole body was read. False if an error or a shutdown came first:
    /// unanswered questions may be sent again.
    complete: bool,
}
