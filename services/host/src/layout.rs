//! The position call of `pentad.layout/1`. Boards are read at load.

use std::ops::ControlFlow;

use pentad_abi as abi;
use pentad_model::Violation;

use crate::call::ErrorSet;
use crate::error::CallError;
use crate::output::OutputSink;
use crate::position::Position;
use crate::ruleset::{Backend, Ruleset};
use crate::tables::non_null;

/// Several pieces may share a point, but their number is bounded.
pub(crate) const PIECES_MAX: usize = 16 * abi::POINTS_MAX as usize;

impl Ruleset {
    /// Returns the pieces of a position, each as the indices of its point and its kind
    /// in the variant's board, in ascending order of points.
    pub fn pieces(&self, variant: usize, position: &Position) -> Result<Vec<(u32, u32)>, CallError> {
        const CALL: &str = "pieces";
        let bytes = self.position_ptr(CALL, variant, position)?;
        let tables = match &self.backend {
            Backend::InProcess(tables) => tables,
            Backend::Worker(worker) => return worker.pieces(self, variant, position),
        };
        let (Some(table), Some(board)) = (&tables.layout, &self.variants[variant].board) else {
            return Err(CallError::Unsupported);
        };
        let mut pieces: Vec<(u32, u32)> = Vec::new();
        let sink = OutputSink::new(|(point, piece): (u32, u32)| {
            if point as usize >= board.points.len() || piece as usize >= board.pieces.len() {
                return Err(
                    Violation::value(format!("piece {piece} on point {point}: the board lacks one of them")).into()
                );
            }
            if pieces.last().is_some_and(|last| last.0 > point) || pieces.len() == PIECES_MAX {
                return Err(Violation::value("pieces not sorted by point, or too many").into());
            }
            pieces.push((point, piece));
            Ok(ControlFlow::Continue(()))
        });
        let placer = sink.placer();
        // SAFETY: the table was checked at load; position, placer and sink
        // outlive the call.
        let status = unsafe { non_null(table.pieces)(variant as u32, bytes, &raw const placer) };
        self.check_status(CALL, status, ErrorSet::EXTENSION, None, sink.finish())?;
        Ok(pieces)
    }
}
