//! One call from its arrival to the end of its response: metrics, log line and span,
//! the same for both protocols.
//!
//! If a [`TrackedCall`] is dropped before its response is complete, the caller
//! cancelled, which is not an error.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use http::{HeaderValue, Request, StatusCode, header};
use opentelemetry::KeyValue;
use opentelemetry::global::BoxedSpan;
use opentelemetry::trace::{Span, Status};
use pentad_engine::{Trace, TraceId};
use tonic::Code;
use tracing::Level;

use super::client_metrics::ClientCall;
use super::logs::Excerpt;
use super::request_metrics::{
    CANCELLED, HTTP_CODES, HTTP_OTHER, NO_GAME, Protocol, UNKNOWN_GAME, code_name, protocol_name,
};
use super::{Telemetry, spans};
use crate::access::{Admission, QuotaReservation};
use crate::calls::Method;
use crate::client_address::ClientAddress;
use crate::error::{ApiError, ErrorMapping, Reason};
use crate::listen::PeerAddress;
use crate::request_id;

const RPC_SERVICE: &str = "pentad.v1.Analysis";
/// Codes that mark a span as failed, by OpenTelemetry's conventions.
const GRPC_FAILURES: [Code; 6] =
    [Code::Unknown, Code::DeadlineExceeded, Code::Unimplemented, Code::Internal, Code::Unavailable, Code::DataLoss];

/// Time that a call may take, known once its request is parsed.
#[derive(Clone, Debug)]
pub(crate) struct GrantedTime(Arc<AtomicU64>);

impl GrantedTime {
    fn none() -> GrantedTime {
        GrantedTime(Arc::new(AtomicU64::new(u64::MAX)))
    }

    /// Sets the time; of several, the smallest counts.
    pub(crate) fn at_most(&self, time: Duration) {
        self.0.fetch_min(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX - 1), Ordering::Relaxed);
    }

    fn get(&self) -> Option<Duration> {
        Some(self.0.load(Ordering::Relaxed)).filter(|nanos| *nanos != u64::MAX).map(Duration::from_nanos)
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
    /// The client's: the peer's, unless that is a trusted proxy.
    address: Option<IpAddr>,
    request_id: HeaderValue,
    trace_id: TraceId,
    trace: Trace,
    granted: GrantedTime,
    /// `None` until the call is admitted.
    reservation: Option<Arc<QuotaReservation>>,
    /// The same call among those of its caller.
    client_call: Option<ClientCall>,
    /// `None` if the access log leaves the call out.
    client: Option<Client>,
    /// `None` if the call is not sampled.
    sampled: Option<SampledCall>,
}

/// The caller, for the access log.
#[derive(Debug)]
struct Client {
    peer: Option<SocketAddr>,
    user_agent: Option<HeaderValue>,
}

/// Attributes that only the call's span needs.
#[derive(Debug)]
struct SampledCall {
    span: BoxedSpan,
    /// HTTP method and route template, for REST.
    http: Option<(&'static str, Option<String>)>,
    error: Option<Reason>,
}

impl TrackedCall {
    pub(crate) fn new<B>(
        telemetry: &Arc<Telemetry>,
        protocol: Protocol,
        method: Method,
        request_id: HeaderValue,
        request: &Request<B>,
    ) -> TrackedCall {
        let telemetry = Arc::clone(telemetry);
        let arrived = Instant::now();
        telemetry.requests.in_flight[protocol as usize].increment(1.0);
        let peer = request.extensions().get::<PeerAddress>().map(|peer| peer.0);
        let (trace_id, trace, span) = spans::start_call(telemetry.spans.get(), request.headers(), method.as_str());
        let trace = trace.with_request_id(request_id::as_str(&request_id));
        let sampled = span.map(|mut span| {
            span.set_attributes(spans::request_attributes(request, peer));
            SampledCall { span, http: None, error: None }
        });
        let user_agent = || request.headers().get(header::USER_AGENT).cloned();
        let address = request.extensions().get::<ClientAddress>().map(|client| client.0);
        let client = telemetry.requests.logs_access().then(|| Client { peer, user_agent: user_agent() });
        TrackedCall {
            telemetry,
            protocol,
            method,
            game: NO_GAME,
            arrived,
            code: CANCELLED,
            address,
            request_id,
            trace_id,
            trace,
            granted: GrantedTime::none(),
            reservation: None,
            client_call: None,
            client,
            sampled,
        }
    }

    /// Sets the attributes of a REST call's span.
    pub(crate) fn set_http<B>(&mut self, request: &Request<B>, route: Option<&str>) {
        if let Some(sampled) = &mut self.sampled {
            let path = Excerpt(request.uri().path()).to_string();
            sampled.span.set_attributes([KeyValue::new("url.scheme", "http"), KeyValue::new("url.path", path)]);
            sampled.http = Some((http_method(request.method()), route.map(str::to_owned)));
        }
    }

    /// Sets the game; one that is not served counts as `other`.
    pub(crate) fn set_game(&mut self, game: &str) {
        self.game = self.telemetry.requests.game_idx(game).unwrap_or(UNKNOWN_GAME);
    }

    pub(crate) fn arrived(&self) -> Instant {
        self.arrived
    }

    /// Trace for the engine's [`Caller`](pentad_engine::Caller).
    pub(crate) fn trace(&self) -> &Trace {
        &self.trace
    }

    /// Admits the call; its reservation is settled when it ends.
    pub(crate) fn set_reservation(&mut self, reservation: Arc<QuotaReservation>) -> Admission {
        self.reservation = Some(Arc::clone(&reservation));
        self.client_call = Some(ClientCall::new(reservation.counters()));
        Admission { granted: self.granted.clone(), reservation }
    }

    /// `None` if the call was not admitted or needs no admission.
    pub(crate) fn reservation(&self) -> Option<&Arc<QuotaReservation>> {
        self.reservation.as_ref()
    }

    /// For the code that parses the request's limits.
    pub(crate) fn granted(&self) -> &GrantedTime {
        &self.granted
    }

    pub(crate) fn request_id(&self) -> &str {
        request_id::as_str(&self.request_id)
    }

    /// Counts and logs the error; [`finish_grpc`](Self::finish_grpc) or
    /// [`finish_rest`](Self::finish_rest) must still be called.
    pub(crate) fn record_error(&mut self, error: &ApiError) {
        let ErrorMapping { reason, level, .. } = error.mapping();
        if level == Level::ERROR || self.telemetry.refusals.admits(reason) {
            error.log(self.request_id(), self.trace_id, self.address);
        }
        self.telemetry.requests.rejected[reason as usize].increment(1);
        if let (Reason::Overloaded, Some(call)) = (reason, &self.client_call) {
            call.count_overloaded();
        }
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

    /// Writes the line of the access log, or one at `debug`.
    fn log(&self, took: Duration) {
        macro_rules! log_call {
            ($level:ident, $target:literal $(, $field:ident = $value:expr)*) => {
                tracing::$level!(
                    target: $target,
                    $($field = $value,)*
                    request_id = self.request_id(),
                    trace_id = %self.trace_id,
                    protocol = protocol_name(self.protocol),
                    method = self.method.as_str(),
                    game = self.telemetry.requests.by_game().games[self.game],
                    token_name = self.reservation.as_ref().map(|reservation| reservation.client()),
                    code = code_name(self.protocol, self.code),
                    took_us = took.as_micros() as u64,
                    "call"
                )
            };
        }
        let Some(Client { peer, user_agent }) = &self.client else {
            log_call!(debug, "pentad::call");
            return;
        };
        let peer = peer.map(tracing::field::display);
        let client = self.address.map(tracing::field::display);
        let user_agent = user_agent.as_ref().map(|agent| String::from_utf8_lossy(agent.as_bytes()));
        let user_agent = user_agent.as_ref().map(|agent| tracing::field::display(Excerpt(agent)));
        log_call!(info, "pentad::access", peer = peer, client = client, user_agent = user_agent);
    }

    fn end_span(&self, SampledCall { mut span, http, error }: SampledCall) {
        let mut attributes = vec![KeyValue::new("pentad.request_id", self.request_id().to_owned())];
        if self.game != NO_GAME {
            attributes.push(KeyValue::new("pentad.game", self.telemetry.requests.by_game().games[self.game].clone()));
        }
        if let Some(reason) = error {
            attributes.push(KeyValue::new("error.type", reason.as_str()));
        }
        let (name, is_failure) = match self.protocol {
            Protocol::Grpc => {
                let rpc = match self.method {
                    Method::Other => "_OTHER".to_owned(),
                    method => format!("{RPC_SERVICE}/{}", method.as_str()),
                };
                attributes.push(KeyValue::new("rpc.system.name", "grpc"));
                attributes.push(KeyValue::new("rpc.method", rpc.clone()));
                attributes.push(KeyValue::new("rpc.response.status_code", code_name(self.protocol, self.code)));
                let is_failure = GRPC_FAILURES.iter().any(|code| *code as usize == self.code);
                (rpc, is_failure)
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
            let series = requests.by_game();
            series.counter(protocol, method, game, code).increment(1);
            series.series(protocol, method, game).duration.record(took.as_secs_f64());
            // Cancelled before its deadline: not an overrun.
            if let Some(granted) = self.granted.get().filter(|granted| code != CANCELLED || took > *granted) {
                let overrun = took.saturating_sub(granted);
                series.overrun(protocol, method, game).record(overrun.as_secs_f64());
            }
        });
        requests.in_flight[protocol as usize].decrement(1.0);
        self.log(took);
        if let Some(sampled) = self.sampled.take() {
            self.end_span(sampled);
        }
    }
}

/// A closed set, by OpenTelemetry's conventions.
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
