//! One connection, from accept to close.

use std::convert::Infallible;
use std::error::Error as StdError;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use hyper::body::Body;
use hyper::service::Service;
use hyper_util::rt::TokioIo;
use hyper_util::server::conn::auto;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{Instant, Sleep, sleep_until};

use super::activity::{Action, CloseReason, ConnectionActivity, ConnectionLimits};
use super::service::{ConnectionService, RequestBody};
use super::socket::{HangUp, SocketStream};
use super::stream_task::StreamExecutor;
use super::table::ConnectionSlot;
use super::tls::{ConnectionStream, Handshake};
use super::{ConnectionPhase, PeerAddress};
use crate::config::TrustedProxies;
use crate::http2_goaway::GoawayStream;

/// How often a connection with running requests is checked: HTTP/2 streams end in tasks
/// of their own, without waking that of their connection.
const RECHECK_INTERVAL: Duration = Duration::from_secs(1);

/// An accepted connection.
pub(super) struct AcceptedConnection {
    pub(super) socket: TcpStream,
    /// `None` without TLS.
    pub(super) handshake: Option<Handshake>,
    pub(super) peer: PeerAddress,
    pub(super) slot: ConnectionSlot,
    pub(super) limits: ConnectionLimits,
    pub(super) phase: watch::Receiver<ConnectionPhase>,
    pub(super) trusted_proxies: Arc<TrustedProxies>,
}

impl AcceptedConnection {
    /// Serves it until it ends, is closed, or reaches one of its limits.
    pub(super) async fn serve<S, B>(self, builder: auto::Builder<StreamExecutor>, service: S)
    where
        S: Service<Request<RequestBody>, Response = Response<B>, Error = Infallible> + Send + 'static,
        S::Future: Send + 'static,
        B: Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn StdError + Send + Sync>>,
    {
        let AcceptedConnection { socket, handshake, peer, slot, limits, phase, trusted_proxies } = self;
        let activity = slot.activity();
        let (socket, hang_up) = SocketStream::new(socket, Arc::clone(activity));
        let mut supervisor = Supervisor::new(&slot, limits, phase, hang_up);

        let stream = tokio::select! {
            biased;
            stream = ConnectionStream::new(socket, handshake) => stream,
            // Without a request there is nothing to complete.
            _ = supervisor.next_action() => return,
        };
        let stream = match stream {
            Ok(stream) => stream,
            Err(error) => {
                slot.count_closed(CloseReason::TlsHandshake);
                tracing::debug!(%error, "TLS handshake failed");
                return;
            }
        };
        let stream = GoawayStream::new(stream, Arc::clone(activity));
        let service = ConnectionService { service, peer, trusted_proxies, activity: Arc::clone(activity) };
        let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
        let mut has_yielded = false;
        loop {
            let served = poll_fn(|cx| {
                // Each HTTP/2 stream with data to send wakes this task. Yielding lets
                // the others run first, so that all data leaves in one write.
                has_yielded = !has_yielded && activity.has_streams();
                if has_yielded {
                    cx.waker().wake_by_ref();
                    return Poll::Pending;
                }
                connection.as_mut().poll(cx)
            });
            tokio::select! {
                biased;
                ended = served => {
                    // Clients often abort connections; their calls are counted as
                    // cancelled elsewhere.
                    if let Err(error) = ended {
                        tracing::debug!(error, "connection error");
                    }
                    return;
                }
                action = supervisor.next_action() => match action {
                    Action::Shutdown(_) => connection.as_mut().graceful_shutdown(),
                    Action::Abort(_) => return,
                },
            }
        }
    }
}

/// Decides when a connection is closed: by its limits, by its peer, or by the port.
struct Supervisor<'a> {
    slot: &'a ConnectionSlot,
    deadline: Deadline,
    phase: watch::Receiver<ConnectionPhase>,
    is_draining: bool,
    /// `None` once noticed.
    hang_up: Option<HangUp>,
}

impl<'a> Supervisor<'a> {
    fn new(
        slot: &'a ConnectionSlot,
        limits: ConnectionLimits,
        phase: watch::Receiver<ConnectionPhase>,
        hang_up: HangUp,
    ) -> Supervisor<'a> {
        let deadline = Deadline::new(Arc::clone(slot.activity()), limits);
        Supervisor { slot, deadline, phase, is_draining: false, hang_up: Some(hang_up) }
    }

    /// Waits for the next action on the connection, and records it.
    async fn next_action(&mut self) -> Action {
        let action = self.decide().await;
        let (is_first, reason) = match action {
            Action::Shutdown(reason) => (self.slot.activity().set_shutdown(reason), reason),
            Action::Abort(reason) => (!self.slot.activity().is_shutting_down(), reason),
        };
        if is_first {
            self.slot.count_closed(reason);
            tracing::debug!(reason = reason.as_str(), "closing a connection");
        }
        action
    }

    async fn decide(&mut self) -> Action {
        loop {
            if !self.is_draining && *self.phase.borrow_and_update() == ConnectionPhase::Draining {
                self.is_draining = true;
                return Action::Shutdown(CloseReason::Drain);
            }
            tokio::select! {
                biased;
                action = poll_fn(|cx| self.deadline.poll(cx)) => return action,
                () = noticed(self.hang_up.as_ref()) => {
                    self.hang_up = None;
                    self.slot.activity().set_peer_closed();
                }
                changed = self.phase.changed() => if changed.is_err() {
                    // The port gives up.
                    return Action::Abort(CloseReason::Drain);
                },
            }
        }
    }
}

async fn noticed(hang_up: Option<&HangUp>) {
    match hang_up {
        Some(hang_up) => hang_up.noticed().await,
        None => std::future::pending().await,
    }
}

/// Waits for the next action of a connection. Its timer is reset only when it fires or
/// must fire earlier, not with every request.
struct Deadline {
    activity: Arc<ConnectionActivity>,
    limits: ConnectionLimits,
    timer: Pin<Box<Sleep>>,
}

impl Deadline {
    fn new(activity: Arc<ConnectionActivity>, limits: ConnectionLimits) -> Deadline {
        Deadline { activity, timer: Box::pin(sleep_until(Instant::now() + limits.header_timeout)), limits }
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Action> {
        loop {
            let next = self.activity.next_action(&self.limits);
            if let Some((at, _)) = next
                && at < self.timer.deadline()
            {
                self.timer.as_mut().reset(at);
            }
            ready!(self.timer.as_mut().poll(cx));
            let now = Instant::now();
            match next {
                Some((at, action)) if at <= now => return Poll::Ready(action),
                Some((at, _)) if !self.activity.is_busy() => self.timer.as_mut().reset(at),
                _ => self.timer.as_mut().reset(now + RECHECK_INTERVAL),
            }
        }
    }
}
