//! `pentad puzzles`: positions that one move wins, as JSON lines, without a server.

use std::error::Error;
use std::hash::{BuildHasher, RandomState};
use std::io::{Write, stdout};
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use pentad_engine::{Caller, PuzzleProgress, PuzzleQuestion, PuzzleUpdate};

use super::position::{PositionArgs, with_engine};
use crate::calls::puzzles::PuzzleMessage;
use crate::config::Config;

/// Positions visited per search: enough for the wins that are shown.
const NODES: u64 = 20_000;
const A_DAY_MS: u64 = 86_400_000;

#[derive(Debug, Args)]
pub(super) struct PuzzlesArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Number of puzzles
    #[arg(short = 'n', long, default_value_t = 10)]
    count: usize,
    /// Plies to the end of the game: 1, 3 or 5
    #[arg(long, default_value_t = 3)]
    plies: u32,
    /// Only puzzles with this theme, a reason code
    #[arg(long, default_value = "")]
    theme: String,
    /// Makes the puzzles reproducible; random by default
    #[arg(long)]
    seed: Option<u64>,
    /// Limit on the positions visited by each search
    #[arg(long, default_value_t = NODES)]
    nodes: u64,
    /// Time limit of the whole command in milliseconds
    #[arg(long, value_name = "MS")]
    time_ms: Option<u64>,
}

impl PuzzlesArgs {
    fn question(&self) -> PuzzleQuestion {
        let mut question = PuzzleQuestion::new(self.position.spec());
        question.count = self.count;
        question.plies = (self.plies, self.plies);
        question.theme.clone_from(&self.theme);
        question.seed = self.seed.unwrap_or_else(|| RandomState::new().hash_one(()));
        question.limits.nodes = Some(self.nodes);
        question.total_time = self.time_ms.map(Duration::from_millis);
        question
    }
}

/// Prints each puzzle as soon as it is found.
pub(super) fn run(args: &PuzzlesArgs, config: &Config) -> Result<(), Box<dyn Error>> {
    // This engine has no other callers.
    let config = Config { stream_time_max_ms: A_DAY_MS, ..config.clone() };
    with_engine(&config, async |engine| {
        let mut puzzles = engine.puzzles(&args.question(), Caller::now()).await?;
        // Hidden unless standard error is a terminal.
        let bar = ProgressBar::new(args.count as u64);
        bar.set_style(ProgressStyle::with_template("{bar:40} {pos}/{len} puzzles, {msg}, {elapsed}")?);
        loop {
            let update = puzzles.next().await.ok_or("the search ended without its last message")??;
            if let PuzzleUpdate::Progress(progress) | PuzzleUpdate::Final(progress) = &update {
                set_progress(&bar, *progress);
            }
            let is_last = matches!(update, PuzzleUpdate::Final(_));
            if let PuzzleMessage::Puzzle(puzzle) = PuzzleMessage::new(puzzles.variant(), update) {
                bar.inc(1);
                let line = serde_json::to_string(&puzzle)?;
                bar.suspend(|| writeln!(stdout(), "{line}"))?;
            }
            if is_last {
                bar.finish_and_clear();
                return Ok(());
            }
        }
    })
}

fn set_progress(bar: &ProgressBar, progress: PuzzleProgress) {
    bar.set_position(progress.found as u64);
    bar.set_message(format!("{} positions looked at", progress.looked_at));
}
