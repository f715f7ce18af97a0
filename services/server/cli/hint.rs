//! `pentad hint`: the best moves of a position, without a server.

use std::error::Error;
use std::io::{IsTerminal, Write, stderr};
use std::time::Duration;

use clap::{Args, ValueEnum};
use pentad_engine::{Analysis, Detail, HintQuestion, Hints, StopReason};
use pentad_host::Variant;
use pentad_model::{Certainty, Evaluation, Wdl};

use super::position::{PositionArgs, print_json, print_position, with_engine};
use crate::calls::{PositionCall, hints as hints_call, labels};
use crate::config::Config;

#[derive(Debug, Args)]
pub(super) struct HintArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Time limit in milliseconds
    #[arg(long, value_name = "MS")]
    time_ms: Option<u64>,
    /// Limit on the positions visited
    #[arg(long)]
    nodes: Option<u64>,
    /// Limit on the plies searched
    #[arg(long)]
    depth: Option<u32>,
    /// Number of moves to show
    #[arg(long, default_value_t = 3)]
    count: usize,
    /// Playing strength, 1 to 10
    #[arg(long, default_value_t = 10)]
    level: u8,
    /// Makes the choice of a level below 10 reproducible; random by default
    #[arg(long)]
    seed: Option<u64>,
    /// How much a hint gives away
    #[arg(long, value_enum, default_value_t = DetailArg::Line)]
    detail: DetailArg,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum DetailArg {
    /// The evaluation and the kind of move to look for
    Nudge,
    /// Also where on the board to look
    Area,
    /// Also the move
    Move,
    /// Also the expected continuation
    Line,
}

impl HintArgs {
    fn question(&self) -> HintQuestion {
        let mut question = HintQuestion::new(self.position.spec());
        question.limits.time = self.time_ms.map(Duration::from_millis);
        question.limits.nodes = self.nodes;
        question.limits.depth = self.depth;
        question.count = self.count;
        question.level = self.level;
        question.seed = self.seed;
        question.detail = match self.detail {
            DetailArg::Nudge => Detail::Nudge,
            DetailArg::Area => Detail::Area,
            DetailArg::Move => Detail::Move,
            DetailArg::Line => Detail::Line,
        };
        question
    }
}

pub(super) fn run(args: &HintArgs, config: &Config) -> Result<(), Box<dyn Error>> {
    with_engine(config, async |engine| {
        let question = args.question();
        if !args.position.json {
            let description = engine.describe(&question.spec, args.position.caller()).await?;
            print_position(&description);
            if let Some(outcome) = &description.outcome {
                println!("The game is over: {}", outcome.text);
                return Ok(());
            }
        }
        let analysis = engine.analyze(&question, args.position.caller()).await?;
        let hints = last_update(analysis, question.limits.time).await?;
        if args.position.json {
            return print_json(&hints_call::Call::json(hints));
        }
        print_hints(&hints.variant, &hints);
        Ok(())
    })
}

/// Waits for the end of a search; on a terminal it shows one line of progress.
async fn last_update(mut analysis: Analysis, time: Option<Duration>) -> Result<Hints, Box<dyn Error>> {
    let is_live = stderr().is_terminal();
    loop {
        let hints = analysis.next().await.ok_or("the search ended without a result")??;
        if is_live {
            let line = if hints.stop.is_some() { String::new() } else { progress_line(&hints, time) };
            // Ignored: the terminal may have gone.
            let _ = write!(stderr(), "\r\x1b[K{line}").and_then(|()| stderr().flush());
        }
        if hints.stop.is_some() {
            return Ok(hints);
        }
    }
}

/// Formats the best move so far, its evaluation, and the depth and speed of the search.
/// A solver has no depth; the count of positions shows that it is running.
fn progress_line(hints: &Hints, time: Option<Duration>) -> String {
    let best = hints.hints.first().map_or("", |hint| hint.mv.as_str());
    let seconds = hints.elapsed.as_secs_f64();
    let millions = hints.nodes as f64 / 1e6;
    let speed = hints.nodes as f64 / seconds.max(1e-3) / 1e3;
    let left = time.map(|time| format!(", {:.0} s left", (time.as_secs_f64() - seconds).max(0.0))).unwrap_or_default();
    let value = evaluation_text(&hints.variant, &hints.evaluation);
    format!("{best}  {value}  depth {}, {millions:.1} M positions, {speed:.0} k/s{left}", hints.depth)
}

fn print_hints(variant: &Variant, hints: &Hints) {
    let mover = variant.seats.get(hints.to_move).map_or("?", |seat| seat.name.as_str());
    println!("{mover} to move: {}", evaluation_text(variant, &hints.evaluation));
    for (idx, hint) in hints.hints.iter().enumerate() {
        println!("\n{}. {}   {}", idx + 1, hint.mv, evaluation_text(variant, &hint.evaluation));
        if hint.line.len() > 1 {
            println!("   {}", hint.line.join(" "));
        }
        for reason in &hint.reasons {
            println!("   {}", reason.text);
        }
        if !hint.equivalents.is_empty() {
            println!("   equivalent moves: {}", hint.equivalents.join(" "));
        }
    }
    let stop = hints.stop.map_or("?", StopReason::as_str);
    let ms = hints.elapsed.as_millis();
    println!("\n{} positions, depth {}, {ms} ms; stopped by {stop}", hints.nodes, hints.depth);
}

fn evaluation_text(variant: &Variant, evaluation: &Evaluation) -> String {
    // A win takes the mover every other ply.
    let plies = match evaluation.plies_to_end {
        None => String::new(),
        Some(1) => " in 1 move".to_owned(),
        Some(plies) => format!(" in {} moves ({plies} plies)", plies.div_ceil(2)),
    };
    let source = labels::source(evaluation.source);
    match (evaluation.certainty, evaluation.outcome) {
        (Certainty::Proven, Some(Wdl::Win)) => format!("a proven win{plies} ({source})"),
        (Certainty::Proven, Some(Wdl::Draw)) => format!("a proven draw{plies} ({source})"),
        (Certainty::Proven, Some(Wdl::Loss)) => format!("a proven loss{plies} ({source})"),
        (certainty, _) => {
            let scores = variant.seats.iter().zip(evaluation.scores.as_slice());
            let scores: Vec<String> =
                scores.map(|(seat, score)| format!("{} {:.0} %", seat.name, score * 100.0)).collect();
            let certainty = if certainty == Certainty::Proven { "proven" } else { "an estimate" };
            format!("{} ({certainty}, {source})", scores.join(", "))
        }
    }
}
