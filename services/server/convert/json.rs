//! REST: JSON and query parameters.

use std::time::Duration;

use pentad_engine as engine;
use pentad_host::{Board, Outcome, Reason, Ruleset, Variant};
use pentad_search as search;

use super::{words, *};
use crate::rest::types as json;

/// A question's place, with what was not given at its default.
pub(crate) fn place(
    game: String,
    variant: Option<String>,
    position: Option<String>,
    moves: Option<Vec<String>>,
) -> engine::Place {
    engine::Place {
        game,
        variant: variant.unwrap_or_default(),
        position: position.unwrap_or_default(),
        moves: moves.unwrap_or_default(),
    }
}

pub(crate) fn position_question(game: String, asked: json::PositionQuestion) -> engine::Place {
    place(game, asked.variant, asked.position, asked.moves)
}

pub(crate) fn moves_question(game: String, asked: json::MovesQuestion) -> engine::MovesQuestion {
    engine::MovesQuestion {
        place: place(game, asked.variant, asked.position, asked.moves),
        prefix: asked.prefix.unwrap_or_default(),
        page_size: asked.page_size.unwrap_or(0) as usize,
        page_token: asked.page_token.unwrap_or_default(),
        distinct: asked.distinct.unwrap_or(false),
    }
}

pub(crate) fn evaluation_question(
    game: String,
    asked: json::EvaluationQuestion,
) -> (engine::Place, engine::QuestionLimits) {
    (place(game, asked.variant, asked.position, asked.moves), limits(asked.limits))
}

pub(crate) fn hint_question(game: String, asked: json::HintsQuestion) -> engine::HintQuestion {
    let default = engine::HintQuestion::new(place(game, asked.variant, asked.position, asked.moves));
    engine::HintQuestion {
        limits: limits(asked.limits),
        count: asked.count.map_or(default.count, |count| count as usize),
        // Too large a level stays too large: the engine refuses it.
        level: asked.level.map_or(default.level, |level| level.try_into().unwrap_or(u8::MAX)),
        detail: asked.detail.map_or(default.detail, detail),
        allow_moves: asked.allow_moves.unwrap_or_default(),
        avoid_moves: asked.avoid_moves.unwrap_or_default(),
        ..default
    }
}

fn limits(asked: Option<json::Limits>) -> engine::QuestionLimits {
    let asked = asked.unwrap_or_default();
    engine::QuestionLimits { time: asked.time_ms.map(Duration::from_millis), nodes: asked.nodes, depth: asked.depth }
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
                shape: words::point_shape(point.shape),
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
                shape: words::piece_shape(piece.shape),
                seat: piece.seat.map(|seat| seat_id(variant, seat as usize)).unwrap_or_default(),
            })
            .collect(),
    }
}

pub(crate) fn position_answer(variant: &Variant, found: engine::Description) -> json::PositionAnswer {
    json::PositionAnswer {
        to_move: seat_id(variant, found.to_move),
        legal_move_count: found.n_legal_moves,
        outcome: found.outcome.as_ref().map(|outcome| game_outcome(variant, outcome)),
        board: json::Keyed(pieces_by_point(variant.board.as_ref(), &found.pieces)),
        position: found.position,
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

pub(crate) fn evaluation_answer(variant: &Variant, found: engine::PositionValue) -> json::EvaluationAnswer {
    json::EvaluationAnswer {
        evaluation: evaluation(variant, &found.evaluation),
        to_move: seat_id(variant, found.to_move),
        position: found.position,
    }
}

pub(crate) fn evaluation(variant: &Variant, found: &search::Evaluation) -> json::Evaluation {
    let scores: Vec<f64> = found.scores.as_slice().iter().copied().map(score).collect();
    json::Evaluation {
        certainty: match found.certainty {
            search::Certainty::Proven => json::Certainty::Proven,
            search::Certainty::Estimate => json::Certainty::Estimate,
        },
        outcome: found.outcome.map(|outcome| match outcome {
            search::Wdl::Win => json::Outcome::Win,
            search::Wdl::Draw => json::Outcome::Draw,
            search::Wdl::Loss => json::Outcome::Loss,
        }),
        plies_to_end: found.plies_to_end,
        scores: json::Keyed(by_seat(variant, &scores)),
        source: match found.source {
            search::Source::Terminal => json::Source::Terminal,
            search::Source::Book => json::Source::Book,
            search::Source::Solver => json::Source::Solver,
            search::Source::Search => json::Source::Search,
            search::Source::Static => json::Source::Static,
        },
        depth: found.depth,
    }
}

pub(crate) fn hints_answer(variant: &Variant, found: engine::Hints) -> json::HintsAnswer {
    json::HintsAnswer {
        hints: found.hints.into_iter().map(|found| hint(variant, found)).collect(),
        evaluation: evaluation(variant, &found.evaluation),
        stop_reason: found.stop.and_then(stop_reason),
        depth: found.depth,
        nodes: found.nodes,
        elapsed_ms: elapsed_ms(found.elapsed),
        cached: found.cached,
        position: found.position,
        to_move: seat_id(variant, found.to_move),
    }
}

pub(crate) fn analysis_update(variant: &Variant, found: engine::Hints) -> json::AnalysisUpdate {
    let is_final = found.stop.is_some();
    json::AnalysisUpdate { hints: hints_answer(variant, found), is_final }
}

fn hint(variant: &Variant, found: engine::Hint) -> json::Hint {
    json::Hint {
        mv: found.mv,
        evaluation: evaluation(variant, &found.evaluation),
        line: found.line,
        reasons: found.reasons.into_iter().map(reason).collect(),
        equivalents: found.equivalents,
        area: found.area,
    }
}

fn reason(found: Reason) -> json::MoveReason {
    json::MoveReason { code: found.code, text: found.text, cells: found.points }
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
        // Nobody is there to be told.
        engine::StopReason::Cancelled => return None,
    })
}
