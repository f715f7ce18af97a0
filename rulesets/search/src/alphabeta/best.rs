//! The best move of a node so far, and the play expected after it.

use crate::alphabeta::facts::Facts;
use crate::alphabeta::value::{Found, UNANCHORED, WIN};

/// The best move of a node so far.
#[derive(Debug)]
pub struct Best<M> {
    /// What a move has to beat to be any use to the side that moves.
    pub alpha: i32,
    value: i32,
    mv: Option<M>,
    facts: Facts,
    all_held: bool,
    anchor: u32,
}

impl<M: Clone> Best<M> {
    /// No move yet.
    #[inline]
    pub fn new(alpha: i32) -> Self {
        Best { alpha, value: -WIN, mv: None, facts: Facts::NONE, all_held: true, anchor: UNANCHORED }
    }

    /// Takes a move's value over; whether it refutes the move before. `lines`
    /// are the expected play from the node on and from the next one on.
    #[inline]
    pub fn take(&mut self, found: Found, mv: &M, beta: i32, lines: &mut [Vec<M>]) -> bool {
        self.facts = self.facts.and(found.facts.common(Facts::HOLDS));
        self.all_held &= found.facts.held();
        self.anchor = self.anchor.min(found.anchor);
        if found.value > self.value || self.mv.is_none() {
            self.value = found.value;
            self.mv = Some(mv.clone());
            if found.value > self.alpha {
                self.alpha = found.value;
                expect(lines, mv);
            }
        }
        let refutes = self.alpha >= beta;
        if refutes {
            // The others do not matter to what this one is worth at least.
            self.anchor = found.anchor;
        }
        refutes
    }

    /// The node's value and its best move. `complete` if every move has been
    /// looked at, or loses.
    #[inline]
    pub fn result(self, complete: bool) -> (Found, Option<M>) {
        let held = if complete && self.all_held { Facts::HELD } else { Facts::NONE };
        (Found { value: self.value, facts: self.facts.and(held), anchor: self.anchor }, self.mv)
    }
}

/// Makes a move and the second line, which follows it, the first line.
#[inline]
pub(crate) fn expect<M: Clone>(lines: &mut [Vec<M>], mv: &M) {
    if let [line, rest, ..] = lines {
        line.clear();
        line.push(mv.clone());
        line.extend_from_slice(rest);
    }
}
