//! Puzzles: positions that one move wins, and no other in time.
//!
//! Candidates are the positions of a given game, or of games that low levels play
//! against themselves, whose mistakes leave something to be found. The search of the
//! rule set says where a win may be; [`win_solver`] then proves it by the rules alone,
//! for every defence, and that no other distinct move wins as soon.

mod win_solver;

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use pentad_host::{Position, Variant};
use pentad_model::Certainty;
use pentad_model::rng::Rng;

pub(crate) use win_solver::{Solution, SolveQuestion, solve};

use crate::answer::{Hints, VariantRef};
use crate::calls::long_call::{Interrupted, LongCall};
use crate::engine::Engine;
use crate::error::EngineError;
use crate::field::{Field, FieldMessage};
use crate::question::{Caller, Detail, HintQuestion, PositionSpec, QuestionLimits, bounded_limits, check_limits};
use crate::resolve::position_key::PositionKey;
use win_solver::PLIES_MAX;

/// Default of the most plies to the end between two sides. With more sides only wins at once can be forced.
const PLIES_DEFAULT: u32 = 3;
/// Most puzzles of one call.
const COUNT_MAX: usize = 1000;
/// Levels that play the games in which puzzles are looked for.
const LEVELS: std::ops::RangeInclusive<u8> = 2..=5;
/// Plies before the end of such a game that are examined: wins are near the end.
const PLIES_LOOKED_AT: usize = 10;
/// Plies after which a game is broken off.
const GAME_LEN_MAX: usize = 300;
/// Positions between two progress messages.
const PROGRESS_INTERVAL: u64 = 8;
/// Games without a puzzle after which the search ends.
const FRUITLESS_GAMES_MAX: u64 = 200;
/// Depth of the search for moves that look good and are not.
const PLAUSIBLE_DEPTH: u32 = 1;

/// Which puzzles to look for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleQuestion {
    /// A game to search. Without moves, games are played from the position.
    pub spec: PositionSpec,
    /// How many; at least 1.
    pub count: usize,
    /// Fewest plies to the end: 1, 3 or 5; by default the most.
    pub min_plies: Option<u32>,
    /// Most plies to the end; by default 3, or 1 with more than two sides.
    pub max_plies: Option<u32>,
    /// Theme of the puzzles; empty for all.
    pub theme: String,
    /// Seed of the games that are played.
    pub seed: u64,
    /// Limits of the search of each position.
    pub limits: QuestionLimits,
    /// Time limit of the whole call.
    pub total_time: Option<Duration>,
}

impl PuzzleQuestion {
    /// Creates a question about one puzzle of the default length, from games that are played.
    pub fn new(spec: PositionSpec) -> Self {
        PuzzleQuestion {
            spec,
            count: 1,
            min_plies: None,
            max_plies: None,
            theme: String::new(),
            seed: 0,
            limits: QuestionLimits::default(),
            total_time: None,
        }
    }

    /// Checks the question, and returns the fewest and the most plies to the end.
    pub(crate) fn check(&self, variant: &Variant) -> Result<(u32, u32), EngineError> {
        let bad = |field: Field, message: FieldMessage| Err(EngineError::bad_argument(field, message));
        let is_two_sided = variant.n_sides == 2;
        let max = self.max_plies.unwrap_or(if is_two_sided { PLIES_DEFAULT } else { 1 });
        let min = self.min_plies.unwrap_or(max);
        if self.count == 0 || self.count > COUNT_MAX {
            return bad(Field::Count, format!("{} is not between 1 and {COUNT_MAX}", self.count).into());
        }
        if max > PLIES_MAX || max == 0 {
            return bad(Field::MaxPlies, format!("{max} is not between 1 and {PLIES_MAX}").into());
        }
        // No side of more than two can force a win over several plies.
        if max > 1 && !is_two_sided {
            let (id, n_sides) = (&variant.id, variant.n_sides);
            let message = format!("puzzles of `{id}`, which has {n_sides} sides, are wins at once: ask for ");
            return bad(Field::MaxPlies, FieldMessage::from(message).field(Field::MaxPlies).text(" 1"));
        }
        if min == 0 || min > max {
            let message = FieldMessage::from(format!("{min} is not between 1 and "));
            return bad(Field::MinPlies, message.field(Field::MaxPlies).text(format!(", {max}")));
        }
        if self.total_time == Some(Duration::ZERO) {
            return bad(Field::TotalTime, "must be at least 1".into());
        }
        check_limits(self.limits)?;
        Ok((min, max))
    }
}

/// Message of a search for puzzles.
#[derive(Clone, Debug)]
pub enum PuzzleUpdate {
    /// A puzzle.
    Puzzle(Box<Puzzle>),
    /// Progress so far.
    Progress(PuzzleProgress),
    /// The last message.
    Final(PuzzleProgress),
}

/// Progress of a search for puzzles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PuzzleProgress {
    /// Puzzles found.
    pub found: usize,
    /// Puzzles requested.
    pub wanted: usize,
    /// Positions examined.
    pub looked_at: u64,
}

/// A position that one move wins.
#[derive(Clone, Debug, PartialEq)]
pub struct Puzzle {
    /// Position in canonical form.
    pub position: String,
    /// Seat number of the player to win.
    pub to_move: usize,
    /// Lines from the first move to the end, at least one for every defence.
    pub solutions: Vec<Vec<String>>,
    /// The code of the first reason for the winning move.
    pub theme: String,
    /// Plies, plus the binary logarithm of the number of moves that look good to a search one ply deep and do
    /// not win in time.
    pub difficulty: f64,
    /// Plies to the end of the game.
    pub plies_to_end: u32,
    /// Every first move that wins in time; they lead to the same or symmetric positions.
    pub first_moves: Vec<String>,
    /// Index of the move of the given game that was played here.
    pub move_idx: Option<usize>,
    /// Key, equal for equal and symmetric positions.
    pub key: PositionKey,
}

/// Returns the difficulty of a puzzle; see [`Puzzle::difficulty`].
fn difficulty(plies: u32, n_plausible: usize) -> f64 {
    f64::from(plies) + ((1 + n_plausible) as f64).log2()
}

/// A stream of puzzles. Dropping it ends the search for them.
pub struct Puzzles {
    call: LongCall,
    question: PuzzleQuestion,
    /// Fewest and most plies to the end.
    plies: (u32, u32),
    variant: VariantRef,
    rng: Rng,
    /// Positions to examine, with the index of the move that was played there.
    candidates: VecDeque<(PositionSpec, Option<usize>)>,
    plays_games: bool,
    seen: HashSet<Position>,
    progress: PuzzleProgress,
    fruitless_games: u64,
    is_over: bool,
}

impl std::fmt::Debug for Puzzles {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Puzzles").field("progress", &self.progress).finish_non_exhaustive()
    }
}

impl Puzzles {
    /// Creates the stream. The question is checked, with `plies` as the result, and its moves are legal.
    pub(crate) fn new(
        engine: Arc<Engine>,
        question: PuzzleQuestion,
        plies: (u32, u32),
        caller: Caller,
        variant: VariantRef,
    ) -> Self {
        let PositionSpec { moves, .. } = &question.spec;
        let before = |move_idx: usize| PositionSpec { moves: moves[..move_idx].to_vec(), ..question.spec.clone() };
        let candidates: VecDeque<_> = (0..moves.len()).map(|move_idx| (before(move_idx), Some(move_idx))).collect();
        Puzzles {
            call: LongCall::new(engine, caller, question.total_time),
            plays_games: candidates.is_empty(),
            candidates,
            plies,
            variant,
            rng: Rng::new(question.seed),
            seen: HashSet::new(),
            progress: PuzzleProgress { wanted: question.count, ..PuzzleProgress::default() },
            fruitless_games: 0,
            is_over: false,
            question,
        }
    }

    /// Returns the variant with the seats.
    pub fn variant(&self) -> &VariantRef {
        &self.variant
    }

    /// Returns the limits of the next position's search; `None` after the last message.
    pub fn next_limits(&self) -> Option<QuestionLimits> {
        (!self.is_over).then(|| self.limits())
    }

    /// Returns the next message; the last one is final. `None` after that, or after an error.
    pub async fn next(&mut self) -> Option<Result<PuzzleUpdate, EngineError>> {
        if self.is_over {
            return None;
        }
        match self.advance().await {
            Ok(Some(update)) => Some(Ok(update)),
            Ok(None) | Err(Interrupted::OutOfTime) => {
                self.is_over = true;
                Some(Ok(PuzzleUpdate::Final(self.progress)))
            }
            Err(Interrupted::By(error)) => {
                self.is_over = true;
                Some(Err(error))
            }
        }
    }

    /// Searches until there is a message; `None` at the end.
    async fn advance(&mut self) -> Result<Option<PuzzleUpdate>, Interrupted> {
        loop {
            if self.progress.found == self.question.count {
                return Ok(None);
            }
            let Some((spec, move_idx)) = self.candidates.pop_front() else {
                if !self.plays_games || self.fruitless_games >= FRUITLESS_GAMES_MAX {
                    return Ok(None);
                }
                self.fruitless_games += 1;
                self.play_game().await?;
                continue;
            };
            let found = self.look_at(spec).await?;
            self.progress.looked_at += 1;
            if let Some(puzzle) = found {
                self.progress.found += 1;
                self.fruitless_games = 0;
                return Ok(Some(PuzzleUpdate::Puzzle(Box::new(Puzzle { move_idx, ..puzzle }))));
            }
            if self.progress.looked_at.is_multiple_of(PROGRESS_INTERVAL) {
                return Ok(Some(PuzzleUpdate::Progress(self.progress)));
            }
        }
    }

    /// Plays a game between low levels, and notes the positions near its end.
    async fn play_game(&mut self) -> Result<(), Interrupted> {
        let mut spec = self.question.spec.clone();
        let (first, last) = (*LEVELS.start(), *LEVELS.end());
        let level = first + (self.rng.unit() * f64::from(last - first + 1)) as u8;
        while spec.moves.len() < GAME_LEN_MAX {
            let seed = Some((self.rng.unit() * f64::from(u32::MAX)) as u64);
            let question = HintQuestion { level, seed, detail: Detail::Move, ..HintQuestion::new(spec.clone()) };
            match self.call.hint(&question).await {
                Ok(hints) => spec.moves.extend(hints.hints.first().map(|hint| hint.mv.clone())),
                Err(Interrupted::By(EngineError::GameOver { .. })) => break,
                Err(interrupted) => return Err(interrupted),
            }
        }
        let n_moves = spec.moves.len();
        let looked_at = (n_moves.saturating_sub(PLIES_LOOKED_AT)..n_moves).rev();
        let before = |move_idx: usize| PositionSpec { moves: spec.moves[..move_idx].to_vec(), ..spec.clone() };
        self.candidates.extend(looked_at.map(|move_idx| (before(move_idx), None)));
        Ok(())
    }

    /// Returns the puzzle of a position, if it is one and was not found before.
    async fn look_at(&mut self, spec: PositionSpec) -> Result<Option<Puzzle>, Interrupted> {
        let question = &HintQuestion { limits: self.limits(), ..HintQuestion::new(spec.clone()) };
        let hints = self.call.hint(question).await?;
        let Some(plies) = self.plies_to_win(&hints) else { return Ok(None) };
        let canonical =
            self.call.rules(|engine, caller| async move { engine.canonical_position(question, &caller).await }).await?;
        if !self.seen.insert(canonical) {
            return Ok(None);
        }
        let solve = &SolveQuestion { spec, plies };
        let solution = self.call.rules(|engine, caller| async move { engine.solve(solve, &caller).await }).await?;
        let Some(solution) = solution else { return Ok(None) };
        let Solution { first_moves, lines, n_other_moves } = solution;
        let winning = hints.hints.iter().find(|hint| first_moves.contains(&hint.mv));
        let theme = winning.and_then(|hint| hint.reasons.first()).map(|reason| reason.code.clone()).unwrap_or_default();
        if !self.question.theme.is_empty() && theme != self.question.theme {
            return Ok(None);
        }
        let n_plausible = self.n_plausible(question, &first_moves, n_other_moves).await?;
        Ok(Some(Puzzle {
            position: hints.position,
            to_move: hints.to_move,
            solutions: lines,
            theme,
            difficulty: difficulty(plies, n_plausible),
            plies_to_end: plies,
            first_moves,
            move_idx: None,
            key: hints.key,
        }))
    }

    /// Returns the plies of a proven win, if they are within the requested range.
    fn plies_to_win(&self, hints: &Hints) -> Option<u32> {
        let evaluation = &hints.evaluation;
        let is_won = evaluation.certainty == Certainty::Proven && evaluation.scores[hints.to_move] >= 1.0;
        let (min, max) = self.plies;
        evaluation.plies_to_end.filter(|plies| is_won && (min..=max).contains(plies))
    }

    /// Counts distinct moves that look at least even and do not win in time.
    async fn n_plausible(
        &self,
        question: &HintQuestion,
        first_moves: &[String],
        n_other_moves: usize,
    ) -> Result<usize, Interrupted> {
        let count = n_other_moves.min(self.call.engine.config().hints_max);
        if count == 0 {
            return Ok(0);
        }
        let limits = QuestionLimits { depth: Some(PLAUSIBLE_DEPTH), ..question.limits };
        let question = HintQuestion { limits, count, detail: Detail::Nudge, ..question.clone() };
        let others = self.call.hint(&question.without(first_moves.to_vec())).await?;
        let is_plausible = |score: f64| score >= 0.5;
        Ok(others.hints.iter().filter(|hint| is_plausible(hint.evaluation.scores[others.to_move])).count())
    }

    fn limits(&self) -> QuestionLimits {
        bounded_limits(self.question.limits, &self.call.engine.config())
    }
}
