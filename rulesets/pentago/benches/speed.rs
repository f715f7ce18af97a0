//! Speed of the rules: `cargo bench -p pentago`.
//!
//! [`Speed`] describes how the figures are measured.

use std::hint::black_box;
use std::ops::ControlFlow;

use pentad_sdk::rng::Rng;
use pentad_sdk::search::Game;
use pentad_sdk::testing::speed::{self, Speed, each, texts};
use pentad_sdk::{Limits, NeverStop, Request, Ruleset, Symmetry};
use pentago::{Edition, Pentago, Position};

fn main() {
    let speed = Speed::from_args();
    for edition in Edition::ALL {
        let goal = (edition == Edition::Standard).then_some(1e6);
        speed.take(&format!("playouts, {}", edition.id()), "games", goal, || playouts(edition));
    }
    for edition in Edition::ALL {
        let goal = (edition == Edition::Standard).then_some(1e8);
        let game = Pentago::of(edition);
        speed.take(&format!("perft 3, {}", edition.id()), "leaves", goal, || perft(&game, &game.start(), 3));
    }
    let game = Pentago::of(Edition::Standard);
    let positions = sample(&game);
    speed.take("legal move texts", "lists", None, || each(&positions, |position| texts(&game, &[*position])));
    speed.take("move counts", "counts", None, || each(&positions, |position| game.count_moves(position, "")));
    speed.take("canonical", "positions", None, || each(&positions, |position| game.canonical(position)));
    speed.take("static value", "positions", None, || each(&positions, |position| game.static_value(position)));
    speed.take("win in one", "positions", None, || each(&positions, |position| game.winning_move(position)));
    speed.take("key", "positions", None, || each(&positions, |position| game.key(position)));
    speed.take("order", "moves", None, || orders(&game, &positions));
    speed.take("distinct moves", "lists", None, || {
        let mut moves = Vec::new();
        each(&positions, |position| {
            moves.clear();
            Game::moves(&game, position, &mut moves);
            moves.len()
        })
    });
    speed.take("search", "nodes", None, || search(&game));
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

/// Counts leaves; every leaf is created and examined, nothing is counted in bulk.
fn perft(game: &Pentago, position: &Position, depth: u32) -> u64 {
    let mut count = 0;
    let _complete = game.legal_moves(position, |mv| {
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

/// Positions of random games in progress.
fn sample(game: &Pentago) -> Vec<Position> {
    let mut rng = Rng::new(2);
    speed::sample(game, 20_000, |visit| {
        game.playout_with(&game.start(), || rng.next_u64(), visit);
    })
}

fn orders(game: &Pentago, positions: &[Position]) -> u64 {
    let mut n = 0;
    for position in &positions[..500] {
        let _complete = game.legal_moves(position, |mv| {
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
