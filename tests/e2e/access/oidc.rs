//! Tokens of an OpenID Connect provider, whose keys are in a file or at a URL.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use arc_swap::ArcSwap;
use pentad::config::{Config, JwksSource, OptionalText};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Value, json};

use super::{TokenFile, new_token};
use crate::support::rest::{Reply, send};
use crate::support::{TestServer, assert_eventually, endless_search, server};

const ISSUER: &str = "https://login.example.org/";
const AUDIENCE: &str = "pentad";
const PATH: &str = "/v1/games/tictactoe/position";

/// A provider with one key, which signs tokens.
struct Provider {
    id: &'static str,
    pair: EcdsaKeyPair,
}

impl Provider {
    fn new(id: &'static str) -> Provider {
        let random = SystemRandom::new();
        let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).expect("randomness");
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8.as_ref(), &random);
        Provider { id, pair: pair.expect("it was just generated") }
    }

    fn jwk(&self) -> Value {
        // A format byte, then the two coordinates.
        let point = self.pair.public_key().as_ref();
        let (x, y) = (base64url(&point[1..33]), base64url(&point[33..]));
        json!({"kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": self.id, "x": x, "y": y})
    }

    fn jwks(&self) -> String {
        json!({"keys": [self.jwk()]}).to_string()
    }

    fn sign(&self, header: &Value, claims: &Value) -> String {
        let message =
            format!("{}.{}", base64url(header.to_string().as_bytes()), base64url(claims.to_string().as_bytes()));
        let signature = self.pair.sign(&SystemRandom::new(), message.as_bytes()).expect("randomness");
        format!("{message}.{}", base64url(signature.as_ref()))
    }

    fn token(&self, claims: &Value) -> String {
        self.sign(&json!({"alg": "ES256", "typ": "JWT", "kid": self.id}), claims)
    }
}

/// Returns claims that are valid for an hour.
fn claims(subject: &str) -> Value {
    json!({"iss": ISSUER, "aud": AUDIENCE, "sub": subject, "exp": now() + 3600})
}

fn with(mut claims: Value, name: &str, value: Value) -> Value {
    match value {
        Value::Null => drop(claims.as_object_mut().expect("an object").remove(name)),
        value => claims[name] = value,
    }
    claims
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is set").as_secs()
}

fn base64url(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let digits = bytes.chunks(3).flat_map(|chunk| {
        let bits = chunk.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        (0..=chunk.len()).map(move |at| DIGITS[(bits >> (18 - 6 * at)) as usize % 64])
    });
    digits.map(char::from).collect()
}

fn trust(config: &mut Config, source: JwksSource) {
    config.oidc_issuer = OptionalText(Some(ISSUER.to_owned()));
    config.oidc_audience = OptionalText(Some(AUDIENCE.to_owned()));
    config.oidc_jwks = Some(source);
}

/// Starts a server that trusts the keys of a file.
async fn with_file(provider: &Provider) -> (TestServer, PathBuf) {
    let file = pentad_test_plugins::file("jwks.json", provider.jwks().as_bytes());
    let source = JwksSource::File(file.clone());
    (server().set(|config| trust(config, source)).start().await, file)
}

async fn get(server: &TestServer, token: &str) -> Reply {
    send(server.http.get(server.rest_url(PATH)).bearer_auth(token)).await
}

/// Valid tokens are accepted on both edges; each kind of invalid token gets its 401.
#[tokio::test]
async fn only_valid_tokens_are_let_in() {
    let (provider, stranger) = (Provider::new("key-1"), Provider::new("key-1"));
    let (server, _) = with_file(&provider).await;
    let good = provider.token(&claims("alice"));
    get(&server, &good).await.ok();
    server.grpc().token(&good).call("ListGames", &json!({})).await.expect("it is valid");
    let also_good = [
        with(claims("alice"), "aud", json!(["other", AUDIENCE])),
        with(claims("alice"), "nbf", json!(now() - 10)),
        // Allows for clock skew.
        with(claims("alice"), "exp", json!(now() - 1)),
    ];
    for claims in &also_good {
        get(&server, &provider.token(claims)).await.ok();
    }
    get(&server, &provider.sign(&json!({"alg": "ES256"}), &claims("alice"))).await.ok();

    let header = |alg: &str, kid: &str| json!({"alg": alg, "typ": "JWT", "kid": kid});
    let unsigned = |header: &Value, claims: &Value| {
        format!("{}.{}.", base64url(header.to_string().as_bytes()), base64url(claims.to_string().as_bytes()))
    };
    let (message, signature) = good.rsplit_once('.').expect("three parts");
    let flipped = if signature.starts_with('A') { 'B' } else { 'A' };
    let bad = [
        ("invalid", "signed by somebody else", stranger.token(&claims("alice"))),
        ("invalid", "a changed signature", format!("{message}.{flipped}{}", &signature[1..])),
        ("invalid", "no signature", format!("{message}.")),
        ("malformed", "alg none", unsigned(&json!({"alg": "none"}), &claims("alice"))),
        ("malformed", "alg None", unsigned(&json!({"alg": "None", "kid": "key-1"}), &claims("alice"))),
        ("invalid", "another algorithm", provider.sign(&header("RS256", "key-1"), &claims("alice"))),
        ("invalid", "a symmetric algorithm", provider.sign(&header("HS256", "key-1"), &claims("alice"))),
        ("invalid", "an unknown key", provider.sign(&header("ES256", "key-2"), &claims("alice"))),
        ("invalid", "another audience", provider.token(&with(claims("alice"), "aud", json!("other")))),
        ("invalid", "no audience", provider.token(&with(claims("alice"), "aud", Value::Null))),
        ("invalid", "another issuer", provider.token(&with(claims("alice"), "iss", json!("https://evil.example/")))),
        ("invalid", "no expiry", provider.token(&with(claims("alice"), "exp", Value::Null))),
        ("expired", "expired", provider.token(&with(claims("alice"), "exp", json!(now() - 3600)))),
        ("expired", "not valid yet", provider.token(&with(claims("alice"), "nbf", json!(now() + 3600)))),
        ("invalid", "an empty subject", provider.token(&claims(""))),
        ("malformed", "a subject that is no text", provider.token(&with(claims(""), "sub", json!(7)))),
        ("malformed", "no JSON", "e30.AAAA.AAAA".to_owned()),
        ("malformed", "too long", format!("{}.{}.{}", "a".repeat(3000), "b".repeat(3000), "c".repeat(3000))),
        ("unknown", "no JWT at all", "pentad_0123".to_owned()),
    ];
    for (kind, what, token) in &bad {
        let before = server.metrics().await;
        let reply = get(&server, token).await.expect(401);
        assert_eq!(reply.problem().reason, "unauthenticated", "{what}");
        assert!(reply.header("www-authenticate").contains("error="), "{what}: {reply:?}");
        let count = |metrics: &crate::support::metrics::Metrics| {
            metrics.value("pentad_auth_failures_total", &[("kind", kind)]).expect("it is there")
        };
        assert_eq!(count(&server.metrics().await), count(&before) + 1.0, "{what} is {kind}");
    }
    send(server.http.get(server.rest_url(PATH))).await.expect(401);
}

/// Tokens of the file stay valid beside those of the provider.
#[tokio::test]
async fn tokens_of_the_file_are_valid_too() {
    let provider = Provider::new("key");
    let (file, [token]) = TokenFile::new([("web", None)]).await;
    let jwks = pentad_test_plugins::file("jwks.json", provider.jwks().as_bytes());
    let change = |config: &mut Config| {
        trust(config, JwksSource::File(jwks));
        config.tokens = Some(file.path().to_owned());
    };
    let server = server().set(change).start().await;
    get(&server, &token).await.ok();
    get(&server, &provider.token(&claims("alice"))).await.ok();
    get(&server, &new_token("web", None).await.0).await.expect(401);
}

/// Each subject has a quota of its own; metrics have one label for all, and no subject,
/// however odd, breaks a header, a message or a label.
#[tokio::test]
async fn quotas_are_by_subject() {
    let provider = Provider::new("key");
    let file = pentad_test_plugins::file("jwks.json", provider.jwks().as_bytes());
    let change = |config: &mut Config| {
        trust(config, JwksSource::File(file));
        (config.oidc_cpu_ms_per_second, config.quota_window_s) = (1, 3_600);
    };
    let server = server().plugin("search_endless").set(change).start().await;
    let ask = async |subject: &str| get(&server, &provider.token(&claims(subject))).await;
    let odd = "ev\u{202e}il\r\nset-cookie: a=b\"} 1\n# ".repeat(20);
    for subject in ["alice", "bob", &odd] {
        let reply = ask(subject).await.ok();
        assert!(reply.header("ratelimit").starts_with("\"cpu\";r=3599;"), "all but the call itself: {reply:?}");
    }
    let request = server.http.post(server.rest_url("/v1/games/search-endless/hints"));
    let request = request.json(&endless_search(0, 60_000)).bearer_auth(provider.token(&claims("alice")));
    let search = tokio::spawn(send(request));
    server.assert_busy(1.0).await;
    let refused = ask("alice").await.expect(429);
    assert!(refused.problem().message.contains("alice"), "{refused:?}");
    ask("bob").await.ok();
    search.abort();
    let metrics = server.metrics().await;
    let clients = metrics.label("pentad_client_cpu_seconds_total", "client");
    assert_eq!(clients, ["+oidc", "-"], "one label for all subjects");
}

/// A new key file takes effect with the reload; an unusable one changes nothing.
#[tokio::test]
async fn keys_of_a_file_are_read_again() {
    let (old, new) = (Provider::new("old"), Provider::new("new"));
    let (server, file) = with_file(&old).await;
    let [old_token, new_token] = [&old, &new].map(|provider| provider.token(&claims("alice")));
    let status = async || [get(&server, &old_token).await.status, get(&server, &new_token).await.status];
    let reload = || server.reload_access(|config| trust(config, JwksSource::File(file.clone())));
    assert_eq!(status().await.map(|it| it.as_u16()), [200, 401]);
    std::fs::write(&file, json!({"keys": [old.jwk(), new.jwk()]}).to_string()).expect("it is writable");
    reload().expect("it is a key set");
    assert_eq!(status().await.map(|it| it.as_u16()), [200, 200]);
    std::fs::write(&file, new.jwks()).expect("it is writable");
    reload().expect("it is a key set");
    assert_eq!(status().await.map(|it| it.as_u16()), [401, 200]);
    for broken in ["", "{\"keys\": []}", &" ".repeat(1 << 20)] {
        std::fs::write(&file, broken).expect("it is writable");
        let error = reload().expect_err("it is no key set").to_string();
        assert!(error.contains("oidc_jwks") && error.contains("jwks.json"), "{error}");
        assert_eq!(status().await.map(|it| it.as_u16()), [401, 200]);
    }
}

/// A provider's response, and the number of fetches.
struct KeysPage {
    url: String,
    body: ArcSwap<(u16, String)>,
    n_fetched: AtomicUsize,
}

impl KeysPage {
    async fn serve(body: String) -> Arc<KeysPage> {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}/keys", listener.local_addr().expect("it is bound"));
        let page = KeysPage { url, body: ArcSwap::from_pointee((200, body)), n_fetched: AtomicUsize::new(0) };
        let page = Arc::new(page);
        let served = Arc::clone(&page);
        let answer = async move || {
            served.n_fetched.fetch_add(1, Ordering::Relaxed);
            let (status, body) = &**served.body.load();
            let location = [("location", "/elsewhere")];
            (http::StatusCode::from_u16(*status).expect("a status"), location, body.clone())
        };
        let router = axum::Router::new().fallback(answer);
        tokio::spawn(async move { axum::serve(listener, router).await });
        page
    }

    fn source(&self) -> JwksSource {
        JwksSource::new(&self.url).expect("a URL on this machine")
    }
}

/// Keys at a URL: an unknown one is fetched when a token names it; the known keys stay
/// valid whatever the provider answers; and a flood of tokens with unknown keys does not
/// become a flood of fetches.
#[tokio::test(flavor = "multi_thread")]
async fn keys_at_a_url_are_fetched() {
    let (old, new) = (Provider::new("old"), Provider::new("new"));
    let page = KeysPage::serve(old.jwks()).await;
    let started = Instant::now();
    let source = page.source();
    let server = tokio::task::spawn_blocking(move || server().set(|config| trust(config, source)));
    let server = server.await.expect("it is configured").start().await;
    let [old_token, new_token] = [&old, &new].map(|provider| provider.token(&claims("alice")));
    get(&server, &old_token).await.ok();
    for broken in [(200, " ".repeat(1 << 20)), (200, "<html>".to_owned()), (302, new.jwks()), (500, String::new())] {
        page.body.store(Arc::new(broken));
        let before = page.n_fetched.load(Ordering::Relaxed);
        assert_eventually("it is fetched again", async || {
            get(&server, &new_token).await.expect(401);
            get(&server, &old_token).await.ok();
            let now = page.n_fetched.load(Ordering::Relaxed);
            if now > before { Ok(()) } else { Err(now) }
        })
        .await;
    }
    get(&server, &old_token).await.ok();
    page.body.store(Arc::new((200, new.jwks())));
    assert_eventually("the new key is fetched", async || {
        let reply = get(&server, &new_token).await;
        if reply.status == 200 { Ok(()) } else { Err(reply) }
    })
    .await;
    get(&server, &old_token).await.expect(401);
    server.reload_access(|config| trust(config, page.source())).expect("nothing has changed");
    get(&server, &new_token).await.ok();
    // One at startup, one after each failure, and one every five seconds.
    let n_fetched_max = 8 + started.elapsed().as_secs() as usize / 5;
    let n_fetched = page.n_fetched.load(Ordering::Relaxed);
    assert!(n_fetched <= n_fetched_max, "{n_fetched} fetches in {:?}", started.elapsed());
}

/// If the provider does not answer, the server starts and refuses the provider's tokens.
#[tokio::test(flavor = "multi_thread")]
async fn a_silent_provider_does_not_keep_the_server_from_starting() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}/keys", silent.local_addr().expect("it is bound"));
    let source = JwksSource::new(&url).expect("a URL on this machine");
    let server = server().set(|config| trust(config, source)).start().await;
    get(&server, &Provider::new("key").token(&claims("alice"))).await.expect(401);
    server.admin("/readyz").await.ok();
}
