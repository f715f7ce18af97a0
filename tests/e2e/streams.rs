//! Streams of every kind: their number is bounded, and they leave room for others.

use std::net::{IpAddr, SocketAddr};

use bytes::Bytes;
use futures_util::future::join_all;
use http::Request;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use crate::support::failure::Failure;
use crate::support::grpc::encode_for;
use crate::support::rest::send;
use crate::support::{TIMEOUT, TestServer, about, assert_eventually, endless_search, server};

/// A limit that no test reaches.
const NEVER_MS: u64 = 600_000;
/// Paths and RPCs of calls that stream their answers, other than batches.
const KINDS: [(&str, &str); 3] = [("analysis", "Analyze"), ("review", "Review"), ("puzzles", "FindPuzzles")];

/// Returns a question of this kind that is not answered before the test ends.
fn question(kind: &str) -> Value {
    match kind {
        "review" => json!({"moves": ["1", "2"], "limits": {"timeMs": NEVER_MS}}),
        _ => endless_search(7, NEVER_MS),
    }
}

async fn connect_from(source: &str, address: SocketAddr, request: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("the system has sockets");
    let source: IpAddr = source.parse().expect("an address");
    socket.bind(SocketAddr::from((source, 0))).expect("all of 127/8 is this machine");
    let mut stream = socket.connect(address).await.expect("the port is open");
    stream.write_all(request.as_bytes()).await.expect("the kernel takes it");
    stream
}

fn post(path: &str, body: &Value) -> String {
    let head = "HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    let body = body.to_string();
    format!("POST /v1/games/search-endless/{path} {head}content-length: {}\r\n\r\n{body}", body.len())
}

async fn read_status(stream: &mut TcpStream) -> String {
    let mut status = [0; 12];
    timeout(TIMEOUT, stream.read_exact(&mut status)).await.expect("it is answered").expect("it is not closed");
    String::from_utf8_lossy(&status).into_owned()
}

async fn assert_open(server: &TestServer, n_expected: f64) {
    assert_eventually(&format!("{n_expected} connections are open"), async || {
        match server.metrics().await.value("pentad_connections", &[("port", "rest")]) {
            Some(n_open) if n_open == n_expected => Ok(()),
            n_open => Err(n_open),
        }
    })
    .await;
}

/// One caller gets a quarter of the streams of each kind, on both ports together; further ones
/// are refused with a time to try again, and other kinds are not affected.
#[tokio::test]
async fn streams_of_each_kind_are_bounded() {
    let limits = |config: &mut pentad::config::Config| {
        (config.streams_max, config.time_max_ms) = (8, NEVER_MS);
    };
    let server = server().plugin("search_endless").set(limits).start().await;
    let mut held = Vec::new();
    for (path, rpc) in KINDS {
        let url = server.rest_url(&format!("/v1/games/search-endless/{path}"));
        let ask = || server.http.post(&url).json(&question(path));
        let rest = ask().send().await.expect("the server answers");
        assert_eq!(rest.status(), 200, "{path}");
        let grpc = server.grpc().stream(rpc, &about("search-endless", question(path))).await.expect("the second");
        let reply = send(ask()).await.expect(429);
        assert_eq!((reply.problem().reason.as_str(), reply.header("retry-after")), ("overloaded", "5"), "{reply:?}");
        let refused = server.grpc().stream(rpc, &about("search-endless", question(path))).await.err();
        let refused = Failure::from_status(&refused.expect("one caller has two of eight"));
        assert_eq!(refused.reason, "overloaded", "{path}: {refused:?}");
        held.push((path, rest, grpc));
    }
    for (path, rest, _grpc) in held {
        drop(rest);
        assert_eventually("the place is free again", async || {
            let url = server.rest_url(&format!("/v1/games/search-endless/{path}"));
            let response = server.http.post(&url).json(&question(path)).send().await.expect("the server answers");
            if response.status() == 200 { Ok(()) } else { Err(response.status()) }
        })
        .await;
    }
}

/// Two addresses whose streams, or whose equal questions, take all connections of a port do
/// not keep others from being answered. 4,096 reviews once did so for ten minutes.
#[tokio::test]
async fn newcomers_are_answered_on_a_port_full_of_streams() {
    let limits = |config: &mut pentad::config::Config| {
        (config.connections_max, config.connections_per_address_max) = (8, 4);
        config.time_max_ms = NEVER_MS;
    };
    let server = server().plugin("search_endless").set(limits).start().await;
    let rest = server.addresses.rest;
    let newcomer = "GET /v1/games HTTP/1.1\r\nhost: localhost\r\n\r\n";
    for path in ["analysis", "review", "puzzles", "hints"] {
        let request = post(path, &question(path));
        let attackers = ["127.0.0.2", "127.0.0.3"].into_iter().flat_map(|source| [source; 4]);
        let mut held = join_all(attackers.map(|source| connect_from(source, rest, &request))).await;
        if path != "hints" {
            for stream in &mut held {
                assert_eq!(read_status(stream).await, "HTTP/1.1 200", "{path}");
            }
        }
        assert_open(&server, 8.0).await;
        let mut answered = Vec::new();
        for _ in 0..4 {
            let mut stream = connect_from("127.0.0.1", rest, newcomer).await;
            assert_eq!(read_status(&mut stream).await, "HTTP/1.1 200", "{path}");
            answered.push(stream);
        }
        drop((held, answered));
        assert_open(&server, 0.0).await;
    }
}

/// A stream of any kind that its caller does not read is reset after the write timeout, on
/// both ports, and its place is free again.
#[tokio::test]
async fn unread_streams_of_every_kind_are_reset() {
    let limits = |config: &mut pentad::config::Config| {
        (config.write_timeout_ms, config.streams_max, config.batch_streams_max) = (200, 4, 4);
    };
    let server = server().set(limits).start().await;
    let question = |kind| match kind {
        "review" => json!({"moves": ["a1", "b2", "c3"], "limits": {"nodes": 50}}),
        "puzzles" => json!({"moves": ["a1", "b2", "c3", "a2", "a3", "c1", "b3"], "limits": {"nodes": 50}}),
        _ => json!({"limits": {"nodes": 50}}),
    };
    let batch = json!({"id": "a", "kind": "position", "game": "tictactoe"});
    let rest = |path: &str, body: &Value, accept: &str| {
        let head = Request::post(format!("http://localhost{path}")).header("accept", accept);
        let body = Full::from(body.to_string());
        head.header("content-type", "application/json").body(body).expect("a request")
    };
    let grpc = |rpc: &str, body: &Value| {
        let message = encode_for(rpc, body);
        let frame = [&[0][..], &(message.len() as u32).to_be_bytes(), &message].concat();
        let head = Request::post(format!("http://localhost/pentad.v1.Analysis/{rpc}"));
        head.header("content-type", "application/grpc").body(Full::from(frame)).expect("a request")
    };
    // Twice: one caller has one place of each kind.
    for _ in 0..2 {
        let mut requests = vec![
            (server.addresses.rest, rest("/v1/batch", &batch, "*/*")),
            (
                server.addresses.grpc,
                grpc("Batch", &json!({"question": {"id": "a", "position": {"game": "tictactoe"}}})),
            ),
        ];
        for (path, rpc) in KINDS {
            for accept in ["text/event-stream", "application/x-ndjson"] {
                let path_of_game = format!("/v1/games/tictactoe/{path}");
                requests.push((server.addresses.rest, rest(&path_of_game, &question(path), accept)));
            }
            requests.push((server.addresses.grpc, grpc(rpc, &about("tictactoe", question(path)))));
        }
        for (address, request) in requests {
            assert_reset(address, request).await;
        }
    }
}

/// Sends a request over HTTP/2 with a window of no bytes, and waits until the server resets the
/// stream.
async fn assert_reset(address: SocketAddr, request: Request<Full<Bytes>>) {
    let path = request.uri().path().to_owned();
    let stream = TcpStream::connect(address).await.expect("the port is open");
    let mut builder = http2::Builder::new(TokioExecutor::new());
    builder.timer(TokioTimer::new()).initial_stream_window_size(0);
    let (mut sender, connection) = builder.handshake(TokioIo::new(stream)).await.expect("HTTP/2");
    tokio::spawn(connection);
    let response = timeout(TIMEOUT, sender.send_request(request)).await.expect("no hanging").expect("an answer");
    assert_eq!(response.status(), 200, "{path}: {response:?}");
    assert!(!response.headers().contains_key("grpc-status"), "{path}: {response:?}");
    let read = timeout(TIMEOUT, response.into_body().collect()).await.expect("the stream is reset");
    assert!(read.is_err(), "{path}: the window was shut");
}
