//! The program: config, build, serve, drain; or one of the subcommands.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    pentad::cli::run()
}
