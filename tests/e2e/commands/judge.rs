//! `pentad judge`: decisions with a proven value, in games from a file.

use serde_json::{Value, json};

use super::{printed, typed};

/// The seat to move wins at once. In the first game White does not, and Black does; in the
/// second White tries moves that are not legal first; in the third a move comes after the end.
const GAMES: &str = r#"
{"game": "pentago", "position": "wwww2/6/bbbb2/6/6/6 w", "moves": ["f6-4r", "e3"], "players": {"w": "careless", "b": "careful"}}
{"game": "pentago", "position": "wwww2/6/bbbb2/6/6/6 w", "moves": ["a1-1l", "nonsense", "e1"], "players": {"w": "careful", "b": "careless"}}
{"game": "pentago", "position": "wwww2/6/bbbb2/6/6/6 w", "moves": ["f6-4r", "e3", "a6"]}
not a game
{"game": "chess", "moves": []}
{"game": "pentago", "moves": ["b2"], "score": 1}
{"game": "pentago", "moves": [], "players": {"x": "nobody"}}
"#;

async fn judged(games: &str) -> (Option<i32>, Value, String) {
    let ended = typed(["judge", "--json", "--nodes", "3000"], games).await;
    let report = serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{error}: {ended:?}"));
    (ended.code, report, ended.stderr)
}

/// Kept and thrown values, illegal moves and results are counted for seats and for players;
/// bad lines are named and make the exit code 2.
#[tokio::test]
async fn decisions_are_counted() {
    let (code, report, stderr) = judged(GAMES).await;
    assert_eq!(code, Some(2), "{stderr}");
    for line in [
        "line 5: ",
        "line 6: no game `chess`",
        "line 7: unknown field `score`",
        "line 8: players: there is no seat `x`",
    ] {
        assert!(stderr.contains(line), "{line}: {stderr}");
    }
    assert_eq!((&report["games"], &report["badLines"]), (&json!(3), &json!(4)), "{report:#}");
    let count = |share: &Value| (share["count"].clone(), share["of"].clone());
    let one_of_one = (json!(1), json!(1));

    let careless = &report["players"]["careless"];
    assert_eq!((&careless["games"], &careless["score"]), (&json!(2), &json!(0.0)), "{report:#}");
    assert_eq!(count(&careless["threwAwayWin"]), one_of_one, "{report:#}");
    assert_eq!(count(&careless["kept"]), (json!(0), json!(1)), "{report:#}");
    let careful = &report["players"]["careful"];
    assert_eq!((&careful["moves"], &careful["score"]), (&json!(2), &json!(1.0)), "{report:#}");
    assert_eq!(count(&careful["illegal"]), (json!(2), json!(4)), "{report:#}");
    let kept = &careful["kept"];
    assert_eq!((count(kept), &kept["high"]), ((json!(2), json!(2)), &json!(1.0)), "{report:#}");
    assert!((kept["low"].as_f64().expect("a bound") - 0.3424).abs() < 1e-3, "{report:#}");

    let seats = &report["seats"];
    let moves = (&seats["pentago w"]["moves"], &seats["pentago b"]["moves"]);
    assert_eq!(moves, (&json!(3), &json!(2)), "the move after the end is no decision: {report:#}");
    assert_eq!((&seats["pentago w"]["games"], &seats["pentago b"]["games"]), (&json!(3), &json!(3)), "{report:#}");
}

/// What a search within the limits cannot prove is not counted.
#[tokio::test]
async fn only_proofs_count() {
    let game = r#"{"game": "pentago", "variant": "finnish", "moves": ["c3-2r", "d4-1l", "a1-3r"]}"#;
    let (code, report, stderr) = judged(&game.replace("\"moves\"", "\"players\": {\"w\": \"me\"}, \"moves\"")).await;
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{report:#}");
    let me = &report["players"]["me"];
    assert_eq!((&me["moves"], &me["known"]["count"], &me["finished"]), (&json!(2), &json!(0), &json!(0)), "{report:#}");
    assert_eq!((&me["kept"]["share"], &me["score"]), (&Value::Null, &Value::Null), "{report:#}");
}

/// Games that `selfplay` writes name their players, who change seats from game to game.
#[tokio::test]
async fn selfplay_writes_games_to_judge() {
    let file = pentad_test_plugins::scratch_dir().join("games.ndjson");
    let path = file.to_str().expect("UTF-8");
    let played = ["selfplay", "pentago", "--seats", "random,level10", "--games", "4", "--nodes", "300"];
    printed(played.into_iter().chain(["--seed", "1", "--output", path])).await;
    let lines = std::fs::read_to_string(&file).expect("it is written");
    let games: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("a game")).collect();
    let seats_of = |player: &str| games.iter().filter(|game| game["players"]["w"] == player).count();
    assert_eq!((games.len(), seats_of("random"), seats_of("level10")), (4, 2, 2), "{lines}");

    let table = printed(["judge", path, "--nodes", "1000"]).await;
    for row in ["player", "level10", "random", "pentago w", "pentago b"] {
        assert!(table.lines().any(|line| line.starts_with(row)), "{row}:\n{table}");
    }
    let report = printed(["judge", path, "--nodes", "1000", "--json"]).await;
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let score = |player: &str| report["players"][player]["score"].as_f64().expect("a score");
    assert_eq!((score("level10"), score("random")), (1.0, 0.0), "{report:#}");
    assert!(report["players"]["random"]["known"]["count"].as_u64() > Some(0), "the openings are known: {report:#}");
}
