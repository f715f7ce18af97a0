//! The moves of a state that the proof search has opened, and how their numbers
//! add up.
//!
//! Of several things still to do the hardest counts, and one for each other
//! ("weak" proof numbers): defences share most of their refutations, and a sum
//! would count those again and again.

use crate::alphabeta::proofs::{NEVER, Numbers};
use crate::alphabeta::state::State;
use crate::moves::Move;

/// A move of an opened state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Branch {
    pub(crate) mv: Move,
    pub(crate) state: State,
    pub(crate) numbers: Numbers,
}

/// Limits of a visit: leave once a number reaches its limit.
#[derive(Clone, Copy)]
pub(crate) struct Thresholds {
    pub(crate) proof: u32,
    pub(crate) disproof: u32,
}

/// One proof suffices; to disprove, all have to be.
pub(crate) fn attackers(branches: &[Branch]) -> Numbers {
    let (mut least, mut most, mut n_open) = (NEVER, 0, 0);
    let mut plies = u32::MAX;
    for Branch { numbers, .. } in branches {
        least = least.min(numbers.proof);
        if numbers.proof == 0 {
            plies = plies.min(numbers.plies + 1);
        }
        if numbers.disproof != 0 {
            most = most.max(numbers.disproof);
            n_open += 1;
        }
    }
    match (least, n_open) {
        (0, _) => Numbers::won(plies),
        (_, 0) => Numbers::NONE,
        _ => Numbers::open(least, most.saturating_add(n_open - 1)),
    }
}

/// The mirror image.
pub(crate) fn defenders(branches: &[Branch]) -> Numbers {
    let (mut least, mut most, mut n_open) = (NEVER, 0, 0);
    let mut plies = 2;
    for Branch { numbers, .. } in branches {
        least = least.min(numbers.disproof);
        if numbers.proof == 0 {
            plies = plies.max(numbers.plies + 1);
        } else {
            most = most.max(numbers.proof);
            n_open += 1;
        }
    }
    match (least, n_open) {
        (0, _) => Numbers::NONE,
        (_, 0) => Numbers::won(plies),
        _ => Numbers::open(most.saturating_add(n_open - 1), least),
    }
}

/// The index of the least, and the least of the others.
pub(crate) fn two_least(branches: &[Branch], number: impl Fn(&Branch) -> u32) -> (usize, u32) {
    let (mut best, mut least, mut second) = (0, u32::MAX, NEVER);
    for (idx, branch) in branches.iter().enumerate() {
        let number = number(branch);
        if number < least {
            second = second.min(least);
            (best, least) = (idx, number);
        } else {
            second = second.min(number);
        }
    }
    (best, second)
}

/// What is left of a limit for one branch, whose number is a part of the whole.
pub(crate) fn within(limit: u32, whole: u32, part: u32) -> u32 {
    if limit >= NEVER { NEVER } else { limit - whole.min(limit) + part }
}
