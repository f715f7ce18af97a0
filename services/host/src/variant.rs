//! A variant of a game, as its rule set describes it.

use std::collections::HashSet;

use pentad_abi as abi;

use crate::board::Board;
use crate::error::Violation;
use crate::text;

/// A variant of a game: its own rules, seats and start position.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// Lower-case letters, digits and `-`; unique among the game's variants.
    pub id: String,
    /// For display.
    pub name: String,
    /// One sentence on how it differs from the others.
    pub summary: String,
    /// In playing order; one to eight.
    pub seats: Vec<Seat>,
    /// The number of sides, that is of teams; equal to the seats without teams.
    pub n_sides: usize,
    /// Size of an encoded position in bytes.
    pub position_size: usize,
    /// Upper bound of a game's length in plies, if there is one.
    pub plies_max: Option<u32>,
    /// The number of symmetries, the identity among them; at least 1.
    pub n_symmetries: usize,
    /// The board, if the rule set describes it.
    pub board: Option<Board>,
}

/// A player at the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat {
    /// Short, as in the notation; unique in its variant.
    pub id: String,
    /// For display.
    pub name: String,
    /// Seats of one side win and lose together. Sides are numbered from 0
    /// without a gap.
    pub side: usize,
}

impl Variant {
    /// Validates and copies a description, without symmetries and board.
    ///
    /// # Safety
    /// What the description points to must be readable as far as its lengths
    /// are within the ABI's bounds.
    pub(crate) unsafe fn read(raw: &abi::Variant) -> Result<Variant, Violation> {
        // SAFETY: the caller's promise, here and for each seat and text below.
        let raw_seats = unsafe { text::slice(raw.seats, raw.n_seats.into(), abi::SEATS_MAX as u64) }
            .map_err(|violation| violation.at("seats"))?;
        if raw_seats.is_empty() {
            return Err(Violation::value("no seats"));
        }
        let mut seats = Vec::with_capacity(raw_seats.len());
        for (seat_idx, raw_seat) in raw_seats.iter().enumerate() {
            // SAFETY: as above.
            seats.push(
                unsafe { Seat::read(raw_seat) }.map_err(|violation| violation.at(format_args!("seat {seat_idx}")))?,
            );
        }
        if seats.iter().map(|seat| &seat.id).collect::<HashSet<_>>().len() < seats.len() {
            return Err(Violation::value("two seats with the same id"));
        }
        let sides: HashSet<usize> = seats.iter().map(|seat| seat.side).collect();
        if sides.iter().any(|side| *side >= sides.len()) {
            return Err(Violation::value("the sides are not numbered from 0 without a gap"));
        }
        if !(1..=abi::POSITION_SIZE_MAX).contains(&raw.position_size) {
            return Err(Violation::value(format!("a position_size of {} bytes", raw.position_size)));
        }
        // SAFETY: as above.
        let (id, name, summary) = unsafe { (text::variant_id(raw.id), text::line(raw.name), text::line(raw.summary)) };
        Ok(Variant {
            id: id.map_err(|violation| violation.at("id"))?,
            name: name.map_err(|violation| violation.at("name"))?,
            summary: summary.map_err(|violation| violation.at("summary"))?,
            seats,
            n_sides: sides.len(),
            position_size: raw.position_size as usize,
            plies_max: (raw.plies_max > 0).then_some(raw.plies_max),
            n_symmetries: 1,
            board: None,
        })
    }
}

impl Seat {
    /// # Safety
    /// As [`Variant::read`].
    unsafe fn read(raw: &abi::Seat) -> Result<Seat, Violation> {
        // SAFETY: the caller's promise.
        let (id, name) = unsafe { (text::short_id(raw.id), text::line(raw.name)) };
        Ok(Seat {
            id: id.map_err(|violation| violation.at("id"))?,
            name: name.map_err(|violation| violation.at("name"))?,
            side: raw.side as usize,
        })
    }
}
