//! A TCP stream for hyper that also detects what hyper does not: a peer that has hung
//! up, and one that does not read.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use rustix::io::Errno;
use rustix::net::Shutdown;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::time::Instant;

use super::activity::ConnectionActivity;

/// Bytes per second that a peer must read while a response waits for it. A slower peer
/// accumulates the difference as debt, up to the write timeout.
const READ_RATE_MIN: u32 = 1_024;

/// A TCP connection, below TLS if there is any.
#[derive(Debug)]
pub(crate) struct SocketStream {
    read: OwnedReadHalf,
    write: Arc<OwnedWriteHalf>,
    debt: WriteDebt,
    activity: Arc<ConnectionActivity>,
}

/// Detects that the peer has closed its side of a [`SocketStream`].
///
/// hyper does so only while it reads, and it does not read the next request before it
/// has answered the last one: a single byte of it hides the FIN.
#[derive(Debug)]
pub(super) struct HangUp(Arc<OwnedWriteHalf>);

/// Time during which writes were blocked, minus what the bytes written since have paid
/// off.
#[derive(Clone, Copy, Debug, Default)]
struct WriteDebt {
    owed: Duration,
    blocked_since: Option<Instant>,
}

impl WriteDebt {
    /// Records that the peer does not read. Returns since when, if that is new.
    fn block(&mut self, now: Instant) -> Option<Instant> {
        if self.blocked_since.is_some() {
            return None;
        }
        self.blocked_since = Some(now.checked_sub(self.owed).unwrap_or(now));
        self.blocked_since
    }

    /// Records that the peer has read some. Returns whether writes were blocked.
    fn pay(&mut self, n_written: usize, now: impl FnOnce() -> Instant) -> bool {
        let blocked_since = self.blocked_since.take();
        if let Some(since) = blocked_since {
            self.owed = now() - since;
        }
        if !self.owed.is_zero() {
            let n_written = u32::try_from(n_written).unwrap_or(u32::MAX);
            self.owed = self.owed.saturating_sub(Duration::from_secs(n_written.into()) / READ_RATE_MIN);
        }
        blocked_since.is_some()
    }
}

impl SocketStream {
    pub(super) fn new(socket: TcpStream, activity: Arc<ConnectionActivity>) -> (SocketStream, HangUp) {
        let (read, write) = socket.into_split();
        let write = Arc::new(write);
        let hang_up = HangUp(Arc::clone(&write));
        (SocketStream { read, write, debt: WriteDebt::default(), activity }, hang_up)
    }

    fn poll_write_with(
        &mut self,
        cx: &mut Context<'_>,
        write: impl Fn(&OwnedWriteHalf) -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        loop {
            let socket: &TcpStream = (*self.write).as_ref();
            if socket.poll_write_ready(cx)?.is_pending() {
                if let Some(since) = self.debt.block(Instant::now()) {
                    self.activity.set_write_blocked(Some(since));
                }
                return Poll::Pending;
            }
            match write(&self.write) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                written => {
                    if self.debt.pay(*written.as_ref().unwrap_or(&0), Instant::now) {
                        self.activity.set_write_blocked(None);
                    }
                    return Poll::Ready(written);
                }
            }
        }
    }
}

impl HangUp {
    /// Waits for the peer's FIN or RST, however much of its data is unread.
    #[cfg(target_os = "linux")]
    pub(super) async fn noticed(&self) {
        // The socket is not registered for urgent data, so this waits for `EPOLLRDHUP`
        // alone. An error means that the runtime is shutting down.
        let _ = self.0.ready(tokio::io::Interest::PRIORITY).await;
    }

    /// On other systems only hyper detects it.
    #[cfg(not(target_os = "linux"))]
    pub(super) async fn noticed(&self) {
        std::future::pending().await
    }
}

impl AsyncRead for SocketStream {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().read).poll_read(cx, buf)
    }
}

impl AsyncWrite for SocketStream {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        self.get_mut().poll_write_with(cx, |socket| socket.try_write(buf))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.get_mut().poll_write_with(cx, |socket| socket.try_write_vectored(bufs))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        let socket: &TcpStream = (*self.write).as_ref();
        Poll::Ready(match rustix::net::shutdown(socket, Shutdown::Write) {
            // The peer has already closed it.
            Ok(()) | Err(Errno::NOTCONN) => Ok(()),
            Err(error) => Err(error.into()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes read pay off blocked time: a peer that reads at the minimum rate owes
    /// nothing, a slower one the difference.
    #[test]
    fn slow_readers_owe_the_time() {
        let start = Instant::now();
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        let mut debt = WriteDebt::default();
        assert_eq!(debt.block(at(0)), Some(at(0)));
        assert_eq!(debt.block(at(5)), None, "it is still the same");
        assert!(debt.pay(10 * 1024, || at(10)));
        assert_eq!(debt.block(at(11)), Some(at(11)), "all was paid");
        assert!(debt.pay(1024, || at(21)));
        assert!(!debt.pay(1024, || unreachable!()), "writes were not blocked");
        assert_eq!(debt.block(at(30)), Some(at(22)), "ten seconds less two");
        assert!(debt.pay(usize::MAX, || at(100)));
        assert_eq!(debt.block(at(200)), Some(at(200)), "nobody reads ahead of time");
    }
}
