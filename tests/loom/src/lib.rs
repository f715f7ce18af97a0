//! Models of hand-written synchronisation, checked by loom: it runs each with every
//! order of the threads' steps, and with every value that the memory model lets a load
//! return, up to a bound of preemptions.
//!
//! The sources themselves are checked, compiled a second time with loom's atomics in place
//! of the standard library's:
//!
//! | source | what must hold |
//! | --- | --- |
//! | `rulesets/search/src/primitives/shared_table.rs` | no thread reads a torn entry, or one of another position |
//! | `services/engine/src/schedule/wakeups.rs` | no job is forgotten while a worker sleeps |
//!
//! and the protocol by which `services/server/access/reservation.rs` detects that the last
//! worker of a caller has counted its time. Code that uses only locks, `OnceLock`s or
//! channels needs no model.

#![forbid(unsafe_code)]

mod primitives;
#[path = "../../../services/engine/src/schedule/wakeups.rs"]
#[allow(unreachable_pub, dead_code, reason = "its own crate exports it; no model has timeouts")]
mod wakeups;

use loom::model::Builder;
use loom::sync::atomic::{AtomicU64, AtomicUsize, Ordering, fence};
use loom::sync::{Arc, Condvar, Mutex, MutexGuard};
use loom::thread;

use primitives::proven::Proven;
use primitives::shared_table::SharedTable;
use primitives::transposition_table::{Bound, Entry};
use wakeups::Wakeups;

/// Bound of preemptions for models whose unbounded run takes too long.
const PREEMPTIONS_MAX: usize = 3;

fn check(model: impl Fn() + Send + Sync + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(PREEMPTIONS_MAX);
    builder.check(model);
}

/// Two threads store entries of one position, and a third looks it up: it finds nothing, or
/// one complete entry. A proof is from one of them, never a mixture.
pub fn entries_of_one_position_are_whole() {
    let entries = [entry(1, Proven::NOT_LOST), entry(2, Proven::NOT_WON)];
    check(move || {
        let table = table();
        let writers = entries.map(|entry| spawn_store(&table, 7, entry));
        assert_one_of(table.probe(7), &entries);
        writers.into_iter().for_each(|writer| writer.join().expect("it does not panic"));
        let found = table.probe(7);
        assert_one_of(found, &entries);
    });
}

/// Two threads store entries of two positions, which may compete for the same slot: a lookup
/// finds nothing, or the entry of its own position.
pub fn entries_of_two_positions_are_not_mixed_up() {
    let entries = [entry(1, Proven::NONE), entry(2, Proven::DRAW)];
    check(move || {
        let table = table();
        let writers = [(7, entries[0]), (8, entries[1])].map(|(key, entry)| spawn_store(&table, key, entry));
        assert_one_of(table.probe(7), &entries[..1]);
        assert_one_of(table.probe(8), &entries[1..]);
        writers.into_iter().for_each(|writer| writer.join().expect("it does not panic"));
        assert_one_of(table.probe(7), &entries[..1]);
        assert_one_of(table.probe(8), &entries[1..]);
    });
}

/// A table of one line, the minimum.
fn table() -> Arc<SharedTable> {
    let mut table = SharedTable::default();
    table.reset(64);
    Arc::new(table)
}

fn entry(n: u8, proven: Proven) -> Entry {
    Entry { value: i32::from(n), depth: n, bound: Bound::Exact, proven, move_idx: n.into() }
}

fn spawn_store(table: &Arc<SharedTable>, key: u64, entry: Entry) -> thread::JoinHandle<()> {
    let table = Arc::clone(table);
    thread::spawn(move || table.store(key, entry))
}

fn assert_one_of(found: Entry, stored: &[Entry]) {
    let proven = stored.iter().fold(Proven::NONE, |all, entry| all.union(entry.proven));
    assert_eq!(found.proven.union(proven), proven, "a proof that nobody stored: {found:?}");
    let is_stored = |entry: &Entry| Entry { proven: found.proven, ..*entry } == found;
    assert!(found == Entry::EMPTY || stored.iter().any(is_stored), "half an entry: {found:?}");
}

/// A pool like the engine's, which counts jobs instead of running them.
struct Pool {
    state: Mutex<PoolState>,
    wake: Condvar,
    all_done: Condvar,
}

#[derive(Default)]
struct PoolState {
    n_queued: usize,
    n_done: usize,
    wakeups: Wakeups,
    is_closed: bool,
}

impl Pool {
    fn lock(&self) -> MutexGuard<'_, PoolState> {
        self.state.lock().expect("nothing panics while it is locked")
    }

    fn submit(&self) {
        let mut state = self.lock();
        state.n_queued += 1;
        self.wake_if_needed(state);
    }

    fn wake_if_needed(&self, mut state: MutexGuard<'_, PoolState>) {
        if state.n_queued > 0 && state.wakeups.should_notify() {
            drop(state);
            self.wake.notify_one();
        }
    }

    /// The loop of a worker of the engine's pools.
    fn work(&self) {
        let mut is_looking = false;
        let mut state = self.lock();
        while !state.is_closed {
            if state.n_queued > 0 {
                state.n_queued -= 1;
                if std::mem::take(&mut is_looking) {
                    state.wakeups.end_looking();
                }
                self.wake_if_needed(state);
                state = self.lock();
                state.n_done += 1;
                self.all_done.notify_one();
            } else if !is_looking {
                is_looking = true;
                state.wakeups.begin_looking();
                drop(state);
                thread::yield_now();
                state = self.lock();
            } else {
                state.wakeups.fall_asleep();
                while state.wakeups.is_asleep() && !state.is_closed {
                    state = self.wake.wait(state).expect("nothing panics while it is locked");
                }
                state.wakeups.wake_up();
            }
        }
    }
}

/// Every submitted job is run by a worker, whether the workers are asleep, looking or busy;
/// otherwise loom reports a deadlock.
pub fn no_job_is_forgotten(n_workers: usize, n_jobs: usize) {
    check(move || {
        let pool = Pool { state: Mutex::default(), wake: Condvar::new(), all_done: Condvar::new() };
        let pool = Arc::new(pool);
        let workers: Vec<_> = (0..n_workers)
            .map(|_| {
                let pool = Arc::clone(&pool);
                thread::spawn(move || pool.work())
            })
            .collect();
        (0..n_jobs).for_each(|_| pool.submit());
        let mut state = pool.lock();
        while state.n_done < n_jobs {
            state = pool.all_done.wait(state).expect("nothing panics while it is locked");
        }
        state.is_closed = true;
        drop(state);
        pool.wake.notify_all();
        workers.into_iter().for_each(|worker| worker.join().expect("it does not panic"));
    });
}

/// The thread that sees the last reference to a meter sees everything that was counted;
/// references are counted as in `Arc`.
pub fn the_last_reference_sees_all_costs() {
    check(|| {
        let (cost, n_references) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicUsize::new(3)));
        let workers: Vec<_> = [1, 2]
            .into_iter()
            .map(|time| {
                let (cost, n_references) = (Arc::clone(&cost), Arc::clone(&n_references));
                thread::spawn(move || {
                    cost.fetch_add(time, Ordering::Relaxed);
                    n_references.fetch_sub(1, Ordering::Release);
                })
            })
            .collect();
        if n_references.load(Ordering::Relaxed) == 1 {
            fence(Ordering::Acquire);
            assert_eq!(cost.load(Ordering::Relaxed), 3);
        }
        workers.into_iter().for_each(|worker| worker.join().expect("it does not panic"));
    });
}
