//! Depth-first proof-number search (df-pn) for wins by continuous threats.
//!
//! At OR nodes the attacker has only moves that threaten five, so wins that need a
//! quiet move are missed; at AND nodes the defender has every move that does not lose
//! at once, so wins are proven. The distance is that of the proof: an upper bound.

pub(crate) mod children;
pub(crate) mod table;

use pentad_sdk::search::primitives::{is_loss, is_win};

use crate::moves::Move;
use crate::search::alpha_beta::value::plies;
use crate::search::alpha_beta::worker::Worker;
use crate::search::move_set::{MoveSet, count, distinct_turns, for_each_move, intersection, move_of};
use crate::search::proof_number::children::{
    Child, Thresholds, and_node_numbers, child_threshold, least_and_second, or_node_numbers,
};
use crate::search::proof_number::table::{INFINITY, ProofNumbers};
use crate::search::search_position::{SearchPosition, Successor};

/// Keys of AND nodes are XORed with this: the same position may be both.
const AND_NODE_SALT: u64 = 0x6a09_e667_f3bc_c908;
/// Bound of the path: a game has at most 36 plies.
pub(crate) const PLIES_MAX: usize = 40;

impl Worker<'_> {
    /// Tries to prove a win of the side to move within about `budget` nodes; returns
    /// the winning move and the plies of the proof.
    pub(crate) fn prove(&mut self, position: SearchPosition, budget: u64) -> Option<(Move, u32)> {
        if self.proof_table.probe(position.code()).is_some_and(|numbers| numbers.disproof == 0) {
            return None;
        }
        self.proof_nodes_end = self.limiter.nodes().saturating_add(budget);
        let unlimited = Thresholds { proof: INFINITY, disproof: INFINITY };
        let numbers = self.search_or_node(position, unlimited, 0);
        if numbers.proof != 0 || self.limiter.stopped() {
            return None;
        }
        self.proven_move.map(|mv| (mv, numbers.plies))
    }

    fn out_of_budget(&self) -> bool {
        self.limiter.nodes() >= self.proof_nodes_end || self.limiter.stopped()
    }

    /// Searches a node with the attacker to move until a threshold is reached.
    fn search_or_node(&mut self, position: SearchPosition, thresholds: Thresholds, ply: usize) -> ProofNumbers {
        let mut children = std::mem::take(&mut self.child_buffers[ply]);
        let mut numbers = self.expand_or_node(position, &mut children, ply);
        while !numbers.is_solved()
            && numbers.proof < thresholds.proof
            && numbers.disproof < thresholds.disproof
            && !self.out_of_budget()
        {
            let (best, second) = least_and_second(&children, |child| child.numbers.proof);
            let child_thresholds = Thresholds {
                proof: thresholds.proof.min(second.saturating_add(1)),
                disproof: child_threshold(thresholds.disproof, numbers.disproof, children[best].numbers.disproof),
            };
            children[best].numbers = self.search_and_node(children[best].position, child_thresholds, ply + 1);
            numbers = or_node_numbers(&children);
            if numbers.proof == 0 && ply == 0 {
                let won = children.iter().filter(|child| child.numbers.proof == 0);
                self.proven_move = won.min_by_key(|child| child.numbers.plies).map(|child| child.mv);
            }
        }
        self.child_buffers[ply] = children;
        if !self.limiter.stopped() {
            self.proof_table.store(position.code(), numbers);
        }
        numbers
    }

    /// Searches a node with the defender to move until a threshold is reached.
    fn search_and_node(&mut self, position: SearchPosition, thresholds: Thresholds, ply: usize) -> ProofNumbers {
        let mut children = std::mem::take(&mut self.child_buffers[ply]);
        let mut numbers = self.expand_and_node(position, &mut children);
        while !numbers.is_solved()
            && numbers.proof < thresholds.proof
            && numbers.disproof < thresholds.disproof
            && !self.out_of_budget()
        {
            let (best, second) = least_and_second(&children, |child| child.numbers.disproof);
            let child_thresholds = Thresholds {
                proof: child_threshold(thresholds.proof, numbers.proof, children[best].numbers.proof),
                disproof: thresholds.disproof.min(second.saturating_add(1)),
            };
            children[best].numbers = self.search_or_node(children[best].position, child_thresholds, ply + 1);
            numbers = and_node_numbers(&children);
        }
        self.child_buffers[ply] = children;
        if !self.limiter.stopped() {
            self.proof_table.store(position.code() ^ AND_NODE_SALT, numbers);
        }
        numbers
    }

    /// Generates the threats. Each child is initialised here, so that a threat that
    /// cannot be parried proves the node at once.
    fn expand_or_node(&mut self, position: SearchPosition, children: &mut Vec<Child>, ply: usize) -> ProofNumbers {
        children.clear();
        self.limiter.visit();
        if let Some((mv, plies)) = self.rules.immediate_win(position) {
            if ply == 0 {
                self.proven_move = Some(mv);
            }
            return ProofNumbers::proven(plies);
        }
        let moves = self.distinct_among(position, self.rules.scan_threats::<true>(position).forcing());
        let mut won: Option<(Move, u32)> = None;
        for_each_move(&moves, |turn, bit| {
            if won.is_some() || self.limiter.stopped() {
                return;
            }
            let mv = move_of(turn, bit.0);
            match self.rules.successor(position, mv) {
                Successor::Terminal(result) if is_win(result.value) => {
                    won = plies(result.value).map(|plies| (mv, plies));
                }
                Successor::Terminal(_) => {}
                Successor::Ongoing(next) => {
                    let numbers = self.init_and_node(next);
                    if numbers.proof == 0 {
                        won = Some((mv, numbers.plies + 1));
                    } else if numbers.disproof != 0 {
                        children.push(Child { mv, position: next, numbers });
                    }
                }
            }
        });
        if let Some((mv, plies)) = won {
            if ply == 0 {
                self.proven_move = Some(mv);
            }
            return ProofNumbers::proven(plies);
        }
        or_node_numbers(children)
    }

    /// Generates the defences. One that leaves the attacker no threat disproves
    /// the node.
    fn expand_and_node(&mut self, position: SearchPosition, children: &mut Vec<Child>) -> ProofNumbers {
        children.clear();
        self.limiter.visit();
        if self.rules.static_eval(position).may_win && self.rules.immediate_win(position).is_some() {
            return ProofNumbers::DISPROVEN;
        }
        let scan = self.rules.scan_threats::<false>(position);
        let moves = self.distinct_among(position, scan.safe);
        let mut is_disproven = false;
        for_each_move(&moves, |turn, bit| {
            if is_disproven || self.limiter.stopped() {
                return;
            }
            let mv = move_of(turn, bit.0);
            match self.rules.successor(position, mv) {
                Successor::Terminal(result) => is_disproven |= !is_loss(result.value),
                Successor::Ongoing(next) => {
                    let numbers = self.init_or_node(next);
                    is_disproven |= numbers.disproof == 0;
                    children.push(Child { mv, position: next, numbers });
                }
            }
        });
        if is_disproven {
            return ProofNumbers::DISPROVEN;
        }
        if children.is_empty() && !self.limiter.stopped() {
            return ProofNumbers::proven(scan.loss_plies());
        }
        and_node_numbers(children)
    }

    /// Initialises an AND node: from the table, or by the number of defences.
    fn init_and_node(&mut self, position: SearchPosition) -> ProofNumbers {
        if let Some(numbers) = self.proof_table.probe(position.code() ^ AND_NODE_SALT) {
            return numbers;
        }
        self.limiter.visit();
        let scan = self.rules.scan_threats::<false>(position);
        if !scan.any_safe() {
            return if self.rules.immediate_win(position).is_some() {
                ProofNumbers::DISPROVEN
            } else {
                ProofNumbers::proven(scan.loss_plies())
            };
        }
        ProofNumbers::unsolved(1 + count(&scan.safe) / 4, 1)
    }

    /// Initialises an OR node: from the table, or by the number of threats.
    fn init_or_node(&mut self, position: SearchPosition) -> ProofNumbers {
        if let Some(numbers) = self.proof_table.probe(position.code()) {
            return numbers;
        }
        self.limiter.visit();
        let eval = self.rules.static_eval(position);
        if eval.may_win
            && let Some((_, plies)) = self.rules.immediate_win(position)
        {
            return ProofNumbers::proven(plies);
        }
        let forcing = self.rules.scan_threats::<true>(position).forcing();
        match count(&forcing) {
            0 => ProofNumbers::DISPROVEN,
            n => ProofNumbers::unsolved(1, 1 + n / 8),
        }
    }

    /// Returns the move of a proof in the table, for the principal variation: the
    /// attacker's shortest win, or the longest defence.
    pub(crate) fn proof_move(&self, position: SearchPosition) -> Option<Move> {
        let (or_node, and_node) =
            (self.proof_table.probe(position.code()), self.proof_table.probe(position.code() ^ AND_NODE_SALT));
        let is_proven = |numbers: Option<ProofNumbers>| numbers.is_some_and(|numbers| numbers.proof == 0);
        let (attacks, salt) = match (is_proven(or_node), is_proven(and_node)) {
            (true, _) => (true, AND_NODE_SALT),
            (_, true) => (false, 0),
            _ => return None,
        };
        let mut best: Option<(u32, Move)> = None;
        for_each_move(&self.distinct_among(position, self.rules.scan_threats::<true>(position).safe), |turn, bit| {
            let mv = move_of(turn, bit.0);
            let Successor::Ongoing(next) = self.rules.successor(position, mv) else { return };
            let Some(numbers) = self.proof_table.probe(next.code() ^ salt).filter(|numbers| numbers.proof == 0) else {
                return;
            };
            if best.is_none_or(|(plies, _)| if attacks { numbers.plies < plies } else { numbers.plies > plies }) {
                best = Some((numbers.plies, mv));
            }
        });
        best.map(|(_, mv)| mv)
    }

    fn distinct_among(&self, position: SearchPosition, set: MoveSet) -> MoveSet {
        intersection(&set, &distinct_turns(self.rules, position))
    }
}
