//! A layer that several replicas share: a Redis or Valkey server.
//!
//! Callers never wait for the network. Lookups and claims go to two reader threads through
//! a bounded queue, are sent in batches, and time out after some milliseconds; answers go
//! to one writer thread through another queue. A script in the server keeps the better of
//! two answers, in whatever order they are written.
//!
//! | event | consequence |
//! | --- | --- |
//! | the server is down, silent, slow or replies nonsense | after five failures in a row, or as many failures as successes, no requests are made; probes, which no question waits for, detect when it is back |
//! | a value is damaged or foreign, or has not the code of the secret | a miss; it is deleted |
//! | the server refuses writes, e.g. out of memory | lookups continue; the status reports the reason |
//! | a replica is killed while it searches | its lease, no longer renewed, expires within two seconds |
//! | answers arrive faster than they can be written | those that do not fit into the queue are dropped, estimates first |
//!
//! The server's `maxmemory-policy` decides which answers leave a full server.

mod address;
mod breaker;
mod layout;
mod leases;
mod queue;
mod reader;
mod server;
mod tls;
mod writer;

use std::fmt;
use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use pentad_engine::{
    AnswerStore, Claim, Explored, PositionKey, Recorded, RecordedGame, SearchLease, StoreClaim, StoreExplore, StoreKey,
    StoreLookup, StoreRecord, StoredAnswer,
};
use tokio::sync::oneshot;

pub use address::SharedAddress;

use crate::counters::{BAD, Counters, DROPPED, READ_FAILED, SKIPPED, TIMEOUT, read_counts, write_counts};
use crate::game_codec;
use crate::layers::Layer;
use crate::refusals::RefusalLog;
use crate::shared_config::SharedConfig;
use crate::status::{LayerState, LayerStatus};
use breaker::Breaker;
use layout::AnswerLayout;
use leases::Leases;
use queue::Queue;
use reader::{LookupReply, Read};
use writer::Write;

/// Maximum number of waiting lookups and claims.
const READ_QUEUE_LEN_MAX: usize = 1024;
/// Timeout of an exploration in timeouts of a lookup, since it makes many lookups.
const EXPLORE_TIMEOUTS: u32 = 10;
/// While one reader waits for the server, the other continues.
const READERS: usize = 2;

/// Answers in a server shared with other replicas. Dropping it writes the offered answers.
pub struct SharedStore(Arc<Shared>);

/// State shared by the threads.
struct Shared {
    config: SharedConfig,
    layout: AnswerLayout,
    breaker: Breaker,
    reads: Queue<Read>,
    writes: Queue<Write>,
    leases: Leases,
    /// Why the server refused the last write.
    write_problem: Mutex<Option<String>>,
    read_counts: Counters<6>,
    write_counts: Counters<5>,
    refusals: RefusalLog,
    /// Number of running threads.
    n_threads: AtomicUsize,
}

impl SharedStore {
    /// Connects on its own thread and waits for that as long as the configuration allows. It
    /// never fails: [`status`](Layer::status) reports problems.
    pub fn open(config: SharedConfig) -> SharedStore {
        if config.address.is_tls() {
            tls::install_provider();
        }
        let (open_wait, queue_len_max) = (config.open_wait, config.queue_len_max);
        let shared = Arc::new(Shared {
            layout: AnswerLayout::new(config.secret.as_ref()),
            config,
            breaker: Breaker::new(Instant::now()),
            reads: Queue::new(READ_QUEUE_LEN_MAX),
            writes: Queue::new(queue_len_max),
            leases: Leases::default(),
            write_problem: Mutex::default(),
            read_counts: Counters::new(),
            write_counts: Counters::new(),
            refusals: RefusalLog::default(),
            n_threads: AtomicUsize::new(0),
        });
        let (probed, is_probed) = mpsc::channel();
        spawn("shared-write", &shared, move |shared| writer::run(shared, &probed));
        (0..READERS).for_each(|_| spawn("shared-read", &shared, reader::run));
        // The status has the result.
        let _ = is_probed.recv_timeout(open_wait);
        SharedStore(shared)
    }

    /// Flushes; the receiver gets `true` once all answers offered before are in the server,
    /// `false` or an error if some of them are not.
    pub fn flush(&self) -> oneshot::Receiver<bool> {
        let (done, receiver) = oneshot::channel();
        // If the queue is full, the sender is dropped and the receiver gets an error.
        let _ = self.0.writes.push(Write::Flush { done });
        receiver
    }
}

impl Drop for SharedStore {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl fmt::Debug for SharedStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedStore").field("status", &self.status()).finish()
    }
}

impl AnswerStore for SharedStore {
    fn get(&self, key: &StoreKey) -> StoreLookup {
        let shared = self.0.clone();
        let (reply, answer) = oneshot::channel();
        if !shared.breaker.is_closed() || !shared.reads.push(Read::Get { key: key.clone(), reply }) {
            shared.read_counts.add(SKIPPED, 1);
            return Box::pin(ready(None));
        }
        Box::pin(async move {
            match tokio::time::timeout(shared.config.timeout, answer).await {
                Ok(Ok(LookupReply { result, answer })) => {
                    shared.read_counts.add(result, 1);
                    answer
                }
                Ok(Err(_)) => {
                    shared.read_counts.add(READ_FAILED, 1);
                    None
                }
                Err(_) => {
                    shared.read_counts.add(TIMEOUT, 1);
                    shared.note_timeout();
                    None
                }
            }
        })
    }

    fn get_time_max(&self) -> Duration {
        self.0.config.timeout
    }

    fn offer(&self, key: &StoreKey, answer: &StoredAnswer) {
        let shared = &self.0;
        let n_dropped = match shared.layout.encode(key, answer) {
            Some((key, value)) => {
                let write = Write::Put { key, value, is_proof: answer.is_proven() };
                match answer.is_proven() {
                    true => shared.writes.push_replacing(write, Write::is_expendable),
                    false => u64::from(!shared.writes.push(write)),
                }
            }
            None => 1,
        };
        shared.write_counts.add(DROPPED, n_dropped);
    }

    fn refuse(&self, key: &StoreKey, reason: &'static str) {
        self.0.read_counts.add(BAD, 1);
        self.0.refusals.log(&self.0.config.address, key, reason);
        self.0.remove(key);
    }

    /// Granted at once, without a lease, unless the server is known to answer in time: a
    /// caller whose lookup has just timed out does not wait again.
    fn claim(&self, search: &StoreKey, hold: Duration) -> StoreClaim {
        let unshared = || Claim::Granted(SearchLease::default());
        let shared = self.0.clone();
        let (reply, claim) = oneshot::channel();
        let key = layout::lease_key(search);
        if !shared.breaker.is_healthy() || !shared.reads.push(Read::Claim { key, hold, reply }) {
            return Box::pin(ready(unshared()));
        }
        Box::pin(async move {
            match tokio::time::timeout(shared.config.timeout, claim).await {
                Ok(claim) => claim.unwrap_or_else(|_| unshared()),
                Err(_) => {
                    shared.note_timeout();
                    unshared()
                }
            }
        })
    }

    fn explore(&self, position: &StoreKey, after: &[PositionKey]) -> StoreExplore {
        let shared = self.0.clone();
        let (reply, explored) = oneshot::channel();
        let read = Read::Explore { position: position.clone(), after: after.to_vec(), reply };
        if !shared.breaker.is_closed() || !shared.reads.push(read) {
            shared.read_counts.add(SKIPPED, 1);
            return Box::pin(ready(Explored::default()));
        }
        Box::pin(async move {
            match tokio::time::timeout(shared.config.timeout * EXPLORE_TIMEOUTS, explored).await {
                Ok(explored) => explored.unwrap_or_default(),
                Err(_) => {
                    shared.read_counts.add(TIMEOUT, 1);
                    shared.note_timeout();
                    Explored::default()
                }
            }
        })
    }

    fn record(&self, game: &Arc<RecordedGame>) -> StoreRecord {
        let (done, recorded) = oneshot::channel();
        if let Some(value) = game_codec::encode_game(&game.key.0, game) {
            // If the queue is full, the sender is dropped and the receiver gets an error.
            let _ = self.0.writes.push(Write::Record { game: game.clone(), value, done });
        }
        Box::pin(async move { recorded.await.unwrap_or(Recorded::Failed) })
    }
}

impl Layer for SharedStore {
    /// Returns the status; the number of answers is unknown and reported as 0.
    fn status(&self) -> LayerStatus {
        let shared = &self.0;
        LayerStatus {
            layer: "shared",
            place: shared.config.address.to_string(),
            state: shared.problem().map_or(LayerState::Up, LayerState::Down),
            entries: 0,
            bytes: 0,
            reads: read_counts(&shared.read_counts),
            writes: write_counts(&shared.write_counts),
            set_aside: 0,
        }
    }

    fn close(&self, within: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        self.0.close();
        Box::pin(async move {
            let until = tokio::time::Instant::now() + within;
            while self.0.n_threads.load(Ordering::SeqCst) > 0 && tokio::time::Instant::now() < until {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        })
    }
}

impl Shared {
    fn remove(&self, key: &StoreKey) {
        let write = Write::Remove { key: self.layout.answer_key(key) };
        // If the queue is full, the next lookup finds and removes it.
        let _ = self.writes.push(write);
    }

    fn note_timeout(&self) {
        let problem = format!("no reply within {} ms", self.config.timeout.as_millis());
        self.breaker.failed(Instant::now(), &problem);
    }

    /// Returns the current problem, if any.
    fn problem(&self) -> Option<String> {
        let refused = || self.write_problem.lock().expect("nothing panics while it is locked").clone();
        self.breaker.problem().or_else(|| Some(format!("answers cannot be written: {}", refused()?)))
    }

    fn close(&self) {
        self.reads.close();
        self.reads.clear();
        self.writes.close();
    }
}

fn spawn(name: &str, shared: &Arc<Shared>, work: impl FnOnce(&Arc<Shared>) + Send + 'static) {
    let shared = shared.clone();
    shared.n_threads.fetch_add(1, Ordering::SeqCst);
    let spawned = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
        work(&shared);
        shared.n_threads.fetch_sub(1, Ordering::SeqCst);
    });
    spawned.expect("a thread at the start");
}
