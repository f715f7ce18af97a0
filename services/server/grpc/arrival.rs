//! A message that has to arrive in time.
//!
//! Without a limit a client that stops half-way would hold its call open, and a
//! server that stops would wait for it.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use tokio::time::{Sleep, sleep};
use tonic::Status;

use crate::error::ApiError;

/// A body that fails if its end takes longer than allowed.
pub(super) struct InTime<B> {
    body: B,
    timeout_ms: u64,
    /// Set once the body has to be waited for; most arrive with their head.
    end: Option<Pin<Box<Sleep>>>,
}

impl<B> InTime<B> {
    pub(super) fn new(body: B, timeout_ms: u64) -> Self {
        InTime { body, timeout_ms, end: None }
    }
}

impl<B> Body for InTime<B>
where
    B: Body<Data = Bytes> + Unpin,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Data = Bytes;
    type Error = Box<dyn std::error::Error + Send + Sync>;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let InTime { body, timeout_ms, end } = self.get_mut();
        if let Poll::Ready(frame) = Pin::new(body).poll_frame(cx) {
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let end = end.get_or_insert_with(|| Box::pin(sleep(Duration::from_millis(*timeout_ms))));
        // The code that tonic gives to what it cannot read; it becomes the
        // caller's mistake where those do.
        let late = || Status::internal(ApiError::body_late(*timeout_ms).to_string()).into();
        end.as_mut().poll(cx).map(|()| Some(Err(late())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
