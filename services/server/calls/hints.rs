//! Hint: the best moves, with their values and reasons.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use pentad_engine as engine;
use pentad_engine::{Caller, Engine, EngineError, HintQuestion, QuestionLimits};
use pentad_host::Variant;
use pentad_model::Reason;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use utoipa::ToSchema;

use super::evaluation::{Evaluation, evaluation};
use super::limits::{Limits, limits};
use super::position::spec;
use super::wire::{FromProto, IntoProto, message, milliseconds, question, rounded, seat_id};
use super::{PositionCall, ask};
use crate::app::App;
use crate::error::ApiError;
use crate::proto;
use crate::rest::body::Json;
#[cfg(test)]
use crate::rest::docs::document::{Failures, HintParams, NotJson};
use crate::rest::middleware::RequestContext;
use crate::rest::query::Params;
use crate::rest::response::{self, CachePolicy};

/// A position to find the best moves of.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schema(example = json!({"moves": ["c3-2r"], "limits": {"timeMs": 500}, "count": 3})))]
pub struct HintsQuestion {
    /// Id of the variant; the game's first by default.
    pub variant: Option<String>,
    /// Position in the game's notation; the start by default.
    pub position: Option<String>,
    /// Moves played from the position; none by default.
    pub moves: Option<Vec<String>>,
    /// Limits of the search.
    #[serde(default, deserialize_with = "crate::rest::body::object")]
    pub limits: Option<Limits>,
    /// Number of hints, 1 by default. Moves that lead to the same or a symmetric
    /// position count as one.
    #[cfg_attr(test, schema(minimum = 1, maximum = 1000))]
    pub count: Option<u32>,
    /// Playing strength, 1 to 10; 10, the default, is full strength. Lower levels search
    /// less deeply, overlook moves and misjudge others. Levels from 6 play every win in
    /// one, levels from 8 every proven win. `limits` can only make a level weaker.
    #[cfg_attr(test, schema(minimum = 1, maximum = 10))]
    pub level: Option<u32>,
    /// Seed of the choices of levels below 10: the same seed and limits give the same
    /// choice. Random by default, so that bots vary.
    #[cfg_attr(test, schema(format = "uint64", maximum = 18_446_744_073_709_551_615_u64))]
    pub seed: Option<u64>,
    /// How much a hint reveals; everything by default.
    pub detail: Option<Detail>,
    /// Only these moves are considered.
    pub allow_moves: Option<Vec<String>>,
    /// These moves are not considered.
    pub avoid_moves: Option<Vec<String>>,
    /// Whether to value every different move (up to 1,000) and give each a probability.
    /// Valuing them all takes more of the limits than finding the best. Not with a `level`
    /// below 10 or a `detail` that withholds moves.
    pub policy: Option<bool>,
}

question!(HintRequest => HintsQuestion {
    variant, position, moves, limits, count, level, seed, detail, allow_moves, avoid_moves, policy
});

/// How much a hint reveals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Detail {
    /// The evaluation and the kind of move to look for.
    Nudge,
    /// Also where on the board to look.
    Area,
    /// Also the move.
    Move,
    /// Also the expected continuation.
    Line,
}

impl FromProto<i32> for Option<Detail> {
    fn from_proto(number: i32) -> Result<Self, ApiError> {
        let unknown = |_| ApiError::bad_request("detail", format!("unknown detail {number}"));
        Ok(match proto::Detail::try_from(number).map_err(unknown)? {
            proto::Detail::Unspecified => None,
            proto::Detail::Nudge => Some(Detail::Nudge),
            proto::Detail::Area => Some(Detail::Area),
            proto::Detail::Move => Some(Detail::Move),
            proto::Detail::Line => Some(Detail::Line),
        })
    }
}

impl From<Detail> for engine::Detail {
    fn from(detail: Detail) -> Self {
        match detail {
            Detail::Nudge => engine::Detail::Nudge,
            Detail::Area => engine::Detail::Area,
            Detail::Move => engine::Detail::Move,
            Detail::Line => engine::Detail::Line,
        }
    }
}

/// The best moves.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct HintsAnswer {
    /// Best first; below level 10 in the order in which that level would choose.
    pub hints: Vec<Hint>,
    /// The value of the position.
    pub evaluation: Evaluation,
    /// Why the search stopped; null while it is running.
    #[cfg_attr(test, schema(required = true))]
    pub stop_reason: Option<StopReason>,
    /// Completed search depth in plies.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Time from the arrival of the request to the response.
    pub elapsed_ms: f64,
    /// Whether the result comes from the cache.
    pub cached: bool,
    /// The position after `moves`, in canonical form.
    pub position: String,
    /// Id of the seat whose turn it is.
    pub to_move: String,
    /// As in the response of `position`.
    pub key: String,
    /// With `policy`, every different move that was valued, best first; else empty.
    pub policy: Vec<PolicyMove>,
}

message!(HintsAnswer => HintResponse {
    hints, evaluation, stop_reason, depth, nodes, elapsed_ms, cached, position, to_move, key, policy
});

/// A move with its value, and a probability that is derived from the values.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct PolicyMove {
    /// In canonical notation.
    pub r#move: String,
    /// Proportional to exp(score / 0.05) of the expected score, with n sides exp(score · n /
    /// 0.1): a move worth 0.05 less is e times less probable. Proven wins share everything;
    /// proven losses get 0 while there are other moves. All add up to 1. It is no share of
    /// visits: the searches do not try moves in proportion to their worth.
    pub probability: f64,
    /// The value of the move.
    pub evaluation: Evaluation,
    /// Other moves that lead to the same position or a symmetric one; they share the
    /// probability.
    pub equivalents: Vec<String>,
}

message!(PolicyMove => PolicyMove { r#move, probability, evaluation, equivalents });

/// A suggested move.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Hint {
    /// In canonical notation; empty if `detail` withholds it.
    pub r#move: String,
    /// The value of the move.
    pub evaluation: Evaluation,
    /// The expected line, starting with the move itself.
    pub line: Vec<String>,
    /// The most important comes first.
    pub reasons: Vec<MoveReason>,
    /// Other moves that lead to the same position or a symmetric one.
    pub equivalents: Vec<String>,
    /// Ids of the points to look at, for the detail `area`.
    pub area: Vec<String>,
    /// The move in a player's words, in the language of the request: `b2, then block 1
    /// turned left`. Empty if the game has none, or `detail` withholds the move.
    pub move_text: String,
}

message!(Hint => MoveHint { r#move, evaluation, line, reasons, equivalents, area, move_text });

/// Why a move is good or bad.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct MoveReason {
    /// One of the game's `reasonCodes`. For moves that the rule set does not explain, the
    /// server reports what is proven: `wins`, `forced_win`, `draws`, `loses`,
    /// `only_move`.
    pub code: String,
    /// A sentence for players, in the language of the request.
    pub text: String,
    /// Ids of points of the layout.
    pub cells: Vec<String>,
}

message!(MoveReason => Reason { code, text, cells });

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum StopReason {
    /// The result is proven.
    Proven,
    /// The time limit.
    Time,
    /// The node limit.
    Nodes,
    /// The depth limit.
    Depth,
    /// The caller's deadline came before the limits.
    Deadline,
    /// The search was cut short because others were waiting.
    Load,
    /// The server is stopping.
    Shutdown,
}

impl StopReason {
    /// Returns `None` for a cancelled search: there is no caller left to receive it.
    fn of(stop: engine::StopReason) -> Option<StopReason> {
        Some(match stop {
            engine::StopReason::Proven => StopReason::Proven,
            engine::StopReason::Time => StopReason::Time,
            engine::StopReason::Nodes => StopReason::Nodes,
            engine::StopReason::Depth => StopReason::Depth,
            engine::StopReason::Deadline => StopReason::Deadline,
            engine::StopReason::Load => StopReason::Load,
            engine::StopReason::Shutdown => StopReason::Shutdown,
            engine::StopReason::Cancelled => return None,
        })
    }
}

impl IntoProto<i32> for Option<StopReason> {
    fn into_proto(self) -> i32 {
        let Some(reason) = self else { return proto::StopReason::Unspecified.into() };
        match reason {
            StopReason::Proven => proto::StopReason::Proven,
            StopReason::Time => proto::StopReason::Time,
            StopReason::Nodes => proto::StopReason::Nodes,
            StopReason::Depth => proto::StopReason::Depth,
            StopReason::Deadline => proto::StopReason::Deadline,
            StopReason::Load => proto::StopReason::Load,
            StopReason::Shutdown => proto::StopReason::Shutdown,
        }
        .into()
    }
}

pub(crate) struct Call;

impl PositionCall for Call {
    type Body = HintsQuestion;
    type Question = HintQuestion;
    type Found = engine::Hints;
    type Answer = HintsAnswer;

    fn question(game: String, question: HintsQuestion) -> HintQuestion {
        let default = HintQuestion::new(spec(game, question.variant, question.position, question.moves));
        HintQuestion {
            limits: limits(question.limits),
            count: question.count.map_or(default.count, |count| count as usize),
            // Keeps an excessive level excessive: the engine refuses it.
            level: question.level.map_or(default.level, |level| level.try_into().unwrap_or(u8::MAX)),
            seed: question.seed,
            detail: question.detail.map_or(default.detail, Into::into),
            allow_moves: question.allow_moves.unwrap_or_default(),
            avoid_moves: question.avoid_moves.unwrap_or_default(),
            policy: question.policy.unwrap_or(default.policy),
            ..default
        }
    }

    fn limits(question: &HintQuestion) -> Option<QuestionLimits> {
        Some(question.limits)
    }

    async fn ask(engine: &Arc<Engine>, question: &HintQuestion, caller: Caller) -> Result<engine::Hints, EngineError> {
        engine.hint(question, caller).await
    }

    fn json(hints: engine::Hints) -> HintsAnswer {
        let variant = &*hints.variant;
        HintsAnswer {
            hints: hints.hints.into_iter().map(|found| hint(variant, found)).collect(),
            evaluation: evaluation(variant, &hints.evaluation),
            stop_reason: hints.stop.and_then(StopReason::of),
            depth: hints.depth,
            nodes: hints.nodes,
            elapsed_ms: milliseconds(hints.elapsed),
            cached: hints.cached,
            position: hints.position,
            to_move: seat_id(variant, hints.to_move),
            key: hints.key.to_string(),
            policy: hints.policy.into_iter().map(|found| policy_move(variant, found)).collect(),
        }
    }
}

fn hint(variant: &Variant, hint: engine::Hint) -> Hint {
    Hint {
        r#move: hint.mv,
        evaluation: evaluation(variant, &hint.evaluation),
        line: hint.line,
        reasons: reasons(hint.reasons),
        equivalents: hint.equivalents,
        area: hint.area,
        move_text: hint.mv_text,
    }
}

fn policy_move(variant: &Variant, it: engine::PolicyMove) -> PolicyMove {
    PolicyMove {
        r#move: it.mv,
        probability: rounded(it.probability),
        evaluation: evaluation(variant, &it.evaluation),
        equivalents: it.equivalents,
    }
}

pub(super) fn reasons(reasons: Vec<Reason>) -> Vec<MoveReason> {
    let reason = |it: Reason| MoveReason { code: it.code, text: it.text, cells: it.points };
    reasons.into_iter().map(reason).collect()
}

/// The best moves
///
/// With their values, expected lines and reasons. For a finished game the error
/// is `game_over`.
#[cfg_attr(test, utoipa::path(post, path = "/v1/games/{game}/hints", tag = "analysis", operation_id = "hint",
    params(("game" = String, Path, description = "Id of the game", example = "pentago")),
    request_body = HintsQuestion,
    responses((status = 200, description = "The hints", body = HintsAnswer), Failures, NotJson)))]
pub(crate) async fn post(
    State(app): State<Arc<App>>,
    context: RequestContext,
    Json(question): Json<HintsQuestion>,
) -> Result<Response, ApiError> {
    response::json(&context.answer::<Call>(&app, question).await?)
}

/// The best moves, with an ETag
#[cfg_attr(test, utoipa::path(get, path = "/v1/games/{game}/hints", tag = "analysis", operation_id = "getHints",
    params(("game" = String, Path, description = "Id of the game", example = "pentago"),
        crate::calls::position::PositionQuestion, Limits, HintParams),
    responses((status = 200, description = "The hints", body = HintsAnswer),
        (status = 304, description = "Not modified"), Failures)))]
pub(crate) async fn get(
    State(app): State<Arc<App>>,
    context: RequestContext,
    params: Params,
) -> Result<Response, ApiError> {
    let question = Call::question(context.game.clone(), params.hints()?);
    let found = ask::<Call>(&app, context.admitted.clone(), &question).await?;
    let (elapsed, cached) = (milliseconds(found.elapsed), found.cached);
    let mut answer = Call::json(engine::Hints { elapsed: Duration::ZERO, cached: false, ..found });
    // Equal hints have equal ETags, however long the search took.
    let etag = response::translated_etag(&context, &answer)?;
    (answer.elapsed_ms, answer.cached) = (elapsed, cached);
    let policy = match answer.stop_reason {
        _ if question.is_random() => CachePolicy::Never,
        Some(StopReason::Proven | StopReason::Time | StopReason::Nodes | StopReason::Depth) => CachePolicy::Revalidate,
        Some(StopReason::Deadline | StopReason::Load | StopReason::Shutdown) | None => CachePolicy::Never,
    };
    response::with_etag(&context.if_none_match, &etag, policy, || response::json(&answer))
}
