//! Comparison of moves: the value of each, the reply, and where its line leaves the best line.
//!
//! The moves and the best one are searched together, so that their values can be compared. Reasons are facts:
//! where nothing is proven, no cause is given.

mod causes;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pentad_model::Reason;
use pentad_model::{Certainty, Evaluation};

use crate::answer::{Hint, Hints, VariantRef};
use crate::config::EngineConfig;
use crate::engine::Engine;
use crate::error::EngineError;
use crate::field::{Field, FieldMessage};
use crate::present::i18n;
use crate::present::move_words::named_moves;
use crate::question::{Caller, HintQuestion, PositionSpec, QuestionLimits, bounded_limits, check_limits};
use crate::resolve::position_key::PositionKey;
use crate::resolve::{ResolvedPosition, refused_move};
use crate::rules::job::{AboutPosition, CallContext};
use causes::Causes;

/// Least and most moves of a comparison.
const MOVES_MIN: usize = 2;
const MOVES_MAX: usize = 8;
/// Fraction of the time for the search of all moves; the rest is for the comparison.
const SHARE_OF_ALL: f64 = 0.4;
/// Time for the rest of a proven line that does not reach the end of the game.
const LINE_REST_TIME: Duration = Duration::from_millis(200);
/// Longest line.
const LINE_LEN_MAX: usize = 100;

/// Which moves to compare.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompareQuestion {
    /// The position.
    pub spec: PositionSpec,
    /// When to stop searching.
    pub limits: QuestionLimits,
    /// Two to eight different legal moves.
    pub moves: Vec<String>,
}

impl AboutPosition for CompareQuestion {
    fn position(&self) -> String {
        self.spec.to_log()
    }
}

/// Comparison of moves of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Compared moves, in the order of the question.
    pub moves: Vec<ComparedMove>,
    /// The best of all moves.
    pub best_move: String,
    /// The best move in a player's words; empty if there are none.
    pub best_move_text: String,
    /// Expected play, the best move first.
    pub best_line: Vec<String>,
    /// Value of the position itself.
    pub evaluation: Evaluation,
    /// In canonical form, after the moves.
    pub position: String,
    /// Equal for equal and symmetric positions of a variant.
    pub key: PositionKey,
    /// Seat number.
    pub to_move: usize,
    /// Variant with the seats and points.
    pub variant: VariantRef,
}

/// One compared move.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedMove {
    /// Canonical notation.
    pub mv: String,
    /// The move in a player's words; empty if there are none.
    pub mv_text: String,
    /// Value of the move.
    pub evaluation: Evaluation,
    /// Best reply; empty if the move ends the game.
    pub reply: String,
    /// The reply in a player's words; empty if there are none.
    pub reply_text: String,
    /// Expected play, the move itself first; to the end of the game for a proven win or loss.
    pub line: Vec<String>,
    /// Index into `line` from which it differs from the best line; `None` if it does not.
    pub differs_at: Option<usize>,
    /// Facts about the move; that its value is an estimate, where nothing is proven.
    pub reasons: Vec<Reason>,
}

impl CompareQuestion {
    fn check(&self) -> Result<(), EngineError> {
        let n_moves = self.moves.len();
        if (MOVES_MIN..=MOVES_MAX).contains(&n_moves) {
            return check_limits(self.limits);
        }
        let message = format!("{n_moves} moves are not between {MOVES_MIN} and {MOVES_MAX}");
        Err(EngineError::bad_argument(Field::CompareMoves, message))
    }
}

/// Returns the moves in canonical notation; refuses illegal and repeated ones.
pub(crate) fn canonical_moves(
    context: &CallContext<'_>,
    question: &CompareQuestion,
) -> Result<Vec<String>, EngineError> {
    let CallContext { game, variant, .. } = *context;
    let ResolvedPosition { position, .. } = ResolvedPosition::resolve(context, &question.spec)?;
    let mut first_idx: HashMap<String, usize> = HashMap::new();
    let mut moves = Vec::with_capacity(question.moves.len());
    for (move_idx, mv) in question.moves.iter().enumerate() {
        let refused = |error| refused_move(game, Field::CompareMoves, move_idx, mv, error);
        let canonical = game.ruleset.play(variant, &position, mv).map_err(refused)?.canonical;
        if let Some(first_idx) = first_idx.insert(canonical.clone(), move_idx) {
            let message = FieldMessage::from("the same move as ").field(Field::CompareMoves.item(first_idx));
            return Err(EngineError::bad_argument(Field::CompareMoves.item(move_idx), message));
        }
        moves.push(canonical);
    }
    Ok(moves)
}

/// Answers a comparison.
pub(crate) async fn compare(
    engine: &Arc<Engine>,
    question: &CompareQuestion,
    caller: &Caller,
) -> Result<Comparison, EngineError> {
    question.check()?;
    let moves = engine.canonical_moves(question, caller).await?;
    let comparing = Comparing { engine, question, caller, limits: limits(question, &engine.config(), caller) };
    let found = comparing.search(comparing.limits[0], |question| question).await?;
    let best = found.hints.first().cloned();
    let mut best = best.ok_or_else(|| EngineError::Internal { message: "a search named no move".to_owned() })?;
    let searched: Vec<String> =
        std::iter::once(&best.mv).filter(|mv| !moves.contains(mv)).chain(&moves).cloned().collect();
    let count = searched.len();
    let together = comparing.search(comparing.limits[1], |it| HintQuestion { count, ..it.only(searched) }).await?;
    let mut compared = Vec::with_capacity(moves.len());
    for mv in &moves {
        let hint = comparing.hint_of(mv, &together).await?;
        let hint = consistent(hint, &found, &best);
        compared.push(comparing.compared(hint).await?);
    }
    // The comparison searched fewer moves, and may have found that another is better.
    let is_estimate = found.evaluation.certainty == Certainty::Estimate;
    let mut evaluation = found.evaluation;
    if let Some(first) = together.hints.first().filter(|_| is_estimate) {
        best = if best.equivalents.contains(&first.mv) { best } else { first.clone() };
        evaluation = if is_proven_win(&first.evaluation, found.to_move) {
            first.evaluation
        } else {
            first.evaluation.as_estimate()
        };
    }
    let best_line = comparing.whole_line(&best).await?;
    let mut causes = Causes::new(engine, question, caller, found.to_move, evaluation.scores[found.to_move]);
    for it in &mut compared {
        it.differs_at = it.line.iter().zip(&best_line).position(|(a, b)| a != b);
        let given = causes.of(it).await?;
        it.reasons.extend(given);
    }
    let named = compared.iter().flat_map(|it| named_moves(&it.reasons).chain([it.mv.as_str(), it.reply.as_str()]));
    let named = named.chain([best.mv.as_str()]).map(str::to_owned).collect();
    let words = engine.move_words(&question.spec, named, caller).await?;
    for it in &mut compared {
        it.mv_text = words.alone(caller.language, &found.variant, &it.mv);
        it.reply_text = words.alone(caller.language, &found.variant, &it.reply);
        words.localise(caller.language, &found.variant, &mut it.reasons);
    }
    Ok(Comparison {
        moves: compared,
        best_move_text: words.alone(caller.language, &found.variant, &best.mv),
        best_move: best.mv,
        best_line,
        evaluation,
        position: found.position,
        key: found.key,
        to_move: found.to_move,
        variant: found.variant,
    })
}

/// Returns the limits of the search of all moves and of the comparison.
fn limits(question: &CompareQuestion, config: &EngineConfig, caller: &Caller) -> [QuestionLimits; 2] {
    let limits = bounded_limits(question.limits, config);
    let until_deadline = caller.deadline.map(|deadline| deadline.saturating_duration_since(caller.arrived));
    let time = [limits.time, until_deadline].into_iter().flatten().min();
    [SHARE_OF_ALL, 1.0 - SHARE_OF_ALL].map(|share| QuestionLimits {
        time: time.map(|time| time.mul_f64(share).max(Duration::from_millis(1))),
        nodes: limits.nodes.map(|nodes| ((nodes as f64 * share) as u64).max(1)),
        ..limits
    })
}

/// Bounds the estimate of a move by what is proven of the position.
fn consistent(hint: Hint, found: &Hints, best: &Hint) -> Hint {
    let seat = found.to_move;
    let is_best = hint.mv == best.mv || best.equivalents.contains(&hint.mv);
    let is_estimate = hint.evaluation.certainty == Certainty::Estimate;
    let proven = &found.evaluation;
    if proven.certainty == Certainty::Estimate || !is_estimate {
        return hint;
    }
    if is_best {
        return Hint {
            evaluation: *proven,
            line: if hint.mv == best.mv { best.line.clone() } else { hint.line },
            ..hint
        };
    }
    let is_above = hint.evaluation.scores[seat] > proven.scores[seat];
    let scores = if is_above { proven.scores } else { hint.evaluation.scores };
    Hint { evaluation: Evaluation { scores, ..hint.evaluation }, ..hint }
}

/// A comparison in progress.
struct Comparing<'a> {
    engine: &'a Arc<Engine>,
    question: &'a CompareQuestion,
    caller: &'a Caller,
    limits: [QuestionLimits; 2],
}

impl Comparing<'_> {
    async fn search(
        &self,
        limits: QuestionLimits,
        specialize: impl FnOnce(HintQuestion) -> HintQuestion,
    ) -> Result<Hints, EngineError> {
        let question = specialize(HintQuestion { limits, ..HintQuestion::new(self.question.spec.clone()) });
        self.engine.hint(&question, Caller { arrived: Instant::now(), ..self.caller.clone() }).await
    }

    /// Returns the result for a move; equivalent moves were searched once.
    async fn hint_of(&self, mv: &str, together: &Hints) -> Result<Hint, EngineError> {
        if let Some(hint) = together.hints.iter().find(|hint| hint.mv == mv) {
            return Ok(hint.clone());
        }
        let same = together.hints.iter().find(|hint| hint.equivalents.iter().any(|other| other == mv));
        let alone = self.search(self.limits[1], |question| question.only(vec![mv.to_owned()])).await?;
        let hint = alone.hints.into_iter().next();
        let hint = hint.ok_or_else(|| EngineError::Internal { message: format!("no value for {mv}") })?;
        Ok(Hint { evaluation: same.map_or(hint.evaluation, |same| same.evaluation), ..hint })
    }

    async fn compared(&self, hint: Hint) -> Result<ComparedMove, EngineError> {
        let line = self.whole_line(&hint).await?;
        let is_proven = hint.evaluation.certainty == Certainty::Proven;
        Ok(ComparedMove {
            reply: line.get(1).cloned().unwrap_or_default(),
            mv_text: String::new(),
            reply_text: String::new(),
            line,
            differs_at: None,
            reasons: if is_proven {
                hint.reasons
            } else {
                vec![i18n::reason_in(self.caller.language, "estimate", Vec::new())]
            },
            mv: hint.mv,
            evaluation: hint.evaluation,
        })
    }

    /// Returns the line of a move; to the end of the game if it is proven to win or lose.
    async fn whole_line(&self, hint: &Hint) -> Result<Vec<String>, EngineError> {
        let mut line = if hint.line.is_empty() { vec![hint.mv.clone()] } else { hint.line.clone() };
        let is_decided = hint.evaluation.certainty == Certainty::Proven
            && hint.evaluation.scores.as_slice().iter().any(|&score| score >= 1.0);
        while is_decided && line.len() < LINE_LEN_MAX {
            let mut spec = self.question.spec.clone();
            spec.moves.extend(line.iter().cloned());
            let limits = QuestionLimits { time: Some(LINE_REST_TIME), ..QuestionLimits::default() };
            let question = HintQuestion { limits, ..HintQuestion::new(spec) };
            let next = self.engine.hint(&question, Caller { arrived: Instant::now(), ..self.caller.clone() }).await;
            let next = match next {
                Ok(next) if next.evaluation.certainty == Certainty::Proven => next.hints.into_iter().next(),
                Ok(_) | Err(EngineError::GameOver { .. } | EngineError::Deadline | EngineError::Overloaded { .. }) => {
                    None
                }
                Err(error) => return Err(error),
            };
            let Some(next) = next else { break };
            line.extend(next.line);
        }
        Ok(line)
    }
}

fn is_proven_win(evaluation: &Evaluation, seat: usize) -> bool {
    evaluation.certainty == Certainty::Proven && evaluation.scores[seat] >= 1.0
}
