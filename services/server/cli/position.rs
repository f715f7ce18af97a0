//! `pentad position` and `pentad moves`: queries of the rules, without a server.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use pentad_engine::{
    AnswerStore, CacheResult, Caller, Class, Description, Engine, FaultContext, MovePage, MovesQuestion, Observer,
    PositionSpec, StopReason,
};
use pentad_host::Fault;
use pentad_model::Evaluation;
use pentad_model::i18n::Language;
use pentad_store::Layers;
use serde::Serialize;

use super::ascii_board;
use crate::calls::{PositionCall, legal_moves, position};
use crate::config::Config;
use crate::language;
use crate::rulesets::{self, Found};
use crate::stores;

/// Arguments that describe a position, shared by subcommands.
#[derive(Debug, Args)]
pub(super) struct PositionArgs {
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
    /// Prints the answer as JSON, as REST gives it
    #[arg(long)]
    pub(super) json: bool,
    /// Language of reasons and outcomes: en, sv, fi, de or fr; that of the locale by default
    #[arg(long, value_name = "TAG", value_parser = language::parse_argument)]
    lang: Option<Language>,
}

#[derive(Debug, Args)]
pub(super) struct MovesArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Only moves whose text begins with this
    #[arg(long, default_value = "")]
    prefix: String,
    /// Only the first of several moves that lead to the same position
    #[arg(long)]
    distinct: bool,
}

impl PositionArgs {
    /// Returns a caller with the given language.
    pub(super) fn caller(&self) -> Caller {
        Caller { language: self.lang.unwrap_or_else(|| language::from_locale(super::env)), ..Caller::now() }
    }

    pub(super) fn spec(&self) -> PositionSpec {
        PositionSpec {
            game: self.game.clone(),
            variant: self.variant.clone(),
            position: self.position.clone().unwrap_or_default(),
            moves: self.moves.split([',', ' ']).filter(|mv| !mv.is_empty()).map(str::to_owned).collect(),
        }
    }
}

/// Describes a position.
pub(super) fn describe(args: &PositionArgs, config: &Config) -> Result<(), Box<dyn Error>> {
    with_engine(config, async |engine| {
        let description = engine.describe(&args.spec(), args.caller()).await?;
        if args.json {
            return print_json(&position::Call::json(description));
        }
        print_position(&description);
        match &description.outcome {
            Some(outcome) => println!("The game is over: {}", outcome.text),
            None => println!("{} to move, {} legal moves", mover(&description), description.n_legal_moves),
        }
        Ok(())
    })
}

/// Lists the legal moves, all pages of them.
pub(super) fn moves(args: &MovesArgs, config: &Config) -> Result<(), Box<dyn Error>> {
    with_engine(config, async |engine| {
        let mut question = MovesQuestion {
            spec: args.position.spec(),
            prefix: args.prefix.clone(),
            distinct: args.distinct,
            ..MovesQuestion::default()
        };
        let mut all = MovePage::default();
        loop {
            let page = engine.legal_moves(&question, Caller::now()).await?;
            page.iter().for_each(|mv| all.push(mv));
            (all.total, all.key) = (page.total, page.key);
            if page.next_page_token.is_empty() {
                break;
            }
            question.page_token = page.next_page_token;
        }
        if args.position.json {
            return print_json(&legal_moves::Call::json(all));
        }
        all.iter().for_each(|mv| println!("{mv}"));
        Ok(())
    })
}

/// Runs with an engine of the configured rule sets.
pub(super) fn with_engine(
    config: &Config,
    work: impl AsyncFnOnce(Arc<Engine>) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    with_engine_and_store(config, async |engine, _| work(engine).await)
}

/// Same as [`with_engine`], with the configured stores, which the engine uses.
pub(super) fn with_engine_and_store(
    config: &Config,
    work: impl AsyncFnOnce(Arc<Engine>, Option<Layers>) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let Found { rulesets, .. } = rulesets::load(config, &super::this_program_as_worker())?;
    let store = stores::open(config)?;
    let answers = store.clone().map(|store| Arc::new(store) as Arc<dyn AnswerStore>);
    let engine = Engine::with_store(config.engine(), rulesets, Arc::new(LogFaults), answers);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let worked = work(engine, store.clone()).await;
        if let Some(store) = store {
            store.close(stores::CLOSE_TIMEOUT).await;
        }
        worked
    })
}

/// Prints game, variant, text and board.
pub(super) fn print_position(description: &Description) {
    let variant = &description.variant;
    println!("{}, {}", variant.ruleset().info().name, variant.name);
    println!("{}", description.position);
    if let Some(drawn) = variant.board.as_ref().and_then(|board| ascii_board::render(board, &description.pieces)) {
        println!("\n{drawn}");
    }
}

fn mover(description: &Description) -> &str {
    description.variant.seats.get(description.to_move).map_or("?", |seat| seat.name.as_str())
}

pub(super) fn print_json<T: Serialize>(answer: &T) -> Result<(), Box<dyn Error>> {
    println!("{}", serde_json::to_string_pretty(answer)?);
    Ok(())
}

/// Prints faults of the rule set; everything else is in the result.
pub(super) struct LogFaults;

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
