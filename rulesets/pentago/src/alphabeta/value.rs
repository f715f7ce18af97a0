//! Proofs that name no distance.
//!
//! A value beyond ±`WIN_MIN` is a proven win or loss. Its distance is that of
//! the proof found, which need not be the shortest one; making distances true
//! is the work of [`mates`](super::mates). Where somebody only knows who wins,
//! the distance is [`FAR`].

use pentad_sdk::Wdl;
use pentad_sdk::search::primitives::{self, NodeResult};

/// The distance of a proof that names none. No game is that long.
const FAR: u32 = 1_000;

/// A proof without a distance.
pub(crate) fn known(wdl: Wdl) -> NodeResult {
    match wdl {
        Wdl::Win => NodeResult::win(FAR),
        Wdl::Draw => NodeResult::DRAW,
        Wdl::Loss => NodeResult::loss(FAR),
    }
}

/// The distance of a win or loss, if its proof names one.
pub(crate) fn plies(value: i32) -> Option<u32> {
    Some(primitives::plies(value)).filter(|&plies| plies < FAR / 2)
}
