//! The log: its format and content, and a standard error that is not read.

use serde_json::{Value, json};

use super::settings::settings;
use crate::support::grpc::GrpcClient;
use crate::support::program::{program, run, serve};
use crate::support::rest::{client, send};
use crate::support::{assert_eventually, two_games};

/// If standard error is not read, log lines are lost and counted; calls are answered and the
/// process ends. 303 refused calls once filled the pipe and then blocked every port.
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

/// A closed standard error loses the log and nothing else.
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

/// With JSON logs a failed start writes only JSON, too, whatever is wrong: a flag, a
/// setting, the file, a port, the rule sets.
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

/// A caller's text stays within its log line, and is truncated.
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

/// Every refusal is logged, or counted as omitted.
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

/// The access log names caller, method and result, of all calls, every hundredth, or none.
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
