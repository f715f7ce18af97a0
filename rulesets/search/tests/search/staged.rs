//! Turns in several steps are equivalent to the same turns as one move.

use std::collections::HashMap;

use pentad_model::rng::Rng;
use pentad_model::{Limits, Request, Wdl};
use pentad_search::{Game, Searcher};

use crate::games::CollectingControl;
use crate::games::wild::{Board, Wild};
use crate::reference::minimax;

/// Both forms of wild tic-tac-toe have the same proven values.
#[test]
fn staged_turns_equal_single_moves() {
    let (single, staged) = (Wild { staged: false }, Wild { staged: true });
    let mut memory = HashMap::new();
    let mut searcher = Searcher::new();
    let mut rng = Rng::new(1);
    for walk in 0..60 {
        let mut board = Board::START;
        for _ in 0..1 + walk % 6 {
            let mut moves = Vec::new();
            single.moves(&board, &mut moves);
            let next = single.play(&board, &moves[rng.below(moves.len())]);
            if single.outcome(&next).is_some() {
                break;
            }
            board = next;
        }
        let (wdl, plies) = minimax(&single, &board, &mut memory);
        for game in [&single, &staged] {
            let report = searcher.search(game, &board, &Request::new(Limits::default()), &CollectingControl::new());
            assert_eq!(report.evaluation.outcome, Some(wdl), "{game:?} {board:?} {report:?}");
            assert_eq!(report.evaluation.plies_to_end, (wdl != Wdl::Draw).then_some(plies), "{game:?} {board:?}");
        }
    }
}

/// A search may begin in the middle of a turn, which still counts as one ply.
#[test]
fn search_from_the_middle_of_a_turn() {
    let game = Wild { staged: true };
    let board = Board { signs: [0o3, 0], n_turns: 2, chosen: Some(0) };
    let report = Searcher::new().search(&game, &board, &Request::new(Limits::default()), &CollectingControl::new());
    assert_eq!(report.lines[0].moves, [2]);
    assert_eq!(report.evaluation.plies_to_end, Some(1));
}
