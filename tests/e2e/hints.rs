//! Hints under a deadline, and what becomes of a search that nobody waits for.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use futures_util::{StreamExt, stream};
use pentad::proto::{DescribePositionRequest, HintRequest};
use serde_json::json;
use tonic::Request;

use crate::support::grpc::GrpcClient;
use crate::support::{N_LONG_SEARCHES, TestServer, about, alone, assert_eventually, long_search, server};

const DEADLINE: Duration = Duration::from_millis(100);
/// How late an answer may come in a debug build.
const LATENESS: Duration = Duration::from_millis(60);
const N_QUESTIONS: usize = 200;
const N_AT_A_TIME: usize = 8;
/// Other programs may take the cores away for a while, so the best of so many
/// rounds counts, less the longest [pause](Pulse) of the machine. Every answer of every round has to be a legal move.
const N_ROUNDS: usize = 3;

/// Eight callers at a time with 100 ms each always get a legal move, in time.
///
/// On a busy machine one in some hundred was once told `deadline` although its
/// move was known: the deadline came while the answer was being put together.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_deadline_gets_a_legal_move_in_time() {
    let _quiet = alone().await;
    let server = server().start_alone().await;
    let grpc = server.grpc();
    grpc.ask("ListGames", &json!({})).await.expect("connected, which is not what is measured");
    let mut best = Duration::MAX;
    for round in 0..N_ROUNDS {
        let pulse = Pulse::start();
        let mut took: Vec<Duration> = stream::iter(games(round))
            .map(|moves| timed_hint(grpc.clone(), moves))
            .buffer_unordered(N_AT_A_TIME)
            .collect()
            .await;
        took.sort();
        let p99 = took[took.len() * 99 / 100 - 1];
        println!(
            "hint within {DEADLINE:?}, {N_AT_A_TIME} at a time: p50 {:?}, p99 {p99:?}, max {:?}",
            took[took.len() / 2],
            took[took.len() - 1]
        );
        best = best.min(p99.saturating_sub(pulse.longest_pause()));
        if best <= DEADLINE + LATENESS {
            return;
        }
    }
    panic!("p99 of the best of {N_ROUNDS} rounds is {best:?}, {LATENESS:?} beyond {DEADLINE:?} at most");
}

/// Finds out for how long the machine stood still: no server is faster than that.
struct Pulse {
    longest: JoinHandle<Duration>,
    is_over: Arc<AtomicBool>,
}

impl Pulse {
    const BEAT: Duration = Duration::from_millis(2);

    fn start() -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let told = is_over.clone();
        let longest = thread::spawn(move || {
            let mut longest = Duration::ZERO;
            while !told.load(Ordering::Relaxed) {
                let before = Instant::now();
                thread::sleep(Pulse::BEAT);
                longest = longest.max(before.elapsed() - Pulse::BEAT);
            }
            longest
        });
        Pulse { longest, is_over }
    }

    fn longest_pause(self) -> Duration {
        self.is_over.store(true, Ordering::Relaxed);
        self.longest.join().expect("a pulse does not fail")
    }
}

/// Eight plies each, which is beyond the opening book, no two alike, by a generator that is the same every time.
fn games(round: usize) -> Vec<Vec<String>> {
    let mut state = round as u64 + 1;
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
    while games.len() < N_QUESTIONS {
        let mut moves = BTreeSet::new();
        while moves.len() < 8 {
            moves.insert(cells[random(cells.len())].clone());
        }
        games.insert(moves.into_iter().collect());
    }
    games.into_iter().collect()
}

/// Asks for a hint with the deadline; how long it took, after checking it.
async fn timed_hint(grpc: GrpcClient, moves: Vec<String>) -> Duration {
    let mut client = grpc.typed();
    let question = HintRequest { game: "pentago".to_owned(), moves: moves.clone(), ..HintRequest::default() };
    let mut request = Request::new(question);
    request.set_timeout(DEADLINE);
    let asked = Instant::now();
    let answer = client.hint(request).await.unwrap_or_else(|status| panic!("no hint after {moves:?}: {status:?}"));
    let took = asked.elapsed();
    let hint = answer.into_inner().hints.into_iter().next().unwrap_or_else(|| panic!("no move after {moves:?}"));
    let next = DescribePositionRequest {
        game: "pentago".to_owned(),
        moves: moves.iter().chain([&hint.r#move]).cloned().collect(),
        ..DescribePositionRequest::default()
    };
    client.describe_position(next).await.unwrap_or_else(|status| panic!("{} after {moves:?}: {status:?}", hint.r#move));
    took
}

/// The limits of a question end it and are named as the reason.
#[tokio::test]
async fn limits_end_the_search() {
    let server = server().set(|config| config.time_max_ms = 1500).start().await;
    let limits = [
        (json!({"nodes": 500}), "nodes"),
        (json!({"depth": 1}), "depth"),
        (json!({"timeMs": 50}), "time"),
        // Above the server's bound, and lowered to it.
        (json!({"timeMs": 3_600_000}), "time"),
    ];
    for (n, (limits, stop)) in limits.into_iter().enumerate() {
        let asked = Instant::now();
        let mut question = long_search(n, 0);
        question["limits"] = limits.clone();
        let answer = server.post("/v1/games/pentago/hints", &question).await.ok().json();
        assert_eq!(answer["stopReason"], stop, "{limits}: {answer:#}");
        assert!(asked.elapsed() < Duration::from_secs(5), "{limits} took {:?}", asked.elapsed());
    }
    let answer =
        server.grpc().timeout("300m").ask("Hint", &about("pentago", long_search(4, 1400))).await.expect("a hint");
    assert_eq!(answer["stopReason"], "deadline", "{answer:#}");
}

/// A win in sight is proven, ranked first, and explained.
#[tokio::test]
async fn a_win_is_proven_and_explained() {
    let server = server().start().await;
    let body = json!({"position": "wwww2/6/bbbb2/6/6/6 w", "count": 3});
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
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_call_frees_its_worker() {
    let _quiet = alone().await;
    let server = server().start_alone().await;
    for n in 0..N_LONG_SEARCHES {
        let (grpc, question) = (server.grpc(), about("pentago", long_search(n, 30_000)));
        let asking = tokio::spawn(async move { grpc.ask("Hint", &question).await });
        server.assert_busy(1.0).await;
        asking.abort();
        server.assert_busy(0.0).await;
    }
    assert_left(&server, &[("protocol", "grpc"), ("method", "Hint"), ("code", "CANCELLED")]).await;
}

/// A gRPC stream is dropped.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dropped_stream_frees_its_worker() {
    let _quiet = alone().await;
    let server = server().start_alone().await;
    for n in 0..N_LONG_SEARCHES {
        let question = about("pentago", long_search(n, 30_000));
        let mut updates = server.grpc().stream("Analyze", &question).await.expect("an analysis");
        updates.next().await.expect("an update").expect("no failure");
        server.assert_busy(1.0).await;
        drop(updates);
        server.assert_busy(0.0).await;
    }
    assert_left(&server, &[("protocol", "grpc"), ("method", "Analyze"), ("code", "CANCELLED")]).await;
}

/// An HTTP connection is closed before the answer.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_closed_connection_frees_its_worker() {
    let _quiet = alone().await;
    let server = server().start_alone().await;
    for n in 0..N_LONG_SEARCHES {
        let body = long_search(n, 30_000);
        let asking = server.http.post(server.rest_url("/v1/games/pentago/hints")).json(&body).send();
        let asking = tokio::spawn(asking);
        server.assert_busy(1.0).await;
        asking.abort();
        server.assert_busy(0.0).await;
    }
    assert_left(&server, &[("protocol", "rest"), ("method", "Hint"), ("code", "499")]).await;
}

/// An event stream is closed on the way.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_closed_event_stream_frees_its_worker() {
    let _quiet = alone().await;
    let server = server().start_alone().await;
    for n in 0..N_LONG_SEARCHES {
        let body = long_search(n, 30_000);
        let asking = server.http.post(server.rest_url("/v1/games/pentago/analysis")).json(&body);
        let mut response = asking.send().await.expect("a stream");
        response.chunk().await.expect("no failure").expect("an update");
        server.assert_busy(1.0).await;
        drop(response);
        server.assert_busy(0.0).await;
    }
    assert_left(&server, &[("protocol", "rest"), ("method", "Analyze"), ("code", "499")]).await;
}

/// Five callers left, their workers were free within 50 ms (but for one that
/// the machine may have been slow with), and none of it is an error.
async fn assert_left(server: &TestServer, labels: &[(&str, &str)]) {
    let metrics = assert_eventually("five cancels are counted", async || {
        let metrics = server.metrics().await;
        let (n_calls, n_cancels) =
            (metrics.count("pentad_requests_total", labels), metrics.count("pentad_cancel_latency_seconds_count", &[]));
        if (n_calls, n_cancels) == (N_LONG_SEARCHES as f64, N_LONG_SEARCHES as f64) {
            return Ok(metrics);
        }
        Err(format!(
            "{n_calls} calls, {n_cancels} cancels: {:#?}",
            metrics.find("pentad_requests_total", &[]).filter(|it| it.value > 0.0).collect::<Vec<_>>()
        ))
    })
    .await;
    let within_50_ms = metrics.count("pentad_cancel_latency_seconds_bucket", &[("le", "0.05")]);
    let sum = metrics.count("pentad_cancel_latency_seconds_sum", &[]);
    println!(
        "{labels:?}: {within_50_ms} of {N_LONG_SEARCHES} workers were free within 50 ms, mean {:.1} ms",
        sum / N_LONG_SEARCHES as f64 * 1e3
    );
    assert!(
        within_50_ms >= N_LONG_SEARCHES as f64 - 1.0,
        "{:#?}",
        metrics.find("pentad_cancel_latency_seconds_bucket", &[]).collect::<Vec<_>>()
    );
    let stops = metrics.count("pentad_search_stops_total", &[("reason", "cancelled")]);
    assert_eq!(stops, N_LONG_SEARCHES as f64, "searches that were cancelled");
    let rejected: f64 = metrics.find("pentad_rejected_total", &[]).map(|sample| sample.value).sum();
    assert_eq!(rejected, 0.0, "a user's cancel is not an error");
}
