//! Boards in plain text, for terminals.
//!
//! Only for boards whose points form a grid; of others the position's text is
//! enough.

use pentad_host::{Board, PointShape};

/// The board's rows, or `None` if its points do not form a grid.
pub(super) fn render(board: &Board, pieces: &[(u32, u32)]) -> Option<String> {
    let columns = grid_lines(board.points.iter().map(|point| point.x))?;
    let rows = grid_lines(board.points.iter().map(|point| point.y))?;
    if columns.len() * rows.len() != board.points.len() {
        return None;
    }
    let mut cells = vec![vec![String::new(); columns.len()]; rows.len()];
    for (point_idx, point) in board.points.iter().enumerate() {
        let (column, row) = (grid_idx(&columns, point.x)?, grid_idx(&rows, point.y)?);
        let mut on_point = pieces.iter().filter(|(at, _)| *at as usize == point_idx);
        let piece = on_point.next().and_then(|(_, kind)| board.pieces.get(*kind as usize));
        cells[row][column] = match piece {
            Some(piece) => piece.id.clone(),
            None if point.shape == PointShape::Hidden => " ".to_owned(),
            None => ".".to_owned(),
        };
    }
    let width = cells.iter().flatten().map(|cell| cell.chars().count()).max()?;
    let line = |row: &Vec<String>| {
        let cells: Vec<String> = row.iter().map(|cell| format!("{cell:width$}")).collect();
        format!("  {}\n", cells.join(" ").trim_end())
    };
    Some(cells.iter().map(line).collect())
}

/// The distinct coordinates, sorted; `None` if there are too many for a grid.
fn grid_lines(coordinates: impl Iterator<Item = f64>) -> Option<Vec<f64>> {
    let mut lines: Vec<f64> = coordinates.collect();
    lines.sort_by(f64::total_cmp);
    lines.dedup_by(|a, b| (*a - *b).abs() < 1e-6);
    (1..=40).contains(&lines.len()).then_some(lines)
}

fn grid_idx(lines: &[f64], coordinate: f64) -> Option<usize> {
    lines.iter().position(|line| (line - coordinate).abs() < 1e-6)
}
