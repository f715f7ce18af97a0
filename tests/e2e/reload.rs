//! Reloads: rule sets and settings change under a running server.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use http::header;
use serde_json::{Value, json};

use crate::support::grpc::GrpcClient;
use crate::support::metrics::Metrics;
use crate::support::program::{ServerProcess, program, run, serve};
use crate::support::rest::{Reply, client, send};
use crate::support::{assert_eventually, pentago};

/// A server whose rule sets are copies that a test may change.
struct Reloadable {
    dir: PathBuf,
    served: ServerProcess,
    http: reqwest::Client,
}

impl Reloadable {
    /// Starts a server with Pentago and tic-tac-toe.
    async fn start(more: &[&str]) -> Reloadable {
        Reloadable::start_with(&[], more).await
    }

    /// As `start`, with these files in addition.
    async fn start_with(plugins: &[&str], more: &[&str]) -> Reloadable {
        let dir = pentad_test_plugins::scratch_dir();
        for name in plugins {
            let library = dir.join(format!("lib{name}.so"));
            std::fs::copy(pentad_test_plugins::build(name), library).expect("it was just built");
        }
        std::os::unix::fs::symlink(pentago(), dir.join("libpentago.so")).expect("the directory is new");
        std::fs::copy(pentad_test_plugins::build("tictactoe"), tictactoe(&dir)).expect("it was just built");
        let served = serve(&dir, more).await;
        Reloadable { dir, served, http: client() }
    }

    async fn admin(&self, path: &str) -> Reply {
        send(self.http.get(format!("http://{}{path}", self.served.admin))).await.ok()
    }

    fn reload_request(&self) -> reqwest::RequestBuilder {
        self.http.post(format!("http://{}/plugins:reload", self.served.admin))
    }

    async fn reload(&self) -> Value {
        send(self.reload_request()).await.ok().json()
    }

    async fn rest(&self, path: &str, body: &Value) -> Reply {
        send(self.http.post(format!("http://{}/v1/games/{path}", self.served.rest)).json(body)).await
    }

    async fn metrics(&self) -> Metrics {
        Metrics::parse(&self.admin("/metrics").await.text())
    }

    /// Returns the worker process of an isolated game.
    #[cfg(target_os = "linux")]
    async fn worker(&self, game: &str) -> u32 {
        assert_eventually(&format!("the process of {game} runs"), async || {
            let plugins = self.admin("/plugins").await.json();
            let mut listed = plugins["loaded"].as_array().expect("a list").iter();
            let found = listed.find(|plugin| plugin["game"] == game).unwrap_or_else(|| panic!("{plugins:#}"));
            found["worker"]["pid"].as_u64().map(|pid| pid as u32).ok_or_else(|| found.clone())
        })
        .await
    }

    /// Returns all processes that the server has started.
    #[cfg(target_os = "linux")]
    fn processes(&self) -> Vec<u32> {
        crate::support::processes::children(self.served.pid()).iter().map(|it| it.pid).collect()
    }
}

fn tictactoe(dir: &Path) -> PathBuf {
    dir.join("libtictactoe.so")
}

/// Replaces a library by one with different bytes after its end: a new file to the server.
fn another_tictactoe(n: u32) -> Vec<u8> {
    let library = std::fs::read(pentad_test_plugins::build("tictactoe")).expect("it was just built");
    [&library[..], &n.to_le_bytes()].concat()
}

fn no_change() -> Value {
    json!({"added": [], "replaced": [], "removed": [], "refused": [], "settings": [], "needRestart": []})
}

fn with(mut answer: Value, key: &str, value: Value) -> Value {
    answer[key] = value;
    answer
}

/// Added, changed and removed files take effect; the others stay loaded.
#[tokio::test]
async fn rule_sets_come_change_and_go() {
    let server = Reloadable::start(&[]).await;
    assert_eq!(server.reload().await, no_change());

    let added = server.dir.join("libwell_behaved.so");
    std::fs::copy(pentad_test_plugins::build("well_behaved"), &added).expect("it was just built");
    assert_eq!(server.reload().await, with(no_change(), "added", json!(["well-behaved"])));
    server.rest("well-behaved/hints", &json!({})).await.ok();
    let metrics = server.metrics().await;
    assert_eq!(metrics.value("pentad_ruleset_up", &[("game", "well-behaved")]), Some(1.0));
    let counted = [("game", "well-behaved"), ("method", "Hint"), ("code", "200")];
    assert_eq!(metrics.value("pentad_requests_total", &counted), Some(1.0));

    let hint = async || server.rest("tictactoe/hints", &json!({"limits": {"depth": 2}})).await.ok().json();
    assert_eq!((hint().await["cached"].clone(), hint().await["cached"].clone()), (json!(false), json!(true)));
    std::fs::write(tictactoe(&server.dir), another_tictactoe(1)).expect("it is writable");
    assert_eq!(server.reload().await, with(no_change(), "replaced", json!(["tictactoe"])));
    assert_eq!(hint().await["cached"], false, "what the old rule set found is not the new one's answer");
    let infos = server.metrics().await;
    assert_eq!(infos.find("pentad_ruleset_info", &[("game", "tictactoe")]).count(), 1, "the old one is not shown");

    std::fs::remove_file(&added).expect("it exists");
    assert_eq!(server.reload().await, with(no_change(), "removed", json!(["well-behaved"])));
    server.rest("well-behaved/hints", &json!({})).await.expect(404);
    let metrics = server.metrics().await;
    assert_eq!(metrics.value("pentad_ruleset_up", &[("game", "well-behaved")]), None);
    assert_eq!(metrics.value("pentad_requests_total", &counted), Some(1.0), "counters stay");
    assert_eq!(metrics.value("pentad_reloads_total", &[("result", "ok")]), Some(4.0));
}

/// An unusable file is reported; the rule set that was loaded from it before keeps serving.
#[tokio::test]
async fn bad_files_change_nothing() {
    let server = Reloadable::start(&[]).await;
    let file = tictactoe(&server.dir);
    let library = |name: &str| std::fs::read(pentad_test_plugins::build(name)).expect("it was just built");
    let bad = [
        ("not a shared library", b"no library".to_vec()),
        ("wrong_magic", library("wrong_magic")),
        ("breaks the law", library("nonconforming")),
        ("crashed", library("crashes")),
    ];
    for (what, content) in &bad {
        std::fs::write(&file, content).expect("it is writable");
        let reloaded = server.reload().await;
        let refused = &reloaded["refused"][0];
        assert_eq!(refused["file"].as_str(), file.to_str(), "{what}: {reloaded:#}");
        assert_eq!(with(reloaded.clone(), "refused", json!([])), no_change(), "{what}");
        let listed = server.admin("/plugins").await.json();
        assert_eq!(&listed["refused"][0], refused, "{what}");
        server.rest("tictactoe/legal-moves", &json!({})).await.ok();
    }
    let metrics = server.metrics().await;
    assert_eq!(metrics.value("pentad_reloads_total", &[("result", "partial")]), Some(bad.len() as f64));
    // The original file.
    std::fs::copy(pentad_test_plugins::build("tictactoe"), &file).expect("it is writable");
    assert_eq!(server.reload().await, no_change());
}

/// If no rule set would be left, nothing changes.
#[tokio::test]
async fn the_last_rule_set_is_not_removed() {
    let server = Reloadable::start(&[]).await;
    for file in ["libpentago.so", "libtictactoe.so"] {
        std::fs::remove_file(server.dir.join(file)).expect("it exists");
    }
    let answer = send(server.reload_request()).await.expect(500);
    assert!(answer.text().contains("no rule set in"), "{answer:?}");
    server.rest("tictactoe/legal-moves", &json!({})).await.ok();
    assert_eq!(server.metrics().await.value("pentad_reloads_total", &[("result", "failed")]), Some(1.0));
}

/// A required game that vanishes after the start does not make the server unready for the others.
#[tokio::test]
async fn required_games_count_at_the_start() {
    let server = Reloadable::start(&["--require-games=pentago,tictactoe"]).await;
    std::fs::remove_file(tictactoe(&server.dir)).expect("it exists");
    assert_eq!(server.reload().await, with(no_change(), "removed", json!(["tictactoe"])));
    assert_eq!(server.admin("/readyz").await.text(), "ready\n");
    server.rest("pentago/legal-moves", &json!({})).await.ok();
}

/// Under load on both edges, no request fails while its rule set is replaced repeatedly.
#[tokio::test(flavor = "multi_thread")]
async fn no_request_fails_while_rule_sets_are_replaced() {
    const CALLERS: usize = 4;
    const RELOADS: u32 = 20;
    let server = Reloadable::start(&[]).await;
    let is_over = Arc::new(AtomicBool::new(false));
    let n_answered = Arc::new(AtomicUsize::new(0));
    let callers: Vec<_> = (0..CALLERS)
        .map(|caller| {
            let (is_over, n_answered) = (Arc::clone(&is_over), Arc::clone(&n_answered));
            let grpc = GrpcClient::new(server.served.grpc);
            let (http, url) = (client(), format!("http://{}/v1/games/tictactoe", server.served.rest));
            tokio::spawn(async move {
                for n in 0_usize.. {
                    if is_over.load(Ordering::Relaxed) {
                        return;
                    }
                    let cells = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"];
                    let request = json!({"moves": [cells[n % 9]], "limits": {"depth": 2}, "count": 1 + caller % 3});
                    match n % 3 {
                        0 => drop(send(http.post(format!("{url}/hints")).json(&request)).await.ok()),
                        1 => drop(send(http.post(format!("{url}/legal-moves")).json(&json!({}))).await.ok()),
                        _ => {
                            let request = crate::support::about("tictactoe", request);
                            grpc.call("Hint", &request).await.expect("an answer");
                        }
                    }
                    n_answered.fetch_add(1, Ordering::Relaxed);
                }
            })
        })
        .collect();
    for reload in 1..=RELOADS {
        let before = n_answered.load(Ordering::Relaxed);
        std::fs::write(tictactoe(&server.dir), another_tictactoe(reload)).expect("it is writable");
        assert_eq!(server.reload().await, with(no_change(), "replaced", json!(["tictactoe"])), "{reload}");
        assert_eventually("questions are answered", async || {
            assert!(callers.iter().all(|caller| !caller.is_finished()), "a request failed");
            let now = n_answered.load(Ordering::Relaxed);
            if now > before + 3 * CALLERS { Ok(()) } else { Err(now) }
        })
        .await;
    }
    is_over.store(true, Ordering::Relaxed);
    for caller in callers {
        caller.await.expect("every request was answered");
    }
}

/// The process of a replaced rule set ends with its last question, although its search
/// context would be kept for the next one.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn retired_rule_sets_end_their_processes() {
    let server = Reloadable::start_with(&["search_endless"], &[]).await;
    let retired = server.worker("search-endless").await;
    let asked = tokio::spawn({
        let request = server.http.post(format!("http://{}/v1/games/search-endless/hints", server.served.rest));
        send(request.json(&crate::support::endless_search(0, 60_000)))
    });
    server.served.assert_busy(1.0).await;
    std::fs::remove_file(server.dir.join("libsearch_endless.so")).expect("it exists");
    assert_eq!(server.reload().await, with(no_change(), "removed", json!(["search-endless"])));
    assert!(server.processes().contains(&retired), "its question is still being answered");
    asked.abort();
    assert_eventually("its process ends", async || {
        let left = server.processes();
        if left.len() == 2 && !left.contains(&retired) { Ok(()) } else { Err(left) }
    })
    .await;
}

/// However often a rule set is replaced, there are as many processes as isolated rule sets,
/// and their total memory does not grow.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn replaced_rule_sets_leave_nothing_behind() {
    use crate::support::processes::{children, rss_bytes};

    /// Far more than allocators keep, and far less than a library per reload would take.
    const SLACK_BYTES: u64 = 48 << 20;
    const RELOADS: u32 = 10;
    let server = Reloadable::start(&[]).await;
    let mut memory = Vec::new();
    for n in 1..=RELOADS {
        // Contexts are kept for another search of the same kind.
        for count in 1..=3 {
            server.rest("tictactoe/hints", &json!({"limits": {"depth": 2}, "count": count})).await.ok();
        }
        let replaced = server.worker("tictactoe").await;
        std::fs::write(tictactoe(&server.dir), another_tictactoe(n)).expect("it is writable");
        assert_eq!(server.reload().await, with(no_change(), "replaced", json!(["tictactoe"])), "{n}");
        assert_eventually("the replaced one's process ends", async || {
            let (left, now) = (server.processes(), server.worker("tictactoe").await);
            if left.len() == 2 && left.contains(&now) && !left.contains(&replaced) { Ok(()) } else { Err(left) }
        })
        .await;
        let workers: u64 = children(server.served.pid()).iter().map(|it| it.rss_bytes).sum();
        memory.push(workers + rss_bytes(server.served.pid()));
    }
    // The first few warm up the allocators.
    let (warm, last) = (memory[2], *memory.last().expect("there were reloads"));
    assert!(last <= warm + SLACK_BYTES, "memory grows with every reload: {memory:?}");
}

/// Restarts of worker processes are counted over all rule sets of a game.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn restarts_are_counted_across_reloads() {
    let server = Reloadable::start(&[]).await;
    let n_restarts = async || {
        let metrics = server.metrics().await;
        metrics.value("pentad_ruleset_restarts_total", &[("game", "tictactoe")]).expect("it is there")
    };
    for n in 1..=2 {
        let pid = server.worker("tictactoe").await.to_string();
        let killed = tokio::process::Command::new("kill").args(["-s", "KILL", &pid]).status().await;
        assert!(killed.expect("`kill` is there").success());
        assert_eventually("it is started again and counted", async || {
            let now = n_restarts().await;
            if now == f64::from(n) { Ok(()) } else { Err(now) }
        })
        .await;
        std::fs::write(tictactoe(&server.dir), another_tictactoe(n)).expect("it is writable");
        assert_eq!(server.reload().await, with(no_change(), "replaced", json!(["tictactoe"])), "{n}");
        assert_eq!(n_restarts().await, f64::from(n), "a new rule set does not take them back");
    }
}

/// Limits change with the file, ports and pools do not.
#[tokio::test]
async fn settings_are_read_again() {
    let settings = pentad_test_plugins::file("pentad.toml", b"hints_max = 3\n");
    let server = Reloadable::start(&["--config", settings.to_str().expect("a path in UTF-8")]).await;
    let three_hints = json!({"count": 3, "limits": {"depth": 1}});
    server.rest("tictactoe/hints", &three_hints).await.ok();

    std::fs::write(&settings, "hints_max = 2\nqueue_len_max = 7\n").expect("it is writable");
    let changed = with(no_change(), "settings", json!(["hints_max"]));
    assert_eq!(server.reload().await, with(changed, "needRestart", json!(["queue_len_max"])));
    let refused = server.rest("tictactoe/hints", &three_hints).await;
    assert!(refused.status.is_client_error(), "{refused:?}");

    std::fs::write(&settings, "hints_max = 2\nhints_min = 1\n").expect("it is writable");
    let answer = send(server.reload_request()).await.expect(500);
    assert!(answer.text().contains("hints_min"), "the unknown key is named: {answer:?}");
}

/// A web page that sends a request to the admin port, also by DNS rebinding, reloads
/// nothing.
#[tokio::test]
async fn web_pages_cannot_reload() {
    let server = Reloadable::start(&[]).await;
    let by_name = server.reload_request().header(header::HOST, "attacker.example:9090");
    let by_page = server.reload_request().header(header::ORIGIN, "http://attacker.example");
    let by_browser = server.reload_request().header("sec-fetch-site", "cross-site");
    for request in [by_name, by_page, by_browser] {
        send(request).await.expect(403);
    }
    send(server.reload_request().header(header::HOST, "localhost:9090")).await.ok();
    assert_eq!(server.metrics().await.value("pentad_reloads_total", &[("result", "ok")]), Some(1.0));
}

/// SIGHUP reloads, and does not end the server.
#[tokio::test]
async fn a_hangup_reloads() {
    let server = Reloadable::start(&[]).await;
    std::fs::write(tictactoe(&server.dir), another_tictactoe(1)).expect("it is writable");
    server.served.signal("HUP").await;
    assert_eventually("the reload is complete", async || {
        let n_reloads = server.metrics().await.value("pentad_reloads_total", &[("result", "ok")]);
        if n_reloads == Some(1.0) { Ok(()) } else { Err(n_reloads) }
    })
    .await;
    assert_eq!(server.reload().await, no_change(), "the new file was taken up");
}

/// With `watch`, a changed file is loaded automatically.
#[tokio::test]
async fn watched_files_are_taken_up() {
    let server = Reloadable::start(&["--watch"]).await;
    let sha256 = async || server.admin("/plugins").await.json()["loaded"][1]["sha256"].clone();
    let before = sha256().await;
    std::fs::write(tictactoe(&server.dir), another_tictactoe(1)).expect("it is writable");
    assert_eventually("the file is taken up", async || {
        let now = sha256().await;
        if now != before { Ok(()) } else { Err(now) }
    })
    .await;
}

/// New tokens take effect; a broken file keeps the old ones.
#[tokio::test]
async fn tokens_are_read_again() {
    let token = async || {
        let printed = run(program(["token", "alice"])).await;
        (printed.stderr.lines().next().expect("the token").to_owned(), printed.stdout)
    };
    let ((first, first_line), (second, second_line)) = (token().await, token().await);
    let tokens = pentad_test_plugins::file("tokens", first_line.as_bytes());
    let server = Reloadable::start(&["--tokens", tokens.to_str().expect("a path in UTF-8")]).await;
    let call = async |token: &str| {
        let url = format!("http://{}/v1/games/tictactoe/position", server.served.rest);
        send(server.http.post(url).json(&json!({})).bearer_auth(token)).await.status.as_u16()
    };
    assert_eq!((call(&first).await, call(&second).await), (200, 401));
    std::fs::write(&tokens, second_line).expect("it is writable");
    assert_eq!(server.reload().await, no_change());
    assert_eq!((call(&first).await, call(&second).await), (401, 200));
    std::fs::write(&tokens, "alice not-a-sum\n").expect("it is writable");
    let answer = send(server.reload_request()).await.expect(500);
    assert!(answer.text().contains(":1"), "the line is named: {answer:?}");
    assert_eq!(call(&second).await, 200);
}
