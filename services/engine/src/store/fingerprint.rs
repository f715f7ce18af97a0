//! Fingerprints of rules: identify the rules that an answer was found under.
//!
//! An answer outlives the library that found it, and must not be given under other rules. The file's SHA-256
//! would be safe but useless: every rebuild would lose all answers. The version alone changes only when its
//! author remembers. So the scope of stored answers is the game's id, the version, and a fingerprint of what
//! the rules **do**: for each variant a few games are played by a fixed recipe, and everything the rule set
//! returns is digested: the bytes and the text of each position (stored answers are found by bytes), the seat
//! to move, the moves, the canonical position, the result.
//!
//! A library rebuilt with another compiler or a faster search has the same fingerprint. A library with
//! another rule, notation, seat, encoding of positions or choice of the canonical position has another one,
//! and begins with an empty store. A change that shows in none of these games needs a new version.

use std::ops::ControlFlow;
use std::sync::Arc;

use pentad_host::{CallError, Position, Ruleset};
use pentad_model::rng::Rng;
use sha2::{Digest, Sha256};

use crate::error::EngineError;
use crate::resolve::position_key::truncated;
use crate::rules::job::{AboutPosition, CallContext};
use crate::store::answer_store::StoreScope;

/// Games played for each variant.
const GAMES: u64 = 3;
/// Plies of one game, at most.
const PLIES: usize = 32;
/// Moves that are listed in each position: some have hundreds of thousands.
const MOVES: usize = 1000;

/// Input of a call that needs no position.
pub(crate) struct AboutRules;

impl AboutPosition for AboutRules {
    fn position(&self) -> String {
        "start".to_owned()
    }
}

/// Returns the scope of each variant, in their order.
pub(crate) fn scopes(context: &CallContext<'_>, _: &AboutRules) -> Result<Vec<Arc<StoreScope>>, EngineError> {
    let rules = &context.game.ruleset;
    scopes_of(rules).map_err(|error| EngineError::from_call(&rules.info().id, error))
}

/// Returns the scope of each variant of a rule set, in their order.
pub(crate) fn scopes_of(rules: &Ruleset) -> Result<Vec<Arc<StoreScope>>, CallError> {
    let info = rules.info();
    let scope = |variant: usize| {
        let fingerprint = fingerprint(rules, variant)?;
        Ok(Arc::new(StoreScope {
            game: info.id.clone(),
            version: info.version.clone(),
            fingerprint,
            variant: rules.variants()[variant].id.clone(),
        }))
    };
    (0..rules.variants().len()).map(scope).collect()
}

fn fingerprint(rules: &Ruleset, variant: usize) -> Result<String, CallError> {
    let mut hasher = Sha256::new_with_prefix(b"pentad rules 1\0");
    let about = &rules.variants()[variant];
    hasher.update((about.position_size as u64).to_le_bytes());
    hasher.update((about.n_symmetries as u64).to_le_bytes());
    for seat in &about.seats {
        digest_text(&mut hasher, &seat.id);
        hasher.update(seat.side.to_le_bytes());
    }
    for game in 0..GAMES {
        let mut rng = Rng::new(game + 1);
        let mut position = rules.start(variant)?;
        for _ in 0..PLIES {
            let moves = digest_position(&mut hasher, rules, variant, &position)?;
            let Some(mv) = moves.get(rng.below(moves.len())) else { break };
            position = rules.play_known(variant, &position, mv)?;
        }
    }
    Ok(truncated(hasher).to_string())
}

/// Digests what the rules say about a position, and returns the first of its moves.
fn digest_position(
    hasher: &mut Sha256,
    rules: &Ruleset,
    variant: usize,
    position: &Position,
) -> Result<Vec<String>, CallError> {
    hasher.update(position.as_bytes());
    hasher.update(rules.canonical(variant, position)?.0.as_bytes());
    digest_text(hasher, &rules.format(variant, position)?);
    hasher.update((rules.to_move(variant, position)? as u64).to_le_bytes());
    for score in rules.scores(variant, position)?.iter().flat_map(|scores| scores.as_slice()) {
        hasher.update(score.to_le_bytes());
    }
    let mut moves = Vec::new();
    let _complete = rules.legal_moves(variant, position, "", &mut |mv| {
        moves.push(mv.to_owned());
        if moves.len() < MOVES { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    moves.iter().for_each(|mv| digest_text(hasher, mv));
    Ok(moves)
}

/// Digests a text with its length, so that two texts are not taken for one.
fn digest_text(hasher: &mut Sha256, text: &str) {
    hasher.update((text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
}
