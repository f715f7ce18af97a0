//! `pentad new` and `pentad dev`: from nothing to a game that is served, and its next
//! version after a change. `.ci/authors` builds the projects in Rust and C++, and by make:
//! these tests need nothing but a C compiler.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;

use crate::support::program::{program, run};
use crate::support::rest::{self, send};
use crate::support::{TIMEOUT, assert_eventually};

/// Compiles the library of the project in C.
const BUILD: &str = "${CC:-cc} -O1 -Wall -Wextra -Werror -std=c11 -shared -fPIC -Iinclude -o next nine_holes.c && \
                     mv next libnine_holes.so";

/// Writes the project of a game in C into a new folder.
async fn project() -> PathBuf {
    let dir = pentad_test_plugins::scratch_dir().join("nine-holes");
    let ended = run(program(["new", "nine-holes", "--lang", "c", "--dir", &text(&dir)])).await;
    assert_eq!((ended.code, &*ended.stderr), (Some(0), ""), "{ended:?}");
    assert!(ended.stdout.contains("Nine Holes") && ended.stdout.contains("pentad dev"), "{ended:?}");
    dir
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// `pentad dev`, and what it has printed.
struct Dev {
    child: Child,
    stdout: BufReader<ChildStdout>,
    printed: String,
}

impl Dev {
    fn start(dir: &Path) -> Dev {
        let arguments = ["--rest-listen", "127.0.0.1:0", "--hang-grace-ms", "60000", "dev", &text(dir)];
        let mut command = program(arguments.into_iter().chain(["--build", BUILD, "--library", "libnine_holes.so"]));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program starts");
        let stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        Dev { child, stdout, printed: String::new() }
    }

    /// Waits for the report of the next round.
    async fn report(&mut self) -> String {
        let start = self.printed.len();
        while !self.printed[start..].contains("Waiting for changes") {
            let read = timeout(TIMEOUT, self.stdout.read_line(&mut self.printed)).await.expect("a report in time");
            assert!(read.expect("it is readable") > 0, "the program ended:\n{}", self.printed);
        }
        self.printed[start..].to_owned()
    }

    async fn stop(mut self) {
        let pid = self.child.id().expect("it runs").to_string();
        let sent = Command::new("kill").args(["-s", "INT", &pid]).status().await.expect("`kill` is there");
        assert!(sent.success());
        let ended = timeout(TIMEOUT, self.child.wait()).await.expect("it ends").expect("its status");
        assert_eq!(ended.code(), Some(0), "{ended}");
    }
}

async fn get(url: &str) -> Value {
    send(rest::client().get(url)).await.ok().json()
}

/// The project builds without a warning and obeys every law as it is.
#[tokio::test]
async fn a_new_project_builds_and_conforms() {
    let dir = project().await;
    let built = Command::new("sh").args(["-c", BUILD]).current_dir(&dir).output().await.expect("sh is there");
    assert!(built.status.success(), "{built:?}");
    let (library, table) = (text(&dir.join("libnine_holes.so")), text(&dir.join("nine_holes.perft")));
    let ended = run(program(["check", &library, "--games", "10", "--texts", "2000", "--perft", &table])).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let ended = run(program(["games", "--rulesets", &text(&dir)])).await;
    assert!(ended.stdout.contains("nine-holes") && ended.stdout.contains("Nine Holes"), "{ended:?}");
}

/// Nothing is written over, and names that no game can have are refused.
#[tokio::test]
async fn new_refuses_what_would_be_lost() {
    let dir = project().await;
    let before = fs::read(dir.join("nine_holes.c")).expect("it was written");
    for arguments in [
        &["new", "nine-holes", "--lang", "c", "--dir", &text(&dir)][..],
        &["new", "Nine Holes"],
        &["new", "x", "--title", "a\"b"],
    ] {
        let ended = run(program(arguments)).await;
        assert_eq!(ended.code, Some(1), "{ended:?}");
        assert!(ended.stderr.starts_with("pentad: ") && ended.stdout.is_empty(), "{ended:?}");
    }
    assert_eq!(fs::read(dir.join("nine_holes.c")).expect("it is there"), before);
    let nowhere = run(program(["dev", &text(&dir.join("include"))])).await;
    assert!(nowhere.code == Some(1) && nowhere.stderr.contains("neither Cargo.toml nor Makefile"), "{nowhere:?}");
}

/// A change of the source is served; one that does not compile, or breaks a law, is
/// reported, and the last good version is served on.
#[tokio::test]
async fn dev_serves_every_good_version() {
    let dir = project().await;
    let source = dir.join("nine_holes.c");
    let original = fs::read_to_string(&source).expect("it was written");
    let mut dev = Dev::start(&dir);
    let first = dev.report().await;
    let page = first
        .split_whitespace()
        .find_map(|word| word.strip_suffix("/#nine-holes"))
        .unwrap_or_else(|| panic!("{first}"));
    let game = format!("{page}/v1/games/nine-holes");
    assert_eq!(get(&game).await["version"], "1.0.0");

    fs::write(&source, original.replace("\"1.0.0\"", "\"1.1.0\"")).expect("it is writable");
    let second = dev.report().await;
    assert!(second.matches("ok").count() >= 2 && !second.contains("failed"), "{second}");
    assert_eventually("the new version is served", async || {
        let version = get(&game).await["version"].clone();
        if version == "1.1.0" { Ok(()) } else { Err(version) }
    })
    .await;

    for (broken, step) in [
        (original.replace("return give(out, text, len);", "return give(out, text, len)"), "build"),
        (original.replace("position.to_move ^= 1;", ""), "check"),
    ] {
        assert_ne!(broken, original);
        fs::write(&source, broken).expect("it is writable");
        let report = dev.report().await;
        let line = report.lines().find(|line| line.trim_start().starts_with(step)).unwrap_or_default();
        assert!(line.contains("failed") && report.contains("the last version without a failure"), "{report}");
        assert_eq!(get(&game).await["version"], "1.1.0");
    }
    dev.stop().await;
}
