//! The one thread that opens, writes and closes the file.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use pentad_engine::Recorded;
use pentad_model::rng::Rng;

use super::database::{Change, OpenFile};
use super::games::Written;
use super::write_queue::{Done, Work, Write};
use super::{Shared, eviction, open};
use crate::counters::{EVICTED, KEPT, STORED, WRITE_FAILED};
use crate::error::StoreError;
use crate::status::LayerState;

/// Interval between attempts to open the file.
const RETRY_MIN: Duration = Duration::from_secs(1);
const RETRY_MAX: Duration = Duration::from_mins(1);
/// Maximum rounds of eviction between two commits: more than a full queue needs.
const EVICTIONS_MAX: usize = 16;
/// How often an idle writer checks whether eviction is needed.
const IDLE: Duration = Duration::from_secs(1);

/// Opens the file, writes until the queue is closed, and closes the file.
pub(super) fn run(shared: &Shared) {
    let mut retry = RETRY_MIN;
    let mut must_set_aside = false;
    loop {
        let failure = match open(shared, must_set_aside) {
            Ok(file) => {
                retry = RETRY_MIN;
                let ended = serve(shared, &file);
                close_file(shared, file);
                match ended {
                    Ok(()) => break,
                    Err(error) => error,
                }
            }
            Err(error) => error,
        };
        must_set_aside = failure.is_unreadable();
        shared.set_state(LayerState::Down(failure.to_string()));
        if shared.writes.pause(retry) {
            break;
        }
        retry = (retry * 2).min(RETRY_MAX);
    }
    shared.is_closed.store(true, Ordering::SeqCst);
    shared.set_state(LayerState::Down("closed".to_owned()));
}

fn open(shared: &Shared, must_set_aside: bool) -> Result<Arc<OpenFile>, StoreError> {
    let path = &shared.config.path;
    if must_set_aside && path.exists() {
        let aside = open::set_aside(path)?;
        shared.set_aside.fetch_add(1, Ordering::Relaxed);
        tracing::error!(store = %path.display(), set_aside = %aside.display(), "starting with an empty store");
    }
    let (file, aside) = open::open_or_set_aside(path, &shared.opener)?;
    if aside.is_some() {
        shared.set_aside.fetch_add(1, Ordering::Relaxed);
    }
    let file = Arc::new(file);
    shared.set_size(file.size());
    *shared.file.write().expect("nothing panics while it is locked") = Some(file.clone());
    shared.set_state(LayerState::Up);
    Ok(file)
}

/// Waits until no reader has the file, and closes it.
fn close_file(shared: &Shared, file: Arc<OpenFile>) {
    *shared.file.write().expect("nothing panics while it is locked") = None;
    let mut file = file;
    // A reader holds it for the duration of a lookup.
    loop {
        match Arc::try_unwrap(file) {
            Ok(file) => {
                // Closing may write, and fail like any write.
                let path = file.path.clone();
                let closed = super::database::fenced(&path, || {
                    drop(file);
                    Ok(())
                });
                if let Err(error) = closed {
                    tracing::warn!("closing a store: {error}");
                }
                return;
            }
            Err(shared) => {
                file = shared;
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }
}

/// Commits changes until the queue is closed or the file fails.
fn serve(shared: &Shared, file: &OpenFile) -> Result<(), StoreError> {
    let mut rng = Rng::new(std::process::id().into());
    loop {
        match shared.writes.take(shared.config.group_commit, IDLE) {
            Work::Commit(writes) => timed(shared, || commit(shared, file, writes))?,
            Work::Failed(error) => return Err(error),
            Work::Idle => {}
            Work::Closed => return Ok(()),
        }
        for _ in 0..EVICTIONS_MAX {
            if !eviction::is_over(file, shared.config.bytes_max) {
                break;
            }
            let n_evicted = timed(shared, || eviction::evict(file, &shared.replaced_scopes(file), &mut rng))?;
            shared.write_counts.add(EVICTED, n_evicted);
        }
        shared.set_size(file.size());
    }
}

fn commit(shared: &Shared, file: &OpenFile, writes: Vec<Write>) -> Result<(), StoreError> {
    let committed = file.commit(writes.iter().filter_map(|write| write.change.as_ref()));
    // Counted before it is acknowledged, so that acknowledged changes are always counted.
    match &committed {
        Ok(committed) => {
            shared.write_counts.add(STORED, committed.stored);
            shared.write_counts.add(KEPT, committed.kept);
            shared.set_size(file.size());
        }
        Err(_) => {
            let n_changes = writes.iter().filter(|write| write.change.is_some()).count() as u64;
            shared.write_counts.add(WRITE_FAILED, n_changes);
        }
    }
    let mut games = committed.iter().flat_map(|committed| committed.games.iter().copied());
    for write in writes {
        let written = matches!(write.change, Some(Change::Game(_))).then(|| games.next()).flatten();
        // The caller may have stopped waiting.
        match write.done {
            Some(Done::Stored(done)) => drop(done.send(committed.is_ok())),
            Some(Done::Recorded(done)) => drop(done.send(recorded(written))),
            None => {}
        }
    }
    committed.map(drop)
}

fn recorded(written: Option<Written>) -> Recorded {
    match written {
        Some(Written::New) => Recorded::New,
        Some(Written::Known) => Recorded::Known,
        Some(Written::TooLong) | None => Recorded::Failed,
    }
}

/// Records when a write began, so that other threads see how long it takes.
fn timed<T>(shared: &Shared, work: impl FnOnce() -> T) -> T {
    shared.commit_at.store(shared.now_ms(), Ordering::Relaxed);
    let done = work();
    shared.commit_at.store(0, Ordering::Relaxed);
    done
}
