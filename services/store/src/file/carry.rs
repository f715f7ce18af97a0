//! Recorded games of a file in another format.
//!
//! Answers are a cache, recorded games are not: a program that meets a file of an earlier or
//! later format takes the games over into a file of its own. Every format therefore keeps
//! the tables `scopes`, `games` and `steps` as they are for at least one version, and
//! their values have a version of their own.

use std::path::Path;

use redb::{Database, ReadableDatabase, ReadableTable, ReadableTableMetadata, TableError};

use super::database::{OpenFile, SCOPES, fenced};
use super::games::{GAMES, STEPS, existing};
use crate::error::{OrFailed, StoreError};

/// Creates the store `to` with the recorded games of `from`, a store of another format.
/// What is at `to` is replaced. Returns the number of games.
pub(super) fn create_with_games(from: &Path, to: &Path) -> Result<u64, StoreError> {
    if let Err(error) = std::fs::remove_file(to)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        return Err(StoreError::io(to, error));
    }
    fenced(from, || {
        let source = Database::open(from).or_failed(from)?;
        let target = Database::create(to).or_failed(to)?;
        let n_games = copy(&source, from, &target, to)?;
        OpenFile::from_database(to, target)?;
        Ok(n_games)
    })
}

/// Copies in one transaction: `to` has all games or none.
fn copy(source: &Database, from: &Path, target: &Database, to: &Path) -> Result<u64, StoreError> {
    let read = source.begin_read().or_failed(from)?;
    let mut write = target.begin_write().or_failed(to)?;
    write.set_quick_repair(true);
    OpenFile::write_empty_tables(&write, to)?;
    let mut n_games = 0;
    {
        let mut scopes = write.open_table(SCOPES).or_failed(to)?;
        for entry in read.open_table(SCOPES).or_failed(from)?.iter().or_failed(from)? {
            let (number, scope) = entry.or_failed(from)?;
            scopes.insert(number.value(), scope.value()).or_failed(to)?;
        }
        if let Some(games) = existing(read.open_table(GAMES), from)? {
            n_games = games.len().or_failed(from)?;
            copy_table(games.iter(), write.open_table(GAMES), from, to)?;
        }
        if let Some(steps) = existing(read.open_table(STEPS), from)? {
            copy_table(steps.iter(), write.open_table(STEPS), from, to)?;
        }
    }
    write.commit().or_failed(to)?;
    Ok(n_games)
}

fn copy_table<const N: usize>(
    entries: Result<redb::Range<'_, &'static [u8; N], &'static [u8]>, redb::StorageError>,
    table: Result<redb::Table<'_, &'static [u8; N], &'static [u8]>, TableError>,
    from: &Path,
    to: &Path,
) -> Result<(), StoreError> {
    let mut table = table.or_failed(to)?;
    for entry in entries.or_failed(from)? {
        let (key, value) = entry.or_failed(from)?;
        table.insert(key.value(), value.value()).or_failed(to)?;
    }
    Ok(())
}
