use pentad_sdk::testing::layout::{check_board, check_files_and_ranks, pieces};
use pentad_sdk::{Layout, PieceShape};

use crate::support::{all_rules, parse};

/// 81 holes inside nine blocks inside the drawing, apart from each other, and
/// the fixed block looks different.
#[test]
fn board_is_complete() {
    for game in all_rules() {
        let board = game.board();
        assert_eq!((board.points.len(), board.blocks.len(), board.labels.len()), (81, 9, 18));
        check_board(&board);
        check_files_and_ranks(&board);
        for block in &board.blocks {
            assert_eq!(block.colour != board.blocks[0].colour, block.id == "5", "block {}", block.id);
        }
        assert!(board.pieces.iter().all(|piece| piece.shape == PieceShape::Disc && piece.seat.is_some()));
        let ids: String = board.pieces.iter().map(|piece| piece.id.as_str()).collect();
        assert_eq!(ids, &"rygb"[..game.variant().n_seats()]);
        let block = |id: &str| board.blocks.iter().find(|block| block.id == id).unwrap();
        let inside = |id: &str, cell: &str| {
            let index = board.points.iter().position(|point| point.id == cell).unwrap();
            block(id).points.contains(&(index as u32))
        };
        for (id, cell) in [("1", "a1"), ("2", "e2"), ("3", "i1"), ("4", "b5"), ("5", "e5"), ("6", "g6"), ("9", "i9")] {
            assert!(inside(id, cell), "{cell} in block {id}");
        }
    }
}

/// Labels stand beside the files and ranks they name.
#[test]
fn labels_name_their_lines() {
    for game in all_rules() {
        let board = game.board();
        for label in &board.labels {
            let is_file = label.text.starts_with(|letter: char| letter.is_ascii_lowercase());
            let on_line = |id: &str| if is_file { id.starts_with(&label.text) } else { id.ends_with(&label.text) };
            let mut points = board.points.iter().filter(|point| on_line(&point.id));
            assert!(points.all(|point| if is_file { point.x == label.x } else { point.y == label.y }), "{label:?}");
        }
    }
}

/// Pieces lie where the position has marbles, by ascending point.
#[test]
fn pieces_follow_the_position() {
    for game in all_rules() {
        let (position, wanted) = match game.variant().n_seats() {
            2 => ("r7y/9/9/4r4/9/9/9/9/8y r -", "ra1 re4 yi1 yi9"),
            3 => ("r7y/9/9/4g4/9/9/9/9/9 r -", "ra1 ge4 yi1"),
            _ => ("r7y/9/9/4g4/9/9/9/9/b8 r -", "ra1 ba9 ge4 yi1"),
        };
        assert_eq!(pieces(&game, &parse(&game, position)), wanted);
    }
}
