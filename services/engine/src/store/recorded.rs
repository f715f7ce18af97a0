//! Replays a game's texts for the counts of a store.

use std::collections::HashSet;

use pentad_host::{CallError, Played, Position};
use pentad_model::Scores;
use sha2::{Digest, Sha256};

use crate::error::EngineError;
use crate::field::Field;
use crate::question::PositionSpec;
use crate::resolve::position_key::{PositionKey, truncated};
use crate::resolve::{ResolvedPosition, refused_move};
use crate::rules::job::{AboutPosition, CallContext};
use crate::store::game_store::{GameKey, GameStep};

/// Longest id of a game in bytes.
const ID_LEN_MAX: usize = 256;

/// A game that was played to its end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameToRecord {
    /// Position that it began with, and its moves.
    pub spec: PositionSpec,
    /// Score of each seat, by seat id, where the rules do not decide: a game that was resigned or ended on
    /// time. Empty for one that was played to its end.
    pub scores: Vec<(String, f64)>,
    /// Id of the game: games with the same id count once. Without an id, those with the same moves do.
    pub id: String,
}

impl AboutPosition for GameToRecord {
    fn position(&self) -> String {
        self.spec.to_log()
    }
}

/// A game as the rules see it.
pub(crate) struct ReplayedGame {
    pub(crate) key: GameKey,
    pub(crate) position: String,
    pub(crate) moves: Vec<String>,
    pub(crate) scores: Vec<(String, f64)>,
    pub(crate) steps: Vec<GameStep>,
}

/// Replays a game and returns what it counts for.
pub(crate) fn replay(context: &CallContext<'_>, record: &GameToRecord) -> Result<ReplayedGame, EngineError> {
    let CallContext { game, variant, .. } = *context;
    let rules = &game.ruleset;
    let fault = |error| EngineError::from_call(&game.id, error);
    let GameToRecord { spec, id, .. } = record;
    if id.len() > ID_LEN_MAX {
        let message = format!("{} bytes, at most {ID_LEN_MAX} are read", id.len());
        return Err(EngineError::too_large(Field::GameId, message));
    }
    let start = ResolvedPosition::before_moves(context, spec)?;
    let mut positions: Vec<Position> = vec![start.clone()];
    let mut moves = Vec::with_capacity(spec.moves.len());
    for (move_idx, mv) in spec.moves.iter().enumerate() {
        let before = positions.last().expect("the first is there");
        let refused = |error: CallError| refused_move(game, Field::Moves, move_idx, mv, error);
        let Played { position, canonical } = rules.play(variant, before, mv).map_err(refused)?;
        moves.push(canonical);
        positions.push(position);
    }
    let end = positions.last().expect("the first is there");
    let ruled = rules.scores(variant, end).map_err(fault)?;
    let scores = final_scores(context, record, ruled)?;
    let mut steps = Vec::with_capacity(moves.len());
    let mut counted = HashSet::new();
    let mut before = None;
    for position in &positions {
        let (canonical, symmetry) = rules.canonical(variant, position).map_err(fault)?;
        let after = PositionKey::new(rules, variant, &canonical);
        if let Some(before) = before.replace(after)
            // A step that occurs twice in a game counts once.
            && counted.insert((before, after))
        {
            let scores = rules.apply_symmetry_to_scores(variant, symmetry, &scores).map_err(fault)?;
            steps.push(GameStep { before, after, scores });
        }
    }
    let position = rules.format(variant, &start).map_err(fault)?;
    let seats = rules.variants()[variant].seats.iter();
    let by_seat = seats.zip(scores.as_slice()).map(|(seat, &score)| (seat.id.clone(), score)).collect();
    Ok(ReplayedGame { key: key(id, &position, &moves), position, moves, scores: by_seat, steps })
}

/// Returns the score of each seat: by the rules, or else by the record.
fn final_scores(
    context: &CallContext<'_>,
    record: &GameToRecord,
    ruled: Option<Scores>,
) -> Result<Scores, EngineError> {
    let bad = |message: String| Err(EngineError::bad_argument(Field::Scores, message));
    let seats = &context.game.ruleset.variants()[context.variant].seats;
    let given = &record.scores;
    if given.is_empty() {
        return match ruled {
            Some(scores) => Ok(scores),
            None => bad(format!(
                "needed, because the game goes on after its {} moves: what each seat got",
                record.spec.moves.len()
            )),
        };
    }
    let mut scores = Scores::even(seats.len());
    for (idx, seat) in seats.iter().enumerate() {
        match given.iter().find(|(id, _)| *id == seat.id) {
            Some((_, score)) if (0.0..=1.0).contains(score) => scores.as_mut_slice()[idx] = *score,
            Some((_, score)) => return bad(format!("{score} for seat `{}` is not between 0 and 1", seat.id)),
            None => return bad(format!("seat `{}` is missing", seat.id)),
        }
    }
    if let Some((id, _)) = given.iter().find(|(id, _)| seats.iter().all(|seat| seat.id != *id)) {
        return bad(format!("there is no seat `{id}`"));
    }
    match ruled {
        Some(ruled) if ruled.as_slice().iter().zip(scores.as_slice()).any(|(a, b)| (a - b).abs() > 1e-6) => {
            bad(format!("{:?} is not how the game ended: {:?}", scores, ruled))
        }
        Some(ruled) => Ok(ruled),
        None => Ok(scores),
    }
}

fn key(id: &str, position: &str, moves: &[String]) -> GameKey {
    let mut hasher = Sha256::new_with_prefix(b"pentad game 1\0");
    if id.is_empty() {
        hasher.update(b"moves\0");
        for text in std::iter::once(position).chain(moves.iter().map(String::as_str)) {
            hasher.update((text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
    } else {
        hasher.update(b"id\0");
        hasher.update(id.as_bytes());
    }
    GameKey(truncated(hasher).0)
}
