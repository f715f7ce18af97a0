//! Hints under limits and deadlines, and cancelled searches.
//!
//! Latency is not asserted here; `tests/benches/edge.rs` measures it.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use futures_util::{StreamExt, future, stream};
use serde_json::{Value, json};
use tonic::Code;

use crate::support::grpc::GrpcClient;
use crate::support::held::Held;
use crate::support::{
    N_ENDLESS_SEARCHES, ServerBuilder, TIMEOUT, TestServer, about, assert_eventually, endless_search, server,
};

const ENDLESS: &str = "search-endless";
/// Far beyond [`TIMEOUT`]: a search that ends in a test was cancelled.
const TEN_MINUTES_MS: u64 = 600_000;
const N_CANCELS: usize = 5;

/// A server with searches that would run for ten minutes.
fn endless() -> ServerBuilder {
    server().plugin("search_endless").set(|config| config.time_max_ms = TEN_MINUTES_MS)
}

/// Asserts that the first hint is a legal move.
async fn assert_legal(grpc: &GrpcClient, body: &Value, answer: &Value) {
    let mut played = body.clone();
    played.as_object_mut().expect("request bodies are objects").remove("limits");
    let mut moves: Vec<Value> = played["moves"].as_array().cloned().unwrap_or_default();
    moves.push(answer["hints"][0]["move"].clone());
    played["moves"] = moves.into();
    let described = grpc.call("DescribePosition", &played).await;
    described.unwrap_or_else(|status| panic!("{body}: {answer:#}: {status:?}"));
}

/// Eight concurrent callers always get a legal move, however short their time
/// limit, even if their search has not started by then.
#[tokio::test]
async fn every_time_limit_gets_a_legal_move() {
    const N_REQUESTS: usize = 96;
    let server = server().start().await;
    let grpc = server.grpc();
    let times_ms = [1, 3, 10, 30].into_iter().cycle();
    let requests = games(N_REQUESTS).into_iter().zip(times_ms).map(|(moves, time_ms)| {
        let grpc = grpc.clone();
        async move {
            let request = json!({"game": "pentago", "moves": moves, "limits": {"timeMs": time_ms}});
            let answer = grpc.call("Hint", &request).await;
            let answer = answer.unwrap_or_else(|status| panic!("no hint for {request}: {status:?}"));
            assert_legal(&grpc, &request, &answer).await;
            let stop = answer["stopReason"].as_str().unwrap_or_default();
            assert!(["time", "load", "proven"].contains(&stop), "{request}: {answer:#}");
        }
    });
    let n_answers = stream::iter(requests).buffer_unordered(8).count().await;
    assert_eq!(n_answers, N_REQUESTS);
}

/// Different games of eight plies, beyond the opening book, from a fixed seed.
fn games(n_games: usize) -> Vec<Vec<String>> {
    let mut state = 1_u64;
    let mut random = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    // Block 4 stays empty and is the only one rotated, so every list of different
    // cells is legal and leads to another position. Four marbles per side cannot
    // make five in a row.
    let cells: Vec<String> = ('a'..='f')
        .flat_map(|file| (1..=6).map(move |rank| (file, rank)))
        .filter(|(file, rank)| *file < 'd' || *rank < 4)
        .map(|(file, rank)| format!("{file}{rank}-4r"))
        .collect();
    let mut games = BTreeSet::new();
    while games.len() < n_games {
        let mut moves = BTreeSet::new();
        while moves.len() < 8 {
            moves.insert(cells[random(cells.len())].clone());
        }
        games.insert(moves.into_iter().collect());
    }
    games.into_iter().collect()
}

/// Requests a hint with a short deadline. On a busy machine the deadline may pass
/// before the server has parsed the position; then the failure is correct, and the
/// request is repeated with twice the time.
async fn hint_by_deadline(grpc: &GrpcClient, request: &Value) -> Value {
    let mut deadline_ms = 100;
    loop {
        let result = grpc.clone().timeout(&format!("{deadline_ms}m")).call("Hint", request).await;
        match result {
            Ok(answer) => return answer,
            Err(status) if status.code() == Code::DeadlineExceeded && deadline_ms < 20_000 => deadline_ms *= 2,
            Err(status) => panic!("no hint within {deadline_ms} ms for {request}: {status:?}"),
        }
    }
}

/// Eight callers with a deadline and one worker for endless searches: each gets a
/// legal move, most of them without a complete search.
#[tokio::test]
async fn every_deadline_gets_a_legal_move() {
    let server = endless().set(|config| config.workers = 1).start().await;
    let grpc = server.grpc();
    let requests = (0..N_ENDLESS_SEARCHES).map(async |n| {
        let body = about(ENDLESS, endless_search(n, TEN_MINUTES_MS));
        let answer = hint_by_deadline(&grpc, &body).await;
        assert_legal(&grpc, &body, &answer).await;
        let stop = answer["stopReason"].as_str().unwrap_or_default();
        assert!(["deadline", "load"].contains(&stop), "{body}: {answer:#}");
    });
    future::join_all(requests).await;
}

/// A deadline that passes while the answer is assembled does not fail the request:
/// the move is known and is returned.
///
/// On a busy machine one in a few hundred callers once got `deadline` instead.
#[tokio::test]
async fn known_move_is_returned_after_the_deadline() {
    let held = Held::new();
    let server = server().held(&held).start().await;
    let request = json!({"game": "held", "variant": "reasons"});
    let n_searched = async || server.metrics().await.count("pentad_search_stops_total", &[("game", "held")]);
    let mut deadline = Duration::from_millis(250);
    let answer = loop {
        let n_before = n_searched().await;
        let started = Instant::now();
        let grpc = server.grpc().timeout(&format!("{}m", deadline.as_millis()));
        let in_flight = tokio::spawn({
            let request = request.clone();
            async move { grpc.call("Hint", &request).await }
        });
        let is_known = assert_eventually("the search ends, or the deadline passes before it starts", async || {
            let is_searched = n_searched().await > n_before;
            if is_searched || in_flight.is_finished() { Ok(is_searched) } else { Err("neither") }
        })
        .await;
        let is_known_in_time = is_known && started.elapsed() < deadline;
        tokio::time::sleep_until((started + 2 * deadline).into()).await;
        held.release();
        let answer = in_flight.await.expect("no panic");
        if is_known_in_time {
            break answer;
        }
        held.hold();
        deadline *= 2;
        assert!(deadline < TIMEOUT, "{answer:?}");
    };
    let answer = answer.expect("the deadline passed after the move was known");
    assert_legal(&server.grpc(), &request, &answer).await;
}

/// Each limit ends the search and is its stop reason.
#[tokio::test]
async fn limits_end_the_search() {
    let server = endless().set(|config| config.cache_mib = 0).start().await;
    for (game, limits, stop) in [
        ("pentago", json!({"nodes": 500}), "nodes"),
        ("pentago", json!({"depth": 1}), "depth"),
        (ENDLESS, json!({"nodes": 7}), "nodes"),
        (ENDLESS, json!({"depth": 5}), "depth"),
        (ENDLESS, json!({"timeMs": 20}), "time"),
    ] {
        let variant = if game == "pentago" { "finnish" } else { "" };
        let request = json!({"variant": variant, "limits": limits});
        let answer = server.post(&format!("/v1/games/{game}/hints"), &request).await.ok().json();
        assert_eq!(answer["stopReason"], stop, "{game} {limits}: {answer:#}");
    }
    let request = about(ENDLESS, endless_search(4, TEN_MINUTES_MS));
    let answer = hint_by_deadline(&server.grpc(), &request).await;
    assert_eq!(answer["stopReason"], "deadline", "{answer:#}");
}

/// A time limit above `time_max_ms` is lowered to it.
#[tokio::test]
async fn server_time_limit_ends_the_search() {
    let server = server()
        .plugin("search_endless")
        .set(|config| (config.time_default_ms, config.time_max_ms, config.cache_mib) = (50, 50, 0))
        .start()
        .await;
    for limits in [json!({"timeMs": TEN_MINUTES_MS}), json!({"nodes": TEN_MINUTES_MS}), json!({})] {
        let request = json!({"limits": limits});
        let answer = server.post(&format!("/v1/games/{ENDLESS}/hints"), &request).await.ok().json();
        assert_eq!(answer["stopReason"], "time", "{limits}: {answer:#}");
    }
}

/// A win is proven, ranked first, and explained.
#[tokio::test]
async fn win_is_proven_and_explained() {
    let server = server().start().await;
    let body = json!({"position": "wwww2/6/bbbb2/6/6/6 w", "count": 3, "limits": {"depth": 2}});
    let answer = server.post("/v1/games/pentago/hints", &body).await.ok().json();
    let first = &answer["hints"][0];
    assert_eq!((&first["move"], &first["evaluation"]["outcome"]), (&json!("e1"), &json!("win")), "{answer:#}");
    assert_eq!(first["evaluation"]["certainty"], "proven");
    assert_eq!(first["evaluation"]["pliesToEnd"], 1);
    assert_eq!(first["evaluation"]["scores"], json!({"w": 1.0, "b": 0.0}));
    assert!(first["reasons"][0]["text"].as_str().is_some_and(|text| !text.is_empty()), "{answer:#}");
    assert_eq!(answer["position"], "wwww2/6/bbbb2/6/6/6 w");
    assert_eq!(answer["toMove"], "w");
}

/// Cancelling a gRPC call frees its worker.
#[tokio::test]
async fn cancelled_call_frees_its_worker() {
    let server = endless().start().await;
    for n in 0..N_CANCELS {
        let (grpc, request) = (server.grpc(), about(ENDLESS, endless_search(n, TEN_MINUTES_MS)));
        let in_flight = tokio::spawn(async move { grpc.call("Hint", &request).await });
        server.assert_busy(1.0).await;
        in_flight.abort();
        server.assert_busy(0.0).await;
    }
    assert_cancelled(&server, &[("protocol", "grpc"), ("method", "Hint"), ("code", "CANCELLED")]).await;
}

/// Dropping a gRPC stream frees its worker.
#[tokio::test]
async fn dropped_stream_frees_its_worker() {
    let server = endless().start().await;
    for n in 0..N_CANCELS {
        let request = about(ENDLESS, endless_search(n, TEN_MINUTES_MS));
        let mut updates = server.grpc().stream("Analyze", &request).await.expect("an analysis");
        updates.next().await.expect("an update").expect("no failure");
        server.assert_busy(1.0).await;
        drop(updates);
        server.assert_busy(0.0).await;
    }
    assert_cancelled(&server, &[("protocol", "grpc"), ("method", "Analyze"), ("code", "CANCELLED")]).await;
}

/// Closing an HTTP connection before the response frees its worker.
#[tokio::test]
async fn closed_connection_frees_its_worker() {
    let server = endless().start().await;
    for n in 0..N_CANCELS {
        let body = endless_search(n, TEN_MINUTES_MS);
        let in_flight = server.http.post(server.rest_url(&format!("/v1/games/{ENDLESS}/hints"))).json(&body).send();
        let in_flight = tokio::spawn(in_flight);
        server.assert_busy(1.0).await;
        in_flight.abort();
        server.assert_busy(0.0).await;
    }
    assert_cancelled(&server, &[("protocol", "rest"), ("method", "Hint"), ("code", "499")]).await;
}

/// Closing an event stream frees its worker.
#[tokio::test]
async fn closed_event_stream_frees_its_worker() {
    let server = endless().start().await;
    for n in 0..N_CANCELS {
        let body = endless_search(n, TEN_MINUTES_MS);
        let in_flight = server.http.post(server.rest_url(&format!("/v1/games/{ENDLESS}/analysis"))).json(&body);
        let mut response = in_flight.send().await.expect("a stream");
        response.chunk().await.expect("no failure").expect("an update");
        server.assert_busy(1.0).await;
        drop(response);
        server.assert_busy(0.0).await;
    }
    assert_cancelled(&server, &[("protocol", "rest"), ("method", "Analyze"), ("code", "499")]).await;
}

/// Asserts that every request cancelled its search and none counts as an error.
async fn assert_cancelled(server: &TestServer, labels: &[(&str, &str)]) {
    let n_cancels = N_CANCELS as f64;
    let metrics = assert_eventually("the cancellations are counted", async || {
        let metrics = server.metrics().await;
        let counted = [
            metrics.count("pentad_requests_total", labels),
            metrics.count("pentad_cancel_latency_seconds_count", &[]),
            metrics.count("pentad_search_stops_total", &[("game", ENDLESS), ("reason", "cancelled")]),
        ];
        if counted == [n_cancels; 3] {
            return Ok(metrics);
        }
        Err(format!(
            "calls, cancellations and stops are {counted:?}: {:#?}",
            metrics.find("pentad_requests_total", &[]).filter(|it| it.value > 0.0).collect::<Vec<_>>()
        ))
    })
    .await;
    let n_stops = metrics.count("pentad_search_stops_total", &[("game", ENDLESS)]);
    assert_eq!(n_stops, n_cancels, "no search ended by itself");
    let n_rejected: f64 = metrics.find("pentad_rejected_total", &[]).map(|sample| sample.value).sum();
    assert_eq!(n_rejected, 0.0, "a cancellation is not an error");
}
