//! Speed of rules and search: `cargo bench -p pentago-xl --bench speed`.
//!
//! [`Speed`] documents how rates are measured and which are selected.

use std::hint::black_box;
use std::ops::ControlFlow;

use pentad_sdk::rng::Rng;
use pentad_sdk::search::Game;
use pentad_sdk::testing::speed::{self, Speed, each, texts};
use pentad_sdk::{Limits, NeverStop, Request, Ruleset, Symmetry};
use pentago_xl::search::PentagoXlSearch;
use pentago_xl::{Move, PentagoXl, Position, Variant};

fn main() {
    let speed = Speed::from_args();
    for variant in Variant::ALL {
        speed.take(&format!("playouts, {}", variant.id()), "plies", Some(2e6), || playouts(variant));
    }
    for variant in Variant::ALL {
        let game = PentagoXl::of(variant);
        let positions = sample(&game);
        speed.take(&format!("legal moves, {}", variant.id()), "moves", Some(2e7), || moves(&game, &positions));
    }
    let game = PentagoXl::of(Variant::Ffa4);
    let positions = sample(&game);
    speed.take("legal move texts", "moves", None, || texts(&game, &positions));
    speed.take("move counts", "counts", None, || each(&positions, |position| game.count_moves(position, "")));
    speed.take("canonical", "positions", None, || each(&positions, |position| game.canonical(position)));
    speed.take("static scores", "positions", None, || each(&positions, |position| game.static_scores(position)));
    speed.take("win in one", "positions", None, || each(&positions, |position| game.winning_move(position)));
    speed.take("key", "positions", None, || each(&positions, |position| game.key(position)));
    for variant in Variant::ALL {
        let game = PentagoXl::of(variant);
        speed.take(&format!("search, {}", variant.id()), "nodes", None, || search(&game));
    }
}

fn playouts(variant: Variant) -> u64 {
    let game = PentagoXl::of(variant);
    let mut rng = Rng::new(1);
    let start = black_box(game.start());
    (0..8_000).map(|_| u64::from(black_box(game.playout(&start, || rng.next_u64())).plies)).sum()
}

/// Returns positions of random games that are not over.
fn sample(game: &PentagoXl) -> Vec<Position> {
    let mut rng = Rng::new(2);
    speed::sample(game, 5_000, |visit| {
        game.playout_with(&game.start(), || rng.next_u64(), visit);
    })
}

/// Lists all moves, as the host requests them.
fn moves(game: &PentagoXl, positions: &[Position]) -> u64 {
    let mut n = 0;
    let mut list: Vec<Move> = Vec::with_capacity(1_296);
    for position in positions {
        list.clear();
        let _complete = game.legal_moves(black_box(position), |mv| {
            list.push(mv);
            ControlFlow::Continue(())
        });
        n += black_box(&list).len() as u64;
    }
    n
}

fn search(game: &PentagoXl) -> u64 {
    let request = Request::new(Limits { nodes: Some(20_000), ..Limits::default() });
    PentagoXlSearch::default().search(game, &game.start(), &request, &NeverStop).nodes
}
