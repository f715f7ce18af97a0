//! For gRPC: protobuf messages, in which zero and empty mean "not set".

use std::time::Duration;

use pentad_engine as engine;
use pentad_host::{Board, Outcome, Reason, Ruleset, Variant};
use pentad_search as search;

use super::{labels, *};
use crate::error::ApiError;
use crate::proto;

/// The position that a request names; every such message has these fields.
macro_rules! spec {
    ($request:ident) => {
        engine::PositionSpec {
            game: $request.game,
            variant: $request.variant,
            position: $request.position,
            moves: $request.moves,
        }
    };
}

pub(crate) fn position_question(request: proto::DescribePositionRequest) -> engine::PositionSpec {
    spec!(request)
}

pub(crate) fn moves_question(request: proto::ListLegalMovesRequest) -> engine::MovesQuestion {
    engine::MovesQuestion {
        spec: spec!(request),
        prefix: request.prefix,
        page_size: request.page_size as usize,
        page_token: request.page_token,
        distinct: request.distinct,
    }
}

pub(crate) fn evaluation_question(request: proto::EvaluateRequest) -> (engine::PositionSpec, engine::QuestionLimits) {
    (spec!(request), limits(request.limits))
}

pub(crate) fn hint_question(request: proto::HintRequest) -> Result<engine::HintQuestion, ApiError> {
    let default = engine::HintQuestion::new(spec!(request));
    Ok(engine::HintQuestion {
        limits: limits(request.limits),
        count: if request.count == 0 { default.count } else { request.count as usize },
        // Keeps an excessive level excessive: the engine refuses it.
        level: if request.level == 0 { default.level } else { request.level.try_into().unwrap_or(u8::MAX) },
        detail: detail(request.detail)?.unwrap_or(default.detail),
        allow_moves: request.allow_moves,
        avoid_moves: request.avoid_moves,
        ..default
    })
}

pub(crate) fn analyze_question(request: proto::AnalyzeRequest) -> Result<engine::HintQuestion, ApiError> {
    hint_question(proto::HintRequest {
        game: request.game,
        variant: request.variant,
        position: request.position,
        moves: request.moves,
        limits: request.limits,
        count: request.count,
        level: request.level,
        detail: request.detail,
        allow_moves: request.allow_moves,
        avoid_moves: request.avoid_moves,
    })
}

fn limits(request: Option<proto::Limits>) -> engine::QuestionLimits {
    let request = request.unwrap_or_default();
    engine::QuestionLimits {
        time: (request.time_ms > 0).then(|| Duration::from_millis(request.time_ms)),
        nodes: (request.nodes > 0).then_some(request.nodes),
        depth: (request.depth > 0).then_some(request.depth),
    }
}

fn detail(number: i32) -> Result<Option<engine::Detail>, ApiError> {
    let detail = proto::Detail::try_from(number)
        .map_err(|_| ApiError::bad_request("detail", format!("unknown detail {number}")))?;
    Ok(match detail {
        proto::Detail::Unspecified => None,
        proto::Detail::Nudge => Some(engine::Detail::Nudge),
        proto::Detail::Area => Some(engine::Detail::Area),
        proto::Detail::Move => Some(engine::Detail::Move),
        proto::Detail::Line => Some(engine::Detail::Line),
    })
}

pub(crate) fn game(ruleset: &Ruleset) -> proto::Game {
    let info = ruleset.info();
    proto::Game {
        id: info.id.clone(),
        name: info.name.clone(),
        version: info.version.clone(),
        abi: abi(info),
        seats: ruleset.variants().first().map(seat_ids).unwrap_or_default(),
        variants: ruleset.variants().iter().map(variant).collect(),
        capabilities: capabilities(info).into_iter().map(str::to_owned).collect(),
    }
}

pub(crate) fn game_answer(ruleset: &Ruleset) -> proto::GetGameResponse {
    let game = game(ruleset);
    let seats = |id: &str| ruleset.variants().iter().find(|variant| variant.id == id);
    let default = ruleset.variants().first();
    proto::GetGameResponse {
        id: game.id,
        name: game.name,
        version: game.version,
        abi: game.abi,
        seats: game.seats,
        variants: game.variants,
        capabilities: game.capabilities,
        notation: ruleset.info().notation.clone(),
        rules: ruleset.info().rules.clone(),
        layout: default.and_then(|variant| Some(layout(variant.board.as_ref()?, variant))),
        variant_layouts: other_boards(ruleset.variants())
            .filter_map(|(id, board)| Some((id.to_owned(), layout(board, seats(id)?))))
            .collect(),
    }
}

fn variant(variant: &Variant) -> proto::Variant {
    let seats = &variant.seats;
    proto::Variant {
        id: variant.id.clone(),
        name: variant.name.clone(),
        seats: seat_ids(variant),
        summary: variant.summary.clone(),
        seat_names: seats.iter().map(|seat| (seat.id.clone(), seat.name.clone())).collect(),
        sides: seats.iter().map(|seat| (seat.id.clone(), seat.side as u32)).collect(),
    }
}

fn layout(board: &Board, variant: &Variant) -> proto::Layout {
    use proto::layout;
    proto::Layout {
        width: board.width,
        height: board.height,
        points: board
            .points
            .iter()
            .map(|point| layout::Point {
                id: point.id.clone(),
                x: point.x,
                y: point.y,
                radius: point.radius,
                shape: labels::point_shape(point.shape).to_owned(),
                colour: point.colour.clone(),
            })
            .collect(),
        edges: board
            .edges
            .iter()
            .map(|(from, to)| layout::Edge { from: point_id(board, *from), to: point_id(board, *to) })
            .collect(),
        blocks: board
            .blocks
            .iter()
            .map(|block| layout::Block {
                id: block.id.clone(),
                x: block.x,
                y: block.y,
                width: block.width,
                height: block.height,
                colour: block.colour.clone(),
                points: block.points.iter().map(|point| point_id(board, *point)).collect(),
            })
            .collect(),
        labels: board
            .labels
            .iter()
            .map(|label| layout::Label { text: label.text.clone(), x: label.x, y: label.y })
            .collect(),
        pieces: board
            .pieces
            .iter()
            .map(|piece| layout::Piece {
                id: piece.id.clone(),
                name: piece.name.clone(),
                fill: piece.fill.clone(),
                stroke: piece.stroke.clone(),
                label: piece.label.clone(),
                shape: labels::piece_shape(piece.shape).to_owned(),
                seat: piece.seat.map(|seat| seat_id(variant, seat as usize)).unwrap_or_default(),
            })
            .collect(),
    }
}

pub(crate) fn position_answer(description: engine::Description) -> proto::DescribePositionResponse {
    let variant = &*description.variant;
    let board = pieces_by_point(variant.board.as_ref(), &description.pieces);
    proto::DescribePositionResponse {
        to_move: seat_id(variant, description.to_move),
        legal_move_count: description.n_legal_moves,
        outcome: description.outcome.as_ref().map(|outcome| game_outcome(variant, outcome)),
        board: board.into_iter().map(|(point, pieces)| (point, proto::Pieces { pieces })).collect(),
        position: description.position,
    }
}

fn game_outcome(variant: &Variant, outcome: &Outcome) -> proto::GameOutcome {
    let scores: Vec<f64> = outcome.scores.iter().copied().map(score).collect();
    proto::GameOutcome {
        scores: by_seat(variant, &scores).into_iter().collect(),
        places: by_seat(variant, &outcome.places).into_iter().collect(),
        text: outcome.text.clone(),
    }
}

pub(crate) fn evaluation_answer(value: engine::PositionValue) -> proto::EvaluateResponse {
    let variant = &*value.variant;
    proto::EvaluateResponse {
        evaluation: Some(evaluation(variant, &value.evaluation)),
        to_move: seat_id(variant, value.to_move),
        position: value.position,
    }
}

fn evaluation(variant: &Variant, evaluation: &search::Evaluation) -> proto::Evaluation {
    let scores: Vec<f64> = evaluation.scores.as_slice().iter().copied().map(score).collect();
    let certainty = match evaluation.certainty {
        search::Certainty::Proven => proto::Certainty::Proven,
        search::Certainty::Estimate => proto::Certainty::Estimate,
    };
    let outcome = evaluation.outcome.map(|outcome| match outcome {
        search::Wdl::Win => proto::Outcome::Win,
        search::Wdl::Draw => proto::Outcome::Draw,
        search::Wdl::Loss => proto::Outcome::Loss,
    });
    let source = match evaluation.source {
        search::Source::Terminal => proto::Source::Terminal,
        search::Source::Book => proto::Source::Book,
        search::Source::Solver => proto::Source::Solver,
        search::Source::Search => proto::Source::Search,
        search::Source::Static => proto::Source::Static,
    };
    proto::Evaluation {
        certainty: certainty.into(),
        outcome: outcome.map(Into::into),
        plies_to_end: evaluation.plies_to_end,
        scores: by_seat(variant, &scores).into_iter().collect(),
        source: source.into(),
        depth: evaluation.depth,
    }
}

pub(crate) fn hints_answer(hints: engine::Hints) -> proto::HintResponse {
    let variant = &*hints.variant;
    proto::HintResponse {
        hints: hints.hints.into_iter().map(|found| hint(variant, found)).collect(),
        evaluation: Some(evaluation(variant, &hints.evaluation)),
        stop_reason: hints.stop.map_or(proto::StopReason::Unspecified, stop_reason).into(),
        depth: hints.depth,
        nodes: hints.nodes,
        elapsed_ms: elapsed_ms(hints.elapsed),
        cached: hints.cached,
        position: hints.position,
        to_move: seat_id(variant, hints.to_move),
    }
}

pub(crate) fn analysis_update(hints: engine::Hints) -> proto::AnalyzeResponse {
    let is_final = hints.stop.is_some();
    proto::AnalyzeResponse { hints: Some(hints_answer(hints)), r#final: is_final }
}

fn hint(variant: &Variant, hint: engine::Hint) -> proto::MoveHint {
    proto::MoveHint {
        r#move: hint.mv,
        evaluation: Some(evaluation(variant, &hint.evaluation)),
        line: hint.line,
        reasons: hint.reasons.into_iter().map(reason).collect(),
        equivalents: hint.equivalents,
        area: hint.area,
    }
}

fn reason(reason: Reason) -> proto::Reason {
    proto::Reason { code: reason.code, text: reason.text, cells: reason.points }
}

fn stop_reason(stop: engine::StopReason) -> proto::StopReason {
    match stop {
        engine::StopReason::Proven => proto::StopReason::Proven,
        engine::StopReason::Time => proto::StopReason::Time,
        engine::StopReason::Nodes => proto::StopReason::Nodes,
        engine::StopReason::Depth => proto::StopReason::Depth,
        engine::StopReason::Deadline => proto::StopReason::Deadline,
        engine::StopReason::Load => proto::StopReason::Load,
        engine::StopReason::Shutdown => proto::StopReason::Shutdown,
        // There is no caller left to receive it.
        engine::StopReason::Cancelled => proto::StopReason::Unspecified,
    }
}
