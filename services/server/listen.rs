//! One open port: accepts connections, serves them, and closes in good order.
//!
//! All three ports use it. HTTP/1.1 and HTTP/2 without TLS are told apart by
//! their first bytes. The number of connections is bounded: beyond it they wait
//! in the kernel's backlog. A connection that is old enough is told to finish:
//! its client opens another, perhaps to a replica that has come since.

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
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;

use crate::config::Config;
use crate::farewell::Farewell;

/// A bound port that nobody is served on yet.
#[derive(Debug)]
pub(crate) struct Port {
    listener: TcpListener,
    address: SocketAddr,
}

/// A port being served; [`close`](Self::close) stops that.
#[derive(Debug)]
pub(crate) struct Serving {
    accepting: JoinHandle<()>,
    connections: Connections,
}

/// A closed port with connections that still finish what they have taken.
/// Dropping it breaks them off.
pub(crate) struct Closing(Connections);

/// What the connections of a port are told, and how many there may be.
#[derive(Debug)]
struct Connections {
    max: usize,
    free: Arc<Semaphore>,
    /// Connections end when it is dropped.
    phase: watch::Sender<Phase>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Open,
    /// What was taken is finished, and nothing more is taken.
    Finishing,
}

impl Port {
    pub(crate) async fn bind(address: SocketAddr) -> io::Result<Port> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        Ok(Port { listener, address })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn serve<S, B>(self, service: S, config: &Config) -> Serving
    where
        S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible> + Clone + Send + 'static,
        S::Future: Send + 'static,
        B: Body + Send + 'static,
        B::Data: Send,
        B::Error: Into<Box<dyn StdError + Send + Sync>>,
    {
        let connections = Connections {
            max: config.connections_max,
            free: Arc::new(Semaphore::new(config.connections_max)),
            phase: watch::Sender::new(Phase::Open),
        };
        let acceptor = Acceptor {
            listener: self.listener,
            builder: connection_builder(config),
            free: Arc::clone(&connections.free),
            phase: connections.phase.subscribe(),
            age_max: (config.connection_age_ms_max > 0).then(|| Duration::from_millis(config.connection_age_ms_max)),
        };
        Serving { accepting: tokio::spawn(acceptor.accept(service)), connections }
    }
}

impl Serving {
    /// Accepts nothing more and tells the open connections to finish.
    pub(crate) async fn close(self) -> Closing {
        self.connections.phase.send_replace(Phase::Finishing);
        // It ends by itself, and if it panicked there is nothing to close.
        let _ = self.accepting.await;
        Closing(self.connections)
    }
}

impl Closing {
    /// Returns when the last connection has finished.
    pub(crate) async fn finished(&mut self) {
        let all = u32::try_from(self.0.max).unwrap_or(u32::MAX);
        let _permits = self.0.free.acquire_many(all).await.expect("semaphore is never closed");
    }

    /// Connections that have not finished.
    pub(crate) fn n_open(&self) -> usize {
        self.0.max - self.0.free.available_permits()
    }
}

struct Acceptor {
    listener: TcpListener,
    builder: auto::Builder<TokioExecutor>,
    free: Arc<Semaphore>,
    phase: watch::Receiver<Phase>,
    age_max: Option<Duration>,
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
        let mut n_before = 0_u32;
        loop {
            let next = async {
                let permit = Arc::clone(&self.free).acquire_owned().await.expect("semaphore is never closed");
                (permit, accept_one(&self.listener).await)
            };
            let (permit, stream) = tokio::select! {
                biased;
                _ = self.phase.changed() => return,
                next = next => next,
            };
            let connection =
                self.builder.serve_connection(TokioIo::new(Farewell::new(stream)), service.clone()).into_owned();
            let age_max = self.age_max.map(|age| spread(age, n_before));
            n_before = n_before.wrapping_add(1);
            let phase = self.phase.clone();
            tokio::spawn(async move {
                // Clients break connections off all the time; what they asked
                // is counted as cancelled where it was answered.
                let finish = |connection: Pin<&mut auto::Connection<'_, _, _, _>>| connection.graceful_shutdown();
                if let Some(Err(error)) = until_finished(connection, finish, phase, age_max).await {
                    tracing::debug!(error, "connection broken");
                }
                drop(permit);
            });
        }
    }
}

/// Serves a connection to its end, which comes by itself, or because it was told
/// to finish, or at once, without a result, when nobody is there to tell it.
async fn until_finished<C: Future>(
    connection: C,
    finish: impl Fn(Pin<&mut C>),
    mut phase: watch::Receiver<Phase>,
    age_max: Option<Duration>,
) -> Option<C::Output> {
    let mut connection = pin!(connection);
    let old = async {
        match age_max {
            Some(age) => tokio::time::sleep(age).await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        ended = connection.as_mut() => return Some(ended),
        () = old => {}
        told = phase.wait_for(|phase| *phase == Phase::Finishing) => if told.is_err() { return None },
    }
    finish(connection.as_mut());
    loop {
        tokio::select! {
            ended = connection.as_mut() => return Some(ended),
            changed = phase.changed() => if changed.is_err() { return None },
        }
    }
}

/// Within a tenth of the age, each connection at another time: those that came
/// together do not all come again together.
fn spread(age: Duration, n_before: u32) -> Duration {
    const GOLDEN: f64 = 0.618_033_988_749_895;
    age.mul_f64(0.9 + 0.2 * (f64::from(n_before) * GOLDEN).fract())
}

async fn accept_one(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                // Answers are written whole; waiting to fill a packet only delays them.
                if let Err(error) = stream.set_nodelay(true) {
                    tracing::debug!(%error, "cannot set TCP_NODELAY");
                }
                return stream;
            }
            Err(error) if is_of_one_connection(&error) => {}
            Err(error) => {
                // Out of file descriptors or memory: let others finish first.
                tracing::warn!(%error, "cannot accept connections");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

fn is_of_one_connection(error: &io::Error) -> bool {
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
