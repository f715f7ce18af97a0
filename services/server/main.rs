//! The program: config, build, serve, drain; or one of the subcommands.

#![forbid(unsafe_code)]

use std::process::ExitCode;

/// A call allocates some dozens of small pieces; this allocator serves them
/// markedly faster than the system's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    pentad::cli::run()
}
