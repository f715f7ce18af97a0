//! Reviews of whole games and comparisons of moves.

use futures_util::StreamExt;
use serde_json::{Value, json};
use tonic::Code;

use crate::support::failure::Failure;
use crate::support::rest::send;
use crate::support::{TestServer, about, server};

const REVIEW: &str = "/v1/games/pentago/review";
const COMPARE: &str = "/v1/games/pentago/compare";

/// White completes a row with e1; Black could with e3.
const BOTH_THREATEN: &str = "wwww2/6/bbbb2/6/6/6 w";

/// A game of tic-tac-toe, which the fallback search solves: O overlooks X's two in a row.
fn tictactoe() -> Value {
    json!({"moves": ["a1", "b1", "a2", "b2", "a3"]})
}

/// Returns the lines of a review over REST.
async fn review(server: &TestServer, game: &str, body: &Value) -> Vec<Value> {
    let path = format!("/v1/games/{game}/review");
    let request = server.http.post(server.rest_url(&path)).header("accept", "application/x-ndjson").json(body);
    let text = send(request).await.ok().text();
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

/// Returns the same over gRPC, in REST's form.
async fn review_grpc(server: &TestServer, game: &str, body: &Value) -> Vec<Value> {
    let messages = server.grpc().stream("Review", &about(game, body.clone())).await.expect("a review");
    messages.map(|message| message.expect("no failure")).collect().await
}

/// Returns the moves in playing order, and the summary.
fn moves_and_summary(messages: &[Value]) -> (Vec<&Value>, &Value) {
    let mut moves: Vec<&Value> = messages.iter().filter_map(|message| message.get("move")).collect();
    moves.reverse();
    let summaries: Vec<&Value> = messages.iter().filter_map(|message| message.get("summary")).collect();
    let [summary] = summaries[..] else { panic!("one summary: {messages:#?}") };
    assert!(messages.last().expect("a message").get("summary").is_some(), "the summary comes last");
    (moves, summary)
}

fn label(reviewed: &Value) -> &str {
    reviewed["label"].as_str().unwrap_or("none")
}

/// A game of a thousand moves is reviewed to its first move.
#[tokio::test]
async fn very_long_games_are_reviewed() {
    const N_MOVES: usize = 1000;
    let server = server().bundled().start().await;
    let moves: Vec<&str> = ["~1", "~2", "~3", "~4"].into_iter().cycle().take(N_MOVES).collect();
    let messages = review(&server, "pentaflip", &json!({"moves": moves, "limits": {"nodes": 1}})).await;
    let (reviewed, summary) = moves_and_summary(&messages);
    assert!(reviewed.iter().map(|it| it["index"].as_u64()).eq((0..N_MOVES as u64).map(Some)), "every move in order");
    assert_eq!(summary["complete"], true, "{summary:#}");
}

/// Giving away a win is a blunder with the reply that punishes it, and a turning point.
#[tokio::test]
async fn a_thrown_win_is_a_blunder() {
    let server = server().start().await;
    let body = json!({"position": BOTH_THREATEN, "moves": ["f6-4r", "e3"], "limits": {"nodes": 20_000}});
    let messages = review(&server, "pentago", &body).await;
    let (moves, summary) = moves_and_summary(&messages);
    let [white, black] = moves[..] else { panic!("{messages:#?}") };
    assert_eq!((label(white), label(black)), ("blunder", "best"), "{messages:#?}");
    assert_eq!((&white["bestMove"], &white["reply"], &white["loss"]), (&json!("e1"), &json!("e3"), &json!(1.0)));
    assert_eq!(white["reasons"][0]["code"], "loses_to", "{white:#}");
    assert_eq!((&white["before"]["outcome"], &white["after"]["outcome"]), (&json!("win"), &json!("loss")));
    assert_eq!(summary["turningPoints"], json!([0]));
    assert_eq!(summary["scores"], json!([{"w": 1.0, "b": 0.0}, {"w": 0.0, "b": 1.0}, {"w": 0.0, "b": 1.0}]));
    assert_eq!(summary["seats"]["w"]["labels"], json!({"blunder": 1}));
    assert_eq!((&summary["seats"]["b"]["accuracy"], &summary["complete"]), (&json!(100.0), &json!(true)));
}

/// In a game that is solved at every move, the labels follow from the exact values.
#[tokio::test]
async fn solved_games_get_exact_labels() {
    let server = server().start().await;
    let messages = review(&server, "tictactoe", &tictactoe()).await;
    let (moves, summary) = moves_and_summary(&messages);
    assert_eq!(moves.len(), 5, "{messages:#?}");
    for reviewed in &moves {
        let (before, after) = (&reviewed["before"], &reviewed["after"]);
        assert_eq!((&before["certainty"], &after["certainty"]), (&json!("proven"), &json!("proven")), "{reviewed:#}");
        let (before, after) = (before["outcome"].as_str().unwrap(), after["outcome"].as_str().unwrap());
        let allowed: &[&str] = match (before, after) {
            ("win", "win") => &["best", "good", "only_move", "slower_win", "forced"],
            ("win", "draw") => &["missed_win"],
            ("win" | "draw", "loss") => &["blunder"],
            ("draw", "draw") => &["best", "only_move", "forced"],
            ("loss", "loss") => &["lost_anyway", "forced"],
            other => panic!("{other:?}: {reviewed:#}"),
        };
        assert!(allowed.contains(&label(reviewed)), "{allowed:?}: {reviewed:#}");
    }
    assert_eq!(summary["scores"].as_array().map(Vec::len), Some(6));
    assert_eq!(summary["scores"][5], json!({"x": 1.0, "o": 0.0}), "{summary:#}");
}

/// Progress and the totals so far follow every move; both edges send the same.
#[tokio::test]
async fn both_edges_send_the_same_review() {
    let server = server().start().await;
    let over_rest = review(&server, "tictactoe", &tictactoe()).await;
    let over_grpc = review_grpc(&server, "tictactoe", &tictactoe()).await;
    let comparable = |messages: &[Value]| -> Vec<Value> { messages.iter().map(without_times_and_nulls).collect() };
    assert_eq!(comparable(&over_rest), comparable(&over_grpc));
    let kinds: Vec<&str> =
        over_rest.iter().filter_map(|it| it.as_object()?.keys().next().map(String::as_str)).collect();
    let mut expected = ["move", "progress"].repeat(5);
    expected.push("summary");
    assert_eq!(kinds, expected);
    let progress = over_rest.iter().filter_map(|message| message.get("progress"));
    let done: Vec<u64> = progress.map(|progress| progress["done"].as_u64().expect("a number")).collect();
    assert_eq!(done, (1..=5).collect::<Vec<_>>());
    let text = server.post("/v1/games/tictactoe/review", &tictactoe()).await.ok().text();
    assert_eq!(text.matches("event: move\n").count(), 5, "{text}");
    assert!(text.contains("event: final\nid: end\n") && text.matches("event: final").count() == 1, "{text}");
}

/// A game without moves has only a summary.
#[tokio::test]
async fn a_game_without_moves_is_reviewed() {
    let server = server().start().await;
    let messages = review(&server, "pentago", &json!({})).await;
    let [message] = &messages[..] else { panic!("{messages:#?}") };
    assert_eq!(message["summary"]["complete"], true, "{message:#}");
    assert_eq!(message["summary"]["seats"]["w"]["accuracy"], Value::Null);
}

/// An invalid game is refused before the stream begins, with the index of the move.
#[tokio::test]
async fn bad_games_are_refused() {
    let server = server().start().await;
    for (body, status, reason, code) in [
        (json!({"moves": ["a1-2r", "a1-2r"]}), 422, "illegal_move", Code::FailedPrecondition),
        (json!({"moves": ["a1-1r", "zz"]}), 400, "bad_move", Code::InvalidArgument),
        (json!({"position": BOTH_THREATEN, "moves": ["e1", "e3"]}), 422, "game_over", Code::FailedPrecondition),
        (json!({"limits": {"nodes": 0}}), 400, "bad_argument", Code::InvalidArgument),
        (json!({"moves": vec!["a1-1r"; 1001]}), 413, "too_large", Code::ResourceExhausted),
    ] {
        assert_eq!(server.post(REVIEW, &body).await.expect(status).problem().reason, reason, "{body:.100}");
        if body["limits"].is_null() {
            let Err(failure) = server.grpc().stream("Review", &about("pentago", body.clone())).await else {
                panic!("{body:.100} began a stream")
            };
            assert_eq!((failure.code(), Failure::from_status(&failure).reason.as_str()), (code, reason));
        }
    }
    let zero = server.post(REVIEW, &json!({"totalTimeMs": 0})).await.expect(400).problem();
    assert_eq!(zero.reason, "bad_argument");
}

/// At the deadline the summary covers the moves judged so far.
#[tokio::test]
async fn a_deadline_ends_a_review_with_its_summary() {
    let server = server().plugin("search_endless").start().await;
    let request = about("search-endless", json!({"moves": ["1", "1"], "limits": {"timeMs": 50_000}}));
    let client = server.grpc().timeout("1S");
    let messages: Vec<Value> =
        client.stream("Review", &request).await.expect("a review").map(|it| it.expect("no failure")).collect().await;
    let (_, summary) = moves_and_summary(&messages);
    assert_eq!(summary["complete"], false, "{messages:#?}");
}

/// A rule set that fails ends the review with an error instead of a summary.
#[tokio::test]
async fn failure_ends_a_review() {
    let server = server().plugin("search_illegal").start().await;
    let messages = review(&server, "search-illegal", &json!({"moves": ["1"]})).await;
    let last = messages.last().expect("a line");
    assert_eq!(last["error"]["reason"], "ruleset_fault", "{messages:#?}");
    assert!(messages.iter().all(|message| message.get("summary").is_none()));
}

/// Every line of a proven comparison, played to its end, gives the proven result; estimates
/// name no cause.
#[tokio::test]
async fn comparisons_replay_to_their_end() {
    let server = server().start().await;
    let body =
        json!({"position": BOTH_THREATEN, "compareMoves": ["f6-4r", "e1", "e3-4r"], "limits": {"nodes": 50_000}});
    let answer = server.post(COMPARE, &body).await.ok().json();
    let comparisons = answer["comparisons"].as_array().expect("a list");
    let moves: Vec<&Value> = comparisons.iter().map(|it| &it["move"]).collect();
    assert_eq!(moves, [&json!("f6-4r"), &json!("e1"), &json!("e3-4r")]);
    let [idle, wins, blocks] = &comparisons[..] else { panic!("{answer:#}") };
    assert_eq!((&answer["bestMove"], &answer["evaluation"]["outcome"]), (&json!("e1"), &json!("win")));
    assert_eq!((&wins["reply"], &wins["line"], &wins["differsAt"]), (&json!(""), &json!(["e1"]), &Value::Null));
    assert_eq!((&idle["reply"], &idle["differsAt"]), (&json!("e3"), &json!(0)), "{answer:#}");
    assert_eq!(idle["reasons"][0]["code"], "loses_to");
    let missed = &idle["reasons"][1];
    assert_eq!((&missed["code"], &missed["cells"]), (&json!("block_missed"), &json!(["a3", "b3", "c3", "d3", "e3"])));
    assert_eq!(missed["text"], "It does not stop e3, which was threatened already.");
    for compared in [idle, wins] {
        let end = json!({"position": BOTH_THREATEN, "moves": compared["line"]});
        let position = server.post("/v1/games/pentago/position", &end).await.ok().json();
        let expected = if compared["evaluation"]["outcome"] == "win" { 1.0 } else { 0.0 };
        assert_eq!(position["outcome"]["scores"]["w"], expected, "{compared:#}: {position:#}");
    }
    if blocks["evaluation"]["certainty"] == "estimate" {
        assert_eq!(blocks["reasons"].as_array().map(Vec::len), Some(1), "{blocks:#}");
        assert_eq!(blocks["reasons"][0]["code"], "estimate");
    }
    let over_grpc = server.grpc().call("Compare", &about("pentago", body)).await.expect("a comparison");
    assert_eq!(without_times_and_nulls(&answer), without_times_and_nulls(&over_grpc));
}

/// Moves that lead to symmetric positions are separate, each with its own line.
#[tokio::test]
async fn equivalent_moves_are_compared() {
    let server = server().start().await;
    let body = json!({"compareMoves": ["a1", "c3"]});
    let answer = server.post("/v1/games/tictactoe/compare", &body).await.ok().json();
    for (compared, mv) in answer["comparisons"].as_array().expect("a list").iter().zip(["a1", "c3"]) {
        assert_eq!((&compared["move"], &compared["line"][0]), (&json!(mv), &json!(mv)), "{answer:#}");
        assert_eq!(compared["evaluation"]["outcome"], "draw", "{answer:#}");
    }
}

/// A move that wastes a won position is explained by its threat and the reply that stops it:
/// in this position of tic-tac-toe only c3 wins, and b2 threatens and draws.
#[tokio::test]
async fn a_threat_that_is_stopped_is_a_cause() {
    let server = server().start().await;
    let body = json!({"position": "3/2x/o2 x", "compareMoves": ["b2", "c3"], "limits": {"nodes": 1_000_000}});
    let answer = server.post("/v1/games/tictactoe/compare", &body).await.ok().json();
    let wasted = &answer["comparisons"][0];
    assert_eq!((&wasted["evaluation"]["outcome"], &wasted["reply"]), (&json!("draw"), &json!("a2")), "{answer:#}");
    let reasons = wasted["reasons"].as_array().expect("a list");
    let cause = reasons.iter().find(|reason| reason["code"] == "undone_by").unwrap_or_else(|| panic!("{answer:#}"));
    assert_eq!(cause["text"], "It threatens a2, but a2 stops that.");
    assert_eq!(cause["cells"], json!([]), "the rule set has no board: {cause}");
    assert!(!reasons.iter().any(|reason| reason["code"] == "block_missed"), "nothing was threatened: {answer:#}");
}

/// Too few, too many, repeated and illegal moves are refused with their index.
#[tokio::test]
async fn bad_comparisons_are_refused() {
    let server = server().start().await;
    for (moves, status, reason, field) in [
        (json!([]), 400, "bad_argument", "compareMoves"),
        (json!(["a1-1r"]), 400, "bad_argument", "compareMoves"),
        (json!(vec!["a1-1r"; 9]), 400, "bad_argument", "compareMoves"),
        (json!(["a1-1r", "b1-1r", "a1-1r"]), 400, "bad_argument", "compareMoves[2]"),
        (json!(["a1-1r", "zz"]), 400, "bad_move", "compareMoves[1]"),
        (json!(["a1-1r", "a1"]), 422, "illegal_move", "compareMoves[1]"),
    ] {
        let body = json!({"compareMoves": moves});
        let problem = server.post(COMPARE, &body).await.expect(status).problem();
        assert_eq!(problem.reason, reason, "{body}");
        let failure = server.grpc().call("Compare", &about("pentago", body.clone())).await.expect_err("refused");
        assert_eq!(Failure::from_status(&failure).reason, reason, "{body}");
        assert!(format!("{problem:?}").contains(field), "{body}: {problem:?}");
    }
    let over = json!({"position": "wwwww1/6/bbbb2/6/6/6 b", "compareMoves": ["a2-1r", "b2-1r"]});
    assert_eq!(server.post(COMPARE, &over).await.expect(422).problem().reason, "game_over");
}

/// Removes times and what gRPC leaves out.
fn without_times_and_nulls(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(name, value)| !value.is_null() && *name != "timeLeftMs");
            Value::Object(kept.map(|(name, value)| (name.clone(), without_times_and_nulls(value))).collect())
        }
        Value::Array(values) => values.iter().map(without_times_and_nulls).collect(),
        value => value.clone(),
    }
}
