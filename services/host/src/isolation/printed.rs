//! A worker's standard error, line by line, limited.

use std::io::{BufRead, BufReader, Read};
use std::time::{Duration, Instant};

use super::wire::printable;

/// Bytes kept of a line.
const LINE_LEN_MAX: usize = 500;
/// Lines passed on per interval.
const LINES_MAX: u64 = 20;
const INTERVAL: Duration = Duration::from_secs(1);

/// Something to pass on.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Printed<'a> {
    Line(&'a str),
    Dropped(u64),
}

/// Reads to the end and passes on at most [`LINES_MAX`] lines per interval, then the
/// number of those left out.
pub(super) fn forward(from: impl Read, now: impl Fn() -> Instant, mut give: impl FnMut(Printed<'_>)) {
    let mut from = BufReader::new(from);
    let (mut began, mut n_lines) = (now(), 0);
    let mut line = Vec::with_capacity(LINE_LEN_MAX);
    while read_line(&mut from, &mut line) {
        if now().saturating_duration_since(began) >= INTERVAL {
            give_dropped(n_lines, &mut give);
            (began, n_lines) = (now(), 0);
        }
        n_lines += 1;
        if n_lines <= LINES_MAX {
            give(Printed::Line(printable(&String::from_utf8_lossy(&line)).trim_end()));
        }
    }
    give_dropped(n_lines, &mut give);
}

fn give_dropped(n_lines: u64, give: &mut impl FnMut(Printed<'_>)) {
    if n_lines > LINES_MAX {
        give(Printed::Dropped(n_lines - LINES_MAX));
    }
}

/// The first bytes of the next line; the rest of it is skipped. False at the end.
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

    /// Lines are cut, unprintable characters replaced, and a line without an end is one.
    #[test]
    fn lines_are_cut() {
        let text = format!("first\x1b[31m\n{}\n\nlast", "x".repeat(100_000));
        let mut lines = Vec::new();
        let began = Instant::now();
        forward(
            text.as_bytes(),
            || began,
            |printed| match printed {
                Printed::Line(line) => lines.push(line.to_owned()),
                Printed::Dropped(n_lines) => panic!("{n_lines} dropped"),
            },
        );
        assert_eq!(lines, ["first\u{fffd}[31m", &"x".repeat(LINE_LEN_MAX), "", "last"]);
    }

    /// Beyond the limit of an interval lines are counted; the next interval has its own.
    #[test]
    fn lines_are_limited() {
        let (began, n_asked) = (Instant::now(), Cell::new(0));
        // The clock is asked once at the start and once a line; a second has passed
        // when the 100th line is there.
        let now = || {
            n_asked.set(n_asked.get() + 1);
            began + if n_asked.get() > 100 { INTERVAL } else { Duration::ZERO }
        };
        let text = "line\n".repeat(110);
        let mut given = Vec::new();
        forward(text.as_bytes(), now, |printed| given.push(matches!(printed, Printed::Line(_))));
        let lines = |given: &[bool]| given.iter().filter(|is_line| **is_line).count() as u64;
        assert_eq!(given.iter().position(|is_line| !is_line), Some(LINES_MAX as usize));
        assert_eq!(lines(&given), LINES_MAX + 11);
    }
}
