//! ListThreats: the wins that each seat would have if it were its turn.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use pentad_engine as engine;
use pentad_engine::{Caller, Engine, EngineError, QuestionLimits, SeatThreat, Threats};
use pentad_host::{Ruleset, Variant};
use serde::{Deserialize, Serialize};
#[cfg(test)]
use utoipa::{IntoParams, ToSchema};

use super::PositionCall;
use super::limits::{Limits, limits};
use super::position::spec;
use super::wire::{message, point_id, question, rounded, seat_id};
use crate::app::App;
use crate::error::ApiError;
use crate::rest::body::Json;
#[cfg(test)]
use crate::rest::docs::document::{Failures, NotJson};
use crate::rest::middleware::RequestContext;
use crate::rest::query::Params;
use crate::rest::response;

/// A position to find the threats of.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schema(example = json!({"position": "wwww2/6/bbbb2/6/6/6 w"})))]
pub struct ThreatsQuestion {
    /// Id of the variant; the game's first by default.
    pub variant: Option<String>,
    /// Position in the game's notation; the start by default.
    pub position: Option<String>,
    /// Moves played from the position; none by default.
    pub moves: Option<Vec<String>>,
    /// Plies within which to find wins. 1, the default, finds wins at once, without a
    /// search. For more, each seat without a win at once is given the turn, and that
    /// position is searched.
    #[cfg_attr(test, schema(minimum = 1, maximum = 64))]
    pub depth: Option<u32>,
    /// Limits of the searches, which run in parallel. A win that is not found in time
    /// is missing.
    #[serde(default, deserialize_with = "crate::rest::body::object")]
    pub limits: Option<Limits>,
}

question!(ListThreatsRequest => ThreatsQuestion { variant, position, moves, depth, limits });

/// Parameters of GET `threats`, in addition to the position.
#[cfg_attr(test, derive(IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Query))]
#[allow(dead_code, reason = "documentation only")]
pub(crate) struct ThreatParams {
    /// Plies within which to find wins; 1, the default, finds wins at once.
    #[cfg_attr(test, param(minimum = 1, maximum = 64))]
    depth: Option<u32>,
    /// Time from the arrival of the request to the response.
    #[cfg_attr(
        test,
        param(rename = "timeMs", format = "uint64", minimum = 1, maximum = 18_446_744_073_709_551_615_u64)
    )]
    time_ms: Option<u64>,
    /// Positions visited by each search.
    #[cfg_attr(test, param(format = "uint64", minimum = 1, maximum = 18_446_744_073_709_551_615_u64))]
    nodes: Option<u64>,
}

/// The wins that each seat would have if it were its turn.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreatsAnswer {
    /// Those of the seat to move first, then in playing order; wins at once before
    /// forced ones. A finished game has none.
    pub threats: Vec<ThreatAnswer>,
    /// Moves of the seat to move after which no seat of another side has a win at once,
    /// old or new; empty if there is no such threat or no move helps. Of moves that lead
    /// to the same position, only the first is listed.
    #[cfg_attr(test, schema(max_items = 256))]
    pub stops_all: Vec<String>,
    /// The position after `moves`, in canonical form.
    pub position: String,
    /// Id of the seat whose turn it is, or would be.
    pub to_move: String,
    /// Ids of the seats whose wins are known, in playing order: all if the game has the
    /// capability `threats`, otherwise the seat to move.
    pub seats: Vec<String>,
    /// Whether a list was truncated: more than 64 threats of the own side or of all others,
    /// or more than 256 moves that stop one.
    pub truncated: bool,
    /// As in the response of `position`.
    pub key: String,
}

message!(ThreatsAnswer => ListThreatsResponse { threats, stops_all, position, to_move, seats, truncated, key });

/// A win of one seat.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, schema(as = Threat, example = json!({"seat": "b", "kind": "placing", "move": "e3",
    "cells": ["a3", "b3", "c3", "d3", "e3"], "stoppedBy": ["e1", "e3-1l"], "plies": 1, "score": 1.0})))]
pub struct ThreatAnswer {
    /// Id of the seat.
    pub seat: String,
    /// One of the game's `threatKinds`; `forced` for a win that a search has proven;
    /// `winning` in games without the capability `threats`.
    pub kind: String,
    /// The first move of the win, as the seat would play it. If several moves make the
    /// same win, one of them.
    pub r#move: String,
    /// Ids of points of the layout: the points of the pieces that make the win, and the
    /// empty points that they need. Empty for a forced win.
    pub cells: Vec<String>,
    /// Moves of the seat to move after which this win is gone; empty for wins of its own
    /// side and for forced wins. Of moves that lead to the same position, only the first
    /// is listed.
    #[cfg_attr(test, schema(max_items = 256))]
    pub stopped_by: Vec<String>,
    /// Plies to the win with best play, including the move; 1 for a win at once.
    pub plies: u32,
    /// The minimum score of the seat, above 0: 1 for a win, less if others may share it
    /// or better places are taken.
    pub score: f64,
}

message!(ThreatAnswer => Threat { seat, kind, r#move, cells, stopped_by, plies, score });

/// A kind of threat.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct ThreatKind {
    /// As in threats.
    #[cfg_attr(test, schema(example = "placing"))]
    pub kind: String,
    /// Describes such a win.
    pub description: String,
}

message!(ThreatKind => ThreatKind { kind, description });

/// The kinds of threats that a rule set lists.
pub(super) fn kinds(ruleset: &Ruleset) -> Vec<ThreatKind> {
    let kinds = ruleset.threat_kinds().iter();
    kinds.map(|it| ThreatKind { kind: it.kind.clone(), description: it.description.clone() }).collect()
}

pub(crate) struct Call;

impl PositionCall for Call {
    type Body = ThreatsQuestion;
    type Question = engine::ThreatsQuestion;
    type Found = Threats;
    type Answer = ThreatsAnswer;

    fn question(game: String, question: ThreatsQuestion) -> engine::ThreatsQuestion {
        let default = engine::ThreatsQuestion::new(spec(game, question.variant, question.position, question.moves));
        engine::ThreatsQuestion {
            depth: question.depth.unwrap_or(default.depth),
            limits: limits(question.limits),
            ..default
        }
    }

    /// Wins at once follow from the rules alone.
    fn limits(question: &engine::ThreatsQuestion) -> Option<QuestionLimits> {
        (question.depth > 1).then_some(question.limits)
    }

    async fn ask(
        engine: &Arc<Engine>,
        question: &engine::ThreatsQuestion,
        caller: Caller,
    ) -> Result<Threats, EngineError> {
        engine.threats(question, caller).await
    }

    fn json(found: Threats) -> ThreatsAnswer {
        let variant = &*found.variant;
        ThreatsAnswer {
            threats: found.threats.into_iter().map(|it| threat(variant, it)).collect(),
            stops_all: found.stops_all,
            position: found.position,
            to_move: seat_id(variant, found.to_move),
            seats: found.seats.iter().map(|&seat| seat_id(variant, seat)).collect(),
            truncated: found.is_truncated,
            key: found.key.to_string(),
        }
    }
}

fn threat(variant: &Variant, threat: SeatThreat) -> ThreatAnswer {
    let cells = |board| threat.points.iter().map(|&point| point_id(board, point)).collect();
    ThreatAnswer {
        seat: seat_id(variant, threat.seat),
        cells: variant.board.as_ref().map(cells).unwrap_or_default(),
        kind: threat.kind,
        r#move: threat.mv,
        stopped_by: threat.stopped_by,
        plies: threat.plies,
        score: rounded(threat.score),
    }
}

/// The wins of every seat, and what stops them
///
/// Lists the wins that each seat would have if it were its turn: the same board with that
/// seat to move, without bans that follow from the previous turn.
#[cfg_attr(test, utoipa::path(post, path = "/v1/games/{game}/threats", tag = "analysis", operation_id = "listThreats",
    params(("game" = String, Path, description = "Id of the game", example = "pentago")),
    request_body = ThreatsQuestion,
    responses((status = 200, description = "The threats", body = ThreatsAnswer), Failures, NotJson)))]
pub(crate) async fn post(
    State(app): State<Arc<App>>,
    context: RequestContext,
    Json(question): Json<ThreatsQuestion>,
) -> Result<Response, ApiError> {
    response::json(&context.answer::<Call>(&app, question).await?)
}

/// The wins of every seat, with an ETag
#[cfg_attr(test, utoipa::path(get, path = "/v1/games/{game}/threats", tag = "analysis", operation_id = "getThreats",
    params(("game" = String, Path, description = "Id of the game", example = "pentago"),
        crate::calls::position::PositionQuestion, ThreatParams),
    responses((status = 200, description = "The threats", body = ThreatsAnswer),
        (status = 304, description = "Not modified"), Failures)))]
pub(crate) async fn get(
    State(app): State<Arc<App>>,
    context: RequestContext,
    params: Params,
) -> Result<Response, ApiError> {
    response::cacheable(&context, &context.answer::<Call>(&app, params.threats()?).await?)
}
