//! Peers that send nothing, read nothing, hang up or attack: they are disconnected, and
//! other callers are answered meanwhile.

use std::io::Write;
use std::net::SocketAddr;

use pentad::Drained;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use crate::support::grpc::transport;
use crate::support::held::Held;
use crate::support::http2::{
    CONTINUATION, DATA, END_STREAM, Frame, GOAWAY, HEADERS, PING, PREFACE, RST_STREAM, SETTINGS, WINDOW_UPDATE,
    bytes_of, opening, send,
};
use crate::support::metrics::Metrics;
use crate::support::rest::client;
use crate::support::{TIMEOUT, TestServer, assert_eventually, endless_search, server};

/// A limit that no test reaches.
const NEVER_MS: u64 = 600_000;

fn ports(server: &TestServer) -> [(&'static str, SocketAddr); 3] {
    let addresses = server.addresses;
    [("grpc", addresses.grpc), ("rest", addresses.rest), ("admin", addresses.admin)]
}

async fn connect(address: SocketAddr, bytes: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.expect("the port is open");
    stream.write_all(bytes).await.expect("the kernel takes it");
    stream
}

/// As [`connect`], for a server that shares this thread: the bytes are sent before it can
/// accept, so that they have arrived when the connection's timeout starts.
fn connect_at_once(address: SocketAddr, bytes: &[u8]) -> TcpStream {
    let mut stream = std::net::TcpStream::connect(address).expect("the port is open");
    stream.write_all(bytes).expect("the kernel takes it");
    stream.set_nonblocking(true).expect("a socket can be");
    TcpStream::from_std(stream).expect("there is a runtime")
}

/// Reads until the server closes or resets the connection.
async fn closed(stream: &mut TcpStream) -> Vec<u8> {
    let mut received = Vec::new();
    let read_all = async {
        let mut part = vec![0; 65_536];
        while let Ok(n_read @ 1..) = stream.read(&mut part).await {
            received.extend(&part[..n_read]);
        }
    };
    timeout(TIMEOUT, read_all).await.expect("the server closes the connection");
    received
}

async fn assert_closed(server: &TestServer, port: &str, reason: &str, n_closed: f64) {
    assert_eventually(&format!("{n_closed} connections of {port} are closed: {reason}"), async || {
        // The limits apply to the admin port as well: this connection may be closed, too.
        let response = client().get(server.admin_url("/metrics")).send().await.map_err(|error| error.to_string())?;
        let metrics = Metrics::parse(&response.text().await.map_err(|error| error.to_string())?);
        let count = metrics.count("pentad_connections_closed_total", &[("port", port), ("reason", reason)]);
        if count >= n_closed { Ok(()) } else { Err(count.to_string()) }
    })
    .await;
}

/// A peer that sends no request, only the beginning of one, or no further one, is
/// disconnected after the header timeout. hyper has no such limit before it knows the
/// protocol: 4,096 connections that sent `PRI * HT` once blocked a port.
#[tokio::test]
async fn silent_connections_are_closed() {
    let server = server().set(|config| config.header_timeout_ms = 100).start().await;
    for (port, address) in ports(&server) {
        for begun in
            ["", "P", "PRI * HT", "PRI * HTTP/2.0\r\n\r\nSM\r\n", "GET", "GET / HTTP/1.1\r\nhost: localhost\r\n"]
        {
            closed(&mut connect(address, begun.as_bytes()).await).await;
        }
        let mut answered = connect_at_once(address, b"GET /nowhere HTTP/1.1\r\nhost: localhost\r\n\r\n");
        assert!(closed(&mut answered).await.starts_with(b"HTTP/1.1 "), "{port}");
        // hyper also closes connections that it knows to be HTTP/1.1, and may be faster.
        assert_closed(&server, port, "header_timeout", 4.0).await;
    }
}

/// An HTTP/2 connection without streams gets a GOAWAY after the idle timeout, and is closed
/// although its client does not answer.
#[tokio::test]
async fn idle_http2_connections_are_closed() {
    let server = server().set(|config| config.idle_timeout_ms = 100).start().await;
    let without_end = Frame::new(HEADERS, 0, 1, &[0x82]);
    for (port, address) in ports(&server) {
        for begun in [PREFACE.to_vec(), opening(&[]), opening(std::slice::from_ref(&without_end))] {
            closed(&mut connect(address, &begun).await).await;
        }
        assert_closed(&server, port, "idle", 3.0).await;
    }
}

/// A full port closes the connection that has been idle longest, and never one with a
/// request in progress.
#[tokio::test]
async fn full_port_closes_idle_connections() {
    let held = Held::new();
    let limits = |config: &mut pentad::config::Config| {
        config.connections_max = 4;
        config.header_timeout_ms = NEVER_MS;
        config.body_timeout_ms = NEVER_MS;
    };
    let server = server().held(&held).set(limits).start().await;
    let busy = tokio::spawn(server.http.get(server.rest_url("/v1/games/held/hints?variant=search")).send());
    server.assert_busy(1.0).await;
    let mut silent = connect(server.addresses.rest, b"").await;
    let mut beginning = connect(server.addresses.rest, b"PRI * HT").await;
    let head = b"POST /v1/games/pentago/hints HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n{";
    let mut half_body = connect(server.addresses.rest, head).await;
    let mut newcomers = Vec::new();
    for idle in [&mut silent, &mut beginning, &mut half_body] {
        let mut answer = connect(server.addresses.rest, b"GET /v1/games HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
        let mut status = [0; 12];
        timeout(TIMEOUT, answer.read_exact(&mut status)).await.expect("it is answered").expect("it is not closed");
        assert_eq!(&status, b"HTTP/1.1 200");
        assert_eq!(closed(idle).await, b"");
        newcomers.push(answer);
    }
    assert_closed(&server, "rest", "port_full", 3.0).await;
    assert!(!busy.is_finished(), "its request is under way");
    held.release();
    busy.await.expect("no panic").expect("an answer").error_for_status().expect("200");
}

/// Connections beyond the limit per address are closed at once; trusted proxies have no
/// limit.
#[tokio::test]
async fn connections_per_address_are_limited() {
    let limited = server().set(|config| config.connections_per_address_max = 2).start().await;
    let silent = [connect(limited.addresses.rest, b"").await, connect(limited.addresses.rest, b"").await];
    let mut third = TcpStream::connect(limited.addresses.rest).await.expect("the port is open");
    assert_eq!(closed(&mut third).await, b"");
    assert_closed(&limited, "rest", "address_limit", 1.0).await;
    drop(silent);
    assert_eventually("the address may connect again", async || {
        limited.http.get(limited.rest_url("/v1/games")).send().await
    })
    .await;

    let trust = |config: &mut pentad::config::Config| {
        config.connections_per_address_max = 2;
        config.trusted_proxies = pentad::config::TrustedProxies::new("127.0.0.0/8").expect("a network");
    };
    let trusting = server().set(trust).start().await;
    let _silent = [connect(trusting.addresses.rest, b"").await, connect(trusting.addresses.rest, b"").await];
    trusting.get("/v1/games").await.ok();
}

/// A client that does not read its response keeps its connection only for the write timeout,
/// whatever the connection's age.
#[tokio::test]
async fn unread_responses_end_the_connection() {
    let server = server().set(|config| config.write_timeout_ms = 100).start().await;
    let socket = TcpSocket::new_v4().expect("the system has sockets");
    socket.set_recv_buffer_size(4096).expect("a small buffer");
    let mut stream = socket.connect(server.addresses.rest).await.expect("the port is open");
    let requests = b"GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(1000);
    // The server may close before it has read them all.
    let _ = stream.write_all(&requests).await;
    assert_closed(&server, "rest", "write_timeout", 1.0).await;
    assert_eventually("the connection is gone", async || {
        match server.metrics().await.value("pentad_connections", &[("port", "rest")]) {
            Some(0.0) => Ok(()),
            n_open => Err(n_open),
        }
    })
    .await;
}

/// An HTTP/2 stream whose window stays shut, or is opened by single bytes, is reset
/// after the write timeout; other streams of its connection are served.
#[tokio::test]
async fn unread_http2_streams_are_reset() {
    let server = server().set(|config| config.write_timeout_ms = 100).start().await;
    let frames = [
        Frame::initial_window(0),
        Frame::get(1, "/openapi.json"),
        Frame::get(3, "/openapi.json"),
        Frame::new(WINDOW_UPDATE, 0, 3, &1_u32.to_be_bytes()),
        Frame::get(5, "/v1/games"),
        Frame::new(WINDOW_UPDATE, 0, 5, &65_535_u32.to_be_bytes()),
    ];
    let mut stream = connect(server.addresses.rest, &[PREFACE, &bytes_of(&frames)].concat()).await;
    let (mut reset, mut is_answered) = (Vec::new(), false);
    let exchange = async {
        while reset.len() < 2 || !is_answered {
            let frame = Frame::read(&mut stream).await.expect("the connection goes on");
            match frame.kind {
                RST_STREAM => reset.push(frame.stream),
                GOAWAY => panic!("{frame:?}"),
                DATA | HEADERS if frame.stream == 5 => is_answered |= frame.flags & END_STREAM != 0,
                _ => {}
            }
        }
    };
    timeout(TIMEOUT, exchange).await.expect("the unread streams are reset");
    reset.sort_unstable();
    assert_eq!(reset, [1, 3]);
}

/// Closing the connection cancels its request, also if bytes of the next one were
/// sent before: one byte of it once hid the closing from hyper, so that 400 such
/// questions kept the queue full for a minute after their callers had gone.
#[tokio::test]
async fn hang_up_is_noticed_behind_pipelined_bytes() {
    let server = server().plugin("search_endless").set(|config| config.time_max_ms = NEVER_MS).start().await;
    let body = endless_search(0, NEVER_MS).to_string();
    let head = "POST /v1/games/search-endless/hints HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    let request = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
    // The last one exceeds the server's read-ahead: the rest stays in the kernel.
    for pipelined in ["", "G", "GET /v1/games HTTP/1.1\r\nhost: localhost\r\n\r\n", &"x".repeat(30_000)] {
        for closes_both_ways in [true, false] {
            let stream = connect(server.addresses.rest, request.as_bytes()).await;
            server.assert_busy(1.0).await;
            let (mut read, mut write) = stream.into_split();
            write.write_all(pipelined.as_bytes()).await.expect("the kernel takes it");
            // Sends FIN, as dropping both does.
            drop(write);
            if closes_both_ways {
                drop(read);
                server.assert_busy(0.0).await;
            } else {
                server.assert_busy(0.0).await;
                let mut answer = Vec::new();
                // Unread bytes turn the closing into a reset.
                let _ = timeout(TIMEOUT, read.read_to_end(&mut answer)).await.expect("the server closes as well");
                assert_eq!(String::from_utf8_lossy(&answer), "", "who stops sending does not wait for an answer");
            }
        }
    }
}

/// A connection whose calls do not end is closed some time after its maximum age.
#[tokio::test]
async fn old_connections_are_aborted_after_the_grace() {
    let held = Held::new();
    let limits = |config: &mut pentad::config::Config| {
        config.connection_age_ms_max = 100;
        config.connection_grace_ms = 100;
    };
    let server = server().held(&held).set(limits).start().await;
    let path = "/v1/games/held/hints?variant=search";
    let http1 = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n").into_bytes();
    let http2 = opening(&[Frame::get(1, path)]);
    for (n_before, request) in [http1, http2].into_iter().enumerate() {
        let mut stream = connect_at_once(server.addresses.rest, &request);
        let received = closed(&mut stream).await;
        assert!(!received.starts_with(b"HTTP/1.1 200"), "nothing was released");
        assert_closed(&server, "rest", "age", (n_before + 1) as f64).await;
    }
}

/// Peers that do not acknowledge the shutdown, stop in the middle of a frame or a
/// request, or keep streams of health and reflection open do not hold up the drain.
#[tokio::test]
async fn drain_does_not_wait_for_idle_peers() {
    use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;

    let server = server().set(|config| config.drain_ms_max = NEVER_MS).start().await;
    let mut peers = Vec::new();
    for (_, address) in ports(&server) {
        let half_frame = &bytes_of(&[Frame::get(1, "/")])[..12];
        for begun in [
            PREFACE.to_vec(),
            opening(&[]),
            [&opening(&[]), half_frame].concat(),
            b"GET / HTTP/1.1\r\nhost: x".to_vec(),
            b"".to_vec(),
        ] {
            peers.push(connect(address, &begun).await);
        }
    }
    let mut answered = connect(server.addresses.rest, &opening(&[Frame::get(1, "/v1/games")])).await;
    while Frame::read(&mut answered).await.expect("an answer").kind != DATA {}
    let origin = format!("http://{}", server.addresses.grpc).parse().expect("an address");
    let mut health = HealthClient::with_origin(transport(), origin);
    let mut watch = health.watch(HealthCheckRequest::default()).await.expect("a watch").into_inner();
    assert_eq!(watch.message().await.expect("no failure").expect("a state").status(), ServingStatus::Serving);
    let origin = format!("http://{}", server.addresses.grpc).parse().expect("an address");
    let mut reflection = ServerReflectionClient::with_origin(transport(), origin);
    let asked = reflection.server_reflection_info(futures_util::stream::pending()).await;
    let mut half_open = asked.expect("reflection").into_inner();

    let drained = timeout(TIMEOUT, server.stop()).await.expect("nobody holds up the drain");
    assert_eq!(drained, Drained::Complete);
    assert_eq!(watch.message().await.expect("no failure").expect("a state").status(), ServingStatus::NotServing);
    assert!(watch.message().await.expect("no failure").is_none(), "the watch has ended");
    assert!(half_open.message().await.expect("no failure").is_none(), "reflection has ended");
}

/// A peer that does not acknowledge the shutdown cannot keep opening streams: they are
/// refused after a grace period.
#[tokio::test]
async fn shutdown_without_acknowledgement_refuses_streams() {
    let held = Held::new();
    let server = server().held(&held).set(|config| config.connection_age_ms_max = 100).start().await;
    let first = Frame::get(1, "/v1/games/held/hints?variant=search");
    let mut stream = connect_at_once(server.addresses.rest, &opening(&[first]));
    let exchange = async {
        // The final GOAWAY has a stream id below the maximum.
        loop {
            let frame = Frame::read(&mut stream).await.expect("the call is under way");
            if frame.kind == GOAWAY && frame.payload[..4] == 1_u32.to_be_bytes() {
                break;
            }
        }
        send(&mut stream, &[Frame::get(3, "/v1/games"), Frame::new(PING, 0, 0, b"barrier!")]).await;
        held.release();
        let mut answered = Vec::new();
        while let Some(frame) = Frame::read(&mut stream).await {
            if frame.kind == HEADERS {
                answered.push(frame.stream);
            }
        }
        answered
    };
    assert_eq!(timeout(TIMEOUT, exchange).await.expect("the connection ends"), [1]);
}

/// Floods of resets, CONTINUATION frames, header lines, pipelined requests and resets
/// of the connection itself end at most the connection they come from.
#[tokio::test]
async fn floods_hurt_only_themselves() {
    let server = server().start().await;
    let settings = Frame::new(SETTINGS, 0, 0, &[]);
    let opened_and_reset = |n: u32| {
        let stream = 2 * n + 1;
        [Frame::get(stream, "/v1/games"), Frame::new(RST_STREAM, 0, stream, &8_u32.to_be_bytes())]
    };
    let resets: Vec<Frame> = (0..5_000).flat_map(opened_and_reset).collect();
    let continuations: Vec<Frame> = [Frame::new(HEADERS, END_STREAM, 1, &[0x82])]
        .into_iter()
        .chain((0..2_000).map(|_| Frame::new(CONTINUATION, 0, 1, &[0; 1_000])))
        .collect();
    let empty_continuations: Vec<Frame> = [Frame::new(HEADERS, END_STREAM, 1, &[0x82])]
        .into_iter()
        .chain((0..100_000).map(|_| Frame::new(CONTINUATION, 0, 1, &[])))
        .collect();
    let pings: Vec<Frame> = (0..50_000).map(|_| Frame::new(PING, 0, 0, b"whatever")).collect();
    let all_settings: Vec<Frame> = (0..50_000).map(|_| settings.clone()).collect();
    let header_lines = [&b"GET / HTTP/1.1\r\n"[..], &b"x: y\r\n".repeat(100_000)].concat();
    let one_header = [&b"GET / HTTP/1.1\r\nx: "[..], &b"y".repeat(1_000_000)].concat();
    let endless_chunk = [
        &b"POST /v1/games/pentago/hints HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n"[..],
        b"1;",
        &b"x".repeat(1_000_000),
    ]
    .concat();
    // Connections that the server cuts off, and those that the sender ends.
    let cut_off = [
        opening(&resets),
        opening(&continuations),
        opening(&empty_continuations),
        header_lines,
        one_header,
        endless_chunk,
    ];
    let ended = [opening(&pings), opening(&all_settings)];
    for (_, address) in ports(&server) {
        for flood in &cut_off {
            let mut stream = TcpStream::connect(address).await.expect("the port is open");
            let (mut read, mut write) = stream.split();
            let write_all = async {
                // Fails when the server has had enough.
                let _ = write.write_all(flood).await;
            };
            let read_all = async {
                let mut part = vec![0; 65_536];
                while let Ok(1..) = read.read(&mut part).await {}
            };
            timeout(TIMEOUT, async { tokio::join!(write_all, read_all) }).await.expect("the server cuts it off");
        }
        for flood in &ended {
            let mut stream = TcpStream::connect(address).await.expect("the port is open");
            // The ACKs are not read, so the server may stop reading, too.
            let _ = timeout(std::time::Duration::from_millis(200), stream.write_all(flood)).await;
        }
        for _ in 0..200 {
            let stream = TcpStream::connect(address).await.expect("the port is open");
            stream.set_zero_linger().expect("closing sends RST");
        }
    }
    server.get("/v1/games").await.ok();
    server.grpc().call("ListGames", &json!({})).await.expect("the games");
    server.admin("/healthz").await.ok();
    let metrics = server.metrics().await;
    assert_eq!(metrics.count("pentad_rejected_total", &[("reason", "internal")]), 0.0, "nothing has panicked");
}

/// A client that sends a chunked body byte by byte is answered when the body timeout
/// has passed.
#[tokio::test]
async fn slow_bodies_are_refused() {
    let server = server().set(|config| config.body_timeout_ms = 200).start().await;
    let head = b"POST /v1/games/pentago/hints HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n";
    let stream = connect(server.addresses.rest, head).await;
    let (mut read, mut write) = stream.into_split();
    let trickle = tokio::spawn(async move {
        while write.write_all(b"1\r\n{\r\n").await.is_ok() {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    });
    let mut status = [0; 12];
    timeout(TIMEOUT, read.read_exact(&mut status)).await.expect("it is answered").expect("before it is closed");
    assert_eq!(&status, b"HTTP/1.1 400");
    trickle.abort();
}

/// If every thread of the public ports is blocked, the admin port answers, and the drain
/// ends at its deadline.
#[test]
fn held_up_runtime_leaves_the_admin_port() {
    let public = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let control = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    control.block_on(async {
        let server = server().set(|config| config.drain_ms_max = 100).start_on(public.handle()).await;
        server.get("/v1/games").await.ok();
        let (release, held) = std::sync::mpsc::channel::<()>();
        let (begin, begun) = tokio::sync::oneshot::channel();
        public.spawn(async move {
            let _ = begin.send(());
            let _ = held.recv();
        });
        begun.await.expect("the thread is held up");
        let _unanswered = connect(server.addresses.rest, b"GET /v1/games HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
        server.admin("/healthz").await.ok();
        server.admin("/readyz").await.ok();
        let drained = timeout(TIMEOUT, server.stop()).await.expect("the drain ends");
        assert!(matches!(drained, Drained::GaveUp(_)), "{drained:?}");
        drop(release);
    });
    public.shutdown_background();
}
