//! Flow control, overload, quotas and fairness of batches.

use std::time::Duration;

use serde_json::{Value, json};

use super::client::{Edge, Sender, SlowConnection, Stream};
use crate::access::TokenFile;
use crate::support::program::serve;
use crate::support::rest::send;
use crate::support::{assert_eventually, endless_search, server, two_games};

/// Returns a question whose answer has about 3 kB.
fn long_answer(idx: usize) -> Value {
    json!({"id": idx.to_string(), "kind": "legal-moves", "game": "pentago"})
}

fn endless(id: &str, n: usize) -> Value {
    let mut line = endless_search(n, 60_000);
    (line["id"], line["kind"], line["game"]) = (id.into(), "hints".into(), "search-endless".into());
    line
}

/// Answers arrive one by one while the body is still being sent.
#[tokio::test]
async fn answers_come_while_questions_are_sent() {
    let server = server().start().await;
    for edge in [Edge::Rest, Edge::Grpc] {
        let (sender, mut receiver) = Stream::open(&server, edge).await.split();
        for idx in 0..5 {
            sender.send(&json!({"id": idx.to_string(), "kind": "position", "game": "tictactoe"})).await;
            assert_eq!(receiver.next_but_progress().await["id"], idx.to_string(), "{edge:?}");
        }
        drop(sender);
        assert_eq!(receiver.next_but_progress().await["done"]["answered"], 5, "{edge:?}");
        receiver.assert_ended().await;
    }
}

/// The server stops reading from a caller that does not read its answers; once the caller
/// reads, everything is answered.
#[tokio::test]
async fn unread_answers_stop_the_reading() {
    const N: usize = 3_000;
    // Slow reading must not end the connection.
    let server = server().set(|config| config.write_timeout_ms = 600_000).start().await;
    let n_answered = async || server.metrics().await.count("pentad_batch_items_total", &[("result", "answered")]);
    let halted = async |before: f64| {
        // The server has halted once its count stands still. A machine that stalls for this
        // long ends the wait too early, which can hide a failure but not cause one.
        let (mut n_read, mut n_equal) = (0.0, 0);
        while n_read == 0.0 || n_equal < 34 {
            tokio::time::sleep(Duration::from_millis(30)).await;
            let now = n_answered().await - before;
            (n_read, n_equal) = (now, if now == n_read { n_equal + 1 } else { 0 });
        }
        assert!(n_read < N as f64, "the server read everything, although the caller read nothing");
    };

    let (sender, mut receiver) = Stream::open(&server, Edge::Grpc).await.split();
    let sending = tokio::spawn(async move {
        for idx in 0..N {
            sender.send(&long_answer(idx)).await;
        }
    });
    halted(0.0).await;
    assert_eq!(receiver.count_rest().await, N + 1);
    sending.await.expect("no panic");

    let body: String = (0..N).map(|idx| format!("{}\n", long_answer(idx))).collect();
    let before = n_answered().await;
    let mut connection = SlowConnection::open(server.addresses.rest, body).await;
    halted(before).await;
    let text = connection.read_to_end().await;
    assert_eq!((text.matches("\"answer\":").count(), text.matches("\"done\":").count()), (N, 1));
}

/// Small questions that wait for the server do not end their connection, although `h2` limits
/// the number of small frames that wait to be read.
#[tokio::test]
async fn small_questions_may_wait() {
    const N: usize = 8_000;
    let server = server().plugin("search_endless").set(|config| config.batch_window = 2).start().await;
    for edge in [Edge::Rest, Edge::Grpc] {
        let (sender, mut receiver) = Stream::open(&server, edge).await.split();
        // Nothing else is read while these run.
        for n in 0..2 {
            let mut line = endless(&format!("long {n}"), n);
            line["limits"] = json!({"timeMs": 3_000});
            sender.send(&line).await;
        }
        let sending = tokio::spawn(async move {
            for idx in 0..N {
                sender.send(&json!({"id": idx.to_string(), "kind": "position", "game": "tictactoe"})).await;
            }
        });
        let outputs = receiver.rest().await;
        sending.await.expect("no panic");
        assert_eq!(outputs.len(), N + 3, "{edge:?}");
        assert_eq!(outputs[N + 2]["done"]["answered"], N + 2, "{edge:?}: {:?}", outputs[N + 2]);
    }
}

/// A server's memory does not grow with the number of questions in a batch.
#[tokio::test]
async fn memory_does_not_grow_with_the_batch() {
    let process = serve(two_games(), &["--cache-mib", "1"]).await;
    let client = crate::support::rest::client();
    let rss = async || process.metrics().await.count("process_resident_memory_bytes", &[]);
    let mut after = Vec::new();
    for _ in 0..4 {
        let body: String = (0..4_000).map(|idx| format!("{}\n", long_answer(idx))).collect();
        let request = client.post(format!("http://{}/v1/batch", process.rest)).body(body);
        let reply = send(request).await.ok();
        assert_eq!(reply.text().lines().filter(|line| line.contains("\"answer\"")).count(), 4_000);
        after.push(rss().await);
    }
    // Each round has 12 MB of answers.
    let growth = after[3] - after[0];
    assert!(growth < 12e6, "three rounds took {growth} bytes: {after:?}");
}

/// Disconnecting cancels the unanswered questions and frees their workers.
#[tokio::test]
async fn leaving_cancels_the_batch() {
    let server = server().plugin("search_endless").set(|config| config.workers = 2).start().await;
    for edge in [Edge::Rest, Edge::Grpc] {
        let stream = Stream::open(&server, edge).await;
        let (sender, receiver) = stream.split();
        for n in 0..6 {
            sender.send(&endless(&n.to_string(), n)).await;
        }
        server.assert_busy(2.0).await;
        drop((sender, receiver));
        server.assert_busy(0.0).await;
        assert_eventually("the queue is empty and the call has ended", async || {
            let metrics = server.metrics().await;
            let left = metrics.count("pentad_queue_depth", &[]) + metrics.count("pentad_calls_in_flight", &[]);
            if left == 0.0 { Ok(()) } else { Err(left) }
        })
        .await;
    }
}

/// A single question is answered while batches keep all workers busy, and one caller's batch
/// makes progress beside another's.
#[tokio::test]
async fn batches_leave_room_for_others() {
    let server = server().plugin("search_endless").set(|config| config.workers = 1).start().await;
    let (sender, _receiver) = Stream::open(&server, Edge::Rest).await.split();
    for n in 0..6 {
        sender.send(&endless(&n.to_string(), n)).await;
    }
    server.assert_busy(1.0).await;
    let hint = server.post("/v1/games/tictactoe/hints", &json!({"limits": {"nodes": 100}})).await.ok().json();
    assert_eq!(hint["hints"].as_array().map(Vec::len), Some(1), "{hint}");
    let (other, mut answers) = Stream::open(&server, Edge::Grpc).await.split();
    other.send(&json!({"id": "x", "kind": "position", "game": "tictactoe"})).await;
    assert_eq!(answers.next_but_progress().await["id"], "x");
}

/// Questions that find the queue full wait and are retried; none of them fails.
#[tokio::test]
async fn a_full_queue_slows_a_batch_down() {
    let set = |config: &mut pentad::config::Config| (config.workers, config.queue_len_max) = (1, 1);
    let server = server().set(set).start().await;
    let (sender, mut receiver) = Stream::open(&server, Edge::Rest).await.split();
    let rest = tokio::spawn(async move { receiver.rest().await });
    for idx in 0..12 {
        let limits = json!({"nodes": 20 + idx});
        let line = json!({"id": idx.to_string(), "kind": "hints", "game": "tictactoe", "limits": limits});
        sender.send(&line).await;
    }
    drop(sender);
    let outputs = rest.await.expect("no panic");
    assert_eq!(outputs.last().expect("the last")["done"]["answered"], 12, "{outputs:#?}");
}

/// A quota slows a batch down and fails none of its questions; each is charged.
#[tokio::test]
async fn a_quota_slows_a_batch_down() {
    let (file, [token]) = TokenFile::new([("ci", Some(1_000))]).await;
    let set = |config: &mut pentad::config::Config| {
        config.tokens = Some(file.path().to_owned());
        config.quota_window_s = 1;
        config.time_max_ms = 400;
        config.time_default_ms = 400;
    };
    let server = server().set(set).start().await;
    for edge in [Edge::Rest, Edge::Grpc] {
        let grpc = server.grpc().token(&token);
        let stream = Stream::open_with(&server, edge, |request| request.bearer_auth(&token), grpc).await;
        let (sender, mut receiver) = stream.split();
        // Each may take 400 ms and the quota has a second, so they cannot all run at once.
        for idx in 0..8 {
            let limits = json!({"nodes": 20 + idx, "timeMs": 400});
            let line = json!({"id": idx.to_string(), "kind": "hints", "game": "tictactoe", "limits": limits});
            sender.send(&line).await;
        }
        drop(sender);
        let outputs = receiver.rest().await;
        assert_eq!(outputs.last().expect("the last")["done"]["answered"], 8, "{edge:?}: {outputs:#?}");
    }
    let metrics = server.metrics().await;
    assert_eq!(metrics.value("pentad_rate_limited_total", &[("client", "ci")]), Some(0.0), "waiting is not a refusal");
}

/// A judge makes a search for every position of a game. Each is charged on its own: together
/// they may cost more than the quota ever has.
#[tokio::test]
async fn a_judge_is_charged_search_by_search() {
    let (file, [token]) = TokenFile::new([("ci", Some(1_000))]).await;
    let set = |config: &mut pentad::config::Config| {
        config.tokens = Some(file.path().to_owned());
        config.quota_window_s = 1;
    };
    let server = server().set(set).start().await;
    for edge in [Edge::Rest, Edge::Grpc] {
        let grpc = server.grpc().token(&token);
        let stream = Stream::open_with(&server, edge, |request| request.bearer_auth(&token), grpc).await;
        let (sender, mut receiver) = stream.split();
        let moves = ["b2", "a1", "nonsense", "c3", "a3", "a2", "c2", "c1"];
        let limits = json!({"timeMs": 400});
        sender.send(&json!({"id": "1", "kind": "judge", "game": "tictactoe", "moves": moves, "limits": limits})).await;
        drop(sender);
        let outputs = receiver.rest().await;
        let answer = outputs.iter().find(|output| output["id"] == "1").expect("an answer");
        let seats = &answer["answer"]["seats"];
        assert_eq!((&seats["x"]["moves"], &seats["o"]["moves"]), (&json!(4), &json!(3)), "{edge:?}: {outputs:#?}");
        assert_eq!(seats["x"]["illegal"], 1, "{edge:?}: {outputs:#?}");
        assert_eq!(outputs.last().expect("the last")["done"]["answered"], 1, "{edge:?}: {outputs:#?}");
    }
}

/// Batches beyond the bound are refused at once, with a time to try again.
#[tokio::test]
async fn the_number_of_batches_is_bounded() {
    let server = server().set(|config| config.batch_streams_max = 2).start().await;
    let held: (Sender, _) = Stream::open(&server, Edge::Rest).await.split();
    let reply = send(server.http.post(server.rest_url("/v1/batch"))).await.expect(429);
    assert_eq!((reply.problem().reason.as_str(), reply.header("retry-after")), ("overloaded", "5"), "{reply:?}");
    let refused = server.grpc().stream("Batch", &json!({})).await.err().expect("one caller has half of two");
    assert_eq!(refused.code(), tonic::Code::ResourceExhausted, "{refused:?}");
    drop(held);
    assert_eventually("the place is free again", async || {
        let reply = send(server.http.post(server.rest_url("/v1/batch"))).await;
        if reply.status == 200 { Ok(()) } else { Err(reply) }
    })
    .await;
}
