//! A Redis or Valkey server for one test.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use pentad_store::{SharedAddress, SharedConfig, SharedSecret, SharedStore};

use super::ScratchDir;

/// The secret of all stores and replicas.
const SECRET: &[u8] = b"a secret of the tests";

/// Returns a file with the secret, for replicas in processes of their own.
pub(crate) fn secret_file() -> PathBuf {
    let path = std::env::temp_dir().join(format!("pentad-test-secret-{}", std::process::id()));
    std::fs::write(&path, SECRET).expect("a temporary file");
    path
}

/// A server without persistence, on a socket in its own directory. It ends with the test.
pub(crate) struct RedisServer {
    dir: ScratchDir,
    options: Vec<String>,
    process: Child,
}

impl RedisServer {
    /// Starts `redis-server`, or the program that `REDIS_SERVER` names.
    pub(crate) fn start(options: &[&str]) -> RedisServer {
        let dir = ScratchDir::new();
        let options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
        let process = spawn(&dir.path("socket"), &options);
        let server = RedisServer { dir, options, process };
        server.wait_until_it_listens();
        server
    }

    /// Starts an empty server in its place.
    pub(crate) fn restart(&mut self) {
        self.process = spawn(&self.socket(), &self.options);
        self.wait_until_it_listens();
    }

    /// Kills the server without a shutdown.
    pub(crate) fn kill(&mut self) {
        self.process.kill().expect("it is this process's own");
        self.process.wait().expect("it is this process's own");
    }

    /// Suspends the server: it accepts connections and answers nothing.
    pub(crate) fn suspend(&self) {
        self.signal("-STOP");
    }

    pub(crate) fn resume(&self) {
        self.signal("-CONT");
    }

    pub(crate) fn url(&self) -> String {
        format!("redis+unix://{}", self.socket().display())
    }

    /// Opens a store with timeouts that suit slow machines.
    pub(crate) fn open(&self) -> SharedStore {
        SharedStore::open(self.patient())
    }

    pub(crate) fn patient(&self) -> SharedConfig {
        let minute = Duration::from_mins(1);
        SharedConfig {
            secret: SharedSecret::new(SECRET),
            timeout: minute,
            write_timeout: minute,
            connect_timeout: minute,
            open_wait: minute,
            ..SharedConfig::new(SharedAddress::parse(&self.url()).expect("an address"))
        }
    }

    /// Opens a connection to inspect and change the server's data.
    pub(crate) fn connection(&self) -> redis::Connection {
        let client = redis::Client::open(self.url()).expect("an address");
        client.get_connection().expect("the server listens")
    }

    fn socket(&self) -> PathBuf {
        self.dir.path("socket")
    }

    fn signal(&self, signal: &str) {
        let pid = self.process.id().to_string();
        let sent = Command::new("kill").args([signal, &pid]).status().expect("there is kill");
        assert!(sent.success());
    }

    fn wait_until_it_listens(&self) {
        let give_up = Instant::now() + Duration::from_mins(1);
        while std::os::unix::net::UnixStream::connect(self.socket()).is_err() {
            assert!(Instant::now() < give_up, "the server does not listen");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn spawn(socket: &Path, options: &[String]) -> Child {
    let program = std::env::var_os("REDIS_SERVER").unwrap_or_else(|| "redis-server".into());
    let mut command = Command::new(&program);
    command.args(["--port", "0", "--save", "", "--appendonly", "no", "--unixsocket"]).arg(socket);
    command.args(options).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap_or_else(|error| panic!("{}: {error}", program.display()))
}
