//! A batch has exactly one last line, however it ends.

use serde_json::{Value, json};

use super::client::{Edge, Stream};
use crate::support::{endless_search, server};

fn endless(id: &str, n: usize) -> Value {
    let mut line = endless_search(n, 60_000);
    (line["id"], line["kind"], line["game"]) = (id.into(), "hints".into(), "search-endless".into());
    line
}

fn n_done(outputs: &[Value]) -> usize {
    outputs.iter().filter(|output| !output["done"].is_null()).count()
}

/// A stopping server answers the questions it has read, and reports that there may be more.
#[tokio::test]
async fn a_drain_answers_what_was_read() {
    for edge in [Edge::Rest, Edge::Grpc] {
        let set = |config: &mut pentad::config::Config| (config.workers, config.drain_ms_max) = (1, 1);
        let server = server().plugin("search_endless").set(set).start().await;
        let (sender, mut receiver) = Stream::open(&server, edge).await.split();
        for n in 0..4 {
            sender.send(&endless(&n.to_string(), n)).await;
        }
        sender.send(&json!({"id": "last", "kind": "position", "game": "tictactoe"})).await;
        assert_eq!(receiver.next_but_progress().await["id"], "last", "{edge:?}");
        let stopped = tokio::spawn(server.stop());
        let outputs = receiver.rest().await;
        let done = json!({"answered": 5, "failed": 0, "cancelled": 0, "complete": false});
        assert_eq!(outputs.last().expect("the last")["done"], done, "{edge:?}: {outputs:#?}");
        assert_eq!((outputs.len(), n_done(&outputs)), (5, 1), "{edge:?}: {outputs:#?}");
        assert!(outputs[..4].iter().all(|output| output["answer"]["stopReason"] == "shutdown"), "{outputs:#?}");
        drop(sender);
        stopped.await.expect("it stops");
    }
}

/// A deadline ends the reading; every question read has an answer by then.
#[tokio::test]
async fn a_deadline_answers_what_was_read() {
    let server = server().plugin("search_endless").set(|config| config.workers = 1).start().await;
    let grpc = server.grpc().timeout("700m");
    let (sender, mut receiver) = Stream::open_with(&server, Edge::Grpc, |request| request, grpc).await.split();
    for n in 0..3 {
        sender.send(&endless(&n.to_string(), n)).await;
    }
    let outputs = receiver.rest().await;
    let done = &outputs.last().expect("the last")["done"];
    assert_eq!((done["complete"].as_bool(), n_done(&outputs)), (Some(false), 1), "{outputs:#?}");
    assert_eq!(done["answered"].as_u64().unwrap_or(0) + done["failed"].as_u64().unwrap_or(0), 3, "{outputs:#?}");
    server.assert_busy(0.0).await;
}

/// A caller that falls silent with no question pending is disconnected with an error; one
/// with pending questions may be silent.
#[tokio::test]
async fn silence_ends_an_idle_batch() {
    let server = server().set(|config| config.body_timeout_ms = 100).start().await;
    for edge in [Edge::Rest, Edge::Grpc] {
        let (sender, mut receiver) = Stream::open(&server, edge).await.split();
        sender.send(&json!({"id": "a", "kind": "position", "game": "tictactoe"})).await;
        let outputs = receiver.rest().await;
        assert_eq!(outputs.len(), 3, "{edge:?}: {outputs:#?}");
        let detail = outputs[1]["error"]["detail"].as_str().unwrap_or_default();
        assert!(detail.contains("no question arrived within 100 ms"), "{edge:?}: {outputs:#?}");
        let done = json!({"answered": 1, "failed": 0, "cancelled": 0, "complete": false});
        assert_eq!(outputs[2]["done"], done, "{edge:?}");
        drop(sender);
    }
}

/// A message that is too large or malformed ends a gRPC stream, because the next message
/// cannot be found. Earlier questions are answered.
#[tokio::test]
async fn an_unreadable_message_ends_the_stream() {
    let server = server().set(|config| config.body_bytes_max = 1024).start().await;
    let (sender, mut receiver) = Stream::open(&server, Edge::Grpc).await.split();
    sender.send(&json!({"id": "a", "kind": "position", "game": "tictactoe"})).await;
    sender.send(&json!({"id": "b", "kind": "position", "game": "x".repeat(2_000)})).await;
    let mut outputs = receiver.rest().await;
    let done = outputs.pop().expect("the last");
    assert_eq!(done["done"], json!({"answered": 1, "failed": 0, "cancelled": 0, "complete": false}));
    let error = outputs.iter().find(|output| !output["error"].is_null()).expect("an error");
    assert_eq!((&error["error"]["reason"], &error["id"]), (&json!("too_large"), &json!("")), "{outputs:#?}");
}
