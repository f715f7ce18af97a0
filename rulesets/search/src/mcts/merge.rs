//! The root moves of one or several trees, merged, ranked and reported.

use crate::alternatives::put_lines_first;
use crate::game::Game;
use crate::mcts::tree::{State, Tree, decide, is_clear_win};
use crate::mcts::tree_search::TreeSearch;
use pentad_model::{Certainty, Evaluation, Line, Report, SEATS_MAX, Scores, Source, StopReason, Wdl};

/// How far an unvisited move is taken to be below the root's value.
const UNVISITED_PENALTY: f64 = 0.2;

/// One root move over all trees.
struct MergedMove {
    /// Its index among the children of every root.
    idx: usize,
    state: State,
    /// The mean over all visits, or the exact value.
    value: Scores,
    visits: f64,
    /// Ranking score: the mover's value, shrunk if it is a mean.
    rank: f64,
    over: bool,
    /// The tree that has visited it most, or has proven it.
    tree: usize,
}

/// The combined result of the trees.
pub(crate) struct MergedReport<M> {
    pub(crate) report: Report<M>,
    /// Whether the requested values are proven.
    pub(crate) proven: bool,
    /// Whether nothing is left to visit.
    pub(crate) exhausted: bool,
}

/// Merges the trees and ranks the moves: proven wins first, then by value, lowered for
/// few visits; proven losses last. The lines are the best alternatives.
pub(crate) fn merge_trees<G: Game>(trees: &[TreeSearch<'_, G>], n_lines: usize) -> MergedReport<G::Move> {
    let (game, root) = (trees[0].game, trees[0].root);
    let seat = game.to_move(root);
    let mut moves: Vec<MergedMove> = trees[0].tree.children(0).enumerate().map(|(idx, _)| merge(trees, idx)).collect();
    let decided = decide(game, seat, moves.iter().map(|mv| (mv.state, mv.value.as_slice())));
    let root_value = mean(trees);
    let visits_max = moves.iter().map(|mv| mv.visits).fold(0.0, f64::max);
    for mv in &mut moves {
        if mv.state != State::Open {
            mv.rank = mv.value[seat];
            continue;
        }
        if mv.visits == 0.0 {
            mv.value = unvisited(game, seat, &root_value);
        }
        mv.rank = ranking_score(mv.value[seat], mv.visits, visits_max, root_value[seat]);
    }
    let class = |mv: &MergedMove| {
        let proven = mv.state == State::Proven;
        i8::from(proven && mv.value[seat] >= 1.0) - i8::from(proven && mv.value[seat] <= 0.0)
    };
    moves.sort_by(|a, b| {
        let prior = |mv: &MergedMove| trees[0].tree.nodes[mv.idx + 1].prior;
        class(b).cmp(&class(a)).then(b.rank.total_cmp(&a.rank)).then(prior(b).total_cmp(&prior(a)))
    });
    let n_lines = n_lines.min(moves.len());
    put_lines_first(&mut moves, n_lines, |mv| game.alternative(trees[0].tree.move_to(mv.idx + 1)));
    // The leading moves have enough visits to be compared by their reported values.
    moves[..n_lines].sort_by(|a, b| class(b).cmp(&class(a)).then(b.value[seat].total_cmp(&a.value[seat])));
    let exhausted = moves.iter().all(|mv| mv.state != State::Open);
    let last_wins = is_clear_win(game, seat, moves[n_lines - 1].value.as_slice());
    let proven = moves[..n_lines].iter().all(|mv| mv.state == State::Proven)
        && (last_wins || moves.iter().all(|mv| mv.state == State::Proven));
    let lines: Vec<_> = moves[..n_lines].iter().map(|mv| line(trees, mv, seat)).collect();
    let depth = lines[0].evaluation.depth;
    let evaluation = match decided {
        Some((State::Proven, value)) => {
            // Only a win is certain to be unsurpassed.
            let won = is_clear_win(game, seat, value.as_slice());
            let plies = lines[0].evaluation.plies_to_end.filter(|_| won);
            evaluation(game, seat, &value, State::Proven, plies, depth)
        }
        _ => evaluation(game, seat, &moves[0].value, State::Open, None, depth),
    };
    let nodes = trees.iter().map(|tree| tree.limiter.nodes()).sum();
    MergedReport { report: Report { lines, evaluation, depth, nodes, stop: None::<StopReason> }, proven, exhausted }
}

fn merge<G: Game>(trees: &[TreeSearch<'_, G>], idx: usize) -> MergedMove {
    let value = nothing(trees[0].game);
    let mut merged = MergedMove { idx, state: State::Open, value, visits: 0.0, rank: 0.0, over: false, tree: 0 };
    let mut most = 0;
    for (at, tree_search) in trees.iter().enumerate() {
        let child = tree_search.tree.children(0).start + idx;
        let node = &tree_search.tree.nodes[child];
        let value = tree_search.tree.value(child);
        if node.state != State::Open && merged.state != State::Proven {
            merged.state = node.state;
            merged.value = Scores::new(value);
            (merged.over, merged.tree) = (node.over, at);
        } else if merged.state == State::Open {
            if node.visits > most {
                (merged.tree, most) = (at, node.visits);
            }
            let own = f64::from(node.visits);
            for (sum, value) in merged.value.as_mut_slice().iter_mut().zip(value) {
                *sum = (*sum * merged.visits + value * own) / (merged.visits + own).max(1.0);
            }
        }
        merged.visits += f64::from(node.visits);
    }
    merged
}

/// Returns the mean value of the roots.
fn mean<G: Game>(trees: &[TreeSearch<'_, G>]) -> Scores {
    let mut sum = nothing(trees[0].game);
    for tree_search in trees {
        let share = 1.0 / trees.len() as f64;
        sum.as_mut_slice().iter_mut().zip(tree_search.tree.value(0)).for_each(|(sum, value)| *sum += value * share);
    }
    sum
}

/// Returns the mean value of a root move for the mover, drawn towards a little less
/// than the root's, the more the fewer visits it rests on.
pub(crate) fn ranking_score(mean: f64, visits: f64, visits_max: f64, root: f64) -> f64 {
    let trust = visits / (visits + 1.0 + visits_max / 10.0);
    trust * mean + (1.0 - trust) * (root - UNVISITED_PENALTY)
}

/// Returns a little less than the root's value; the others share the difference.
fn unvisited<G: Game>(game: &G, seat: usize, root: &Scores) -> Scores {
    let side = game.side_of(seat);
    let n_others = (0..game.n_seats()).filter(|&other| game.side_of(other) != side).count().max(1);
    let mut value = *root;
    for (other, score) in value.as_mut_slice().iter_mut().enumerate() {
        *score += if game.side_of(other) == side { -UNVISITED_PENALTY } else { UNVISITED_PENALTY / n_others as f64 };
    }
    value
}

fn line<G: Game>(trees: &[TreeSearch<'_, G>], mv: &MergedMove, seat: usize) -> Line<G::Move> {
    let TreeSearch { game, root, tree, .. } = &trees[mv.tree];
    let mut node = tree.children(0).start + mv.idx;
    let mut position = (*root).clone();
    let mut moves = Vec::new();
    let mut turns = 0;
    loop {
        let next = game.play(&position, tree.move_to(node));
        moves.push(tree.move_to(node).clone());
        turns += u32::from(tree.nodes[node].over || game.ends_turn(&position, &next));
        position = next;
        match favourite(tree, node, game.to_move(&position)) {
            Some(child) => node = child,
            None => break,
        }
    }
    let plies = mv.over.then_some(1);
    let depth = if mv.visits > 0.0 || mv.state == State::Proven { turns } else { 0 };
    Line { moves, evaluation: evaluation(*game, seat, &mv.value, mv.state, plies, depth) }
}

/// Returns the child that play is expected to follow: for a proven node one with its
/// value, otherwise the most visited one, or a solved one that is better.
fn favourite<M: Clone>(tree: &Tree<M>, node: usize, seat: usize) -> Option<usize> {
    let here = &tree.nodes[node];
    if here.over {
        return None;
    }
    if here.state == State::Proven {
        let same = |&child: &usize| tree.nodes[child].state == State::Proven && tree.value(child) == tree.value(node);
        return tree.children(node).find(same);
    }
    let visited = tree.children(node).filter(|&child| tree.nodes[child].visits > 0);
    let most = visited.max_by_key(|&child| (tree.nodes[child].visits, usize::MAX - child));
    let best_solved = Some(here.best_solved as usize).filter(|&best_solved| best_solved != 0);
    match (most, best_solved) {
        (Some(most), Some(best_solved)) if tree.value(best_solved)[seat] > tree.value(most)[seat] => Some(best_solved),
        (most, best_solved) => most.or(best_solved),
    }
}

/// Converts a value for a report.
pub(crate) fn evaluation<G: Game>(
    game: &G,
    seat: usize,
    value: &Scores,
    state: State,
    plies_to_end: Option<u32>,
    depth: u32,
) -> Evaluation {
    let proven = state == State::Proven;
    Evaluation {
        certainty: if proven { Certainty::Proven } else { Certainty::Estimate },
        outcome: (proven && game.n_sides() == 2).then(|| Wdl::of_score(value[seat])),
        plies_to_end: plies_to_end.filter(|_| proven),
        scores: if proven { *value } else { value.estimated() },
        source: if depth == 0 && !proven { Source::Static } else { Source::Search },
        depth,
    }
}

/// Returns scores of 0.
fn nothing<G: Game>(game: &G) -> Scores {
    Scores::new(&[0.0; SEATS_MAX][..game.n_seats()])
}
