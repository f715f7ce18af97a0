//! The drawing is complete.

use pentad_sdk::rng::Rng;
use pentad_sdk::testing::layout::{check_board, pieces, point};
use pentad_sdk::{Layout, Ruleset};

use crate::support::{all_rules, random_position};

/// Every stop is a point with its name, no two of them overlap, all lie on the
/// board, and lines join neighbours.
#[test]
fn the_board_is_complete() {
    for game in all_rules() {
        let board = game.board();
        assert_eq!((board.points.len(), board.edges.len()), (100, 10 * 4 + 10 * 7));
        check_board(&board);
        let n_edges_at = |at: usize| board.edges.iter().filter(|(a, b)| [*a, *b].contains(&(at as u32))).count();
        for at in 0..100 {
            assert_eq!(n_edges_at(at), if at < 10 { 4 } else { 2 }, "{}", board.points[at].id);
        }
        assert_eq!(board.pieces.len(), 5 * game.n_seats() + 2);
        assert_eq!(board.labels.len(), 10);
    }
}

/// `RULES.md`, Board: corners clockwise from the top, crossings opposite.
#[test]
fn nodes_lie_as_in_the_rules() {
    let board = all_rules().next().unwrap().board();
    let at = |id: &str| (point(&board, id).x, point(&board, id).y);
    let middle = board.width / 2.0;
    assert!(at("A").1 < at("B").1 && at("B").0 > middle && at("E").0 < middle && at("C").0 > middle);
    assert!(at("a").1 > middle && at("b").0 < middle && at("c").0 < middle && at("d").0 > middle && at("e").0 > middle);
    assert!(at("c").1 < at("b").1 && at("d").1 < at("e").1);
    // Between A and C the line runs over d and e.
    let turn = |a: (f64, f64), b: (f64, f64), c: (f64, f64)| (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0);
    for on_the_way in ["A1d", "A6d", "d", "d2e", "e", "C6e", "C1e"] {
        assert!(turn(at("A"), at("C"), at(on_the_way)).abs() < 1e-3, "{on_the_way}");
    }
}

/// All pieces are placed, those of one stop side by side in the list.
#[test]
fn pieces_are_placed() {
    for game in all_rules() {
        let mut rng = Rng::new(4);
        for position in std::iter::once(game.start()).chain((0..100).map(|_| random_position(&game, &mut rng))) {
            let n_out: u32 = (0..game.n_seats()).map(|seat| position.n_out(seat)).sum();
            let n_pieces = 5 * game.n_seats() as u32 - n_out + 5 + position.grey().count();
            assert_eq!(pieces(&game, &position).split(' ').count() as u32, n_pieces);
        }
    }
}
