//! `pentad check FILE.so`: runs the conformance kit on a rule set.
//!
//! A child process (this program with `--child`) loads the library, so that a crash,
//! exit or hang fails a law like any other defect. The child sends the growing report,
//! one line of JSON each time, on its standard output, and notes every call before
//! making it in a [`record`](record::Record) that outlives it. What the library prints
//! is condensed by [`stderr_capture`]. The child is confined like the server's worker
//! processes, but makes its millions of calls itself.
//!
//! | module | contents |
//! | --- | --- |
//! | `child` | loads the library and checks it |
//! | `supervise` | starts the child, detects its end or a hang |
//! | `record` | the last call and its position, shared by both |
//! | `json` | the report for programs |
//! | `stderr_capture` | the library's standard error, each line once |

mod child;
mod json;
mod record;
mod stderr_capture;
mod supervise;

use std::error::Error;
use std::path::{Path, PathBuf};

use clap::Args;
use pentad_conformance::{ConformanceReport, GoldenGame, Options, read_perft};
use serde::{Deserialize, Serialize};

use super::text::print_json;

use supervise::Supervised;

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// The rule set's shared library
    file: PathBuf,
    /// Only this variant
    #[arg(long, value_name = "ID")]
    variant: Option<String>,
    /// Seed of the random games; reports name the seed that reproduces them
    #[arg(long, default_value_t = Options::default().seed)]
    seed: u64,
    /// Random games per variant
    #[arg(long, default_value_t = Options::default().n_games)]
    games: u32,
    /// Random and mutated texts per variant
    #[arg(long, default_value_t = Options::default().n_texts)]
    texts: u32,
    /// Checks only this law, by name; repeatable. Games are always played
    #[arg(long = "law", value_name = "NAME")]
    laws: Vec<String>,
    /// Table of numbers of move sequences to compare; repeatable. Lines `variant ID`,
    /// `position TEXT`, `perft DEPTH COUNT`, and `# …`
    #[arg(long, value_name = "FILE")]
    perft: Vec<PathBuf>,
    /// Game to play through; repeatable. Lines `variant ID`, `start TEXT`, `play MOVE…`,
    /// `position TEXT`, `to-move SEAT`, `moves COUNT`, `legal MOVE…`, `illegal MOVE…`,
    /// `unfinished`, `result SEAT=SCORE…`, and `# …`
    #[arg(long = "game", value_name = "FILE")]
    games_played: Vec<PathBuf>,
    /// Writes the report as one JSON object
    #[arg(long)]
    json: bool,
    /// Moves tried per position; if there are more, a random choice
    #[arg(long, default_value_t = Options::default().moves_tried_max)]
    moves: usize,
    /// Time after which a call that has not returned counts as hung, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 60_000)]
    hang_ms: u64,
    /// Loads the library in this process; see `child`
    #[arg(long, hide = true)]
    child: bool,
}

impl CheckArgs {
    /// Reads the options, and the files that they name.
    fn options(&self) -> Result<Options, String> {
        let known: Vec<&str> = pentad_conformance::law_names().collect();
        if let Some(unknown) = self.laws.iter().find(|law| !known.contains(&law.as_str())) {
            return Err(format!("there is no law `{unknown}`; there are {}", known.join(", ")));
        }
        let perft = self.perft.iter().map(|file| read(file, |_, table| read_perft(table)));
        let games = self.games_played.iter().map(|file| read(file, GoldenGame::read));
        Ok(Options {
            seed: self.seed,
            n_games: self.games,
            n_texts: self.texts,
            moves_tried_max: self.moves,
            variant: self.variant.clone(),
            laws: self.laws.clone(),
            perft: perft.collect::<Result<Vec<_>, _>>()?.concat(),
            games: games.collect::<Result<_, _>>()?,
            ..Options::default()
        })
    }
}

fn read<T>(file: &Path, parse: impl FnOnce(&str, &str) -> Result<T, String>) -> Result<T, String> {
    let about_file = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let text = std::fs::read_to_string(file).map_err(|error| about_file(&error))?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    parse(&name, &text).map_err(|error| about_file(&error))
}

/// Messages of the child, one per line.
#[derive(Debug, Serialize, Deserialize)]
enum Message {
    /// Why there is nothing to check: the last line.
    Refused(String),
    /// The results so far.
    Progress(ConformanceReport),
    /// All results: the last line.
    Complete(ConformanceReport),
}

/// Runs a short check in a separate process. It fails for a rule set that crashes,
/// hangs or breaks a law in its first games.
pub(crate) fn check_briefly(file: &Path) -> Result<(), String> {
    let args = CheckArgs {
        file: file.to_owned(),
        variant: None,
        seed: Options::default().seed,
        games: 4,
        texts: 300,
        moves: 32,
        laws: Vec::new(),
        perft: Vec::new(),
        games_played: Vec::new(),
        json: false,
        hang_ms: 10_000,
        child: false,
    };
    let Supervised { result, stderr } = supervise::run_child(&args).map_err(|error| error.to_string())?;
    for line in stderr.lines() {
        tracing::debug!(file = %file.display(), "the checked rule set printed: {line}");
    }
    let report = result?;
    let broken = report.laws().iter().find_map(|law| law.failures.first().map(|failure| (&law.name, failure)));
    match broken {
        None => Ok(()),
        Some((law, failure)) => {
            let moves = if failure.moves.is_empty() {
                String::new()
            } else {
                format!(" after the moves {}", failure.moves.join(" "))
            };
            Err(format!(
                "breaks the law `{law}`: {} (variant {}, position `{}`{moves}; see `pentad check`)",
                failure.message, failure.variant, failure.position
            ))
        }
    }
}

pub(super) fn run(args: &CheckArgs) -> Result<(), Box<dyn Error>> {
    if args.child {
        return child::run(args);
    }
    let Supervised { result, stderr } = supervise::run_child(args)?;
    for line in stderr.lines() {
        eprintln!("{line}");
    }
    let report = result?;
    if args.json {
        print_json(&json::Report::new(&report))?;
    } else {
        println!("{report}");
    }
    if report.passed() { Ok(()) } else { Err("the rule set breaks the laws above".into()) }
}
