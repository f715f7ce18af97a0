//! Batches: many questions in one call, over both protocols and from a file.

pub(crate) mod client;
mod command;
mod ends;
mod flow;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use self::client::{Edge, Stream};
use crate::support::rest::send;
use crate::support::server;

/// Returns questions without a search, small searches, and one invalid question in a hundred.
fn question(idx: usize) -> Value {
    let id = format!("q{idx}");
    let (column, row) = (["a", "b", "c"][idx % 3], idx / 3 % 3 + 1);
    match idx % 100 {
        7 => match idx / 100 % 5 {
            0 => json!({"id": id, "kind": "position", "game": "chess"}),
            1 => json!({"id": id, "kind": "hints", "game": "pentago", "position": "nonsense"}),
            2 => json!({"id": id, "kind": "evaluation", "game": "tictactoe", "variant": "blitz"}),
            3 => json!({"id": id, "kind": "legal-moves", "game": "tictactoe", "moves": ["a1", "a1"]}),
            _ => json!({"id": id, "kind": "hints", "game": "tictactoe", "level": 11}),
        },
        0..25 => json!({"id": id, "kind": "hints", "game": "tictactoe", "moves": [format!("{column}{row}")],
            "limits": {"nodes": 20 + idx % 50}}),
        25..50 => json!({"id": id, "kind": "legal-moves", "game": "tictactoe", "moves": [format!("{column}{row}")]}),
        50..60 => {
            json!({"id": id, "kind": "evaluation", "game": "pentago", "moves": ["c3-2r"], "limits": {"nodes": 5}})
        }
        _ => json!({"id": id, "kind": "position", "game": "pentago", "moves": ["c3-2r", "d4-1l"], "priority": "low"}),
    }
}

/// 10,000 questions, one in a hundred of them invalid, get 9,900 answers and 100 errors, each
/// with its id; none is lost.
#[tokio::test]
async fn ten_thousand_questions_are_answered() {
    const N: usize = 10_000;
    let server = server().start().await;
    for edge in [Edge::Rest, Edge::Grpc] {
        let stream = Stream::open(&server, edge).await;
        let (sender, mut receiver) = stream.split();
        tokio::spawn(async move {
            for idx in 0..N {
                sender.send(&question(idx)).await;
            }
        });
        let mut outcomes = BTreeMap::new();
        let done = loop {
            let output = receiver.next().await;
            if let Some(id) = output["id"].as_str() {
                let is_answer = !output["answer"].is_null();
                assert_ne!(is_answer, !output["error"].is_null(), "{edge:?}: {output}");
                assert_eq!(outcomes.insert(id.to_owned(), is_answer), None, "{edge:?}: twice: {output}");
            } else if !output["done"].is_null() {
                break output;
            }
        };
        receiver.assert_ended().await;
        assert_eq!(
            done["done"],
            json!({"answered": 9900, "failed": 100, "cancelled": 0, "complete": true}),
            "{edge:?}"
        );
        for idx in 0..N {
            assert_eq!(outcomes.get(&format!("q{idx}")), Some(&(idx % 100 != 7)), "{edge:?}: {}", question(idx));
        }
    }
    let items = |result| [("kind", "hints"), ("result", result)];
    let metrics = server.metrics().await;
    assert_eq!(metrics.value("pentad_batch_items_total", &items("answered")), Some(2.0 * 2400.0));
    assert_eq!(metrics.value("pentad_batch_items_total", &items("failed")), Some(2.0 * 40.0));
    let calls = [("method", "Batch"), ("game", "none"), ("protocol", "rest"), ("code", "200")];
    assert_eq!(metrics.value("pentad_requests_total", &calls), Some(1.0));
}

/// A question in a batch gets the same answer or error as alone, on both edges.
#[tokio::test]
async fn a_batch_answers_as_single_calls_do() {
    let server = server().set(|config| config.cache_mib = 0).start().await;
    let cases = [
        ("position", json!({"moves": ["c3-2r"]})),
        ("position", json!({"position": "6/6/6/6/6/5x w"})),
        ("legal-moves", json!({"prefix": "c3-", "pageSize": 5})),
        ("legal-moves", json!({"pageToken": "garbage"})),
        ("evaluation", json!({"limits": {"nodes": 2000}, "variant": "finnish"})),
        ("evaluation", json!({"variant": "blitz"})),
        ("hints", json!({"limits": {"nodes": 3000}, "count": 3, "variant": "finnish"})),
        ("hints", json!({"limits": {"nodes": 2000}, "level": 3, "seed": 5, "variant": "czech", "detail": "area"})),
        ("compare", json!({"limits": {"nodes": 3000}, "compareMoves": ["c3-2r", "a1-1l"], "variant": "finnish"})),
        ("compare", json!({"compareMoves": ["c3-2r"]})),
        ("hints", json!({"moves": ["a1-2r", "a1-2r"]})),
        ("hints", json!({"allowMoves": ["a1-1r", "zz"]})),
    ];
    let fields = ["reason", "detail", "column", "index"];
    for edge in [Edge::Rest, Edge::Grpc] {
        let (sender, mut receiver) = Stream::open(&server, edge).await.split();
        for (idx, (kind, body)) in cases.iter().enumerate() {
            let mut line = body.clone();
            (line["id"], line["kind"], line["game"]) = (format!("{idx}").into(), (*kind).into(), "pentago".into());
            sender.send(&line).await;
            let output = receiver.next_but_progress().await;
            assert_eq!(output["id"], format!("{idx}"), "{output}");
            let alone = server.post(&format!("/v1/games/pentago/{kind}"), body).await;
            if alone.status == 200 {
                assert_eq!(comparable(&output["answer"]), comparable(&alone.json()), "{edge:?}: {line}");
                continue;
            }
            let (problem, error) = (alone.json(), &output["error"]);
            for field in fields {
                let (ours, alone) = (&error[field], &problem[field]);
                let is_same = ours == alone || (edge == Edge::Grpc && field == "detail");
                assert!(is_same, "{edge:?}: {line}: {field}: {output} {problem}");
            }
            assert_eq!(output["line"], idx + 1, "{edge:?}: {output}");
        }
        drop(sender);
        let done = receiver.next_but_progress().await;
        assert_eq!(done["done"], json!({"answered": 6, "failed": 6, "cancelled": 0, "complete": true}), "{edge:?}");
    }
}

/// Removes what may differ: times, cache flags, and nulls, which gRPC leaves out.
fn comparable(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields
                .iter()
                .filter(|(name, value)| !value.is_null() && !["elapsedMs", "cached"].contains(&name.as_str()));
            kept.map(|(name, value)| (name.clone(), comparable(value))).collect()
        }
        Value::Array(items) => items.iter().map(comparable).collect(),
        plain => plain.clone(),
    }
}

/// An invalid line (malformed, too long, without an id, of an unknown kind) gets an error of
/// its own; blank lines are ignored.
#[tokio::test]
async fn malformed_lines_are_told_by_number() {
    let server = server().set(|config| config.body_bytes_max = 1024).start().await;
    let long = format!("{{\"id\": \"long\", \"kind\": \"hints\", \"moves\": [\"{}\"]}}", "x".repeat(200_000));
    let good = r#"{"id": "good", "kind": "position", "game": "tictactoe"}"#;
    let lines = ["{oops", "", &long, "{\"kind\": \"hints\"}", "\r", r#"{"id": "k", "kind": "magic"}"#, "[1, 2]", good];
    let request = server.http.post(server.rest_url("/v1/batch")).header("content-type", "application/x-ndjson");
    let reply = send(request.body(lines.join("\n"))).await.ok();
    assert_eq!(reply.header("content-type"), "application/x-ndjson", "{reply:?}");
    assert_eq!(reply.header("cache-control"), "no-store", "{reply:?}");
    let outputs: Vec<Value> = reply.text().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let errors: Vec<_> = outputs
        .iter()
        .filter(|output| !output["error"].is_null())
        .map(|output| (output["line"].as_u64(), output["id"].as_str(), output["error"]["reason"].as_str()))
        .collect();
    let bad = Some("bad_argument");
    let expected = [
        (Some(1), None, bad),
        (Some(3), Some("long"), Some("too_large")),
        (Some(4), None, bad),
        (Some(6), Some("k"), bad),
        (Some(7), None, bad),
    ];
    assert_eq!(errors, expected, "{outputs:#?}");
    assert!(outputs.iter().any(|output| output["id"] == "good" && output["answer"]["toMove"] == "x"), "{outputs:#?}");
    let done = json!({"done": {"answered": 1, "failed": 5, "cancelled": 0, "complete": true}});
    assert_eq!(outputs.last(), Some(&done));
}

/// Requests that are not batches are refused like any other; an empty batch is valid.
#[tokio::test]
async fn requests_are_checked_before_they_are_read() {
    let server = server().start().await;
    let post = || server.http.post(server.rest_url("/v1/batch"));
    let refused = send(post().header("content-type", "text/html").body("x")).await.expect(415).problem();
    assert_eq!(refused.reason, "bad_argument");
    send(post().header("content-encoding", "gzip").body("x")).await.expect(415);
    send(server.http.post(server.rest_url("/v1/batch?game=pentago")).body("x")).await.expect(400);
    send(server.http.get(server.rest_url("/v1/batch"))).await.expect(405);
    let empty = send(post()).await.ok().text();
    assert_eq!(empty, "{\"done\":{\"answered\":0,\"cancelled\":0,\"complete\":true,\"failed\":0}}\n");
}

/// A client that waits for `100 Continue` gets it, and its answers.
#[tokio::test]
async fn clients_that_expect_a_continue_get_it() {
    let server = server().start().await;
    let line = r#"{"id": "a", "kind": "position", "game": "tictactoe"}"#;
    let head = format!(
        "POST /v1/batch HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        line.len()
    );
    let text = client::raw_with_continue(server.addresses.rest, &head, line).await;
    let (first, rest) = text.split_once("\r\n\r\n").expect("a head");
    assert!(first.starts_with("HTTP/1.1 100 "), "{text}");
    assert!(rest.starts_with("HTTP/1.1 200 ") && rest.contains(r#"{"id":"a","answer""#), "{text}");
}

/// An id may be reused once it is answered, not before; cancelling ends one question, and
/// unknown or finished ids are ignored.
#[tokio::test]
async fn questions_are_cancelled_one_by_one() {
    let server = server().plugin("search_endless").start().await;
    for edge in [Edge::Rest, Edge::Grpc] {
        let (sender, mut receiver) = Stream::open(&server, edge).await.split();
        let endless = |id: &str, n: usize| {
            let mut line = crate::support::endless_search(n, 60_000);
            (line["id"], line["kind"], line["game"]) = (id.into(), "hints".into(), "search-endless".into());
            line
        };
        sender.send(&endless("a", 0)).await;
        sender.send(&endless("b", 1)).await;
        sender.send(&endless("a", 2)).await;
        let refused = receiver.next_but_progress().await;
        assert_eq!(
            (&refused["id"], &refused["line"], &refused["error"]["field"]),
            (&json!("a"), &json!(3), &json!("id"))
        );
        sender.send(&json!({"cancel": "nobody"})).await;
        sender.send(&json!({"cancel": "a"})).await;
        assert_eq!(receiver.next_but_progress().await, json!({"cancelled": "a"}), "{edge:?}");
        sender.send(&json!({"cancel": "a"})).await;
        sender.send(&json!({"id": "a", "kind": "position", "game": "tictactoe"})).await;
        let again = receiver.next_but_progress().await;
        assert!(again["id"] == "a" && !again["answer"].is_null(), "{edge:?}: {again}");
        sender.send(&json!({"cancel": "b"})).await;
        assert_eq!(receiver.next_but_progress().await, json!({"cancelled": "b"}), "{edge:?}");
        drop(sender);
        let done = json!({"answered": 1, "failed": 1, "cancelled": 2, "complete": true});
        assert_eq!(receiver.next_but_progress().await["done"], done, "{edge:?}");
        receiver.assert_ended().await;
    }
    server.assert_busy(0.0).await;
}
