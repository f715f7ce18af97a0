//! A layer that several replicas share: a Redis or Valkey server.
//!
//! Callers never wait for the network. Lookups and claims go to two reader threads through
//! a bounded queue, are sent several at a time, and are given up after some milliseconds;
//! answers go to one writer thread through another. Of two answers the server keeps the
//! better one, by a script, whoever writes first.
//!
//! | what happens | what becomes of it |
//! | --- | --- |
//! | the server is down, silent, slow or talks nonsense | after five failures in a row, or as many failures as successes, it is not asked any more; probes, which no question waits for, find out when it is back |
//! | a value is damaged, or not ours | as if it were not there; it is deleted |
//! | the server refuses to write, such as for want of memory | lookups go on; the status says why |
//! | a replica is killed while it searches | its lease, which it renews while it lives, expires within two seconds |
//! | answers come faster than they can be written | those that do not fit into the queue are dropped, estimates first |
//!
//! Which answers leave a full server is up to its `maxmemory-policy`.

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
pub use tls::SharedTls;

use crate::counters::{BAD, Counters, DROPPED, READ_FAILED, SKIPPED, TIMEOUT, read_counts, write_counts};
use crate::game_codec;
use crate::layers::Layer;
use crate::status::{LayerState, LayerStatus};
use breaker::Breaker;
use leases::Leases;
use queue::Queue;
use reader::{LookedUp, Read};
use writer::Write;

/// Lookups and claims that may wait.
const READ_QUEUE_LEN_MAX: usize = 1024;
/// An exploration makes many lookups, and may take as long as so many.
const EXPLORE_TIMEOUTS: u32 = 10;
/// While one waits for the server, another goes on.
const READERS: usize = 2;

/// How a shared store is used.
#[derive(Clone, Debug)]
pub struct SharedConfig {
    /// Where it is.
    pub address: SharedAddress,
    /// If that is with TLS: who vouches for it.
    pub tls: SharedTls,
    /// A lookup or a claim that takes longer is given up.
    pub timeout: Duration,
    /// A write that takes longer has failed. Nobody waits for one.
    pub write_timeout: Duration,
    /// A connection that takes longer to be made has failed.
    pub connect_timeout: Duration,
    /// Answers that wait for the writer.
    pub queue_len_max: usize,
    /// Estimates expire so long after they were stored; proofs do not.
    pub estimate_expiry: Option<Duration>,
    /// How long [`SharedStore::open`] waits for the server; after that it is connected to
    /// while the service runs.
    pub open_wait: Duration,
}

impl SharedConfig {
    /// A server with the usual bounds: lookups of 5 ms, 4,096 answers that wait, no
    /// expiry.
    pub fn new(address: SharedAddress) -> Self {
        SharedConfig {
            address,
            tls: SharedTls::default(),
            timeout: Duration::from_millis(5),
            write_timeout: Duration::from_millis(100),
            connect_timeout: Duration::from_millis(250),
            queue_len_max: 4096,
            estimate_expiry: None,
            open_wait: Duration::from_millis(500),
        }
    }
}

/// Answers in a server that others use, too. Dropping it writes what was offered.
pub struct SharedStore(Arc<Shared>);

/// What the threads share.
struct Shared {
    config: SharedConfig,
    breaker: Breaker,
    reads: Queue<Read>,
    writes: Queue<Write>,
    leases: Leases,
    /// Why the server refused the last write.
    write_problem: Mutex<Option<String>>,
    read_counts: Counters<6>,
    write_counts: Counters<5>,
    /// Threads that have not ended.
    n_threads: AtomicUsize,
}

impl SharedStore {
    /// Connects on a thread of its own, and waits for that as long as the configuration
    /// says. It never fails: [`status`](Layer::status) says what is wrong.
    pub fn open(config: SharedConfig) -> SharedStore {
        if config.address.is_tls() {
            tls::install_provider();
        }
        let (open_wait, queue_len_max) = (config.open_wait, config.queue_len_max);
        let shared = Arc::new(Shared {
            config,
            breaker: Breaker::new(Instant::now()),
            reads: Queue::new(READ_QUEUE_LEN_MAX),
            writes: Queue::new(queue_len_max),
            leases: Leases::default(),
            write_problem: Mutex::default(),
            read_counts: Counters::new(),
            write_counts: Counters::new(),
            n_threads: AtomicUsize::new(0),
        });
        let (probed, is_probed) = mpsc::channel();
        spawn("shared-write", &shared, move |shared| writer::run(shared, &probed));
        (0..READERS).for_each(|_| spawn("shared-read", &shared, reader::run));
        // Whatever it found: the status has it.
        let _ = is_probed.recv_timeout(open_wait);
        SharedStore(shared)
    }

    /// `true` arrives once everything that was offered before is in the server, `false` or
    /// an error if some of it is not.
    pub fn flush(&self) -> oneshot::Receiver<bool> {
        let (done, receiver) = oneshot::channel();
        // What finds no room is dropped, and its receiver told.
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
                Ok(Ok(LookedUp { result, answer })) => {
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
        let n_dropped = match layout::encode(&key.digest, answer) {
            Some(value) => {
                let write = Write::Put { key: layout::answer_key(key), value, is_proof: answer.is_proven() };
                match answer.is_proven() {
                    true => shared.writes.push_instead(write, Write::is_expendable),
                    false => u64::from(!shared.writes.push(write)),
                }
            }
            None => 1,
        };
        shared.write_counts.add(DROPPED, n_dropped);
    }

    fn refuse(&self, key: &StoreKey) {
        self.0.read_counts.add(BAD, 1);
        self.0.remove(key);
    }

    /// Granted at once, without a lease, unless the server is known to answer in time: who
    /// has just waited for a lookup in vain does not wait again.
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
            // What finds no room is dropped, and its receiver told.
            let _ = self.0.writes.push(Write::Record { game: game.clone(), value, done });
        }
        Box::pin(async move { recorded.await.unwrap_or(Recorded::Failed) })
    }
}

impl Layer for SharedStore {
    /// How many answers are in the server is not known.
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
        let write = Write::Remove { key: layout::answer_key(key) };
        // If there is no room for it, it is found again.
        let _ = self.writes.push(write);
    }

    fn note_timeout(&self) {
        let problem = format!("no reply within {} ms", self.config.timeout.as_millis());
        self.breaker.failed(Instant::now(), &problem);
    }

    /// What is wrong, if anything is.
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
