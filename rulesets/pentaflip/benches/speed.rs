//! How fast the rules are: `cargo bench -p pentaflip --bench speed`.
//!
//! Each figure is the best of several rounds, since other work on the machine
//! only ever slows a round down. The last column compares it with the goal,
//! where there is one. Words after `--` choose the figures to take.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Instant;

use pentad_sdk::search::Game;
use pentad_sdk::search::rng::Rng;
use pentad_sdk::{Ruleset, Symmetry};
use pentaflip::{Pentaflip, Position};

const ROUNDS: usize = 7;
const PLIES_MAX: u32 = 1_000;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let take = |name: &str, unit: &str, goal: Option<f64>, round: &mut dyn FnMut() -> u64| {
        if wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str())) {
            measure(name, unit, goal, round);
        }
    };
    take("random playouts", "plies", Some(1e6), &mut || playouts(false));
    take("random games", "games", None, &mut || playouts(true));
    take("perft 5", "leaves", None, &mut || perft(&Position::START, 5));
    let positions = sample();
    take("legal move lists", "moves", Some(20e6), &mut || lists(&positions));
    take("legal move texts", "moves", None, &mut || texts(&positions));
    take("move counts", "counts", None, &mut || each(&positions, |position| Pentaflip.count_moves(position, "")));
    take("canonical", "positions", None, &mut || each(&positions, |position| Pentaflip.canonical(position)));
    take("static value", "positions", None, &mut || each(&positions, |position| Pentaflip.static_value(position)));
    take("win in one", "positions", None, &mut || each(&positions, |position| Pentaflip.win_in_one(position)));
    take("key", "positions", None, &mut || each(&positions, |position| Pentaflip.key(position)));
}

/// Runs rounds and prints the best. A round gives how many things it did.
fn measure(name: &str, unit: &str, goal: Option<f64>, round: &mut dyn FnMut() -> u64) {
    let rates = (0..ROUNDS).map(|_| {
        let begin = Instant::now();
        let n = round();
        n as f64 / begin.elapsed().as_secs_f64()
    });
    let best = rates.fold(0.0, f64::max);
    let ratio = goal.map_or(String::new(), |goal| format!("{:5.2} × goal", best / goal));
    println!("{name:<18} {:>10.3} M {unit}/s {:>8.1} ns each  {ratio}", best / 1e6, 1e9 / best);
}

/// Plays games and gives how many, or how many plies they had.
fn playouts(games: bool) -> u64 {
    const N: u64 = 20_000;
    let mut rng = Rng::new(1);
    let start = black_box(Position::START);
    let plies: u64 = (0..N).map(|_| u64::from(Pentaflip.playout(&start, PLIES_MAX, || rng.next_u64()).plies)).sum();
    if games { N } else { plies }
}

/// Every leaf is made and looked at; nothing is counted in bulk.
fn perft(position: &Position, depth: u32) -> u64 {
    let mut count = 0;
    let _complete = Pentaflip.each_move(position, |mv| {
        let next = Pentaflip.play_unchecked(position, mv);
        count += if depth == 1 {
            black_box(&next);
            1
        } else {
            perft(&next, depth - 1)
        };
        ControlFlow::Continue(())
    });
    count
}

/// Positions of random games that go on.
fn sample() -> Vec<Position> {
    let mut rng = Rng::new(2);
    let mut positions = Vec::new();
    while positions.len() < 20_000 {
        let mut position = Position::START;
        Pentaflip.playout_with(
            &Position::START,
            PLIES_MAX,
            || rng.next_u64(),
            |mv| {
                positions.push(position);
                position = Pentaflip.play_unchecked(&position, mv);
            },
        );
    }
    positions
}

fn each<T>(positions: &[Position], mut f: impl FnMut(&Position) -> T) -> u64 {
    for position in positions {
        black_box(f(black_box(position)));
    }
    positions.len() as u64
}

fn lists(positions: &[Position]) -> u64 {
    let mut n = 0;
    let mut moves = Vec::new();
    each(positions, |position| {
        moves.clear();
        Game::moves(&Pentaflip, position, &mut moves);
        n += black_box(&moves).len() as u64;
    });
    n
}

fn texts(positions: &[Position]) -> u64 {
    let mut n = 0;
    each(positions, |position| {
        let _complete = Pentaflip.legal_move_texts(position, "", &mut |text| {
            n += black_box(text).len() as u64 / 2;
            ControlFlow::Continue(())
        });
    });
    n
}
