//! Puzzles: correct for every defence, on both edges and the command line.

use std::collections::BTreeSet;

use futures_util::StreamExt;
use serde_json::{Value, json};

use crate::support::failure::Failure;
use crate::support::program::{program, run};
use crate::support::rest::send;
use crate::support::{TestServer, about, server};

async fn puzzles(server: &TestServer, game: &str, body: &Value) -> Vec<Value> {
    let path = format!("/v1/games/{game}/puzzles");
    let request = server.http.post(server.rest_url(&path)).header("accept", "application/x-ndjson").json(body);
    let text = send(request).await.ok().text();
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

async fn position(server: &TestServer, game: &str, position: &Value, moves: &[Value]) -> Value {
    let body = json!({"position": position, "moves": moves});
    server.post(&format!("/v1/games/{game}/position"), &body).await.ok().json()
}

/// Every line of a solution ends with a win, every distinct defence has one, and no
/// other move wins at once.
#[tokio::test]
async fn solutions_hold_against_every_defence() {
    let server = server().bundled().start().await;
    for game in ["pentago", "pentaflip"] {
        let body = json!({"count": 2, "seed": 7, "limits": {"nodes": 20_000}});
        let messages = puzzles(&server, game, &body).await;
        let last = messages.last().expect("a message");
        assert_eq!((&last["final"]["found"], &last["final"]["wanted"]), (&json!(2), &json!(2)), "{game}: {last}");
        let found = messages.iter().filter_map(|message| message.get("puzzle"));
        for puzzle in found {
            assert_eq!((&puzzle["pliesToEnd"], &puzzle["moveIndex"]), (&json!(3), &Value::Null), "{game}");
            let described = position(&server, game, &puzzle["position"], &[]).await;
            assert_eq!(puzzle["key"], described["key"], "{game}: {puzzle:#}");
            let lines = puzzle["solutions"].as_array().expect("lines");
            let first = &puzzle["firstMoves"][0];
            let mut defences = BTreeSet::new();
            for line in lines {
                let line = line.as_array().expect("moves");
                assert_eq!(&line[0], first, "{game}: {puzzle:#}");
                defences.insert(line[1].as_str().expect("a move").to_owned());
                let end = position(&server, game, &puzzle["position"], line).await;
                let winner = puzzle["toMove"].as_str().expect("a seat");
                assert_eq!(end["outcome"]["scores"][winner], 1.0, "{game}: {line:?} {end:#}");
            }
            // Symmetric defences are one, so there may be fewer lines than positions.
            let replies = json!({"position": puzzle["position"], "moves": [first], "distinct": true});
            let replies = server.post(&format!("/v1/games/{game}/legal-moves"), &replies).await.ok().json();
            let n_replies = replies["total"].as_u64().expect("a number");
            assert!(defences.len() as u64 <= n_replies && defences.len() as u64 * 8 >= n_replies, "{game}: {replies}");
        }
    }
}

/// Wins of tic-tac-toe in five plies that exactly one move forces, and one that two moves
/// force, as an independent solver lists them.
#[tokio::test]
async fn wins_of_five_plies_are_proven() {
    let server = server().start().await;
    for (start, keys) in FIVE_PLIES {
        let body = json!({"position": start, "moves": [keys[0]], "maxPlies": 5, "limits": {"nodes": 100_000}});
        let messages = puzzles(&server, "tictactoe", &body).await;
        let found: Vec<&Value> = messages.iter().filter_map(|message| message.get("puzzle")).collect();
        let [puzzle] = found[..] else {
            assert!(found.is_empty() && keys.len() > 1, "{start}: {messages:#?}");
            continue;
        };
        assert_eq!((&puzzle["pliesToEnd"], &puzzle["firstMoves"]), (&json!(5), &json!(keys)), "{start}: {puzzle:#}");
        let lines = puzzle["solutions"].as_array().expect("lines");
        let moves = |line: &Value| line.as_array().expect("moves").clone();
        assert!(lines.iter().any(|line| moves(line).len() == 5), "{start}: {puzzle:#}");
        let defences: BTreeSet<String> = lines.iter().map(|line| line[1].to_string()).collect();
        let n_replies = 8 - start.matches(['x', 'o']).count() + 1;
        assert_eq!(defences.len(), n_replies, "{start}: {puzzle:#}");
        for line in lines {
            let end = position(&server, "tictactoe", &puzzle["position"], &moves(line)).await;
            let winner = puzzle["toMove"].as_str().expect("a seat");
            assert_eq!(end["outcome"]["scores"][winner], 1.0, "{start}: {line} {end:#}");
        }
    }
}

/// Positions of tic-tac-toe and the moves that force a win in five plies and not in three.
const FIVE_PLIES: &[(&str, &[&str])] = &[
    ("3/2x/o2 x", &["c3"]),
    ("3/o2/1xx o", &["a3"]),
    ("2o/x2/3 x", &["a1"]),
    ("1x1/2x/1oo x", &["a3"]),
    ("1xx/3/o2 o", &["a1"]),
    ("ox1/o2/2x x", &["a3"]),
    ("3/3/xxo o", &["c1", "c2"]),
    ("3/x2/1o1 x", &["b2", "a3"]),
];

/// A given game is searched for puzzles, and both edges find the same ones.
#[tokio::test]
async fn games_are_looked_through() {
    let server = server().start().await;
    let body = json!({
        "position": "wwww2/6/bbbb2/6/6/6 w", "moves": ["f6-4r", "e3"], "count": 5, "maxPlies": 1,
        "limits": {"nodes": 20_000},
    });
    let messages = puzzles(&server, "pentago", &body).await;
    assert!(messages.last().expect("a message").get("final").is_some(), "{messages:#?}");
    let rows: Vec<&Value> = messages.iter().filter_map(|message| message.get("puzzle")).collect();
    for puzzle in &rows {
        assert_eq!(puzzle["pliesToEnd"], 1, "{puzzle:#}");
        assert!(puzzle["moveIndex"].as_u64().expect("an index") < 2, "{puzzle:#}");
    }
    let over_grpc = server.grpc().stream("FindPuzzles", &about("pentago", body)).await.expect("a search");
    let over_grpc: Vec<Value> = over_grpc.map(|message| message.expect("no failure")).collect().await;
    assert_eq!(over_grpc, messages);
}

/// However many puzzles are requested, the search ends at the server's bound with its final
/// message.
#[tokio::test]
async fn the_search_for_puzzles_is_bounded() {
    let server = server().set(|config| config.stream_time_max_ms = 200).start().await;
    let messages = puzzles(&server, "pentago", &json!({"count": 1000, "theme": "no_such_theme"})).await;
    let (last, earlier) = messages.split_last().expect("a message");
    assert_eq!(last["final"]["found"], 0, "{messages:#?}");
    assert!(earlier.iter().all(|message| message.get("progress").is_some()), "{messages:#?}");
}

/// With more than two sides puzzles are wins at once without being asked for, over both
/// edges and on the command line.
#[tokio::test]
async fn puzzles_of_many_sides_are_wins_at_once() {
    let server = server().bundled().start().await;
    let body = json!({"seed": 7, "limits": {"nodes": 2000}});
    let messages = puzzles(&server, "pentago-xl", &body).await;
    let found: Vec<&Value> = messages.iter().filter_map(|message| message.get("puzzle")).collect();
    let [puzzle] = found[..] else { panic!("{messages:#?}") };
    assert_eq!(
        (&puzzle["pliesToEnd"], &puzzle["solutions"][0][0]),
        (&json!(1), &puzzle["firstMoves"][0]),
        "{puzzle:#}"
    );
    let over_grpc = server.grpc().stream("FindPuzzles", &about("pentago-xl", body)).await.expect("a search");
    let over_grpc: Vec<Value> = over_grpc.map(|message| message.expect("no failure")).collect().await;
    assert_eq!(over_grpc[0]["puzzle"]["position"], puzzle["position"], "{over_grpc:#?}");
    let printed = run(program(["puzzles", "pentago-xl", "-n", "1", "--seed", "7", "--nodes", "2000"])).await;
    assert_eq!(printed.code, Some(0), "{printed:?}");
    let printed: Value = serde_json::from_str(&printed.stdout).expect("one puzzle");
    assert_eq!(&printed, puzzle);
}

/// Invalid arguments are refused with their field.
#[tokio::test]
async fn bad_questions_are_refused() {
    let server = server().bundled().start().await;
    for (game, body, field) in [
        ("pentago", json!({"count": 0}), "count"),
        ("pentago", json!({"count": 1001}), "count"),
        ("pentago", json!({"maxPlies": 6}), "maxPlies"),
        ("pentago", json!({"minPlies": 3, "maxPlies": 1}), "minPlies"),
        ("pentago", json!({"minPlies": 0}), "minPlies"),
        ("pentago", json!({"totalTimeMs": 0}), "totalTimeMs"),
        ("pentago-xl", json!({"maxPlies": 3}), "maxPlies"),
        ("pentago-xl", json!({"minPlies": 3}), "minPlies"),
    ] {
        let problem = server.post(&format!("/v1/games/{game}/puzzles"), &body).await.expect(400).problem();
        assert_eq!(problem.reason, "bad_argument", "{body}");
        assert!(format!("{problem:?}").contains(field), "{body}: {problem:?}");
    }
    let request = about("pentago", json!({"maxPlies": 7}));
    let Err(failure) = server.grpc().stream("FindPuzzles", &request).await else { panic!("it began") };
    assert_eq!(Failure::from_status(&failure).reason, "bad_argument");
}

/// The command line prints one puzzle per line, the same ones for the same seed.
#[tokio::test]
async fn the_command_line_prints_puzzles() {
    let command = || program(["puzzles", "pentaflip", "-n", "2", "--seed", "3"]);
    let (first, second) = (run(command()).await, run(command()).await);
    assert_eq!(first.code, Some(0), "{first:?}");
    let lines: Vec<Value> = first.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 2, "{first:?}");
    assert!(lines.iter().all(|puzzle| puzzle["solutions"][0][0] == puzzle["firstMoves"][0]), "{first:?}");
    assert_eq!(first.stdout, second.stdout);
}
