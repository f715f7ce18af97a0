//! Fits the weights of the evaluation to games of the search against itself.
//!
//! ```text
//! cargo run --release -p pentagame --example fit-pentagame -- 2p 400 1500
//! ```
//!
//! plays 400 games with 1,500 nodes per move and prints the constants of
//! `src/evaluate/weights.rs` for two players. Games begin with random moves, positions
//! with proven values are left out, and every other game is held out to measure the
//! fit. The same arguments always print the same weights: games depend only on seeds
//! and nodes. Fitting again with the new weights in place continues from them.
//!
//! The model is that of `src/evaluate/mod.rs`: expected scores are proportional to the
//! exponential of strengths, and strengths are sums of weights. Gradient ascent on the
//! likelihood of the results, with a slight L2 penalty, finds the weights.

use pentad_sdk::rng::Rng;
use pentad_sdk::testing::random_move;
use pentad_sdk::{Certainty, Limits, NeverStop, Request, Resources, Ruleset, Search};
use pentagame::Pentagame;
use pentagame::evaluate::Features;

/// As in `src/evaluate/weights.rs`.
const N_MOVE_WEIGHTS: usize = 12;
/// Moves, spare, near, far, brought, delay.
const N_WEIGHTS: usize = N_MOVE_WEIGHTS + 4 + 4;
/// A strength of 1 in these units is the natural logarithm of the odds.
const UNIT: f64 = 400.0 / std::f64::consts::LN_10;
const STEPS: usize = 4_000;
const LEARNING_RATE: f64 = 0.5;
const L2_PENALTY: f64 = 2e-4;
const PLIES_MAX: usize = 200;
/// The least cost of one more move, in units of the evaluation.
const MOVE_MIN: f64 = 20.0;
/// A feature seen less often gets an extrapolated weight.
const N_SEEN_MIN: usize = 30;

/// A position with the features of every seat and the final scores.
struct Sample {
    rows: Vec<[f64; N_WEIGHTS]>,
    scores: Vec<f64>,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| words.get(at).map_or(default, |word| word.parse().expect("a number"));
    let variant = words.first().map_or("2p", String::as_str);
    let idx = Pentagame::variants().iter().position(|known| known.id == variant).expect("a variant");
    let game = Pentagame::new(idx);
    let (n_games, nodes) = (number(1, 400), number(2, 1_500));
    let mut samples = [Vec::new(), Vec::new()];
    for seed in 0..n_games {
        play(&game, seed, nodes, &mut samples[(seed % 2) as usize]);
    }
    let [fitted, held_out] = samples;
    let weights = fit(&fitted);
    eprintln!("{} positions fitted, {} held out", fitted.len(), held_out.len());
    let mean = |samples: &[Sample]| mean_log_likelihood(&weights, samples);
    eprintln!("mean log-likelihood: fitted {:.4}, held out {:.4}", mean(&fitted), mean(&held_out));
    eprintln!("without weights: held out {:.4}", mean_log_likelihood(&[0.0; N_WEIGHTS], &held_out));
    print_weights(&extrapolated(weights, &fitted));
}

/// Extrapolates the weights of rare numbers of moves from their neighbours, and
/// makes one more move always worse.
fn extrapolated(mut weights: [f64; N_WEIGHTS], samples: &[Sample]) -> [f64; N_WEIGHTS] {
    let n_seen = |at: usize| samples.iter().flat_map(|sample| &sample.rows).filter(|row| row[at] > 0.0).count();
    for at in (0..N_MOVE_WEIGHTS - 2).rev().filter(|&at| n_seen(at) < N_SEEN_MIN) {
        weights[at] = 2.0 * weights[at + 1] - weights[at + 2];
    }
    for at in (2..N_MOVE_WEIGHTS).filter(|&at| n_seen(at) < N_SEEN_MIN) {
        weights[at] = 2.0 * weights[at - 1] - weights[at - 2];
    }
    for at in 1..N_MOVE_WEIGHTS {
        weights[at] = weights[at].min(weights[at - 1] - MOVE_MIN / UNIT);
    }
    weights
}

/// Plays one game and appends its positions.
fn play(game: &Pentagame, seed: u64, nodes: u64, samples: &mut Vec<Sample>) {
    let mut rng = Rng::new(seed);
    let mut context = game.context(Resources { memory_bytes: 1 << 20, threads: 1 }).expect("a context");
    let mut position = game.start();
    let mut rows: Vec<Vec<[f64; N_WEIGHTS]>> = Vec::new();
    // Half of the games begin with one random move per player, half with two.
    let n_random = game.n_seats() * (1 + rng.below(2));
    for ply in 0..PLIES_MAX {
        if position.is_over() {
            break;
        }
        // Occasional random moves, so that positions differ.
        let mv = if ply < n_random || rng.below(12) == 0 {
            random_move(game, &position, &mut rng)
        } else {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let request = Request { seed: rng.next_u64(), memory_bytes: 1 << 20, ..Request::new(limits) };
            game.search(&mut context, &position, &request, &NeverStop).lines[0].moves[0]
        };
        position = game.play(&position, &mv);
        let is_undecided = !position.is_over() && game.evaluate(&position).certainty == Certainty::Estimate;
        if is_undecided && ply + 1 >= n_random {
            rows.push((0..game.n_seats()).map(|seat| row(&position.features(seat))).collect());
        }
    }
    let Some(outcome) = game.outcome(&position) else { return };
    let scores = outcome.scores.as_slice().to_vec();
    samples.extend(rows.into_iter().map(|rows| Sample { rows, scores: scores.clone() }));
}

fn row(features: &Features) -> [f64; N_WEIGHTS] {
    let mut row = [0.0; N_WEIGHTS];
    row[usize::from(features.moves).min(N_MOVE_WEIGHTS - 1)] = 1.0;
    let counts = [features.spare, features.narrow_near, features.narrow_far, features.brought];
    for (to, count) in row[N_MOVE_WEIGHTS..].iter_mut().zip(counts) {
        *to = f64::from(count);
    }
    row[N_MOVE_WEIGHTS + 4 + usize::from(features.delay)] = 1.0;
    row
}

fn expected_scores(weights: &[f64; N_WEIGHTS], sample: &Sample) -> Vec<f64> {
    let strengths = sample.rows.iter().map(|row| row.iter().zip(weights).map(|(x, w)| x * w).sum::<f64>());
    let odds: Vec<f64> = strengths.map(f64::exp).collect();
    let total: f64 = odds.iter().sum();
    odds.into_iter().map(|odds| odds / total).collect()
}

/// Runs gradient ascent, with each weight's step scaled by how often it matters.
fn fit(samples: &[Sample]) -> [f64; N_WEIGHTS] {
    let mut weights = [0.0; N_WEIGHTS];
    let mut scale = [1e-3; N_WEIGHTS];
    for sample in samples {
        for row in &sample.rows {
            scale.iter_mut().zip(row).for_each(|(scale, x)| *scale += x * x / samples.len() as f64);
        }
    }
    for _ in 0..STEPS {
        let mut gradient = [0.0; N_WEIGHTS];
        for sample in samples {
            for ((row, expected), score) in
                sample.rows.iter().zip(expected_scores(&weights, sample)).zip(&sample.scores)
            {
                for (to, x) in gradient.iter_mut().zip(row) {
                    *to += x * (score - expected) / samples.len() as f64;
                }
            }
        }
        for ((weight, gradient), scale) in weights.iter_mut().zip(gradient).zip(scale) {
            *weight += LEARNING_RATE / scale * (gradient - L2_PENALTY * *weight);
        }
    }
    weights
}

fn mean_log_likelihood(weights: &[f64; N_WEIGHTS], samples: &[Sample]) -> f64 {
    let of = |sample: &Sample| -> f64 {
        expected_scores(weights, sample).iter().zip(&sample.scores).map(|(expected, score)| score * expected.ln()).sum()
    };
    samples.iter().map(of).sum::<f64>() / samples.len().max(1) as f64
}

fn print_weights(weights: &[f64; N_WEIGHTS]) {
    let units: Vec<i32> = weights.iter().map(|weight| (weight * UNIT).round() as i32).collect();
    println!("    moves: {:?},", &units[..N_MOVE_WEIGHTS]);
    println!("    spare: {},", units[N_MOVE_WEIGHTS]);
    println!("    narrow_near: {},", units[N_MOVE_WEIGHTS + 1]);
    println!("    narrow_far: {},", units[N_MOVE_WEIGHTS + 2]);
    println!("    brought: {},", units[N_MOVE_WEIGHTS + 3]);
    println!("    delay: {:?},", &units[N_MOVE_WEIGHTS + 4..]);
}
