//! A bound on how long a request message may take to arrive.
//!
//! Without it a client that stops half-way would hold its call open, and a
//! draining server would wait for it. `tower-http`'s `TimeoutBody` bounds the
//! pause between two frames; this one bounds the body as a whole.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use tokio::time::{Sleep, sleep};
use tonic::Status;

use crate::error::ApiError;

/// A body that fails if it does not end within the timeout.
pub(super) struct TimeoutBody<B> {
    body: B,
    /// `None` if it may take as long as it likes.
    timeout_ms: Option<u64>,
    /// Created when the body first has to be waited for; most arrive with the
    /// request's headers.
    timer: Option<Pin<Box<Sleep>>>,
}

impl<B> TimeoutBody<B> {
    pub(super) fn new(body: B, timeout_ms: Option<u64>) -> Self {
        TimeoutBody { body, timeout_ms, timer: None }
    }
}

impl<B> Body for TimeoutBody<B>
where
    B: Body<Data = Bytes> + Unpin,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Data = Bytes;
    type Error = Box<dyn std::error::Error + Send + Sync>;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let TimeoutBody { body, timeout_ms, timer } = self.get_mut();
        if let Poll::Ready(frame) = Pin::new(body).poll_frame(cx) {
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let Some(timeout_ms) = *timeout_ms else { return Poll::Pending };
        let timer = timer.get_or_insert_with(|| Box::pin(sleep(Duration::from_millis(timeout_ms))));
        let timed_out = || Status::invalid_argument(ApiError::body_timeout(timeout_ms).to_string()).into();
        timer.as_mut().poll(cx).map(|()| Some(Err(timed_out())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
