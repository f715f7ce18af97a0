//! `proto/` to Rust and a descriptor set for reflection; the git revision.
//!
//! protox compiles the contract, so no protoc is needed. Outside a git clone
//! the revision is "unknown"; whoever builds an image from a bare tree can give
//! it as `PENTAD_REVISION`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use prost::Message;

const PROTOS: [&str; 10] = [
    "proto/pentad/v1/analysis.proto",
    "proto/pentad/v1/compare.proto",
    "proto/pentad/v1/evaluation.proto",
    "proto/pentad/v1/explorer.proto",
    "proto/pentad/v1/game.proto",
    "proto/pentad/v1/limits.proto",
    "proto/pentad/v1/puzzles.proto",
    "proto/pentad/v1/reason.proto",
    "proto/pentad/v1/review.proto",
    "proto/pentad/v1/threats.proto",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    compile_protos()?;
    println!("cargo::rustc-env=PENTAD_REVISION={}", revision());
    Ok(())
}

fn compile_protos() -> Result<(), Box<dyn std::error::Error>> {
    for proto in PROTOS {
        println!("cargo::rerun-if-changed={proto}");
    }
    let out_dir = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let descriptors = protox::compile(PROTOS, ["proto"])?;
    fs::write(out_dir.join("pentad.bin"), descriptors.encode_to_vec())?;
    tonic_prost_build::configure()
        // Maps in key order, so that equal answers have equal bytes.
        .btree_map(".")
        // A page of moves is encoded straight from the engine's answer.
        .extern_path(".pentad.v1.ListLegalMovesResponse", "crate::proto::ListLegalMovesResponse")
        .compile_fds(descriptors)?;
    Ok(())
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

/// Runs this again when another commit is checked out. Only files that exist
/// are named: a missing one would make every build start anew.
fn watch_head() {
    let git = Path::new(".git");
    let mut watched = vec![git.join("HEAD"), git.join("packed-refs")];
    if let Ok(head) = fs::read_to_string(git.join("HEAD"))
        && let Some(branch) = head.trim().strip_prefix("ref: ")
    {
        let branch = git.join(branch);
        // A branch without commits, or with its commit in packed-refs, has no
        // file; its directory tells when it gets one.
        watched.push(if branch.exists() { branch } else { git.join("refs/heads") });
    }
    for path in watched.iter().filter(|path| path.exists()) {
        println!("cargo::rerun-if-changed={}", path.display());
    }
}
