//! Commands that ask a running server.

use std::net::SocketAddr;

use pentad::config::Config;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::{WON, ask, stable};
use crate::support::program::{Exited, program, run};
use crate::support::{refusing_port, server};

/// Runs a command without any rule set of its own.
async fn remote(address: SocketAddr, arguments: &[&str]) -> Exited {
    let url = format!("http://{address}");
    let mut command = program(arguments);
    command.args(["--server", &url, "--rulesets", "/no/such/directory"]);
    run(command).await
}

/// A server gives the same answers, as text and as JSON, to every command.
#[tokio::test]
async fn servers_answer_like_this_process() {
    let defaults = Config::default();
    let as_by_default = |config: &mut Config| {
        config.time_default_ms = defaults.time_default_ms;
        config.threads_per_long_search = defaults.threads_per_long_search;
    };
    let server = server().set(as_by_default).start().await;
    for arguments in [
        &["hint", "pentago", WON, "--count", "2", "--nodes", "2000"][..],
        &["hint", "tictactoe", "--level", "3", "--seed", "7", "--nodes", "200", "--detail", "move"],
        &["moves", "pentago", "--prefix", "a1-"],
        &["position", "pentago", "--moves", "c3-2r"],
        &["evaluate", "pentago", WON],
        &["compare", "pentago", WON, "--compare-moves", "e1,a2-1r", "--depth", "2"],
        &["threats", "pentago", WON],
        &["explore", "tictactoe", "--count", "3"],
        &["review", "pentago", "--position", WON, "--moves", "f6-4r,e3", "--nodes", "3000"],
        &["puzzles", "pentago", "-n", "1", "--plies", "1", "--seed", "3", "--nodes", "2000"],
        &["games"],
    ] {
        let here = ask(arguments).await;
        let there = remote(server.addresses.rest, arguments).await;
        assert_eq!((here.code, there.code), (Some(0), Some(0)), "{arguments:?}: {here:?} {there:?}");
        let without_counts = |text: &str| -> Vec<String> {
            text.lines().filter(|line| !line.contains("; stopped by ")).map(str::to_owned).collect()
        };
        assert_eq!(without_counts(&here.stdout), without_counts(&there.stdout), "{arguments:?}");
        if !matches!(arguments[0], "puzzles" | "review") {
            let as_json = [arguments, &["--json"]].concat();
            let (here, there) = (ask(&as_json).await, remote(server.addresses.rest, &as_json).await);
            let json = |text: &str| stable(serde_json::from_str(text).expect("JSON"));
            assert_eq!(json(&here.stdout), json(&there.stdout), "{as_json:?}");
        }
    }
    let refused = remote(server.addresses.rest, &["hint", "pentago", "--moves", "a1-2r,a1-2r"]).await;
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.stderr.starts_with("pentad: moves[1]"), "{refused:?}");
}

/// The environment names the server and the token; a token is sent from a file or a variable.
#[tokio::test]
async fn servers_and_tokens_come_from_the_environment() {
    let created = run(program(["token", "me"])).await;
    let token = created.stderr.lines().next().expect("the token comes first");
    let tokens = pentad_test_plugins::file("tokens", created.stdout.as_bytes());
    let server = server().set(|config| config.tokens = Some(tokens)).start().await;
    let url = format!("http://{}/", server.addresses.rest);
    let ask = async |variables: &[(&str, &str)], more: &[&str]| {
        let mut command = program(["moves", "tictactoe"]);
        command.args(more).env("PENTAD_SERVER", &url).envs(variables.iter().copied());
        run(command).await
    };
    let none = ask(&[], &[]).await;
    assert_eq!(none.code, Some(1), "{none:?}");
    assert!(none.stderr.contains("refuses: ") && none.stderr.contains("--token-file or PENTAD_TOKEN"), "{none:?}");
    let given = ask(&[("PENTAD_TOKEN", token)], &[]).await;
    assert_eq!((given.code, given.stdout.lines().count()), (Some(0), 9), "{given:?}");
    let file = pentad_test_plugins::file("token", format!("{token}\n").as_bytes());
    let file = file.to_str().expect("UTF-8");
    let given = ask(&[("PENTAD_TOKEN", "wrong")], &["--token-file", file]).await;
    assert_eq!((given.code, given.stdout.lines().count()), (Some(0), 9), "{given:?}");
    let wrong = ask(&[("PENTAD_TOKEN", "wrong")], &[]).await;
    assert_eq!(wrong.code, Some(1), "{wrong:?}");
    assert!(!wrong.stderr.contains("wrong"), "the token is not shown: {wrong:?}");
}

/// A server that is gone, is another program, breaks off or redirects gets a message that
/// says so; a library file is never asked of a server.
#[tokio::test]
async fn failures_are_clear() {
    let (_socket, gone) = refusing_port();
    let ended = remote(gone, &["hint", "pentago"]).await;
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let message = format!("pentad: cannot reach http://{gone}: ");
    assert!(ended.stderr.starts_with(&message) && ended.stderr.contains("refused"), "{ended:?}");

    for (answer, expected) in [
        ("HTTP/1.1 404 Not Found\r\ncontent-length: 5\r\n\r\nhello", "does not answer as Pentad does"),
        (
            "HTTP/1.1 301 Moved\r\nlocation: https://other.example/\r\ncontent-length: 0\r\n\r\n",
            "redirects to https://other",
        ),
        ("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"pos", "broke off"),
        ("SSH-2.0-OpenSSH_9.6\r\n", "broke off"),
        ("", "broke off"),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let other = tokio::spawn(async move {
            let (mut socket, _) = listener.accept().await.expect("the command connects");
            let mut request = [0; 4096];
            let n_read = socket.read(&mut request).await.expect("a request");
            socket.write_all(answer.as_bytes()).await.expect("the command reads");
            String::from_utf8_lossy(&request[..n_read]).into_owned()
        });
        let ended = remote(address, &["position", "pentago", "--json"]).await;
        assert_eq!(ended.code, Some(1), "{answer:?}: {ended:?}");
        assert!(ended.stderr.contains(&format!("http://{address}")), "{answer:?}: {ended:?}");
        assert!(ended.stderr.contains(expected), "{answer:?}: {ended:?}");
        let request = other.await.expect("it answered");
        assert!(request.starts_with("POST /v1/games/pentago/position HTTP/1.1\r\n"), "{request}");
    }

    for url in ["ftp://localhost", "http://"] {
        let ended = run(program(["games", "--server", url])).await;
        assert_eq!(ended.code, Some(1), "{ended:?}");
        assert!(ended.stderr.contains("--server: "), "{ended:?}");
    }
    let both = run(program(["hint", "./libmine.so", "--server", "http://localhost:1"])).await;
    assert!(both.stderr.contains("a server has its own rule sets"), "{both:?}");
}

/// A file in place of a game is answered here although the environment names a server.
#[tokio::test]
async fn files_are_for_this_process() {
    let (_socket, gone) = refusing_port();
    let library = pentad_test_plugins::build("tictactoe");
    let mut command = program(["moves"]);
    command.arg(library).env("PENTAD_SERVER", format!("http://{gone}"));
    let ended = run(command).await;
    assert_eq!((ended.code, ended.stdout.lines().count()), (Some(0), 9), "{ended:?}");
}
