//! The thread that writes, renews leases, probes a failed server, and logs changes.

use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use pentad_engine::{AnswerRank, Recorded, RecordedGame};
use redis::Value;
use tokio::sync::oneshot;

use super::breaker::FAILURES_MAX;
use super::queue::Work;
use super::server::{Reply, Requests, Server};
use super::{Shared, leases};
use crate::counters::{DROPPED, KEPT, STORED, WRITE_FAILED};

/// Maximum number of requests sent at once.
const BATCH: usize = 64;
/// Maximum attempts to send a batch: until the breaker opens, and once more when the server
/// is back.
const TRIES_MAX: u32 = FAILURES_MAX + 1;
/// How often an idle writer probes the server.
const IDLE: Duration = Duration::from_millis(500);
/// A recovered server is logged once it has served for this long.
const STEADY: Duration = Duration::from_secs(5);

/// A change in the server.
pub(super) enum Write {
    Put {
        key: String,
        value: Vec<u8>,
        is_proof: bool,
    },
    Remove {
        key: String,
    },
    Release {
        key: String,
        token: String,
    },
    Record {
        game: Arc<RecordedGame>,
        value: Vec<u8>,
        done: oneshot::Sender<Recorded>,
    },
    /// No change: a caller waits until the changes before it are made.
    Flush {
        done: oneshot::Sender<bool>,
    },
}

impl Write {
    /// Returns whether a proof may replace it in a full queue.
    pub(super) fn is_expendable(&self) -> bool {
        matches!(self, Write::Put { is_proof: false, .. } | Write::Remove { .. })
    }
}

/// Writes until the queue is closed and empty; signals `probed` after each probe.
pub(super) fn run(shared: &Shared, probed: &Sender<()>) {
    let config = &shared.config;
    let mut server = Server::new(config, config.write_timeout);
    let mut log = Log::default();
    let mut batch = Batch::default();
    loop {
        let now = Instant::now();
        if shared.breaker.begin_probe(now) {
            let result = server.probe();
            shared.breaker.end_probe(Instant::now(), result);
            // The receiver may have stopped waiting.
            let _ = probed.send(());
        }
        log.update(shared, now);
        if shared.breaker.is_closed() {
            leases::renew(shared, &mut server);
            if batch.writes.is_empty() {
                let wait = shared.leases.until_renewal(Instant::now()).unwrap_or(IDLE).min(IDLE);
                match shared.writes.take(BATCH, wait) {
                    Work::Items(writes) => batch.writes = writes,
                    Work::Idle => {
                        // Detects a server that goes away even if there are no requests.
                        if let Err(problem) = server.probe() {
                            shared.breaker.failed(Instant::now(), &problem);
                        }
                        continue;
                    }
                    Work::Closed => return,
                }
            }
            // If the server failed meanwhile, the batch is kept for later.
            if shared.breaker.is_closed() {
                batch.write(shared, &mut server);
            }
        } else {
            let until_probe = shared.breaker.until_probe(now).unwrap_or(IDLE);
            if shared.writes.wait(until_probe.min(IDLE).max(Duration::from_millis(1))) {
                let n_left = batch.writes.len() + shared.writes.clear();
                shared.write_counts.add(DROPPED, n_left as u64);
                return;
            }
        }
    }
}

/// Changes sent together, until they succeed or fail too often.
#[derive(Default)]
struct Batch {
    writes: Vec<Write>,
    n_tries: u32,
    /// Some changes since the last flush are not in the server.
    is_incomplete: bool,
}

impl Batch {
    fn write(&mut self, shared: &Shared, server: &mut Server) {
        let mut requests = Requests::new();
        let mut n_requests = 0;
        for write in &self.writes {
            match write {
                Write::Put { key, value, is_proof } => {
                    let expiry = shared.config.estimate_expiry.filter(|_| !is_proof);
                    requests.put(key, value, AnswerRank::LEN, expiry);
                }
                Write::Remove { key } => requests.remove(key),
                Write::Release { key, token } => requests.remove_if(key, token.as_bytes()),
                Write::Record { game, value, .. } => requests.record(game, value),
                Write::Flush { .. } => continue,
            }
            n_requests += 1;
        }
        let sent = if n_requests == 0 { Ok(Vec::new()) } else { server.send(&requests) };
        if let Err(problem) = &sent {
            shared.breaker.failed(Instant::now(), problem);
            self.n_tries += 1;
            if self.n_tries < TRIES_MAX {
                return;
            }
        }
        self.n_tries = 0;
        let mut replies = sent.unwrap_or_default().into_iter();
        for write in std::mem::take(&mut self.writes) {
            match write {
                Write::Put { .. } => self.is_incomplete |= !count(shared, replies.next()),
                // A lost removal does no harm.
                Write::Remove { .. } | Write::Release { .. } => drop(replies.next()),
                Write::Record { done, .. } => {
                    let recorded = match replies.next() {
                        Some(Ok(Value::Int(1))) => Recorded::New,
                        Some(Ok(Value::Int(0))) => Recorded::Known,
                        _ => Recorded::Failed,
                    };
                    self.is_incomplete |= recorded == Recorded::Failed;
                    // The caller may have stopped waiting.
                    let _ = done.send(recorded);
                }
                Write::Flush { done } => {
                    // The caller may have stopped waiting.
                    let _ = done.send(!std::mem::take(&mut self.is_incomplete));
                }
            }
        }
    }
}

/// Counts the reply to a write; returns whether the answer, or a better one, is stored.
fn count(shared: &Shared, reply: Option<Reply>) -> bool {
    let (count, problem) = match reply {
        Some(Ok(Value::Int(1))) => (STORED, None),
        Some(Ok(Value::Int(0))) => (KEPT, None),
        Some(Ok(_)) => (WRITE_FAILED, Some("an unknown reply".to_owned())),
        Some(Err(problem)) => (WRITE_FAILED, Some(problem)),
        None => {
            shared.write_counts.add(WRITE_FAILED, 1);
            return false;
        }
    };
    shared.write_counts.add(count, 1);
    let is_written = problem.is_none();
    if is_written {
        shared.breaker.succeeded(Instant::now());
    }
    *shared.write_problem.lock().expect("nothing panics while it is locked") = problem;
    is_written
}

/// Log of changes: each is logged once, and a server that comes and goes counts as down.
#[derive(Default)]
struct Log {
    has_logged_up: bool,
    has_logged_down: bool,
    up_since: Option<Instant>,
}

impl Log {
    fn update(&mut self, shared: &Shared, now: Instant) {
        let store = &shared.config.address;
        match shared.problem() {
            Some(problem) => {
                self.up_since = None;
                if !std::mem::replace(&mut self.has_logged_down, true) {
                    tracing::warn!(%store, "going on without the shared store: {problem}");
                    self.has_logged_up = false;
                }
            }
            None => {
                let up_for = now.duration_since(*self.up_since.get_or_insert(now));
                if !self.has_logged_up && (!self.has_logged_down || up_for >= STEADY) {
                    tracing::info!(%store, "the shared store serves");
                    *self = Log { has_logged_up: true, has_logged_down: false, ..*self };
                }
            }
        }
    }
}
