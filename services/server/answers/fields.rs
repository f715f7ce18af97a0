//! The fields of answers that are printed as text.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Values by seat id.
pub(crate) type BySeat<T> = BTreeMap<String, T>;

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Evaluation {
    pub(crate) certainty: Certainty,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) plies_to_end: Option<u32>,
    pub(crate) scores: BySeat<f64>,
    pub(crate) source: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Certainty {
    Proven,
    Estimate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Outcome {
    Win,
    Draw,
    Loss,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct MoveReason {
    pub(crate) text: String,
    pub(crate) cells: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PositionAnswer {
    pub(crate) position: String,
    pub(crate) to_move: String,
    pub(crate) legal_move_count: u64,
    pub(crate) outcome: Option<GameOutcome>,
    /// Piece ids by point id.
    pub(crate) board: BTreeMap<String, Vec<String>>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct GameOutcome {
    pub(crate) text: String,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MovesAnswer {
    pub(crate) moves: Vec<String>,
    pub(crate) total: u64,
    pub(crate) next_page_token: String,
    pub(crate) key: String,
    /// Absent from servers that do not know it.
    #[serde(default)]
    pub(crate) move_texts: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EvaluationAnswer {
    pub(crate) evaluation: Evaluation,
    pub(crate) to_move: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HintsAnswer {
    pub(crate) hints: Vec<Hint>,
    pub(crate) evaluation: Evaluation,
    pub(crate) stop_reason: Option<String>,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    pub(crate) elapsed_ms: f64,
    pub(crate) to_move: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Hint {
    /// Empty if it is withheld.
    pub(crate) r#move: String,
    pub(crate) evaluation: Evaluation,
    pub(crate) line: Vec<String>,
    pub(crate) reasons: Vec<MoveReason>,
    pub(crate) equivalents: Vec<String>,
    pub(crate) area: Vec<String>,
    /// Absent from servers that do not know it.
    #[serde(default)]
    pub(crate) move_text: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ComparisonAnswer {
    pub(crate) comparisons: Vec<MoveComparison>,
    pub(crate) best_move: String,
    pub(crate) best_line: Vec<String>,
    pub(crate) evaluation: Evaluation,
    pub(crate) to_move: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MoveComparison {
    pub(crate) r#move: String,
    pub(crate) evaluation: Evaluation,
    pub(crate) reply: String,
    pub(crate) line: Vec<String>,
    pub(crate) differs_at: Option<usize>,
    pub(crate) reasons: Vec<MoveReason>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ThreatsAnswer {
    pub(crate) threats: Vec<Threat>,
    pub(crate) stops_all: Vec<String>,
    pub(crate) to_move: String,
    pub(crate) seats: Vec<String>,
    pub(crate) truncated: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Threat {
    pub(crate) seat: String,
    pub(crate) kind: String,
    pub(crate) r#move: String,
    pub(crate) cells: Vec<String>,
    pub(crate) stopped_by: Vec<String>,
    pub(crate) plies: u32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExplorationAnswer {
    pub(crate) moves: Vec<ExploredMove>,
    pub(crate) total: u64,
    pub(crate) next_page_token: String,
    pub(crate) games: u64,
    pub(crate) to_move: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExploredMove {
    pub(crate) r#move: String,
    pub(crate) equivalents: Vec<String>,
    pub(crate) games: u64,
    pub(crate) scores: BySeat<f64>,
    pub(crate) evaluation: Evaluation,
    pub(crate) proven_share: f64,
}

/// A message of a review.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum ReviewMessage {
    Move(Box<ReviewedMove>),
    Progress(ReviewProgress),
    Summary(ReviewSummary),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReviewedMove {
    pub(crate) index: usize,
    pub(crate) seat: String,
    pub(crate) r#move: String,
    pub(crate) loss: f64,
    pub(crate) label: Option<String>,
    pub(crate) before: Evaluation,
    pub(crate) after: Evaluation,
    pub(crate) best_move: String,
    pub(crate) best_line: Vec<String>,
    pub(crate) reply: String,
    pub(crate) reasons: Vec<MoveReason>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ReviewProgress {
    pub(crate) done: u64,
    pub(crate) total: u64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReviewSummary {
    pub(crate) seats: BySeat<SeatReview>,
    pub(crate) turning_points: Vec<usize>,
    pub(crate) scores: Vec<BySeat<f64>>,
    pub(crate) complete: bool,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct SeatReview {
    pub(crate) accuracy: Option<f64>,
    pub(crate) labels: BTreeMap<String, u32>,
}

/// A whole review.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ReviewAnswer {
    pub(crate) moves: Vec<ReviewedMove>,
    pub(crate) summary: ReviewSummary,
}

/// All puzzles of a search.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct PuzzlesAnswer {
    pub(crate) puzzles: Vec<Puzzle>,
    pub(crate) r#final: PuzzleProgress,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Puzzle {
    pub(crate) position: String,
    pub(crate) to_move: String,
    pub(crate) solutions: Vec<Vec<String>>,
    pub(crate) theme: String,
    pub(crate) difficulty: f64,
    pub(crate) plies_to_end: u32,
    pub(crate) first_moves: Vec<String>,
    pub(crate) move_index: Option<u32>,
}

/// A message of a search for puzzles, without the puzzles themselves.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PuzzleProgress {
    pub(crate) found: u64,
    pub(crate) looked_at: u64,
}
