//! Shared stores behind TLS, in a real server. `.ci/redis` runs this.

mod support;

use std::net::TcpListener;
use std::path::PathBuf;

use pentad_engine::{AnswerStore, StopReason};
use pentad_store::{Layer, LayerState, SharedAddress, SharedConfig, SharedStore, SharedTls};

use support::certificates::{Authority, Identity, write};
use support::redis_server::RedisServer;
use support::{ScratchDir, answer, assert_eventually, key_in, scope};

/// A server on its own port, and its certificate files.
struct TlsServer {
    server: RedisServer,
    port: u16,
    dir: ScratchDir,
}

impl TlsServer {
    /// Starts a server with this certificate; it requires client certificates of
    /// `authority`, if given.
    fn start(authority: &Authority, identity: &Identity, asks_clients: bool) -> TlsServer {
        let dir = ScratchDir::new();
        let (cert, key) = identity.write(&dir, "server");
        let ca = write(&dir, "ca.pem", &authority.pem());
        let port = free_port();
        let text = |path: &PathBuf| path.display().to_string();
        let server = RedisServer::start(&[
            "--bind",
            "127.0.0.1",
            "--tls-port",
            &port.to_string(),
            "--tls-cert-file",
            &text(&cert),
            "--tls-key-file",
            &text(&key),
            "--tls-ca-cert-file",
            &text(&ca),
            "--tls-auth-clients",
            if asks_clients { "yes" } else { "no" },
            "--requirepass",
            "s3cret",
        ]);
        TlsServer { server, port, dir }
    }

    fn ca(&self) -> PathBuf {
        self.dir.path("ca.pem")
    }

    fn open(&self, tls: SharedTls) -> SharedStore {
        open(&self.server, self.port, tls)
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a free port").port()
}

/// Opens a store at this port with timeouts that suit slow machines.
fn open(server: &RedisServer, port: u16, tls: SharedTls) -> SharedStore {
    let address = SharedAddress::parse(&format!("rediss://:s3cret@localhost:{port}")).expect("an address");
    SharedStore::open(SharedConfig { address, tls, ..server.patient() })
}

fn trusting(ca: PathBuf) -> SharedTls {
    SharedTls { ca: Some(ca), ..SharedTls::default() }
}

async fn assert_down(store: &SharedStore, problem: &str) {
    assert_eventually("it is down, and says why", || match store.status().state {
        LayerState::Down(reason) if reason.contains(problem) => Ok(()),
        state => Err(format!("{state:?}, not `{problem}`")),
    })
    .await;
    // The reply is not needed.
    assert_eq!(store.get(&key_in(&scope("1"), 1)).await, None);
    assert!(!format!("{store:?}").contains("s3cret"), "{store:?}");
}

async fn assert_serves(store: &SharedStore, n: u64) {
    assert_eventually("it is up", || match store.status().state {
        LayerState::Up => Ok(()),
        state => Err(format!("{state:?}")),
    })
    .await;
    let (key, proof) = (key_in(&scope("1"), n), answer(n, StopReason::Proven, 7));
    store.offer(&key, &proof);
    assert!(store.flush().await.expect("the writer lives"), "{store:?}");
    assert_eq!(store.get(&key).await, Some(proof));
}

/// A server is used only if one of the given authorities has issued its certificate.
#[tokio::test]
async fn a_server_is_known_by_its_certificate() {
    let authority = Authority::new("Pentad test authority");
    let server = TlsServer::start(&authority, &authority.issue("localhost"), false);
    let store = server.open(trusting(server.ca()));
    assert_serves(&store, 1).await;
    assert_eq!(store.status().place, format!("rediss://localhost:{}/0", server.port));

    let stranger = write(&server.dir, "stranger.pem", &Authority::new("Somebody else").pem());
    let expected = format!("the server's certificate was issued by none of the authorities in {}", stranger.display());
    assert_down(&server.open(trusting(stranger)), &expected).await;
    assert_down(&server.open(SharedTls::default()), "not issued by an authority that this system trusts").await;
    let missing = server.dir.path("missing.pem");
    assert_down(&server.open(trusting(missing.clone())), &format!("{}: No such file", missing.display())).await;
    let empty = write(&server.dir, "empty.pem", "nothing\n");
    assert_down(&server.open(trusting(empty)), "empty.pem: expected certificates in PEM format").await;
}

/// An expired certificate and one of another server are refused.
#[tokio::test]
async fn certificates_that_are_refused() {
    let authority = Authority::new("Pentad test authority");
    let expired = TlsServer::start(&authority, &authority.issue_until("localhost", 2001), false);
    assert_down(&expired.open(trusting(expired.ca())), "the server's certificate is refused: certificate expired")
        .await;
    let other = TlsServer::start(&authority, &authority.issue("store.example"), false);
    let expected = "the server's certificate is refused: certificate not valid for name \"localhost\"";
    assert_down(&other.open(trusting(other.ca())), expected).await;
}

/// A server without TLS on the port is refused without waiting for it.
#[tokio::test]
async fn a_server_without_tls() {
    let port = free_port();
    let server = RedisServer::start(&["--bind", "127.0.0.1", "--port", &port.to_string()]);
    let dir = ScratchDir::new();
    let ca = write(&dir, "ca.pem", &Authority::new("Pentad test authority").pem());
    let address = SharedAddress::parse(&format!("rediss://:s3cret@localhost:{port}")).expect("an address");
    let store = SharedStore::open(SharedConfig { tls: trusting(ca), ..SharedConfig::new(address) });
    assert_down(&store, "speak TLS on this port").await;
    drop(server);
}

/// A server that requires a client certificate gets the configured one.
#[tokio::test]
async fn a_server_that_asks_for_a_certificate() {
    let authority = Authority::new("Pentad test authority");
    let server = TlsServer::start(&authority, &authority.issue("localhost"), true);
    assert_down(&server.open(trusting(server.ca())), "the server asks for a client certificate").await;
    let identity = authority.issue("replica").write(&server.dir, "replica");
    let shown = SharedTls { identity: Some(identity.clone()), ..trusting(server.ca()) };
    assert_serves(&server.open(shown), 1).await;
    // The two files are swapped.
    let swapped = SharedTls { identity: Some((identity.1, identity.0)), ..trusting(server.ca()) };
    assert_down(&server.open(swapped), "replica.key: expected certificates in PEM format").await;
}

/// A corrected file is used without a restart.
#[tokio::test]
async fn certificates_are_renewed() {
    let authority = Authority::new("Pentad test authority");
    let server = TlsServer::start(&authority, &authority.issue("localhost"), false);
    let ca = write(&server.dir, "renewed.pem", &Authority::new("Last year's authority").pem());
    let store = server.open(trusting(ca));
    assert_down(&store, "issued by none of the authorities").await;
    write(&server.dir, "renewed.pem", &authority.pem());
    assert_serves(&store, 1).await;
}
