//! Traces: span parents, attributes, sampling, and collectors that do not answer.

use futures_util::{StreamExt, future};
use pentad::config::{Config, OtlpEndpoint};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::support::collector::{Collector, Span};
use crate::support::grpc::GrpcClient;
use crate::support::held::Held;
use crate::support::program::{serve, serve_with_env};
use crate::support::rest::{client, send};
use crate::support::{TIMEOUT, about, assert_eventually, directory_of, pentago, refusing_port, server, two_games};

const CALLER: &str = "00f067aa0ba902b7";

/// A different trace id for each `n`.
fn trace(n: u32) -> String {
    format!("4bf92f3577b34da6a3ce929d{n:08x}")
}

fn traceparent(trace: &str, flags: &str) -> String {
    format!("00-{trace}-{CALLER}-{flags}")
}

fn config(collector: &Collector, config: &mut Config) {
    config.otlp_endpoint = Some(OtlpEndpoint::new(&collector.endpoint()).expect("an endpoint"));
    config.otlp_timeout_ms = 60_000;
}

/// A request whose search visits this many nodes.
fn node_limited(nodes: u64) -> Value {
    json!({"variant": "finnish", "position": "6/6/6/6/6/6 w", "limits": {"nodes": nodes}})
}

fn named<'a>(parts: &'a [Span], name: &str) -> Vec<&'a Span> {
    parts.iter().filter(|part| part.name == name).collect()
}

fn one<'a>(parts: &'a [Span], name: &str) -> &'a Span {
    match named(parts, name)[..] {
        [part] => part,
        _ => panic!("one {name} expected: {parts:#?}"),
    }
}

/// Asserts that the parts are children of the call and lie within its time.
#[track_caller]
fn assert_within(call: &Span, parts: &[Span], game: &str) {
    assert_eq!(call.parent, CALLER, "{call:#?}");
    for part in parts {
        assert_eq!((&part.trace, &part.parent), (&call.trace, &call.id), "{part:#?} of {call:#?}");
        assert!(call.started_ns <= part.started_ns && part.started_ns <= part.ended_ns, "{part:#?} of {call:#?}");
        assert!(part.ended_ns <= call.ended_ns, "{part:#?} of {call:#?}");
        assert_eq!(part.get("pentad.game"), game, "{part:#?}");
    }
}

/// Asserts that the trace of a searched request agrees with its answer.
#[track_caller]
fn assert_searched(call: &Span, parts: &[Span], answer: &Value) {
    assert_within(call, parts, "pentago");
    assert_eq!(one(parts, "cache").get("pentad.cache"), "miss");
    let search = one(parts, "search");
    assert_eq!(search.get("pentad.stop_reason"), answer["stopReason"], "{search:#?}");
    assert_eq!(search.get("pentad.nodes"), answer["nodes"], "{search:#?}");
    assert_eq!(search.get("pentad.depth"), answer["depth"], "{search:#?}");
    let queues = named(parts, "queue");
    let queue = queues.iter().find(|queue| queue.get("pentad.pool") != "rules").expect("it waited for a worker");
    assert_eq!((queue.get("pentad.class"), queue.get("pentad.taken")), (json!("interactive"), json!(true)));
    assert!(queue.ended_ns <= search.started_ns, "{parts:#?}");
    let rules: Vec<Value> = named(parts, "rules").iter().map(|part| part.get("pentad.rules")).collect();
    assert_eq!((rules.first(), rules.last()), (Some(&json!("resolve")), Some(&json!("explain"))), "{parts:#?}");
}

/// Both protocols continue the client's trace, with spans for the call, the cache,
/// the queue, the search and the rules; the log has the same trace id.
#[tokio::test]
async fn hint_is_traced_on_both_protocols() {
    let collector = Collector::start().await;
    let endpoint = collector.endpoint();
    let flags =
        ["--otlp-endpoint", &endpoint, "--otlp-timeout-ms", "60000", "--log-format", "json", "--log-level", "debug"];
    let served =
        serve_with_env(two_games(), &flags, &[("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=test")]).await;
    let grpc = GrpcClient::new(served.grpc);

    let url = format!("http://{}/v1/games/pentago/hints", served.rest);
    let post = |n: u32, body: &Value| {
        let parent = traceparent(&trace(n), "01");
        send(client().post(&url).json(body).header("traceparent", parent).header("tracestate", "vendor=7"))
    };
    let traced_client = grpc.clone().traceparent(&traceparent(&trace(1), "01")).request_id("first");
    let over_grpc = traced_client.call("Hint", &about("pentago", node_limited(3000))).await.expect("a hint");
    let over_rest = post(2, &node_limited(4000)).await.ok().json();
    assert_eq!(post(3, &node_limited(4000)).await.ok().json()["cached"], true);
    post(4, &json!({"position": "nonsense"})).await.expect(400);

    let (call, parts) = collector.call(&trace(1)).await;
    assert_searched(&call, &parts, &over_grpc);
    assert_eq!(call.name, "pentad.v1.Analysis/Hint");
    let rpc = ["rpc.system.name", "rpc.method", "rpc.response.status_code"].map(|key| call.get(key));
    assert_eq!(rpc, ["grpc", "pentad.v1.Analysis/Hint", "OK"].map(Value::from));
    assert_eq!((call.get("server.address"), call.get("server.port")), (json!("127.0.0.1"), json!(served.grpc.port())));
    assert_eq!((call.get("pentad.request_id"), call.get("pentad.game")), (json!("first"), json!("pentago")));
    assert_eq!(call.resource["service.name"], "pentad");
    assert_eq!(call.resource["deployment.environment"], "test");

    let (call, parts) = collector.call(&trace(2)).await;
    assert_searched(&call, &parts, &over_rest);
    assert_eq!((call.name.as_str(), call.state.as_str()), ("POST /v1/games/{game}/hints", "vendor=7"));
    let http =
        ["http.request.method", "http.route", "url.scheme", "url.path", "server.address", "network.peer.address"];
    let expected = ["POST", "/v1/games/{game}/hints", "http", "/v1/games/pentago/hints", "127.0.0.1", "127.0.0.1"]
        .map(Value::from);
    assert_eq!(http.map(|key| call.get(key)), expected);
    assert_eq!(
        (call.get("http.response.status_code"), call.get("server.port")),
        (json!(200), json!(served.rest.port()))
    );

    // The repeated request is cached.
    let (call, parts) = collector.call(&trace(3)).await;
    assert_within(&call, &parts, "pentago");
    assert_eq!(one(&parts, "cache").get("pentad.cache"), "hit");
    assert!(named(&parts, "search").is_empty(), "{parts:#?}");

    // A client's mistake has its reason and is not an error of the server.
    let (call, _) = collector.call(&trace(4)).await;
    assert_eq!((call.get("error.type"), call.get("http.response.status_code")), (json!("bad_position"), json!(400)));
    assert!(!call.is_error, "{call:#?}");

    served.signal("TERM").await;
    let (status, log) = served.end().await;
    assert_eq!(status.code(), Some(0), "{log}");
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    for n in 1..=4 {
        let calls = lines.iter().filter(|line| line["message"] == "call" && line["trace_id"] == trace(n)).count();
        assert_eq!(calls, 1, "{n}:\n{log}");
    }
    let refused = lines.iter().find(|line| line["reason"] == "bad_position").expect("the refusal is logged");
    assert_eq!(refused["trace_id"], trace(4), "{log}");
}

/// Spans are exported over TLS to a collector whose certificate the system trusts.
#[tokio::test]
async fn spans_are_exported_over_tls() {
    let collector = Collector::start().await;
    let (endpoint, authority) = collector.behind_tls().await;
    let trusted = pentad_test_plugins::file("ca.pem", authority.as_bytes());
    let trusted = trusted.to_str().expect("UTF-8");
    let served = serve_with_env(two_games(), &["--otlp-endpoint", &endpoint], &[("SSL_CERT_FILE", trusted)]).await;
    let request = client().get(format!("http://{}/v1/games", served.rest));
    send(request.header("traceparent", traceparent(&trace(1), "01"))).await.ok();
    assert_eq!(collector.call(&trace(1)).await.0.name, "GET /v1/games");
}

/// A lookup in a store has a span of its own, which says whether it was found.
#[tokio::test]
async fn store_lookups_are_traced() {
    let collector = Collector::start().await;
    let store = pentad_test_plugins::scratch_dir().join("answers");
    let (endpoint, store) = (collector.endpoint(), store.to_str().expect("UTF-8"));
    let flags = ["--otlp-endpoint", &endpoint, "--store", store, "--cache-mib", "0", "--store-read-ms-max", "10000"];
    let served = serve_with_env(two_games(), &flags, &[]).await;
    let proven = json!({"position": "wwww2/6/bbbb2/6/6/6 w"});
    for (n, expected) in [(1, "miss"), (2, "hit")] {
        assert_eventually("the answer is stored", async || {
            let n_stored = served.metrics().await.count("pentad_store_entries", &[("layer", "file")]);
            if n_stored >= f64::from(n - 1) { Ok(()) } else { Err(n_stored) }
        })
        .await;
        let url = format!("http://{}/v1/games/pentago/hints", served.rest);
        send(client().post(url).json(&proven).header("traceparent", traceparent(&trace(n), "01"))).await.ok();
        let (_, parts) = collector.call(&trace(n)).await;
        let lookups: Vec<Value> = named(&parts, "store").iter().map(|part| part.get("pentad.store")).collect();
        assert!(lookups.contains(&json!(expected)), "{n}: {lookups:?} {parts:#?}");
    }
}

/// The span of a stream lasts until its final message, on both protocols.
#[tokio::test]
async fn stream_is_traced_to_its_end() {
    let collector = Collector::start().await;
    let server = server().set(|it| config(&collector, it)).start().await;
    let traced_client = server.grpc().traceparent(&traceparent(&trace(1), "01"));
    let updates = traced_client.stream("Analyze", &about("pentago", node_limited(20_000))).await.expect("a stream");
    let updates: Vec<_> = updates.collect().await;
    let over_grpc = updates.last().expect("an update").as_ref().expect("no failure");
    let request = server.http.post(server.rest_url("/v1/games/pentago/analysis")).json(&node_limited(21_000));
    let lines = request.header("accept", "application/x-ndjson").header("traceparent", traceparent(&trace(2), "01"));
    let text = send(lines).await.ok().text();
    let over_rest: Value = serde_json::from_str(text.lines().last().expect("a line")).expect("a line of JSON");

    let (call, parts) = collector.call(&trace(1)).await;
    assert_searched(&call, &parts, &over_grpc["hints"]);
    assert_eq!(call.get("rpc.method"), "pentad.v1.Analysis/Analyze");
    let (call, parts) = collector.call(&trace(2)).await;
    assert_searched(&call, &parts, &over_rest);
    assert_eq!(call.name, "POST /v1/games/{game}/analysis");
}

/// A shared search belongs to the call that started it, even if that was cancelled;
/// a call that joined it links to it.
#[tokio::test]
async fn shared_search_belongs_to_its_first_call() {
    let collector = Collector::start().await;
    let held = Held::new();
    let server = server().held(&held).set(|it| config(&collector, it)).start().await;
    let spawn_hint = |n: u32| {
        let traced_client = server.grpc().traceparent(&traceparent(&trace(n), "01"));
        tokio::spawn(async move { traced_client.call("Hint", &about("held", Held::search(0))).await })
    };
    let assert_counted = async |name: &str, labels: &[(&str, &str)]| {
        assert_eventually(&format!("{name} {labels:?} is 1"), async || {
            let count = server.metrics().await.value(name, labels);
            if count == Some(1.0) { Ok(()) } else { Err(count) }
        })
        .await;
    };
    let first = spawn_hint(1);
    server.assert_busy(1.0).await;
    let second = spawn_hint(2);
    assert_counted("pentad_cache_requests_total", &[("game", "held"), ("result", "shared")]).await;
    first.abort();
    assert_counted("pentad_requests_total", &[("game", "held"), ("code", "CANCELLED")]).await;
    assert!(!second.is_finished(), "the search goes on for the second");
    held.release();
    second.await.expect("no panic").expect("a hint");

    // The second call ends last, after the search.
    let (joined, joined_parts) = collector.call(&trace(2)).await;
    let (started, parts) = collector.call(&trace(1)).await;
    assert_eq!(started.get("rpc.response.status_code"), "CANCELLED", "{started:#?}");
    assert!(!started.is_error, "{started:#?}");
    let search = one(&parts, "search");
    assert_eq!(search.parent, started.id, "{search:#?}");
    assert!(started.ended_ns < search.ended_ns, "it left before the search ended: {started:#?} {search:#?}");
    assert_eq!(one(&parts, "cache").get("pentad.cache"), "miss");

    assert_within(&joined, &joined_parts, "held");
    let cache = one(&joined_parts, "cache");
    assert_eq!(cache.get("pentad.cache"), "shared");
    assert_eq!(cache.links, [(trace(1), started.id)]);
    assert!(named(&joined_parts, "search").is_empty(), "{joined_parts:#?}");
}

/// The client's sampling decision is used; without one, the settings'. A call that
/// tonic refuses is traced too.
#[tokio::test]
async fn client_decides_on_sampling() {
    let collector = Collector::start().await;
    let change = |it: &mut Config| {
        config(&collector, it);
        it.trace_sample_percent = 0;
        it.body_bytes_max = 4096;
    };
    let server = server().set(change).start().await;
    let describe = async |client: GrpcClient| client.call("DescribePosition", &json!({"game": "pentago"})).await;
    describe(server.grpc()).await.expect("a description");
    describe(server.grpc().traceparent(&traceparent(&trace(1), "00"))).await.expect("a description");
    describe(server.grpc().traceparent("00-nonsense")).await.expect("a description");
    describe(server.grpc().traceparent(&traceparent(&trace(2), "01"))).await.expect("a description");
    let request = json!({"game": "pentago", "position": "6".repeat(10_000)});
    let too_long = server.grpc().traceparent(&traceparent(&trace(3), "01")).call("DescribePosition", &request).await;
    assert!(too_long.is_err(), "{too_long:?}");
    // Spans are exported in the order of their calls.
    let (call, _) = collector.call(&trace(3)).await;
    assert_eq!((call.parent.as_str(), call.get("error.type")), (CALLER, json!("too_large")));
    let (call, parts) = collector.call(&trace(2)).await;
    assert_within(&call, &parts, "pentago");
    assert_eq!(one(&parts, "rules").get("pentad.rules"), "describe");
    let others: Vec<Span> =
        collector.spans().into_iter().filter(|span| span.trace != trace(2) && span.trace != trace(3)).collect();
    assert!(others.is_empty(), "{others:#?}");
}

/// A call without a traceparent starts a new trace.
#[tokio::test]
async fn call_without_traceparent_starts_a_trace() {
    let collector = Collector::start().await;
    let server = server().set(|it| config(&collector, it)).start().await;
    server.get("/v1/games/pentago/position").await.ok();
    server.get("/v1/games/pentago/position").await.ok();
    server.get("/v1/nowhere").await.expect(404);
    let calls = assert_eventually("three calls are exported", async || {
        let calls: Vec<Span> = collector.spans().into_iter().filter(|span| span.is_server).collect();
        if calls.len() < 3 { Err(calls) } else { Ok(calls) }
    })
    .await;
    let names: Vec<&str> = calls.iter().map(|call| call.name.as_str()).collect();
    assert_eq!(names, ["GET /v1/games/{game}/position", "GET /v1/games/{game}/position", "GET"], "{calls:#?}");
    assert!(calls.iter().all(|call| call.parent.is_empty() && call.trace.len() == 32), "{calls:#?}");
    assert_ne!(calls[0].trace, calls[1].trace);
}

/// Without the setting, OpenTelemetry's variables name the collector and the service.
#[tokio::test]
async fn otel_variables_name_collector_and_service() {
    let collector = Collector::start().await;
    let endpoint = collector.endpoint();
    let env = [("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint.as_str()), ("OTEL_SERVICE_NAME", "games-eu")];
    let served = serve_with_env(two_games(), &["--otlp-timeout-ms", "60000"], &env).await;
    let traced_client = GrpcClient::new(served.grpc).traceparent(&traceparent(&trace(1), "01"));
    traced_client.call("ListGames", &json!({})).await.expect("the games");
    let (call, _) = collector.call(&trace(1)).await;
    assert_eq!(call.resource["service.name"], "games-eu");
}

/// With an empty endpoint nothing is exported, whatever the other variables are, but the log
/// has trace ids: the client's, or a new one.
#[tokio::test]
async fn log_has_trace_ids_without_a_collector() {
    let collector = Collector::start().await;
    let endpoint = collector.endpoint();
    let env = [("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint.as_str()), ("OTEL_TRACES_EXPORTER", "otlp")];
    let rulesets = directory_of(&[pentago(), pentad_test_plugins::build("search_illegal")]);
    let served = serve_with_env(&rulesets, &["--log-level", "debug", "--otlp-endpoint", ""], &env).await;
    let grpc = GrpcClient::new(served.grpc);
    let request = json!({"game": "pentago", "position": "nonsense"});
    let traced_client = grpc.clone().request_id("valid").traceparent(&traceparent(&trace(1), "01"));
    traced_client.call("Hint", &request).await.expect_err("no position");
    let traced_client = grpc.clone().request_id("faulty").traceparent(&traceparent(&trace(3), "00"));
    let illegal = json!({"game": "search-illegal", "position": "5 a"});
    traced_client.call("Hint", &illegal).await.expect_err("no such move");
    let traced_client = grpc.request_id("malformed").traceparent(&traceparent(&trace(2), "0"));
    traced_client.call("Hint", &request).await.expect_err("no position");
    served.signal("TERM").await;
    let (status, log) = served.end().await;
    assert_eq!(status.code(), Some(0), "{log}");
    let ids = |request_id: &str| -> Vec<String> {
        let lines = log.lines().filter(|line| line.contains(&format!("request_id=\"{request_id}\"")));
        lines.map(|line| line.split_once("trace_id=").map_or("", |(_, rest)| &rest[..32]).to_owned()).collect()
    };
    assert_eq!(ids("valid"), [trace(1), trace(1)], "the refusal and the call:\n{log}");
    let fault = log.lines().find(|line| line.contains("rule set fault")).expect("the fault is logged");
    assert!(fault.contains(&format!("trace_id={}", trace(3))), "also from a worker's thread: {fault}");
    assert!(fault.contains("request_id=\"faulty\"") && fault.contains("position=5 a"), "{fault}");
    let [refusal, call] = &ids("malformed")[..] else { panic!("two lines:\n{log}") };
    assert!(refusal == call && refusal.bytes().all(|byte| byte.is_ascii_hexdigit()), "{log}");
    assert_ne!(*call, trace(2), "{log}");
    assert!(collector.spans().is_empty(), "{:#?}", collector.spans());
}

/// A collector that refuses connections, or accepts them and never answers, causes a
/// warning; calls and shutdown work as usual.
#[tokio::test]
async fn unreachable_collector_does_not_affect_calls() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let (_socket, gone) = refusing_port();
    let endpoints = [silent.local_addr().expect("it is bound"), gone].map(|address| format!("http://{address}"));
    future::join_all(endpoints.iter().map(async |endpoint| {
        // A call that waited for the collector would exceed the test's timeout.
        let flags = ["--otlp-endpoint", endpoint, "--otlp-timeout-ms", "60000", "--trace-queue-len-max", "16"];
        let served = serve(two_games(), &flags).await;
        let grpc = GrpcClient::new(served.grpc);
        let calls = async {
            for _ in 0..50 {
                grpc.call("DescribePosition", &json!({"game": "pentago"})).await.expect("a description");
            }
        };
        timeout(TIMEOUT, calls).await.unwrap_or_else(|_| panic!("calls wait for {endpoint}"));
        served.signal("TERM").await;
        let (status, log) = served.end().await;
        assert_eq!(status.code(), Some(0), "{log}");
        let warnings = ["traces are lost", "the last traces could not be exported in time"];
        let n_warnings = warnings.map(|warning| log.matches(warning).count());
        assert!(matches!(n_warnings, [0, 1] | [1, 0 | 1]), "one of a kind, and at least one: {log}");
        assert!(log.contains("every call was finished"), "{log}");
    }))
    .await;
}
