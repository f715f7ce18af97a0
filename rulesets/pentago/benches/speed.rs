//! How fast the rules are: `cargo bench -p pentago`.
//!
//! Each figure is the best of several rounds, since other work on the machine
//! only ever slows a round down. The last column compares it with the goal,
//! where there is one. Words after `--` choose the figures to take.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Instant;

use pentad_sdk::search::Game;
use pentad_sdk::search::rng::Rng;
use pentad_sdk::{Limits, NeverStop, Request, Ruleset, Symmetry};
use pentago::{Edition, Pentago, Position};

const ROUNDS: usize = 7;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let take = |name: &str, unit: &str, goal: Option<f64>, round: &mut dyn FnMut() -> u64| {
        if wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str())) {
            measure(name, unit, goal, round);
        }
    };
    for edition in Edition::ALL {
        let goal = (edition == Edition::Standard).then_some(1e6);
        take(&format!("playouts, {}", edition.id()), "games", goal, &mut || playouts(edition));
    }
    for edition in Edition::ALL {
        let goal = (edition == Edition::Standard).then_some(1e8);
        let game = Pentago::of(edition);
        take(&format!("perft 3, {}", edition.id()), "leaves", goal, &mut || perft(&game, &game.start(), 3));
    }
    let game = Pentago::of(Edition::Standard);
    let positions = sample(&game);
    take("legal move texts", "lists", None, &mut || texts(&game, &positions));
    take("move counts", "counts", None, &mut || each(&positions, |position| game.count_moves(position, "")));
    take("canonical", "positions", None, &mut || each(&positions, |position| game.canonical(position)));
    take("static value", "positions", None, &mut || each(&positions, |position| game.static_value(position)));
    take("win in one", "positions", None, &mut || each(&positions, |position| game.win_in_one(position)));
    take("key", "positions", None, &mut || each(&positions, |position| game.key(position)));
    take("order", "moves", None, &mut || orders(&game, &positions));
    take("distinct moves", "lists", None, &mut || {
        let mut moves = Vec::new();
        each(&positions, |position| {
            moves.clear();
            Game::moves(&game, position, &mut moves);
            moves.len()
        })
    });
    take("search", "nodes", None, &mut || search(&game));
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
    println!("{name:<22} {:>10.3} M {unit}/s {:>8.1} ns each  {ratio}", best / 1e6, 1e9 / best);
}

fn playouts(edition: Edition) -> u64 {
    const N: u64 = 200_000;
    let game = Pentago::of(edition);
    let mut rng = Rng::new(1);
    let start = black_box(game.start());
    let mut plies = 0;
    for _ in 0..N {
        plies += u64::from(game.playout(&start, || rng.next_u64()).plies);
    }
    black_box(plies);
    N
}

/// Every leaf is made and looked at; nothing is counted in bulk.
fn perft(game: &Pentago, position: &Position, depth: u32) -> u64 {
    let mut count = 0;
    let _complete = game.each_move(position, |mv| {
        let next = game.play_unchecked(position, mv);
        count += if depth == 1 {
            black_box(&next);
            1
        } else {
            perft(game, &next, depth - 1)
        };
        ControlFlow::Continue(())
    });
    count
}

/// Positions of random games that go on.
fn sample(game: &Pentago) -> Vec<Position> {
    let mut rng = Rng::new(2);
    let mut positions = Vec::new();
    while positions.len() < 20_000 {
        let mut position = game.start();
        game.playout_with(
            &game.start(),
            || rng.next_u64(),
            |mv| {
                positions.push(position);
                position = game.play_unchecked(&position, mv);
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

fn texts(game: &Pentago, positions: &[Position]) -> u64 {
    each(positions, |position| {
        let mut n_bytes = 0;
        let _complete = game.legal_move_texts(position, "", &mut |text| {
            n_bytes += black_box(text).len();
            ControlFlow::Continue(())
        });
        n_bytes
    })
}

fn orders(game: &Pentago, positions: &[Position]) -> u64 {
    let mut n = 0;
    for position in &positions[..500] {
        let _complete = game.each_move(position, |mv| {
            black_box(game.order(position, &mv));
            n += 1;
            ControlFlow::Continue(())
        });
    }
    n
}

fn search(game: &Pentago) -> u64 {
    let mut context = pentad_sdk::search::Searcher::new();
    let request = Request::new(Limits { nodes: Some(300_000), ..Limits::default() });
    context.search(game, &game.start(), &request, &NeverStop).nodes
}
