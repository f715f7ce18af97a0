//! Every bundled game in every variant.

use serde_json::{Value, json};

use crate::support::{TestServer, assert_golden, server};

/// A game with its variants, the default first, each with its seats and the number of legal
/// moves in its start position, as the rules pages state.
type Games = &'static [(&'static str, &'static [(&'static str, &'static [&'static str], u64)])];
const GAMES: Games = &[
    ("pentaflip", &[("standard", &["w", "b"], 12)]),
    ("pentagame", &[("2p", &["1", "2"], 1_010), ("3p", &["1", "2", "3"], 1_020), ("4p", &["1", "2", "3", "4"], 1_030)]),
    (
        "pentago",
        &[
            ("standard", &["w", "b"], 288),
            ("finnish", &["w", "b"], 324),
            ("czech", &["w", "b"], 288),
            ("clockwise", &["w", "b"], 144),
        ],
    ),
    (
        "pentago-xl",
        &[
            ("ffa4", &["r", "y", "g", "b"], 1_296),
            ("ffa3", &["r", "y", "g"], 1_296),
            ("ffa2", &["r", "y"], 1_296),
            ("places4", &["r", "y", "g", "b"], 1_296),
            ("places3", &["r", "y", "g"], 1_296),
            ("teams", &["r", "y", "g", "b"], 1_296),
        ],
    ),
];

async fn post(server: &TestServer, game: &str, call: &str, body: &Value) -> Value {
    server.post(&format!("/v1/games/{game}/{call}"), body).await.ok().json()
}

/// The server lists the bundled games with their variants and seats.
#[tokio::test]
async fn bundled_games_are_listed() {
    let server = server().bundled().start().await;
    let listed = server.get("/v1/games").await.ok().json();
    let games = listed["games"].as_array().expect("a list");
    assert_eq!(games.len(), GAMES.len(), "{listed:#}");
    for (game, (id, variants)) in games.iter().zip(GAMES) {
        assert_eq!(game["id"], *id);
        assert_eq!(game["capabilities"], json!(["search", "symmetry", "layout", "reasons", "threats"]), "{id}");
        let given: Vec<(&Value, &Value)> = game["variants"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|variant| (&variant["id"], &variant["seats"]))
            .collect();
        assert_eq!(given.len(), variants.len(), "{id}: {given:?}");
        for ((variant, seats), (wanted, wanted_seats, _)) in given.into_iter().zip(*variants) {
            assert_eq!((variant, seats), (&json!(wanted), &json!(wanted_seats)), "{id}");
        }
    }
}

/// In the start position of every variant: the seat to move, the number of legal
/// moves, three hints that can be played, and a score for every seat.
#[tokio::test]
async fn every_variant_has_hints() {
    let server = server().bundled().start().await;
    for (game, variants) in GAMES {
        for (variant, seats, n_moves) in *variants {
            let context = format!("{game} {variant}");
            let described = post(&server, game, "position", &json!({"variant": variant})).await;
            assert_eq!(described["toMove"], seats[0], "{context}");
            assert_eq!(described["outcome"], Value::Null, "{context}");
            assert_eq!(described["legalMoveCount"], json!(n_moves), "{context}");
            let body = json!({"variant": variant, "limits": {"nodes": 3000}, "count": 3});
            let hinted = post(&server, game, "hints", &body).await;
            let hints = hinted["hints"].as_array().expect("a list");
            assert_eq!(hints.len(), 3, "{context}: {hinted:#}");
            for hint in hints {
                let played = json!({"variant": variant, "moves": [hint["move"]]});
                let after = post(&server, game, "position", &played).await;
                assert_ne!(after["position"], described["position"], "{context}: {hint:#}");
                let scores = hint["evaluation"]["scores"].as_object().expect("scores by seat");
                let total: f64 = scores.values().map(|score| score.as_f64().expect("a number")).sum();
                let of_teams = if *variant == "teams" { 2.0 } else { 1.0 };
                let wanted = if variant.starts_with("places") { seats.len() as f64 / 2.0 } else { of_teams };
                assert!((total - wanted).abs() < 1e-5, "{context}: the scores add up to {total}: {hint:#}");
                assert_eq!(scores.len(), seats.len(), "{context}: {hint:#}");
            }
        }
    }
}

/// Malformed positions and moves and illegal moves have different statuses and
/// reasons.
#[tokio::test]
async fn malformed_and_illegal_requests_are_distinguished() {
    let server = server().bundled().start().await;
    let cases = [
        ("pentaflip", json!({"position": "6/6/2WB2/2BW2/6/5x 6/6/6/6/6/6 w -"}), 400, "bad_position"),
        ("pentaflip", json!({"moves": ["a1"]}), 422, "illegal_move"),
        ("pentaflip", json!({"moves": ["~1", "~1"]}), 422, "illegal_move"),
        ("pentaflip", json!({"moves": ["~9"]}), 400, "bad_move"),
        ("pentago-xl", json!({"position": "9/9/9/9/9/9/9/9/8q r -"}), 400, "bad_position"),
        ("pentago-xl", json!({"moves": ["e5-5l"]}), 400, "bad_move"),
        ("pentagame", json!({"position": "A,B,C,D,E/A,B,C,D,Z a,b,c,d,e - 1 -"}), 400, "bad_position"),
        ("pentagame", json!({"moves": ["a-b"]}), 422, "illegal_move"),
        ("pentagame", json!({"moves": ["z-A1B"]}), 400, "bad_move"),
    ];
    for (game, request, status, reason) in cases {
        let reply = server.post(&format!("/v1/games/{game}/position"), &request).await;
        let problem = reply.json();
        assert_eq!((reply.status.as_u16(), &problem["reason"]), (status, &json!(reason)), "{request}: {problem:#}");
    }
}

/// A position with tens of thousands of moves (two figures may go home at once,
/// with a grey block each): pages, prefixes and hints work without listing all.
#[tokio::test]
async fn many_moves_are_paged() {
    let server = server().bundled().start().await;
    let position = "A,c,b,*,*/A,B,C,*,* d,A1B,A2B,A3B,B1C B2C,B3C,C1D,C2D 1 -";
    let described = post(&server, "pentagame", "position", &json!({"position": position})).await;
    let total = described["legalMoveCount"].as_u64().expect("a count");
    assert!(total > 50_000, "{total}");
    let first = post(&server, "pentagame", "legal-moves", &json!({"position": position, "pageSize": 1_000})).await;
    assert_eq!((first["moves"].as_array().map(Vec::len), &first["total"]), (Some(1_000), &json!(total)));
    let next = json!({"position": position, "pageSize": 1_000, "pageToken": first["nextPageToken"]});
    let next = post(&server, "pentagame", "legal-moves", &next).await;
    assert_ne!(next["moves"], first["moves"]);
    // Every move begins with the figure that makes it.
    let mut n_moves = 0;
    for figure in ["a", "b", "c"] {
        let prefixed = json!({"position": position, "prefix": format!("{figure}-"), "pageSize": 1});
        n_moves += post(&server, "pentagame", "legal-moves", &prefixed).await["total"].as_u64().expect("a count");
    }
    assert_eq!(n_moves, total);
    let hinted = post(&server, "pentagame", "hints", &json!({"position": position, "count": 2})).await;
    assert_eq!(hinted["evaluation"]["outcome"], "win", "two more figures home are four: {hinted:#}");
    for hint in hinted["hints"].as_array().expect("a list") {
        post(&server, "pentagame", "position", &json!({"position": position, "moves": [hint["move"]]})).await;
    }
}

/// The diagrams match the golden files.
#[tokio::test]
async fn diagrams_match_golden_files() {
    let server = server().bundled().start().await;
    let pictures = [
        ("pentaflip", "position=6/2w3/1wWBb1/2BWww/2b3/6+3b2/3b2/6/6/3w2/6+w+L&size=480"),
        ("pentago-xl", "variant=ffa4&moves=e5-9l,a1-1r,i9-3l,e4-2r&lastMove=true&size=480"),
        ("pentagame", "variant=4p&size=960"),
    ];
    for (game, query) in pictures {
        let drawn = server.get(&format!("/v1/games/{game}/diagram.svg?{query}")).await.ok().text();
        roxmltree::Document::parse(&drawn).unwrap_or_else(|error| panic!("{game}: {error}"));
        assert_golden(&format!("{game}.svg"), &drawn);
    }
}

/// Hundreds of thousands of moves that lead to tens of thousands of positions are
/// listed page by page, each position once.
#[tokio::test]
async fn distinct_moves_of_a_long_list_are_paged() {
    let server = server().bundled().start().await;
    let position = "b,a,C,D,E/*,*,C,D,E/*,*,C,D,E/*,*,C,D,E c,d,e,C1D,C2D A1B,A2B,A3B,B1C,B2C 1 -";
    let asked = json!({"variant": "4p", "position": position});
    let described = post(&server, "pentagame", "position", &asked).await;
    assert_eq!(described["legalMoveCount"], 379_173);
    let (mut n_listed, mut token, mut last) = (0, Value::Null, String::new());
    loop {
        let asked = json!({"variant": "4p", "position": position, "distinct": true, "pageToken": token});
        let page = post(&server, "pentagame", "legal-moves", &asked).await;
        assert_eq!((&page["total"], &page["key"]), (&json!(38_564), &described["key"]));
        for mv in page["moves"].as_array().expect("a list") {
            let mv = mv.as_str().expect("a text");
            assert!(last.as_str() < mv, "{mv} after {last}");
            last = mv.to_owned();
            n_listed += 1;
        }
        token = page["nextPageToken"].clone();
        if token == "" {
            break;
        }
    }
    assert_eq!(n_listed, 38_564);
    // A token belongs to one prefix.
    let some = json!({"variant": "4p", "position": position, "distinct": true, "prefix": "a-a"});
    let page = post(&server, "pentagame", "legal-moves", &some).await;
    assert!(page["total"].as_u64().is_some_and(|total| total > 0 && total < 38_564), "{}", page["total"]);
}
