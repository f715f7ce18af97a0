//! `pentad`: build, serve, drain.

use std::error::Error;

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::config::{Config, EffectiveConfig};
use crate::listen::file_limit;
use crate::{Server, telemetry};

pub(super) fn run(effective: EffectiveConfig) -> Result<(), Box<dyn Error>> {
    let EffectiveConfig { config, warnings, .. } = effective;
    telemetry::init_logs(config.log_format, &config.log_level);
    for warning in warnings {
        tracing::warn!("{warning}");
    }
    file_limit::raise();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let result = runtime.block_on(serve(config));
    // Hanging searches must not keep the process alive.
    runtime.shutdown_background();
    result
}

async fn serve(config: Config) -> Result<(), Box<dyn Error>> {
    let mut signals = Signals::new()?;
    let running = Server::build(config)?.serve().await?;
    // For scripts and tests, independent of the log's format and level.
    eprintln!("listening {}", running.addresses());
    signals.next().await;
    tokio::select! {
        _ = running.stop() => Ok(()),
        () = signals.next() => Err("stopped by a second signal before the drain was complete".into()),
    }
}

/// SIGTERM and SIGINT.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn new() -> std::io::Result<Signals> {
        Ok(Signals { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
