//! Pentad's server: gRPC and REST around the engine, and the process.
//!
//! | module | contents |
//! | --- | --- |
//! | [`config`] | every setting |
//! | `app` | state shared by all ports |
//! | `grpc`, `rest`, `admin` | the three ports |
//! | [`calls`] | the calls of the API, for both protocols |
//! | [`proto`] | the gRPC contract as Rust types |
//! | `access` | who may call: tokens, quotas, web origins, TLS |
//! | `batch` | many questions in one call, for both protocols |
//! | [`error`] | the table of errors: code, status, reason and log level |
//! | `telemetry` | metrics, log and traces |
//! | `listen`, `http2_goaway`, `drain` | connections and graceful shutdown |
//! | `cors`, `security_headers` | headers for browsers |
//! | `quota_stream`, `coalesce` | streams of searches within a quota; one run for concurrent requests |
//! | `client_address`, `request_id`, `language` | properties of a request |
//! | `rulesets`, `stores`, `reload` | loads rule sets and stores; applies changes while serving |
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

mod access;
mod admin;
mod app;
#[cfg(any(test, feature = "fuzzing"))]
#[doc(hidden)]
pub mod arbitrary_bytes;
mod batch;
pub mod calls;
pub mod cli;
mod client_address;
mod coalesce;
pub mod config;
mod cors;
mod drain;
pub mod error;
mod grpc;
mod http2_goaway;
mod language;
mod listen;
mod quota_stream;
mod reload;
mod request_id;
pub mod rest;
mod rulesets;
mod security_headers;
mod stores;
mod telemetry;

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use hyper_util::service::TowerToHyperService;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use app::{App, ServerPhase};
use config::Config;
use listen::{BoundPort, file_limit};
use reload::Reloading;
use telemetry::Telemetry;

#[cfg(feature = "oidc")]
pub use access::KeySetError;
pub use access::{AccessError, AuthFailure, TlsError, TokensError};
pub use cli::worker_command;
pub use drain::Drained;
pub use pentad_host::WorkerCommand;
pub use pentad_proto as proto;
pub use reload::ReadConfig;
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
    /// Tokens or certificates cannot be used, or anyone could call.
    #[error(transparent)]
    Access(#[from] AccessError),
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
    /// Loads the rule sets and starts the engine. Reloads use the same settings. For
    /// isolated rule sets, the running program must be `pentad`; other programs pass a
    /// command to [`build_with_worker`](Server::build_with_worker).
    pub fn build(config: Config) -> Result<Server, StartError> {
        Server::build_with_worker(config, cli::this_program_as_worker())
    }

    /// Same as [`build`](Server::build), with the command that runs worker processes.
    pub fn build_with_worker(config: Config, worker: WorkerCommand) -> Result<Server, StartError> {
        let same = config.clone();
        Server::build_reloadable(config, worker, Box::new(move || Ok(same.clone())))
    }

    /// Same as [`build_with_worker`](Self::build_with_worker); reloads read the
    /// settings with `read_config`.
    pub fn build_reloadable(
        config: Config,
        worker: WorkerCommand,
        read_config: Box<ReadConfig>,
    ) -> Result<Server, StartError> {
        let found = rulesets::load(&config, &worker)?;
        Ok(Server { app: Arc::new(App::new(config, found, Reloading::new(worker, read_config))?) })
    }

    /// Opens the three ports and serves on the current runtime until
    /// [`Running::stop`].
    pub async fn serve(self) -> Result<Running, StartError> {
        self.serve_on(&Handle::current()).await
    }

    /// Same as [`serve`](Self::serve), with the public ports on another runtime. Even
    /// if that one is blocked, the admin port responds and [`Running::stop`] ends in
    /// time.
    pub async fn serve_on(self, public: &Handle) -> Result<Running, StartError> {
        let app = self.app;
        let config = &*Arc::clone(&app.config());
        for warning in config.exposure_warnings() {
            tracing::warn!("{warning}");
        }
        let control = Handle::current();
        let grpc = bind("grpc", config.grpc_listen, public)?;
        let rest = bind("rest", config.rest_listen, public)?;
        let admin = bind("admin", config.admin_listen, &control)?;
        {
            let _entered = public.enter();
            app.telemetry.start_export(config).map_err(StartError::Traces)?;
        }
        let n_public = file_limit::public_connections_max(config.connections_max);
        let n_admin = file_limit::ADMIN_CONNECTIONS_MAX;
        let metrics = |port| app.telemetry.port(port);
        let tls = || Some(Arc::clone(&app.access));
        let addresses = Addresses { grpc: grpc.address(), rest: rest.address(), admin: admin.address() };
        let (grpc_service, rest_router, admin_router) =
            (grpc::GrpcPort::new(&app)?, rest::router(&app), admin::router(&app));
        let running = Running {
            addresses,
            grpc: grpc.serve(grpc_service, config, n_public, metrics("grpc"), tls()),
            rest: rest.serve(TowerToHyperService::new(rest_router), config, n_public, metrics("rest"), tls()),
            admin: admin.serve(TowerToHyperService::new(admin_router), config, n_admin, metrics("admin"), None),
            upkeep: control.spawn(run_upkeep(Arc::clone(&app))),
            app,
        };
        running.app.phase.send_replace(ServerPhase::Ready);
        running.log_started();
        Ok(running)
    }
}

fn bind(port: &'static str, address: SocketAddr, runtime: &Handle) -> Result<BoundPort, StartError> {
    BoundPort::bind(address, runtime).map_err(|error| StartError::Listen { port, address, error })
}

async fn run_upkeep(app: Arc<App>) {
    let watch = async {
        if app.config().watch {
            Arc::clone(&app).watch_files().await;
        }
    };
    tokio::join!(run_telemetry(&app.telemetry), watch);
}

async fn run_telemetry(telemetry: &Telemetry) {
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

    /// Reloads the tokens, certificates, web origins, host names and quotas of these
    /// settings. If any is invalid, all stay unchanged.
    pub fn reload_access(&self, config: &Config) -> Result<(), AccessError> {
        self.app.access.reload(config)
    }

    /// Starts a reload of settings and rule sets. The log has its result.
    pub fn reload(&self, cause: &'static str) {
        let app = Arc::clone(&self.app);
        tokio::spawn(async move { drop(app.reload(cause).await) });
    }

    /// Drains the server: refuses new calls, completes running ones, and gives up
    /// at the deadline.
    pub async fn stop(self) -> Drained {
        drain::drain(self).await
    }

    /// Logs the start, and an error if a required game is missing.
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
            refused = self.app.refused().len(),
            grpc = %self.addresses.grpc,
            rest = %self.addresses.rest,
            admin = %self.addresses.admin,
            "serving"
        );
    }
}
