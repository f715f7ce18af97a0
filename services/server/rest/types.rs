//! The JSON of REST: what is sent and what is answered.
//!
//! These types are the contract of `/openapi.json`; their comments are its
//! text. Everything in a question is optional, and `null` means "not given".

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
    /// In the game's notation; the start by default.
    pub position: Option<String>,
    /// Played from there; none by default.
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
    /// In the game's notation; the start by default.
    pub position: Option<String>,
    /// Played from there; none by default.
    pub moves: Option<Vec<String>>,
    /// Only moves whose text begins so.
    pub prefix: Option<String>,
    /// At most so many on this page; the server's bound by default.
    pub page_size: Option<u32>,
    /// From `nextPageToken` of the page before, with the same question.
    pub page_token: Option<String>,
    /// Only the first of the moves that lead to one position.
    pub distinct: Option<bool>,
}

/// How good a position is.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"moves": ["c3-2r"], "limits": {"timeMs": 500}}))]
pub struct EvaluationQuestion {
    /// Id of the variant; the game's first by default.
    pub variant: Option<String>,
    /// In the game's notation; the start by default.
    pub position: Option<String>,
    /// Played from there; none by default.
    pub moves: Option<Vec<String>>,
    /// When to stop looking.
    #[serde(default, deserialize_with = "super::body::object")]
    pub limits: Option<Limits>,
}

/// Which moves are best.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"moves": ["c3-2r"], "limits": {"timeMs": 500}, "count": 3}))]
pub struct HintsQuestion {
    /// Id of the variant; the game's first by default.
    pub variant: Option<String>,
    /// In the game's notation; the start by default.
    pub position: Option<String>,
    /// Played from there; none by default.
    pub moves: Option<Vec<String>>,
    /// When to stop looking.
    #[serde(default, deserialize_with = "super::body::object")]
    pub limits: Option<Limits>,
    /// How many hints, 1 by default. Moves that lead to the same or a symmetric
    /// position count as one.
    pub count: Option<u32>,
    /// 1 to 10; 10 is full strength and the default.
    pub level: Option<u32>,
    /// How much a hint gives away; everything by default.
    pub detail: Option<Detail>,
    /// Only these moves are considered.
    pub allow_moves: Option<Vec<String>>,
    /// These moves are not considered.
    pub avoid_moves: Option<Vec<String>>,
}

/// When to stop looking; the first to trip does it. Values above the server's
/// bounds are lowered to them. With none set the time is 1,000 ms.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Limits {
    /// From the question's arrival to the answer.
    pub time_ms: Option<u64>,
    /// Positions visited. With this limit alone the same question always gets
    /// the same answer.
    pub nodes: Option<u64>,
    /// Plies looked ahead.
    pub depth: Option<u32>,
}

/// How much a hint gives away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Detail {
    /// The evaluation, and what kind of move to look for.
    Nudge,
    /// Also where on the board to look.
    Area,
    /// Also the move.
    Move,
    /// Also the play expected to follow.
    Line,
}

/// The games that are served.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GamesAnswer {
    /// By id.
    pub games: Vec<Game>,
}

/// A game that is served.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Game {
    /// Names the game in every path.
    #[schema(example = "pentago")]
    pub id: String,
    /// For people.
    pub name: String,
    /// Version of the rule set.
    pub version: String,
    /// ABI version that the rule set was built for.
    #[schema(example = "1.0")]
    pub abi: String,
    /// Ids of the seats of the default variant, in playing order.
    pub seats: Vec<String>,
    /// The default first.
    pub variants: Vec<Variant>,
    /// What the rule set brings besides its rules: `search`, `symmetry`,
    /// `layout`, `reasons`. Hints and evaluations work without any of them.
    pub capabilities: Vec<&'static str>,
}

/// One way of playing a game.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Variant {
    /// Names the variant in questions.
    pub id: String,
    /// For people.
    pub name: String,
    /// Ids of the seats, in playing order. Scores and places are keyed by them.
    pub seats: Vec<String>,
    /// One sentence.
    pub summary: String,
    /// Names of the seats for people, by seat id.
    #[schema(value_type = std::collections::BTreeMap<String, String>)]
    pub seat_names: Keyed<String>,
    /// The side each seat plays for, by seat id. Seats of the same side win and
    /// lose together.
    #[schema(value_type = std::collections::BTreeMap<String, u32>)]
    pub sides: Keyed<u32>,
}

/// A game with help on its rules and notation, and its board.
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
    /// The board of the default variant; null if the rule set does not say.
    pub layout: Option<Layout>,
    /// Boards of the variants that differ from it, by variant id.
    #[schema(value_type = std::collections::BTreeMap<String, Layout>)]
    pub variant_layouts: Keyed<Layout>,
}

/// A board as data, enough to draw it. Coordinates are in units of about one
/// cell, x to the right, y downwards, from 0, 0 to width, height. Colours are
/// `#rrggbb` or empty.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Layout {
    /// Of the whole drawing.
    pub width: f64,
    /// Of the whole drawing.
    pub height: f64,
    /// Places that may hold pieces.
    pub points: Vec<LayoutPoint>,
    /// Lines between points.
    pub edges: Vec<LayoutEdge>,
    /// Points that belong together.
    pub blocks: Vec<LayoutBlock>,
    /// Text beside the board.
    pub labels: Vec<LayoutLabel>,
    /// Kinds of pieces.
    pub pieces: Vec<LayoutPiece>,
}

/// A place that may hold pieces.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LayoutPoint {
    /// As in moves.
    pub id: String,
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
    /// Of the drawing.
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

/// Points that belong together, drawn as a rectangle behind them.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LayoutBlock {
    /// As in moves; may be empty.
    pub id: String,
    /// Left.
    pub x: f64,
    /// Top.
    pub y: f64,
    /// To the right.
    pub width: f64,
    /// Downwards.
    pub height: f64,
    /// `#rrggbb` or empty.
    pub colour: String,
    /// Ids of points.
    pub points: Vec<String>,
}

/// Text beside the board, given by its middle.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LayoutLabel {
    /// What it says.
    pub text: String,
    /// Of its middle.
    pub x: f64,
    /// Of its middle.
    pub y: f64,
}

/// A kind of piece.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LayoutPiece {
    /// As in positions and in `board`.
    pub id: String,
    /// For people.
    pub name: String,
    /// `#rrggbb` or empty.
    pub fill: String,
    /// `#rrggbb` or empty.
    pub stroke: String,
    /// Drawn on the piece; may be empty.
    pub label: String,
    /// `disc`, `ring`, `square` or `spot`.
    pub shape: &'static str,
    /// Id of the seat it belongs to; empty if nobody's.
    pub seat: String,
}

/// What a position is.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PositionAnswer {
    /// In canonical form, after `moves`.
    #[schema(example = "6/6/2w3/6/6/6 b")]
    pub position: String,
    /// Id of the seat whose turn it is, or would be.
    pub to_move: String,
    /// How many legal moves there are.
    pub legal_move_count: u64,
    /// Null while the game goes on.
    pub outcome: Option<GameOutcome>,
    /// Ids of pieces by id of the layout's point. Points with none are left out.
    #[schema(value_type = std::collections::BTreeMap<String, Vec<String>>)]
    pub board: Keyed<Vec<String>>,
}

/// How a game ended.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GameOutcome {
    /// By seat id, 0 to 1.
    #[schema(value_type = std::collections::BTreeMap<String, f64>)]
    pub scores: Keyed<f64>,
    /// By seat id; 1 is best, equal places repeat.
    #[schema(value_type = std::collections::BTreeMap<String, u32>)]
    pub places: Keyed<u32>,
    /// One sentence for people.
    pub text: String,
}

/// A page of legal moves.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MovesAnswer {
    /// In canonical order.
    #[schema(value_type = Vec<String>, example = json!(["a1-1l", "a1-1r"]))]
    pub moves: MoveList,
    /// On all pages together.
    pub total: u64,
    /// Empty on the last page.
    pub next_page_token: String,
}

/// How good a position is.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvaluationAnswer {
    /// Its value.
    pub evaluation: Evaluation,
    /// In canonical form, after `moves`.
    pub position: String,
    /// Id of the seat whose turn it is, or would be.
    pub to_move: String,
}

/// What a position or move is worth. An estimate never contradicts a proof.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({"certainty": "proven", "outcome": "win", "pliesToEnd": 3,
    "scores": {"w": 1.0, "b": 0.0}, "source": "search", "depth": 3}))]
pub struct Evaluation {
    /// Fact or guess.
    pub certainty: Certainty,
    /// For the side to move, where the game has two sides and the value is
    /// proven; null otherwise.
    pub outcome: Option<Outcome>,
    /// Plies to the end of the game with best play, where known.
    pub plies_to_end: Option<u32>,
    /// Expected score of every seat, 0 to 1, by seat id. There is no viewpoint
    /// to guess.
    #[schema(value_type = std::collections::BTreeMap<String, f64>)]
    pub scores: Keyed<f64>,
    /// Where the value comes from.
    pub source: Source,
    /// Plies looked ahead.
    pub depth: u32,
}

/// Fact or guess.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// True under the rules, whatever the opponents do.
    Proven,
    /// The best guess within the limits.
    Estimate,
}

/// The result for the side to move.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "they say it themselves")]
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
    /// The position as it stands, without looking ahead.
    Static,
}

/// The best moves.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HintsAnswer {
    /// Best first.
    pub hints: Vec<Hint>,
    /// Of the position itself.
    pub evaluation: Evaluation,
    /// Why the search ended; null while it goes on.
    pub stop_reason: Option<StopReason>,
    /// Plies completed.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// From the question's arrival to the answer.
    pub elapsed_ms: f64,
    /// Whether the answer was remembered rather than searched.
    pub cached: bool,
    /// In canonical form, after `moves`.
    pub position: String,
    /// Id of the seat whose turn it is.
    pub to_move: String,
}

/// The hints as they stand.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AnalysisUpdate {
    /// As `hints` would answer.
    #[serde(flatten)]
    pub hints: HintsAnswer,
    /// Whether this is the last.
    #[serde(rename = "final")]
    pub is_final: bool,
}

/// One move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Hint {
    /// Canonical; empty if `detail` holds it back.
    #[serde(rename = "move")]
    pub mv: String,
    /// What it is worth.
    pub evaluation: Evaluation,
    /// The play expected, the move itself first.
    pub line: Vec<String>,
    /// The weightiest first.
    pub reasons: Vec<MoveReason>,
    /// Other moves that lead to the same position or a symmetric one.
    pub equivalents: Vec<String>,
    /// Points of the board to look at, for the detail `area`.
    pub area: Vec<String>,
}

/// Why a move is good or bad.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MoveReason {
    /// From a short list that the game documents.
    pub code: String,
    /// A sentence for people.
    pub text: String,
    /// Ids of points of the layout.
    pub cells: Vec<String>,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum StopReason {
    /// More search would change nothing.
    Proven,
    /// The time limit.
    Time,
    /// The node limit.
    Nodes,
    /// The depth limit.
    Depth,
    /// The caller's deadline came before the limits.
    Deadline,
    /// Others were waiting, so it was cut short.
    Load,
    /// The server is stopping.
    Shutdown,
}

/// A JSON object in the order given, which is the seats' or the board's.
#[derive(Clone, Debug, PartialEq)]
pub struct Keyed<T>(pub Vec<(String, T)>);

impl<T: Serialize> Serialize for Keyed<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

/// Moves written from the engine's page, without a `String` each.
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
