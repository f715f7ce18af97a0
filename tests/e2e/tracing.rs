//! Traces: whose call it is, where its time goes, and what that costs others.

use futures_util::{StreamExt, future};
use pentad::config::{Config, OtlpEndpoint};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::support::collector::{Collector, Span};
use crate::support::grpc::GrpcClient;
use crate::support::held::Held;
use crate::support::program::{serve, serve_in};
use crate::support::rest::{client, send};
use crate::support::{TIMEOUT, about, assert_eventually, directory_of, pentago, refusing_port, server, two_games};

const CALLER: &str = "00f067aa0ba902b7";

/// A trace's id of its own for every call.
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

/// A question whose search visits so many positions.
fn searched(nodes: u64) -> Value {
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

/// The call's parts are its children and lie within it.
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

/// A question that was searched: what its trace tells is what its answer tells.
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

/// Both edges go on with the caller's trace, and tell of the call, the cache,
/// the queue, the search and the rules; the log has the same id.
#[tokio::test]
async fn a_hint_is_traced_on_both_edges() {
    let collector = Collector::start().await;
    let endpoint = collector.endpoint();
    let flags =
        ["--otlp-endpoint", &endpoint, "--otlp-timeout-ms", "60000", "--log-format", "json", "--log-level", "debug"];
    let served = serve_in(two_games(), &flags, &[("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=test")]).await;
    let grpc = GrpcClient::new(served.grpc);

    let url = format!("http://{}/v1/games/pentago/hints", served.rest);
    let ask = |n: u32, question: &Value| {
        let parent = traceparent(&trace(n), "01");
        send(client().post(&url).json(question).header("traceparent", parent).header("tracestate", "vendor=7"))
    };
    let asked = grpc.clone().traceparent(&traceparent(&trace(1), "01")).request_id("first");
    let over_grpc = asked.ask("Hint", &about("pentago", searched(3000))).await.expect("a hint");
    let over_rest = ask(2, &searched(4000)).await.ok().json();
    assert_eq!(ask(3, &searched(4000)).await.ok().json()["cached"], true);
    ask(4, &json!({"position": "nonsense"})).await.expect(400);

    let (call, parts) = collector.call(&trace(1)).await;
    assert_searched(&call, &parts, &over_grpc);
    assert_eq!(call.name, "pentad.v1.Analysis/Hint");
    assert_eq!((call.get("rpc.method"), call.get("rpc.grpc.status_code")), (json!("Hint"), json!(0)));
    assert_eq!((call.get("pentad.request_id"), call.get("pentad.game")), (json!("first"), json!("pentago")));
    assert_eq!(call.resource["service.name"], "pentad");
    assert_eq!(call.resource["deployment.environment"], "test");

    let (call, parts) = collector.call(&trace(2)).await;
    assert_searched(&call, &parts, &over_rest);
    assert_eq!((call.name.as_str(), call.state.as_str()), ("POST /v1/games/{game}/hints", "vendor=7"));
    assert_eq!(call.get("http.response.status_code"), 200);

    // The same again is remembered.
    let (call, parts) = collector.call(&trace(3)).await;
    assert_within(&call, &parts, "pentago");
    assert_eq!(one(&parts, "cache").get("pentad.cache"), "hit");
    assert!(named(&parts, "search").is_empty(), "{parts:#?}");

    // A mistake of the caller has its reason, and is not the server's failure.
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

/// A stream's call lasts until its last message, on both edges.
#[tokio::test]
async fn a_stream_is_traced_to_its_end() {
    let collector = Collector::start().await;
    let server = server().set(|it| config(&collector, it)).start().await;
    let asked = server.grpc().traceparent(&traceparent(&trace(1), "01"));
    let updates = asked.stream("Analyze", &about("pentago", searched(20_000))).await.expect("a stream");
    let updates: Vec<_> = updates.collect().await;
    let over_grpc = updates.last().expect("an update").as_ref().expect("no failure");
    let request = server.http.post(server.rest_url("/v1/games/pentago/analysis")).json(&searched(21_000));
    let lines = request.header("accept", "application/x-ndjson").header("traceparent", traceparent(&trace(2), "01"));
    let text = send(lines).await.ok().text();
    let over_rest: Value = serde_json::from_str(text.lines().last().expect("a line")).expect("a line of JSON");

    let (call, parts) = collector.call(&trace(1)).await;
    assert_searched(&call, &parts, &over_grpc["hints"]);
    assert_eq!(call.get("rpc.method"), "Analyze");
    let (call, parts) = collector.call(&trace(2)).await;
    assert_searched(&call, &parts, &over_rest);
    assert_eq!(call.name, "POST /v1/games/{game}/analysis");
}

/// A shared search belongs to the call that started it, also when that one has
/// left; the call that joined says so and points to it.
#[tokio::test]
async fn a_shared_search_belongs_to_who_started_it() {
    let collector = Collector::start().await;
    let held = Held::new();
    let server = server().held(&held).set(|it| config(&collector, it)).start().await;
    let ask = |n: u32| {
        let asked = server.grpc().traceparent(&traceparent(&trace(n), "01"));
        tokio::spawn(async move { asked.ask("Hint", &about("held", Held::search(0))).await })
    };
    let assert_counted = async |name: &str, labels: &[(&str, &str)]| {
        assert_eventually(&format!("{name} {labels:?} is 1"), async || {
            let count = server.metrics().await.value(name, labels);
            if count == Some(1.0) { Ok(()) } else { Err(count) }
        })
        .await;
    };
    let first = ask(1);
    server.assert_busy(1.0).await;
    let second = ask(2);
    assert_counted("pentad_cache_requests_total", &[("game", "held"), ("result", "shared")]).await;
    first.abort();
    assert_counted("pentad_requests_total", &[("game", "held"), ("code", "CANCELLED")]).await;
    assert!(!second.is_finished(), "the search goes on for the second");
    held.release();
    second.await.expect("no panic").expect("a hint");

    // The second call ends last, after the search.
    let (joined, joined_parts) = collector.call(&trace(2)).await;
    let (started, parts) = collector.call(&trace(1)).await;
    assert_eq!(started.get("rpc.grpc.status_code"), 1, "it was cancelled: {started:#?}");
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

/// The caller's decision counts; where there is none, the settings'. A call
/// that tonic refuses is traced too.
#[tokio::test]
async fn who_begins_a_trace_decides_on_it() {
    let collector = Collector::start().await;
    let change = |it: &mut Config| {
        config(&collector, it);
        it.trace_sample_percent = 0;
        it.body_bytes_max = 4096;
    };
    let server = server().set(change).start().await;
    let describe = async |client: GrpcClient| client.ask("DescribePosition", &json!({"game": "pentago"})).await;
    describe(server.grpc()).await.expect("a description");
    describe(server.grpc().traceparent(&traceparent(&trace(1), "00"))).await.expect("a description");
    describe(server.grpc().traceparent("00-nonsense")).await.expect("a description");
    describe(server.grpc().traceparent(&traceparent(&trace(2), "01"))).await.expect("a description");
    let question = json!({"game": "pentago", "position": "6".repeat(10_000)});
    let too_long = server.grpc().traceparent(&traceparent(&trace(3), "01")).ask("DescribePosition", &question).await;
    assert!(too_long.is_err(), "{too_long:?}");
    // What was asked before is sent before.
    let (call, _) = collector.call(&trace(3)).await;
    assert_eq!((call.parent.as_str(), call.get("error.type")), (CALLER, json!("too_large")));
    let (call, parts) = collector.call(&trace(2)).await;
    assert_within(&call, &parts, "pentago");
    assert_eq!(one(&parts, "rules").get("pentad.rules"), "describe");
    let others: Vec<Span> =
        collector.spans().into_iter().filter(|span| span.trace != trace(2) && span.trace != trace(3)).collect();
    assert!(others.is_empty(), "{others:#?}");
}

/// A trace begins here where no caller brings one, and with an id of its own
/// for each call.
#[tokio::test]
async fn a_trace_begins_where_none_is_brought() {
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

/// Without a setting nothing is sent anywhere, and the log has the trace ids
/// all the same: the caller's, or one of its own.
#[tokio::test]
async fn without_a_collector_the_log_has_the_trace() {
    let collector = Collector::start().await;
    let endpoint = collector.endpoint();
    let env = [("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint.as_str()), ("OTEL_TRACES_EXPORTER", "otlp")];
    let lies = directory_of(&[pentago(), pentad_test_plugins::build("search_illegal")]);
    let served = serve_in(&lies, &["--log-level", "debug"], &env).await;
    let grpc = GrpcClient::new(served.grpc);
    let question = json!({"game": "pentago", "position": "nonsense"});
    let asked = grpc.clone().request_id("brought").traceparent(&traceparent(&trace(1), "01"));
    asked.ask("Hint", &question).await.expect_err("no position");
    let asked = grpc.clone().request_id("lied to").traceparent(&traceparent(&trace(3), "00"));
    asked.ask("Hint", &json!({"game": "search-illegal"})).await.expect_err("no such move");
    let asked = grpc.request_id("malformed").traceparent(&traceparent(&trace(2), "0"));
    asked.ask("Hint", &question).await.expect_err("no position");
    served.signal("TERM").await;
    let (status, log) = served.end().await;
    assert_eq!(status.code(), Some(0), "{log}");
    let ids = |request_id: &str| -> Vec<String> {
        let lines = log.lines().filter(|line| line.contains(&format!("request_id=\"{request_id}\"")));
        lines.map(|line| line.split_once("trace_id=").map_or("", |(_, rest)| &rest[..32]).to_owned()).collect()
    };
    assert_eq!(ids("brought"), [trace(1), trace(1)], "the refusal and the call:\n{log}");
    let fault = log.lines().find(|line| line.contains("rule set fault")).expect("the fault is logged");
    assert!(fault.contains(&format!("trace_id={}", trace(3))), "also from a worker's thread: {fault}");
    let [refusal, call] = &ids("malformed")[..] else { panic!("two lines:\n{log}") };
    assert!(refusal == call && refusal.bytes().all(|byte| byte.is_ascii_hexdigit()), "{log}");
    assert_ne!(*call, trace(2), "{log}");
    assert!(collector.spans().is_empty(), "{:#?}", collector.spans());
}

/// A collector that is not there, or takes connections and never answers, costs
/// a warning; calls are answered as ever, and so is the signal to end.
#[tokio::test]
async fn a_dead_collector_hurts_nobody() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let (_socket, gone) = refusing_port();
    let endpoints = [silent.local_addr().expect("it is bound"), gone].map(|address| format!("http://{address}"));
    future::join_all(endpoints.iter().map(async |endpoint| {
        // A call that waited for the collector would wait as long as the net.
        let flags = ["--otlp-endpoint", endpoint, "--otlp-timeout-ms", "60000", "--trace-queue-len-max", "16"];
        let served = serve(two_games(), &flags).await;
        let grpc = GrpcClient::new(served.grpc);
        let calls = async {
            for _ in 0..50 {
                grpc.ask("DescribePosition", &json!({"game": "pentago"})).await.expect("a description");
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
