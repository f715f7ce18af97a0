//! The same request gives the same reports.

use pentad_model::Request;
use pentad_search::{Game, MctsOptions, Searcher, mcts};

use crate::games::dag::{Dag, Place};
use crate::games::{CollectingControl, nodes};

fn large(n_seats: usize) -> Dag {
    let base = Dag::two_sides(8);
    Dag {
        n_seats,
        n_plies: 30,
        width: 100_000,
        n_moves_max: 30,
        draws: 50,
        has_hints: false,
        ends_early: false,
        ..base
    }
}

fn request(threads: usize) -> Request<u8> {
    Request { threads, n_lines: 2, seed: 7, memory_bytes: 1 << 20, ..nodes(150_000) }
}

/// Alpha-beta with one to three threads, with a new and a used table: the final and
/// all intermediate reports are the same.
#[test]
fn alpha_beta_is_deterministic() {
    let game = large(2);
    let mut used = Searcher::new();
    for threads in 1..=3 {
        let run = |searcher: &mut Searcher| {
            let control = CollectingControl::new();
            let report = searcher.search(&game, &Place::START, &request(threads), &control);
            (report, control.reports.into_inner().unwrap())
        };
        let first = run(&mut Searcher::new());
        assert!(first.0.nodes > 75_000, "{threads} threads: {:?}", first.0);
        for _ in 0..3 {
            assert_eq!(run(&mut used), first, "{threads} threads");
        }
    }
}

/// Monte Carlo with one to three threads, with estimates and with playouts.
#[test]
fn monte_carlo_is_deterministic() {
    let game = large(3);
    assert_eq!(game.n_sides(), 3);
    for threads in 1..=3 {
        for options in [MctsOptions::default(), MctsOptions::plain(4_000)] {
            let run = |seed| {
                let control = CollectingControl::new();
                let request = Request { seed, ..request(threads) };
                let report = mcts(&game, &Place::START, &request, &options, &control);
                (report, control.reports.into_inner().unwrap())
            };
            assert_eq!(run(7), run(7), "{threads} threads, {options:?}");
            if options.playouts {
                assert_ne!(run(7), run(8), "{threads} threads: the seed has no effect");
            }
        }
    }
}
