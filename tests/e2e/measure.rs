//! `pentad perft`, `bench`, `match` and `report`: their numbers, and their forms.

use serde_json::Value;

use crate::support::program::{program, run};

async fn json(args: &[&str]) -> Value {
    let ended = run(program(args.iter().copied().chain(["--json"]))).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(ended.stderr, "", "progress is for terminals");
    serde_json::from_str(&ended.stdout).expect("one JSON value")
}

fn tictactoe() -> String {
    pentad_test_plugins::build("tictactoe").display().to_string()
}

/// Sequences of moves are counted, for a game and for a file, by first move and by table.
#[tokio::test]
async fn perft_counts_sequences() {
    let file = tictactoe();
    let counted = json(&["perft", &file, "--depth", "5"]).await;
    assert_eq!((&counted["count"], counted["moves"].as_array().map(Vec::len)), (&15120.into(), Some(9)), "{counted}");
    let counted = json(&["perft", "pentago", "--depth", "2"]).await;
    assert_eq!(counted["count"], 80640, "every ply turns one of four blocks: 36 times 8, then 35 times 8");

    let table = |text: &str| pentad_test_plugins::file("t.perft", text.as_bytes()).display().to_string();
    let good = json(&["perft", &file, "--file", &table("perft 1 9\nposition x2/3/3 o\nperft 1 8\n")]).await;
    assert_eq!(good.as_array().map(Vec::len), Some(2), "{good}");
    let wrong = run(program(["perft", &file, "--file", &table("perft 1 9\nperft 2 71\n")])).await;
    assert_eq!(wrong.code, Some(1), "{wrong:?}");
    assert!(wrong.stdout.contains("FAIL depth 2: 72, expected 71") && wrong.stderr.contains("1 of 2"), "{wrong:?}");
}

/// Every function of the ABI that a rule set has gets a speed, and so does its search.
#[tokio::test]
async fn bench_measures_every_call() {
    let bench = json(&["bench", &tictactoe(), "--time-ms", "5"]).await;
    let calls: Vec<&str> =
        bench["calls"].as_array().expect("a list").iter().filter_map(|it| it["call"].as_str()).collect();
    for call in ["start", "parse", "format", "to_move", "legal_moves", "count_moves", "play", "outcome"] {
        assert!(calls.contains(&call), "{call}: {bench}");
    }
    let is_positive = |speed: &Value| speed["callsPerSecond"].as_f64().is_some_and(|it| it > 0.0);
    assert!(bench["calls"].as_array().expect("a list").iter().all(is_positive), "{bench}");
    assert_eq!(bench["search"]["isOwn"], false, "{bench}");
    assert!(bench["search"]["nodesPerSecond"].as_f64().is_some_and(|it| it > 0.0), "{bench}");
}

/// A strong player beats a weak one, equal players score evenly, and the same seed gives
/// the same match.
#[tokio::test]
async fn matches_measure_strength() {
    let file = tictactoe();
    let weak = format!("{file},level=1");
    let args = ["match", &file, &weak, "--pairs", "12", "--opening-plies", "1", "--sprt", "0:100"];
    let result = json(&args).await;
    let number = |name: &str| result[name].as_f64().unwrap_or(f64::NAN);
    assert_eq!(number("wins") + number("draws") + number("losses"), number("games"), "{result}");
    assert!(number("losses") == 0.0 && number("wins") > 0.0 && number("elo") > 0.0, "{result}");
    assert!(result["sprt"]["llr"].is_number(), "{result}");
    assert_eq!(json(&args).await, result);

    let even = json(&["match", &file, &file, "--pairs", "3", "--opening-plies", "2"]).await;
    assert_eq!((&even["games"], even["wins"] == even["losses"]), (&6.into(), true), "{even}");
    for (a, b, error) in
        [(&*file, "pentago", "plays"), (&file, "./nowhere.so", "nowhere.so"), (&file, "chess", "no game `chess`")]
    {
        let ended = run(program(["match", a, b])).await;
        assert!(ended.code == Some(1) && ended.stderr.contains(error), "{ended:?}");
    }
}

/// Perfect play at tic-tac-toe is a draw of nine plies; the page has its charts.
#[tokio::test]
async fn reports_describe_a_game() {
    let page = pentad_test_plugins::file("report.html", b"");
    let page_text = page.display().to_string();
    let args = ["report", &tictactoe(), "--games", "4", "--opening-plies", "0", "--html", &page_text];
    let report = json(&args).await;
    assert_eq!((&report["games"], &report["draws"], &report["length"]["mean"]), (&4.into(), &1.0.into(), &9.0.into()));
    assert_eq!(report["branchingByPly"], serde_json::json!([9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]));
    let html = std::fs::read_to_string(page).expect("the page is written");
    assert!(html.starts_with("<!doctype html>") && html.matches("<svg").count() == 3, "{html}");
    let text = run(program(&args[..6])).await;
    assert!(text.stdout.contains("  draws          100.0 %"), "{text:?}");
}
