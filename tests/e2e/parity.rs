//! gRPC and REST give the same answers.
//!
//! Every request of the tables is made over gRPC and POST, and over GET where it is
//! served, to a server without a cache, so that each protocol computes the answer
//! itself. Only the elapsed time may differ. The tables have every call.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::StreamExt;
use serde_json::{Value, json};

use crate::batch::client::{Edge, Stream};
use crate::support::failure::{Failure, proto_name};
use crate::support::grpc::rpcs;
use crate::support::rest::{query, send, without_nulls};
use crate::support::{TestServer, about, server};

/// RPC name and last segment of the REST path.
const POSITION: (&str, &str) = ("DescribePosition", "position");
const MOVES: (&str, &str) = ("ListLegalMoves", "legal-moves");
const EVALUATION: (&str, &str) = ("Evaluate", "evaluation");
const HINTS: (&str, &str) = ("Hint", "hints");
const THREATS: (&str, &str) = ("ListThreats", "threats");
const EXPLORER: (&str, &str) = ("Explore", "explorer");
const COMPARE: (&str, &str) = ("Compare", "compare");
const JUDGE: (&str, &str) = ("Batch", "judge");
const ANALYSIS: (&str, &str) = ("Analyze", "analysis");
const REVIEW: (&str, &str) = ("Review", "review");
const PUZZLES: (&str, &str) = ("FindPuzzles", "puzzles");

/// Calls that may be part of a batch.
const BATCHED: [(&str, &str); 7] = [POSITION, MOVES, EVALUATION, HINTS, COMPARE, THREATS, JUDGE];
/// Calls whose answers are not cacheable, so that GET does not serve them.
const POST_ONLY: [(&str, &str); 2] = [EXPLORER, COMPARE];

/// Two plies from a win for white: any hint proves it.
const WHITE_WINS: &str = "wwww2/6/bbbb2/6/6/6 w";
/// White has five in row 1.
const OVER: &str = "wwwww1/6/bbbb2/6/6/6 b";

type Answer = Result<Value, Box<Failure>>;

/// The call, the game, the body.
type Request = ((&'static str, &'static str), &'static str, Value);

fn positions() -> Vec<Request> {
    vec![
        (POSITION, "pentago", json!({})),
        (POSITION, "pentago", json!({"moves": ["c3-2r", "d4-1l"]})),
        (POSITION, "pentago", json!({"variant": "finnish", "moves": ["c3"]})),
        (POSITION, "pentago", json!({"position": "33/6/6/6/6/6 w"})),
        (POSITION, "pentago", json!({"position": OVER})),
        (POSITION, "pentago", json!({"position": WHITE_WINS, "moves": ["e1"]})),
        (POSITION, "pentago", json!({"variant": "czech", "position": "wwwww1/6/bbbb2/6/6/6 b reply"})),
        (POSITION, "tictactoe", json!({"position": "xxo/oox/xox o"})),
        (POSITION, "tictactoe", json!({"moves": ["b2", "A1"]})),
    ]
}

fn moves() -> Vec<Request> {
    vec![
        (MOVES, "pentago", json!({})),
        (MOVES, "pentago", json!({"prefix": "c3-"})),
        (MOVES, "pentago", json!({"prefix": "zz"})),
        (MOVES, "pentago", json!({"pageSize": 7})),
        (MOVES, "pentago", json!({"distinct": true, "pageSize": 50})),
        (MOVES, "pentago", json!({"variant": "clockwise", "distinct": true})),
        (MOVES, "pentago", json!({"variant": "czech", "position": "wwwww1/6/bbbb2/6/6/6 b reply"})),
        (MOVES, "pentago", json!({"position": OVER})),
        (MOVES, "pentago", json!({"texts": true, "pageSize": 30})),
        (MOVES, "tictactoe", json!({"moves": ["b2"], "pageSize": 3})),
    ]
}

fn evaluations() -> Vec<Request> {
    vec![
        (EVALUATION, "pentago", json!({"limits": {"nodes": 2000}, "variant": "finnish"})),
        (EVALUATION, "pentago", json!({"limits": {"depth": 1}, "moves": ["c3-2r"]})),
        (EVALUATION, "pentago", json!({"moves": ["a1-1r"]})),
        (EVALUATION, "pentago", json!({"position": WHITE_WINS})),
        (EVALUATION, "pentago", json!({"position": OVER})),
        (EVALUATION, "tictactoe", json!({"position": "x1x/1o1/x1o o"})),
        (EVALUATION, "tictactoe", json!({"position": "xxo/oox/xox o"})),
    ]
}

fn hints() -> Vec<Request> {
    vec![
        (HINTS, "pentago", json!({"limits": {"nodes": 3000}, "count": 3, "variant": "finnish"})),
        (HINTS, "pentago", json!({"limits": {"depth": 1}, "moves": ["a1-1r"]})),
        (HINTS, "pentago", json!({"limits": {"depth": 2, "nodes": 5000}, "variant": "clockwise"})),
        (HINTS, "pentago", json!({"position": WHITE_WINS, "count": 2, "limits": {"depth": 2}})),
        (HINTS, "pentago", json!({"position": WHITE_WINS, "detail": "nudge"})),
        (HINTS, "pentago", json!({"position": WHITE_WINS, "detail": "area"})),
        (HINTS, "pentago", json!({"position": WHITE_WINS, "detail": "move"})),
        (HINTS, "pentago", json!({"limits": {"nodes": 2000}, "level": 3, "seed": 5, "variant": "czech"})),
        (HINTS, "pentago", json!({"limits": {"nodes": 2000}, "variant": "finnish", "allowMoves": ["a1-1r", "b2-2l"]})),
        (HINTS, "pentago", json!({"position": WHITE_WINS, "avoidMoves": ["e1"], "limits": {"depth": 1}})),
        (HINTS, "pentago", json!({"moves": ["c3-2r", "d4-1l"], "count": 2})),
        (HINTS, "pentago", json!({"moves": ["c3-2r"], "policy": true, "limits": {"nodes": 3000}})),
        (HINTS, "tictactoe", json!({})),
        (HINTS, "tictactoe", json!({"position": "xx1/oo1/3 x", "count": 5})),
    ]
}

fn threats() -> Vec<Request> {
    vec![
        (THREATS, "pentago", json!({})),
        (THREATS, "pentago", json!({"position": WHITE_WINS})),
        (THREATS, "pentago", json!({"position": WHITE_WINS, "variant": "finnish", "depth": 1})),
        (THREATS, "pentago", json!({"position": OVER, "depth": 3})),
        (THREATS, "pentago", json!({"variant": "czech", "position": "wwwww1/6/bbbb2/6/6/6 b reply"})),
        (THREATS, "pentago", json!({"moves": ["c3-2r", "d4-1l"], "depth": 3, "limits": {"nodes": 2000}})),
        (THREATS, "tictactoe", json!({"position": "xx1/oo1/3 x"})),
        (THREATS, "tictactoe", json!({"position": "x2/1o1/2x o", "depth": 3})),
    ]
}

fn explored() -> Vec<Request> {
    vec![
        (EXPLORER, "pentago", json!({})),
        (EXPLORER, "pentago", json!({"moves": ["c3-2r", "d4-1l"], "pageSize": 20})),
        (EXPLORER, "pentago", json!({"position": WHITE_WINS, "variant": "finnish"})),
        (EXPLORER, "pentago", json!({"position": OVER})),
        (EXPLORER, "tictactoe", json!({"position": "xx1/oo1/3 x"})),
    ]
}

fn comparisons() -> Vec<Request> {
    vec![
        (
            COMPARE,
            "pentago",
            json!({"variant": "finnish", "compareMoves": ["c3-2r", "d4-1l"], "limits": {"nodes": 2000}}),
        ),
        (
            COMPARE,
            "pentago",
            json!({"position": WHITE_WINS, "compareMoves": ["e1", "f6-4r", "e3-1l"], "limits": {"nodes": 2000}}),
        ),
        (COMPARE, "tictactoe", json!({"position": "xx1/oo1/3 x", "compareMoves": ["c1", "c2"]})),
    ]
}

/// Only batches have this call.
fn judged() -> Vec<Request> {
    let limits = json!({"nodes": 2000});
    let game = ["a1", "b1", "z9", "a2", "a2", "b2", "a3", "c3"];
    vec![
        (JUDGE, "pentago", json!({"position": WHITE_WINS, "moves": ["f6-4r", "e3"], "limits": limits})),
        (JUDGE, "pentago", json!({"variant": "finnish", "moves": ["c3-2r", "nonsense"], "limits": limits})),
        (JUDGE, "pentago", json!({"position": OVER})),
        (JUDGE, "tictactoe", json!({"moves": game})),
    ]
}

fn judge_mistakes() -> Vec<Request> {
    vec![
        (JUDGE, "chess", json!({})),
        (JUDGE, "pentago", json!({"variant": "blitz"})),
        (JUDGE, "pentago", json!({"position": "6/6/6/6/6/5x w"})),
        (JUDGE, "pentago", json!({"moves": vec!["a1-1r"; 1001]})),
        (JUDGE, "pentago", json!({"limits": {"depth": 4_000_000_000_u32}})),
    ]
}

fn streams() -> Vec<Request> {
    let game = ["a1", "b1", "a2", "b2", "a3"];
    vec![
        (ANALYSIS, "pentago", json!({"variant": "finnish", "limits": {"nodes": 3000}, "count": 2})),
        (ANALYSIS, "pentago", json!({"position": WHITE_WINS})),
        (ANALYSIS, "tictactoe", json!({"position": "x1x/1o1/x1o o", "detail": "area"})),
        (REVIEW, "pentago", json!({})),
        (REVIEW, "tictactoe", json!({"moves": game, "turns": [2, 4]})),
        (REVIEW, "tictactoe", json!({"moves": game})),
        (REVIEW, "pentago", json!({"position": WHITE_WINS, "moves": ["f6-4r", "e3"], "limits": {"nodes": 5000}})),
        (PUZZLES, "tictactoe", json!({"moves": game, "count": 3, "maxPlies": 1})),
        (PUZZLES, "pentago", json!({"seed": 7, "maxPlies": 1, "limits": {"nodes": 2000}})),
    ]
}

fn stream_mistakes() -> Vec<Request> {
    let mut requests: Vec<Request> = [ANALYSIS, REVIEW, PUZZLES].into_iter().flat_map(wrong_positions).collect();
    requests.extend([
        (ANALYSIS, "pentago", json!({"level": 11})),
        (REVIEW, "pentago", json!({"moves": ["a1-1r"], "turns": [1]})),
        (ANALYSIS, "pentago", json!({"position": OVER})),
        (PUZZLES, "pentago", json!({"maxPlies": 6})),
    ]);
    requests
}

/// Requests that name no position of a game.
fn wrong_positions(call: (&'static str, &'static str)) -> Vec<Request> {
    vec![
        (call, "chess", json!({"moves": ["a1-1r"]})),
        (call, "pentago", json!({"variant": "blitz", "moves": ["a1-1r"]})),
        (call, "pentago", json!({"position": "6/6/6/6/6/5x w", "moves": ["a1-1r"]})),
        (call, "pentago", json!({"moves": ["a1-1r", "z9-1r"]})),
        (call, "pentago", json!({"moves": ["a1-2r", "a1-2r"]})),
    ]
}

fn mistakes() -> Vec<Request> {
    let every_call = [POSITION, MOVES, EVALUATION, HINTS, THREATS, EXPLORER];
    let mut requests = wrong_positions(COMPARE);
    for call in every_call {
        requests.extend([
            (call, "chess", json!({})),
            (call, "pentago", json!({"variant": "blitz"})),
            (call, "pentago", json!({"position": "6/6/6/6/6/5x w"})),
            (call, "pentago", json!({"position": "w"})),
            (call, "pentago", json!({"position": "www3/6/6/6/6/6 w"})),
            (call, "pentago", json!({"moves": ["a1-1r", "z9-1r"]})),
            (call, "pentago", json!({"moves": ["a1-2r", "a1-2r"]})),
            (call, "pentago", json!({"position": WHITE_WINS, "moves": ["e1", "a6-1r"]})),
            (call, "pentago", json!({"position": "6/".repeat(600)})),
            (call, "pentago", json!({"moves": vec!["a1-1r"; 1001]})),
            (call, "tictactoe", json!({"position": "xo1/3/3 o"})),
        ]);
    }
    requests.extend([
        (MOVES, "pentago", json!({"pageToken": "garbage"})),
        (MOVES, "pentago", json!({"pageToken": "1-00000000"})),
        (MOVES, "pentago", json!({"prefix": "a".repeat(200)})),
        (EXPLORER, "pentago", json!({"pageToken": "garbage"})),
        (THREATS, "pentago", json!({"depth": 65})),
        (THREATS, "pentago", json!({"depth": 4_000_000_000_u32})),
        (COMPARE, "pentago", json!({})),
        (COMPARE, "pentago", json!({"compareMoves": ["c3-2r"]})),
        (COMPARE, "pentago", json!({"compareMoves": ["c3-2r", "zz"]})),
        (HINTS, "pentago", json!({"position": OVER})),
        (HINTS, "pentago", json!({"count": 65})),
        (HINTS, "pentago", json!({"level": 11})),
        (HINTS, "pentago", json!({"level": 5, "policy": true})),
        (HINTS, "pentago", json!({"level": 300})),
        (HINTS, "pentago", json!({"allowMoves": ["a1-1r", "zz"]})),
        (HINTS, "pentago", json!({"avoidMoves": ["a1-1r", "a1"]})),
        (HINTS, "pentago", json!({"allowMoves": ["a1-1r"], "avoidMoves": ["a1-1r"]})),
    ]);
    requests
}

fn answered() -> Vec<Request> {
    [positions(), moves(), evaluations(), hints(), threats(), explored(), comparisons()].concat()
}

/// The tables have every call of the service; the games have a test of their own.
#[test]
fn every_call_is_compared() {
    let tables = [answered(), streams()].concat();
    let compared: BTreeSet<&str> =
        tables.iter().map(|(call, ..)| call.0).chain(["ListGames", "GetGame", "Batch"]).collect();
    let all: BTreeSet<String> = rpcs().into_iter().map(|(name, _)| name).collect();
    assert!(all.iter().eq(&compared), "{all:?} {compared:?}");
}

/// gRPC, POST and GET give the same answer, or the same failure with the same
/// message and details.
#[tokio::test]
async fn protocols_give_the_same_answers() {
    let server = server().set(|config| config.cache_mib = 0).start().await;
    let tables = [(answered(), true), (mistakes(), false)];
    let requests = tables.into_iter().flat_map(|(table, is_ok)| table.into_iter().map(move |request| (request, is_ok)));
    for ((call, game, body), is_ok) in requests {
        let situation = format!("{} {game} {:.200}", call.0, body.to_string());
        let over_grpc = comparable(grpc(&server, call.0, game, &body).await);
        assert_eq!(over_grpc.is_ok(), is_ok, "{situation}: {over_grpc:#?}");
        let path = format!("/v1/games/{game}/{}", call.1);
        let over_post = comparable(server.post(&path, &body).await.answer());
        assert_eq!(over_grpc, over_post, "gRPC and POST differ: {situation}");
        if POST_ONLY.contains(&call) {
            continue;
        }
        let over_get = comparable(server.get(&format!("{path}{}", query(&body))).await.answer());
        assert_eq!(over_grpc, over_get, "gRPC and GET differ: {situation}");
    }
}

/// Streams over gRPC and REST have the same messages, or fail alike.
#[tokio::test]
async fn protocols_stream_the_same_messages() {
    let server = server().set(|config| config.cache_mib = 0).start().await;
    let tables = [(streams(), true), (stream_mistakes(), false)];
    let requests = tables.into_iter().flat_map(|(table, is_ok)| table.into_iter().map(move |request| (request, is_ok)));
    for ((call, game, body), is_ok) in requests {
        let situation = format!("{} {game} {body}", call.0);
        let over_grpc = match server.grpc().stream(call.0, &about(game, body.clone())).await {
            Ok(messages) => Ok(messages.map(|message| message.expect("no failure")).collect::<Vec<Value>>().await),
            Err(status) => Err(Box::new(Failure::from_status(&status))),
        };
        assert_eq!(over_grpc.is_ok(), is_ok, "{situation}: {over_grpc:#?}");
        let url = server.rest_url(&format!("/v1/games/{game}/{}", call.1));
        let reply = send(server.http.post(url).header("accept", "application/x-ndjson").json(&body)).await;
        let lines = || reply.text().lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
        let over_rest = if is_ok { Ok(lines()) } else { Err(Box::new(reply.problem())) };
        assert_eq!(final_messages(over_grpc), final_messages(over_rest), "{situation}");
    }
}

/// Removes messages that depend on the time: progress, and updates before the last one.
fn final_messages(messages: Result<Vec<Value>, Box<Failure>>) -> Answer {
    let is_final = |message: &Value| message["progress"].is_null() && message["final"] != false;
    // gRPC has the hints of an update in a message of their own.
    let flat = |mut message: Value| match message["hints"].take() {
        Value::Object(mut hints) => {
            hints.insert("final".to_owned(), message["final"].take());
            Value::Object(hints)
        }
        hints => {
            if !hints.is_null() {
                message["hints"] = hints;
            }
            message
        }
    };
    let messages = messages.map(|messages| messages.into_iter().filter(is_final).map(flat).collect::<Vec<Value>>());
    let messages = messages.map(|messages| messages.into_iter().map(|it| comparable(Ok(it)).expect("an answer")));
    comparable(messages.map(Value::from_iter))
}

/// A batch has the same answers and errors over both protocols.
#[tokio::test]
async fn batches_give_the_same_answers() {
    let server = server().set(|config| config.cache_mib = 0).start().await;
    let requests = [answered(), mistakes(), judged(), judge_mistakes()]
        .concat()
        .into_iter()
        .filter(|(call, ..)| BATCHED.contains(call));
    let questions: Vec<Value> = requests
        .enumerate()
        .map(|(idx, (call, game, mut body))| {
            body["id"] = idx.to_string().into();
            body["kind"] = call.1.into();
            about(game, body)
        })
        .collect();
    let [over_rest, over_grpc] =
        [batch(&server, Edge::Rest, questions.clone()).await, batch(&server, Edge::Grpc, questions.clone()).await];
    assert_eq!(over_rest.len(), questions.len());
    for (id, answer) in over_rest {
        assert_eq!(over_grpc.get(&id), Some(&answer), "{}", questions[id.parse::<usize>().expect("a number")]);
    }
}

/// Answers and errors by the question's id.
async fn batch(server: &TestServer, edge: Edge, questions: Vec<Value>) -> BTreeMap<String, Value> {
    let (sender, mut receiver) = Stream::open(server, edge).await.split();
    tokio::spawn(async move {
        for question in questions {
            sender.send(&question).await;
        }
    });
    let outputs = receiver.rest().await.into_iter().filter(|output| output["done"].is_null());
    let by_id = outputs.map(|mut output| {
        let id = output["id"].as_str().unwrap_or_else(|| panic!("no id: {output}")).to_owned();
        let error = output["error"].take();
        let outcome = match error["field"].as_str().filter(|field| !field.is_empty()).map(proto_name) {
            _ if error.is_null() => comparable(Ok(output["answer"].take())).expect("an answer"),
            Some(field) => json!([error["reason"], field]),
            None => json!([error["reason"], error["detail"]]),
        };
        (id, outcome)
    });
    by_id.collect()
}

/// A repeated request over the other protocol is answered from the cache, with the
/// same content.
#[tokio::test]
async fn protocols_share_the_cache() {
    let server = server().start().await;
    let body = json!({"limits": {"nodes": 3000}, "count": 2, "moves": ["b2-3r"]});
    let first = grpc(&server, "Hint", "pentago", &body).await.expect("a hint");
    let second = server.post("/v1/games/pentago/hints", &body).await.ok().json();
    assert_eq!((&first["cached"], &second["cached"]), (&json!(false), &json!(true)));
    assert_eq!(comparable(Ok(first)), comparable(Ok(second)));
}

/// A search limited by nodes alone is reproducible, whatever was searched in between
/// and over either protocol.
#[tokio::test]
async fn node_limited_search_is_reproducible() {
    let server = server().set(|config| config.cache_mib = 0).start().await;
    let body = json!({"variant": "finnish", "moves": ["b2-3r"], "limits": {"nodes": 30_000}, "count": 2});
    let first = comparable(grpc(&server, "Hint", "pentago", &body).await);
    for between in ["c3-1l", "e5-2r"] {
        let other = json!({"variant": "finnish", "moves": ["b2-3r", between], "limits": {"nodes": 30_000}});
        server.post("/v1/games/pentago/hints", &other).await.ok();
        let again = comparable(server.post("/v1/games/pentago/hints", &body).await.answer());
        assert_eq!(first, again, "after a request about {between}");
    }
}

/// Query parameters accept limits by their short name or by their path in the body.
#[tokio::test]
async fn query_limits_have_two_names() {
    let server = server().set(|config| config.cache_mib = 0).start().await;
    let get = async |limit: &str| {
        let reply = server.get(&format!("/v1/games/pentago/hints?variant=finnish&{limit}")).await;
        (reply.json()["stopReason"].clone(), comparable(reply.answer()))
    };
    let (short, long) = (get("depth=1").await, get("limits.depth=1").await);
    assert_eq!(short.0, "depth", "{short:#?}");
    assert_eq!(short, long);
}

/// Both protocols describe games alike.
#[tokio::test]
async fn games_are_described_alike() {
    let server = server().start().await;
    let list = server.grpc().call("ListGames", &json!({})).await.expect("the games");
    assert_eq!(comparable(Ok(list)), comparable(server.get("/v1/games").await.answer()));
    for game in ["pentago", "tictactoe", "chess"] {
        let over_grpc = grpc(&server, "GetGame", game, &json!({})).await;
        let over_rest = server.get(&format!("/v1/games/{game}")).await.answer();
        assert_eq!(comparable(over_grpc), comparable(over_rest), "{game}");
    }
}

/// All pages together are the complete list, also when the protocols alternate with
/// one page token.
#[tokio::test]
async fn page_tokens_work_on_both_protocols() {
    let server = server().start().await;
    let whole = server.get("/v1/games/pentago/legal-moves").await.ok().json();
    assert_eq!(whole["total"], 288, "{whole}");
    let described = server.get("/v1/games/pentago/position").await.ok().json();
    assert_eq!(whole["key"], described["key"]);
    let (mut together, mut token, mut turn) = (Vec::new(), String::new(), 0);
    loop {
        let body = json!({"pageSize": 100, "pageToken": token});
        let page = match turn % 3 {
            0 => grpc(&server, "ListLegalMoves", "pentago", &body).await.expect("a page"),
            1 => server.post("/v1/games/pentago/legal-moves", &body).await.ok().json(),
            _ => server.get(&format!("/v1/games/pentago/legal-moves{}", query(&body))).await.ok().json(),
        };
        assert_eq!((&page["total"], &page["key"]), (&json!(288), &whole["key"]), "turn {turn}: {page}");
        together.extend(page["moves"].as_array().expect("a list").clone());
        token = page["nextPageToken"].as_str().expect("a token").to_owned();
        turn += 1;
        if token.is_empty() {
            break;
        }
    }
    assert_eq!((turn, Value::from(together)), (3, whole["moves"].clone()));
}

async fn grpc(server: &TestServer, rpc: &str, game: &str, body: &Value) -> Answer {
    let mut request = body.clone();
    request["game"] = game.into();
    server.grpc().call(rpc, &request).await.map_err(|status| Box::new(Failure::from_status(&status)))
}

/// Removes what may differ: times, cache flags, request ids, and nulls, which gRPC
/// leaves out.
fn comparable(answer: Answer) -> Answer {
    let answer = answer.map_err(|failure| failure.without_request_id().with_proto_field())?;
    let mut answer = without_nulls(answer);
    if let Some(fields) = answer.as_object_mut() {
        fields.remove("elapsedMs");
        fields.remove("cached");
    }
    Ok(answer)
}
