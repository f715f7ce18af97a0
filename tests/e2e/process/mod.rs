//! The program: output, configuration, signals, exit codes.

mod loading;
mod logs;
mod preflight;
mod rule_sets;
mod settings;
mod shutdown;

use serde_json::{Value, json};
use tokio::net::TcpStream;

use crate::support::grpc::GrpcClient;
use crate::support::program::{program, run, serve, serve_with_open_files};
use crate::support::rest::{client, send};
use crate::support::{refusing_port, two_games};

/// With port 0 a line on standard error names the three ports; `pentad health`
/// reports whether a server is ready there.
#[tokio::test]
async fn listening_ports_are_printed() {
    let served = serve(two_games(), &[]).await;
    assert!(served.log.lines().any(|line| line.contains("serving") && line.contains("pentago")), "{}", served.log);
    let games = send(client().get(format!("http://{}/v1/games", served.rest))).await.ok().json();
    assert_eq!(games["games"][0]["id"], "pentago");
    GrpcClient::new(served.grpc).call("ListGames", &json!({})).await.expect("the games");
    let admin = served.admin.to_string();
    let healthy = run(program(["health", "--admin", &admin])).await;
    assert_eq!((healthy.code, healthy.stdout.as_str()), (Some(0), "ready\n"), "{healthy:?}");
    let healthy = run(program(["health", "--json", "--admin", &admin])).await;
    let expected = json!({"address": admin, "ready": true, "status": "ready"});
    assert_eq!((healthy.code, healthy.json()), (Some(0), expected), "{healthy:?}");
    served.signal("TERM").await;
    let (status, log) = served.end().await;
    assert_eq!(status.code(), Some(0), "{log}");
    let (_socket, gone) = refusing_port();
    let silent = run(program(["health", "--json", "--admin", &gone.to_string()])).await;
    assert_eq!((silent.code, &silent.json()["ready"]), (Some(1), &json!(false)), "{silent:?}");
    let gone = run(program(["health", "--admin", &gone.to_string()])).await;
    assert_eq!(gone.code, Some(1), "{gone:?}");
    assert!(gone.stderr.contains("does not answer"), "{gone:?}");
}

/// More silent connections than the file limit allows leave room for callers on every port,
/// and the server logs its limit.
#[tokio::test]
async fn silent_connections_leave_files_to_others() {
    let options = ["--header-timeout-ms", "600000"];
    let served = serve_with_open_files(two_games(), 256, &options).await;
    let warning = served.log.lines().find(|line| line.contains("connections_max")).unwrap_or_default();
    assert!(
        warning.contains("connections_max is 4096") && warning.contains("256 open files leaves 64"),
        "{}",
        served.log
    );
    let mut silent = Vec::new();
    for _ in 0..150 {
        for port in [served.rest, served.grpc] {
            silent.push(TcpStream::connect(port).await.expect("the backlog has room"));
        }
    }
    send(client().get(format!("http://{}/healthz", served.admin))).await.ok();
    send(client().get(format!("http://{}/v1/games", served.rest))).await.ok();
    GrpcClient::new(served.grpc).call("ListGames", &json!({})).await.expect("the games");
    let metrics = served.metrics().await;
    for port in ["rest", "grpc"] {
        assert!(metrics.count("pentad_connections", &[("port", port)]) <= 64.0, "{metrics:?}");
    }
}

/// A port that is in use fails the start with a message that names the port.
#[tokio::test]
async fn start_fails_on_a_port_in_use() {
    let in_use = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = in_use.local_addr().expect("it is bound").to_string();
    let mut command =
        program(["--grpc-listen", "127.0.0.1:0", "--rest-listen", &address, "--admin-listen", "127.0.0.1:0"]);
    command.arg("--rulesets").arg(two_games());
    let ended = run(command).await;
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stderr.contains(&format!("cannot listen on {address} (rest)")), "{ended:?}");
}

/// The subcommands work without a server.
#[tokio::test]
async fn subcommands_work() {
    let mut command = program(["games", "--rulesets"]);
    command.arg(two_games());
    let games = run(command).await;
    assert_eq!(games.code, Some(0), "{games:?}");
    let ids: Vec<&str> = games
        .stdout
        .lines()
        .filter(|line| !line.starts_with(' '))
        .map(|line| line.split(' ').next().unwrap_or_default())
        .collect();
    assert_eq!(ids, ["pentago", "tictactoe"], "{games:?}");
    assert!(games.stdout.contains("    czech  "), "{games:?}");

    let mut command = program(["hint", "pentago", "wwww2/6/bbbb2/6/6/6 w", "--depth", "2", "--rulesets"]);
    command.arg(two_games());
    let hint = run(command).await;
    assert_eq!(hint.code, Some(0), "{hint:?}");
    assert!(hint.stdout.contains("1. e1   a proven win in 1 move"), "{}", hint.stdout);
    assert!(hint.stdout.contains(" w w w w . ."), "the board in characters:\n{}", hint.stdout);

    let json = async |arguments: &[&str]| -> Value {
        let mut command = program(arguments);
        command.arg("--rulesets").arg(two_games());
        let ended = run(command).await;
        assert_eq!(ended.code, Some(0), "{ended:?}");
        serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{error}: {}", ended.stdout))
    };
    let won = "wwww2/6/bbbb2/6/6/6 w";
    let hint = json(&["hint", "pentago", won, "--json", "--detail", "move", "--level", "6", "--seed", "3"]).await;
    assert_eq!((&hint["hints"][0]["move"], &hint["hints"][0]["line"]), (&json!("e1"), &json!([])), "{hint:#}");
    let nudge = json(&["hint", "pentago", won, "--json", "--detail", "nudge", "--count", "1"]).await;
    assert_eq!(nudge["hints"][0]["reasons"][0]["text"], "There is a move that wins at once.", "{nudge:#}");
    let position = json(&["position", "pentago", "--moves", "c3-2r", "--json"]).await;
    assert_eq!((&position["toMove"], &position["legalMoveCount"]), (&json!("b"), &json!(280)), "{position:#}");
    let moves = json(&["moves", "pentago", "--prefix", "a1-1", "--json"]).await;
    assert_eq!((&moves["moves"], &moves["total"]), (&json!(["a1-1l", "a1-1r"]), &json!(2)), "{moves:#}");
    let mut command = program(["moves", "tictactoe", "--rulesets"]);
    command.arg(two_games());
    assert_eq!(run(command).await.stdout.lines().count(), 9);

    let mut command = program(["hint", "tictactoe", "--moves", "b2,a1", "--time-ms", "60000", "--rulesets"]);
    command.arg(two_games());
    let hint = run(command).await;
    assert_eq!(hint.code, Some(0), "{hint:?}");
    assert!(hint.stdout.contains("a proven draw"), "{}", hint.stdout);

    for (arguments, message) in [
        (&["hint", "chess"][..], "no game `chess`"),
        (&["hint", "pentago", "nonsense"], "pentad: "),
        (&["hint", "pentago", "--moves", "a1-2r,a1-2r"], "moves[1]"),
    ] {
        let mut command = program(arguments);
        command.arg("--rulesets").arg(two_games());
        let ended = run(command).await;
        assert_eq!(ended.code, Some(1), "{arguments:?}: {ended:?}");
        assert!(ended.stderr.contains(message), "{arguments:?}: {ended:?}");
    }
}
