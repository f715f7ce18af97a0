//! The JSON types of reviews and comparisons.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Evaluation, Keyed, Limits, MoveReason};
use crate::rest::Problem;

/// A game to review: `moves` played from `position`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"moves": ["c3-2r", "d4-1l", "a1-3r"], "limits": {"timeMs": 200}}))]
pub struct ReviewQuestion {
    /// Id of the variant; the game's first by default.
    pub variant: Option<String>,
    /// Position that the game began with; the start by default.
    pub position: Option<String>,
    /// The moves to review, in playing order.
    pub moves: Option<Vec<String>>,
    /// Limits of the search for the best move before each move, which knows what a hint
    /// with these limits knows; comparing takes up to 0.6 of them again. 1,000 ms without
    /// these and `totalTimeMs`.
    #[serde(default, deserialize_with = "crate::rest::body::object")]
    pub limits: Option<Limits>,
    /// Time of the whole review. Each move gets its share of what is left.
    #[schema(format = "uint64", minimum = 1, maximum = 18_446_744_073_709_551_615_u64)]
    pub total_time_ms: Option<u64>,
}

/// A message of a review.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ReviewMessage {
    /// A move; they come from the last to the first.
    Move(ReviewedMove),
    /// After every move.
    Progress(ReviewProgress),
    /// The last message.
    Summary(ReviewSummary),
}

/// A move that was played, judged.
#[derive(Clone, Debug, Serialize, ToSchema)]
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
    #[schema(required = true)]
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
}

/// The name of a played move's quality. With n sides the losses are 2/n of these.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
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
    /// A proven win was let go.
    MissedWin,
    /// A proven win was kept, but takes longer than it had to.
    SlowerWin,
    /// The position was proven lost before the move.
    LostAnyway,
}

/// How far a review is.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewProgress {
    /// Moves judged.
    pub done: u32,
    /// Moves of the game.
    pub total: u32,
    /// Time to the end, by what the moves so far have taken.
    pub time_left_ms: f64,
    /// The totals of the moves judged so far.
    pub summary: ReviewSummary,
}

/// The totals of a review.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewSummary {
    /// By seat id.
    #[schema(value_type = std::collections::BTreeMap<String, SeatReview>)]
    pub seats: Keyed<SeatReview>,
    /// Indices of the moves that gave the lead away, ascending.
    pub turning_points: Vec<u32>,
    /// Expected scores by seat id before the first move and after each, for a graph: one
    /// more than there are moves. Empty objects where a position was not reviewed.
    #[schema(value_type = Vec<std::collections::BTreeMap<String, f64>>)]
    pub scores: Vec<Keyed<f64>>,
    /// Whether every move was judged; not so if the deadline came before.
    pub complete: bool,
}

/// How well a seat played.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SeatReview {
    /// 100 · max(0, 1 − loss / stake): 100 is perfect, 0 as good as a random mover. Null
    /// if nothing could be given away.
    #[schema(required = true)]
    pub accuracy: Option<f64>,
    /// How often each label was given, by its name.
    #[schema(value_type = std::collections::BTreeMap<String, u32>)]
    pub labels: Keyed<u32>,
    /// What the seat gave away, all moves together. Forced moves and moves in lost
    /// positions are left out.
    pub loss: f64,
    /// What a random mover would have given away in their place.
    pub stake: f64,
}

/// One event of a stream of `review`.
#[derive(ToSchema)]
#[allow(dead_code, reason = "documentation only")]
pub(in crate::rest) struct ReviewEvent {
    /// The kind of the event.
    event: ReviewEventKind,
    /// Counts the events; `end` for the last one.
    id: String,
    /// How long to wait before reconnecting, in milliseconds.
    retry: u32,
    /// JSON: a `ReviewMessage`, or the `Problem` of an `error`.
    #[schema(schema_with = crate::rest::docs::review_event_data)]
    data: String,
}

/// The kind of an event of a review.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[allow(dead_code, reason = "documentation only")]
pub(in crate::rest) enum ReviewEventKind {
    /// A move was judged.
    Move,
    /// How far the review is.
    Progress,
    /// The summary, at the end.
    Final,
    /// The review failed.
    Error,
}

/// One line of a stream of `review` in `application/x-ndjson`.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "documentation only")]
pub(in crate::rest) enum ReviewLine {
    /// A message of the review.
    Message(ReviewMessage),
    /// The review failed; the last line.
    Error {
        /// Why.
        error: Problem,
    },
}

/// Moves of a position to compare.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"moves": ["c3-2r"], "compareMoves": ["d4-1l", "c4-1r"], "limits": {"timeMs": 500}}))]
pub struct ComparisonQuestion {
    /// Id of the variant; the game's first by default.
    pub variant: Option<String>,
    /// Position in the game's notation; the start by default.
    pub position: Option<String>,
    /// Moves played from the position; none by default.
    pub moves: Option<Vec<String>>,
    /// Limits of the search.
    #[serde(default, deserialize_with = "crate::rest::body::object")]
    pub limits: Option<Limits>,
    /// 2 to 8 different legal moves.
    #[schema(min_items = 2, max_items = 8)]
    pub compare_moves: Option<Vec<String>>,
}

/// Moves of a position, side by side.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComparisonAnswer {
    /// In the order of `compareMoves`.
    pub comparisons: Vec<MoveComparison>,
    /// The best of all legal moves.
    pub best_move: String,
    /// The position after `moves`, in canonical form.
    pub position: String,
    /// Id of the seat whose turn it is.
    pub to_move: String,
    /// The expected line after the best move, starting with the move itself.
    pub best_line: Vec<String>,
    /// The value of the position.
    pub evaluation: Evaluation,
    /// As in the response of `position`.
    pub key: String,
}

/// One of the moves that are compared.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MoveComparison {
    /// In canonical notation.
    pub r#move: String,
    /// Its value, from the same search as the other moves.
    pub evaluation: Evaluation,
    /// The best answer to it; empty if the move ends the game.
    pub reply: String,
    /// The expected line, starting with the move itself. Of a proven win or loss it leads
    /// to the end of the game.
    pub line: Vec<String>,
    /// Index into `line` from which it differs from `bestLine`; null if it does not.
    #[schema(required = true)]
    pub differs_at: Option<u32>,
    /// Facts that were checked. Of a move that is proven to be worse than the best one,
    /// in games with the capability `threats`, also `block_missed` (another side had a
    /// win in one already, and the move does not stop it) and `undone_by` (the move
    /// threatens to win, and the reply stops that), with the cells of that win. Where
    /// nothing is proven there is one reason `estimate`, and no cause is named.
    pub reasons: Vec<MoveReason>,
}
