//! Node counts over fixed positions. A change of behaviour changes them on
//! purpose; an optimisation leaves them alone.

use pentad_search::{Limits, MctsOptions, Request, mcts, search};

use crate::games::dag::{Dag, Place};
use crate::games::graph::{Graph, Token};
use crate::games::tictactoe::TicTacToe;
use crate::games::wild::{Board, Wild};
use crate::games::{Caller, depth};

#[test]
fn node_counts_are_the_same() {
    let forever = || Request::new(Limits::default());
    let dag = |seed| Dag {
        n_plies: 12,
        n_moves_max: 12,
        width: 1_000,
        ends_early: false,
        helpful: false,
        ..Dag::two_sides(seed)
    };
    let graph = Graph { seed: 4, n_nodes: 300 };
    let counts = [
        search(&TicTacToe { helpful: false }, &[0, 0], &forever(), &Caller::new()).nodes,
        search(&TicTacToe { helpful: true }, &[0, 0], &forever(), &Caller::new()).nodes,
        search(&Wild { staged: true }, &Board::START, &forever(), &Caller::new()).nodes,
        search(&dag(1), &Place::START, &depth(9), &Caller::new()).nodes,
        search(&dag(2), &Place::START, &Request { n_lines: 3, threads: 2, ..depth(9) }, &Caller::new()).nodes,
        search(&graph, &Token { node: 222, player: 1 }, &depth(16), &Caller::new()).nodes,
        mcts(&TicTacToe { helpful: true }, &[0, 0], &forever(), &MctsOptions::default(), &Caller::new()).nodes,
    ];
    assert_eq!(counts, [5583, 3007, 40916, 7926, 32115, 61, 283280]);
}
