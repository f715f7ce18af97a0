//! Speed and memory of the solver: `cargo bench -p pentago --bench solver`.
//!
//! Each line is one position of a random game, solved with the values of all moves. The
//! reference is a plain C++ solver (g++ -O3 -march=native, one thread) on the machine
//! where these figures were first measured. Memory is that of the plan, and the
//! process's peak according to the kernel. Numbers after `--` select the numbers of
//! marbles; 17 and 16 take up to 4 GiB and are only solved on request. `one-thread`,
//! `two-passes` and `portable` (no SIMD) restrict the solver.

use std::time::Instant;

use pentad_sdk::rng::Rng;
use pentad_sdk::testing::random_move;
use pentago::solver::{SolverOptions, Unsolvable, plan, solve};
use pentago::{Edition, Pentago, Position};

const REFERENCE_S: [(u32, f64); 4] = [(18, 9.7), (19, 3.0), (20, 0.78), (22, 0.076)];
const MIB: f64 = 1024.0 * 1024.0;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let has = |wanted: &str| words.iter().any(|word| word == wanted);
    let requested: Vec<u32> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let sizes = if requested.is_empty() { vec![28, 24, 22, 20, 19, 18] } else { requested };
    println!("marbles threads passes   seconds CPU seconds  × reference  ns/configuration  plan MiB  peak MiB  value");
    for n_marbles in sizes {
        let memory = match n_marbles {
            _ if has("two-passes") => 0,
            18.. => 1 << 30,
            17 => 3 << 29,
            _ => 9 << 29,
        };
        for n_threads in [1, 2] {
            if !has("one-thread") || n_threads == 1 {
                measure(n_marbles, SolverOptions { n_threads, use_simd: !has("portable") }, memory);
            }
        }
    }
}

fn measure(n_marbles: u32, options: SolverOptions, memory: usize) {
    let game = Pentago::of(Edition::Standard);
    let position = random_position(&game, n_marbles);
    let plan = match plan(&game, &position, memory) {
        Err(Unsolvable::Memory { needed_bytes }) => plan(&game, &position, needed_bytes),
        planned => planned,
    };
    let plan = plan.expect("solvable");
    let rounds = if n_marbles >= 20 {
        7
    } else if n_marbles >= 18 {
        3
    } else {
        1
    };
    reset_peak();
    let (mut best, mut best_cpu) = (f64::INFINITY, f64::INFINITY);
    let mut value = None;
    for _ in 0..rounds {
        let (begin, begin_cpu) = (Instant::now(), cpu_seconds());
        value = solve(&game, &position, &plan, options, &|| false, &mut |_| {}).map(|solved| solved.value);
        best = best.min(begin.elapsed().as_secs_f64());
        best_cpu = best_cpu.min(cpu_seconds() - begin_cpu);
    }
    let reference = REFERENCE_S.iter().find(|(n, _)| *n == n_marbles);
    println!(
        "{n_marbles:>7} {:>7} {:>6} {best:>9.4} {best_cpu:>11.3} {:>12} {:>17.1} {:>9.1} {:>9.1}  {value:?}",
        options.n_threads,
        plan.n_passes(),
        reference.map_or(String::new(), |(_, seconds)| format!("{:.2}", seconds / best)),
        best_cpu * 1e9 / plan.n_configurations() as f64,
        plan.memory_bytes() as f64 / MIB,
        peak_bytes() / MIB,
    );
}

/// Returns a position of a random game in progress.
fn random_position(game: &Pentago, n_marbles: u32) -> Position {
    let mut rng = Rng::new(7);
    loop {
        let mut position = Position::START;
        while position.occupied().count() < n_marbles && game.game_result(&position).is_none() {
            position = game.play_unchecked(&position, random_move(game, &position, &mut rng));
        }
        if position.occupied().count() == n_marbles && game.game_result(&position).is_none() {
            return position;
        }
    }
}

/// Returns the CPU time of all threads of the process, in steps of 10 ms.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |i: usize| fields.get(i).and_then(|field| field.parse::<f64>().ok()).unwrap_or(f64::NAN);
    (ticks(11) + ticks(12)) / 100.0
}

/// Resets the kernel's peak memory counter; without effect elsewhere.
fn reset_peak() {
    let _not_linux = std::fs::write("/proc/self/clear_refs", "5");
}

fn peak_bytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok()).map_or(f64::NAN, |kib| kib * 1024.0)
}
