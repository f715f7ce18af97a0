//! The `pentad` program; see [`pentad::cli`].

#![forbid(unsafe_code)]

use std::process::ExitCode;

/// Calls make dozens of small allocations, for which this is markedly faster than the
/// system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    pentad::cli::run(env!("PENTAD_REVISION"), env!("PENTAD_TARGET"))
}
