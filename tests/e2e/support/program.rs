//! The `pentad` program as a child process.

use std::ffi::OsStr;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStderr, Command};
use tokio::time::timeout;

use super::metrics::Metrics;
use super::rest::{self, send};
use super::{TIMEOUT, assert_eventually};

/// Returns the program with these arguments and an environment without settings.
pub(crate) fn program<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = without_settings(Path::new(env!("CARGO_BIN_EXE_pentad")));
    command.args(arguments);
    command
}

/// Returns an executable to run in an environment without settings.
fn without_settings(executable: &Path) -> Command {
    let mut command = Command::new(executable);
    command.stdin(Stdio::null()).kill_on_drop(true);
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("PENTAD_")) {
        command.env_remove(name);
    }
    command
}

/// Exit code and output of a finished process.
#[derive(Debug)]
pub(crate) struct Exited {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Exited {
    /// Returns the JSON value on standard output.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// A bound against hanging: a command may search for a minute of CPU time, on a busy machine.
const RUN_TIMEOUT: Duration = Duration::from_mins(10);

/// Runs the program to its end.
pub(crate) async fn run(mut command: Command) -> Exited {
    let output = timeout(RUN_TIMEOUT, command.output()).await.expect("the program ends").expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program writes UTF-8");
    Exited { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// A server in a child process.
pub(crate) struct ServerProcess {
    child: Child,
    /// `None` once closed.
    stderr: Option<BufReader<ChildStderr>>,
    /// Standard error until the rule sets are loaded, at least up to the line that names
    /// the ports.
    pub(crate) log: String,
    pub(crate) grpc: SocketAddr,
    pub(crate) rest: SocketAddr,
    pub(crate) admin: SocketAddr,
}

/// Serves the rule sets of a directory on free ports, and waits for the line
/// that names them.
pub(crate) async fn serve(rulesets: &Path, more: &[&str]) -> ServerProcess {
    serve_with_env(rulesets, more, &[]).await
}

/// As [`serve`], with these values of `--rulesets`.
pub(crate) async fn serve_dirs(rulesets: &[String], more: &[&str]) -> ServerProcess {
    let rulesets = rulesets.iter().flat_map(|dir| ["--rulesets", dir]);
    start(program(rulesets.chain(more.iter().copied())), &[]).await
}

/// As [`serve`], with additional environment variables.
pub(crate) async fn serve_with_env(rulesets: &Path, more: &[&str], env: &[(&str, &str)]) -> ServerProcess {
    let mut command = program(more);
    command.arg("--rulesets").arg(rulesets);
    start(command, env).await
}

/// As [`serve`], with a limit of open files that the server cannot raise.
pub(crate) async fn serve_with_open_files(rulesets: &Path, n_files_max: usize, more: &[&str]) -> ServerProcess {
    let limited = format!("ulimit -n {n_files_max}; exec \"$0\" \"$@\"");
    let mut command = without_settings(Path::new("sh"));
    command.args(["-c", &limited, env!("CARGO_BIN_EXE_pentad"), "--rulesets"]);
    command.arg(rulesets).args(more);
    start(command, &[]).await
}

/// Returns the program under a limit of data that is below the limit of its worker processes, which therefore cannot
/// set theirs.
pub(crate) fn program_with_data_limit<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    // The superuser could raise it.
    let limited = "ulimit -d 104857600; drop=; test \"$(id -u)\" != 0 || drop='setpriv --bounding-set=-sys_resource'; \
                   exec $drop \"$0\" \"$@\"";
    let mut command = without_settings(Path::new("sh"));
    command.args(["-c", limited, env!("CARGO_BIN_EXE_pentad")]).args(arguments);
    command
}

/// As [`serve_dirs`], with another executable.
pub(crate) async fn serve_executable(executable: &Path, more: &[&str]) -> ServerProcess {
    let mut command = without_settings(executable);
    command.args(more);
    start(command, &[]).await
}

/// Starts a server and waits until it has loaded its rule sets.
async fn start(command: Command, env: &[(&str, &str)]) -> ServerProcess {
    let mut served = listen(command, env).await;
    let (http, url) = (rest::client(), format!("http://{}/plugins", served.admin));
    assert_eventually("the rule sets are loaded", async || {
        let plugins = send(http.get(&url)).await.ok().json();
        if plugins["loading"] == serde_json::json!([]) { Ok(()) } else { Err(plugins) }
    })
    .await;
    // On a busy machine they are loaded after the ports are named, and listed again.
    let is_listed = |log: &str| !log.contains("serving") || log.contains("loading=0") || log.contains("\"loading\":0");
    while !is_listed(&served.log) {
        let stderr = served.stderr.as_mut().expect("it was not closed");
        let line = timeout(TIMEOUT, stderr.read_line(&mut served.log)).await.expect("the games are listed");
        assert!(line.expect("standard error is readable") > 0, "the program ended:\n{}", served.log);
    }
    served
}

/// Starts a server and waits until it listens.
pub(crate) async fn listen(mut command: Command, env: &[(&str, &str)]) -> ServerProcess {
    let ports = ["--grpc-listen", "127.0.0.1:0", "--rest-listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"];
    // A rule set that is slow on a busy machine must not count as hung.
    let grace = ["--hang-grace-ms", "60000"];
    command.args(ports.iter().chain(&grace));
    command.stderr(Stdio::piped()).stdout(Stdio::null()).envs(env.iter().copied());
    let mut child = command.spawn().expect("the program starts");
    let mut stderr = BufReader::new(child.stderr.take().expect("it is piped"));
    let mut log = String::new();
    let addresses = timeout(TIMEOUT, async {
        loop {
            let start = log.len();
            let n_read = stderr.read_line(&mut log).await.expect("standard error is readable");
            assert!(n_read > 0, "the program ended before it listened:\n{log}");
            if let Some(addresses) = log[start..].strip_prefix("listening ") {
                return addresses.trim().to_owned();
            }
        }
    });
    let addresses = addresses.await.expect("the program listens in time");
    let [grpc, rest, admin] = ["grpc=", "rest=", "admin="].map(|name| {
        let found = addresses.split(' ').find_map(|part| part.strip_prefix(name));
        found.and_then(|address| address.parse().ok()).unwrap_or_else(|| panic!("no {name} in `{addresses}`"))
    });
    ServerProcess { child, stderr: Some(stderr), log, grpc, rest, admin }
}

impl ServerProcess {
    /// Waits until `n_workers` searches are running.
    pub(crate) async fn assert_busy(&self, n_workers: f64) {
        let (http, url) = (rest::client(), format!("http://{}/metrics", self.admin));
        assert_eventually(&format!("{n_workers} searches run"), async || {
            let busy = Metrics::parse(&send(http.get(&url)).await.ok().text()).n_searching();
            if busy == n_workers { Ok(()) } else { Err(format!("{busy} search")) }
        })
        .await;
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id().expect("it has not been waited for")
    }

    /// Sends a signal, e.g. `TERM`.
    pub(crate) async fn signal(&self, name: &str) {
        let pid = self.pid().to_string();
        let sent = Command::new("kill").args(["-s", name, &pid]).status().await.expect("`kill` is there");
        assert!(sent.success(), "kill -s {name} {pid}: {sent}");
    }

    pub(crate) async fn metrics(&self) -> Metrics {
        let url = format!("http://{}/metrics", self.admin);
        Metrics::parse(&send(rest::client().get(url)).await.ok().text())
    }

    /// Closes the reader's end of standard error.
    pub(crate) fn close_stderr(&mut self) {
        self.stderr = None;
    }

    /// Waits until the process exits; returns its status and the rest of its log.
    pub(crate) async fn end(mut self) -> (ExitStatus, String) {
        let ended = async {
            let mut rest = String::new();
            let stderr = self.stderr.as_mut().expect("it was not closed");
            stderr.read_to_string(&mut rest).await.expect("standard error is readable");
            (self.child.wait().await.expect("the program can be waited for"), rest)
        };
        timeout(TIMEOUT, ended).await.expect("the program ends")
    }

    /// Waits until the process exits, without reading its log.
    pub(crate) async fn end_unread(mut self) -> ExitStatus {
        timeout(TIMEOUT, self.child.wait()).await.expect("the program ends").expect("it can be waited for")
    }
}
