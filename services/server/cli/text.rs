//! Positions and evaluations as text, shared by commands.

use std::error::Error;
use std::fmt::Display;

use serde::Serialize;

pub(super) use crate::answers::{drawn, evaluation_text, percent};

use super::style::Palette;
use crate::answers::{Certainty, Evaluation, GameView, Hint, MoveReason, PositionAnswer};

/// Prints game, variant, text and board.
pub(super) fn print_position(game: &GameView, position: &PositionAnswer) {
    println!("{}", Palette::of_stdout().heading(format!("{}, {}", game.name, game.variant.name)));
    println!("{}", position.position);
    if let Some(drawn) = drawn(game, position) {
        println!("\n{drawn}");
    }
}

/// Prints a measurement as JSON, indented.
pub(super) fn print_json<T: Serialize>(result: &T) -> Result<(), Box<dyn Error>> {
    println!("{}", serde_json::to_string_pretty(result)?);
    Ok(())
}

/// Returns `+3`, `draw` or `-4` where proven, with the moves to the end if they are known,
/// else the expected score of a seat.
pub(super) fn short_value(evaluation: &Evaluation, seat: &str) -> String {
    short_value_in(evaluation, seat, ["win", "draw", "loss"])
}

/// Same as [`short_value`], with the words for a win, a draw and a loss.
pub(super) fn short_value_in(evaluation: &Evaluation, seat: &str, [win, draw, loss]: [&str; 3]) -> String {
    let score = evaluation.scores.get(seat).copied().unwrap_or_default();
    if evaluation.certainty == Certainty::Estimate {
        return percent(score);
    }
    let with_moves = |sign: &str, word: &str| match evaluation.plies_to_end {
        Some(plies) => format!("{sign}{}", plies.div_ceil(2)),
        None => word.to_owned(),
    };
    match score {
        _ if score > 0.99 => with_moves("+", win),
        _ if score < 0.01 => with_moves("-", loss),
        // Among more than two seats half a point may be a place.
        _ if evaluation.scores.len() > 2 => percent(score),
        _ => draw.to_owned(),
    }
}

/// Prints the move of a hint in a player's words, if the game has some.
pub(super) fn print_move_text(hint: &Hint) {
    if !hint.move_text.is_empty() {
        println!("   {}", Palette::of_stdout().quiet(&hint.move_text));
    }
}

/// Prints each reason on a line of its own.
pub(super) fn print_reasons(reasons: &[MoveReason], indent: &str) {
    for reason in reasons {
        println!("{indent}{}", reason.text);
    }
}

/// Columns of text, as wide as their widest cell. Cells may have a style of their own, so
/// their width is given.
#[derive(Debug, Default)]
pub(super) struct Table {
    rows: Vec<Vec<Cell>>,
}

#[derive(Debug)]
struct Cell {
    text: String,
    width: usize,
    is_right: bool,
}

/// A row of a [`Table`].
#[derive(Debug, Default)]
pub(super) struct Row(Vec<Cell>);

impl Row {
    #[must_use]
    pub(super) fn left(self, text: impl Display) -> Row {
        self.cell(&text.to_string(), None, false)
    }

    #[must_use]
    pub(super) fn right(self, text: impl Display) -> Row {
        self.cell(&text.to_string(), None, true)
    }

    /// A cell that is shown in a style.
    #[must_use]
    pub(super) fn styled(self, text: &str, styled: impl Display) -> Row {
        self.cell(text, Some(styled.to_string()), false)
    }

    fn cell(mut self, text: &str, styled: Option<String>, is_right: bool) -> Row {
        let width = text.chars().count();
        self.0.push(Cell { text: styled.unwrap_or_else(|| text.to_owned()), width, is_right });
        self
    }
}

impl Table {
    /// A table with these headings.
    pub(super) fn new(headings: Row, palette: Palette) -> Table {
        let quiet = |cell: Cell| Cell { text: palette.quiet(&cell.text).to_string(), ..cell };
        Table { rows: vec![headings.0.into_iter().map(quiet).collect()] }
    }

    pub(super) fn push(&mut self, row: Row) {
        self.rows.push(row.0);
    }

    /// Returns the lines, without blanks at their ends.
    pub(super) fn lines(&self) -> Vec<String> {
        let n_columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| self.rows.iter().filter_map(|row| Some(row.get(column)?.width)).max().unwrap_or(0);
        let widths: Vec<usize> = (0..n_columns).map(width).collect();
        let line = |row: &Vec<Cell>| {
            let cells = row.iter().zip(&widths).map(|(cell, width)| {
                let blank = " ".repeat(width - cell.width);
                if cell.is_right { format!("{blank}{}", cell.text) } else { format!("{}{blank}", cell.text) }
            });
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        self.rows.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns are aligned by the letters that are seen.
    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(Row::default().right("#").left("move").left("value"), Palette::PLAIN);
        table.push(Row::default().right(1).styled("a1", "\u{1b}[1ma1\u{1b}[0m").left("+1"));
        table.push(Row::default().right(12).left("longer").left(""));
        let expected = [" #  move    value", " 1  \u{1b}[1ma1\u{1b}[0m      +1", "12  longer"];
        assert_eq!(table.lines(), expected);
    }
}
