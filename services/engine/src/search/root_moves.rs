//! The different moves of a position.
//!
//! Moves that lead to the same position, or to symmetric ones, are one choice: the search examines the first
//! of them, and a hint lists the others as equivalents. Where there are thousands of moves they are not
//! listed: the search chooses from all, and its choice is checked when it is played.

use std::collections::HashMap;
use std::ops::ControlFlow;

use pentad_host::{CallError, Position, Ruleset};

use crate::resolve::considered::Considered;

/// Positions with more moves are not grouped: it would take too long.
pub(crate) const GROUPED_MOVES_MAX: usize = 2000;
/// Moves that are grouped between two looks at the clock: about a millisecond. An isolated rule set gets them
/// in one message.
const BATCH_LEN: usize = 100;

/// The moves that a search is to consider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RootMoves {
    /// These moves; moves of one group are one choice.
    Grouped(Vec<Vec<String>>),
    /// Every legal move that is considered.
    Any {
        /// Number of these moves.
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
    /// Groups the moves considered. Once `is_over`, the moves that are left have a group each.
    pub(crate) fn find(
        ruleset: &Ruleset,
        variant: usize,
        position: &Position,
        considered: &Considered,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Self, CallError> {
        let moves = match considered {
            Considered::Only(moves) => moves.to_vec(),
            Considered::All | Considered::Except(_) => {
                let count = usize::try_from(ruleset.count_moves(variant, position, "")?).unwrap_or(usize::MAX);
                if count > GROUPED_MOVES_MAX {
                    return Ok(RootMoves::Any { count: count - considered.n_avoided() });
                }
                listed(ruleset, variant, position, considered)?
            }
        };
        if moves.len() > GROUPED_MOVES_MAX {
            return Ok(RootMoves::Grouped(moves.into_iter().map(|mv| vec![mv]).collect()));
        }
        let mut groups: Vec<Vec<String>> = Vec::new();
        let mut group_of: HashMap<Position, usize> = HashMap::new();
        for batch in moves.chunks(BATCH_LEN) {
            if is_over() {
                groups.extend(batch.iter().map(|mv| vec![mv.clone()]));
                continue;
            }
            let successors = ruleset.canonical_successors(variant, position, batch)?;
            for (mv, canonical) in batch.iter().zip(successors) {
                let group_idx = *group_of.entry(canonical).or_insert(groups.len());
                match groups.get_mut(group_idx) {
                    Some(group) => group.push(mv.clone()),
                    None => groups.push(vec![mv.clone()]),
                }
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

/// Lists the moves considered, of a position that has few.
fn listed(
    ruleset: &Ruleset,
    variant: usize,
    position: &Position,
    considered: &Considered,
) -> Result<Vec<String>, CallError> {
    let mut moves = Vec::new();
    // A rule set may list more moves than it counted, or repeat a move that is to be avoided.
    let mut n_left = GROUPED_MOVES_MAX + considered.n_avoided();
    let _complete = ruleset.legal_moves(variant, position, "", &mut |mv| {
        if considered.contains(mv) {
            moves.push(mv.to_owned());
        }
        match n_left.checked_sub(1) {
            Some(left) => {
                n_left = left;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        }
    })?;
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Grouping looks at the clock once per batch, and then leaves the other moves as they are.
    #[test]
    fn grouping_ends_with_the_time() {
        let dir = pentad_host::bundled_dir().expect("a running program has a path");
        let file = dir.join(format!("libruleset_pentago{}", std::env::consts::DLL_SUFFIX));
        let pentago = Ruleset::load(&file, None).expect("the plugin loads");
        let start = pentago.start(0).expect("a position");
        let find = |n_polls_max: usize, considered: &Considered| {
            let n_polls = Cell::new(0);
            let is_over = || n_polls.replace(n_polls.get() + 1) >= n_polls_max;
            let root = RootMoves::find(&pentago, 0, &start, considered, &is_over).expect("no fault");
            (root, n_polls.get())
        };
        let (all, n_polls) = find(usize::MAX, &Considered::All);
        assert_eq!((all.n_moves(), n_polls), (288, 3), "{} groups", all.len());
        let (cut, _) = find(1, &Considered::All);
        assert!(cut.n_moves() == 288 && cut.len() >= 188 && cut.len() > all.len(), "{} groups", cut.len());
        let avoided = all.representatives().next().expect("a move").clone();
        let (rest, _) = find(usize::MAX, &Considered::Except([avoided.clone()].into()));
        assert!(rest.n_moves() == 287 && !rest.contains(&avoided));
    }
}
