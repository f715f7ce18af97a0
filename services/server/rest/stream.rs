//! Streams of JSON: server-sent events, JSON lines, or all messages in one object.
//!
//! Closing the connection drops the stream, and that stops the work for it.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures_util::{FutureExt, Stream, stream};
use http::{HeaderMap, HeaderValue, header};
use serde::Serialize;

use super::accept::StreamFormat;
use super::middleware::StreamOutcome;
use super::problem::Problem;
use super::response;
use crate::calls::{Update, Updates};
use crate::error::ApiError;
use crate::request_id;

/// The id of the last event of a stream, which `EventSource` sends when it
/// reconnects.
const LAST_EVENT_ID: &str = "end";
/// The name of the last event, unless it is an error.
const FINAL: &str = "final";
/// How long `EventSource` waits before it reconnects after a broken connection.
const RETRY_MS: u32 = 3_000;
/// Interval of comments on an idle event stream, below usual proxy timeouts.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(15);

/// The headers of a request that concern a stream.
pub(crate) struct StreamHeaders {
    format: Result<StreamFormat, ApiError>,
    pub(crate) request_id: HeaderValue,
    /// Whether `EventSource` reconnects after the last event.
    pub(crate) has_ended: bool,
}

/// How the messages of a stream are sent, and under which request id.
pub(super) struct StreamResponse {
    format: StreamFormat,
    request_id: HeaderValue,
}

impl StreamHeaders {
    pub(super) fn new(headers: &HeaderMap) -> StreamHeaders {
        StreamHeaders {
            format: StreamFormat::negotiate(headers),
            request_id: request_id::from_headers(headers),
            has_ended: headers.get("last-event-id").is_some_and(|id| id == LAST_EVENT_ID),
        }
    }

    /// Fails if the request accepts no format of streams.
    pub(super) fn response(self) -> Result<StreamResponse, ApiError> {
        Ok(StreamResponse { format: self.format?, request_id: self.request_id })
    }
}

struct Event {
    name: &'static str,
    json: String,
}

impl Event {
    fn new<T: Serialize>(name: &'static str, value: &T) -> Event {
        // Serialising our own types cannot fail.
        Event { name, json: serde_json::to_string(value).unwrap_or_default() }
    }
}

impl StreamResponse {
    /// A response whose body are the updates, in the format that the request prefers.
    pub(super) async fn send(self, updates: impl Updates) -> Result<Response, ApiError> {
        let StreamResponse { format, request_id } = self;
        match format {
            StreamFormat::Json => collect(updates).await,
            StreamFormat::ServerSentEvents | StreamFormat::JsonLines => Ok(stream_of(updates, format, request_id)),
        }
    }
}

/// Waits for all updates; the response is one object, or the error that ended them.
async fn collect<U: Updates>(mut updates: U) -> Result<Response, ApiError> {
    let mut all = <U::Update as Update>::All::default();
    loop {
        let update = updates.next_update().await?;
        let is_last = update.is_last();
        update.add_to(&mut all);
        if is_last {
            break;
        }
    }
    let mut response = response::json(&all)?;
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

fn stream_of(updates: impl Updates, format: StreamFormat, request_id: HeaderValue) -> Response {
    let outcome = StreamOutcome::default();
    let events = Events { next: next_event(updates), format, n_sent: 0, request_id, outcome: outcome.clone() };
    let mut response = Response::new(Body::from_stream(events.frames()));
    response.extensions_mut().insert(outcome);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(format.content_type()));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // Keeps nginx from buffering the events.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

fn frame(format: StreamFormat, Event { name, json }: &Event, id: &str) -> Bytes {
    match format {
        StreamFormat::ServerSentEvents => {
            format!("event: {name}\nid: {id}\nretry: {RETRY_MS}\ndata: {json}\n\n").into()
        }
        _ if *name == "error" => format!("{{\"error\":{json}}}\n").into(),
        StreamFormat::JsonLines | StreamFormat::Json => format!("{json}\n").into(),
    }
}

/// The next event, and the source of those after it.
type NextEvent<S> = Pin<Box<dyn Future<Output = (S, Result<Event, ApiError>)> + Send>>;

fn next_event<S: Updates>(mut source: S) -> NextEvent<S> {
    Box::pin(async move {
        let update = AssertUnwindSafe(source.next_update()).catch_unwind().await;
        let update = update.unwrap_or_else(|panic| Err(ApiError::from_panic(panic)));
        (source, update.map(|update| Event::new(update.event(), &update)))
    })
}

struct Events<S> {
    /// Kept across keep-alives: dropping it could lose an event.
    next: NextEvent<S>,
    format: StreamFormat,
    n_sent: u64,
    request_id: HeaderValue,
    outcome: StreamOutcome,
}

impl<S: Updates> Events<S> {
    fn frames(self) -> impl Stream<Item = Result<Bytes, Infallible>> {
        stream::unfold(Some(self), async |events| {
            let (frame, events) = events?.next_frame().await;
            Some((Ok(frame), events))
        })
    }

    async fn next_frame(mut self) -> (Bytes, Option<Self>) {
        let (source, event) = match self.format {
            StreamFormat::ServerSentEvents => match tokio::time::timeout(KEEP_ALIVE_INTERVAL, &mut self.next).await {
                Ok(next) => next,
                Err(_) => return (Bytes::from_static(b": keep-alive\n\n"), Some(self)),
            },
            StreamFormat::JsonLines | StreamFormat::Json => (&mut self.next).await,
        };
        match event {
            Ok(event) if event.name == FINAL => (frame(self.format, &event, LAST_EVENT_ID), None),
            Ok(event) => {
                self.next = next_event(source);
                self.n_sent += 1;
                (frame(self.format, &event, &self.n_sent.to_string()), Some(self))
            }
            Err(error) => (self.error_frame(error), None),
        }
    }

    fn error_frame(&self, error: ApiError) -> Bytes {
        let error = error.redacted();
        let problem = Event::new("error", &Problem::new(&error, request_id::as_str(&self.request_id)));
        // It is set at most once: an error ends the stream.
        let _ = self.outcome.0.set(error);
        frame(self.format, &problem, LAST_EVENT_ID)
    }
}
