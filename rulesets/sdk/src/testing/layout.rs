//! Checks of a board's drawing that hold for every game.

use std::collections::HashSet;

use super::text;
use crate::abilities::{Board, Layout, Point};

/// Checks that points have unique ids, do not overlap and lie inside the drawing, as do
/// blocks and labels; if there are blocks, each point is in exactly one, which surrounds
/// it; edges join different points.
#[track_caller]
pub fn check_board(board: &Board) {
    let n_points = board.points.len();
    let ids: HashSet<&str> = board.points.iter().map(|point| point.id.as_str()).collect();
    assert_eq!(ids.len(), n_points, "two points have the same id");
    for (at, point) in board.points.iter().enumerate() {
        assert!(surrounds((0.0, 0.0, board.width, board.height), point), "{point:?} is not inside the drawing");
        for other in &board.points[at + 1..] {
            let distance = (point.x - other.x).hypot(point.y - other.y);
            assert!(distance > point.radius + other.radius, "{point:?} and {other:?} overlap");
        }
    }
    for block in &board.blocks {
        let (right, bottom) = (block.x + block.width, block.y + block.height);
        let is_inside = block.x >= 0.0 && block.y >= 0.0 && right <= board.width && bottom <= board.height;
        assert!(is_inside, "{block:?} is not inside the drawing");
        for &point in &block.points {
            let point = &board.points[point as usize];
            assert!(surrounds((block.x, block.y, right, bottom), point), "{point:?} is not inside {block:?}");
        }
    }
    if !board.blocks.is_empty() {
        let mut all: Vec<u32> = board.blocks.iter().flat_map(|block| block.points.clone()).collect();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..n_points as u32), "not every point is in exactly one block");
    }
    for label in &board.labels {
        let is_inside = (0.0..=board.width).contains(&label.x) && (0.0..=board.height).contains(&label.y);
        assert!(is_inside, "{label:?} is not inside the drawing");
    }
    for &(from, to) in &board.edges {
        assert!(from != to && from.max(to) < n_points as u32, "an edge from {from} to {to}");
    }
}

/// Checks that files, written as letters, go to the right, and ranks, written as digits,
/// go down.
#[track_caller]
pub fn check_files_and_ranks(board: &Board) {
    let [a1, b1, a2] = ["a1", "b1", "a2"].map(|id| point(board, id));
    assert!(a1.x < b1.x && a1.y == b1.y, "files go to the right: {a1:?}, {b1:?}");
    assert!(a1.y < a2.y && a1.x == a2.x, "ranks go down: {a1:?}, {a2:?}");
}

/// Returns the point with that id.
#[track_caller]
pub fn point<'a>(board: &'a Board, id: &str) -> &'a Point {
    board.points.iter().find(|point| point.id == id).unwrap_or_else(|| panic!("no point {id}"))
}

/// Lists the pieces of a position, each by kind and point: `wa1 bc3`. Panics if they are
/// not in ascending order of points.
#[track_caller]
pub fn pieces<R: Layout>(rules: &R, position: &R::Position) -> String {
    let board = rules.board();
    let mut found = Vec::new();
    rules.pieces(position, &mut |point, piece| found.push((point, piece)));
    assert!(found.is_sorted(), "{}: {found:?} is not sorted", text(rules, position));
    let names: Vec<String> =
        found.iter().map(|&(point, piece)| format!("{}{}", board.pieces[piece].id, board.points[point].id)).collect();
    names.join(" ")
}

/// Returns whether a point's circle is inside a rectangle (left, top, right, bottom).
fn surrounds((left, top, right, bottom): (f64, f64, f64, f64), point: &Point) -> bool {
    let Point { x, y, radius, .. } = point;
    x - radius > left && x + radius < right && y - radius > top && y + radius < bottom
}
