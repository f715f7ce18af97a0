//! What a position is.

use pentad_host::CallError;

use crate::answer::Description;
use crate::config::EngineConfig;
use crate::error::EngineError;
use crate::game::Game;
use crate::question::Place;
use crate::situation::Situation;

/// Describes the position at a place.
pub(crate) fn describe(
    game: &Game,
    variant: usize,
    config: &EngineConfig,
    place: &Place,
) -> Result<Description, EngineError> {
    let Situation { position, to_move } = Situation::resolve(game, variant, config, place)?;
    let rules = &game.ruleset;
    let fault = |error| EngineError::from_call(&game.id, error);
    let pieces = match rules.pieces(variant, &position) {
        Err(CallError::Unsupported) => Vec::new(),
        pieces => pieces.map_err(fault)?,
    };
    Ok(Description {
        position: rules.format(variant, &position).map_err(fault)?,
        to_move,
        n_legal_moves: rules.count_moves(variant, &position, "").map_err(fault)?,
        outcome: rules.outcome(variant, &position).map_err(fault)?,
        pieces,
    })
}
