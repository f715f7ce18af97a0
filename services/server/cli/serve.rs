//! `pentad`: build, serve, drain.
//!
//! The public ports have a runtime with a thread per core. Signals, the drain and the
//! admin port have a runtime of their own, on the main thread: if every public thread
//! is blocked, probes report it and SIGTERM still ends the process.

use std::convert::Infallible;
use std::error::Error;

use tokio::runtime::{Builder, Handle};
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::config::{Config, EffectiveConfig};
use crate::listen::file_limit;
use crate::{NoRulesets, ReadConfig, Server, telemetry};

/// Serves with the settings that `read_config` reads again for each reload.
pub(super) fn run(effective: EffectiveConfig, read_config: Box<ReadConfig>) -> Result<(), Box<dyn Error>> {
    let EffectiveConfig { config, warnings, .. } = effective;
    telemetry::init_logs(config.log_format, &config.log_level)?;
    for warning in warnings {
        tracing::warn!("{warning}");
    }
    file_limit::raise();
    let public = Builder::new_multi_thread().thread_name("public").enable_all().build()?;
    let control = Builder::new_current_thread().enable_all().build()?;
    let result = control.block_on(serve(config, read_config, public.handle()));
    // Calls that hang must not keep the process alive.
    public.shutdown_background();
    control.shutdown_background();
    telemetry::flush_logs();
    result
}

async fn serve(config: Config, read_config: Box<ReadConfig>, public: &Handle) -> Result<(), Box<dyn Error>> {
    let mut signals = Signals::new()?;
    let running =
        Server::build_reloadable(config, super::this_program_as_worker(), read_config)?.serve_on(public).await?;
    running.loaded_or_late().await;
    let is_late = running.is_loading();
    if !is_late {
        running.loaded().await?;
    }
    running.log_started();
    // For scripts and tests, independent of the log's format and level.
    telemetry::print_line(&format!("listening {}", running.addresses()));
    let late = async {
        if is_late {
            running.loaded().await?;
            running.log_started();
        }
        std::future::pending::<Result<Infallible, NoRulesets>>().await
    };
    tokio::select! {
        () = signals.stop(|| running.reload("SIGHUP")) => {}
        Err(error) = late => return Err(error.into()),
    }
    tokio::select! {
        _ = running.stop() => Ok(()),
        () = signals.stop(|| tracing::info!("SIGHUP is ignored: the server stops")) => {
            Err("stopped by a second signal before the drain was complete".into())
        }
    }
}

/// The signals that the server handles. None of them ends the process by itself.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
    hangup: Signal,
    quit: Signal,
    user_1: Signal,
    user_2: Signal,
}

impl Signals {
    fn new() -> std::io::Result<Signals> {
        Ok(Signals {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hangup: signal(SignalKind::hangup())?,
            quit: signal(SignalKind::quit())?,
            user_1: signal(SignalKind::user_defined1())?,
            user_2: signal(SignalKind::user_defined2())?,
        })
    }

    /// Waits for SIGTERM or SIGINT. SIGHUP reloads; others are ignored.
    async fn stop(&mut self, reload: impl Fn()) {
        let ignored = |name: &str| tracing::info!("{name} is ignored; SIGTERM stops the server");
        loop {
            tokio::select! {
                _ = self.terminate.recv() => return,
                _ = self.interrupt.recv() => return,
                _ = self.hangup.recv() => reload(),
                _ = self.quit.recv() => ignored("SIGQUIT"),
                _ = self.user_1.recv() => ignored("SIGUSR1"),
                _ = self.user_2.recv() => ignored("SIGUSR2"),
            }
        }
    }
}
