//! The last call of a rule set and its position, in a file shared by parent and child.
//!
//! There are millions of calls, so a call and the text that it gets are noted in
//! memory-mapped words: some nanoseconds, where a write would take as long as the call.
//! Laws, positions and moves are written. The file has no name, and the child gets it as
//! its standard input.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::sync::atomic::Ordering;

use pentad_conformance::Checkpoint;
use pentad_host::SharedAtomics;

/// The first word is the number of calls; the next hold the name of the last one, and the
/// rest the text that it gets, both padded with zeros.
const N_WORDS: usize = 4 + ARGUMENT_LEN / 8;
const N_CALLS: usize = 0;
const NAME: Range<usize> = 1..4;
const ARGUMENT: Range<usize> = 4..N_WORDS;
/// Bytes kept of a longer argument.
const ARGUMENT_LEN: usize = 128;
/// Law, variant, origin, text of the position and the moves that lead to it, each
/// terminated by a zero, after their total length in 4 bytes.
const CHECKPOINT_AT: u64 = 4096;
/// A position's text has at most 4 KiB; of many moves the first are kept.
const CHECKPOINT_LEN_MAX: usize = 64 * 1024;

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
    /// The text that it got, cut if it was long.
    pub(super) argument: String,
    law: String,
    variant: String,
    found_at: String,
    position: String,
    moves: Vec<String>,
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
        for mv in at.moves {
            // A move has no zero.
            if bytes.len() + mv.len() >= CHECKPOINT_LEN_MAX {
                break;
            }
            bytes.extend_from_slice(mv.as_bytes());
            bytes.push(0);
        }
        bytes.truncate(CHECKPOINT_LEN_MAX);
        let len = (bytes.len() - 4) as u32;
        bytes[..4].copy_from_slice(&len.to_ne_bytes());
        // The report is useful even without the place of the last call.
        let _ignored = self.file.write_all_at(&bytes, CHECKPOINT_AT);
    }

    pub(super) fn note_call(&self, call: &str, argument: &str) {
        self.note_text(NAME, call);
        self.note_text(ARGUMENT, argument);
        self.words[N_CALLS].fetch_add(1, Ordering::Relaxed);
    }

    /// Writes a text and the zero behind it.
    fn note_text(&self, words: Range<usize>, text: &str) {
        let words = &self.words[words];
        let mut chunks = text.as_bytes().chunks(8);
        for word in words {
            let chunk = chunks.next().unwrap_or_default();
            let mut bytes = [0; 8];
            bytes[..chunk.len()].copy_from_slice(chunk);
            word.store(u64::from_ne_bytes(bytes), Ordering::Relaxed);
            if chunk.len() < 8 {
                break;
            }
        }
    }

    fn text(&self, words: Range<usize>) -> String {
        let words = self.words[words].iter().map(|word| word.load(Ordering::Relaxed));
        let bytes: Vec<u8> = words.flat_map(u64::to_ne_bytes).take_while(|byte| *byte != 0).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Number of calls made by the child; unchanged while a call does not return.
    pub(super) fn n_calls(&self) -> u64 {
        self.words[N_CALLS].load(Ordering::Relaxed)
    }

    pub(super) fn last_call(&self) -> LastCall {
        let mut bytes = vec![0; CHECKPOINT_LEN_MAX];
        // Zeros are an empty checkpoint.
        let _ignored = self.file.read_exact_at(&mut bytes, CHECKPOINT_AT);
        let (len, rest) = bytes.split_at(4);
        let len = u32::from_ne_bytes(len.try_into().expect("four bytes")) as usize;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let mut parts = rest[..len.min(rest.len())].split(|byte| *byte == 0).map(text);
        let mut next = || parts.next().unwrap_or_default();
        let (law, variant, found_at, position) = (next(), next(), next(), next());
        let moves = parts.filter(|mv| !mv.is_empty()).collect();
        LastCall { law, variant, found_at, position, moves, call: self.text(NAME), argument: self.text(ARGUMENT) }
    }
}

impl LastCall {
    pub(super) fn checkpoint(&self) -> Checkpoint<'_> {
        let LastCall { law, variant, found_at, position, moves, .. } = self;
        Checkpoint { law, variant, found_at, position, moves }
    }

    /// Names the call and what it got.
    pub(super) fn described(&self) -> String {
        match self.argument.as_str() {
            "" => format!("`{}`", self.call),
            argument => format!("`{}` of {argument:?}", self.call),
        }
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
        let played = ["d1".to_owned(), "c2xd1".to_owned()];
        for (call, argument, position, moves) in [
            ("legal_moves", "", "6/6/6/6/6/6 w", &played[..]),
            ("play", "a1b1c1d1e1f1", "5 a", &played[..1]),
            ("play", "a1b1c1d1", "", &[]),
            ("run", "", "", &[]),
        ] {
            child.note_checkpoint(&Checkpoint {
                law: "plays",
                variant: "standard",
                found_at: "game 3",
                position,
                moves,
            });
            child.note_call(call, argument);
            let last = parent.last_call();
            assert_eq!((last.call.as_str(), last.argument.as_str()), (call, argument));
            assert_eq!((last.position.as_str(), &last.moves[..]), (position, moves));
            assert_eq!((last.law.as_str(), last.found_at.as_str()), ("plays", "game 3"));
        }
        assert_eq!(parent.n_calls(), 4);
        let long = "x".repeat(2 * CHECKPOINT_LEN_MAX);
        child.note_checkpoint(&Checkpoint {
            law: "texts",
            variant: "v",
            found_at: "",
            position: &long,
            moves: &played,
        });
        child.note_call("parse", &long);
        let last = parent.last_call();
        assert!(long.starts_with(&last.position));
        assert_eq!((last.call.as_str(), last.argument), ("parse", long[..ARGUMENT_LEN].to_owned()));
        let endless = vec!["d1".to_owned(); CHECKPOINT_LEN_MAX];
        child.note_checkpoint(&Checkpoint { law: "plays", variant: "v", found_at: "", position: "p", moves: &endless });
        assert!(parent.last_call().moves.len() > 1_000);
    }
}
