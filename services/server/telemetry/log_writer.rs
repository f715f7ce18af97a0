//! Writes lines to standard error without waiting for their reader.
//!
//! Lines go through a bounded queue to a separate thread. If nobody reads standard
//! error, the thread blocks and the queue fills up; if it is closed, writing fails.
//! Either way further lines are lost and counted, and nothing else happens: no call,
//! port or exit waits for the log.
//!
//! `tracing-appender` has a similar writer, but it drops the last lines of a process if
//! their reader takes more than a second, and does not count lines that could not be
//! written.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Maximum number of queued lines, of some hundred bytes each.
const QUEUE_LEN_MAX: usize = 4_096;
/// How long [`LogWriter::flush`] waits for the next line to be written.
const FLUSH_PATIENCE: Duration = Duration::from_secs(2);

/// Sending end of the queue.
#[derive(Debug)]
pub(super) struct LogWriter {
    queue: SyncSender<Vec<u8>>,
    progress: Arc<Progress>,
}

#[derive(Debug, Default)]
struct Progress {
    n_queued: AtomicU64,
    n_lost: AtomicU64,
    /// Number of queued lines that were written or failed.
    n_done: Mutex<u64>,
    done: Condvar,
}

impl LogWriter {
    /// Starts the writer thread.
    pub(super) fn start(target: impl io::Write + Send + 'static) -> io::Result<LogWriter> {
        let (queue, lines) = sync_channel(QUEUE_LEN_MAX);
        let progress = Arc::new(Progress::default());
        let writer = LogWriter { queue, progress: Arc::clone(&progress) };
        thread::Builder::new().name("log".to_owned()).spawn(move || write_lines(&lines, target, &progress))?;
        Ok(writer)
    }

    /// Queues a line, or drops it if the queue is full.
    pub(super) fn write_line(&self, line: &[u8]) {
        // Counted first, so that no line is completed before it is queued.
        self.progress.n_queued.fetch_add(1, Ordering::Relaxed);
        if self.queue.try_send(line.to_vec()).is_err() {
            self.progress.n_queued.fetch_sub(1, Ordering::Relaxed);
            self.progress.n_lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Number of lines that were dropped or could not be written.
    pub(super) fn n_lost(&self) -> u64 {
        self.progress.n_lost.load(Ordering::Relaxed)
    }

    /// Waits until the queued lines are written, as long as there is progress.
    pub(super) fn flush(&self) {
        let target = self.progress.n_queued.load(Ordering::Relaxed);
        let mut n_done = self.progress.n_done.lock().unwrap_or_else(PoisonError::into_inner);
        while *n_done < target {
            let n_before = *n_done;
            let waited = self.progress.done.wait_timeout(n_done, FLUSH_PATIENCE);
            let timed_out;
            (n_done, timed_out) = waited.unwrap_or_else(PoisonError::into_inner);
            if timed_out.timed_out() && *n_done == n_before {
                return;
            }
        }
    }
}

fn write_lines(lines: &Receiver<Vec<u8>>, mut target: impl io::Write, progress: &Progress) {
    for line in lines {
        if target.write_all(&line).is_err() {
            progress.n_lost.fetch_add(1, Ordering::Relaxed);
        }
        *progress.n_done.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        progress.done.notify_all();
    }
}

/// For tracing, which writes each line at once.
impl io::Write for &LogWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.write_line(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Standard error without the standard library's lock: a thread that waits for its
/// reader blocks nobody else.
#[derive(Debug)]
pub(super) struct UnlockedStderr;

impl io::Write for UnlockedStderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match rustix::io::write(rustix::stdio::stderr(), bytes) {
            // Another process has made it non-blocking.
            Err(rustix::io::Errno::AGAIN) => {
                thread::sleep(Duration::from_millis(10));
                Err(io::ErrorKind::Interrupted.into())
            }
            written => written.map_err(Into::into),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::mpsc;

    use super::*;

    /// Sends what is written; each write waits for a permit.
    struct HeldWriter {
        permits: Receiver<()>,
        written: mpsc::Sender<Vec<u8>>,
    }

    impl Write for HeldWriter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.permits.recv().is_err() {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            self.written.send(bytes.to_vec()).map_err(io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn held() -> (LogWriter, mpsc::Sender<()>, Receiver<Vec<u8>>) {
        let (permit, permits) = mpsc::channel();
        let (written, lines) = mpsc::channel();
        (LogWriter::start(HeldWriter { permits, written }).unwrap(), permit, lines)
    }

    /// If nobody reads, writing and flushing return nonetheless, and lines beyond the
    /// queue are counted; when somebody reads, the others arrive in order.
    #[test]
    fn unread_log_blocks_nobody() {
        let (log, permit, lines) = held();
        let n_lines = 2 * QUEUE_LEN_MAX as u64;
        (0..n_lines).for_each(|n| log.write_line(n.to_string().as_bytes()));
        log.flush();
        // The thread may already hold one line.
        let n_queued = n_lines - log.n_lost();
        assert!((QUEUE_LEN_MAX as u64..=QUEUE_LEN_MAX as u64 + 1).contains(&n_queued), "{n_queued}");
        (0..n_queued).for_each(|_| permit.send(()).unwrap());
        let number = |line: Vec<u8>| String::from_utf8(line).unwrap().parse::<u64>().unwrap();
        let written: Vec<u64> = lines.iter().take(n_queued as usize).map(number).collect();
        assert!(written.is_sorted_by(|line, next| line < next), "{written:?}");
    }

    /// Lines that cannot be written are counted.
    #[test]
    fn broken_log_is_counted() {
        let (log, permit, _lines) = held();
        drop(permit);
        (0..3).for_each(|_| log.write_line(b"x"));
        while log.n_lost() < 3 {
            // It waits until all lines are done, but not forever.
            log.flush();
        }
        assert_eq!(log.n_lost(), 3);
    }
}
