//! Words for some moves of a position.

use crate::error::EngineError;
use crate::present::move_words::MoveWords;
use crate::question::PositionSpec;
use crate::resolve::ResolvedPosition;
use crate::rules::job::{AboutPosition, CallContext};

/// Moves to say, legal in a position or in one that is reached from it.
pub(crate) struct SpokenMoves {
    pub(crate) spec: PositionSpec,
    pub(crate) moves: Vec<String>,
}

impl AboutPosition for SpokenMoves {
    fn position(&self) -> String {
        self.spec.position()
    }
}

/// Looks up the words.
pub(crate) fn say(context: &CallContext<'_>, question: &SpokenMoves) -> Result<MoveWords, EngineError> {
    let CallContext { game, variant, .. } = *context;
    let ResolvedPosition { position, .. } = ResolvedPosition::resolve(context, &question.spec)?;
    let words = MoveWords::find(&game.ruleset, variant, &position, question.moves.iter().map(String::as_str));
    words.map_err(|error| EngineError::from_call(&game.id, error))
}
