//! Graceful shutdown: refuse new calls, complete running ones, give up at the
//! deadline.
//!
//! 1. Probes and health report not ready for `drain_delay_ms`, so that load
//!    balancers send traffic elsewhere.
//! 2. The public ports close; open connections complete their calls.
//! 3. After `drain_ms_max` searches are stopped and return their best result;
//!    connections that are still open [`FLUSH_GRACE`] later are aborted.
//! 4. Queued spans are exported, stores of answers are closed, and the admin port closes
//!    last.
//!
//! It runs on another runtime than the public ports: if theirs is blocked, it still
//! ends at the deadline.

use std::fmt;
use std::time::Duration;

use tokio::time::timeout;

use crate::Running;
use crate::app::ServerPhase;
use crate::stores;

/// Time for the last responses to reach their callers.
const FLUSH_GRACE: Duration = Duration::from_secs(1);

/// How a server stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drained {
    /// Every call was completed.
    Complete,
    /// Searches were stopped at the deadline, and every call was completed.
    CutShort,
    /// The number of connections that were aborted; 0 if the ports did not close.
    GaveUp(usize),
}

impl fmt::Display for Drained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Drained::Complete => write!(f, "every call was finished"),
            Drained::CutShort => write!(f, "the last searches were cut short after drain_ms_max"),
            Drained::GaveUp(0) => write!(f, "the ports did not close within drain_ms_max"),
            Drained::GaveUp(n_open) => write!(f, "{n_open} connections were aborted after drain_ms_max"),
        }
    }
}

pub(crate) async fn drain(running: Running) -> Drained {
    let Running { app, grpc, rest, admin, upkeep, .. } = running;
    app.phase.send_replace(ServerPhase::Draining);
    tracing::info!(delay_ms = app.config().drain_delay_ms, ms_max = app.config().drain_ms_max, "draining");
    tokio::time::sleep(Duration::from_millis(app.config().drain_delay_ms)).await;

    let (mut grpc, mut rest) = (grpc.close(), rest.close());
    app.phase.send_replace(ServerPhase::Closing);
    let finished_in_time = {
        let mut finished = Box::pin(async { tokio::join!(grpc.finished(), rest.finished()) });
        if timeout(Duration::from_millis(app.config().drain_ms_max), &mut finished).await.is_ok() {
            Some(Drained::Complete)
        } else {
            app.engine.stop_searches();
            timeout(FLUSH_GRACE, &mut finished).await.is_ok().then_some(Drained::CutShort)
        }
    };
    let drained = finished_in_time.unwrap_or_else(|| Drained::GaveUp(grpc.n_open() + rest.n_open()));
    drop((grpc, rest));
    app.telemetry.shutdown_export().await;
    if let Some(store) = &app.store {
        store.close(stores::CLOSE_TIMEOUT).await;
    }

    let mut admin = admin.close();
    // A running scrape may complete; idle connections are not waited for.
    let _ = timeout(FLUSH_GRACE, admin.finished()).await;
    upkeep.abort();
    app.telemetry.log_refusals();
    tracing::info!("drained: {drained}");
    drained
}
