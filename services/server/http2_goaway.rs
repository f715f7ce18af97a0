//! Closes HTTP/2 connections without failing streams that are being opened.
//!
//! hyper's graceful shutdown sends GOAWAY and a PING, and refuses streams that
//! open after the PING's ACK. Three things go wrong with that (h2 0.4.20):
//!
//! - Clients that write in batches send the ACK ahead of requests that they had already
//!   queued. [`GoawayStream`] delays the ACK by [`ACK_DELAY`], so that these are still
//!   served.
//! - Some clients never send it, or stop in the middle of a frame. Their ACK is
//!   synthesised after [`ACK_TIMEOUT`]; otherwise they could open streams forever.
//! - Frames of refused streams must be ignored, so that the client can retry them
//!   elsewhere. `h2` does so except for WINDOW_UPDATE, which it treats as a protocol
//!   error that ends every stream of the connection. Those frames are given an unknown
//!   type, which every endpoint must ignore.
//!
//! This relies on the payload of `h2`'s shutdown PING, which is private to it.
//! Nothing else in the server does, and an end-to-end test fails if it changes.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use crate::listen::ConnectionActivity;

const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// Payload of the PING that `h2` sends after a shutdown's GOAWAY.
const SHUTDOWN_PING: [u8; 8] = [0x0b, 0x7b, 0xa2, 0xf0, 0x8b, 0x9b, 0xfe, 0x54];
/// The client's ACK of that PING, as a complete frame.
const SHUTDOWN_PING_ACK: [u8; 17] = [0, 0, 8, PING, ACK, 0, 0, 0, 0, 0x0b, 0x7b, 0xa2, 0xf0, 0x8b, 0x9b, 0xfe, 0x54];
/// Time for a busy client to write the requests that it has queued.
const ACK_DELAY: Duration = Duration::from_millis(200);
/// Time for any client to answer the PING.
const ACK_TIMEOUT: Duration = Duration::from_secs(2);
const FRAME_HEADER_LEN: usize = 9;
/// Offset of the frame type in the frame header.
const TYPE_OFFSET: usize = 3;

const HEADERS: u8 = 1;
const PING: u8 = 6;
const WINDOW_UPDATE: u8 = 8;
const UNKNOWN_TYPE: u8 = 0xff;
const ACK: u8 = 1;

/// A connection whose incoming bytes pass a [`FrameScanner`].
#[derive(Debug)]
pub(crate) struct GoawayStream<S> {
    stream: S,
    scanner: FrameScanner,
    delayed_ack: DelayedAck,
    has_written: bool,
    activity: Arc<ConnectionActivity>,
}

/// The shutdown PING's ACK before its delivery to `h2`.
#[derive(Debug)]
enum DelayedAck {
    None,
    /// It has not arrived yet.
    Awaited(Pin<Box<Sleep>>),
    /// It has arrived.
    Waiting(Pin<Box<Sleep>>),
    /// Number of bytes already delivered.
    Writing(usize),
}

impl<S> GoawayStream<S> {
    pub(crate) fn new(stream: S, activity: Arc<ConnectionActivity>) -> Self {
        let (scanner, delayed_ack) = (FrameScanner::default(), DelayedAck::None);
        GoawayStream { stream, scanner, delayed_ack, has_written: false, activity }
    }
}

/// Parses the frames that a client sends, however reads split them.
#[derive(Debug, Default)]
struct FrameScanner {
    state: ScanState,
    /// Highest stream id opened before the ACK was delivered; `h2` refuses
    /// later streams.
    last_stream: u32,
    ack: ShutdownAck,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ShutdownAck {
    #[default]
    Awaited,
    /// Bytes received and hidden from `h2`, to be delivered later.
    Withheld,
    Delivered,
}

#[derive(Debug)]
enum ScanState {
    /// Number of bytes of the connection preface read so far.
    Preface(usize),
    /// A frame header and the number of its bytes read so far.
    FrameHeader([u8; FRAME_HEADER_LEN], usize),
    /// Number of bytes left of a payload that is not inspected.
    Payload(usize),
    /// Payload of a PING ACK and the number of its bytes read so far.
    PingAck([u8; 8], usize),
    NotHttp2,
}

impl Default for ScanState {
    fn default() -> Self {
        ScanState::Preface(0)
    }
}

impl FrameScanner {
    /// Whether the connection preface is complete.
    fn is_http2(&self) -> bool {
        !matches!(self.state, ScanState::Preface(_) | ScanState::NotHttp2)
    }

    fn scan(&mut self, mut bytes: &mut [u8]) {
        while !bytes.is_empty() {
            let n = match &mut self.state {
                ScanState::NotHttp2 => return,
                ScanState::Preface(n_before) => {
                    let n = bytes.len().min(PREFACE.len() - *n_before);
                    let is_same = bytes[..n] == PREFACE[*n_before..*n_before + n];
                    self.state = match *n_before + n {
                        _ if !is_same => ScanState::NotHttp2,
                        24 => ScanState::FrameHeader([0; FRAME_HEADER_LEN], 0),
                        n_now => ScanState::Preface(n_now),
                    };
                    n
                }
                ScanState::FrameHeader(header, n_before) => {
                    let n = fill(header, n_before, bytes);
                    if *n_before == FRAME_HEADER_LEN {
                        let header = *header;
                        let (header_bytes, rest) = bytes.split_at_mut(n);
                        // An earlier read may already have delivered it.
                        let kind = (n + TYPE_OFFSET).checked_sub(FRAME_HEADER_LEN).map(|at| &mut header_bytes[at]);
                        self.start_frame(header, kind, rest);
                    }
                    n
                }
                ScanState::Payload(left) => {
                    let n = bytes.len().min(*left);
                    *left -= n;
                    if *left == 0 {
                        self.state = ScanState::FrameHeader([0; FRAME_HEADER_LEN], 0);
                    }
                    n
                }
                ScanState::PingAck(payload, n_before) => {
                    let n = fill(payload, n_before, bytes);
                    if *n_before == payload.len() {
                        if *payload == SHUTDOWN_PING {
                            self.ack = ShutdownAck::Delivered;
                        }
                        self.state = ScanState::FrameHeader([0; FRAME_HEADER_LEN], 0);
                    }
                    n
                }
            };
            bytes = &mut bytes[n..];
        }
    }

    /// Handles a complete frame header. `kind` is the frame type if it can still be
    /// rewritten, `payload` the part of the payload read so far.
    fn start_frame(&mut self, header: [u8; FRAME_HEADER_LEN], kind: Option<&mut u8>, payload: &[u8]) {
        let [len_0, len_1, len_2, kind_received, flags, id @ ..] = header;
        let len = u32::from_be_bytes([0, len_0, len_1, len_2]) as usize;
        let stream = u32::from_be_bytes(id) & (u32::MAX >> 1);
        let is_ping_ack = kind_received == PING && flags & ACK != 0 && len == SHUTDOWN_PING.len();
        self.state = match len {
            0 => ScanState::FrameHeader([0; FRAME_HEADER_LEN], 0),
            _ if is_ping_ack => ScanState::PingAck([0; 8], 0),
            _ => ScanState::Payload(len),
        };
        match (kind_received, kind) {
            (HEADERS, _) if self.ack != ShutdownAck::Delivered => self.last_stream = self.last_stream.max(stream),
            (WINDOW_UPDATE, Some(kind)) if self.ack == ShutdownAck::Delivered && stream > self.last_stream => {
                *kind = UNKNOWN_TYPE;
            }
            (PING, Some(kind))
                if is_ping_ack && self.ack == ShutdownAck::Awaited && payload.starts_with(&SHUTDOWN_PING) =>
            {
                *kind = UNKNOWN_TYPE;
                (self.ack, self.state) = (ShutdownAck::Withheld, ScanState::Payload(len));
            }
            _ => {}
        }
    }
}

/// Copies the bytes that `target` still lacks, and returns their number.
fn fill(target: &mut [u8], n_before: &mut usize, bytes: &[u8]) -> usize {
    let n = bytes.len().min(target.len() - *n_before);
    target[*n_before..*n_before + n].copy_from_slice(&bytes[..n]);
    *n_before += n;
    n
}

impl<S: AsyncRead + Unpin> AsyncRead for GoawayStream<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let GoawayStream { stream, scanner, delayed_ack, activity, .. } = self.get_mut();
        let was_http2 = scanner.is_http2();
        if was_http2
            && scanner.ack == ShutdownAck::Awaited
            && matches!(delayed_ack, DelayedAck::None)
            && activity.is_shutting_down()
        {
            *delayed_ack = DelayedAck::Awaited(Box::pin(sleep(ACK_TIMEOUT)));
        }
        if let DelayedAck::Awaited(delay) | DelayedAck::Waiting(delay) = delayed_ack
            && matches!(scanner.state, ScanState::FrameHeader(_, 0))
            && delay.as_mut().poll(cx).is_ready()
        {
            scanner.ack = ShutdownAck::Delivered;
            *delayed_ack = DelayedAck::Writing(0);
        }
        if let DelayedAck::Writing(n_written) = delayed_ack {
            let n = buf.remaining().min(SHUTDOWN_PING_ACK.len() - *n_written);
            buf.put_slice(&SHUTDOWN_PING_ACK[*n_written..*n_written + n]);
            *n_written += n;
            if *n_written == SHUTDOWN_PING_ACK.len() {
                *delayed_ack = DelayedAck::None;
            }
            return Poll::Ready(Ok(()));
        }
        let n_before = buf.filled().len();
        ready!(Pin::new(stream).poll_read(cx, buf))?;
        scanner.scan(&mut buf.filled_mut()[n_before..]);
        if !was_http2 && scanner.is_http2() {
            activity.set_http2();
        }
        if scanner.ack == ShutdownAck::Withheld && !matches!(delayed_ack, DelayedAck::Waiting(_)) {
            *delayed_ack = DelayedAck::Waiting(Box::pin(sleep(ACK_DELAY)));
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for GoawayStream<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let GoawayStream { stream, has_written, .. } = self.get_mut();
        *has_written = true;
        Pin::new(stream).poll_write(cx, buf)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let GoawayStream { stream, has_written, .. } = self.get_mut();
        *has_written = true;
        Pin::new(stream).poll_write_vectored(cx, bufs)
    }

    /// `h2` calls this before it writes anything, and on `false` copies payloads of up
    /// to 1 kB instead of 255 bytes, so that many responses leave in one write. Longer
    /// payloads are not copied and need vectored writes.
    fn is_write_vectored(&self) -> bool {
        let is_setting_up_http2 = self.scanner.is_http2() && !self.has_written;
        !is_setting_up_http2 && self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;
    use crate::listen::CloseReason;

    fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
        let len = (payload.len() as u32).to_be_bytes();
        [&len[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
    }

    /// Returns what `h2` receives of frames that are read in pieces of at most
    /// `piece_len` bytes, no piece spanning two frames.
    fn scanned(frames: &[Vec<u8>], piece_len: usize) -> Vec<Vec<u8>> {
        let mut scanner = FrameScanner::default();
        let mut scanned = frames.to_vec();
        scanned.iter_mut().for_each(|frame| frame.chunks_mut(piece_len).for_each(|piece| scanner.scan(piece)));
        scanned
    }

    fn connection(late_window_type: u8, ack_type: u8, ack_payload: &[u8; 8]) -> Vec<Vec<u8>> {
        let window = 1024_u32.to_be_bytes();
        vec![
            PREFACE.to_vec(),
            frame(4, 0, 0, &[]),
            frame(HEADERS, 5, 1, &[0x82; 30]),
            frame(HEADERS, 5, 5, &[0x82; 3]),
            frame(WINDOW_UPDATE, 0, 7, &window),
            frame(ack_type, ACK, 0, ack_payload),
            frame(HEADERS, 5, 7, &[0x82; 100]),
            frame(0, 1, 7, &[WINDOW_UPDATE; 20]),
            frame(late_window_type, 0, 7, &window),
            frame(WINDOW_UPDATE, 0, 5, &window),
            frame(WINDOW_UPDATE, 0, 0, &window),
        ]
    }

    /// An ACK read in one piece is withheld, so no stream is late. After an ACK in
    /// several pieces was delivered, WINDOW_UPDATEs of later streams are hidden if
    /// their type can still be rewritten when the header is complete.
    #[test]
    fn ack_is_withheld_and_late_window_updates_are_hidden() {
        let sent = connection(WINDOW_UPDATE, PING, &SHUTDOWN_PING);
        let withheld = connection(WINDOW_UPDATE, UNKNOWN_TYPE, &SHUTDOWN_PING);
        assert_eq!(scanned(&sent, 1000), withheld);
        assert_eq!(scanned(&[sent.concat()], 1000), [withheld.concat()], "all at once");
        let delivered = connection(UNKNOWN_TYPE, PING, &SHUTDOWN_PING);
        for piece_len in [12, 11, 10, 9] {
            assert_eq!(scanned(&sent, piece_len), delivered, "in pieces of {piece_len}");
        }
    }

    /// Other PINGs and other protocols pass unchanged, also byte by byte.
    #[test]
    fn other_bytes_are_unchanged() {
        let other_ping = connection(WINDOW_UPDATE, PING, &[1; 8]);
        let mut other_protocol = connection(WINDOW_UPDATE, PING, &SHUTDOWN_PING);
        other_protocol.insert(0, b"GET / HTTP/1.1\r\n\r\n".to_vec());
        for sent in [other_ping, other_protocol] {
            for piece_len in [1000, 10, 1] {
                assert_eq!(scanned(&sent, piece_len), sent, "in pieces of {piece_len}");
            }
        }
        let sent = connection(WINDOW_UPDATE, PING, &SHUTDOWN_PING);
        assert_eq!(scanned(&sent, 1), sent);
    }

    /// The withheld ACK is delivered after the delay, between two frames.
    #[tokio::test]
    async fn ack_is_delivered_after_the_delay() {
        let (mut client, server) = tokio::io::duplex(1000);
        let mut server = GoawayStream::new(server, ConnectionActivity::new());
        let ack = frame(PING, ACK, 0, &SHUTDOWN_PING);
        let request = frame(HEADERS, 5, 1, &[0x82; 30]);
        client.write_all(&[&PREFACE[..], &ack, &request[..20]].concat()).await.unwrap();
        let mut first = vec![0; 24 + 17 + 20];
        server.read_exact(&mut first).await.unwrap();
        sleep(2 * ACK_DELAY).await;
        client.write_all(&request[20..]).await.unwrap();
        let mut rest = vec![0; request.len() - 20 + SHUTDOWN_PING_ACK.len()];
        server.read_exact(&mut rest).await.unwrap();
        assert_eq!(rest, [&request[20..], &ack].concat());
        assert_eq!(ack, SHUTDOWN_PING_ACK);
    }

    /// A missing ACK is synthesised once the connection is shutting down; if it arrives
    /// later, `h2` gets it as well and ignores it.
    #[tokio::test(start_paused = true)]
    async fn missing_ack_is_made_up() {
        let (mut client, server) = tokio::io::duplex(1000);
        let activity = ConnectionActivity::new();
        let mut server = GoawayStream::new(server, Arc::clone(&activity));
        client.write_all(PREFACE).await.unwrap();
        server.read_exact(&mut [0; 24]).await.unwrap();
        let mut ack = [0; SHUTDOWN_PING_ACK.len()];
        assert!(tokio::time::timeout(2 * ACK_TIMEOUT, server.read_exact(&mut ack)).await.is_err());
        activity.set_shutdown(CloseReason::Drain);
        server.read_exact(&mut ack).await.unwrap();
        assert_eq!(ack, SHUTDOWN_PING_ACK);
        client.write_all(&frame(PING, ACK, 0, &SHUTDOWN_PING)).await.unwrap();
        server.read_exact(&mut ack).await.unwrap();
        assert_eq!(ack, SHUTDOWN_PING_ACK);
    }

    /// Until `h2` has written something, writes are reported as not vectored; for
    /// HTTP/1.1 always.
    #[tokio::test]
    async fn short_payloads_are_copied() {
        for (received, is_http2) in [(&PREFACE[..], true), (b"GET / HTTP/1.1\r\n\r\n", false)] {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let mut peer = tokio::net::TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
            let (accepted, _) = listener.accept().await.unwrap();
            let mut stream = GoawayStream::new(accepted, ConnectionActivity::new());
            peer.write_all(received).await.unwrap();
            stream.read_exact(&mut vec![0; received.len()]).await.unwrap();
            assert_eq!(stream.is_write_vectored(), !is_http2);
            stream.write_all(b"x").await.unwrap();
            assert!(stream.is_write_vectored(), "for long ones");
        }
    }
}
