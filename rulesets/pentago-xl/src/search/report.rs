//! The report: ranked root moves with their principal variations.

use pentad_sdk::estimated;
use pentad_sdk::{Certainty, Evaluation, Line, Report, Scores, Source, StopReason, Wdl};

use crate::moves::Move;
use crate::position::Position;
use crate::search::opponent_model::NO_GREEDY_REPLIES;
use crate::search::proof::{EPSILON, SeatValues, State};
use crate::search::tree::{Node, Tree, UNKNOWN};
use crate::search::tree_search::TreeSearch;

/// Share of the root's value that an unvisited move is assumed to lose.
const UNVISITED_DISCOUNT: f32 = 0.4;
/// The lower confidence bound of a mean over `n` visits is `LCB_WEIGHT / sqrt(n)`
/// below it.
const LCB_WEIGHT: f32 = 0.5;
/// Maximum length of a principal variation.
const PV_MAX: usize = 32;

/// A root move with its ranking keys.
#[derive(Clone, Copy)]
struct RankedMove {
    node: usize,
    state: State,
    /// Means over all visits, or exact values.
    values: SeatValues,
    /// Value for the mover, shrunk if it is a mean.
    score: f32,
    /// 1 for a proven best possible result, -1 for a proven loss, else 0.
    proof_rank: i8,
}

impl TreeSearch<'_> {
    /// Returns whether the requested lines are proven and no other move can be better.
    pub(crate) fn is_solved(&self, n_lines: usize) -> bool {
        let children = &self.tree.nodes[self.tree.children(Tree::ROOT)];
        let seat = self.root.side as usize;
        let is_best = |values: &SeatValues| self.rules.is_best_possible(self.root, seat, values);
        let n_best = children.iter().filter(|child| child.state == State::Proven && is_best(&child.values)).count();
        n_best >= n_lines.min(children.len()) || self.is_exact()
    }

    /// Returns whether every root move is solved.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.tree.nodes[self.tree.children(Tree::ROOT)].iter().all(|child| child.state != State::Open)
    }

    /// Returns the current report with at most `n_lines` lines.
    pub(crate) fn report(&self, n_lines: usize, stop: Option<StopReason>) -> Report<Move> {
        let ranked = self.ranked_root_moves(n_lines);
        let lines: Vec<Line<Move>> = ranked.iter().map(|ranked| self.line(ranked)).collect();
        let depth = lines[0].evaluation.depth;
        let root = &self.tree.nodes[Tree::ROOT];
        let evaluation = if root.state == State::Proven {
            let plies = match root.plies_to_end {
                UNKNOWN => None,
                plies => Some(plies.into()),
            };
            self.evaluation(State::Proven, &root.values, plies.or(self.loss_in_two()), depth)
        } else if self.is_exact() {
            lines[0].evaluation
        } else {
            self.evaluation(State::Open, &ranked[0].values, None, depth)
        };
        Report { lines, evaluation, depth, nodes: self.limiter.nodes(), stop }
    }

    /// Returns whether every root move is proven. The first line's scores are exact
    /// then, even if the mover is indifferent between moves that differ for others:
    /// the report chooses one of them.
    fn is_exact(&self) -> bool {
        self.tree.nodes[self.tree.children(Tree::ROOT)].iter().all(|child| child.state == State::Proven)
    }

    /// Returns two plies if every move loses to the next one.
    fn loss_in_two(&self) -> Option<u32> {
        let children = &self.tree.nodes[self.tree.children(Tree::ROOT)];
        let seat = self.root.side as usize;
        let is_loss = |values: &SeatValues| values[seat] == 0.0;
        let all = children.iter().all(|child| child.plies_to_end <= 1 && is_loss(&child.values));
        (self.rules.is_decisive(self.root) && all).then_some(2)
    }

    /// Ranks proven wins first and proven losses last, the others by value, lowered
    /// for moves with few visits. The first `n_lines` have enough visits to be compared
    /// by their plain values.
    fn ranked_root_moves(&self, n_lines: usize) -> Vec<RankedMove> {
        let seat = self.root.side as usize;
        let root = &self.tree.nodes[Tree::ROOT];
        let children = self.tree.children(Tree::ROOT);
        let visits_max = self.tree.nodes[children.clone()].iter().map(|child| child.visits).max().unwrap_or(0);
        let mut ranked: Vec<RankedMove> = children
            .map(|node| {
                let child = &self.tree.nodes[node];
                let proven = child.state == State::Proven;
                let best = proven && self.rules.is_best_possible(self.root, seat, &child.values);
                let worst = proven && child.values[seat] <= 0.0;
                let is_unvisited = child.state == State::Open && child.visits == 0;
                RankedMove {
                    node,
                    state: child.state,
                    values: if is_unvisited { self.unvisited_values() } else { child.values },
                    score: self.ranking_score(node, visits_max),
                    proof_rank: i8::from(best) - i8::from(worst),
                }
            })
            .collect();
        // The nearest proven win and the farthest proven loss first; ties keep the
        // order of the priors.
        let distance = |ranked: &RankedMove| match (ranked.proof_rank, self.tree.nodes[ranked.node].plies_to_end) {
            (1, plies) => i32::from(plies),
            (-1, plies) => -i32::from(plies),
            _ => 0,
        };
        debug_assert!(root.is_complete, "all moves requested are children of the root");
        let by_proof =
            |a: &RankedMove, b: &RankedMove| b.proof_rank.cmp(&a.proof_rank).then(distance(a).cmp(&distance(b)));
        ranked.sort_by(|a, b| by_proof(a, b).then(b.score.total_cmp(&a.score)));
        ranked.truncate(n_lines);
        ranked.sort_by(|a, b| by_proof(a, b).then(b.values[seat].total_cmp(&a.values[seat])));
        ranked
    }

    /// Returns the value of a root move for the mover: exact, or the mean shrunk
    /// towards the value of an unvisited move, the more the fewer visits it has.
    pub(crate) fn ranking_score(&self, node: usize, visits_max: u32) -> f32 {
        let child = &self.tree.nodes[node];
        let seat = self.root.side as usize;
        if child.state != State::Open {
            return child.values[seat];
        }
        let visits = child.visits as f32;
        let trust = visits / (visits + 1.0 + visits_max as f32 / 8.0);
        let unvisited = self.tree.nodes[Tree::ROOT].values[seat] * (1.0 - UNVISITED_DISCOUNT);
        trust * child.values[seat] + (1.0 - trust) * unvisited
    }

    /// Returns the assumed values of an unvisited root move. What the mover's side
    /// loses goes to the others in proportion to their distance from 1, so that the sum
    /// stays the same.
    fn unvisited_values(&self) -> SeatValues {
        let variant = self.rules.variant;
        let side = variant.side_of(self.root.side as usize);
        let is_own = |other: usize| variant.side_of(other) == side;
        let seats = 0..variant.n_seats();
        let mut values = self.tree.nodes[Tree::ROOT].values;
        let taken: f32 = seats.clone().filter(|&seat| is_own(seat)).map(|seat| UNVISITED_DISCOUNT * values[seat]).sum();
        let room: f32 = seats.clone().filter(|&seat| !is_own(seat)).map(|seat| 1.0 - values[seat]).sum();
        for seat in seats {
            let value = &mut values[seat];
            if is_own(seat) {
                *value *= 1.0 - UNVISITED_DISCOUNT;
            } else {
                *value += taken * (1.0 - *value) / room.max(EPSILON);
            }
        }
        values
    }

    fn line(&self, ranked: &RankedMove) -> Line<Move> {
        let child = &self.tree.nodes[ranked.node];
        let plies =
            (child.state == State::Proven && child.plies_to_end <= 2).then(|| u32::from(child.plies_to_end) + 1);
        let moves = self.principal_variation(ranked.node);
        let depth = if child.visits > 0 || child.state != State::Open { moves.len() as u32 } else { 0 };
        Line { evaluation: self.evaluation(ranked.state, &ranked.values, plies, depth), moves }
    }

    /// Returns a root move and the moves expected to follow it.
    fn principal_variation(&self, node: usize) -> Vec<Move> {
        let mut node = node;
        let mut moves = vec![self.tree.nodes[node].mv];
        let mut position = self.rules.play_unchecked(self.root, moves[0]);
        while moves.len() < PV_MAX && !self.tree.nodes[node].is_terminal {
            let Some(child) = self.best_child(node, position.side as usize) else {
                self.extend_proven_line(node, &position, &mut moves);
                break;
            };
            node = child;
            moves.push(self.tree.nodes[node].mv);
            position = self.rules.play_unchecked(&position, self.tree.nodes[node].mv);
        }
        moves
    }

    /// Returns the child that play is expected to follow: of a proven node a child with
    /// its value, else the most visited child, or a solved one that is better. Where
    /// the opponent model spent the visits they mean little, and the lower confidence
    /// bound of the mean decides instead.
    fn best_child(&self, node: usize, seat: usize) -> Option<usize> {
        let parent = &self.tree.nodes[node];
        let children = self.tree.children(node);
        if parent.state == State::Proven {
            let same = |&child: &usize| {
                self.tree.nodes[child].state == State::Proven && self.tree.nodes[child].values == parent.values
            };
            // A lost player chooses the longer game.
            let is_lost = parent.values[seat] <= 0.0;
            let plies = |child: &usize| i32::from(self.tree.nodes[*child].plies_to_end);
            return children.filter(same).min_by_key(|child| if is_lost { -plies(child) } else { plies(child) });
        }
        let visited = children.clone().filter(|&child| self.tree.nodes[child].visits > 0);
        let mine = |child: usize| self.tree.nodes[child].values[seat];
        let expected = if parent.greedy_replies == NO_GREEDY_REPLIES {
            visited.max_by_key(|&child| (self.tree.nodes[child].visits, usize::MAX - child))?
        } else {
            let lcb = |child: usize| mine(child) - LCB_WEIGHT / (self.tree.nodes[child].visits as f32).sqrt();
            visited.max_by(|&a, &b| lcb(a).total_cmp(&lcb(b)).then(b.cmp(&a)))?
        };
        let best_proven = children
            .filter(|&child| self.tree.nodes[child].state != State::Open)
            .max_by(|&a, &b| mine(a).total_cmp(&mine(b)));
        Some(best_proven.filter(|&best_proven| mine(best_proven) > mine(expected)).unwrap_or(expected))
    }

    /// Extends the line to the end of the game from a node proven without children.
    fn extend_proven_line(&self, node: usize, position: &Position, moves: &mut Vec<Move>) {
        let Node { state, values, .. } = &self.tree.nodes[node];
        let mut position = *position;
        while *state == State::Proven && self.rules.game_result(&position).is_none() {
            let Some(mv) = self.rules.proven_move(&position, values) else { break };
            moves.push(mv);
            position = self.rules.play_unchecked(&position, mv);
        }
    }

    /// Converts values to an evaluation.
    fn evaluation(&self, state: State, values: &SeatValues, plies: Option<u32>, depth: u32) -> Evaluation {
        let proven = state == State::Proven;
        let n_seats = self.rules.variant.n_seats();
        // Final scores are twelfths; estimates keep away from 0 and 1.
        let score = |value: f32| {
            let value = f64::from(value);
            if proven { (12.0 * value).round() / 12.0 } else { estimated(value) }
        };
        let scores = Scores::new(&values.map(score)[..n_seats]);
        let two_sided = self.rules.variant.is_two_sided();
        Evaluation {
            certainty: if proven { Certainty::Proven } else { Certainty::Estimate },
            outcome: (proven && two_sided).then(|| Wdl::of_score(scores[self.root.side as usize])),
            plies_to_end: plies.filter(|_| proven),
            scores,
            source: if depth == 0 && !proven { Source::Static } else { Source::Search },
            depth,
        }
    }
}
