//! How fast the rules are: `cargo bench -p pentago-xl --bench speed`.
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
use pentago_xl::search::XlSearch;
use pentago_xl::{Contest, Move, PentagoXl, Position};

const ROUNDS: usize = 7;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let take = |name: &str, unit: &str, goal: Option<f64>, round: &mut dyn FnMut() -> u64| {
        if wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str())) {
            measure(name, unit, goal, round);
        }
    };
    for contest in Contest::ALL {
        take(&format!("playouts, {}", contest.id()), "plies", Some(2e6), &mut || playouts(contest));
    }
    for contest in Contest::ALL {
        let game = PentagoXl::of(contest);
        let positions = sample(&game);
        take(&format!("legal moves, {}", contest.id()), "moves", Some(2e7), &mut || moves(&game, &positions));
    }
    let game = PentagoXl::of(Contest::Ffa4);
    let positions = sample(&game);
    take("legal move texts", "moves", None, &mut || texts(&game, &positions));
    take("move counts", "counts", None, &mut || each(&positions, |position| game.count_moves(position, "")));
    take("canonical", "positions", None, &mut || each(&positions, |position| game.canonical(position)));
    take("static scores", "positions", None, &mut || each(&positions, |position| game.static_scores(position)));
    take("win in one", "positions", None, &mut || each(&positions, |position| game.win_in_one(position)));
    take("key", "positions", None, &mut || each(&positions, |position| game.key(position)));
    for contest in Contest::ALL {
        let game = PentagoXl::of(contest);
        take(&format!("search, {}", contest.id()), "nodes", None, &mut || search(&game));
    }
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

fn playouts(contest: Contest) -> u64 {
    let game = PentagoXl::of(contest);
    let mut rng = Rng::new(1);
    let start = black_box(game.start());
    (0..8_000).map(|_| u64::from(black_box(game.playout(&start, || rng.next_u64())).plies)).sum()
}

/// Positions of random games that go on.
fn sample(game: &PentagoXl) -> Vec<Position> {
    let mut rng = Rng::new(2);
    let mut positions = Vec::new();
    while positions.len() < 5_000 {
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

/// Whole lists, as the host asks for them.
fn moves(game: &PentagoXl, positions: &[Position]) -> u64 {
    let mut n = 0;
    let mut list: Vec<Move> = Vec::with_capacity(1_296);
    for position in positions {
        list.clear();
        let _complete = game.legal_moves(black_box(position), &mut |mv| {
            list.push(mv);
            ControlFlow::Continue(())
        });
        n += black_box(&list).len() as u64;
    }
    n
}

fn texts(game: &PentagoXl, positions: &[Position]) -> u64 {
    let mut n = 0;
    for position in positions {
        let _complete = game.legal_move_texts(position, "", &mut |text| {
            black_box(text);
            n += 1;
            ControlFlow::Continue(())
        });
    }
    n
}

fn search(game: &PentagoXl) -> u64 {
    let request = Request::new(Limits { nodes: Some(20_000), ..Limits::default() });
    XlSearch::new().search(game, &game.start(), &request, &NeverStop).nodes
}
