//! Configuration of a shared store, which every build has.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::shared::SharedAddress;

/// How a shared store is used.
#[derive(Clone, Debug)]
pub struct SharedConfig {
    /// Address of the server.
    pub address: SharedAddress,
    /// Certificates, if the address is one with TLS.
    pub tls: SharedTls,
    /// Secret by which the replicas authenticate their answers. Without it, proofs in the
    /// server are not trusted.
    pub secret: Option<SharedSecret>,
    /// Time after which a lookup or a claim is abandoned.
    pub timeout: Duration,
    /// Time after which a write has failed. No caller waits for a write.
    pub write_timeout: Duration,
    /// Time after which a connection attempt has failed.
    pub connect_timeout: Duration,
    /// Maximum number of answers that wait for the writer.
    pub queue_len_max: usize,
    /// Time after which stored estimates expire; proofs do not expire.
    pub estimate_expiry: Option<Duration>,
    /// How long [`SharedStore::open`](crate::SharedStore::open) waits for the server; after
    /// that it connects while the service runs.
    pub open_wait: Duration,
}

/// Certificates for the connection to a shared store. They matter only for addresses with
/// TLS (`rediss://`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedTls {
    /// PEM file with the authorities that may have issued the server's certificate; by
    /// default those that the system trusts.
    pub ca: Option<PathBuf>,
    /// PEM files with the client certificate that the server may require (mTLS) and its key.
    pub identity: Option<(PathBuf, PathBuf)>,
}

/// A secret that replicas share and that is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct SharedSecret(Box<[u8]>);

impl SharedSecret {
    /// Minimum length in bytes.
    pub const LEN_MIN: usize = 16;

    /// Returns the secret; `None` if it is too short.
    pub fn new(bytes: &[u8]) -> Option<Self> {
        (bytes.len() >= SharedSecret::LEN_MIN).then(|| SharedSecret(bytes.into()))
    }

    /// Returns the bytes.
    #[cfg(feature = "redis")]
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for SharedSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedSecret")
    }
}

impl SharedConfig {
    /// Configures a server with the usual bounds: lookups of 5 ms, 4,096 waiting answers, no
    /// expiry.
    pub fn new(address: SharedAddress) -> Self {
        SharedConfig {
            address,
            tls: SharedTls::default(),
            secret: None,
            timeout: Duration::from_millis(5),
            write_timeout: Duration::from_millis(100),
            connect_timeout: Duration::from_millis(250),
            queue_len_max: 4096,
            estimate_expiry: None,
            open_wait: Duration::from_millis(500),
        }
    }
}

/// Returns whether a text has the scheme of a shared store.
pub(crate) fn has_shared_scheme(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, _)| {
        ["redis", "rediss", "valkey", "valkeys", "unix", "redis+unix", "valkey+unix"].contains(&scheme)
    })
}
