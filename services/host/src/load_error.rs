//! Why a file was not loaded.

use std::path::{Path, PathBuf};

/// Why a file was not loaded. Each variant names the file.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each message says what its fields are")]
pub enum LoadError {
    #[error("{path}: cannot be read: {source}")]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("{path}: not a shared library for this machine: {detail}")]
    NotALibrary { path: PathBuf, detail: String },
    #[error("{path}: not on the allow-list; its SHA-256 is {sha256}")]
    NotAllowed { path: PathBuf, sha256: String },
    #[error("{path}: cannot be loaded: {detail}")]
    Open { path: PathBuf, detail: String },
    #[error("{path}: no symbol `ruleset_entry`; is this a rule set?")]
    NoEntry { path: PathBuf },
    #[error("{path}: `ruleset_entry` begins with {found:#018x}, not with the magic number of a rule set")]
    Magic { path: PathBuf, found: u64 },
    #[error("{path}: built for ABI {found}, this host supports {wanted}; rebuild it against the headers of {wanted}.x")]
    AbiVersion { path: PathBuf, found: u32, wanted: u32 },
    #[error("{path}: `ruleset_entry` has a struct_size of {found} bytes, ABI 1.0 needs {wanted}")]
    StructSize { path: PathBuf, found: u32, wanted: u32 },
    #[error("{path}: no extension `{id}`, which every rule set must have")]
    MissingExtension { path: PathBuf, id: &'static str },
    #[error("{path}: the function `{function}` is null")]
    NullFunction { path: PathBuf, function: &'static str },
    #[error("{path}: `init` failed: {message}")]
    Init { path: PathBuf, message: String },
    #[error("{path}: invalid {what}: {detail}")]
    BadText { path: PathBuf, what: &'static str, detail: String },
    #[error("{path}: variant {variant} is invalid: {detail}")]
    BadVariant { path: PathBuf, variant: u32, detail: String },
    #[error("{path}: not loaded in a worker process: {detail}")]
    Worker { path: PathBuf, detail: String },
    #[error("{path}: the game `{id}` is already loaded from {first}")]
    DuplicateGame { path: PathBuf, id: String, first: PathBuf },
    #[error("{path}: the same file as {first}")]
    DuplicateFile { path: PathBuf, first: PathBuf },
}

impl LoadError {
    /// The file, or the directory if that could not be read.
    pub fn path(&self) -> &Path {
        match self {
            LoadError::Unreadable { path, .. }
            | LoadError::NotALibrary { path, .. }
            | LoadError::NotAllowed { path, .. }
            | LoadError::Open { path, .. }
            | LoadError::NoEntry { path }
            | LoadError::Magic { path, .. }
            | LoadError::AbiVersion { path, .. }
            | LoadError::StructSize { path, .. }
            | LoadError::MissingExtension { path, .. }
            | LoadError::NullFunction { path, .. }
            | LoadError::Init { path, .. }
            | LoadError::BadText { path, .. }
            | LoadError::BadVariant { path, .. }
            | LoadError::Worker { path, .. }
            | LoadError::DuplicateGame { path, .. }
            | LoadError::DuplicateFile { path, .. } => path,
        }
    }
}
