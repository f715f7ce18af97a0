//! The children of an expanded node, and the combination of their numbers.
//!
//! Weak proof-number search: instead of the sum over the children, the largest number
//! counts, plus one for each other child. Defences share most of their refutations,
//! which a sum would count repeatedly.

use crate::moves::Move;
use crate::search::proof_number::table::{INFINITY, ProofNumbers};
use crate::search::search_position::SearchPosition;

/// A move of an expanded node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child {
    pub(crate) mv: Move,
    pub(crate) position: SearchPosition,
    pub(crate) numbers: ProofNumbers,
}

/// Thresholds of a node, which is left once one of its numbers reaches them.
#[derive(Clone, Copy)]
pub(crate) struct Thresholds {
    pub(crate) proof: u32,
    pub(crate) disproof: u32,
}

/// Returns the numbers of an OR node: one proven child proves it, and all have to be
/// disproven to disprove it.
pub(crate) fn or_node_numbers(children: &[Child]) -> ProofNumbers {
    let (mut least, mut most, mut n_open) = (INFINITY, 0, 0);
    let mut plies = u32::MAX;
    for Child { numbers, .. } in children {
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
        (0, _) => ProofNumbers::proven(plies),
        (_, 0) => ProofNumbers::DISPROVEN,
        _ => ProofNumbers::unsolved(least, most.saturating_add(n_open - 1)),
    }
}

/// Returns the numbers of an AND node: one disproven child disproves it, and all have
/// to be proven to prove it.
pub(crate) fn and_node_numbers(children: &[Child]) -> ProofNumbers {
    let (mut least, mut most, mut n_open) = (INFINITY, 0, 0);
    let mut plies = 2;
    for Child { numbers, .. } in children {
        least = least.min(numbers.disproof);
        if numbers.proof == 0 {
            plies = plies.max(numbers.plies + 1);
        } else {
            most = most.max(numbers.proof);
            n_open += 1;
        }
    }
    match (least, n_open) {
        (0, _) => ProofNumbers::DISPROVEN,
        (_, 0) => ProofNumbers::proven(plies),
        _ => ProofNumbers::unsolved(most.saturating_add(n_open - 1), least),
    }
}

/// Returns the index of the smallest number, and the smallest of the others.
pub(crate) fn least_and_second(children: &[Child], number: impl Fn(&Child) -> u32) -> (usize, u32) {
    let (mut best, mut least, mut second) = (0, u32::MAX, INFINITY);
    for (idx, child) in children.iter().enumerate() {
        let number = number(child);
        if number < least {
            second = second.min(least);
            (best, least) = (idx, number);
        } else {
            second = second.min(number);
        }
    }
    (best, second)
}

/// Returns the threshold of one child, whose number `part` is contained in the node's
/// number `whole`.
pub(crate) fn child_threshold(threshold: u32, whole: u32, part: u32) -> u32 {
    if threshold >= INFINITY { INFINITY } else { threshold - whole.min(threshold) + part }
}
