//! Errors of stores.

use std::io;
use std::path::{Path, PathBuf};

/// Why a store, or one of its answers, cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process has the file open.
    #[error("{path}: another process has this store open; stop it, or give each its own file")]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The file is not a store, or a damaged one.
    #[error("{path}: not a store, or a damaged one: {message}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The problem found.
        message: String,
    },
    /// The file was written by another version of this program.
    #[error("{path}: has format {found}, this program reads {wanted}")]
    Format {
        /// The file.
        path: PathBuf,
        /// Format of the file.
        found: u64,
        /// Format of this program.
        wanted: u64,
    },
    /// The system refused an operation.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The address of a shared store is malformed. The error leaves it out, since it may
    /// contain a password.
    #[error("{0}")]
    BadAddress(&'static str),
    /// The address is one of a shared store, and this build has none.
    #[error("this build has no shared stores; build with `cargo build --release --features redis`")]
    NoSharedStores,
    /// A value that is not an answer: damaged, or of another version.
    #[error("{0}")]
    BadValue(String),
    /// A line of JSON that is not an answer.
    #[error("line {line}: {message}")]
    BadLine {
        /// Line number, from 1.
        line: u64,
        /// The problem found.
        message: String,
    },
}

impl StoreError {
    /// Returns whether the file itself is at fault, so that a new one would work.
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

    /// Converts any error of the database.
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

/// Converts an error of the database into one that names the file.
pub(crate) trait OrFailed<T> {
    fn or_failed(self, path: &Path) -> Result<T, StoreError>;
}

impl<T, E: Into<redb::Error>> OrFailed<T> for Result<T, E> {
    fn or_failed(self, path: &Path) -> Result<T, StoreError> {
        self.map_err(|error| StoreError::database(path, error))
    }
}
