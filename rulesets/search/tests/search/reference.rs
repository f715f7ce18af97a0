//! Reference algorithms: slow, and correct by inspection.

use std::collections::HashMap;

use pentad_model::{Scores, Wdl};
use pentad_search::Game;

use crate::games::graph::{Graph, Token};

/// Win, draw or loss for the side to move, and plies to the end of a decided
/// game: the winner hurries, the loser delays.
pub(crate) type Value = (Wdl, u32);

/// Evaluates by plain minimax with memoisation, counting turns, for two sides and no
/// cycles.
pub(crate) fn minimax<G: Game>(game: &G, position: &G::Position, memory: &mut HashMap<u64, Value>) -> Value {
    let key = game.key(position);
    if let Some(value) = memory.get(&key) {
        return *value;
    }
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let values = moves.iter().map(|mv| after_move(game, position, mv, memory));
    let best = values.max_by_key(|value| rank(*value)).expect("a game that is not over has moves");
    memory.insert(key, best);
    best
}

/// Returns the value of one move for its mover.
pub(crate) fn after_move<G: Game>(
    game: &G,
    position: &G::Position,
    mv: &G::Move,
    memory: &mut HashMap<u64, Value>,
) -> Value {
    let after = game.play(position, mv);
    let seat = game.to_move(position);
    if let Some(scores) = game.outcome(&after) {
        return (by_score(scores[seat]), 1);
    }
    let (wdl, plies) = minimax(game, &after, memory);
    let same = game.side_of(game.to_move(&after)) == game.side_of(seat);
    let plies = plies + u32::from(game.ends_turn(position, &after));
    (if same { wdl } else { wdl.opposite() }, plies)
}

/// Orders values: higher is better for the side to move.
pub(crate) fn rank((wdl, plies): Value) -> i64 {
    match wdl {
        Wdl::Win => 1_000_000 - i64::from(plies),
        Wdl::Draw => 0,
        Wdl::Loss => i64::from(plies) - 1_000_000,
    }
}

pub(crate) fn by_score(score: f64) -> Wdl {
    if score > 0.5 {
        Wdl::Win
    } else if score < 0.5 {
        Wdl::Loss
    } else {
        Wdl::Draw
    }
}

/// Finds all decided positions of a graph with their distances (retrograde analysis),
/// by passes over all positions until nothing changes. The others are draws.
pub(crate) fn retrograde(game: &Graph) -> HashMap<Token, Value> {
    let mut known: HashMap<Token, Value> = HashMap::new();
    for plies in 1.. {
        let mut decided = Vec::new();
        for token in tokens(game).filter(|token| game.outcome(token).is_none() && !known.contains_key(token)) {
            let mut moves = Vec::new();
            game.moves(&token, &mut moves);
            let values = moves.iter().map(|mv| {
                let after = game.play(&token, mv);
                match game.outcome(&after) {
                    Some(scores) => Some((by_score(scores[token.player]), 1)),
                    None => known.get(&after).map(|(wdl, plies)| (wdl.opposite(), plies + 1)),
                }
            });
            let values: Vec<_> = values.collect();
            let won = values.iter().any(|value| matches!(value, Some((Wdl::Win, _))));
            let lost = values.iter().all(|value| matches!(value, Some((Wdl::Loss, _))));
            if won || lost {
                decided.push((token, (if won { Wdl::Win } else { Wdl::Loss }, plies)));
            }
        }
        if decided.is_empty() {
            return known;
        }
        known.extend(decided);
    }
    unreachable!("some pass finds nothing new")
}

/// Returns every position of a graph.
pub(crate) fn tokens(game: &Graph) -> impl Iterator<Item = Token> + use<> {
    (0..game.n_nodes).flat_map(|node| [0, 1].map(|player| Token { node, player }))
}

/// Returns every score vector that the game may end with if each seat maximises its own
/// score (max^n), over all ties. A proof may claim it only if there is exactly one.
pub(crate) fn max_n<G: Game>(game: &G, position: &G::Position, memory: &mut HashMap<u64, Vec<Scores>>) -> Vec<Scores> {
    if let Some(scores) = game.outcome(position) {
        return vec![scores];
    }
    if let Some(known) = memory.get(&game.key(position)) {
        return known.clone();
    }
    let seat = game.to_move(position);
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let children: Vec<_> = moves.iter().map(|mv| max_n(game, &game.play(position, mv), memory)).collect();
    let worst = |scores: &Vec<Scores>| scores.iter().map(|scores| scores[seat]).fold(f64::INFINITY, f64::min);
    let guaranteed = children.iter().map(worst).fold(f64::NEG_INFINITY, f64::max);
    let mut possible: Vec<Scores> = Vec::new();
    for scores in children.into_iter().flatten().filter(|scores| scores[seat] >= guaranteed) {
        if !possible.contains(&scores) {
            possible.push(scores);
        }
    }
    memory.insert(game.key(position), possible.clone());
    possible
}
