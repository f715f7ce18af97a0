//! `pentad puzzles`: positions that one move wins, as JSON lines.

use std::error::Error;
use std::io::{Write, stdout};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Deserialize;

use super::client::{Call, Question, unwrapped};
use super::question::QuestionArgs;
use crate::answers::PuzzleProgress;
use crate::config::Config;

/// Positions visited per search: enough for the wins that are shown.
const NODES: u64 = 20_000;

#[derive(Debug, Args)]
pub(super) struct PuzzlesArgs {
    #[command(flatten)]
    question: QuestionArgs,
    /// Number of puzzles
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    count: u32,
    /// Plies to the end of the game: 1, 3 or 5; 3 by default, or 1 with more than two sides
    #[arg(long, value_name = "N")]
    plies: Option<u32>,
    /// Only puzzles with this theme, a reason code
    #[arg(long, value_name = "CODE", default_value = "", hide_default_value = true)]
    theme: String,
    /// Makes the puzzles reproducible; random by default
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Limit on the positions visited by each search
    #[arg(long, value_name = "N", default_value_t = NODES)]
    nodes: u64,
    /// Time limit of the whole command in milliseconds
    #[arg(long, value_name = "MS")]
    time_ms: Option<u64>,
}

impl PuzzlesArgs {
    fn question(&self) -> Question {
        self.question
            .question()
            .with("count", Some(self.count))
            .with("minPlies", self.plies)
            .with("maxPlies", self.plies)
            .with("theme", (!self.theme.is_empty()).then(|| self.theme.clone()))
            .with("seed", self.seed)
            .with("totalTimeMs", self.time_ms)
            .with_limits(None, Some(self.nodes), None)
    }
}

/// A message that is no puzzle.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum OtherMessage {
    Progress(PuzzleProgress),
    Final {},
}

/// Prints each puzzle as soon as it is found.
pub(super) fn run(args: &PuzzlesArgs, config: &Config) -> Result<(), Box<dyn Error>> {
    args.question.run(config, async |client, game| {
        let mut messages = client.stream(game, Call::PUZZLES, &args.question()).await?;
        // Hidden unless standard error is a terminal.
        let bar = ProgressBar::new(u64::from(args.count));
        bar.set_style(ProgressStyle::with_template("{bar:40} {pos}/{len} puzzles, {msg}, {elapsed}")?);
        loop {
            let message = messages.expect_next().await?;
            if let Some(puzzle) = unwrapped(&message.0, "puzzle") {
                bar.inc(1);
                bar.suspend(|| writeln!(stdout(), "{puzzle}"))?;
                continue;
            }
            match message.read()? {
                OtherMessage::Progress(progress) => set_progress(&bar, &progress),
                OtherMessage::Final {} => {
                    bar.finish_and_clear();
                    return Ok(());
                }
            }
        }
    })
}

fn set_progress(bar: &ProgressBar, progress: &PuzzleProgress) {
    bar.set_position(progress.found);
    bar.set_message(format!("{} positions looked at", progress.looked_at));
}
