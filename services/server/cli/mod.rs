//! The command line: `pentad` serves, its subcommands ask.

mod check;
mod games;
mod health;
mod hint;
mod picture;
mod serve;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

use crate::config::{self, ConfigError, KnobFlags, Settings};

/// Bad configuration, as in sysexits.h.
const EXIT_USAGE: u8 = 64;
/// A failed start, or an answer of "no".
const EXIT_FAILURE: u8 = 1;

/// Game analysis as a service: legal moves, evaluations and hints.
///
/// Without a subcommand it serves until SIGTERM or SIGINT.
#[derive(Debug, Parser)]
#[command(name = "pentad", version = version(), args_conflicts_with_subcommands = false)]
struct Arguments {
    /// TOML file with settings, below flags and environment [environment PENTAD_CONFIG]
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
    /// Prints the effective settings as TOML, with where each comes from, and exits
    #[arg(long)]
    print_config: bool,
    #[command(flatten)]
    knobs: KnobFlags,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Finds the best moves of a position, without a server
    Hint(hint::HintArgs),
    /// Tries the laws of the conformance kit on a rule set; exits 1 if it breaks one
    Check(check::CheckArgs),
    /// Lists the games that would be served
    Games,
    /// Asks a running server whether it may get traffic; exits 0 if so, else 1
    Health(health::HealthArgs),
}

/// Does what the command line says.
pub fn run() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return explain(&error),
    };
    let settings = match settings(&arguments) {
        Ok(settings) => settings,
        Err(error) => {
            eprintln!("pentad: {error}");
            return ExitCode::from(EXIT_USAGE);
        }
    };
    if arguments.print_config {
        print!("{}", config::print(&settings));
        return ExitCode::SUCCESS;
    }
    let done = match arguments.command {
        None => serve::run(settings.config),
        Some(Command::Hint(args)) => hint::run(args, &settings.config),
        Some(Command::Check(args)) => check::run(args),
        Some(Command::Games) => games::run(&settings.config),
        Some(Command::Health(args)) => health::run(&args, &settings.config),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pentad: {error}");
            ExitCode::from(EXIT_FAILURE)
        }
    }
}

fn settings(arguments: &Arguments) -> Result<Settings, ConfigError> {
    let env = |name: &str| std::env::var(name).ok();
    let file = arguments.config.clone().or_else(|| env("PENTAD_CONFIG").map(PathBuf::from));
    Settings::load(&arguments.knobs, env, file.as_deref())
}

/// Help and version are no errors.
fn explain(error: &clap::Error) -> ExitCode {
    // Nobody is left to tell if standard error is closed.
    let _ = error.print();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => ExitCode::SUCCESS,
        _ => ExitCode::from(EXIT_USAGE),
    }
}

fn version() -> String {
    format!("{} ({}, ABI {})", crate::VERSION, crate::REVISION, crate::rulesets::abi_version())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    /// Flags do not collide, and every knob is one.
    #[test]
    fn command_line_is_sound() {
        Arguments::command().debug_assert();
        let arguments = Arguments::try_parse_from(["pentad", "hint", "pentago", "--rulesets", "/x"]).unwrap();
        assert!(matches!(arguments.command, Some(Command::Hint(_))));
        let settings = Settings::load(&arguments.knobs, |_| None, None).unwrap();
        assert_eq!(settings.config.rulesets, Some(PathBuf::from("/x")));
    }
}
