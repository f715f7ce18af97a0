//! A server under twice the load that it can handle.
//!
//! `cargo bench --bench overload` (one minute; `-- 600` for ten) measures how many hints per
//! second the server completes, then sends twice as many on both edges, and checks that
//!
//! - every call is answered exactly once, with a hint or with a refusal that has a retry
//!   time;
//! - memory stays bounded;
//! - the admin port answers throughout.
//!
//! Before that it measures how callers that ask for hints of 100 ms, each again at once, share
//! the workers (`-- shares` measures only this; `PENTAD_BENCH_SERVER` names another build of the
//! server, to compare two).
//!
//! The load is an open loop: each call is sent at its scheduled time, however long others
//! take, as from independent callers. Its latency counts from that time, so a server that
//! stalls is charged with all calls that were due meanwhile (no coordinated omission).

mod served;
mod shares;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use pentad::proto::analysis_client::AnalysisClient;
use pentad::proto::{HintRequest, Limits};
use serde_json::json;
use tokio::task::JoinSet;
use tonic::Code;
use tonic::transport::Channel;
use tonic_types::StatusExt as _;

use served::{Server, mib, position};

/// Node limit of a hint. With a time limit, searches would only become shorter under load.
const HINT_NODES: u64 = 20_000;
const CAPACITY_MEASURED: Duration = Duration::from_secs(5);
const CONNECTIONS: usize = 8;
const PROBE_INTERVAL: Duration = Duration::from_millis(100);
/// Maximum growth of memory under load, beyond that at the measured capacity.
const GROWTH_MAX: f64 = 1.5;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test --benches` only checks that it starts.
    if arguments.iter().any(|argument| argument == "--test") {
        return;
    }
    let seconds = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(60);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(shares::measure());
    if !arguments.iter().any(|argument| argument == "shares") {
        runtime.block_on(measure(Duration::from_secs(seconds)));
    }
}

async fn measure(duration: Duration) {
    let server = Server::start(&[]);
    let load = Arc::new(Load::connect(&server).await);
    let capacity = load.capacity().await;
    let rss_before = server.rss();
    println!("capacity: {capacity:.0} hints/s of {HINT_NODES} positions; memory {:.0} MiB", mib(rss_before));

    let rate = 2.0 * capacity;
    let probes = tokio::spawn(probe(server.admin, Instant::now() + duration));
    let calls = load.open_loop(rate, duration);
    let watched = async {
        let (mut calls, mut rss_max) = (std::pin::pin!(calls), 0);
        loop {
            tokio::select! {
                outcomes = &mut calls => return (outcomes, rss_max),
                () = tokio::time::sleep(Duration::from_secs(1)) => rss_max = rss_max.max(server.rss()),
            }
        }
    };
    let (outcomes, rss_max) = watched.await;
    let probes = probes.await.expect("the admin port answers");

    println!("load: {rate:.0} calls/s for {} s, alternately by gRPC and REST", duration.as_secs());
    let is_sound = [Edge::Grpc, Edge::Rest].map(|edge| report(edge, &outcomes)).iter().all(|is_sound| *is_sound);
    println!("memory: {:.0} MiB at most", mib(rss_max));
    println!("/healthz: 99th percentile {:.1} ms, slowest {:.1} ms", at(&probes, 0.99), at(&probes, 1.0));
    assert!(is_sound, "a call was not answered, or refused without a time to try again");
    assert!(rss_max as f64 <= GROWTH_MAX * rss_before as f64, "memory grew beyond its bound");
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    Grpc,
    Rest,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Answer {
    Hint,
    /// Refused with a retry time.
    Refused,
    Failed(String),
}

struct Outcome {
    edge: Edge,
    answer: Answer,
    /// Latency from the scheduled time.
    latency: Duration,
}

/// Prints the results of an edge's calls; returns whether each got a proper answer.
fn report(edge: Edge, outcomes: &[Outcome]) -> bool {
    let of_edge = || outcomes.iter().filter(|outcome| outcome.edge == edge);
    let sorted = |answer: &Answer| {
        let mut latencies: Vec<_> = of_edge().filter(|it| it.answer == *answer).map(|it| it.latency).collect();
        latencies.sort();
        latencies
    };
    let (hints, refused) = (sorted(&Answer::Hint), sorted(&Answer::Refused));
    println!("  {edge:?}: {} calls", of_edge().count());
    for (name, latencies) in [("hints", &hints), ("refused", &refused)] {
        let [median, high, slowest] = [0.5, 0.99, 1.0].map(|share| at(latencies, share));
        println!(
            "    {name:<8} {:>7}, ms: median {median:.1}, 99th percentile {high:.1}, slowest {slowest:.1}",
            latencies.len()
        );
    }
    let failures: Vec<_> = of_edge().filter(|it| matches!(it.answer, Answer::Failed(_))).collect();
    for failed in failures.iter().take(5) {
        println!("    {:?} after {} ms", failed.answer, failed.latency.as_millis());
    }
    println!("    {:<8} {:>7}", "failed", failures.len());
    failures.is_empty()
}

/// The clients.
struct Load {
    grpc: Vec<AnalysisClient<Channel>>,
    http: reqwest::Client,
    rest: String,
    n_calls: AtomicU64,
}

impl Load {
    async fn connect(server: &Server) -> Load {
        let mut grpc = Vec::new();
        for _ in 0..CONNECTIONS {
            let endpoint = Channel::from_shared(format!("http://{}", server.grpc)).expect("an address");
            grpc.push(AnalysisClient::new(endpoint.connect().await.expect("the server listens")));
        }
        let rest = format!("http://{}/v1/games/pentago/hints", server.rest);
        let http = reqwest::Client::builder().no_proxy().build().expect("a client");
        Load { grpc, http, rest, n_calls: AtomicU64::new(0) }
    }

    /// Measures hints per second with a few callers that wait for their answers.
    async fn capacity(self: &Arc<Self>) -> f64 {
        let end = Instant::now() + CAPACITY_MEASURED;
        let mut callers = JoinSet::new();
        for _ in 0..CONNECTIONS {
            let load = Arc::clone(self);
            callers.spawn(async move {
                let mut n_hints = 0;
                while Instant::now() < end {
                    n_hints += u64::from(load.call(Edge::Grpc).await == Answer::Hint);
                }
                n_hints
            });
        }
        let n_hints: u64 = callers.join_all().await.iter().sum();
        n_hints as f64 / CAPACITY_MEASURED.as_secs_f64()
    }

    /// Sends calls at this rate and waits for their answers.
    async fn open_loop(self: &Arc<Self>, rate: f64, duration: Duration) -> Vec<Outcome> {
        let begin = Instant::now();
        let n_calls = (rate * duration.as_secs_f64()) as u64;
        let mut calls = JoinSet::new();
        for n in 0..n_calls {
            let due = begin + Duration::from_secs_f64(n as f64 / rate);
            tokio::time::sleep_until(due.into()).await;
            let (load, edge) = (Arc::clone(self), if n % 2 == 0 { Edge::Grpc } else { Edge::Rest });
            calls.spawn(async move {
                let answer = load.call(edge).await;
                Outcome { edge, answer, latency: due.elapsed() }
            });
        }
        let outcomes = calls.join_all().await;
        assert_eq!(outcomes.len() as u64, n_calls);
        outcomes
    }

    /// Requests a hint for a new position.
    async fn call(&self, edge: Edge) -> Answer {
        let n = self.n_calls.fetch_add(1, Ordering::Relaxed);
        // Without an opening book, so that each is searched.
        let (variant, position) = ("finnish".to_owned(), position(n));
        match edge {
            Edge::Grpc => {
                let limits = Some(Limits { nodes: HINT_NODES, ..Default::default() });
                let request =
                    HintRequest { game: "pentago".to_owned(), variant, position, limits, ..Default::default() };
                match self.grpc[n as usize % CONNECTIONS].clone().hint(request).await {
                    Ok(answer) if !answer.get_ref().hints.is_empty() => Answer::Hint,
                    Ok(_) => Answer::Failed("no hint".to_owned()),
                    Err(status)
                        if status.code() == Code::ResourceExhausted
                            && status.get_details_retry_info().is_some_and(|info| info.retry_delay.is_some()) =>
                    {
                        Answer::Refused
                    }
                    Err(status) => Answer::Failed(format!("{:?}: {}", status.code(), status.message())),
                }
            }
            Edge::Rest => {
                let body = json!({"variant": variant, "position": position, "limits": {"nodes": HINT_NODES}});
                match self.http.post(&self.rest).json(&body).send().await {
                    Ok(response) if response.status() == 429 && response.headers().contains_key("retry-after") => {
                        Answer::Refused
                    }
                    Ok(response) if response.status() == 200 => match response.bytes().await {
                        Ok(body) if !body.is_empty() => Answer::Hint,
                        other => Answer::Failed(format!("{other:?}")),
                    },
                    Ok(response) => Answer::Failed(response.status().to_string()),
                    Err(error) => Answer::Failed(error.to_string()),
                }
            }
        }
    }
}

/// Requests `/healthz` repeatedly; returns the latencies, sorted.
async fn probe(admin: SocketAddr, end: Instant) -> Vec<Duration> {
    let http = reqwest::Client::builder().no_proxy().build().expect("a client");
    let (url, mut latencies) = (format!("http://{admin}/healthz"), Vec::new());
    while Instant::now() < end {
        let sent = Instant::now();
        http.get(&url).send().await.expect("the admin port answers").error_for_status().expect("it is alive");
        latencies.push(sent.elapsed());
        tokio::time::sleep(PROBE_INTERVAL).await;
    }
    latencies.sort();
    latencies
}

/// Formats a duration in milliseconds.
fn at(sorted: &[Duration], share: f64) -> f64 {
    let idx = (sorted.len().saturating_sub(1) as f64 * share) as usize;
    sorted.get(idx).map_or(0.0, |latency| latency.as_secs_f64() * 1e3)
}
