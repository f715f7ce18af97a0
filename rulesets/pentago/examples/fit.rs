//! Fits the weights of the evaluation to exact values.
//!
//! ```text
//! cargo run --release -p pentago --example fit-pentago -- make FILE MARBLES ROOTS SEED
//! cargo run --release -p pentago --example fit-pentago -- fit FILE...
//! ```
//!
//! `make` plays games to `MARBLES` marbles, solves the positions reached, and appends
//! positions up to four plies later with their true values to `FILE`, one per line.
//! `fit` finds the weights that predict them best, and compares them with those in use
//! on a fifth of the games that the fit has not seen. The value of a position is a
//! winning chance: 400 more means ten times the odds. Up to six marbles `make` takes
//! positions of random games from the book.
//!
//! The weights in use come from this (marbles, roots, seed): 4 10000 7, 5 20000 6, 6
//! 40000 5, 16 2 3, 17 6 4, 17 15 14, 18 60 2, 18 60 12, 20 400 1. The games were
//! played by the search with the previous weights, so a new run generates similar data,
//! not the same.

use pentad_sdk::rng::Rng;
use pentad_sdk::testing::random_move;
use pentad_sdk::{Certainty, Limits, NeverStop, Request, Ruleset, Wdl};
use pentago::book;
use pentago::evaluate::{FEATURES, N_FEATURES, weights};
use pentago::search::PentagoSearch;
use pentago::solver::{Solution, SolverOptions, plan, solve};
use pentago::{Edition, Pentago, Position};
use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, Write};

/// The book has the values of positions with up to this many marbles.
const BOOK_MARBLES_MAX: u32 = 6;
/// Random moves at the start of a game.
const N_RANDOM: u32 = 4;
/// One in this many of the later moves is random too.
const RANDOM_ONE_IN: usize = 6;
/// Nodes per move of a game.
const MOVE_NODES: u64 = 3_000;
/// A root is worth solving if a search of this many nodes does not decide it.
const ROOT_NODES: u64 = 30_000;
/// Number of random walks from a root, and their length, up to which values are known.
const N_WALKS: usize = 300;
const WALK_PLIES: usize = 4;
/// Random moves among which a walk chooses.
const N_TRIED: usize = 24;
/// Evaluation units per unit of log-odds.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;
/// Ridge regularisation: keeps weights with little data near 0.
const RIDGE: f64 = 1e-4;
const ROUNDS: usize = 25;
/// The total weight of all positions with the same number of marbles; fewer than `FEW`
/// weigh less.
const WEIGHT: f64 = 1_000.0;
const FEW: u32 = 2_000;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["make", file, n_marbles, n_roots, seed] => {
            let number = |word: &str| word.parse::<u64>().expect("a number");
            make(file, number(n_marbles) as u32, number(n_roots), number(seed));
        }
        ["fit", ref files @ ..] if !files.is_empty() => fit(files),
        _ => eprintln!("want: make FILE MARBLES ROOTS SEED, or fit FILE..."),
    }
}

fn make(file: &str, n_marbles: u32, n_roots: u64, seed: u64) {
    let game = Pentago::of(Edition::Standard);
    let mut out = BufWriter::new(OpenOptions::new().create(true).append(true).open(file).expect("a file to append to"));
    let mut searcher = PentagoSearch::default();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut rng = Rng::new(seed);
    for n in 0..n_roots {
        if n_marbles <= BOOK_MARBLES_MAX {
            write(&mut out, &game, &opening(&game, &mut rng, n_marbles), &format!("{seed}-{n_marbles}-{n}"));
            continue;
        }
        let root = undecided(&game, &mut searcher, &mut rng, n_marbles);
        let plan = plan(&game, &root, usize::MAX).expect("solvable");
        let solution =
            solve(&game, &root, &plan, SolverOptions::new(threads), &|| false, &mut |_| {}).expect("never stopped");
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        for _ in 0..N_WALKS {
            found.extend(walk(&game, &root, &solution, &mut rng).into_iter().filter(|sample| seen.insert(*sample)));
        }
        write(&mut out, &game, &found, &format!("{seed}-{n_marbles}-{n}"));
        out.flush().expect("written");
        eprintln!("root {} of {n_roots}: {} positions", n + 1, found.len());
    }
}

/// Writes a line for each position; positions of one root are either all fitted or all
/// held out.
fn write(out: &mut impl Write, game: &Pentago, found: &[(Position, Wdl)], root: &str) {
    for (position, value) in found {
        let mut text = String::new();
        game.format(position, &mut text);
        let value = match value {
            Wdl::Win => 2,
            Wdl::Draw => 1,
            Wdl::Loss => 0,
        };
        writeln!(out, "{text},{value},{root}").expect("written");
    }
}

/// Returns a position of a random game that is in the book.
fn opening(game: &Pentago, rng: &mut Rng, n_marbles: u32) -> Vec<(Position, Wdl)> {
    let mut position = Position::START;
    while position.occupied().count() < n_marbles {
        position = game.play_unchecked(&position, random_move(game, &position, rng));
    }
    book::value(&position).map(|value| (position, value)).into_iter().collect()
}

/// Returns a position of a game that a short search does not decide.
fn undecided(game: &Pentago, searcher: &mut PentagoSearch, rng: &mut Rng, n_marbles: u32) -> Position {
    let mut search = |position: &Position, nodes: u64| {
        let request = Request::new(Limits { nodes: Some(nodes), ..Limits::default() });
        searcher.search(game, position, &request, &NeverStop)
    };
    loop {
        let mut position = Position::START;
        while game.game_result(&position).is_none() && position.occupied().count() < n_marbles {
            let is_random = position.occupied().count() < N_RANDOM || rng.below(RANDOM_ONE_IN) == 0;
            let mv = if is_random {
                random_move(game, &position, rng)
            } else {
                search(&position, MOVE_NODES).lines[0].moves[0]
            };
            position = game.play_unchecked(&position, mv);
        }
        let is_ongoing = game.game_result(&position).is_none();
        if is_ongoing && search(&position, ROOT_NODES).evaluation.certainty == Certainty::Estimate {
            return position;
        }
    }
}

/// Returns a walk from a root: most moves keep the value of the position, the others at
/// least do not let the other side win at once. Finished games and immediate wins need
/// no evaluation and are omitted.
fn walk(game: &Pentago, root: &Position, solution: &Solution, rng: &mut Rng) -> Vec<(Position, Wdl)> {
    let mut passed = Vec::new();
    let mut position = *root;
    for _ in 0..=WALK_PLIES {
        let Some(value) = solution.probe(&position).filter(|_| game.game_result(&position).is_none()) else { break };
        if game.winning_move(&position).is_some() {
            break;
        }
        passed.push((position, value));
        let tried = std::iter::repeat_with(|| game.play_unchecked(&position, random_move(game, &position, rng)));
        let mut tried: Vec<Position> = tried.take(N_TRIED).collect();
        let kept = |next: &Position| solution.probe(next).map(Wdl::opposite) == Some(value);
        match rng.below(3) {
            0 => tried.retain(|next| game.game_result(next).is_none() && game.winning_move(next).is_none()),
            _ => tried.retain(|next| game.game_result(next).is_none() && kept(next)),
        }
        // Half of the moves are the best of a few by static evaluation.
        let n_compared = if rng.below(2) == 0 { 1 } else { 6 };
        let Some(next) = tried.iter().take(n_compared).min_by_key(|next| game.static_value(next)) else { break };
        position = *next;
    }
    passed
}

/// One position of the fit.
struct Sample {
    features: [f64; N_FEATURES],
    /// 0, ½ or 1.
    value: f64,
    n_marbles: u32,
    /// Weight in the fit: all numbers of marbles weigh the same in total.
    weight: f64,
}

fn fit(files: &[&str]) {
    let (mut samples, unseen) = read(files);
    weigh(&mut samples);
    println!("{} positions, and {} of other games to compare", samples.len(), unseen.len());
    let now = weights().map(|weight| f64::from(weight) / SCALE);
    let fitted = newton(&samples);
    println!("\n{:28} {:>8} {:>8}", "", "in use", "fitted");
    for (idx, name) in FEATURES.iter().enumerate() {
        println!("{name:28} {:8.0} {:8.0}", now[idx] * SCALE, fitted[idx] * SCALE);
    }
    println!("\nloss by marbles, in bits a position, and decided positions on the right side");
    for n_marbles in 0..=36 {
        let of: Vec<&Sample> = unseen.iter().filter(|sample| sample.n_marbles == n_marbles).collect();
        if !of.is_empty() {
            compare(&format!("{n_marbles}"), &of, &now, &fitted);
        }
    }
    compare("all", &unseen.iter().collect::<Vec<_>>(), &now, &fitted);
}

fn weigh(samples: &mut [Sample]) {
    let mut counts = [0u32; 37];
    for sample in &*samples {
        counts[sample.n_marbles as usize] += 1;
    }
    for sample in samples {
        sample.weight = WEIGHT / f64::from(counts[sample.n_marbles as usize].max(FEW));
    }
}

fn compare(name: &str, samples: &[&Sample], now: &[f64; N_FEATURES], fitted: &[f64; N_FEATURES]) {
    let (a, b) = (loss(samples, now), loss(samples, fitted));
    println!(
        "{name:4} {:8} in use {:.4} {:.2} %   fitted {:.4} {:.2} %",
        samples.len(),
        a.0,
        a.1 * 100.0,
        b.0,
        b.1 * 100.0
    );
}

fn read(files: &[&str]) -> (Vec<Sample>, Vec<Sample>) {
    let game = Pentago::of(Edition::Standard);
    let mut sides = (Vec::new(), Vec::new());
    for file in files {
        for line in BufReader::new(File::open(file).expect("a file of positions")).lines() {
            let line = line.expect("text");
            let parts: Vec<&str> = line.split(',').collect();
            let [position, value, root] = parts[..] else { panic!("not a position with its value: {line}") };
            let position = game.parse(position).expect("a position");
            let value = value.parse::<f64>().expect("a value") / 2.0;
            let features = game.features(&position).map(f64::from);
            let sample = Sample { features, value, n_marbles: position.occupied().count(), weight: 1.0 };
            let hash = root.bytes().fold(7u64, |hash, byte| hash.wrapping_mul(31).wrapping_add(u64::from(byte)));
            if hash % 5 == 0 { sides.1.push(sample) } else { sides.0.push(sample) }
        }
    }
    sides
}

fn chance(sample: &Sample, weights: &[f64; N_FEATURES]) -> f64 {
    let odds: f64 = sample.features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum();
    1.0 / (1.0 + (-odds).exp())
}

/// Returns the cross-entropy in bits per position, and the share of decided ones
/// predicted correctly.
fn loss(samples: &[&Sample], weights: &[f64; N_FEATURES]) -> (f64, f64) {
    let (mut bits, mut n_right, mut n_decided) = (0.0, 0.0, 0.0);
    for sample in samples {
        let p = chance(sample, weights).clamp(1e-9, 1.0 - 1e-9);
        bits -= sample.value * p.log2() + (1.0 - sample.value) * (1.0 - p).log2();
        if sample.value != 0.5 {
            n_decided += 1.0;
            n_right += f64::from(u8::from((p > 0.5) == (sample.value > 0.5)));
        }
    }
    (bits / samples.len() as f64, n_right / n_decided)
}

/// Fits a logistic regression by Newton's method.
fn newton(samples: &[Sample]) -> [f64; N_FEATURES] {
    let mut weights = [0.0; N_FEATURES];
    for _ in 0..ROUNDS {
        let mut gradient = weights.map(|weight| -RIDGE * WEIGHT * weight);
        let mut curvature = [[0.0; N_FEATURES]; N_FEATURES];
        for sample in samples {
            let p = chance(sample, &weights);
            for (i, x) in sample.features.iter().enumerate() {
                gradient[i] += sample.weight * (sample.value - p) * x;
                for (j, y) in sample.features.iter().enumerate() {
                    curvature[i][j] += sample.weight * p * (1.0 - p) * x * y;
                }
            }
        }
        for (i, row) in curvature.iter_mut().enumerate() {
            row[i] += RIDGE * WEIGHT;
        }
        let step = solved_for(curvature, gradient);
        for (weight, step) in weights.iter_mut().zip(step) {
            *weight += step;
        }
    }
    weights
}

/// Solves a symmetric positive system by elimination.
fn solved_for(mut a: [[f64; N_FEATURES]; N_FEATURES], mut b: [f64; N_FEATURES]) -> [f64; N_FEATURES] {
    for i in 0..N_FEATURES {
        for j in i + 1..N_FEATURES {
            let factor = a[j][i] / a[i][i];
            let (upper, lower) = a.split_at_mut(j);
            for (x, y) in lower[0].iter_mut().zip(upper[i]).skip(i) {
                *x -= factor * y;
            }
            b[j] -= factor * b[i];
        }
    }
    for i in (0..N_FEATURES).rev() {
        let known: f64 = (i + 1..N_FEATURES).map(|j| a[i][j] * b[j]).sum();
        b[i] = (b[i] - known) / a[i][i];
    }
    b
}
