//! Tasks of HTTP/2 streams, which are reset if their peer does not open its window.
//!
//! Such a stream does not block the socket, and other streams of its connection may be
//! fine, so the connection's own limits do not apply. hyper polls a response's body
//! only when it can send more of it: a body that has yielded a chunk and is not polled
//! again waits for the window.

use std::cell::Cell;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::rt::Executor;
use pin_project_lite::pin_project;
use tokio::time::{Sleep, sleep};

/// What a response's body is waiting for, as of its last poll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyState {
    /// The handler.
    Waiting,
    /// The peer.
    Sending,
}

thread_local! {
    /// State of the stream that this thread is polling.
    static BODY_STATE: Cell<Option<BodyState>> = const { Cell::new(None) };
}

/// Called by a response's body on every poll.
pub(super) fn set_body_state(state: BodyState) {
    BODY_STATE.set(Some(state));
}

/// Runs the streams of HTTP/2 connections.
#[derive(Clone, Copy, Debug)]
pub(super) struct StreamExecutor {
    /// How long a peer may take to open the window for the next chunk.
    pub(super) write_timeout: Duration,
}

impl<F> Executor<F> for StreamExecutor
where
    F: Future<Output: Send> + Send + 'static,
{
    fn execute(&self, stream: F) {
        tokio::spawn(StreamTask { stream, write_timeout: self.write_timeout, timer: None });
    }
}

pin_project! {
    /// Dropping the stream before it has ended resets it.
    struct StreamTask<F> {
        #[pin]
        stream: F,
        write_timeout: Duration,
        // Runs while the stream waits for the peer.
        timer: Option<Pin<Box<Sleep>>>,
    }
}

impl<F: Future> Future for StreamTask<F> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = self.project();
        BODY_STATE.set(None);
        if this.stream.poll(cx).is_ready() {
            return Poll::Ready(());
        }
        match BODY_STATE.take() {
            Some(BodyState::Waiting) => *this.timer = None,
            Some(BodyState::Sending) => *this.timer = Some(Box::pin(sleep(*this.write_timeout))),
            // The body was not polled: nothing has changed.
            None => {}
        }
        match this.timer {
            Some(timer) => timer.as_mut().poll(cx),
            None => Poll::Pending,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, poll_fn};

    use tokio::time::Instant;

    use super::*;

    const TIMEOUT: Duration = Duration::from_secs(30);

    async fn ends_after(stream: impl Future) -> Duration {
        let started = Instant::now();
        StreamTask { stream, write_timeout: TIMEOUT, timer: None }.await;
        started.elapsed()
    }

    /// Waiting for the handler is not limited, waiting for the peer is; each chunk that
    /// is sent restarts the limit, and being polled for another reason does not.
    #[tokio::test(start_paused = true)]
    async fn streams_wait_for_their_peer_in_vain_only_so_long() {
        let stream = async {
            set_body_state(BodyState::Waiting);
            sleep(Duration::from_secs(100)).await;
            for _ in 0..3 {
                set_body_state(BodyState::Sending);
                sleep(Duration::from_secs(20)).await;
            }
            sleep(Duration::from_secs(1)).await;
            pending::<()>().await;
        };
        assert_eq!(ends_after(stream).await, Duration::from_secs(100 + 20 + 20 + 30));
    }

    /// A stream that ends is complete.
    #[tokio::test(start_paused = true)]
    async fn streams_end() {
        let mut n_polls = 0;
        let stream = poll_fn(|cx| {
            n_polls += 1;
            set_body_state(BodyState::Sending);
            cx.waker().wake_by_ref();
            if n_polls == 3 { Poll::Ready(()) } else { Poll::Pending }
        });
        assert_eq!(ends_after(stream).await, Duration::ZERO);
    }
}
