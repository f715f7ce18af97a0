//! How a folder is built, and the library that results.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use serde::Deserialize;

/// A folder, by its way to be built.
#[derive(Debug)]
pub(super) enum Project {
    Cargo { dir: PathBuf },
    Make { dir: PathBuf },
    Other { dir: PathBuf, command: String, library: PathBuf },
}

/// The part of a message of cargo that names what was built.
#[derive(Deserialize)]
struct Message {
    target: Option<Target>,
    #[serde(default)]
    filenames: Vec<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    crate_types: Vec<String>,
}

impl Project {
    pub(super) fn find(dir: &Path) -> Result<Project, String> {
        let has = |file: &str| dir.join(file).is_file();
        let dir = dir.to_owned();
        if has("Cargo.toml") {
            Ok(Project::Cargo { dir })
        } else if has("Makefile") || has("makefile") {
            Ok(Project::Make { dir })
        } else if dir.is_dir() {
            let dir = dir.display();
            Err(format!("{dir} has neither Cargo.toml nor Makefile: use --build and --library, or `pentad new`"))
        } else {
            Err(format!("{} is no folder", dir.display()))
        }
    }

    /// Builds the library and returns its path. Compilers write to standard error.
    pub(super) fn build(&self) -> Result<PathBuf, String> {
        match self {
            Project::Cargo { dir } => {
                let mut cargo = Command::new("cargo");
                cargo.args(["build", "--release", "--message-format=json-render-diagnostics"]).current_dir(dir);
                library_of(&run(&mut cargo)?)
            }
            Project::Make { dir } => {
                run(Command::new("make").current_dir(dir))?;
                newest_library(dir)
            }
            Project::Other { dir, command, library } => {
                run(Command::new("sh").args(["-c", command]).current_dir(dir))?;
                let library = dir.join(library);
                library.is_file().then(|| library.clone()).ok_or_else(|| format!("there is no {}", library.display()))
            }
        }
    }
}

/// Runs a command and returns its standard output.
fn run(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("{program}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{program}: {}; see above", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The shared library among cargo's messages, one per line.
fn library_of(messages: &str) -> Result<PathBuf, String> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Message>(line).ok());
    let is_shared = |message: &Message| {
        message.target.as_ref().is_some_and(|target| target.crate_types.iter().any(|kind| kind == "cdylib"))
    };
    let mut files = messages.filter(is_shared).flat_map(|message| message.filenames);
    files.rfind(|file| is_library(file)).ok_or_else(|| "Cargo.toml has no `crate-type = [\"cdylib\"]`".to_owned())
}

fn newest_library(dir: &Path) -> Result<PathBuf, String> {
    let entries = fs::read_dir(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    let libraries = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| is_library(path));
    let changed = |path: &PathBuf| path.metadata().and_then(|it| it.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    libraries.max_by_key(changed).ok_or_else(|| format!("make left no *.so in {}", dir.display()))
}

fn is_library(path: &Path) -> bool {
    path.to_string_lossy().ends_with(std::env::consts::DLL_SUFFIX)
}
