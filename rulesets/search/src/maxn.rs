//! Max^n: every seat takes what is best for itself, all moves, to a fixed depth.
//!
//! Exhaustive and without a table, so for shallow depths and small endings; the
//! obvious counterpart of the Monte-Carlo search, with the same meaning of
//! "proven". Deepens ply by ply until the limits trip or nothing is left open.
//! One thread, whatever the request says.

use crate::game::Game;
use crate::mcts::lines::evaluation;
use crate::mcts::tree::{State, decide, is_clear_win};
use crate::report::{Control, Line, Report, Request, Scores, StopReason};
use crate::root::{finished, root_moves};
use crate::watch::Watch;

const DEPTH_MAX: u32 = 250;
const STEPS_MAX: usize = 400;

/// The value of a position and the play that leads to it.
#[derive(Clone, Debug)]
struct Valued<M> {
    state: State,
    scores: Scores,
    over: bool,
    /// Turns looked ahead.
    depth: u32,
    /// Back to front.
    line: Vec<M>,
}

struct MaxN<'a, G: Game> {
    game: &'a G,
    watch: Watch<'a, G::Move>,
    can_cycle: bool,
    path: Vec<u64>,
}

/// Runs a search.
pub(crate) fn run<G: Game>(
    game: &G,
    position: &G::Position,
    request: &Request<G::Move>,
    control: &dyn Control<G::Move>,
) -> Report<G::Move> {
    let begin = control.now();
    let root = root_moves(game, position, request);
    if game.outcome(position).is_some() || root.is_empty() {
        return finished(game, position);
    }
    let deadline = request.limits.deadline(begin);
    let mut search = MaxN {
        game,
        watch: Watch::new(control, deadline),
        can_cycle: game.can_cycle(),
        path: vec![game.key(position)],
    };
    search.watch.allow(request.limits.nodes.unwrap_or(u64::MAX));
    let guess = |mv| (0, search.guess(position, vec![mv]));
    let mut moves: Vec<_> = root.into_iter().map(guess).collect();
    let mut depth = 0;
    let depth_max = request.limits.depth.unwrap_or(DEPTH_MAX).min(DEPTH_MAX);
    let stop = loop {
        if moves.iter().all(|(_, valued)| valued.state == State::Proven) {
            break StopReason::Proven;
        }
        if depth == depth_max || moves.iter().all(|(_, valued)| valued.state != State::Open) {
            break StopReason::Depth;
        }
        if let Some(reason) = search.iterate(position, depth + 1, &mut moves) {
            break reason;
        }
        depth += 1;
        control.report(&search.report(position, &moves, request.n_lines, depth, None));
    };
    search.report(position, &moves, request.n_lines, depth, Some(stop))
}

impl<G: Game> MaxN<'_, G> {
    /// Values every root move one ply deeper and ranks them. A move keeps its
    /// last value where the search was stopped before it.
    fn iterate(&mut self, root: &G::Position, depth: u32, moves: &mut [(i8, Valued<G::Move>)]) -> Option<StopReason> {
        let seat = self.game.to_move(root);
        for (class, valued) in moves.iter_mut() {
            let mv = valued.line.last().expect("a line begins with its move").clone();
            let found = self.after(root, &mv, depth);
            if self.watch.stopped() {
                break;
            }
            let proven = found.state == State::Proven;
            *class = i8::from(proven && found.scores[seat] >= 1.0) - i8::from(proven && found.scores[seat] <= 0.0);
            *valued = found;
        }
        moves
            .sort_by(|(a_class, a), (b_class, b)| b_class.cmp(a_class).then(b.scores[seat].total_cmp(&a.scores[seat])));
        self.watch.stop()
    }

    /// The value of playing a move.
    fn after(&mut self, before: &G::Position, mv: &G::Move, depth: u32) -> Valued<G::Move> {
        self.watch.visit();
        let position = self.game.play(before, mv);
        if let Some(scores) = self.game.outcome(&position) {
            return Valued { state: State::Proven, scores, over: true, depth: 1, line: vec![mv.clone()] };
        }
        let turn = u32::from(self.game.ends_turn(before, &position));
        let mut valued = self.value(&position, depth - turn);
        valued.depth += turn;
        valued.over = false;
        valued.line.push(mv.clone());
        valued
    }

    fn value(&mut self, position: &G::Position, depth: u32) -> Valued<G::Move> {
        let key = self.game.key(position);
        let repeated = self.can_cycle && self.path.contains(&key);
        if depth == 0 || repeated || self.path.len() > STEPS_MAX || self.watch.stopped() {
            return self.guess(position, Vec::new());
        }
        let seat = self.game.to_move(position);
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        self.path.push(key);
        let mut children: Vec<Valued<G::Move>> = Vec::with_capacity(moves.len());
        for mv in &moves {
            let child = self.after(position, mv, depth);
            let won = child.state == State::Proven && is_clear_win(self.game, seat, child.scores.as_slice());
            children.push(child);
            if won || self.watch.stopped() {
                break;
            }
        }
        self.path.pop();
        let decided = decide(self.game, seat, children.iter().map(|child| (child.state, child.scores.as_slice())));
        // Of equals the first, whose line is then the one shown.
        let best = children.into_iter().reduce(|a, b| if b.scores[seat] > a.scores[seat] { b } else { a });
        let Some(mut best) = best else { return self.guess(position, Vec::new()) };
        (best.state, best.scores) = decided.unwrap_or((State::Open, best.scores));
        best
    }

    /// The estimate of a position as it stands.
    fn guess(&self, position: &G::Position, line: Vec<G::Move>) -> Valued<G::Move> {
        let scores = self.game.evaluate_seats(position).estimated();
        Valued { state: State::Open, scores, over: false, depth: 0, line }
    }

    fn report(
        &self,
        root: &G::Position,
        moves: &[(i8, Valued<G::Move>)],
        n_lines: usize,
        depth: u32,
        stop: Option<StopReason>,
    ) -> Report<G::Move> {
        let seat = self.game.to_move(root);
        let line = |(_, valued): &(i8, Valued<G::Move>)| Line {
            moves: valued.line.iter().rev().cloned().collect(),
            evaluation: {
                let plies = valued.over.then_some(1);
                evaluation(self.game, seat, &valued.scores, valued.state, plies, valued.depth)
            },
        };
        let lines: Vec<_> = moves.iter().take(n_lines.max(1)).map(line).collect();
        let decided = decide(self.game, seat, moves.iter().map(|(_, valued)| (valued.state, valued.scores.as_slice())));
        let won = is_clear_win(self.game, seat, moves[0].1.scores.as_slice());
        let (state, scores) = match decided {
            Some((state, scores)) => (state, scores),
            _ => (State::Open, moves[0].1.scores),
        };
        let plies = lines[0].evaluation.plies_to_end.filter(|_| won);
        let evaluation = evaluation(self.game, seat, &scores, state, plies, depth);
        Report { lines, evaluation, depth, nodes: self.watch.nodes(), stop }
    }
}
