//! The command line: `pentad` serves; subcommands work without a server or
//! query one.

mod batch;
mod check;
mod client;
mod compare;
mod completions;
mod dev;
mod evaluate;
mod explore;
mod game_text;
mod games;
mod health;
mod help;
mod hint;
mod import;
mod input;
mod judge;
mod mcp;
mod measure;
mod new;
mod play;
mod players;
mod position;
mod preflight;
mod progress;
mod puzzles;
mod question;
mod review;
mod selfplay;
mod serve;
mod store;
mod store_backup;
mod style;
mod text;
mod threats;
mod token;
mod version;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{FromArgMatches as _, Parser, Subcommand};
use pentad_host::WorkerCommand;

use crate::config::{self, EffectiveConfig, LogFilter, LogFormat, ServeFlags, SettingFlags};
use crate::telemetry;

pub(crate) use check::check_briefly;

/// Bad configuration, as in sysexits.h.
const EXIT_USAGE: u8 = 64;
/// A failed start, or a failed check.
const EXIT_FAILURE: u8 = 1;

/// The subcommand with which the server starts itself as a worker process.
const WORKER: &str = "ruleset-worker";

/// Returns the command that runs worker processes, for a server in another program than
/// `pentad`.
pub fn worker_command(pentad: PathBuf) -> WorkerCommand {
    WorkerCommand { program: pentad, args: vec![WORKER.into()] }
}

/// Returns the command that runs this program as a worker process.
pub(crate) fn this_program_as_worker() -> WorkerCommand {
    WorkerCommand::this_program(WORKER)
}

/// Game analysis as a service: legal moves, evaluations and hints.
#[derive(Debug, Parser)]
#[command(name = "pentad", version = version::short(), long_version = version::long())]
#[command(args_conflicts_with_subcommands = false, disable_help_subcommand = true)]
struct Arguments {
    /// TOML file with settings; flags and environment override it [environment PENTAD_CONFIG]
    #[arg(long, value_name = "FILE", global = true, hide = true)]
    config: Option<PathBuf>,
    /// Prints the effective settings and their sources as TOML, and exits
    #[arg(long)]
    print_config: bool,
    #[command(flatten)]
    flags: SettingFlags,
    #[command(subcommand)]
    command: Option<Command>,
}

/// The commands, one per line: `help` sorts them by subject.
#[derive(Debug, Subcommand)]
enum Command {
    /// Serves gRPC, REST and the board page, as without a command
    Serve(ServeFlags),
    /// Finds the best moves of a position
    Hint(hint::HintArgs),
    /// Evaluates a position
    Evaluate(evaluate::EvaluateArgs),
    /// Compares moves of a position
    Compare(compare::CompareArgs),
    /// Lists the wins that each seat threatens, and what stops them
    Threats(threats::ThreatsArgs),
    /// Lists the moves with what is known about them, without a search
    Explore(explore::ExploreArgs),
    /// Describes a position: its board, whose turn it is, how many moves there are
    Position(position::DescribeArgs),
    /// Lists the legal moves of a position
    Moves(position::MovesArgs),
    /// Plays a game at the prompt, against a level or other people
    Play(play::PlayArgs),
    /// Reviews a game move by move, as text or as a page of HTML
    Review(review::ReviewArgs),
    /// Measures how well players keep what is proven, over many games
    Judge(judge::JudgeArgs),
    /// Finds puzzles, as JSON lines: positions that exactly one move wins
    Puzzles(puzzles::PuzzlesArgs),
    /// Plays games of the engine against itself
    ///
    /// Records them in the stores, or writes them as JSON lines.
    Selfplay(selfplay::SelfplayArgs),
    /// Records games from a file in the stores, for the explorer
    ///
    /// Exits with 2 if some lines are not games.
    Import(import::ImportArgs),
    /// Answers a file of questions
    ///
    /// Exits with 2 if some failed.
    Batch(batch::BatchArgs),
    /// Serves tools for language models on standard input and output (MCP)
    Mcp(mcp::McpArgs),
    /// Writes the project of a new game, in Rust, C or C++
    New(new::NewArgs),
    /// Builds, checks and serves the game of a folder, again after every change
    Dev(dev::DevArgs),
    /// Runs the conformance kit on a rule set
    ///
    /// In a process of its own; exits with 1 if the rule set fails, crashes or hangs.
    Check(check::CheckArgs),
    /// Counts the move sequences of a game, or compares a table of such counts
    Perft(measure::perft::PerftArgs),
    /// Measures calls and search nodes per second of a rule set
    Bench(measure::bench::BenchArgs),
    /// Plays two libraries, levels or limits against each other: Elo with its error, SPRT
    Match(measure::duel::MatchArgs),
    /// Describes a game by self-play: first-move advantage, draws, length, branching
    Report(measure::report::ReportArgs),
    /// Lists the games that would be served
    Games(games::GamesArgs),
    /// Runs one rule set for the server that starts it; see `isolation`
    #[command(name = WORKER, hide = true)]
    Worker,
    /// Checks whether a running server is ready; exits with 0 if so, else 1
    Health(health::HealthArgs),
    /// Maintains a store file, and backs one up that a server has open
    #[command(subcommand)]
    Store(store::StoreCommand),
    /// Checks whether a server with these settings would start and serve well here
    Preflight(preflight::PreflightArgs),
    /// Creates a token for a caller, and its line for the `tokens` file
    Token(token::TokenArgs),
    /// Prints completions for a shell
    Completions(completions::CompletionsArgs),
    /// Writes the manual pages into a directory
    Man(completions::ManArgs),
}

/// Runs the command line of a program built from `revision` for `target`, and returns its
/// exit code.
pub fn run(revision: &'static str, target: &'static str) -> ExitCode {
    crate::REVISION.get_or_init(|| revision);
    crate::TARGET.get_or_init(|| target);
    let parsed = help::command().try_get_matches().and_then(|matches| Arguments::from_arg_matches(&matches));
    let mut arguments = match parsed {
        Ok(arguments) => arguments,
        Err(error) => return print_and_exit_code(&error),
    };
    if let Some(Command::Serve(ServeFlags(flags))) = &arguments.command {
        arguments.flags.extend(flags.clone());
        arguments.command = None;
    }
    if let Some(Command::Worker) = arguments.command {
        // A worker's environment is empty, and its settings come from the server.
        return match pentad_host::run_worker() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                print_error(LogFormat::Text, &error.to_string());
                ExitCode::from(EXIT_FAILURE)
            }
        };
    }
    let file = arguments.config.clone().or_else(|| env("PENTAD_CONFIG").map(PathBuf::from));
    // The server writes a log; other commands write text.
    let format = match &arguments.command {
        None if !arguments.print_config => config::log_format_of(&program_arguments(), env, file.as_deref()),
        _ => LogFormat::Text,
    };
    let loaded = EffectiveConfig::load(&arguments.flags, env, file.as_deref()).and_then(|effective| {
        let text = |(name, value): (OsString, OsString)| Some((name.into_string().ok()?, value.into_string().ok()?));
        config::check_variables(std::env::vars_os().filter_map(text))?;
        // Other commands may run with the settings of a server.
        if arguments.command.is_none() {
            effective.config.check_exposure()?;
        }
        Ok(effective)
    });
    if let Some(Command::Preflight(args)) = &arguments.command {
        return preflight::run(args, loaded);
    }
    let effective = match loaded {
        Ok(effective) => effective,
        Err(error) => {
            print_error(format, &error.to_string());
            return ExitCode::from(EXIT_USAGE);
        }
    };
    if arguments.print_config {
        for warning in &effective.warnings {
            eprintln!("pentad: {warning}");
        }
        print!("{}", config::print(&effective));
        return ExitCode::SUCCESS;
    }
    let result = match arguments.command {
        None => {
            let read_config = move || Ok(EffectiveConfig::load(&arguments.flags, env, file.as_deref())?.config);
            serve::run(effective, Box::new(read_config))
        }
        Some(Command::Hint(args)) => hint::run(&args, &effective.config),
        Some(Command::Evaluate(args)) => evaluate::run(&args, &effective.config),
        Some(Command::Compare(args)) => compare::run(&args, &effective.config),
        Some(Command::Threats(args)) => threats::run(&args, &effective.config),
        Some(Command::Explore(args)) => explore::run(&args, &effective.config),
        Some(Command::Position(args)) => position::describe(&args, &effective.config),
        Some(Command::Moves(args)) => position::moves(&args, &effective.config),
        Some(Command::Play(args)) => play::run(&args, &effective.config),
        Some(Command::Review(args)) => review::run(&args, &effective.config),
        Some(Command::Judge(args)) => return judge::run(&args, &effective.config),
        Some(Command::Puzzles(args)) => puzzles::run(&args, &effective.config),
        Some(Command::Selfplay(args)) => selfplay::run(&args, &effective.config),
        Some(Command::Import(args)) => return import::run(&args, &effective.config),
        Some(Command::Batch(args)) => return batch::run(&args, &effective.config),
        Some(Command::Mcp(args)) => mcp::run(&args, &effective.config),
        Some(Command::New(args)) => new::run(&args),
        Some(Command::Dev(args)) => dev::run(&args, effective.config),
        Some(Command::Check(args)) => check::run(&args),
        Some(Command::Games(args)) => games::run(&args, &effective.config),
        Some(Command::Serve(_) | Command::Worker | Command::Preflight(_)) => unreachable!("handled above"),
        Some(Command::Perft(args)) => measure::perft::run(&args, &effective.config),
        Some(Command::Bench(args)) => measure::bench::run(&args, &effective.config),
        Some(Command::Match(args)) => measure::duel::run(&args, &effective.config),
        Some(Command::Report(args)) => measure::report::run(&args, &effective.config),
        Some(Command::Health(args)) => health::run(&args, &effective.config),
        Some(Command::Store(command)) => store::run(&command, &effective.config),
        Some(Command::Token(args)) => token::run(&args),
        Some(Command::Completions(args)) => completions::run(&args),
        Some(Command::Man(args)) => completions::write_manual(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(format, &error.to_string());
            ExitCode::from(EXIT_FAILURE)
        }
    }
}

/// Writes why the program ends: as text, or as a line of its JSON log.
fn print_error(format: LogFormat, error: &str) {
    match format {
        LogFormat::Text => telemetry::print_line(&format!("pentad: {error}")),
        LogFormat::Json => {
            // Before the settings are known there is no logger.
            if telemetry::init_logs(format, &LogFilter::default()).is_ok() {
                tracing::error!("{error}");
                telemetry::flush_logs();
            }
        }
    }
}

/// Help and version are not errors.
fn print_and_exit_code(error: &clap::Error) -> ExitCode {
    let is_help = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    match config::log_format_of(&program_arguments(), env, None) {
        LogFormat::Json if !is_help => print_error(LogFormat::Json, error.to_string().trim_end()),
        // Ignored: standard error may be closed.
        _ => drop(error.print()),
    }
    if is_help { ExitCode::SUCCESS } else { ExitCode::from(EXIT_USAGE) }
}

fn env(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn program_arguments() -> Vec<String> {
    std::env::args_os().filter_map(|argument| argument.into_string().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::RulesetDir;

    /// Flags do not collide, and every setting has one.
    #[test]
    fn command_line_is_valid() {
        help::command().debug_assert();
        for (before, after) in [
            (&[][..], &["--rulesets", "/x", "--rulesets", "bundled"][..]),
            (&["--rulesets", "/x", "--rulesets", "bundled"], &[]),
        ] {
            let arguments = [&["pentad"][..], before, &["hint", "pentago"], after].concat();
            let matches = help::command().try_get_matches_from(arguments).unwrap();
            let arguments = Arguments::from_arg_matches(&matches).unwrap();
            assert!(matches!(arguments.command, Some(Command::Hint(_))));
            let effective = EffectiveConfig::load(&arguments.flags, |_| None, None).unwrap();
            let dirs: Vec<RulesetDir> = effective.config.rulesets.as_slice().iter().map(|it| it.dir.clone()).collect();
            assert_eq!(dirs, [RulesetDir::Path("/x".into()), RulesetDir::Bundled]);
        }
    }
}
