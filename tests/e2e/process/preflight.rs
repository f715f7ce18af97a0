//! `pentad preflight`: every check, passed and failed.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::Value;

use crate::support::program::{Exited, program, program_with_data_limit, run, serve};
use crate::support::{directory_of, refusing_port, two_games};

/// Free ports, unless the settings name others, and one small rule set.
fn arguments(settings: &[&str]) -> Vec<String> {
    static RULESETS: OnceLock<PathBuf> = OnceLock::new();
    let rulesets = RULESETS.get_or_init(|| directory_of(&[pentad_test_plugins::build("tictactoe")]));
    let mut arguments = vec!["--rulesets", rulesets.to_str().expect("UTF-8")];
    for port in ["--grpc-listen", "--rest-listen", "--admin-listen"] {
        if !settings.contains(&port) {
            arguments.extend([port, "127.0.0.1:0"]);
        }
    }
    arguments.iter().chain(settings).map(|text| (*text).to_owned()).collect()
}

async fn preflight(settings: &[&str], flags: &[&str]) -> Exited {
    let mut arguments = arguments(settings);
    arguments.push("preflight".to_owned());
    arguments.extend(flags.iter().map(|flag| (*flag).to_owned()));
    run(program(arguments)).await
}

/// Returns the findings of a check: status, message, remedy.
async fn findings(check: &str, settings: &[&str]) -> (Exited, Vec<(String, String, String)>) {
    // The slowest check.
    let skip: &[&str] = if check == "rulesets" { &[] } else { &["--skip", "rulesets"] };
    let exited = preflight(settings, &[&["--json"], skip].concat()).await;
    let found = of_check(check, &exited);
    (exited, found)
}

/// Returns the findings of a check in a report.
fn of_check(check: &str, exited: &Exited) -> Vec<(String, String, String)> {
    let report: Value = serde_json::from_str(&exited.stdout).unwrap_or_else(|_| panic!("JSON: {exited:?}"));
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    let findings = report["findings"].as_array().expect("findings");
    let found = findings.iter().filter(|finding| finding["check"] == check);
    found.map(|it| (text(it, "status"), text(it, "message"), text(it, "remedy"))).collect()
}

/// Asserts that a check fails with this message and a remedy, and that the exit code says so.
async fn assert_failed(check: &str, settings: &[&str], message: &str) {
    let (exited, found) = findings(check, settings).await;
    let failed =
        found.iter().any(|(status, text, remedy)| status == "failed" && text.contains(message) && !remedy.is_empty());
    assert!(failed, "{check}: no failure about `{message}` in {found:?}");
    assert_eq!(exited.code, Some(1), "{exited:?}");
}

/// On a machine on which the server would serve, nothing fails, and nothing is left behind: as text and as JSON.
#[tokio::test]
async fn passes_where_the_server_serves() {
    let store = pentad_test_plugins::scratch_dir().join("answers");
    let settings = ["--require-games", "tictactoe", "--store", store.to_str().expect("UTF-8"), "--store-mib", "1"];
    let passed = preflight(&settings, &[]).await;
    assert_eq!(passed.code, Some(0), "{passed:?}");
    assert!(passed.stdout.contains("load and conform"), "{}", passed.stdout);
    assert!(passed.stdout.contains("preflight passed: 0 failed"), "{}", passed.stdout);
    let (exited, stores) = findings("stores", &settings).await;
    assert_eq!(stores[0].0, "ok", "it can be opened twice: {exited:?}");
    let all = preflight(&settings, &["--json"]).await;
    let report: Value = serde_json::from_str(&all.stdout).expect("JSON");
    let checks: Vec<&str> =
        report["findings"].as_array().expect("findings").iter().filter_map(|it| it["check"].as_str()).collect();
    for check in
        ["settings", "access", "clock", "ports", "files", "memory", "processor", "protections", "rulesets", "stores"]
    {
        assert!(checks.contains(&check), "{check} in {checks:?}");
    }
}

/// Invalid settings are a finding, with the exit code of the server.
#[tokio::test]
async fn invalid_settings_are_reported() {
    let invalid = preflight(&["--workers", "0"], &["--json"]).await;
    assert_eq!(invalid.code, Some(64), "{invalid:?}");
    let report: Value = serde_json::from_str(&invalid.stdout).expect("JSON");
    assert_eq!((&report["status"], &report["findings"][0]["check"]), (&"failed".into(), &"settings".into()));
    assert!(report["findings"][0]["message"].as_str().is_some_and(|text| text.contains("workers")), "{report}");
    // Anyone could call.
    assert_failed("settings", &["--rest-listen", "0.0.0.0:0"], "anyone may call").await;
}

/// Warnings pass, unless `--strict` counts them; a skipped check is not run.
#[tokio::test]
async fn warnings_count_if_strict() {
    let many = ["--workers", "1000"];
    let (exited, found) = findings("processor", &many).await;
    assert_eq!((exited.code, found[0].0.as_str()), (Some(0), "warning"), "{exited:?}");
    assert_eq!(preflight(&many, &["--strict", "--skip", "rulesets"]).await.code, Some(1));
    let skipped = preflight(&many, &["--skip", "processor", "--skip", "rulesets", "--json"]).await;
    assert!(!skipped.stdout.contains("1000 workers"), "{skipped:?}");
}

/// A port in use, or two settings with one port.
#[tokio::test]
async fn occupied_ports_fail() {
    let (_socket, taken) = refusing_port();
    assert_failed("ports", &["--rest-listen", &taken.to_string()], "rest_listen: cannot listen").await;
    let running = serve(two_games(), &[]).await;
    assert_failed("ports", &["--grpc-listen", &running.grpc.to_string()], "grpc_listen: cannot listen").await;
}

/// A missing required game fails; a file that is no rule set is a warning, as the others are served.
#[tokio::test]
async fn broken_rule_sets_fail() {
    assert_failed("rulesets", &["--require-games", "chess"], "required games are missing: chess").await;
    let path = |dir: &Path| dir.to_str().expect("UTF-8").to_owned();
    let refused = pentad_test_plugins::file("libjunk.so", b"junk");
    let (exited, found) = findings("rulesets", &["--rulesets", &path(refused.parent().expect("a directory"))]).await;
    assert!(found.iter().any(|(status, text, _)| status == "warning" && text.contains("libjunk.so")), "{found:?}");
    assert_eq!(exited.code, Some(0), "the others are served: {exited:?}");
}

/// A rule set that loads and breaks a law of the conformance checks.
#[tokio::test]
async fn nonconforming_rule_sets_fail() {
    let dir = directory_of(&[pentad_test_plugins::build("nonconforming")]);
    assert_failed("rulesets", &["--rulesets", dir.to_str().expect("UTF-8")], "breaks the law").await;
}

/// A required protection that workers lack fails; if it is not required, that is a warning.
#[tokio::test]
async fn missing_protections_fail() {
    for (required, status, code) in [("memory_limit", "failed", 1), ("no_new_privs", "warning", 0)] {
        let mut arguments = arguments(&["--memory-per-search-mib", "1000000", "--require-protections", required]);
        arguments.extend(["preflight", "--json", "--skip", "rulesets"].map(str::to_owned));
        let exited = run(program_with_data_limit(arguments)).await;
        let found = of_check("protections", &exited);
        assert!(found[0].0 == status && found[0].1.contains("memory_limit") && !found[0].2.is_empty(), "{exited:?}");
        assert_eq!(exited.code, Some(code), "{exited:?}");
    }
}

/// Searches and cache beyond the memory of the container or of the machine are a warning.
#[tokio::test]
async fn budgets_beyond_the_memory_are_warned_about() {
    let budget = ["--workers", "8", "--memory-per-search-mib", "1048576"];
    let (exited, found) = findings("memory", &budget).await;
    assert_eq!((exited.code, found[0].0.as_str()), (Some(0), "warning"), "{exited:?}");
    assert!(found[0].1.starts_with("16 searches of memory_per_search_mib (1048576)"), "{found:?}");
    assert!(found[0].1.contains("above the ") && found[0].2.contains("memory"), "{found:?}");
}

/// A store that another process has open, a directory that does not exist, and a server that is down.
#[tokio::test]
async fn unusable_stores_fail() {
    let store = pentad_test_plugins::scratch_dir().join("answers");
    let store = store.to_str().expect("UTF-8");
    let running = serve(two_games(), &["--store", store]).await;
    assert_failed("stores", &["--store", store], "another process has this store open").await;
    running.signal("TERM").await;
    assert!(running.end().await.0.success());
    assert_failed("stores", &["--store", "/no/such/directory/answers"], "No such file").await;
    let junk = pentad_test_plugins::file("answers", b"not a store, but longer than a page of one would have to be");
    assert_failed("stores", &["--store", junk.to_str().expect("UTF-8")], "not a store").await;
    assert!(junk.exists(), "it is not set aside");
    let (_socket, down) = refusing_port();
    assert_failed("stores", &["--store", &format!("redis://{down}")], "efused").await;
}

/// Tokens and certificates that cannot be used, expired or not yet valid.
#[tokio::test]
async fn unusable_access_fails() {
    let tokens = pentad_test_plugins::file("tokens", b"web nonsense\n");
    assert_failed("access", &["--tokens", tokens.to_str().expect("UTF-8")], "tokens").await;
    for (from, until, message) in [(2000, 2010, "expired"), (2200, 2300, "not valid before")] {
        let mut params = rcgen::CertificateParams::new(["localhost".to_owned()]).expect("a valid name");
        params.not_before = rcgen::date_time_ymd(from, 1, 1);
        params.not_after = rcgen::date_time_ymd(until, 1, 1);
        let key = rcgen::KeyPair::generate().expect("a key");
        let cert =
            pentad_test_plugins::file("cert.pem", params.self_signed(&key).expect("a certificate").pem().as_bytes());
        let key = pentad_test_plugins::file("key.pem", key.serialize_pem().as_bytes());
        let paths = [cert, key].map(|path| path.to_str().expect("UTF-8").to_owned());
        assert_failed("access", &["--tls-cert", &paths[0], "--tls-key", &paths[1]], message).await;
    }
}

/// A limit of open files below `connections_max` is a warning, and so is a clock behind a file.
#[tokio::test]
async fn poor_machines_are_warned_about() {
    let (_, found) = findings("files", &["--connections-max", "1000000"]).await;
    assert_eq!(found[0].0, "warning", "{found:?}");
    let ahead = pentad_test_plugins::file("tokens", b"");
    let in_an_hour = std::time::SystemTime::now() + std::time::Duration::from_hours(1);
    std::fs::File::options().write(true).open(&ahead).and_then(|file| file.set_modified(in_an_hour)).expect("set");
    let (_, found) = findings("clock", &["--tokens", ahead.to_str().expect("UTF-8")]).await;
    assert!(found[0].0 == "warning" && found[0].1.contains("clock is"), "{found:?}");
}
