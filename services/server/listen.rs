//! A port: accepts connections, serves them, and closes gracefully.
//!
//! All three ports use it. HTTP/1.1 and HTTP/2 without TLS are distinguished by
//! their first bytes. The number of connections is bounded: further ones wait
//! in the kernel's backlog. A connection that reaches its maximum age is closed
//! gracefully: its client reconnects, perhaps to a newer replica.

use std::convert::Infallible;
use std::error::Error as StdError;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use http::{Request, Response};
use hyper::body::{Body, Incoming};
use hyper::service::Service;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use metrics::Gauge;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinHandle;

use crate::client_address::ClientAddress;
use crate::config::{Config, TrustedProxies};
use crate::http2_goaway::GoawayStream;

/// A bound port that does not accept connections yet.
#[derive(Debug)]
pub(crate) struct BoundPort {
    listener: TcpListener,
    address: SocketAddr,
}

/// A port that accepts connections until [`close`](Self::close).
#[derive(Debug)]
pub(crate) struct ServingPort {
    accepting: JoinHandle<()>,
    connections: Connections,
}

/// A closed port whose connections complete their calls. Dropping it aborts
/// them.
pub(crate) struct DrainingPort(Connections);

/// The connections of a port.
#[derive(Debug)]
struct Connections {
    max: usize,
    permits: Arc<Semaphore>,
    /// Connections are aborted when it is dropped.
    phase: watch::Sender<ConnectionPhase>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConnectionPhase {
    Open,
    /// Running calls are completed, new ones refused.
    Draining,
}

impl BoundPort {
    pub(crate) async fn bind(address: SocketAddr) -> io::Result<BoundPort> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        Ok(BoundPort { listener, address })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Accepts connections, which the gauge counts.
    pub(crate) fn serve<S, B>(self, service: S, config: &Config, n_open: Gauge) -> ServingPort
    where
        S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible> + Clone + Send + 'static,
        S::Future: Send + 'static,
        B: Body + Send + 'static,
        B::Data: Send,
        B::Error: Into<Box<dyn StdError + Send + Sync>>,
    {
        let connections = Connections {
            max: config.connections_max,
            permits: Arc::new(Semaphore::new(config.connections_max)),
            phase: watch::Sender::new(ConnectionPhase::Open),
        };
        let acceptor = Acceptor {
            listener: self.listener,
            builder: connection_builder(config),
            n_open,
            permits: Arc::clone(&connections.permits),
            phase: connections.phase.subscribe(),
            age_max: (config.connection_age_ms_max > 0).then(|| Duration::from_millis(config.connection_age_ms_max)),
            trusted_proxies: Arc::new(config.trusted_proxies.clone()),
        };
        ServingPort { accepting: tokio::spawn(acceptor.accept(service)), connections }
    }
}

impl ServingPort {
    /// Stops accepting connections and starts the graceful shutdown of open ones.
    pub(crate) async fn close(self) -> DrainingPort {
        self.connections.phase.send_replace(ConnectionPhase::Draining);
        // The task ends by itself; if it panicked, the listener is closed as well.
        let _ = self.accepting.await;
        DrainingPort(self.connections)
    }
}

impl DrainingPort {
    /// Waits for the last connection to close.
    pub(crate) async fn finished(&mut self) {
        let all = u32::try_from(self.0.max).unwrap_or(u32::MAX);
        let _permits = self.0.permits.acquire_many(all).await.expect("semaphore is never closed");
    }

    /// Connections that are still open.
    pub(crate) fn n_open(&self) -> usize {
        self.0.max - self.0.permits.available_permits()
    }
}

struct Acceptor {
    listener: TcpListener,
    builder: auto::Builder<TokioExecutor>,
    n_open: Gauge,
    permits: Arc<Semaphore>,
    phase: watch::Receiver<ConnectionPhase>,
    age_max: Option<Duration>,
    trusted_proxies: Arc<TrustedProxies>,
}

impl Acceptor {
    async fn accept<S, B>(mut self, service: S)
    where
        S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible> + Clone + Send + 'static,
        S::Future: Send + 'static,
        B: Body + Send + 'static,
        B::Data: Send,
        B::Error: Into<Box<dyn StdError + Send + Sync>>,
    {
        let mut connection_idx = 0_u32;
        loop {
            let next = async {
                let permit = Arc::clone(&self.permits).acquire_owned().await.expect("semaphore is never closed");
                (permit, accept_one(&self.listener).await)
            };
            let (permit, (stream, peer)) = tokio::select! {
                biased;
                _ = self.phase.changed() => return,
                next = next => next,
            };
            let open = OpenConnection::new(permit, self.n_open.clone());
            let service = PeerService {
                service: service.clone(),
                peer: PeerAddress(peer),
                trusted_proxies: Arc::clone(&self.trusted_proxies),
            };
            let connection =
                self.builder.serve_connection(TokioIo::new(GoawayStream::new(stream)), service).into_owned();
            let age_max = self.age_max.map(|age| jittered(age, connection_idx));
            connection_idx = connection_idx.wrapping_add(1);
            let phase = self.phase.clone();
            tokio::spawn(async move {
                // Clients abort connections all the time; their calls are counted
                // as cancelled elsewhere.
                let shutdown = |connection: Pin<&mut auto::Connection<'_, _, _, _>>| connection.graceful_shutdown();
                if let Some(Err(error)) = serve_until_closed(connection, shutdown, phase, age_max).await {
                    tracing::debug!(error, "connection error");
                }
                drop(open);
            });
        }
    }
}

/// A connection's place among those of its port.
struct OpenConnection {
    _permit: OwnedSemaphorePermit,
    n_open: Gauge,
}

impl OpenConnection {
    fn new(permit: OwnedSemaphorePermit, n_open: Gauge) -> OpenConnection {
        n_open.increment(1.0);
        OpenConnection { _permit: permit, n_open }
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.n_open.decrement(1.0);
    }
}

/// The other end of a request's connection, among its extensions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PeerAddress(pub(crate) SocketAddr);

/// Tells requests their [`PeerAddress`] and [`ClientAddress`].
struct PeerService<S> {
    service: S,
    peer: PeerAddress,
    trusted_proxies: Arc<TrustedProxies>,
}

impl<S: Service<Request<Incoming>>> Service<Request<Incoming>> for PeerService<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn call(&self, mut request: Request<Incoming>) -> S::Future {
        let client = ClientAddress::of(self.peer.0, request.headers(), &self.trusted_proxies);
        request.extensions_mut().insert(self.peer);
        request.extensions_mut().insert(client);
        self.service.call(request)
    }
}

/// Serves a connection until it ends. Its age and the port's phase trigger the
/// graceful shutdown; if the phase's sender is dropped, the connection is
/// aborted and the result is `None`.
async fn serve_until_closed<C: Future>(
    connection: C,
    graceful_shutdown: impl Fn(Pin<&mut C>),
    mut phase: watch::Receiver<ConnectionPhase>,
    age_max: Option<Duration>,
) -> Option<C::Output> {
    let mut connection = pin!(connection);
    let aged = async {
        match age_max {
            Some(age) => tokio::time::sleep(age).await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        ended = connection.as_mut() => return Some(ended),
        () = aged => {}
        draining = phase.wait_for(|phase| *phase == ConnectionPhase::Draining) => {
            if draining.is_err() {
                return None;
            }
        }
    }
    graceful_shutdown(connection.as_mut());
    loop {
        tokio::select! {
            ended = connection.as_mut() => return Some(ended),
            changed = phase.changed() => if changed.is_err() { return None },
        }
    }
}

/// The age with a jitter of 10 %, different for each connection: those opened
/// together do not all reconnect together.
fn jittered(age: Duration, connection_idx: u32) -> Duration {
    const GOLDEN_RATIO: f64 = 0.618_033_988_749_895;
    age.mul_f64(0.9 + 0.2 * (f64::from(connection_idx) * GOLDEN_RATIO).fract())
}

async fn accept_one(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                // Responses are written at once; Nagle's algorithm would only delay them.
                if let Err(error) = stream.set_nodelay(true) {
                    tracing::debug!(%error, "cannot set TCP_NODELAY");
                }
                return (stream, peer);
            }
            Err(error) if is_connection_error(&error) => {}
            Err(error) => {
                // Out of file descriptors or memory: wait for others to close.
                tracing::warn!(%error, "cannot accept connections");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

fn is_connection_error(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

fn connection_builder(config: &Config) -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(Duration::from_millis(config.header_timeout_ms));
    let interval = (config.keepalive_interval_ms > 0).then(|| Duration::from_millis(config.keepalive_interval_ms));
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(config.streams_per_connection_max)
        .keep_alive_interval(interval)
        .keep_alive_timeout(Duration::from_millis(config.keepalive_timeout_ms));
    builder
}
