//! Rule sets that hang while they are loaded, links to one file, and files among the
//! bundled ones.

#![cfg(target_os = "linux")]

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::processes::children;
use crate::support::program::{ServerProcess, listen, program, run, serve, serve_executable};
use crate::support::rest::{Reply, client, send};
use crate::support::{assert_eventually, pentago};

/// Returns a directory with tic-tac-toe and this many different files that hang.
fn with_hanging(n_hanging: u8) -> PathBuf {
    let dir = pentad_test_plugins::scratch_dir();
    symlink(pentad_test_plugins::build("tictactoe"), dir.join("libtictactoe.so")).expect("the directory is new");
    add_hanging(&dir, n_hanging);
    dir
}

/// They come first in the order of names.
fn add_hanging(dir: &Path, n_hanging: u8) {
    let library = std::fs::read(pentad_test_plugins::build("hangs")).expect("it was just built");
    for n in 0..n_hanging {
        let content = [&library[..], &[n]].concat();
        std::fs::write(dir.join(format!("lib0_hangs_{n}.so")), content).expect("the directory is writable");
    }
}

async fn admin(served: &ServerProcess, path: &str) -> Reply {
    send(client().get(format!("http://{}{path}", served.admin))).await
}

async fn assert_answers(served: &ServerProcess, game: &str) {
    let url = format!("http://{}/v1/games/{game}/position", served.rest);
    assert_eventually(&format!("{game} answers"), async || {
        let reply = send(client().get(&url)).await;
        if reply.status == 200 { Ok(()) } else { Err(reply) }
    })
    .await;
}

/// Constructors that hang delay neither the ports nor other games. Readiness waits for
/// them, unless the required games are there; the drain does not.
#[tokio::test]
async fn hanging_constructors_delay_nothing_else() {
    let dir = with_hanging(3);
    for (more, status) in [(&[][..], 503), (&["--require-games", "tictactoe"], 200)] {
        let mut command = program(more);
        command.arg("--rulesets").arg(&dir).args(["--drain-ms-max", "100"]);
        let served = listen(command, &[]).await;
        admin(&served, "/healthz").await.ok();
        assert_answers(&served, "tictactoe").await;
        let other = send(client().get(format!("http://{}/v1/games/other/position", served.rest))).await;
        assert_eq!(other.expect(503).json()["reason"], "ruleset_unavailable", "it may be among those that are left");
        let ready = admin(&served, "/readyz").await.expect(status).text();
        assert!(status == 200 || ready.contains("3 left"), "{ready}");
        let plugins = admin(&served, "/plugins").await.ok().json();
        assert_eq!(plugins["loading"].as_array().map(Vec::len), Some(3), "{plugins:#}");
        served.signal("TERM").await;
        let (status, log) = served.end().await;
        assert_eq!(status.code(), Some(0), "{log}");
    }
}

/// SIGTERM ends the server during a reload whose files hang: together they would hang for
/// longer than a test may take.
#[tokio::test]
async fn drain_does_not_wait_for_a_reload() {
    let dir = with_hanging(0);
    let served = serve(&dir, &["--drain-ms-max", "100"]).await;
    add_hanging(&dir, 40);
    let before = children(served.pid()).len();
    let reload = tokio::spawn(client().post(format!("http://{}/plugins:reload", served.admin)).send());
    assert_eventually("a file is being checked", async || {
        let now = children(served.pid()).len();
        if now > before { Ok(()) } else { Err(now) }
    })
    .await;
    admin(&served, "/healthz").await.ok();
    served.signal("TERM").await;
    let (status, log) = served.end().await;
    assert_eq!(status.code(), Some(0), "{log}");
    reload.abort();
}

/// Links to one file, and copies of it, are loaded once.
#[tokio::test]
async fn links_to_one_file_are_one_file() {
    let dir = with_hanging(0);
    for n in 0..300 {
        symlink(dir.join("libtictactoe.so"), dir.join(format!("libz{n}.so"))).expect("the name is free");
    }
    std::fs::copy(dir.join("libtictactoe.so"), dir.join("libzcopy.so")).expect("the directory is writable");
    let served = serve(&dir, &[]).await;
    assert_eq!(served.log.matches("worker process started").count(), 1, "{}", served.log);
    let plugins = admin(&served, "/plugins").await.ok().json();
    assert_eq!(plugins["loaded"].as_array().map(Vec::len), Some(1), "{plugins:#}");
    let refused = plugins["refused"].as_array().expect("a list");
    assert_eq!(refused.len(), 301);
    let is_duplicate = |file: &Value| file["error"].as_str().is_some_and(|error| error.contains("the same file as"));
    assert!(refused.iter().all(is_duplicate), "{plugins:#}");
}

/// A file that was added to the directory of the bundled rule sets runs in a process of
/// its own: its crash ends that process and not the server.
#[tokio::test]
async fn files_among_the_bundled_ones_are_isolated() {
    let dir = pentad_test_plugins::scratch_dir();
    let (executable, rulesets) = (dir.join("pentad"), dir.join("rulesets"));
    let built = env!("CARGO_BIN_EXE_pentad");
    // A link takes no room, but not on another file system.
    std::fs::hard_link(built, &executable)
        .or_else(|_| std::fs::copy(built, &executable).map(drop))
        .expect("the directory is writable");
    std::fs::create_dir(&rulesets).expect("the directory is writable");
    for file in [pentago(), pentad_test_plugins::build("crashes")] {
        std::fs::copy(&file, rulesets.join(file.file_name().expect("a name"))).expect("the directory is writable");
    }
    let served = serve_executable(&executable, &[]).await;
    let plugins = admin(&served, "/plugins").await.ok().json();
    let isolation = |game: &str| {
        let mut loaded = plugins["loaded"].as_array().expect("a list").iter();
        loaded.find(|plugin| plugin["game"] == game).map(|plugin| plugin["isolation"].clone())
    };
    assert_eq!(isolation("pentago"), Some(json!("in-process")), "{plugins:#}");
    assert_eq!(isolation("crashes"), Some(json!("process")), "{plugins:#}");
    let crash = "crashes/position?variant=segfault&position=1+a&moves=2";
    send(client().get(format!("http://{}/v1/games/{crash}", served.rest))).await.expect(503);
    assert_answers(&served, "pentago").await;
}

/// The operator sees which protections worker processes have, and a rule set that would
/// lack a required one is refused.
#[tokio::test]
async fn required_protections_are_enforced() {
    let dir = with_hanging(0);
    let served = serve(&dir, &["--require-protections", "no_new_privs,no_capabilities"]).await;
    let protections = assert_eventually("they are known", async || {
        let protections = admin(&served, "/plugins").await.ok().json()["protections"].clone();
        if protections["active"] == json!([]) { Err(protections) } else { Ok(protections) }
    })
    .await;
    assert_eq!(protections["required"], json!(["no_new_privs", "no_capabilities"]), "{protections:#}");
    let metrics = served.metrics().await;
    for (state, value) in [("active", 1.0), ("missing", 0.0)] {
        for name in protections[state].as_array().expect("a list") {
            let label = [("protection", name.as_str().expect("a name"))];
            assert_eq!(metrics.value("pentad_ruleset_protection", &label), Some(value), "{name}");
        }
    }
    assert_eq!(metrics.label("pentad_ruleset_protection", "protection").len(), 6);
    let unknown = run(program(["--require-protections", "moat"])).await;
    assert_eq!(unknown.code, Some(64), "{unknown:?}");
    assert!(unknown.stderr.contains("`moat` is not a protection"), "{unknown:?}");
}
