//! Checks that higher levels are stronger.
//!
//! `cargo bench --bench levels` lets each level play the one two below it, forty games per
//! pair, in the default variant of every bundled game, and the even levels play the odd ones
//! just below them, which links the two. It prints the score of the higher level with its
//! confidence interval, and an Elo-like rating per game, and fails if a score two levels
//! apart is below 65 %.
//!
//! ```sh
//! cargo bench --bench levels -- pentago pentago-xl/ffa2 --pairs 3-1,5-3 --games 100
//! ```
//!
//! Levels 1 to 9 are limited by nodes; level 10, which in service is limited by the caller's
//! time, is limited here by `--full-nodes`. So nothing depends on the clock, and the same
//! command gives the same games on every machine. The limit makes level 10 weaker than it is
//! in service at one second per move.
//!
//! Games begin at the start position and differ by their seeds. Every assignment of seats is
//! equally frequent: with four seats two belong to the higher level, and the level whose seats
//! get more of the score wins the game. `--opening-plies` begins with moves of level 1, which
//! may decide a game between high levels.

mod rating;

use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Parser;
use pentad_engine::{
    Caller, Class, Detail, Engine, EngineConfig, FaultContext, HintQuestion, Observer, PositionSpec, QuestionLimits,
    StopReason,
};
use pentad_host::Fault;
use pentad_model::rng::mix;
use pentad_model::{Evaluation, Scores};

use rating::{Match, Tally};

/// The score that a level should reach against the one two below it.
const GRADED: f64 = 0.65;
/// Longer games count as draws: Pentaflip's rules let positions repeat without limit.
const GAME_LEN_MAX: u64 = 300;
/// Time limit of a move; the node limit ends it long before.
const NO_LIMIT: Duration = Duration::from_hours(1);

#[derive(Debug, Parser)]
struct Options {
    /// `GAME` or `GAME/VARIANT`
    #[arg(default_values = ["pentago", "pentago-xl", "pentagame", "pentaflip"])]
    games: Vec<String>,
    /// Games of each pair
    #[arg(long = "games", default_value_t = 40)]
    n_games: u64,
    /// Pairs of levels, the higher one first
    #[arg(long, value_delimiter = ',', value_parser = pair, default_value = "2-1,3-1,4-2,4-3,5-3,6-4,6-5,7-5,8-6,8-7,9-7,10-8,10-9")]
    pairs: Vec<(u8, u8)>,
    /// Node limit of level 10 per move
    #[arg(long, default_value_t = 200_000)]
    full_nodes: u64,
    /// Moves of level 1 at the beginning, the same for every assignment of seats
    #[arg(long, default_value_t = 0)]
    opening_plies: u64,
    /// Seed of the games
    #[arg(long, default_value_t = 0)]
    seed: u64,
    // Added by cargo.
    #[arg(long, hide = true)]
    bench: bool,
    #[arg(long, hide = true)]
    test: bool,
}

fn pair(text: &str) -> Result<(u8, u8), String> {
    let levels = text.split_once('-').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    match levels {
        Some((a, b)) if (1..=10).contains(&b) && b < a && a <= 10 => Ok((a, b)),
        _ => Err(format!("`{text}` is not a pair of levels from 10 to 1, the higher one first, as in 5-3")),
    }
}

struct Silent;

impl Observer for Silent {
    fn search_finished(&self, _: &str, _: Duration, _: u64, _: StopReason) {}
    fn evaluation_given(&self, _: &str, _: &Evaluation) {}
    fn cache_looked_up(&self, _: &str, _: pentad_engine::CacheResult) {}
    fn search_cancelled(&self, _: &str, _: Duration) {}
    fn job_dequeued(&self, _: Class, _: Duration) {}
    fn ruleset_faulted(&self, game: &str, fault: &Fault, _: FaultContext<'_>) {
        panic!("{game}: {fault:?}");
    }
}

fn main() -> ExitCode {
    let options = Options::parse();
    // `cargo test --benches` only checks that it starts.
    if options.test {
        return ExitCode::SUCCESS;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let is_graded = runtime.block_on(async {
        let loaded = pentad_host::load_bundled(None).expect("the bundled rule sets load");
        // One thread, so that a search limited by nodes is reproducible, and no time limit that
        // could end one.
        let config = EngineConfig {
            workers: NonZeroUsize::MIN,
            threads_per_long_search: NonZeroUsize::MIN,
            time_max: NO_LIMIT,
            memory_per_search_bytes: 32 << 20,
            ..EngineConfig::default()
        };
        let engine = Engine::new(config, loaded.rulesets, Arc::new(Silent));
        let mut is_graded = true;
        for game in &options.games {
            is_graded &= measure(&engine, game, &options).await;
        }
        is_graded
    });
    if is_graded { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Plays all pairs in one game and prints the results; returns whether all scores suffice.
async fn measure(engine: &Arc<Engine>, game: &str, options: &Options) -> bool {
    let (game, variant) = game.split_once('/').unwrap_or((game, ""));
    let start = PositionSpec { game: game.to_owned(), variant: variant.to_owned(), ..PositionSpec::default() };
    let described = engine.describe(&start, Caller::now()).await.unwrap_or_else(|error| panic!("{error}"));
    let sides: Vec<u32> = described.variant.seats.iter().map(|seat| seat.side).collect();
    let shares = shares(&sides);
    assert!(!shares.is_empty(), "{game}/{}: two levels cannot share {sides:?}", described.variant.id);
    println!("{game} ({})", described.variant.id);
    println!(
        "{:>8}{:>8}{:>8}{:>8}{:>8}{:>9}{:>12}{:>9}",
        "pair", "games", "wins", "draws", "losses", "score", "95 %", "time"
    );
    let (mut matches, mut is_graded) = (Vec::new(), true);
    for &(stronger, weaker) in &options.pairs {
        let (begin, mut tally) = (Instant::now(), Tally::default());
        for game_idx in 0..options.n_games {
            let share = &shares[(game_idx % shares.len() as u64) as usize];
            let levels: Vec<u8> =
                share.iter().map(|&is_stronger| if is_stronger { stronger } else { weaker }).collect();
            let opening = mix(options.seed) ^ (game_idx / shares.len() as u64);
            let seeds = [mix(opening), mix(mix(opening) ^ game_idx)];
            let scores = play(engine, &start, &levels, seeds, options).await;
            let points = |of: bool| -> f64 {
                let seats = share.iter().zip(scores.as_slice()).filter(|(is_stronger, _)| **is_stronger == of);
                seats.map(|(_, score)| score).sum()
            };
            match points(true) - points(false) {
                lead if lead > 1e-6 => tally.wins += 1,
                lead if lead < -1e-6 => tally.losses += 1,
                _ => tally.draws += 1,
            }
        }
        let (low, high) = tally.interval();
        let is_below = stronger - weaker == 2 && tally.score() < GRADED;
        is_graded &= !is_below;
        println!(
            "{:>8}{:>8}{:>8}{:>8}{:>8}{:>7.1} %{:>12}{:>7.0} s{}",
            format!("{stronger}-{weaker}"),
            tally.games(),
            tally.wins,
            tally.draws,
            tally.losses,
            100.0 * tally.score(),
            format!("{:.0} to {:.0}", 100.0 * low, 100.0 * high),
            begin.elapsed().as_secs_f64(),
            if is_below { "  below 65 %" } else { "" }
        );
        matches.push(Match { stronger, weaker, tally });
    }
    let ratings = rating::ratings(&matches);
    let ratings: Vec<String> = ratings.iter().map(|(level, elo)| format!("{level}: {elo:.0}")).collect();
    println!("  Elo-like ratings by level  {}\n", ratings.join("  "));
    is_graded
}

/// Returns every way to give half of the sides to the higher level, by seat.
fn shares(side_of_seat: &[u32]) -> Vec<Vec<bool>> {
    let n_sides = side_of_seat.iter().max().map_or(0, |side| side + 1);
    let halves = (0u32..1 << n_sides).filter(|sides| 2 * sides.count_ones() == n_sides);
    halves.map(|sides| side_of_seat.iter().map(|side| sides >> side & 1 == 1).collect()).collect()
}

/// Plays a game and returns the score of each seat. The first move of each seat depends on
/// the first seed, everything after on the second.
async fn play(engine: &Engine, start: &PositionSpec, levels: &[u8], seeds: [u64; 2], options: &Options) -> Scores {
    let mut spec = start.clone();
    for ply in 0..GAME_LEN_MAX {
        let described = engine.describe(&spec, Caller::now()).await.expect("the position is legal");
        if let Some(outcome) = described.outcome {
            return outcome.scores;
        }
        spec = PositionSpec { position: described.position, moves: Vec::new(), ..spec };
        let is_opening = ply < options.opening_plies;
        let level = if is_opening { 1 } else { levels[described.to_move] };
        let seed = mix(seeds[usize::from(!is_opening)] ^ ply);
        let nodes = (level == 10).then_some(options.full_nodes);
        let limits = QuestionLimits { time: Some(NO_LIMIT), nodes, depth: None };
        let question =
            HintQuestion { level, seed: Some(seed), limits, detail: Detail::Move, ..HintQuestion::new(spec.clone()) };
        let hints = engine.hint(&question, Caller::now()).await.expect("the game goes on");
        spec.moves.push(hints.hints[0].mv.clone());
    }
    Scores::even(levels.len())
}
