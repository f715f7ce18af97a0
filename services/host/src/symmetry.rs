//! The calls of `pentad.symmetry/1`.

use pentad_abi as abi;

use crate::call::{Allow, check_input, misuse};
use crate::error::{CallError, Lie};
use crate::position::Position;
use crate::ruleset::Ruleset;
use crate::sink::{End, Sink, one_move};
use crate::tables::present;

impl Ruleset {
    /// The position that stands for all symmetric ones, and a symmetry that
    /// leads to it. Without symmetries, the position itself and 0.
    pub fn canonical(&self, variant: usize, position: &Position) -> Result<(Position, u32), CallError> {
        const CALL: &str = "canonical";
        let bytes = self.bytes(CALL, variant, position)?;
        let Some(table) = self.symmetry_of(variant) else { return Ok((position.clone(), 0)) };
        let mut out = self.blank(CALL, variant)?;
        let mut symmetry = u32::MAX;
        // SAFETY: the table was checked at load; `bytes` and `out` have
        // `position_size` bytes each and outlive the call, as does the number.
        // The same facts carry every call in this file.
        let status = unsafe { present(table.canonical)(variant as u32, bytes, out.as_mut_ptr(), &raw mut symmetry) };
        self.settle(CALL, status, Allow::EXTENSION, None, Ok(End::Complete))?;
        Ok((out, self.checked_symmetry(CALL, variant, symmetry)?))
    }

    /// The symmetry that undoes one.
    pub fn inverse_symmetry(&self, variant: usize, symmetry: u32) -> Result<u32, CallError> {
        const CALL: &str = "inverse";
        self.known_symmetry(CALL, variant, symmetry)?;
        let Some(table) = self.symmetry_of(variant) else { return Ok(0) };
        let mut inverse = u32::MAX;
        // SAFETY: as in `canonical`.
        let status = unsafe { present(table.inverse)(variant as u32, symmetry, &raw mut inverse) };
        self.settle(CALL, status, Allow::EXTENSION, None, Ok(End::Complete))?;
        self.checked_symmetry(CALL, variant, inverse)
    }

    /// Maps a position.
    pub fn apply_symmetry(&self, variant: usize, symmetry: u32, position: &Position) -> Result<Position, CallError> {
        const CALL: &str = "apply";
        self.known_symmetry(CALL, variant, symmetry)?;
        let bytes = self.bytes(CALL, variant, position)?;
        let Some(table) = self.symmetry_of(variant) else { return Ok(position.clone()) };
        let mut out = self.blank(CALL, variant)?;
        // SAFETY: as in `canonical`.
        let status = unsafe { present(table.apply)(variant as u32, symmetry, bytes, out.as_mut_ptr()) };
        self.settle(CALL, status, Allow::EXTENSION, None, Ok(End::Complete))?;
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
        self.known_symmetry(CALL, variant, symmetry)?;
        let bytes = self.bytes(CALL, variant, position)?;
        let Some(table) = self.symmetry_of(variant) else { return Ok(mv.to_owned()) };
        check_input("move", mv, abi::MOVE_LEN_MAX)?;
        let mut mapped = None;
        let sink = Sink::new(one_move(&mut mapped));
        let writer = sink.writer();
        let mut error = abi::Error::empty();
        // SAFETY: as in `canonical`; move, writer, sink and error outlive the call.
        let status = unsafe {
            let apply_move = present(table.apply_move);
            apply_move(variant as u32, symmetry, bytes, abi::Str::new(mv), &raw const writer, &raw mut error)
        };
        self.settle(CALL, status, Allow::EXTENSION_MOVE, Some(&error), sink.end())?;
        mapped.ok_or_else(|| self.fault(CALL, Lie::text("no text of the mapped move")))
    }

    /// Maps a seat.
    pub fn apply_symmetry_to_seat(&self, variant: usize, symmetry: u32, seat: usize) -> Result<usize, CallError> {
        const CALL: &str = "apply_seat";
        self.known_symmetry(CALL, variant, symmetry)?;
        if seat >= self.variants[variant].seats.len() {
            return Err(misuse(CALL, format!("no seat has the number {seat}")));
        }
        let Some(table) = self.symmetry_of(variant) else { return Ok(seat) };
        let mut out = u32::MAX;
        // SAFETY: as in `canonical`.
        let status = unsafe { present(table.apply_seat)(variant as u32, symmetry, seat as u32, &raw mut out) };
        self.settle(CALL, status, Allow::EXTENSION, None, Ok(End::Complete))?;
        self.checked_seat(CALL, variant, out)
    }

    /// The functions, if the variant has more than the symmetry 0.
    fn symmetry_of(&self, variant: usize) -> Option<&abi::Symmetry> {
        self.tables.symmetry.as_ref().filter(|_| self.variants[variant].n_symmetries > 1)
    }

    /// Refuses a number that the caller made up.
    fn known_symmetry(&self, call: &'static str, variant: usize, symmetry: u32) -> Result<(), CallError> {
        if (symmetry as usize) < self.described(call, variant)?.n_symmetries {
            return Ok(());
        }
        Err(misuse(call, format!("no symmetry has the number {symmetry}")))
    }

    /// Refuses a number that the plugin made up.
    fn checked_symmetry(&self, call: &'static str, variant: usize, symmetry: u32) -> Result<u32, CallError> {
        if (symmetry as usize) < self.variants[variant].n_symmetries {
            return Ok(symmetry);
        }
        Err(self.fault(call, Lie::value(format!("no symmetry has the number {symmetry}"))))
    }
}
