//! `pentad hint`: the best moves of a position.

use std::error::Error;
use std::io::{IsTerminal, Write, stderr};

use clap::{Args, ValueEnum};

use super::client::{Answer, Call, Client, Question};
use super::question::{LimitArgs, QuestionArgs};
use super::style::Palette;
use super::text::{evaluation_text, print_move_text, print_position, print_reasons};
use crate::answers::{GameView, HintsAnswer};
use crate::config::Config;

#[derive(Debug, Args)]
pub(super) struct HintArgs {
    #[command(flatten)]
    question: QuestionArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Number of moves to show
    #[arg(long, value_name = "N", default_value_t = 3)]
    count: u32,
    /// Playing strength, 1 to 10
    #[arg(long, value_name = "N", default_value_t = 10)]
    level: u32,
    /// Makes the choice of a level below 10 reproducible; random by default
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// How much a hint gives away: its value and kind (nudge), where to look (area), the
    /// move, or what is expected to follow (line)
    #[arg(long, value_enum, value_name = "HOW_MUCH", default_value_t = DetailArg::Line)]
    detail: DetailArg,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum DetailArg {
    Nudge,
    Area,
    Move,
    Line,
}

impl HintArgs {
    fn question(&self) -> Question {
        let detail = match self.detail {
            DetailArg::Nudge => "nudge",
            DetailArg::Area => "area",
            DetailArg::Move => "move",
            DetailArg::Line => "line",
        };
        let question = self.question.question().with("count", Some(self.count)).with("level", Some(self.level));
        self.limits.add_to(question.with("seed", self.seed).with("detail", Some(detail)))
    }
}

pub(super) fn run(args: &HintArgs, config: &Config) -> Result<(), Box<dyn Error>> {
    args.question.run(config, async |client, id| {
        let question = args.question();
        if args.question.position.json {
            ask(client, id, &question, None, None).await?.print();
            return Ok(());
        }
        let (game, position) = args.question.describe(client, id).await?;
        print_position(&game, &position);
        if let Some(outcome) = &position.outcome {
            println!("The game is over: {}", outcome.text);
            return Ok(());
        }
        let answer = ask(client, id, &question, args.limits.time_ms, Some(&game)).await?;
        print_hints(&game, &answer.read()?);
        Ok(())
    })
}

/// Asks for hints. On a terminal it shows one line of progress meanwhile.
async fn ask(
    client: &Client,
    id: &str,
    question: &Question,
    time_ms: Option<u64>,
    game: Option<&GameView>,
) -> Result<Answer, Box<dyn Error>> {
    let Some(game) = game.filter(|_| stderr().is_terminal()) else {
        return Ok(client.ask(id, Call::HINTS, question).await?);
    };
    let mut updates = client.stream(id, Call::ANALYSIS, question).await?;
    loop {
        let update = updates.expect_next().await?;
        let hints: HintsAnswer = update.read()?;
        let is_last = hints.stop_reason.is_some();
        let line = if is_last { String::new() } else { progress_line(game, &hints, time_ms) };
        // Ignored: the terminal may have gone.
        let _ = write!(stderr(), "\r\x1b[K{line}").and_then(|()| stderr().flush());
        if is_last {
            return Ok(update);
        }
    }
}

/// Formats the best move so far, its evaluation, and the depth and speed of the search.
/// A solver has no depth; the count of positions shows that it is running.
fn progress_line(game: &GameView, hints: &HintsAnswer, time_ms: Option<u64>) -> String {
    let best = hints.hints.first().map_or("", |hint| hint.r#move.as_str());
    let seconds = hints.elapsed_ms / 1000.0;
    let millions = hints.nodes as f64 / 1e6;
    let speed = hints.nodes as f64 / seconds.max(1e-3) / 1e3;
    let left = time_ms.map(|ms| format!(", {:.0} s left", (ms as f64 / 1000.0 - seconds).max(0.0)));
    let left = left.unwrap_or_default();
    let value = evaluation_text(game, &hints.evaluation);
    format!("{best}  {value}  depth {}, {millions:.1} M positions, {speed:.0} k/s{left}", hints.depth)
}

fn print_hints(game: &GameView, hints: &HintsAnswer) {
    let palette = Palette::of_stdout();
    let mover = game.variant.seat_name(&hints.to_move);
    println!("{mover} to move: {}", evaluation_text(game, &hints.evaluation));
    for (idx, hint) in hints.hints.iter().enumerate() {
        let mv = palette.heading(&hint.r#move);
        println!("\n{}. {mv}   {}", idx + 1, evaluation_text(game, &hint.evaluation));
        print_move_text(hint);
        if hint.line.len() > 1 {
            println!("   {}", hint.line.join(" "));
        }
        print_reasons(&hint.reasons, "   ");
        if !hint.equivalents.is_empty() {
            println!("   equivalent moves: {}", hint.equivalents.join(" "));
        }
    }
    let stop = hints.stop_reason.as_deref().unwrap_or("?");
    let HintsAnswer { nodes, depth, elapsed_ms, .. } = hints;
    let counts = format!("{nodes} positions, depth {depth}, {elapsed_ms:.0} ms; stopped by {stop}");
    println!("\n{}", palette.quiet(counts));
}
