//! The program: output, configuration, signals, exit codes.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use tokio::net::TcpStream;

use crate::support::grpc::GrpcClient;
use crate::support::held::Held;
use crate::support::program::{program, run, serve, serve_with_env, serve_with_open_files};
use crate::support::rest::{client, send};
use crate::support::{about, assert_eventually, directory_of, endless_search, pentago, refusing_port, two_games};

/// A settings file in a directory of its own.
fn settings(text: &str) -> PathBuf {
    pentad_test_plugins::file("pentad.toml", text.as_bytes())
}

/// The effective settings as printed by `--print-config`: `key = value` lines.
async fn effective(command: tokio::process::Command) -> String {
    let ended = run(command).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    ended.stdout
}

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
    served.signal("TERM").await;
    let (status, log) = served.end().await;
    assert_eq!(status.code(), Some(0), "{log}");
    let (_socket, gone) = refusing_port();
    let gone = run(program(["health", "--admin", &gone.to_string()])).await;
    assert_eq!(gone.code, Some(1), "{gone:?}");
    assert!(gone.stderr.contains("does not answer"), "{gone:?}");
}

/// SIGTERM during a hint: not ready at once, new connections are refused, the hint
/// is still answered, and the exit code is 0.
#[tokio::test]
async fn drain_finishes_running_hints() {
    let held = Held::new();
    // Its search waits for a file, which no worker process sees.
    let more = ["--drain-ms-max", "600000", "--isolation", "in-process"];
    let served = serve(&directory_of(&[held.library().to_owned()]), &more).await;
    let grpc = GrpcClient::new(served.grpc);
    let in_flight = tokio::spawn(async move { grpc.call("Hint", &about("held", Held::search(0))).await });
    served.assert_busy(1.0).await;
    served.signal("TERM").await;
    let readyz = format!("http://{}/readyz", served.admin);
    assert_eventually("it is not ready", async || {
        let reply = send(client().get(&readyz)).await;
        if reply.status == 503 { Ok(()) } else { Err(reply) }
    })
    .await;
    for port in [served.grpc, served.rest] {
        assert_eventually("the port is closed", async || match TcpStream::connect(port).await {
            Ok(connected) => Err(connected),
            Err(_refused) => Ok(()),
        })
        .await;
    }
    assert!(!in_flight.is_finished(), "the hint is still running");
    held.release();
    let answer = in_flight.await.expect("no panic").expect("an accepted request is answered");
    assert_eq!(answer["stopReason"], "depth", "it was not cut short: {answer:#}");
    let (status, log) = served.end().await;
    assert_eq!(status.code(), Some(0), "{log}");
    assert!(log.contains("every call was finished"), "{log}");
}

/// When the drain's time is up, searches answer with their best move so far.
#[tokio::test]
async fn drain_deadline_ends_long_searches() {
    let rulesets = directory_of(&[pentad_test_plugins::build("search_endless")]);
    let served = serve(&rulesets, &["--drain-ms-max", "50", "--time-max-ms", "600000"]).await;
    let request = about("search-endless", endless_search(0, 600_000));
    let grpc = GrpcClient::new(served.grpc);
    let in_flight = tokio::spawn(async move { grpc.call("Hint", &request).await });
    served.assert_busy(1.0).await;
    served.signal("INT").await;
    let answer = in_flight.await.expect("no panic").expect("a hint, as far as it got");
    assert_eq!(answer["stopReason"], "shutdown", "{answer:#}");
    let (status, log) = served.end().await;
    assert_eq!(status.code(), Some(0), "{log}");
    assert!(log.contains("cut short"), "{log}");
}

/// A second signal ends the drain, and the exit code says so.
#[tokio::test]
async fn second_signal_stops_at_once() {
    let held = Held::new();
    let served = serve(&directory_of(&[held.library().to_owned()]), &["--drain-ms-max", "600000"]).await;
    let grpc = GrpcClient::new(served.grpc);
    let in_flight = tokio::spawn(async move { grpc.call("Hint", &about("held", Held::search(0))).await });
    served.assert_busy(1.0).await;
    served.signal("TERM").await;
    let readyz = format!("http://{}/readyz", served.admin);
    assert_eventually("it drains", async || {
        let reply = send(client().get(&readyz)).await;
        if reply.status == 503 { Ok(()) } else { Err(reply) }
    })
    .await;
    served.signal("HUP").await;
    served.signal("TERM").await;
    let (status, log) = served.end().await;
    assert_eq!(status.code(), Some(1), "{log}");
    assert!(log.contains("stopped by a second signal before the drain was complete"), "{log}");
    assert!(in_flight.await.expect("no panic").is_err(), "its call was cut off");
}

/// Only SIGTERM and SIGINT stop the server.
#[tokio::test]
async fn other_signals_do_not_stop_the_server() {
    let served = serve(two_games(), &[]).await;
    for name in ["HUP", "USR1", "USR2", "QUIT", "PIPE"] {
        served.signal(name).await;
        send(client().get(format!("http://{}/healthz", served.admin))).await.ok();
    }
    served.signal("TERM").await;
    let (status, log) = served.end().await;
    assert_eq!(status.code(), Some(0), "{log}");
    for line in ["SIGUSR1 is ignored", "SIGUSR2 is ignored", "SIGQUIT is ignored"] {
        assert!(log.contains(line), "{line}: {log}");
    }
}

/// If every thread of the public ports hangs in a rule set, probes are answered, and
/// SIGTERM ends the process at the drain's deadline.
#[tokio::test]
async fn hanging_rule_set_leaves_probes_and_signals() {
    let rulesets = directory_of(&[pentad_test_plugins::build("moves_hang")]);
    let served = serve(&rulesets, &["--drain-ms-max", "100"]).await;
    let moves = format!("http://{}/v1/games/moves-hang/legal-moves", served.rest);
    for _ in 0..300 {
        send(client().get(&moves)).await.ok();
    }
    let n_threads = std::thread::available_parallelism().expect("the system knows").get();
    let hanging: Vec<_> =
        (0..2 * n_threads).map(|_| tokio::spawn(client().get(format!("{moves}?position=9%20a")).send())).collect();
    assert_eventually("the calls have arrived, or their threads hang", async || {
        send(client().get(format!("http://{}/healthz", served.admin))).await.ok();
        let in_flight = served.metrics().await.count("pentad_calls_in_flight", &[("protocol", "rest")]);
        if in_flight >= n_threads as f64 { Ok(()) } else { Err(in_flight) }
    })
    .await;
    served.signal("TERM").await;
    let (status, log) = served.end().await;
    assert_eq!(status.code(), Some(0), "{log}");
    hanging.iter().for_each(tokio::task::JoinHandle::abort);
}

/// More silent connections than there may be files leave room for callers on every
/// port, and the server says how many it can have.
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

/// If nobody reads standard error, lines of the log are lost and counted; calls are
/// answered and the process ends. 303 refused calls once filled the pipe and then
/// held up every port.
#[tokio::test]
async fn unread_log_holds_up_nobody() {
    // Hundreds of lines per call.
    let served = serve(two_games(), &["--log-level", "trace,pentad=trace"]).await;
    let grpc = GrpcClient::new(served.grpc);
    assert_eventually("lines are lost", async || {
        for _ in 0..20 {
            grpc.call("ListGames", &json!({})).await.expect("the games");
            send(client().get(format!("http://{}/v1/games/chess", served.rest))).await.expect(404);
        }
        let lost = served.metrics().await.value("pentad_log_lines_lost_total", &[]);
        if lost > Some(0.0) { Ok(()) } else { Err(lost) }
    })
    .await;
    send(client().get(format!("http://{}/healthz", served.admin))).await.ok();
    served.signal("TERM").await;
    assert_eq!(served.end_unread().await.code(), Some(0));
}

/// A standard error that is closed costs the log and nothing else.
#[tokio::test]
async fn closed_log_is_harmless() {
    for format in ["text", "json"] {
        let mut served = serve(two_games(), &["--log-format", format]).await;
        served.close_stderr();
        for _ in 0..3 {
            send(client().get(format!("http://{}/v1/games/chess", served.rest))).await.expect(404);
        }
        assert_eventually("lines are lost", async || {
            let lost = served.metrics().await.value("pentad_log_lines_lost_total", &[]);
            if lost >= Some(3.0) { Ok(()) } else { Err(lost) }
        })
        .await;
        served.signal("TERM").await;
        assert_eq!(served.end_unread().await.code(), Some(0));
    }
}

/// Flags override the environment, which overrides the file, which overrides the
/// default; the printed settings name their source and are a valid settings file.
#[tokio::test]
async fn flags_override_environment_and_file() {
    let file = settings("workers = 3\nhints_max = 3\nqueue_len_max = 3\ncors_origins = [\"https://a.example\"]\n");
    let mut command = program(["--print-config", "--queue-len-max", "5", "--config"]);
    command.arg(&file).env("PENTAD_HINTS_MAX", "4").env("PENTAD_QUEUE_LEN_MAX", "4");
    let printed = effective(command).await;
    for line in [
        "workers = 3",
        "hints_max = 4",
        "queue_len_max = 5",
        "cors_origins = [\"https://a.example\"]",
        "page_len_max = 1000",
    ] {
        assert!(printed.lines().any(|printed| printed == line), "{line}:\n{printed}");
    }
    for source in [
        format!("Set by {}:1: workers", file.display()),
        "Set by PENTAD_HINTS_MAX".to_owned(),
        "Set by --queue-len-max".to_owned(),
    ] {
        assert!(printed.contains(&source), "{source}:\n{printed}");
    }
    let mut again = program(["--print-config"]);
    again.env("PENTAD_CONFIG", settings(&printed));
    let values = |text: &str| text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(values(&effective(again).await), values(&printed), "the printed settings can be loaded");
}

/// Invalid settings exit with 64 and a message that names the setting and its source.
#[tokio::test]
async fn invalid_settings_are_named() {
    let cases: [(&[&str], &str); 13] = [
        (&["--trusted-proxies", "10.0.0.0/8,proxy"], "--trusted-proxies: `proxy` is neither an address nor a network"),
        (&["--require-games", "pentago,Chess"], "--require-games: `Chess` is not the id of a game"),
        (&["--access-log", "some"], "--access-log: `some` is neither off, sampled nor all"),
        (&["--otlp-endpoint", "localhost:4317"], "`localhost:4317` is not a collector's address"),
        (&["--otlp-endpoint", "https://localhost:4317"], "--otlp-endpoint: `https://localhost:4317` wants TLS"),
        (&["--trace-sample-percent", "101"], "--trace-sample-percent: must be from 0 to 100"),
        (&["--workers", "0"], "--workers: must be from 1 to 1024"),
        (&["--workers", "two"], "--workers: `two` is not a whole number"),
        (&["--grpc-listen", "nowhere"], "--grpc-listen: `nowhere` is not an address"),
        (&["--log-format", "xml"], "--log-format: `xml` is neither text nor json"),
        (&["--time-max-ms", "10"], "time_default_ms is 1000, above time_max_ms, 10"),
        (&["--wrokers", "2"], "--wrokers"),
        (&["--config", "/nowhere/pentad.toml"], "/nowhere/pentad.toml"),
    ];
    for (flags, message) in cases {
        let ended = run(program(flags)).await;
        assert_eq!(ended.code, Some(64), "{flags:?}: {ended:?}");
        assert!(ended.stderr.contains(message), "{flags:?}: {ended:?}");
        assert!(!ended.stderr.contains("listening"), "{flags:?}: {ended:?}");
    }
    let mut command = program::<&str>([]);
    command.env("PENTAD_HANG_GRACE_MS", "1");
    let ended = run(command).await;
    assert_eq!(ended.code, Some(64), "{ended:?}");
    assert!(ended.stderr.contains("PENTAD_HANG_GRACE_MS: must be from 50 to 60000"), "{ended:?}");
}

/// A settings file with an unknown key, a wrong type or a syntax error is refused
/// with the line.
#[tokio::test]
async fn invalid_settings_files_are_refused_with_the_line() {
    for (text, message) in [
        (
            "workers = 2\n\nqueue_length = 7\n",
            "pentad.toml:3: no setting `queue_length`; did you mean `queue_len_max`?",
        ),
        ("\nworkers = \"two\"\n", "pentad.toml:2: workers: must be a whole number, not string"),
        ("workers = 2\nhints_max = \n", "pentad.toml:2: "),
        ("[server]\nworkers = 2\n", "pentad.toml:1: no setting `server`"),
    ] {
        let file = settings(text);
        let mut command = program(["--config"]);
        command.arg(&file);
        let ended = run(command).await;
        assert_eq!(ended.code, Some(64), "{text}: {ended:?}");
        assert!(ended.stderr.contains(message), "{text}: {ended:?}");
    }
}

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

/// Without `--rulesets` the bundled games are served.
#[tokio::test]
async fn bundled_games_are_found() {
    let games = run(program(["games"])).await;
    assert_eq!(games.code, Some(0), "{games:?}");
    assert!(games.stdout.lines().any(|line| line.starts_with("pentago  ")), "{games:?}");
}

/// Own games join the bundled ones, by flags, environment and file; of two files with
/// the same game, the one of the earlier directory is served and the other refused.
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

/// Copying other bytes over a loaded rule set, truncating it and removing it does not
/// disturb the server, which goes on answering from what it has loaded.
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
                // Another position each time: the rule set is asked, not the cache.
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

async fn sha256(path: &std::path::Path) -> String {
    let output = tokio::process::Command::new("sha256sum").arg(path).output().await.expect("`sha256sum` is there");
    String::from_utf8_lossy(&output.stdout).split(' ').next().unwrap_or_default().to_owned()
}

/// `--help` and `--version` exit with 0, and the help names every setting.
#[tokio::test]
async fn help_names_every_setting() {
    let help = run(program(["--help"])).await;
    assert_eq!(help.code, Some(0), "{help:?}");
    for setting in pentad::config::SETTINGS {
        assert!(help.stdout.contains(&format!("--{}", setting.flag())), "--{} is not in the help", setting.flag());
    }
    let version = run(program(["--version"])).await;
    assert_eq!(version.code, Some(0), "{version:?}");
    assert!(version.stdout.starts_with(&format!("pentad {}", pentad::VERSION)), "{version:?}");
}

/// JSON logs have one object per line, and a failed call can be found by its request
/// id.
#[tokio::test]
async fn logs_can_be_json() {
    let served = serve(two_games(), &["--log-format", "json"]).await;
    let request = client().get(format!("http://{}/v1/games/chess", served.rest)).header("x-request-id", "find-me-7");
    send(request).await.expect(404);
    let start = served.log.clone();
    served.signal("TERM").await;
    let (status, rest) = served.end().await;
    assert_eq!(status.code(), Some(0), "{rest}");
    let log = format!("{start}{rest}");
    let lines: Vec<serde_json::Value> = log
        .lines()
        .filter(|line| !line.starts_with("listening "))
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    let found =
        lines.iter().find(|line| line["request_id"] == "find-me-7").unwrap_or_else(|| panic!("not logged:\n{log}"));
    assert_eq!((&found["reason"], &found["level"]), (&json!("unknown_game"), &json!("INFO")), "{found:#}");
}

/// With JSON logs also a start that fails writes JSON and nothing else, whatever is
/// wrong: a flag, a setting, the file, a port, the rule sets.
#[tokio::test]
async fn failed_starts_are_logged_as_json() {
    let in_use = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let in_use = in_use.local_addr().expect("it is bound").to_string();
    let file = settings("log_format = \"json\"\nqueue_length = 7\n");
    let file = file.to_str().expect("a path in UTF-8");
    let cases: [(&[&str], &str, i32, &str); 6] = [
        (&["--wrokers", "2"], "json", 64, "--wrokers"),
        (&["--wrokers", "2", "--log-format", "json"], "text", 64, "--wrokers"),
        (&["--workers", "0", "--log-format=json"], "text", 64, "--workers: must be from 1 to 1024"),
        (&["--config", file], "", 64, "no setting `queue_length`"),
        (&["--rulesets", "/nowhere"], "json", 1, "/nowhere"),
        (&["--grpc-listen", &in_use], "json", 1, "cannot listen on"),
    ];
    for (arguments, env, code, message) in cases {
        let mut command = program(arguments);
        if !env.is_empty() {
            command.env("PENTAD_LOG_FORMAT", env);
        }
        let ended = run(command).await;
        assert_eq!(ended.code, Some(code), "{arguments:?}: {ended:?}");
        let lines: Vec<serde_json::Value> = ended
            .stderr
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {line}")))
            .collect();
        let last = lines.last().unwrap_or_else(|| panic!("{arguments:?}: nothing is logged"));
        assert_eq!(last["level"], "ERROR", "{arguments:?}: {last:#}");
        assert!(last["message"].as_str().is_some_and(|text| text.contains(message)), "{arguments:?}: {last:#}");
    }
}

/// A text of a caller stays within its line of the log, and is cut.
#[tokio::test]
async fn callers_cannot_forge_log_lines() {
    let served = serve(two_games(), &["--access-log", "all"]).await;
    let ask = async |variant: &str| {
        let url = format!("http://{}/v1/games/pentago/position", served.rest);
        let call = client().post(url).json(&json!({"variant": variant}));
        send(call.header("user-agent", "agent\u{9}x".repeat(100))).await.expect(404)
    };
    ask("x\n2026-01-01T00:00:00Z ERROR pentad: forged\u{1b}[2J").await;
    ask(&"long".repeat(1000)).await;
    served.signal("TERM").await;
    let (status, log) = served.end().await;
    assert_eq!(status.code(), Some(0), "{log}");
    let forged: Vec<&str> = log.lines().filter(|line| line.contains("forged")).collect();
    assert!(matches!(forged[..], [line] if line.contains("x\\n2026-01-01") && line.contains("\\u{1b}[2J")), "{log}");
    assert!(log.chars().all(|letter| letter == '\n' || !letter.is_control()), "{log:?}");
    let cut = log.lines().find(|line| line.contains("longlong")).expect("the refusal is logged");
    assert!(cut.len() < 600 && cut.contains("more bytes)"), "{cut}");
}

/// Every refusal is logged or counted among those left out.
#[tokio::test]
async fn refusals_are_logged_at_a_bounded_rate() {
    const N_REFUSALS: usize = 300;
    let served = serve(two_games(), &["--log-format", "json"]).await;
    let (http, url) = (client(), format!("http://{}/v1/games/chess", served.rest));
    futures_util::future::join_all((0..N_REFUSALS).map(|_| send(http.get(&url)))).await;
    served.signal("TERM").await;
    let (status, log) = served.end().await;
    assert_eq!(status.code(), Some(0), "{log}");
    let lines = log.lines().map(|line| serde_json::from_str(line).expect("a line of JSON"));
    let refusals: Vec<serde_json::Value> =
        lines.filter(|line: &serde_json::Value| line["reason"] == "unknown_game").collect();
    let (summaries, logged): (Vec<_>, Vec<_>) = refusals.iter().partition(|line| line["left_out"].is_u64());
    let left_out: u64 = summaries.iter().filter_map(|line| line["left_out"].as_u64()).sum();
    assert_eq!(logged.len() + left_out as usize, N_REFUSALS, "{log}");
    assert!(logged.len() >= 10, "{log}");
}

/// The access log names who called, what was asked and how it ended: all calls, or
/// every hundredth, or none.
#[tokio::test]
async fn access_log_names_the_caller() {
    let calls = async |choice: &str, n_calls: usize| -> Vec<serde_json::Value> {
        let served = serve(two_games(), &["--log-format", "json", "--access-log", choice]).await;
        let http = client();
        for _ in 0..n_calls {
            let call = http.get(format!("http://{}/v1/games/pentago/position", served.rest));
            send(call.header("user-agent", "a\"b".repeat(200)).header("x-request-id", "access-7")).await.ok();
        }
        GrpcClient::new(served.grpc).call("ListGames", &json!({})).await.expect("the games");
        served.signal("TERM").await;
        let (status, log) = served.end().await;
        assert_eq!(status.code(), Some(0), "{log}");
        let lines = log.lines().map(|line| serde_json::from_str(line).expect("a line of JSON"));
        lines.filter(|line: &serde_json::Value| line["target"] == "pentad::access").collect()
    };
    let all = calls("all", 1).await;
    assert!(all.iter().all(|line| line["client"] == "127.0.0.1"), "nobody is trusted: {all:#?}");
    let [rest, grpc] = &all[..] else { panic!("two lines: {all:#?}") };
    for (line, expected) in
        [(rest, ["rest", "DescribePosition", "pentago", "200"]), (grpc, ["grpc", "ListGames", "none", "OK"])]
    {
        let found = ["protocol", "method", "game", "code"].map(|key| line[key].as_str().unwrap_or_default());
        assert_eq!(found, expected, "{line:#}");
        assert!(line["peer"].as_str().is_some_and(|peer| peer.starts_with("127.0.0.1:")), "{line:#}");
        assert!(line["took_us"].is_u64() && line["trace_id"].as_str().is_some_and(|id| id.len() == 32), "{line:#}");
    }
    assert_eq!(rest["request_id"], "access-7");
    let agent = rest["user_agent"].as_str().expect("the client sent one");
    assert!(agent.starts_with("a\"ba\"b") && agent.len() < 250, "{agent}");
    assert_eq!(calls("sampled", 100).await.len(), 2, "the first and the hundred and first");
    assert!(calls("off", 1).await.is_empty());
}

/// Behind a trusted proxy the access log names the client that the proxy names.
#[tokio::test]
async fn access_log_names_the_client_of_a_trusted_proxy() {
    let options = ["--log-format", "json", "--access-log", "all", "--trusted-proxies", "127.0.0.0/8,192.0.2.2"];
    let served = serve(two_games(), &options).await;
    let call = client().get(format!("http://{}/v1/games", served.rest));
    send(call.header("x-forwarded-for", "203.0.113.9, 198.51.100.7, 192.0.2.2")).await.ok();
    served.signal("TERM").await;
    let (status, log) = served.end().await;
    assert_eq!(status.code(), Some(0), "{log}");
    let lines = log.lines().map(|line| serde_json::from_str(line).expect("a line of JSON"));
    let calls: Vec<Value> = lines.filter(|line: &Value| line["target"] == "pentad::access").collect();
    let [call] = &calls[..] else { panic!("one line: {calls:#?}") };
    assert_eq!(call["client"], "198.51.100.7", "what stands before it may be forged: {call:#}");
    assert!(call["peer"].as_str().is_some_and(|peer| peer.starts_with("127.0.0.1:")), "{call:#}");
}

/// Doubtful settings are warned about at the start: variables that no setting has, and
/// required games that are missing.
#[tokio::test]
async fn doubtful_settings_are_logged() {
    let env = [("PENTAD_WROKERS", "4"), ("PENTAD_SERVICE_HOST", "10.0.0.1")];
    let served = serve_with_env(two_games(), &["--require-games", "pentago,pentaflip,chess"], &env).await;
    let line =
        |text: &str| served.log.lines().find(|line| line.contains(text)).unwrap_or_else(|| panic!("{}", served.log));
    let unknown = line("PENTAD_WROKERS");
    assert!(unknown.contains("WARN") && unknown.contains("did you mean `PENTAD_WORKERS`?"), "{unknown}");
    assert!(!served.log.contains("PENTAD_SERVICE_HOST"), "{}", served.log);
    let missing = line("required games are missing");
    assert!(missing.contains("ERROR") && missing.contains("pentaflip (not loaded), chess (not loaded)"), "{missing}");
}
