//! Ends requests that their callers keep open when the server closes.
//!
//! A reflection client may leave its stream open for as long as it runs, and a caller
//! may stop before it has sent its message. Neither should hold up the drain.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use http_body::{Body, Frame, SizeHint};
use tokio::sync::watch;

use crate::app::ServerPhase;

type BoxFuture = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A body that ends at the latest when the public ports are closed.
pub(super) struct UntilClosing<B> {
    body: B,
    phase: watch::Receiver<ServerPhase>,
    /// Created when the body first has to be waited for.
    closing: Option<BoxFuture>,
}

impl<B> UntilClosing<B> {
    pub(super) fn new(body: B, phase: watch::Receiver<ServerPhase>) -> Self {
        UntilClosing { body, phase, closing: None }
    }
}

impl<B: Body + Unpin> Body for UntilClosing<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        let UntilClosing { body, phase, closing } = self.get_mut();
        if let Poll::Ready(frame) = Pin::new(body).poll_frame(cx) {
            return Poll::Ready(frame);
        }
        let closing = closing.get_or_insert_with(|| Box::pin(closed(phase.clone())));
        ready!(closing.as_mut().poll(cx));
        Poll::Ready(None)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

async fn closed(mut phase: watch::Receiver<ServerPhase>) {
    // The phase outlives every call; without it there is nothing to wait for.
    let _ = phase.wait_for(|phase| *phase == ServerPhase::Closing).await;
}
