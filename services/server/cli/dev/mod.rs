//! `pentad dev`: builds, checks and serves the game of a folder, again after every change.
//!
//! The server is this process; the rule set runs in one of its own, as any that is not
//! bundled. A build or check that fails changes nothing: the last good one is served on.
//!
//! | module | contents |
//! | --- | --- |
//! | `build` | how a folder is built, and the library that results |
//! | `sources` | when files have changed |

mod build;
mod sources;

use std::error::Error;
use std::io::{IsTerminal, stdout};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{fmt, fs};

use clap::Args;
use tokio::runtime::Handle;
use tokio::signal::unix::{SignalKind, signal};

use super::check::check_briefly;
use super::style::Palette;
use crate::config::Config;
use crate::{Running, Server};

use build::Project;
use sources::Sources;

/// How often files are compared.
const POLL_INTERVAL: Duration = Duration::from_millis(300);

/// Builds by `cargo build --release` or `make`, or as you say.
#[derive(Debug, Args)]
pub(super) struct DevArgs {
    /// Folder of the game: with a Cargo.toml or a Makefile
    #[arg(value_name = "DIR", default_value = ".")]
    dir: PathBuf,
    /// Command that builds the library, run by `sh` in the folder
    #[arg(long, value_name = "COMMAND", requires = "library")]
    build: Option<String>,
    /// The library that the command makes
    #[arg(long, value_name = "FILE", requires = "build")]
    library: Option<PathBuf>,
    /// Does not open the page in a browser
    #[arg(long)]
    no_open: bool,
}

pub(super) fn run(args: &DevArgs, config: Config) -> Result<(), Box<dyn Error>> {
    let project = match args.build.clone().zip(args.library.clone()) {
        Some((command, library)) => Project::Other { dir: args.dir.clone(), command, library },
        None => Project::find(&args.dir)?,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let result = runtime.block_on(async {
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            result = develop(args, project, config) => result,
            _ = interrupt.recv() => Ok(()),
            _ = terminate.recv() => Ok(()),
        }
    });
    // A build that still runs must not keep the process alive.
    runtime.shutdown_background();
    result
}

/// Builds and serves until it is dropped.
async fn develop(args: &DevArgs, project: Project, config: Config) -> Result<(), Box<dyn Error>> {
    let mut served = Served { stage: Stage::new()?, config, running: None };
    let sources = Sources::new(&args.dir);
    let project = Arc::new(project);
    let (mut is_first, is_screen) = (true, stdout().is_terminal());
    loop {
        let built_from = sources.fingerprint();
        if is_screen {
            // Clears the screen.
            print!("\u{1b}[2J\u{1b}[H");
        }
        let report = update(&project, &mut served).await;
        println!("\n{report}");
        if is_first
            && is_screen
            && !args.no_open
            && let Some(page) = &report.page
        {
            open_page(page);
        }
        is_first &= report.page.is_none();
        println!("\nWaiting for changes in {}. Ctrl-C ends.", args.dir.display());
        sources.wait_for_change(built_from, POLL_INTERVAL).await;
    }
}

/// What one round of building, checking and serving gave.
struct Report {
    built: Result<PathBuf, String>,
    took: Duration,
    /// `None` if there was nothing to check.
    checked: Option<Result<(), String>>,
    /// The address of the page, if a version of the game is served.
    page: Option<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let palette = Palette::of_stdout();
        let line = |f: &mut fmt::Formatter<'_>, step: &str, result: Result<String, &str>| match result {
            Ok(text) => writeln!(f, "  {step}  {}  {text}", palette.good("ok    ")),
            Err(error) => writeln!(f, "  {step}  {}  {error}", palette.bad("failed")),
        };
        let built =
            self.built.as_ref().map(|library| format!("{} in {:.1} s", library.display(), self.took.as_secs_f64()));
        line(f, "build", built.map_err(String::as_str))?;
        let is_new = matches!(self.checked, Some(Ok(())));
        if let Some(checked) = &self.checked {
            let text = "briefly; `pentad check` looks longer".to_owned();
            line(f, "check", checked.as_ref().map(|()| text).map_err(String::as_str))?;
        }
        match &self.page {
            Some(page) if is_new => write!(f, "  play   {page}"),
            Some(page) => write!(f, "  play   {page} (the last version without a failure)"),
            None => write!(f, "  play   nothing is served yet"),
        }
    }
}

async fn update(project: &Arc<Project>, served: &mut Served) -> Report {
    let (builder, began) = (Arc::clone(project), Instant::now());
    let built = tokio::task::spawn_blocking(move || builder.build()).await;
    let built = built.unwrap_or_else(|panic| Err(panic.to_string()));
    let took = began.elapsed();
    let checked = match &built {
        Ok(library) => Some(served.publish(library).await),
        Err(_) => None,
    };
    Report { built, took, checked, page: served.page() }
}

/// The server, once there is something to serve.
struct Served {
    stage: Stage,
    config: Config,
    running: Option<Running>,
}

impl Served {
    /// Checks a library and serves it in place of the one before.
    async fn publish(&mut self, library: &Path) -> Result<(), String> {
        let staged = self.stage.put(library).map_err(|error| format!("{}: {error}", library.display()))?;
        let Some(running) = &self.running else {
            let checked = tokio::task::spawn_blocking(move || check_briefly(&staged)).await;
            checked.map_err(|panic| panic.to_string())??;
            self.running = Some(self.start().await?);
            return Ok(());
        };
        // Checks it as well.
        running.reload_rulesets("dev").await
    }

    async fn start(&self) -> Result<Running, String> {
        let free_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let mut config = self.config.clone();
        config.rulesets = self.stage.dir.clone().into();
        (config.grpc_listen, config.admin_listen, config.watch) = (free_port, free_port, false);
        let server = Server::build(config).map_err(|error| error.to_string())?;
        let running = server.serve_on(&Handle::current()).await.map_err(|error| error.to_string())?;
        running.loaded().await.map_err(|error| error.to_string())?;
        Ok(running)
    }

    fn page(&self) -> Option<String> {
        let running = self.running.as_ref()?;
        let games = running.games();
        Some(format!("http://{}/#{}", running.addresses().rest, games.first()?))
    }
}

/// The directory that the server loads rule sets from; it has one at a time.
struct Stage {
    dir: PathBuf,
}

impl Stage {
    fn new() -> std::io::Result<Stage> {
        let dir = std::env::temp_dir().join(format!("pentad-dev-{}", std::process::id()));
        fs::create_dir_all(&dir)?;
        Ok(Stage { dir })
    }

    /// Copies a library; one of the same name is replaced at once and as a whole.
    fn put(&self, library: &Path) -> std::io::Result<PathBuf> {
        let name = library.file_name().unwrap_or_default();
        let (copy, staged) = (self.dir.join("next"), self.dir.join(name));
        fs::copy(library, &copy)?;
        fs::rename(copy, &staged)?;
        for entry in fs::read_dir(&self.dir)? {
            let entry = entry?;
            if entry.file_name() != name {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(staged)
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // Ignored: the system clears its folder of temporary files.
        let _ = fs::remove_dir_all(&self.dir);
    }
}

/// Opens a page in the browser, where the desktop has a command for it.
fn open_page(page: &str) {
    let opened =
        Command::new("xdg-open").arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if let Ok(mut child) = opened {
        std::thread::spawn(move || child.wait());
    }
}
