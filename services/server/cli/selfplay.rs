//! `pentad selfplay`: the engine against itself.

use std::error::Error;
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufWriter, Write, stdout};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use futures_util::{StreamExt, stream};
use indicatif::{ProgressBar, ProgressStyle};
use pentad_engine::{Caller, Class, Detail, Engine, EngineError, GameToRecord, HintQuestion, PositionSpec, Recorded};
use pentad_model::rng::mix;

use super::import::{GameLine, open_store, store_failure};
use super::position::{PositionArgs, with_engine_and_store};
use crate::config::Config;
use crate::telemetry::print_line;

/// Longer games are abandoned: some rules let positions repeat forever.
const GAME_LEN_MAX: usize = 500;
/// Level of the opening moves, low so that games differ.
const OPENING_LEVEL: u8 = 1;
const DEFAULT_NODES: u64 = 20_000;

#[derive(Debug, Args)]
pub(super) struct SelfplayArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Number of games
    #[arg(long = "games", value_name = "N", default_value_t = 10)]
    n_games: u64,
    /// Strength of all seats, 1 to 10
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=10))]
    level: u8,
    /// Number of opening moves that are played weakly, so that games differ
    #[arg(long, value_name = "N", default_value_t = 2)]
    opening_plies: usize,
    /// Limit on the positions visited for each move [default: 20000 without a time limit]
    #[arg(long)]
    nodes: Option<u64>,
    /// Time limit of each move in milliseconds
    #[arg(long, value_name = "MS")]
    time_ms: Option<u64>,
    /// Makes the games reproducible, which then count once; random by default
    #[arg(long)]
    seed: Option<u64>,
    /// File for the games, as JSON lines for `pentad import`. Without a store, standard
    /// output by default
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Number of games by result.
#[derive(Debug, Default)]
struct Played {
    new: u64,
    known: u64,
    endless: u64,
}

pub(super) fn run(args: &SelfplayArgs, config: &Config) -> Result<(), Box<dyn Error>> {
    with_engine_and_store(config, async |engine, store| {
        let store = store.map(|store| open_store(Some(store))).transpose()?;
        let mut output: Option<Box<dyn Write>> = match (&args.output, &store) {
            (Some(file), _) => {
                let file = File::create(file).map_err(|error| format!("{}: {error}", file.display()))?;
                Some(Box::new(BufWriter::new(file)))
            }
            (None, None) => Some(Box::new(stdout())),
            (None, Some(_)) => None,
        };
        let seed = args.seed.unwrap_or_else(|| RandomState::new().hash_one(()));
        // Hidden unless standard error is a terminal.
        let bar = ProgressBar::new(args.n_games);
        bar.set_style(ProgressStyle::with_template("{bar:40} {pos}/{len} games, {elapsed}, {eta} left")?);
        let games = (0..args.n_games).map(async |number| args.play(&engine, seed, number).await);
        // Keeps every worker busy while other games are recorded.
        let mut games = stream::iter(games).buffer_unordered(config.workers * 2);
        let mut played = Played::default();
        while let Some(game) = games.next().await {
            bar.inc(1);
            let Some(record) = game? else {
                played.endless += 1;
                continue;
            };
            if let Some(store) = &store {
                match engine.record(&record, Caller { class: Class::Bulk, ..Caller::now() }).await? {
                    Recorded::New => played.new += 1,
                    Recorded::Known => played.known += 1,
                    Recorded::Failed => return Err(store_failure(store)),
                }
            }
            if let Some(output) = &mut output {
                let line = serde_json::to_string(&GameLine::new(&record))?;
                bar.suspend(|| writeln!(output, "{line}"))?;
            }
        }
        bar.finish_and_clear();
        if let Some(output) = &mut output {
            output.flush()?;
        }
        let Played { new, known, endless } = played;
        if store.is_some() {
            print_line(&format!("pentad: {new} games recorded, {known} were there already"));
        }
        if endless > 0 {
            print_line(&format!("pentad: {endless} games were abandoned after {GAME_LEN_MAX} moves"));
        }
        Ok(())
    })
}

impl SelfplayArgs {
    /// Plays one game; `None` if it does not end.
    async fn play(&self, engine: &Engine, seed: u64, number: u64) -> Result<Option<GameToRecord>, Box<dyn Error>> {
        let mut spec = self.position.spec();
        let n_given = spec.moves.len();
        while spec.moves.len() - n_given < GAME_LEN_MAX {
            let question = self.question(&spec, spec.moves.len() - n_given, mix(seed ^ mix(number)));
            let caller = Caller { class: Class::Bulk, ..Caller::now() };
            let mut hints = match engine.hint(&question, caller).await {
                Ok(hints) => hints,
                Err(EngineError::GameOver { .. }) if spec.moves.len() > n_given => {
                    return Ok(Some(GameToRecord { id: self.id(seed, number), spec, scores: Vec::new() }));
                }
                Err(error) => return Err(error.into()),
            };
            spec.moves.push(std::mem::take(&mut hints.hints[0].mv));
        }
        Ok(None)
    }

    fn question(&self, spec: &PositionSpec, ply: usize, seed: u64) -> HintQuestion {
        let mut question = HintQuestion::new(spec.clone());
        question.level = if ply < self.opening_plies { OPENING_LEVEL.min(self.level) } else { self.level };
        question.seed = Some(mix(seed ^ ply as u64));
        question.detail = Detail::Move;
        question.limits.time = self.time_ms.map(Duration::from_millis);
        question.limits.nodes = self.nodes.or_else(|| self.time_ms.is_none().then_some(DEFAULT_NODES));
        question
    }

    /// Id of a game, the same whenever it is played again.
    fn id(&self, seed: u64, number: u64) -> String {
        let SelfplayArgs { level, opening_plies, nodes, time_ms, .. } = self;
        let PositionSpec { position, moves, .. } = self.position.spec();
        let settings = format!("{level} {opening_plies} {nodes:?} {time_ms:?} {position} {moves:?}");
        let settings = settings.bytes().fold(0, |digest, byte| mix(digest ^ u64::from(byte)));
        format!("selfplay-{seed:x}-{settings:x}-{number}")
    }
}
