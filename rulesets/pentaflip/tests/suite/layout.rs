use std::collections::HashSet;

use pentad_sdk::{Layout, PieceShape};
use pentaflip::Pentaflip;

use crate::support::parse;

/// 36 cells on top, 32 holes underneath, each in its panel, inside the drawing
/// and apart from each other.
#[test]
fn board_is_complete() {
    let board = Pentaflip.board();
    assert_eq!((board.points.len(), board.blocks.len(), board.labels.len()), (68, 8, 26));
    let ids: HashSet<&str> = board.points.iter().map(|point| point.id.as_str()).collect();
    assert_eq!(ids.len(), 68);
    let mut all: Vec<u32> = board.blocks.iter().flat_map(|block| block.points.clone()).collect();
    all.sort_unstable();
    assert_eq!(all, (0..68).collect::<Vec<_>>());
    for block in &board.blocks {
        assert!(block.x >= 0.0 && block.x + block.width <= board.width);
        assert!(block.y >= 0.0 && block.y + block.height <= board.height);
        for &point in &block.points {
            let point = &board.points[point as usize];
            assert!(point.x - point.radius > block.x && point.x + point.radius < block.x + block.width);
            assert!(point.y - point.radius > block.y && point.y + point.radius < block.y + block.height);
            assert_eq!(point.id.ends_with('\''), block.id.ends_with('\''));
        }
    }
    let at = |id: &str| board.points.iter().find(|point| point.id == id).unwrap();
    assert!(at("a1").x < at("b1").x && at("a1").y == at("b1").y, "files go to the right");
    assert!(at("a1").y < at("a2").y && at("a1").x == at("a2").x, "ranks go down");
    assert!(at("f6").x < at("a1'").x && at("c2").y == at("c2'").y, "what is underneath is beside");
    assert!(!ids.contains("c3'"), "nothing lies under a spot");
    assert!(board.labels.iter().all(|label| label.x < board.width && label.y < board.height));
    let pieces: Vec<_> = board.pieces.iter().map(|piece| (piece.id.as_str(), piece.shape, piece.seat)).collect();
    let (ring, spot) = (PieceShape::Ring, PieceShape::Spot);
    assert_eq!(pieces, [("w", ring, Some(0)), ("b", ring, Some(1)), ("W", spot, Some(0)), ("B", spot, Some(1))]);
}

/// Pieces lie where the text says, by ascending point.
#[test]
fn pieces_lie_where_they_should() {
    let board = Pentaflip.board();
    let mut found = Vec::new();
    Pentaflip.pieces(&parse("w4b/6/2WB2/2WB2/6/b5 6/6/6/5w/6/1b4 w -"), &mut |point, piece| {
        found.push((point, format!("{}{}", board.pieces[piece].id, board.points[point].id)));
    });
    assert!(found.is_sorted());
    let found: Vec<&str> = found.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(found, ["wa1", "ba6", "Wc3", "Wc4", "Bd3", "Bd4", "bf1", "bb6'", "wf4'"]);
}
