//! One way of playing a game, as its rule set describes it.

use std::collections::HashSet;

use pentad_abi as abi;

use crate::board::Board;
use crate::error::Lie;
use crate::text;

/// One way of playing a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// Lower-case letters, digits and `-`; unique among the game's variants.
    pub id: String,
    /// For people.
    pub name: String,
    /// One sentence.
    pub summary: String,
    /// In playing order; one to eight.
    pub seats: Vec<Seat>,
    /// How many sides the seats play for.
    pub n_sides: usize,
    /// Bytes of a position.
    pub position_size: usize,
    /// No game is longer, if there is a bound.
    pub plies_max: Option<u32>,
    /// How many symmetries it has, 1 if none but the one that changes nothing.
    pub n_symmetries: usize,
    /// Its board, if the rule set describes it.
    pub board: Option<Board>,
}

/// A player at the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat {
    /// Short, as in positions; unique in its variant.
    pub id: String,
    /// For people.
    pub name: String,
    /// Seats of one side win and lose together. Sides are numbered from 0
    /// without a gap.
    pub side: usize,
}

impl Variant {
    /// Checks a description and copies it, without symmetries and board.
    ///
    /// # Safety
    /// What the description points to must be readable as far as its lengths
    /// are within the ABI's bounds.
    pub(crate) unsafe fn read(raw: &abi::Variant) -> Result<Variant, Lie> {
        // SAFETY: the caller's promise, here and for each seat and text below.
        let raw_seats = unsafe { text::slice(raw.seats, raw.n_seats.into(), abi::SEATS_MAX as u64) }
            .map_err(|lie| lie.at("seats"))?;
        if raw_seats.is_empty() {
            return Err(Lie::value("no seats"));
        }
        let mut seats = Vec::with_capacity(raw_seats.len());
        for (seat_idx, raw_seat) in raw_seats.iter().enumerate() {
            // SAFETY: as above.
            seats.push(unsafe { Seat::read(raw_seat) }.map_err(|lie| lie.at(format_args!("seat {seat_idx}")))?);
        }
        if seats.iter().map(|seat| &seat.id).collect::<HashSet<_>>().len() < seats.len() {
            return Err(Lie::value("two seats with the same id"));
        }
        let sides: HashSet<usize> = seats.iter().map(|seat| seat.side).collect();
        if sides.iter().any(|side| *side >= sides.len()) {
            return Err(Lie::value("the sides are not numbered from 0 without a gap"));
        }
        if !(1..=abi::POSITION_SIZE_MAX).contains(&raw.position_size) {
            return Err(Lie::value(format!("positions of {} bytes", raw.position_size)));
        }
        // SAFETY: as above.
        let (id, name, summary) = unsafe { (text::variant_id(raw.id), text::line(raw.name), text::line(raw.summary)) };
        Ok(Variant {
            id: id.map_err(|lie| lie.at("id"))?,
            name: name.map_err(|lie| lie.at("name"))?,
            summary: summary.map_err(|lie| lie.at("summary"))?,
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
    unsafe fn read(raw: &abi::Seat) -> Result<Seat, Lie> {
        // SAFETY: the caller's promise.
        let (id, name) = unsafe { (text::word(raw.id), text::line(raw.name)) };
        Ok(Seat {
            id: id.map_err(|lie| lie.at("id"))?,
            name: name.map_err(|lie| lie.at("name"))?,
            side: raw.side as usize,
        })
    }
}
