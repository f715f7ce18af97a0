//! For REST: the types of JSON bodies and query parameters.

use std::time::Duration;

use pentad_host::Ruleset;
use {pentad_engine as engine, pentad_host as host, pentad_model as search};

use super::answers::answers;
use super::{labels, *};
use crate::rest::types::{
    self as json, AnalysisUpdate, Certainty, ComparisonAnswer, Evaluation, EvaluationAnswer, ExplorationAnswer,
    ExploredMove, Game, GameOutcome, Hint, HintsAnswer, Layout, LayoutBlock, LayoutEdge, LayoutLabel, LayoutPiece,
    LayoutPoint, MoveComparison, MoveLabel, MoveReason, Outcome, PositionAnswer, Puzzle, PuzzleProgress, ReasonCode,
    ReviewProgress, ReviewSummary, ReviewedMove, SeatReview, Source, StopReason, Variant,
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

pub(crate) fn review_question(game: String, question: json::ReviewQuestion) -> engine::ReviewQuestion {
    engine::ReviewQuestion {
        spec: spec(game, question.variant, question.position, question.moves),
        limits: limits(question.limits),
        total_time: question.total_time_ms.map(Duration::from_millis),
    }
}

pub(crate) fn comparison_question(game: String, question: json::ComparisonQuestion) -> engine::CompareQuestion {
    engine::CompareQuestion {
        spec: spec(game, question.variant, question.position, question.moves),
        limits: limits(question.limits),
        moves: question.compare_moves.unwrap_or_default(),
    }
}

pub(crate) fn exploration_question(game: String, question: json::ExplorationQuestion) -> engine::ExploreQuestion {
    engine::ExploreQuestion {
        spec: spec(game, question.variant, question.position, question.moves),
        page_size: question.page_size.unwrap_or(0) as usize,
        page_token: question.page_token.unwrap_or_default(),
    }
}

pub(crate) fn puzzle_question(game: String, question: json::PuzzleQuestion) -> engine::PuzzleQuestion {
    let spec = spec(game, question.variant, question.position, question.moves);
    engine::PuzzleQuestion {
        limits: limits(question.limits),
        total_time: question.total_time_ms.map(Duration::from_millis),
        theme: question.theme.unwrap_or_default(),
        ..puzzle_filter(spec, question.count, (question.min_plies, question.max_plies), question.seed)
    }
}

pub(super) fn limits(question: Option<json::Limits>) -> engine::QuestionLimits {
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

pub(crate) fn game_answer(ruleset: &Ruleset, language: pentad_model::i18n::Language) -> json::GameAnswer {
    let words = Translations { catalogue: ruleset.catalogue(), language };
    json::GameAnswer {
        game: game(ruleset, language),
        notation: ruleset.info().notation.clone(),
        rules: ruleset.info().rules.clone(),
        layout: ruleset.variants().first().and_then(|it| layout(it, words)),
        variant_layouts: variant_layouts(ruleset.variants(), words),
        reason_codes: reason_codes(ruleset),
        threat_kinds: super::threats::json_kinds(ruleset),
    }
}

pub(crate) fn moves_answer(mut page: engine::MovePage) -> json::MovesAnswer {
    json::MovesAnswer {
        total: page.total,
        next_page_token: std::mem::take(&mut page.next_page_token),
        key: page.key.map(|key| key.to_string()).unwrap_or_default(),
        moves: json::MoveList(page),
    }
}

pub(crate) fn review_message(variant: &host::Variant, update: engine::ReviewUpdate) -> json::ReviewMessage {
    match update {
        engine::ReviewUpdate::Move(it) => json::ReviewMessage::Move(reviewed_move(variant, *it)),
        engine::ReviewUpdate::Progress(it) => json::ReviewMessage::Progress(review_progress(variant, it)),
        engine::ReviewUpdate::Summary(it) => json::ReviewMessage::Summary(review_summary(variant, it)),
    }
}

pub(crate) fn puzzle_message(variant: &host::Variant, update: engine::PuzzleUpdate) -> json::PuzzleMessage {
    match update {
        engine::PuzzleUpdate::Puzzle(it) => json::PuzzleMessage::Puzzle(puzzle(variant, *it)),
        engine::PuzzleUpdate::Progress(it) => json::PuzzleMessage::Progress(puzzle_progress(it)),
        engine::PuzzleUpdate::Final(it) => json::PuzzleMessage::Final(puzzle_progress(it)),
    }
}

fn pieces(pieces: Vec<String>) -> Vec<String> {
    pieces
}

fn solution_line(moves: Vec<String>) -> Vec<String> {
    moves
}

fn move_label(label: Option<engine::MoveLabel>) -> Option<MoveLabel> {
    Some(match label? {
        engine::MoveLabel::Best => MoveLabel::Best,
        engine::MoveLabel::Good => MoveLabel::Good,
        engine::MoveLabel::Inaccuracy => MoveLabel::Inaccuracy,
        engine::MoveLabel::Mistake => MoveLabel::Mistake,
        engine::MoveLabel::Blunder => MoveLabel::Blunder,
        engine::MoveLabel::OnlyMove => MoveLabel::OnlyMove,
        engine::MoveLabel::Forced => MoveLabel::Forced,
        engine::MoveLabel::MissedWin => MoveLabel::MissedWin,
        engine::MoveLabel::SlowerWin => MoveLabel::SlowerWin,
        engine::MoveLabel::LostAnyway => MoveLabel::LostAnyway,
    })
}

/// Empty if the scores are not known.
fn score_point(scores: Option<json::Keyed<f64>>) -> json::Keyed<f64> {
    scores.unwrap_or_else(|| std::iter::empty().collect())
}

answers! { stop_reason: std::convert::identity }
