//! For REST: the types of JSON bodies and query parameters.

use std::time::Duration;

use pentad_host::Ruleset;
use {pentad_engine as engine, pentad_host as host, pentad_search as search};

use super::answers::answers;
use super::{labels, *};
use crate::rest::types::{
    self as json, AnalysisUpdate, Certainty, Evaluation, EvaluationAnswer, Game, GameOutcome, Hint, HintsAnswer,
    Layout, LayoutBlock, LayoutEdge, LayoutLabel, LayoutPiece, LayoutPoint, MoveReason, Outcome, PositionAnswer,
    ReasonCode, Source, StopReason, Variant,
};

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
        seed: question.seed,
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

pub(crate) fn game_answer(ruleset: &Ruleset) -> json::GameAnswer {
    json::GameAnswer {
        game: game(ruleset),
        notation: ruleset.info().notation.clone(),
        rules: ruleset.info().rules.clone(),
        layout: ruleset.variants().first().and_then(layout),
        variant_layouts: variant_layouts(ruleset.variants()),
        reason_codes: reason_codes(ruleset),
    }
}

pub(crate) fn moves_answer(mut page: engine::MovePage) -> json::MovesAnswer {
    json::MovesAnswer {
        total: page.total,
        next_page_token: std::mem::take(&mut page.next_page_token),
        moves: json::MoveList(page),
    }
}

answers! { stop_reason: std::convert::identity }
