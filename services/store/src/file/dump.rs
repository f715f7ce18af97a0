//! All tables of a file as one stream of bytes: a backup of a file that a server has open.
//!
//! The dump is taken from one snapshot, which later writes do not change, and contains
//! everything that was acknowledged before. [`StoreFile::from_dump`] builds an equal file of it.
//! A dump that was cut short is refused, by its last record.
//!
//! | bytes | content |
//! | --- | --- |
//! | 8 | `pentad-d` |
//! | 4, 4 | version of this format, format of the tables; numbers are little-endian |
//! | each record | table (1), length of the key (4), length of the value (4), key, value |
//! | 1 | 0: the end |
//! | 8, 4 | number of records, CRC-32 of all bytes before |

use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use redb::{Database, ReadTransaction, ReadableDatabase, ReadableTable, Table as RedbTable, WriteTransaction};

use super::database::{ABOUT, ANSWERS, FORMAT, KEY_LEN, OpenFile, SCOPES, fenced, sync_directory, with_suffix};
use super::games::{GAMES, STEP_LEN, STEPS, existing};
use crate::codec::VALUE_LEN_MAX;
use crate::error::{OrFailed, StoreError};

const MAGIC: &[u8; 8] = b"pentad-d";
const VERSION: u32 = 1;
/// Marks the end in place of a table.
const END: u8 = 0;
/// Maximum length of a key or value that is read: more than any table has.
const LEN_MAX: usize = 4 * VALUE_LEN_MAX;
/// Bytes that are written at once.
const BUFFER_LEN: usize = 64 << 10;
/// Records written in one transaction.
const BATCH_LEN: u64 = 10_000;

/// Number of records of a dump.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DumpStats {
    /// Answers.
    pub answers: u64,
    /// Games.
    pub games: u64,
    /// Counts of moves in games.
    pub steps: u64,
    /// Rules under which they hold.
    pub scopes: u64,
}

/// Tables of a file, by their codes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Table {
    About = 1,
    Scopes = 2,
    Answers = 3,
    Games = 4,
    Steps = 5,
}

/// Receives a table, a key and a value.
type RecordSink<'a> = &'a mut dyn FnMut(Table, &[u8], &[u8]) -> Result<(), StoreError>;

/// A table, a key and a value.
type OwnedRecord = (Table, Vec<u8>, Vec<u8>);

impl DumpStats {
    pub(super) fn count(&mut self, table: Table) {
        match table {
            Table::About => {}
            Table::Scopes => self.scopes += 1,
            Table::Answers => self.answers += 1,
            Table::Games => self.games += 1,
            Table::Steps => self.steps += 1,
        }
    }
}

/// Writes the dump of a file, from a snapshot that is taken now.
pub(crate) fn write(file: &OpenFile, out: &mut dyn Write) -> Result<DumpStats, StoreError> {
    let path = &file.path;
    fenced(path, || {
        let read = file.database.begin_read().or_failed(path)?;
        let mut out = RecordWriter::new(path, out)?;
        copy_tables(path, &read, &mut |table, key, value| out.record(table, key, value))?;
        out.end()
    })
}

/// As [`write`], as long as `is_open`; checked once per buffer.
pub(crate) fn write_while(
    file: &OpenFile,
    out: &mut dyn Write,
    is_open: &dyn Fn() -> bool,
) -> Result<DumpStats, StoreError> {
    write(file, &mut BufWriter::with_capacity(BUFFER_LEN, WhileOpen { out, is_open }))
}

struct WhileOpen<'a> {
    out: &'a mut dyn Write,
    is_open: &'a dyn Fn() -> bool,
}

impl Write for WhileOpen<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !(self.is_open)() {
            return Err(io::Error::other("the store was closed meanwhile"));
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Calls `record` for everything in the tables of a snapshot.
pub(super) fn copy_tables(path: &Path, read: &ReadTransaction, record: RecordSink<'_>) -> Result<(), StoreError> {
    for entry in read.open_table(ABOUT).or_failed(path)?.iter().or_failed(path)? {
        let (key, value) = entry.or_failed(path)?;
        record(Table::About, key.value().as_bytes(), &value.value().to_le_bytes())?;
    }
    for entry in read.open_table(SCOPES).or_failed(path)?.iter().or_failed(path)? {
        let (number, scope) = entry.or_failed(path)?;
        let (game, version, fingerprint, variant) = scope.value();
        let texts = [game, version, fingerprint, variant].join("\n");
        record(Table::Scopes, &number.value().to_le_bytes(), texts.as_bytes())?;
    }
    for entry in read.open_table(ANSWERS).or_failed(path)?.iter().or_failed(path)? {
        let (key, value) = entry.or_failed(path)?;
        record(Table::Answers, key.value(), value.value())?;
    }
    if let Some(games) = existing(read.open_table(GAMES), path)? {
        for entry in games.iter().or_failed(path)? {
            let (key, value) = entry.or_failed(path)?;
            record(Table::Games, key.value(), value.value())?;
        }
    }
    if let Some(steps) = existing(read.open_table(STEPS), path)? {
        for entry in steps.iter().or_failed(path)? {
            let (key, value) = entry.or_failed(path)?;
            record(Table::Steps, key.value(), value.value())?;
        }
    }
    Ok(())
}

/// Builds a store file from a dump, under a temporary name until it is complete and on disk. With
/// `may_replace` it takes the place of an existing file.
pub(crate) fn build(path: &Path, input: &mut dyn Read, may_replace: bool) -> Result<DumpStats, StoreError> {
    if !may_replace && path.exists() {
        let exists = io::Error::new(io::ErrorKind::AlreadyExists, "there is a file already");
        return Err(StoreError::io(path, exists));
    }
    let new = with_suffix(path, ".part");
    // Left by a process that was killed.
    let _ = std::fs::remove_file(&new);
    let built = fenced(&new, || fill(&new, &Database::create(&new).or_failed(&new)?, input));
    let placed = built.and_then(|stats| {
        std::fs::rename(&new, path).map_err(|error| StoreError::io(path, error))?;
        sync_directory(path)?;
        Ok(stats)
    });
    if placed.is_err() {
        let _ = std::fs::remove_file(&new);
    }
    placed
}

/// Reads records into a new database, in transactions that are on disk when this returns.
fn fill(path: &Path, database: &Database, input: &mut dyn Read) -> Result<DumpStats, StoreError> {
    let mut records = RecordReader::new(path, input)?;
    let mut stats = DumpStats::default();
    let mut is_complete = false;
    while !is_complete {
        let write = database.begin_write().or_failed(path)?;
        {
            let mut tables = Tables::open(path, &write)?;
            for _ in 0..BATCH_LEN {
                let Some((table, key, value)) = records.next()? else {
                    is_complete = true;
                    break;
                };
                tables.insert(table, &key, &value)?;
                stats.count(table);
            }
        }
        write.commit().or_failed(path)?;
    }
    Ok(stats)
}

/// The tables of a file that is being filled.
pub(super) struct Tables<'a> {
    path: &'a Path,
    about: RedbTable<'a, &'static str, u64>,
    scopes: RedbTable<'a, u32, (&'static str, &'static str, &'static str, &'static str)>,
    answers: RedbTable<'a, &'static [u8; KEY_LEN], &'static [u8]>,
    games: RedbTable<'a, &'static [u8; KEY_LEN], &'static [u8]>,
    steps: RedbTable<'a, &'static [u8; STEP_LEN], &'static [u8]>,
}

impl<'a> Tables<'a> {
    pub(super) fn open(path: &'a Path, write: &'a WriteTransaction) -> Result<Tables<'a>, StoreError> {
        Ok(Tables {
            path,
            about: write.open_table(ABOUT).or_failed(path)?,
            scopes: write.open_table(SCOPES).or_failed(path)?,
            answers: write.open_table(ANSWERS).or_failed(path)?,
            games: write.open_table(GAMES).or_failed(path)?,
            steps: write.open_table(STEPS).or_failed(path)?,
        })
    }

    pub(super) fn insert(&mut self, table: Table, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
        let path = self.path;
        let text = |bytes| std::str::from_utf8(bytes).map_err(|error| malformed(path, error));
        match table {
            Table::About => {
                let number = u64::from_le_bytes(value.try_into().map_err(|error| malformed(path, error))?);
                self.about.insert(text(key)?, number).or_failed(path)?;
            }
            Table::Scopes => {
                let number = u32::from_le_bytes(key.try_into().map_err(|error| malformed(path, error))?);
                let texts: Vec<&str> = text(value)?.split('\n').collect();
                let [game, version, fingerprint, variant] = texts[..] else {
                    return Err(malformed(path, "rules without four names"));
                };
                self.scopes.insert(number, (game, version, fingerprint, variant)).or_failed(path)?;
            }
            Table::Answers => drop(self.answers.insert(sized(path, key)?, value).or_failed(path)?),
            Table::Games => drop(self.games.insert(sized(path, key)?, value).or_failed(path)?),
            Table::Steps => drop(self.steps.insert(sized(path, key)?, value).or_failed(path)?),
        }
        Ok(())
    }
}

fn sized<'a, const N: usize>(path: &Path, key: &'a [u8]) -> Result<&'a [u8; N], StoreError> {
    key.try_into().map_err(|error| malformed(path, error))
}

fn malformed(path: &Path, problem: impl std::fmt::Display) -> StoreError {
    StoreError::Unreadable { path: path.to_owned(), message: format!("malformed dump: {problem}") }
}

/// Writes records and their checksum.
struct RecordWriter<'a> {
    path: &'a Path,
    out: &'a mut dyn Write,
    checksum: crc32fast::Hasher,
    n_records: u64,
    stats: DumpStats,
}

impl<'a> RecordWriter<'a> {
    fn new(path: &'a Path, out: &'a mut dyn Write) -> Result<Self, StoreError> {
        let mut writer =
            RecordWriter { path, out, checksum: crc32fast::Hasher::new(), n_records: 0, stats: DumpStats::default() };
        writer.bytes(MAGIC)?;
        writer.bytes(&VERSION.to_le_bytes())?;
        writer.bytes(&(FORMAT as u32).to_le_bytes())?;
        Ok(writer)
    }

    fn record(&mut self, table: Table, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
        self.bytes(&[table as u8])?;
        self.bytes(&(key.len() as u32).to_le_bytes())?;
        self.bytes(&(value.len() as u32).to_le_bytes())?;
        self.bytes(key)?;
        self.bytes(value)?;
        self.n_records += 1;
        self.stats.count(table);
        Ok(())
    }

    fn end(mut self) -> Result<DumpStats, StoreError> {
        self.bytes(&[END])?;
        self.bytes(&self.n_records.to_le_bytes())?;
        let checksum = self.checksum.clone().finalize();
        self.bytes(&checksum.to_le_bytes())?;
        self.out.flush().map_err(|source| StoreError::Io { path: self.path.to_owned(), source })?;
        Ok(self.stats)
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.checksum.update(bytes);
        self.out.write_all(bytes).map_err(|source| StoreError::Io { path: self.path.to_owned(), source })
    }
}

/// Reads records up to the end, and checks that nothing is missing.
struct RecordReader<'a> {
    path: &'a Path,
    input: &'a mut dyn Read,
    checksum: crc32fast::Hasher,
    n_records: u64,
}

impl<'a> RecordReader<'a> {
    fn new(path: &'a Path, input: &'a mut dyn Read) -> Result<Self, StoreError> {
        let mut reader = RecordReader { path, input, checksum: crc32fast::Hasher::new(), n_records: 0 };
        if &reader.array::<8>()? != MAGIC {
            return Err(malformed(path, "this is not one"));
        }
        let (version, format) = (reader.number()?, u64::from(reader.number()?));
        if version != VERSION {
            return Err(malformed(path, format!("its version is {version}, this program reads {VERSION}")));
        }
        if format != FORMAT {
            return Err(StoreError::Format { path: path.to_owned(), found: format, wanted: FORMAT });
        }
        Ok(reader)
    }

    /// Returns the next record, or `None` after the last one.
    fn next(&mut self) -> Result<Option<OwnedRecord>, StoreError> {
        let [code] = self.array()?;
        let table = match code {
            END => return self.end().map(|()| None),
            1 => Table::About,
            2 => Table::Scopes,
            3 => Table::Answers,
            4 => Table::Games,
            5 => Table::Steps,
            _ => return Err(malformed(self.path, format!("there is no table {code}"))),
        };
        let (key_len, value_len) = (self.number()? as usize, self.number()? as usize);
        if key_len > LEN_MAX || value_len > LEN_MAX {
            return Err(malformed(self.path, format!("a record of {key_len} and {value_len} bytes")));
        }
        let (key, value) = (self.bytes(key_len)?, self.bytes(value_len)?);
        self.n_records += 1;
        Ok(Some((table, key, value)))
    }

    fn end(&mut self) -> Result<(), StoreError> {
        let n_records = u64::from_le_bytes(self.array()?);
        let expected = self.checksum.clone().finalize();
        let checksum = self.number()?;
        if (n_records, checksum) != (self.n_records, expected) {
            return Err(malformed(self.path, format!("{} of {n_records} records, or damaged", self.n_records)));
        }
        Ok(())
    }

    fn number(&mut self) -> Result<u32, StoreError> {
        self.array().map(u32::from_le_bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], StoreError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn bytes(&mut self, len: usize) -> Result<Vec<u8>, StoreError> {
        let mut bytes = vec![0; len];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), StoreError> {
        self.input.read_exact(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => malformed(self.path, "it was cut short"),
            _ => StoreError::Io { path: self.path.to_owned(), source: error },
        })?;
        self.checksum.update(bytes);
        Ok(())
    }
}
