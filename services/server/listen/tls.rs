//! The TLS handshake of a connection, and its stream with or without TLS.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::socket::SocketStream;

/// Inputs of a handshake.
#[derive(Clone, Debug)]
pub(super) struct Handshake {
    pub(super) config: Arc<ServerConfig>,
    pub(super) timeout: Duration,
}

/// A connection after its handshake, with or without TLS.
#[derive(Debug)]
pub(super) enum ConnectionStream {
    Plain(SocketStream),
    Tls(Box<TlsStream<SocketStream>>),
}

impl ConnectionStream {
    pub(super) async fn new(socket: SocketStream, handshake: Option<Handshake>) -> io::Result<ConnectionStream> {
        let Some(handshake) = handshake else { return Ok(ConnectionStream::Plain(socket)) };
        let accepting = TlsAcceptor::from(handshake.config).accept(socket);
        let stream = timeout(handshake.timeout, accepting).await.map_err(|_| io::ErrorKind::TimedOut)??;
        Ok(ConnectionStream::Tls(Box::new(stream)))
    }
}

impl AsyncRead for ConnectionStream {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            ConnectionStream::Plain(stream) => Pin::new(stream).poll_read(cx, buf),
            ConnectionStream::Tls(stream) => Pin::new(stream).poll_read(cx, buf),
        }
    }
}

impl AsyncWrite for ConnectionStream {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            ConnectionStream::Plain(stream) => Pin::new(stream).poll_write(cx, buf),
            ConnectionStream::Tls(stream) => Pin::new(stream).poll_write(cx, buf),
        }
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            ConnectionStream::Plain(stream) => Pin::new(stream).poll_write_vectored(cx, bufs),
            ConnectionStream::Tls(stream) => Pin::new(stream).poll_write_vectored(cx, bufs),
        }
    }

    fn is_write_vectored(&self) -> bool {
        match self {
            ConnectionStream::Plain(stream) => stream.is_write_vectored(),
            ConnectionStream::Tls(stream) => stream.is_write_vectored(),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            ConnectionStream::Plain(stream) => Pin::new(stream).poll_flush(cx),
            ConnectionStream::Tls(stream) => Pin::new(stream).poll_flush(cx),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            ConnectionStream::Plain(stream) => Pin::new(stream).poll_shutdown(cx),
            ConnectionStream::Tls(stream) => Pin::new(stream).poll_shutdown(cx),
        }
    }
}
