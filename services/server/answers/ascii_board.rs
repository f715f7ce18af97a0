//! Renders boards as plain text, for terminals.
//!
//! Points and labels are placed on a canvas of characters at their coordinates.
//! Character cells are about twice as high as wide, so a unit takes twice as many
//! columns as rows.

use pentad_model::{Board, PointShape};

/// Columns per unit: the smallest number at which no two points touch is used.
const COLUMNS_PER_UNIT: std::ops::RangeInclusive<u32> = 2..=12;
const WIDTH_MAX: f64 = 100.0;
/// Room for labels before the first point; unused room is cut off.
const MARGIN: f64 = 20.0;

/// Renders the board; `None` if it has no points.
pub(crate) fn render(board: &Board, pieces: &[(u32, u32)]) -> Option<String> {
    let texts: Vec<String> = (0..board.points.len()).map(|point_idx| point_text(board, pieces, point_idx)).collect();
    let fits = |scale: &f64| (*scale * board.width) <= WIDTH_MAX;
    let scales: Vec<f64> = COLUMNS_PER_UNIT.map(f64::from).take_while(fits).collect();
    let scale = scales.iter().find(|&&scale| !touches(board, &texts, scale)).or(scales.last())?;
    let origin = origin(board);
    let mut canvas = Canvas::default();
    for (point, text) in board.points.iter().zip(&texts) {
        canvas.put(cell((point.x, point.y), origin, *scale), text);
    }
    for label in &board.labels {
        let (column, mut row) = cell((label.x, label.y), origin, *scale);
        while canvas.is_taken((column, row), &label.text) {
            row += 1;
        }
        canvas.put((column, row), &label.text);
    }
    canvas.into_text()
}

/// Text of the pieces on a point, or a dot.
fn point_text(board: &Board, pieces: &[(u32, u32)], point_idx: usize) -> String {
    let on_point = pieces.iter().filter(|(at, _)| *at as usize == point_idx);
    let ids: Vec<&str> = on_point.filter_map(|(_, kind)| Some(board.pieces.get(*kind as usize)?.id.as_str())).collect();
    match (ids.len(), board.points[point_idx].shape) {
        (0, PointShape::Hidden) => " ".to_owned(),
        (0, _) => ".".to_owned(),
        _ => ids.join("+"),
    }
}

/// Smallest coordinates of the points. Rows and columns count from there, so that all
/// boards of a kind are rounded alike.
fn origin(board: &Board) -> (f64, f64) {
    let min = |coordinates: &mut dyn Iterator<Item = f64>| coordinates.fold(f64::INFINITY, f64::min);
    (min(&mut board.points.iter().map(|point| point.x)), min(&mut board.points.iter().map(|point| point.y)))
}

/// Column and row of a coordinate.
fn cell((x, y): (f64, f64), origin: (f64, f64), columns_per_unit: f64) -> (usize, usize) {
    let at = |distance: f64| (distance.round() + MARGIN).max(0.0) as usize;
    (at((x - origin.0) * columns_per_unit), at((y - origin.1) * columns_per_unit / 2.0))
}

/// Whether two texts would overlap, or be adjacent without a space.
fn touches(board: &Board, texts: &[String], scale: f64) -> bool {
    let origin = origin(board);
    let mut spans: Vec<(usize, usize, usize)> = board
        .points
        .iter()
        .zip(texts)
        .map(|(point, text)| {
            let (column, row) = cell((point.x, point.y), origin, scale);
            let start = start(column, text);
            (row, start, start + text.chars().count())
        })
        .collect();
    spans.sort_unstable();
    spans.windows(2).any(|pair| pair[0].0 == pair[1].0 && pair[0].2 + 1 > pair[1].1)
}

/// First column of a text that is centred at this column.
fn start(column: usize, text: &str) -> usize {
    column.saturating_sub(text.chars().count().saturating_sub(1) / 2)
}

#[derive(Default)]
struct Canvas {
    rows: Vec<Vec<char>>,
}

impl Canvas {
    fn put(&mut self, (column, row): (usize, usize), text: &str) {
        if text.is_empty() {
            return;
        }
        if self.rows.len() <= row {
            self.rows.resize(row + 1, Vec::new());
        }
        let line = &mut self.rows[row];
        for (column, letter) in (start(column, text)..).zip(text.chars()) {
            if line.len() <= column {
                line.resize(column + 1, ' ');
            }
            line[column] = letter;
        }
    }

    /// Whether something is already where the text would be.
    fn is_taken(&self, (column, row): (usize, usize), text: &str) -> bool {
        let start = start(column, text);
        let here = self.rows.get(row).into_iter().flatten().skip(start);
        here.take(text.chars().count()).any(|letter| *letter != ' ')
    }

    /// Trims blank lines above and columns to the left.
    fn into_text(self) -> Option<String> {
        let is_blank = |line: &Vec<char>| line.iter().all(|letter| *letter == ' ');
        let lines: Vec<&Vec<char>> = self.rows.iter().skip_while(|line| is_blank(line)).collect();
        let indent = lines.iter().filter_map(|line| line.iter().position(|letter| *letter != ' ')).min()?;
        let text = |line: &&Vec<char>| {
            let letters: String = line.iter().skip(indent).collect();
            format!("  {}", letters.trim_end()).trim_end().to_owned() + "\n"
        };
        Some(lines.iter().map(text).collect())
    }
}

#[cfg(test)]
mod tests {
    use pentad_model::{Label, Piece, PieceShape, Point};

    use super::*;

    fn board(points: &[(f64, f64)], labels: &[(&str, f64, f64)]) -> Board {
        let point =
            |&(x, y)| Point { id: String::new(), x, y, radius: 0.4, shape: PointShape::Stop, colour: "".into() };
        let label = |&(text, x, y): &(&str, f64, f64)| Label { text: text.into(), x, y };
        let piece = Piece {
            id: "1a".into(),
            name: String::new(),
            fill: String::new(),
            stroke: String::new(),
            label: String::new(),
            shape: PieceShape::Disc,
            seat: None,
        };
        Board {
            width: 8.0,
            height: 8.0,
            points: points.iter().map(point).collect(),
            labels: labels.iter().map(label).collect(),
            pieces: vec![piece],
            ..Board::default()
        }
    }

    /// A grid, with labels beside it and below.
    #[test]
    fn grids() {
        let points = [(1.3, 1.3), (2.3, 1.3), (1.3, 2.5), (2.3, 2.5)];
        let board =
            board(&points, &[("a", 1.3, 0.4), ("b", 2.3, 0.4), ("1", 0.4, 1.3), ("2", 0.4, 2.5), ("top", 1.8, 2.9)]);
        assert_eq!(render(&board, &[]).unwrap(), "    a b\n  1 . .\n  2 . .\n    top\n");
    }

    /// Points that are not on a grid stay apart, also with several pieces on one.
    #[test]
    fn other_boards() {
        let board = board(&[(1.0, 1.0), (1.3, 1.4), (2.0, 1.0)], &[]);
        assert_eq!(render(&board, &[(0, 0), (0, 0)]).unwrap(), "  1a+1a .\n     .\n");
        assert_eq!(render(&Board::default(), &[]), None);
    }
}
