//! `pentad bench`: how fast a rule set is, call by call.

use std::error::Error;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::ProgressBar;
use pentad_host::{CallError, Position, Ruleset};
use pentad_model::rng::Rng;
use pentad_model::{Limits, NeverStop, Report, Request};
use serde::Serialize;

use super::{legal_moves, load, variant_of};
use crate::cli::progress::counting_bar;
use crate::cli::text::print_json;
use crate::config::Config;

/// Random games that the positions come from, and positions that calls are measured with.
const GAMES: u64 = 40;
const POSITIONS_MAX: usize = 200;
/// Positions that are searched.
const POSITIONS_SEARCHED: usize = 5;
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
    let time = Duration::from_millis(args.time_ms);
    let calls = calls_to_measure(&ruleset, variant, &positions)?;
    let bar = counting_bar("measuring", (calls.len() + POSITIONS_SEARCHED) as u64);
    let measure = |call| {
        let speed = measure_call(call, positions.len(), time);
        bar.inc(1);
        speed
    };
    let bench = Bench {
        game: ruleset.info().id.clone(),
        variant: ruleset.variants()[variant].id.clone(),
        positions: positions.len(),
        calls: calls.iter().map(measure).collect::<Result<_, _>>()?,
        search: measure_search(&ruleset, variant, &positions, time, &bar)?,
    };
    bar.finish_and_clear();
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

/// A function of the rule set, called with a position by its index.
type MeasuredCall<'a> = (&'static str, Box<dyn Fn(usize) -> Result<(), CallError> + 'a>);

/// Returns the functions that the rule set has for this variant.
fn calls_to_measure<'a>(
    ruleset: &'a Ruleset,
    variant: usize,
    positions: &'a [Sample],
) -> Result<Vec<MeasuredCall<'a>>, CallError> {
    let texts: Vec<String> = positions.iter().map(|(it, _)| ruleset.format(variant, it)).collect::<Result<_, _>>()?;
    let has = ruleset.info().capabilities;
    let position = |idx: usize| &positions[idx].0;
    let mut calls: Vec<MeasuredCall<'a>> = vec![
        ("start", Box::new(move |_| ruleset.start(variant).map(drop))),
        ("parse", Box::new(move |idx| ruleset.parse(variant, &texts[idx]).map(drop))),
        ("format", Box::new(move |idx| ruleset.format(variant, position(idx)).map(drop))),
        ("to_move", Box::new(move |idx| ruleset.to_move(variant, position(idx)).map(drop))),
        (
            "legal_moves",
            Box::new(move |idx| {
                let visit = &mut |_: &str| std::ops::ControlFlow::Continue(());
                ruleset.legal_moves(variant, position(idx), "", visit).map(drop)
            }),
        ),
        ("count_moves", Box::new(move |idx| ruleset.count_moves(variant, position(idx), "").map(drop))),
        (
            "play",
            Box::new(move |idx| {
                let (position, moves) = &positions[idx];
                ruleset.play_known(variant, position, &moves[idx % moves.len()]).map(drop)
            }),
        ),
        ("outcome", Box::new(move |idx| ruleset.scores(variant, position(idx)).map(drop))),
    ];
    if ruleset.variants()[variant].n_symmetries > 1 {
        calls.push(("canonical", Box::new(move |idx| ruleset.canonical(variant, position(idx)).map(drop))));
    }
    if has.layout && ruleset.variants()[variant].board.is_some() {
        calls.push(("pieces", Box::new(move |idx| ruleset.pieces(variant, position(idx)).map(drop))));
    }
    if has.search {
        calls.push(("evaluate", Box::new(move |idx| ruleset.evaluate(variant, position(idx)).map(drop))));
    }
    if has.threats {
        calls.push(("threats", Box::new(move |idx| ruleset.list_threats(variant, position(idx)).map(drop))));
    }
    Ok(calls)
}

/// Calls a function with all positions in turn, at least once each, for `time`.
fn measure_call((call, run): &MeasuredCall<'_>, n_positions: usize, time: Duration) -> Result<Speed, CallError> {
    let (begin, mut n_calls) = (Instant::now(), 0_u64);
    while begin.elapsed() < time {
        (0..n_positions).try_for_each(run)?;
        n_calls += n_positions as u64;
    }
    Ok(Speed { call, calls_per_second: n_calls as f64 / begin.elapsed().as_secs_f64() })
}

/// Searches [`POSITIONS_SEARCHED`] positions, from the opening to the end, each for `time`.
fn measure_search(
    ruleset: &std::sync::Arc<Ruleset>,
    variant: usize,
    positions: &[Sample],
    time: Duration,
    bar: &ProgressBar,
) -> Result<SearchSpeed, CallError> {
    let is_own = ruleset.info().capabilities.search;
    let limits = Limits { time: Some(time), ..Limits::default() };
    let request = Request { memory_bytes: MEMORY_BYTES, ..Request::new(limits) };
    let mut searcher = if is_own { Some(ruleset.searcher(variant, MEMORY_BYTES, 1)?) } else { None };
    let (mut nodes, mut depth, mut elapsed) = (0, 0, Duration::ZERO);
    for (position, _) in positions.iter().step_by(positions.len().div_ceil(POSITIONS_SEARCHED)) {
        let begin = Instant::now();
        let report: Report<String> = match &mut searcher {
            Some(searcher) => searcher.run(position, &request, &NeverStop)?,
            None => ruleset.fallback_search(variant, position, &request, &NeverStop)?,
        };
        elapsed += begin.elapsed();
        (nodes, depth) = (nodes + report.nodes, depth.max(report.depth));
        bar.inc(1);
    }
    Ok(SearchSpeed { is_own, nodes_per_second: nodes as f64 / elapsed.as_secs_f64().max(1e-9), depth })
}
