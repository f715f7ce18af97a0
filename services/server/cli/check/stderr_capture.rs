//! Standard error of a checked library, each line once.
//!
//! A Rust library prints several lines for each panic, including caught ones, and a
//! defect can panic thousands of times in a check.

use std::collections::HashMap;
use std::io::BufRead;

/// Maximum number of different lines; further ones are only counted.
const LINES_MAX: usize = 200;
/// Bytes kept of a line.
const LINE_LEN_MAX: usize = 2_000;

/// The different lines in order of first appearance, with their counts.
#[derive(Debug, Default)]
pub(super) struct StderrCapture {
    lines: Vec<(String, u64)>,
    line_idx: HashMap<String, usize>,
    n_dropped: u64,
    /// Location of the panic whose message comes next.
    panicked_at: Option<String>,
}

impl StderrCapture {
    /// Reads to the end.
    pub(super) fn read(mut from: impl BufRead) -> StderrCapture {
        let mut stderr = StderrCapture::default();
        let mut line = Vec::new();
        while from.read_until(b'\n', &mut line).is_ok_and(|n_read| n_read > 0) {
            line.truncate(LINE_LEN_MAX);
            stderr.push(String::from_utf8_lossy(&line).trim_end());
            line.clear();
        }
        stderr
    }

    fn push(&mut self, line: &str) {
        if line.is_empty() || line.starts_with("note: run with `RUST_BACKTRACE") {
            return;
        }
        // `thread 'main' (17) panicked at src/lib.rs:3:5:`, and the message on the next line.
        if let Some((thread, place)) = line.split_once(" panicked at ")
            && thread.starts_with("thread '")
        {
            self.panicked_at = Some(place.to_owned());
            return;
        }
        let line = match self.panicked_at.take() {
            Some(place) => format!("panicked at {place} {line}"),
            None => line.to_owned(),
        };
        match self.line_idx.get(&line) {
            Some(&idx) => self.lines[idx].1 += 1,
            None if self.lines.len() < LINES_MAX => {
                self.line_idx.insert(line.clone(), self.lines.len());
                self.lines.push((line, 1));
            }
            None => self.n_dropped += 1,
        }
    }

    /// Each line, with its count if it was printed more than once.
    pub(super) fn lines(&self) -> impl Iterator<Item = String> {
        let kept = self.lines.iter().map(|(line, n_times)| match n_times {
            1 => line.clone(),
            n_times => format!("{line} ({n_times} times)"),
        });
        let dropped = (self.n_dropped > 0).then(|| format!("and {} more lines", self.n_dropped));
        kept.chain(dropped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Panics with the same location and message are one line, on any thread.
    #[test]
    fn panics_are_counted() {
        let panic = |thread: &str, message: &str| {
            format!(
                "\nthread {thread} panicked at src/rules.rs:7:9:\n{message}\n\
                 note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n"
            )
        };
        let text = [
            "loading\n".to_owned(),
            panic("'main' (1)", "no such cell"),
            panic("'<unnamed>' (2)", "no such cell"),
            panic("'main' (1)", "another"),
            "loading\n".to_owned(),
        ];
        let stderr = StderrCapture::read(text.concat().as_bytes());
        assert_eq!(
            stderr.lines().collect::<Vec<_>>(),
            [
                "loading (2 times)",
                "panicked at src/rules.rs:7:9: no such cell (2 times)",
                "panicked at src/rules.rs:7:9: another"
            ]
        );
    }

    /// The number of different lines is bounded.
    #[test]
    fn lines_are_bounded() {
        let text: String = (0..1000).map(|n| format!("line {n}\n")).collect();
        let stderr = StderrCapture::read(text.as_bytes());
        assert_eq!(stderr.lines().count(), LINES_MAX + 1);
        assert_eq!(stderr.lines().last().as_deref(), Some("and 800 more lines"));
    }
}
