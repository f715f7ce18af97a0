//! The JSON types of puzzles.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Limits;
use crate::rest::Problem;

/// Which puzzles to look for.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"count": 1, "seed": 7, "limits": {"nodes": 20000}, "totalTimeMs": 5000}))]
pub struct PuzzleQuestion {
    /// Id of the variant; the game's first by default.
    pub variant: Option<String>,
    /// Position that games begin with; the start by default.
    pub position: Option<String>,
    /// A game to look through. Without moves, games between low levels are played from
    /// the position.
    pub moves: Option<Vec<String>>,
    /// How many, 1 by default.
    #[schema(minimum = 1, maximum = 1000)]
    pub count: Option<u32>,
    /// Plies to the end at least; as `maxPlies` by default.
    #[schema(minimum = 1, maximum = 5)]
    pub min_plies: Option<u32>,
    /// Plies to the end at most, 1 to 5; 3 by default. Wins of five plies are rare and
    /// slow to prove: one of Pentago may take a minute to find.
    #[schema(minimum = 1, maximum = 5)]
    pub max_plies: Option<u32>,
    /// Only puzzles with this theme, a reason code.
    pub theme: Option<String>,
    /// Decides which games are played, always the same for the same seed and node limits.
    /// Drawn at random by default.
    #[schema(format = "uint64", maximum = 18_446_744_073_709_551_615_u64)]
    pub seed: Option<u64>,
    /// Limits of the search of each position.
    #[serde(default, deserialize_with = "crate::rest::body::object")]
    pub limits: Option<Limits>,
    /// Time of the whole search for puzzles; until `count` are found by default.
    #[schema(format = "uint64", minimum = 1, maximum = 18_446_744_073_709_551_615_u64)]
    pub total_time_ms: Option<u64>,
}

/// A message of a search for puzzles.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum PuzzleMessage {
    /// One more puzzle.
    Puzzle(Puzzle),
    /// Now and then.
    Progress(PuzzleProgress),
    /// The last message.
    Final(PuzzleProgress),
}

/// A position that exactly one distinct move wins in time, proven for every defence.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Puzzle {
    /// In canonical form.
    pub position: String,
    /// Id of the seat that is to win.
    pub to_move: String,
    /// From the first move to the end of the game, the winner's moves and the defences in
    /// turn. There is a line for every distinct first defence; others show further answers
    /// that win too. Later defences are proven as well; of these, each line shows one that
    /// holds out longest.
    pub solutions: Vec<Vec<String>>,
    /// The code of the first reason for the winning move.
    pub theme: String,
    /// `pliesToEnd` plus the binary logarithm of one more than the number of moves that
    /// look at least even to a search one ply deep and do not win in time.
    pub difficulty: f64,
    /// Plies to the end of the game.
    pub plies_to_end: u32,
    /// Every first move that wins in time. They lead to the same or symmetric positions.
    pub first_moves: Vec<String>,
    /// Index into `moves` of the move that was played here; null if no game was given.
    #[schema(required = true)]
    pub move_index: Option<u32>,
    /// As in the response of `position`.
    pub key: String,
}

/// How far a search for puzzles is.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PuzzleProgress {
    /// Puzzles found.
    pub found: u32,
    /// Puzzles asked for.
    pub wanted: u32,
    /// Positions looked at.
    pub looked_at: u64,
}

/// One event of a stream of `puzzles`.
#[derive(ToSchema)]
#[allow(dead_code, reason = "documentation only")]
pub(in crate::rest) struct PuzzleEvent {
    /// The kind of the event.
    event: PuzzleEventKind,
    /// Counts the events; `end` for the last one.
    id: String,
    /// How long to wait before reconnecting, in milliseconds.
    retry: u32,
    /// JSON: a `PuzzleMessage`, or the `Problem` of an `error`.
    #[schema(schema_with = crate::rest::docs::puzzle_event_data)]
    data: String,
}

/// The kind of an event of a search for puzzles.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[allow(dead_code, reason = "documentation only")]
pub(in crate::rest) enum PuzzleEventKind {
    /// A puzzle was found.
    Puzzle,
    /// How far the search is.
    Progress,
    /// The end.
    Final,
    /// The search failed.
    Error,
}

/// One line of a stream of `puzzles` in `application/x-ndjson`.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "documentation only")]
pub(in crate::rest) enum PuzzleLine {
    /// A message of the search.
    Message(PuzzleMessage),
    /// The search failed; the last line.
    Error {
        /// Why.
        error: Problem,
    },
}
