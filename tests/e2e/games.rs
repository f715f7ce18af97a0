//! The list of games and single games, on both protocols.

use serde_json::{Value, json};

use crate::support::server;

/// The keys of an object, sorted.
fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap_or_else(|| panic!("not an object: {value}")).keys().map(String::as_str).collect()
}

fn ids(list: &Value) -> Vec<&str> {
    let items = list.as_array().unwrap_or_else(|| panic!("not a list: {list}"));
    items.iter().map(|item| item["id"].as_str().unwrap_or_else(|| panic!("no id: {item}"))).collect()
}

/// The list has every game, sorted by id, with every field of the contract.
#[tokio::test]
async fn list_has_every_field() {
    let server = server().start().await;
    let rest = server.get("/v1/games").await.ok().json();
    let grpc = server.grpc().call("ListGames", &json!({})).await.expect("the games");
    for (protocol, answer) in [("REST", rest), ("gRPC", grpc)] {
        assert_eq!(ids(&answer["games"]), ["pentago", "tictactoe"], "{protocol}: {answer:#}");
        for game in answer["games"].as_array().expect("it was one above") {
            assert_eq!(
                keys(game),
                ["abi", "capabilities", "id", "name", "seats", "variants", "version"],
                "{protocol}: {game:#}"
            );
            for variant in game["variants"].as_array().expect("a list") {
                assert_eq!(
                    keys(variant),
                    ["id", "name", "seatNames", "seats", "sides", "summary"],
                    "{protocol}: {variant:#}"
                );
                assert!(variant["summary"].as_str().is_some_and(|text| !text.is_empty()), "{protocol}: {variant:#}");
            }
        }
    }
}

/// Variants are in the order of the rules page, the default first, with seats in
/// playing order.
#[tokio::test]
async fn variants_are_ordered() {
    let server = server().start().await;
    let games = server.get("/v1/games").await.ok().json();
    let pentago = &games["games"][0];
    assert_eq!(ids(&pentago["variants"]), ["standard", "finnish", "czech", "clockwise"], "{pentago:#}");
    assert_eq!(pentago["seats"], json!(["w", "b"]));
    assert_eq!(pentago["abi"], "1.0");
    assert_eq!(pentago["capabilities"], json!(["search", "symmetry", "layout", "reasons", "threats"]));
    for variant in pentago["variants"].as_array().expect("a list") {
        assert_eq!(variant["seats"], json!(["w", "b"]), "{variant:#}");
        assert_eq!(variant["sides"], json!({"w": 0, "b": 1}), "{variant:#}");
    }
    let tictactoe = &games["games"][1];
    assert_eq!(tictactoe["capabilities"], json!(["threats"]), "{tictactoe:#}");
    assert_eq!(tictactoe["version"], "1.0.0");
}

/// A single game has its rules, notation and board layout.
#[tokio::test]
async fn game_has_rules_and_layout() {
    let server = server().start().await;
    let rest = server.get("/v1/games/pentago").await.ok().json();
    let grpc = server.grpc().call("GetGame", &json!({"game": "pentago"})).await.expect("the game");
    for (protocol, game) in [("REST", rest), ("gRPC", grpc)] {
        for text in ["notation", "rules"] {
            assert!(game[text].as_str().is_some_and(|text| text.len() > 40), "{protocol}: {text}: {game:#}");
        }
        let layout = &game["layout"];
        let mut cells: Vec<String> =
            ('a'..='f').flat_map(|file| (1..=6).map(move |rank| format!("{file}{rank}"))).collect();
        cells.sort();
        let mut points = ids(&layout["points"]);
        points.sort_unstable();
        assert_eq!(points, cells, "{protocol}");
        assert_eq!(ids(&layout["blocks"]), ["1", "2", "3", "4"], "{protocol}");
        for block in layout["blocks"].as_array().expect("a list") {
            assert_eq!(block["points"].as_array().map(Vec::len), Some(9), "{protocol}: {block:#}");
        }
        assert_eq!(ids(&layout["pieces"]), ["w", "b"], "{protocol}");
        let seats: Vec<&Value> = layout["pieces"].as_array().expect("a list").iter().map(|it| &it["seat"]).collect();
        assert_eq!(seats, ["w", "b"], "{protocol}");
        let (width, height) =
            (layout["width"].as_f64().expect("a width"), layout["height"].as_f64().expect("a height"));
        for point in layout["points"].as_array().expect("a list") {
            let (x, y) = (point["x"].as_f64().expect("x"), point["y"].as_f64().expect("y"));
            assert!((0.0..=width).contains(&x) && (0.0..=height).contains(&y), "{protocol}: off the board: {point:#}");
        }
    }
}

/// `a1` is the top left corner, as in the rules.
#[tokio::test]
async fn layout_has_a1_at_the_top_left() {
    let server = server().start().await;
    let game = server.get("/v1/games/pentago").await.ok().json();
    let at = |id: &str| {
        let points = game["layout"]["points"].as_array().expect("a list");
        let point = points.iter().find(|point| point["id"] == id).unwrap_or_else(|| panic!("no {id}"));
        (point["x"].as_f64().expect("x"), point["y"].as_f64().expect("y"))
    };
    let ((a1_x, a1_y), (f1_x, f1_y), (a6_x, a6_y)) = (at("a1"), at("f1"), at("a6"));
    assert!(a1_x < f1_x && a1_y == f1_y, "files go to the right: a1 {a1_x},{a1_y} f1 {f1_x},{f1_y}");
    assert!(a1_y < a6_y && a1_x == a6_x, "ranks go down: a1 {a1_x},{a1_y} a6 {a6_x},{a6_y}");
}

/// The layout of a game without one is null in JSON and unset in gRPC.
#[tokio::test]
async fn missing_layout_is_null() {
    let server = server().start().await;
    let game = server.get("/v1/games/tictactoe").await.ok().json();
    assert!(game.as_object().expect("an object").contains_key("layout"), "{game:#}");
    assert_eq!(game["layout"], Value::Null);
    assert_eq!(game["variantLayouts"], json!({}));
    let grpc = server.grpc().call("GetGame", &json!({"game": "tictactoe"})).await.expect("the game");
    assert_eq!(grpc.get("layout"), None, "unset: {grpc:#}");
}

/// A game publishes the codes of its reasons, and its hints carry no others.
#[tokio::test]
async fn reason_codes_are_published() {
    let server = server().start().await;
    let rest = server.get("/v1/games/pentago").await.ok().json();
    let grpc = server.grpc().call("GetGame", &json!({"game": "pentago"})).await.expect("the game");
    assert_eq!(rest["reasonCodes"][0]["code"], "wins_now", "{rest:#}");
    assert_eq!(grpc["reasonCodes"][0], rest["reasonCodes"][0]);
    let codes = rest["reasonCodes"].as_array().expect("a list");
    assert!(codes.iter().all(|code| code["description"].as_str().is_some_and(|text| text.len() > 10)), "{rest:#}");
    assert!(codes.iter().any(|code| code["code"] == "improves" && code["namesCells"] == false), "{rest:#}");
    let answer = server.post("/v1/games/pentago/hints", &json!({"moves": ["a1-3r"], "count": 5})).await.ok().json();
    for reason in
        answer["hints"].as_array().expect("hints").iter().flat_map(|hint| hint["reasons"].as_array().expect("reasons"))
    {
        assert!(codes.iter().any(|code| code["code"] == reason["code"]), "{reason:#}");
    }
}

/// A game without reasons publishes no codes, and its moves are explained by what is proven
/// about them.
#[tokio::test]
async fn unexplained_moves_have_generic_reasons() {
    let server = server().start().await;
    let game = server.get("/v1/games/tictactoe").await.ok().json();
    assert_eq!(game["reasonCodes"], json!([]));
    let codes = async |position: &str| {
        let answer = server.post("/v1/games/tictactoe/hints", &json!({"position": position, "count": 1})).await;
        let reasons = answer.ok().json()["hints"][0]["reasons"].clone();
        reasons.as_array().expect("a list").iter().map(|reason| reason["code"].clone()).collect::<Vec<Value>>()
    };
    assert_eq!(codes("xx1/oo1/3 x").await, ["wins"]);
    assert_eq!(codes("xox/xoo/ox1 x").await, ["draws", "only_move"]);
}

/// A rule set built for ABI 1.0 works with all its extensions.
#[tokio::test]
async fn rule_set_of_abi_1_0_works() {
    let server = server().plugin("abi_1_0").start().await;
    let game = server.get("/v1/games/abi-1-0").await.ok().json();
    assert_eq!(game["abi"], "1.0", "{game:#}");
    assert_eq!(game["reasonCodes"], json!([]), "a list that it cannot give: {game:#}");
    let answer = server.post("/v1/games/abi-1-0/hints", &json!({"moves": ["b"]})).await.ok().json();
    let best = &answer["hints"][0];
    assert_eq!(best["evaluation"]["certainty"], "proven", "{answer:#}");
    assert_eq!(best["evaluation"]["source"], "solver", "{answer:#}");
    assert_eq!(best["reasons"][0]["cells"], json!([best["move"]]), "{answer:#}");
    let picture = server.get("/v1/games/abi-1-0/diagram.svg?moves=b,f").await.ok();
    assert!(picture.text().starts_with("<svg"), "{picture:?}");
}
