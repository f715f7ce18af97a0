//! Node counts of fixed searches. A change of behaviour changes them deliberately; an
//! optimisation does not.

use pentad_model::{Limits, Request};
use pentad_search::{MctsOptions, mcts, search};

use crate::games::dag::{Dag, Place};
use crate::games::graph::{Graph, Token};
use crate::games::tictactoe::TicTacToe;
use crate::games::wild::{Board, Wild};
use crate::games::{CollectingControl, depth};

#[test]
fn node_counts_are_the_same() {
    let unlimited = || Request::new(Limits::default());
    let dag = |seed| Dag {
        n_plies: 12,
        n_moves_max: 12,
        width: 1_000,
        ends_early: false,
        has_hints: false,
        ..Dag::two_sides(seed)
    };
    let graph = Graph { seed: 4, n_nodes: 300 };
    let counts = [
        search(&TicTacToe { has_hints: false }, &[0, 0], &unlimited(), &CollectingControl::new()).nodes,
        search(&TicTacToe { has_hints: true }, &[0, 0], &unlimited(), &CollectingControl::new()).nodes,
        search(&Wild { staged: true }, &Board::START, &unlimited(), &CollectingControl::new()).nodes,
        search(&dag(1), &Place::START, &depth(9), &CollectingControl::new()).nodes,
        search(&dag(2), &Place::START, &Request { n_lines: 3, threads: 2, ..depth(9) }, &CollectingControl::new())
            .nodes,
        search(&graph, &Token { node: 222, player: 1 }, &depth(16), &CollectingControl::new()).nodes,
        mcts(&TicTacToe { has_hints: true }, &[0, 0], &unlimited(), &MctsOptions::default(), &CollectingControl::new())
            .nodes,
    ];
    assert_eq!(counts, [5583, 3007, 40916, 7926, 32115, 61, 283280]);
}
