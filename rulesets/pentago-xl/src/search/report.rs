//! The moves at the root, ranked, and the report made of them.

use pentad_sdk::search::estimated;
use pentad_sdk::{Certainty, Evaluation, Line, Report, Scores, Source, StopReason, Wdl};

use crate::moves::Move;
use crate::position::Position;
use crate::search::decide::{SAME, State, Values};
use crate::search::habits::NO_HABITS;
use crate::search::planter::Planter;
use crate::search::tree::{Tree, UNKNOWN};

/// The part of the root's value that an unvisited move is taken to lack.
const DOUBT: f32 = 0.4;
/// How far the value of a move visited once is trusted less than that of one
/// visited often.
const UNSURE: f32 = 0.5;
/// Lines are no longer than this.
const LINE_MAX: usize = 32;

/// A root move as it is ranked.
#[derive(Clone, Copy)]
struct Ranked {
    node: usize,
    state: State,
    /// Of an open move drawn towards less than the root's, the more the fewer
    /// visits it has.
    values: Values,
    /// 1 for what cannot be bettered, -1 for a certain loss.
    class: i8,
}

impl Planter<'_> {
    /// Whether the lines asked for are proven and nothing can be better.
    pub(crate) fn is_answered(&self, n_lines: usize) -> bool {
        let children = &self.tree.nodes[self.tree.children(Tree::ROOT)];
        let seat = self.root.side as usize;
        let is_best = |values: &Values| self.rules.is_best_possible(self.root, seat, values);
        let n_best = children.iter().filter(|child| child.state == State::Proven && is_best(&child.values)).count();
        n_best >= n_lines.min(children.len()) || children.iter().all(|child| child.state == State::Proven)
    }

    /// Whether nothing is left to visit.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.tree.nodes[self.tree.children(Tree::ROOT)].iter().all(|child| child.state != State::Open)
    }

    pub(crate) fn report(&self, n_lines: usize, stop: Option<StopReason>) -> Report<Move> {
        let ranked = self.ranked();
        let lines: Vec<Line<Move>> = ranked.iter().take(n_lines).map(|ranked| self.line(ranked)).collect();
        let depth = lines[0].evaluation.depth;
        let root = &self.tree.nodes[Tree::ROOT];
        let evaluation = if root.state == State::Proven {
            let plies = match root.plies {
                UNKNOWN => None,
                plies => Some(plies.into()),
            };
            self.evaluation(State::Proven, &root.values, plies.or(self.loss_in_two()), depth)
        } else {
            self.evaluation(State::Open, &ranked[0].values, None, depth)
        };
        Report { lines, evaluation, depth, nodes: self.watch.nodes(), stop }
    }

    /// Two plies, if every move loses to the next one.
    fn loss_in_two(&self) -> Option<u32> {
        let children = &self.tree.nodes[self.tree.children(Tree::ROOT)];
        let seat = self.root.side as usize;
        let is_loss = |values: &Values| values[seat] == 0.0;
        let all = children.iter().all(|child| child.plies <= 1 && is_loss(&child.values));
        (self.rules.is_decisive(self.root) && all).then_some(2)
    }

    /// Proven wins, then by value, where few visits count against a move;
    /// proven losses come last.
    fn ranked(&self) -> Vec<Ranked> {
        let seat = self.root.side as usize;
        let root = &self.tree.nodes[Tree::ROOT];
        let children = self.tree.children(Tree::ROOT);
        let visits_max = self.tree.nodes[children.clone()].iter().map(|child| child.visits).max().unwrap_or(0);
        let mut ranked: Vec<Ranked> = children
            .map(|node| {
                let child = &self.tree.nodes[node];
                let proven = child.state == State::Proven;
                let best = proven && self.rules.is_best_possible(self.root, seat, &child.values);
                let worst = proven && child.values[seat] <= 0.0;
                let values = if child.state == State::Open { self.doubted(node, visits_max) } else { child.values };
                Ranked { node, state: child.state, values, class: i8::from(best) - i8::from(worst) }
            })
            .collect();
        // Of certain wins the nearest, of certain losses the farthest; of
        // equals the one that looked better from the start.
        let distance = |ranked: &Ranked| match (ranked.class, self.tree.nodes[ranked.node].plies) {
            (1, plies) => i32::from(plies),
            (-1, plies) => -i32::from(plies),
            _ => 0,
        };
        debug_assert!(root.is_complete, "all moves asked about are children of the root");
        ranked.sort_by(|a, b| {
            let by_value = b.values[seat].total_cmp(&a.values[seat]);
            b.class.cmp(&a.class).then(distance(a).cmp(&distance(b))).then(by_value)
        });
        ranked
    }

    fn doubted(&self, node: usize, visits_max: u32) -> Values {
        let (child, root) = (&self.tree.nodes[node], &self.tree.nodes[Tree::ROOT]);
        let visits = child.visits as f32;
        let trust = visits / (visits + 1.0 + visits_max as f32 / 8.0);
        let seat = self.root.side as usize;
        let contest = self.rules.contest;
        let side = contest.side_of(seat);
        let is_own = |other: usize| contest.side_of(other) == side;
        // What the mover is doubted goes to the others, to each by the room
        // that is left for it, so that the scores add up as before.
        let seats = 0..contest.n_seats();
        let taken: f32 = seats.clone().filter(|&other| is_own(other)).map(|other| DOUBT * root.values[other]).sum();
        let room: f32 = seats.clone().filter(|&other| !is_own(other)).map(|other| 1.0 - root.values[other]).sum();
        let mut values = child.values;
        for other in seats {
            let base = root.values[other];
            let doubted =
                if is_own(other) { base * (1.0 - DOUBT) } else { base + taken * (1.0 - base) / room.max(SAME) };
            values[other] = trust * values[other] + (1.0 - trust) * doubted;
        }
        values
    }

    fn line(&self, ranked: &Ranked) -> Line<Move> {
        let child = &self.tree.nodes[ranked.node];
        let plies = (child.state == State::Proven && child.plies <= 2).then(|| u32::from(child.plies) + 1);
        let moves = self.expected_play(ranked.node);
        let depth = if child.visits > 0 || child.state != State::Open { moves.len() as u32 } else { 0 };
        Line { evaluation: self.evaluation(ranked.state, &ranked.values, plies, depth), moves }
    }

    /// A move and what is expected to follow it.
    fn expected_play(&self, node: usize) -> Vec<Move> {
        let mut node = node;
        let mut moves = vec![self.tree.nodes[node].mv];
        let mut position = self.rules.play_unchecked(self.root, moves[0]);
        while moves.len() < LINE_MAX && !self.tree.nodes[node].over {
            let Some(child) = self.favourite(node, position.side as usize) else {
                self.finish_line(node, &position, &mut moves);
                break;
            };
            node = child;
            moves.push(self.tree.nodes[node].mv);
            position = self.rules.play_unchecked(&position, self.tree.nodes[node].mv);
        }
        moves
    }

    /// The child that play is expected to follow: of a proven node one of its
    /// value, else the one visited most, or certain and better. Where visits
    /// went by habit they say little, and the better one counts.
    fn favourite(&self, node: usize, seat: usize) -> Option<usize> {
        let here = &self.tree.nodes[node];
        let children = self.tree.children(node);
        if here.state == State::Proven {
            let same = |&child: &usize| {
                self.tree.nodes[child].state == State::Proven && self.tree.nodes[child].values == here.values
            };
            return children.filter(same).min_by_key(|&child| self.tree.nodes[child].plies);
        }
        let visited = children.clone().filter(|&child| self.tree.nodes[child].visits > 0);
        let mine = |child: usize| self.tree.nodes[child].values[seat];
        let most = if here.habits == NO_HABITS {
            visited.max_by_key(|&child| (self.tree.nodes[child].visits, usize::MAX - child))?
        } else {
            let sure = |child: usize| mine(child) - UNSURE / (self.tree.nodes[child].visits as f32).sqrt();
            visited.max_by(|&a, &b| sure(a).total_cmp(&sure(b)).then(b.cmp(&a)))?
        };
        let refuge = children
            .filter(|&child| self.tree.nodes[child].state != State::Open)
            .max_by(|&a, &b| mine(a).total_cmp(&mine(b)));
        Some(refuge.filter(|&refuge| mine(refuge) > mine(most)).unwrap_or(most))
    }

    /// Plays out what was proven without children: a five at hand, or any move
    /// and the five after it.
    fn finish_line(&self, node: usize, position: &Position, moves: &mut Vec<Move>) {
        let plies = self.tree.nodes[node].plies;
        let mut position = *position;
        if plies == 2 && self.tree.nodes[node].state == State::Proven {
            let scan = self.rules.scan(&position);
            let goes_on = crate::board::Turn::all().find(|turn| !scan.ending[turn.index()]);
            let (Some(turn), Some(cell)) = (goes_on, position.empty().first()) else { return };
            let mv = Move::place_and_turn(cell, turn);
            moves.push(mv);
            position = self.rules.play_unchecked(&position, mv);
        }
        if (1..=2).contains(&plies) {
            moves.extend(self.rules.win_in_one(&position));
        }
    }

    /// Values in the words of a report.
    fn evaluation(&self, state: State, values: &Values, plies: Option<u32>, depth: u32) -> Evaluation {
        let proven = state == State::Proven;
        let n_seats = self.rules.contest.n_seats();
        // Final scores are twelfths; estimates keep away from 0 and 1.
        let score = |value: f32| {
            let value = f64::from(value);
            if proven { (12.0 * value).round() / 12.0 } else { estimated(value) }
        };
        let scores = Scores::new(&values.map(score)[..n_seats]);
        let two_sided = self.rules.contest.is_two_sided();
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
