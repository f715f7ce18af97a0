//! Streamed analysis: server-sent events, NDJSON, gRPC streams.

use futures_util::StreamExt;
use http::HeaderMap;
use serde_json::{Value, json};
use tonic::Code;

use crate::support::failure::Failure;
use crate::support::held::Held;
use crate::support::rest::{query, send};
use crate::support::{TestServer, about, server};

const PATH: &str = "/v1/games/pentago/analysis";
/// The number of updates after which a search is released.
const N_UPDATES: usize = 3;

/// A request for two hints of `held`.
fn two_hints(n: usize) -> Value {
    let mut body = Held::search(n);
    body["count"] = 2.into();
    body
}

/// Reads a stream with this `Accept`, by POST or GET; releases the search after
/// [`N_UPDATES`] occurrences of `mark`.
async fn stream(
    server: &TestServer,
    held: &Held,
    (body, by_get): (&Value, bool),
    accept: &str,
    mark: &str,
) -> (HeaderMap, String) {
    let url = server.rest_url("/v1/games/held/analysis");
    let request =
        if by_get { server.http.get(format!("{url}{}", query(body))) } else { server.http.post(url).json(body) };
    let mut response = request.header("accept", accept).send().await.expect("the server answers");
    assert_eq!(response.status(), 200, "{response:?}");
    let (mut text, mut is_released) = (String::new(), false);
    while let Some(chunk) = response.chunk().await.expect("the stream is complete") {
        text.push_str(std::str::from_utf8(&chunk).expect("texts of this game are ASCII"));
        if !is_released && text.matches(mark).count() >= N_UPDATES {
            held.release();
            is_released = true;
        }
    }
    held.hold();
    (response.headers().clone(), text)
}

/// The events of a stream: name and data. Each has an id, the last one `end`, and
/// says when to reconnect.
fn events(text: &str) -> Vec<(String, Value)> {
    assert!(text.ends_with("\n\n"), "the last event is complete: {text:?}");
    let blocks = text.split("\n\n").filter(|block| !block.is_empty() && !block.starts_with(':'));
    blocks
        .map(|block| {
            let lines: Vec<&str> = block.lines().collect();
            let [event, id, retry, data] = lines[..] else { panic!("not four lines: {block:?}") };
            assert_eq!(id == "id: end", event != "event: update", "{block:?}");
            assert_eq!(retry, "retry: 3000", "{block:?}");
            let event = event.strip_prefix("event: ").unwrap_or_else(|| panic!("no event: {block:?}"));
            let data = data.strip_prefix("data: ").unwrap_or_else(|| panic!("no data: {block:?}"));
            (event.to_owned(), serde_json::from_str(data).unwrap_or_else(|error| panic!("{error}: {data}")))
        })
        .collect()
}

/// Asserts intermediate updates with increasing nodes, then one final update.
#[track_caller]
fn assert_updates(updates: &[Value]) {
    let (last, intermediate) = updates.split_last().expect("at least the final update");
    assert!(intermediate.len() >= N_UPDATES, "{updates:#?}");
    for update in updates {
        for key in ["hints", "evaluation", "depth", "nodes", "elapsedMs", "cached", "position", "toMove"] {
            assert!(update.get(key).is_some_and(|value| !value.is_null()), "no {key}: {update:#}");
        }
        assert_eq!(update["hints"].as_array().map(Vec::len), Some(2), "as many as requested: {update:#}");
    }
    assert!(intermediate.iter().all(|update| update["final"] == false && update["stopReason"].is_null()));
    assert_eq!((&last["final"], &last["stopReason"]), (&json!(true), &json!("depth")), "{last:#}");
    let nodes: Vec<u64> = updates.iter().map(|update| update["nodes"].as_u64().expect("a number")).collect();
    assert!(nodes.is_sorted_by(|a, b| a < b), "strictly increasing: {nodes:?}");
}

/// Server-sent events: some `update` events, then one `final`.
#[tokio::test]
async fn server_sent_events() {
    let held = Held::new();
    let server = server().held(&held).start().await;
    for (n, by_get) in [false, true].into_iter().enumerate() {
        let request = (&two_hints(n), by_get);
        let (headers, text) = stream(&server, &held, request, "text/event-stream", "event: update").await;
        assert_eq!(headers["content-type"], "text/event-stream");
        assert_eq!(headers["cache-control"], "no-store");
        let events = events(&text);
        let names: Vec<&str> = events.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names.iter().filter(|name| **name == "final").count(), 1, "{names:?}");
        assert_eq!(names.last(), Some(&"final"), "{names:?}");
        assert!(names[..names.len() - 1].iter().all(|name| *name == "update"), "{names:?}");
        assert_updates(&events.into_iter().map(|(_, data)| data).collect::<Vec<_>>());
    }
}

/// An `EventSource` that reconnects after the end gets 204, which stops it; one whose
/// connection broke off gets a new stream.
#[tokio::test]
async fn a_finished_stream_is_not_repeated() {
    let server = server().start().await;
    let url = server.rest_url("/v1/games/pentago/analysis?position=wwww2/6/bbbb2/6/6/6+w");
    let reconnect = async |id: &str| send(server.http.get(&url).header("last-event-id", id)).await;
    let done = reconnect("end").await.expect(204);
    assert!(done.body.is_empty(), "{done:?}");
    let again = reconnect("3").await.ok();
    assert!(String::from_utf8_lossy(&again.body).contains("event: final\nid: end\n"), "{again:?}");
}

/// `Accept: application/x-ndjson` selects NDJSON.
#[tokio::test]
async fn ndjson_by_accept_header() {
    let held = Held::new();
    let server = server().held(&held).start().await;
    for (n, by_get) in [false, true].into_iter().enumerate() {
        let accept = "text/html, application/x-ndjson;q=0.9";
        let (headers, text) = stream(&server, &held, (&two_hints(n), by_get), accept, "\n").await;
        assert_eq!(headers["content-type"], "application/x-ndjson");
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
        assert_updates(&lines);
    }
}

/// gRPC streams the same updates.
#[tokio::test]
async fn grpc_streams_updates() {
    let held = Held::new();
    let server = server().held(&held).start().await;
    let mut stream = server.grpc().stream("Analyze", &about("held", two_hints(0))).await.expect("an analysis");
    let mut updates = Vec::new();
    while let Some(update) = stream.next().await {
        updates.push(flat(update.expect("no failure")));
        if updates.len() == N_UPDATES {
            held.release();
        }
    }
    assert_updates(&updates);
}

/// gRPC keeps the hints in a message of their own; REST does not.
fn flat(mut update: Value) -> Value {
    let mut hints = update["hints"].take();
    hints["final"] = update["final"].take();
    hints
}

/// A cached answer is a stream of one final update, on both protocols.
#[tokio::test]
async fn cached_analysis_is_final_at_once() {
    let server = server().start().await;
    let body = json!({"position": "wwww2/6/bbbb2/6/6/6 w"});
    server.post("/v1/games/pentago/hints", &body).await.ok();
    let text = server.post(PATH, &body).await.ok().text();
    let over_rest = events(&text);
    assert_eq!(over_rest.len(), 1, "{text}");
    assert_eq!((over_rest[0].0.as_str(), &over_rest[0].1["cached"]), ("final", &json!(true)), "{text}");
    let request = json!({"game": "pentago", "position": "wwww2/6/bbbb2/6/6/6 w"});
    let updates = server.grpc().stream("Analyze", &request).await.expect("an analysis");
    let updates: Vec<Value> = updates.map(|update| flat(update.expect("no failure"))).collect().await;
    let [over_grpc] = &updates[..] else { panic!("{updates:#?}") };
    assert_eq!(over_grpc["hints"][0]["move"], over_rest[0].1["hints"][0]["move"]);
    assert_eq!(over_grpc["final"], true);
}

/// An invalid request fails before the stream begins.
#[tokio::test]
async fn invalid_requests_fail_before_the_stream() {
    let server = server().start().await;
    for (body, status, reason, code) in [
        (json!({"position": "wwwww1/6/bbbb2/6/6/6 b"}), 422, "game_over", Code::FailedPrecondition),
        (json!({"position": "nonsense"}), 400, "bad_position", Code::InvalidArgument),
        (json!({"count": 65}), 400, "bad_argument", Code::InvalidArgument),
    ] {
        for reply in [server.post(PATH, &body).await, server.get(&format!("{PATH}{}", query(&body))).await] {
            assert_eq!(reply.expect(status).problem().reason, reason, "{body}");
        }
        let mut request = body.clone();
        request["game"] = "pentago".into();
        let Err(failure) = server.grpc().stream("Analyze", &request).await else { panic!("{body} began a stream") };
        assert_eq!((failure.code(), Failure::from_status(&failure).reason.as_str()), (code, reason), "{body}");
    }
}

/// A rule set that fails during the analysis ends the stream with an error in the
/// stream's own format.
#[tokio::test]
async fn failure_ends_the_stream() {
    let server = server().plugin("search_illegal").start().await;
    let path = "/v1/games/search-illegal/analysis";
    let text = server.post(path, &json!({})).await.ok().text();
    let events = events(&text);
    let (name, problem) = events.last().expect("an event");
    assert_eq!((name.as_str(), &problem["reason"]), ("error", &json!("ruleset_fault")), "{text}");
    assert!(!events.iter().any(|(name, _)| name == "final"), "{text}");

    let request = server.http.post(server.rest_url(path)).header("accept", "application/x-ndjson");
    let text = send(request).await.ok().text();
    let last: Value = serde_json::from_str(text.lines().last().expect("a line")).expect("JSON");
    assert_eq!(last["error"]["reason"], "ruleset_fault", "{text}");

    let mut updates = server.grpc().stream("Analyze", &json!({"game": "search-illegal"})).await.expect("a stream");
    let failure = loop {
        match updates.next().await.expect("the stream ends with its failure") {
            Ok(update) => assert_eq!(update["final"], false, "{update:#}"),
            Err(status) => break status,
        }
    };
    assert_eq!(Failure::from_status(&failure).reason, "ruleset_fault", "{failure:?}");
    assert!(updates.next().await.is_none());

    let metrics = server.metrics().await;
    let count = |labels: &[(&str, &str)]| metrics.count("pentad_requests_total", labels);
    assert_eq!(count(&[("method", "Analyze"), ("game", "search-illegal"), ("code", "503")]), 2.0);
    assert_eq!(count(&[("method", "Analyze"), ("game", "search-illegal"), ("code", "UNAVAILABLE")]), 1.0);
    assert_eq!(metrics.value("pentad_rejected_total", &[("reason", "ruleset_fault")]), Some(3.0));
}
