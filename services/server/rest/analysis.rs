//! Analysis as it grows: server-sent events, or lines of JSON.
//!
//! Closing the connection drops the stream, and that stops the search.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use bytes::Bytes;
use futures_util::{FutureExt, Stream, stream};
use http::{HeaderMap, HeaderValue, header};
use pentad_engine as engine;
use pentad_engine::Place;
use serde::Serialize;

use super::body::Json;
use super::docs::{Failures, HintParams};
use super::entry::{Asked, StreamEnd};
use super::problem::Problem;
use super::query::Params;
use super::types::{AnalysisUpdate, HintsQuestion, Limits, PositionQuestion};
use crate::app::App;
use crate::convert::json as convert;
use crate::error::ApiError;
use crate::request_id;

/// So often a silent stream shows that it lives, before proxies close it.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// The best moves, improving
///
/// Server-sent events: `update` for every improvement, then exactly one
/// `final`; a failure on the way ends the stream with `error` and a problem.
/// With `Accept: application/x-ndjson`, lines of JSON instead: the updates, the
/// last with `final` true, or a line `{"error": problem}`.
#[utoipa::path(post, path = "/v1/games/{game}/analysis", tag = "analysis",
    params(("game" = String, Path, description = "Id of the game", example = "pentago")),
    request_body = HintsQuestion,
    responses((status = 200, description = "A stream", content(
        (AnalysisUpdate = "text/event-stream"), (AnalysisUpdate = "application/x-ndjson"))), Failures))]
pub(super) async fn post(
    State(app): State<Arc<App>>,
    asked: Asked,
    Json(question): Json<HintsQuestion>,
) -> Result<Response, ApiError> {
    start(app, asked, question).await
}

/// The best moves, improving, for `EventSource`
#[utoipa::path(get, path = "/v1/games/{game}/analysis", tag = "analysis",
    params(("game" = String, Path, description = "Id of the game", example = "pentago"),
        PositionQuestion, Limits, HintParams),
    responses((status = 200, description = "A stream", content(
        (AnalysisUpdate = "text/event-stream"), (AnalysisUpdate = "application/x-ndjson"))), Failures))]
pub(super) async fn get(State(app): State<Arc<App>>, asked: Asked, params: Params) -> Result<Response, ApiError> {
    start(app, asked, params.hints()?).await
}

async fn start(app: Arc<App>, asked: Asked, question: HintsQuestion) -> Result<Response, ApiError> {
    let form = Form::of(&asked.headers);
    let request_id = asked.headers.get(request_id::HEADER).map(request_id::text).unwrap_or_default().to_owned();
    let question = convert::hint_question(asked.game, question);
    let analysis = app.engine.analyze(&question, asked.caller).await?;
    let end = StreamEnd::default();
    let first = next(Source { app, analysis, place: question.place });
    let updates = Updates { next: first, form, request_id, end: end.clone() };
    let mut response = Response::new(Body::from_stream(updates.frames()));
    response.extensions_mut().insert(end);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(form.content_type()));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // nginx would collect the events otherwise.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(response)
}

/// How updates are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Events,
    Lines,
}

impl Form {
    fn of(headers: &HeaderMap) -> Form {
        let accepts = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
        let mut kinds =
            accepts.flat_map(|value| value.split(',')).map(|kind| kind.split(';').next().unwrap_or("").trim());
        if kinds.any(|kind| kind.eq_ignore_ascii_case("application/x-ndjson")) { Form::Lines } else { Form::Events }
    }

    fn content_type(self) -> &'static str {
        match self {
            Form::Events => "text/event-stream",
            Form::Lines => "application/x-ndjson",
        }
    }

    fn frame<T: Serialize>(self, event: &str, value: &T) -> Bytes {
        // The types are ours and always JSON.
        let json = serde_json::to_string(value).unwrap_or_default();
        match self {
            Form::Events => format!("event: {event}\ndata: {json}\n\n").into(),
            Form::Lines if event == "error" => format!("{{\"error\":{json}}}\n").into(),
            Form::Lines => format!("{json}\n").into(),
        }
    }
}

/// What makes the updates.
struct Source {
    app: Arc<App>,
    analysis: engine::Analysis,
    place: Place,
}

impl Source {
    async fn next(&mut self) -> Result<AnalysisUpdate, ApiError> {
        match self.analysis.next().await {
            Some(found) => Ok(convert::analysis_update(self.app.variant(&self.place)?, found?)),
            None => Err(ApiError::internal("an analysis ended without a final answer")),
        }
    }
}

/// The next update, with what makes the ones after it.
type Next = Pin<Box<dyn Future<Output = (Source, Result<AnalysisUpdate, ApiError>)> + Send>>;

fn next(mut source: Source) -> Next {
    Box::pin(async move {
        let update = AssertUnwindSafe(source.next()).catch_unwind().await;
        (source, update.unwrap_or_else(|panic| Err(ApiError::panicked(panic))))
    })
}

/// A stream under way.
struct Updates {
    /// Kept over keep-alives: breaking it off could lose an update.
    next: Next,
    form: Form,
    request_id: String,
    end: StreamEnd,
}

impl Updates {
    fn frames(self) -> impl Stream<Item = Result<Bytes, Infallible>> {
        stream::unfold(Some(self), async |updates| {
            let (frame, updates) = updates?.next_frame().await;
            Some((Ok(frame), updates))
        })
    }

    async fn next_frame(mut self) -> (Bytes, Option<Updates>) {
        let (source, update) = match self.form {
            Form::Events => match tokio::time::timeout(KEEP_ALIVE, &mut self.next).await {
                Ok(next) => next,
                Err(_) => return (Bytes::from_static(b": keep-alive\n\n"), Some(self)),
            },
            Form::Lines => (&mut self.next).await,
        };
        match update {
            Ok(update) if update.is_final => (self.form.frame("final", &update), None),
            Ok(update) => {
                self.next = next(source);
                (self.form.frame("update", &update), Some(self))
            }
            Err(error) => (self.failed(error), None),
        }
    }

    fn failed(&self, error: ApiError) -> Bytes {
        let error = error.for_callers();
        let frame = self.form.frame("error", &Problem::new(&error, &self.request_id));
        // The stream ends once, so nothing is there yet.
        let _ = self.end.0.set(error);
        frame
    }
}
