//! Maintenance of a file that no server has open: statistics, export, import, checks.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pentad_engine::{AnswerVerdict, StoreKey, StoreScope, StoredAnswer};
use redb::{ReadableDatabase, ReadableTable};

use super::database::{ANSWERS, Change, KEY_LEN, OpenFile, fenced, split_key};
use super::dump::{self, DumpStats};
use crate::codec;
use crate::error::{OrFailed, StoreError};
use crate::json;

/// Answers imported in one transaction.
const IMPORT_BATCH: usize = 10_000;
/// Memory for pages while a file is maintained.
const CACHE_BYTES: usize = 256 << 20;

/// A store's file, opened for maintenance. No server can open it meanwhile.
#[derive(Debug)]
pub struct StoreFile(OpenFile);

/// Statistics of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileStats {
    /// Number of answers.
    pub entries: u64,
    /// Bytes of keys and values.
    pub answer_bytes: u64,
    /// Bytes of the file on disk.
    pub file_bytes: u64,
    /// Number of games.
    pub games: u64,
    /// Statistics by scope, those with most answers first.
    pub scopes: Vec<ScopeStats>,
}

/// Statistics of one scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopeStats {
    /// Rules under which the answers hold.
    pub scope: StoreScope,
    /// Number of answers.
    pub entries: u64,
    /// Number of trusted proofs among them.
    pub proven: u64,
    /// Number of answers that are not trusted: imported ones.
    pub not_trusted: u64,
    /// Number of games.
    pub games: u64,
    /// Search time to find the answers again, in milliseconds.
    pub search_ms: u64,
}

#[derive(Default)]
struct ScopeCounts {
    entries: u64,
    proven: u64,
    not_trusted: u64,
    search_us: u64,
}

/// Result of [`StoreFile::verify`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Number of undamaged answers.
    pub good: u64,
    /// Number of these that contradict the rules or themselves: they are not served, and the
    /// server removes them when it looks them up.
    pub refused: u64,
    /// Number of undamaged answers with proofs that are served as estimates.
    pub estimates: u64,
    /// Number of undamaged answers that were not checked against rules.
    pub unchecked: u64,
    /// Number of damaged answers: they are not served, and the server removes them when it
    /// looks them up.
    pub damaged: u64,
    /// Number of undamaged games and tallies.
    pub good_games: u64,
    /// Number of damaged games and tallies, which are ignored.
    pub damaged_games: u64,
    /// Whether the database's own checksums held; if not, redb has repaired the file.
    pub is_sound: bool,
}

/// Results of an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Number of answers that were new, or better than those present.
    pub stored: u64,
    /// Number of answers that were not better.
    pub kept: u64,
}

impl StoreFile {
    /// Opens an existing file.
    pub fn open(path: &Path) -> Result<StoreFile, StoreError> {
        OpenFile::open(path, CACHE_BYTES, false).map(StoreFile)
    }

    /// Opens a file, or creates it.
    pub fn create(path: &Path) -> Result<StoreFile, StoreError> {
        OpenFile::open(path, CACHE_BYTES, true).map(StoreFile)
    }

    /// Builds a file from a dump of another one. With `may_replace` it takes the place of an existing
    /// file, once it is complete.
    pub fn from_dump(path: &Path, input: &mut dyn Read, may_replace: bool) -> Result<DumpStats, StoreError> {
        dump::build(path, input, may_replace)
    }

    /// Writes a dump of the file.
    pub fn dump(&self, out: &mut dyn Write) -> Result<DumpStats, StoreError> {
        dump::write(&self.0, out)
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &PathBuf {
        &self.0.path
    }

    /// Returns the number of answers.
    pub fn n_entries(&self) -> u64 {
        self.0.size().entries
    }

    /// Returns the bytes that the file occupies on disk. Its length may be larger: it grows
    /// in large steps, and pages never written occupy no space.
    pub fn file_bytes(&self) -> Result<u64, StoreError> {
        let path = &self.0.path;
        let metadata = std::fs::metadata(path).map_err(|error| StoreError::io(path, error))?;
        Ok(metadata.blocks() * 512)
    }

    /// Collects statistics. `tick` is called for every answer.
    pub fn stats(&self, mut tick: impl FnMut()) -> Result<FileStats, StoreError> {
        let mut by_scope: HashMap<u32, ScopeCounts> = HashMap::new();
        self.each(|key, value| {
            let counts = by_scope.entry(split_key(key).1).or_default();
            counts.entries += 1;
            if let Some(header) = codec::peek_header(value) {
                counts.proven += u64::from(header.is_proven());
                counts.not_trusted += u64::from(!header.is_trusted);
                counts.search_us += header.took.as_micros() as u64;
            }
            tick();
            Ok(())
        })?;
        let mut games: HashMap<u32, u64> = HashMap::new();
        self.0.each_game(|number, _| {
            *games.entry(number).or_default() += 1;
            by_scope.entry(number).or_default();
            Ok(())
        })?;
        let scopes = self.0.scopes();
        let stats = |(number, counts): (u32, ScopeCounts)| {
            let ScopeCounts { entries, proven, not_trusted, search_us } = counts;
            let scope = scopes.get(&number)?.clone();
            let games = games.get(&number).copied().unwrap_or(0);
            Some(ScopeStats { scope, entries, proven, not_trusted, games, search_ms: search_us / 1000 })
        };
        let mut scopes: Vec<ScopeStats> = by_scope.into_iter().filter_map(stats).collect();
        scopes.sort_by(|a, b| b.entries.cmp(&a.entries).then_with(|| a.scope.variant.cmp(&b.scope.variant)));
        let size = self.0.size();
        let games = self.0.n_games()?;
        Ok(FileStats { entries: size.entries, answer_bytes: size.bytes, file_bytes: self.file_bytes()?, games, scopes })
    }

    /// Writes every undamaged answer as a line of JSON; returns how many were written.
    pub fn export(&self, mut write: impl FnMut(&str) -> Result<(), std::io::Error>) -> Result<u64, StoreError> {
        let scopes = self.0.scopes();
        let mut n_written = 0;
        self.each(|key, value| {
            let (digest, number) = split_key(key);
            if let (Some(scope), Ok(answer)) = (scopes.get(&number), codec::decode(&digest, value)) {
                let line = json::to_line(scope, &digest, &answer);
                write(&line).map_err(|source| StoreError::Io { path: self.0.path.clone(), source })?;
                n_written += 1;
            }
            Ok(())
        })?;
        Ok(n_written)
    }

    /// Writes every undamaged game as a line of JSON; returns how many were written.
    pub fn export_games(&self, mut write: impl FnMut(&str) -> Result<(), std::io::Error>) -> Result<u64, StoreError> {
        let scopes = self.0.scopes();
        let mut n_written = 0;
        self.0.each_game(|number, game| {
            if let (Some(scope), Some(game)) = (scopes.get(&number), game) {
                let line = json::game_to_line(scope, &game);
                write(&line).map_err(|source| StoreError::Io { path: self.0.path.clone(), source })?;
                n_written += 1;
            }
            Ok(())
        })?;
        Ok(n_written)
    }

    /// Returns the number of games.
    pub fn n_games(&self) -> Result<u64, StoreError> {
        self.0.n_games()
    }

    /// Imports lines of JSON, as [`export`](Self::export) writes them. Better answers replace
    /// those present. Their proofs are trusted only if `is_trusted`, and if the exporting
    /// store trusted them. Stops with an error at the first line that is not an answer; the lines
    /// before it are stored.
    pub fn import(
        &self,
        lines: impl Iterator<Item = Result<String, std::io::Error>>,
        is_trusted: bool,
        mut tick: impl FnMut(u64),
    ) -> Result<Imported, StoreError> {
        let mut imported = Imported::default();
        let mut batch: Vec<Change> = Vec::with_capacity(IMPORT_BATCH);
        let mut commit = |batch: &mut Vec<Change>| -> Result<(), StoreError> {
            let committed = self.0.commit(batch.iter())?;
            imported.stored += committed.stored;
            imported.kept += committed.kept;
            tick(batch.len() as u64);
            batch.clear();
            Ok(())
        };
        let mut scopes = json::Scopes::default();
        let mut failure = None;
        for (idx, line) in lines.enumerate() {
            let line_no = idx as u64 + 1;
            let bad = |message: String| StoreError::BadLine { line: line_no, message };
            let read = line.map_err(|error| bad(error.to_string())).and_then(|line| match line.trim() {
                "" => Ok(None),
                text => read_change(text, is_trusted, &mut scopes).map(Some).map_err(bad),
            });
            match read {
                Ok(None) => {}
                Ok(Some(change)) => batch.push(change),
                Err(error) => {
                    failure = Some(error);
                    break;
                }
            }
            if batch.len() == IMPORT_BATCH {
                commit(&mut batch)?;
            }
        }
        commit(&mut batch)?;
        failure.map_or(Ok(imported), Err)
    }

    /// Reads every answer and every page. Where pages are damaged, redb repairs the file; if
    /// it cannot, this fails. Damaged and refused answers are counted and left in place.
    /// `check` is called for every undamaged answer, and returns `None` if it has not the rules.
    pub fn verify(
        &mut self,
        mut check: impl FnMut(&StoreKey, &StoredAnswer) -> Option<AnswerVerdict>,
    ) -> Result<Verified, StoreError> {
        let mut verified = Verified::default();
        let scopes: HashMap<u32, Arc<StoreScope>> =
            self.0.scopes().into_iter().map(|(number, scope)| (number, Arc::new(scope))).collect();
        self.each(|key, value| {
            let (digest, number) = split_key(key);
            let Ok(answer) = codec::decode(&digest, value) else {
                verified.damaged += 1;
                return Ok(());
            };
            verified.good += 1;
            let scope = scopes.get(&number).cloned();
            match scope.and_then(|scope| check(&StoreKey { scope, digest }, &answer)) {
                Some(AnswerVerdict::Believed) => {}
                Some(AnswerVerdict::Estimate) => verified.estimates += 1,
                Some(AnswerVerdict::Refused(_)) => verified.refused += 1,
                None => verified.unchecked += 1,
            }
            Ok(())
        })?;
        (verified.good_games, verified.damaged_games) = self.0.check_games()?;
        let path = self.0.path.clone();
        verified.is_sound = fenced(&path, || self.0.database.check_integrity().or_failed(&path))?;
        Ok(verified)
    }

    /// Makes the file as small as possible.
    pub fn compact(&mut self) -> Result<(), StoreError> {
        let path = self.0.path.clone();
        fenced(&path, || {
            self.0.database.compact().or_failed(&path)?;
            Ok(())
        })
    }

    fn each(&self, mut visit: impl FnMut(&[u8; KEY_LEN], &[u8]) -> Result<(), StoreError>) -> Result<(), StoreError> {
        let path = &self.0.path;
        fenced(path, || {
            let read = self.0.database.begin_read().or_failed(path)?;
            let table = read.open_table(ANSWERS).or_failed(path)?;
            for entry in table.iter().or_failed(path)? {
                let (key, value) = entry.or_failed(path)?;
                visit(key.value(), value.value())?;
            }
            Ok(())
        })
    }
}

fn read_change(line: &str, is_trusted: bool, scopes: &mut json::Scopes) -> Result<Change, String> {
    let (scope, digest, mut answer) = json::from_line(line, scopes)?;
    answer.is_trusted &= is_trusted;
    let value = codec::encode(&digest, &answer).ok_or_else(|| "the answer is too long".to_owned())?;
    Ok(Change::Put { key: StoreKey { scope, digest }, value })
}
