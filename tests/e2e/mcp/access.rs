//! Tokens, quotas, web pages and cancellation: as on REST, since the tools call its routes.

use pentad::config::{CorsOrigins, OtlpEndpoint};
use serde_json::json;

use super::{McpClient, tool_server};
use crate::access::TokenFile;
use crate::support::collector::{Collector, Span};
use crate::support::rest::send;
use crate::support::{assert_eventually, endless_search};

/// Longer than any quota of these tests.
const LONG_MS: u64 = 3_000_000;

fn long_hint(n: usize) -> serde_json::Value {
    let mut arguments = endless_search(n, LONG_MS);
    arguments["game"] = "search-endless".into();
    json!({"name": "hint", "arguments": arguments})
}

/// Where REST needs a token, `/mcp` does, too; the tools call as the token's holder.
#[tokio::test]
async fn tokens_are_needed() {
    let (file, [web]) = TokenFile::new([("web", None)]).await;
    let server = tool_server().set(|config| config.tokens = Some(file.path().to_owned())).start().await;
    for client in [McpClient::new(&server), McpClient::new(&server).token("wrong")] {
        let reply = client.send("tools/list", json!({})).await.expect(401);
        assert!(reply.header("www-authenticate").starts_with("Bearer"), "{reply:?}");
        assert_eq!(reply.problem().reason, "unauthenticated");
    }
    let client = McpClient::new(&server).token(&web);
    client.answer("position", &json!({"game": "tictactoe"})).await;
    let metrics = server.metrics().await;
    let labels = [("protocol", "rest"), ("method", "DescribePosition"), ("game", "tictactoe"), ("code", "200")];
    assert_eq!(metrics.value("pentad_requests_total", &labels), Some(1.0), "a tool's calls are counted as REST's");
}

/// A search of a tool reserves its caller's quota, like one on REST; closing the connection
/// stops it and gives the rest back.
#[tokio::test]
async fn searches_are_charged_and_cancelled() {
    let (file, [web, ci]) = TokenFile::new([("web", Some(1_000)), ("ci", None)]).await;
    let server = tool_server().plugin("search_endless").set(|config| {
        config.tokens = Some(file.path().to_owned());
        config.time_max_ms = LONG_MS;
        config.quota_window_s = 60;
    });
    let server = server.start().await;
    let client = McpClient::new(&server).token(&web);
    let request = client.request("tools/call", long_hint(0));
    let running = tokio::spawn(async move { drop(request.send().await) });
    server.assert_busy(1.0).await;

    let refused = client.send("tools/call", json!({"name": "games"})).await.expect(429);
    assert!(!refused.header("retry-after").is_empty(), "{refused:?}");
    assert_eq!(refused.problem().reason, "rate_limited");
    let rest = send(server.http.get(server.rest_url("/v1/games")).bearer_auth(&web)).await.expect(429);
    assert_eq!(rest.problem().reason, "rate_limited", "it is the same quota");
    McpClient::new(&server).token(&ci).answer("games", &json!({})).await;

    running.abort();
    server.assert_busy(0.0).await;
    assert_eventually("the rest is given back", async || {
        let reply = client.send("tools/call", json!({"name": "games"})).await;
        if reply.status == 200 { Ok(()) } else { Err(reply) }
    })
    .await;
}

/// A refusal of a tool's own call is its result, with the time to wait.
#[tokio::test]
async fn refusals_within_a_tool_are_results() {
    let server = tool_server().plugin("search_endless").set(|config| {
        config.workers = 1;
        config.queue_len_max = 0;
        config.time_max_ms = LONG_MS;
    });
    let server = server.start().await;
    let client = McpClient::new(&server);
    let request = client.request("tools/call", long_hint(0));
    let running = tokio::spawn(async move { drop(request.send().await) });
    server.assert_busy(1.0).await;
    let problem = client.problem("hint", &long_hint(1)["arguments"]).await;
    assert_eq!(problem["reason"], "overloaded", "{problem}");
    assert!(problem["retryAfterMs"].is_u64(), "{problem}");
    running.abort();
    server.assert_busy(0.0).await;
}

/// A page of another origin is refused before anything is searched, unless it is allowed.
#[tokio::test]
async fn web_pages_need_permission() {
    let server = tool_server().set(|config| {
        config.cors_origins = CorsOrigins::List(vec!["https://chat.example".to_owned()]);
    });
    let server = server.start().await;
    let client = McpClient::new(&server);
    let from = |origin: &str| client.request("tools/list", json!({})).header("origin", origin);
    let refused = send(from("https://other.example")).await.expect(403);
    refused.problem();
    let allowed = send(from("https://chat.example")).await.ok();
    assert_eq!(allowed.header("access-control-allow-origin"), "https://chat.example", "{allowed:?}");
    let called = client.request("tools/call", json!({"name": "position", "arguments": {"game": "tictactoe"}}));
    let called = send(called.header("origin", "https://chat.example")).await.ok();
    assert_eq!(called.json()["result"]["isError"], false, "{called:?}");
}

/// The calls of a tool are parts of the call of `/mcp`, also if its caller has no trace.
#[tokio::test]
async fn calls_are_traced_together() {
    let collector = Collector::start().await;
    let server = tool_server().set(|config| {
        config.otlp_endpoint = Some(OtlpEndpoint::new(&collector.endpoint()).expect("an endpoint"));
        config.otlp_timeout_ms = 60_000;
    });
    let server = server.start().await;
    McpClient::new(&server).answer("position", &json!({"game": "tictactoe", "legalMoves": false})).await;
    let spans = assert_eventually("the spans are exported", async || {
        let spans: Vec<Span> = collector.spans().into_iter().filter(|span| span.is_server).collect();
        if spans.len() == 3 { Ok(spans) } else { Err(spans) }
    })
    .await;
    let whole = spans.iter().find(|span| span.name == "POST /mcp").expect("the call itself");
    for name in ["POST /v1/games/{game}/position", "GET /v1/games/{game}"] {
        let part = spans.iter().find(|span| span.name == name).unwrap_or_else(|| panic!("{name}: {spans:#?}"));
        assert_eq!((&part.trace, &part.parent), (&whole.trace, &whole.id), "{spans:#?}");
    }
}
