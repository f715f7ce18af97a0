//! The JSON types of REST: request bodies and responses.
//!
//! They define `/openapi.json`, and their comments are its descriptions.
//! Everything in a question is optional; `null` means "not set".

mod explorer;
mod puzzles;
mod review;

pub use explorer::*;
pub use puzzles::*;
pub use review::*;

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Deserialize, Serialize, Serializer};
use utoipa::{IntoParams, ToSchema};

/// A position of the game.
#[derive(Debug, Default, Deserialize, ToSchema, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"position": "6/6/6/6/6/6 w", "moves": ["c3-2r"]}))]
pub struct PositionQuestion {
    /// Id of the variant; the game's first by default.
    pub variant: Option<String>,
    /// Position in the game's notation; the start by default.
    pub position: Option<String>,
    /// Moves played from the position; none by default.
    pub moves: Option<Vec<String>>,
}

/// Which legal moves to list.
#[derive(Debug, Default, Deserialize, ToSchema, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"position": "6/6/6/6/6/6 w", "prefix": "c3-", "pageSize": 100}))]
pub struct MovesQuestion {
    /// Id of the variant; the game's first by default.
    pub variant: Option<String>,
    /// Position in the game's notation; the start by default.
    pub position: Option<String>,
    /// Moves played from the position; none by default.
    pub moves: Option<Vec<String>>,
    /// Only moves whose text has this prefix.
    pub prefix: Option<String>,
    /// Maximum number of moves on this page; the server's maximum by default.
    #[schema(format = "uint32", maximum = 4_294_967_295_u32)]
    #[param(format = "uint32", maximum = 4_294_967_295_u32)]
    pub page_size: Option<u32>,
    /// `nextPageToken` of the previous page; the rest of the question must be the
    /// same.
    pub page_token: Option<String>,
    /// Only the first of several moves that lead to the same position. Every move is
    /// played to find out, so this is refused as `too_large` where there are more than
    /// 1,000,000; list fewer of them with `prefix`.
    pub distinct: Option<bool>,
}

/// A position to evaluate.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"moves": ["c3-2r"], "limits": {"timeMs": 500}}))]
pub struct EvaluationQuestion {
    /// Id of the variant; the game's first by default.
    pub variant: Option<String>,
    /// Position in the game's notation; the start by default.
    pub position: Option<String>,
    /// Moves played from the position; none by default.
    pub moves: Option<Vec<String>>,
    /// Limits of the search.
    #[serde(default, deserialize_with = "super::body::object")]
    pub limits: Option<Limits>,
}

/// A position to find the best moves of.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"moves": ["c3-2r"], "limits": {"timeMs": 500}, "count": 3}))]
pub struct HintsQuestion {
    /// Id of the variant; the game's first by default.
    pub variant: Option<String>,
    /// Position in the game's notation; the start by default.
    pub position: Option<String>,
    /// Moves played from the position; none by default.
    pub moves: Option<Vec<String>>,
    /// Limits of the search.
    #[serde(default, deserialize_with = "super::body::object")]
    pub limits: Option<Limits>,
    /// Number of hints, 1 by default. Moves that lead to the same or a symmetric
    /// position count as one.
    #[schema(minimum = 1, maximum = 1000)]
    pub count: Option<u32>,
    /// Playing strength, 1 to 10; 10, the default, is full strength. Lower levels look
    /// less far, overlook moves and misjudge others. From 6 on no win in one is missed,
    /// from 8 on no proven win is left. `limits` can only make a level weaker.
    #[schema(minimum = 1, maximum = 10)]
    pub level: Option<u32>,
    /// Decides what a level below 10 chooses, always the same for the same seed and
    /// limits. Drawn at random by default, so that bots vary.
    #[schema(format = "uint64", maximum = 18_446_744_073_709_551_615_u64)]
    pub seed: Option<u64>,
    /// How much a hint reveals; everything by default.
    pub detail: Option<Detail>,
    /// Only these moves are considered.
    pub allow_moves: Option<Vec<String>>,
    /// These moves are not considered.
    pub avoid_moves: Option<Vec<String>>,
}

/// Limits of a search, which stops at the first one it reaches. Values above
/// the server's maximums are lowered to them. Without any, the time is 1,000 ms.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Limits {
    /// Time from the arrival of the request to the response.
    #[schema(format = "uint64", minimum = 1, maximum = 18_446_744_073_709_551_615_u64)]
    #[param(format = "uint64", minimum = 1, maximum = 18_446_744_073_709_551_615_u64)]
    pub time_ms: Option<u64>,
    /// Positions visited. With this limit alone, equal requests get equal
    /// responses.
    #[schema(format = "uint64", minimum = 1, maximum = 18_446_744_073_709_551_615_u64)]
    #[param(format = "uint64", minimum = 1, maximum = 18_446_744_073_709_551_615_u64)]
    pub nodes: Option<u64>,
    /// Search depth in plies.
    #[schema(format = "uint32", minimum = 1, maximum = 4_294_967_295_u32)]
    #[param(format = "uint32", minimum = 1, maximum = 4_294_967_295_u32)]
    pub depth: Option<u32>,
}

/// How much a hint reveals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Detail {
    /// The evaluation and the kind of move to look for.
    Nudge,
    /// Also where on the board to look.
    Area,
    /// Also the move.
    Move,
    /// Also the expected continuation.
    Line,
}

/// The games that are served.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GamesAnswer {
    /// Sorted by id.
    pub games: Vec<Game>,
}

/// A game that is served.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Game {
    /// Identifies the game in paths.
    #[schema(example = "pentago")]
    pub id: String,
    /// Display name.
    pub name: String,
    /// Version of the rule set.
    pub version: String,
    /// ABI version that the rule set was built for.
    #[schema(example = "1.0")]
    pub abi: String,
    /// Ids of the seats of the default variant, in playing order.
    pub seats: Vec<String>,
    /// The default variant comes first.
    pub variants: Vec<Variant>,
    /// Optional capabilities of the rule set: `search`, `symmetry`, `layout`,
    /// `reasons`, `threats`. Hints and evaluations work without any of them; without
    /// `threats` only the wins of the seat to move are known.
    pub capabilities: Vec<&'static str>,
}

/// A variant of a game.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Variant {
    /// Identifies the variant in requests.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Ids of the seats, in playing order. Scores and places are keyed by them.
    pub seats: Vec<String>,
    /// A one-sentence description.
    pub summary: String,
    /// Display names of the seats, by seat id.
    #[schema(value_type = std::collections::BTreeMap<String, String>)]
    pub seat_names: Keyed<String>,
    /// The side each seat plays for, by seat id. Seats of the same side win and
    /// lose together.
    #[schema(value_type = std::collections::BTreeMap<String, u32>)]
    pub sides: Keyed<u32>,
}

/// A game with its rules, notation and board.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GameAnswer {
    /// As in the list.
    #[serde(flatten)]
    pub game: Game,
    /// How positions and moves are written.
    pub notation: String,
    /// How the game is played.
    pub rules: String,
    /// The board of the default variant; null if the rule set has no layout.
    #[schema(required = true)]
    pub layout: Option<Layout>,
    /// The boards of variants that differ from it, by variant id.
    #[schema(value_type = std::collections::BTreeMap<String, Layout>)]
    pub variant_layouts: Keyed<Layout>,
    /// The codes of the rule set's reasons; empty if it does not list them.
    pub reason_codes: Vec<ReasonCode>,
    /// The kinds of the rule set's threats; empty if it does not list them.
    pub threat_kinds: Vec<super::threats::ThreatKind>,
}

/// A code that reasons for moves carry.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReasonCode {
    /// As in reasons.
    #[schema(example = "only_move")]
    pub code: String,
    /// What is true of a move with this code.
    pub description: String,
    /// Whether its reasons may name cells.
    pub names_cells: bool,
}

/// A board as data, for drawing. Coordinates are in units of about one
/// cell, x to the right, y downwards, from 0, 0 to width, height. Colours are
/// `#rrggbb` or empty.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Layout {
    /// Width of the drawing.
    pub width: f64,
    /// Height of the drawing.
    pub height: f64,
    /// Points that may hold pieces.
    pub points: Vec<LayoutPoint>,
    /// Lines between points.
    pub edges: Vec<LayoutEdge>,
    /// Groups of points.
    pub blocks: Vec<LayoutBlock>,
    /// Text beside the board.
    pub labels: Vec<LayoutLabel>,
    /// Kinds of pieces.
    pub pieces: Vec<LayoutPiece>,
}

/// A point that may hold pieces.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LayoutPoint {
    /// As used in moves.
    pub id: String,
    /// Centre, from the left.
    pub x: f64,
    /// Centre, from the top.
    pub y: f64,
    /// Radius of the point as drawn.
    pub radius: f64,
    /// `hidden`, `hole`, `cell` or `stop`.
    pub shape: &'static str,
    /// `#rrggbb` or empty.
    pub colour: String,
}

/// A line between two points, by their ids.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LayoutEdge {
    /// Id of a point.
    pub from: String,
    /// Id of a point.
    pub to: String,
}

/// A group of points, drawn as a rectangle behind them.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LayoutBlock {
    /// As used in moves; may be empty.
    pub id: String,
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Extent to the right.
    pub width: f64,
    /// Extent downwards.
    pub height: f64,
    /// `#rrggbb` or empty.
    pub colour: String,
    /// Ids of points.
    pub points: Vec<String>,
}

/// Text beside the board, centred at a point.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LayoutLabel {
    /// The text.
    pub text: String,
    /// Centre, from the left.
    pub x: f64,
    /// Centre, from the top.
    pub y: f64,
}

/// A kind of piece.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LayoutPiece {
    /// As used in positions and in `board`.
    pub id: String,
    /// Display name.
    pub name: String,
    /// `#rrggbb` or empty.
    pub fill: String,
    /// `#rrggbb` or empty.
    pub stroke: String,
    /// Drawn on the piece; may be empty.
    pub label: String,
    /// `disc`, `ring`, `square` or `spot`.
    pub shape: &'static str,
    /// Id of the seat that owns it; empty if none does.
    pub seat: String,
}

/// The facts of a position.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PositionAnswer {
    /// The position after `moves`, in canonical form.
    #[schema(example = "6/6/2w3/6/6/6 b")]
    pub position: String,
    /// Id of the seat whose turn it is, or would be.
    pub to_move: String,
    /// Number of legal moves.
    pub legal_move_count: u64,
    /// Null while the game goes on.
    #[schema(required = true)]
    pub outcome: Option<GameOutcome>,
    /// Piece ids by point id of the layout. Empty points are left out.
    #[schema(value_type = std::collections::BTreeMap<String, Vec<String>>)]
    pub board: Keyed<Vec<String>>,
    /// Equal for equal and symmetric positions of a variant. Callers may send it as the
    /// header `x-pentad-key`, so that a proxy sends questions about such positions to one
    /// replica; the server itself does not read it.
    #[schema(example = "14d9232a37a15fa0a5c789198c11f42a")]
    pub key: String,
}

/// How a game ended.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GameOutcome {
    /// Scores by seat id, 0 to 1.
    #[schema(value_type = std::collections::BTreeMap<String, f64>)]
    pub scores: Keyed<f64>,
    /// Places by seat id; 1 is best, ties share a place.
    #[schema(value_type = std::collections::BTreeMap<String, u32>)]
    pub places: Keyed<u32>,
    /// A sentence for players, in the language of the request.
    pub text: String,
}

/// A page of legal moves.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MovesAnswer {
    /// In canonical order.
    #[schema(value_type = Vec<String>, example = json!(["a1-1l", "a1-1r"]))]
    pub moves: MoveList,
    /// Number of moves on all pages.
    pub total: u64,
    /// Empty on the last page.
    pub next_page_token: String,
    /// As in the response of `position`.
    pub key: String,
}

/// The evaluation of a position.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvaluationAnswer {
    /// The value of the position.
    pub evaluation: Evaluation,
    /// The position after `moves`, in canonical form.
    pub position: String,
    /// Id of the seat whose turn it is, or would be.
    pub to_move: String,
    /// As in the response of `position`.
    pub key: String,
}

/// The value of a position or move. An estimate never contradicts a proof.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({"certainty": "proven", "outcome": "win", "pliesToEnd": 3,
    "scores": {"w": 1.0, "b": 0.0}, "source": "search", "depth": 3}))]
pub struct Evaluation {
    /// Whether the value is proven.
    pub certainty: Certainty,
    /// For the side to move, where the game has two sides and the value is
    /// proven; null otherwise.
    #[schema(required = true)]
    pub outcome: Option<Outcome>,
    /// Plies to the end of the game with best play, where known.
    #[schema(required = true)]
    pub plies_to_end: Option<u32>,
    /// Expected score of every seat, 0 to 1, by seat id, independent of whose
    /// turn it is.
    #[schema(value_type = std::collections::BTreeMap<String, f64>)]
    pub scores: Keyed<f64>,
    /// Where the value comes from.
    pub source: Source,
    /// Search depth in plies.
    pub depth: u32,
}

/// Whether a value is proven.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// True whatever the opponents do.
    Proven,
    /// The best estimate within the limits.
    Estimate,
}

/// The result for the side to move.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Outcome {
    Win,
    Draw,
    Loss,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The game is over.
    Terminal,
    /// A table of exact opening values.
    Book,
    /// An exact solver.
    Solver,
    /// A search.
    Search,
    /// A static evaluation, without a search.
    Static,
}

/// The best moves.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HintsAnswer {
    /// Best first; below level 10 in the order in which that level would choose.
    pub hints: Vec<Hint>,
    /// The value of the position.
    pub evaluation: Evaluation,
    /// Why the search stopped; null while it is running.
    #[schema(required = true)]
    pub stop_reason: Option<StopReason>,
    /// Completed search depth in plies.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Time from the arrival of the request to the response.
    pub elapsed_ms: f64,
    /// Whether the result comes from the cache.
    pub cached: bool,
    /// The position after `moves`, in canonical form.
    pub position: String,
    /// Id of the seat whose turn it is.
    pub to_move: String,
    /// As in the response of `position`.
    pub key: String,
}

/// The hints found so far.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AnalysisUpdate {
    /// As in the response of `hints`.
    #[serde(flatten)]
    pub hints: HintsAnswer,
    /// Whether this is the last update.
    pub r#final: bool,
}

/// One event of a stream of `analysis`.
#[derive(ToSchema)]
#[allow(dead_code, reason = "documentation only")]
pub(super) struct AnalysisEvent {
    /// The kind of the event.
    event: AnalysisEventKind,
    /// Counts the updates; `end` for the last event.
    id: String,
    /// How long to wait before reconnecting, in milliseconds.
    retry: u32,
    /// JSON: an `AnalysisUpdate`, or the `Problem` of an `error`.
    #[schema(schema_with = super::docs::event_data)]
    data: String,
}

/// The kind of an event.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[allow(dead_code, reason = "documentation only")]
pub(super) enum AnalysisEventKind {
    /// The hints have improved.
    Update,
    /// The last update.
    Final,
    /// The analysis failed.
    Error,
}

/// One line of a stream of `analysis` in `application/x-ndjson`.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "documentation only")]
pub(super) enum AnalysisLine {
    /// The hints found so far.
    Update(AnalysisUpdate),
    /// The analysis failed; the last line.
    Error {
        /// Why.
        error: super::Problem,
    },
}

/// A suggested move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Hint {
    /// In canonical notation; empty if `detail` withholds it.
    pub r#move: String,
    /// The value of the move.
    pub evaluation: Evaluation,
    /// The expected line, starting with the move itself.
    pub line: Vec<String>,
    /// The most important comes first.
    pub reasons: Vec<MoveReason>,
    /// Other moves that lead to the same position or a symmetric one.
    pub equivalents: Vec<String>,
    /// Ids of the points to look at, for the detail `area`.
    pub area: Vec<String>,
}

/// Why a move is good or bad.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MoveReason {
    /// One of the game's `reasonCodes`. Of a move that the rule set does not
    /// explain, the server itself says what is proven: `wins`, `forced_win`,
    /// `draws`, `loses`, `only_move`.
    pub code: String,
    /// A sentence for players, in the language of the request.
    pub text: String,
    /// Ids of points of the layout.
    pub cells: Vec<String>,
}

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum StopReason {
    /// The result is proven.
    Proven,
    /// The time limit.
    Time,
    /// The node limit.
    Nodes,
    /// The depth limit.
    Depth,
    /// The caller's deadline came before the limits.
    Deadline,
    /// The search was cut short because others were waiting.
    Load,
    /// The server is stopping.
    Shutdown,
}

/// A JSON object that keeps the order of its entries.
#[derive(Clone, Debug, PartialEq)]
pub struct Keyed<T>(Vec<(String, T)>);

impl<T> FromIterator<(String, T)> for Keyed<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(entries: I) -> Self {
        Keyed(entries.into_iter().collect())
    }
}

impl<T: Serialize> Serialize for Keyed<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

/// Moves serialised from the engine's page, without a `String` each.
#[derive(Clone, Debug)]
pub struct MoveList(pub(crate) pentad_engine::MovePage);

impl Serialize for MoveList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(Some(self.0.len()))?;
        for mv in self.0.iter() {
            seq.serialize_element(mv)?;
        }
        seq.end()
    }
}
