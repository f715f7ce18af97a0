//! One open port: accepts connections, serves them, and closes in good order.
//!
//! All three ports use it. HTTP/1.1 and HTTP/2 without TLS are told apart by
//! their first bytes. The number of connections is bounded: beyond it they wait
//! in the kernel's backlog.

use std::convert::Infallible;
use std::error::Error as StdError;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use http::{Request, Response};
use hyper::body::{Body, Incoming};
use hyper::service::Service;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, oneshot, watch};
use tokio::task::JoinHandle;

use crate::config::Config;

/// A bound port that nobody is served on yet.
#[derive(Debug)]
pub(crate) struct Port {
    listener: TcpListener,
    address: SocketAddr,
}

/// A port being served; [`close`](Self::close) stops that.
#[derive(Debug)]
pub(crate) struct Serving {
    stop: oneshot::Sender<()>,
    accepting: JoinHandle<GracefulShutdown>,
    connections: Arc<Connections>,
}

/// A closed port with connections that still finish what they have taken.
/// Dropping it breaks them off.
pub(crate) struct Closing {
    finished: Pin<Box<dyn Future<Output = ()> + Send>>,
    connections: Arc<Connections>,
}

#[derive(Debug)]
struct Connections {
    max: usize,
    free: Arc<Semaphore>,
    /// Never sent to: connections end when it is dropped.
    _alive: watch::Sender<()>,
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
        let (stop, stopped) = oneshot::channel();
        let builder = connection_builder(config);
        let free = Arc::new(Semaphore::new(config.connections_max));
        let alive = watch::Sender::new(());
        let accepting =
            tokio::spawn(accept(self.listener, builder, service, Arc::clone(&free), alive.subscribe(), stopped));
        Serving {
            stop,
            accepting,
            connections: Arc::new(Connections { max: config.connections_max, free, _alive: alive }),
        }
    }
}

impl Serving {
    /// Accepts nothing more and tells the open connections to finish.
    pub(crate) async fn close(self) -> Closing {
        // The task is gone only if it panicked, and then there is nothing to stop.
        let _ = self.stop.send(());
        let open = self.accepting.await.unwrap_or_default();
        Closing { finished: Box::pin(open.shutdown()), connections: self.connections }
    }
}

impl Closing {
    /// Returns when the last connection has finished.
    pub(crate) async fn finished(&mut self) {
        (&mut self.finished).await;
    }

    /// Connections that have not finished.
    pub(crate) fn n_open(&self) -> usize {
        self.connections.max - self.connections.free.available_permits()
    }
}

async fn accept<S, B>(
    listener: TcpListener,
    builder: auto::Builder<TokioExecutor>,
    service: S,
    free: Arc<Semaphore>,
    alive: watch::Receiver<()>,
    mut stopped: oneshot::Receiver<()>,
) -> GracefulShutdown
where
    S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send + 'static,
    B: Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn StdError + Send + Sync>>,
{
    let open = GracefulShutdown::new();
    loop {
        let next = async {
            let permit = Arc::clone(&free).acquire_owned().await.expect("semaphore is never closed");
            (permit, accept_one(&listener).await)
        };
        let (permit, stream) = tokio::select! {
            biased;
            _ = &mut stopped => return open,
            next = next => next,
        };
        let connection = builder.serve_connection(TokioIo::new(stream), service.clone()).into_owned();
        let connection = open.watch(connection);
        let mut alive = alive.clone();
        tokio::spawn(async move {
            tokio::select! {
                // Clients break connections off all the time; what they asked
                // is counted as cancelled where it was answered.
                ended = connection => if let Err(error) = ended {
                    tracing::debug!(error, "connection broken");
                },
                _ = alive.changed() => {}
            }
            drop(permit);
        });
    }
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
