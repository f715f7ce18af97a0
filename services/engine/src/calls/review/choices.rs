//! The choices that a player had.
//!
//! The loss of a random mover is the mean over the different moves of a position. Where there are many, a
//! sample stands for them; the same one each time.

use std::collections::HashSet;

use pentad_host::{CallError, Position};
use pentad_model::rng::Rng;

use crate::error::EngineError;
use crate::question::PositionSpec;
use crate::resolve::considered::Considered;
use crate::resolve::{ResolvedPosition, digest};
use crate::rules::job::{AboutPosition, CallContext};
use crate::search::root_moves::{GROUPED_MOVES_MAX, RootMoves};

/// Most moves of a sample.
const SAMPLE_LEN: usize = 16;

/// The different moves of a position.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choices {
    /// Number of different moves; where there are too many to compare, number of all moves.
    pub(crate) count: usize,
    /// Some of them, or all; no two are equivalent.
    pub(crate) sample: Vec<String>,
}

/// Choices, or the work left if that takes long.
pub(crate) enum ChoiceList {
    Found(Choices),
    Long(LongChoices),
}

/// A position with very many moves.
pub(crate) struct LongChoices {
    text: String,
    position: Position,
    count: usize,
}

impl AboutPosition for LongChoices {
    fn position(&self) -> String {
        self.text.clone()
    }
}

/// Returns the choices in the position of a question, unless listing them takes long.
pub(crate) fn choices(context: &CallContext<'_>, spec: &PositionSpec) -> Result<ChoiceList, EngineError> {
    let CallContext { game, variant, .. } = *context;
    let ResolvedPosition { position, .. } = ResolvedPosition::resolve(context, spec)?;
    let root = RootMoves::find(&game.ruleset, variant, &position, &Considered::All, &|| context.is_cancelled())
        .map_err(|error| EngineError::from_call(&game.id, error))?;
    if let RootMoves::Any { count } = root {
        return Ok(ChoiceList::Long(LongChoices { text: spec.to_log(), position, count }));
    }
    let mut reservoir = Reservoir::new(&position);
    root.representatives().for_each(|mv| reservoir.offer(mv));
    Ok(ChoiceList::Found(Choices { count: root.len(), sample: reservoir.sample }))
}

/// Like [`choices`], for a list that takes long.
pub(crate) fn long_choices(context: &CallContext<'_>, list: &LongChoices) -> Result<Choices, EngineError> {
    let CallContext { game, variant, .. } = *context;
    let rules = &game.ruleset;
    let mut reservoir = Reservoir::new(&list.position);
    let sampled = rules.legal_moves(variant, &list.position, "", &mut |mv| {
        reservoir.offer(mv);
        context.check_cancelled()
    });
    let fault = |error: CallError| EngineError::from_call(&game.id, error);
    let _complete = sampled.map_err(fault)?;
    let mut sample = reservoir.sample;
    let successors = rules.canonical_successors(variant, &list.position, &sample).map_err(fault)?;
    let mut reached = HashSet::new();
    let mut is_new = successors.into_iter().map(|position| reached.insert(position));
    sample.retain(|_| is_new.next().unwrap_or(false));
    debug_assert!(list.count > GROUPED_MOVES_MAX);
    Ok(Choices { count: list.count, sample })
}

/// A uniform sample of a list whose length is not known in advance.
struct Reservoir {
    rng: Rng,
    n_offered: u64,
    sample: Vec<String>,
}

impl Reservoir {
    fn new(position: &Position) -> Self {
        Reservoir { rng: Rng::new(digest(position)), n_offered: 0, sample: Vec::with_capacity(SAMPLE_LEN) }
    }

    fn offer(&mut self, mv: &str) {
        self.n_offered += 1;
        if self.sample.len() < SAMPLE_LEN {
            self.sample.push(mv.to_owned());
            return;
        }
        let place = (self.rng.unit() * self.n_offered as f64) as usize;
        if let Some(slot) = self.sample.get_mut(place) {
            mv.clone_into(slot);
        }
    }
}
