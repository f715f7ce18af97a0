//! Texts for players are in the caller's language, on both protocols.

use futures_util::StreamExt;
use pentad_model::i18n::Language;
use serde_json::{Value, json};

use crate::support::program::program;
use crate::support::rest::{Reply, query, send};
use crate::support::{TestServer, server};

/// Two plies from a win for white: any hint proves it.
const WHITE_WINS: &str = "wwww2/6/bbbb2/6/6/6 w";
/// White has five in row 1.
const OVER: &str = "wwwww1/6/bbbb2/6/6/6 b";

/// The first reason of a hint for [`WHITE_WINS`], and the outcome of [`OVER`].
const SAID: [(&str, &str, &str); 5] = [
    ("en", "It makes five in a row and wins at once.", "White has five in a row and wins."),
    ("sv", "Draget ger fem i rad och vinner direkt.", "Vit har fem i rad och vinner."),
    ("fi", "Siirto tekee viiden suoran ja voittaa heti.", "Valkoisella on viiden suora, ja valkoinen voittaa."),
    ("de", "Der Zug bildet eine Fünferreihe und gewinnt sofort.", "Weiß hat eine Fünferreihe und gewinnt."),
    ("fr", "Ce coup aligne cinq billes et gagne aussitôt.", "Blanc a un alignement de cinq et gagne."),
];

async fn get(server: &TestServer, path: &str, languages: &str) -> Reply {
    send(server.http.get(server.rest_url(path)).header("accept-language", languages)).await
}

async fn post(server: &TestServer, path: &str, languages: &str, body: &Value) -> Reply {
    send(server.http.post(server.rest_url(path)).header("accept-language", languages).json(body)).await
}

fn first_reason(answer: &Value) -> &str {
    answer["hints"][0]["reasons"][0]["text"].as_str().unwrap_or_else(|| panic!("no reason in {answer:#}"))
}

/// Reasons and outcomes are the same on gRPC, POST and GET, in each language; codes and
/// cells do not depend on it, and one search answers them all.
#[tokio::test]
async fn protocols_say_the_same_in_every_language() {
    let server = server().start().await;
    let mut codes = Vec::new();
    for (tag, reason, outcome) in SAID {
        let hints = json!({"game": "pentago", "position": WHITE_WINS, "limits": {"depth": 2}});
        let over_grpc = server.grpc().accept_language(tag).call("Hint", &hints).await.expect("hints");
        assert_eq!(first_reason(&over_grpc), reason);
        let body = json!({"position": WHITE_WINS, "limits": {"depth": 2}});
        let over_post = post(&server, "/v1/games/pentago/hints", tag, &body).await.ok();
        assert_eq!(over_post.json()["hints"][0]["reasons"], over_grpc["hints"][0]["reasons"]);
        let over_get = get(&server, &format!("/v1/games/pentago/hints{}", query(&body)), tag).await.ok();
        assert_eq!(over_get.json()["hints"][0]["reasons"], over_grpc["hints"][0]["reasons"]);
        for reply in [&over_post, &over_get] {
            assert_eq!(reply.header("content-language"), tag);
        }
        let told = over_grpc["hints"][0]["reasons"].as_array().expect("a list").iter();
        codes.push(told.map(|it| json!([it["code"], it["cells"]])).collect::<Vec<_>>());

        let over = json!({"game": "pentago", "position": OVER});
        let described = server.grpc().accept_language(tag).call("DescribePosition", &over).await.expect("a position");
        assert_eq!(described["outcome"]["text"], outcome);
        let described = post(&server, "/v1/games/pentago/position", tag, &json!({"position": OVER})).await.ok().json();
        assert_eq!(described["outcome"]["text"], outcome);
    }
    assert!(codes.iter().all(|it| *it == codes[0]), "{codes:#?}");
    let searches = server.metrics().await;
    let n_searches = searches.value("pentad_search_duration_seconds_count", &[("game", "pentago")]);
    assert_eq!(n_searches, Some(1.0), "one search for all languages");
}

/// The engine's own sentences are translated, too: for a game without translations,
/// everything except the game's own texts.
#[tokio::test]
async fn generic_reasons_are_in_the_language_asked_for() {
    let server = server().start().await;
    let body = json!({"position": "xx1/oo1/3 x"});
    let reply = post(&server, "/v1/games/tictactoe/hints", "fi", &body).await.ok().json();
    assert_eq!(first_reason(&reply), "Siirto voittaa heti.");
    let nudged = json!({"position": WHITE_WINS, "detail": "nudge"});
    let reply = post(&server, "/v1/games/pentago/hints", "de", &nudged).await.ok().json();
    assert_eq!(first_reason(&reply), "Es gibt einen Zug, der sofort gewinnt.");
}

/// Qualities, regions and unknown languages are handled; malformed headers of any length
/// give English, on both protocols.
#[tokio::test]
async fn languages_are_negotiated() {
    let server = server().start().await;
    let long = "nl,".repeat(1_000);
    for (languages, expected) in [
        ("sv-SE", "sv"),
        ("SV", "sv"),
        ("nl, da;q=0.9", "en"),
        ("nl, fr-CA;q=0.4, fi;q=0.3", "fr"),
        ("en;q=0.2, de;q=0.9", "de"),
        ("sv;q=0, *;q=0.1", "en"),
        ("*", "en"),
        ("", "en"),
        (";;;,,,q=q,=", "en"),
        ("sv;q=1.5", "en"),
        ("{seat},%00,../../etc/passwd", "en"),
        (long.as_str(), "en"),
    ] {
        let outcome = SAID.iter().find(|(tag, ..)| *tag == expected).expect("a language").2;
        let reply = post(&server, "/v1/games/pentago/position", languages, &json!({"position": OVER})).await.ok();
        assert_eq!(reply.json()["outcome"]["text"], outcome, "{languages:.60}");
        assert_eq!(reply.header("content-language"), expected, "{languages:.60}");
        let request = json!({"game": "pentago", "position": OVER});
        let answer = server.grpc().accept_language(languages).call("DescribePosition", &request).await;
        assert_eq!(answer.expect("a position")["outcome"]["text"], outcome, "{languages:.60}");
    }
    let bytes = reqwest::header::HeaderValue::from_bytes(b"sv\xff").expect("bytes are allowed");
    let request = server.http.get(server.rest_url("/v1/games/pentago/position")).header("accept-language", bytes);
    assert_eq!(send(request).await.ok().header("content-language"), "en");
}

/// Cacheable answers with texts vary by language and have a different ETag in each; answers
/// without texts do not.
#[tokio::test]
async fn caches_tell_languages_apart() {
    let server = server().start().await;
    let hints = format!("/v1/games/pentago/hints{}", query(&json!({"position": WHITE_WINS, "limits": {"depth": 1}})));
    let position = format!("/v1/games/pentago/position{}", query(&json!({"position": OVER})));
    let diagram = format!("/v1/games/pentago/diagram.svg{}", query(&json!({"position": OVER})));
    let moves = "/v1/games/pentago/legal-moves?texts=true";
    for path in ["/v1/games", "/v1/games/pentago", &position, "/v1/games/pentago/position", moves, &hints, &diagram] {
        let mut etags: Vec<String> = Vec::new();
        for language in Language::ALL {
            let reply = get(&server, path, language.tag()).await.ok();
            assert_eq!(reply.header("content-language"), language.tag(), "{path}");
            let vary: Vec<String> =
                reply.headers.get_all("vary").iter().map(|it| it.to_str().unwrap().to_lowercase()).collect();
            assert!(vary.join(",").contains("accept-language"), "{path}: {vary:?}");
            let etag = reply.header("etag").to_owned();
            assert!(!etag.is_empty() && !etags.contains(&etag), "{path}: {etag} in {language}, after {etags:?}");
            let request = server.http.get(server.rest_url(path)).header("accept-language", language.tag());
            let again = send(request.header("if-none-match", &etag)).await.expect(304);
            assert_eq!(again.header("content-language"), language.tag(), "{path}");
            etags.push(etag);
        }
    }
    let path = "/v1/games/pentago/evaluation";
    let [english, swedish] = [get(&server, path, "en").await.ok(), get(&server, path, "sv").await.ok()];
    assert_eq!((english.header("content-language"), english.header("etag")), ("", swedish.header("etag")), "{path}");
}

/// Streams are in the caller's language from the first update to the last.
#[tokio::test]
async fn streams_are_in_one_language() {
    let server = server().start().await;
    let (_, reason, _) = SAID[1];
    let body = json!({"position": WHITE_WINS, "limits": {"depth": 2}});
    let reply = post(&server, "/v1/games/pentago/analysis", "sv", &body).await.ok();
    assert_eq!(reply.header("content-language"), "sv");
    assert!(reply.text().contains(reason), "{reply:?}");
    let request = json!({"game": "pentago", "position": WHITE_WINS, "limits": {"depth": 2}});
    let mut updates = server.grpc().accept_language("sv").stream("Analyze", &request).await.expect("a stream");
    let mut n_updates = 0;
    while let Some(update) = updates.next().await {
        let update = update.expect("an update");
        assert_eq!(first_reason(&update["hints"]), reason);
        n_updates += 1;
    }
    assert!(n_updates > 0);
}

/// gRPC metadata names the language of an answer; failures are in English on both
/// protocols.
#[tokio::test]
async fn failures_stay_in_english() {
    let server = server().start().await;
    let message = crate::support::grpc::encode_for("GetGame", &json!({"game": "pentago"}));
    let answer = server.grpc().accept_language("fr").call_raw("GetGame", message).await.expect("the game");
    assert_eq!(answer.metadata().get("content-language").map(|it| it.as_bytes()), Some(&b"fr"[..]));
    let body = json!({"position": OVER});
    let german = post(&server, "/v1/games/pentago/hints", "de", &body).await.expect(422);
    let english = post(&server, "/v1/games/pentago/hints", "en", &body).await.expect(422);
    assert_eq!(german.json()["detail"], english.json()["detail"]);
    assert_eq!(german.header("content-language"), "");
}

/// A game's own names are translated: seats, variants and pieces. Ids are not.
#[tokio::test]
async fn games_are_described_in_the_language_asked_for() {
    let server = server().start().await;
    let french = get(&server, "/v1/games/pentago", "fr").await.ok().json();
    let standard = &french["variants"][0];
    assert_eq!(standard["id"], "standard");
    assert_eq!(standard["seatNames"], json!({"w": "Blanc", "b": "Noir"}));
    let summary = standard["summary"].as_str().expect("a text");
    assert!(summary.starts_with("Les règles de la plupart des éditions"), "{summary}");
    assert_eq!(french["layout"]["pieces"][0]["name"], "Bille blanche");
    let over_grpc = server.grpc().accept_language("fr").call("GetGame", &json!({"game": "pentago"})).await.expect("it");
    assert_eq!(over_grpc["variants"], french["variants"]);
    let svg = get(&server, "/v1/games/pentago/diagram.svg", "sv").await.ok().text();
    assert!(svg.contains("Vid draget: Vit"), "{svg:.600}");
}

/// A plugin has its own translations; an invalid template falls back to English, and the
/// operator sees why.
#[tokio::test]
async fn plugins_bring_their_words() {
    let server = server().plugin("well_behaved").plugin("words_bad_swedish").plugin("words_bad_english").start().await;
    let body = json!({"limits": {"depth": 1}});
    for (game, expected) in [
        ("well-behaved", "Anna tar en sticka"),
        ("words-bad-swedish", "it takes a match"),
        ("words-bad-english", "it takes a match"),
    ] {
        let reply = post(&server, &format!("/v1/games/{game}/hints"), "sv", &body).await.ok().json();
        assert_eq!(first_reason(&reply), expected, "{game}");
    }
    let plugins = server.admin("/plugins").await.ok().json();
    let fault = |game: &str| {
        let loaded = plugins["loaded"].as_array().expect("a list").iter().find(|it| it["game"] == game);
        loaded.unwrap_or_else(|| panic!("no {game} in {plugins:#}"))["lastFault"].to_string()
    };
    assert!(fault("words-bad-english").contains("only_idea"), "{plugins:#}");
    assert!(fault("words-bad-swedish").contains("only_idea"), "{plugins:#}");
    assert_eq!(fault("well-behaved"), "null");
}

/// The command line uses the language of `--lang`, or of the locale.
#[tokio::test]
async fn command_line_follows_the_locale() {
    let run = async |args: &[&str], locale: &str| {
        let mut command = program(["position", "pentago", OVER]);
        command.args(args).env_remove("LC_MESSAGES").env("LC_ALL", locale);
        let output = command.output().await.expect("it runs");
        String::from_utf8(output.stdout).expect("text") + &String::from_utf8_lossy(&output.stderr)
    };
    assert!(run(&[], "C").await.contains(SAID[0].2));
    assert!(run(&[], "fi_FI.UTF-8").await.contains(SAID[2].2));
    assert!(run(&["--lang", "sv-SE"], "fi_FI.UTF-8").await.contains(SAID[1].2));
    assert!(run(&["--lang", "eo"], "C").await.contains("expected one of en, sv, fi, de, fr"));
}
