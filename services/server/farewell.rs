//! HTTP/2's farewell, kept from hurting calls under way.
//!
//! A connection that is told to finish says so (GOAWAY) and asks whether that
//! was heard (PING). Streams that begin after the answer are not taken. Clients
//! that write in batches answer first and then begin what they had ready, so
//! [`Farewell`] holds the answer back for a moment, and these are served.
//!
//! What comes later still has to be ignored, and its client may try it again
//! elsewhere. `h2` does so with every frame but one: it takes a WINDOW_UPDATE of
//! such a stream for a breach of protocol and breaks off everything (h2 0.4.20).
//! Here these become frames of an unknown kind, which everybody has to ignore.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// What `h2` puts into the PING that asks whether the farewell was heard.
const QUESTION: [u8; 8] = [0x0b, 0x7b, 0xa2, 0xf0, 0x8b, 0x9b, 0xfe, 0x54];
/// The answer, a whole frame.
const ANSWER: [u8; 17] = [0, 0, 8, PING, ACK, 0, 0, 0, 0, 0x0b, 0x7b, 0xa2, 0xf0, 0x8b, 0x9b, 0xfe, 0x54];
/// For how long the answer is held back: time for a busy client to write what it
/// had ready.
const HELD_FOR: Duration = Duration::from_millis(200);
const HEAD_LEN: usize = 9;
/// Where a frame's head has its kind.
const KIND_AT: usize = 3;

const HEADERS: u8 = 1;
const PING: u8 = 6;
const WINDOW_UPDATE: u8 = 8;
const UNKNOWN: u8 = 0xff;
const ACK: u8 = 1;

/// A stream of bytes that is read through an [`Ear`].
#[derive(Debug)]
pub(crate) struct Farewell<S> {
    stream: S,
    ear: Ear,
    held: Held,
}

/// The answer that is held back.
#[derive(Debug)]
enum Held {
    Nothing,
    Until(Pin<Box<Sleep>>),
    /// So many bytes of it are given.
    Given(usize),
}

impl<S> Farewell<S> {
    pub(crate) fn new(stream: S) -> Self {
        Farewell { stream, ear: Ear::default(), held: Held::Nothing }
    }
}

/// Follows what a client sends, whatever pieces it arrives in.
#[derive(Debug, Default)]
struct Ear {
    at: At,
    /// The latest stream that began before the answer was passed on.
    last_stream: u32,
    answer: Answer,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Answer {
    #[default]
    Awaited,
    /// It came and was hidden, to be given later.
    Hidden,
    Passed,
}

#[derive(Debug)]
enum At {
    /// So many bytes of the preface have come.
    Preface(usize),
    /// So many bytes of a frame's head have.
    Head([u8; HEAD_LEN], usize),
    /// So many bytes are left of a frame that says nothing about the farewell.
    Payload(usize),
    /// So many bytes of a sign of life have come.
    Answer([u8; 8], usize),
    /// It is not HTTP/2.
    Other,
}

impl Default for At {
    fn default() -> Self {
        At::Preface(0)
    }
}

impl Ear {
    fn hear(&mut self, mut bytes: &mut [u8]) {
        while !bytes.is_empty() {
            let n = match &mut self.at {
                At::Other => return,
                At::Preface(n_before) => {
                    let n = bytes.len().min(PREFACE.len() - *n_before);
                    let is_same = bytes[..n] == PREFACE[*n_before..*n_before + n];
                    self.at = match *n_before + n {
                        _ if !is_same => At::Other,
                        24 => At::Head([0; HEAD_LEN], 0),
                        n_now => At::Preface(n_now),
                    };
                    n
                }
                At::Head(head, n_before) => {
                    let n = gather(head, n_before, bytes);
                    if *n_before == HEAD_LEN {
                        let head = *head;
                        let (this, rest) = bytes.split_at_mut(n);
                        // The kind, unless it came in a piece before this one.
                        let kind = (n + KIND_AT).checked_sub(HEAD_LEN).map(|at| &mut this[at]);
                        self.frame(head, kind, rest);
                    }
                    n
                }
                At::Payload(left) => {
                    let n = bytes.len().min(*left);
                    *left -= n;
                    if *left == 0 {
                        self.at = At::Head([0; HEAD_LEN], 0);
                    }
                    n
                }
                At::Answer(payload, n_before) => {
                    let n = gather(payload, n_before, bytes);
                    if *n_before == payload.len() {
                        if *payload == QUESTION {
                            self.answer = Answer::Passed;
                        }
                        self.at = At::Head([0; HEAD_LEN], 0);
                    }
                    n
                }
            };
            bytes = &mut bytes[n..];
        }
    }

    /// A frame begins. What is given of its `kind` and payload can still be
    /// changed.
    fn frame(&mut self, head: [u8; HEAD_LEN], kind: Option<&mut u8>, payload: &[u8]) {
        let [len_0, len_1, len_2, kind_heard, flags, id @ ..] = head;
        let len = u32::from_be_bytes([0, len_0, len_1, len_2]) as usize;
        let stream = u32::from_be_bytes(id) & (u32::MAX >> 1);
        let is_sign = kind_heard == PING && flags & ACK != 0 && len == QUESTION.len();
        self.at = match len {
            0 => At::Head([0; HEAD_LEN], 0),
            _ if is_sign => At::Answer([0; 8], 0),
            _ => At::Payload(len),
        };
        match (kind_heard, kind) {
            (HEADERS, _) if self.answer != Answer::Passed => self.last_stream = self.last_stream.max(stream),
            (WINDOW_UPDATE, Some(kind)) if self.answer == Answer::Passed && stream > self.last_stream => {
                *kind = UNKNOWN;
            }
            (PING, Some(kind)) if is_sign && self.answer == Answer::Awaited && payload.starts_with(&QUESTION) => {
                *kind = UNKNOWN;
                (self.answer, self.at) = (Answer::Hidden, At::Payload(len));
            }
            _ => {}
        }
    }
}

/// Takes what is missing from the front of `bytes`; how many that is.
fn gather(gathered: &mut [u8], n_before: &mut usize, bytes: &[u8]) -> usize {
    let n = bytes.len().min(gathered.len() - *n_before);
    gathered[*n_before..*n_before + n].copy_from_slice(&bytes[..n]);
    *n_before += n;
    n
}

impl<S: AsyncRead + Unpin> AsyncRead for Farewell<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let Farewell { stream, ear, held } = self.get_mut();
        if let Held::Until(moment) = held
            && matches!(ear.at, At::Head(_, 0))
            && moment.as_mut().poll(cx).is_ready()
        {
            ear.answer = Answer::Passed;
            *held = Held::Given(0);
        }
        if let Held::Given(n_given) = held {
            let n = buf.remaining().min(ANSWER.len() - *n_given);
            buf.put_slice(&ANSWER[*n_given..*n_given + n]);
            *n_given += n;
            if *n_given == ANSWER.len() {
                *held = Held::Nothing;
            }
            return Poll::Ready(Ok(()));
        }
        let n_before = buf.filled().len();
        ready!(Pin::new(stream).poll_read(cx, buf))?;
        ear.hear(&mut buf.filled_mut()[n_before..]);
        if ear.answer == Answer::Hidden && matches!(held, Held::Nothing) {
            *held = Held::Until(Box::pin(sleep(HELD_FOR)));
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Farewell<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write(cx, buf)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
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

    fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
        let len = (payload.len() as u32).to_be_bytes();
        [&len[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
    }

    /// What is passed on of frames that come in pieces of up to so many bytes,
    /// each frame in pieces of its own.
    fn heard(frames: &[Vec<u8>], piece_len: usize) -> Vec<Vec<u8>> {
        let mut ear = Ear::default();
        let mut passed = frames.to_vec();
        passed.iter_mut().for_each(|frame| frame.chunks_mut(piece_len).for_each(|piece| ear.hear(piece)));
        passed
    }

    fn conversation(kind_of_late: u8, kind_of_answer: u8, answer: &[u8; 8]) -> Vec<Vec<u8>> {
        let window = 1024_u32.to_be_bytes();
        vec![
            PREFACE.to_vec(),
            frame(4, 0, 0, &[]),
            frame(HEADERS, 5, 1, &[0x82; 30]),
            frame(HEADERS, 5, 5, &[0x82; 3]),
            frame(WINDOW_UPDATE, 0, 7, &window),
            frame(kind_of_answer, ACK, 0, answer),
            frame(HEADERS, 5, 7, &[0x82; 100]),
            frame(0, 1, 7, &[WINDOW_UPDATE; 20]),
            frame(kind_of_late, 0, 7, &window),
            frame(WINDOW_UPDATE, 0, 5, &window),
            frame(WINDOW_UPDATE, 0, 0, &window),
        ]
    }

    /// The answer is hidden where it comes in one piece, and then nothing is too
    /// late. Where it was passed on, windows of streams that began after it are
    /// hidden, in whatever pieces they come, as long as the kind and what follows
    /// it in the head are in one.
    #[test]
    fn answers_and_late_windows_are_hidden() {
        let sent = conversation(WINDOW_UPDATE, PING, &QUESTION);
        let held = conversation(WINDOW_UPDATE, UNKNOWN, &QUESTION);
        assert_eq!(heard(&sent, 1000), held);
        assert_eq!(heard(&[sent.concat()], 1000), [held.concat()], "all at once");
        let passed = conversation(UNKNOWN, PING, &QUESTION);
        for piece_len in [12, 11, 10, 9] {
            assert_eq!(heard(&sent, piece_len), passed, "in pieces of {piece_len}");
        }
    }

    /// Other signs of life and other protocols are left as they are; so is what
    /// comes byte by byte.
    #[test]
    fn nothing_else_is_touched() {
        let other_ping = conversation(WINDOW_UPDATE, PING, &[1; 8]);
        let mut other_protocol = conversation(WINDOW_UPDATE, PING, &QUESTION);
        other_protocol.insert(0, b"GET / HTTP/1.1\r\n\r\n".to_vec());
        for sent in [other_ping, other_protocol] {
            for piece_len in [1000, 10, 1] {
                assert_eq!(heard(&sent, piece_len), sent, "in pieces of {piece_len}");
            }
        }
        let sent = conversation(WINDOW_UPDATE, PING, &QUESTION);
        assert_eq!(heard(&sent, 1), sent);
    }

    /// The answer is given later, between two frames, whole.
    #[tokio::test]
    async fn the_answer_is_given_later() {
        let (mut client, server) = tokio::io::duplex(1000);
        let mut server = Farewell::new(server);
        let answer = frame(PING, ACK, 0, &QUESTION);
        let begun = frame(HEADERS, 5, 1, &[0x82; 30]);
        client.write_all(&[&PREFACE[..], &answer, &begun[..20]].concat()).await.unwrap();
        let mut heard = vec![0; 24 + 17 + 20];
        server.read_exact(&mut heard).await.unwrap();
        sleep(2 * HELD_FOR).await;
        client.write_all(&begun[20..]).await.unwrap();
        let mut rest = vec![0; begun.len() - 20 + ANSWER.len()];
        server.read_exact(&mut rest).await.unwrap();
        assert_eq!(rest, [&begun[20..], &answer].concat());
        assert_eq!(answer, ANSWER);
    }
}
