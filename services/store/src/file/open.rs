//! Opens the file and sets an unreadable one aside.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::database::{OpenFile, with_suffix};
use crate::error::StoreError;

/// Opens a file, or creates it.
pub(crate) type Opener = dyn Fn(&Path) -> Result<OpenFile, StoreError> + Send + Sync;

/// Opens the file, or creates it. An unreadable file is renamed, so that nothing is lost,
/// and an empty one replaces it; returns the new name.
pub(crate) fn open_or_set_aside(path: &Path, open: &Opener) -> Result<(OpenFile, Option<PathBuf>), StoreError> {
    match open(path) {
        Err(error) if error.is_unreadable() => {
            let aside = set_aside(path)?;
            tracing::error!(store = %path.display(), set_aside = %aside.display(), "{error}; starting with an empty store");
            Ok((open(path)?, Some(aside)))
        }
        opened => Ok((opened?, None)),
    }
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
