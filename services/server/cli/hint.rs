//! `pentad hint`: the best moves of a position, without a server.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use pentad_engine::{
    CacheResult, Caller, Class, Engine, FaultContext, HintQuestion, Hints, Observer, PositionSpec, StopReason,
};
use pentad_host::{Fault, Variant};
use pentad_search::{Certainty, Evaluation, Wdl};

use super::ascii_board;
use crate::config::Config;
use crate::convert::labels;
use crate::rulesets;

#[derive(Debug, Args)]
pub(super) struct HintArgs {
    /// Id of the game, as `pentad games` lists it
    game: String,
    /// Position in the game's notation; the start by default
    position: Option<String>,
    /// Id of the variant; the game's first by default
    #[arg(long, default_value = "")]
    variant: String,
    /// Moves played from the position, separated by commas or spaces
    #[arg(long, default_value = "")]
    moves: String,
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
    /// Repeats what a level below 10 chooses; random by default
    #[arg(long)]
    seed: Option<u64>,
}

pub(super) fn run(args: HintArgs, config: &Config) -> Result<(), Box<dyn Error>> {
    let (rulesets, _) = rulesets::load(config)?;
    let engine = Engine::new(config.engine(), rulesets, Arc::new(LogFaults));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(find_hints(&engine, args))
}

async fn find_hints(engine: &Engine, args: HintArgs) -> Result<(), Box<dyn Error>> {
    let place = PositionSpec {
        game: args.game,
        variant: args.variant,
        position: args.position.unwrap_or_default(),
        moves: args.moves.split([',', ' ']).filter(|mv| !mv.is_empty()).map(str::to_owned).collect(),
    };
    let description = engine.describe(&place, Caller::now()).await?;
    let variant = &description.variant;
    println!("{}, {}", variant.ruleset().info().name, variant.name);
    println!("{}", description.position);
    if let Some(drawn) = variant.board.as_ref().and_then(|board| ascii_board::render(board, &description.pieces)) {
        println!("\n{drawn}");
    }
    if let Some(outcome) = &description.outcome {
        println!("The game is over: {}", outcome.text);
        return Ok(());
    }
    let mut question = HintQuestion::new(place);
    question.limits.time = args.time_ms.map(Duration::from_millis);
    question.limits.nodes = args.nodes;
    question.limits.depth = args.depth;
    question.count = args.count;
    question.level = args.level;
    question.seed = args.seed;
    let hints = engine.hint(&question, Caller::now()).await?;
    print_hints(variant, &hints);
    Ok(())
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
    let plies = match evaluation.plies_to_end {
        None => String::new(),
        Some(1) => " in 1 ply".to_owned(),
        Some(plies) => format!(" in {plies} plies"),
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

/// Reports faults of the rule set; everything else is in the result.
struct LogFaults;

impl Observer for LogFaults {
    fn search_finished(&self, _: &str, _: Duration, _: u64, _: StopReason) {}
    fn evaluation_given(&self, _: &str, _: &Evaluation) {}
    fn cache_looked_up(&self, _: &str, _: CacheResult) {}
    fn search_cancelled(&self, _: &str, _: Duration) {}
    fn job_dequeued(&self, _: Class, _: Duration) {}
    fn ruleset_faulted(&self, game: &str, fault: &Fault, _: FaultContext<'_>) {
        eprintln!("fault of the rule set of {game}: {fault}");
    }
}
