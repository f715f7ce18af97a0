//! The moves of a position, as they are explored.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Evaluation, Keyed};

/// A position whose moves to explore.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"moves": ["c3-2r"], "pageSize": 20}))]
pub struct ExplorationQuestion {
    /// Id of the variant; the game's first by default.
    pub variant: Option<String>,
    /// Position in the game's notation; the start by default.
    pub position: Option<String>,
    /// Moves played from the position; none by default.
    pub moves: Option<Vec<String>>,
    /// Maximum number of moves on this page; the server's maximum by default.
    #[schema(format = "uint32", maximum = 4_294_967_295_u32)]
    pub page_size: Option<u32>,
    /// `nextPageToken` of the previous page; the rest of the question must be the
    /// same.
    pub page_token: Option<String>,
}

/// What is known of each move of a position.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExplorationAnswer {
    /// One for each different move: moves that lead to the same position or to symmetric
    /// ones are one. Those with most games first, then the best for the seat to move. Pages
    /// may overlap if games are recorded meanwhile.
    pub moves: Vec<ExploredMove>,
    /// Different moves, on all pages together; 0 if the game is over.
    pub total: u64,
    /// Empty on the last page.
    pub next_page_token: String,
    /// Recorded games that went on from this position or a symmetric one.
    pub games: u64,
    /// The position after `moves`, in canonical form.
    pub position: String,
    /// Id of the seat whose turn it is.
    pub to_move: String,
    /// As in the response of `position`.
    pub key: String,
}

/// What is known of a move.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExploredMove {
    /// In canonical notation.
    pub r#move: String,
    /// Other moves that lead to the same position or a symmetric one. Not listed where
    /// there are more than 2,000 legal moves.
    pub equivalents: Vec<String>,
    /// Recorded games with it.
    pub games: u64,
    /// Their mean result per seat, 0 to 1; empty without games.
    #[schema(value_type = std::collections::BTreeMap<String, f64>)]
    pub scores: Keyed<f64>,
    /// The best known value: a proof before an estimate, a deeper search before a
    /// shallower one; static if nothing else is known.
    pub evaluation: Evaluation,
    /// Of the different replies to it, the share whose value is known to be proven; 1 if
    /// its own value is.
    #[schema(minimum = 0, maximum = 1)]
    pub proven_share: f64,
}
