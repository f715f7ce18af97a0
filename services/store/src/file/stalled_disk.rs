//! Tests of a stalled disk: neither callers nor the service wait for it.

use std::io;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use pentad_engine::{
    AnswerStore, LocalLookup, PositionKey, StopReason, StoreKey, StoreScope, StoredAnswer, StoredLine,
};
use pentad_model::{Evaluation, Scores};
use redb::StorageBackend;
use redb::backends::InMemoryBackend;

use super::database::OpenFile;
use super::{FileConfig, FileStore};
use crate::layers::Layer;

/// Gate that blocks reads and writes while it is closed.
#[derive(Debug, Default)]
struct Gate {
    is_closed: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    fn set_closed(&self, is_closed: bool) {
        *self.is_closed.lock().unwrap() = is_closed;
        self.opened.notify_all();
    }

    fn pass(&self) {
        drop(self.opened.wait_while(self.is_closed.lock().unwrap(), |is_closed| *is_closed).unwrap());
    }
}

/// A disk behind a gate.
#[derive(Debug)]
struct StalledDisk(InMemoryBackend, Arc<Gate>);

impl StorageBackend for StalledDisk {
    fn len(&self) -> io::Result<u64> {
        self.0.len()
    }
    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.1.pass();
        self.0.read(offset, out)
    }
    fn set_len(&self, len: u64) -> io::Result<()> {
        self.0.set_len(len)
    }
    fn sync_data(&self) -> io::Result<()> {
        self.1.pass();
        self.0.sync_data()
    }
    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.1.pass();
        self.0.write(offset, data)
    }
}

/// More answers than fit into one page of the file.
const PAGEFUL: u8 = 100;

fn key(n: u8) -> StoreKey {
    let scope = StoreScope {
        game: "pentago".to_owned(),
        version: "1".to_owned(),
        fingerprint: "f".to_owned(),
        variant: "v".to_owned(),
    };
    StoreKey { scope: Arc::new(scope), digest: PositionKey([n; 16]) }
}

fn answer(stop: StopReason) -> StoredAnswer {
    let evaluation = Evaluation::static_estimate(Scores::pair(0, 0.5));
    StoredAnswer {
        position: String::new(),
        stop,
        n_lines: 1,
        took: Duration::from_secs(1),
        depth: 3,
        nodes: 9,
        evaluation,
        lines: vec![StoredLine { moves: vec!["a1".to_owned()], evaluation, equivalents: Vec::new() }],
        n_choices: 1,
        n_moves: 1,
        is_trusted: true,
    }
}

/// Opens a store in which every lookup reads the disk; also returns the gate.
async fn stalled_store() -> (FileStore, Arc<Gate>) {
    let gate = Arc::new(Gate::default());
    let disk_gate = gate.clone();
    let opener = move |path: &std::path::Path| {
        // Without a cache, every lookup reads all pages except the first.
        let mut builder = redb::Database::builder();
        builder.set_cache_size(0);
        let disk = StalledDisk(InMemoryBackend::new(), disk_gate.clone());
        OpenFile::from_database(path, builder.create_with_backend(disk).expect("an empty disk"))
    };
    let group_commit = Duration::ZERO;
    let config = FileConfig { queue_len_max: 4, group_commit, ..FileConfig::new("memory".into()) };
    let store = FileStore::open_with(config, Box::new(opener));
    for n in 0..=PAGEFUL {
        assert!(store.put(&key(n), &answer(StopReason::Proven)).await.expect("it is written"));
    }
    (store, gate)
}

/// While the disk stalls, lookups time out, further ones are skipped, and answers that do
/// not fit into the queue are dropped, estimates first. Afterwards the store works again.
#[tokio::test]
async fn nobody_waits_for_a_stalled_disk() {
    let (store, gate) = stalled_store().await;
    assert!(store.get(&key(1)).await.is_some());

    gate.set_closed(true);
    assert_eq!(store.get(&key(1)).await, None);
    assert!(store.status().reads.timeout > 0);
    let skipped = store.status().reads.skipped;
    // One of them may be the probe, which waits behind the first.
    for _ in 0..3 {
        assert_eq!(store.get(&key(1)).await, None);
    }
    assert!(store.status().reads.skipped > skipped, "{:?}", store.status());

    // The writer takes the queued answers and stalls.
    let first = store.put(&key(202), &answer(StopReason::Time));
    while store.status().writes.dropped == 0 {
        store.offer(&key(203), &answer(StopReason::Time));
        tokio::task::yield_now().await;
    }
    let dropped = store.status().writes.dropped;
    let proof = store.put(&key(204), &answer(StopReason::Proven));
    assert_eq!(store.status().writes.dropped, dropped + 1, "an estimate made room for the proof");

    gate.set_closed(false);
    assert!(first.await.expect("it is written at last"));
    assert!(proof.await.expect("it is written at last"));
    let found = tokio::time::timeout(Duration::from_mins(1), async {
        while store.get(&key(204)).await.is_none() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    found.await.expect("the store answers again");
}

/// A stalled disk blocks at most one thread that reads for itself; all others are sent to
/// the readers.
#[tokio::test]
async fn a_stalled_disk_holds_up_one_thread() {
    let (store, gate) = stalled_store().await;
    assert!(matches!(store.get_here(&key(1)), LocalLookup::Found(_)));
    assert!(matches!(store.get_here(&key(u8::MAX)), LocalLookup::Nothing));

    gate.set_closed(true);
    let store = Arc::new(store);
    let held = {
        let store = store.clone();
        // The loop below holds the reader for moments, too.
        std::thread::spawn(move || {
            loop {
                match store.get_here(&key(1)) {
                    LocalLookup::Elsewhere => std::thread::yield_now(),
                    lookup => return lookup,
                }
            }
        })
    };
    while store.0.local_reader.try_lock().is_ok() {
        std::thread::yield_now();
    }
    assert!(matches!(store.get_here(&key(1)), LocalLookup::Elsewhere));
    assert_eq!(store.get(&key(1)).await, None, "the readers do not answer either");
    gate.set_closed(false);
    assert!(matches!(held.join().expect("no panic"), LocalLookup::Found(_)));
}
