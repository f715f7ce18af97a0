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
//! | `stderr_capture` | the library's standard error, each line once |

mod child;
mod record;
mod stderr_capture;
mod supervise;

use std::error::Error;
use std::path::{Path, PathBuf};

use clap::Args;
use pentad_conformance::{ConformanceReport, Options};
use serde::{Deserialize, Serialize};

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
    fn options(&self) -> Options {
        Options {
            seed: self.seed,
            n_games: self.games,
            n_texts: self.texts,
            moves_tried_max: self.moves,
            variant: self.variant.clone(),
            ..Options::default()
        }
    }
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
        Some((law, failure)) => Err(format!(
            "breaks the law `{law}`: {} (variant {}, position `{}`; see `pentad check`)",
            failure.message, failure.variant, failure.position
        )),
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
    println!("{report}");
    if report.passed() { Ok(()) } else { Err("the rule set breaks the laws above".into()) }
}
