//! For REST: the types of JSON bodies and query parameters.

use std::time::Duration;

use pentad_engine as engine;
use pentad_host::{Board, Outcome, Reason, Ruleset, Variant};
use pentad_search as search;

use super::{labels, *};
use crate::rest::types as json;

/// Empty means the default.
pub(crate) fn spec(
    game: String,
    variant: Option<String>,
    position: Option<String>,
    moves: Option<Vec<String>>,
) -> engine::PositionSpec {
    engine::PositionSpec {
        game,
        variant: variant.unwrap_or_default(),
        position: position.unwrap_or_default(),
        moves: moves.unwrap_or_default(),
    }
}

pub(crate) fn position_question(game: String, question: json::PositionQuestion) -> engine::PositionSpec {
    spec(game, question.variant, question.position, question.moves)
}

pub(crate) fn moves_question(game: String, question: json::MovesQuestion) -> engine::MovesQuestion {
    engine::MovesQuestion {
        spec: spec(game, question.variant, question.position, question.moves),
        prefix: question.prefix.unwrap_or_default(),
        page_size: question.page_size.unwrap_or(0) as usize,
        page_token: question.page_token.unwrap_or_default(),
        distinct: question.distinct.unwrap_or(false),
    }
}

pub(crate) fn evaluation_question(
    game: String,
    question: json::EvaluationQuestion,
) -> (engine::PositionSpec, engine::QuestionLimits) {
    (spec(game, question.variant, question.position, question.moves), limits(question.limits))
}

pub(crate) fn hint_question(game: String, question: json::HintsQuestion) -> engine::HintQuestion {
    let default = engine::HintQuestion::new(spec(game, question.variant, question.position, question.moves));
    engine::HintQuestion {
        limits: limits(question.limits),
        count: question.count.map_or(default.count, |count| count as usize),
        // Keeps an excessive level excessive: the engine refuses it.
        level: question.level.map_or(default.level, |level| level.try_into().unwrap_or(u8::MAX)),
        detail: question.detail.map_or(default.detail, detail),
        allow_moves: question.allow_moves.unwrap_or_default(),
        avoid_moves: question.avoid_moves.unwrap_or_default(),
        ..default
    }
}

fn limits(question: Option<json::Limits>) -> engine::QuestionLimits {
    let question = question.unwrap_or_default();
    engine::QuestionLimits {
        time: question.time_ms.map(Duration::from_millis),
        nodes: question.nodes,
        depth: question.depth,
    }
}

fn detail(detail: json::Detail) -> engine::Detail {
    match detail {
        json::Detail::Nudge => engine::Detail::Nudge,
        json::Detail::Area => engine::Detail::Area,
        json::Detail::Move => engine::Detail::Move,
        json::Detail::Line => engine::Detail::Line,
    }
}

pub(crate) fn game(ruleset: &Ruleset) -> json::Game {
    let info = ruleset.info();
    json::Game {
        id: info.id.clone(),
        name: info.name.clone(),
        version: info.version.clone(),
        abi: abi(info),
        seats: ruleset.variants().first().map(seat_ids).unwrap_or_default(),
        variants: ruleset.variants().iter().map(variant).collect(),
        capabilities: capabilities(info),
    }
}

pub(crate) fn game_answer(ruleset: &Ruleset) -> json::GameAnswer {
    let seats = |id: &str| ruleset.variants().iter().find(|variant| variant.id == id);
    let default = ruleset.variants().first();
    json::GameAnswer {
        game: game(ruleset),
        notation: ruleset.info().notation.clone(),
        rules: ruleset.info().rules.clone(),
        layout: default.and_then(|variant| Some(layout(variant.board.as_ref()?, variant))),
        variant_layouts: json::Keyed(
            other_boards(ruleset.variants())
                .filter_map(|(id, board)| Some((id.to_owned(), layout(board, seats(id)?))))
                .collect(),
        ),
    }
}

fn variant(variant: &Variant) -> json::Variant {
    let seats = &variant.seats;
    json::Variant {
        id: variant.id.clone(),
        name: variant.name.clone(),
        seats: seat_ids(variant),
        summary: variant.summary.clone(),
        seat_names: json::Keyed(seats.iter().map(|seat| (seat.id.clone(), seat.name.clone())).collect()),
        sides: json::Keyed(seats.iter().map(|seat| (seat.id.clone(), seat.side as u32)).collect()),
    }
}

fn layout(board: &Board, variant: &Variant) -> json::Layout {
    json::Layout {
        width: board.width,
        height: board.height,
        points: board
            .points
            .iter()
            .map(|point| json::LayoutPoint {
                id: point.id.clone(),
                x: point.x,
                y: point.y,
                radius: point.radius,
                shape: labels::point_shape(point.shape),
                colour: point.colour.clone(),
            })
            .collect(),
        edges: board
            .edges
            .iter()
            .map(|(from, to)| json::LayoutEdge { from: point_id(board, *from), to: point_id(board, *to) })
            .collect(),
        blocks: board
            .blocks
            .iter()
            .map(|block| json::LayoutBlock {
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
            .map(|label| json::LayoutLabel { text: label.text.clone(), x: label.x, y: label.y })
            .collect(),
        pieces: board
            .pieces
            .iter()
            .map(|piece| json::LayoutPiece {
                id: piece.id.clone(),
                name: piece.name.clone(),
                fill: piece.fill.clone(),
                stroke: piece.stroke.clone(),
                label: piece.label.clone(),
                shape: labels::piece_shape(piece.shape),
                seat: piece.seat.map(|seat| seat_id(variant, seat as usize)).unwrap_or_default(),
            })
            .collect(),
    }
}

pub(crate) fn position_answer(description: engine::Description) -> json::PositionAnswer {
    let variant = &*description.variant;
    json::PositionAnswer {
        to_move: seat_id(variant, description.to_move),
        legal_move_count: description.n_legal_moves,
        outcome: description.outcome.as_ref().map(|outcome| game_outcome(variant, outcome)),
        board: json::Keyed(pieces_by_point(variant.board.as_ref(), &description.pieces)),
        position: description.position,
    }
}

fn game_outcome(variant: &Variant, outcome: &Outcome) -> json::GameOutcome {
    let scores: Vec<f64> = outcome.scores.iter().copied().map(score).collect();
    json::GameOutcome {
        scores: json::Keyed(by_seat(variant, &scores)),
        places: json::Keyed(by_seat(variant, &outcome.places)),
        text: outcome.text.clone(),
    }
}

pub(crate) fn moves_answer(mut page: engine::MovePage) -> json::MovesAnswer {
    json::MovesAnswer {
        total: page.total,
        next_page_token: std::mem::take(&mut page.next_page_token),
        moves: json::MoveList(page),
    }
}

pub(crate) fn evaluation_answer(value: engine::PositionValue) -> json::EvaluationAnswer {
    let variant = &*value.variant;
    json::EvaluationAnswer {
        evaluation: evaluation(variant, &value.evaluation),
        to_move: seat_id(variant, value.to_move),
        position: value.position,
    }
}

pub(crate) fn evaluation(variant: &Variant, evaluation: &search::Evaluation) -> json::Evaluation {
    let scores: Vec<f64> = evaluation.scores.as_slice().iter().copied().map(score).collect();
    json::Evaluation {
        certainty: match evaluation.certainty {
            search::Certainty::Proven => json::Certainty::Proven,
            search::Certainty::Estimate => json::Certainty::Estimate,
        },
        outcome: evaluation.outcome.map(|outcome| match outcome {
            search::Wdl::Win => json::Outcome::Win,
            search::Wdl::Draw => json::Outcome::Draw,
            search::Wdl::Loss => json::Outcome::Loss,
        }),
        plies_to_end: evaluation.plies_to_end,
        scores: json::Keyed(by_seat(variant, &scores)),
        source: match evaluation.source {
            search::Source::Terminal => json::Source::Terminal,
            search::Source::Book => json::Source::Book,
            search::Source::Solver => json::Source::Solver,
            search::Source::Search => json::Source::Search,
            search::Source::Static => json::Source::Static,
        },
        depth: evaluation.depth,
    }
}

pub(crate) fn hints_answer(hints: engine::Hints) -> json::HintsAnswer {
    let variant = &*hints.variant;
    json::HintsAnswer {
        hints: hints.hints.into_iter().map(|found| hint(variant, found)).collect(),
        evaluation: evaluation(variant, &hints.evaluation),
        stop_reason: hints.stop.and_then(stop_reason),
        depth: hints.depth,
        nodes: hints.nodes,
        elapsed_ms: elapsed_ms(hints.elapsed),
        cached: hints.cached,
        position: hints.position,
        to_move: seat_id(variant, hints.to_move),
    }
}

pub(crate) fn analysis_update(hints: engine::Hints) -> json::AnalysisUpdate {
    let is_final = hints.stop.is_some();
    json::AnalysisUpdate { hints: hints_answer(hints), is_final }
}

fn hint(variant: &Variant, hint: engine::Hint) -> json::Hint {
    json::Hint {
        mv: hint.mv,
        evaluation: evaluation(variant, &hint.evaluation),
        line: hint.line,
        reasons: hint.reasons.into_iter().map(reason).collect(),
        equivalents: hint.equivalents,
        area: hint.area,
    }
}

fn reason(reason: Reason) -> json::MoveReason {
    json::MoveReason { code: reason.code, text: reason.text, cells: reason.points }
}

fn stop_reason(stop: engine::StopReason) -> Option<json::StopReason> {
    Some(match stop {
        engine::StopReason::Proven => json::StopReason::Proven,
        engine::StopReason::Time => json::StopReason::Time,
        engine::StopReason::Nodes => json::StopReason::Nodes,
        engine::StopReason::Depth => json::StopReason::Depth,
        engine::StopReason::Deadline => json::StopReason::Deadline,
        engine::StopReason::Load => json::StopReason::Load,
        engine::StopReason::Shutdown => json::StopReason::Shutdown,
        // There is no caller left to receive it.
        engine::StopReason::Cancelled => return None,
    })
}
