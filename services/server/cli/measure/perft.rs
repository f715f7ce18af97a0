//! `pentad perft`: the number of move sequences, to compare with other implementations.

use std::error::Error;
use std::path::PathBuf;

use clap::Args;
use pentad_conformance::{PerftRow, perft, read_perft};
use pentad_host::{CallError, Position, Ruleset};
use serde::Serialize;

use super::{legal_moves, load, position_of, variant_of};
use crate::cli::progress::counting_bar;
use crate::cli::text::print_json;
use crate::config::Config;

#[derive(Debug, Args)]
pub(in crate::cli) struct PerftArgs {
    /// Id of a game, or a rule set's shared library
    #[arg(value_name = "GAME|FILE")]
    game: String,
    /// Id of the variant; the game's first by default
    #[arg(long, default_value = "")]
    variant: String,
    /// Position in the game's notation; the start by default
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Moves per sequence
    #[arg(long, value_name = "N", default_value_t = 3, conflicts_with = "file")]
    depth: u32,
    /// Table of expected numbers: lines `variant ID`, `position TEXT`, `perft DEPTH COUNT`,
    /// and `# …`. Exits with 1 if one differs
    #[arg(long, value_name = "TABLE", conflicts_with_all = ["variant", "position"])]
    file: Option<PathBuf>,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Counted {
    game: String,
    variant: String,
    position: String,
    depth: u32,
    count: u64,
    moves: Vec<CountedMove>,
}

#[derive(Serialize)]
struct CountedMove {
    #[serde(rename = "move")]
    mv: String,
    count: u64,
}

/// A row of a table, and what was counted.
#[derive(Serialize)]
struct Compared {
    variant: String,
    position: String,
    depth: u32,
    expected: u64,
    count: u64,
}

pub(in crate::cli) fn run(args: &PerftArgs, config: &Config) -> Result<(), Box<dyn Error>> {
    let ruleset = load(&args.game, config)?;
    if let Some(file) = &args.file {
        let about_file = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
        let table = std::fs::read_to_string(file).map_err(|error| about_file(&error))?;
        let rows = read_perft(&table).map_err(|error| about_file(&error))?;
        return compare(args, &ruleset, rows);
    }
    let variant = variant_of(&ruleset, &args.variant)?;
    let position = position_of(&ruleset, variant, args.position.as_deref())?;
    let text = ruleset.format(variant, &position)?;
    let counts = if args.depth == 0 { Vec::new() } else { count_by_move(&ruleset, variant, &position, args.depth)? };
    let count: u64 = if args.depth == 0 { 1 } else { counts.iter().map(|(_, count)| count).sum() };
    if args.json {
        let (game, variant) = (ruleset.info().id.clone(), ruleset.variants()[variant].id.clone());
        let moves = counts.into_iter().map(|(mv, count)| CountedMove { mv, count }).collect();
        return print_json(&Counted { game, variant, position: text, depth: args.depth, count, moves });
    }
    for (mv, count) in &counts {
        println!("{mv}  {count}");
    }
    println!("{count} sequences of {} moves from `{text}`", args.depth);
    Ok(())
}

/// Counts the sequences by their first move, with progress by these moves.
fn count_by_move(
    ruleset: &Ruleset,
    variant: usize,
    position: &Position,
    depth: u32,
) -> Result<Vec<(String, u64)>, CallError> {
    let moves = legal_moves(ruleset, variant, position)?;
    let bar = counting_bar("counting", moves.len() as u64);
    let mut counts = Vec::with_capacity(moves.len());
    for mv in moves {
        let next = ruleset.play_known(variant, position, &mv)?;
        counts.push((mv, perft(ruleset, variant, &next, depth - 1)?));
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(counts)
}

fn compare(args: &PerftArgs, ruleset: &Ruleset, rows: Vec<PerftRow>) -> Result<(), Box<dyn Error>> {
    let bar = counting_bar("counting", rows.len() as u64);
    let mut compared = Vec::new();
    for PerftRow { variant: id, position: text, depth, count: expected } in rows {
        let variant = variant_of(ruleset, &id)?;
        let position = position_of(ruleset, variant, Some(text.as_str()).filter(|text| !text.is_empty()))?;
        let count = perft(ruleset, variant, &position, depth)?;
        let position = ruleset.format(variant, &position)?;
        if !args.json {
            let result = if count == expected { "ok  " } else { "FAIL" };
            bar.suspend(|| println!("{result} depth {depth}: {count}, expected {expected}, from `{position}`"));
        }
        compared.push(Compared { variant: ruleset.variants()[variant].id.clone(), position, depth, expected, count });
        bar.inc(1);
    }
    bar.finish_and_clear();
    if args.json {
        print_json(&compared)?;
    }
    let n_wrong = compared.iter().filter(|row| row.count != row.expected).count();
    if n_wrong == 0 { Ok(()) } else { Err(format!("{n_wrong} of {} numbers differ", compared.len()).into()) }
}
