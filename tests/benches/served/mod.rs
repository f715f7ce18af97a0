//! The program under load, on free ports, and its resource usage.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A running server, stopped at the end of the benchmark.
pub(crate) struct Server {
    child: Child,
    pub(crate) grpc: SocketAddr,
    pub(crate) rest: SocketAddr,
    pub(crate) admin: SocketAddr,
}

impl Server {
    pub(crate) fn start(more: &[&str]) -> Server {
        let ports = ["--grpc-listen=127.0.0.1:0", "--rest-listen=127.0.0.1:0", "--admin-listen=127.0.0.1:0"];
        let built = || env!("CARGO_BIN_EXE_pentad").into();
        let mut command = Command::new(std::env::var_os("PENTAD_BENCH_SERVER").unwrap_or_else(built));
        let mut child = command.args(ports).args(more).stderr(Stdio::piped()).spawn().expect("the server starts");
        let mut lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
        let line = loop {
            let line = lines.next().expect("it says where it listens").expect("a line");
            if line.starts_with("listening ") {
                break line;
            }
        };
        // The rest is read so that no log line is lost.
        std::thread::spawn(move || lines.for_each(drop));
        let [grpc, rest, admin] = ["grpc=", "rest=", "admin="].map(|name| {
            let address = line.split_whitespace().find_map(|word| word.strip_prefix(name)).expect("three ports");
            address.parse().expect("an address")
        });
        Server { child, grpc, rest, admin }
    }

    /// Returns the resident memory in bytes.
    pub(crate) fn rss(&self) -> u64 {
        rss(self.child.id())
    }

    /// Returns the CPU time so far.
    #[allow(dead_code, reason = "not every benchmark reads it")]
    pub(crate) fn cpu(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
        // The name, in parentheses, may have spaces. User and system time are in ticks of 10 ms.
        let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
        let ticks: u64 = fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
        Duration::from_millis(10 * ticks)
    }

    /// Returns its child processes: those of isolated rule sets, and others.
    #[allow(dead_code, reason = "not every benchmark has isolated rule sets")]
    pub(crate) fn children(&self) -> Vec<u32> {
        let parent = |pid: u32| -> Option<u32> {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
            // The name, in parentheses, may have spaces.
            stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
        };
        let pids = std::fs::read_dir("/proc").expect("the system has /proc").flatten();
        let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        pids.filter(|pid| parent(*pid) == Some(self.child.id())).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended, which the benchmark has reported.
        let _ended = self.child.kill().and_then(|()| self.child.wait());
    }
}

/// Returns the resident memory of a process in bytes.
pub(crate) fn rss(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    let kib: u64 = line.split_whitespace().next().and_then(|kib| kib.parse().ok()).unwrap_or(0);
    kib * 1024
}

pub(crate) fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// Returns a Pentago position with two white and two black marbles, a different one for each
/// number below 1.4 million.
pub(crate) fn position(number: u64) -> String {
    let mut cells = [b'1'; 36];
    let mut rest = number;
    for (n_taken, marble) in [b'w', b'b', b'w', b'b'].into_iter().enumerate() {
        let n_free = 36 - n_taken as u64;
        let free = cells.iter().enumerate().filter(|(_, cell)| **cell == b'1').map(|(idx, _)| idx);
        let cell = free.into_iter().nth((rest % n_free) as usize).expect("a cell is free");
        cells[cell] = marble;
        rest /= n_free;
    }
    let rows: Vec<&str> = cells.chunks(6).map(|row| std::str::from_utf8(row).expect("ASCII")).collect();
    format!("{} w", rows.join("/"))
}
