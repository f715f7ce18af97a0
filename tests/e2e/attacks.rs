//! Smuggled, oversized and endless requests, and rule-set files that are not libraries:
//! they are refused or harmless, and other callers are answered meanwhile.

use std::net::SocketAddr;

use futures_util::future::join_all;
use pentad::Addresses;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::support::rest::send;
use crate::support::{TIMEOUT, TestServer, server};

/// Returns what the server sends until it closes the connection or has sent `n_expected`
/// answers.
async fn exchange(address: SocketAddr, request: &[u8], n_expected: usize) -> String {
    let mut stream = TcpStream::connect(address).await.expect("the port is open");
    stream.write_all(request).await.expect("the kernel takes it");
    let mut received = Vec::new();
    let mut part = [0; 16_384];
    while n_answers(&received) < n_expected {
        match timeout(TIMEOUT, stream.read(&mut part)).await.expect("the server answers") {
            Ok(0) | Err(_) => break,
            Ok(n_read) => received.extend(&part[..n_read]),
        }
    }
    String::from_utf8_lossy(&received).into_owned()
}

fn n_answers(received: &[u8]) -> usize {
    received.windows(9).filter(|window| window == b"HTTP/1.1 ").count()
}

fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}

async fn assert_answers(server: &TestServer, situation: &str) {
    let reply = server.get("/v1/games/tictactoe/position").await;
    assert_eq!(reply.status, 200, "{situation}: {reply:?}");
}

/// Requests with an ambiguous length are refused together with their connection, on every
/// port: bytes that a proxy takes for a body never become a request (request smuggling).
#[tokio::test]
async fn requests_of_two_lengths_are_refused() {
    let server = server().set(|config| config.header_timeout_ms = 500).start().await;
    let hidden = "GET /hidden HTTP/1.1\r\nhost: localhost\r\n\r\n";
    let shapes = [
        ("two lengths", "content-length: 0\r\ncontent-length: 44\r\n".to_owned(), hidden.to_owned()),
        ("a list of lengths", "content-length: 0, 44\r\n".to_owned(), hidden.to_owned()),
        ("a length with a sign", "content-length: +44\r\n".to_owned(), hidden.to_owned()),
        ("a length that is none", "content-length: 0x2c\r\n".to_owned(), hidden.to_owned()),
        ("an encoding that is not last", "transfer-encoding: chunked, identity\r\n".to_owned(), hidden.to_owned()),
        ("an unknown encoding", "transfer-encoding: xchunked\r\n".to_owned(), hidden.to_owned()),
        ("a space before the colon", "transfer-encoding : chunked\r\n".to_owned(), hidden.to_owned()),
        ("a folded header", "x: y\r\n transfer-encoding: chunked\r\n".to_owned(), hidden.to_owned()),
        ("an endless chunk", "transfer-encoding: chunked\r\n".to_owned(), format!("fffffffffffffffff\r\n{hidden}")),
        ("a chunk with a sign", "transfer-encoding: chunked\r\n".to_owned(), format!("-1\r\n{hidden}")),
        (
            "a length and an encoding",
            "content-length: 49\r\ntransfer-encoding: chunked\r\n".to_owned(),
            format!("0\r\n\r\n{hidden}"),
        ),
    ];
    let path = "/v1/games/tictactoe/position";
    let addresses = [server.addresses.rest, server.addresses.admin, server.addresses.grpc];
    // All at once: most connections end only at the header timeout.
    let exchanges = shapes.iter().flat_map(|shape| addresses.map(|address| (shape, address)));
    join_all(exchanges.map(async |((what, headers, body), address)| {
        let request = format!("POST {path} HTTP/1.1\r\nhost: localhost\r\n{headers}\r\n{body}");
        let answer = exchange(address, request.as_bytes(), 2).await;
        assert!(n_answers(answer.as_bytes()) <= 1, "{what}: the hidden request is answered: {answer}");
        // With both, the encoding counts by RFC 9112, and the connection is closed after it.
        let is_last = answer.contains("connection: close");
        assert!(answer.is_empty() || status(&answer) >= 400 || is_last, "{what}: {answer}");
    }))
    .await;
    assert_answers(&server, "after requests of two lengths").await;
}

/// A request of HTTP/1.1 with no `Host`, or with two, is refused on every port; one of HTTP/1.0
/// needs none.
#[tokio::test]
async fn requests_need_one_host() {
    let server = server().start().await;
    let Addresses { grpc, rest, admin } = server.addresses;
    for (address, path) in
        [(rest, "/v1/games"), (rest, "/"), (rest, "/nowhere"), (admin, "/metrics"), (admin, "/healthz")]
    {
        for hosts in ["", "host: localhost\r\nhost: localhost\r\n", "host: localhost\r\nHost: 127.0.0.1\r\n"] {
            let answer = exchange(address, format!("GET {path} HTTP/1.1\r\n{hosts}\r\n").as_bytes(), 1).await;
            assert_eq!(status(&answer), 400, "{path} {hosts:?}: {answer}");
        }
        if path != "/nowhere" {
            let answer = exchange(address, format!("GET {path} HTTP/1.0\r\n\r\n").as_bytes(), 1).await;
            assert!(answer.starts_with("HTTP/1.0 200") || status(&answer) == 200, "{path}: {answer}");
        }
    }
    let call = "POST /pentad.v1.Analysis/ListGames HTTP/1.1\r\ncontent-type: application/grpc-web\r\ncontent-length: 0\r\n\r\n";
    let answer = exchange(grpc, call.as_bytes(), 1).await;
    assert!(answer.contains("grpc-status: 3"), "{answer}");
}

/// With `Expect: 100-continue` a body that is too large is refused at once, others get 100;
/// ranges are ignored, and hundreds of encodings are harmless.
#[tokio::test]
async fn odd_headers_are_harmless() {
    let server = server().set(|config| config.body_bytes_max = 1024).start().await;
    let post = |more: &str| {
        let path = "/v1/games/tictactoe/position";
        format!("POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n{more}\r\n")
    };
    let rest = server.addresses.rest;
    let answer = exchange(rest, post("expect: 100-continue\r\ncontent-length: 2\r\n").as_bytes(), 1).await;
    assert_eq!(status(&answer), 100, "{answer}");
    let too_large = post("expect: 100-continue\r\ncontent-length: 99999999999\r\n");
    let answer = exchange(rest, too_large.as_bytes(), 1).await;
    assert_eq!(status(&answer), 413, "and gets no 100: {answer}");

    let get = |name: &str, value: String| {
        let request = server.http.get(server.rest_url("/v1/games/tictactoe/legal-moves"));
        send(request.header(name, value))
    };
    let ranges = (0..500).map(|at| format!("{at}-")).collect::<Vec<_>>().join(",");
    let reply = get("range", format!("bytes={ranges}")).await.ok();
    assert_eq!(reply.json()["total"], 9);
    let encodings = (0..1000).map(|n| format!("x{n};q=0.{n:03}")).collect::<Vec<_>>().join(", ");
    for encoding in [encodings, "gzip;q=NaN".to_owned(), "*;q=0, identity;q=0".to_owned(), ",".repeat(5000)] {
        let reply = get("accept-encoding", encoding.clone()).await;
        assert!(reply.status == 200 || reply.status == 406, "{:.40}: {reply:?}", encoding);
    }
    let etags = vec!["\"x\""; 1000].join(", ");
    get("if-none-match", etags).await.ok();
    let forwarded = (0..2000).map(|n| format!("10.0.{}.{}", n / 256, n % 256)).collect::<Vec<_>>().join(",");
    get("x-forwarded-for", forwarded).await.ok();
    assert_answers(&server, "after odd headers").await;
}

/// Deeply nested, repetitive or very long JSON is refused without overflowing the stack.
#[tokio::test]
async fn endless_json_is_refused() {
    let server = server().start().await;
    let n = 100_000;
    let bodies = [
        "[".repeat(n),
        format!("{{\"moves\": {}", "[".repeat(n)),
        format!("{{\"limits\": {}", "{\"limits\":".repeat(n / 10)),
        format!("{{\"moves\": [{}\"a1\"]}}", "\"a1\",".repeat(n / 3)),
        format!("{{{}\"moves\": []}}", "\"moves\": [],".repeat(n / 10)),
        format!("{{\"position\": \"{}\"}}", "\\ud800".repeat(n / 10)),
        format!("{{\"limits\": {{\"timeMs\": {}}}}}", "9".repeat(n)),
        format!("{{\"limits\": {{\"timeMs\": 1e{}}}}}", "9".repeat(n)),
    ];
    for body in bodies {
        let request = server.http.post(server.rest_url("/v1/games/tictactoe/hints"));
        let reply = send(request.header("content-type", "application/json").body(body.clone())).await;
        assert!([400, 413].contains(&reply.status.as_u16()), "{:.40}: {reply:?}", body);
        assert!(reply.body.len() < 4096, "the answer does not quote it all: {:.40}", body);
    }
    assert_answers(&server, "after endless JSON").await;
}

/// Frames of gRPC and gRPC-Web with a wrong length, an unknown compression or invalid base64
/// end only their own call.
#[tokio::test]
async fn false_grpc_frames_end_their_call() {
    let server = server().start().await;
    let url = format!("http://{}/pentad.v1.Analysis/ListGames", server.addresses.grpc);
    let frames: [&[u8]; 6] = [
        &[0, 0xff, 0xff, 0xff, 0xff],
        &[0, 0, 0, 0, 9, 1],
        &[1, 0, 0, 0, 4, 1, 2, 3, 4],
        &[7, 0, 0, 0, 0],
        &[0x80, 0, 0, 0, 1, b'x'],
        &[0, 0, 0],
    ];
    for kind in ["application/grpc-web+proto", "application/grpc-web-text", "application/grpc-web"] {
        for frame in frames {
            let request = server.http.post(&url).header("content-type", kind).body(frame.to_vec());
            let reply = timeout(TIMEOUT, send(request)).await.expect("it is answered");
            let in_header = reply.headers.get("grpc-status").is_some_and(|status| status != "0");
            let text = String::from_utf8_lossy(&reply.body).into_owned();
            assert!(
                in_header || !reply.status.is_success() || !text.contains("grpc-status:0"),
                "{kind} {frame:?}: {text}"
            );
        }
    }
    server.grpc().call("ListGames", &json!({})).await.expect("others are answered");
}

/// Pipes, devices, directories and symlink loops among the rule sets are refused and named;
/// neither startup nor reload blocks on them.
#[cfg(unix)]
#[tokio::test]
async fn files_that_are_none_are_refused() {
    use std::os::unix::fs::symlink;

    let dir = pentad_test_plugins::scratch_dir();
    std::fs::copy(pentad_test_plugins::build("tictactoe"), dir.join("libtictactoe.so")).expect("a copy");
    let named = ["libpipe.so", "libzero.so", "libdir.so", "libloop.so", "libgone.so", "libsparse.so"];
    let pipe = std::process::Command::new("mkfifo").arg(dir.join(named[0])).status().expect("`mkfifo` is there");
    assert!(pipe.success());
    symlink("/dev/zero", dir.join(named[1])).expect("a link");
    std::fs::create_dir(dir.join(named[2])).expect("a directory");
    symlink(named[3], dir.join(named[3])).expect("a link to itself");
    symlink("nowhere", dir.join(named[4])).expect("a link to nothing");
    let sparse = std::fs::File::create(dir.join(named[5])).expect("a file");
    sparse.set_len(2 << 30).expect("it takes no room");
    let served = crate::support::program::serve(&dir, &[]).await;
    let http = crate::support::rest::client();
    for _ in 0..2 {
        let plugins = send(http.get(format!("http://{}/plugins", served.admin))).await.ok().json();
        let refused = plugins["refused"].to_string();
        assert!(named.iter().all(|name| refused.contains(name)), "{plugins:#}");
        let url = format!("http://{}/v1/games/tictactoe/position", served.rest);
        send(http.get(url)).await.ok();
        send(http.post(format!("http://{}/plugins:reload", served.admin))).await.ok();
    }
}
