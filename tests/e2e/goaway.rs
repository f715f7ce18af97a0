//! Graceful shutdown of HTTP/2 connections, frame by frame.

use std::collections::HashSet;
use std::io::Write;

use tokio::net::TcpStream;

use crate::support::held::Held;
use crate::support::http2::{
    ACK, DATA, Frame, GOAWAY, HEADERS, PING, PREFACE, SETTINGS, WINDOW_UPDATE, bytes_of, send,
};
use crate::support::{TIMEOUT, server};

/// Payload of the client's own PING: its ACK shows that the server has read every
/// frame sent before.
const BARRIER_PING: [u8; 8] = *b"barrier!";

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
    stream.write_all(&[PREFACE, &bytes_of(&first)].concat()).unwrap();
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
