//! Plain UCT with random playouts, which knows only the rules: the baseline that
//! any other search has to beat. It equals the generic search with its plain
//! options, on this game's fast playouts.

use pentad_sdk::rng::Rng;
use pentad_sdk::testing::moves;
use pentago_xl::{Move, PentagoXl, Position};

struct Node {
    /// Moves not tried yet, in random order.
    untried: Vec<Move>,
    children: Vec<(Move, usize)>,
    visits: f64,
    /// Sum of scores by seat.
    sums: [f64; 4],
}

/// Returns the most visited move after `playouts` simulations.
pub(crate) fn choose(game: &PentagoXl, position: &Position, playouts: u32, rng: &mut Rng) -> Move {
    let mut tree = vec![node(game, position, rng)];
    for _ in 0..playouts {
        simulate(game, position, &mut tree, rng);
    }
    let best = tree[0].children.iter().max_by(|a, b| tree[a.1].visits.total_cmp(&tree[b.1].visits));
    best.map(|&(mv, _)| mv).expect("a running game has a move")
}

fn node(game: &PentagoXl, position: &Position, rng: &mut Rng) -> Node {
    let mut untried = moves(game, position);
    for last in (1..untried.len()).rev() {
        untried.swap(last, rng.below(last + 1));
    }
    Node { untried, children: Vec::new(), visits: 0.0, sums: [0.0; 4] }
}

fn simulate(game: &PentagoXl, root: &Position, tree: &mut Vec<Node>, rng: &mut Rng) {
    let mut position = *root;
    let mut path = vec![0];
    let mut at = 0;
    let scores = loop {
        if let Some(result) = game.game_result(&position) {
            break game.scores(&result);
        }
        let seat = position.side() as usize;
        if let Some(mv) = tree[at].untried.pop() {
            position = game.play_unchecked(&position, mv);
            let fresh = node(game, &position, rng);
            tree.push(fresh);
            let child = tree.len() - 1;
            tree[at].children.push((mv, child));
            path.push(child);
            let result = match game.game_result(&position) {
                Some(result) => result,
                None => game.playout(&position, || rng.next_u64()).result,
            };
            break game.scores(&result);
        }
        let log = tree[at].visits.ln();
        let ucb = |child: usize| tree[child].sums[seat] / tree[child].visits + (log / tree[child].visits).sqrt();
        let best = tree[at].children.iter().max_by(|a, b| ucb(a.1).total_cmp(&ucb(b.1))).copied();
        let (mv, child) = best.expect("all moves are tried, and there is one");
        position = game.play_unchecked(&position, mv);
        path.push(child);
        at = child;
    };
    for node in path {
        tree[node].visits += 1.0;
        tree[node].sums.iter_mut().zip(scores.as_slice()).for_each(|(sum, score)| *sum += score);
    }
}
