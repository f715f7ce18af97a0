//! The calls of `pentad.symmetry/1`.

use pentad_abi as abi;
use pentad_model::Scores;
use pentad_model::Violation;

use crate::call::{ErrorSet, check_input, misuse};
use crate::error::CallError;
use crate::guard::Guarded;
use crate::isolation::WorkerClient;
use crate::output::{Completion, OutputSink, single_move};
use crate::position::Position;
use crate::ruleset::{Backend, Ruleset};
use crate::tables::non_null;

impl Ruleset {
    /// Returns the canonical representative of all symmetric positions, and a symmetry
    /// that maps `position` to it. Without symmetries, the position itself and 0.
    pub fn canonical(&self, variant: usize, position: &Position) -> Result<(Position, u32), CallError> {
        const CALL: &str = "canonical";
        let bytes = self.position_ptr(CALL, variant, position)?;
        let table = match self.symmetry_of(variant) {
            Symmetries::None => return Ok((position.clone(), 0)),
            Symmetries::InProcess(table) => table,
            Symmetries::Worker(worker) => return worker.canonical(self, variant, position),
        };
        let mut out = self.new_position(CALL, variant)?;
        let mut symmetry = Guarded::new(u32::MAX);
        // SAFETY: the table was checked at load; `bytes` and `out` have
        // `position_size` bytes each and outlive the call, as does the number.
        // Every call in this file relies on these facts.
        let status =
            unsafe { non_null(table.canonical)(variant as u32, bytes, out.as_mut_ptr(), symmetry.as_mut_ptr()) };
        let (out, symmetry) = (self.written(CALL, out)?, self.checked(CALL, symmetry)?);
        self.check_status(CALL, status, ErrorSet::EXTENSION, None, Ok(Completion::Complete))?;
        Ok((out, self.checked_symmetry(CALL, variant, symmetry)?))
    }

    /// Returns the inverse of a symmetry.
    pub fn inverse_symmetry(&self, variant: usize, symmetry: u32) -> Result<u32, CallError> {
        const CALL: &str = "inverse";
        self.check_symmetry_arg(CALL, variant, symmetry)?;
        let table = match self.symmetry_of(variant) {
            Symmetries::None => return Ok(0),
            Symmetries::InProcess(table) => table,
            Symmetries::Worker(worker) => return worker.inverse_symmetry(self, variant, symmetry),
        };
        let mut inverse = Guarded::new(u32::MAX);
        // SAFETY: as in `canonical`.
        let status = unsafe { non_null(table.inverse)(variant as u32, symmetry, inverse.as_mut_ptr()) };
        let inverse = self.checked(CALL, inverse)?;
        self.check_status(CALL, status, ErrorSet::EXTENSION, None, Ok(Completion::Complete))?;
        self.checked_symmetry(CALL, variant, inverse)
    }

    /// Applies a symmetry to a position.
    pub fn apply_symmetry(&self, variant: usize, symmetry: u32, position: &Position) -> Result<Position, CallError> {
        const CALL: &str = "apply";
        self.check_symmetry_arg(CALL, variant, symmetry)?;
        let bytes = self.position_ptr(CALL, variant, position)?;
        let table = match self.symmetry_of(variant) {
            Symmetries::None => return Ok(position.clone()),
            Symmetries::InProcess(table) => table,
            Symmetries::Worker(worker) => return worker.apply_symmetry(self, variant, symmetry, position),
        };
        let mut out = self.new_position(CALL, variant)?;
        // SAFETY: as in `canonical`.
        let status = unsafe { non_null(table.apply)(variant as u32, symmetry, bytes, out.as_mut_ptr()) };
        let out = self.written(CALL, out)?;
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
        let table = match self.symmetry_of(variant) {
            Symmetries::None => return Ok(mv.to_owned()),
            Symmetries::InProcess(table) => table,
            Symmetries::Worker(worker) => {
                check_input("move", mv, abi::MOVE_LEN_MAX)?;
                return first_of(worker.apply_symmetry_to_line(variant, symmetry, position, &[mv])?);
            }
        };
        check_input("move", mv, abi::MOVE_LEN_MAX)?;
        let mut mapped = None;
        let sink = OutputSink::new(single_move(&mut mapped));
        let writer = sink.writer();
        let mut error = Guarded::new(abi::Error::empty());
        // SAFETY: as in `canonical`; move, writer, sink and error outlive the call.
        let status = unsafe {
            let apply_move = non_null(table.apply_move);
            apply_move(variant as u32, symmetry, bytes, abi::Str::new(mv), &raw const writer, error.as_mut_ptr())
        };
        let error = self.checked(CALL, error)?;
        self.check_status(CALL, status, ErrorSet::EXTENSION_MOVE, Some(&error), sink.finish())?;
        mapped.ok_or_else(|| self.fault(CALL, Violation::text("no text of the mapped move was written")))
    }

    /// Maps a sequence of legal moves from `position`. An isolated rule set gets them
    /// in one message.
    pub fn apply_symmetry_to_line(
        &self,
        variant: usize,
        symmetry: u32,
        position: &Position,
        moves: &[String],
    ) -> Result<Vec<String>, CallError> {
        self.check_symmetry_arg("apply_move", variant, symmetry)?;
        if let Symmetries::Worker(worker) = self.symmetry_of(variant) {
            self.position_ptr("apply_move", variant, position)?;
            for mv in moves {
                check_input("move", mv, abi::MOVE_LEN_MAX)?;
            }
            let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
            return worker.apply_symmetry_to_line(variant, symmetry, position, &moves);
        }
        let mut position = position.clone();
        let mut mapped = Vec::with_capacity(moves.len());
        for (move_idx, mv) in moves.iter().enumerate() {
            mapped.push(self.apply_symmetry_to_move(variant, symmetry, &position, mv)?);
            if move_idx + 1 < moves.len() {
                position = self.play_known(variant, &position, mv)?;
            }
        }
        Ok(mapped)
    }

    /// Applies a symmetry to a seat.
    pub fn apply_symmetry_to_seat(&self, variant: usize, symmetry: u32, seat: usize) -> Result<usize, CallError> {
        const CALL: &str = "apply_seat";
        self.check_symmetry_arg(CALL, variant, symmetry)?;
        if seat >= self.variants[variant].seats.len() {
            return Err(misuse(CALL, format!("there is no seat {seat}")));
        }
        let table = match self.symmetry_of(variant) {
            Symmetries::None => return Ok(seat),
            Symmetries::InProcess(table) => table,
            Symmetries::Worker(worker) => return worker.apply_symmetry_to_seat(self, variant, symmetry, seat),
        };
        let mut out = Guarded::new(u32::MAX);
        // SAFETY: as in `canonical`.
        let status = unsafe { non_null(table.apply_seat)(variant as u32, symmetry, seat as u32, out.as_mut_ptr()) };
        let out = self.checked(CALL, out)?;
        self.check_status(CALL, status, ErrorSet::EXTENSION, None, Ok(Completion::Complete))?;
        self.checked_seat(CALL, variant, out)
    }

    /// Applies a symmetry to scores: they move with the seats.
    pub fn apply_symmetry_to_scores(
        &self,
        variant: usize,
        symmetry: u32,
        scores: &Scores,
    ) -> Result<Scores, CallError> {
        let mut mapped = *scores;
        if symmetry != 0 {
            for (seat, &score) in scores.as_slice().iter().enumerate() {
                mapped.as_mut_slice()[self.apply_symmetry_to_seat(variant, symmetry, seat)?] = score;
            }
        }
        Ok(mapped)
    }

    fn symmetry_of(&self, variant: usize) -> Symmetries<'_> {
        if self.variants[variant].n_symmetries <= 1 {
            return Symmetries::None;
        }
        match &self.backend {
            Backend::InProcess(tables) => tables.symmetry.as_ref().map_or(Symmetries::None, Symmetries::InProcess),
            Backend::Worker(worker) => Symmetries::Worker(worker),
        }
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

/// Provider of a variant's symmetries.
enum Symmetries<'a> {
    /// It has only the identity.
    None,
    InProcess(&'a abi::Symmetry),
    Worker(&'a WorkerClient),
}

fn first_of(moves: Vec<String>) -> Result<String, CallError> {
    Ok(moves.into_iter().next().expect("as many moves come back as were sent"))
}
