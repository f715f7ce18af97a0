//! The effect of a batch on interactive questions, and its own speed.
//!
//! `cargo bench --bench batch` requests 500 hints of 50 ms, one after the other, first alone
//! and then beside a batch that keeps the server busy, and prints the latencies of both. The
//! batch continues meanwhile, and its memory is measured.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use serde_json::json;
use tokio::sync::Semaphore;

const N_HINTS: usize = 500;
const HINT_MS: u64 = 50;
/// Node limit of the batch's hints.
const BATCH_NODES: u64 = 20_000;
const BATCH_ALONE: Duration = Duration::from_secs(15);
/// Unanswered questions of the batch at any time.
const UNANSWERED_MAX: usize = 256;
/// The objective: the 99th percentile at most doubles.
const RATIO_MAX: f64 = 2.0;

fn main() {
    // `cargo test --benches` only checks that it starts.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(measure());
}

async fn measure() {
    let server = Server::start();
    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    // Warms up one-time loading and mapping.
    hints(&client, server.rest, 20, 0).await;
    let alone = hints(&client, server.rest, N_HINTS, 1).await;

    let batch = Batch::start(&client, server.rest);
    tokio::time::sleep(Duration::from_secs(2)).await;
    let (rss_before, began, n_before) = (server.rss(), Instant::now(), batch.n_answered());
    tokio::time::sleep(BATCH_ALONE).await;
    let rate_alone = (batch.n_answered() - n_before) as f64 / began.elapsed().as_secs_f64();
    let (began, n_before) = (Instant::now(), batch.n_answered());
    let beside = hints(&client, server.rest, N_HINTS, 2).await;
    let rate_beside = (batch.n_answered() - n_before) as f64 / began.elapsed().as_secs_f64();
    let rss_after = server.rss();
    let n_all = batch.stop().await;
    drop(server);

    println!("{N_HINTS} hints of {HINT_MS} ms, ms:  median  99th percentile  slowest");
    for (name, latencies) in [("alone", &alone), ("beside a batch", &beside)] {
        let [median, high, slowest] = [0.5, 0.99, 1.0].map(|share| at(latencies, share));
        println!("  {name:<24} {median:>10.1} {high:>16.1} {slowest:>8.1}");
    }
    let ratio = at(&beside, 0.99) / at(&alone, 0.99);
    println!("99th percentile beside a batch: {ratio:.2} times that alone");
    println!(
        "batch: {rate_alone:.0} hints/s of {BATCH_NODES} positions alone, {rate_beside:.0}/s beside, {n_all} in all"
    );
    println!("memory: {:.0} MiB after 2 s of the batch, {:.0} MiB at its end", mib(rss_before), mib(rss_after));
    assert!(ratio <= RATIO_MAX, "the batch slows down interactive questions");
}

/// Returns latencies of hints requested one after the other, each for another position.
async fn hints(client: &reqwest::Client, address: SocketAddr, n_hints: usize, round: usize) -> Vec<Duration> {
    let mut latencies = Vec::with_capacity(n_hints);
    for idx in 0..n_hints {
        let question = json!({"moves": moves(round * 10_000 + idx), "limits": {"timeMs": HINT_MS}});
        let began = Instant::now();
        let request = client.post(format!("http://{address}/v1/games/pentago/hints")).json(&question);
        let response = request.send().await.expect("the server answers");
        assert_eq!(response.status(), 200, "{response:?}");
        response.bytes().await.expect("a whole answer");
        latencies.push(began.elapsed());
    }
    latencies.sort();
    latencies
}

/// Returns a position with eight marbles, beyond the opening book, on different cells for
/// each number. Block 1, which every move rotates, stays empty.
fn moves(number: usize) -> Vec<String> {
    let mut state = number as u64 + 1;
    let mut free: Vec<String> = ('a'..='f')
        .flat_map(|file| (1..=6).map(move |rank| (file, rank)))
        .filter(|(file, rank)| *file > 'c' || *rank > 3)
        .map(|(file, rank)| format!("{file}{rank}"))
        .collect();
    let mut random = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    (0..8)
        .map(|_| {
            let cell = free.swap_remove(random(free.len()));
            format!("{cell}-1r")
        })
        .collect()
}

/// An endless batch.
struct Batch {
    n_answered: Arc<AtomicU64>,
    room: Arc<Semaphore>,
    task: tokio::task::JoinHandle<()>,
}

impl Batch {
    fn start(client: &reqwest::Client, address: SocketAddr) -> Batch {
        let (n_answered, room) = (Arc::new(AtomicU64::new(0)), Arc::new(Semaphore::new(UNANSWERED_MAX)));
        // More than the server's window, but too few to fill the sockets.
        let lines = stream::unfold((0, room.clone()), async |(idx, room)| {
            room.acquire().await.ok()?.forget();
            Some((idx, (idx + 1, room)))
        });
        let body = lines.map(|idx: usize| {
            let limits = json!({"nodes": BATCH_NODES});
            let line = json!({"id": idx.to_string(), "kind": "hints", "game": "pentago",
                "moves": moves(1_000_000 + idx), "limits": limits});
            Ok::<_, std::convert::Infallible>(Bytes::from(format!("{line}\n")))
        });
        let request = client.post(format!("http://{address}/v1/batch")).body(reqwest::Body::wrap_stream(body));
        let (counted, answered) = (n_answered.clone(), room.clone());
        let task = tokio::spawn(async move {
            let response = request.send().await.expect("the server answers");
            let mut pieces = response.bytes_stream();
            let mut text = Vec::new();
            while let Some(piece) = pieces.next().await {
                text.extend_from_slice(&piece.expect("the stream is whole"));
                while let Some(end) = text.iter().position(|byte| *byte == b'\n') {
                    let line: Vec<u8> = text.drain(..=end).collect();
                    let line = String::from_utf8_lossy(&line);
                    assert!(!line.contains("\"error\""), "{line}");
                    if line.contains("\"answer\"") {
                        counted.fetch_add(1, Ordering::Relaxed);
                        answered.add_permits(1);
                    }
                }
            }
        });
        Batch { n_answered, room, task }
    }

    fn n_answered(&self) -> u64 {
        self.n_answered.load(Ordering::Relaxed)
    }

    async fn stop(self) -> u64 {
        self.room.close();
        self.task.await.expect("no question failed");
        self.n_answered.load(Ordering::Relaxed)
    }
}

struct Server {
    child: Child,
    rest: SocketAddr,
}

impl Server {
    fn start() -> Server {
        let ports = ["--grpc-listen", "127.0.0.1:0", "--rest-listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"];
        let mut child = Command::new(env!("CARGO_BIN_EXE_pentad"))
            .args(ports)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
        let listening = lines.find_map(|line| line.ok()?.strip_prefix("listening ").map(str::to_owned));
        let listening = listening.expect("the server listens");
        std::thread::spawn(move || lines.for_each(drop));
        let rest = listening.split(' ').find_map(|part| part.strip_prefix("rest="));
        let rest = rest.and_then(|rest| rest.parse().ok()).expect("it names its ports");
        Server { child, rest }
    }

    fn rss(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("it runs");
        let kib = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.parse().ok());
        1024 * kib.unwrap_or(0_u64)
    }
}

impl Drop for Server {
    /// Stops the server, also when the benchmark fails.
    fn drop(&mut self) {
        // Ignored: it may have ended already.
        let _ = self.child.kill();
    }
}

/// Formats a duration in milliseconds.
fn at(sorted: &[Duration], share: f64) -> f64 {
    let idx = ((sorted.len() as f64 * share).ceil() as usize).clamp(1, sorted.len()) - 1;
    sorted[idx].as_secs_f64() * 1e3
}

fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
