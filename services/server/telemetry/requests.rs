//! Counts calls, on both edges alike.
//!
//! A [`Call`] lives as long as its answer is under way. One that is dropped
//! unfinished was cancelled by its caller, which is not an error.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use http::{HeaderValue, StatusCode};
use metrics::{Counter, Histogram, counter, histogram};
use tonic::Code;

use super::Telemetry;
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

/// The same place in both lists.
const CANCELLED: usize = 1;

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
}

impl Call {
    pub(crate) fn new(telemetry: &Arc<Telemetry>, protocol: Protocol, method: Method, request_id: HeaderValue) -> Call {
        let telemetry = Arc::clone(telemetry);
        Call { telemetry, protocol, method, game: NONE, arrived: Instant::now(), code: CANCELLED, request_id }
    }

    /// Says which game it is about.
    pub(crate) fn set_game(&mut self, game: &str) {
        self.game = self.telemetry.requests.game_idxs.get(game).copied().unwrap_or(OTHER);
    }

    pub(crate) fn arrived(&self) -> Instant {
        self.arrived
    }

    pub(crate) fn request_id(&self) -> &str {
        request_id::text(&self.request_id)
    }

    /// Counts and logs the refusal; [`end_grpc`](Self::end_grpc) or
    /// [`end_rest`](Self::end_rest) still have to be called.
    pub(crate) fn rejected(&self, error: &ApiError) {
        error.log(self.request_id());
        self.telemetry.requests.rejected[error.row().reason as usize].increment(1);
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
            protocol = protocol_name(protocol),
            method = method.as_str(),
            game = requests.games[game],
            code = code_name(protocol, code),
            took_us = took.as_micros() as u64,
            "call"
        );
    }
}

fn protocol_name(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Grpc => "grpc",
        Protocol::Rest => "rest",
    }
}

fn code_name(protocol: Protocol, code: usize) -> &'static str {
    match protocol {
        Protocol::Grpc => GRPC_CODES[code],
        Protocol::Rest => HTTP_CODES.get(code).copied().unwrap_or("other"),
    }
}
