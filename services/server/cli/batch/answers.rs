//! The file of answers: reading it and appending to it.
//!
//! Each line is appended by one write. A killed program or a full disk can leave part
//! of the last line; that is cut off when the file is opened again, and its question is
//! answered again.

use std::collections::HashSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Seek, Write, stdout};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::IgnoredAny;

/// Destination of answers.
pub(super) enum AnswerFile {
    Stdout,
    File { path: PathBuf, file: File },
}

/// Questions that have an answer or an error, or are being answered.
#[derive(Debug, Default)]
pub(super) struct Answered {
    ids: HashSet<String>,
    /// Line numbers of questions without an id.
    lines: HashSet<u64>,
}

/// The part of an answer or error that identifies its question.
#[derive(Deserialize)]
struct AnswerHead {
    id: Option<String>,
    line: Option<u64>,
    answer: Option<IgnoredAny>,
    error: Option<IgnoredAny>,
}

impl Answered {
    /// Whether the question is new.
    pub(super) fn insert(&mut self, id: Option<String>, line: u64) -> bool {
        match id {
            Some(id) => self.ids.insert(id),
            None => self.lines.insert(line),
        }
    }
}

impl AnswerFile {
    /// Opens or creates the file, and reads its contents.
    pub(super) fn open(path: Option<&Path>) -> Result<(AnswerFile, Answered), String> {
        let Some(path) = path else { return Ok((AnswerFile::Stdout, Answered::default())) };
        let failed = |error: std::io::Error| format!("{}: {error}", path.display());
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
        if file.metadata().map_err(failed)?.is_file() {
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(format!("{}: another program writes to it", path.display()));
                }
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
        let answered = read_answered(&mut file, path)?;
        Ok((AnswerFile::File { path: path.to_owned(), file }, answered))
    }

    pub(super) fn append(&mut self, line: &[u8]) -> Result<(), String> {
        match self {
            AnswerFile::Stdout => stdout().write_all(line).map_err(|error| format!("standard output: {error}")),
            AnswerFile::File { path, file } => {
                file.write_all(line).map_err(|error| format!("{}: {error}", path.display()))
            }
        }
    }

    /// Flushes everything to the disk.
    pub(super) fn sync(&mut self) -> Result<(), String> {
        match self {
            AnswerFile::Stdout => stdout().flush().map_err(|error| format!("standard output: {error}")),
            // Pipes and devices cannot be synced.
            AnswerFile::File { path, file } => match file.sync_all() {
                Err(error) if error.kind() != std::io::ErrorKind::InvalidInput => {
                    Err(format!("{}: {error}", path.display()))
                }
                _ => Ok(()),
            },
        }
    }
}

/// Reads the ids of all lines and cuts off an incomplete one.
fn read_answered(file: &mut File, path: &Path) -> Result<Answered, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let mut answered = Answered::default();
    if !file.metadata().map_err(failed)?.is_file() {
        return Ok(answered);
    }
    file.rewind().map_err(failed)?;
    let mut reader = BufReader::new(&mut *file);
    let (mut line, mut n_lines, mut len) = (Vec::new(), 0_u64, 0_u64);
    loop {
        line.clear();
        let n_read = reader.read_until(b'\n', &mut line).map_err(failed)?;
        if line.last() != Some(&b'\n') {
            if n_read > 0 {
                drop(reader);
                file.set_len(len).map_err(failed)?;
            }
            return Ok(answered);
        }
        n_lines += 1;
        len += n_read as u64;
        let not_answer =
            |what: String| format!("{}, line {n_lines}: {what}; is this a file of answers?", path.display());
        let head: AnswerHead = serde_json::from_slice(&line).map_err(|error| not_answer(error.to_string()))?;
        match head {
            AnswerHead { answer: None, error: None, .. } => {
                return Err(not_answer("it has neither `answer` nor `error`".to_owned()));
            }
            AnswerHead { id: Some(id), .. } => answered.ids.insert(id),
            AnswerHead { line: Some(line), .. } => answered.lines.insert(line),
            AnswerHead { id: None, line: None, .. } => {
                return Err(not_answer("it has neither `id` nor `line`".to_owned()));
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(name: &str) -> PathBuf {
        pentad_test_plugins::scratch_dir().join(name)
    }

    /// Contents are known when a file is opened again, and half a line is cut off.
    #[test]
    fn answers_are_found_again() {
        let path = path("answers.ndjson");
        let (mut file, answered) = AnswerFile::open(Some(&path)).expect("a new file");
        assert!(answered.ids.is_empty());
        file.append(b"{\"id\":\"a\",\"answer\":{}}\n").expect("it is written");
        file.append(b"{\"line\":7,\"error\":{}}\n").expect("it is written");
        file.append(b"{\"id\":\"torn\",\"answ").expect("it is written");
        let busy = AnswerFile::open(Some(&path)).err().expect("it is locked");
        assert!(busy.contains("another program writes to it"), "{busy}");
        drop(file);
        let (mut file, mut answered) = AnswerFile::open(Some(&path)).expect("the file is free");
        assert!(!answered.insert(Some("a".to_owned()), 1) && !answered.insert(None, 7));
        assert!(answered.insert(Some("torn".to_owned()), 2) && answered.insert(None, 8));
        file.append(b"{\"id\":\"torn\",\"answer\":{}}\n").expect("it is written");
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.last(), Some(&"{\"id\":\"torn\",\"answer\":{}}"), "{text}");
        assert_eq!(lines.len(), 3);
    }

    /// Nothing is appended to other files.
    #[test]
    fn other_files_are_refused() {
        for text in ["hello\n", "{}\n", "[1]\n", "{\"id\":7}\n", "{\"id\":\"a\",\"kind\":\"hints\"}\n"] {
            let path = pentad_test_plugins::file("other.ndjson", text.as_bytes());
            let refused = AnswerFile::open(Some(&path)).err().expect("it is not a file of answers");
            assert!(refused.contains("line 1") && refused.contains("is this a file of answers?"), "{refused}");
            assert_eq!(std::fs::read_to_string(&path).expect("it is there"), text);
        }
    }
}
