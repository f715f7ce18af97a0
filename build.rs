//! Sets `PENTAD_REVISION` to the git revision, and `PENTAD_TARGET` to the platform.
//!
//! Outside a git clone the revision is "unknown", unless the environment variable of
//! that name gives it, as it does in the build of an image.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rustc-env=PENTAD_REVISION={}", revision());
    println!("cargo::rustc-env=PENTAD_TARGET={}", env::var("TARGET").unwrap_or_default());
}

fn revision() -> String {
    println!("cargo::rerun-if-env-changed=PENTAD_REVISION");
    if let Some(given) = env::var("PENTAD_REVISION").ok().filter(|given| !given.is_empty()) {
        return given;
    }
    if !Path::new(".git").exists() {
        // Not a clone; git would look for one further up.
        return "unknown".to_owned();
    }
    watch_head();
    let output = Command::new("git").args(["rev-parse", "--short=12", "HEAD"]).output();
    match output {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).trim().to_owned(),
        _ => "unknown".to_owned(),
    }
}

/// Reruns this script when another commit is checked out. Only files that exist
/// are named: a missing one would rerun it on every build.
fn watch_head() {
    let git = Path::new(".git");
    let mut watched = vec![git.join("HEAD"), git.join("packed-refs")];
    if let Ok(head) = fs::read_to_string(git.join("HEAD"))
        && let Some(branch) = head.trim().strip_prefix("ref: ")
    {
        let branch = git.join(branch);
        // A branch without commits, or with its commit in packed-refs, has no
        // file; its directory changes when it gets one.
        watched.push(if branch.exists() { branch } else { git.join("refs/heads") });
    }
    for path in watched.iter().filter(|path| path.exists()) {
        println!("cargo::rerun-if-changed={}", path.display());
    }
}
