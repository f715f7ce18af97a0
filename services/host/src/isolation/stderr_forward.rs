//! Forwards a worker's standard error line by line, with limits.

use std::io::{self, BufRead, BufReader, Read};
use std::time::{Duration, Instant};

use super::wire::printable;

/// Maximum length of a forwarded line, in bytes.
const LINE_LEN_MAX: usize = 500;
/// Maximum number of lines forwarded per interval.
const LINES_MAX: u64 = 20;
/// Maximum number of bytes read per interval.
const BYTES_MAX: usize = 1 << 20;
const INTERVAL: Duration = Duration::from_secs(1);

/// A forwarded line or count.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum StderrEvent<'a> {
    Line(&'a str),
    Dropped(u64),
}

/// Reads to the end and forwards at most [`LINES_MAX`] lines per interval, then the
/// number of dropped ones. A worker that prints more than [`BYTES_MAX`] per interval is
/// throttled, instead of keeping a core of the host busy.
pub(super) fn forward(from: impl Read, clock: &impl Clock, mut give: impl FnMut(StderrEvent<'_>)) {
    let mut from = BufReader::new(Throttled { from, clock, began: clock.now(), n_read: 0 });
    let (mut began, mut n_lines) = (clock.now(), 0);
    let mut line = Vec::with_capacity(LINE_LEN_MAX);
    while read_line(&mut from, &mut line) {
        let now = clock.now();
        if now.saturating_duration_since(began) >= INTERVAL {
            give_dropped(n_lines, &mut give);
            (began, n_lines) = (now, 0);
        }
        n_lines += 1;
        if n_lines <= LINES_MAX {
            give(StderrEvent::Line(printable(&String::from_utf8_lossy(&line)).trim_end()));
        }
    }
    give_dropped(n_lines, &mut give);
}

/// Clock with sleep.
pub(super) trait Clock {
    fn now(&self) -> Instant;
    fn sleep(&self, time: Duration);
}

/// The system's clock.
pub(super) struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn sleep(&self, time: Duration) {
        std::thread::sleep(time);
    }
}

/// Reads at most [`BYTES_MAX`] per interval.
struct Throttled<'a, R, C> {
    from: R,
    clock: &'a C,
    began: Instant,
    n_read: usize,
}

impl<R: Read, C: Clock> Read for Throttled<'_, R, C> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let elapsed = self.clock.now().saturating_duration_since(self.began);
        if self.n_read >= BYTES_MAX {
            self.clock.sleep(INTERVAL.saturating_sub(elapsed));
        }
        if self.n_read >= BYTES_MAX || elapsed >= INTERVAL {
            (self.began, self.n_read) = (self.clock.now(), 0);
        }
        let n_read = self.from.read(buffer)?;
        self.n_read += n_read;
        Ok(n_read)
    }
}

fn give_dropped(n_lines: u64, give: &mut impl FnMut(StderrEvent<'_>)) {
    if n_lines > LINES_MAX {
        give(StderrEvent::Dropped(n_lines - LINES_MAX));
    }
}

/// Reads the first bytes of the next line, and skips the rest of it. False at the end.
fn read_line(from: &mut impl BufRead, line: &mut Vec<u8>) -> bool {
    line.clear();
    let mut has_read = false;
    loop {
        let buffer = match from.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => return has_read,
        };
        if buffer.is_empty() {
            return has_read;
        }
        has_read = true;
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        line.extend_from_slice(&part[..part.len().min(LINE_LEN_MAX - line.len())]);
        let n_used = end.map_or(buffer.len(), |end| end + 1);
        from.consume(n_used);
        if end.is_some() {
            return true;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Lines are cut, unprintable characters replaced, and a line without a newline
    /// counts.
    #[test]
    fn lines_are_cut() {
        let text = format!("first\x1b[31m\n{}\n\nlast", "x".repeat(100_000));
        let mut lines = Vec::new();
        forward(text.as_bytes(), &TestClock::default(), |printed| match printed {
            StderrEvent::Line(line) => lines.push(line.to_owned()),
            StderrEvent::Dropped(n_lines) => panic!("{n_lines} dropped"),
        });
        assert_eq!(lines, ["first\u{fffd}[31m", &"x".repeat(LINE_LEN_MAX), "", "last"]);
    }

    /// Lines beyond the limit of an interval are counted; the next interval starts
    /// again.
    #[test]
    fn lines_are_limited() {
        let clock = TestClock::default();
        // A second passes before the last ten lines.
        let text = [&b"line\n".repeat(100)[..], b"", &b"line\n".repeat(10)];
        let parts = Parts { parts: text.into(), clock: &clock };
        let mut given = Vec::new();
        forward(parts, &clock, |printed| {
            given.push(match printed {
                StderrEvent::Line(_) => None,
                StderrEvent::Dropped(n_lines) => Some(n_lines),
            });
        });
        let expected = [vec![None; 20], vec![Some(80)], vec![None; 10]].concat();
        assert_eq!(given, expected);
    }

    /// A flood is read at the rate of the limit, to its end.
    #[test]
    fn floods_are_slowed_down() {
        let (clock, n_lines) = (TestClock::default(), Cell::new(0));
        let flood = b"a line of sixteen\n".repeat(10 * BYTES_MAX / 18);
        forward(&*flood, &clock, |printed| {
            n_lines.set(n_lines.get() + if let StderrEvent::Dropped(n_dropped) = printed { n_dropped } else { 1 });
        });
        assert_eq!(n_lines.get(), 10 * BYTES_MAX as u64 / 18);
        let slept = clock.slept.get();
        assert!((8 * INTERVAL..=10 * INTERVAL).contains(&slept), "{slept:?}");
    }

    /// Advances when somebody sleeps.
    struct TestClock {
        began: Instant,
        slept: Cell<Duration>,
    }

    impl Default for TestClock {
        fn default() -> Self {
            TestClock { began: Instant::now(), slept: Cell::default() }
        }
    }

    impl Clock for TestClock {
        fn now(&self) -> Instant {
            self.began + self.slept.get()
        }

        fn sleep(&self, time: Duration) {
            self.slept.set(self.slept.get() + time);
        }
    }

    /// Yields one part after the other; an empty one is an interval.
    struct Parts<'a> {
        parts: std::collections::VecDeque<&'a [u8]>,
        clock: &'a TestClock,
    }

    impl Read for Parts<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.parts.pop_front() {
                Some([]) => {
                    self.clock.sleep(INTERVAL);
                    self.read(buffer)
                }
                Some(part) => {
                    buffer[..part.len()].copy_from_slice(part);
                    Ok(part.len())
                }
                None => Ok(0),
            }
        }
    }
}
