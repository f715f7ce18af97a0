//! Speed of the rules: `cargo bench -p pentaflip --bench speed`.
//!
//! [`Speed`] describes how the figures are measured.

use std::hint::black_box;
use std::ops::ControlFlow;

use pentad_sdk::rng::Rng;
use pentad_sdk::search::Game;
use pentad_sdk::testing::speed::{self, Speed, each, texts};
use pentad_sdk::{Ruleset, Symmetry};
use pentaflip::{Pentaflip, Position};

const PLIES_MAX: u32 = 1_000;

fn main() {
    let speed = Speed::from_args();
    speed.take("random playouts", "plies", Some(1e6), || playouts(false));
    speed.take("random games", "games", None, || playouts(true));
    speed.take("perft 5", "leaves", None, || perft(&Position::START, 5));
    let positions = sample_positions();
    speed.take("legal move lists", "moves", Some(20e6), || move_lists(&positions));
    speed.take("legal move texts", "moves", None, || texts(&Pentaflip, &positions));
    speed.take("move counts", "counts", None, || each(&positions, |position| Pentaflip.count_moves(position, "")));
    speed.take("canonical", "positions", None, || each(&positions, |position| Pentaflip.canonical(position)));
    speed.take("static evaluation", "positions", None, || each(&positions, |position| Pentaflip.static_eval(position)));
    speed.take("win in one", "positions", None, || each(&positions, |position| Pentaflip.winning_move(position)));
    speed.take("key", "positions", None, || each(&positions, |position| Pentaflip.key(position)));
}

/// Plays random games; returns their number or that of their plies.
fn playouts(games: bool) -> u64 {
    const N: u64 = 20_000;
    let mut rng = Rng::new(1);
    let start = black_box(Position::START);
    let plies: u64 = (0..N).map(|_| u64::from(Pentaflip.playout(&start, PLIES_MAX, || rng.next_u64()).plies)).sum();
    if games { N } else { plies }
}

/// Counts leaves; every leaf is created and examined, nothing is counted in bulk.
fn perft(position: &Position, depth: u32) -> u64 {
    let mut count = 0;
    let _complete = Pentaflip.legal_moves(position, |mv| {
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

/// Positions of random games that are not over.
fn sample_positions() -> Vec<Position> {
    let mut rng = Rng::new(2);
    speed::sample(&Pentaflip, 20_000, |visit| {
        Pentaflip.playout_with(&Position::START, PLIES_MAX, || rng.next_u64(), visit);
    })
}

fn move_lists(positions: &[Position]) -> u64 {
    let mut n = 0;
    let mut moves = Vec::new();
    each(positions, |position| {
        moves.clear();
        Game::moves(&Pentaflip, position, &mut moves);
        n += black_box(&moves).len() as u64;
    });
    n
}
