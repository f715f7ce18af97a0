//! For gRPC: protobuf messages, in which zero and empty mean "not set".

use std::collections::BTreeMap;
use std::time::Duration;

use pentad_host::Ruleset;
use {pentad_engine as engine, pentad_host as host, pentad_model as search};

use super::answers::answers;
use super::{labels, *};
use crate::error::ApiError;
use crate::proto::layout::{
    Block as LayoutBlock, Edge as LayoutEdge, Label as LayoutLabel, Piece as LayoutPiece, Point as LayoutPoint,
};
use crate::proto::puzzle::SolutionLine;
use crate::proto::review_summary::ScorePoint;
use crate::proto::{
    self, AnalyzeResponse as AnalysisUpdate, Certainty, CompareResponse as ComparisonAnswer,
    DescribePositionResponse as PositionAnswer, EvaluateResponse as EvaluationAnswer, Evaluation,
    ExploreResponse as ExplorationAnswer, ExploredMove, Game, GameOutcome, HintResponse as HintsAnswer, Layout,
    MoveComparison, MoveHint as Hint, MoveLabel, Outcome, Puzzle, PuzzleProgress, Reason as MoveReason, ReasonCode,
    ReviewProgress, ReviewSummary, ReviewedMove, SeatReview, Source, StopReason, Variant,
};

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

/// The question of a request for hints, with or without improvements.
macro_rules! hint_question {
    ($request:ident) => {{
        let default = engine::HintQuestion::new(spec!($request));
        Ok(engine::HintQuestion {
            limits: limits($request.limits),
            count: if $request.count == 0 { default.count } else { $request.count as usize },
            // Keeps an excessive level excessive: the engine refuses it.
            level: if $request.level == 0 { default.level } else { $request.level.try_into().unwrap_or(u8::MAX) },
            seed: $request.seed,
            detail: detail($request.detail)?.unwrap_or(default.detail),
            allow_moves: $request.allow_moves,
            avoid_moves: $request.avoid_moves,
            ..default
        })
    }};
}

pub(crate) fn hint_question(request: proto::HintRequest) -> Result<engine::HintQuestion, ApiError> {
    hint_question!(request)
}

pub(crate) fn analyze_question(request: proto::AnalyzeRequest) -> Result<engine::HintQuestion, ApiError> {
    hint_question!(request)
}

pub(crate) fn review_question(request: proto::ReviewRequest) -> engine::ReviewQuestion {
    engine::ReviewQuestion {
        spec: spec!(request),
        limits: limits(request.limits),
        total_time: (request.total_time_ms > 0).then(|| Duration::from_millis(request.total_time_ms)),
    }
}

pub(crate) fn comparison_question(request: proto::CompareRequest) -> engine::CompareQuestion {
    engine::CompareQuestion { spec: spec!(request), limits: limits(request.limits), moves: request.compare_moves }
}

pub(crate) fn exploration_question(request: proto::ExploreRequest) -> engine::ExploreQuestion {
    let (page_size, page_token) = (request.page_size as usize, request.page_token);
    engine::ExploreQuestion { spec: spec!(request), page_size, page_token }
}

pub(crate) fn puzzle_question(request: proto::FindPuzzlesRequest) -> engine::PuzzleQuestion {
    let given = |number: u32| (number > 0).then_some(number);
    let plies = (given(request.min_plies), given(request.max_plies));
    engine::PuzzleQuestion {
        limits: limits(request.limits),
        total_time: (request.total_time_ms > 0).then(|| Duration::from_millis(request.total_time_ms)),
        theme: request.theme,
        ..puzzle_filter(spec!(request), given(request.count), plies, request.seed)
    }
}

pub(super) fn limits(request: Option<proto::Limits>) -> engine::QuestionLimits {
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

pub(crate) fn game_answer(ruleset: &Ruleset, language: pentad_model::i18n::Language) -> proto::GetGameResponse {
    let words = Translations { catalogue: ruleset.catalogue(), language };
    let Game { id, name, version, abi, seats, variants, capabilities } = game(ruleset, language);
    proto::GetGameResponse {
        id,
        name,
        version,
        abi,
        seats,
        variants,
        capabilities,
        notation: ruleset.info().notation.clone(),
        rules: ruleset.info().rules.clone(),
        layout: ruleset.variants().first().and_then(|it| layout(it, words)),
        variant_layouts: variant_layouts(ruleset.variants(), words),
        reason_codes: reason_codes(ruleset),
        threat_kinds: super::threats::grpc_kinds(ruleset),
    }
}

pub(crate) fn moves_answer(page: engine::MovePage) -> proto::ListLegalMovesResponse {
    let mut answer = proto::ListLegalMovesResponse::with_capacity(page.len());
    page.iter().for_each(|mv| answer.push(mv));
    answer.total = page.total;
    answer.next_page_token = page.next_page_token;
    answer.key = page.key.map(|key| key.to_string()).unwrap_or_default();
    answer
}

fn pieces(pieces: Vec<String>) -> proto::Pieces {
    proto::Pieces { pieces }
}

pub(crate) fn review_message(variant: &host::Variant, update: engine::ReviewUpdate) -> proto::ReviewResponse {
    use proto::review_response::Message;
    let message = match update {
        engine::ReviewUpdate::Move(it) => Message::Move(reviewed_move(variant, *it)),
        engine::ReviewUpdate::Progress(it) => Message::Progress(review_progress(variant, it)),
        engine::ReviewUpdate::Summary(it) => Message::Summary(review_summary(variant, it)),
    };
    proto::ReviewResponse { message: Some(message) }
}

pub(crate) fn puzzle_message(variant: &host::Variant, update: engine::PuzzleUpdate) -> proto::FindPuzzlesResponse {
    use proto::find_puzzles_response::Message;
    let message = match update {
        engine::PuzzleUpdate::Puzzle(it) => Message::Puzzle(puzzle(variant, *it)),
        engine::PuzzleUpdate::Progress(it) => Message::Progress(puzzle_progress(it)),
        engine::PuzzleUpdate::Final(it) => Message::Final(puzzle_progress(it)),
    };
    proto::FindPuzzlesResponse { message: Some(message) }
}

fn solution_line(moves: Vec<String>) -> SolutionLine {
    SolutionLine { moves }
}

fn move_label(label: Option<engine::MoveLabel>) -> i32 {
    let Some(label) = label else { return MoveLabel::Unspecified.into() };
    match label {
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
    }
    .into()
}

/// Empty if the scores are not known.
fn score_point(scores: Option<BTreeMap<String, f64>>) -> ScorePoint {
    ScorePoint { scores: scores.unwrap_or_default() }
}

answers! { stop_reason: |stop: Option<StopReason>| stop.unwrap_or_default().into() }
