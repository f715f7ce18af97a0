use pentad_sdk::{Layout, PieceShape};

use crate::support::{all_rules, parse};

/// 36 holes inside four blocks inside the drawing, apart from each other.
#[test]
fn board_is_complete() {
    for game in all_rules() {
        let board = game.board();
        assert_eq!((board.points.len(), board.blocks.len(), board.labels.len()), (36, 4, 12));
        let mut all: Vec<u32> = board.blocks.iter().flat_map(|block| block.points.clone()).collect();
        all.sort_unstable();
        assert_eq!(all, (0..36).collect::<Vec<_>>());
        for block in &board.blocks {
            assert!(block.x >= 0.0 && block.x + block.width <= board.width);
            assert!(block.y >= 0.0 && block.y + block.height <= board.height);
            for &point in &block.points {
                let point = &board.points[point as usize];
                assert!(point.x - point.radius > block.x && point.x + point.radius < block.x + block.width);
                assert!(point.y - point.radius > block.y && point.y + point.radius < block.y + block.height);
            }
        }
        let at = |id: &str| board.points.iter().find(|point| point.id == id).unwrap();
        assert!(at("a1").x < at("b1").x && at("a1").y == at("b1").y, "files go to the right");
        assert!(at("a1").y < at("a2").y && at("a1").x == at("a2").x, "ranks go down");
        assert!(board.pieces.iter().all(|piece| piece.shape == PieceShape::Disc && piece.seat.is_some()));
        assert_eq!(board.pieces.iter().map(|piece| piece.id.as_str()).collect::<Vec<_>>(), ["w", "b"]);
    }
}

/// Pieces lie where the text says, by ascending point.
#[test]
fn pieces_lie_where_they_should() {
    for game in all_rules() {
        let board = game.board();
        let mut found = Vec::new();
        game.pieces(&parse(&game, "w4b/6/6/3w2/6/b5 w"), &mut |point, piece| {
            found.push((point, format!("{}{}", board.pieces[piece].id, board.points[point].id)));
        });
        assert!(found.is_sorted());
        assert_eq!(found.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(), ["wa1", "ba6", "wd4", "bf1"]);
    }
}
