//! A stream of messages between two processes: a length in four bytes, then the
//! message.
//!
//! The other end may be hostile: a message beyond the reader's bound is refused before
//! memory is allocated for it, and the buffer grows with the bytes that arrive, not
//! with the claimed length.

use std::io::{self, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use serde::Serialize;

/// Initial size of the buffer; most messages fit.
const BUFFER_BYTES: usize = 16 * 1024;
const PREFIX: usize = 4;

/// One end of a channel.
#[derive(Debug)]
pub(crate) struct Channel {
    stream: UnixStream,
    /// Initialised throughout; the first `filled` bytes were received.
    input: Vec<u8>,
    filled: usize,
    /// End of the message that was returned last, which the next read discards.
    consumed: usize,
    output: Vec<u8>,
    /// Longer messages are refused.
    message_bytes_max: usize,
}

impl Channel {
    pub(crate) fn new(stream: UnixStream, message_bytes_max: usize) -> Channel {
        Channel {
            stream,
            input: vec![0; BUFFER_BYTES],
            filled: 0,
            consumed: 0,
            output: Vec::with_capacity(256),
            message_bytes_max,
        }
    }

    /// Creates two connected ends.
    pub(crate) fn pair() -> io::Result<(UnixStream, UnixStream)> {
        UnixStream::pair()
    }

    pub(crate) fn set_message_bytes_max(&mut self, message_bytes_max: usize) {
        self.message_bytes_max = message_bytes_max;
    }

    /// Sets how long [`receive`](Channel::receive) and [`send`](Channel::send) wait
    /// before they fail with `WouldBlock`.
    pub(crate) fn set_timeouts(&self, timeout: Duration) -> io::Result<()> {
        self.stream.set_read_timeout(Some(timeout))?;
        self.stream.set_write_timeout(Some(timeout))
    }

    pub(crate) fn set_read_timeout(&self, timeout: Duration) -> io::Result<()> {
        self.stream.set_read_timeout(Some(timeout))
    }

    /// Sends a message. Returns its length; nothing is sent if that is above `len_max`.
    pub(crate) fn send_within<T: Serialize>(&mut self, message: &T, len_max: usize) -> io::Result<usize> {
        let mut output = std::mem::take(&mut self.output);
        output.clear();
        output.extend([0; PREFIX]);
        self.output = postcard::to_extend(message, output).map_err(io::Error::other)?;
        let len = self.output.len() - PREFIX;
        if len <= len_max {
            let prefix = u32::try_from(len).map_err(io::Error::other)?.to_le_bytes();
            self.output[..PREFIX].copy_from_slice(&prefix);
            self.stream.write_all(&self.output)?;
        }
        Ok(len)
    }

    pub(crate) fn send<T: Serialize>(&mut self, message: &T) -> io::Result<()> {
        self.send_within(message, usize::MAX).map(|_len| ())
    }

    /// The message that [`receive`](Channel::receive) returned last.
    pub(crate) fn message(&self) -> &[u8] {
        &self.input[PREFIX.min(self.consumed)..self.consumed]
    }

    /// Returns the next message. After `WouldBlock` it may be called again;
    /// `UnexpectedEof` is the end of the channel, and `InvalidData` a length beyond the
    /// bound.
    pub(crate) fn receive(&mut self) -> io::Result<&[u8]> {
        self.input.copy_within(self.consumed..self.filled, 0);
        self.filled -= self.consumed;
        self.consumed = 0;
        loop {
            let mut wanted = PREFIX;
            if let Some(prefix) = self.input[..self.filled].first_chunk::<PREFIX>() {
                let len = u32::from_le_bytes(*prefix) as usize;
                if len > self.message_bytes_max {
                    let message = format!("a message of {len} bytes; at most {} are allowed", self.message_bytes_max);
                    return Err(io::Error::new(io::ErrorKind::InvalidData, message));
                }
                wanted += len;
                if self.filled >= wanted {
                    self.consumed = wanted;
                    return Ok(&self.input[PREFIX..wanted]);
                }
            }
            if self.filled == self.input.len() {
                // `wanted` is beyond the buffer, which is full of received bytes.
                self.input.resize(wanted.min(2 * self.input.len()), 0);
            }
            match self.stream.read(&mut self.input[self.filled..]) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(n_read) => self.filled += n_read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Whether a read or write timed out.
pub(crate) fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    fn channels(message_bytes_max: usize) -> (Channel, Channel) {
        let (one, other) = Channel::pair().unwrap();
        (Channel::new(one, message_bytes_max), Channel::new(other, message_bytes_max))
    }

    /// Messages of any length arrive whole and in order, however the bytes arrive.
    #[test]
    fn messages_arrive_whole() {
        let (mut one, mut other) = channels(1 << 20);
        let lens = [0, 1, 5, 16 * 1024 - 6, 16 * 1024, 16 * 1024 + 1, 300_000, 3];
        thread::scope(|scope| {
            scope.spawn(|| lens.iter().for_each(|len| one.send(&vec![7u8; *len]).unwrap()));
            for len in lens {
                let message: Vec<u8> = postcard::from_bytes(other.receive().unwrap()).unwrap();
                assert_eq!(message, vec![7; len]);
            }
        });
        drop(one);
        assert_eq!(other.receive().unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }

    /// A message in pieces is complete once its last byte is there; a timeout loses
    /// nothing.
    #[test]
    fn waits_can_be_resumed() {
        let (mut one, other) = channels(1 << 20);
        let mut other = other;
        other.set_timeouts(Duration::from_millis(1)).unwrap();
        assert!(is_timeout(&other.receive().unwrap_err()));
        one.send(&"text").unwrap();
        let whole = one.output.clone();
        assert_eq!(postcard::from_bytes::<&str>(other.receive().unwrap()), Ok("text"));
        for byte in &whole[..whole.len() - 1] {
            one.stream.write_all(&[*byte]).unwrap();
            assert!(is_timeout(&other.receive().unwrap_err()));
        }
        one.stream.write_all(&whole[whole.len() - 1..]).unwrap();
        assert_eq!(postcard::from_bytes::<&str>(other.receive().unwrap()), Ok("text"));
    }

    /// A length beyond the bound is refused at once; one within it allocates no memory
    /// before its bytes are there.
    #[test]
    fn claimed_lengths_take_no_memory() {
        let (mut one, mut other) = channels(1 << 30);
        other.set_timeouts(Duration::from_millis(1)).unwrap();
        one.stream.write_all(&(1u32 << 30).to_le_bytes()).unwrap();
        assert!(is_timeout(&other.receive().unwrap_err()));
        assert_eq!(other.input.len(), BUFFER_BYTES);
        let (mut one, mut other) = channels(100);
        one.stream.write_all(&101u32.to_le_bytes()).unwrap();
        assert_eq!(other.receive().unwrap_err().kind(), io::ErrorKind::InvalidData);
        assert_eq!(one.send_within(&[0u8; 200].as_slice(), 100).unwrap(), 202, "not sent");
    }
}
