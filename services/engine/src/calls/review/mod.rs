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
use pentad_model::{Evaluation, Scores, Wdl};

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
}

impl ReviewQuestion {
    /// Checks what can be checked without the rules.
    pub(crate) fn check(&self) -> Result<(), EngineError> {
        if self.total_time == Some(Duration::ZERO) {
            return Err(EngineError::bad_argument(Field::TotalTime, "must be at least 1"));
        }
        check_limits(self.limits)
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
    /// Part of the mover's expected score that the move gave away.
    pub loss: f64,
    /// `None` if the loss is below the noise of the searches.
    pub label: Option<MoveLabel>,
    /// Value of the best move in the position before the move.
    pub before: Evaluation,
    /// Value of the played move in that position.
    pub after: Evaluation,
    /// The best move.
    pub best_move: String,
    /// Expected play, the best move first.
    pub best_line: Vec<String>,
    /// The reply that punishes a bad move; empty for others.
    pub reply: String,
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
    /// Number of moves still to be judged: the first ones.
    n_left: usize,
    /// The position after the move that is judged next.
    next_position: KnownPosition,
    totals: Option<Totals>,
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
        let n_left = record.moves.len();
        Review {
            // A second review of the same game needs no search.
            // The time of the whole review is divided among its moves.
            call: LongCall::new(engine, Caller { keeps_estimates: true, ..caller }, None),
            question,
            variant,
            record,
            n_left,
            next_position: KnownPosition::default(),
            totals: None,
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
        let is_searching = self.waiting.is_empty() && !self.is_over && self.n_left > 0;
        is_searching.then(|| share_of(self.move_limits(), SHARES_SUM))
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
        self.totals.as_ref().map_or_else(|| self.new_totals(None).summary().clone(), |it| it.summary().clone())
    }

    fn new_totals(&self, last: Option<Scores>) -> Totals {
        let sides = self.variant.seats.iter().map(|seat| seat.side).collect();
        Totals::new(sides, self.variant.n_sides, self.record.moves.len(), last)
    }

    fn progress(&self) -> ReviewProgress {
        let total = self.record.moves.len();
        let done = total - self.n_left;
        let per_move = self.call.elapsed() / u32::try_from(done.max(1)).unwrap_or(u32::MAX);
        let time_left = per_move.saturating_mul(u32::try_from(self.n_left).unwrap_or(u32::MAX));
        ReviewProgress { done, total, time_left, summary: self.summary() }
    }

    /// Judges the last of the moves that are left.
    async fn judge_next(&mut self) -> Result<Option<ReviewedMove>, Interrupted> {
        if self.totals.is_none() {
            self.next_position = self.last_position().await?;
            self.totals = Some(self.new_totals(self.next_position.evaluation.map(|it| it.scores)));
        }
        let Some(move_idx) = self.n_left.checked_sub(1) else { return Ok(None) };
        let judged = self.judge(move_idx).await?;
        self.n_left = move_idx;
        let JudgedMove { reviewed, stake, position } = judged;
        self.next_position = position;
        let result = MoveResult {
            move_idx,
            seat: reviewed.seat,
            label: reviewed.label,
            loss: reviewed.loss,
            stake,
            before: reviewed.before,
            after: reviewed.after,
        };
        self.totals.as_mut().expect("made before the first move").add(&result);
        Ok(Some(reviewed))
    }

    /// Returns what is known about the position after the last move.
    async fn last_position(&self) -> Result<KnownPosition, Interrupted> {
        if let Some(outcome) = &self.record.outcome {
            let wdl = (self.variant.n_sides == 2).then(|| Wdl::of_score(outcome.scores[self.record.to_move]));
            let evaluation = Some(Evaluation::terminal(outcome.scores, wdl));
            return Ok(KnownPosition { evaluation, best_move: String::new() });
        }
        if self.record.moves.is_empty() {
            return Ok(KnownPosition::default());
        }
        let [share, ..] = SHARES;
        let found = self.search(self.record.moves.len(), share, |question| question).await?;
        Ok(KnownPosition { evaluation: Some(found.evaluation), best_move: best_hint(&found)?.mv.clone() })
    }

    async fn judge(&self, move_idx: usize) -> Result<JudgedMove, Interrupted> {
        let seat = self.record.moves[move_idx].seat;
        let mv = self.record.moves[move_idx].mv.clone();
        let choices = self.choices(move_idx).await?;
        if choices.count == 1
            && let Some(later) = self.next_position.evaluation
        {
            return Ok(self.forced(move_idx, &later));
        }
        let [of_all, compared, sampled] = SHARES;
        let later_is_proven = self.next_position.evaluation.as_ref().is_some_and(is_proven);
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
        candidates.apply_later(self.next_position.evaluation.as_ref(), self.variant.n_sides);
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
        let reply = expected.unwrap_or(&self.next_position.best_move);
        let reply = if is_bad { reply.clone() } else { String::new() };
        let reviewed = ReviewedMove {
            move_idx,
            seat,
            mv: self.record.moves[move_idx].mv.clone(),
            loss: judgement.loss(),
            label,
            before,
            after,
            best_move: best.mv.clone(),
            best_line: best.line,
            reply,
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
        line.extend(Some(self.next_position.best_move.clone()).filter(|mv| !mv.is_empty()));
        let reviewed = ReviewedMove {
            move_idx,
            seat: played.seat,
            mv: played.mv.clone(),
            loss: 0.0,
            label: Some(MoveLabel::Forced),
            before: evaluation,
            after: evaluation,
            best_move: played.mv.clone(),
            best_line: line,
            reply: String::new(),
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

    /// Returns the expected loss of a random mover.
    async fn stake(&self, move_idx: usize, choices: &Choices, candidates: &Candidates) -> Result<f64, Interrupted> {
        let best = candidates.best.evaluation.scores[candidates.seat];
        let is_lost = is_proven(&candidates.best.evaluation) && best <= 0.0;
        if is_lost || choices.sample.len() < 2 {
            return Ok(0.0);
        }
        let [.., share] = SHARES;
        let sampled = self.search(move_idx, share, |question| {
            let depth = question.limits.depth.map_or(SAMPLE_DEPTH_MAX, |depth| depth.min(SAMPLE_DEPTH_MAX));
            let limits = QuestionLimits { depth: Some(depth), ..question.limits };
            let count = choices.sample.len();
            // Without the reasons, which nobody reads.
            HintQuestion { limits, count, detail: Detail::Nudge, ..question.only(choices.sample.clone()) }
        });
        let hints = sampled.await?.hints;
        let lost = hints.iter().map(|hint| (best - hint.evaluation.scores[candidates.seat]).max(0.0));
        Ok(lost.sum::<f64>() / hints.len().max(1) as f64)
    }

    async fn choices(&self, move_idx: usize) -> Result<Choices, Interrupted> {
        let spec = self.spec_before(move_idx);
        self.call.rules(async |engine, caller| engine.choices(&spec, caller).await).await
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

    /// Returns the limits of the search for the best move before the next one.
    fn move_limits(&self) -> QuestionLimits {
        let config = self.call.engine.config();
        let limits = bounded_limits(self.question.limits, &config);
        let Some(total) = self.question.total_time else { return limits };
        let left = total.saturating_sub(self.call.elapsed()) / self.n_left.max(1) as u32;
        let left = left.div_f64(SHARES_SUM);
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
