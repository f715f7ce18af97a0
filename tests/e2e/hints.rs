//! Hints under a limit, and what becomes of a search that nobody waits for.
//!
//! Whether an answer is right does not depend on how fast it comes. How late
//! answers are is measured by `tests/benches/edge.rs`.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use futures_util::{StreamExt, future, stream};
use serde_json::{Value, json};
use tonic::Code;

use crate::support::grpc::GrpcClient;
use crate::support::held::Held;
use crate::support::{
    N_ENDLESS_SEARCHES, Starter, TIMEOUT, TestServer, about, assert_eventually, endless_search, server,
};

const ENDLESS: &str = "search-endless";
/// Far beyond [`TIMEOUT`]: what ends in a test was ended.
const TEN_MINUTES_MS: u64 = 600_000;
const N_CANCELS: usize = 5;

/// Serves searches that would go on for ten minutes.
fn endless() -> Starter {
    server().plugin("search_endless").set(|config| config.time_max_ms = TEN_MINUTES_MS)
}

/// Fails unless the first hint is a move that the rules accept there.
async fn assert_legal(grpc: &GrpcClient, question: &Value, answer: &Value) {
    let mut played = question.clone();
    played.as_object_mut().expect("questions are objects").remove("limits");
    let mut moves: Vec<Value> = played["moves"].as_array().cloned().unwrap_or_default();
    moves.push(answer["hints"][0]["move"].clone());
    played["moves"] = moves.into();
    let described = grpc.ask("DescribePosition", &played).await;
    described.unwrap_or_else(|status| panic!("{question}: {answer:#}: {status:?}"));
}

/// Eight callers at a time always get a legal move, however little time they
/// give: also those whose search has not begun by then.
#[tokio::test]
async fn every_time_limit_gets_a_legal_move() {
    const N_QUESTIONS: usize = 96;
    let server = server().start().await;
    let grpc = server.grpc();
    let times_ms = [1, 3, 10, 30].into_iter().cycle();
    let asked = games(N_QUESTIONS).into_iter().zip(times_ms).map(|(moves, time_ms)| {
        let grpc = grpc.clone();
        async move {
            let question = json!({"game": "pentago", "moves": moves, "limits": {"timeMs": time_ms}});
            let answer = grpc.ask("Hint", &question).await;
            let answer = answer.unwrap_or_else(|status| panic!("no hint for {question}: {status:?}"));
            assert_legal(&grpc, &question, &answer).await;
            let stop = answer["stopReason"].as_str().unwrap_or_default();
            assert!(["time", "load", "proven"].contains(&stop), "{question}: {answer:#}");
        }
    });
    let n_answers = stream::iter(asked).buffer_unordered(8).count().await;
    assert_eq!(n_answers, N_QUESTIONS);
}

/// Eight plies each, which is beyond the opening book, no two alike, by a
/// generator that is the same every time.
fn games(n_games: usize) -> Vec<Vec<String>> {
    let mut state = 1_u64;
    let mut random = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    // The fourth block stays empty and is the only one turned, so that every
    // list of different cells is legal and leads to a position of its own. Four
    // marbles a side make no five.
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

/// Asks with a short deadline. A machine that stands still until it has passed
/// may keep the server from reading the position, and the failure is right; the
/// question is asked again with twice the time.
async fn hint_by_deadline(grpc: &GrpcClient, question: &Value) -> Value {
    let mut deadline_ms = 100;
    loop {
        let asked = grpc.clone().timeout(&format!("{deadline_ms}m")).ask("Hint", question).await;
        match asked {
            Ok(answer) => return answer,
            Err(status) if status.code() == Code::DeadlineExceeded && deadline_ms < 20_000 => deadline_ms *= 2,
            Err(status) => panic!("no hint within {deadline_ms} ms for {question}: {status:?}"),
        }
    }
}

/// Eight callers with a deadline and one worker for endless searches: each gets
/// a legal move, seven of them without or after a part of a search.
#[tokio::test]
async fn every_deadline_gets_a_legal_move() {
    let server = endless().set(|config| config.workers = 1).start().await;
    let grpc = server.grpc();
    let asked = (0..N_ENDLESS_SEARCHES).map(async |n| {
        let question = about(ENDLESS, endless_search(n, TEN_MINUTES_MS));
        let answer = hint_by_deadline(&grpc, &question).await;
        assert_legal(&grpc, &question, &answer).await;
        let stop = answer["stopReason"].as_str().unwrap_or_default();
        assert!(["deadline", "load"].contains(&stop), "{question}: {answer:#}");
    });
    future::join_all(asked).await;
}

/// A deadline that passes while the answer is being put together costs nothing:
/// the move is known, and is the answer.
///
/// On a busy machine one in some hundred callers once got `deadline` instead.
#[tokio::test]
async fn a_known_move_is_given_after_the_deadline() {
    let held = Held::new();
    let server = server().held(&held).start().await;
    let question = json!({"game": "held", "variant": "reasons"});
    let n_searched = async || server.metrics().await.count("pentad_search_stops_total", &[("game", "held")]);
    let mut deadline = Duration::from_millis(250);
    let answer = loop {
        let n_before = n_searched().await;
        let asked = Instant::now();
        let grpc = server.grpc().timeout(&format!("{}m", deadline.as_millis()));
        let asking = tokio::spawn({
            let question = question.clone();
            async move { grpc.ask("Hint", &question).await }
        });
        let is_known = assert_eventually("the search ends, or the position is not even read in time", async || {
            let is_searched = n_searched().await > n_before;
            if is_searched || asking.is_finished() { Ok(is_searched) } else { Err("neither") }
        })
        .await;
        let is_known_in_time = is_known && asked.elapsed() < deadline;
        tokio::time::sleep_until((asked + 2 * deadline).into()).await;
        held.release();
        let answer = asking.await.expect("no panic");
        if is_known_in_time {
            break answer;
        }
        held.hold();
        deadline *= 2;
        assert!(deadline < TIMEOUT, "{answer:?}");
    };
    let answer = answer.expect("the deadline passed after the move was known");
    assert_legal(&server.grpc(), &question, &answer).await;
}

/// The limits of a question end it and are named as the reason.
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
        let question = json!({"variant": variant, "limits": limits});
        let answer = server.post(&format!("/v1/games/{game}/hints"), &question).await.ok().json();
        assert_eq!(answer["stopReason"], stop, "{game} {limits}: {answer:#}");
    }
    let question = about(ENDLESS, endless_search(4, TEN_MINUTES_MS));
    let answer = hint_by_deadline(&server.grpc(), &question).await;
    assert_eq!(answer["stopReason"], "deadline", "{answer:#}");
}

/// A time limit above the server's bound is lowered to it.
#[tokio::test]
async fn the_servers_bound_ends_the_search() {
    let server = server()
        .plugin("search_endless")
        .set(|config| (config.time_default_ms, config.time_max_ms, config.cache_mib) = (50, 50, 0))
        .start()
        .await;
    for limits in [json!({"timeMs": TEN_MINUTES_MS}), json!({"nodes": TEN_MINUTES_MS}), json!({})] {
        let question = json!({"limits": limits});
        let answer = server.post(&format!("/v1/games/{ENDLESS}/hints"), &question).await.ok().json();
        assert_eq!(answer["stopReason"], "time", "{limits}: {answer:#}");
    }
}

/// A win in sight is proven, ranked first, and explained.
#[tokio::test]
async fn a_win_is_proven_and_explained() {
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

/// Somebody who leaves: a gRPC call is cancelled.
#[tokio::test]
async fn a_cancelled_call_frees_its_worker() {
    let server = endless().start().await;
    for n in 0..N_CANCELS {
        let (grpc, question) = (server.grpc(), about(ENDLESS, endless_search(n, TEN_MINUTES_MS)));
        let asking = tokio::spawn(async move { grpc.ask("Hint", &question).await });
        server.assert_busy(1.0).await;
        asking.abort();
        server.assert_busy(0.0).await;
    }
    assert_cancelled(&server, &[("protocol", "grpc"), ("method", "Hint"), ("code", "CANCELLED")]).await;
}

/// A gRPC stream is dropped.
#[tokio::test]
async fn a_dropped_stream_frees_its_worker() {
    let server = endless().start().await;
    for n in 0..N_CANCELS {
        let question = about(ENDLESS, endless_search(n, TEN_MINUTES_MS));
        let mut updates = server.grpc().stream("Analyze", &question).await.expect("an analysis");
        updates.next().await.expect("an update").expect("no failure");
        server.assert_busy(1.0).await;
        drop(updates);
        server.assert_busy(0.0).await;
    }
    assert_cancelled(&server, &[("protocol", "grpc"), ("method", "Analyze"), ("code", "CANCELLED")]).await;
}

/// An HTTP connection is closed before the answer.
#[tokio::test]
async fn a_closed_connection_frees_its_worker() {
    let server = endless().start().await;
    for n in 0..N_CANCELS {
        let body = endless_search(n, TEN_MINUTES_MS);
        let asking = server.http.post(server.rest_url(&format!("/v1/games/{ENDLESS}/hints"))).json(&body).send();
        let asking = tokio::spawn(asking);
        server.assert_busy(1.0).await;
        asking.abort();
        server.assert_busy(0.0).await;
    }
    assert_cancelled(&server, &[("protocol", "rest"), ("method", "Hint"), ("code", "499")]).await;
}

/// An event stream is closed on the way.
#[tokio::test]
async fn a_closed_event_stream_frees_its_worker() {
    let server = endless().start().await;
    for n in 0..N_CANCELS {
        let body = endless_search(n, TEN_MINUTES_MS);
        let asking = server.http.post(server.rest_url(&format!("/v1/games/{ENDLESS}/analysis"))).json(&body);
        let mut response = asking.send().await.expect("a stream");
        response.chunk().await.expect("no failure").expect("an update");
        server.assert_busy(1.0).await;
        drop(response);
        server.assert_busy(0.0).await;
    }
    assert_cancelled(&server, &[("protocol", "rest"), ("method", "Analyze"), ("code", "499")]).await;
}

/// All callers left, each cancelled its search, and none of it is an error.
async fn assert_cancelled(server: &TestServer, labels: &[(&str, &str)]) {
    let n_cancels = N_CANCELS as f64;
    let metrics = assert_eventually("the cancels are counted", async || {
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
            "calls, cancels and stops are {counted:?}: {:#?}",
            metrics.find("pentad_requests_total", &[]).filter(|it| it.value > 0.0).collect::<Vec<_>>()
        ))
    })
    .await;
    let n_stops = metrics.count("pentad_search_stops_total", &[("game", ENDLESS)]);
    assert_eq!(n_stops, n_cancels, "no search ended by itself");
    let n_rejected: f64 = metrics.find("pentad_rejected_total", &[]).map(|sample| sample.value).sum();
    assert_eq!(n_rejected, 0.0, "a user's cancel is not an error");
}
