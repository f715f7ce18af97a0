//! A port: accepts connections, serves them, and closes gracefully.
//!
//! All three ports use this, the public ones with TLS if there is a certificate.
//! HTTP/1.1 and HTTP/2 are distinguished by their first bytes.
//!
//! | module | contents |
//! | --- | --- |
//! | `table` | open connections, their limits, and eviction |
//! | `connection` | one connection, from accept to close |
//! | `activity` | connection activity and its timeouts |
//! | `socket` | its stream, which detects peers that hang up or do not read |
//! | `tls` | its handshake |
//! | `service` | its requests, with the peer's address |
//! | `stream_task` | its HTTP/2 streams, which are reset if the peer does not read |
//! | `file_limit` | how many connections the limit of open files allows |

mod activity;
mod connection;
pub(crate) mod file_limit;
mod service;
mod socket;
mod stream_task;
mod table;
mod tls;

use std::convert::Infallible;
use std::error::Error as StdError;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use hyper::body::Body;
use hyper::service::Service;
use hyper_util::rt::TokioTimer;
use hyper_util::server::conn::auto;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::access::Access;
use crate::config::{Config, TrustedProxies};
use crate::telemetry::PortMetrics;

use activity::ConnectionLimits;
use connection::AcceptedConnection;
use stream_task::StreamExecutor;
use table::ConnectionTable;
use tls::Handshake;

pub(crate) use activity::{CloseReason, ConnectionActivity};
pub(crate) use service::RequestBody;

/// Connections that the kernel completes before they are accepted.
const BACKLOG: u32 = 1_024;
/// Buffer of an HTTP/1.1 connection, in each direction: longer than the longest URI (64
/// KiB) and some headers.
const HTTP1_BUFFER_BYTES_MAX: usize = 128 * 1024;
/// Bytes of a request's body that may wait to be read. `h2` closes a connection on which too
/// many small DATA frames wait: a frame of n < 256 bytes counts as 256 - n, and the sum may
/// reach half of the connection's window. The questions of a batch have 20 bytes or more, so
/// a full stream counts as 380 kB at most.
const HTTP2_STREAM_WINDOW: u32 = 32 * 1024;
/// Bytes that may wait on all streams of a connection: two full streams of the smallest
/// questions are within the limit, and six of ordinary ones.
const HTTP2_CONNECTION_WINDOW: u32 = 2 * 1024 * 1024;

/// A bound port that does not accept connections yet.
#[derive(Debug)]
pub(crate) struct BoundPort {
    listener: TcpListener,
    address: SocketAddr,
    runtime: Handle,
}

/// A port that accepts connections until [`close`](Self::close).
#[derive(Debug)]
pub(crate) struct ServingPort {
    accepting: JoinHandle<()>,
    connections: Arc<ConnectionTable>,
    /// Connections are aborted when this is dropped.
    phase: watch::Sender<ConnectionPhase>,
}

/// A closed port whose connections complete their calls. Dropping it aborts them.
pub(crate) struct DrainingPort(ServingPort);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConnectionPhase {
    Open,
    /// Running calls complete, new ones are refused.
    Draining,
}

/// Peer address of a request's connection, stored in its extensions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PeerAddress(pub(crate) SocketAddr);

/// Marks a response, in its extensions, whose stream occupies its connection for long: a
/// full port may evict it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LongStream {
    /// The caller keeps it open without waiting for an answer: it counts as idle.
    KeptOpen,
    /// An answer in many messages: evicted if no connection is idle.
    Updates,
}

impl BoundPort {
    /// Binds a port whose connections run on this runtime.
    pub(crate) fn bind(address: SocketAddr, runtime: &Handle) -> io::Result<BoundPort> {
        let _entered = runtime.enter();
        let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
        // Lets a restarted server bind its port although old connections linger.
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        let listener = socket.listen(BACKLOG)?;
        let address = listener.local_addr()?;
        Ok(BoundPort { listener, address, runtime: runtime.clone() })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Accepts up to `connections_max` connections once `opening` resolves, with TLS if
    /// `tls` has a certificate.
    pub(crate) fn serve<S, B>(
        self,
        service: S,
        config: &Config,
        connections_max: usize,
        metrics: PortMetrics,
        tls: Option<Arc<Access>>,
        opening: Pin<Box<dyn Future<Output = ()> + Send>>,
    ) -> ServingPort
    where
        S: Service<Request<RequestBody>, Response = Response<B>, Error = Infallible> + Clone + Send + 'static,
        S::Future: Send + 'static,
        B: Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn StdError + Send + Sync>>,
    {
        let trusted_proxies = Arc::new(config.trusted_proxies.clone());
        let per_address_max = config.connections_per_address_max;
        let connections = ConnectionTable::new(connections_max, per_address_max, Arc::clone(&trusted_proxies), metrics);
        let phase = watch::Sender::new(ConnectionPhase::Open);
        let acceptor = Acceptor {
            listener: self.listener,
            builder: connection_builder(config),
            connections: Arc::clone(&connections),
            phase: phase.subscribe(),
            limits: connection_limits(config),
            trusted_proxies,
            tls,
            handshake_timeout: Duration::from_millis(config.tls_handshake_timeout_ms),
        };
        ServingPort { accepting: self.runtime.spawn(acceptor.accept(service, opening)), connections, phase }
    }
}

impl ServingPort {
    /// Stops accepting connections and starts the graceful shutdown of open ones.
    pub(crate) fn close(self) -> DrainingPort {
        self.phase.send_replace(ConnectionPhase::Draining);
        DrainingPort(self)
    }
}

impl DrainingPort {
    /// Waits until the port and the last connection are closed.
    pub(crate) async fn finished(&mut self) {
        // If the task panicked, the listener is closed as well.
        let _ = (&mut self.0.accepting).await;
        self.0.connections.emptied().await;
    }

    /// Connections that are still open.
    pub(crate) fn n_open(&self) -> usize {
        self.0.connections.n_open()
    }
}

struct Acceptor {
    listener: TcpListener,
    builder: auto::Builder<StreamExecutor>,
    connections: Arc<ConnectionTable>,
    phase: watch::Receiver<ConnectionPhase>,
    limits: ConnectionLimits,
    trusted_proxies: Arc<TrustedProxies>,
    /// Holds the current certificates.
    tls: Option<Arc<Access>>,
    handshake_timeout: Duration,
}

impl Acceptor {
    async fn accept<S, B>(mut self, service: S, opening: Pin<Box<dyn Future<Output = ()> + Send>>)
    where
        S: Service<Request<RequestBody>, Response = Response<B>, Error = Infallible> + Clone + Send + 'static,
        S::Future: Send + 'static,
        B: Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn StdError + Send + Sync>>,
    {
        tokio::select! {
            biased;
            _ = self.phase.changed() => return,
            () = opening => {}
        }
        let mut connection_idx = 0_u32;
        loop {
            let next = async {
                let (socket, peer) = accept_one(&self.listener, &self.connections).await;
                (self.connections.admit(peer.ip()).await, socket, peer)
            };
            let (admitted, socket, peer) = tokio::select! {
                biased;
                _ = self.phase.changed() => return,
                next = next => next,
            };
            let Ok(slot) = admitted else {
                self.connections.metrics().count_closed(CloseReason::AddressLimit);
                continue;
            };
            let age_max = self.limits.age_max.map(|age| jittered(age, connection_idx));
            connection_idx = connection_idx.wrapping_add(1);
            let tls = self.tls.as_ref().and_then(|access| access.tls());
            let handshake = tls.map(|config| Handshake { config, timeout: self.handshake_timeout });
            let set_task = slot.task_setter();
            let connection = AcceptedConnection {
                socket,
                handshake,
                peer: PeerAddress(peer),
                slot,
                limits: ConnectionLimits { age_max, ..self.limits },
                phase: self.phase.clone(),
                trusted_proxies: Arc::clone(&self.trusted_proxies),
            };
            let task = tokio::spawn(connection.serve(self.builder.clone(), service.clone()));
            set_task(task.abort_handle());
        }
    }
}

async fn accept_one(listener: &TcpListener, connections: &ConnectionTable) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok((socket, peer)) => {
                // Responses are written at once; Nagle's algorithm would only delay
                // them.
                if let Err(error) = socket.set_nodelay(true) {
                    tracing::debug!(%error, "cannot set TCP_NODELAY");
                }
                return (socket, peer);
            }
            Err(error) if is_connection_error(&error) => {}
            Err(error) => {
                // Out of file descriptors or memory.
                let made_room = connections.evict_one();
                tracing::warn!(%error, made_room, "cannot accept connections");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

fn is_connection_error(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Returns the age with a jitter of 10 %, different for each connection, so that
/// connections opened together do not all reconnect together.
fn jittered(age: Duration, connection_idx: u32) -> Duration {
    const GOLDEN_RATIO: f64 = 0.618_033_988_749_895;
    age.mul_f64(0.9 + 0.2 * (f64::from(connection_idx) * GOLDEN_RATIO).fract())
}

fn connection_limits(config: &Config) -> ConnectionLimits {
    ConnectionLimits {
        header_timeout: Duration::from_millis(config.header_timeout_ms),
        idle_timeout: unless_zero(config.idle_timeout_ms),
        write_timeout: Duration::from_millis(config.write_timeout_ms),
        age_max: unless_zero(config.connection_age_ms_max),
        grace: Duration::from_millis(config.connection_grace_ms),
    }
}

fn connection_builder(config: &Config) -> auto::Builder<StreamExecutor> {
    let write_timeout = Duration::from_millis(config.write_timeout_ms);
    let mut builder = auto::Builder::new(StreamExecutor { write_timeout });
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_millis(config.header_timeout_ms))
        .max_buf_size(HTTP1_BUFFER_BYTES_MAX);
    builder
        .http2()
        .timer(TokioTimer::new())
        .initial_stream_window_size(HTTP2_STREAM_WINDOW)
        .initial_connection_window_size(HTTP2_CONNECTION_WINDOW)
        .max_concurrent_streams(config.streams_per_connection_max)
        .keep_alive_interval(unless_zero(config.keepalive_interval_ms))
        .keep_alive_timeout(Duration::from_millis(config.keepalive_timeout_ms));
    builder
}

fn unless_zero(ms: u64) -> Option<Duration> {
    (ms > 0).then(|| Duration::from_millis(ms))
}
