//! `pentad report`: what games of an engine against itself say about a game.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;

use clap::Args;
use futures_util::{StreamExt, stream};
use pentad_engine::PositionSpec;
use pentad_host::Ruleset;
use pentad_model::rng::{Rng, mix};
use serde::Serialize;

use super::chart;
use super::player::{Player, Strength};
use super::variant_of;
use crate::cli::progress::counting_bar;
use crate::cli::text::print_json;
use crate::config::Config;

/// Longer games are abandoned: some rules let positions repeat forever.
const GAME_LEN_MAX: usize = 500;

#[derive(Debug, Args)]
pub(in crate::cli) struct ReportArgs {
    /// Id of a game, or a rule set's shared library
    #[arg(value_name = "GAME|FILE")]
    game: String,
    /// Id of the variant; the game's first by default
    #[arg(long, default_value = "")]
    variant: String,
    /// Number of games
    #[arg(long = "games", value_name = "N", default_value_t = 100)]
    n_games: u64,
    /// Strength of all seats, 1 to 10
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u8).range(1..=10))]
    level: u8,
    /// Limit on the positions visited for each move [default: 20000 without a time limit]
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Time limit of each move in milliseconds
    #[arg(long, value_name = "MS")]
    time_ms: Option<u64>,
    /// Random plies at the start, so that games differ
    #[arg(long, value_name = "N", default_value_t = 2)]
    opening_plies: usize,
    /// Seed of the openings and of levels below 10
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Prints JSON
    #[arg(long)]
    json: bool,
    /// Also writes one HTML page with charts
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// What the games say.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GameReport {
    pub(super) game: String,
    pub(super) variant: String,
    /// Finished games; the figures are about them.
    pub(super) games: u64,
    pub(super) abandoned: u64,
    /// Mean score of each seat, in playing order.
    pub(super) scores: Vec<SeatScore>,
    /// How much more than its even share the first seat scores.
    pub(super) first_move_advantage: f64,
    /// Share of games in which all seats score the same.
    pub(super) draws: f64,
    /// Share of games with a single winner.
    pub(super) decisiveness: f64,
    pub(super) length: Spread,
    pub(super) branching: Spread,
    /// Number of games by number of plies.
    pub(super) lengths: BTreeMap<usize, u64>,
    /// Mean number of legal moves at each ply.
    pub(super) branching_by_ply: Vec<f64>,
}

#[derive(Debug, Serialize)]
pub(super) struct SeatScore {
    pub(super) seat: String,
    pub(super) name: String,
    pub(super) score: f64,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Spread {
    pub(super) mean: f64,
    pub(super) min: f64,
    pub(super) max: f64,
}

/// One game.
struct PlayedGame {
    /// `None` if it was abandoned.
    scores: Option<Vec<f64>>,
    /// Number of legal moves at each ply.
    n_moves: Vec<u64>,
}

pub(in crate::cli) fn run(args: &ReportArgs, config: &Config) -> Result<(), Box<dyn Error>> {
    let strength = Strength { level: args.level, nodes: args.nodes, time_ms: args.time_ms };
    let player = Player::with_strength(&args.game, &args.game, strength, config)?;
    let variant = variant_of(&player.ruleset, &args.variant)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let bar = counting_bar("playing games", args.n_games);
    let games = runtime.block_on(async {
        let played = (0..args.n_games).map(async |number| {
            let played = play(args, &player, variant, number).await;
            bar.inc(1);
            played
        });
        stream::iter(played).buffered(config.workers.max(1)).collect::<Vec<_>>().await
    });
    bar.finish_and_clear();
    let games = games.into_iter().collect::<Result<Vec<PlayedGame>, _>>()?;
    let report = summarize(&player.ruleset, variant, &games);
    if let Some(file) = &args.html {
        std::fs::write(file, chart::page(&report)).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    if args.json { print_json(&report) } else { print(&report) }
}

/// Plays one game: random opening plies, then the player for all seats.
async fn play(args: &ReportArgs, player: &Player, variant: usize, number: u64) -> Result<PlayedGame, Box<dyn Error>> {
    let rules = &player.ruleset;
    let seed = mix(args.seed ^ mix(number));
    let mut rng = Rng::new(seed);
    let mut spec = PositionSpec { variant: rules.variants()[variant].id.clone(), ..PositionSpec::default() };
    let mut reached = rules.start(variant)?;
    let mut n_moves = Vec::new();
    while spec.moves.len() < GAME_LEN_MAX {
        if let Some(scores) = rules.scores(variant, &reached)? {
            return Ok(PlayedGame { scores: Some(scores.as_slice().to_vec()), n_moves });
        }
        n_moves.push(rules.count_moves(variant, &reached, "")?);
        let mv = if spec.moves.len() < args.opening_plies {
            let mut moves = super::legal_moves(rules, variant, &reached)?;
            moves.swap_remove(rng.below(moves.len()))
        } else {
            player.choose(&spec, mix(seed ^ spec.moves.len() as u64)).await?
        };
        reached = rules.play_known(variant, &reached, &mv)?;
        spec.moves.push(mv);
    }
    Ok(PlayedGame { scores: None, n_moves })
}

fn summarize(ruleset: &Ruleset, variant: usize, games: &[PlayedGame]) -> GameReport {
    let description = &ruleset.variants()[variant];
    let finished: Vec<(&Vec<f64>, &Vec<u64>)> =
        games.iter().filter_map(|game| Some((game.scores.as_ref()?, &game.n_moves))).collect();
    let n_games = finished.len().max(1) as f64;
    let share = |is: &dyn Fn(&[f64]) -> bool| finished.iter().filter(|(scores, _)| is(scores)).count() as f64 / n_games;
    let mean = |seat: usize| finished.iter().map(|(scores, _)| scores[seat]).sum::<f64>() / n_games;
    let seats = description.seats.iter().enumerate();
    let scores: Vec<SeatScore> = seats
        .map(|(idx, seat)| SeatScore { seat: seat.id.clone(), name: seat.name.clone(), score: mean(idx) })
        .collect();
    let mut lengths = BTreeMap::new();
    let mut by_ply: Vec<(f64, f64)> = Vec::new();
    for (_, n_moves) in &finished {
        *lengths.entry(n_moves.len()).or_insert(0) += 1;
        by_ply.resize(by_ply.len().max(n_moves.len()), (0.0, 0.0));
        for (ply, &n_moves) in n_moves.iter().enumerate() {
            by_ply[ply] = (by_ply[ply].0 + n_moves as f64, by_ply[ply].1 + 1.0);
        }
    }
    let even = finished.first().map_or(0.5, |(scores, _)| scores.iter().sum::<f64>() / scores.len() as f64);
    GameReport {
        game: ruleset.info().id.clone(),
        variant: description.id.clone(),
        games: finished.len() as u64,
        abandoned: (games.len() - finished.len()) as u64,
        first_move_advantage: scores.first().map_or(0.0, |first| first.score - even),
        scores,
        draws: share(&|scores| scores.iter().all(|score| (score - scores[0]).abs() < 1e-9)),
        decisiveness: share(&|scores| {
            let best = scores.iter().copied().fold(f64::MIN, f64::max);
            scores.iter().filter(|score| best - **score < 1e-9).count() == 1
        }),
        length: spread(finished.iter().map(|(_, n_moves)| n_moves.len() as f64)),
        branching: spread(finished.iter().flat_map(|(_, n_moves)| n_moves.iter().map(|&n| n as f64))),
        lengths,
        branching_by_ply: by_ply.into_iter().map(|(sum, count)| sum / count).collect(),
    }
}

fn spread(values: impl Iterator<Item = f64> + Clone) -> Spread {
    let count = values.clone().count();
    if count == 0 {
        return Spread::default();
    }
    Spread {
        mean: values.clone().sum::<f64>() / count as f64,
        min: values.clone().fold(f64::MAX, f64::min),
        max: values.fold(f64::MIN, f64::max),
    }
}

fn print(report: &GameReport) -> Result<(), Box<dyn Error>> {
    println!("{} {}, {} games of the engine against itself", report.game, report.variant, report.games);
    if report.abandoned > 0 {
        println!("  {} more were abandoned after {GAME_LEN_MAX} moves", report.abandoned);
    }
    for SeatScore { name, score, .. } in &report.scores {
        println!("  {name:<14} scores {:.1} %", 100.0 * score);
    }
    println!("  first move     {:+.1} % above an even share", 100.0 * report.first_move_advantage);
    println!("  draws          {:.1} %", 100.0 * report.draws);
    println!("  decisive       {:.1} %, with one winner", 100.0 * report.decisiveness);
    let Spread { mean, min, max } = report.length;
    println!("  length         {mean:.1} plies ({min:.0} to {max:.0})");
    let Spread { mean, min, max } = report.branching;
    println!("  branching      {mean:.1} legal moves ({min:.0} to {max:.0})");
    Ok(())
}
