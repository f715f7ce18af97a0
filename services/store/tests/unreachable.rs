//! Shared stores that do not work: the service runs without them at once.
//!
//! `redis.rs` tests a working server, and needs one.

mod support;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use pentad_engine::{AnswerStore, Claim, StopReason};
use pentad_store::{Layer, LayerState, SharedAddress, SharedConfig, SharedStore};

use support::{answer, key_in, scope};

/// Accepts every connection and passes it to a handler.
fn listen(serve: fn(std::net::TcpStream)) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    std::thread::spawn(move || {
        listener.incoming().flatten().for_each(|peer| drop(std::thread::spawn(move || serve(peer))));
    });
    address
}

fn open(address: SocketAddr) -> SharedStore {
    let address = SharedAddress::parse(&format!("redis://user:s3cret@{address}")).expect("an address");
    SharedStore::open(SharedConfig { connect_timeout: Duration::from_millis(20), ..SharedConfig::new(address) })
}

/// Lookups find nothing, answers are accepted and dropped, claims are granted, closing
/// ends, and the status reports the problem without the password.
async fn assert_serves_without(store: &SharedStore, problem: &str) {
    let scope = scope("1");
    for n in 0..100 {
        let key = key_in(&scope, n);
        assert_eq!(store.get(&key).await, None);
        store.offer(&key, &answer(n, StopReason::Proven, 5));
        assert!(matches!(store.claim(&key, Duration::from_mins(1)).await, Claim::Granted(_)));
    }
    let status = store.status();
    let LayerState::Down(reason) = &status.state else { panic!("{status:?}") };
    assert!(reason.contains(problem), "{status:?}");
    assert!(!format!("{status:?} {store:?}").contains("s3cret"), "{status:?}");
    // No lookup was sent, since no connection was ever made.
    assert_eq!((status.reads.skipped, status.reads.timeout, status.reads.failed), (100, 0, 0), "{status:?}");
    store.close(Duration::from_mins(1)).await;
    assert_eq!(store.status().writes.dropped, 100);
}

/// No server listens on the port.
#[tokio::test]
async fn refused_connections() {
    let address = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a free port");
    assert_serves_without(&open(address), "refused").await;
}

/// A server that accepts and never answers.
#[tokio::test]
async fn a_silent_server() {
    let silent = listen(|mut peer| drop(peer.read_to_end(&mut Vec::new())));
    assert_serves_without(&open(silent), "no reply").await;
}

/// A server of another protocol.
#[tokio::test]
async fn a_server_that_talks_nonsense() {
    let nonsense = listen(|mut peer| {
        let _ = peer.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        let _ = peer.read_to_end(&mut Vec::new());
    });
    assert_serves_without(&open(nonsense), "").await;
}

/// With TLS, the problem names the failed handshake, whether the server is silent or speaks
/// another protocol.
#[tokio::test]
async fn servers_without_tls() {
    let nonsense = listen(|mut peer| {
        let _ = peer.write_all(b"-ERR unknown command\r\n");
        let _ = peer.read_to_end(&mut Vec::new());
    });
    let minute = Duration::from_mins(1);
    let open_tls = |address: SocketAddr, connect_timeout| {
        let address = SharedAddress::parse(&format!("rediss://user:s3cret@{address}")).expect("an address");
        SharedStore::open(SharedConfig { connect_timeout, open_wait: minute, ..SharedConfig::new(address) })
    };
    assert_serves_without(&open_tls(nonsense, minute), "the server does not speak TLS on this port").await;
    let silent = listen(|mut peer| drop(peer.read_to_end(&mut Vec::new())));
    assert_serves_without(&open_tls(silent, Duration::from_millis(20)), "no TLS handshake within 20 ms").await;
    assert_serves_without(&open_tls(listen(drop), minute), "hung up during the TLS handshake").await;
}

/// A server that closes every connection.
#[tokio::test]
async fn a_server_that_hangs_up() {
    assert_serves_without(&open(listen(drop)), "").await;
}

/// Servers repeat unknown commands, which may contain the password.
#[tokio::test]
async fn a_server_that_repeats_the_password() {
    let tell_tale = listen(|mut peer| {
        let _ =
            peer.write_all(&b"-ERR unknown command 'AUTH', with args beginning with: 'user' 's3cret'\r\n".repeat(8));
        let _ = peer.read_to_end(&mut Vec::new());
    });
    assert_serves_without(&open(tell_tale), "").await;
}
