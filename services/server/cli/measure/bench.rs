//! `pentad bench`: how fast a rule set is, call by call.

use std::error::Error;
use std::time::{Duration, Instant};

use clap::Args;
use pentad_host::{CallError, Position, Ruleset};
use pentad_model::rng::Rng;
use pentad_model::{Limits, NeverStop, Report, Request};
use serde::Serialize;

use super::{legal_moves, load, variant_of};
use crate::cli::text::print_json;
use crate::config::Config;

/// Random games that the positions come from, and positions that are measured.
const GAMES: u64 = 40;
const POSITIONS_MAX: usize = 200;
/// Longer games are cut.
const GAME_LEN_MAX: usize = 300;
const MEMORY_BYTES: u64 = 256 << 20;

#[derive(Debug, Args)]
pub(in crate::cli) struct BenchArgs {
    /// Id of a game, or a rule set's shared library
    #[arg(value_name = "GAME|FILE")]
    game: String,
    /// Id of the variant; the game's first by default
    #[arg(long, default_value = "")]
    variant: String,
    /// Time for each function, and for the search of each of five positions, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 200)]
    time_ms: u64,
    /// Seed of the random games that give the positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Bench {
    game: String,
    variant: String,
    positions: usize,
    calls: Vec<Speed>,
    search: SearchSpeed,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Speed {
    call: &'static str,
    calls_per_second: f64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SearchSpeed {
    /// Whether it is the rule set's own, or the host's by the rules alone.
    is_own: bool,
    nodes_per_second: f64,
    depth: u32,
}

pub(in crate::cli) fn run(args: &BenchArgs, config: &Config) -> Result<(), Box<dyn Error>> {
    let ruleset = load(&args.game, config)?;
    let variant = variant_of(&ruleset, &args.variant)?;
    let positions = sample(&ruleset, variant, args.seed)?;
    let bench = Bench {
        game: ruleset.info().id.clone(),
        variant: ruleset.variants()[variant].id.clone(),
        positions: positions.len(),
        calls: measure_calls(&ruleset, variant, &positions, Duration::from_millis(args.time_ms))?,
        search: measure_search(&ruleset, variant, &positions, Duration::from_millis(args.time_ms))?,
    };
    if args.json {
        return print_json(&bench);
    }
    println!("{} {}, {} positions of random games", bench.game, bench.variant, bench.positions);
    for Speed { call, calls_per_second } in &bench.calls {
        println!("  {call:<12} {calls_per_second:>14.0} calls per second");
    }
    let SearchSpeed { is_own, nodes_per_second, depth } = bench.search;
    let whose = if is_own { "its own search" } else { "the host's search" };
    println!("  {:<12} {nodes_per_second:>14.0} nodes per second by {whose}, depth {depth}", "search");
    Ok(())
}

/// An unfinished position and its legal moves.
type Sample = (Position, Vec<String>);

/// Returns unfinished positions of random games.
fn sample(ruleset: &Ruleset, variant: usize, seed: u64) -> Result<Vec<Sample>, Box<dyn Error>> {
    let mut sampled = Vec::new();
    for game in 0..GAMES {
        let mut rng = Rng::new(seed ^ game << 32);
        let mut position = ruleset.start(variant)?;
        for _ in 0..GAME_LEN_MAX {
            let moves = legal_moves(ruleset, variant, &position)?;
            if moves.is_empty() {
                break;
            }
            let next = ruleset.play_known(variant, &position, &moves[rng.below(moves.len())])?;
            sampled.push((std::mem::replace(&mut position, next), moves));
        }
    }
    let step = sampled.len().div_ceil(POSITIONS_MAX).max(1);
    let sampled: Vec<_> = sampled.into_iter().step_by(step).collect();
    if sampled.is_empty() { Err("no move is legal at the start".into()) } else { Ok(sampled) }
}

fn measure_calls(
    ruleset: &Ruleset,
    variant: usize,
    positions: &[Sample],
    time: Duration,
) -> Result<Vec<Speed>, CallError> {
    let texts: Vec<String> = positions.iter().map(|(it, _)| ruleset.format(variant, it)).collect::<Result<_, _>>()?;
    let has = ruleset.info().capabilities;
    let mut speeds = Vec::new();
    let mut measure = |call: &'static str, run: &dyn Fn(usize) -> Result<(), CallError>| -> Result<(), CallError> {
        let (begin, mut n_calls) = (Instant::now(), 0_u64);
        while begin.elapsed() < time {
            for idx in 0..positions.len() {
                run(idx)?;
            }
            n_calls += positions.len() as u64;
        }
        speeds.push(Speed { call, calls_per_second: n_calls as f64 / begin.elapsed().as_secs_f64() });
        Ok(())
    };
    measure("start", &|_| ruleset.start(variant).map(drop))?;
    measure("parse", &|idx| ruleset.parse(variant, &texts[idx]).map(drop))?;
    measure("format", &|idx| ruleset.format(variant, &positions[idx].0).map(drop))?;
    measure("to_move", &|idx| ruleset.to_move(variant, &positions[idx].0).map(drop))?;
    measure("legal_moves", &|idx| {
        let visit = &mut |_: &str| std::ops::ControlFlow::Continue(());
        ruleset.legal_moves(variant, &positions[idx].0, "", visit).map(drop)
    })?;
    measure("count_moves", &|idx| ruleset.count_moves(variant, &positions[idx].0, "").map(drop))?;
    measure("play", &|idx| {
        let (position, moves) = &positions[idx];
        ruleset.play_known(variant, position, &moves[idx % moves.len()]).map(drop)
    })?;
    measure("outcome", &|idx| ruleset.scores(variant, &positions[idx].0).map(drop))?;
    if ruleset.variants()[variant].n_symmetries > 1 {
        measure("canonical", &|idx| ruleset.canonical(variant, &positions[idx].0).map(drop))?;
    }
    if has.layout && ruleset.variants()[variant].board.is_some() {
        measure("pieces", &|idx| ruleset.pieces(variant, &positions[idx].0).map(drop))?;
    }
    if has.search {
        measure("evaluate", &|idx| ruleset.evaluate(variant, &positions[idx].0).map(drop))?;
    }
    if has.threats {
        measure("threats", &|idx| ruleset.list_threats(variant, &positions[idx].0).map(drop))?;
    }
    Ok(speeds)
}

/// Searches five positions, from the opening to the end, each for `time`.
fn measure_search(
    ruleset: &std::sync::Arc<Ruleset>,
    variant: usize,
    positions: &[Sample],
    time: Duration,
) -> Result<SearchSpeed, CallError> {
    let is_own = ruleset.info().capabilities.search;
    let limits = Limits { time: Some(time), ..Limits::default() };
    let request = Request { memory_bytes: MEMORY_BYTES, ..Request::new(limits) };
    let mut searcher = if is_own { Some(ruleset.searcher(variant, MEMORY_BYTES, 1)?) } else { None };
    let (mut nodes, mut depth, mut elapsed) = (0, 0, Duration::ZERO);
    for (position, _) in positions.iter().step_by(positions.len().div_ceil(5)) {
        let begin = Instant::now();
        let report: Report<String> = match &mut searcher {
            Some(searcher) => searcher.run(position, &request, &NeverStop)?,
            None => ruleset.fallback_search(variant, position, &request, &NeverStop)?,
        };
        elapsed += begin.elapsed();
        (nodes, depth) = (nodes + report.nodes, depth.max(report.depth));
    }
    Ok(SearchSpeed { is_own, nodes_per_second: nodes as f64 / elapsed.as_secs_f64().max(1e-9), depth })
}
