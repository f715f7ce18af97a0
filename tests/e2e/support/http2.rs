//! HTTP/2 frame by frame, for behaviour that no real client has.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

pub(crate) const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

pub(crate) const DATA: u8 = 0;
pub(crate) const HEADERS: u8 = 1;
pub(crate) const RST_STREAM: u8 = 3;
pub(crate) const SETTINGS: u8 = 4;
pub(crate) const PING: u8 = 6;
pub(crate) const GOAWAY: u8 = 7;
pub(crate) const WINDOW_UPDATE: u8 = 8;
pub(crate) const CONTINUATION: u8 = 9;

pub(crate) const END_STREAM: u8 = 1;
pub(crate) const ACK: u8 = 1;
pub(crate) const END_HEADERS: u8 = 4;

/// The setting SETTINGS_INITIAL_WINDOW_SIZE.
const INITIAL_WINDOW_SIZE: u16 = 4;

#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) kind: u8,
    pub(crate) flags: u8,
    pub(crate) stream: u32,
    pub(crate) payload: Vec<u8>,
}

impl Frame {
    pub(crate) fn new(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Frame {
        Frame { kind, flags, stream, payload: payload.to_vec() }
    }

    /// A GET request whose header block uses only HPACK's static table and literals.
    pub(crate) fn get(stream: u32, path: &str) -> Frame {
        let mut block = vec![0x82, 0x86];
        for (name, value) in [(0x04, path), (0x01, "localhost")] {
            block.extend([name, value.len() as u8]);
            block.extend(value.as_bytes());
        }
        Frame::new(HEADERS, END_STREAM | END_HEADERS, stream, &block)
    }

    /// SETTINGS with the initial window of streams.
    pub(crate) fn initial_window(len: u32) -> Frame {
        Frame::new(SETTINGS, 0, 0, &[&INITIAL_WINDOW_SIZE.to_be_bytes()[..], &len.to_be_bytes()].concat())
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend(&(self.payload.len() as u32).to_be_bytes()[1..]);
        out.extend([self.kind, self.flags]);
        out.extend(self.stream.to_be_bytes());
        out.extend(&self.payload);
    }

    /// Reads one frame; `None` at the end of the connection.
    pub(crate) async fn read(stream: &mut TcpStream) -> Option<Frame> {
        let mut head = [0; 9];
        stream.read_exact(&mut head).await.ok()?;
        let mut payload = vec![0; u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize];
        stream.read_exact(&mut payload).await.ok()?;
        let [.., a, b, c, d] = head;
        Some(Frame { kind: head[3], flags: head[4], stream: u32::from_be_bytes([a, b, c, d]), payload })
    }
}

/// The beginning of a client's connection: preface, settings, and these frames.
pub(crate) fn opening(frames: &[Frame]) -> Vec<u8> {
    [PREFACE, &bytes_of(&[Frame::new(SETTINGS, 0, 0, &[])]), &bytes_of(frames)].concat()
}

pub(crate) fn bytes_of(frames: &[Frame]) -> Vec<u8> {
    let mut bytes = Vec::new();
    frames.iter().for_each(|frame| frame.write(&mut bytes));
    bytes
}

pub(crate) async fn send(stream: &mut TcpStream, frames: &[Frame]) {
    stream.write_all(&bytes_of(frames)).await.unwrap();
}
