use pentad_sdk::testing::layout::{check_board, check_files_and_ranks, pieces};
use pentad_sdk::{Layout, PieceShape};

use crate::support::{all_rules, parse};

/// There are 36 separate holes inside four blocks inside the drawing.
#[test]
fn board_is_complete() {
    for game in all_rules() {
        let board = game.board();
        assert_eq!((board.points.len(), board.blocks.len(), board.labels.len()), (36, 4, 12));
        check_board(&board);
        check_files_and_ranks(&board);
        assert!(board.pieces.iter().all(|piece| piece.shape == PieceShape::Disc && piece.seat.is_some()));
        assert_eq!(board.pieces.iter().map(|piece| piece.id.as_str()).collect::<Vec<_>>(), ["w", "b"]);
    }
}

/// Pieces are where the text says, by ascending point.
#[test]
fn pieces_lie_where_they_should() {
    for game in all_rules() {
        assert_eq!(pieces(&game, &parse(&game, "w4b/6/6/3w2/6/b5 w")), "wa1 ba6 wd4 bf1");
    }
}
