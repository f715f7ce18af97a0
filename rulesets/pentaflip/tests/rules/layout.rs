use pentad_sdk::testing::layout::{check_board, check_files_and_ranks, pieces, point};
use pentad_sdk::{Layout, PieceShape};
use pentaflip::Pentaflip;

use crate::support::parse;

/// There are 36 cells on top and 32 holes underneath, each in its panel, inside the
/// drawing and separate.
#[test]
fn board_is_complete() {
    let board = Pentaflip.board();
    assert_eq!((board.points.len(), board.blocks.len(), board.labels.len()), (68, 8, 26));
    check_board(&board);
    check_files_and_ranks(&board);
    for block in &board.blocks {
        let is_under = |&at: &u32| board.points[at as usize].id.ends_with('\'');
        assert!(block.points.iter().all(|at| is_under(at) == block.id.ends_with('\'')), "{block:?}");
    }
    let at = |id| point(&board, id);
    assert!(at("f6").x < at("a1'").x && at("c2").y == at("c2'").y, "what is underneath is beside");
    assert!(board.points.iter().all(|point| point.id != "c3'"), "nothing lies under a spot");
    let kinds: Vec<_> = board.pieces.iter().map(|piece| (piece.id.as_str(), piece.shape, piece.seat)).collect();
    let (ring, spot) = (PieceShape::Ring, PieceShape::Spot);
    assert_eq!(kinds, [("w", ring, Some(0)), ("b", ring, Some(1)), ("W", spot, Some(0)), ("B", spot, Some(1))]);
}

/// Pieces are where the text says, by ascending point.
#[test]
fn pieces_lie_where_they_should() {
    let position = parse("w4b/6/2WB2/2WB2/6/b5 6/6/6/5w/6/1b4 w -");
    assert_eq!(pieces(&Pentaflip, &position), "wa1 ba6 Wc3 Wc4 Bd3 Bd4 bf1 bb6' wf4'");
}
