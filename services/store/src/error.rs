//! What can go wrong with a store.

use std::io;
use std::path::{Path, PathBuf};

/// Why a store, or one of its answers, cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process has it open.
    #[error("{path}: another process has this store open; stop it, or give each its own file")]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// It is not a store, or a damaged one.
    #[error("{path}: not a store, or a damaged one: {message}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What was found.
        message: String,
    },
    /// Made by another version of this program.
    #[error("{path}: has format {found}, this program reads {wanted}")]
    Format {
        /// The file.
        path: PathBuf,
        /// Of the file.
        found: u64,
        /// Of this program.
        wanted: u64,
    },
    /// The system refused.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The address of a shared store is malformed. It is not part of the error: it may
    /// have a password in it.
    #[error("{0}")]
    BadAddress(&'static str),
    /// A value that is not an answer: damaged, or of another version.
    #[error("{0}")]
    BadValue(String),
    /// A line of JSON that is not an answer.
    #[error("line {line}: {message}")]
    BadLine {
        /// From 1.
        line: u64,
        /// What is wrong with it.
        message: String,
    },
}

impl StoreError {
    /// Whether the file itself is at fault, so that a new one would serve.
    pub(crate) fn is_unreadable(&self) -> bool {
        matches!(self, StoreError::Unreadable { .. } | StoreError::Format { .. })
    }

    pub(crate) fn io(path: &Path, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => {
                StoreError::Unreadable { path: path.to_owned(), message: source.to_string() }
            }
            _ => StoreError::Io { path: path.to_owned(), source },
        }
    }

    /// From any error of the database.
    pub(crate) fn database(path: &Path, error: impl Into<redb::Error>) -> Self {
        let path = path.to_owned();
        match error.into() {
            redb::Error::DatabaseAlreadyOpen => StoreError::InUse { path },
            redb::Error::Io(source) => StoreError::io(&path, source),
            redb::Error::PreviousIo => {
                StoreError::Io { path, source: io::Error::other("an earlier write or read failed") }
            }
            redb::Error::DatabaseClosed => StoreError::Io { path, source: io::Error::other("the store is closed") },
            other => StoreError::Unreadable { path, message: other.to_string() },
        }
    }
}

/// Turns an error of the database into one that names the file.
pub(crate) trait OrFailed<T> {
    fn or_failed(self, path: &Path) -> Result<T, StoreError>;
}

impl<T, E: Into<redb::Error>> OrFailed<T> for Result<T, E> {
    fn or_failed(self, path: &Path) -> Result<T, StoreError> {
        self.map_err(|error| StoreError::database(path, error))
    }
}
