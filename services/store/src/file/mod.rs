//! A layer in one file.
//!
//! Callers never wait for the disk. Lookups go to two reader threads through a bounded
//! queue and time out; answers go to one writer thread through another queue. It commits
//! the answers of some milliseconds in one transaction, and an answer is acknowledged once
//! its transaction is on disk.
//!
//! | event | consequence |
//! | --- | --- |
//! | another process has the file open, or the system refuses it | no store; tried again after a second, then less often, at least once a minute |
//! | the file is damaged, or not a store | renamed, an error in the log, an empty store |
//! | the file has another format | renamed; a new one has its recorded games |
//! | a write fails, e.g. on a full disk | closed, and opened again as above; acknowledged answers are kept |
//! | the disk stalls | lookups are skipped, answers that do not fit into the queue are dropped, estimates first |

mod carry;
mod database;
pub(crate) mod dump;
mod eviction;
mod games;
pub(crate) mod maintenance;
mod open;
mod read_queue;
#[cfg(test)]
mod stalled_disk;
mod write_queue;
mod writer;

use std::collections::HashSet;
use std::fmt;
use std::future::Future;
use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, RwLock};
use std::time::{Duration, Instant};

use pentad_engine::{
    AnswerStore, Explored, LocalLookup, PositionKey, Recorded, RecordedGame, StoreExplore, StoreKey, StoreLookup,
    StoreRecord, StoreScope, StoredAnswer,
};
use tokio::sync::oneshot;

use crate::codec;
use crate::counters::{BAD, Counters, DROPPED, HIT, MISS, READ_FAILED, SKIPPED, TIMEOUT, read_counts, write_counts};
use crate::error::StoreError;
use crate::layers::Layer;
use crate::refusals::RefusalLog;
use crate::status::{LayerState, LayerStatus};
use database::{Change, LookupResult, OpenFile, Size};
use dump::DumpStats;
use open::Opener;
use read_queue::{Exploration, READERS, ReadBatch, ReadQueue, reply};
use write_queue::{Done, Write, WriteQueue};

/// Interval of probing lookups while lookups take too long.
const PROBE_INTERVAL: Duration = Duration::from_millis(200);
/// Timeout of an exploration in timeouts of a lookup, since it makes many lookups.
const EXPLORE_TIMEOUTS: u32 = 10;
/// Time after which the disk counts as stalled.
const STALL: Duration = Duration::from_secs(2);
/// How often changes of state are checked and logged.
const WATCH_INTERVAL: Duration = Duration::from_millis(500);

/// Configuration of a file.
#[derive(Clone, Debug)]
pub struct FileConfig {
    /// Path of the file, which is created if it does not exist.
    pub path: PathBuf,
    /// Maximum size of the file, estimated from its content; beyond it the least valuable
    /// answers are evicted.
    pub bytes_max: u64,
    /// Memory for pages of the file. The system also caches them.
    pub cache_bytes: usize,
    /// Maximum number of answers that wait for the writer.
    pub queue_len_max: usize,
    /// How long [`FileStore::open`] waits for the file; after that it opens while the
    /// service runs.
    pub open_wait: Duration,
    /// Timeout of a lookup, which takes microseconds from memory and milliseconds from a
    /// disk.
    pub read_timeout: Duration,
    /// Time for which answers are collected into one transaction.
    pub group_commit: Duration,
}

impl FileConfig {
    /// Configures a file with the usual bounds: 1 GiB, 64 MiB of memory, 4,096 waiting
    /// answers, lookups of 25 ms, commits after 20 ms.
    pub fn new(path: PathBuf) -> Self {
        FileConfig {
            path,
            bytes_max: 1 << 30,
            cache_bytes: 64 << 20,
            queue_len_max: 4096,
            open_wait: Duration::from_secs(2),
            read_timeout: Duration::from_millis(25),
            group_commit: Duration::from_millis(20),
        }
    }
}

/// Answers in one file. Dropping it writes the offered answers and closes the file.
pub struct FileStore(Arc<Shared>);

/// State shared by the threads.
pub(crate) struct Shared {
    config: FileConfig,
    opener: Box<Opener>,
    file: RwLock<Option<Arc<OpenFile>>>,
    state: Mutex<LayerState>,
    state_changed: Condvar,
    reads: ReadQueue,
    /// Held by a caller's thread while it reads.
    local_reader: Mutex<()>,
    writes: WriteQueue,
    /// Scopes that this process uses.
    used_scopes: RwLock<HashSet<Arc<StoreScope>>>,
    started: Instant,
    /// Milliseconds after `started` at which lookups began to take too long; 0 if they do
    /// not.
    stalled_at: AtomicU64,
    probed_at: AtomicU64,
    /// Milliseconds after `started` at which the current commit began; 0 without one.
    commit_at: AtomicU64,
    is_closed: AtomicBool,
    size: Mutex<Size>,
    read_counts: Counters<6>,
    write_counts: Counters<5>,
    set_aside: AtomicU64,
    refusals: RefusalLog,
}

impl FileStore {
    /// Opens the file on a thread of its own, and waits for that as long as the
    /// configuration says. It never fails: [`status`](Layer::status) says what is wrong.
    pub fn open(config: FileConfig) -> FileStore {
        let cache_bytes = config.cache_bytes;
        FileStore::open_with(config, Box::new(move |path| OpenFile::open(path, cache_bytes, true)))
    }

    fn open_with(config: FileConfig, opener: Box<Opener>) -> FileStore {
        let shared = Arc::new(Shared {
            config,
            opener,
            file: RwLock::default(),
            state: Mutex::new(LayerState::Opening),
            state_changed: Condvar::new(),
            reads: ReadQueue::default(),
            local_reader: Mutex::default(),
            writes: WriteQueue::default(),
            used_scopes: RwLock::default(),
            started: Instant::now(),
            stalled_at: AtomicU64::new(0),
            probed_at: AtomicU64::new(0),
            commit_at: AtomicU64::new(0),
            is_closed: AtomicBool::new(false),
            size: Mutex::default(),
            read_counts: Counters::new(),
            write_counts: Counters::new(),
            set_aside: AtomicU64::new(0),
            refusals: RefusalLog::default(),
        });
        spawn("store-write", &shared, writer::run);
        (0..READERS).for_each(|reader| spawn("store-read", &shared, move |it| it.read_until_closed(reader)));
        spawn("store-timeout", &shared, Shared::give_up_late_lookups);
        spawn("store-watch", &shared, Shared::watch);
        shared.wait_until(shared.config.open_wait, |state| *state != LayerState::Opening);
        FileStore(shared)
    }

    /// Offers an answer; the receiver gets `true` once it, or a better one, is on disk, and
    /// `false` or an error if that failed.
    pub fn put(&self, key: &StoreKey, answer: &StoredAnswer) -> oneshot::Receiver<bool> {
        let (done, receiver) = oneshot::channel();
        self.0.offer(key, answer, Some(Done::Stored(done)));
        receiver
    }

    /// Flushes; the receiver gets `true` once all answers offered before are on disk.
    pub fn flush(&self) -> oneshot::Receiver<bool> {
        let (done, receiver) = oneshot::channel();
        self.0.writes.flush(done);
        receiver
    }

    /// Writes the offered answers and closes the file, waiting for at most `within`.
    pub fn close_blocking(&self, within: Duration) {
        self.0.close();
        self.0.wait_until(within, |_| self.0.is_closed.load(Ordering::SeqCst));
    }
}

impl Drop for FileStore {
    fn drop(&mut self) {
        self.close_blocking(STALL);
    }
}

impl fmt::Debug for FileStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileStore").field("status", &self.status()).finish()
    }
}

impl AnswerStore for FileStore {
    fn get(&self, key: &StoreKey) -> StoreLookup {
        let shared = &self.0;
        shared.note_scope(&key.scope);
        match shared.may_read().then(|| shared.reads.look_up(key.clone())).flatten() {
            // A late caller gets no reply.
            Some(answer) => Box::pin(async move { answer.await.ok().flatten() }),
            None => {
                shared.read_counts.add(SKIPPED, 1);
                Box::pin(std::future::ready(None))
            }
        }
    }

    /// Reads on the caller's thread; one thread at a time, so that a stalled disk blocks no
    /// more than one.
    fn get_here(&self, key: &StoreKey) -> LocalLookup {
        let shared = &self.0;
        shared.note_scope(&key.scope);
        let is_stalled = shared.stalled_at.load(Ordering::Relaxed) != 0;
        let Some(_turn) = shared.local_reader.try_lock().ok().filter(|_| !is_stalled) else {
            return LocalLookup::Elsewhere;
        };
        let file = shared.file.read().expect("nothing panics while it is locked").clone();
        let Some(file) = file else { return LocalLookup::Elsewhere };
        match file.get(std::iter::once(key)) {
            Ok(results) => {
                let result = results.into_iter().next().unwrap_or(LookupResult::Nothing);
                let (count, answer) = shared.classify(key, result);
                shared.read_counts.add(count, 1);
                answer.map_or(LocalLookup::Nothing, LocalLookup::Found)
            }
            Err(error) => {
                shared.read_counts.add(READ_FAILED, 1);
                shared.writes.fail(error);
                LocalLookup::Nothing
            }
        }
    }

    fn get_time_max(&self) -> Duration {
        self.0.config.read_timeout
    }

    fn offer(&self, key: &StoreKey, answer: &StoredAnswer) {
        self.0.offer(key, answer, None);
    }

    fn refuse(&self, key: &StoreKey, reason: &'static str) {
        self.0.read_counts.add(BAD, 1);
        self.0.refusals.log(self.0.config.path.display(), key, reason);
        self.0.remove(key.clone());
    }

    fn explore(&self, position: &StoreKey, after: &[PositionKey]) -> StoreExplore {
        let (reply, explored) = oneshot::channel();
        let shared = self.0.clone();
        shared.note_scope(&position.scope);
        let exploration = Exploration { position: position.clone(), after: after.to_vec(), reply };
        if !shared.may_read() || !shared.reads.explore(exploration) {
            shared.read_counts.add(SKIPPED, 1);
            return Box::pin(std::future::ready(Explored::default()));
        }
        Box::pin(async move {
            match tokio::time::timeout(shared.config.read_timeout * EXPLORE_TIMEOUTS, explored).await {
                Ok(explored) => explored.unwrap_or_default(),
                Err(_) => {
                    shared.read_counts.add(TIMEOUT, 1);
                    Explored::default()
                }
            }
        })
    }

    fn record(&self, game: &Arc<RecordedGame>) -> StoreRecord {
        self.0.note_scope(&game.scope);
        let (done, recorded) = oneshot::channel();
        let write =
            Write { change: Some(Change::Game(game.clone())), is_proof: true, done: Some(Done::Recorded(done)) };
        self.0.write_counts.add(DROPPED, self.0.writes.push(write, self.0.config.queue_len_max));
        Box::pin(async move { recorded.await.unwrap_or(Recorded::Failed) })
    }
}

impl Layer for FileStore {
    fn status(&self) -> LayerStatus {
        let shared = &self.0;
        let Size { entries, bytes } = *shared.size.lock().expect("nothing panics while it is locked");
        LayerStatus {
            layer: "file",
            place: shared.config.path.display().to_string(),
            state: shared.state_now(),
            entries,
            bytes,
            reads: read_counts(&shared.read_counts),
            writes: write_counts(&shared.write_counts),
            set_aside: shared.set_aside.load(Ordering::Relaxed),
        }
    }

    fn dump_blocking(&self, out: &mut dyn io::Write) -> Option<Result<DumpStats, StoreError>> {
        let file = || self.0.file.read().expect("nothing panics while it is locked").clone();
        Some(match file() {
            // Closing waits for those who have the file, so the dump ends then.
            Some(open) => dump::write_while(&open, out, &|| file().is_some()),
            None => {
                let problem = self.0.state_now().problem().unwrap_or("closed").to_owned();
                Err(StoreError::Io { path: self.0.config.path.clone(), source: io::Error::other(problem) })
            }
        })
    }

    fn close(&self, within: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        self.0.close();
        Box::pin(async move {
            let until = tokio::time::Instant::now() + within;
            while !self.0.is_closed.load(Ordering::SeqCst) && tokio::time::Instant::now() < until {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        })
    }
}

impl Shared {
    fn offer(&self, key: &StoreKey, answer: &StoredAnswer, done: Option<Done>) {
        self.note_scope(&key.scope);
        let Some(value) = codec::encode(&key.digest, answer) else {
            self.write_counts.add(DROPPED, 1);
            return;
        };
        let is_proof = answer.is_proven();
        let write = Write { change: Some(Change::Put { key: key.clone(), value }), is_proof, done };
        self.write_counts.add(DROPPED, self.writes.push(write, self.config.queue_len_max));
    }

    fn remove(&self, key: StoreKey) {
        let write = Write { change: Some(Change::Remove { key }), is_proof: false, done: None };
        self.write_counts.add(DROPPED, self.writes.push(write, self.config.queue_len_max));
    }

    /// Records that this process serves these rules.
    fn note_scope(&self, scope: &Arc<StoreScope>) {
        let is_known = self.used_scopes.read().expect("nothing panics while it is locked").contains(scope);
        if !is_known {
            self.used_scopes.write().expect("nothing panics while it is locked").insert(scope.clone());
        }
    }

    /// Returns the numbers of replaced scopes: their variants are served by this process
    /// under other rules.
    fn replaced_scopes(&self, file: &OpenFile) -> HashSet<u32> {
        let used = self.used_scopes.read().expect("nothing panics while it is locked");
        let is_replaced = |scope: &StoreScope| {
            let same_variant = |used: &Arc<StoreScope>| used.game == scope.game && used.variant == scope.variant;
            !used.contains(scope) && used.iter().any(same_variant)
        };
        file.scopes().into_iter().filter(|(_, scope)| is_replaced(scope)).map(|(number, _)| number).collect()
    }

    /// Returns whether a lookup may be made: the file is open, and lookups are in time or a
    /// probe is due.
    fn may_read(&self) -> bool {
        if self.file.read().expect("nothing panics while it is locked").is_none() {
            return false;
        }
        if self.stalled_at.load(Ordering::Relaxed) == 0 {
            return true;
        }
        let (now, probed) = (self.now_ms(), self.probed_at.load(Ordering::Relaxed));
        let is_due = now.saturating_sub(probed) >= PROBE_INTERVAL.as_millis() as u64;
        is_due && self.probed_at.compare_exchange(probed, now, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Runs a reader until the queue is closed.
    fn read_until_closed(&self, reader: usize) {
        while let Some(ReadBatch { keys, explorations }) = self.reads.take(reader) {
            let file = self.file.read().expect("nothing panics while it is locked").clone();
            let Some(file) = file else {
                drop(self.reads.finish(reader));
                continue;
            };
            self.look_up(&file, keys, reader);
            for Exploration { position, after, reply } in explorations {
                match file.explore(&position, &after) {
                    // The caller may have stopped waiting.
                    Ok(explored) => drop(reply.send(explored)),
                    Err(error) => {
                        self.read_counts.add(READ_FAILED, 1);
                        self.writes.fail(error);
                    }
                }
            }
            self.stalled_at.store(0, Ordering::Relaxed);
        }
    }

    /// Ends lookups that take too long.
    fn give_up_late_lookups(&self) {
        while let Some(late) = self.reads.wait_for_late(self.config.read_timeout) {
            self.read_counts.add(TIMEOUT, late.len() as u64);
            // Only the first late lookup sets the time.
            let _ = self.stalled_at.compare_exchange(0, self.now_ms(), Ordering::Relaxed, Ordering::Relaxed);
            // Dropping the reply ends the wait of the callers.
            drop(late);
        }
    }

    /// Answers the lookups that a reader has taken.
    fn look_up(&self, file: &OpenFile, keys: Vec<StoreKey>, reader: usize) {
        let results = file.get(keys.iter());
        let callers = self.reads.finish(reader);
        let results = match results {
            Ok(results) => results,
            Err(error) => {
                self.read_counts.add(READ_FAILED, keys.len() as u64);
                self.writes.fail(error);
                return;
            }
        };
        let mut answered = Vec::with_capacity(keys.len());
        for ((key, caller), result) in keys.into_iter().zip(callers).zip(results) {
            let (count, answer) = self.classify(&key, result);
            // Late lookups were already counted as timeouts.
            if let Some(caller) = caller {
                self.read_counts.add(count, 1);
                answered.push((caller, answer.map(|answer| *answer)));
            }
        }
        reply(answered);
    }

    /// Returns the counter and the answer of a lookup; removes a damaged one.
    fn classify(&self, key: &StoreKey, result: LookupResult) -> (usize, Option<Box<StoredAnswer>>) {
        match result {
            LookupResult::Answer(answer) => (HIT, Some(answer)),
            LookupResult::Nothing => (MISS, None),
            LookupResult::Damaged => {
                self.remove(key.clone());
                (BAD, None)
            }
        }
    }

    /// Logs every change of state once. Runs on its own thread, since the others may be
    /// waiting for the disk.
    fn watch(&self) {
        let mut logged = LayerState::Opening;
        let path = self.config.path.display();
        loop {
            self.wait_until(WATCH_INTERVAL, |_| self.is_closed.load(Ordering::SeqCst));
            if self.is_closed.load(Ordering::SeqCst) {
                return;
            }
            let state = self.state_now();
            if state == logged {
                continue;
            }
            match &state {
                LayerState::Up => {
                    let Size { entries, .. } = *self.size.lock().expect("nothing panics while it is locked");
                    tracing::info!(store = %path, entries, "the store serves");
                }
                LayerState::Down(reason) => tracing::warn!(store = %path, "going on without the store: {reason}"),
                LayerState::Opening => {}
            }
            logged = state;
        }
    }

    fn state_now(&self) -> LayerState {
        let state = self.state.lock().expect("nothing panics while it is locked").clone();
        let age = |at: &AtomicU64| match at.load(Ordering::Relaxed) {
            0 => Duration::ZERO,
            at => Duration::from_millis(self.now_ms().saturating_sub(at)),
        };
        match state {
            LayerState::Up if age(&self.stalled_at) > STALL => {
                LayerState::Down(format!("lookups take longer than {} ms", self.config.read_timeout.as_millis()))
            }
            LayerState::Up if age(&self.commit_at) > STALL => {
                LayerState::Down(format!("a write takes longer than {} s", STALL.as_secs()))
            }
            state => state,
        }
    }

    fn set_state(&self, state: LayerState) {
        *self.state.lock().expect("nothing panics while it is locked") = state;
        self.state_changed.notify_all();
    }

    fn set_size(&self, size: Size) {
        *self.size.lock().expect("nothing panics while it is locked") = size;
    }

    /// Waits until `condition` holds, for at most `within`. It is checked when the state
    /// changes.
    fn wait_until(&self, within: Duration, condition: impl Fn(&LayerState) -> bool) {
        let state = self.state.lock().expect("nothing panics while it is locked");
        let waited = self.state_changed.wait_timeout_while(state, within, |state| !condition(state));
        drop(waited.expect("nothing panics while it is locked"));
    }

    fn close(&self) {
        self.reads.close();
        self.writes.close();
    }

    fn now_ms(&self) -> u64 {
        self.started.elapsed().as_millis() as u64 + 1
    }
}

fn spawn(name: &str, shared: &Arc<Shared>, work: impl FnOnce(&Shared) + Send + 'static) {
    let shared = shared.clone();
    let spawned = std::thread::Builder::new().name(name.to_owned()).spawn(move || work(&shared));
    spawned.expect("a thread at the start");
}
