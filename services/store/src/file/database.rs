//! The file itself: tables, transactions, and the choice between two answers.
//!
//! | table | content |
//! | --- | --- |
//! | `answers` | digest (16 bytes) and number of the scope (4, big-endian) → answer, encoded by `codec` |
//! | `scopes` | number → game, version, fingerprint, variant |
//! | `about` | `format`, `entries`, `bytes` |
//! | `games`, `steps` | recorded games: see `games` |
//!
//! The digest comes first in the key, so that keys are spread evenly over the table
//! whatever is stored. Eviction relies on this: any range is a fair sample.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use pentad_engine::{PositionKey, RecordedGame, StoreKey, StoreScope, StoredAnswer};
use redb::{Database, ReadOnlyTable, ReadableDatabase, ReadableTable, TableDefinition, WriteTransaction};

use super::games::{Written, write_game};
use crate::codec;
use crate::error::{OrFailed, StoreError};

pub(crate) const ANSWERS: TableDefinition<&[u8; KEY_LEN], &[u8]> = TableDefinition::new("answers");
pub(crate) const SCOPES: TableDefinition<u32, (&str, &str, &str, &str)> = TableDefinition::new("scopes");
pub(crate) const ABOUT: TableDefinition<&str, u64> = TableDefinition::new("about");

/// Length of digest and number of the scope.
pub(crate) const KEY_LEN: usize = 20;
/// Format version of the tables. Values have a version of their own. Games of other formats
/// are taken over by `carry`.
pub(crate) const FORMAT: u64 = 1;
/// Size of an answer in a leaf page beyond its value: key and offset.
const ENTRY_OVERHEAD: u64 = KEY_LEN as u64 + 4;

type Answers = ReadOnlyTable<&'static [u8; KEY_LEN], &'static [u8]>;

/// An open file. Readers never wait for the single writer.
pub(crate) struct OpenFile {
    pub(crate) path: PathBuf,
    /// Answers as of the last commit, cached by the first lookup after it: opening the table
    /// takes longer than a lookup. Dropped before the database.
    answers: Mutex<Option<Arc<Answers>>>,
    pub(crate) database: Database,
    scopes: RwLock<HashMap<StoreScope, u32>>,
    size: RwLock<Size>,
}

/// Size of the content of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) entries: u64,
    /// Bytes of keys and values.
    pub(crate) bytes: u64,
}

/// A change of the file.
pub(crate) enum Change {
    Put { key: StoreKey, value: Vec<u8> },
    Remove { key: StoreKey },
    Game(Arc<RecordedGame>),
}

impl Change {
    fn scope(&self) -> &StoreScope {
        match self {
            Change::Put { key, .. } | Change::Remove { key } => &key.scope,
            Change::Game(game) => &game.scope,
        }
    }
}

/// Results of the changes of a transaction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Committed {
    pub(crate) stored: u64,
    /// Number of answers not stored because the file had a better one.
    pub(crate) kept: u64,
    /// Results of the games, in their order.
    pub(crate) games: Vec<Written>,
}

/// Result of a lookup.
pub(crate) enum LookupResult {
    Answer(Box<StoredAnswer>),
    Nothing,
    Damaged,
}

impl OpenFile {
    /// Opens the file, or creates it if `may_create`. Recovery after a crash does not read
    /// the whole file.
    pub(crate) fn open(path: &Path, cache_bytes: usize, may_create: bool) -> Result<OpenFile, StoreError> {
        if may_create && !path.exists() {
            create(path)?;
        }
        fenced(path, || {
            let mut builder = Database::builder();
            builder.set_cache_size(cache_bytes);
            // An empty file also becomes a store.
            let opened = if may_create { builder.create(path) } else { builder.open(path) };
            OpenFile::from_database(path, opened.or_failed(path)?)
        })
    }

    pub(crate) fn from_database(path: &Path, database: Database) -> Result<OpenFile, StoreError> {
        let (scopes, size) = read_tables(path, &database)?;
        let (scopes, size) = (RwLock::new(scopes), RwLock::new(size));
        Ok(OpenFile { path: path.to_owned(), answers: Mutex::default(), database, scopes, size })
    }

    /// Creates the tables of a new file.
    pub(crate) fn write_empty_tables(write: &WriteTransaction, path: &Path) -> Result<(), StoreError> {
        write.open_table(ANSWERS).or_failed(path)?;
        write.open_table(SCOPES).or_failed(path)?;
        write.open_table(ABOUT).or_failed(path)?.insert("format", FORMAT).or_failed(path)?;
        Ok(())
    }

    pub(crate) fn size(&self) -> Size {
        *self.size.read().expect("nothing panics while it is locked")
    }

    /// Returns the scopes by number.
    pub(crate) fn scopes(&self) -> HashMap<u32, StoreScope> {
        let scopes = self.scopes.read().expect("nothing panics while it is locked");
        scopes.iter().map(|(scope, &number)| (number, scope.clone())).collect()
    }

    /// Looks up several keys in one snapshot of the file.
    pub(crate) fn get<'a>(&self, keys: impl Iterator<Item = &'a StoreKey>) -> Result<Vec<LookupResult>, StoreError> {
        fenced(&self.path, || {
            let table = self.answers()?;
            let mut results = Vec::new();
            for key in keys {
                let Some(bytes) = self.key_bytes(key) else {
                    results.push(LookupResult::Nothing);
                    continue;
                };
                results.push(match table.get(&bytes).or_failed(&self.path)? {
                    None => LookupResult::Nothing,
                    Some(value) => match codec::decode(&key.digest, value.value()) {
                        Ok(answer) => LookupResult::Answer(Box::new(answer)),
                        Err(_) => LookupResult::Damaged,
                    },
                });
            }
            Ok(results)
        })
    }

    /// Returns the answers as of the last commit.
    fn answers(&self) -> Result<Arc<Answers>, StoreError> {
        // Locked while the table is opened, so that no commit misses the cached table.
        let mut kept = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = &*kept {
            return Ok(table.clone());
        }
        let read = self.database.begin_read().or_failed(&self.path)?;
        let table = Arc::new(read.open_table(ANSWERS).or_failed(&self.path)?);
        Ok(kept.insert(table).clone())
    }

    /// Applies changes in one transaction, which is on disk when this returns.
    pub(crate) fn commit<'a>(&self, changes: impl Iterator<Item = &'a Change>) -> Result<Committed, StoreError> {
        fenced(&self.path, || self.commit_unfenced(changes))
    }

    fn commit_unfenced<'a>(&self, changes: impl Iterator<Item = &'a Change>) -> Result<Committed, StoreError> {
        let write = self.begin_write()?;
        let mut committed = Committed::default();
        let mut size = self.size();
        let mut new_scopes: HashMap<StoreScope, u32> = HashMap::new();
        {
            let mut table = write.open_table(ANSWERS).or_failed(&self.path)?;
            for change in changes {
                let scope = change.scope();
                let known = self.scope_number(scope).or_else(|| new_scopes.get(scope).copied());
                let number = match (known, change) {
                    (Some(number), _) => number,
                    (None, Change::Remove { .. }) => continue,
                    (None, Change::Put { .. } | Change::Game(_)) => {
                        let number = self.n_scopes() + new_scopes.len() as u32;
                        new_scopes.insert(scope.clone(), number);
                        number
                    }
                };
                match change {
                    Change::Put { key, value } => {
                        let bytes = key_bytes(&key.digest, number);
                        let present = table.get(&bytes).or_failed(&self.path)?;
                        let present = present.map(|present| {
                            let is_better = is_better(&key.digest, present.value(), value);
                            (is_better, present.value().len() as u64)
                        });
                        if let Some((true, _)) = present {
                            committed.kept += 1;
                            continue;
                        }
                        table.insert(&bytes, value.as_slice()).or_failed(&self.path)?;
                        committed.stored += 1;
                        size = size.without(present.map(|(_, len)| len)).with(value.len() as u64);
                    }
                    Change::Game(game) => committed.games.push(write_game(self, &write, number, game)?),
                    Change::Remove { key } => {
                        let removed = table.remove(&key_bytes(&key.digest, number)).or_failed(&self.path)?;
                        size = size.without(removed.map(|removed| removed.value().len() as u64));
                    }
                }
            }
        }
        self.finish(write, size, &new_scopes)?;
        self.scopes.write().expect("nothing panics while it is locked").extend(new_scopes);
        Ok(committed)
    }

    /// Reads `len` answers from each of these keys on, and removes those that `choose`
    /// selects by scope and worth. Returns how many.
    pub(crate) fn remove_some(
        &self,
        starts: &[[u8; KEY_LEN]],
        len: usize,
        choose: impl FnOnce(&[(u32, u64)]) -> Vec<usize>,
    ) -> Result<u64, StoreError> {
        fenced(&self.path, || {
            let write = self.begin_write()?;
            let mut size = self.size();
            let n_removed;
            {
                let mut table = write.open_table(ANSWERS).or_failed(&self.path)?;
                let mut keys = Vec::new();
                let mut worths = Vec::new();
                for from in starts {
                    let range = table.range::<&[u8; KEY_LEN]>(from..).or_failed(&self.path)?;
                    for entry in range.take(len) {
                        let (key, value) = entry.or_failed(&self.path)?;
                        let (_, number) = split_key(key.value());
                        // Unreadable values are worth nothing.
                        worths.push((number, codec::peek_header(value.value()).map_or(0, |header| header.worth())));
                        keys.push(*key.value());
                    }
                }
                let chosen = choose(&worths);
                let entries = size.entries;
                for idx in chosen {
                    // Ranges may overlap.
                    let removed = table.remove(&keys[idx]).or_failed(&self.path)?;
                    size = size.without(removed.map(|removed| removed.value().len() as u64));
                }
                n_removed = entries - size.entries;
            }
            self.finish(write, size, &HashMap::new())?;
            Ok(n_removed)
        })
    }

    fn begin_write(&self) -> Result<WriteTransaction, StoreError> {
        let mut write = self.database.begin_write().or_failed(&self.path)?;
        // Recovery after a crash does not read the whole file.
        write.set_quick_repair(true);
        Ok(write)
    }

    fn finish(
        &self,
        write: WriteTransaction,
        size: Size,
        new_scopes: &HashMap<StoreScope, u32>,
    ) -> Result<(), StoreError> {
        {
            let mut about = write.open_table(ABOUT).or_failed(&self.path)?;
            for (name, number) in [("format", FORMAT), ("entries", size.entries), ("bytes", size.bytes)] {
                about.insert(name, number).or_failed(&self.path)?;
            }
            let mut scopes = write.open_table(SCOPES).or_failed(&self.path)?;
            for (scope, number) in new_scopes {
                let StoreScope { game, version, fingerprint, variant } = scope;
                let scope = (game.as_str(), version.as_str(), fingerprint.as_str(), variant.as_str());
                scopes.insert(number, scope).or_failed(&self.path)?;
            }
        }
        let committed = write.commit().or_failed(&self.path);
        // Later lookups see the new state, and the pages of the old one are free again.
        drop(self.answers.lock().unwrap_or_else(PoisonError::into_inner).take());
        committed?;
        *self.size.write().expect("nothing panics while it is locked") = size;
        Ok(())
    }

    fn key_bytes(&self, key: &StoreKey) -> Option<[u8; KEY_LEN]> {
        self.scope_number(&key.scope).map(|number| key_bytes(&key.digest, number))
    }

    pub(crate) fn scope_number(&self, scope: &StoreScope) -> Option<u32> {
        self.scopes.read().expect("nothing panics while it is locked").get(scope).copied()
    }

    fn n_scopes(&self) -> u32 {
        self.scopes.read().expect("nothing panics while it is locked").len() as u32
    }
}

impl Size {
    pub(crate) fn with(self, value_len: u64) -> Self {
        Size { entries: self.entries + 1, bytes: self.bytes + value_len + ENTRY_OVERHEAD }
    }

    fn without(self, value_len: Option<u64>) -> Self {
        match value_len {
            None => self,
            Some(len) => {
                Size { entries: self.entries.saturating_sub(1), bytes: self.bytes.saturating_sub(len + ENTRY_OVERHEAD) }
            }
        }
    }
}

pub(crate) fn key_bytes(digest: &PositionKey, scope: u32) -> [u8; KEY_LEN] {
    let mut bytes = [0; KEY_LEN];
    bytes[..16].copy_from_slice(&digest.0);
    bytes[16..].copy_from_slice(&scope.to_be_bytes());
    bytes
}

pub(crate) fn split_key(bytes: &[u8; KEY_LEN]) -> (PositionKey, u32) {
    let (digest, scope) = bytes.split_first_chunk::<16>().expect("a key is longer than a digest");
    (PositionKey(*digest), u32::from_be_bytes(scope.try_into().expect("a key ends with four bytes")))
}

/// Returns whether the present answer is better than another. A damaged one is not.
fn is_better(digest: &PositionKey, present: &[u8], offered: &[u8]) -> bool {
    match (codec::header(digest, present), codec::header(digest, offered)) {
        (Ok(present), Ok(offered)) => present.rank() > offered.rank(),
        (present, _) => present.is_ok(),
    }
}

/// Reads the scopes and the size, and creates the tables of a new file.
fn read_tables(path: &Path, database: &Database) -> Result<(HashMap<StoreScope, u32>, Size), StoreError> {
    let read = database.begin_read().or_failed(path)?;
    let about = match read.open_table(ABOUT) {
        Ok(about) => about,
        Err(redb::TableError::TableDoesNotExist(_)) => {
            create_tables(path, database)?;
            return Ok((HashMap::new(), Size::default()));
        }
        Err(error) => return Err(StoreError::database(path, error)),
    };
    let number = |name: &str| -> Result<u64, StoreError> {
        let number = about.get(name).or_failed(path)?;
        Ok(number.map_or(0, |number| number.value()))
    };
    let found = number("format")?;
    if found != FORMAT {
        return Err(StoreError::Format { path: path.to_owned(), found, wanted: FORMAT });
    }
    let size = Size { entries: number("entries")?, bytes: number("bytes")? };
    let table = read.open_table(SCOPES).or_failed(path)?;
    let mut scopes = HashMap::new();
    for entry in table.iter().or_failed(path)? {
        let (number, scope) = entry.or_failed(path)?;
        let (game, version, fingerprint, variant) = scope.value();
        let [game, version, fingerprint, variant] = [game, version, fingerprint, variant].map(str::to_owned);
        scopes.insert(StoreScope { game, version, fingerprint, variant }, number.value());
    }
    Ok((scopes, size))
}

fn create_tables(path: &Path, database: &Database) -> Result<(), StoreError> {
    let mut write = database.begin_write().or_failed(path)?;
    write.set_quick_repair(true);
    OpenFile::write_empty_tables(&write, path)?;
    write.commit().or_failed(path)
}

/// Creates an empty store under a temporary name and renames it once it is complete, so
/// that a process killed meanwhile leaves no unreadable file.
fn create(path: &Path) -> Result<(), StoreError> {
    let new = with_suffix(path, ".new");
    let made = fenced(&new, || OpenFile::from_database(&new, Database::create(&new).or_failed(&new)?).map(drop));
    match made {
        Ok(()) => {}
        // Left by a process that was killed.
        Err(error) if error.is_unreadable() => {
            std::fs::remove_file(&new).map_err(|error| StoreError::io(&new, error))?;
            fenced(&new, || OpenFile::from_database(&new, Database::create(&new).or_failed(&new)?).map(drop))?;
        }
        Err(error) => return Err(error),
    }
    // A link, since renaming would replace a file that another process created meanwhile.
    let linked = std::fs::hard_link(&new, path).and_then(|()| std::fs::remove_file(&new));
    match linked {
        Ok(()) => {}
        Err(_) if path.exists() => {
            // The other process's file is used; this one is not needed.
            let _ = std::fs::remove_file(&new);
        }
        // Not every file system supports links.
        Err(_) => std::fs::rename(&new, path).map_err(|error| StoreError::io(path, error))?,
    }
    sync_directory(path)
}

/// Appends to the file's name.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Syncs the directory, without which a new name is not on disk.
pub(crate) fn sync_directory(path: &Path) -> Result<(), StoreError> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let synced = std::fs::File::open(directory).and_then(|directory| directory.sync_all());
    synced.map_err(|error| StoreError::io(directory, error))
}

/// Converts a panic, which a damaged file may cause in the database, into an error.
pub(crate) fn fenced<T>(path: &Path, work: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
        Err(StoreError::Unreadable { path: path.to_owned(), message: message.to_owned() })
    })
}

impl std::fmt::Debug for OpenFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenFile").field("path", &self.path).field("size", &self.size()).finish_non_exhaustive()
    }
}
