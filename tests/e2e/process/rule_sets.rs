//! Which rule sets the program finds and loads.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;

use super::settings::settings;
use crate::support::grpc::GrpcClient;
use crate::support::program::{program, run, serve};
use crate::support::rest::{client, send};
use crate::support::{assert_eventually, pentago, two_games};

/// Without a rule set the start fails with code 1 and a message that names the
/// directory and the refused files.
#[tokio::test]
async fn start_fails_without_a_rule_set() {
    let ports = ["--grpc-listen", "127.0.0.1:0", "--rest-listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"];
    let empty = pentad_test_plugins::scratch_dir();
    let mut command = program(ports);
    command.arg("--rulesets").arg(&empty);
    let ended = run(command).await;
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stderr.contains(&format!("no rule set in {}", empty.display())), "{ended:?}");
    assert!(!ended.stderr.contains("listening "), "{ended:?}");

    let only_lies = crate::support::directory_of(&[pentad_test_plugins::build("wrong_magic")]);
    let mut command = program(ports);
    command.arg("--rulesets").arg(&only_lies);
    let ended = run(command).await;
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stderr.contains("libwrong_magic.so") && ended.stderr.contains("magic number"), "{ended:?}");

    let ended = run(program(["--rulesets", "/nowhere"])).await;
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stderr.contains("/nowhere"), "{ended:?}");
}

/// Without `--rulesets` the bundled games are served.
#[tokio::test]
async fn bundled_games_are_found() {
    let games = run(program(["games"])).await;
    assert_eq!(games.code, Some(0), "{games:?}");
    assert!(games.stdout.lines().any(|line| line.starts_with("pentago  ")), "{games:?}");
}

/// Custom games are served beside the bundled ones, by flags, environment and file; of two
/// files with the same game, the one in the earlier directory is served and the other
/// refused.
#[tokio::test]
async fn own_games_join_the_bundled_ones() {
    let mine = pentad_test_plugins::scratch_dir();
    std::fs::copy(pentad_test_plugins::build("tictactoe"), mine.join("libmine.so")).expect("it was just built");
    let mut other_pentago = std::fs::read(pentago()).expect("it is built with the package");
    // A byte after the sections: the file differs, the game does not.
    other_pentago.push(0);
    std::fs::write(mine.join("libother.so"), other_pentago).expect("the directory is writable");
    let text = mine.to_str().expect("a path in UTF-8");

    let by_flags = program(["games", "--rulesets", "bundled", "--rulesets", text]);
    let mut by_env = program(["games"]);
    by_env.env("PENTAD_RULESETS", format!("bundled:{text}"));
    let mut by_file = program(["games", "--config"]);
    by_file.arg(settings(&format!("rulesets = [\"bundled\", {text:?}]\n")));
    for command in [by_flags, by_env, by_file] {
        let games = run(command).await;
        assert_eq!(games.code, Some(0), "{games:?}");
        for game in ["pentago  ", "pentaflip  ", "tictactoe  "] {
            assert_eq!(games.stdout.lines().filter(|line| line.starts_with(game)).count(), 1, "{games:?}");
        }
        assert!(games.stderr.contains("libother.so: the game `pentago` is already loaded from"), "{games:?}");
    }

    let own_first = run(program(["games", "--rulesets", text, "--rulesets", "bundled"])).await;
    assert_eq!(own_first.code, Some(0), "{own_first:?}");
    let refused = "libruleset_pentago.so: the game `pentago` is already loaded from";
    assert!(own_first.stderr.contains(refused) && own_first.stderr.contains("libother.so"), "{own_first:?}");
    let alone = run(program(["games", "--rulesets", text])).await;
    assert_eq!(alone.stdout.lines().filter(|line| !line.starts_with(' ')).count(), 2, "{alone:?}");
}

/// Overwriting, truncating or removing a loaded rule set's file does not disturb the server,
/// which keeps answering from the loaded library.
#[tokio::test]
async fn copying_over_a_loaded_rule_set_is_harmless() {
    let dir = pentad_test_plugins::scratch_dir();
    let file = dir.join("libtictactoe.so");
    std::fs::copy(pentad_test_plugins::build("tictactoe"), &file).expect("it was just built");
    let served = serve(&dir, &[]).await;
    let (n_asked, n_answered) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let questions = tokio::spawn({
        let (n_asked, n_answered, grpc) = (Arc::clone(&n_asked), Arc::clone(&n_answered), GrpcClient::new(served.grpc));
        async move {
            loop {
                // A different position each time, so that the rule set answers, not the cache.
                let n = n_asked.fetch_add(1, Ordering::Relaxed);
                let moves = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"];
                let (first, second) = (moves[n % 9], moves[(n + 1 + n / 9 % 8) % 9]);
                let request = json!({"game": "tictactoe", "moves": [first, second], "limits": {"depth": 3 + n / 72}});
                grpc.call("Hint", &request).await.expect("an answer");
                n_answered.fetch_add(1, Ordering::Relaxed);
            }
        }
    });
    let answered_more = async || {
        let before = n_answered.load(Ordering::Relaxed);
        assert_eventually("questions are answered", async || {
            assert!(!questions.is_finished(), "a question failed");
            let now = n_answered.load(Ordering::Relaxed);
            if now >= before + 20 { Ok(()) } else { Err(now) }
        })
        .await;
    };
    answered_more().await;
    for content in [&b""[..], &[0xcc; 100_000], b"no library"] {
        // Truncates and rewrites the same inode, as `cp` does.
        std::fs::write(&file, content).expect("it is writable");
        answered_more().await;
    }
    std::fs::copy(pentad_test_plugins::build("well_behaved"), &file).expect("it is writable");
    answered_more().await;
    let plugins = send(client().get(format!("http://{}/plugins", served.admin))).await.ok().json();
    assert_eq!(plugins["loaded"][0]["file"].as_str(), file.to_str(), "{plugins:#}");
    std::fs::remove_file(&file).expect("it exists");
    answered_more().await;
    questions.abort();
    served.signal("TERM").await;
    let (status, log) = served.end().await;
    assert_eq!(status.code(), Some(0), "{log}");
}

/// Only files on the allow-list are loaded; others are refused with their hash.
#[tokio::test]
async fn allow_list_is_enforced() {
    let list = pentad_test_plugins::file(
        "allowed",
        format!("{}  libtictactoe.so\n", sha256(&pentad_test_plugins::build("tictactoe")).await).as_bytes(),
    );
    let mut command = program(["games", "--rulesets"]);
    command.arg(two_games()).arg("--allow-list").arg(&list);
    let games = run(command).await;
    assert_eq!(games.code, Some(0), "{games:?}");
    assert!(games.stdout.starts_with("tictactoe") && !games.stdout.contains("pentago"), "{games:?}");
    assert!(games.stderr.contains("not on the allow-list"), "{games:?}");
}

/// With several lists, a file may be loaded that is on one of them: by flags, and by the environment.
#[tokio::test]
async fn allow_lists_are_added_up() {
    let list = async |plugin: &str, file: &std::path::Path| {
        pentad_test_plugins::file(plugin, format!("{}  lib{plugin}.so\n", sha256(file).await).as_bytes())
    };
    let libraries = std::fs::read_dir(two_games()).expect("it can be listed");
    let mut lists = Vec::new();
    for library in libraries {
        let library = library.expect("it can be listed").path();
        let name = library.file_stem().expect("a name").to_string_lossy().into_owned();
        lists.push(list(&name, &library).await.to_str().expect("UTF-8").to_owned());
    }
    assert_eq!(lists.len(), 2);
    let mut by_flags = program(["games", "--rulesets"]);
    by_flags.arg(two_games()).args(lists.iter().flat_map(|list| ["--allow-list", list]));
    let mut by_variable = program(["games", "--rulesets"]);
    by_variable.arg(two_games()).env("PENTAD_ALLOW_LIST", lists.join(","));
    for command in [by_flags, by_variable] {
        let games = run(command).await;
        assert!(games.stdout.contains("tictactoe") && games.stdout.contains("pentago"), "{games:?}");
        assert_eq!(games.stderr, "", "nothing is refused");
    }
}

async fn sha256(path: &std::path::Path) -> String {
    let output = tokio::process::Command::new("sha256sum").arg(path).output().await.expect("`sha256sum` is there");
    String::from_utf8_lossy(&output.stdout).split(' ').next().unwrap_or_default().to_owned()
}
