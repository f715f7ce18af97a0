//! Signals and the drain.

use tokio::net::TcpStream;

use crate::support::grpc::GrpcClient;
use crate::support::held::Held;
use crate::support::program::serve;
use crate::support::rest::{client, send};
use crate::support::{about, assert_eventually, directory_of, endless_search, two_games};

/// SIGTERM during a hint: not ready at once, new connections are refused, the hint
/// is still answered, and the exit code is 0.
#[tokio::test]
async fn drain_finishes_running_hints() {
    let held = Held::new();
    // Its search waits for a file, which a worker process cannot see.
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

/// A second signal ends the drain, and the exit code shows it.
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
