//! `pentad hint`: the best moves of a position, without a server.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use pentad_engine::{CacheResult, Caller, Engine, HintQuestion, Hints, Observer, Place, StopReason, TraceId};
use pentad_host::{Fault, Variant};
use pentad_search::{Certainty, Evaluation, Wdl};

use super::picture;
use crate::config::Config;
use crate::convert::words;
use crate::rulesets;

#[derive(Debug, Args)]
pub(super) struct HintArgs {
    /// Id of the game, as `pentad games` lists it
    game: String,
    /// In the game's notation; the start by default
    position: Option<String>,
    /// Id of the variant; the game's first by default
    #[arg(long, default_value = "")]
    variant: String,
    /// Played from the position, with commas or spaces between
    #[arg(long, default_value = "")]
    moves: String,
    /// How long to look
    #[arg(long, value_name = "MS")]
    time_ms: Option<u64>,
    /// How many positions to visit
    #[arg(long)]
    nodes: Option<u64>,
    /// How many plies to look ahead
    #[arg(long)]
    depth: Option<u32>,
    /// How many moves to show
    #[arg(long, default_value_t = 3)]
    count: usize,
    /// 1 to 10; 10 is full strength
    #[arg(long, default_value_t = 10)]
    level: u8,
}

pub(super) fn run(args: HintArgs, config: &Config) -> Result<(), Box<dyn Error>> {
    let (rulesets, _) = rulesets::load(config)?;
    let engine = Engine::new(config.engine(), rulesets, Arc::new(Nobody));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(answer(&engine, args))
}

async fn answer(engine: &Engine, args: HintArgs) -> Result<(), Box<dyn Error>> {
    let place = Place {
        game: args.game,
        variant: args.variant,
        position: args.position.unwrap_or_default(),
        moves: args.moves.split([',', ' ']).filter(|mv| !mv.is_empty()).map(str::to_owned).collect(),
    };
    let (ruleset, variant_idx) = engine.variant(&place)?;
    let variant = &ruleset.variants()[variant_idx];
    let here = engine.describe(&place, Caller::now()).await?;
    println!("{}, {}", ruleset.info().name, variant.name);
    println!("{}", here.position);
    if let Some(drawn) = variant.board.as_ref().and_then(|board| picture::draw(board, &here.pieces)) {
        println!("\n{drawn}");
    }
    if let Some(outcome) = here.outcome {
        println!("The game is over: {}", outcome.text);
        return Ok(());
    }
    let mut question = HintQuestion::new(place);
    question.limits.time = args.time_ms.map(Duration::from_millis);
    question.limits.nodes = args.nodes;
    question.limits.depth = args.depth;
    question.count = args.count;
    question.level = args.level;
    let found = engine.hint(&question, Caller::now()).await?;
    print_hints(variant, &found);
    Ok(())
}

fn print_hints(variant: &Variant, found: &Hints) {
    let mover = variant.seats.get(found.to_move).map_or("?", |seat| seat.name.as_str());
    println!("{mover} to move: {}", value(variant, &found.evaluation));
    for (idx, hint) in found.hints.iter().enumerate() {
        println!("\n{}. {}   {}", idx + 1, hint.mv, value(variant, &hint.evaluation));
        if hint.line.len() > 1 {
            println!("   {}", hint.line.join(" "));
        }
        for reason in &hint.reasons {
            println!("   {}", reason.text);
        }
        if !hint.equivalents.is_empty() {
            println!("   as good by symmetry: {}", hint.equivalents.join(" "));
        }
    }
    let stop = found.stop.map_or("?", StopReason::as_str);
    let ms = found.elapsed.as_millis();
    println!("\n{} positions, depth {}, {ms} ms; stopped by {stop}", found.nodes, found.depth);
}

/// What a value says, in words.
fn value(variant: &Variant, evaluation: &Evaluation) -> String {
    let plies = match evaluation.plies_to_end {
        None => String::new(),
        Some(1) => " in 1 ply".to_owned(),
        Some(plies) => format!(" in {plies} plies"),
    };
    let source = words::source(evaluation.source);
    match (evaluation.certainty, evaluation.outcome) {
        (Certainty::Proven, Some(Wdl::Win)) => format!("a proven win{plies} ({source})"),
        (Certainty::Proven, Some(Wdl::Draw)) => format!("a proven draw{plies} ({source})"),
        (Certainty::Proven, Some(Wdl::Loss)) => format!("a proven loss{plies} ({source})"),
        (certainty, _) => {
            let scores = variant.seats.iter().zip(evaluation.scores.as_slice());
            let scores: Vec<String> =
                scores.map(|(seat, score)| format!("{} {:.0} %", seat.name, score * 100.0)).collect();
            let sure = if certainty == Certainty::Proven { "proven" } else { "an estimate" };
            format!("{} ({sure}, {source})", scores.join(", "))
        }
    }
}

/// Counts nothing: the answer says it all.
struct Nobody;

impl Observer for Nobody {
    fn search_finished(&self, _: &str, _: Duration, _: u64, _: StopReason) {}
    fn evaluation_given(&self, _: &str, _: &Evaluation) {}
    fn cache_asked(&self, _: &str, _: CacheResult) {}
    fn cancel_took(&self, _: Duration) {}
    fn ruleset_faulted(&self, game: &str, fault: &Fault, _: Option<TraceId>) {
        eprintln!("the rule set of {game} misbehaved: {fault}");
    }
}
