//! Loads the files of a [`Plan`] side by side.
//!
//! A file that hangs holds up no other, and is refused when its own time is up. Threads
//! are not joined: a constructor that hangs in this process cannot be ended.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use pentad_host::{Loaded, Ruleset};

use super::plan::{FileResult, Plan};
use super::{Check, Found, NoRulesets};
use crate::app::RefusedFile;

/// Files that are loaded at a time; most wait for their worker process.
const THREADS_MAX: usize = 16;
/// Files that are left when none has been loaded or refused for this long are given up.
/// A worker process and a check give up earlier, so these are in this process.
const STALL_MAX: Duration = Duration::from_secs(180);

/// Receives what is loaded so far, and the files that are still being loaded.
pub(crate) type Progress<'a> = dyn FnMut(Found, Vec<PathBuf>) + 'a;

impl Plan {
    /// Loads every file. Calls `progress` after each but the last.
    pub(crate) fn load(
        self,
        present: Vec<Arc<Ruleset>>,
        check: Check,
        progress: &mut Progress<'_>,
    ) -> Result<Found, NoRulesets> {
        let n_files = self.files.len();
        let job = Arc::new(Job { plan: self, present, check, next_idx: AtomicUsize::new(0) });
        let mut results: Vec<Option<FileResult>> = (0..n_files).map(|_| None).collect();
        let receiver = start(&job, n_files.min(THREADS_MAX));
        for n_left in (0..n_files).rev() {
            match receiver.recv_timeout(STALL_MAX) {
                Ok((idx, result)) => {
                    log_result(&job.plan.files[idx].path, &result);
                    results[idx] = Some(result);
                }
                Err(error) => {
                    give_up(&job.plan, &mut results, error);
                    break;
                }
            }
            if n_left > 0 {
                let left = job.plan.files.iter().zip(&results).filter(|(_, result)| result.is_none());
                let left = left.map(|(file, _)| file.path.clone()).collect();
                progress(assemble(&job.plan, &results), left);
            }
        }
        let found = assemble(&job.plan, &results);
        let n_logged = results.iter().flatten().filter(|result| result.error.is_some()).count();
        for file in &found.refused[n_logged..] {
            log_refused(&file.path, &file.error);
        }
        if found.rulesets.is_empty() {
            let files = found.refused.into_iter().map(|file| file.error).collect();
            return Err(NoRulesets { place: job.plan.place.clone(), files });
        }
        Ok(found)
    }
}

/// Inputs of the threads.
struct Job {
    plan: Plan,
    present: Vec<Arc<Ruleset>>,
    check: Check,
    next_idx: AtomicUsize,
}

impl Job {
    /// Loads the next files until none is left.
    fn run(&self, results: &Sender<(usize, FileResult)>) {
        loop {
            let idx = self.next_idx.fetch_add(1, Ordering::Relaxed);
            if idx >= self.plan.files.len() {
                return;
            }
            if results.send((idx, self.plan.load_file(idx, &self.present, self.check))).is_err() {
                return;
            }
        }
    }
}

/// Starts the threads. If the system gives none, the files are loaded here.
fn start(job: &Arc<Job>, n_threads: usize) -> Receiver<(usize, FileResult)> {
    let (sender, receiver) = mpsc::channel();
    let mut n_started = 0;
    for _ in 0..n_threads {
        let (job, sender) = (Arc::clone(job), sender.clone());
        let thread = thread::Builder::new().name("load".to_owned());
        n_started += usize::from(thread.spawn(move || job.run(&sender)).is_ok());
    }
    if n_started == 0 {
        job.run(&sender);
    }
    receiver
}

/// Refuses the files that are left.
fn give_up(plan: &Plan, results: &mut [Option<FileResult>], error: RecvTimeoutError) {
    let reason = match error {
        RecvTimeoutError::Timeout => {
            format!("did not load within {} s in this process, which cannot end it", STALL_MAX.as_secs())
        }
        RecvTimeoutError::Disconnected => "the thread that loaded it panicked".to_owned(),
    };
    for (file, result) in plan.files.iter().zip(results) {
        let path = &file.path;
        let missing = || FileResult { ruleset: None, error: Some(format!("{}: {reason}", path.display())) };
        if result.is_none() {
            log_result(path, result.insert(missing()));
        }
    }
}

/// Returns what is loaded and refused so far. Of two files with the same game the first
/// counts. Files with an error come first among the refused ones.
fn assemble(plan: &Plan, results: &[Option<FileResult>]) -> Found {
    let (mut loaded, mut refused) = (Loaded::default(), Vec::new());
    for (file, result) in plan.files.iter().zip(results) {
        let Some(FileResult { ruleset, error }) = result else { continue };
        refused.extend(error.iter().map(|error| RefusedFile { path: file.path.clone(), error: error.clone() }));
        if let Some(ruleset) = ruleset {
            loaded.add(file.path.clone(), Arc::clone(ruleset));
        }
    }
    let duplicates = loaded.refused.into_iter();
    refused.extend(duplicates.map(|file| RefusedFile { path: file.path, error: file.error.to_string() }));
    refused.extend(plan.links.iter().cloned());
    Found { rulesets: loaded.rulesets, refused }
}

fn log_result(path: &Path, result: &FileResult) {
    if let Some(error) = &result.error {
        log_refused(path, error);
    }
    let Some(info) = result.ruleset.as_ref().map(|ruleset| ruleset.info()) else { return };
    for path in &info.writable_by_others {
        tracing::warn!(
            game = info.id,
            path = %path.display(),
            "other users may write here and so control what is loaded; run `chmod go-w`, or make root the owner"
        );
    }
}

fn log_refused(path: &Path, error: &str) {
    tracing::error!(file = %path.display(), error, "rule set refused");
}
