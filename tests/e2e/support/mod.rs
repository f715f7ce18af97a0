//! Starts servers and asks them.

pub(crate) mod collector;
pub(crate) mod failure;
pub(crate) mod grpc;
pub(crate) mod metrics;
pub(crate) mod program;
pub(crate) mod rest;

use std::fmt::Debug;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use pentad::config::Config;
use pentad::{Addresses, Drained, Running, Server};
use serde_json::Value;
use tokio::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

use grpc::GrpcClient;
use metrics::Metrics;
use rest::Reply;

/// A server with Pentago and tic-tac-toe, unless told otherwise.
pub(crate) fn server() -> Starter {
    Starter { config: Config::default(), plugins: Vec::new() }
}

/// A server to be started.
pub(crate) struct Starter {
    config: Config,
    plugins: Vec<PathBuf>,
}

impl Starter {
    /// Changes settings.
    pub(crate) fn set(mut self, change: impl FnOnce(&mut Config)) -> Starter {
        change(&mut self.config);
        self
    }

    /// Gives questions without limits the time to be proven on a busy machine,
    /// but not so much that several threads would search, each time otherwise.
    pub(crate) fn patient(self) -> Starter {
        self.set(|config| config.time_default_ms = 2_000)
    }

    /// Also serves a plugin of the tests, by its file's name.
    pub(crate) fn plugin(mut self, name: &str) -> Starter {
        self.plugins.push(pentad_test_plugins::build(name));
        self
    }

    /// Also serves the Rust plugin that panics.
    pub(crate) fn panics(mut self) -> Starter {
        self.plugins.push(pentad_test_plugins::panics());
        self
    }

    /// Serves every bundled game instead, and nothing else.
    pub(crate) fn bundled(mut self) -> Starter {
        let files = ["pentaflip", "pentagame", "pentago", "pentago_xl"].map(bundled);
        self.config.rulesets = Some(directory_of(&files));
        self
    }

    /// Loads the rule sets and opens three free ports.
    pub(crate) async fn start(self) -> TestServer {
        let quiet = Some(MACHINE.read().await);
        TestServer { _quiet: quiet, ..self.start_alone().await }
    }

    /// As [`start`](Self::start), for tests that hold the machine by [`alone`].
    pub(crate) async fn start_alone(mut self) -> TestServer {
        if self.config.rulesets.is_none() {
            self.config.rulesets = Some(if self.plugins.is_empty() {
                two_games().to_owned()
            } else {
                let usual = [pentago(), pentad_test_plugins::build("tictactoe")];
                directory_of(usual.iter().chain(&self.plugins))
            });
        }
        let free = SocketAddr::from(([127, 0, 0, 1], 0));
        self.config.grpc_listen = free;
        self.config.rest_listen = free;
        self.config.admin_listen = free;
        let running = Server::build(self.config).expect("the rule sets load").serve().await.expect("ports are free");
        let http = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .expect("a client without options");
        TestServer { addresses: running.addresses(), running, http, _quiet: None }
    }
}

/// A running server.
pub(crate) struct TestServer {
    pub(crate) addresses: Addresses,
    running: Running,
    pub(crate) http: reqwest::Client,
    _quiet: Option<RwLockReadGuard<'static, ()>>,
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

    /// Waits until so many searches run.
    pub(crate) async fn assert_busy(&self, n_workers: f64) {
        assert_eventually(&format!("{n_workers} searches run"), || async {
            let busy = self.metrics().await.value("pentad_workers_busy", &[]);
            if busy == Some(n_workers) { Ok(()) } else { Err(format!("pentad_workers_busy is {busy:?}")) }
        })
        .await;
    }

    pub(crate) async fn stop(self) -> Drained {
        self.running.stop().await
    }
}

/// Tests that measure time write, all others with a server read. A test has one
/// server at a time: a second one would wait for a writer that waits for the first.
static MACHINE: RwLock<()> = RwLock::const_new(());

/// Waits until no other test of this program has a server, and keeps it so.
pub(crate) async fn alone() -> RwLockWriteGuard<'static, ()> {
    MACHINE.write().await
}

/// How many different [`long_search`]es there are.
pub(crate) const N_LONG_SEARCHES: usize = 5;

/// A question that takes all its time: the opening book knows the standard rules
/// alone. No two of them are alike, nor mirror images of each other.
pub(crate) fn long_search(n: usize, time_ms: u64) -> Value {
    const POSITIONS: [&str; N_LONG_SEARCHES] =
        ["6/6/6/6/6/6 w", "w5/6/6/6/6/6 b", "1w4/6/6/6/6/6 b", "2w3/6/6/6/6/6 b", "6/1w4/6/6/6/6 b"];
    serde_json::json!({"variant": "finnish", "position": POSITIONS[n], "limits": {"timeMs": time_ms}})
}

/// A question with its game, as gRPC has it.
pub(crate) fn about(game: &str, mut question: Value) -> Value {
    question["game"] = game.into();
    question
}

/// Pentago as it is bundled.
pub(crate) fn pentago() -> PathBuf {
    bundled("pentago")
}

/// A bundled rule set.
fn bundled(name: &str) -> PathBuf {
    let dir = pentad_host::bundled_dir().expect("a running program has a path");
    let path = dir.join(format!("libruleset_{name}{}", std::env::consts::DLL_SUFFIX));
    assert!(path.is_file(), "{} is built with the package", path.display());
    path
}

/// A directory with Pentago and tic-tac-toe.
pub(crate) fn two_games() -> &'static Path {
    static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
    DIRECTORY.get_or_init(|| directory_of(&[pentago(), pentad_test_plugins::build("tictactoe")]))
}

/// A new directory with links to these files.
pub(crate) fn directory_of<'a>(files: impl IntoIterator<Item = &'a PathBuf>) -> PathBuf {
    let dir = pentad_test_plugins::scratch_dir();
    for file in files {
        let name = file.file_name().expect("a library has a name");
        std::os::unix::fs::symlink(file, dir.join(name)).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
    dir
}

/// Looks again and again until something is so; says how things stand if it
/// never becomes so.
pub(crate) async fn assert_eventually<T, E: Debug>(what: &str, mut look: impl AsyncFnMut() -> Result<T, E>) -> T {
    let started = Instant::now();
    loop {
        let stands = match look().await {
            Ok(found) => return found,
            Err(stands) => stands,
        };
        assert!(started.elapsed() < Duration::from_secs(10), "after ten seconds still not so: {what}; {stands:?}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
