//! The different moves of a position.
//!
//! Moves that lead to the same position, or to symmetric ones, are one choice:
//! the search looks at the first of them, and a hint lists the others as
//! equivalents.

use std::collections::HashMap;
use std::ops::ControlFlow;

use pentad_host::{CallError, Position, Ruleset};

/// Positions with more moves are not grouped: it would take too long.
const GROUPED_MOVES_MAX: usize = 2000;

/// The moves that a search is to consider.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RootMoves {
    groups: Vec<Vec<String>>,
}

impl RootMoves {
    /// Lists and groups the legal moves, or those of them that are in `only`
    /// (sorted).
    pub(crate) fn find(
        ruleset: &Ruleset,
        variant: usize,
        position: &Position,
        only: Option<&[String]>,
    ) -> Result<Self, CallError> {
        let mut moves: Vec<String> = Vec::new();
        let wanted = |mv: &str| only.is_none_or(|only| only.binary_search_by(|it| it.as_str().cmp(mv)).is_ok());
        let _complete = ruleset.legal_moves(variant, position, "", &mut |mv| {
            if wanted(mv) {
                moves.push(mv.to_owned());
            }
            ControlFlow::Continue(())
        })?;
        if moves.len() > GROUPED_MOVES_MAX {
            return Ok(RootMoves { groups: moves.into_iter().map(|mv| vec![mv]).collect() });
        }
        let mut groups: Vec<Vec<String>> = Vec::new();
        let mut group_of: HashMap<Position, usize> = HashMap::new();
        for mv in moves {
            let next = ruleset.play_known(variant, position, &mv)?;
            let (canonical, _) = ruleset.canonical(variant, &next)?;
            let group_idx = *group_of.entry(canonical).or_insert(groups.len());
            match groups.get_mut(group_idx) {
                Some(group) => group.push(mv),
                None => groups.push(vec![mv]),
            }
        }
        Ok(RootMoves { groups })
    }

    /// How many different moves there are.
    pub(crate) fn len(&self) -> usize {
        self.groups.len()
    }

    /// The first move of each group.
    pub(crate) fn representatives(&self) -> impl Iterator<Item = &String> {
        self.groups.iter().map(|group| &group[0])
    }

    /// The other moves of a move's group.
    pub(crate) fn equivalents(&self, mv: &str) -> impl Iterator<Item = &String> {
        self.group(mv).into_iter().flatten().filter(move |other| *other != mv)
    }

    /// Whether a search may name this move.
    pub(crate) fn contains(&self, mv: &str) -> bool {
        self.group(mv).is_some()
    }

    fn group(&self, mv: &str) -> Option<&Vec<String>> {
        self.groups.iter().find(|group| group.iter().any(|other| other == mv))
    }

    pub(crate) fn size_bytes(&self) -> usize {
        self.groups.iter().map(|group| 24 + 40 * group.len()).sum()
    }
}
