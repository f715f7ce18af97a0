//! Stopping: refuse new work, finish what was taken, give up at the deadline.
//!
//! 1. Not ready any more, for probes and health; after `drain_delay_ms` load
//!    balancers have noticed.
//! 2. The public ports close; open connections finish their calls.
//! 3. After `drain_ms_max` searches are told to answer with what they have,
//!    and connections that still do not finish are broken off.
//! 4. The traces that still wait are sent, and the admin port closes last.

use std::fmt;
use std::time::Duration;

use tokio::time::timeout;

use crate::Running;
use crate::app::Phase;

/// For answers that were cut short to reach their callers.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How a server stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drained {
    /// Every call was finished.
    Complete,
    /// The time was up; searches were told to answer at once, and did.
    CutShort,
    /// So many connections had to be broken off.
    GaveUp(usize),
}

impl fmt::Display for Drained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Drained::Complete => write!(f, "every call was finished"),
            Drained::CutShort => write!(f, "the time was up; the last searches were cut short"),
            Drained::GaveUp(n_open) => write!(f, "the time was up; {n_open} connections were broken off"),
        }
    }
}

pub(crate) async fn drain(running: Running) -> Drained {
    let Running { app, grpc, rest, admin, upkeep, .. } = running;
    app.phase.send_replace(Phase::Draining);
    tracing::info!(delay_ms = app.config.drain_delay_ms, ms_max = app.config.drain_ms_max, "draining");
    tokio::time::sleep(Duration::from_millis(app.config.drain_delay_ms)).await;

    let (mut grpc, mut rest) = tokio::join!(grpc.close(), rest.close());
    app.phase.send_replace(Phase::Closing);
    let finished_in_time = {
        let mut finished = Box::pin(async { tokio::join!(grpc.finished(), rest.finished()) });
        if timeout(Duration::from_millis(app.config.drain_ms_max), &mut finished).await.is_ok() {
            Some(Drained::Complete)
        } else {
            app.engine.stop_searches();
            timeout(LAST_WORDS, &mut finished).await.is_ok().then_some(Drained::CutShort)
        }
    };
    let drained = finished_in_time.unwrap_or_else(|| Drained::GaveUp(grpc.n_open() + rest.n_open()));
    drop((grpc, rest));
    app.telemetry.finish_export().await;

    let mut admin = admin.close().await;
    // A scrape under way may end; an idle probe's connection need not.
    let _ = timeout(LAST_WORDS, admin.finished()).await;
    upkeep.abort();
    tracing::info!("drained: {drained}");
    drained
}
