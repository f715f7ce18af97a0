//! Review: a whole game, judged move by move.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use pentad_engine as engine;
use pentad_engine::{Review, ReviewUpdate};
use pentad_host::Variant;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use utoipa::ToSchema;

use super::evaluation::{Evaluation, evaluation};
use super::hints::{MoveReason, reasons};
use super::limits::{Limits, limits};
use super::position::spec;
use super::wire::{
    IntoProto, Keyed, by_seat, index, message, milliseconds, question, rounded, scores, seat_id, wire_enum,
};
use super::{AdmittedCaller, Method, StreamCall, Update, Updates};
use crate::app::App;
use crate::error::ApiError;
use crate::proto;
use crate::quota_stream::QuotaStream;
use crate::rest::Problem;
use crate::rest::body::Json;
#[cfg(test)]
use crate::rest::docs::document::{Failures, NotAcceptable, NotJson};
use crate::rest::middleware::RequestContext;

/// A game to review: `moves` played from `position`.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schema(example = json!({"moves": ["c3-2r", "d4-1l", "a1-3r"], "limits": {"timeMs": 200}})))]
pub struct ReviewQuestion {
    /// Id of the variant; the game's first by default.
    pub variant: Option<String>,
    /// Position that the game began with; the start by default.
    pub position: Option<String>,
    /// The moves to review, in playing order.
    pub moves: Option<Vec<String>>,
    /// Limits of the search for the best move before each move, the same as for a hint
    /// with these limits; comparing takes up to 0.6 of them again. 1,000 ms if neither
    /// these nor `totalTimeMs` are given.
    #[serde(default, deserialize_with = "crate::rest::body::object")]
    pub limits: Option<Limits>,
    /// Time for the whole review. Each move gets its share of the time left.
    #[cfg_attr(test, schema(format = "uint64", minimum = 1, maximum = 18_446_744_073_709_551_615_u64))]
    pub total_time_ms: Option<u64>,
    /// Indices into `moves` of the moves to review, from 0; all by default.
    pub turns: Option<Vec<u32>>,
}

question!(ReviewRequest => ReviewQuestion { variant, position, moves, limits, total_time_ms, turns });

/// A message of a review.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum ReviewMessage {
    /// A move; the last move of the game comes first.
    Move(Box<ReviewedMove>),
    /// After every move.
    Progress(ReviewProgress),
    /// The last message.
    Summary(ReviewSummary),
}

impl Update for ReviewMessage {
    type All = ReviewAnswer;

    fn event(&self) -> &'static str {
        match self {
            ReviewMessage::Move(_) => "move",
            ReviewMessage::Progress(_) => "progress",
            ReviewMessage::Summary(_) => "final",
        }
    }

    fn add_to(self, all: &mut ReviewAnswer) {
        match self {
            ReviewMessage::Move(it) => all.moves.push_front(*it),
            ReviewMessage::Progress(_) => {}
            ReviewMessage::Summary(it) => all.summary = Some(it),
        }
    }
}

/// A whole review.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct ReviewAnswer {
    /// The moves that were reviewed, in playing order.
    #[cfg_attr(test, schema(value_type = Vec<ReviewedMove>))]
    pub moves: VecDeque<ReviewedMove>,
    /// The totals.
    #[cfg_attr(test, schema(value_type = ReviewSummary))]
    pub summary: Option<ReviewSummary>,
}

impl IntoProto<proto::ReviewResponse> for ReviewMessage {
    fn into_proto(self) -> proto::ReviewResponse {
        use proto::review_response::Message;
        let message = match self {
            ReviewMessage::Move(it) => Message::Move((*it).into_proto()),
            ReviewMessage::Progress(it) => Message::Progress(it.into_proto()),
            ReviewMessage::Summary(it) => Message::Summary(it.into_proto()),
        };
        proto::ReviewResponse { message: Some(message) }
    }
}

/// The verdict on a move that was played.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReviewedMove {
    /// Index into `moves`, from 0.
    pub index: u32,
    /// Id of the seat that moved.
    pub seat: String,
    /// In canonical notation.
    pub r#move: String,
    /// Expected score of the best move minus that of the played one, for the seat that
    /// moved. 0 if it was the best or the only one.
    pub loss: f64,
    /// Null if the loss is below the noise of the searches.
    #[cfg_attr(test, schema(required = true))]
    pub label: Option<MoveLabel>,
    /// The value of the best move, for the seat that moved, from the same search as
    /// `after`.
    pub before: Evaluation,
    /// The value of the played move, for the seat that moved.
    pub after: Evaluation,
    /// The best move; the played one if none is better.
    pub best_move: String,
    /// The expected line after the best move, starting with the move itself.
    pub best_line: Vec<String>,
    /// The reply that punishes a bad move; empty for others.
    pub reply: String,
    /// Why the played move is good or bad.
    pub reasons: Vec<MoveReason>,
    /// By how much searches disagree about the values that `loss` compares; 0 if they are
    /// proven.
    pub noise: f64,
    /// The move in a player's words, in the language of the request; empty if the game has
    /// none.
    pub move_text: String,
    /// The best move in words.
    pub best_move_text: String,
    /// The reply in words.
    pub reply_text: String,
}

message!(ReviewedMove => ReviewedMove {
    index, seat, r#move, loss, label, before, after, best_move, best_line, reply, reasons, noise, move_text,
    best_move_text, reply_text
});

/// The name of a played move's quality. With n sides the losses are 2/n of these.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum MoveLabel {
    /// No move was better.
    Best,
    /// Less than 0.05 was given away, or a proven win was kept.
    Good,
    /// 0.05 or more was given away.
    Inaccuracy,
    /// 0.10 or more was given away.
    Mistake,
    /// 0.20 or more was given away.
    Blunder,
    /// The best, and every other would have been a blunder.
    OnlyMove,
    /// There was no other choice.
    Forced,
    /// A proven win was given away.
    MissedWin,
    /// A proven win was kept, but takes longer than necessary.
    SlowerWin,
    /// The position was proven lost before the move.
    LostAnyway,
}

wire_enum!(MoveLabel, engine::MoveLabel =>
    Best, Good, Inaccuracy, Mistake, Blunder, OnlyMove, Forced, MissedWin, SlowerWin, LostAnyway);

impl IntoProto<i32> for Option<MoveLabel> {
    fn into_proto(self) -> i32 {
        self.map_or(proto::MoveLabel::Unspecified.into(), IntoProto::into_proto)
    }
}

/// Progress of a review.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReviewProgress {
    /// Moves reviewed.
    pub done: u32,
    /// Moves to review.
    pub total: u32,
    /// Estimated time to the end, from the time that the moves so far took.
    pub time_left_ms: f64,
    /// The totals of the moves reviewed so far.
    pub summary: ReviewSummary,
}

message!(ReviewProgress => ReviewProgress { done, total, time_left_ms, summary });

/// The totals of a review.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReviewSummary {
    /// Totals by seat id.
    #[cfg_attr(test, schema(value_type = std::collections::BTreeMap<String, SeatReview>))]
    pub seats: Keyed<SeatReview>,
    /// Indices of the moves that gave the lead away, ascending.
    pub turning_points: Vec<u32>,
    /// Expected scores by seat id before the first move and after each, for a graph: one
    /// more than there are moves. Empty objects where a position was not reviewed.
    #[cfg_attr(test, schema(value_type = Vec<std::collections::BTreeMap<String, f64>>))]
    pub scores: Vec<Keyed<f64>>,
    /// Whether every move, or each of `turns`, was reviewed; false if the deadline came first.
    pub complete: bool,
}

message!(ReviewSummary => ReviewSummary { seats, turning_points, scores, complete });

impl IntoProto<proto::review_summary::ScorePoint> for Keyed<f64> {
    fn into_proto(self) -> proto::review_summary::ScorePoint {
        proto::review_summary::ScorePoint { scores: self.into_proto() }
    }
}

/// How well a seat played.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct SeatReview {
    /// 100 · max(0, 1 − loss / stake): 100 is perfect, 0 is as good as a random mover. Null
    /// if `stake` does not exceed `noise`: there was too little to give away.
    #[cfg_attr(test, schema(required = true))]
    pub accuracy: Option<f64>,
    /// How often each label was given, by its name.
    #[cfg_attr(test, schema(value_type = std::collections::BTreeMap<String, u32>))]
    pub labels: Keyed<u32>,
    /// What the seat gave away in all its moves, as far as each loss exceeds its noise.
    /// Forced moves and moves in lost positions do not count.
    pub loss: f64,
    /// What a random mover would have given away in those moves.
    pub stake: f64,
    /// The noise of these moves together: the root of the sum of its squares.
    pub noise: f64,
}

message!(SeatReview => SeatReview { accuracy, labels, loss, stake, noise });

/// An event of a stream of `review`.
#[cfg_attr(test, derive(ToSchema))]
#[allow(dead_code, reason = "documentation only")]
pub(crate) struct ReviewEvent {
    /// The kind of the event.
    event: ReviewEventKind,
    /// Counts the events; `end` for the last one.
    id: String,
    /// How long to wait before reconnecting, in milliseconds.
    retry: u32,
    /// JSON: a `ReviewMessage`, or the `Problem` of an `error`.
    #[cfg_attr(test, schema(schema_with = crate::rest::docs::document::review_event_data))]
    data: String,
}

/// The kind of an event of a review.
#[derive(Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "lowercase")]
#[allow(dead_code, reason = "documentation only")]
pub(crate) enum ReviewEventKind {
    /// A move was reviewed.
    Move,
    /// Progress of the review.
    Progress,
    /// The summary, at the end.
    Final,
    /// The review failed.
    Error,
}

/// One line of a stream of `review` in `application/x-ndjson`.
#[derive(Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(untagged)]
#[allow(dead_code, reason = "documentation only")]
pub(crate) enum ReviewLine {
    /// A message of the review.
    Message(ReviewMessage),
    /// The review failed; the last line.
    Error {
        /// Why.
        error: Problem,
    },
}

pub(crate) struct Call;

impl StreamCall for Call {
    const METHOD: Method = Method::Review;

    type Body = ReviewQuestion;
    type Updates = QuotaStream<Review>;

    async fn start(
        app: &App,
        AdmittedCaller { caller, admission }: AdmittedCaller,
        game: String,
        question: ReviewQuestion,
    ) -> Result<QuotaStream<Review>, ApiError> {
        let question = engine::ReviewQuestion {
            spec: spec(game, question.variant, question.position, question.moves),
            limits: limits(question.limits),
            total_time: question.total_time_ms.map(Duration::from_millis),
            turns: question.turns.unwrap_or_default().into_iter().map(|turn| turn as usize).collect(),
        };
        let review = app.engine.review(&question, caller.clone()).await?;
        QuotaStream::new(&app.engine, admission, caller, review)
    }
}

impl Updates for QuotaStream<Review> {
    type Update = ReviewMessage;

    async fn next_update(&mut self) -> Result<ReviewMessage, ApiError> {
        let update = self.next().await?;
        let variant = self.variant();
        Ok(match update {
            ReviewUpdate::Move(it) => ReviewMessage::Move(Box::new(reviewed_move(variant, *it))),
            ReviewUpdate::Progress(it) => ReviewMessage::Progress(progress(variant, it)),
            ReviewUpdate::Summary(it) => ReviewMessage::Summary(summary(variant, it)),
        })
    }
}

/// Reviews a game
///
/// Judges the moves from the last to the first. Server-sent events: `move` for every
/// move, `progress` after each, then exactly one `final` with the summary; if the review
/// fails, the stream ends with `error` and a problem. With `Accept:
/// application/x-ndjson`, JSON lines with the same objects; with `Accept:
/// application/json`, one object with all moves and the summary, once the review is done.
#[cfg_attr(test, utoipa::path(post, path = "/v1/games/{game}/review", tag = "analysis", operation_id = "review",
    params(("game" = String, Path, description = "Id of the game", example = "pentago")),
    request_body = ReviewQuestion,
    responses((status = 200, description = "A stream, or all of it", content(
        (ReviewEvent = "text/event-stream"), (ReviewLine = "application/x-ndjson"),
        (ReviewAnswer = "application/json"))), Failures, NotAcceptable, NotJson)))]
pub(crate) async fn post(
    State(app): State<Arc<App>>,
    context: RequestContext,
    Json(question): Json<ReviewQuestion>,
) -> Result<Response, ApiError> {
    context.stream::<Call>(&app, question).await
}

fn reviewed_move(variant: &Variant, it: engine::ReviewedMove) -> ReviewedMove {
    ReviewedMove {
        index: index(it.move_idx),
        seat: seat_id(variant, it.seat),
        r#move: it.mv,
        loss: rounded(it.loss),
        label: it.label.map(Into::into),
        before: evaluation(variant, &it.before),
        after: evaluation(variant, &it.after),
        best_move: it.best_move,
        best_line: it.best_line,
        reply: it.reply,
        reasons: reasons(it.reasons),
        noise: rounded(it.noise),
        move_text: it.mv_text,
        best_move_text: it.best_move_text,
        reply_text: it.reply_text,
    }
}

fn progress(variant: &Variant, it: engine::ReviewProgress) -> ReviewProgress {
    ReviewProgress {
        done: index(it.done),
        total: index(it.total),
        time_left_ms: milliseconds(it.time_left),
        summary: summary(variant, it.summary),
    }
}

fn summary(variant: &Variant, summary: engine::ReviewSummary) -> ReviewSummary {
    let seat = |it: &engine::SeatReview| SeatReview {
        accuracy: it.accuracy().map(rounded),
        labels: it.labels.iter().map(|(label, count)| (label.as_str().to_owned(), *count)).collect(),
        loss: rounded(it.loss),
        stake: rounded(it.stake),
        noise: rounded(it.noise),
    };
    // Empty where a position was not reviewed.
    let score_point = |it: Option<pentad_model::Scores>| it.map_or_else(Keyed::default, |it| scores(variant, &it));
    ReviewSummary {
        seats: by_seat(variant, summary.seats.iter().map(seat)),
        turning_points: summary.turning_points.into_iter().map(index).collect(),
        scores: summary.scores.into_iter().map(score_point).collect(),
        complete: summary.is_complete,
    }
}
