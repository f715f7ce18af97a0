//! Forced wins by the rules alone: every move, every defence, every answer.
//!
//! No search is asked, so a puzzle that passes this is right whatever the search of its
//! rule set believes.

use std::collections::HashMap;
use std::ops::ControlFlow;

use pentad_host::{CallError, Position};

use crate::error::EngineError;
use crate::question::PositionSpec;
use crate::resolve::ResolvedPosition;
use crate::rules_job::{AboutPosition, CallContext};

/// The longest win that is looked for.
pub(crate) const PLIES_MAX: u32 = 3;
/// Positions with more moves are not solved.
const MOVES_MAX: usize = 2000;
/// Lines of a solution. There is one for every defence; of other answers that win too,
/// as many as find room.
const LINES_MAX: usize = 512;

/// A position, and the number of plies in which it is to be won.
#[derive(Clone, Debug)]
pub(crate) struct SolveQuestion {
    pub(crate) spec: PositionSpec,
    pub(crate) plies: u32,
}

impl AboutPosition for SolveQuestion {
    fn position(&self) -> String {
        self.spec.to_log()
    }
}

/// The only way to win in time, up to symmetry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Solution {
    /// The move, and those that lead to the same or a symmetric position.
    pub(crate) first_moves: Vec<String>,
    /// From the first move to the end, one line or more for every defence.
    pub(crate) lines: Vec<Vec<String>>,
    /// Distinct moves that do not win in time.
    pub(crate) n_other_moves: usize,
}

/// Moves that lead to the same or a symmetric position, and the one that is reached by
/// the first of them.
struct Group {
    moves: Vec<String>,
    next: Position,
}

/// The solution, if there is exactly one distinct move that forces the win in time and
/// no shorter one.
pub(crate) fn solve(context: &CallContext<'_>, question: &SolveQuestion) -> Result<Option<Solution>, EngineError> {
    let ResolvedPosition { position, to_move } = ResolvedPosition::resolve(context, &question.spec)?;
    let mut solver = WinSolver { context, seat: to_move, refuting_reply: None };
    let solved = solver.solve(&position, question.plies);
    solved.map_err(|error| EngineError::from_call(&context.game.id, error))
}

struct WinSolver<'a> {
    context: &'a CallContext<'a>,
    /// Who is to win.
    seat: usize,
    /// The reply that stopped the last attempt, which often stops the next one.
    refuting_reply: Option<String>,
}

impl WinSolver<'_> {
    fn solve(&mut self, position: &Position, plies: u32) -> Result<Option<Solution>, CallError> {
        let Some(groups) = self.groups(position)? else { return Ok(None) };
        let mut at_once = Vec::new();
        for (idx, group) in groups.iter().enumerate() {
            if self.is_won(&group.next)? {
                at_once.push(idx);
            }
        }
        let winning = match plies {
            1 => at_once,
            // A shorter win is another puzzle.
            _ if !at_once.is_empty() => return Ok(None),
            _ => self.winning_in_three(&groups)?,
        };
        let [key] = winning[..] else { return Ok(None) };
        let group = &groups[key];
        let lines = match plies {
            1 => vec![vec![group.moves[0].clone()]],
            _ => self.lines(&group.moves[0], &group.next)?,
        };
        let (first_moves, n_other_moves) = (group.moves.clone(), groups.len() - 1);
        Ok(Some(Solution { first_moves, lines, n_other_moves }))
    }

    /// The groups whose move wins against every defence, at most two of them.
    fn winning_in_three(&mut self, groups: &[Group]) -> Result<Vec<usize>, CallError> {
        let mut winning = Vec::new();
        for (idx, group) in groups.iter().enumerate() {
            if self.context.is_cancelled() {
                return Ok(Vec::new());
            }
            if self.refutation(&group.next)?.is_none() {
                winning.push(idx);
                if winning.len() > 1 {
                    break;
                }
            }
        }
        Ok(winning)
    }

    /// A reply after which there is no win at once; `None` if every reply loses. A
    /// finished game that is not won needs no reply.
    fn refutation(&mut self, position: &Position) -> Result<Option<String>, CallError> {
        let rules = &self.context.game.ruleset;
        if rules.scores(self.context.variant, position)?.is_some() {
            return Ok(Some(String::new()));
        }
        if let Some(reply) = self.refuting_reply.clone()
            && let Ok(played) = rules.play(self.context.variant, position, &reply)
            && !self.wins_after(&played.position)?
        {
            return Ok(Some(reply));
        }
        let Some(replies) = self.groups(position)? else { return Ok(Some(String::new())) };
        for reply in &replies {
            if !self.wins_after(&reply.next)? {
                self.refuting_reply = Some(reply.moves[0].clone());
                return Ok(self.refuting_reply.clone());
            }
        }
        Ok(None)
    }

    /// Whether a position after a defence is won, or can be won at once.
    fn wins_after(&self, position: &Position) -> Result<bool, CallError> {
        let scores = self.context.game.ruleset.scores(self.context.variant, position)?;
        match scores {
            Some(scores) => Ok(scores[self.seat] >= 1.0),
            None => Ok(!self.wins_at_once(position, 1)?.is_empty()),
        }
    }

    /// Moves that win at once, at most `count` of them.
    fn wins_at_once(&self, position: &Position, count: usize) -> Result<Vec<String>, CallError> {
        let rules = &self.context.game.ruleset;
        let variant = self.context.variant;
        if rules.to_move(variant, position)? != self.seat {
            return Ok(Vec::new());
        }
        let moves = self.moves(position)?;
        let successors = rules.successors(variant, position, &moves)?;
        let mut wins = Vec::new();
        for (mv, next) in moves.into_iter().zip(successors) {
            if self.is_won(&next)? {
                wins.push(mv);
                if wins.len() == count {
                    break;
                }
            }
        }
        Ok(wins)
    }

    fn is_won(&self, position: &Position) -> Result<bool, CallError> {
        let scores = self.context.game.ruleset.scores(self.context.variant, position)?;
        Ok(scores.is_some_and(|scores| scores[self.seat] >= 1.0))
    }

    /// Every defence with its answer; then other answers that win too.
    fn lines(&self, first_move: &str, position: &Position) -> Result<Vec<Vec<String>>, CallError> {
        let (mut lines, mut alternatives) = (Vec::new(), Vec::new());
        let replies = self.groups(position)?.unwrap_or_default();
        for reply in &replies {
            let line = |rest: &[&str]| {
                [&[first_move, &reply.moves[0]], rest].concat().into_iter().map(str::to_owned).collect()
            };
            let wins = if self.is_won(&reply.next)? { Vec::new() } else { self.wins_at_once(&reply.next, usize::MAX)? };
            lines.push(line(&wins.first().map(String::as_str).into_iter().collect::<Vec<_>>()));
            alternatives.extend(wins.iter().skip(1).map(|win| line(&[win])));
        }
        let room = LINES_MAX.saturating_sub(lines.len());
        lines.extend(alternatives.into_iter().take(room));
        Ok(lines)
    }

    /// The distinct moves; `None` if there are too many.
    fn groups(&self, position: &Position) -> Result<Option<Vec<Group>>, CallError> {
        let rules = &self.context.game.ruleset;
        let variant = self.context.variant;
        if rules.count_moves(variant, position, "")? > MOVES_MAX as u64 {
            return Ok(None);
        }
        let moves = self.moves(position)?;
        let successors = rules.successors(variant, position, &moves)?;
        let canonical = rules.canonical_successors(variant, position, &moves)?;
        let mut groups: Vec<Group> = Vec::new();
        let mut group_of: HashMap<Position, usize> = HashMap::new();
        for ((mv, next), canonical) in moves.into_iter().zip(successors).zip(canonical) {
            let idx = *group_of.entry(canonical).or_insert(groups.len());
            match groups.get_mut(idx) {
                Some(group) => group.moves.push(mv),
                None => groups.push(Group { moves: vec![mv], next }),
            }
        }
        Ok(Some(groups))
    }

    fn moves(&self, position: &Position) -> Result<Vec<String>, CallError> {
        let mut moves = Vec::new();
        let _complete = self.context.game.ruleset.legal_moves(self.context.variant, position, "", &mut |mv| {
            moves.push(mv.to_owned());
            ControlFlow::Continue(())
        })?;
        Ok(moves)
    }
}
