//! `pentad import`: records games from a file, for the explorer.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use futures_util::{StreamExt, stream};
use pentad_engine::{Caller, Class, Engine, EngineError, GameToRecord, PositionSpec, Recorded};
use pentad_store::Layers;
use serde::{Deserialize, Serialize};

use super::input::Input;
use super::position::with_engine_and_store;
use super::progress::bar;
use super::{EXIT_FAILURE, print_error};
use crate::config::{Config, LogFormat};
use crate::error::json_name;
use crate::telemetry::print_line;

/// Everything was read, and some lines were not games.
const EXIT_BAD_LINES: u8 = 2;
/// Games being stored at once: some hundred are committed together.
const UNDER_WAY_MAX: usize = 512;
/// Maximum number of bad lines that are reported one by one.
const TOLD_MAX: u64 = 20;

/// Each line is a game: `game`, `moves`, and optionally `variant`, `position` (where it
/// began), `scores` (by seat, for a game that was not played to its end) and `id`.
/// Duplicates count once: games with the same id, or, without an id, with the same
/// moves.
#[derive(Debug, Args)]
pub(super) struct ImportArgs {
    /// JSON lines; standard input by default
    file: Option<PathBuf>,
}

/// A game as a line of JSON.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct GameLine {
    pub(super) game: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) variant: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) id: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) position: String,
    pub(super) moves: Vec<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) scores: BTreeMap<String, f64>,
    /// Names of the players by seat id, for `pentad judge`. The store does not keep them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) players: BTreeMap<String, String>,
}

impl GameLine {
    pub(super) fn new(record: &GameToRecord) -> GameLine {
        let GameToRecord { spec, scores, id } = record.clone();
        let PositionSpec { game, variant, position, moves } = spec;
        let scores = scores.into_iter().collect();
        GameLine { game, variant, id, position, moves, scores, players: BTreeMap::new() }
    }

    fn into_record(self) -> GameToRecord {
        let GameLine { game, variant, id, position, moves, scores, players: _ } = self;
        GameToRecord { spec: PositionSpec { game, variant, position, moves }, scores: scores.into_iter().collect(), id }
    }
}

/// Number of lines by result.
#[derive(Debug, Default)]
struct Imported {
    new: u64,
    known: u64,
    bad: u64,
}

/// Exits with 0 if every line was a game, with 2 if some were not, with 1 if they could not
/// be stored.
pub(super) fn run(args: &ImportArgs, config: &Config) -> ExitCode {
    let mut imported = Imported::default();
    let worked = with_engine_and_store(config, async |engine, store| {
        let store = open_store(store)?;
        import(args, &engine, &store, &mut imported).await
    });
    let Imported { new, known, bad } = imported;
    if let Err(error) = worked {
        print_line(&format!(
            "pentad: {new} games recorded, {known} were there already; the remaining lines were not read"
        ));
        print_error(LogFormat::Text, &error.to_string());
        return ExitCode::from(EXIT_FAILURE);
    }
    let were_bad = if bad == 0 { String::new() } else { format!(", {bad} lines are not games") };
    print_line(&format!("pentad: {new} games recorded, {known} were there already{were_bad}"));
    if bad == 0 { ExitCode::SUCCESS } else { ExitCode::from(EXIT_BAD_LINES) }
}

/// Returns the stores to record games in; all of them must be up.
pub(super) fn open_store(store: Option<Layers>) -> Result<Layers, Box<dyn Error>> {
    let store = store.ok_or("there is no store to record games in; set --store")?;
    for layer in store.status() {
        if let Some(problem) = layer.state.problem() {
            return Err(format!("the store {}: {problem}", layer.place).into());
        }
    }
    Ok(store)
}

/// Explains why games could not be stored.
pub(super) fn store_failure(store: &Layers) -> Box<dyn Error> {
    let problems = store.status().into_iter().filter_map(|it| Some(format!("{}: {}", it.place, it.state.problem()?)));
    let problems: Vec<String> = problems.collect();
    let why = if problems.is_empty() { "the game is too long for it".to_owned() } else { problems.join("; ") };
    format!("a game could not be stored: {why}").into()
}

async fn import(
    args: &ImportArgs,
    engine: &Engine,
    store: &Layers,
    imported: &mut Imported,
) -> Result<(), Box<dyn Error>> {
    let input = Input::open(args.file.as_deref())?;
    let bar = bar("importing", input.n_bytes);
    let lines = (1u64..).zip(input.lines(&bar)).filter(|(_, line)| !matches!(line, Ok(line) if line.trim().is_empty()));
    let record = async |(number, line): (u64, std::io::Result<String>)| {
        let line = match line {
            Ok(line) => line,
            Err(error) => return (number, Err(error.to_string())),
        };
        (number, record(engine, &line).await)
    };
    let mut recorded = stream::iter(lines).map(record).buffered(UNDER_WAY_MAX);
    while let Some((number, result)) = recorded.next().await {
        match result {
            Ok(Recorded::New) => imported.new += 1,
            Ok(Recorded::Known) => imported.known += 1,
            Ok(Recorded::Failed) => return Err(store_failure(store)),
            Err(message) => {
                imported.bad += 1;
                if imported.bad <= TOLD_MAX {
                    bar.suspend(|| print_line(&format!("pentad: line {number}: {message}")));
                }
                if imported.bad == TOLD_MAX {
                    bar.suspend(|| print_line("pentad: further bad lines are only counted"));
                }
            }
        }
        bar.set_message(format!("importing, {} games", imported.new + imported.known));
    }
    bar.finish_and_clear();
    Ok(())
}

async fn record(engine: &Engine, line: &str) -> Result<Recorded, String> {
    // The error counts lines from here; the caller adds the line of the file.
    let unreadable = |error: serde_json::Error| error.to_string().replace(" at line 1 column", " at column");
    let line: GameLine = serde_json::from_str(line.trim_end()).map_err(unreadable)?;
    let caller = Caller { class: Class::Bulk, ..Caller::now() };
    engine.record(&line.into_record(), caller).await.map_err(|error| match error {
        EngineError::BadArgument { field, message } => {
            format!("{}: {}", field.spell(json_name), message.spell(json_name))
        }
        error => error.message(json_name),
    })
}
