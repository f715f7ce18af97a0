//! Checks that requests do not notice when their rule set is replaced under load.
//!
//! `cargo bench --bench reload` requests hints, evaluations, legal moves and descriptions
//! from an isolated Pentago on both edges, with enough callers to keep the server busy, while
//! its file is replaced and reloaded 20 times. At least 10,000 requests are sent. It checks
//! that
//!
//! - no request fails;
//! - every replaced worker process ends once its last question is answered, so that in
//!   the end there are as many as there are isolated rule sets;
//! - the memory of the server and its workers returns to what it was before.

mod served;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use pentad::proto::analysis_client::AnalysisClient;
use pentad::proto::{DescribePositionRequest, EvaluateRequest, HintRequest, Limits, ListLegalMovesRequest};
use serde_json::{Value, json};
use tonic::transport::Channel;

use served::{Server, mib, position, rss};

const RELOADS: usize = 20;
const REQUESTS: u64 = 10_000;
const CALLERS_PER_EDGE: usize = 8;
/// Node limit of each search.
const NODES: u64 = 2_000;
const WARM_UP: Duration = Duration::from_secs(5);
/// Time within which the last question of a replaced rule set is answered.
const RELEASE_MAX: Duration = Duration::from_secs(10);
/// Tolerance for memory that allocators keep.
const MEMORY_SLACK: u64 = 24 << 20;

fn main() {
    // `cargo test --benches` only checks that it starts.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(measure());
}

async fn measure() {
    let directory = RulesetDir::new();
    let server = Server::start(&["--rulesets", directory.path.to_str().expect("a path in UTF-8")]);
    let (worker, n_workers) = (worker_pid(&server).await, server.children().len());
    assert_eq!(n_workers, 1, "one rule set is isolated");

    let load = Load::start(&server).await;
    tokio::time::sleep(WARM_UP).await;
    let before = Memory::of(&server, worker);
    let n_before = load.n_answered();

    let mut reloads = Vec::new();
    let (mut replaced, mut n_workers_max) = (Vec::new(), 0);
    let began = Instant::now();
    for n in 0..RELOADS {
        replaced.push(worker_pid(&server).await);
        directory.replace(n as u32 + 1);
        let started = Instant::now();
        let answer = post(&format!("http://{}/plugins:reload", server.admin)).await;
        reloads.push(started.elapsed());
        assert_eq!(answer["replaced"], json!(["pentago"]), "{answer:#}");
        n_workers_max = n_workers_max.max(server.children().len());
    }
    while load.n_answered() < n_before + REQUESTS && !load.has_failed() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let took = began.elapsed();
    let n_requests = load.n_answered() - n_before;
    let last_reload = Instant::now();
    let is_released = |server: &Server| server.children().iter().all(|pid| !replaced.contains(pid));
    while !is_released(&server) && last_reload.elapsed() < RELEASE_MAX {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let is_released = is_released(&server);
    let after = Memory::of(&server, worker_pid(&server).await);
    let n_workers_after = server.children().len();
    let (mut latencies, failures) = load.stop().await;

    latencies.sort();
    reloads.sort();
    let ms = |duration: Duration| duration.as_secs_f64() * 1e3;
    let share = |share: f64| ms(latencies[((latencies.len() - 1) as f64 * share) as usize]);
    println!(
        "{n_requests} requests in {:.1} s on both edges across {RELOADS} reloads: {} failed",
        took.as_secs_f64(),
        failures.len()
    );
    failures.iter().take(5).for_each(|failure| println!("  {failure}"));
    println!("  ms: median {:.1}, 99th percentile {:.1}, slowest {:.1}", share(0.5), share(0.99), share(1.0));
    println!("  a reload takes {:.0} ms (slowest {:.0})", ms(reloads[RELOADS / 2]), ms(reloads[RELOADS - 1]));
    println!("  worker processes: {n_workers} before, {n_workers_max} at most, {n_workers_after} after");
    println!("  memory, MiB: {before} before, {after} after");
    assert!(failures.is_empty(), "a request failed");
    assert!(is_released && n_workers_after == n_workers, "a replaced rule set's process did not end");
    assert!(after.sum() <= before.sum() + MEMORY_SLACK, "memory did not return");
}

struct Memory {
    server: u64,
    worker: u64,
}

impl Memory {
    fn of(server: &Server, worker: u32) -> Memory {
        Memory { server: server.rss(), worker: rss(worker) }
    }

    fn sum(&self) -> u64 {
        self.server + self.worker
    }
}

impl std::fmt::Display for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.0} (server {:.0}, worker {:.0})", mib(self.sum()), mib(self.server), mib(self.worker))
    }
}

/// A directory with a copy of Pentago, which is isolated because it is not in the bundled
/// directory.
struct RulesetDir {
    path: PathBuf,
    library: Vec<u8>,
}

impl RulesetDir {
    fn new() -> RulesetDir {
        let program = Path::new(env!("CARGO_BIN_EXE_pentad"));
        let bundled = program.with_file_name("deps").join("libruleset_pentago.so");
        let library = std::fs::read(&bundled).unwrap_or_else(|error| panic!("{}: {error}", bundled.display()));
        let path = std::env::temp_dir().join(format!("pentad-reload-bench-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a directory");
        let directory = RulesetDir { path, library };
        directory.replace(0);
        directory
    }

    /// Replaces the library atomically by one with different bytes after its end.
    fn replace(&self, n: u32) {
        let new = self.path.join("new");
        std::fs::write(&new, [&self.library[..], &n.to_le_bytes()].concat()).expect("it is writable");
        std::fs::rename(new, self.path.join("libruleset_pentago.so")).expect("it is writable");
    }
}

impl Drop for RulesetDir {
    fn drop(&mut self) {
        // Leaves at most a few MiB of temporary files.
        let _removed = std::fs::remove_dir_all(&self.path);
    }
}

async fn worker_pid(server: &Server) -> u32 {
    let plugins = get(&format!("http://{}/plugins", server.admin)).await;
    plugins["loaded"][0]["worker"]["pid"].as_u64().unwrap_or_else(|| panic!("it runs: {plugins:#}")) as u32
}

async fn get(url: &str) -> Value {
    client().get(url).send().await.expect("an answer").json().await.expect("JSON")
}

async fn post(url: &str) -> Value {
    client().post(url).send().await.expect("an answer").json().await.expect("JSON")
}

fn client() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().build().expect("a client")
}

/// Callers that send the next request as soon as they have an answer.
struct Load {
    shared: Arc<Shared>,
    callers: Vec<tokio::task::JoinHandle<Vec<Duration>>>,
}

#[derive(Default)]
struct Shared {
    is_over: AtomicBool,
    n_asked: AtomicU64,
    n_answered: AtomicU64,
    failures: std::sync::Mutex<Vec<String>>,
}

impl Load {
    async fn start(server: &Server) -> Load {
        let shared = Arc::<Shared>::default();
        let mut callers = Vec::new();
        for _ in 0..CALLERS_PER_EDGE {
            let endpoint = Channel::from_shared(format!("http://{}", server.grpc)).expect("an address");
            let grpc = AnalysisClient::new(endpoint.connect().await.expect("the server listens"));
            callers.push(tokio::spawn(Arc::clone(&shared).run(async move |n| ask_grpc(grpc.clone(), n).await)));
            let (http, url) = (client(), format!("http://{}/v1/games/pentago", server.rest));
            callers.push(tokio::spawn(Arc::clone(&shared).run(async move |n| ask_rest(&http, &url, n).await)));
        }
        Load { shared, callers }
    }

    fn n_answered(&self) -> u64 {
        self.shared.n_answered.load(Ordering::Relaxed)
    }

    fn has_failed(&self) -> bool {
        !self.shared.failures.lock().expect("nobody panics").is_empty()
    }

    /// Latencies of the requests, and failures.
    async fn stop(self) -> (Vec<Duration>, Vec<String>) {
        self.shared.is_over.store(true, Ordering::Relaxed);
        let mut latencies = Vec::new();
        for caller in self.callers {
            latencies.extend(caller.await.expect("a caller does not panic"));
        }
        let failures = std::mem::take(&mut *self.shared.failures.lock().expect("nobody panics"));
        (latencies, failures)
    }
}

impl Shared {
    async fn run(self: Arc<Self>, ask: impl AsyncFn(u64) -> Result<(), String>) -> Vec<Duration> {
        let mut latencies = Vec::new();
        while !self.is_over.load(Ordering::Relaxed) {
            let n = self.n_asked.fetch_add(1, Ordering::Relaxed);
            let sent = Instant::now();
            match ask(n).await {
                Ok(()) => {
                    latencies.push(sent.elapsed());
                    self.n_answered.fetch_add(1, Ordering::Relaxed);
                }
                Err(failure) => self.failures.lock().expect("nobody panics").push(failure),
            }
        }
        latencies
    }
}

/// Returns each kind of question in turn, each for another position.
async fn ask_grpc(mut client: AnalysisClient<Channel>, n: u64) -> Result<(), String> {
    let (game, variant, position) = ("pentago".to_owned(), "finnish".to_owned(), position(n));
    let limits = Some(Limits { nodes: NODES, ..Default::default() });
    let answered = match n % 4 {
        0 => {
            let request = HintRequest { game, variant, position, limits, ..Default::default() };
            client.hint(request).await.map(drop)
        }
        1 => {
            let request = EvaluateRequest { game, variant, position, limits, ..Default::default() };
            client.evaluate(request).await.map(drop)
        }
        2 => {
            let request = ListLegalMovesRequest { game, variant, position, ..Default::default() };
            client.list_legal_moves(request).await.map(drop)
        }
        _ => {
            let request = DescribePositionRequest { game, variant, position, ..Default::default() };
            client.describe_position(request).await.map(drop)
        }
    };
    answered.map_err(|status| format!("gRPC: {:?}: {}", status.code(), status.message()))
}

async fn ask_rest(http: &reqwest::Client, url: &str, n: u64) -> Result<(), String> {
    let mut body = json!({"variant": "finnish", "position": position(n)});
    let call = match n % 4 {
        0 => "hints",
        1 => "evaluation",
        2 => "legal-moves",
        _ => "position",
    };
    if n % 4 < 2 {
        body["limits"] = json!({"nodes": NODES});
    }
    let answer = async {
        let response = http.post(format!("{url}/{call}")).json(&body).send().await?;
        let status = response.status();
        Ok::<_, reqwest::Error>((status, response.text().await?))
    };
    match answer.await {
        Ok((status, _)) if status == 200 => Ok(()),
        Ok((status, text)) => Err(format!("REST: {status}: {text}")),
        Err(error) => Err(format!("REST: {error}")),
    }
}
