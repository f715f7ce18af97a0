//! The worker process of this crate's tests and benches; the server has its own.

use std::process::ExitCode;

fn main() -> ExitCode {
    match pentad_host::run_worker() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
