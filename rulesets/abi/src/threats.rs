//! `pentad/threats.h`: wins in one for every seat.

use std::ffi::c_void;

use crate::extension::extension;
use crate::{Status, Str};

/// Id of this extension.
pub const THREATS_1: &str = "pentad.threats/1";

/// Maximum number of threats in one call of `stops`.
pub const THREATS_MAX: u32 = 64;

/// `pentad_threat_kind_t`: a way to win.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThreatKind {
    /// One of a short list that the game documents.
    pub kind: Str,
    /// Description of such a win, one line.
    pub description: Str,
}

/// `pentad_threat_kind_lister_t`: a callback that receives kinds.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThreatKindLister {
    /// The first argument of `give`.
    pub ctx: *mut c_void,
    /// Receives one kind; non-zero means stop.
    pub give: unsafe extern "C" fn(ctx: *mut c_void, kind: *const ThreatKind) -> i32,
}

/// `pentad_threat_t`: a win in one.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Threat {
    /// Seat that would win.
    pub seat: u32,
    /// Index in the list of `kinds`.
    pub kind: u32,
    /// Identifies the threat among those of its seat, also in other positions.
    pub key: u64,
    /// Minimum score of the seat once the move is made; above 0, at most 1.
    pub score: f64,
    /// A move that carries out the threat, in canonical text.
    pub winning_move: Str,
    /// The points of the layout that it needs, by index.
    pub points: *const u32,
    /// Length of `points`.
    pub n_points: u64,
}

/// `pentad_threat_lister_t`: a callback that receives threats.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThreatLister {
    /// The first argument of `give`.
    pub ctx: *mut c_void,
    /// Receives one threat; non-zero means stop.
    pub give: unsafe extern "C" fn(ctx: *mut c_void, threat: *const Threat) -> i32,
}

/// `pentad_stop_lister_t`: a callback that receives moves that stop threats.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct StopLister {
    /// The first argument of `give`.
    pub ctx: *mut c_void,
    /// Receives one move, the threats it stops, a bit each, and whether it stops all;
    /// non-zero means stop. An empty text only polls whether to stop.
    pub give: unsafe extern "C" fn(ctx: *mut c_void, mv: Str, stopped: u64, stops_all: u32) -> i32,
}

extension! {
    /// `pentad_threats_t`: the functions of `pentad.threats/1`.
    pub struct Threats(THREATS_1, "threats") {
        /// Lists every kind of threat.
        kinds(out: *const ThreatKindLister) -> Status;
        /// Returns the position as if it were a seat's turn.
        turn_of(variant: u32, position: *const u8, seat: u32, out: *mut u8) -> Status;
        /// Lists the threats of the seat to move.
        list(variant: u32, position: *const u8, out: *const ThreatLister) -> Status;
        /// Lists the moves of the seat to move that stop threats.
        stops(
            variant: u32,
            position: *const u8,
            threats: *const Threat,
            n_threats: u64,
            out: *const StopLister,
        ) -> Status;
    }
}
