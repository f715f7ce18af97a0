//! Description of a position.

use pentad_host::CallError;

use crate::answer::{Description, VariantRef};
use crate::error::EngineError;
use crate::question::PositionSpec;
use crate::resolve::ResolvedPosition;
use crate::rules::job::CallContext;

/// Describes the position of a question.
pub(crate) fn describe(context: &CallContext<'_>, spec: &PositionSpec) -> Result<Description, EngineError> {
    let resolved = ResolvedPosition::resolve(context, spec)?;
    let key = resolved.key(context)?;
    let ResolvedPosition { position, to_move } = resolved;
    let CallContext { game, variant, .. } = *context;
    let rules = &game.ruleset;
    let fault = |error| EngineError::from_call(&game.id, error);
    let pieces = match rules.pieces(variant, &position) {
        Err(CallError::Unsupported) => Vec::new(),
        pieces => pieces.map_err(fault)?,
    };
    Ok(Description {
        position: rules.format(variant, &position).map_err(fault)?,
        key,
        to_move,
        n_legal_moves: rules.count_moves(variant, &position, "").map_err(fault)?,
        outcome: rules.outcome(variant, &position).map_err(fault)?,
        pieces,
        variant: VariantRef::new(rules.clone(), variant),
    })
}
