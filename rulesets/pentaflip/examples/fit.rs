//! Fits the weights of the static evaluation to games of the search against itself.
//!
//! ```text
//! cargo run --release -p pentaflip --example fit-pentaflip -- 2000 2000 1
//! ```
//!
//! plays 2,000 games with 2,000 nodes per move from openings of random moves, seeded by
//! 1, and prints the weights that explain their results best, in the form used in
//! `src/evaluate.rs`. Nodes are limited, not time, so the numbers are reproducible. New
//! weights lead to new games: repeat until little changes.
//!
//! The model is logistic: the expected score is `1 / (1 + 10^(-value / 400))`.
//! Newton's method finds its best weights, with a small penalty on large ones.

use pentad_sdk::rng::Rng;
use pentad_sdk::testing::random_move;
use pentad_sdk::{Limits, NeverStop, Request};
use pentaflip::evaluate::{FEATURES, N_FEATURES};
use pentaflip::search::PentaflipSearch;
use pentaflip::{Colour, Pentaflip, Position};

/// Both sides' features and the tempo.
const N_WEIGHTS: usize = 2 * N_FEATURES + 1;
/// Maximum number of random plies at the beginning of a game.
const OPENING_PLIES_MAX: usize = 12;
/// Later, one move in this many is random.
const RANDOM_EVERY: usize = 12;
/// A game that takes longer counts as drawn.
const PLIES_MAX: usize = 200;
/// The ridge penalty on large weights.
const RIDGE: f64 = 1e-4;
const N_STEPS: usize = 12;
/// Converts natural log-odds to the scale of the evaluation.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// The features of a position, and the score of its side to move in that game.
struct Sample {
    inputs: [f64; N_WEIGHTS],
    score: f64,
}

fn main() {
    let words: Vec<u64> = std::env::args().skip(1).map(|word| word.parse().expect("a number")).collect();
    let number = |at: usize, default: u64| words.get(at).copied().unwrap_or(default);
    let (n_games, nodes, seed) = (number(0, 2_000), number(1, 2_000), number(2, 1));
    let mut samples = Vec::new();
    let mut results = [0; 3];
    for game in 0..n_games {
        let score = play(&mut Rng::new(seed * 1_000_003 + game), nodes, &mut samples);
        results[(score * 2.0) as usize] += 1;
    }
    let [black, drawn, white] = results;
    println!("// {n_games} games, {} positions: white {white}, drawn {drawn}, black {black}", samples.len());
    println!("// error with no weights {:.5}", error(&samples, &[0.0; N_WEIGHTS]));
    let weights = fit(&samples);
    println!("// error {:.5}", error(&samples, &weights));
    for (side, name) in ["the side to move", "the other side"].into_iter().enumerate() {
        let rounded = weights[side * N_FEATURES..][..N_FEATURES].iter().map(|weight| (weight * SCALE).round() as i32);
        let rounded: Vec<i32> = rounded.collect();
        println!("    {rounded:?}, // {name}");
    }
    println!("// tempo {}", (weights[N_WEIGHTS - 1] * SCALE).round());
    for (idx, name) in FEATURES.iter().enumerate() {
        println!("// {name}: {:.2} {:.2}", weights[idx] * SCALE, weights[N_FEATURES + idx] * SCALE);
    }
}

/// Plays a game, adds its positions to the samples, and returns white's score.
fn play(rng: &mut Rng, nodes: u64, samples: &mut Vec<Sample>) -> f64 {
    let mut search = PentaflipSearch::default();
    let request = Request { memory_bytes: 1 << 20, ..Request::new(Limits { nodes: Some(nodes), ..Limits::default() }) };
    let n_random = 2 + rng.below(OPENING_PLIES_MAX - 1);
    let mut position = Position::START;
    let mut positions = Vec::new();
    for ply in 0..PLIES_MAX {
        if Pentaflip.game_result(&position).is_some() {
            break;
        }
        let mv = if ply < n_random || rng.below(RANDOM_EVERY) == 0 {
            random_move(&Pentaflip, &position, rng)
        } else {
            // The search detects a win in one without any weights.
            if Pentaflip.winning_move(&position).is_none() {
                positions.push(position);
            }
            search.search(&Pentaflip, &position, &request, &NeverStop).lines[0].moves[0]
        };
        position = Pentaflip.play_unchecked(&position, mv);
    }
    let winner = Pentaflip.game_result(&position).and_then(|result| result.winner());
    let score = |side: Colour| winner.map_or(0.5, |winner| if winner == side { 1.0 } else { 0.0 });
    samples.extend(positions.iter().map(|position| Sample { inputs: inputs(position), score: score(position.side()) }));
    score(Colour::White)
}

fn inputs(position: &Position) -> [f64; N_WEIGHTS] {
    let mut inputs = [1.0; N_WEIGHTS];
    for (input, &count) in inputs.iter_mut().zip(Pentaflip.features(position).as_flattened()) {
        *input = f64::from(count);
    }
    inputs
}

fn expected(weights: &[f64; N_WEIGHTS], inputs: &[f64; N_WEIGHTS]) -> f64 {
    let value: f64 = weights.iter().zip(inputs).map(|(weight, input)| weight * input).sum();
    1.0 / (1.0 + (-value).exp())
}

/// Returns the mean squared error.
fn error(samples: &[Sample], weights: &[f64; N_WEIGHTS]) -> f64 {
    let squares = samples.iter().map(|sample| (sample.score - expected(weights, &sample.inputs)).powi(2));
    squares.sum::<f64>() / samples.len().max(1) as f64
}

fn fit(samples: &[Sample]) -> [f64; N_WEIGHTS] {
    let mut weights = [0.0; N_WEIGHTS];
    let n = samples.len().max(1) as f64;
    for _ in 0..N_STEPS {
        let mut gradient = weights.map(|weight| -RIDGE * weight);
        let mut hessian = [[0.0; N_WEIGHTS]; N_WEIGHTS];
        for (i, row) in hessian.iter_mut().enumerate() {
            row[i] = RIDGE;
        }
        for sample in samples {
            let p = expected(&weights, &sample.inputs);
            for i in 0..N_WEIGHTS {
                gradient[i] += (sample.score - p) * sample.inputs[i] / n;
                for (entry, other) in hessian[i].iter_mut().zip(&sample.inputs) {
                    *entry += p * (1.0 - p) * sample.inputs[i] * other / n;
                }
            }
        }
        let step = solve(hessian, gradient);
        weights.iter_mut().zip(step).for_each(|(weight, step)| *weight += step);
    }
    weights
}

/// Solves `matrix · x = right` by Gaussian elimination. The matrix is positive
/// definite.
fn solve(mut matrix: [[f64; N_WEIGHTS]; N_WEIGHTS], mut right: [f64; N_WEIGHTS]) -> [f64; N_WEIGHTS] {
    for pivot in 0..N_WEIGHTS {
        for row in pivot + 1..N_WEIGHTS {
            let factor = matrix[row][pivot] / matrix[pivot][pivot];
            let above = matrix[pivot];
            matrix[row].iter_mut().zip(above).for_each(|(entry, above)| *entry -= factor * above);
            right[row] -= factor * right[pivot];
        }
    }
    for pivot in (0..N_WEIGHTS).rev() {
        let known: f64 = (pivot + 1..N_WEIGHTS).map(|column| matrix[pivot][column] * right[column]).sum();
        right[pivot] = (right[pivot] - known) / matrix[pivot][pivot];
    }
    right
}
