//! Isolated rule sets: the effects of a crash, a hang or a kill, and what the operator
//! sees.

#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::StreamExt;
use pentad::config::Isolation;
use pentad_conformance::Options;
use pentad_host::{Confinement, IsolationOptions, NoObserver, Ruleset};
use serde_json::{Value, json};
use tokio::process::Command;

use crate::support::program::serve_dirs;
use crate::support::rest::{self, send};
use crate::support::{TIMEOUT, TestServer, about, assert_eventually, directory_of, pentago, server};

/// Starts a server with Pentago, tic-tac-toe and these, each in its own process.
async fn isolated(plugins: &[&str]) -> TestServer {
    let builder = plugins.iter().fold(server(), |builder, name| builder.plugin(name));
    builder.set(|config| (config.isolation, config.hang_grace_ms) = (Isolation::Process, 50)).start().await
}

/// Returns a game's entry in `/plugins`.
fn plugin(plugins: &Value, game: &str) -> Value {
    let loaded = plugins["loaded"].as_array().expect("a list");
    loaded.iter().find(|plugin| plugin["game"] == game).unwrap_or_else(|| panic!("{game}: {plugins:#}")).clone()
}

async fn worker_of(server: &TestServer, game: &str) -> Value {
    plugin(&server.admin("/plugins").await.ok().json(), game)["worker"].clone()
}

/// Asserts that the other games answer.
async fn assert_others_answer(server: &TestServer, situation: &str) {
    let position = server.get("/v1/games/pentago/position").await;
    assert_eq!(position.status, 200, "{situation}: {position:?}");
    assert_eq!(position.json()["legalMoveCount"], 288, "{situation}");
    let hint = server.get("/v1/games/tictactoe/hints?position=xx1/oo1/3+x").await;
    assert_eq!(hint.status, 200, "{situation}: {hint:?}");
    assert_eq!(hint.json()["hints"][0]["move"], "c1", "{situation}");
}

/// Waits until a game answers again.
async fn assert_comes_back(server: &TestServer, game: &str) {
    assert_eventually(&format!("{game} comes back"), async || {
        let reply = server.get(&format!("/v1/games/{game}/position")).await;
        if reply.status == 200 { Ok(()) } else { Err(reply) }
    })
    .await;
}

/// A crash, an exit, unbounded memory growth and malformed messages on the worker's sockets
/// each fail their own request, which may be retried; the other games answer, the game
/// recovers, and the operator sees the fault.
#[tokio::test]
async fn misbehaviour_costs_its_own_request() {
    let server = isolated(&["crashes", "hostile"]).await;
    let requests = [
        ("crashes", "segfault", "position=1+a&moves=2"),
        ("crashes", "abort", "position=1+a&moves=2"),
        ("crashes", "exit", "position=1+a&moves=2"),
        ("hostile", "lies", "moves=1"),
    ];
    for (game, variant, request) in requests {
        let situation = format!("{game} {variant}");
        assert_comes_back(&server, game).await;
        let before = worker_of(&server, game).await;
        let reply = server.get(&format!("/v1/games/{game}/position?variant={variant}&{request}")).await;
        assert_eq!(reply.status, 503, "{situation}: {reply:?}");
        let reason = reply.problem().reason;
        assert!(["ruleset_unavailable", "ruleset_fault"].contains(&&*reason), "{situation}: {reply:?}");
        assert_others_answer(&server, &situation).await;
        assert_comes_back(&server, game).await;
        let after = worker_of(&server, game).await;
        assert_ne!(before["pid"], after["pid"], "{situation}");
        assert!(after["restarts"].as_u64() > before["restarts"].as_u64(), "{situation}: {after:#}");
    }
    let plugins = server.admin("/plugins").await.ok().json();
    let crashes = plugin(&plugins, "crashes");
    assert_eq!((&crashes["isolation"], &crashes["lastFault"]["kind"]), (&json!("process"), &json!("crash")));
    let metrics = server.metrics().await;
    let crashed = metrics.value("pentad_ruleset_faults_total", &[("game", "crashes"), ("kind", "crash")]);
    assert_eq!(crashed, Some(3.0));
    assert_eq!(metrics.value("pentad_ruleset_restarts_total", &[("game", "crashes")]), Some(3.0));
    assert_eq!(metrics.value("pentad_ruleset_restarts_total", &[("game", "pentago")]), Some(0.0));
    let info = [("game", "crashes"), ("isolation", "process")];
    assert_eq!(metrics.value("pentad_ruleset_info", &info), Some(1.0));
}

/// A rule set that keeps crashing is quarantined: its requests are refused at once, its
/// health shows it, and the server stays ready for the others.
#[tokio::test]
async fn repeated_crashes_are_a_quarantine() {
    let server = isolated(&["crashes"]).await;
    let crash = "/v1/games/crashes/position?variant=abort&position=1+a&moves=2";
    assert_eventually("it is quarantined", async || {
        let reply = server.get(crash).await;
        assert_eq!((reply.status.as_u16(), &*reply.problem().reason), (503, "ruleset_unavailable"), "{reply:?}");
        let worker = worker_of(&server, "crashes").await;
        if worker["state"] == "quarantined" { Ok(()) } else { Err(worker) }
    })
    .await;
    let plugins = server.admin("/plugins").await.ok().json();
    assert_eq!(plugin(&plugins, "crashes")["state"], "down");
    assert_eq!(server.metrics().await.value("pentad_ruleset_up", &[("game", "crashes")]), Some(0.0));
    server.admin("/readyz").await.ok();
    assert_others_answer(&server, "beside a quarantine").await;
}

/// A search that ignores cancellation ends with its worker process; the game recovers.
#[tokio::test]
async fn hanging_search_ends_its_worker() {
    let server = isolated(&["search_hangs"]).await;
    let request = json!({"limits": {"timeMs": 30}});
    assert_eventually("the hang is counted and its worker replaced", async || {
        let reply = server.post("/v1/games/search-hangs/hints", &request).await;
        assert!(reply.status == 200 || reply.status == 503, "{reply:?}");
        let metrics = server.metrics().await;
        let hangs = metrics.count("pentad_ruleset_faults_total", &[("game", "search-hangs"), ("kind", "hang")]);
        let restarts = metrics.value("pentad_ruleset_restarts_total", &[("game", "search-hangs")]);
        if hangs >= 1.0 && restarts >= Some(1.0) { Ok(()) } else { Err((hangs, restarts)) }
    })
    .await;
    assert_others_answer(&server, "after a hang").await;
    assert_comes_back(&server, "search-hangs").await;
}

/// A review goes on when its worker is killed in the middle: every move is judged, over
/// gRPC as in a batch every question is answered.
#[tokio::test]
async fn long_calls_survive_their_worker() {
    const GAME: &str = "search-endless";
    let server = isolated(&["search_endless"]).await;
    assert_comes_back(&server, GAME).await;
    let body = json!({"moves": ["1", "1", "1", "1", "1"], "limits": {"timeMs": 200}});
    let mut messages = server.grpc().stream("Review", &about(GAME, body)).await.expect("a review");
    let first = messages.next().await.expect("a message").expect("no failure");
    let pid = worker_of(&server, GAME).await["pid"].as_u64().expect("it is up");
    kill(pid).await;
    let mut all = vec![first];
    while let Some(message) = messages.next().await {
        all.push(message.expect("the review goes on"));
    }
    let n_moves = all.iter().filter(|message| message.get("move").is_some()).count();
    assert_eq!((n_moves, all.last().is_some_and(|last| last.get("summary").is_some())), (5, true), "{all:#?}");
    assert_ne!(worker_of(&server, GAME).await["pid"], pid);

    let questions =
        (0..4).map(|id| json!({"id": id.to_string(), "kind": "hints", "game": GAME, "limits": {"timeMs": 400 + id}}));
    let lines: String = questions.map(|question| format!("{question}\n")).collect();
    let request =
        server.http.post(server.rest_url("/v1/batch")).header("content-type", "application/x-ndjson").body(lines);
    let answered = tokio::spawn(send(request));
    assert_eventually("a question of the batch is searched", async || {
        let n_searching = server.metrics().await.n_searching();
        if n_searching > 0.0 { Ok(()) } else { Err(n_searching) }
    })
    .await;
    kill(worker_of(&server, GAME).await["pid"].as_u64().expect("it is up")).await;
    let text = answered.await.expect("it ends").ok().text();
    assert_eq!(text.matches("\"answer\"").count(), 4, "{text}");
}

/// Killing a worker fails only the calls that were running in it.
#[tokio::test]
async fn killed_worker_is_replaced() {
    let server = isolated(&[]).await;
    for _ in 0..3 {
        assert_comes_back(&server, "pentago").await;
        let pid = assert_eventually("it is up", async || {
            let worker = worker_of(&server, "pentago").await;
            worker["pid"].as_u64().ok_or(worker)
        })
        .await;
        kill(pid).await;
        assert_eventually("another takes its place", async || {
            let worker = worker_of(&server, "pentago").await;
            if worker["state"] == "up" && worker["pid"] != pid { Ok(()) } else { Err(worker) }
        })
        .await;
    }
    assert_others_answer(&server, "after kills").await;
}

/// By default the bundled games run in the server and others in confined worker processes;
/// a directory may override that. Killing the server ends its workers.
#[tokio::test]
async fn workers_end_with_the_server() {
    let tictactoe = directory_of(&[pentad_test_plugins::build("tictactoe")]);
    let well_behaved = directory_of(&[pentad_test_plugins::build("well_behaved")]);
    let in_process = format!("{}=in-process", well_behaved.display());
    let dirs = ["bundled".to_owned(), tictactoe.display().to_string(), in_process];
    for signal in ["KILL", "TERM"] {
        let served = serve_dirs(&dirs, &[]).await;
        let http = rest::client();
        let plugins = send(http.get(format!("http://{}/plugins", served.admin))).await.ok().json();
        for (game, isolation) in [("pentago", "in-process"), ("tictactoe", "process"), ("well-behaved", "in-process")] {
            assert_eq!(plugin(&plugins, game)["isolation"], isolation, "{plugins:#}");
        }
        let worker = plugin(&plugins, "tictactoe")["worker"].clone();
        let protections = worker["protections"].as_array().expect("a list");
        assert!(protections.contains(&json!("no_new_privs")), "{worker:#}");
        let answer = send(http.get(format!("http://{}/v1/games/tictactoe/hints", served.rest))).await.ok().json();
        assert_eq!(answer["evaluation"]["outcome"], "draw", "{answer:#}");
        let process = PathBuf::from(format!("/proc/{}", worker["pid"]));
        assert!(process.exists());
        served.signal(signal).await;
        let (status, _) = served.end().await;
        assert_eq!(status.success(), signal == "TERM", "{status}");
        assert_eventually("the worker is gone", async || if process.exists() { Err(()) } else { Ok(()) }).await;
    }
}

/// Directories that others may write to are named in the log and in `/plugins`.
#[tokio::test]
async fn writable_directories_are_named() {
    use std::os::unix::fs::PermissionsExt as _;

    let dir = pentad_test_plugins::scratch_dir();
    std::fs::copy(pentad_test_plugins::build("tictactoe"), dir.join("libtictactoe.so")).expect("a copy");
    std::fs::set_permissions(&dir, std::fs::Permissions::from_mode(0o777)).expect("its owner may");
    let served = serve_dirs(&[dir.display().to_string()], &[]).await;
    assert!(served.log.contains("other users may write here"), "{}", served.log);
    let url = format!("http://{}/plugins", served.admin);
    let plugins = send(rest::client().get(url)).await.ok().json();
    let named = &plugin(&plugins, "tictactoe")["writableByOthers"];
    assert_eq!(*named, json!([dir.canonicalize().expect("it exists")]), "{plugins:#}");
}

/// Every law of the conformance kit holds for an isolated rule set, except those about calls
/// that only its worker makes.
#[tokio::test]
async fn conformance_is_the_same() {
    let worker = pentad::worker_command(env!("CARGO_BIN_EXE_pentad").into());
    let options = IsolationOptions {
        command: worker,
        confinement: Confinement::full(1 << 30),
        call_time_max: TIMEOUT,
        stop_time_max: TIMEOUT,
        observer: Arc::new(NoObserver),
    };
    let small = Options { n_games: 1, n_texts: 10, ..Options::default() };
    let check = move |path: &Path| {
        let here = Ruleset::load(path, None).expect("it loads");
        let there = Ruleset::load_isolated(path, None, &options).expect("it loads");
        let laws = |rules: &Arc<Ruleset>| {
            let report = pentad_conformance::check(rules, &small).to_string();
            let is_worker_only =
                |line: &str| ["threats", "stopped", "words"].iter().any(|law| line[..17].contains(law));
            let laws = report.lines().filter(|line| line.len() > 17 && line.starts_with("  ") && !is_worker_only(line));
            laws.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(laws(&here), laws(&there));
    };
    let paths = [pentago(), pentad_test_plugins::build("tictactoe")];
    tokio::task::spawn_blocking(move || paths.iter().for_each(|path| check(path))).await.expect("they agree");
}

async fn kill(pid: u64) {
    let sent = Command::new("kill").args(["-s", "KILL", &pid.to_string()]).status().await.expect("`kill` is there");
    assert!(sent.success(), "kill {pid}: {sent}");
}
