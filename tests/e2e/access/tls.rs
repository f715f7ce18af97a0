//! TLS and client certificates on the public ports.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Version};
use http_body_util::{BodyExt, Full};
use hyper::client::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo};
use pentad::{AccessError, Server, TlsError};
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair, date_time_ymd,
};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, RootCertStore, SupportedProtocolVersion};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::support::{ServerBuilder, TIMEOUT, TestServer, server};

/// A certificate authority.
struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    fn new(name: &str) -> Authority {
        let mut params = CertificateParams::new([]).expect("no names");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, name);
        let key = KeyPair::generate().expect("a key");
        Authority(CertifiedIssuer::self_signed(params, key).expect("a certificate"))
    }

    /// Issues a certificate for a server named `localhost`, or for a client.
    fn issue(&self) -> Identity {
        self.issue_with(|_| {})
    }

    fn issue_with(&self, change: impl FnOnce(&mut CertificateParams)) -> Identity {
        let mut params = CertificateParams::new(["localhost".to_owned()]).expect("a name");
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth];
        change(&mut params);
        let key = KeyPair::generate().expect("a key");
        let certificate = params.signed_by(&key, &self.0).expect("a certificate");
        Identity { certificate: certificate.pem(), key: key.serialize_pem() }
    }
}

/// A certificate and its key, in PEM format.
struct Identity {
    certificate: String,
    key: String,
}

/// Certificate files of a server.
struct TlsFiles {
    dir: PathBuf,
}

impl TlsFiles {
    fn new(identity: &Identity) -> TlsFiles {
        let files = TlsFiles { dir: pentad_test_plugins::scratch_dir() };
        files.write(identity);
        files
    }

    fn write(&self, identity: &Identity) {
        write(&self.cert(), &identity.certificate);
        write(&self.key(), &identity.key);
    }

    fn cert(&self) -> PathBuf {
        self.dir.join("cert.pem")
    }

    fn key(&self) -> PathBuf {
        self.dir.join("key.pem")
    }

    fn client_ca(&self, authority: &Authority) -> PathBuf {
        let path = self.dir.join("ca.pem");
        write(&path, &authority.0.pem());
        path
    }

    /// Starts a server with this certificate.
    fn server(&self) -> ServerBuilder {
        server().set(|config| {
            config.tls_cert = Some(self.cert());
            config.tls_key = Some(self.key());
        })
    }
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).expect("its directory is writable");
}

/// How a client connects.
struct Client<'a> {
    trusts: &'a Authority,
    identity: Option<&'a Identity>,
    alpn: &'static str,
    versions: &'static [&'static SupportedProtocolVersion],
}

impl<'a> Client<'a> {
    fn new(trusts: &'a Authority) -> Client<'a> {
        Client { trusts, identity: None, alpn: "http/1.1", versions: rustls::ALL_VERSIONS }
    }

    fn config(&self) -> ClientConfig {
        let mut roots = RootCertStore::empty();
        roots.add(self.trusts.0.der().clone()).expect("a certificate");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ClientConfig::builder_with_provider(provider).with_protocol_versions(self.versions);
        let builder = builder.expect("the provider has them").with_root_certificates(roots);
        let mut config = match self.identity {
            None => builder.with_no_client_auth(),
            Some(identity) => {
                let chain = vec![CertificateDer::from_pem_slice(identity.certificate.as_bytes()).expect("PEM")];
                let key = PrivateKeyDer::from_pem_slice(identity.key.as_bytes()).expect("PEM");
                builder.with_client_auth_cert(chain, key).expect("they belong together")
            }
        };
        config.alpn_protocols = vec![self.alpn.as_bytes().to_vec()];
        config
    }

    async fn connect(&self, address: SocketAddr) -> io::Result<TlsStream<TcpStream>> {
        let stream = TcpStream::connect(address).await?;
        let name = ServerName::try_from("localhost").expect("a name");
        timeout(TIMEOUT, TlsConnector::from(Arc::new(self.config())).connect(name, stream)).await.expect("no hanging")
    }

    /// Sends GET /v1/games over HTTP/1.1, on a new connection.
    async fn get(&self, address: SocketAddr) -> Result<(), Box<dyn std::error::Error>> {
        Http1::new(self.connect(address).await?).await?.get().await
    }
}

/// Opens a connection with HTTP/1.1.
struct Http1(http1::SendRequest<Full<Bytes>>);

impl Http1 {
    async fn new(stream: TlsStream<TcpStream>) -> Result<Http1, hyper::Error> {
        let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        Ok(Http1(sender))
    }

    async fn get(&mut self) -> Result<(), Box<dyn std::error::Error>> {
        self.0.ready().await?;
        let request = Request::get("/v1/games").header("host", "localhost").body(Full::default())?;
        let response = timeout(TIMEOUT, self.0.send_request(request)).await??;
        assert_eq!(response.status(), 200, "{response:?}");
        response.into_body().collect().await?;
        Ok(())
    }
}

/// Makes a call over HTTP/2.
async fn call_http2(stream: TlsStream<TcpStream>, request: Request<Full<Bytes>>) -> http::Response<Bytes> {
    let handshake = http2::handshake(TokioExecutor::new(), TokioIo::new(stream));
    let (mut sender, connection) = handshake.await.expect("HTTP/2");
    tokio::spawn(connection);
    let response = timeout(TIMEOUT, sender.send_request(request)).await.expect("no hanging").expect("an answer");
    let (parts, body) = response.into_parts();
    http::Response::from_parts(parts, body.collect().await.expect("a whole answer").to_bytes())
}

/// REST and gRPC work over HTTP/1.1 and HTTP/2 by ALPN, with TLS 1.2 and 1.3. The admin
/// port stays without TLS.
#[tokio::test]
async fn both_public_ports_speak_tls() {
    let authority = Authority::new("ours");
    let server = TlsFiles::new(&authority.issue()).server().start().await;
    let (rest, grpc) = (server.addresses.rest, server.addresses.grpc);
    for version in rustls::ALL_VERSIONS {
        let versions = std::slice::from_ref(version);
        Client { versions, ..Client::new(&authority) }.get(rest).await.expect("HTTP/1.1");
    }
    let http2 = Client { alpn: "h2", ..Client::new(&authority) };
    let stream = http2.connect(rest).await.expect("a connection");
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
    let request = Request::get("https://localhost/v1/games").version(Version::HTTP_2).body(Full::default());
    let response = call_http2(stream, request.expect("a request")).await;
    assert_eq!(response.status(), 200, "{response:?}");

    let message = Full::from(Bytes::from_static(&[0; 5]));
    let request = Request::post("https://localhost/pentad.v1.Analysis/ListGames")
        .header("content-type", "application/grpc")
        .body(message);
    let stream = http2.connect(grpc).await.expect("a connection");
    let response = call_http2(stream, request.expect("a request")).await;
    assert!(response.status() == 200 && response.body().len() > 50, "{response:?}");
    server.admin("/healthz").await.ok();
    let theirs = Authority::new("theirs");
    Client::new(&theirs).connect(rest).await.expect_err("a certificate of an unknown authority");
}

/// Bytes that are not a handshake get no answer, and do not delay other connections.
#[tokio::test]
async fn clear_text_is_not_served() {
    let authority = Authority::new("ours");
    let files = TlsFiles::new(&authority.issue());
    let server = files.server().set(|config| config.tls_handshake_timeout_ms = 100).start().await;
    for address in [server.addresses.rest, server.addresses.grpc] {
        let mut clear = TcpStream::connect(address).await.expect("a connection");
        clear.write_all(b"GET /v1/games HTTP/1.1\r\nhost: localhost\r\n\r\n").await.expect("it is open");
        let mut answer = Vec::new();
        // May end with a reset.
        let _ = timeout(TIMEOUT, clear.read_to_end(&mut answer)).await.expect("it is closed");
        assert!(!answer.starts_with(b"HTTP"), "{}", String::from_utf8_lossy(&answer));
        let mut silent = TcpStream::connect(address).await.expect("a connection");
        let closed = timeout(TIMEOUT, silent.read(&mut [0; 1])).await.expect("closed after tls_handshake_timeout_ms");
        assert!(matches!(closed, Ok(0) | Err(_)), "{closed:?}");
    }
    let patient = files.server().set(|config| config.tls_handshake_timeout_ms = 600_000).start().await;
    let _silent = TcpStream::connect(patient.addresses.rest).await.expect("a connection");
    Client::new(&authority).get(patient.addresses.rest).await.expect("an answer meanwhile");
}

/// Handshakes that stop half-way are given up, and others are served meanwhile.
#[tokio::test]
async fn half_handshakes_are_given_up() {
    let authority = Authority::new("ours");
    let files = TlsFiles::new(&authority.issue());
    let server = files.server().set(|config| config.tls_handshake_timeout_ms = 500).start().await;
    let mut hello = Vec::new();
    let name = ServerName::try_from("localhost").expect("a name");
    let config = Arc::new(Client::new(&authority).config());
    let mut client = rustls::ClientConnection::new(config, name).expect("a client");
    client.write_tls(&mut hello).expect("memory takes it");
    for address in [server.addresses.rest, server.addresses.grpc] {
        let mut halves = Vec::new();
        for len in [1, 5, 6, hello.len() / 2, hello.len() - 1, hello.len()] {
            let mut stream = TcpStream::connect(address).await.expect("a connection");
            stream.write_all(&hello[..len]).await.expect("it is open");
            halves.push(stream);
        }
        Client::new(&authority).get(server.addresses.rest).await.expect("an answer meanwhile");
        for mut stream in halves {
            // May end with a reset.
            let _ = timeout(TIMEOUT, stream.read_to_end(&mut Vec::new())).await.expect("it is closed");
        }
    }
}

/// Client certificates that are expired, not valid yet, for servers only, or of an authority
/// with the same name and another key are refused.
#[tokio::test]
async fn wrong_client_certificates_are_refused() {
    let ours = Authority::new("ours");
    let files = TlsFiles::new(&ours.issue());
    let server = files.server().set(|config| config.tls_client_ca = Some(files.client_ca(&ours))).start().await;
    let wrong = [
        ("expired", ours.issue_with(|params| params.not_after = date_time_ymd(2020, 1, 1))),
        ("not valid yet", ours.issue_with(|params| params.not_before = date_time_ymd(4000, 1, 1))),
        (
            "for servers only",
            ours.issue_with(|params| params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth]),
        ),
        ("of a namesake", Authority::new("ours").issue()),
    ];
    for (what, identity) in &wrong {
        for version in rustls::ALL_VERSIONS {
            let versions = std::slice::from_ref(version);
            let client = Client { identity: Some(identity), versions, ..Client::new(&ours) };
            client.get(server.addresses.rest).await.expect_err(what);
        }
    }
    let good = ours.issue();
    Client { identity: Some(&good), ..Client::new(&ours) }.get(server.addresses.rest).await.expect("a good one");
}

/// With `tls_client_ca` a client needs a certificate of that authority.
#[tokio::test]
async fn clients_need_certificates() {
    let (ours, theirs) = (Authority::new("ours"), Authority::new("theirs"));
    let files = TlsFiles::new(&ours.issue());
    let server = files.server().set(|config| config.tls_client_ca = Some(files.client_ca(&ours))).start().await;
    let (known, unknown) = (ours.issue(), theirs.issue());
    let client = |identity| Client { identity, ..Client::new(&ours) };
    for address in [server.addresses.rest, server.addresses.grpc] {
        // TLS 1.3 clients see the refusal when they read.
        client(None).get(address).await.expect_err("no certificate");
        client(Some(&unknown)).get(address).await.expect_err("of another authority");
    }
    client(Some(&known)).get(server.addresses.rest).await.expect("a known client");
    server.reload_access(|config| config.tls_client_ca = Some(files.client_ca(&theirs))).expect("valid");
    client(Some(&known)).get(server.addresses.rest).await.expect_err("no longer known");
    client(Some(&unknown)).get(server.addresses.rest).await.expect("known now");
}

/// New connections get the new certificate, and open ones continue; unusable files leave
/// the old certificate in use.
#[tokio::test]
async fn certificates_are_reloaded() {
    let (old, new) = (Authority::new("old"), Authority::new("new"));
    let files = TlsFiles::new(&old.issue());
    let server = files.server().start().await;
    let rest = server.addresses.rest;
    let mut open = Http1::new(Client::new(&old).connect(rest).await.expect("a connection")).await.expect("HTTP/1.1");
    open.get().await.expect("an answer");

    files.write(&new.issue());
    Client::new(&old).get(rest).await.expect("not reloaded yet");
    server.reload_access(|_| {}).expect("valid");
    Client::new(&new).get(rest).await.expect("the new certificate");
    Client::new(&old).get(rest).await.expect_err("the old one is gone");
    open.get().await.expect("an open connection goes on");

    let reload = |server: &TestServer| server.reload_access(|_| {}).expect_err("not to be used").to_string();
    write(&files.key(), &new.issue().key);
    assert!(reload(&server).contains("key.pem"), "of another certificate");
    write(&files.key(), "not a key");
    assert!(reload(&server).contains("expected a private key in PEM format"), "{}", reload(&server));
    write(&files.cert(), "");
    assert!(reload(&server).contains("expected certificates in PEM format: there are none"), "{}", reload(&server));
    std::fs::remove_file(files.cert()).expect("it was there");
    assert!(reload(&server).contains("cert.pem"));
    let off = server.reload_access(|config| (config.tls_cert, config.tls_key) = (None, None)).expect_err("TLS off");
    assert!(matches!(off, AccessError::TlsSwitched { on: false }), "{off}");
    Client::new(&new).get(rest).await.expect("the last good certificate");
}

/// The expiry of each certificate file is exported, and follows reloads that succeed.
#[tokio::test]
async fn expiry_is_exported() {
    let authority = Authority::new("tests");
    let files = TlsFiles::new(&authority.issue_with(|params| params.not_after = date_time_ymd(2030, 1, 1)));
    let client_ca = files.client_ca(&authority);
    let server = files.server().set(|config| config.tls_client_ca = Some(client_ca)).start().await;
    let expiry = async |file| server.metrics().await.value("pentad_tls_not_after_seconds", &[("file", file)]);
    assert_eq!(expiry("tls_cert").await, Some(1_893_456_000.0));
    assert!(expiry("tls_client_ca").await > Some(1_893_456_000.0));

    files.write(&authority.issue_with(|params| params.not_after = date_time_ymd(2031, 1, 1)));
    server.reload_access(|config| config.tls_client_ca = None).expect("valid");
    assert_eq!(expiry("tls_cert").await, Some(1_924_992_000.0));
    assert_eq!(expiry("tls_client_ca").await, None, "there is no such file now");
    write(&files.key(), "not a key");
    server.reload_access(|_| {}).expect_err("not to be used");
    assert_eq!(expiry("tls_cert").await, Some(1_924_992_000.0), "of the certificate in use");
}

/// A server does not start with an unusable certificate.
#[tokio::test]
async fn bad_certificates_fail_the_start() {
    let authority = Authority::new("ours");
    let files = TlsFiles::new(&authority.issue());
    write(&files.key(), &authority.issue().key);
    let config = pentad::config::Config {
        tls_cert: Some(files.cert()),
        tls_key: Some(files.key()),
        rulesets: crate::support::two_games().to_owned().into(),
        isolation: pentad::config::Isolation::InProcess,
        ..Default::default()
    };
    let error = Server::build(config).expect_err("the key of another certificate");
    let pentad::StartError::Access(AccessError::Tls(TlsError::Rejected { .. })) = &error else { panic!("{error}") };
    assert!(error.to_string().starts_with("TLS: ") && error.to_string().contains("cert.pem"), "{error}");
}
