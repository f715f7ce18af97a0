//! Questions about a position, and library files in place of a game.

use serde_json::{Value, json};

use super::{WON, ask, json, printed, stable};
use crate::support::program::{program, run};
use crate::support::server;

/// `--json` prints exactly the answer of REST: the same fields in the same order.
#[tokio::test]
async fn json_is_the_answer_of_the_api() {
    let server = server().start().await;
    let nodes = json!({"nodes": 2000});
    for (arguments, path, body) in [
        (&["position", "pentago", "--moves", "c3-2r"][..], "position", json!({"moves": ["c3-2r"]})),
        (&["moves", "tictactoe", "--moves", "b2"], "legal-moves", json!({"moves": ["b2"]})),
        (&["evaluate", "pentago", WON], "evaluation", json!({"position": WON})),
        (
            &["hint", "pentago", WON, "--count", "2", "--nodes", "2000"],
            "hints",
            json!({"position": WON, "count": 2, "limits": nodes}),
        ),
        (&["threats", "pentago", WON], "threats", json!({"position": WON})),
        (
            &["explore", "pentago", "--moves", "c3-2r", "--count", "3"],
            "explorer",
            json!({"moves": ["c3-2r"], "pageSize": 3}),
        ),
        (
            &["compare", "pentago", WON, "--compare-moves", "e1,a2-1r", "--depth", "2"],
            "compare",
            json!({"position": WON, "compareMoves": ["e1", "a2-1r"], "limits": {"depth": 2}}),
        ),
    ] {
        let printed = printed(arguments.iter().chain(&["--json"])).await;
        let reply = server.post(&format!("/v1/games/{}/{path}", arguments[1]), &body).await.ok();
        let answer: Value = serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{error}: {printed}"));
        assert_eq!(stable(answer), stable(reply.json()), "{arguments:?}");
        let fields = |text: &str| -> Vec<String> { text.split('"').skip(1).step_by(2).map(str::to_owned).collect() };
        assert_eq!(fields(&printed), fields(&reply.text()), "the order of the fields of {arguments:?}");
    }
}

/// The texts name the seats, the values and the reasons.
#[tokio::test]
async fn texts_are_for_people() {
    let evaluated = printed(["evaluate", "pentago", WON]).await;
    assert!(evaluated.contains("White to move: a proven win in 1 move"), "{evaluated}");
    assert!(evaluated.contains(" w w w w . ."), "the board:\n{evaluated}");

    let hinted = printed(["hint", "pentago", WON, "--count", "1", "--depth", "2", "--lang", "en"]).await;
    let text = super::json(["hint", "pentago", WON, "--count", "1", "--depth", "2", "--lang", "en", "--json"]).await;
    let text = text["hints"][0]["moveText"].as_str().expect("a text").to_owned();
    assert!(!text.is_empty() && hinted.contains(&format!("\n   {text}\n")), "{text}:\n{hinted}");

    let compared = printed(["compare", "pentago", WON, "--compare-moves", "e1,a2-1r", "--depth", "2"]).await;
    assert!(compared.contains("\ne1   a proven win in 1 move") && compared.contains(", the best move\n"), "{compared}");

    let threats = printed(["threats", "pentago", WON]).await;
    assert!(threats.contains("White can win:\n   e1   placing"), "{threats}");
    assert!(
        threats.contains("Black threatens to win:\n   e3   placing") && threats.contains("stopped by "),
        "{threats}"
    );
    assert!(threats.contains("stops all threats: e1"), "{threats}");

    let explored = printed(["explore", "tictactoe", "--count", "2"]).await;
    assert!(explored.contains("Crosses to move; 9 distinct moves, 0 recorded games"), "{explored}");
    assert!(explored.lines().any(|line| line.starts_with("move  games")), "{explored}");

    let over = printed(["evaluate", "tictactoe", "--moves", "a1,b1,a2,b2,a3"]).await;
    assert!(over.contains("The game is over: "), "{over}");

    for (arguments, message) in [
        (&["compare", "pentago", "--compare-moves", "a1-1l"][..], "between 2 and 8"),
        (&["evaluate", "pentago", "--moves", "a1-2r,a1-2r"], "moves[1]"),
        (&["threats", "chess"], "no game `chess`"),
        (&["evaluate", "pentago", "--variant", "blitz"], "no variant `blitz`"),
    ] {
        let ended = ask(arguments).await;
        assert_eq!(ended.code, Some(1), "{arguments:?}: {ended:?}");
        assert!(ended.stderr.starts_with("pentad: ") && ended.stderr.contains(message), "{arguments:?}: {ended:?}");
    }
}

/// Commands that take a game take the file of a rule set as well, of which nothing else is
/// loaded.
#[tokio::test]
async fn files_stand_for_games() {
    let library = pentad_test_plugins::build("tictactoe");
    let library = library.to_str().expect("UTF-8");
    let alone = async |arguments: &[&str]| run(program(arguments)).await;
    for arguments in [
        &["hint", library, "--depth", "2"][..],
        &["evaluate", library, "--depth", "2"],
        &["position", library],
        &["threats", library],
        &["explore", library],
        &["compare", library, "--compare-moves", "a1,b2", "--depth", "2"],
        &["review", library, "--moves", "b2,a1", "--depth", "2"],
    ] {
        let ended = alone(arguments).await;
        assert_eq!(ended.code, Some(0), "{arguments:?}: {ended:?}");
        assert!(ended.stdout.contains("Tic-tac-toe"), "{arguments:?}: {ended:?}");
    }
    let moves = alone(&["moves", library]).await;
    assert_eq!(moves.stdout.lines().count(), 9, "{moves:?}");
    let games = alone(&["selfplay", library, "--games", "1", "--nodes", "100"]).await;
    assert!(games.stdout.starts_with(r#"{"game":"tictactoe""#), "{games:?}");

    let missing = alone(&["hint", "./no-such.so"]).await;
    assert_eq!(missing.code, Some(1), "{missing:?}");
    assert!(missing.stderr.contains("./no-such.so"), "{missing:?}");
    let text = pentad_test_plugins::file("rules.toml", b"nothing");
    let text = text.to_str().expect("UTF-8");
    let refused = alone(&["hint", text]).await;
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.stderr.contains(text), "{refused:?}");
}

/// A rule set's fault is explained where its author looks.
#[tokio::test]
async fn faults_are_explained() {
    let library = pentad_test_plugins::build("status_unknown");
    let library = library.to_str().expect("UTF-8");
    let ended = run(program(["moves", library, "--variant", "legal-moves"])).await;
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stderr.contains("rule set fault") && ended.stderr.contains("99"), "{ended:?}");
}

/// The list of games is the API's as well.
#[tokio::test]
async fn games_are_listed_as_json() {
    let games = json(["games", "--json"]).await;
    let ids: Vec<&str> = games["games"].as_array().expect("a list").iter().filter_map(|it| it["id"].as_str()).collect();
    assert_eq!(ids, ["pentago", "tictactoe"]);
}
