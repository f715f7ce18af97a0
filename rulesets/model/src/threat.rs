//! Wins in one.

use pentad_abi as abi;

use crate::violation::Violation;
use crate::{text, trusted};

/// A win that a seat could make with one move if it were its turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Threat {
    /// Seat that would win.
    pub seat: usize,
    /// Index in the rule set's list of kinds.
    pub kind: usize,
    /// Identifies the threat among those of its seat, also in other positions.
    pub key: u64,
    /// Minimum score of the seat once the move is made; above 0, at most 1.
    pub score: f64,
    /// The move, as the seat would play it.
    pub mv: String,
    /// The points of the board that it needs, by index.
    pub points: Vec<u32>,
}

/// A kind of threat. A rule set's own are `&'static str`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreatKind<Text = String> {
    /// Id such as `placing`.
    pub kind: Text,
    /// Description of such a win.
    pub description: Text,
}

/// Identifies a threat that a move may stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThreatKey {
    /// As in [`Threat`].
    pub seat: usize,
    /// As in [`Threat`].
    pub key: u64,
    /// As in [`Threat`].
    pub score: f64,
}

/// Bounds that a plugin's threat is validated against.
#[derive(Clone, Copy, Debug)]
pub struct ThreatBounds {
    /// Seat whose threats are listed.
    pub seat: usize,
    /// Number of kinds of threats.
    pub n_kinds: usize,
    /// Number of points of the variant's board; 0 without a board.
    pub n_points: usize,
}

impl Threat {
    /// Returns the threat in the ABI's form, readable as long as `self`.
    pub fn to_abi(&self) -> abi::Threat {
        abi::Threat {
            seat: self.seat as u32,
            kind: self.kind as u32,
            key: self.key,
            score: self.score,
            winning_move: abi::Str::new(&self.mv),
            points: self.points.as_ptr(),
            n_points: self.points.len() as u64,
        }
    }

    /// Returns seat, key and score.
    pub fn key(&self) -> ThreatKey {
        ThreatKey { seat: self.seat, key: self.key, score: self.score }
    }

    /// Validates and copies a threat. Whether its move is legal and wins is
    /// checked by the caller, which plays it.
    ///
    /// # Safety
    /// `raw` must be null or lead to a threat whose parts are readable as far as
    /// their lengths are within the bounds.
    pub unsafe fn from_plugin(raw: *const abi::Threat, bounds: ThreatBounds) -> Result<Threat, Violation> {
        // SAFETY: the caller's promise, here and for each part below.
        let [raw] = unsafe { text::slice(raw, 1, 1) }? else { return Err(Violation::value("a null threat")) };
        if raw.seat as usize != bounds.seat {
            return Err(Violation::value(format!("a threat of seat {} instead of seat {}", raw.seat, bounds.seat)));
        }
        if raw.kind as usize >= bounds.n_kinds {
            return Err(Violation::value(format!("there is no kind {} of threats", raw.kind)));
        }
        if !(raw.score > 0.0 && raw.score <= 1.0) {
            return Err(Violation::value(format!("a threat with a score of {}", raw.score)));
        }
        // SAFETY: as above.
        let mv = text::move_text(unsafe { text::bytes(raw.winning_move, abi::MOVE_LEN_MAX) }?)?.to_owned();
        // SAFETY: as above.
        let points = unsafe { text::slice(raw.points, raw.n_points, abi::POINTS_MAX) }?.to_vec();
        if let Some(point) = points.iter().find(|point| **point as usize >= bounds.n_points) {
            return Err(Violation::value(format!("there is no point {point}")));
        }
        Ok(Threat { seat: bounds.seat, kind: raw.kind as usize, key: raw.key, score: raw.score, mv, points })
    }
}

impl ThreatKey {
    /// Reads the keys of the threats that the host passes to `stops`.
    ///
    /// # Safety
    /// `data` must lead to `n` readable threats, or `n` be 0.
    pub unsafe fn from_host(data: *const abi::Threat, n: u64) -> Vec<ThreatKey> {
        let key = |raw: &abi::Threat| ThreatKey { seat: raw.seat as usize, key: raw.key, score: raw.score };
        // SAFETY: the caller's promise.
        unsafe { trusted::slice(data, n) }.iter().map(key).collect()
    }
}

impl<Text: AsRef<str>> ThreatKind<Text> {
    /// Returns the kind in the ABI's form, readable as long as `self`.
    pub fn to_abi(&self) -> abi::ThreatKind {
        abi::ThreatKind {
            kind: abi::Str::new(self.kind.as_ref()),
            description: abi::Str::new(self.description.as_ref()),
        }
    }
}

impl ThreatKind {
    /// Validates and copies a kind.
    ///
    /// # Safety
    /// `raw` must be null or lead to a kind whose texts are readable as far as their
    /// lengths are within the bounds.
    pub unsafe fn from_plugin(raw: *const abi::ThreatKind) -> Result<ThreatKind, Violation> {
        // SAFETY: the caller's promise, here and for each text below.
        let [raw] = unsafe { text::slice(raw, 1, 1) }? else { return Err(Violation::value("a null kind")) };
        // SAFETY: as above.
        let (kind, description) = unsafe { (text::short_id(raw.kind)?, text::line(raw.description)?) };
        Ok(ThreatKind { kind, description })
    }
}
