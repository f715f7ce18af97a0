//! Starts servers and sends them requests.

pub(crate) mod collector;
pub(crate) mod failure;
pub(crate) mod grpc;
pub(crate) mod held;
pub(crate) mod http2;
pub(crate) mod metrics;
#[cfg(target_os = "linux")]
pub(crate) mod processes;
pub(crate) mod program;
pub(crate) mod rest;

use std::fmt::Debug;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use pentad::config::{Config, Isolation};
use pentad::{AccessError, Addresses, Drained, Running, Server};
use serde_json::{Value, json};
use tokio::net::TcpSocket;
use tokio::runtime::Handle;

use grpc::GrpcClient;
use held::Held;
use metrics::Metrics;
use rest::Reply;

/// A bound against hanging, longer than anything here takes on any machine. No test asserts
/// that something takes less.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);

/// A server with Pentago and tic-tac-toe, unless configured otherwise.
///
/// Its answers do not depend on the clock: a request without limits is searched
/// until it is proven, by one thread, so that the answer is reproducible; and a
/// rule set that is slow on a busy machine does not count as hung.
pub(crate) fn server() -> ServerBuilder {
    let mut config = Config::default();
    config.time_default_ms = config.time_max_ms;
    config.threads_per_long_search = 1;
    config.hang_grace_ms = 60_000;
    // Some test plugins communicate with their test through files.
    config.isolation = Isolation::InProcess;
    ServerBuilder { config, plugins: Vec::new() }
}

/// The settings and plugins of a server to be started.
pub(crate) struct ServerBuilder {
    config: Config,
    plugins: Vec<PathBuf>,
}

impl ServerBuilder {
    /// Changes settings.
    pub(crate) fn set(mut self, change: impl FnOnce(&mut Config)) -> ServerBuilder {
        change(&mut self.config);
        self
    }

    /// Adds a test plugin, by its file's name.
    pub(crate) fn plugin(mut self, name: &str) -> ServerBuilder {
        self.plugins.push(pentad_test_plugins::build(name));
        self
    }

    /// Adds `held`, whose calls block until this test releases them.
    pub(crate) fn held(mut self, held: &Held) -> ServerBuilder {
        self.plugins.push(held.library().to_owned());
        self
    }

    /// Adds the Rust plugin that panics.
    pub(crate) fn panics(mut self) -> ServerBuilder {
        self.plugins.push(pentad_test_plugins::panics());
        self
    }

    /// Serves exactly the bundled games.
    pub(crate) fn bundled(mut self) -> ServerBuilder {
        let files = ["pentaflip", "pentagame", "pentago", "pentago_xl"].map(bundled);
        self.config.rulesets = directory_of(&files).into();
        self
    }

    /// Loads the rule sets and opens three free ports.
    pub(crate) async fn start(self) -> TestServer {
        self.start_on(&Handle::current()).await
    }

    /// As [`start`](Self::start), with the public ports on another runtime.
    pub(crate) async fn start_on(mut self, public: &Handle) -> TestServer {
        if self.config.rulesets.is_unset() {
            let dir = if self.plugins.is_empty() {
                two_games().to_owned()
            } else {
                let usual = [pentago(), pentad_test_plugins::build("tictactoe")];
                directory_of(usual.iter().chain(&self.plugins))
            };
            self.config.rulesets = dir.into();
        }
        let free = SocketAddr::from(([127, 0, 0, 1], 0));
        self.config.grpc_listen = free;
        self.config.rest_listen = free;
        self.config.admin_listen = free;
        let config = self.config.clone();
        // This is the test's program: only `pentad` can be a worker process.
        let worker = pentad::worker_command(env!("CARGO_BIN_EXE_pentad").into());
        let server = Server::build_with_worker(self.config, worker).expect("the settings are valid");
        let running = server.serve_on(public).await.expect("ports are free");
        running.loaded().await.expect("a rule set loads");
        TestServer { addresses: running.addresses(), config, running, http: rest::client() }
    }
}

/// A running server.
pub(crate) struct TestServer {
    pub(crate) addresses: Addresses,
    config: Config,
    running: Running,
    pub(crate) http: reqwest::Client,
}

impl TestServer {
    pub(crate) fn grpc(&self) -> GrpcClient {
        GrpcClient::new(self.addresses.grpc)
    }

    pub(crate) fn rest_url(&self, path: &str) -> String {
        format!("http://{}{path}", self.addresses.rest)
    }

    pub(crate) fn admin_url(&self, path: &str) -> String {
        format!("http://{}{path}", self.addresses.admin)
    }

    /// GET on the REST port.
    pub(crate) async fn get(&self, path: &str) -> Reply {
        rest::send(self.http.get(self.rest_url(path))).await
    }

    /// POST of JSON on the REST port.
    pub(crate) async fn post(&self, path: &str, body: &Value) -> Reply {
        rest::send(self.http.post(self.rest_url(path)).json(body)).await
    }

    /// GET on the admin port.
    pub(crate) async fn admin(&self, path: &str) -> Reply {
        rest::send(self.http.get(self.admin_url(path))).await
    }

    pub(crate) async fn metrics(&self) -> Metrics {
        Metrics::parse(&self.admin("/metrics").await.ok().text())
    }

    /// Waits until `n_workers` searches are running.
    pub(crate) async fn assert_busy(&self, n_workers: f64) {
        assert_eventually(&format!("{n_workers} searches run"), || async {
            let busy = self.metrics().await.n_searching();
            if busy == n_workers { Ok(()) } else { Err(format!("{busy} search")) }
        })
        .await;
    }

    /// Reloads the access settings.
    pub(crate) fn reload_access(&self, change: impl FnOnce(&mut Config)) -> Result<(), AccessError> {
        let mut config = self.config.clone();
        change(&mut config);
        self.running.reload_access(&config)
    }

    pub(crate) async fn stop(self) -> Drained {
        self.running.stop().await
    }
}

/// The number of different [`endless_search`] positions.
pub(crate) const N_ENDLESS_SEARCHES: usize = 8;

/// Returns a request for `search_endless`, a different position for each `n`: the search runs
/// until its time limit, unless something else ends it.
pub(crate) fn endless_search(n: usize, time_ms: u64) -> Value {
    assert!(n < N_ENDLESS_SEARCHES, "there are {N_ENDLESS_SEARCHES}");
    json!({"position": format!("{} a", n + 2), "limits": {"timeMs": time_ms}})
}

/// Adds the game to a request body, as gRPC needs it.
pub(crate) fn about(game: &str, mut request: Value) -> Value {
    request["game"] = game.into();
    request
}

/// Returns the path of the bundled Pentago.
pub(crate) fn pentago() -> PathBuf {
    bundled("pentago")
}

/// Returns the path of a bundled rule set.
fn bundled(name: &str) -> PathBuf {
    let dir = pentad_host::bundled_dir().expect("a running program has a path");
    let path = dir.join(format!("libruleset_{name}{}", std::env::consts::DLL_SUFFIX));
    assert!(path.is_file(), "{} is built with the package", path.display());
    path
}

/// Returns a directory with Pentago and tic-tac-toe.
pub(crate) fn two_games() -> &'static Path {
    static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
    DIRECTORY.get_or_init(|| directory_of(&[pentago(), pentad_test_plugins::build("tictactoe")]))
}

/// Makes a directory with links to these files.
pub(crate) fn directory_of<'a>(files: impl IntoIterator<Item = &'a PathBuf>) -> PathBuf {
    let dir = pentad_test_plugins::scratch_dir();
    for file in files {
        let name = file.file_name().expect("a library has a name");
        std::os::unix::fs::symlink(file, dir.join(name)).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
    dir
}

/// Returns a port that refuses connections; no other test can get it while the socket
/// exists.
pub(crate) fn refusing_port() -> (TcpSocket, SocketAddr) {
    let socket = TcpSocket::new_v4().expect("the system has sockets");
    socket.bind(SocketAddr::from(([127, 0, 0, 1], 0))).expect("a free port");
    let address = socket.local_addr().expect("it is bound");
    (socket, address)
}

/// Polls `probe` until it returns `Ok`; panics with its last error after
/// [`TIMEOUT`].
pub(crate) async fn assert_eventually<T, E: Debug>(what: &str, mut probe: impl AsyncFnMut() -> Result<T, E>) -> T {
    let started = Instant::now();
    loop {
        let state = match probe().await {
            Ok(found) => return found,
            Err(state) => state,
        };
        assert!(started.elapsed() < TIMEOUT, "not within {TIMEOUT:?}: {what}; last state: {state:?}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Compares with a file of `tests/golden`, or rewrites it if `PENTAD_BLESS` is set.
/// Reviewers read the diff.
#[track_caller]
pub(crate) fn assert_golden(name: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("PENTAD_BLESS").is_some() {
        std::fs::write(&path, actual).expect("the golden files can be written");
    }
    let golden = std::fs::read_to_string(&path).expect("the golden file exists");
    assert!(actual == golden, "{name} differs; PENTAD_BLESS=1 rewrites it. Now it is:\n{actual}");
}
