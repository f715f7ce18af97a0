//! `pentad position` and `pentad moves`: queries of the rules.

use std::error::Error;
use std::io::{self, Write, stdout};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use pentad_engine::{AnswerStore, CacheResult, Class, Engine, FaultContext, Observer, PositionSpec, StopReason};
use pentad_host::Fault;
use pentad_model::Evaluation;
use pentad_model::i18n::Language;
use pentad_store::Layers;

use super::client::{Answer, Call, Question};
use super::question::QuestionArgs;
use super::text::print_position;
use crate::answers::MovesAnswer;
use crate::config::Config;
use crate::language;
use crate::rulesets::{self, Found};
use crate::stores;

/// Arguments that describe a position, shared by subcommands.
#[derive(Debug, Args)]
pub(super) struct PositionArgs {
    /// Id of the game, as `pentad games` lists it, or the file of a rule set:
    /// ./libmine.so
    pub(super) game: String,
    /// Position in the game's notation; the start by default
    position: Option<String>,
    /// Id of the variant; the game's first by default
    #[arg(long, value_name = "ID", default_value = "", hide_default_value = true)]
    pub(super) variant: String,
    /// Moves played from the position, separated by commas or spaces
    #[arg(long, default_value = "", hide_default_value = true)]
    moves: String,
    /// Prints the answer as JSON, as REST gives it
    #[arg(long)]
    pub(super) json: bool,
    /// Language of reasons and outcomes: en, sv, fi, de or fr; that of the locale by default
    #[arg(long, value_name = "TAG", value_parser = language::parse_argument)]
    lang: Option<Language>,
}

#[derive(Debug, Args)]
pub(super) struct DescribeArgs {
    #[command(flatten)]
    question: QuestionArgs,
}

#[derive(Debug, Args)]
pub(super) struct MovesArgs {
    #[command(flatten)]
    question: QuestionArgs,
    /// Only moves whose text begins with this
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    prefix: String,
    /// Only the first of several moves that lead to the same position
    #[arg(long)]
    distinct: bool,
    /// The moves in a player's words as well, where the game has them
    #[arg(long)]
    texts: bool,
}

impl PositionArgs {
    /// The language of texts.
    pub(super) fn language(&self) -> Language {
        self.lang.unwrap_or_else(|| language::from_locale(super::env))
    }

    /// The fields that every question has.
    pub(super) fn question(&self) -> Question {
        let moves = self.moves();
        Question::default()
            .with("variant", (!self.variant.is_empty()).then(|| self.variant.clone()))
            .with("position", self.position.clone())
            .with("moves", (!moves.is_empty()).then_some(moves))
    }

    /// The same for the engine, about a game whose id is known.
    pub(super) fn spec(&self, game: &str) -> PositionSpec {
        PositionSpec {
            game: game.to_owned(),
            variant: self.variant.clone(),
            position: self.position.clone().unwrap_or_default(),
            moves: self.moves(),
        }
    }

    fn moves(&self) -> Vec<String> {
        split_moves(&self.moves)
    }
}

/// Splits a list of moves at commas and blanks.
pub(super) fn split_moves(text: &str) -> Vec<String> {
    let is_gap = |letter: char| letter == ',' || letter.is_whitespace();
    text.split(is_gap).filter(|mv| !mv.is_empty()).map(str::to_owned).collect()
}

/// Describes a position.
pub(super) fn describe(args: &DescribeArgs, config: &Config) -> Result<(), Box<dyn Error>> {
    let args = &args.question;
    args.run(config, async |client, game| {
        if args.position.json {
            client.ask(game, Call::POSITION, &args.question()).await?.print();
            return Ok(());
        }
        let (game, position) = args.describe(client, game).await?;
        print_position(&game, &position);
        match &position.outcome {
            Some(outcome) => println!("The game is over: {}", outcome.text),
            None => {
                let mover = game.variant.seat_name(&position.to_move);
                println!("{mover} to move, {} legal moves", position.legal_move_count);
            }
        }
        Ok(())
    })
}

/// Lists the legal moves, all pages of them.
pub(super) fn moves(args: &MovesArgs, config: &Config) -> Result<(), Box<dyn Error>> {
    args.question.run(config, async |client, game| {
        let question = args.question.question().with("prefix", (!args.prefix.is_empty()).then(|| args.prefix.clone()));
        let question = question.with("distinct", args.distinct.then_some(true));
        let question = question.with("texts", args.texts.then_some(true));
        let mut all = MovesAnswer::default();
        loop {
            let page_token = (!all.next_page_token.is_empty()).then_some(all.next_page_token);
            let page = client.ask(game, Call::MOVES, &question.clone().with("pageToken", page_token)).await?;
            let page: MovesAnswer = page.read()?;
            if args.question.position.json {
                all.moves.extend(page.moves);
                all.move_texts.extend(page.move_texts);
            } else {
                print_moves(&page)?;
            }
            (all.total, all.next_page_token, all.key) = (page.total, page.next_page_token, page.key);
            if all.next_page_token.is_empty() {
                break;
            }
        }
        if args.question.position.json {
            Answer(serde_json::to_string(&all)?).print();
        }
        Ok(())
    })
}

/// Prints a move per line, with its words after a tab if the page has them.
fn print_moves(page: &MovesAnswer) -> io::Result<()> {
    let mut out = stdout().lock();
    for (idx, mv) in page.moves.iter().enumerate() {
        match page.move_texts.get(idx).filter(|text| !text.is_empty()) {
            Some(text) => writeln!(out, "{mv}\t{text}")?,
            None => writeln!(out, "{mv}")?,
        }
    }
    Ok(())
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
