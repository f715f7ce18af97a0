//! Wins of every seat, and the moves that stop them, over both protocols.

use serde_json::{Value, json};

use crate::support::{TestServer, server};

/// White wins with e1, black with e3; it is white's turn.
const BOTH: &str = "wwww2/6/bbbb2/6/6/6 w";

async fn threats(server: &TestServer, game: &str, body: &Value) -> Value {
    server.post(&format!("/v1/games/{game}/threats"), body).await.ok().json()
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(|text| text.as_str().expect("a text")).collect()
}

/// Threats have the winning move, its cells and the moves that stop it; their kinds are
/// listed with the game.
#[tokio::test]
async fn wins_of_both_sides_are_listed() {
    let server = server().start().await;
    let answer = threats(&server, "pentago", &json!({"position": BOTH})).await;
    let [white, black] = &answer["threats"].as_array().expect("a list")[..] else { panic!("{answer:#}") };
    assert_eq!((&white["seat"], &white["kind"], &white["move"]), (&json!("w"), &json!("placing"), &json!("e1")));
    assert_eq!(white["cells"], json!(["a1", "b1", "c1", "d1", "e1"]));
    assert_eq!((&white["stoppedBy"], &white["plies"], &white["score"]), (&json!([]), &json!(1), &json!(1.0)));
    assert_eq!((&black["seat"], &black["move"]), (&json!("b"), &json!("e3")));
    assert_eq!(black["cells"], json!(["a3", "b3", "c3", "d3", "e3"]));
    assert!(texts(&answer["stopsAll"]).contains(&"e1"), "{answer:#}");
    assert_eq!(
        (&answer["toMove"], &answer["seats"], &answer["truncated"]),
        (&json!("w"), &json!(["w", "b"]), &json!(false))
    );
    let game = server.get("/v1/games/pentago").await.ok().json();
    let kinds: Vec<&str> =
        game["threatKinds"].as_array().expect("a list").iter().filter_map(|it| it["kind"].as_str()).collect();
    assert_eq!(kinds, ["placing", "turning"]);
}

/// After a move that stops all threats the other side has none; after one that stops a
/// single threat, that one is gone; other moves leave it.
#[tokio::test]
async fn stopping_moves_stop() {
    let server = server().start().await;
    let answer = threats(&server, "pentago", &json!({"position": BOTH})).await;
    let stops_all = texts(&answer["stopsAll"]);
    let stopped_by = texts(&answer["threats"][1]["stoppedBy"]);
    assert!(stops_all.len() > 3 && stopped_by.len() > 50, "{answer:#}");
    let of_black = async |mv: &str| {
        let after = threats(&server, "pentago", &json!({"position": BOTH, "moves": [mv]})).await;
        let all = after["threats"].as_array().expect("a list").clone();
        all.into_iter().filter(|threat| threat["seat"] == "b").collect::<Vec<Value>>()
    };
    for mv in &stops_all {
        assert_eq!(of_black(mv).await, Vec::<Value>::new(), "{mv}");
    }
    for mv in stopped_by.iter().step_by(11) {
        assert!(
            !of_black(mv)
                .await
                .iter()
                .any(|threat| threat["cells"] == answer["threats"][1]["cells"] && threat["move"] == "e3"),
            "{mv}"
        );
    }
    for mv in ["f6-4r", "a6-3l"] {
        assert!(!stopped_by.contains(&mv) && of_black(mv).await.iter().any(|threat| threat["move"] == "e3"), "{mv}");
    }
}

/// Every bundled game answers in every variant; start positions have no threats.
#[tokio::test]
async fn bundled_games_list_threats() {
    let server = server().bundled().start().await;
    let games = server.get("/v1/games").await.ok().json();
    for game in games["games"].as_array().expect("a list") {
        let id = game["id"].as_str().expect("an id");
        for variant in game["variants"].as_array().expect("a list") {
            let answer = threats(&server, id, &json!({"variant": variant["id"]})).await;
            assert_eq!((&answer["threats"], &answer["stopsAll"]), (&json!([]), &json!([])), "{id}: {answer:#}");
            assert_eq!(answer["seats"], variant["seats"], "{id}");
        }
    }
}

/// Pentagame has very many moves: lists are truncated and marked so, and the named figures
/// can really move out.
#[tokio::test]
async fn long_lists_are_cut() {
    let server = server().bundled().start().await;
    let position = "C6a,*,*,D,E/D,*,*,C,B a,b,c,d,e A1B,B1C,C1D 1 -";
    let answer = threats(&server, "pentagame", &json!({"position": position})).await;
    let listed = answer["threats"].as_array().expect("a list");
    assert!(listed.iter().any(|threat| threat["seat"] == "1" && threat["kind"] == "moving_out"), "{answer:#}");
    let of_other: Vec<&Value> = listed.iter().filter(|threat| threat["seat"] == "2").collect();
    assert_eq!(of_other.len(), 2, "{answer:#}");
    assert!(of_other.iter().all(|threat| texts(&threat["stoppedBy"]).len() == 256), "{answer:#}");
    assert_eq!(answer["truncated"], true);
    let mv = answer["stopsAll"][0].as_str().expect("a move");
    let after = threats(&server, "pentagame", &json!({"position": position, "moves": [mv]})).await;
    let is_left = |threat: &Value| threat["seat"] == "2";
    assert!(!after["threats"].as_array().expect("a list").iter().any(is_left), "{mv}: {after:#}");
}

/// A win in three plies of the side that is not to move is found by a search, and counted
/// like any other request.
#[tokio::test]
async fn forced_wins_are_found() {
    let server = server().start().await;
    let body = json!({"position": "x2/1o1/2x o", "depth": 3, "limits": {"timeMs": 60_000}});
    let answer = threats(&server, "tictactoe", &body).await;
    let [threat] = &answer["threats"].as_array().expect("a list")[..] else { panic!("{answer:#}") };
    assert_eq!((&threat["seat"], &threat["kind"], &threat["plies"]), (&json!("x"), &json!("forced"), &json!(3)));
    let metrics = server.metrics().await;
    let labels = [("protocol", "rest"), ("method", "ListThreats"), ("game", "tictactoe"), ("code", "200")];
    assert_eq!(metrics.value("pentad_requests_total", &labels), Some(1.0));
}
