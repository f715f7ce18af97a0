//! Graceful shutdown of HTTP/2 connections, frame by frame.

use std::collections::HashSet;
use std::io::Write;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::held::Held;
use crate::support::{TIMEOUT, server};

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GOAWAY: u8 = 7;
const WINDOW_UPDATE: u8 = 8;

const END_STREAM: u8 = 1;
const ACK: u8 = 1;
const END_HEADERS: u8 = 4;

/// Payload of the client's own PING: its ACK shows that the server has read every
/// frame sent before.
const BARRIER_PING: [u8; 8] = *b"barrier!";

struct Frame {
    kind: u8,
    flags: u8,
    stream: u32,
    payload: Vec<u8>,
}

impl Frame {
    fn new(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Frame {
        Frame { kind, flags, stream, payload: payload.to_vec() }
    }

    /// A GET request whose header block uses only HPACK's static table and literals.
    fn get(stream: u32, path: &str) -> Frame {
        let mut block = vec![0x82, 0x86];
        for (name, value) in [(0x04, path), (0x01, "localhost")] {
            block.extend([name, value.len() as u8]);
            block.extend(value.as_bytes());
        }
        Frame::new(HEADERS, END_STREAM | END_HEADERS, stream, &block)
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend(&(self.payload.len() as u32).to_be_bytes()[1..]);
        out.extend([self.kind, self.flags]);
        out.extend(self.stream.to_be_bytes());
        out.extend(&self.payload);
    }

    /// Reads one frame; `None` at the end of the connection.
    async fn read(stream: &mut TcpStream) -> Option<Frame> {
        let mut head = [0; 9];
        stream.read_exact(&mut head).await.ok()?;
        let mut payload = vec![0; u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize];
        stream.read_exact(&mut payload).await.ok()?;
        let [.., a, b, c, d] = head;
        Some(Frame { kind: head[3], flags: head[4], stream: u32::from_be_bytes([a, b, c, d]), payload })
    }
}

fn bytes_of(frames: &[Frame]) -> Vec<u8> {
    let mut bytes = Vec::new();
    frames.iter().for_each(|frame| frame.write(&mut bytes));
    bytes
}

async fn send(stream: &mut TcpStream, frames: &[Frame]) {
    stream.write_all(&bytes_of(frames)).await.unwrap();
}

/// A client that writes in batches may open a stream right after its PING ACK, and
/// send a WINDOW_UPDATE for it: that stream is served. One opened after the final
/// GOAWAY is not, but it must not affect the others: the server once treated its
/// WINDOW_UPDATE as a protocol error and closed the connection with streams open.
#[tokio::test]
async fn late_streams_do_not_break_the_connection() {
    let held = Held::new();
    let server = server().held(&held).set(|config| config.connection_age_ms_max = 100).start().await;
    // The server shares this thread: the first request is sent before it accepts,
    // so it begins before the connection reaches its maximum age.
    let mut stream = std::net::TcpStream::connect(server.addresses.rest).unwrap();
    let first = [Frame::new(SETTINGS, 0, 0, &[]), Frame::get(1, "/v1/games/held/hints?variant=search")];
    stream.write_all(&[&b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"[..], &bytes_of(&first)].concat()).unwrap();
    stream.set_nonblocking(true).unwrap();
    let mut stream = TcpStream::from_std(stream).unwrap();
    let (mut goaways, mut answered, mut body) = (Vec::new(), HashSet::new(), Vec::new());
    let exchange = async {
        while let Some(frame) = Frame::read(&mut stream).await {
            match frame.kind {
                SETTINGS if frame.flags & ACK == 0 => {
                    send(&mut stream, &[Frame::new(SETTINGS, ACK, 0, &[])]).await;
                }
                PING if frame.flags & ACK == 0 => {
                    let late = [
                        Frame::new(PING, ACK, 0, &frame.payload),
                        Frame::get(3, "/v1/games/pentago"),
                        Frame::new(WINDOW_UPDATE, 0, 3, &1024_u32.to_be_bytes()),
                    ];
                    send(&mut stream, &late).await;
                }
                // The server has read the frames that came too late while the
                // first stream is still open.
                PING if frame.payload == BARRIER_PING => held.release(),
                GOAWAY => {
                    let u32_at = |at: usize| u32::from_be_bytes(frame.payload[at..at + 4].try_into().unwrap());
                    goaways.push((u32_at(0), u32_at(4)));
                    if u32_at(0) == 3 && u32_at(4) == 0 {
                        let too_late = [
                            Frame::get(5, "/v1/games"),
                            Frame::new(WINDOW_UPDATE, 0, 5, &1024_u32.to_be_bytes()),
                            Frame::new(WINDOW_UPDATE, 0, 1, &1024_u32.to_be_bytes()),
                            Frame::new(PING, 0, 0, &BARRIER_PING),
                        ];
                        send(&mut stream, &too_late).await;
                    }
                }
                HEADERS => drop(answered.insert(frame.stream)),
                DATA => body.extend(frame.payload),
                _ => {}
            }
        }
    };
    tokio::time::timeout(TIMEOUT, exchange).await.expect("the connection ends");
    assert!(goaways.iter().all(|(_, code)| *code == 0), "last stream id and error code: {goaways:?}");
    assert_eq!(goaways.first().map(|(last, _)| *last), Some(u32::MAX >> 1), "{goaways:?}");
    assert_eq!(goaways.last().map(|(last, _)| *last), Some(3), "{goaways:?}");
    assert_eq!(answered, HashSet::from([1, 3]), "stream 5 belongs on another connection");
    assert!(String::from_utf8_lossy(&body).contains("\"stopReason\":\"depth\""), "{}", String::from_utf8_lossy(&body));
}
