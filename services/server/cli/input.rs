//! Reads files of lines, with progress.

use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader, stdin};
use std::path::Path;

use indicatif::ProgressBar;

/// A file, or standard input.
pub(super) struct Input {
    reader: Box<dyn BufRead>,
    /// `None` if unknown.
    pub(super) n_bytes: Option<u64>,
}

impl Input {
    /// Opens the file, or standard input without one.
    pub(super) fn open(file: Option<&Path>) -> Result<Input, Box<dyn Error>> {
        let Some(file) = file else { return Ok(Input { reader: Box::new(stdin().lock()), n_bytes: None }) };
        let opened = File::open(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let n_bytes = opened.metadata().ok().map(|metadata| metadata.len());
        Ok(Input { reader: Box::new(BufReader::new(opened)), n_bytes })
    }

    /// Iterates over its lines, advancing the bar.
    pub(super) fn lines(self, bar: &ProgressBar) -> BoundedLines<'_> {
        BoundedLines { input: self.reader, bar }
    }
}

/// Longer lines are refused.
const LINE_LEN_MAX: u64 = 1 << 20;

/// Lines of bounded length, advancing a bar.
pub(super) struct BoundedLines<'a> {
    input: Box<dyn BufRead>,
    bar: &'a ProgressBar,
}

impl Iterator for BoundedLines<'_> {
    type Item = std::io::Result<String>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut line = String::new();
        let read = std::io::Read::take(&mut self.input, LINE_LEN_MAX).read_line(&mut line);
        match read {
            Ok(0) => None,
            Ok(n) if n as u64 == LINE_LEN_MAX => {
                Some(Err(std::io::Error::other(format!("longer than {LINE_LEN_MAX} bytes"))))
            }
            Ok(n) => {
                self.bar.inc(n as u64);
                Some(Ok(line))
            }
            Err(error) => Some(Err(error)),
        }
    }
}
