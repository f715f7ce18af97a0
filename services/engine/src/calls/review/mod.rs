//! Reviews a whole game, move by move.
//!
//! Moves are judged from the last to the first, so that proofs about a position are known when the move that
//! led to it is judged. For each move there are up to four searches:
//!
//! 1. of all moves, for the best one, with the limits of the question: a review knows whatever a hint with
//!    the same limits knows;
//! 2. of the best move and the played one alone, so that the compared values come from the same search; or,
//!    if the best one was played, of all others, to see whether it was the only one;
//! 3. of the position after the best move, if only the one after the played move is proven;
//! 4. of a sample of the moves, not deep, for the expected loss of a random mover.
//!
//! `services/REVIEW.md` has the definitions for users.

mod choices;
mod label;
mod record;
mod totals;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use pentad_model::Reason;
use pentad_model::{Evaluation, Wdl};

pub use label::MoveLabel;
pub use totals::{ReviewSummary, SeatReview};

use crate::answer::{Hint, Hints, VariantRef};
use crate::calls::long_call::{Interrupted, LongCall};
use crate::engine::Engine;
use crate::error::EngineError;
use crate::field::Field;
use crate::question::{Caller, Detail, HintQuestion, PositionSpec, QuestionLimits, bounded_limits, check_limits};
use crate::search::root_moves::GROUPED_MOVES_MAX;
pub(crate) use choices::{ChoiceList, Choices, choices, long_choices};
use label::{Judgement, Thresholds, is_proven};
pub(crate) use record::GameRecord;
use totals::{MoveResult, Totals};

/// Fractions of the limits: best-move search, comparison, sample.
const SHARES: [f64; 3] = [1.0, 0.4, 0.2];
/// Sum of the fractions.
const SHARES_SUM: f64 = SHARES[0] + SHARES[1] + SHARES[2];
/// Depth of the sample's search: enough to see what a careless move loses.
const SAMPLE_DEPTH_MAX: u32 = 3;

/// Which game to review.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReviewQuestion {
    /// The position that the game began with, and its moves.
    pub spec: PositionSpec,
    /// Limits of the search for the best move before each move; comparing takes up to 0.6 of them again.
    pub limits: QuestionLimits,
    /// Time limit of the whole review. What one move does not need is left to the others.
    pub total_time: Option<Duration>,
    /// Indices of the moves to review; empty for all.
    pub turns: Vec<usize>,
}

impl ReviewQuestion {
    /// Checks what can be checked without the rules.
    pub(crate) fn check(&self) -> Result<(), EngineError> {
        if self.total_time == Some(Duration::ZERO) {
            return Err(EngineError::bad_argument(Field::TotalTime, "must be at least 1"));
        }
        check_limits(self.limits)
    }

    /// Checks that every turn is a move of the game, and is chosen once.
    pub(crate) fn check_turns(&self, n_moves: usize) -> Result<(), EngineError> {
        let bad = |idx, message: String| Err(EngineError::bad_argument(Field::Turns.item(idx), message));
        for (idx, &turn) in self.turns.iter().enumerate() {
            if turn >= n_moves {
                let last = n_moves.checked_sub(1);
                let known =
                    last.map_or("there are no moves".to_owned(), |last| format!("the last move has index {last}"));
                return bad(idx, format!("there is no move {turn}: {known}"));
            }
            if self.turns[..idx].contains(&turn) {
                return bad(idx, format!("{turn} is given twice"));
            }
        }
        Ok(())
    }
}

/// Message of a review.
#[derive(Clone, Debug)]
pub enum ReviewUpdate {
    /// One judged move. They come from the last to the first.
    Move(Box<ReviewedMove>),
    /// Progress so far.
    Progress(ReviewProgress),
    /// The last message.
    Summary(ReviewSummary),
}

/// A judged move.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewedMove {
    /// Index among the game's moves, from 0.
    pub move_idx: usize,
    /// Seat number.
    pub seat: usize,
    /// Canonical notation.
    pub mv: String,
    /// The move in a player's words; empty if there are none.
    pub mv_text: String,
    /// Part of the mover's expected score that the move gave away.
    pub loss: f64,
    /// Difference between searches about the values that `loss` compares; 0 for proven ones.
    pub noise: f64,
    /// `None` if the loss is below the noise of the searches.
    pub label: Option<MoveLabel>,
    /// Value of the best move in the position before the move.
    pub before: Evaluation,
    /// Value of the played move in that position.
    pub after: Evaluation,
    /// The best move.
    pub best_move: String,
    /// The best move in a player's words; empty if there are none.
    pub best_move_text: String,
    /// Expected play, the best move first.
    pub best_line: Vec<String>,
    /// The reply that punishes a bad move; empty for others.
    pub reply: String,
    /// The reply in a player's words; empty if there are none.
    pub reply_text: String,
    /// Why the played move is good or bad.
    pub reasons: Vec<Reason>,
}

/// Progress of a review.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewProgress {
    /// Moves judged.
    pub done: usize,
    /// Moves of the game.
    pub total: usize,
    /// Expected time to the end, by the time that the moves so far have taken.
    pub time_left: Duration,
    /// Summary of the moves so far.
    pub summary: ReviewSummary,
}

/// A stream of judgements. Dropping it ends its searches.
pub struct Review {
    call: LongCall,
    question: ReviewQuestion,
    variant: VariantRef,
    record: GameRecord,
    /// Indices of the moves still to be judged, ascending; the last one is next.
    left: Vec<usize>,
    n_total: usize,
    /// What is known about the position before the move with that index, which was judged last.
    known: Option<(usize, KnownPosition)>,
    totals: Totals,
    waiting: VecDeque<ReviewUpdate>,
    is_over: bool,
}

/// What is known about a position.
#[derive(Clone, Debug, Default)]
struct KnownPosition {
    evaluation: Option<Evaluation>,
    /// Empty if the game is over or nothing was searched.
    best_move: String,
}

impl std::fmt::Debug for Review {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Review").field("game", &self.question.spec.game).finish_non_exhaustive()
    }
}

impl Review {
    pub(crate) fn new(
        engine: Arc<Engine>,
        question: ReviewQuestion,
        caller: Caller,
        variant: VariantRef,
        record: GameRecord,
    ) -> Self {
        let left = chosen_turns(&question, record.moves.len());
        let sides = variant.seats.iter().map(|seat| seat.side).collect();
        let totals = Totals::new(sides, variant.n_sides, record.moves.len(), left.len());
        Review {
            // A second review of the same game needs no search.
            // The time of the whole review is divided among its moves.
            call: LongCall::new(engine, Caller { keeps_estimates: true, ..caller }, None),
            totals,
            question,
            variant,
            record,
            n_total: left.len(),
            left,
            known: None,
            waiting: VecDeque::new(),
            is_over: false,
        }
    }

    /// Returns the variant with the seats.
    pub fn variant(&self) -> &VariantRef {
        &self.variant
    }

    /// Returns the limits of the searches for the next move; `None` if none is left to be judged.
    pub fn next_limits(&self) -> Option<QuestionLimits> {
        let last = self.left.len().checked_sub(1).filter(|_| self.waiting.is_empty() && !self.is_over)?;
        Some(share_of(self.move_limits(), self.shares_of(last)))
    }

    /// Returns the next message; the last one is a summary. `None` after that, or after an error.
    pub async fn next(&mut self) -> Option<Result<ReviewUpdate, EngineError>> {
        if let Some(update) = self.waiting.pop_front() {
            return Some(Ok(update));
        }
        if self.is_over {
            return None;
        }
        match self.judge_next().await {
            Ok(Some(reviewed)) => {
                self.waiting.push_back(ReviewUpdate::Progress(self.progress()));
                Some(Ok(ReviewUpdate::Move(Box::new(reviewed))))
            }
            Ok(None) | Err(Interrupted::OutOfTime) => {
                self.is_over = true;
                Some(Ok(ReviewUpdate::Summary(self.summary())))
            }
            Err(Interrupted::By(error)) => {
                self.is_over = true;
                Some(Err(error))
            }
        }
    }

    fn summary(&self) -> ReviewSummary {
        self.totals.summary().clone()
    }

    fn progress(&self) -> ReviewProgress {
        let total = self.n_total;
        let done = total - self.left.len();
        let per_move = self.call.elapsed() / u32::try_from(done.max(1)).unwrap_or(u32::MAX);
        let time_left = per_move.saturating_mul(u32::try_from(self.left.len()).unwrap_or(u32::MAX));
        ReviewProgress { done, total, time_left, summary: self.summary() }
    }

    /// Judges the last of the moves that are left.
    async fn judge_next(&mut self) -> Result<Option<ReviewedMove>, Interrupted> {
        let Some(&move_idx) = self.left.last() else { return Ok(None) };
        if !self.is_known(move_idx + 1) {
            let position = self.position_before(move_idx + 1).await?;
            if let Some(evaluation) = &position.evaluation {
                self.totals.set_scores(move_idx + 1, evaluation.scores);
            }
            self.known = Some((move_idx + 1, position));
        }
        let judged = self.judge(move_idx).await?;
        let JudgedMove { mut reviewed, stake, position } = judged;
        self.say(&mut reviewed).await?;
        self.left.pop();
        self.known = Some((move_idx, position));
        let result = MoveResult {
            move_idx,
            seat: reviewed.seat,
            label: reviewed.label,
            loss: reviewed.loss,
            noise: reviewed.noise,
            stake,
            before: reviewed.before,
            after: reviewed.after,
        };
        self.totals.add(&result);
        Ok(Some(reviewed))
    }

    /// Sets the words for the moves of a judgement.
    async fn say(&self, reviewed: &mut ReviewedMove) -> Result<(), Interrupted> {
        let moves = [&reviewed.mv, &reviewed.best_move, &reviewed.reply].map(String::clone).to_vec();
        let (caller, spec) = (self.call.caller(), self.spec_before(reviewed.move_idx));
        let words = self.call.engine.move_words(&spec, moves, &caller).await?;
        let text = |mv: &str| words.alone(caller.language, &self.variant, mv);
        reviewed.mv_text = text(&reviewed.mv);
        reviewed.best_move_text = text(&reviewed.best_move);
        reviewed.reply_text = text(&reviewed.reply);
        Ok(())
    }

    /// Whether the position before a move, or after the last one, was evaluated when the move before it was
    /// to be judged.
    fn is_known(&self, move_idx: usize) -> bool {
        self.known.as_ref().is_some_and(|(known_idx, _)| *known_idx == move_idx)
    }

    /// Returns what is known about the position after the move that is judged.
    fn next_position(&self) -> &KnownPosition {
        const NOTHING: &KnownPosition = &KnownPosition { evaluation: None, best_move: String::new() };
        self.known.as_ref().map_or(NOTHING, |(_, position)| position)
    }

    /// Evaluates the position before a move, or after the last one.
    async fn position_before(&self, move_idx: usize) -> Result<KnownPosition, Interrupted> {
        if let Some(outcome) = self.record.outcome.as_ref().filter(|_| move_idx == self.record.moves.len()) {
            let wdl = (self.variant.n_sides == 2).then(|| Wdl::of_score(outcome.scores[self.record.to_move]));
            let evaluation = Some(Evaluation::terminal(outcome.scores, wdl));
            return Ok(KnownPosition { evaluation, best_move: String::new() });
        }
        let [share, ..] = SHARES;
        let found = self.search(move_idx, share, |question| question).await?;
        Ok(KnownPosition { evaluation: Some(found.evaluation), best_move: best_hint(&found)?.mv.clone() })
    }

    async fn judge(&self, move_idx: usize) -> Result<JudgedMove, Interrupted> {
        let seat = self.record.moves[move_idx].seat;
        let mv = self.record.moves[move_idx].mv.clone();
        let choices = self.choices(move_idx).await?;
        if choices.count == 1
            && let Some(later) = self.next_position().evaluation
        {
            return Ok(self.forced(move_idx, &later));
        }
        let [of_all, compared, sampled] = SHARES;
        let later_is_proven = self.next_position().evaluation.as_ref().is_some_and(is_proven);
        let found = self.search(move_idx, of_all, |question| question).await?;
        // A search that solves the position can also value the played move.
        let compared = if is_proven(&found.evaluation) { of_all } else { compared };
        let best = best_hint(&found)?.clone();
        let is_best = best.mv == mv || best.equivalents.contains(&mv);
        let mut candidates = Candidates { seat, best: best.clone(), played: best.clone(), is_best, noise: 0.0 };
        let mut is_only = false;
        if is_best {
            if best.mv != mv {
                // In the orientation in which it was played.
                let shown = self.search(move_idx, sampled, |it| it.only(vec![mv.clone()])).await?;
                candidates.best = Hint { evaluation: best.evaluation, ..best_hint(&shown)?.clone() };
                candidates.played = candidates.best.clone();
            }
            if (2..=GROUPED_MOVES_MAX).contains(&choices.count) {
                let avoided = std::iter::once(&best.mv).chain(&best.equivalents).cloned().collect();
                let others = self.search(move_idx, compared, |it| it.without(avoided)).await?;
                is_only = self.is_only(seat, &best.evaluation, &best_hint(&others)?.evaluation);
            }
        } else {
            let pair = vec![best.mv.clone(), mv.clone()];
            let pair = self.search(move_idx, compared, |it| HintQuestion { count: 2, ..it.only(pair) }).await?;
            let of = |wanted: &str| pair.hints.iter().find(|hint| hint.mv == wanted || is_equivalent(hint, wanted));
            if let (Some(best_again), Some(played)) = (of(&best.mv), of(&mv)) {
                candidates.compare(&found.evaluation, best_again, played);
            }
        }
        candidates.apply_later(self.next_position().evaluation.as_ref(), self.variant.n_sides);
        if later_is_proven && !candidates.is_best && !is_proven(&candidates.best.evaluation) {
            let after_best = self.after_best(move_idx, &candidates.best.mv).await?;
            candidates.apply_after_best(after_best.as_ref(), self.variant.n_sides);
        }
        let stake = self.stake(move_idx, &choices, &candidates).await?;
        Ok(self.judged(move_idx, candidates, is_only, stake))
    }

    /// Evaluates the position after the best move with the effort that the one after the played move had: a
    /// proof about one of them is not comparable with an estimate of the other. `None` if the game is over
    /// there.
    async fn after_best(&self, move_idx: usize, best_move: &str) -> Result<Option<Evaluation>, Interrupted> {
        let mut spec = self.spec_before(move_idx);
        spec.moves.push(best_move.to_owned());
        let limits = share_of(self.move_limits(), 1.0);
        self.call.evaluate(&HintQuestion { limits, ..HintQuestion::new(spec) }).await
    }

    fn judged(&self, move_idx: usize, candidates: Candidates, is_only: bool, stake: f64) -> JudgedMove {
        let Candidates { seat, best, played, is_best, noise } = candidates;
        let (before, after) = (best.evaluation, played.evaluation);
        let judgement = Judgement { seat, before, after, is_forced: false, is_best, is_only, noise };
        let label = judgement.label(Thresholds::new(self.variant.n_sides));
        let is_bad = label.is_some_and(MoveLabel::is_bad);
        // The reply that is proven to punish the move is the one that its reasons name.
        let expected = played.line.get(1).filter(|_| is_proven(&after));
        let reply = expected.unwrap_or(&self.next_position().best_move);
        let reply = if is_bad { reply.clone() } else { String::new() };
        let reviewed = ReviewedMove {
            move_idx,
            seat,
            mv: self.record.moves[move_idx].mv.clone(),
            mv_text: String::new(),
            loss: judgement.loss(),
            noise,
            label,
            before,
            after,
            best_move: best.mv.clone(),
            best_move_text: String::new(),
            best_line: best.line,
            reply,
            reply_text: String::new(),
            reasons: played.reasons,
        };
        let position = KnownPosition { evaluation: Some(before), best_move: best.mv };
        JudgedMove { reviewed, stake, position }
    }

    /// Judges a move without an alternative by the position after it.
    fn forced(&self, move_idx: usize, later: &Evaluation) -> JudgedMove {
        let played = &self.record.moves[move_idx];
        let evaluation = one_ply_earlier(later, played.seat, self.variant.n_sides);
        let mut line = vec![played.mv.clone()];
        line.extend(Some(self.next_position().best_move.clone()).filter(|mv| !mv.is_empty()));
        let reviewed = ReviewedMove {
            move_idx,
            seat: played.seat,
            mv: played.mv.clone(),
            mv_text: String::new(),
            loss: 0.0,
            noise: 0.0,
            label: Some(MoveLabel::Forced),
            before: evaluation,
            after: evaluation,
            best_move: played.mv.clone(),
            best_move_text: String::new(),
            best_line: line,
            reply: String::new(),
            reply_text: String::new(),
            reasons: Vec::new(),
        };
        let position = KnownPosition { evaluation: Some(evaluation), best_move: played.mv.clone() };
        JudgedMove { reviewed, stake: 0.0, position }
    }

    /// Whether any other move gives away as much as a blunder does.
    fn is_only(&self, seat: usize, best: &Evaluation, other: &Evaluation) -> bool {
        let (best_score, other_score) = (best.scores[seat], other.scores[seat]);
        let is_lost = is_proven(other) && other_score <= 0.0 && best_score > 0.0;
        is_lost || best_score - other_score >= Thresholds::new(self.variant.n_sides).blunder
    }

    /// Returns the expected loss of a random mover. The sample and the best move are valued by one search: a
    /// shallow search often likes all moves more, or less, than a deep one, and that difference is no loss.
    async fn stake(&self, move_idx: usize, choices: &Choices, candidates: &Candidates) -> Result<f64, Interrupted> {
        let Candidates { seat, best, .. } = candidates;
        let is_lost = is_proven(&best.evaluation) && best.evaluation.scores[*seat] <= 0.0;
        if is_lost || choices.sample.len() < 2 {
            return Ok(0.0);
        }
        let mut moves = choices.sample.clone();
        if !moves.contains(&best.mv) {
            moves.push(best.mv.clone());
        }
        let [.., share] = SHARES;
        let sampled = self.search(move_idx, share, |question| {
            let depth = question.limits.depth.map_or(SAMPLE_DEPTH_MAX, |depth| depth.min(SAMPLE_DEPTH_MAX));
            let limits = QuestionLimits { depth: Some(depth), ..question.limits };
            HintQuestion { limits, policy: true, detail: Detail::Move, ..question.only(moves) }
        });
        let valued = sampled.await?.policy;
        let score = |mv: &String| {
            let found = valued.iter().find(|it| it.mv == *mv || it.equivalents.contains(mv));
            found.map(|it| it.evaluation.scores[*seat])
        };
        let best_score = score(&best.mv).unwrap_or(best.evaluation.scores[*seat]);
        Ok(mean_loss(best_score, choices.sample.iter().filter_map(score)))
    }

    async fn choices(&self, move_idx: usize) -> Result<Choices, Interrupted> {
        let spec = &self.spec_before(move_idx);
        self.call.rules(|engine, caller| async move { engine.choices(spec, &caller).await }).await
    }

    /// Searches the position before a move with a share of its limits.
    async fn search(
        &self,
        move_idx: usize,
        share: f64,
        specialize: impl FnOnce(HintQuestion) -> HintQuestion,
    ) -> Result<Hints, Interrupted> {
        let question = HintQuestion {
            limits: share_of(self.move_limits(), share),
            ..HintQuestion::new(self.spec_before(move_idx))
        };
        self.call.hint(&specialize(question)).await
    }

    fn spec_before(&self, move_idx: usize) -> PositionSpec {
        let moves = self.record.moves[..move_idx].iter().map(|played| played.mv.clone()).collect();
        PositionSpec { moves, ..self.question.spec.clone() }
    }

    /// Returns how often the searches for a move that is left take its limits.
    fn shares_of(&self, left_idx: usize) -> f64 {
        let after = self.left[left_idx] + 1;
        let is_over = after == self.record.moves.len() && self.record.outcome.is_some();
        let is_known = is_over || self.is_known(after) || self.left.get(left_idx + 1) == Some(&after);
        // The position after it is searched, too.
        if is_known { SHARES_SUM } else { SHARES_SUM + SHARES[0] }
    }

    /// Returns the limits of the search for the best move before the next one.
    fn move_limits(&self) -> QuestionLimits {
        let config = self.call.engine.config();
        let limits = bounded_limits(self.question.limits, &config);
        let Some(total) = self.question.total_time else { return limits };
        let shares: f64 = (0..self.left.len()).map(|idx| self.shares_of(idx)).sum();
        let left = total.saturating_sub(self.call.elapsed()).div_f64(shares.max(1.0));
        let left = left.max(Duration::from_millis(1));
        // Without limits of its own, a move has what the whole leaves to it.
        let has_limits = self.question.limits != QuestionLimits::default();
        let time = limits.time.filter(|_| has_limits).map_or(left, |time| time.min(left));
        QuestionLimits { time: Some(time.min(config.time_max)), ..limits }
    }
}

/// A judged move, and what is known about the position before it.
struct JudgedMove {
    reviewed: ReviewedMove,
    stake: f64,
    position: KnownPosition,
}

/// The best move and the played one.
struct Candidates {
    seat: usize,
    best: Hint,
    played: Hint,
    is_best: bool,
    noise: f64,
}

impl Candidates {
    /// Applies the values of a search that compared the two moves. `of_all` is the result of the search of
    /// all moves.
    fn compare(&mut self, of_all: &Evaluation, best: &Hint, played: &Hint) {
        let seat = self.seat;
        let first = *of_all;
        self.noise = (first.scores[seat] - best.evaluation.scores[seat]).abs();
        self.played = played.clone();
        if is_proven(&first) {
            // Proofs stay.
            self.noise = 0.0;
            self.played.evaluation = not_above(played.evaluation, &first, seat);
        } else {
            self.best.evaluation = best.evaluation;
        }
        self.prefer_played();
    }

    /// Applies what is known about the position after the played move. Its estimate comes from another search
    /// and shows only by how much searches disagree.
    fn apply_later(&mut self, later: Option<&Evaluation>, n_sides: usize) {
        let Some(later) = later else { return };
        let seat = self.seat;
        let difference = (later.scores[seat] - self.played.evaluation.scores[seat]).abs();
        if !is_proven(later) {
            if !is_proven(&self.played.evaluation) {
                self.noise = self.noise.max(difference);
            }
            return;
        }
        self.noise = if is_proven(&self.best.evaluation) { 0.0 } else { self.noise };
        let known = one_ply_earlier(later, seat, n_sides);
        let is_shorter =
            |known: &Evaluation, other: &Evaluation| known.plies_to_end.is_some() && other.plies_to_end.is_none();
        if !is_proven(&self.played.evaluation) || is_shorter(&known, &self.played.evaluation) {
            self.played.evaluation = known;
        }
        if self.is_best && !is_proven(&self.best.evaluation) {
            // The best move is worth that; whether another is worth more is not proven,
            // unless nothing is.
            let is_won = known.scores[seat] >= 1.0;
            self.best.evaluation = if is_won { known } else { known.as_estimate() };
            self.played.evaluation = known;
        }
        self.prefer_played();
    }

    /// Applies what is proven about the position after the best move.
    fn apply_after_best(&mut self, after: Option<&Evaluation>, n_sides: usize) {
        let Some(after) = after.filter(|after| is_proven(after)) else { return };
        let known = one_ply_earlier(after, self.seat, n_sides);
        // Whether another move is worth more is not proven, unless nothing is.
        let is_won = known.scores[self.seat] >= 1.0;
        self.best.evaluation = if is_won { known } else { known.as_estimate() };
        self.noise = 0.0;
        self.prefer_played();
    }

    /// Makes the played move the best one if it is worth more.
    fn prefer_played(&mut self) {
        let (best, played) = (&self.best.evaluation, &self.played.evaluation);
        let (best_score, played_score) = (best.scores[self.seat], played.scores[self.seat]);
        let wins = is_proven(played) && played_score >= 1.0;
        if self.is_best || is_proven(best) || !(wins || played_score >= best_score) {
            return;
        }
        self.is_best = true;
        self.best = Hint {
            evaluation: if wins || !is_proven(played) { *played } else { played.as_estimate() },
            ..self.played.clone()
        };
    }
}

/// Returns the mean of what moves with these scores give away.
fn mean_loss(best: f64, scores: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = scores.fold((0.0, 0_u32), |(sum, count), score| (sum + (best - score).max(0.0), count + 1));
    sum / f64::from(count.max(1))
}

/// Returns the indices of the moves to review, ascending.
fn chosen_turns(question: &ReviewQuestion, n_moves: usize) -> Vec<usize> {
    let mut turns = if question.turns.is_empty() { (0..n_moves).collect() } else { question.turns.clone() };
    turns.sort_unstable();
    turns
}

fn best_hint(found: &Hints) -> Result<&Hint, EngineError> {
    let message = || "a search named no move".to_owned();
    found.hints.first().ok_or_else(|| EngineError::Internal { message: message() })
}

fn is_equivalent(hint: &Hint, mv: &str) -> bool {
    hint.equivalents.iter().any(|other| other == mv)
}

/// Bounds the estimate of a move by what is proven of the position.
fn not_above(evaluation: Evaluation, proven: &Evaluation, seat: usize) -> Evaluation {
    if is_proven(&evaluation) || evaluation.scores[seat] <= proven.scores[seat] {
        return evaluation;
    }
    Evaluation { scores: proven.scores, ..evaluation }
}

/// Returns the value of a position for the seat that moved there.
fn one_ply_earlier(later: &Evaluation, seat: usize, n_sides: usize) -> Evaluation {
    Evaluation {
        outcome: (n_sides == 2 && is_proven(later)).then(|| Wdl::of_score(later.scores[seat])),
        plies_to_end: later.plies_to_end.map(|plies| plies + 1),
        depth: later.depth + 1,
        ..*later
    }
}

/// Returns a fraction of the limits, at least 1 ms and one node.
fn share_of(limits: QuestionLimits, share: f64) -> QuestionLimits {
    QuestionLimits {
        time: limits.time.map(|time| time.mul_f64(share).max(Duration::from_millis(1))),
        nodes: limits.nodes.map(|nodes| ((nodes as f64 * share) as u64).max(1)),
        depth: limits.depth,
    }
}
