//! Logs events of worker processes.

use pentad_host::{WorkerEvent, WorkerObserver};

#[derive(Debug)]
pub(crate) struct WorkerLog;

impl WorkerObserver for WorkerLog {
    fn observe(&self, game: &str, event: WorkerEvent<'_>) {
        match event {
            WorkerEvent::Started { pid, protections } => {
                tracing::info!(game, pid, %protections, "worker process started");
            }
            WorkerEvent::Ended { pid, reason, restart_after, is_quarantine: false } => {
                let restart_ms = restart_after.as_millis() as u64;
                tracing::error!(game, pid, reason, restart_ms, "worker process ended; it is restarted");
            }
            WorkerEvent::Ended { pid, reason, restart_after, is_quarantine: true } => {
                let restart_s = restart_after.as_secs();
                tracing::error!(
                    game,
                    pid,
                    reason,
                    restart_s,
                    "worker process ended repeatedly; its rule set is quarantined"
                );
            }
            WorkerEvent::Printed { line } => tracing::info!(game, line, "printed by the rule set"),
            WorkerEvent::LinesDropped { n_lines } => {
                tracing::warn!(game, n_lines, "further lines printed by the rule set were dropped");
            }
        }
    }
}
