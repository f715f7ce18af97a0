//! Stores can be read and written.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pentad_engine::{AnswerStore, PositionKey, StoreKey, StoreScope};
use pentad_store::{Layers, StoreFile};

use super::finding::Findings;
use crate::config::{Config, StoreLocation};
use crate::stores;

/// How long a shared store may take to answer at all.
const SHARED_WAIT: Duration = Duration::from_secs(20);
/// Timeout of one lookup there, in place of `store_shared_ms_max`: the first one connects.
const SHARED_LOOKUP_MS: u64 = 3_000;

pub(super) fn check(config: &Config, findings: &mut Findings) {
    let stores = config.store.as_slice();
    for store in stores {
        match store {
            StoreLocation::File(path) => check_file(path, config.store_mib, findings),
            StoreLocation::Shared(address) => {
                if let Err(problem) = reach_shared(config, store) {
                    findings.failed(
                        format!("{address}: {problem}"),
                        "start it, or correct the address, the network policy or the certificates; the server would \
                         search everything itself",
                    );
                }
            }
        }
    }
    findings.ok(match stores {
        [] => "none is configured".to_owned(),
        _ => {
            format!("{} can be read and written", stores.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
        }
    });
}

fn check_file(path: &Path, store_mib: u64, findings: &mut Findings) {
    let file = match StoreFile::create(path) {
        Ok(file) => file,
        Err(error) => {
            return findings.failed(
                error.to_string(),
                "make its directory writable for the server's user, stop the process that has it open, or restore a backup",
            );
        }
    };
    let present_mib = file.file_bytes().map_or(0, |bytes| bytes >> 20);
    let free_mib = rustix::fs::statvfs(path).map_or(u64::MAX, |disk| disk.f_bavail.saturating_mul(disk.f_frsize) >> 20);
    let missing_mib = store_mib.saturating_sub(present_mib);
    if free_mib < missing_mib {
        findings.warning(
            format!(
                "{}: {free_mib} MiB are free, and the file may grow by {missing_mib} MiB (store_mib)",
                path.display()
            ),
            "use a larger volume, or lower store_mib",
        );
    }
}

/// Looks an answer up and takes a lease, which writes, in a server that replicas share.
fn reach_shared(config: &Config, store: &StoreLocation) -> Result<(), String> {
    let patient = Config { store: store.clone().into(), store_shared_ms_max: SHARED_LOOKUP_MS, ..config.clone() };
    let layers = stores::open(&patient).map_err(|error| error.to_string())?.ok_or("there is no store")?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().build().map_err(|error| error.to_string())?;
    runtime.block_on(async {
        let result = use_shared(&layers).await;
        layers.close(stores::CLOSE_TIMEOUT).await;
        result
    })
}

async fn use_shared(layers: &Layers) -> Result<(), String> {
    let text = |text: &str| text.to_owned();
    let scope = StoreScope { game: text("preflight"), version: text("0"), fingerprint: text("0"), variant: text("0") };
    let key = StoreKey { scope: Arc::new(scope), digest: PositionKey([0; 16]) };
    let problem = || layers.status().iter().find_map(|layer| layer.state.problem().map(str::to_owned));
    let started = Instant::now();
    loop {
        layers.get(&key).await;
        let answered = layers.status().iter().map(|layer| layer.reads.miss + layer.reads.hit).sum::<u64>();
        if answered > 0 {
            break;
        }
        if let Some(problem) = problem() {
            return Err(problem);
        }
        if started.elapsed() > SHARED_WAIT {
            return Err(format!("no answer within {} s", SHARED_WAIT.as_secs()));
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    drop(layers.claim(&key, Duration::from_secs(1)).await);
    problem().map_or(Ok(()), Err)
}
