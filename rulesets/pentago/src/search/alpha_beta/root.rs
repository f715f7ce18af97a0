//! Root moves: their evaluation, proofs at the root, and their reported lines.
//!
//! Before each iteration the proof-number search gets its share of the nodes. Once
//! the requested lines are proven, their distances are made exact if that is
//! affordable, and are left out of the report otherwise.

use pentad_sdk::search::primitives::{self, NodeResult, RootWorker, Summary, is_win};

use crate::moves::Move;
use crate::search::alpha_beta::value::plies;
use crate::search::alpha_beta::worker::Worker;
use crate::search::search_position::{SearchPosition, Successor};

/// Budget of the proof-number search before an iteration: this many nodes, and
/// one in `PROOF_NODES_DIVISOR` of those so far. One of its nodes costs about as
/// much as three of the alpha-beta search.
const PROOF_NODES_MIN: u64 = 4_000;
const PROOF_NODES_DIVISOR: u64 = 6;

/// A root move; `after` is its [`Successor`].
pub(crate) type RootMove = primitives::RootMove<Move, Successor>;

impl RootWorker for Worker<'_> {
    /// Uses the static evaluation, unless the next two plies are decisive.
    fn evaluate_reply(&mut self, position: SearchPosition) -> (NodeResult, bool) {
        if let Some((reply, plies)) = self.rules.immediate_win(position) {
            self.stack.pv[1].push(reply);
            return (NodeResult::win(plies), true);
        }
        let scan = self.rules.scan_threats::<false>(position);
        if !scan.any_safe() {
            return (NodeResult::loss(scan.loss_plies()), true);
        }
        let estimate = || NodeResult::estimate(self.rules.static_eval(position).value);
        (self.probe_endgame(position, 1).unwrap_or_else(estimate), false)
    }

    fn begin_iteration(&mut self, depth: u32) {
        self.extension_plies_max = 2 * depth as usize;
    }

    fn root_reduction(depth: u32, n_searched: usize) -> i32 {
        i32::from(depth >= 3 && n_searched >= 10) + i32::from(depth >= 4 && n_searched >= 60)
    }

    /// Runs the proof-number search, which proves one winning move. Once there is one,
    /// its distance is made exact while the other lines are searched.
    fn prove_root(&mut self, moves: &mut [RootMove], depth: u32) -> bool {
        let budget = PROOF_NODES_MIN + self.limiter.nodes() / PROOF_NODES_DIVISOR;
        if is_win(moves[0].value) {
            return self.confirm_wins(moves, budget);
        }
        let Some(root) = self.full_root else { return false };
        let Some((mv, plies)) = self.prove(root, budget) else { return false };
        let Successor::Ongoing(target) = self.rules.successor(root, mv) else { return false };
        // The list may contain another move to the same position.
        let same = |after: &Successor| matches!(after, Successor::Ongoing(position) if *position == target);
        let Some(result) = moves.iter_mut().find(|mv| same(&mv.after)) else { return false };
        result.set_exact(NodeResult::win(plies), depth.max(1), &[]);
        true
    }

    fn confirm_distances(&mut self, moves: &mut [RootMove], summary: &mut Summary) {
        self.confirm_mates(moves, summary);
    }

    /// Extends the line by moves of both tables, and to the end if every reply loses to
    /// the next move.
    fn extended_pv(&self, mv: &RootMove) -> Vec<Move> {
        let mut line = mv.pv.clone();
        let n_max = plies(mv.value).filter(|_| mv.is_decided()).map_or(36, |plies| plies as usize);
        let mut reached = line[1..].iter().fold(mv.after, |reached, &next| step(self, reached, next));
        while let Successor::Ongoing(position) = reached
            && line.len() < n_max
        {
            let reply = if mv.is_decided() { lost_reply(self, position) } else { None };
            let Some(next) = reply.or_else(|| table_move(self, position)) else { break };
            line.push(next);
            reached = step(self, reached, next);
        }
        if is_won_after_reply(reached) && line.len() < n_max {
            line.push(Move::PASS);
        }
        line
    }
}

/// Plays a move, unless the game is decided.
fn step(worker: &Worker<'_>, reached: Successor, mv: Move) -> Successor {
    match reached {
        Successor::Ongoing(position) => worker.rules.successor(position, mv),
        Successor::Terminal(_) => reached,
    }
}

/// Returns whether the last move won although the other side still has a reply (Czech
/// edition).
fn is_won_after_reply(reached: Successor) -> bool {
    matches!(reached, Successor::Terminal(result) if is_win(result.value) && plies(result.value) == Some(2))
}

/// Returns a move if the side to move loses at once whatever it does; preferably one
/// that does not end the game.
fn lost_reply(worker: &Worker<'_>, position: SearchPosition) -> Option<Move> {
    let is_lost =
        worker.rules.immediate_win(position).is_none() && !worker.rules.scan_threats::<false>(position).any_safe();
    let mut replies = Vec::new();
    if is_lost {
        worker.rules.distinct_moves(&position.position(), &mut replies);
    }
    let goes_on = |&&reply: &&Move| matches!(worker.rules.successor(position, reply), Successor::Ongoing(_));
    replies.iter().find(goes_on).or(replies.first()).copied()
}

fn table_move(worker: &Worker<'_>, position: SearchPosition) -> Option<Move> {
    if let Some((mv, _)) = worker.rules.immediate_win(position) {
        return Some(mv);
    }
    let key = worker.key(position);
    let tt_move = worker.tt_move(key, &worker.table.probe(key.word));
    tt_move.or_else(|| worker.proof_move(position))
}
