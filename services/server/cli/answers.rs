//! The fields of answers that commands print as text.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Values by seat id.
pub(super) type BySeat<T> = BTreeMap<String, T>;

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Evaluation {
    pub(super) certainty: Certainty,
    pub(super) outcome: Option<Outcome>,
    pub(super) plies_to_end: Option<u32>,
    pub(super) scores: BySeat<f64>,
    pub(super) source: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Certainty {
    Proven,
    Estimate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Outcome {
    Win,
    Draw,
    Loss,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct MoveReason {
    pub(super) text: String,
    pub(super) cells: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PositionAnswer {
    pub(super) position: String,
    pub(super) to_move: String,
    pub(super) legal_move_count: u64,
    pub(super) outcome: Option<GameOutcome>,
    /// Piece ids by point id.
    pub(super) board: BTreeMap<String, Vec<String>>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct GameOutcome {
    pub(super) scores: BySeat<f64>,
    pub(super) text: String,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MovesAnswer {
    pub(super) moves: Vec<String>,
    pub(super) total: u64,
    pub(super) next_page_token: String,
    pub(super) key: String,
    /// Absent from servers that do not know it.
    #[serde(default)]
    pub(super) move_texts: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EvaluationAnswer {
    pub(super) evaluation: Evaluation,
    pub(super) to_move: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct HintsAnswer {
    pub(super) hints: Vec<Hint>,
    pub(super) evaluation: Evaluation,
    pub(super) stop_reason: Option<String>,
    pub(super) depth: u32,
    pub(super) nodes: u64,
    pub(super) elapsed_ms: f64,
    pub(super) to_move: String,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Hint {
    pub(super) r#move: String,
    pub(super) evaluation: Evaluation,
    pub(super) line: Vec<String>,
    pub(super) reasons: Vec<MoveReason>,
    pub(super) equivalents: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ComparisonAnswer {
    pub(super) comparisons: Vec<MoveComparison>,
    pub(super) best_move: String,
    pub(super) best_line: Vec<String>,
    pub(super) evaluation: Evaluation,
    pub(super) to_move: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MoveComparison {
    pub(super) r#move: String,
    pub(super) evaluation: Evaluation,
    pub(super) line: Vec<String>,
    pub(super) differs_at: Option<usize>,
    pub(super) reasons: Vec<MoveReason>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ThreatsAnswer {
    pub(super) threats: Vec<Threat>,
    pub(super) stops_all: Vec<String>,
    pub(super) to_move: String,
    pub(super) seats: Vec<String>,
    pub(super) truncated: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Threat {
    pub(super) seat: String,
    pub(super) kind: String,
    pub(super) r#move: String,
    pub(super) cells: Vec<String>,
    pub(super) stopped_by: Vec<String>,
    pub(super) plies: u32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExplorationAnswer {
    pub(super) moves: Vec<ExploredMove>,
    pub(super) total: u64,
    pub(super) next_page_token: String,
    pub(super) games: u64,
    pub(super) to_move: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExploredMove {
    pub(super) r#move: String,
    pub(super) equivalents: Vec<String>,
    pub(super) games: u64,
    pub(super) scores: BySeat<f64>,
    pub(super) evaluation: Evaluation,
    pub(super) proven_share: f64,
}

/// A message of a review.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum ReviewMessage {
    Move(Box<ReviewedMove>),
    Progress(ReviewProgress),
    Summary(ReviewSummary),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReviewedMove {
    pub(super) index: usize,
    pub(super) seat: String,
    pub(super) r#move: String,
    pub(super) loss: f64,
    pub(super) label: Option<String>,
    pub(super) before: Evaluation,
    pub(super) after: Evaluation,
    pub(super) best_move: String,
    pub(super) best_line: Vec<String>,
    pub(super) reply: String,
    pub(super) reasons: Vec<MoveReason>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct ReviewProgress {
    pub(super) done: u64,
    pub(super) total: u64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReviewSummary {
    pub(super) seats: BySeat<SeatReview>,
    pub(super) turning_points: Vec<usize>,
    pub(super) scores: Vec<BySeat<f64>>,
    pub(super) complete: bool,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct SeatReview {
    pub(super) accuracy: Option<f64>,
    pub(super) labels: BTreeMap<String, u32>,
}

/// A message of a search for puzzles, without the puzzles themselves.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PuzzleProgress {
    pub(super) found: u64,
    pub(super) looked_at: u64,
}
