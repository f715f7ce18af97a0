//! The call of `pentad.layout/1` about positions. Boards are read at load.

use std::ops::ControlFlow;

use pentad_abi as abi;

use crate::call::Allow;
use crate::error::{CallError, Lie};
use crate::position::Position;
use crate::ruleset::Ruleset;
use crate::sink::Sink;
use crate::tables::present;

/// Several pieces may share a point, but not without bound.
const PIECES_MAX: usize = 16 * abi::POINTS_MAX as usize;

impl Ruleset {
    /// The pieces of a position as indices of a point and a kind of piece of
    /// the variant's board, by ascending point.
    pub fn pieces(&self, variant: usize, position: &Position) -> Result<Vec<(u32, u32)>, CallError> {
        const CALL: &str = "pieces";
        let bytes = self.bytes(CALL, variant, position)?;
        let (Some(table), Some(board)) = (&self.tables.layout, &self.variants[variant].board) else {
            return Err(CallError::Unsupported);
        };
        let mut pieces: Vec<(u32, u32)> = Vec::new();
        let sink = Sink::new(|(point, piece): (u32, u32)| {
            if point as usize >= board.points.len() || piece as usize >= board.pieces.len() {
                return Err(
                    Lie::value(format!("piece {piece} on point {point}, which are not both of the board")).into()
                );
            }
            if pieces.last().is_some_and(|last| last.0 > point) || pieces.len() == PIECES_MAX {
                return Err(Lie::value("pieces not by ascending point, or without end").into());
            }
            pieces.push((point, piece));
            Ok(ControlFlow::Continue(()))
        });
        let placer = sink.placer();
        // SAFETY: the table was checked at load; position, placer and sink
        // outlive the call.
        let status = unsafe { present(table.pieces)(variant as u32, bytes, &raw const placer) };
        self.settle(CALL, status, Allow::EXTENSION, None, sink.end())?;
        Ok(pieces)
    }
}
