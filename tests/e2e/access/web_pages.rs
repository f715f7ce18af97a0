//! Requests from web pages: which are answered, and with which headers.

use http::Method;
use pentad::config::{AllowedHosts, CorsOrigins};
use serde_json::json;

use crate::support::rest::{Reply, send};
use crate::support::{TestServer, server};

const HINTS: &str = "/v1/games/tictactoe/hints";

async fn request(server: &TestServer, method: Method, path: &str, headers: &[(&str, &str)]) -> Reply {
    let request = server.http.request(method, server.rest_url(path));
    send(headers.iter().fold(request, |request, (name, value)| request.header(*name, *value))).await
}

/// By default no page of another origin makes the server search, not even with requests
/// that browsers send without a preflight.
#[tokio::test]
async fn foreign_pages_cost_nothing() {
    let server = server().start().await;
    let own = format!("http://{}", server.addresses.rest);
    for (method, headers) in [
        // A form, and `fetch` with `mode: "no-cors"`.
        (Method::POST, &[("origin", "https://evil.example"), ("content-type", "text/plain")][..]),
        (Method::POST, &[("origin", "null"), ("content-type", "application/x-www-form-urlencoded")]),
        (Method::POST, &[("origin", "https://evil.example"), ("content-type", "application/json")]),
        // A page on another port of this machine.
        (Method::POST, &[("origin", "http://127.0.0.1:3000")]),
        (Method::GET, &[("origin", "https://evil.example")]),
        // A picture, a frame, a link.
        (Method::GET, &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")]),
        (Method::GET, &[("sec-fetch-site", "cross-site"), ("referer", "https://evil.example/")]),
        (Method::HEAD, &[("sec-fetch-site", "cross-site")]),
    ] {
        let reply = request(&server, method.clone(), HINTS, headers).await;
        assert_eq!(reply.status, 403, "{method} {headers:?}: {reply:?}");
        assert_eq!(reply.header("access-control-allow-origin"), "", "{reply:?}");
        if method != Method::HEAD {
            let problem = reply.problem();
            assert!(problem.reason == "bad_argument" && problem.message.contains("cors_origins"), "{reply:?}");
        }
    }
    let preflight = [("origin", "https://evil.example"), ("access-control-request-method", "POST")];
    let reply = request(&server, Method::OPTIONS, HINTS, &preflight).await;
    assert_eq!(reply.header("access-control-allow-origin"), "", "{reply:?}");
    let metrics = server.metrics().await;
    assert_eq!(metrics.value("pentad_cache_requests_total", &[("game", "tictactoe")]), Some(0.0), "no search");

    for headers in [
        &[("origin", &*own), ("sec-fetch-site", "same-origin")][..],
        &[("sec-fetch-site", "same-origin")],
        &[("sec-fetch-site", "none")],
        &[],
    ] {
        request(&server, Method::GET, HINTS, headers).await.ok();
        request(&server, Method::POST, HINTS, headers).await.ok();
    }
    let link = [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")];
    request(&server, Method::GET, "/docs/", &link).await.ok();
}

/// The gRPC port applies the same rules.
#[tokio::test]
async fn foreign_pages_cost_nothing_on_grpc() {
    let server = server().start().await;
    let call = async |origin: &str, kind: &str| {
        let url = format!("http://{}/pentad.v1.Analysis/ListGames", server.addresses.grpc);
        let request = server.http.post(url).header("content-type", kind).body(&[0_u8; 5][..]);
        send(request.header("origin", origin)).await
    };
    let refused = call("https://evil.example", "application/grpc-web+proto").await;
    let is_denied = |reply: &Reply| {
        let body = String::from_utf8_lossy(&reply.body);
        reply.header("grpc-status") == "7" || body.contains("grpc-status:7")
    };
    assert!(is_denied(&refused), "PERMISSION_DENIED: {refused:?}");
    let answered = call(&format!("http://{}", server.addresses.grpc), "application/grpc-web+proto").await;
    assert!(!is_denied(&answered) && answered.body.len() > 50, "{answered:?}");
    let simple = call("https://evil.example", "text/plain").await;
    assert!(!simple.status.is_success() || is_denied(&simple), "{simple:?}");
    server.reload_access(|config| config.cors_origins = CorsOrigins::Any).expect("valid");
    assert!(!is_denied(&call("https://evil.example", "application/grpc-web+proto").await));
}

/// Listed origins may call, with a token of their own, and the list can be reloaded.
#[tokio::test]
async fn listed_origins_may_call() {
    let list = |origin: &str| CorsOrigins::List(vec![origin.to_owned()]);
    let server = server().set(|config| config.cors_origins = list("https://play.example")).start().await;
    let status =
        async |origin: &str| request(&server, Method::POST, HINTS, &[("origin", origin)]).await.status.as_u16();
    assert_eq!((status("https://play.example").await, status("https://new.example").await), (200, 403));
    let picture = [("sec-fetch-site", "cross-site"), ("referer", "https://play.example/")];
    request(&server, Method::GET, "/v1/games/tictactoe/diagram.svg", &picture).await.ok();
    let preflight = [
        ("origin", "https://play.example"),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "authorization,content-type"),
    ];
    let allowed = request(&server, Method::OPTIONS, HINTS, &preflight).await.ok();
    assert_eq!(allowed.header("access-control-allow-origin"), "https://play.example", "{allowed:?}");
    assert!(allowed.header("access-control-allow-headers").contains("authorization"), "`*` has no tokens: {allowed:?}");

    server.reload_access(|config| config.cors_origins = list("https://new.example")).expect("valid");
    assert_eq!((status("https://play.example").await, status("https://new.example").await), (403, 200));
    let moved = request(&server, Method::POST, HINTS, &[("origin", "https://new.example")]).await.ok();
    assert_eq!(moved.header("access-control-allow-origin"), "https://new.example", "{moved:?}");
}

/// On a loopback address, a page cannot pose as the server's own with a host name that
/// resolves here (DNS rebinding).
#[tokio::test]
async fn foreign_names_are_refused() {
    let server = server().start().await;
    let rebound = [("host", "evil.example:8080"), ("origin", "http://evil.example:8080")];
    for method in [Method::GET, Method::POST] {
        let reply = request(&server, method, HINTS, &rebound).await.expect(421);
        let problem = reply.problem();
        assert!(problem.reason == "bad_argument" && problem.message.contains("allowed_hosts"), "{reply:?}");
    }
    for host in ["localhost:8080", "127.0.0.1", "[::1]:8080"] {
        request(&server, Method::GET, HINTS, &[("host", host)]).await.ok();
    }
    let url = format!("http://{}/pentad.v1.Analysis/ListGames", server.addresses.grpc);
    let web_call = server.http.post(url).header("content-type", "application/grpc-web+proto").body(&[0_u8; 5][..]);
    let reply = send(web_call.header("host", "evil.example")).await;
    let text = format!("{:?} {}", reply.headers, String::from_utf8_lossy(&reply.body));
    assert!(text.contains("grpc-status\": \"7\"") || text.contains("grpc-status:7"), "{text}");
    let names = AllowedHosts::List(vec!["games.example".to_owned()]);
    server.reload_access(|config| config.allowed_hosts = names).expect("valid");
    request(&server, Method::GET, HINTS, &[("host", "games.example")]).await.ok();
    request(&server, Method::GET, HINTS, &rebound).await.expect(421);
}

/// Browsers never guess content types; the documentation runs only its own scripts and
/// cannot be framed by other sites; the embeddable board can.
#[tokio::test]
async fn browsers_are_told_what_responses_may_do() {
    let server = server().start().await;
    for path in ["/", "/docs/", "/docs/reference", "/openapi.json", "/v1/games", "/v1/games/chess", "/nowhere"] {
        let reply = server.get(path).await;
        assert_eq!(reply.header("x-content-type-options"), "nosniff", "{path}: {reply:?}");
        assert!(reply.header("content-security-policy").starts_with("default-src 'none'"), "{path}: {reply:?}");
    }
    let stream = server.post("/v1/games/tictactoe/analysis", &json!({"position": "xx1/oo1/3 x"})).await.ok();
    assert_eq!(stream.header("x-content-type-options"), "nosniff", "{stream:?}");
    let refused = request(&server, Method::POST, HINTS, &[("origin", "https://evil.example")]).await.expect(403);
    assert_eq!(refused.header("x-content-type-options"), "nosniff", "{refused:?}");

    for path in ["/docs/", "/docs/reference", "/docs/guides/streams"] {
        let docs = server.get(path).await.ok();
        assert_eq!(docs.header("x-frame-options"), "DENY", "{docs:?}");
        let policy = docs.header("content-security-policy");
        assert!(policy.contains("script-src 'self';") && policy.contains("frame-ancestors 'none'"), "{docs:?}");
        assert!(!policy.contains("unsafe") && policy.contains("require-trusted-types-for 'script'"), "{docs:?}");
        let html = docs.text();
        let inline =
            html.split("<script").skip(1).filter(|script| !script.split('>').next().unwrap_or("").contains("src="));
        assert_eq!(inline.count(), 0, "the policy would stop a script in the page: {html}");
        assert!(!html.contains("style=") && !html.contains("<style"), "the policy would stop a style: {html}");
    }

    let board = [("origin", "https://play.example"), ("sec-fetch-site", "cross-site")];
    let embedded = request(&server, Method::GET, "/embed/v1/pentad-board.js", &board).await;
    assert_eq!(embedded.header("access-control-allow-origin"), "https://play.example", "{embedded:?}");
    assert_eq!(embedded.header("cross-origin-resource-policy"), "cross-origin", "{embedded:?}");
    assert_eq!(embedded.header("x-frame-options"), "", "{embedded:?}");
}
