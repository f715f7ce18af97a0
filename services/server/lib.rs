//! Pentad's server: gRPC and REST around the engine, and the process.
//!
//! | module | contents |
//! | --- | --- |
//! | [`config`] | every setting |
//! | `app` | state shared by all ports |
//! | `grpc`, `rest`, `admin` | the three ports |
//! | [`calls`] | the calls of the API, for both protocols; [`proto`] has the gRPC contract as Rust types |
//! | `access` | who may call: tokens, quotas, web origins, TLS |
//! | `answers` | answers as text, for commands and tools |
//! | `batch` | many questions in one call, for both protocols |
//! | [`error`] | the table of errors: code, status, reason and log level |
//! | `telemetry` | metrics, log and traces |
//! | `listen`, `port_service`, `http2_goaway`, `drain` | connections and graceful shutdown |
//! | `mcp` | tools for language models, on the REST port and on standard streams |
//! | `cors`, `security_headers`, `host_header` | headers of browsers |
//! | `streams`, `quota_stream`, `coalesce` | how many streams run; their searches within a quota; one run for concurrent requests |
//! | `background_thread` | work that blocks, on a thread started up front |
//! | `client_address`, `request_id`, `language`, `cache_control` | properties of a request |
//! | `settings_file`, `text_direction` | files that settings name; characters that reorder a text |
//! | `rulesets`, `stores`, `reload` | loads rule sets and stores; applies changes while serving |
//! | `store_backup` | backup of a store that is in use |
//! | [`cli`] | the command line |
//! | `arbitrary_bytes` | parsers of untrusted bytes, for fuzzing and tests |
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
mod answers;
mod app;
#[cfg(any(test, feature = "fuzzing"))]
#[doc(hidden)]
pub mod arbitrary_bytes;
mod background_thread;
mod batch;
mod cache_control;
pub mod calls;
pub mod cli;
mod client_address;
mod coalesce;
pub mod config;
mod cors;
mod drain;
pub mod error;
mod grpc;
mod host_header;
mod http2_goaway;
mod language;
mod listen;
mod mcp;
mod port_service;
mod quota_stream;
mod reload;
mod request_id;
pub mod rest;
mod rulesets;
mod security_headers;
mod settings_file;
mod store_backup;
mod stores;
mod streams;
mod telemetry;
mod text_direction;

use std::fmt;
use std::future::ready;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};

use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use app::{App, Loading, ServerPhase};
use config::Config;
use listen::{BoundPort, file_limit};
use port_service::PortService;
use reload::Reloading;
use rulesets::Plan;
use telemetry::Telemetry;

#[cfg(feature = "oidc")]
pub use access::KeySetError;
pub use access::{AccessError, AuthFailure, TlsError, TokensError};
pub use cli::worker_command;
pub use drain::Drained;
pub use pentad_host::WorkerCommand;
pub use pentad_proto as proto;
pub use reload::ReadConfig;
pub use rulesets::{NoRulesets, RulesetsError};
pub use stores::StoreSecretError;

/// The version of this package.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

static REVISION: OnceLock<&'static str> = OnceLock::new();
static TARGET: OnceLock<&'static str> = OnceLock::new();

/// Returns the commit that the program was built from, or "unknown". The program passes it
/// to [`cli::run`], so that a new commit does not compile this library again.
pub fn revision() -> &'static str {
    REVISION.get().copied().unwrap_or("unknown")
}

/// Returns the platform that the program was built for, or "unknown".
pub(crate) fn target() -> &'static str {
    TARGET.get().copied().unwrap_or("unknown")
}

/// Why a server did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// No rule set could be loaded.
    #[error(transparent)]
    Rulesets(#[from] RulesetsError),
    /// Tokens or certificates cannot be used, or anyone could call.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// The secret of the shared stores cannot be used.
    #[error(transparent)]
    StoreSecret(#[from] StoreSecretError),
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
    /// The system gives no thread.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
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

/// A server that is loading its rule sets, with no port open.
#[derive(Debug)]
pub struct Server {
    app: Arc<App>,
}

impl Server {
    /// Starts the engine and begins to load the rule sets; [`Running::loaded`] waits for
    /// them. Reloads use the same settings. For
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
        let plan = Plan::new(&config, &worker)?;
        let app = Arc::new(App::new(config, Reloading::new(worker, read_config).map_err(StartError::Thread)?)?);
        app.start_loading(plan);
        Ok(Server { app })
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
        // Until then connections wait in the kernel's queue.
        let games = || Box::pin(app.loaded_or_late());
        let addresses = Addresses { grpc: grpc.address(), rest: rest.address(), admin: admin.address() };
        let (grpc_service, rest_router, admin_router) =
            (grpc::GrpcPort::new(&app)?, rest::router(&app), admin::router(&app));
        let running = Running {
            addresses,
            grpc: grpc.serve(PortService::Grpc(grpc_service), config, n_public, metrics("grpc"), tls(), games()),
            rest: rest.serve(PortService::Http(rest_router), config, n_public, metrics("rest"), tls(), games()),
            admin: admin.serve(
                PortService::Http(admin_router),
                config,
                n_admin,
                metrics("admin"),
                None,
                Box::pin(ready(())),
            ),
            upkeep: control.spawn(run_upkeep(Arc::clone(&app))),
            app,
        };
        running.app.phase.send_replace(ServerPhase::Ready);
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

    /// Resolves when every rule set is loaded or refused. Each is served as soon as it is
    /// loaded. The error says that none could be loaded, so that there is nothing to
    /// serve.
    pub async fn loaded(&self) -> Result<(), NoRulesets> {
        let mut loading = self.app.loading.subscribe();
        let ended = loading.wait_for(|loading| !matches!(loading, Loading::Files(_))).await;
        match &*ended.expect("it lives as long as this") {
            Loading::Failed(error) => Err(error.clone()),
            Loading::Complete | Loading::Files(_) => Ok(()),
        }
    }

    /// Resolves when every rule set is loaded or refused, at the latest after a second.
    pub(crate) async fn loaded_or_late(&self) {
        self.app.loaded_or_late().await;
    }

    pub(crate) fn is_loading(&self) -> bool {
        matches!(*self.app.loading.borrow(), Loading::Files(_))
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

    /// Reloads settings and rule sets. The error says why nothing was changed, or why a
    /// file was refused.
    pub(crate) async fn reload_rulesets(&self, cause: &'static str) -> Result<(), String> {
        let reloaded = self.app.reload(cause).await?;
        reloaded.refused.into_iter().next().map_or(Ok(()), |refused| Err(refused.error))
    }

    /// The ids of the games that are served.
    pub(crate) fn games(&self) -> Vec<String> {
        self.app.engine.rulesets().iter().map(|ruleset| ruleset.info().id.clone()).collect()
    }

    /// Drains the server: refuses new calls, completes running ones, and gives up
    /// at the deadline.
    pub async fn stop(self) -> Drained {
        drain::drain(self).await
    }

    /// Logs the addresses and the games so far, and an error if a required game is
    /// missing.
    fn log_started(&self) {
        let loading = self.app.n_loading();
        if let Some(missing) = self.app.missing_games().filter(|_| loading == 0) {
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
            revision = revision(),
            abi = rulesets::abi_version(),
            games = games.join(", "),
            refused = self.app.refused().len(),
            loading,
            grpc = %self.addresses.grpc,
            rest = %self.addresses.rest,
            admin = %self.addresses.admin,
            "serving"
        );
    }
}
