//! Flags, environment and file: precedence and errors.

use std::path::PathBuf;

use crate::support::program::{program, run, serve_with_env};
use crate::support::two_games;

/// Writes a settings file in its own directory.
pub(super) fn settings(text: &str) -> PathBuf {
    pentad_test_plugins::file("pentad.toml", text.as_bytes())
}

/// The effective settings as printed by `--print-config`: `key = value` lines.
async fn effective(command: tokio::process::Command) -> String {
    let ended = run(command).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    ended.stdout
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
        (&["--otlp-endpoint", "grpc://localhost:4317"], "`grpc://localhost:4317` is not a collector's address"),
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
    for (variable, value, message) in [
        ("PENTAD_HANG_GRACE_MS", "1", "PENTAD_HANG_GRACE_MS: must be from 50 to 60000"),
        ("PENTAD_WORKRES", "2", "PENTAD_WORKRES is not a setting; did you mean `PENTAD_WORKERS`?"),
        ("PENTAD_LOG_LEVEL", "loud", "PENTAD_LOG_LEVEL: `loud` is not a log filter; write off, error, warn"),
    ] {
        let mut command = program::<&str>([]);
        command.env(variable, value);
        let ended = run(command).await;
        assert_eq!(ended.code, Some(64), "{variable}: {ended:?}");
        assert!(ended.stderr.contains(message), "{variable}: {ended:?}");
    }
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

/// A pipe or a device in place of a file that a setting names is refused at once: opening a
/// pipe once blocked every reload.
#[tokio::test]
async fn files_of_settings_have_to_be_files() {
    let pipe = pentad_test_plugins::scratch_dir().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("`mkfifo` is there").success());
    let pipe = pipe.to_str().expect("UTF-8");
    let ports = ["--grpc-listen", "127.0.0.1:0", "--rest-listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"];
    for flags in [
        &["--config", pipe][..],
        &["--config", "/dev/zero"],
        &["--tokens", pipe],
        &["--allow-list", pipe],
        &["--tls-cert", pipe, "--tls-key", pipe],
    ] {
        let mut command = program(flags);
        command.args(ports).arg("--rulesets").arg(two_games());
        let ended = run(command).await;
        assert!(ended.code.is_some_and(|code| code != 0), "{flags:?}: {ended:?}");
        assert!(ended.stderr.contains("not a regular file"), "{flags:?}: {ended:?}");
    }
}

/// Required games that are missing are logged at startup; variables that Kubernetes sets for
/// a service do not count as misspelt.
#[tokio::test]
async fn missing_games_are_logged() {
    let env = [("PENTAD_SERVICE_HOST", "10.0.0.1")];
    let served = serve_with_env(two_games(), &["--require-games", "pentago,pentaflip,chess"], &env).await;
    assert!(!served.log.contains("PENTAD_SERVICE_HOST"), "{}", served.log);
    let missing = served.log.lines().find(|line| line.contains("required games are missing"));
    let missing = missing.unwrap_or_else(|| panic!("{}", served.log));
    assert!(missing.contains("ERROR") && missing.contains("pentaflip (not loaded), chess (not loaded)"), "{missing}");
}
