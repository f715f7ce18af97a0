//! Defects that were found and fixed, so that they stay so.

use serde_json::json;
use tonic::Code;

use crate::support::failure::Failure;
use crate::support::held::Held;
use crate::support::{about, server};

/// A compressed message that is too long only once unpacked was refused by
/// tonic with a code of its own and without a reason.
#[tokio::test]
async fn a_message_too_long_when_unpacked_has_its_reason() {
    let server = server().set(|config| config.body_bytes_max = 4096).start().await;
    let question = json!({"game": "pentago", "position": "6".repeat(100_000)});
    let status = server.grpc().gzip().ask("DescribePosition", &question).await.expect_err("100 kB in 4 kB");
    assert_eq!(
        (status.code(), &*Failure::of_status(&status).reason),
        (Code::ResourceExhausted, "too_large"),
        "{status:?}"
    );
    assert_eq!(server.metrics().await.value("pentad_rejected_total", &[("reason", "too_large")]), Some(1.0));
}

/// A REST stream that failed on its way was logged and counted by its status,
/// but not by its reason as everything else is.
#[tokio::test]
async fn a_failed_event_stream_is_counted_by_reason() {
    let server = server().plugin("search_illegal").start().await;
    let text = server.post("/v1/games/search-illegal/analysis", &json!({})).await.ok().text();
    assert!(text.contains("event: error"), "{text}");
    assert_eq!(server.metrics().await.value("pentad_rejected_total", &[("reason", "ruleset_fault")]), Some(1.0));
}

/// `queue_len_max = 0` refused every search, also with all workers idle,
/// because a job passes through the queue on its way to a worker.
#[tokio::test]
async fn a_queue_of_none_serves_with_idle_workers() {
    let held = Held::new();
    let server = server().held(&held).set(|config| (config.workers, config.queue_len_max) = (1, 0)).start().await;
    let grpc = server.grpc();
    let asking = tokio::spawn(async move { grpc.ask("Hint", &about("held", Held::search(0))).await });
    server.assert_busy(1.0).await;
    let status = server.grpc().ask("Hint", &about("held", Held::search(1))).await.expect_err("nobody may wait");
    assert_eq!(Failure::of_status(&status).reason, "overloaded", "{status:?}");
    held.release();
    asking.await.expect("no panic").expect("an idle worker takes a question at once");
}
