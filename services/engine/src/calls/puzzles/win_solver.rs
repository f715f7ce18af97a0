//! Forced wins by the rules alone: every move, every defence, every answer.
//!
//! No search is involved, so a puzzle that passes is right whatever the rule set's search believes.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use pentad_host::{CallError, Position};

use crate::error::EngineError;
use crate::question::PositionSpec;
use crate::resolve::ResolvedPosition;
use crate::rules::job::{AboutPosition, CallContext};

/// Longest win in plies.
pub(crate) const PLIES_MAX: u32 = 5;
/// Most moves of a position that is solved.
const MOVES_MAX: usize = 2000;
/// Moves that are played between two looks at the clock. An isolated rule set gets them in one message.
const BATCH_LEN: usize = 250;
/// Most lines of a solution. There is one for every first defence; other winning answers fill the rest.
const LINES_MAX: usize = 512;
/// Longest time for a position, well before the watchdog of long calls takes the rule set for hung.
const TIME_MAX: Duration = Duration::from_secs(20);

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
    /// From the first move to the end, one line or more for every first defence.
    pub(crate) lines: Vec<Vec<String>>,
    /// Distinct moves that do not win in time.
    pub(crate) n_other_moves: usize,
}

/// Returns the solution, if exactly one distinct move forces the win in time and no shorter one does. `None`
/// also if that takes too long.
pub(crate) fn solve(context: &CallContext<'_>, question: &SolveQuestion) -> Result<Option<Solution>, EngineError> {
    let ResolvedPosition { position, to_move } = ResolvedPosition::resolve(context, &question.spec)?;
    let mut solver = WinSolver {
        context,
        seat: to_move,
        refuting_replies: HashMap::new(),
        winning_moves: HashMap::new(),
        began: Instant::now(),
    };
    match solver.solve(&position, question.plies) {
        Ok(solution) => Ok(solution),
        Err(Interrupted::GivenUp) => Ok(None),
        Err(Interrupted::By(error)) => Err(EngineError::from_call(&context.game.id, error)),
    }
}

/// Why there is no result.
enum Interrupted {
    /// It took too long, had too many moves, or nobody waits for it any more.
    GivenUp,
    By(CallError),
}

impl From<CallError> for Interrupted {
    fn from(error: CallError) -> Self {
        Interrupted::By(error)
    }
}

/// Moves that lead to the same or a symmetric position, and the position after the first of them.
struct Group {
    moves: Vec<String>,
    next: Position,
}

struct WinSolver<'a> {
    context: &'a CallContext<'a>,
    /// Seat number of the player to win.
    seat: usize,
    /// By plies left, the reply that stopped the last attempt: it often stops the next one, too.
    refuting_replies: HashMap<u32, String>,
    /// By plies left, the move that won last.
    winning_moves: HashMap<u32, String>,
    began: Instant,
}

impl WinSolver<'_> {
    fn solve(&mut self, position: &Position, plies: u32) -> Result<Option<Solution>, Interrupted> {
        // A shorter win is another puzzle.
        if plies > 1 && self.can_win(position, plies - 2)? {
            return Ok(None);
        }
        let groups = self.groups(position)?;
        let mut winning = Vec::new();
        for (idx, group) in groups.iter().enumerate() {
            if self.is_lost(&group.next, plies - 1)? {
                winning.push(idx);
                if winning.len() > 1 {
                    return Ok(None);
                }
            }
        }
        let [key] = winning[..] else { return Ok(None) };
        let Group { moves, next } = &groups[key];
        let lines = self.lines(&moves[0], next, plies - 1)?;
        Ok(Some(Solution { first_moves: moves.clone(), lines, n_other_moves: groups.len() - 1 }))
    }

    /// Whether the seat to win does so within these plies, an odd number, with the move.
    fn can_win(&mut self, position: &Position, plies: u32) -> Result<bool, Interrupted> {
        let (rules, variant) = (&self.context.game.ruleset, self.context.variant);
        if rules.to_move(variant, position)? != self.seat {
            return Ok(false);
        }
        if plies == 1 {
            return Ok(!self.wins_at_once(position, 1)?.is_empty());
        }
        if self.can_win(position, plies - 2)? {
            return Ok(true);
        }
        if let Some(mv) = self.winning_moves.get(&plies)
            && let Ok(played) = rules.play(variant, position, mv)
            && self.is_lost(&played.position, plies - 1)?
        {
            return Ok(true);
        }
        for Group { mut moves, next } in self.groups(position)? {
            if self.is_lost(&next, plies - 1)? {
                self.winning_moves.insert(plies, moves.swap_remove(0));
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the seat to win has won, or does so within these plies, an even number,
    /// whatever the others reply.
    fn is_lost(&mut self, position: &Position, plies: u32) -> Result<bool, Interrupted> {
        let (rules, variant) = (&self.context.game.ruleset, self.context.variant);
        if let Some(scores) = rules.scores(variant, position)? {
            return Ok(scores[self.seat] >= 1.0);
        }
        if plies == 0 {
            return Ok(false);
        }
        if let Some(reply) = self.refuting_replies.get(&plies)
            && let Ok(played) = rules.play(variant, position, reply)
            && !self.is_won_after(&played.position, plies - 1)?
        {
            return Ok(false);
        }
        for Group { mut moves, next } in self.groups(position)? {
            if !self.is_won_after(&next, plies - 1)? {
                self.refuting_replies.insert(plies, moves.swap_remove(0));
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a position after a defence is won, or can be won in time.
    fn is_won_after(&mut self, position: &Position, plies: u32) -> Result<bool, Interrupted> {
        match self.context.game.ruleset.scores(self.context.variant, position)? {
            Some(scores) => Ok(scores[self.seat] >= 1.0),
            None => self.can_win(position, plies),
        }
    }

    /// Returns at most `count` moves that win at once.
    fn wins_at_once(&self, position: &Position, count: usize) -> Result<Vec<String>, Interrupted> {
        let (rules, variant) = (&self.context.game.ruleset, self.context.variant);
        let mut wins = Vec::new();
        for batch in self.moves(position)?.chunks(BATCH_LEN) {
            self.check_time()?;
            let successors = rules.successors(variant, position, batch)?;
            for (mv, next) in batch.iter().zip(successors) {
                if rules.scores(variant, &next)?.is_some_and(|scores| scores[self.seat] >= 1.0) {
                    wins.push(mv.clone());
                    if wins.len() == count {
                        return Ok(wins);
                    }
                }
            }
        }
        Ok(wins)
    }

    /// Returns every defence with its answer, then other winning answers. Each line continues with one later
    /// defence.
    fn lines(&mut self, first_move: &str, position: &Position, plies: u32) -> Result<Vec<Vec<String>>, Interrupted> {
        let (mut lines, mut alternatives) = (Vec::new(), Vec::new());
        if plies == 0 {
            return Ok(vec![vec![first_move.to_owned()]]);
        }
        for reply in self.groups(position)? {
            let played = [first_move.to_owned(), reply.moves[0].clone()];
            let mut answers = self.answers(&reply.next, plies - 1)?.into_iter();
            // None if the reply itself ends the game.
            let answer = answers.next().unwrap_or_default();
            lines.push([&played[..], &answer].concat());
            alternatives.extend(answers.map(|answer| [&played[..], &answer].concat()));
        }
        let room = LINES_MAX.saturating_sub(lines.len());
        lines.extend(alternatives.into_iter().take(room));
        Ok(lines)
    }

    /// Returns every continuation that wins in time, to the end, the shortest first.
    fn answers(&mut self, position: &Position, plies: u32) -> Result<Vec<Vec<String>>, Interrupted> {
        let (rules, variant) = (&self.context.game.ruleset, self.context.variant);
        if rules.scores(variant, position)?.is_some() {
            return Ok(Vec::new());
        }
        let at_once = self.wins_at_once(position, usize::MAX)?;
        let mut answers: Vec<Vec<String>> = at_once.into_iter().map(|mv| vec![mv]).collect();
        if plies == 1 {
            return Ok(answers);
        }
        for Group { moves, next } in self.groups(position)? {
            if rules.scores(variant, &next)?.is_none() && self.is_lost(&next, plies - 1)? {
                let rest = self.defence(&next, plies - 1)?;
                answers.extend(moves.into_iter().map(|mv| [&[mv][..], &rest].concat()));
            }
        }
        Ok(answers)
    }

    /// Returns a longest defence of a lost position, and the win after it.
    fn defence(&mut self, position: &Position, plies: u32) -> Result<Vec<String>, Interrupted> {
        let mut shortest: Vec<String> = Vec::new();
        for Group { mut moves, next } in self.groups(position)? {
            let answer = self.answers(&next, plies - 1)?.into_iter().next().unwrap_or_default();
            let line = [&[moves.swap_remove(0)][..], &answer].concat();
            if line.len() as u32 == plies {
                return Ok(line);
            }
            shortest = if line.len() > shortest.len() { line } else { shortest };
        }
        Ok(shortest)
    }

    /// Returns the distinct moves.
    fn groups(&self, position: &Position) -> Result<Vec<Group>, Interrupted> {
        let (rules, variant) = (&self.context.game.ruleset, self.context.variant);
        if rules.count_moves(variant, position, "")? > MOVES_MAX as u64 {
            return Err(Interrupted::GivenUp);
        }
        let mut groups: Vec<Group> = Vec::new();
        let mut group_of: HashMap<Position, usize> = HashMap::new();
        for batch in self.moves(position)?.chunks(BATCH_LEN) {
            self.check_time()?;
            let successors = rules.successors(variant, position, batch)?;
            let canonical = rules.canonical_successors(variant, position, batch)?;
            for ((mv, next), canonical) in batch.iter().zip(successors).zip(canonical) {
                let idx = *group_of.entry(canonical).or_insert(groups.len());
                match groups.get_mut(idx) {
                    Some(group) => group.moves.push(mv.clone()),
                    None => groups.push(Group { moves: vec![mv.clone()], next }),
                }
            }
        }
        Ok(groups)
    }

    fn moves(&self, position: &Position) -> Result<Vec<String>, Interrupted> {
        let mut moves = Vec::new();
        let _complete = self.context.game.ruleset.legal_moves(self.context.variant, position, "", &mut |mv| {
            moves.push(mv.to_owned());
            self.context.check_cancelled()
        })?;
        self.check_time()?;
        Ok(moves)
    }

    /// Gives up if nobody waits any more, or it has taken too long.
    fn check_time(&self) -> Result<(), Interrupted> {
        let is_over = self.context.is_cancelled() || self.began.elapsed() > TIME_MAX;
        if is_over { Err(Interrupted::GivenUp) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::AtomicBool;

    use pentad_host::Ruleset;

    use super::*;
    use crate::config::EngineConfig;
    use crate::served_game::ServedGame;
    use crate::trace::Trace;

    /// Nothing is played for a caller that has left, however the solver got there.
    #[test]
    fn a_cancelled_proof_is_given_up() {
        let dir = pentad_host::bundled_dir().expect("a running program has a path");
        let file = dir.join(format!("libruleset_pentago{}", std::env::consts::DLL_SUFFIX));
        let game = ServedGame::new(Ruleset::load(&file, None).expect("the plugin loads"));
        let (config, is_cancelled, is_reading_store) = (EngineConfig::default(), false.into(), AtomicBool::new(false));
        let context = CallContext {
            game: &game,
            variant: 0,
            config: &config,
            trace: &Trace::default(),
            is_cancelled: &is_cancelled,
            is_reading_store: &is_reading_store,
            survived_fault: &Mutex::default(),
        };
        let position = game.ruleset.parse(0, "wwww2/6/bbbb2/6/6/6 w").expect("a position");
        let (refuting_replies, winning_moves) = (HashMap::new(), HashMap::new());
        let solver = WinSolver { context: &context, seat: 0, refuting_replies, winning_moves, began: Instant::now() };
        assert!(solver.wins_at_once(&position, 1).is_ok_and(|wins| wins.len() == 1));
        is_cancelled.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(matches!(solver.wins_at_once(&position, 1), Err(Interrupted::GivenUp)));
        assert!(matches!(solver.groups(&position), Err(Interrupted::GivenUp)));
    }
}
