//! Answers that persist across restarts.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::program::{ServerProcess, program, run, serve};
use crate::support::rest::{self, send};
use crate::support::{about, assert_eventually, server, two_games};

/// White wins with `e1`; the second position is the mirrored one.
const WON: &str = "wwww2/6/bbbb2/6/6/6 w";
const WON_MIRRORED: &str = "2wwww/6/2bbbb/6/6/6 w";

fn file() -> PathBuf {
    pentad_test_plugins::scratch_dir().join("answers")
}

async fn serve_with(path: &std::path::Path) -> ServerProcess {
    // No timeout, however slow the machine is.
    serve(two_games(), &["--store-read-ms-max", "10000", "--store", path.to_str().expect("UTF-8")]).await
}

async fn hint(server: &ServerProcess, position: &str) -> Value {
    let url = format!("http://{}/v1/games/pentago/hints", server.rest);
    send(rest::client().post(url).json(&json!({"position": position}))).await.ok().json()
}

async fn admin(server: &ServerProcess, path: &str) -> rest::Reply {
    send(rest::client().get(format!("http://{}{path}", server.admin))).await.ok()
}

/// Waits until this many answers are on disk.
async fn assert_stored(server: &ServerProcess, n: f64) {
    assert_eventually("answers are on disk", async || {
        let stored = server.metrics().await.count("pentad_store_entries", &[("layer", "file")]);
        if stored == n { Ok(()) } else { Err(format!("{stored} answers")) }
    })
    .await;
}

/// Removes the fields that differ each time.
fn proof(mut hints: Value) -> Value {
    let fields = hints.as_object_mut().expect("an object");
    fields.remove("elapsedMs");
    fields.remove("cached");
    hints
}

/// The next process answers from a stored proof, on both edges and mirrored, after a
/// graceful stop and after a kill.
#[tokio::test]
async fn proofs_survive_the_process() {
    let path = file();
    let first = serve_with(&path).await;
    let found = hint(&first, WON).await;
    assert_eq!((&found["cached"], &found["evaluation"]["certainty"]), (&json!(false), &json!("proven")));
    let mirrored = hint(&first, WON_MIRRORED).await;
    assert_eq!((&mirrored["cached"], &mirrored["key"]), (&json!(true), &found["key"]));
    first.signal("TERM").await;
    assert!(first.end().await.0.success());

    let second = serve_with(&path).await;
    let again = hint(&second, WON).await;
    assert_eq!(again["cached"], true);
    assert_eq!(proof(again), proof(found.clone()));
    let other = json!({"position": "6/6/wwww2/6/bbbb2/6 w"});
    let url = format!("http://{}/v1/games/pentago/hints", second.rest);
    send(rest::client().post(url).json(&other)).await.ok();
    assert_stored(&second, 2.0).await;
    second.signal("KILL").await;
    second.end_unread().await;

    let third = serve_with(&path).await;
    let grpc = crate::support::grpc::GrpcClient::new(third.grpc);
    for (position, before) in [(WON, Some(&found)), (WON_MIRRORED, Some(&mirrored)), ("6/6/wwww2/6/bbbb2/6 w", None)] {
        let again = grpc.call("Hint", &about("pentago", json!({"position": position}))).await.expect("a hint");
        assert_eq!(again["cached"], true, "{position}: {again}");
        if let Some(before) = before {
            assert_eq!((&again["key"], &again["hints"][0]["move"]), (&before["key"], &before["hints"][0]["move"]));
        }
    }
    let metrics = third.metrics().await;
    // By then the mirrored one came from memory.
    assert_eq!(metrics.count("pentad_store_requests_total", &[("layer", "file"), ("result", "hit")]), 2.0);
}

/// With an unusable file the service is ready, answers, and reports the problem.
#[tokio::test]
async fn the_service_goes_on_without_a_store() {
    let path = file();
    let first = serve_with(&path).await;
    hint(&first, WON).await;
    assert_stored(&first, 1.0).await;

    let second = serve_with(&path).await;
    assert_eq!(hint(&second, WON).await["cached"], false);
    assert_eq!(admin(&second, "/readyz").await.text(), "ready\n");
    let stores = admin(&second, "/plugins").await.json()["stores"].clone();
    assert_eq!((&stores[0]["layer"], &stores[0]["state"]), (&json!("file"), &json!("down")), "{stores}");
    let problem = stores[0]["problem"].as_str().expect("a text");
    assert!(problem.contains("another process has this store open"), "{problem}");
    let metrics = second.metrics().await;
    assert_eq!(metrics.count("pentad_stores_down", &[]), 1.0);
    assert_eq!(metrics.count("pentad_store_up", &[("layer", "file")]), 0.0);
    assert_eq!(first.metrics().await.count("pentad_store_up", &[("layer", "file")]), 1.0);

    let unreadable = pentad_test_plugins::file("answers", b"something else");
    let third = serve_with(&unreadable).await;
    assert!(third.log.contains("starting with an empty store"), "{}", third.log);
    assert_eq!(hint(&third, WON).await["cached"], false);
    let metrics = third.metrics().await;
    assert_eq!(metrics.count("pentad_store_set_aside_total", &[("layer", "file")]), 1.0);
    assert_eq!(metrics.count("pentad_store_up", &[("layer", "file")]), 1.0);
}

/// Proofs are revalidated on every use, too: a browser once kept the answer of rules that had
/// been corrected, for a year.
#[tokio::test]
async fn proofs_are_revalidated() {
    let server = server().start().await;
    let won = "position=wwww2/6/bbbb2/6/6/6%20w";
    for call in ["hints", "evaluation", "threats", "position", "legal-moves", "diagram.svg"] {
        let reply = server.get(&format!("/v1/games/pentago/{call}?{won}")).await.ok();
        assert_eq!(reply.header("cache-control"), "no-cache", "{call}: {reply:?}");
        assert!(!reply.header("etag").is_empty(), "{call}: {reply:?}");
    }
    let reply = server.get(&format!("/v1/games/pentago/hints?{won}")).await.ok();
    assert!(reply.header("vary").contains("accept-language"), "{reply:?}");
}

/// `pentad store` maintains a file that no server has open.
#[tokio::test]
async fn files_are_looked_after_from_the_command_line() {
    let path = file();
    let text = path.to_str().expect("UTF-8").to_owned();
    let serving = serve_with(&path).await;
    hint(&serving, WON).await;
    assert_stored(&serving, 1.0).await;
    let refused = run(program(["store", "stats", &text])).await;
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("another process has this store open"), "{refused:?}");
    serving.signal("TERM").await;
    assert!(serving.end().await.0.success());

    let stats = run(program(["store", "stats", &text])).await;
    assert!(stats.stdout.starts_with("answers      1\n"), "{stats:?}");
    assert!(stats.stdout.contains("1 answers, 1 proven"), "{stats:?}");
    let stats = run(program(["store", "stats", &text, "--json"])).await.json();
    assert_eq!((&stats["answers"], &stats["games"]), (&json!(1), &json!(0)), "{stats}");
    let rules = &stats["rules"][0];
    assert_eq!((&rules["game"], &rules["proven"], &rules["notTrusted"]), (&json!("pentago"), &json!(1), &json!(0)));
    let exported = run(program(["store", "export", &text])).await;
    let line: Value = serde_json::from_str(&exported.stdout).expect("one line of JSON");
    assert_eq!((&line["game"], &line["stopReason"]), (&json!("pentago"), &json!("proven")), "{line}");

    let lines = pentad_test_plugins::file("answers.ndjson", exported.stdout.as_bytes());
    let copy = file();
    let copy = copy.to_str().expect("UTF-8");
    let imported = run(program(["store", "import", copy, lines.to_str().expect("UTF-8")])).await;
    assert_eq!((imported.code, imported.stderr.as_str()), (Some(0), "pentad: 1 answers stored, 0 were not better\n"));
    for command in ["verify", "compact"] {
        let done = run(program(["store", command, copy])).await;
        assert_eq!(done.code, Some(0), "{done:?}");
    }
    let again = run(program(["store", "import", copy, lines.to_str().expect("UTF-8"), "--json"])).await;
    assert_eq!(again.json(), json!({"stored": 1, "notBetter": 0}), "it is as good: {again:?}");
    let verified = run(program(["store", "verify", copy, "--json"])).await.json();
    assert_eq!((&verified["good"], &verified["damaged"], &verified["isSound"]), (&json!(1), &json!(0), &json!(true)));
    let compacted = run(program(["store", "compact", copy, "--json"])).await.json();
    assert!(compacted["bytesAfter"].as_u64() <= compacted["bytesBefore"].as_u64(), "{compacted}");
    let stats = run(program(["store", "stats", copy])).await;
    assert!(stats.stdout.contains("1 answers, 0 proven, 1 not trusted"), "{stats:?}");
    let missing = run(program(["store", "verify", &format!("{copy}-not")])).await;
    assert_eq!(missing.code, Some(1));
    assert!(missing.stderr.contains("No such file"), "{missing:?}");
    let asked = run(program(["hint", "pentago", WON, "--json", "--count", "1", "--store", copy])).await;
    assert_eq!(serde_json::from_str::<Value>(&asked.stdout).expect("JSON")["cached"], true, "{asked:?}");
}

/// Answers that were exported, altered and imported come out as no false proofs, whether or
/// not the import was trusted; `verify` reports them, and removes none.
#[tokio::test]
async fn altered_answers_are_not_believed() {
    let path = file();
    let serving = serve_with(&path).await;
    let truth = hint(&serving, WON).await;
    serving.signal("TERM").await;
    assert!(serving.end().await.0.success());
    let exported = run(program(["store", "export", path.to_str().expect("UTF-8")])).await;
    let mut line: Value = serde_json::from_str(&exported.stdout).expect("one line of JSON");
    for value in [line["evaluation"].take(), line["lines"][0]["evaluation"].take()] {
        assert_eq!(value["outcome"], "win", "{value}");
    }
    let loss = json!({"certainty": "proven", "outcome": "loss", "pliesToEnd": 1, "scores": [0.0, 1.0], "source": "search",
                      "depth": 1});
    (line["evaluation"], line["lines"][0]["evaluation"]) = (loss.clone(), loss);
    let lines = pentad_test_plugins::file("altered.ndjson", line.to_string().as_bytes());
    for trust in [&[][..], &["--trust"]] {
        let copy = file();
        let text = copy.to_str().expect("UTF-8");
        let import = ["store", "import", text, lines.to_str().expect("UTF-8")];
        assert_eq!(run(program(import.iter().chain(trust))).await.code, Some(0));
        for _ in 0..2 {
            let verified = run(program(["store", "verify", text])).await;
            assert_eq!(verified.code, Some(1), "{verified:?}");
            assert!(verified.stdout.contains("\n1 of them contradict"), "{verified:?}");
            assert!(verified.stderr.contains("a line that ends the game with another result"), "{verified:?}");
        }
        let server = serve_with(&copy).await;
        let again = hint(&server, WON).await;
        assert_eq!((&again["cached"], &again["evaluation"]), (&json!(false), &truth["evaluation"]));
        let bad = server.metrics().await.count("pentad_store_requests_total", &[("layer", "file"), ("result", "bad")]);
        assert_eq!(bad, 1.0);
        server.signal("TERM").await;
        let (status, log) = server.end().await;
        assert!(status.success() && log.contains("a stored answer is damaged or forged"), "{log}");
    }
}

/// A secret that cannot be used stops the start with a message that names the file.
#[tokio::test]
async fn a_bad_secret_is_an_error_at_the_start() {
    let short = pentad_test_plugins::file("secret", b"too short");
    let flag = format!("--store-secret={}", short.display());
    let ports = ["--grpc-listen=127.0.0.1:0", "--rest-listen=127.0.0.1:0", "--admin-listen=127.0.0.1:0"];
    let started = run(program(ports.into_iter().chain(["--store=redis://127.0.0.1:1", flag.as_str()]))).await;
    assert_eq!(started.code, Some(1), "{started:?}");
    assert!(started.stderr.contains("expected a file of 16 to 4096 bytes, found 9"), "{started:?}");
    assert!(
        started.stderr.contains(short.to_str().expect("UTF-8")) && !started.stderr.contains("too short"),
        "{started:?}"
    );
    let alone = run(program(ports.into_iter().chain([flag.as_str()]))).await;
    assert_eq!(alone.code, Some(64), "{alone:?}");
}

/// A backup of a running server is a store with everything that was acknowledged: answers and games. It comes by the
/// command, and as a dump from which the command builds the same; there is none without a file, for web pages, and
/// over an existing file unless that is asked for.
#[tokio::test]
async fn a_running_server_is_backed_up() {
    let (path, copies) = (file(), pentad_test_plugins::scratch_dir());
    let text = |path: &std::path::Path| path.to_str().expect("UTF-8").to_owned();
    let games = (1..=5).map(|n| {
        format!(
            "{}\n",
            json!({"game": "pentago", "id": format!("match {n}"), "moves": ["c3-2r"], "scores": {"w": 1, "b": 0}})
        )
    });
    let games = pentad_test_plugins::file("games.ndjson", games.collect::<String>().as_bytes());
    let rulesets = text(two_games());
    let imported = run(program(["import", &text(&games), "--store", &text(&path), "--rulesets", &rulesets])).await;
    assert_eq!(imported.code, Some(0), "{imported:?}");
    let server = serve_with(&path).await;
    hint(&server, WON).await;
    assert_stored(&server, 1.0).await;

    let (copy, address) = (text(&copies.join("copy")), server.admin.to_string());
    let made = run(program(["store", "backup", &copy, "--admin", &address])).await;
    assert_eq!(made.code, Some(0), "{made:?}");
    assert!(made.stderr.contains("1 answers and 5 games"), "{made:?}");
    let again = run(program(["store", "backup", &copy, "--admin", &address])).await;
    assert!(again.code == Some(1) && again.stderr.contains("there is a file already"), "{again:?}");
    let replaced = run(program(["store", "backup", &copy, "--admin", &address, "--replace", "--json"])).await;
    assert_eq!(replaced.json(), json!({"file": copy, "answers": 1, "games": 5}), "{replaced:?}");

    let url = format!("http://{}/store:backup", server.admin);
    let dump = rest::client().post(&url).send().await.expect("a response").bytes().await.expect("a dump");
    let dump = pentad_test_plugins::file("dump", &dump);
    let built = text(&copies.join("built"));
    let from_dump = run(program(["store", "backup", &built, "--from", &text(&dump)])).await;
    assert_eq!(from_dump.code, Some(0), "{from_dump:?}");
    let page = rest::client().post(&url).header("origin", "https://page.example").send().await.expect("a response");
    assert_eq!(page.status(), 403);
    server.signal("TERM").await;
    assert!(server.end().await.0.success());

    let export =
        async |what: &[&str], path: &str| run(program([&["store", "export", path], what].concat())).await.stdout;
    let (answers, recorded) = (export(&[], &text(&path)).await, export(&["--games"], &text(&path)).await);
    assert_eq!((answers.lines().count(), recorded.lines().count()), (1, 5), "{answers}");
    for copy in [copy, built] {
        assert_eq!((export(&[], &copy).await, export(&["--games"], &copy).await), (answers.clone(), recorded.clone()));
        let restored = serve_with(std::path::Path::new(&copy)).await;
        assert_stored(&restored, 1.0).await;
    }

    let without = serve(two_games(), &[]).await;
    let refused =
        run(program(["store", "backup", &text(&copies.join("none")), "--admin", &without.admin.to_string()])).await;
    assert!(refused.code == Some(1) && refused.stderr.contains("there is no store"), "{refused:?}");
}
