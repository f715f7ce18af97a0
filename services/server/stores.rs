//! Opens the configured stores of answers.

use std::sync::Arc;
use std::time::Duration;

use pentad_store::{FileConfig, FileStore, Layer, Layers, SharedConfig, SharedStore, SharedTls};

use crate::config::{Config, StoreLocation};

/// How long a stopping server waits for its last answers to be stored.
pub(crate) const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// Opens the stores, nearest first. One that cannot be opened is retried while the
/// server runs without it.
pub(crate) fn open(config: &Config) -> Option<Layers> {
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
                timeout: Duration::from_millis(config.store_shared_ms_max),
                estimate_expiry: Some(config.store_shared_estimate_s_max)
                    .filter(|&seconds| seconds > 0)
                    .map(Duration::from_secs),
                ..SharedConfig::new(address.clone())
            })),
        }
    };
    let layers: Vec<_> = config.store.as_slice().iter().map(layer).collect();
    (!layers.is_empty()).then(|| Layers::new(layers))
}
