//! The calls of `pentad.symmetry/1`.

use pentad_abi as abi;
use pentad_model::Violation;

use crate::call::{ErrorSet, check_input, misuse};
use crate::error::CallError;
use crate::output::{Completion, OutputSink, single_move};
use crate::position::Position;
use crate::ruleset::Ruleset;
use crate::tables::non_null;

impl Ruleset {
    /// The canonical representative of all symmetric positions, and a symmetry
    /// that maps `position` to it. Without symmetries, the position itself and 0.
    pub fn canonical(&self, variant: usize, position: &Position) -> Result<(Position, u32), CallError> {
        const CALL: &str = "canonical";
        let bytes = self.position_ptr(CALL, variant, position)?;
        let Some(table) = self.symmetry_of(variant) else { return Ok((position.clone(), 0)) };
        let mut out = self.new_position(CALL, variant)?;
        let mut symmetry = u32::MAX;
        // SAFETY: the table was checked at load; `bytes` and `out` have
        // `position_size` bytes each and outlive the call, as does the number.
        // Every call in this file relies on these facts.
        let status = unsafe { non_null(table.canonical)(variant as u32, bytes, out.as_mut_ptr(), &raw mut symmetry) };
        self.check_status(CALL, status, ErrorSet::EXTENSION, None, Ok(Completion::Complete))?;
        Ok((out, self.checked_symmetry(CALL, variant, symmetry)?))
    }

    /// The inverse of a symmetry.
    pub fn inverse_symmetry(&self, variant: usize, symmetry: u32) -> Result<u32, CallError> {
        const CALL: &str = "inverse";
        self.check_symmetry_arg(CALL, variant, symmetry)?;
        let Some(table) = self.symmetry_of(variant) else { return Ok(0) };
        let mut inverse = u32::MAX;
        // SAFETY: as in `canonical`.
        let status = unsafe { non_null(table.inverse)(variant as u32, symmetry, &raw mut inverse) };
        self.check_status(CALL, status, ErrorSet::EXTENSION, None, Ok(Completion::Complete))?;
        self.checked_symmetry(CALL, variant, inverse)
    }

    /// Applies a symmetry to a position.
    pub fn apply_symmetry(&self, variant: usize, symmetry: u32, position: &Position) -> Result<Position, CallError> {
        const CALL: &str = "apply";
        self.check_symmetry_arg(CALL, variant, symmetry)?;
        let bytes = self.position_ptr(CALL, variant, position)?;
        let Some(table) = self.symmetry_of(variant) else { return Ok(position.clone()) };
        let mut out = self.new_position(CALL, variant)?;
        // SAFETY: as in `canonical`.
        let status = unsafe { non_null(table.apply)(variant as u32, symmetry, bytes, out.as_mut_ptr()) };
        self.check_status(CALL, status, ErrorSet::EXTENSION, None, Ok(Completion::Complete))?;
        Ok(out)
    }

    /// Maps a legal move of `position`, in canonical text, to the same move of
    /// the mapped position.
    pub fn apply_symmetry_to_move(
        &self,
        variant: usize,
        symmetry: u32,
        position: &Position,
        mv: &str,
    ) -> Result<String, CallError> {
        const CALL: &str = "apply_move";
        self.check_symmetry_arg(CALL, variant, symmetry)?;
        let bytes = self.position_ptr(CALL, variant, position)?;
        let Some(table) = self.symmetry_of(variant) else { return Ok(mv.to_owned()) };
        check_input("move", mv, abi::MOVE_LEN_MAX)?;
        let mut mapped = None;
        let sink = OutputSink::new(single_move(&mut mapped));
        let writer = sink.writer();
        let mut error = abi::Error::empty();
        // SAFETY: as in `canonical`; move, writer, sink and error outlive the call.
        let status = unsafe {
            let apply_move = non_null(table.apply_move);
            apply_move(variant as u32, symmetry, bytes, abi::Str::new(mv), &raw const writer, &raw mut error)
        };
        self.check_status(CALL, status, ErrorSet::EXTENSION_MOVE, Some(&error), sink.finish())?;
        mapped.ok_or_else(|| self.fault(CALL, Violation::text("no text of the mapped move was written")))
    }

    /// Applies a symmetry to a seat.
    pub fn apply_symmetry_to_seat(&self, variant: usize, symmetry: u32, seat: usize) -> Result<usize, CallError> {
        const CALL: &str = "apply_seat";
        self.check_symmetry_arg(CALL, variant, symmetry)?;
        if seat >= self.variants[variant].seats.len() {
            return Err(misuse(CALL, format!("there is no seat {seat}")));
        }
        let Some(table) = self.symmetry_of(variant) else { return Ok(seat) };
        let mut out = u32::MAX;
        // SAFETY: as in `canonical`.
        let status = unsafe { non_null(table.apply_seat)(variant as u32, symmetry, seat as u32, &raw mut out) };
        self.check_status(CALL, status, ErrorSet::EXTENSION, None, Ok(Completion::Complete))?;
        self.checked_seat(CALL, variant, out)
    }

    /// The extension, if the variant has more symmetries than the identity.
    fn symmetry_of(&self, variant: usize) -> Option<&abi::Symmetry> {
        self.tables.symmetry.as_ref().filter(|_| self.variants[variant].n_symmetries > 1)
    }

    /// Rejects an unknown symmetry as the caller's mistake.
    fn check_symmetry_arg(&self, call: &'static str, variant: usize, symmetry: u32) -> Result<(), CallError> {
        if (symmetry as usize) < self.checked_variant(call, variant)?.n_symmetries {
            return Ok(());
        }
        Err(misuse(call, format!("there is no symmetry {symmetry}")))
    }

    /// Rejects an unknown symmetry as the plugin's fault.
    fn checked_symmetry(&self, call: &'static str, variant: usize, symmetry: u32) -> Result<u32, CallError> {
        if (symmetry as usize) < self.variants[variant].n_symmetries {
            return Ok(symmetry);
        }
        Err(self.fault(call, Violation::value(format!("there is no symmetry {symmetry}"))))
    }
}
