//! Progress of a batch: a bar on a terminal, else a line from time to time.

use std::cell::Cell;
use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::batch::{Done, Progress};
use crate::telemetry::print_line;

/// Interval of lines if standard error is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

pub(super) struct ProgressReport {
    bar: Option<ProgressBar>,
    started: Instant,
    printed_at: Cell<Instant>,
}

impl ProgressReport {
    /// `n_bytes` is the size of the input, if known.
    pub(super) fn new(n_bytes: Option<u64>) -> ProgressReport {
        let bar = stderr().is_terminal().then(|| {
            let (bar, template) = match n_bytes {
                Some(n_bytes) => (ProgressBar::new(n_bytes), "{bar:30} {percent:>3} %  {msg}  {eta} left"),
                None => (ProgressBar::new_spinner(), "{spinner} {msg}"),
            };
            bar.with_style(ProgressStyle::with_template(template).expect("the template is valid"))
        });
        let now = Instant::now();
        ProgressReport { bar, started: now, printed_at: Cell::new(now) }
    }

    pub(super) fn update(&self, progress: Progress, n_skipped: u64, n_bytes: u64) {
        let Progress { answered, failed, pending, .. } = progress;
        let per_second = (answered + failed) as f64 / self.started.elapsed().as_secs_f64().max(1e-3);
        let message = format!("{answered} answered, {failed} failed, {n_skipped} skipped, {per_second:.0}/s");
        match &self.bar {
            Some(bar) => {
                bar.set_position(n_bytes);
                bar.set_message(message);
            }
            None if self.printed_at.get().elapsed() >= LINE_INTERVAL => {
                self.printed_at.set(Instant::now());
                print_line(&format!("pentad: {message}, {pending} pending"));
            }
            None => {}
        }
    }

    /// Removes the bar.
    pub(super) fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    pub(super) fn summary(&self, done: Done, n_skipped: u64) {
        let Done { answered, failed, .. } = done;
        let seconds = self.started.elapsed().as_secs_f64();
        print_line(&format!("pentad: {answered} answered, {failed} failed, {n_skipped} skipped, in {seconds:.1} s"));
    }
}
