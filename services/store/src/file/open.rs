//! Opens the file and sets an unreadable one aside. Games of a file in another format are
//! taken over.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::carry;
use super::database::{OpenFile, sync_directory, with_suffix};
use crate::error::StoreError;

/// Opens a file, or creates it.
pub(crate) type Opener = dyn Fn(&Path) -> Result<OpenFile, StoreError> + Send + Sync;

/// Opens the file, or creates it. An unreadable file is renamed, so that nothing is lost,
/// and one without answers replaces it; returns the new name.
pub(crate) fn open_or_set_aside(path: &Path, open: &Opener) -> Result<(OpenFile, Option<PathBuf>), StoreError> {
    match open(path) {
        Err(error @ StoreError::Format { .. }) => {
            let aside = replace_keeping_games(path, &error)?;
            Ok((open(path)?, Some(aside)))
        }
        Err(error) if error.is_unreadable() => {
            let aside = set_aside(path)?;
            tracing::error!(store = %path.display(), set_aside = %aside.display(), "{error}; starting with an empty store");
            Ok((open(path)?, Some(aside)))
        }
        opened => Ok((opened?, None)),
    }
}

/// Replaces a file of another format by one with its recorded games. Whenever the process
/// is killed, the games are in the file, or in the new one that is opened in its place.
fn replace_keeping_games(path: &Path, error: &StoreError) -> Result<PathBuf, StoreError> {
    let new = with_suffix(path, ".new");
    let carried = carry::create_with_games(path, &new);
    let aside = set_aside(path)?;
    let shown = (path.display(), aside.display());
    match carried {
        Ok(n_games) => {
            std::fs::rename(&new, path).map_err(|error| StoreError::io(path, error))?;
            sync_directory(path)?;
            tracing::warn!(store = %shown.0, set_aside = %shown.1, n_games, "{error}; its recorded games were taken over");
        }
        Err(failure) => {
            // Ignored: it is replaced before it is used again.
            let _ = std::fs::remove_file(&new);
            tracing::error!(store = %shown.0, set_aside = %shown.1, "{error}; starting with an empty store: {failure}");
        }
    }
    Ok(aside)
}

/// Renames a file to `NAME.unreadable-SECONDS`.
pub(crate) fn set_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let mut aside = with_suffix(path, &format!(".unreadable-{seconds}"));
    // A second file set aside within the same second.
    let mut n = 1;
    while aside.exists() {
        n += 1;
        aside = with_suffix(path, &format!(".unreadable-{seconds}-{n}"));
    }
    std::fs::rename(path, &aside).map_err(|source| StoreError::Io { path: path.to_owned(), source })?;
    Ok(aside)
}
