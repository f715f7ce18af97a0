//! `pentad review`: the stream of the API, a table, a page.

use serde_json::{Value, json};

use super::{ask, printed, typed};
use crate::support::program::{program, run};
use crate::support::server;

/// White has four in a row and plays elsewhere; Black completes a row of its own.
const GAME: &str = r#"[Game "pentago"]
[Variant "standard"]
[Position "wwww2/6/bbbb2/6/6/6 w"]

1. f6-4r {it should have won} (1. e1) e3
"#;
const LIMITS: [&str; 2] = ["--nodes", "3000"];

/// The game comes from a file, standard input or arguments; `--json` prints the lines of the
/// API.
#[tokio::test]
async fn games_come_from_everywhere() {
    let server = server().start().await;
    let body = json!({"position": super::WON, "moves": ["f6-4r", "e3"], "limits": {"nodes": 3000}});
    let request = server.http.post(server.rest_url("/v1/games/pentago/review")).json(&body);
    let reply = crate::support::rest::send(request.header("accept", "application/x-ndjson")).await.ok();
    let facts = |lines: &str| -> Vec<Value> {
        let line =
            |line: &str| -> Value { serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")) };
        lines.lines().map(line).filter(|message| message.get("progress").is_none()).collect()
    };
    let expected = facts(&reply.text());
    assert_eq!(expected.len(), 3);

    let file = pentad_test_plugins::file("game.txt", GAME.as_bytes());
    let file = file.to_str().expect("UTF-8");
    let from_file = printed(["review", "pentago", file, "--json"].into_iter().chain(LIMITS)).await;
    assert_eq!(facts(&from_file), expected);
    let from_input = typed(["review", "pentago", "-", "--json"].into_iter().chain(LIMITS), GAME).await;
    assert_eq!((from_input.code, facts(&from_input.stdout)), (Some(0), expected.clone()), "{from_input:?}");
    let line = r#"{"game": "pentago", "position": "wwww2/6/bbbb2/6/6/6 w", "moves": ["f6-4r", "e3"], "id": "x"}"#;
    let from_line = typed(["review", "pentago", "-", "--json"].into_iter().chain(LIMITS), line).await;
    assert_eq!((from_line.code, facts(&from_line.stdout)), (Some(0), expected.clone()), "{from_line:?}");
    let arguments = ["review", "pentago", "--moves", "f6-4r, e3", "--position", super::WON, "--json"];
    assert_eq!(facts(&printed(arguments.into_iter().chain(LIMITS)).await), expected);

    for (arguments, message) in [
        (&["review", "tictactoe", file][..], "a game of pentago, not of tictactoe"),
        (&["review", "pentago", "/no/such/file"], "/no/such/file"),
        (&["review", "pentago", "--moves", "a1-2r,a1-2r"], "moves[1]"),
    ] {
        let ended = ask(arguments).await;
        assert_eq!(ended.code, Some(1), "{ended:?}");
        assert!(ended.stderr.contains(message), "{ended:?}");
    }
    assert_eq!(ask(["review", "pentago"]).await.code, Some(64), "there is no game to review");
}

/// The table has every move with its label and value, then what was better, then the totals.
#[tokio::test]
async fn tables_have_labels() {
    let text = typed(["review", "pentago", "-"].into_iter().chain(LIMITS), GAME).await.stdout;
    let line =
        |begin: &str| text.lines().find(|line| line.starts_with(begin)).unwrap_or_else(|| panic!("{begin}:\n{text}"));
    let blunder: Vec<&str> = line("1. White *").split_whitespace().collect();
    assert_eq!(blunder, ["1.", "White", "*", "f6-4r", "blunder", "1.00", "+1", "->", "-1", "e1"], "{text}");
    assert!(line("1. Black").contains(" best "), "{text}");
    assert!(text.contains("1. White f6-4r: blunder\n   better: e1\n   answered by e3\n"), "{text}");
    assert!(text.contains("White: accuracy 0 %; 1 blunder") && text.contains("Black: accuracy "), "{text}");
    assert!(!text.contains('\u{1b}'), "a pipe gets no colours: {text:?}");
}

/// The page is whole: valid markup that loads and runs nothing, with diagrams of the turning
/// points, the graph, the moves and their reasons.
#[tokio::test]
async fn pages_need_nothing_else() {
    let dir = pentad_test_plugins::scratch_dir();
    let page = dir.join("review.html");
    let game = pentad_test_plugins::file("game.txt", GAME.as_bytes());
    let arguments = ["review", "pentago", game.to_str().expect("UTF-8"), "--html", page.to_str().expect("UTF-8")];
    let ended = ask(arguments.into_iter().chain(LIMITS)).await;
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), ""), "{ended:?}");
    let page = std::fs::read_to_string(page).expect("it is written");
    let (_, body) = page.split_once("<body>").expect("a body");
    let body = format!("<body>{}", body.split("</html>").next().unwrap_or_default());
    let document = roxmltree::Document::parse(&body).unwrap_or_else(|error| panic!("{error}:\n{body}"));
    let named = |name: &str| document.descendants().filter(|node| node.tag_name().name() == name).count();
    assert_eq!((named("article"), named("figure"), named("script")), (1, 2, 0), "{body}");
    assert_eq!(named("svg"), 4, "a graph, two diagrams of the turning point, and the final position");
    assert_eq!(named("polyline"), 1, "the graph of two sides has one line");
    let rows = document.descendants().filter(|node| node.tag_name().name() == "tr").count();
    assert_eq!(rows, 3, "a row of headings and two moves");
    for text in ["Pentago", "blunder", "f6-4r", "Better was <code>e1</code>", "1. White", "default-src &#39;none"] {
        let text = text.replace("&#39;", "'");
        assert!(page.contains(&text), "{text}:\n{page}");
    }
    for reference in ["href=", "src=", "@import", "http://", "https://"] {
        let allowed = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
        assert!(!allowed.contains(reference), "{reference}:\n{page}");
    }
}

/// A page of three or four seats has a panel for each of them, with words on its axes.
#[tokio::test]
async fn pages_have_a_panel_per_seat() {
    for (variant, n_seats) in [("ffa3", 3), ("ffa4", 4)] {
        let arguments = ["review", "pentago-xl", "--variant", variant, "--moves", "a1-1l,b2-2r,c3-3l,d4-4r"];
        let page = run(program(arguments.into_iter().chain(["--html", "-", "--lang", "en", "--nodes", "300"]))).await;
        assert_eq!(page.code, Some(0), "{page:?}");
        let page = page.stdout;
        assert_eq!(page.matches("class=\"graph\"").count(), n_seats, "{page}");
        assert_eq!(page.matches("<polyline").count(), n_seats, "{page}");
        for word in [">100 %</text>", ">even</text>", ">0 %</text>", ">Start</text>", "\">Move "] {
            assert_eq!(page.matches(word).count(), n_seats, "{word}:\n{page}");
        }
    }
}

/// The page's own words are in the language of its reasons, and so are the names of seats.
#[tokio::test]
async fn pages_speak_five_languages() {
    for (language, words) in [
        ("en", ["<html lang=\"en\">", "White wins", "Better was <code>e1</code>.", ">blunder<", "The final position"]),
        ("sv", ["<html lang=\"sv\">", "Vit vinner", "Bättre var <code>e1</code>.", ">bock<", "Slutställningen"]),
        ("fi", ["<html lang=\"fi\">", " voittaa", "Parempi oli <code>e1</code>.", ">paha virhe<", "Loppuasema"]),
        ("de", ["<html lang=\"de\">", "Weiß gewinnt", "Besser war <code>e1</code>.", ">grober Fehler<", "Endstellung"]),
        ("fr", ["<html lang=\"fr\">", " gagne", "Mieux valait <code>e1</code>.", ">gaffe<", "La position finale"]),
    ] {
        let page = typed(["review", "pentago", "-", "--html", "-", "--lang", language].into_iter().chain(LIMITS), GAME);
        let page = page.await;
        assert_eq!(page.code, Some(0), "{page:?}");
        for word in words {
            assert!(page.stdout.contains(word), "{language}: {word}\n{}", page.stdout);
        }
        assert!(language == "en" || !page.stdout.contains("The game"), "{language}:\n{}", page.stdout);
    }
}
