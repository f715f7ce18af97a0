//! Analyze: hints that improve, as a stream.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use pentad_engine as engine;
use serde::Serialize;
#[cfg(test)]
use utoipa::ToSchema;

use super::hints::{self, HintsAnswer, HintsQuestion};
use super::wire::message;
use super::{AdmittedCaller, Method, PositionCall, StreamCall, Update, Updates};
use crate::app::App;
use crate::error::ApiError;
use crate::rest::Problem;
use crate::rest::body::Json;
#[cfg(test)]
use crate::rest::docs::document::{Failures, HintParams, NotJson};
use crate::rest::middleware::RequestContext;
use crate::rest::query::Params;

/// The hints found so far.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct AnalysisUpdate {
    /// As in the response of `hints`.
    #[serde(flatten)]
    pub hints: HintsAnswer,
    /// Whether this is the last update.
    pub r#final: bool,
}

message!(AnalysisUpdate => AnalyzeResponse { hints, r#final });

impl Update for AnalysisUpdate {
    fn event(&self) -> &'static str {
        if self.r#final { "final" } else { "update" }
    }
}

/// An event of a stream of `analysis`.
#[cfg_attr(test, derive(ToSchema))]
#[allow(dead_code, reason = "documentation only")]
pub(crate) struct AnalysisEvent {
    /// The kind of the event.
    event: AnalysisEventKind,
    /// Counts the updates; `end` for the last event.
    id: String,
    /// How long to wait before reconnecting, in milliseconds.
    retry: u32,
    /// JSON: an `AnalysisUpdate`, or the `Problem` of an `error`.
    #[cfg_attr(test, schema(schema_with = crate::rest::docs::document::event_data))]
    data: String,
}

/// The kind of an event.
#[derive(Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "lowercase")]
#[allow(dead_code, reason = "documentation only")]
pub(crate) enum AnalysisEventKind {
    /// The hints have improved.
    Update,
    /// The last update.
    Final,
    /// The analysis failed.
    Error,
}

/// One line of a stream of `analysis` in `application/x-ndjson`.
#[derive(Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(untagged)]
#[allow(dead_code, reason = "documentation only")]
pub(crate) enum AnalysisLine {
    /// The hints found so far.
    Update(AnalysisUpdate),
    /// The analysis failed; the last line.
    Error {
        /// Why.
        error: Problem,
    },
}

pub(crate) struct Call;

impl StreamCall for Call {
    const METHOD: Method = Method::Analyze;

    type Body = HintsQuestion;
    type Updates = engine::Analysis;

    async fn start(
        app: &App,
        admitted: AdmittedCaller,
        game: String,
        question: HintsQuestion,
    ) -> Result<engine::Analysis, ApiError> {
        let question = hints::Call::question(game, question);
        admitted.admission.admit_search(&app.engine, question.limits, &admitted.caller)?;
        Ok(app.engine.analyze(&question, admitted.caller).await?)
    }
}

impl Updates for engine::Analysis {
    type Update = AnalysisUpdate;

    async fn next_update(&mut self) -> Result<AnalysisUpdate, ApiError> {
        let Some(hints) = self.next().await else {
            return Err(ApiError::internal("an analysis ended without its last message"));
        };
        let hints = hints?;
        let r#final = hints.stop.is_some();
        Ok(AnalysisUpdate { hints: hints::Call::json(hints), r#final })
    }
}

/// The best moves, improving
///
/// Server-sent events: `update` for every improvement, then exactly one `final`; if the
/// analysis fails, the stream ends with `error` and a problem. A browser's `EventSource`
/// should be closed at `final` or `error`; if it reconnects instead, it gets 204 and
/// stops. With `Accept: application/x-ndjson`, JSON lines instead: the updates, the last
/// with `final` true, or a line `{"error": problem}`.
#[cfg_attr(test, utoipa::path(post, path = "/v1/games/{game}/analysis", tag = "analysis", operation_id = "analyze",
    params(("game" = String, Path, description = "Id of the game", example = "pentago")),
    request_body = HintsQuestion,
    responses((status = 200, description = "A stream", content(
        (AnalysisEvent = "text/event-stream"), (AnalysisLine = "application/x-ndjson"))), Failures, NotJson)))]
pub(crate) async fn post(
    State(app): State<Arc<App>>,
    context: RequestContext,
    Json(question): Json<HintsQuestion>,
) -> Result<Response, ApiError> {
    context.stream::<Call>(&app, question).await
}

/// The best moves, improving, for `EventSource`
#[cfg_attr(test, utoipa::path(get, path = "/v1/games/{game}/analysis", tag = "analysis", operation_id = "getAnalysis",
    params(("game" = String, Path, description = "Id of the game", example = "pentago"),
        crate::calls::position::PositionQuestion, crate::calls::limits::Limits, HintParams),
    responses((status = 200, description = "A stream", content(
        (AnalysisEvent = "text/event-stream"), (AnalysisLine = "application/x-ndjson"))),
        (status = 204, description = "The stream with this `Last-Event-ID` has ended"), Failures)))]
pub(crate) async fn get(
    State(app): State<Arc<App>>,
    context: RequestContext,
    params: Params,
) -> Result<Response, ApiError> {
    let question = params.hints()?;
    if context.stream.has_ended {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    context.stream::<Call>(&app, question).await
}
