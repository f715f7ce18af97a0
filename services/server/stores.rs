//! Opens the configured stores of answers.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use pentad_store::{FileConfig, FileStore, Layer, Layers, SharedConfig, SharedSecret, SharedStore, SharedTls};

use crate::config::{Config, StoreLocation};

/// How long a stopping server waits for its last answers to be stored.
pub(crate) const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);
/// Maximum length of the file with the secret.
const SECRET_LEN_MAX: u64 = 4096;

/// Why the file of `store_secret` cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreSecretError {
    /// It cannot be read.
    #[error("store_secret: {}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// From reading it.
        error: io::Error,
    },
    /// It is not a file, or has too few or too many bytes.
    #[error(
        "store_secret: {}: expected a file of {} to {SECRET_LEN_MAX} bytes, found {found}; `openssl rand -hex 32` prints a \
         secret",
        path.display(),
        SharedSecret::LEN_MIN
    )]
    NoSecret {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        found: String,
    },
}

/// Opens the stores, nearest first. One that cannot be opened is retried while the
/// server runs without it.
pub(crate) fn open(config: &Config) -> Result<Option<Layers>, StoreSecretError> {
    let secret = config.store_secret.as_deref().map(read_secret).transpose()?;
    if secret.is_none() && config.store.has_shared() {
        tracing::warn!(
            "proofs of the shared store are given as estimates unless the rules confirm them at once; set store_secret to \
             a file with a secret that all replicas have"
        );
    }
    let layer = |location: &StoreLocation| -> Arc<dyn Layer> {
        match location {
            StoreLocation::File(path) => Arc::new(FileStore::open(FileConfig {
                bytes_max: config.store_mib << 20,
                read_timeout: Duration::from_millis(config.store_read_ms_max),
                ..FileConfig::new(path.clone())
            })),
            StoreLocation::Shared(address) => Arc::new(SharedStore::open(SharedConfig {
                tls: SharedTls {
                    ca: config.store_ca.clone(),
                    identity: config.store_cert.clone().zip(config.store_key.clone()),
                },
                secret: secret.clone(),
                timeout: Duration::from_millis(config.store_shared_ms_max),
                estimate_expiry: Some(config.store_shared_estimate_s_max)
                    .filter(|&seconds| seconds > 0)
                    .map(Duration::from_secs),
                ..SharedConfig::new(address.clone())
            })),
        }
    };
    let layers: Vec<_> = config.store.as_slice().iter().map(layer).collect();
    Ok((!layers.is_empty()).then(|| Layers::new(layers)))
}

/// Reads the secret, without the line break at its end.
fn read_secret(path: &Path) -> Result<SharedSecret, StoreSecretError> {
    let unreadable = |error| StoreSecretError::Unreadable { path: path.to_owned(), error };
    let no_secret = |found: String| StoreSecretError::NoSecret { path: path.to_owned(), found };
    // Opening a pipe could block forever.
    if !std::fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(no_secret("something else".to_owned()));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(SECRET_LEN_MAX + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > SECRET_LEN_MAX {
        return Err(no_secret("more".to_owned()));
    }
    let secret = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
    let secret = secret.strip_suffix(b"\r").unwrap_or(secret);
    SharedSecret::new(secret).ok_or_else(|| no_secret(secret.len().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A secret has at least 16 bytes without its line break; the error names the file and
    /// never the secret.
    #[test]
    fn secrets_are_files() {
        let read = |content: &[u8]| read_secret(&pentad_test_plugins::file("secret", content));
        let secret = SharedSecret::new(b"0123456789abcdef");
        for content in [&b"0123456789abcdef"[..], b"0123456789abcdef\n", b"0123456789abcdef\r\n"] {
            assert_eq!(read(content).ok(), secret);
        }
        assert_eq!(format!("{secret:?}"), "Some(SharedSecret)");
        for (content, found) in
            [(&b"0123456789abcde\n"[..], "found 15;"), (b"", "found 0;"), (&[b'x'; 4097], "found more;")]
        {
            let error = read(content).expect_err("not a secret").to_string();
            assert!(error.starts_with("store_secret: /") && error.contains(found), "{error}");
            assert!(!error.contains("0123"), "{error}");
        }
        let error = |path: &str| read_secret(Path::new(path)).expect_err("not a secret").to_string();
        assert!(error("/dev/null").contains("found something else"), "{}", error("/dev/null"));
        assert!(error("/no/such/file").contains("No such file"), "{}", error("/no/such/file"));
    }
}
