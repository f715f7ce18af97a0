//! Counts calls, on both edges alike.
//!
//! A [`Call`] lives as long as its answer is under way. One that is dropped
//! unfinished was cancelled by its caller, which is not an error.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use http::{HeaderValue, StatusCode};
use metrics::{Counter, Histogram, counter, histogram};
use opentelemetry::KeyValue;
use opentelemetry::trace::Status;
use pentad_engine::{Recorder, Trace, TraceId};
use tonic::Code;

use super::spans::{self, CallSpan};
use super::{Telemetry, TraceHeaders};
use crate::error::{ApiError, Reason};
use crate::request_id;

/// Which edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    Grpc,
    Rest,
}

/// What was called: the RPCs' names, also for REST, and what REST has besides.
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
    /// Documentation, and paths that do not exist.
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

    /// By the RPC's name.
    pub(crate) fn of_rpc(name: &str) -> Method {
        Method::ALL.into_iter().find(|method| method.as_str() == name).unwrap_or(Method::Other)
    }

    fn has_game(self) -> bool {
        !matches!(self, Method::ListGames | Method::Other)
    }
}

/// By the number of the code.
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
/// Every status that is given; 499 means that the caller did not wait.
const HTTP_CODES: [&str; 14] =
    ["200", "499", "303", "304", "400", "404", "405", "413", "415", "422", "429", "500", "503", "504"];
const HTTP_OTHER: usize = GRPC_CODES.len() - 1;

/// Codes of calls that fail for a reason of ours. They are there from the start,
/// at zero: a rate does not see the first one otherwise.
fn failures(protocol: Protocol) -> &'static [&'static str] {
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

/// The same place in both lists.
const CANCELLED: usize = 1;

/// As traces name it.
const RPC_SERVICE: &str = "pentad.v1.Analysis";
/// Codes that are the server's fault, in traces.
const GRPC_FAILURES: [Code; 6] =
    [Code::Unknown, Code::DeadlineExceeded, Code::Unimplemented, Code::Internal, Code::Unavailable, Code::DataLoss];

/// Calls that name no game, and calls that name one that is not served.
const NONE: usize = 0;
const OTHER: usize = 1;

/// The counters of all calls.
pub(crate) struct Requests {
    /// `none`, `other`, then the games.
    games: Vec<String>,
    game_idxs: HashMap<String, usize>,
    /// By protocol, method and game.
    series: Vec<OnceLock<Series>>,
    rejected: Vec<Counter>,
}

struct Series {
    duration: Histogram,
    codes: [OnceLock<Counter>; GRPC_CODES.len()],
}

impl Requests {
    /// Registers what is sure to be asked for. Call it under the recorder.
    pub(super) fn new(served: &[&str]) -> Requests {
        let mut games = vec!["none".to_owned(), "other".to_owned()];
        games.extend(served.iter().map(|game| (*game).to_owned()));
        let game_idxs = games.iter().cloned().enumerate().skip(2).map(|(idx, game)| (game, idx)).collect();
        let n_series = 2 * Method::ALL.len() * games.len();
        let rejected =
            Reason::ALL.iter().map(|reason| counter!("pentad_rejected_total", "reason" => reason.as_str())).collect();
        let requests =
            Requests { games, game_idxs, series: (0..n_series).map(|_| OnceLock::new()).collect(), rejected };
        for protocol in [Protocol::Grpc, Protocol::Rest] {
            for method in Method::ALL.into_iter().filter(|method| *method != Method::Other) {
                let games = if method.has_game() { 2..requests.games.len() } else { NONE..NONE + 1 };
                for game in games.filter(|_| protocol == Protocol::Rest || method != Method::Diagram) {
                    requests.counter(protocol, method, game, 0);
                    for name in failures(protocol) {
                        let code = codes(protocol).iter().position(|code| code == name).expect("a code of the list");
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

/// One call, from its arrival until its answer is complete.
#[derive(Debug)]
pub(crate) struct Call {
    telemetry: Arc<Telemetry>,
    protocol: Protocol,
    method: Method,
    game: usize,
    arrived: Instant,
    code: usize,
    request_id: HeaderValue,
    trace_id: TraceId,
    trace: Trace,
    /// If the call is recorded.
    span: Option<RecordedCall>,
}

/// What only the record of a call wants to know.
#[derive(Debug)]
struct RecordedCall {
    span: Arc<CallSpan>,
    /// The HTTP method and the path with its parameters' names, of REST.
    http: Option<(&'static str, Option<String>)>,
    refused: Option<Reason>,
}

impl Call {
    pub(crate) fn new(
        telemetry: &Arc<Telemetry>,
        protocol: Protocol,
        method: Method,
        request_id: HeaderValue,
        headers: &TraceHeaders,
    ) -> Call {
        let telemetry = Arc::clone(telemetry);
        let arrived = Instant::now();
        let (trace_id, span) = spans::begin(telemetry.exporter.get(), headers, arrived);
        let trace = Trace::new(trace_id, span.clone().map(|span| span as Arc<dyn Recorder>));
        let span = span.map(|span| RecordedCall { span, http: None, refused: None });
        Call { telemetry, protocol, method, game: NONE, arrived, code: CANCELLED, request_id, trace_id, trace, span }
    }

    /// Says how it was asked over HTTP, for the record.
    pub(crate) fn set_http(&mut self, method: &http::Method, route: Option<&str>) {
        if let Some(recorded) = &mut self.span {
            recorded.http = Some((http_method(method), route.map(str::to_owned)));
        }
    }

    /// Says which game it is about.
    pub(crate) fn set_game(&mut self, game: &str) {
        self.game = self.telemetry.requests.game_idxs.get(game).copied().unwrap_or(OTHER);
    }

    pub(crate) fn arrived(&self) -> Instant {
        self.arrived
    }

    /// Goes with the question.
    pub(crate) fn trace(&self) -> &Trace {
        &self.trace
    }

    pub(crate) fn request_id(&self) -> &str {
        request_id::text(&self.request_id)
    }

    /// Counts and logs the refusal; [`end_grpc`](Self::end_grpc) or
    /// [`end_rest`](Self::end_rest) still have to be called.
    pub(crate) fn rejected(&mut self, error: &ApiError) {
        error.log(self.request_id(), self.trace_id);
        let reason = error.row().reason;
        self.telemetry.requests.rejected[reason as usize].increment(1);
        if let Some(recorded) = &mut self.span {
            recorded.refused = Some(reason);
        }
    }

    /// Answered.
    pub(crate) fn end_grpc(mut self, code: Code) {
        self.code = code as usize;
    }

    /// Answered.
    pub(crate) fn end_rest(mut self, status: StatusCode) {
        let place = HTTP_CODES.iter().position(|code| *code == status.as_str());
        self.code = place.unwrap_or(HTTP_OTHER);
    }

    /// The call as a span, now that it has ended.
    fn record(&self, RecordedCall { span, http, refused }: RecordedCall) {
        let mut attributes = vec![KeyValue::new("pentad.request_id", self.request_id().to_owned())];
        if self.game != NONE {
            attributes.push(KeyValue::new("pentad.game", self.telemetry.requests.games[self.game].clone()));
        }
        if let Some(reason) = refused {
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
        let status = if is_failure { Status::error(refused.map_or("", Reason::as_str)) } else { Status::Unset };
        span.end(name.into(), attributes, status);
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        let Call { protocol, method, game, code, .. } = *self;
        let took = self.arrived.elapsed();
        let requests = &self.telemetry.requests;
        let series = requests.series(protocol, method, game);
        match series.codes[code].get() {
            Some(counter) => counter.increment(1),
            // The first with this code: its counter is yet to be made.
            None => self.telemetry.record(|| requests.counter(protocol, method, game, code).increment(1)),
        }
        series.duration.record(took.as_secs_f64());
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
        if let Some(recorded) = self.span.take() {
            self.record(recorded);
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

/// From a closed set, as traces want it.
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
