//! The middleware around every REST call, and what handlers get from it.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, ready};

use axum::body::Body;
use axum::extract::{FromRequestParts, MatchedPath, Path, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::FutureExt;
use http::request::Parts;
use http::{Method as HttpMethod, StatusCode, Uri};
use http_body::Frame;
use pentad_engine::{Caller, Class, Trace};
use pentad_model::i18n::Language;

use super::problem::{self, ErrorExtension};
use super::response::IfNoneMatch;
use super::share;
use super::stream::StreamHeaders;
use crate::access::Admission;
use crate::app::App;
use crate::calls::{self, AdmittedCaller, Method, StreamCall, UnaryCall};
use crate::error::ApiError;
use crate::listen::LongStream;
use crate::telemetry::{Protocol, TrackedCall};
use crate::{cache_control, host_header, language, request_id, security_headers};

/// Assigns the request id, records metrics, log and trace, turns panics into
/// internal errors, and writes errors as problems.
pub(super) async fn track_request(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let id = request_id::from_headers(request.headers());
    request.headers_mut().insert(request_id::HEADER, id.clone());
    let route = request.extensions().get::<MatchedPath>().cloned();
    let method = route.as_ref().map_or(Method::Other, |route| Method::from_rest_path(route.as_str()));
    let language = language::negotiate(request.headers());
    let mut call = TrackedCall::new(&app.telemetry, Protocol::Rest, method, id.clone(), &request);
    call.set_http(&request, route.as_ref().map(MatchedPath::as_str));
    request.extensions_mut().insert(call.trace().clone());
    request.extensions_mut().insert(language);
    if method.has_game() {
        call.set_game(request.uri().path().split('/').nth(3).unwrap_or_default());
    }
    let mut response = match admit(&app, &mut call, &mut request) {
        Ok(()) => {
            let result = AssertUnwindSafe(next.run(request)).catch_unwind().await;
            result.unwrap_or_else(|panic| ApiError::from_panic(panic).into_response())
        }
        Err(error) => error.into_response(),
    };
    if let Some(ErrorExtension(error)) = response.extensions_mut().remove::<ErrorExtension>() {
        call.record_error(&error);
        problem::write(&mut response, &error, request_id::as_str(&id));
    }
    let status = response.status();
    if method.has_translations() && (status.is_success() || status == StatusCode::NOT_MODIFIED) {
        language::write_headers(response.headers_mut(), language);
    }
    let is_stream = response.extensions().get::<StreamOutcome>().is_some();
    if let Some(reservation) = call.reservation() {
        if !is_stream {
            reservation.settle();
        }
        reservation.write_headers(response.headers_mut());
    }
    match response.extensions_mut().remove::<StreamOutcome>() {
        Some(outcome) => {
            response.extensions_mut().insert(LongStream::Updates);
            response = response.map(|body| Body::new(TrackedBody { body, call: Some(call), status, outcome }));
        }
        None => call.finish_rest(status),
    }
    response.headers_mut().insert(request_id::HEADER, id);
    response
}

/// Pages need no admission. Shared addresses lead on without one.
fn admit(app: &App, call: &mut TrackedCall, request: &mut Request) -> Result<(), ApiError> {
    host_header::check(request.version(), request.headers())?;
    let path = request.uri().path();
    if security_headers::is_page(path) {
        return Ok(());
    }
    let is_optional = share::is_page(path);
    let admitted = app.access.admit(Protocol::Rest, request).and_then(|reservation| {
        let admission = call.set_reservation(reservation);
        admission.reservation.begin()?;
        Ok(admission)
    });
    match admitted {
        Ok(admission) => drop(request.extensions_mut().insert(admission)),
        Err(_) if is_optional => {}
        Err(error) => return Err(error),
    }
    Ok(())
}

pub(super) async fn unknown_path(uri: Uri) -> ApiError {
    ApiError::UnknownPath { path: uri.path().to_owned() }
}

pub(super) async fn wrong_method(method: HttpMethod, uri: Uri) -> ApiError {
    ApiError::WrongMethod { path: uri.path().to_owned(), method: method.to_string() }
}

/// The caller and the headers of a request, for handlers.
pub(crate) struct RequestContext {
    /// From the path; empty if the call is not about one game.
    pub(crate) game: String,
    pub(crate) admitted: AdmittedCaller,
    pub(crate) if_none_match: IfNoneMatch,
    pub(crate) stream: StreamHeaders,
}

impl RequestContext {
    /// Answers a question.
    pub(crate) async fn answer<C: UnaryCall>(&self, app: &App, question: C::Body) -> Result<C::Answer, ApiError> {
        C::answer(app, self.admitted.clone(), self.game.clone(), question).await
    }

    /// Answers a question with a stream of updates, or with all of them in one object.
    pub(crate) async fn stream<C: StreamCall>(self, app: &App, question: C::Body) -> Result<Response, ApiError> {
        let response = self.stream.response()?;
        response.send(calls::stream::<C>(app, self.admitted, self.game, question).await?).await
    }
}

impl<S: Send + Sync> FromRequestParts<S> for RequestContext {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let trace = parts.extensions.get::<Trace>().cloned().unwrap_or_default();
        let language = parts.extensions.get::<Language>().copied().unwrap_or_default();
        let admission = parts.extensions.get::<Admission>().cloned();
        let admission = admission.ok_or_else(|| ApiError::internal("a call of the API that was not admitted"))?;
        let (meter, key) = (admission.reservation.meter(), admission.reservation.caller_key());
        let skips_cache = cache_control::skips_cache(&parts.headers);
        let caller = Caller { class: Class::Interactive, key, trace, meter, language, skips_cache, ..Caller::now() };
        let game = Option::<Path<String>>::from_request_parts(parts, state)
            .await
            .map_err(|_| ApiError::bad_request("game", "the game in the path is not UTF-8"))?;
        Ok(RequestContext {
            game: game.map(|Path(game)| game).unwrap_or_default(),
            admitted: AdmittedCaller { caller, admission },
            if_none_match: IfNoneMatch::new(&parts.headers),
            stream: StreamHeaders::new(&parts.headers),
        })
    }
}

/// Marks a streaming response, which is recorded when its body ends. An error of the
/// stream is stored here.
#[derive(Clone, Debug, Default)]
pub(crate) struct StreamOutcome(pub(super) Arc<OnceLock<ApiError>>);

/// A streaming body. If it is dropped before its end, the call counts as
/// cancelled.
struct TrackedBody {
    body: Body,
    call: Option<TrackedCall>,
    status: StatusCode,
    outcome: StreamOutcome,
}

impl http_body::Body for TrackedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = self.get_mut();
        let frame = ready!(Pin::new(&mut this.body).poll_frame(cx));
        if frame.is_none()
            && let Some(mut call) = this.call.take()
        {
            match this.outcome.0.get() {
                Some(error) => {
                    call.record_error(error);
                    call.finish_rest(error.mapping().status);
                }
                None => call.finish_rest(this.status),
            }
        }
        Poll::Ready(frame)
    }
}
