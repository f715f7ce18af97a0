//! Perft: the number of move sequences of a given length, and tables of such counts.
//!
//! A table has lines `variant ID`, `position TEXT`, `perft DEPTH COUNT`, and
//! `id NAME` or `# …` for the reader. A position applies to the lines after it:
//!
//! ```text
//! # 9 cells, 8 are left, and so on; nobody has three in a row before ply 5
//! id start
//! perft 1 9
//! perft 2 72
//! perft 5 15120
//! ```

use pentad_host::{CallError, Position, Ruleset};

/// One count of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerftRow {
    /// Id of the variant; empty for the default.
    pub variant: String,
    /// Text of the position; empty for the start.
    pub position: String,
    /// Moves per sequence.
    pub depth: u32,
    /// The expected number of sequences.
    pub count: u64,
}

/// Reads a table.
///
/// # Errors
/// The number of the first bad line, and what is wrong with it.
pub fn read_perft(table: &str) -> Result<Vec<PerftRow>, String> {
    let (mut variant, mut position) = ("", "");
    let mut rows = Vec::new();
    for (idx, line) in table.lines().enumerate() {
        let bad = |what: &str| format!("line {}: {what}: `{line}`", idx + 1);
        let line = line.trim();
        let (word, rest) = line.split_once(' ').map_or((line, ""), |(word, rest)| (word, rest.trim()));
        match word {
            "variant" => (variant, position) = (rest, ""),
            "position" => position = rest,
            "perft" => {
                let (depth, count) = rest.split_once(' ').ok_or_else(|| bad("expected a depth and a count"))?;
                let depth = depth.parse().map_err(|_| bad("the depth is not a number"))?;
                let count = count.trim().parse().map_err(|_| bad("the count is not a number"))?;
                rows.push(PerftRow { variant: variant.to_owned(), position: position.to_owned(), depth, count });
            }
            "" | "id" | "#" => {}
            _ if word.starts_with('#') => {}
            _ => return Err(bad("expected `variant`, `position`, `perft`, `id` or `#`")),
        }
    }
    if rows.is_empty() { Err("there is no line `perft DEPTH COUNT`".to_owned()) } else { Ok(rows) }
}

/// Counts the sequences of `depth` legal moves from a position. Games that end earlier
/// count nothing.
pub fn perft(ruleset: &Ruleset, variant: usize, position: &Position, depth: u32) -> Result<u64, CallError> {
    match depth {
        0 => Ok(1),
        1 => ruleset.count_moves(variant, position, ""),
        _ => Ok(perft_by_move(ruleset, variant, position, depth)?.iter().map(|(_, count)| count).sum()),
    }
}

/// Counts the sequences of `depth` legal moves, at least one, by their first move.
pub fn perft_by_move(
    ruleset: &Ruleset,
    variant: usize,
    position: &Position,
    depth: u32,
) -> Result<Vec<(String, u64)>, CallError> {
    let mut moves = Vec::new();
    let _complete = ruleset.legal_moves(variant, position, "", &mut |mv| {
        moves.push(mv.to_owned());
        std::ops::ControlFlow::Continue(())
    })?;
    let mut counts = Vec::with_capacity(moves.len());
    for mv in moves {
        let next = ruleset.play_known(variant, position, &mv)?;
        counts.push((mv, perft(ruleset, variant, &next, depth.saturating_sub(1))?));
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A position applies to the lines after it, until the next one or another variant.
    #[test]
    fn tables_are_read() {
        let table = "# cells\nid start\nperft 1 9\n\nposition x8 o\nperft 2 56\nvariant big\nperft 1 16\n";
        let row = |variant: &str, position: &str, depth, count| PerftRow {
            variant: variant.to_owned(),
            position: position.to_owned(),
            depth,
            count,
        };
        assert_eq!(read_perft(table), Ok(vec![row("", "", 1, 9), row("", "x8 o", 2, 56), row("big", "", 1, 16)]));
        for (table, error) in [
            ("", "there is no line `perft DEPTH COUNT`"),
            ("perft 1", "line 1: expected a depth and a count: `perft 1`"),
            ("\nperft x 9", "line 2: the depth is not a number: `perft x 9`"),
            ("perft 1 -9", "line 1: the count is not a number: `perft 1 -9`"),
            ("moves 1 9", "line 1: expected `variant`, `position`, `perft`, `id` or `#`: `moves 1 9`"),
        ] {
            assert_eq!(read_perft(table), Err(error.to_owned()));
        }
    }
}
