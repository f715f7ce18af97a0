//! One test per fixed defect.

use std::time::Duration;

use serde_json::json;
use tonic::Code;

use crate::support::failure::Failure;
use crate::support::held::Held;
use crate::support::{TIMEOUT, about, assert_eventually, server};

/// A compressed message that is too long only after decompression was refused by
/// tonic with another code and without a reason.
#[tokio::test]
async fn message_too_long_after_decompression_has_a_reason() {
    let server = server().set(|config| config.body_bytes_max = 4096).start().await;
    let request = json!({"game": "pentago", "position": "6".repeat(100_000)});
    let status = server.grpc().gzip().call("DescribePosition", &request).await.expect_err("100 kB in 4 kB");
    assert_eq!(
        (status.code(), &*Failure::from_status(&status).reason),
        (Code::ResourceExhausted, "too_large"),
        "{status:?}"
    );
    assert_eq!(server.metrics().await.value("pentad_rejected_total", &[("reason", "too_large")]), Some(1.0));
}

/// A REST stream that failed after its start was logged and counted by status, but
/// not by reason.
#[tokio::test]
async fn failed_event_stream_is_counted_by_reason() {
    let server = server().plugin("search_illegal").start().await;
    let text = server.post("/v1/games/search-illegal/analysis", &json!({})).await.ok().text();
    assert!(text.contains("event: error"), "{text}");
    assert_eq!(server.metrics().await.value("pentad_rejected_total", &[("reason", "ruleset_fault")]), Some(1.0));
}

/// `queue_len_max = 0` refused every search, even with idle workers, because a job
/// passes through the queue on its way to a worker.
#[tokio::test]
async fn idle_workers_serve_with_an_empty_queue() {
    let held = Held::new();
    let server = server().held(&held).set(|config| (config.workers, config.queue_len_max) = (1, 0)).start().await;
    let grpc = server.grpc();
    let in_flight = tokio::spawn(async move { grpc.call("Hint", &about("held", Held::search(0))).await });
    server.assert_busy(1.0).await;
    let status = server.grpc().call("Hint", &about("held", Held::search(1))).await.expect_err("the queue has no room");
    assert_eq!(Failure::from_status(&status).reason, "overloaded", "{status:?}");
    held.release();
    in_flight.await.expect("no panic").expect("an idle worker takes a request at once");
}

/// A hint was lost if its game became unavailable meanwhile: the variant was looked up once
/// more to write the answer.
#[tokio::test]
async fn a_found_hint_outlives_its_game() {
    let mut time = Duration::from_millis(500);
    while !hint_outlives_its_game(time).await {
        // On a slow machine the time limit passed before the game was down.
        time *= 2;
        assert!(time < TIMEOUT);
    }
}

async fn hint_outlives_its_game(time: Duration) -> bool {
    let held = Held::new();
    let server = server().held(&held).set(|config| (config.workers, config.hang_grace_ms) = (3, 50)).start().await;
    let mut request = about("held", Held::search(7));
    request["limits"] = json!({"timeMs": time.as_millis() as u64});
    let grpc = server.grpc();
    let waiting = tokio::spawn(async move { grpc.call("Hint", &request).await });
    for n in 0..2 {
        let (grpc, request) = (server.grpc(), about("held", Held::search(n)));
        let cancelled = tokio::spawn(async move { grpc.call("Hint", &request).await });
        let is_running = assert_eventually("the search runs, or the time is up", async || {
            let n_busy = server.metrics().await.n_searching();
            let is_running = n_busy >= 2.0;
            if is_running || waiting.is_finished() { Ok(is_running) } else { Err(n_busy) }
        });
        if !is_running.await {
            return false;
        }
        cancelled.abort();
        assert_eventually("it hangs", async || {
            let n_hangs = [("game", "held"), ("kind", "hang")];
            let n_hangs = server.metrics().await.count("pentad_ruleset_faults_total", &n_hangs);
            if n_hangs > n as f64 { Ok(()) } else { Err(n_hangs) }
        })
        .await;
    }
    if waiting.is_finished() {
        return false;
    }
    server.get("/v1/games/held/position").await.expect(503);
    waiting.await.expect("no panic").expect("what is known when the time is up");
    true
}

/// Errors repeated texts of the request at full length. On gRPC they exceeded the
/// client's limit for headers, which ended its connection with all calls on it.
#[tokio::test]
async fn errors_abridge_long_texts() {
    let server = server().start().await;
    let long = "x".repeat(60_000);
    for (request, reason) in
        [(json!({"game": long}), "unknown_game"), (json!({"game": "pentago", "variant": long}), "unknown_variant")]
    {
        let status = server.grpc().call("DescribePosition", &request).await.expect_err("there is none");
        let failure = Failure::from_status(&status);
        assert_eq!((status.code(), &*failure.reason), (Code::NotFound, reason), "{status:?}");
        assert!(failure.message.len() < 1_000, "{failure:?}");
        assert!(
            failure.message.contains(if reason == "unknown_game" { "served are" } else { "standard" }),
            "{failure:?}"
        );
    }
    for (path, status, reason) in [
        (format!("/v1/games/{long}"), 404, "unknown_game"),
        (format!("/v1/games/pentago/position?variant={long}"), 404, "unknown_variant"),
        (format!("/v1/games/pentago/position?{long}=1"), 400, "bad_argument"),
        (format!("/{long}"), 404, "bad_argument"),
    ] {
        let reply = server.get(&path).await.expect(status);
        assert_eq!(reply.problem().reason, reason, "{reply:?}");
        assert!(reply.body.len() < 2_000, "{} bytes: {reply:?}", reply.body.len());
    }
}
