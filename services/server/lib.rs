//! Pentad's server: gRPC and REST around the engine, and the process.
//!
//! | module | contents |
//! | --- | --- |
//! | [`config`] | every setting |
//! | `app` | state shared by all ports |
//! | `grpc`, `rest`, `admin` | the three ports |
//! | [`proto`], [`rest::types`] | the two contracts as Rust types |
//! | `convert` | conversions between contract types and engine types |
//! | [`error`] | the table of errors: code, status, reason and log level |
//! | `telemetry` | metrics, log and traces |
//! | `listen`, `http2_goaway`, `drain` | connections and graceful shutdown |
//! | [`cli`] | the command line |
//!
//! ```no_run
//! # async fn run() -> Result<(), pentad::StartError> {
//! let server = pentad::Server::build(pentad::config::Config::default())?;
//! let running = server.serve().await?;
//! println!("{}", running.addresses());
//! running.stop().await;
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]

mod admin;
mod app;
pub mod cli;
pub mod config;
mod convert;
mod cors;
mod drain;
pub mod error;
mod grpc;
mod http2_goaway;
mod listen;
pub mod proto;
mod request_id;
pub mod rest;
mod rulesets;
mod telemetry;

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use hyper_util::service::TowerToHyperService;
use pentad_engine::Engine;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use app::{App, Phase};
use config::Config;
use listen::BoundPort;
use telemetry::Telemetry;

pub use cli::worker_command;
pub use drain::Drained;
pub use pentad_host::WorkerCommand;
pub use rulesets::RulesetsError;

/// The version of this package.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The commit this was built from, or "unknown".
pub const REVISION: &str = env!("PENTAD_REVISION");

/// Why a server did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// No rule set could be loaded.
    #[error(transparent)]
    Rulesets(#[from] RulesetsError),
    /// A port could not be opened.
    #[error("cannot listen on {address} ({port}): {error}")]
    Listen {
        /// `grpc`, `rest` or `admin`.
        port: &'static str,
        /// The configured address.
        address: SocketAddr,
        /// From binding it.
        error: io::Error,
    },
    /// The metrics could not be set up.
    #[error("metrics: {0}")]
    Metrics(#[from] metrics_exporter_prometheus::BuildError),
    /// The span exporter could not be set up.
    #[error("traces: {0}")]
    Traces(Box<dyn std::error::Error + Send + Sync>),
    /// gRPC reflection could not be set up.
    #[error("reflection: {0}")]
    Reflection(#[from] tonic_reflection::server::Error),
}

/// A server with its rule sets loaded and no port open.
#[derive(Debug)]
pub struct Server {
    app: Arc<App>,
}

impl Server {
    /// Loads the rule sets and starts the engine. For isolated rule sets, the running
    /// program has to be `pentad`; another one names it to
    /// [`build_with_worker`](Server::build_with_worker).
    pub fn build(config: Config) -> Result<Server, StartError> {
        Server::build_with_worker(config, cli::this_program_as_worker())
    }

    /// As [`build`](Server::build), with the command that runs worker processes.
    pub fn build_with_worker(config: Config, worker: WorkerCommand) -> Result<Server, StartError> {
        let (rulesets, refused) = rulesets::load(&config, worker)?;
        let telemetry = Telemetry::new(&rulesets, refused.len(), config.access_log)?;
        let observer = Arc::new(telemetry.observer(&rulesets));
        let engine = Engine::new(config.engine(), rulesets, observer);
        let phase = watch::Sender::new(Phase::Starting);
        Ok(Server { app: Arc::new(App { config, engine, telemetry, refused, phase }) })
    }

    /// Opens the three ports and serves until [`Running::stop`].
    pub async fn serve(self) -> Result<Running, StartError> {
        let app = self.app;
        let config = &app.config;
        let grpc = bind("grpc", config.grpc_listen).await?;
        let rest = bind("rest", config.rest_listen).await?;
        let admin = bind("admin", config.admin_listen).await?;
        app.telemetry.start_export(config).map_err(StartError::Traces)?;
        let connections = |port| app.telemetry.connections(port);
        let addresses = Addresses { grpc: grpc.address(), rest: rest.address(), admin: admin.address() };
        let running = Running {
            addresses,
            grpc: grpc.serve(grpc::GrpcPort::new(&app)?, config, connections("grpc")),
            rest: rest.serve(TowerToHyperService::new(rest::router(&app)), config, connections("rest")),
            admin: admin.serve(TowerToHyperService::new(admin::router(&app)), config, connections("admin")),
            upkeep: tokio::spawn(run_upkeep(Arc::clone(&app.telemetry))),
            app,
        };
        running.app.phase.send_replace(Phase::Ready);
        running.log_started();
        Ok(running)
    }
}

async fn bind(port: &'static str, address: SocketAddr) -> Result<BoundPort, StartError> {
    BoundPort::bind(address).await.map_err(|error| StartError::Listen { port, address, error })
}

async fn run_upkeep(telemetry: Arc<Telemetry>) {
    let mut upkeep = tokio::time::interval(telemetry::UPKEEP_INTERVAL);
    let mut refusals = tokio::time::interval(telemetry::REFUSALS_INTERVAL);
    loop {
        tokio::select! {
            _ = upkeep.tick() => telemetry.upkeep(),
            _ = refusals.tick() => telemetry.log_refusals(),
        }
    }
}

/// The addresses that a server listens on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Addresses {
    /// gRPC and gRPC-Web.
    pub grpc: SocketAddr,
    /// REST.
    pub rest: SocketAddr,
    /// Metrics and probes.
    pub admin: SocketAddr,
}

impl fmt::Display for Addresses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "grpc={} rest={} admin={}", self.grpc, self.rest, self.admin)
    }
}

/// A server with its ports open.
#[derive(Debug)]
pub struct Running {
    addresses: Addresses,
    app: Arc<App>,
    grpc: listen::ServingPort,
    rest: listen::ServingPort,
    admin: listen::ServingPort,
    upkeep: JoinHandle<()>,
}

impl Running {
    /// The addresses with the actual ports.
    pub fn addresses(&self) -> Addresses {
        self.addresses
    }

    /// Drains the server: refuses new calls, completes running ones, and gives up
    /// at the deadline.
    pub async fn stop(self) -> Drained {
        drain::drain(self).await
    }

    /// The log line of a start, and one if a required game is missing.
    fn log_started(&self) {
        if let Some(missing) = self.app.missing_games() {
            tracing::error!(missing, "not ready: required games are missing; see require_games and /plugins");
        }
        let games: Vec<String> = self
            .app
            .engine
            .rulesets()
            .iter()
            .map(|ruleset| format!("{} {}", ruleset.info().id, ruleset.info().version))
            .collect();
        tracing::info!(
            version = VERSION,
            revision = REVISION,
            abi = rulesets::abi_version(),
            games = games.join(", "),
            refused = self.app.refused.len(),
            grpc = %self.addresses.grpc,
            rest = %self.addresses.rest,
            admin = %self.addresses.admin,
            "serving"
        );
    }
}
