//! Analyze: hints that improve, as a stream.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use pentad_engine as engine;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use utoipa::ToSchema;

use super::hints::{self, Detail, HintsAnswer, HintsQuestion};
use super::limits::Limits;
use super::wire::{message, question};
use super::{AdmittedCaller, Method, PositionCall, StreamCall, Update, Updates};
use crate::app::App;
use crate::error::ApiError;
use crate::rest::Problem;
use crate::rest::body::Json;
#[cfg(test)]
use crate::rest::docs::document::{AnalysisParams, Failures, HintParams, NotAcceptable, NotJson};
use crate::rest::middleware::RequestContext;
use crate::rest::query::Params;

/// Maximum number of updates in an answer that has all of them.
const UPDATES_MAX: usize = 100;

/// A position to find the best moves of, and how often to report them.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schema(example = json!({"moves": ["c3-2r"], "limits": {"timeMs": 500}, "reportIntervalMs": 100})))]
pub struct AnalysisQuestion {
    /// Id of the variant; the game's first by default.
    pub variant: Option<String>,
    /// Position in the game's notation; the start by default.
    pub position: Option<String>,
    /// Moves played from the position; none by default.
    pub moves: Option<Vec<String>>,
    /// Limits of the search.
    #[serde(default, deserialize_with = "crate::rest::body::object")]
    pub limits: Option<Limits>,
    /// As in a question for hints.
    #[cfg_attr(test, schema(minimum = 1, maximum = 1000))]
    pub count: Option<u32>,
    /// As in a question for hints.
    #[cfg_attr(test, schema(minimum = 1, maximum = 10))]
    pub level: Option<u32>,
    /// As in a question for hints.
    #[cfg_attr(test, schema(format = "uint64", maximum = 18_446_744_073_709_551_615_u64))]
    pub seed: Option<u64>,
    /// How much a hint reveals; everything by default.
    pub detail: Option<Detail>,
    /// Only these moves are considered.
    pub allow_moves: Option<Vec<String>>,
    /// These moves are not considered.
    pub avoid_moves: Option<Vec<String>>,
    /// As in a question for hints.
    pub policy: Option<bool>,
    /// At most one update per interval, the latest one; the first and the last are sent at
    /// once. Every improvement by default.
    #[cfg_attr(test, schema(format = "uint64", minimum = 1, maximum = 18_446_744_073_709_551_615_u64))]
    pub report_interval_ms: Option<u64>,
}

question!(AnalyzeRequest => AnalysisQuestion {
    variant, position, moves, limits, count, level, seed, detail, allow_moves, avoid_moves, policy, report_interval_ms
});

impl AnalysisQuestion {
    pub(crate) fn new(hints: HintsQuestion, report_interval_ms: Option<u64>) -> Self {
        let HintsQuestion { variant, position, moves, limits, count, level, seed, detail, .. } = hints;
        let HintsQuestion { allow_moves, avoid_moves, policy, .. } = hints;
        AnalysisQuestion {
            variant,
            position,
            moves,
            limits,
            count,
            level,
            seed,
            detail,
            allow_moves,
            avoid_moves,
            policy,
            report_interval_ms,
        }
    }

    fn into_hints(self) -> HintsQuestion {
        let AnalysisQuestion { variant, position, moves, limits, count, level, seed, detail, .. } = self;
        let AnalysisQuestion { allow_moves, avoid_moves, policy, .. } = self;
        HintsQuestion { variant, position, moves, limits, count, level, seed, detail, allow_moves, avoid_moves, policy }
    }
}

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
    type All = AnalysisAnswer;

    fn event(&self) -> &'static str {
        if self.r#final { "final" } else { "update" }
    }

    fn add_to(self, all: &mut AnalysisAnswer) {
        if self.r#final {
            all.r#final = Some(self.hints);
            return;
        }
        if all.updates.len() == UPDATES_MAX {
            all.updates.pop_front();
        }
        all.updates.push_back(self.hints);
    }
}

/// A whole analysis.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct AnalysisAnswer {
    /// The hints as they improved, up to the last 100 updates.
    #[cfg_attr(test, schema(value_type = Vec<HintsAnswer>))]
    pub updates: VecDeque<HintsAnswer>,
    /// The last hints.
    #[cfg_attr(test, schema(value_type = HintsAnswer))]
    pub r#final: Option<HintsAnswer>,
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

    type Body = AnalysisQuestion;
    type Updates = engine::Analysis;

    async fn start(
        app: &App,
        admitted: AdmittedCaller,
        game: String,
        question: AnalysisQuestion,
    ) -> Result<engine::Analysis, ApiError> {
        let report_interval_ms = question.report_interval_ms;
        if report_interval_ms == Some(0) {
            return Err(ApiError::bad_request("reportIntervalMs", "must be at least 1"));
        }
        let question = hints::Call::question(game, question.into_hints());
        admitted.admission.admit_search(&app.engine, question.limits, &admitted.caller)?;
        let analysis = app.engine.analyze(&question, admitted.caller).await?;
        Ok(analysis.with_report_interval(Duration::from_millis(report_interval_ms.unwrap_or_default())))
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
/// with `final` true, or a line `{"error": problem}`. With `Accept: application/json`, one
/// object with all updates, once the search is done.
#[cfg_attr(test, utoipa::path(post, path = "/v1/games/{game}/analysis", tag = "analysis", operation_id = "analyze",
    params(("game" = String, Path, description = "Id of the game", example = "pentago")),
    request_body = AnalysisQuestion,
    responses((status = 200, description = "A stream, or all of it", content(
        (AnalysisEvent = "text/event-stream"), (AnalysisLine = "application/x-ndjson"),
        (AnalysisAnswer = "application/json"))), Failures, NotAcceptable, NotJson)))]
pub(crate) async fn post(
    State(app): State<Arc<App>>,
    context: RequestContext,
    Json(question): Json<AnalysisQuestion>,
) -> Result<Response, ApiError> {
    context.stream::<Call>(&app, question).await
}

/// The best moves, improving, for `EventSource`
#[cfg_attr(test, utoipa::path(get, path = "/v1/games/{game}/analysis", tag = "analysis", operation_id = "getAnalysis",
    params(("game" = String, Path, description = "Id of the game", example = "pentago"),
        crate::calls::position::PositionQuestion, Limits, HintParams, AnalysisParams),
    responses((status = 200, description = "A stream, or all of it", content(
        (AnalysisEvent = "text/event-stream"), (AnalysisLine = "application/x-ndjson"),
        (AnalysisAnswer = "application/json"))), NotAcceptable,
        (status = 204, description = "The stream with this `Last-Event-ID` has ended"), Failures)))]
pub(crate) async fn get(
    State(app): State<Arc<App>>,
    context: RequestContext,
    params: Params,
) -> Result<Response, ApiError> {
    let question = params.analysis()?;
    if context.stream.has_ended {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    context.stream::<Call>(&app, question).await
}
