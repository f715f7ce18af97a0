//! What programs ask for: whole answers in JSON, fewer updates, chosen turns, a value for
//! every move, new answers, and moves in words.

use futures_util::StreamExt;
use serde_json::{Value, json};

use crate::support::rest::{Reply, query, send, without_nulls};
use crate::support::{TestServer, about, server};

/// Two plies from a win for white: any hint proves it.
const WHITE_WINS: &str = "wwww2/6/bbbb2/6/6/6 w";
const HINTS: &str = "/v1/games/pentago/hints";
const ANALYSIS: &str = "/v1/games/pentago/analysis";
/// An hour: no test takes as long.
const LONG_MS: u64 = 3_600_000;

async fn post(server: &TestServer, path: &str, accept: &str, body: &Value) -> Reply {
    send(server.http.post(server.rest_url(path)).header("accept", accept).json(body)).await
}

/// The messages of a stream.
async fn lines(server: &TestServer, path: &str, body: &Value) -> Vec<Value> {
    let text = post(server, path, "application/x-ndjson", body).await.ok().text();
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

/// Removes what may differ between two answers to one question.
fn comparable(mut value: Value) -> Value {
    match &mut value {
        Value::Object(fields) => {
            fields.retain(|name, _| !["elapsedMs", "cached", "timeLeftMs", "final"].contains(&name.as_str()));
            fields.values_mut().for_each(|field| *field = comparable(field.take()));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = comparable(item.take())),
        _ => {}
    }
    value
}

/// A review and a search for puzzles in one object have the messages of their streams.
#[tokio::test]
async fn one_object_has_all_messages() {
    let server = server().set(|config| config.cache_mib = 0).start().await;
    let review = json!({"moves": ["a1", "b1", "a2", "b2", "a3"]});
    let path = "/v1/games/tictactoe/review";
    let reply = post(&server, path, "application/json", &review).await.ok();
    assert_eq!((reply.header("content-type"), reply.header("cache-control")), ("application/json", "no-store"));
    let whole = comparable(reply.json());
    let streamed: Vec<Value> = lines(&server, path, &review).await.into_iter().map(comparable).collect();
    let mut moves: Vec<&Value> = streamed.iter().filter_map(|message| message.get("move")).collect();
    moves.reverse();
    assert_eq!(whole["moves"], json!(moves), "in playing order");
    assert_eq!(Some(&whole["summary"]), streamed.last().and_then(|message| message.get("summary")));

    let puzzles = json!({"seed": 7, "maxPlies": 1, "count": 2, "limits": {"nodes": 2000}});
    let path = "/v1/games/pentago/puzzles";
    let whole = post(&server, path, "application/json", &puzzles).await.ok().json();
    let streamed = lines(&server, path, &puzzles).await;
    let found: Vec<&Value> = streamed.iter().filter_map(|message| message.get("puzzle")).collect();
    assert_eq!(whole["puzzles"], json!(found));
    assert_eq!(Some(&whole["final"]), streamed.last().and_then(|message| message.get("final")));
}

/// An analysis in one object ends with the hints that `hints` gives, by POST and GET.
#[tokio::test]
async fn an_analysis_is_given_in_one_object() {
    let server = server().set(|config| config.cache_mib = 0).start().await;
    let body = json!({"variant": "finnish", "limits": {"nodes": 3000}, "count": 2});
    let url = server.rest_url(&format!("{ANALYSIS}{}", query(&body)));
    let by_get = send(server.http.get(url).header("accept", "application/json")).await.ok().json();
    let hints = comparable(server.post(HINTS, &body).await.ok().json());
    for whole in [post(&server, ANALYSIS, "application/json", &body).await.ok().json(), by_get] {
        assert_eq!(comparable(whole["final"].clone()), hints);
        assert!(whole["updates"].as_array().is_some_and(|it| it.iter().all(|update| update["stopReason"].is_null())));
    }
}

/// A failure is a problem with its status, and a format that cannot be given is refused
/// before anything is searched. Browsers get events.
#[tokio::test]
async fn failures_and_formats_have_their_status() {
    let server = server().plugin("search_illegal").start().await;
    let body = json!({"moves": ["1"]});
    let reply = post(&server, "/v1/games/search-illegal/review", "application/json", &body).await;
    assert_eq!(reply.expect(503).problem().reason, "ruleset_fault");
    for call in ["analysis", "review", "puzzles"] {
        let path = format!("/v1/games/pentago/{call}");
        let refused = post(&server, &path, "text/html", &json!({})).await.expect(406).problem();
        assert_eq!(refused.reason, "bad_argument", "{refused:?}");
    }
    let events = post(&server, "/v1/games/pentago/review", "text/html,*/*;q=0.8", &json!({})).await.ok();
    assert_eq!(events.header("content-type"), "text/event-stream");
}

/// With a long interval there is the first update and the last, on both edges.
#[tokio::test]
async fn updates_keep_their_interval() {
    let server = server().set(|config| config.cache_mib = 0).start().await;
    let mut body = json!({"variant": "finnish", "limits": {"nodes": 200_000}});
    let all = lines(&server, ANALYSIS, &body).await;
    assert!(all.len() > 2, "the search improves more often: {}", all.len());
    body["reportIntervalMs"] = LONG_MS.into();
    let few = lines(&server, ANALYSIS, &body).await;
    let finals: Vec<&Value> = few.iter().map(|update| &update["final"]).collect();
    assert!(finals == [&json!(false), &json!(true)] || finals == [&json!(true)], "{finals:?}");
    let stream = server.grpc().stream("Analyze", &about("pentago", body.clone())).await.expect("an analysis");
    let over_grpc: Vec<Value> = stream.map(|message| message.expect("no failure")).collect().await;
    assert!(over_grpc.len() <= 2 && over_grpc.last().is_some_and(|it| it["final"] == true), "{over_grpc:#?}");
    let refused = server.post(ANALYSIS, &json!({"reportIntervalMs": 0})).await.expect(400).problem();
    assert_eq!(refused.field.as_deref(), Some("reportIntervalMs"));
    let refused = server.post(HINTS, &json!({"reportIntervalMs": 5})).await.expect(400).problem();
    assert_eq!(refused.field.as_deref(), Some("reportIntervalMs"), "hints are not reported");
}

/// Chosen turns have the verdicts that they have in the review of the whole game, and the
/// totals count only them.
#[tokio::test]
async fn turns_are_chosen() {
    let server = server().start().await;
    let mut body = json!({"moves": ["a1", "b1", "a2", "b2", "a3"]});
    let path = "/v1/games/tictactoe/review";
    let whole = post(&server, path, "application/json", &body).await.ok().json();
    body["turns"] = json!([3, 1]);
    let messages = lines(&server, path, &body).await;
    let progress: Vec<Value> = messages.iter().filter_map(|message| message.get("progress").cloned()).collect();
    let counts: Vec<Value> = progress.iter().map(|it| json!([it["done"], it["total"]])).collect();
    assert_eq!(counts, [json!([1, 2]), json!([2, 2])]);
    let chosen = post(&server, path, "application/json", &body).await.ok().json();
    let moves = chosen["moves"].as_array().expect("a list");
    assert_eq!(moves.iter().map(|it| &it["index"]).collect::<Vec<_>>(), [&json!(1), &json!(3)]);
    for reviewed in moves {
        let of_all = &whole["moves"][reviewed["index"].as_u64().expect("an index") as usize];
        for field in ["/move", "/seat", "/label", "/loss", "/before/outcome", "/after/outcome"] {
            assert_eq!(reviewed.pointer(field), of_all.pointer(field), "{field}: {reviewed:#} {of_all:#}");
        }
    }
    let summary = &chosen["summary"];
    assert_eq!((&summary["complete"], &summary["seats"]["x"]["labels"]), (&json!(true), &json!({})));
    let is_known: Vec<bool> =
        summary["scores"].as_array().expect("a list").iter().map(|it| it.get("x").is_some()).collect();
    assert_eq!(is_known, [false, true, true, true, true, false]);
    let stream = server.grpc().stream("Review", &about("tictactoe", body.clone())).await.expect("a review");
    let over_grpc: Vec<Value> = stream.map(|message| message.expect("no failure")).collect().await;
    assert_eq!(over_grpc.iter().filter(|message| message.get("move").is_some()).count(), 2);
    for (turns, field) in [(json!([5]), "turns[0]"), (json!([1, 0, 1]), "turns[2]")] {
        body["turns"] = turns;
        let refused = server.post(path, &body).await.expect(400).problem();
        assert_eq!((refused.reason.as_str(), refused.field.as_deref()), ("bad_argument", Some(field)));
    }
}

/// Every different move has a probability; they add up to 1, and a proven win has all.
#[tokio::test]
async fn every_move_has_a_probability() {
    let server = server().start().await;
    let mut body = json!({"limits": {"nodes": 100_000}, "policy": true});
    let path = "/v1/games/tictactoe/hints";
    let answer = server.post(path, &body).await.ok().json();
    let policy = answer["policy"].as_array().expect("a list");
    let n_moves: usize = policy.iter().map(|it| 1 + it["equivalents"].as_array().map_or(0, Vec::len)).sum();
    assert_eq!((answer["hints"].as_array().map(Vec::len), n_moves), (Some(1), 9), "{answer:#}");
    let probability = |it: &Value| it["probability"].as_f64().expect("a number");
    let sum: f64 = policy.iter().map(probability).sum();
    assert!((sum - 1.0).abs() < 1e-4, "{sum}");
    assert!(policy.is_sorted_by(|a, b| probability(a) >= probability(b)), "{answer:#}");
    assert_eq!(policy[0]["move"], answer["hints"][0]["move"]);
    let over_grpc = server.grpc().call("Hint", &about("tictactoe", body.clone())).await.expect("hints");
    assert_eq!(without_nulls(over_grpc["policy"].clone()), without_nulls(answer["policy"].clone()));
    let by_get = server.get(&format!("{path}{}", query(&body))).await.ok().json();
    assert_eq!(by_get["policy"], answer["policy"]);
    body["policy"] = false.into();
    assert_eq!(server.post(path, &body).await.ok().json()["policy"], json!([]));

    let won = json!({"position": WHITE_WINS, "limits": {"depth": 2}, "policy": true});
    let policy = server.post(HINTS, &won).await.ok().json()["policy"].take();
    for it in policy.as_array().expect("a list") {
        let is_won = it["evaluation"]["outcome"] == "win";
        assert_eq!(probability(it) > 0.0, is_won, "{it:#}");
    }
    for (with, field) in [(json!({"level": 3}), "policy"), (json!({"detail": "nudge"}), "policy")] {
        let mut body = with;
        body["policy"] = true.into();
        let refused = server.post(HINTS, &body).await.expect(400).problem();
        assert_eq!((refused.reason.as_str(), refused.field.as_deref()), ("bad_argument", Some(field)));
    }
}

/// `no-cache` gets an answer that is searched for it, and paid for, on both edges; a
/// condition makes it an ordinary question.
#[tokio::test]
async fn known_answers_are_skipped() {
    let server = server().start().await;
    let body = json!({"variant": "finnish", "limits": {"nodes": 3000}});
    let searches = async || {
        let metrics = server.metrics().await;
        metrics.value("pentad_search_duration_seconds_count", &[("game", "pentago")]).unwrap_or_default()
    };
    for _ in 0..3 {
        server.post(HINTS, &body).await.ok();
    }
    assert_eq!(server.post(HINTS, &body).await.ok().json()["cached"], true);
    assert_eq!(searches().await, 1.0);
    let request = server.http.post(server.rest_url(HINTS)).header("cache-control", "no-cache").json(&body);
    assert_eq!(send(request).await.ok().json()["cached"], false);
    assert_eq!(searches().await, 2.0);
    let over_grpc = server.grpc().no_cache().call("Hint", &about("pentago", body.clone())).await.expect("hints");
    assert_eq!(over_grpc["cached"], false);
    assert_eq!(searches().await, 3.0);
    let url = server.rest_url(&format!("{HINTS}{}", query(&body)));
    let get = || server.http.get(&url).header("cache-control", "no-cache");
    let found = send(get()).await.ok();
    assert_eq!(found.json()["cached"], false);
    send(get().header("if-none-match", found.header("etag"))).await.expect(304);
    assert_eq!(searches().await, 4.0);
    assert_eq!(server.post(HINTS, &body).await.ok().json()["cached"], true, "others are answered as before");
}

/// Moves are said in words in hints, comparisons, reviews, reasons and lists, in the
/// caller's language.
#[tokio::test]
async fn moves_are_said_in_words() {
    let server = server().bundled().start().await;
    let moved = json!({"position": WHITE_WINS, "allowMoves": ["f6-4r"], "limits": {"depth": 2}});
    let hint = server.post(HINTS, &moved).await.ok().json()["hints"][0].take();
    assert_eq!((&hint["move"], &hint["moveText"]), (&json!("f6-4r"), &json!("f6, then block 4 turned right")));
    let finnish = server.grpc().accept_language("fi").call("Hint", &about("pentago", moved)).await.expect("hints");
    assert_eq!(finnish["hints"][0]["moveText"], "f6, sitten lohko 4 oikealle");
    let nudge = json!({"position": WHITE_WINS, "detail": "nudge"});
    assert_eq!(server.post(HINTS, &nudge).await.ok().json()["hints"][0]["moveText"], "");

    let body = json!({"position": WHITE_WINS, "compareMoves": ["f6-4r", "e1"], "limits": {"nodes": 20_000}});
    let answer = server.post("/v1/games/pentago/compare", &body).await.ok().json();
    let compared = &answer["comparisons"][0];
    assert_eq!(
        (&compared["moveText"], &compared["replyText"]),
        (&json!("f6, then block 4 turned right"), &json!("e3"))
    );
    assert_eq!(answer["bestMoveText"], "e1");

    let body = json!({"position": WHITE_WINS, "moves": ["f6-4r", "e3"], "limits": {"nodes": 20_000}});
    let path = "/v1/games/pentago/review";
    let reviewed = post(&server, path, "application/json", &body).await.ok().json()["moves"][0].take();
    let texts = ["moveText", "bestMoveText", "replyText"].map(|name| reviewed[name].as_str().unwrap_or_default());
    assert_eq!(texts, ["f6, then block 4 turned right", "e1", "e3"], "{reviewed:#}");

    let list = server.post("/v1/games/pentaflip/legal-moves", &json!({"prefix": "~", "texts": true})).await.ok().json();
    let said = |texts: &Value, text: &str| texts.as_array().is_some_and(|it| it.iter().any(|it| it == text));
    assert_eq!(list["moves"].as_array().map(Vec::len), list["moveTexts"].as_array().map(Vec::len));
    assert!(said(&list["moveTexts"], "Flip the bottom half"), "{list:#}");
    let german = about("pentaflip", json!({"prefix": "~", "texts": true}));
    let german = server.grpc().accept_language("de").call("ListLegalMoves", &german).await.expect("moves");
    assert!(said(&german["moveTexts"], "Die untere Hälfte umdrehen"), "{german:#}");
    let plain = server.post("/v1/games/pentaflip/legal-moves", &json!({})).await.ok().json();
    assert_eq!(plain["moveTexts"], json!([]));
}

/// A game without words has empty texts.
#[tokio::test]
async fn games_without_words_have_no_texts() {
    let server = server().start().await;
    let hint = server.post("/v1/games/tictactoe/hints", &json!({})).await.ok().json();
    assert_eq!(hint["hints"][0]["moveText"], "");
    let list = server.post("/v1/games/tictactoe/legal-moves", &json!({"texts": true})).await.ok().json();
    assert_eq!(list["moveTexts"], json!(vec![""; 9]));
}
