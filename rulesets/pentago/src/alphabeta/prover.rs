//! Finds wins by force: threat after threat until one cannot be met.
//!
//! A depth-first proof-number search. The attacker tries only moves that
//! threaten five, so it misses wins that need a quiet move; the defender has
//! every move that does not lose at once, so a win found is a win. What it says
//! about distances is true of the proof found, and an upper bound.

use pentad_sdk::search::primitives::{is_loss, is_win};

use crate::alphabeta::branches::{Branch, Thresholds, attackers, defenders, two_least, within};
use crate::alphabeta::masks::{Masks, common, count, distinct, each_move, move_of};
use crate::alphabeta::proofs::{NEVER, Numbers};
use crate::alphabeta::state::{After, State};
use crate::alphabeta::value::plies;
use crate::alphabeta::worker::Worker;
use crate::moves::Move;

/// Tells the two kinds of states apart in the table.
const DEFENDER: u64 = 0x6a09_e667_f3bc_c908;
/// The longest path: a game has no more plies.
pub(crate) const FRAMES: usize = 40;

impl Worker<'_> {
    /// Tries to prove a win of the side to move within about `budget` states.
    pub(crate) fn prove(&mut self, state: State, budget: u64) -> Option<(Move, u32)> {
        if self.proofs.probe(state.code()).is_some_and(|numbers| numbers.disproof == 0) {
            return None;
        }
        self.proof_end = self.limiter.nodes().saturating_add(budget);
        let all = Thresholds { proof: NEVER, disproof: NEVER };
        let numbers = self.attack(state, all, 0);
        if numbers.proof != 0 || self.limiter.stopped() {
            return None;
        }
        self.proven_move.map(|mv| (mv, numbers.plies))
    }

    fn out_of_budget(&self) -> bool {
        self.limiter.nodes() >= self.proof_end || self.limiter.stopped()
    }

    /// The attacker is to move.
    fn attack(&mut self, state: State, limits: Thresholds, frame: usize) -> Numbers {
        let mut branches = std::mem::take(&mut self.frames[frame]);
        let mut numbers = self.open_attack(state, &mut branches, frame);
        while !numbers.is_settled()
            && numbers.proof < limits.proof
            && numbers.disproof < limits.disproof
            && !self.out_of_budget()
        {
            let (best, second) = two_least(&branches, |branch| branch.numbers.proof);
            let inner = Thresholds {
                proof: limits.proof.min(second.saturating_add(1)),
                disproof: within(limits.disproof, numbers.disproof, branches[best].numbers.disproof),
            };
            branches[best].numbers = self.defend(branches[best].state, inner, frame + 1);
            numbers = attackers(&branches);
            if numbers.proof == 0 && frame == 0 {
                let won = branches.iter().filter(|branch| branch.numbers.proof == 0);
                self.proven_move = won.min_by_key(|branch| branch.numbers.plies).map(|branch| branch.mv);
            }
        }
        self.frames[frame] = branches;
        if !self.limiter.stopped() {
            self.proofs.store(state.code(), numbers);
        }
        numbers
    }

    /// The defender is to move.
    fn defend(&mut self, state: State, limits: Thresholds, frame: usize) -> Numbers {
        let mut branches = std::mem::take(&mut self.frames[frame]);
        let mut numbers = self.open_defence(state, &mut branches);
        while !numbers.is_settled()
            && numbers.proof < limits.proof
            && numbers.disproof < limits.disproof
            && !self.out_of_budget()
        {
            let (best, second) = two_least(&branches, |branch| branch.numbers.disproof);
            let inner = Thresholds {
                proof: within(limits.proof, numbers.proof, branches[best].numbers.proof),
                disproof: limits.disproof.min(second.saturating_add(1)),
            };
            branches[best].numbers = self.attack(branches[best].state, inner, frame + 1);
            numbers = defenders(&branches);
        }
        self.frames[frame] = branches;
        if !self.limiter.stopped() {
            self.proofs.store(state.code() ^ DEFENDER, numbers);
        }
        numbers
    }

    /// Lists the threats. Each is looked at once, so that one which cannot be
    /// met is seen here.
    fn open_attack(&mut self, state: State, branches: &mut Vec<Branch>, frame: usize) -> Numbers {
        branches.clear();
        self.limiter.visit();
        if let Some((mv, plies)) = self.rules.quick_win(state) {
            if frame == 0 {
                self.proven_move = Some(mv);
            }
            return Numbers::won(plies);
        }
        let moves = self.distinct_of(state, self.rules.scan::<true>(state).forcing());
        let mut won: Option<(Move, u32)> = None;
        each_move(&moves, |turn, bit| {
            if won.is_some() || self.limiter.stopped() {
                return;
            }
            let mv = move_of(turn, bit.0);
            match self.rules.after(state, mv) {
                After::Over(found) if is_win(found.value) => won = plies(found.value).map(|plies| (mv, plies)),
                After::Over(_) => {}
                After::Goes(next) => {
                    let numbers = self.first_defence(next);
                    if numbers.proof == 0 {
                        won = Some((mv, numbers.plies + 1));
                    } else if numbers.disproof != 0 {
                        branches.push(Branch { mv, state: next, numbers });
                    }
                }
            }
        });
        if let Some((mv, plies)) = won {
            if frame == 0 {
                self.proven_move = Some(mv);
            }
            return Numbers::won(plies);
        }
        attackers(branches)
    }

    /// Lists the defences. One after which there is no threat left refutes.
    fn open_defence(&mut self, state: State, branches: &mut Vec<Branch>) -> Numbers {
        branches.clear();
        self.limiter.visit();
        if self.rules.glance(state).may_win && self.rules.quick_win(state).is_some() {
            return Numbers::NONE;
        }
        let scan = self.rules.scan::<false>(state);
        let moves = self.distinct_of(state, scan.safe);
        let mut refuted = false;
        each_move(&moves, |turn, bit| {
            if refuted || self.limiter.stopped() {
                return;
            }
            let mv = move_of(turn, bit.0);
            match self.rules.after(state, mv) {
                After::Over(found) => refuted |= !is_loss(found.value),
                After::Goes(next) => {
                    let numbers = self.first_attack(next);
                    refuted |= numbers.disproof == 0;
                    branches.push(Branch { mv, state: next, numbers });
                }
            }
        });
        if refuted {
            return Numbers::NONE;
        }
        if branches.is_empty() && !self.limiter.stopped() {
            return Numbers::won(if scan.hopeless { 1 } else { 2 });
        }
        defenders(branches)
    }

    /// Numbers of a state with the defender to move, from the table or by the
    /// number of defences.
    fn first_defence(&mut self, state: State) -> Numbers {
        if let Some(numbers) = self.proofs.probe(state.code() ^ DEFENDER) {
            return numbers;
        }
        self.limiter.visit();
        let scan = self.rules.scan::<false>(state);
        if !scan.any_safe() {
            return if self.rules.quick_win(state).is_some() {
                Numbers::NONE
            } else {
                Numbers::won(if scan.hopeless { 1 } else { 2 })
            };
        }
        Numbers::open(1 + count(&scan.safe) / 4, 1)
    }

    /// Numbers of a state with the attacker to move, from the table or by the
    /// number of threats.
    fn first_attack(&mut self, state: State) -> Numbers {
        if let Some(numbers) = self.proofs.probe(state.code()) {
            return numbers;
        }
        self.limiter.visit();
        let glance = self.rules.glance(state);
        if glance.may_win
            && let Some((_, plies)) = self.rules.quick_win(state)
        {
            return Numbers::won(plies);
        }
        let forcing = self.rules.scan::<true>(state).forcing();
        match count(&forcing) {
            0 => Numbers::NONE,
            n => Numbers::open(1, 1 + n / 8),
        }
    }

    /// For the expected play: the attacker's move, or the longest defence, in a
    /// state that is proven.
    pub(crate) fn proven_reply(&self, state: State) -> Option<Move> {
        let (attack, defence) = (self.proofs.probe(state.code()), self.proofs.probe(state.code() ^ DEFENDER));
        let is_won = |numbers: Option<Numbers>| numbers.is_some_and(|numbers| numbers.proof == 0);
        let (attacks, salt) = match (is_won(attack), is_won(defence)) {
            (true, _) => (true, DEFENDER),
            (_, true) => (false, 0),
            _ => return None,
        };
        let mut best: Option<(u32, Move)> = None;
        each_move(&self.distinct_of(state, self.rules.scan::<true>(state).safe), |turn, bit| {
            let mv = move_of(turn, bit.0);
            let After::Goes(next) = self.rules.after(state, mv) else { return };
            let Some(numbers) = self.proofs.probe(next.code() ^ salt).filter(|numbers| numbers.proof == 0) else {
                return;
            };
            if best.is_none_or(|(plies, _)| if attacks { numbers.plies < plies } else { numbers.plies > plies }) {
                best = Some((numbers.plies, mv));
            }
        });
        best.map(|(_, mv)| mv)
    }

    fn distinct_of(&self, state: State, masks: Masks) -> Masks {
        common(&masks, &distinct(self.rules, state))
    }
}
