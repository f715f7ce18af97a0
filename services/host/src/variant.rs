//! A variant of a loaded rule set.

use std::ops::Deref;

use pentad_abi as abi;
use pentad_model::{Board, Seating, Violation};

/// A variant of a loaded rule set: dereferences to the rule set's description, and adds
/// what follows from it or comes from extensions.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    pub(crate) description: pentad_model::Variant,
    /// Number of sides (teams); equal to the seats without teams.
    pub n_sides: usize,
    /// Size of an encoded position in bytes.
    pub position_size: usize,
    /// Number of symmetries, including the identity; at least 1.
    pub n_symmetries: usize,
    /// The board, if the rule set describes it.
    pub board: Option<Board>,
}

impl Variant {
    /// Validates and copies a description, without symmetries and board.
    ///
    /// # Safety
    /// As [`pentad_model::Variant::from_plugin`].
    pub(crate) unsafe fn read(raw: &abi::Variant) -> Result<Variant, Violation> {
        // SAFETY: the caller's promise.
        let description = unsafe { pentad_model::Variant::from_plugin(raw) }?;
        // Sides are numbered from 0 without a gap.
        let n_sides = description.seats.iter().map(|seat| seat.side as usize + 1).max().unwrap_or(0);
        let position_size = raw.position_size as usize;
        Ok(Variant { description, n_sides, position_size, n_symmetries: 1, board: None })
    }

    /// Bounds for validating values of this variant.
    pub(crate) fn seating(&self) -> Seating {
        Seating { n_seats: self.seats.len(), n_sides: self.n_sides }
    }
}

impl Deref for Variant {
    type Target = pentad_model::Variant;
    fn deref(&self) -> &pentad_model::Variant {
        &self.description
    }
}
