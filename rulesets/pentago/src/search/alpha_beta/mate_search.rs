//! Mate search: exact distances, and lines that lead to the end.
//!
//! The search for a win or a loss within a number of plies is exhaustive, so a negative
//! result is a proof. [`threat_scan`](crate::search::static_eval::threat_scan) finds
//! the other side's immediate wins, so three plies cost no more than visiting each move
//! once. Nodes count towards the limits; a result after a stop is meaningless.

use pentad_sdk::search::primitives::{NodeResult, NodeSearch, RootWorker, Summary, is_loss, is_win, rank};

use crate::moves::Move;
use crate::search::alpha_beta::root::RootMove;
use crate::search::alpha_beta::value::plies;
use crate::search::alpha_beta::worker::Worker;
use crate::search::move_set::{MoveSet, distinct_turns, intersection, move_of};
use crate::search::search_position::{SearchPosition, Successor};
use crate::variant::Edition;

/// Budget: this many nodes, and `CONFIRM_FACTOR` times those so far.
const CONFIRM_NODES: u64 = 50_000;
const CONFIRM_FACTOR: u64 = 2;
/// Lines up to this length are searched if the tables do not have them.
const COMPLETED_PLIES_MAX: u32 = 6;

impl Worker<'_> {
    /// Makes the distances of the reported lines exact: no win is nearer and no loss
    /// further away.
    pub(crate) fn confirm_mates(&mut self, moves: &mut [RootMove], summary: &mut Summary) {
        let quota = self.limiter.quota();
        let nodes = self.limiter.nodes();
        self.limiter.set_quota(quota.min(nodes + CONFIRM_NODES + CONFIRM_FACTOR * nodes));
        if !self.limiter.stopped() {
            summary.is_true_distance = self.confirm_best(moves);
            for idx in 1..summary.n_lines.min(moves.len()) {
                self.confirm_move(&mut moves[idx]);
            }
            rank(moves);
            for mv in moves.iter_mut().take(summary.n_lines) {
                self.complete_line(mv);
            }
        }
    }

    /// Makes the distances of the leading wins exact, within the budget; returns true
    /// if it did for at least one.
    pub(crate) fn confirm_wins(&mut self, moves: &mut [RootMove], budget: u64) -> bool {
        let quota = self.limiter.quota();
        self.limiter.set_quota(quota.min(self.limiter.nodes() + budget));
        let mut is_any = false;
        for mv in moves.iter_mut().take_while(|mv| is_win(mv.value)).filter(|mv| !mv.is_true_distance) {
            if self.confirm_move(mv) {
                self.complete_line(mv);
                is_any = true;
            }
        }
        self.limiter.set_quota(quota);
        is_any
    }

    /// Completes the line of a near win or loss that does not lead to the end, because
    /// it belongs to a longer one or the table has lost it.
    fn complete_line(&mut self, mv: &mut RootMove) {
        let (Some(distance), Successor::Ongoing(after)) = (plies(mv.value), mv.after) else { return };
        let is_due = mv.is_decided() && mv.is_true_distance && distance <= COMPLETED_PLIES_MAX;
        if !is_due || self.leads_to_end(after, &self.extended_pv(mv)[1..], distance - 1) {
            return;
        }
        let mut line = Vec::new();
        let is_found = if is_win(mv.value) {
            self.lost_line(after, distance - 1, &mut line)
        } else {
            self.won_line(after, distance - 1, &mut line)
        };
        if is_found {
            mv.update_pv(&line);
        }
    }

    /// Appends the moves of a position that is lost in `plies`, except the last two,
    /// which [`extended_pv`](RootWorker::extended_pv) finds; `false` if stopped.
    fn lost_line(&mut self, position: SearchPosition, plies: u32, line: &mut Vec<Move>) -> bool {
        if plies <= 2 {
            return true;
        }
        // A safe move does not lose to the next one; in the Czech edition it may lose
        // to a five by turning.
        let is_safe_enough = plies <= 4 && self.rules.edition != Edition::Czech;
        let scan = self.rules.scan_threats::<false>(position);
        self.any_move_satisfies(&intersection(&scan.safe, &distinct_turns(self.rules, position)), |worker, reply| {
            let Successor::Ongoing(next) = worker.rules.successor(position, reply) else { return false };
            if !is_safe_enough && (worker.wins_within(next, plies - 2) || worker.limiter.stopped()) {
                return false;
            }
            line.push(reply);
            let is_found = worker.won_line(next, plies - 1, line);
            if !is_found {
                line.pop();
            }
            is_found
        })
    }

    /// Does the same as [`lost_line`](Self::lost_line) for the winning side.
    fn won_line(&mut self, position: SearchPosition, plies: u32, line: &mut Vec<Move>) -> bool {
        if plies <= 2 {
            return true;
        }
        let scan = self.rules.scan_threats::<true>(position);
        self.any_move_satisfies(&intersection(&scan.safe, &distinct_turns(self.rules, position)), |worker, answer| {
            let Successor::Ongoing(next) = worker.rules.successor(position, answer) else { return false };
            if !worker.loses_within(next, plies - 1) || worker.limiter.stopped() {
                return false;
            }
            line.push(answer);
            let is_found = worker.lost_line(next, plies - 1, line);
            if !is_found {
                line.pop();
            }
            is_found
        })
    }

    /// Makes the distance of the best line exact, and with it that of the root;
    /// `false` if stopped or if the proof has no distance.
    fn confirm_best(&mut self, moves: &mut [RootMove]) -> bool {
        if is_win(moves[0].value) {
            return self.shortest_win(moves);
        }
        // The longest loss counts; one that proves shorter is ranked behind the next.
        while is_loss(moves[0].value) && !moves[0].is_true_distance {
            if !self.confirm_move(&mut moves[0]) {
                return false;
            }
            rank(moves);
        }
        true
    }

    /// Looks for a shorter win than the best line, shortest first.
    fn shortest_win(&mut self, moves: &mut [RootMove]) -> bool {
        let Some(known) = plies(moves[0].value) else { return false };
        // Wins within two plies are found by `evaluate_root_move`.
        for distance in 3..known {
            for idx in 0..moves.len() {
                let Successor::Ongoing(next) = moves[idx].after else { continue };
                let nearer = self.loses_within(next, distance - 1);
                if self.limiter.stopped() {
                    return false;
                }
                if nearer {
                    let mv = &mut moves[idx];
                    (mv.value, mv.proven) = (NodeResult::win(distance).value, NodeResult::win(distance).proven);
                    mv.is_true_distance = true;
                    moves[..=idx].rotate_right(1);
                    rank(moves);
                    return true;
                }
            }
        }
        moves[0].is_true_distance = true;
        true
    }

    /// Makes the distance of one decided move exact; `false` if stopped or if the
    /// proof has no distance.
    fn confirm_move(&mut self, mv: &mut RootMove) -> bool {
        if mv.is_true_distance || !mv.is_decided() {
            return true;
        }
        let (Successor::Ongoing(next), Some(known)) = (mv.after, plies(mv.value)) else { return false };
        for distance in 3..known {
            let nearer = if is_win(mv.value) {
                self.loses_within(next, distance - 1)
            } else {
                self.wins_within(next, distance - 1)
            };
            if self.limiter.stopped() {
                return false;
            }
            if nearer {
                let result = if is_win(mv.value) { NodeResult::win(distance) } else { NodeResult::loss(distance) };
                mv.value = result.value;
                break;
            }
        }
        mv.is_true_distance = true;
        true
    }

    /// Returns whether the side to move wins within `plies`, at least one.
    fn wins_within(&mut self, position: SearchPosition, plies: u32) -> bool {
        self.limiter.visit();
        if self.rules.static_eval(position).may_win
            && let Some((_, result)) = self.rules.immediate_win(position)
        {
            return result <= plies;
        }
        if plies < 3 {
            return false;
        }
        // A win without a threat needs zugzwang: rare, so searched last.
        let scan = self.rules.scan_threats::<true>(position);
        let moves = intersection(&scan.safe, &distinct_turns(self.rules, position));
        let forcing = intersection(&moves, &scan.threats);
        let not_forcing: MoveSet = std::array::from_fn(|turn| moves[turn] & !forcing[turn]);
        [forcing, not_forcing].iter().any(|set| {
            self.any_move_satisfies(set, |worker, mv| match worker.rules.successor(position, mv) {
                // A win would have been an immediate win.
                Successor::Terminal(_) => false,
                Successor::Ongoing(next) => worker.loses_within(next, plies - 1),
            })
        })
    }

    /// Returns whether the side to move loses within `plies`, at least two.
    fn loses_within(&mut self, position: SearchPosition, plies: u32) -> bool {
        self.limiter.visit();
        if self.rules.static_eval(position).may_win && self.rules.immediate_win(position).is_some() {
            return false;
        }
        let scan = self.rules.scan_threats::<false>(position);
        // In the Czech edition a safe move may still lose to the next one.
        if plies < 3 && self.rules.edition != Edition::Czech {
            return !scan.any_safe();
        }
        !self.any_move_satisfies(&intersection(&scan.safe, &distinct_turns(self.rules, position)), |worker, mv| {
            match worker.rules.successor(position, mv) {
                Successor::Terminal(result) => !is_loss(result.value),
                Successor::Ongoing(next) => !worker.wins_within(next, plies - 1),
            }
        })
    }

    /// Returns whether `f` holds for some move; `false` if stopped.
    fn any_move_satisfies(&mut self, set: &MoveSet, mut f: impl FnMut(&mut Self, Move) -> bool) -> bool {
        for (turn, mut rest) in set.iter().copied().enumerate() {
            while rest != 0 {
                if self.limiter.stopped() {
                    return false;
                }
                if f(self, move_of(turn, rest)) {
                    return true;
                }
                rest &= rest - 1;
            }
        }
        false
    }
}
