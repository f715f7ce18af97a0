//! The moves that a question lets a search choose from.

use std::sync::Arc;

use pentad_host::CallError;

use crate::config::EngineConfig;
use crate::error::EngineError;
use crate::field::Field;
use crate::question::HintQuestion;
use crate::resolve::{SearchRoot, check_move_count, refused_move};
use crate::rules::job::CallContext;

/// Moves to choose from, in the canonical orientation. Avoided moves stay a set of their own: a position may
/// have a million others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Considered {
    /// Every legal move.
    #[default]
    All,
    /// These legal moves; sorted, never empty.
    Only(Arc<[String]>),
    /// Every legal move except these; sorted, never empty.
    Except(Arc<[String]>),
}

impl Considered {
    pub(crate) fn is_all(&self) -> bool {
        *self == Considered::All
    }

    /// Whether a legal move is among them.
    pub(crate) fn contains(&self, mv: &str) -> bool {
        let is_listed = |moves: &[String]| moves.binary_search_by(|it| it.as_str().cmp(mv)).is_ok();
        match self {
            Considered::All => true,
            Considered::Only(moves) => is_listed(moves),
            Considered::Except(moves) => !is_listed(moves),
        }
    }

    /// Returns the number of avoided moves.
    pub(crate) fn n_avoided(&self) -> usize {
        if let Considered::Except(moves) = self { moves.len() } else { 0 }
    }

    pub(crate) fn size_bytes(&self) -> usize {
        match self {
            Considered::All => 0,
            Considered::Only(moves) | Considered::Except(moves) => 40 * moves.len(),
        }
    }

    /// Reads the moves that a question allows and avoids. `to_canonical` is the symmetry that leads from the
    /// caller's position to the canonical one.
    pub(crate) fn read(
        context: &CallContext<'_>,
        question: &HintQuestion,
        root: &SearchRoot,
        to_canonical: u32,
    ) -> Result<Self, EngineError> {
        let named = NamedMoves { context, root };
        let mut allowed = named.read(Field::AllowMoves, &question.allow_moves)?;
        let avoided = named.read(Field::AvoidMoves, &question.avoid_moves)?;
        let is_avoided = |mv: &str| avoided.binary_search_by(|it| it.as_str().cmp(mv)).is_ok();
        let has_moves = if allowed.is_empty() {
            avoided.is_empty() || named.any_other(&is_avoided)?
        } else {
            allowed.retain(|mv| !is_avoided(mv));
            !allowed.is_empty()
        };
        if !has_moves {
            return Err(EngineError::bad_argument(Field::AvoidMoves, "no legal move is left to consider"));
        }
        if !allowed.is_empty() {
            return Ok(Considered::Only(named.mapped(to_canonical, &allowed)?));
        }
        match avoided.is_empty() {
            true => Ok(Considered::All),
            false => Ok(Considered::Except(named.mapped(to_canonical, &avoided)?)),
        }
    }
}

/// Reads the moves that a question names.
struct NamedMoves<'a> {
    context: &'a CallContext<'a>,
    root: &'a SearchRoot,
}

impl NamedMoves<'_> {
    /// Returns the moves of a field in canonical notation, sorted, each once.
    fn read(&self, field: Field, moves: &[String]) -> Result<Vec<String>, EngineError> {
        let CallContext { game, variant, config, .. } = *self.context;
        let config: &EngineConfig = config;
        check_move_count(config, field, moves.len())?;
        let mut canonical = Vec::with_capacity(moves.len());
        for (move_idx, mv) in moves.iter().enumerate() {
            self.check_cancelled()?;
            let played = game.ruleset.play(variant, &self.root.position, mv);
            canonical.push(played.map_err(|error| refused_move(game, field, move_idx, mv, error))?.canonical);
        }
        canonical.sort_unstable();
        canonical.dedup();
        Ok(canonical)
    }

    /// Whether there is a legal move that is not avoided. Lists at most one more than are avoided.
    fn any_other(&self, is_avoided: &dyn Fn(&str) -> bool) -> Result<bool, EngineError> {
        let CallContext { game, variant, .. } = *self.context;
        let mut has_other = false;
        let listed = game.ruleset.legal_moves(variant, &self.root.position, "", &mut |mv| {
            has_other |= !is_avoided(mv);
            if has_other { std::ops::ControlFlow::Break(()) } else { self.context.check_cancelled() }
        });
        let _complete = listed.map_err(|error| self.failed(error))?;
        Ok(has_other)
    }

    /// Maps moves to the canonical orientation, sorted again.
    fn mapped(&self, to_canonical: u32, moves: &[String]) -> Result<Arc<[String]>, EngineError> {
        let CallContext { game, variant, .. } = *self.context;
        let mut mapped = Vec::with_capacity(moves.len());
        for mv in moves {
            self.check_cancelled()?;
            let in_canonical = game.ruleset.apply_symmetry_to_move(variant, to_canonical, &self.root.position, mv);
            mapped.push(in_canonical.map_err(|error| self.failed(error))?);
        }
        mapped.sort_unstable();
        mapped.dedup();
        Ok(mapped.into())
    }

    /// Ends a call that nobody waits for any more.
    fn check_cancelled(&self) -> Result<(), EngineError> {
        if self.context.is_cancelled() { Err(EngineError::Deadline) } else { Ok(()) }
    }

    fn failed(&self, error: CallError) -> EngineError {
        EngineError::from_call(&self.context.game.id, error)
    }
}
