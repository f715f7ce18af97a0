//! The last call of a rule set and its position, in a file shared by parent and child.
//!
//! There are millions of calls, so a call is noted in memory-mapped words: some
//! nanoseconds, where a write would take as long as the call. Laws and positions are
//! written. The file has no name, and the child gets it as its standard input.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::sync::atomic::Ordering;

use pentad_conformance::Checkpoint;
use pentad_host::SharedAtomics;

/// The first word is the number of calls; the others hold the name of the last one,
/// padded with zeros.
const N_WORDS: usize = 4;
const N_CALLS: usize = 0;
const NAME_LEN: usize = (N_WORDS - 1) * 8;
/// Law, variant, origin and text of the position, each terminated by a zero, after
/// their total length in 4 bytes.
const CHECKPOINT_AT: u64 = 4096;
/// A position's text has at most 4 KiB.
const CHECKPOINT_LEN_MAX: usize = 8 * 1024;

/// One end of the shared file.
#[derive(Debug)]
pub(super) struct Record {
    file: File,
    words: SharedAtomics,
}

/// Contents of the record after the child has ended.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct LastCall {
    pub(super) call: String,
    law: String,
    variant: String,
    found_at: String,
    position: String,
}

impl Record {
    /// Creates an empty record.
    pub(super) fn create() -> io::Result<Record> {
        let file = nameless_file()?;
        file.set_len(CHECKPOINT_AT + CHECKPOINT_LEN_MAX as u64)?;
        Record::open(file)
    }

    /// Opens a file that [`create`](Record::create) made in another process.
    pub(super) fn open(file: File) -> io::Result<Record> {
        Ok(Record { words: SharedAtomics::map(&file, Some(N_WORDS))?, file })
    }

    /// Returns the file, for another process.
    pub(super) fn share(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    pub(super) fn note_checkpoint(&self, at: &Checkpoint<'_>) {
        let mut bytes = vec![0; 4];
        for text in [at.law, at.variant, at.found_at, at.position] {
            bytes.extend(text.bytes().filter(|byte| *byte != 0));
            bytes.push(0);
        }
        bytes.truncate(CHECKPOINT_LEN_MAX);
        let len = (bytes.len() - 4) as u32;
        bytes[..4].copy_from_slice(&len.to_ne_bytes());
        // The report is useful even without the place of the last call.
        let _ignored = self.file.write_all_at(&bytes, CHECKPOINT_AT);
    }

    pub(super) fn note_call(&self, call: &str) {
        let mut name = [0; NAME_LEN];
        let len = call.len().min(NAME_LEN);
        name[..len].copy_from_slice(&call.as_bytes()[..len]);
        for (word, bytes) in self.words[N_CALLS + 1..].iter().zip(name.as_chunks().0) {
            word.store(u64::from_ne_bytes(*bytes), Ordering::Relaxed);
        }
        self.words[N_CALLS].fetch_add(1, Ordering::Relaxed);
    }

    /// Number of calls made by the child; unchanged while a call does not return.
    pub(super) fn n_calls(&self) -> u64 {
        self.words[N_CALLS].load(Ordering::Relaxed)
    }

    pub(super) fn last_call(&self) -> LastCall {
        let words = self.words[N_CALLS + 1..].iter().map(|word| word.load(Ordering::Relaxed));
        let call: Vec<u8> = words.flat_map(u64::to_ne_bytes).take_while(|byte| *byte != 0).collect();
        let mut bytes = vec![0; CHECKPOINT_LEN_MAX];
        // Zeros are an empty checkpoint.
        let _ignored = self.file.read_exact_at(&mut bytes, CHECKPOINT_AT);
        let (len, rest) = bytes.split_at(4);
        let len = u32::from_ne_bytes(len.try_into().expect("four bytes")) as usize;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let mut parts = rest[..len.min(rest.len())].split(|byte| *byte == 0).map(text);
        let mut next = || parts.next().unwrap_or_default();
        LastCall { law: next(), variant: next(), found_at: next(), position: next(), call: text(&call) }
    }
}

impl LastCall {
    pub(super) fn checkpoint(&self) -> Checkpoint<'_> {
        Checkpoint { law: &self.law, variant: &self.variant, found_at: &self.found_at, position: &self.position }
    }
}

#[cfg(target_os = "linux")]
fn nameless_file() -> io::Result<File> {
    Ok(rustix::fs::memfd_create("pentad-check", rustix::fs::MemfdFlags::CLOEXEC)?.into())
}

#[cfg(not(target_os = "linux"))]
fn nameless_file() -> io::Result<File> {
    let path = std::env::temp_dir().join(format!("pentad-check-{}", std::process::id()));
    let file = File::options().read(true).write(true).create_new(true).open(&path)?;
    std::fs::remove_file(path)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What one end notes, the other reads; a shorter text leaves nothing of a
    /// longer one.
    #[test]
    fn other_end_reads_the_last_call() {
        let parent = Record::create().unwrap();
        let child = Record::open(parent.share().unwrap()).unwrap();
        assert_eq!((parent.n_calls(), parent.last_call()), (0, LastCall::default()));
        for (call, position) in [("legal_moves", "6/6/6/6/6/6 w"), ("play", "5 a"), ("run", "")] {
            let at = Checkpoint { law: "plays", variant: "standard", found_at: "game 3", position };
            child.note_checkpoint(&at);
            child.note_call(call);
            let last = parent.last_call();
            assert_eq!((last.call.as_str(), last.position.as_str()), (call, position));
            assert_eq!((last.law.as_str(), last.found_at.as_str()), ("plays", "game 3"));
        }
        assert_eq!(parent.n_calls(), 3);
        let long = "x".repeat(2 * CHECKPOINT_LEN_MAX);
        child.note_checkpoint(&Checkpoint { law: "texts", variant: "v", found_at: "", position: &long });
        assert!(long.starts_with(&parent.last_call().position));
    }
}
