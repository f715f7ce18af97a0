//! What every REST call passes on its way in and out.

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
use http::{HeaderMap, Method as HttpMethod, StatusCode, Uri};
use http_body::Frame;
use pentad_engine::{Caller, Class, Trace};

use super::problem::{self, Failed};
use crate::app::App;
use crate::error::ApiError;
use crate::request_id;
use crate::telemetry::{Call, Method, Protocol, TraceHeaders};

/// Gives the call its id, counts it, catches panics, writes problems.
pub(super) async fn enter(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let id = request_id::of(request.headers());
    request.headers_mut().insert(request_id::HEADER, id.clone());
    let (method, has_game) = method_of(request.extensions().get::<MatchedPath>());
    let mut call = Call::new(&app.telemetry, Protocol::Rest, method, id.clone(), &TraceHeaders::of(request.headers()));
    call.set_http(request.method(), request.extensions().get::<MatchedPath>().map(MatchedPath::as_str));
    request.extensions_mut().insert(call.trace().clone());
    if has_game {
        call.set_game(request.uri().path().split('/').nth(3).unwrap_or_default());
    }
    let answered = AssertUnwindSafe(next.run(request)).catch_unwind().await;
    let mut response = answered.unwrap_or_else(|panic| ApiError::panicked(panic).into_response());
    if let Some(Failed(error)) = response.extensions_mut().remove::<Failed>() {
        call.rejected(&error);
        problem::write(&mut response, &error, request_id::text(&id));
    }
    let status = response.status();
    match response.extensions_mut().remove::<StreamEnd>() {
        Some(end) => response = response.map(|body| Body::new(CountedBody { body, call: Some(call), status, end })),
        None => call.end_rest(status),
    }
    response.headers_mut().insert(request_id::HEADER, id);
    response
}

/// Nothing is served here.
pub(super) async fn unknown_path(uri: Uri) -> ApiError {
    ApiError::UnknownPath { path: uri.path().to_owned() }
}

/// Something is served here, but not so.
pub(super) async fn wrong_method(method: HttpMethod, uri: Uri) -> ApiError {
    ApiError::WrongMethod { path: uri.path().to_owned(), method: method.to_string() }
}

fn method_of(path: Option<&MatchedPath>) -> (Method, bool) {
    let Some(path) = path.map(MatchedPath::as_str) else { return (Method::Other, false) };
    let method = match path.strip_prefix("/v1/games") {
        Some("") => return (Method::ListGames, false),
        Some("/{game}") => Method::GetGame,
        Some("/{game}/position") => Method::DescribePosition,
        Some("/{game}/legal-moves") => Method::ListLegalMoves,
        Some("/{game}/evaluation") => Method::Evaluate,
        Some("/{game}/hints") => Method::Hint,
        Some("/{game}/analysis") => Method::Analyze,
        Some("/{game}/diagram.svg") => Method::Diagram,
        _ => return (Method::Other, false),
    };
    (method, true)
}

/// The game in the path, and who asks about it.
pub(super) struct Asked {
    pub(super) game: String,
    pub(super) caller: Caller,
    pub(super) headers: HeaderMap,
}

impl<S: Send + Sync> FromRequestParts<S> for Asked {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let trace = parts.extensions.get::<Trace>().cloned().unwrap_or_default();
        let caller = Caller { class: Class::Interactive, trace, ..Caller::now() };
        let Path(game) = Path::<String>::from_request_parts(parts, state)
            .await
            .map_err(|_| ApiError::bad_request("game", "the game in the path is not UTF-8"))?;
        Ok(Asked { game, caller, headers: parts.headers.clone() })
    }
}

/// Marks a streaming answer, which is counted when it has ended; a failure on
/// the way is left here.
#[derive(Clone, Debug, Default)]
pub(super) struct StreamEnd(pub(super) Arc<OnceLock<ApiError>>);

/// A streaming answer. Dropped before its end, its caller went away.
struct CountedBody {
    body: Body,
    call: Option<Call>,
    status: StatusCode,
    end: StreamEnd,
}

impl http_body::Body for CountedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = self.get_mut();
        let frame = ready!(Pin::new(&mut this.body).poll_frame(cx));
        if frame.is_none()
            && let Some(mut call) = this.call.take()
        {
            match this.end.0.get() {
                Some(error) => {
                    call.rejected(error);
                    call.end_rest(error.row().status);
                }
                None => call.end_rest(this.status),
            }
        }
        Poll::Ready(frame)
    }
}
