//! Metrics, log line and span of every call, the same for both edges.
//!
//! A [`TrackedCall`] lives until its response is complete. If it is dropped
//! before that, the caller cancelled, which is not an error.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use http::{HeaderMap, HeaderValue, StatusCode};
use metrics::{Counter, Histogram, counter, histogram};
use opentelemetry::KeyValue;
use opentelemetry::global::BoxedSpan;
use opentelemetry::trace::{Span, Status};
use pentad_engine::{Trace, TraceId};
use tonic::Code;

use super::{Telemetry, spans};
use crate::error::{ApiError, Reason};
use crate::request_id;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    Grpc,
    Rest,
}

/// The RPC, also for its REST counterpart, and what only REST has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    ListGames,
    GetGame,
    DescribePosition,
    ListLegalMoves,
    Evaluate,
    Hint,
    Analyze,
    Diagram,
    /// Documentation, and unknown paths and RPCs.
    Other,
}

impl Method {
    const ALL: [Method; 9] = [
        Method::ListGames,
        Method::GetGame,
        Method::DescribePosition,
        Method::ListLegalMoves,
        Method::Evaluate,
        Method::Hint,
        Method::Analyze,
        Method::Diagram,
        Method::Other,
    ];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Method::ListGames => "ListGames",
            Method::GetGame => "GetGame",
            Method::DescribePosition => "DescribePosition",
            Method::ListLegalMoves => "ListLegalMoves",
            Method::Evaluate => "Evaluate",
            Method::Hint => "Hint",
            Method::Analyze => "Analyze",
            Method::Diagram => "Diagram",
            Method::Other => "other",
        }
    }

    pub(crate) fn from_rpc_name(name: &str) -> Method {
        Method::ALL.into_iter().find(|method| method.as_str() == name).unwrap_or(Method::Other)
    }

    fn has_game(self) -> bool {
        !matches!(self, Method::ListGames | Method::Other)
    }
}

/// Indexed by the numeric code.
const GRPC_CODES: [&str; 17] = [
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
];
/// Every status that is sent, and 499 for calls cancelled by the caller.
const HTTP_CODES: [&str; 14] =
    ["200", "499", "303", "304", "400", "404", "405", "413", "415", "422", "429", "500", "503", "504"];
/// Index of any other status.
const HTTP_OTHER: usize = GRPC_CODES.len() - 1;

/// Codes of failures on the server's side. Their series exist from the start, at
/// zero: `rate` would miss the first failure otherwise.
fn server_failures(protocol: Protocol) -> &'static [&'static str] {
    match protocol {
        Protocol::Grpc => &["RESOURCE_EXHAUSTED", "DEADLINE_EXCEEDED", "UNAVAILABLE", "INTERNAL"],
        Protocol::Rest => &["429", "504", "503", "500"],
    }
}

fn codes(protocol: Protocol) -> &'static [&'static str] {
    match protocol {
        Protocol::Grpc => &GRPC_CODES,
        Protocol::Rest => &HTTP_CODES,
    }
}

/// The same index in both lists.
const CANCELLED: usize = 1;

const RPC_SERVICE: &str = "pentad.v1.Analysis";
/// Codes that mark a span as failed, by OpenTelemetry's conventions.
const GRPC_FAILURES: [Code; 6] =
    [Code::Unknown, Code::DeadlineExceeded, Code::Unimplemented, Code::Internal, Code::Unavailable, Code::DataLoss];

/// Game index of calls without a game, and of those with an unknown one.
const NO_GAME: usize = 0;
const UNKNOWN_GAME: usize = 1;

pub(crate) struct RequestMetrics {
    /// `none`, `other`, then the games.
    games: Vec<String>,
    game_idxs: HashMap<String, usize>,
    /// Indexed by protocol, method and game; see [`series`](Self::series).
    series: Vec<OnceLock<Series>>,
    rejected: Vec<Counter>,
}

struct Series {
    duration: Histogram,
    codes: [OnceLock<Counter>; GRPC_CODES.len()],
}

impl RequestMetrics {
    /// Registers the expected series. Call it with the recorder set.
    pub(super) fn new(served: &[&str]) -> RequestMetrics {
        let mut games = vec!["none".to_owned(), "other".to_owned()];
        games.extend(served.iter().map(|game| (*game).to_owned()));
        let game_idxs = games.iter().cloned().enumerate().skip(2).map(|(idx, game)| (game, idx)).collect();
        let n_series = 2 * Method::ALL.len() * games.len();
        let rejected =
            Reason::ALL.iter().map(|reason| counter!("pentad_rejected_total", "reason" => reason.as_str())).collect();
        let requests =
            RequestMetrics { games, game_idxs, series: (0..n_series).map(|_| OnceLock::new()).collect(), rejected };
        for protocol in [Protocol::Grpc, Protocol::Rest] {
            for method in Method::ALL.into_iter().filter(|method| *method != Method::Other) {
                let games = if method.has_game() { 2..requests.games.len() } else { NO_GAME..NO_GAME + 1 };
                for game in games.filter(|_| protocol == Protocol::Rest || method != Method::Diagram) {
                    requests.counter(protocol, method, game, 0);
                    for name in server_failures(protocol) {
                        let code =
                            codes(protocol).iter().position(|code| code == name).expect("both lists have the code");
                        requests.counter(protocol, method, game, code);
                    }
                }
            }
        }
        requests
    }

    fn series(&self, protocol: Protocol, method: Method, game: usize) -> &Series {
        let idx = (protocol as usize * Method::ALL.len() + method as usize) * self.games.len() + game;
        self.series[idx].get_or_init(|| Series {
            duration: histogram!(
                "pentad_request_duration_seconds",
                "protocol" => protocol_name(protocol),
                "method" => method.as_str(),
                "game" => self.games[game].clone(),
            ),
            codes: Default::default(),
        })
    }

    fn counter(&self, protocol: Protocol, method: Method, game: usize, code: usize) -> &Counter {
        self.series(protocol, method, game).codes[code].get_or_init(|| {
            counter!(
                "pentad_requests_total",
                "protocol" => protocol_name(protocol),
                "method" => method.as_str(),
                "game" => self.games[game].clone(),
                "code" => code_name(protocol, code),
            )
        })
    }
}

/// One call, from its arrival until its response is complete.
#[derive(Debug)]
pub(crate) struct TrackedCall {
    telemetry: Arc<Telemetry>,
    protocol: Protocol,
    method: Method,
    game: usize,
    arrived: Instant,
    code: usize,
    request_id: HeaderValue,
    trace_id: TraceId,
    trace: Trace,
    /// `None` if the call is not sampled.
    sampled: Option<SampledCall>,
}

/// What only the span of a call needs.
#[derive(Debug)]
struct SampledCall {
    span: BoxedSpan,
    /// HTTP method and route template, for REST.
    http: Option<(&'static str, Option<String>)>,
    error: Option<Reason>,
}

impl TrackedCall {
    pub(crate) fn new(
        telemetry: &Arc<Telemetry>,
        protocol: Protocol,
        method: Method,
        request_id: HeaderValue,
        headers: &HeaderMap,
    ) -> TrackedCall {
        let telemetry = Arc::clone(telemetry);
        let arrived = Instant::now();
        let (trace_id, trace, span) = spans::start_call(telemetry.spans.get(), headers, method.as_str());
        let sampled = span.map(|span| SampledCall { span, http: None, error: None });
        TrackedCall {
            telemetry,
            protocol,
            method,
            game: NO_GAME,
            arrived,
            code: CANCELLED,
            request_id,
            trace_id,
            trace,
            sampled,
        }
    }

    /// For the span of a REST call.
    pub(crate) fn set_http(&mut self, method: &http::Method, route: Option<&str>) {
        if let Some(sampled) = &mut self.sampled {
            sampled.http = Some((http_method(method), route.map(str::to_owned)));
        }
    }

    /// An id that is not served counts as `other`.
    pub(crate) fn set_game(&mut self, game: &str) {
        self.game = self.telemetry.requests.game_idxs.get(game).copied().unwrap_or(UNKNOWN_GAME);
    }

    pub(crate) fn arrived(&self) -> Instant {
        self.arrived
    }

    /// For the engine's [`Caller`](pentad_engine::Caller).
    pub(crate) fn trace(&self) -> &Trace {
        &self.trace
    }

    pub(crate) fn request_id(&self) -> &str {
        request_id::as_str(&self.request_id)
    }

    /// Counts and logs the error; [`finish_grpc`](Self::finish_grpc) or
    /// [`finish_rest`](Self::finish_rest) still have to be called.
    pub(crate) fn record_error(&mut self, error: &ApiError) {
        error.log(self.request_id(), self.trace_id);
        let reason = error.mapping().reason;
        self.telemetry.requests.rejected[reason as usize].increment(1);
        if let Some(sampled) = &mut self.sampled {
            sampled.error = Some(reason);
        }
    }

    pub(crate) fn finish_grpc(mut self, code: Code) {
        self.code = code as usize;
    }

    pub(crate) fn finish_rest(mut self, status: StatusCode) {
        let idx = HTTP_CODES.iter().position(|code| *code == status.as_str());
        self.code = idx.unwrap_or(HTTP_OTHER);
    }

    fn end_span(&self, SampledCall { mut span, http, error }: SampledCall) {
        let mut attributes = vec![KeyValue::new("pentad.request_id", self.request_id().to_owned())];
        if self.game != NO_GAME {
            attributes.push(KeyValue::new("pentad.game", self.telemetry.requests.games[self.game].clone()));
        }
        if let Some(reason) = error {
            attributes.push(KeyValue::new("error.type", reason.as_str()));
        }
        let (name, is_failure) = match self.protocol {
            Protocol::Grpc => {
                attributes.push(KeyValue::new("rpc.system", "grpc"));
                attributes.push(KeyValue::new("rpc.service", RPC_SERVICE));
                attributes.push(KeyValue::new("rpc.method", self.method.as_str()));
                attributes.push(KeyValue::new("rpc.grpc.status_code", self.code as i64));
                let is_failure = GRPC_FAILURES.iter().any(|code| *code as usize == self.code);
                (format!("{RPC_SERVICE}/{}", self.method.as_str()), is_failure)
            }
            Protocol::Rest => {
                let (method, route) = http.unwrap_or(("_OTHER", None));
                attributes.push(KeyValue::new("http.request.method", method));
                let status: Option<i64> = code_name(self.protocol, self.code).parse().ok();
                attributes.extend(status.map(|status| KeyValue::new("http.response.status_code", status)));
                let name = route.as_ref().map_or_else(|| method.to_owned(), |route| format!("{method} {route}"));
                attributes.extend(route.map(|route| KeyValue::new("http.route", route)));
                (name, status.is_some_and(|status| status >= 500))
            }
        };
        span.update_name(name);
        span.set_attributes(attributes);
        if is_failure {
            span.set_status(Status::error(error.map_or("", Reason::as_str)));
        }
        span.end();
    }
}

impl Drop for TrackedCall {
    fn drop(&mut self) {
        let TrackedCall { protocol, method, game, code, .. } = *self;
        let took = self.arrived.elapsed();
        let requests = &self.telemetry.requests;
        // The first call of its kind registers its series.
        self.telemetry.with_recorder(|| {
            requests.counter(protocol, method, game, code).increment(1);
            requests.series(protocol, method, game).duration.record(took.as_secs_f64());
        });
        tracing::debug!(
            target: "pentad::call",
            request_id = self.request_id(),
            trace_id = %self.trace_id,
            protocol = protocol_name(protocol),
            method = method.as_str(),
            game = requests.games[game],
            code = code_name(protocol, code),
            took_us = took.as_micros() as u64,
            "call"
        );
        if let Some(sampled) = self.sampled.take() {
            self.end_span(sampled);
        }
    }
}

fn protocol_name(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Grpc => "grpc",
        Protocol::Rest => "rest",
    }
}

fn code_name(protocol: Protocol, code: usize) -> &'static str {
    codes(protocol).get(code).copied().unwrap_or("other")
}

/// From a closed set, by OpenTelemetry's conventions.
fn http_method(method: &http::Method) -> &'static str {
    match *method {
        http::Method::GET => "GET",
        http::Method::HEAD => "HEAD",
        http::Method::POST => "POST",
        http::Method::PUT => "PUT",
        http::Method::DELETE => "DELETE",
        http::Method::OPTIONS => "OPTIONS",
        http::Method::PATCH => "PATCH",
        http::Method::TRACE => "TRACE",
        http::Method::CONNECT => "CONNECT",
        _ => "_OTHER",
    }
}
