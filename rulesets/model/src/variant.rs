//! A variant of a game and its seats.

use std::collections::HashSet;

use pentad_abi as abi;

use crate::text;
use crate::violation::Violation;

/// A variant of a game. A rule set's own texts are `&'static str`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant<Text = String> {
    /// Lower-case letters, digits and `-`; unique among the game's variants.
    pub id: Text,
    /// For display.
    pub name: Text,
    /// One sentence on how it differs from the others.
    pub summary: Text,
    /// One to eight seats, in playing order.
    pub seats: Vec<Seat<Text>>,
    /// Upper bound of a game's length in plies, if there is one.
    pub plies_max: Option<u32>,
}

/// A player at the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat<Text = String> {
    /// Short id, as in the notation; unique in its variant.
    pub id: Text,
    /// For display.
    pub name: Text,
    /// Seats of one side win and lose together. Sides are numbered from 0
    /// without a gap.
    pub side: u32,
}

impl<Text: AsRef<str>> Variant<Text> {
    /// Writes a variant, readable as long as `self` and its seats in the ABI's form.
    pub fn to_abi(&self, seats: &[abi::Seat], position_size: usize) -> abi::Variant {
        abi::Variant {
            id: abi::Str::new(self.id.as_ref()),
            name: abi::Str::new(self.name.as_ref()),
            summary: abi::Str::new(self.summary.as_ref()),
            seats: seats.as_ptr(),
            n_seats: seats.len() as u32,
            position_size: position_size as u32,
            plies_max: self.plies_max.unwrap_or(0),
            reserved: 0,
        }
    }
}

impl<Text: AsRef<str>> Seat<Text> {
    /// Writes a seat, readable as long as `self`.
    pub fn to_abi(&self) -> abi::Seat {
        let (id, name) = (abi::Str::new(self.id.as_ref()), abi::Str::new(self.name.as_ref()));
        abi::Seat { id, name, side: self.side, reserved: 0 }
    }
}

impl Variant {
    /// Validates a variant and copies it.
    ///
    /// # Safety
    /// All arrays and texts of the variant whose lengths are within the ABI's bounds must
    /// be readable.
    pub unsafe fn from_plugin(raw: &abi::Variant) -> Result<Variant, Violation> {
        // SAFETY: the caller's promise, here and for each seat and text below.
        let read = |raw: &abi::Seat| unsafe { Seat::from_plugin(raw) };
        // SAFETY: as above.
        let seats = unsafe { text::parts("seat", raw.seats, raw.n_seats.into(), abi::SEATS_MAX as u64, read) }?;
        if seats.is_empty() {
            return Err(Violation::value("no seats"));
        }
        if seats.iter().map(|seat| &seat.id).collect::<HashSet<_>>().len() < seats.len() {
            return Err(Violation::value("two seats with the same id"));
        }
        let sides: HashSet<u32> = seats.iter().map(|seat| seat.side).collect();
        if sides.iter().any(|side| *side as usize >= sides.len()) {
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
            plies_max: (raw.plies_max > 0).then_some(raw.plies_max),
        })
    }
}

impl Seat {
    /// # Safety
    /// As [`Variant::from_plugin`].
    unsafe fn from_plugin(raw: &abi::Seat) -> Result<Seat, Violation> {
        // SAFETY: the caller's promise.
        let (id, name) = unsafe { (text::short_id(raw.id), text::line(raw.name)) };
        Ok(Seat {
            id: id.map_err(|violation| violation.at("id"))?,
            name: name.map_err(|violation| violation.at("name"))?,
            side: raw.side,
        })
    }
}
