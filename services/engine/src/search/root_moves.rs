//! The different moves of a position.
//!
//! Moves that lead to the same position, or to symmetric ones, are one choice: the search examines the first
//! of them, and a hint lists the others as equivalents. Where there are thousands of moves they are not
//! listed: the search chooses from all, and its choice is checked when it is played.

use std::collections::HashMap;
use std::ops::ControlFlow;

use pentad_host::{CallError, Position, Ruleset};

/// Positions with more moves are not grouped: it would take too long.
pub(crate) const GROUPED_MOVES_MAX: usize = 2000;

/// The moves that a search is to consider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RootMoves {
    /// These moves; moves of one group are one choice.
    Grouped(Vec<Vec<String>>),
    /// Every legal move.
    Any {
        /// Number of legal moves.
        count: usize,
    },
    /// Only the reported moves of an answer from a store, which is not searched again.
    Some {
        /// Reported moves with their equivalents.
        groups: Vec<Vec<String>>,
        /// Number of different moves.
        n_choices: usize,
        /// Number of moves.
        n_moves: usize,
    },
}

impl RootMoves {
    /// Groups the legal moves, or those in `only`, which are legal.
    pub(crate) fn find(
        ruleset: &Ruleset,
        variant: usize,
        position: &Position,
        only: Option<&[String]>,
    ) -> Result<Self, CallError> {
        let moves = match only {
            Some(only) => only.to_vec(),
            None => {
                let count = usize::try_from(ruleset.count_moves(variant, position, "")?).unwrap_or(usize::MAX);
                if count > GROUPED_MOVES_MAX {
                    return Ok(RootMoves::Any { count });
                }
                listed(ruleset, variant, position)?
            }
        };
        if moves.len() > GROUPED_MOVES_MAX {
            return Ok(RootMoves::Grouped(moves.into_iter().map(|mv| vec![mv]).collect()));
        }
        let mut groups: Vec<Vec<String>> = Vec::new();
        let mut group_of: HashMap<Position, usize> = HashMap::new();
        let successors = ruleset.canonical_successors(variant, position, &moves)?;
        for (mv, canonical) in moves.into_iter().zip(successors) {
            let group_idx = *group_of.entry(canonical).or_insert(groups.len());
            match groups.get_mut(group_idx) {
                Some(group) => group.push(mv),
                None => groups.push(vec![mv]),
            }
        }
        Ok(RootMoves::Grouped(groups))
    }

    /// Returns the number of different moves.
    pub(crate) fn len(&self) -> usize {
        match self {
            RootMoves::Grouped(groups) => groups.len(),
            RootMoves::Any { count } => *count,
            RootMoves::Some { n_choices, .. } => *n_choices,
        }
    }

    /// Returns the number of moves, counting all moves of a group.
    pub(crate) fn n_moves(&self) -> usize {
        match self {
            RootMoves::Grouped(groups) => groups.iter().map(Vec::len).sum(),
            RootMoves::Any { count } => *count,
            RootMoves::Some { n_moves, .. } => *n_moves,
        }
    }

    /// Returns the first move of each group; none where every move may be chosen.
    pub(crate) fn representatives(&self) -> impl Iterator<Item = &String> {
        self.groups().iter().map(|group| &group[0])
    }

    /// Returns the other moves of a move's group.
    pub(crate) fn equivalents(&self, mv: &str) -> impl Iterator<Item = &String> {
        self.group(mv).into_iter().flatten().filter(move |other| *other != mv)
    }

    /// Whether a search may choose this move, provided it is legal.
    pub(crate) fn contains(&self, mv: &str) -> bool {
        matches!(self, RootMoves::Any { .. } | RootMoves::Some { .. }) || self.group(mv).is_some()
    }

    fn groups(&self) -> &[Vec<String>] {
        match self {
            RootMoves::Grouped(groups) | RootMoves::Some { groups, .. } => groups,
            RootMoves::Any { .. } => &[],
        }
    }

    fn group(&self, mv: &str) -> Option<&Vec<String>> {
        self.groups().iter().find(|group| group.iter().any(|other| other == mv))
    }

    pub(crate) fn size_bytes(&self) -> usize {
        self.groups().iter().map(|group| 24 + 40 * group.len()).sum()
    }
}

impl Default for RootMoves {
    fn default() -> Self {
        RootMoves::Grouped(Vec::new())
    }
}

fn listed(ruleset: &Ruleset, variant: usize, position: &Position) -> Result<Vec<String>, CallError> {
    let mut moves = Vec::new();
    let _complete = ruleset.legal_moves(variant, position, "", &mut |mv| {
        moves.push(mv.to_owned());
        ControlFlow::Continue(())
    })?;
    Ok(moves)
}
