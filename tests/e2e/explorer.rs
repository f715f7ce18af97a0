//! The explorer: what is known about each move, and the games that it counts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::program::{Exited, ServerProcess, program, run, serve};
use crate::support::rest::{self, send};
use crate::support::{about, server, two_games};

/// White wins with `e1`.
const WON: &str = "wwww2/6/bbbb2/6/6/6 w";

fn file(name: &str) -> PathBuf {
    pentad_test_plugins::scratch_dir().join(name)
}

/// Runs a command with a store in a file and two games.
async fn pentad(store: &Path, arguments: &[&str]) -> Exited {
    let rulesets = format!("--rulesets={}", two_games().display());
    let store = format!("--store={}", store.display());
    run(program([&[&*rulesets, "--isolation=in-process", &*store][..], arguments].concat())).await
}

async fn serve_with(store: &Path) -> ServerProcess {
    // No timeout, however slow the machine is.
    serve(two_games(), &["--store-read-ms-max", "10000", "--store", store.to_str().expect("UTF-8")]).await
}

async fn post(server: &ServerProcess, game: &str, call: &str, body: &Value) -> Value {
    send(rest::client().post(format!("http://{}/v1/games/{game}/{call}", server.rest)).json(body)).await.ok().json()
}

fn moves(answer: &Value) -> &Vec<Value> {
    answer["moves"].as_array().expect("a list")
}

/// Without a store every legal move is listed once, itself or as an equivalent, with a
/// value; a finished game has no moves.
#[tokio::test]
async fn every_move_is_there_without_a_store() {
    let server = server().bundled().start().await;
    for (game, body) in [
        ("pentago", json!({})),
        ("pentago", json!({"variant": "finnish", "moves": ["c3"]})),
        ("pentaflip", json!({"moves": ["~B"]})),
        ("pentago-xl", json!({})),
        ("pentagame", json!({})),
    ] {
        let answer = server.post(&format!("/v1/games/{game}/explorer"), &body).await.ok().json();
        let position = server.post(&format!("/v1/games/{game}/position"), &body).await.ok().json();
        for field in ["position", "toMove", "key"] {
            assert_eq!(answer[field], position[field], "{game} {body}: {field}");
        }
        let listed = server.post(&format!("/v1/games/{game}/legal-moves"), &body).await.ok().json();
        let legal: BTreeSet<&str> = moves(&listed).iter().map(|it| it.as_str().expect("a move")).collect();
        let mut seen = BTreeSet::new();
        for explored in moves(&answer) {
            let others = explored["equivalents"].as_array().expect("a list");
            for mv in others.iter().chain([&explored["move"]]) {
                assert!(seen.insert(mv.as_str().expect("a move")), "{game} {body}: {mv} twice");
            }
            assert_eq!((&explored["games"], &explored["scores"]), (&json!(0), &json!({})), "{game}: {explored}");
            let is_proven = explored["evaluation"]["certainty"] == "proven";
            assert_eq!(explored["provenShare"].as_f64(), Some(f64::from(u8::from(is_proven))), "{game}: {explored}");
        }
        // One page may not hold the whole list.
        assert!(legal.is_subset(&seen), "{game} {body}: {:?} are missing", legal.difference(&seen));
        assert_eq!(listed["total"], seen.len(), "{game} {body}");
        assert_eq!(answer["total"], moves(&answer).len(), "{game} {body}");
    }
    let book = server.post("/v1/games/pentago/explorer", &json!({})).await.ok().json();
    assert!(moves(&book).iter().all(|it| it["evaluation"]["source"] == "book"), "{book:#}");
    let won = server.post("/v1/games/pentago/explorer", &json!({"position": WON})).await.ok().json();
    assert_eq!((&won["moves"][0]["move"], &won["moves"][0]["evaluation"]["outcome"]), (&json!("e1"), &json!("win")));
    assert_eq!(won["moves"][0]["evaluation"]["pliesToEnd"], 1);
    let over = server.post("/v1/games/pentago/explorer", &json!({"position": WON, "moves": ["e1"]})).await.ok().json();
    assert_eq!((&over["total"], &over["moves"]), (&json!(0), &json!([])));
}

/// Results of searches are shown, from the cache and from a store, for every symmetric
/// position.
#[tokio::test]
async fn searched_values_are_shown() {
    let store = file("searched");
    let server = serve_with(&store).await;
    let before = post(&server, "tictactoe", "explorer", &json!({})).await;
    assert!(moves(&before).iter().all(|it| it["evaluation"]["source"] == "static"), "{before:#}");
    // Proves the draw, with the value of every move, and one reply to a move.
    let limits = json!({"nodes": 5_000_000});
    post(&server, "tictactoe", "hints", &json!({"count": 9, "limits": limits})).await;
    post(&server, "tictactoe", "hints", &json!({"moves": ["a1"], "limits": limits})).await;
    let after = post(&server, "tictactoe", "explorer", &json!({})).await;
    assert_eq!(after["total"], before["total"]);
    for explored in moves(&after) {
        let draw = (&json!("proven"), &json!("draw"), Some(1.0));
        let found = (&explored["evaluation"]["certainty"], &explored["evaluation"]["outcome"]);
        assert_eq!((found.0, found.1, explored["provenShare"].as_f64()), draw, "{explored:#}");
    }
    server.signal("TERM").await;
    server.end().await;
    let server = serve_with(&store).await;
    assert_eq!(post(&server, "tictactoe", "explorer", &json!({})).await, after, "by the next process");
}

/// The counts of games agree with a slow count of their moves, with symmetric positions as
/// one; each game counts once, however often it is recorded.
#[tokio::test]
async fn games_are_counted_once() {
    let store = file("games");
    let selfplay = ["selfplay", "tictactoe", "--games", "40", "--level", "1", "--seed", "5"];
    let played = pentad(&store, &selfplay).await;
    assert_eq!((played.code, &*played.stderr), (Some(0), "pentad: 40 games recorded, 0 were there already\n"));
    let again = pentad(&store, &selfplay).await;
    assert_eq!(again.stderr, "pentad: 0 games recorded, 40 were there already\n");
    let store_path = store.to_str().expect("UTF-8");
    let exported = run(program(["store", "export", "--games", store_path])).await;
    assert_eq!(exported.stdout.lines().count(), 40, "{exported:?}");

    // Into another store, from the lines.
    let (copy, lines) = (file("copy"), file("lines"));
    std::fs::write(&lines, &exported.stdout).expect("a file");
    let imported = pentad(&copy, &["import", lines.to_str().expect("UTF-8")]).await;
    assert_eq!((imported.code, &*imported.stderr), (Some(0), "pentad: 40 games recorded, 0 were there already\n"));

    let server = serve_with(&copy).await;
    let games: Vec<Value> = exported.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    for ply in 0..3 {
        // By the keys of the positions before and after, which another call returns.
        let mut counts: BTreeMap<String, BTreeMap<String, (u64, f64)>> = BTreeMap::new();
        let mut examples: BTreeMap<String, Value> = BTreeMap::new();
        for game in games.iter().filter(|game| moves(game).len() > ply) {
            let key = async |n: usize| {
                let body = json!({"moves": moves(game)[..n]});
                post(&server, "tictactoe", "position", &body).await["key"].as_str().expect("a key").to_owned()
            };
            let (before, after) = (key(ply).await, key(ply + 1).await);
            examples.insert(before.clone(), json!(moves(game)[..ply]));
            let count = counts.entry(before).or_default().entry(after).or_default();
            *count = (count.0 + 1, count.1 + game["scores"]["x"].as_f64().expect("a score"));
        }
        for (before, moves_played) in examples {
            let explored = post(&server, "tictactoe", "explorer", &json!({"moves": moves_played})).await;
            let mut expected = counts.remove(&before).expect("it was counted");
            assert_eq!(explored["games"], expected.values().map(|it| it.0).sum::<u64>(), "{moves_played}");
            for mv in moves(&explored) {
                let mut played = moves_played.as_array().expect("a list").clone();
                played.push(mv["move"].clone());
                let after = post(&server, "tictactoe", "position", &json!({"moves": played})).await;
                let (n, points) = expected.remove(after["key"].as_str().expect("a key")).unwrap_or_default();
                assert_eq!(mv["games"], n, "{played:?}: {mv}");
                match n {
                    0 => assert_eq!(mv["scores"], json!({}), "{played:?}"),
                    _ => {
                        let mean = mv["scores"]["x"].as_f64().expect("a score");
                        assert!((mean - points / n as f64).abs() < 1e-6, "{played:?}: {mv}");
                    }
                }
            }
            assert!(expected.is_empty(), "{moves_played}: {expected:?} are missing");
        }
    }
}

/// Invalid lines are reported by number and reason, and the others recorded; games that
/// were resigned have their scores from the line.
#[tokio::test]
async fn bad_lines_are_told() {
    let (store, lines) = (file("bad"), file("bad-lines"));
    let text = [
        r#"{"game": "tictactoe", "moves": ["a1", "b1", "a2", "b2", "a3"], "id": "won"}"#,
        r#"{"game": "tictactoe", "moves": ["a1", "a1"]}"#,
        "",
        r#"{"game": "tictactoe", "moves": ["a1"]}"#,
        r#"{"game": "tictactoe", "moves": ["a1"], "scores": {"x": 1, "o": 0}, "id": "given up"}"#,
        r#"{"game": "tictactoe", "moves": ["a1"], "scores": {"x": 2, "o": 0}}"#,
        r#"{"game": "tictactoe", "moves": ["a1"], "scores": {"x": 1}}"#,
        r#"{"game": "tictactoe", "moves": ["a1", "b1", "a2", "b2", "a3"], "scores": {"x": 0, "o": 1}}"#,
        r#"{"game": "chess", "moves": []}"#,
        "no JSON",
        r#"{"game": "pentago", "moves": ["a1-1l"], "scores": {"w": 0, "b": 1}}"#,
        r#"{"game": "pentago", "moves": ["f1-2r"], "scores": {"w": 0.5, "b": 0.5}, "id": "mirrored"}"#,
    ];
    std::fs::write(&lines, text.join("\n")).expect("a file");
    let lines = lines.to_str().expect("UTF-8");
    let imported = pentad(&store, &["import", lines]).await;
    assert_eq!(imported.code, Some(2), "{imported:?}");
    assert!(imported.stderr.ends_with("pentad: 4 games recorded, 0 were there already, 7 lines are not games\n"));
    for told in [
        "line 2: moves[1] `a1`: ",
        "line 4: scores: needed, because the game goes on after its 1 moves",
        "line 6: scores: 2 for seat `x` is not between 0 and 1",
        "line 7: scores: seat `o` is missing",
        "line 8: scores: ",
        "line 9: no game `chess`",
        "line 10: expected ident at column 2",
    ] {
        assert!(imported.stderr.contains(&format!("pentad: {told}")), "{told}: {}", imported.stderr);
    }
    let server = serve_with(&store).await;
    let expected = [("tictactoe", json!({"x": 1.0, "o": 0.0})), ("pentago", json!({"w": 0.25, "b": 0.75}))];
    for (game, scores) in expected {
        let explored = post(&server, game, "explorer", &json!({})).await;
        let first = &explored["moves"][0];
        assert_eq!((&explored["games"], &first["games"]), (&json!(2), &json!(2)), "{explored:#}");
        assert_eq!(first["scores"], scores, "{explored:#}");
    }
    let busy = pentad(&store, &["import", lines]).await;
    assert_eq!(busy.code, Some(1), "{busy:?}");
    assert!(busy.stderr.contains("another process has this store open"), "{busy:?}");
    let without = run(program(["import", lines])).await;
    assert!(without.code == Some(1) && without.stderr.contains("--store"), "{without:?}");
}

/// All pages together are the list, on both edges; a page token belongs to one position.
#[tokio::test]
async fn pages_make_up_the_list() {
    let server = server().start().await;
    let body = json!({"moves": ["c3-2r"]});
    let whole = server.post("/v1/games/pentago/explorer", &body).await.ok().json();
    let (mut together, mut token, mut turn) = (Vec::new(), String::new(), 0);
    loop {
        let page = json!({"moves": ["c3-2r"], "pageSize": 10, "pageToken": token});
        let page = match turn % 2 {
            0 => server.grpc().call("Explore", &about("pentago", page)).await.expect("a page"),
            _ => server.post("/v1/games/pentago/explorer", &page).await.ok().json(),
        };
        assert_eq!(page["total"], whole["total"], "turn {turn}");
        let listed = moves(&page).iter().map(|it| (it["move"].clone(), it["evaluation"]["scores"].clone()));
        together.extend(listed);
        token = page["nextPageToken"].as_str().expect("a token").to_owned();
        turn += 1;
        if token.is_empty() {
            break;
        }
        let foreign = server.post("/v1/games/pentago/explorer", &json!({"pageToken": token})).await;
        assert_eq!(foreign.problem().reason, "bad_argument", "{foreign:?}");
    }
    let expected: Vec<_> =
        moves(&whole).iter().map(|it| (it["move"].clone(), it["evaluation"]["scores"].clone())).collect();
    assert!(turn > 2 && together == expected, "{turn} pages");
}
