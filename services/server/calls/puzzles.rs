//! FindPuzzles: positions that exactly one distinct move wins, as a stream.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use pentad_engine as engine;
use pentad_engine::{PuzzleUpdate, Puzzles};
use pentad_host::Variant;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use utoipa::ToSchema;

use super::limits::{Limits, limits};
use super::position::spec;
use super::wire::{IntoProto, index, message, question, rounded, seat_id};
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

/// Time of a search for puzzles that sets none.
const TOTAL_TIME_DEFAULT: Duration = Duration::from_mins(1);

/// Which puzzles to look for.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schema(example = json!({"count": 1, "seed": 7, "limits": {"nodes": 20000}, "totalTimeMs": 5000})))]
pub struct PuzzleQuestion {
    /// Id of the variant; the game's first by default.
    pub variant: Option<String>,
    /// Position that games begin with; the start by default.
    pub position: Option<String>,
    /// A game to look through. Without moves, games between low levels are played from
    /// the position.
    pub moves: Option<Vec<String>>,
    /// Number of puzzles, 1 by default.
    #[cfg_attr(test, schema(minimum = 1, maximum = 1000))]
    pub count: Option<u32>,
    /// Minimum plies to the end; `maxPlies` by default.
    #[cfg_attr(test, schema(minimum = 1, maximum = 5))]
    pub min_plies: Option<u32>,
    /// Maximum plies to the end, 1 to 5; 3 by default. With more than two sides only 1 is
    /// possible, and the default. Wins in five plies are rare and slow to prove: finding one
    /// in Pentago may take a minute.
    #[cfg_attr(test, schema(minimum = 1, maximum = 5))]
    pub max_plies: Option<u32>,
    /// Only puzzles with this theme, a reason code.
    pub theme: Option<String>,
    /// Seed of the games that are played: the same seed and node limits give the same
    /// games. Random by default.
    #[cfg_attr(test, schema(format = "uint64", maximum = 18_446_744_073_709_551_615_u64))]
    pub seed: Option<u64>,
    /// Limits of the search of each position. The whole search has `totalTimeMs`.
    #[serde(default, deserialize_with = "crate::rest::body::object")]
    pub limits: Option<Limits>,
    /// Time for all puzzles, a minute by default: fewer than `count` may have been found by
    /// then.
    #[cfg_attr(test, schema(format = "uint64", minimum = 1, maximum = 18_446_744_073_709_551_615_u64))]
    pub total_time_ms: Option<u64>,
}

question!(FindPuzzlesRequest => PuzzleQuestion {
    variant, position, moves, count, min_plies, max_plies, theme, seed, limits, total_time_ms
});

/// A message of a search for puzzles.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum PuzzleMessage {
    /// A puzzle.
    Puzzle(Puzzle),
    /// Progress, at intervals.
    Progress(PuzzleProgress),
    /// The last message.
    Final(PuzzleProgress),
}

impl PuzzleMessage {
    pub(crate) fn new(variant: &Variant, update: PuzzleUpdate) -> PuzzleMessage {
        match update {
            PuzzleUpdate::Puzzle(it) => PuzzleMessage::Puzzle(puzzle(variant, *it)),
            PuzzleUpdate::Progress(it) => PuzzleMessage::Progress(progress(it)),
            PuzzleUpdate::Final(it) => PuzzleMessage::Final(progress(it)),
        }
    }
}

impl Update for PuzzleMessage {
    type All = PuzzlesAnswer;

    fn event(&self) -> &'static str {
        match self {
            PuzzleMessage::Puzzle(_) => "puzzle",
            PuzzleMessage::Progress(_) => "progress",
            PuzzleMessage::Final(_) => "final",
        }
    }

    fn add_to(self, all: &mut PuzzlesAnswer) {
        match self {
            PuzzleMessage::Puzzle(it) => all.puzzles.push(it),
            PuzzleMessage::Progress(_) => {}
            PuzzleMessage::Final(it) => all.r#final = Some(it),
        }
    }
}

/// All puzzles of a search.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct PuzzlesAnswer {
    /// In the order in which they were found.
    pub puzzles: Vec<Puzzle>,
    /// What was searched in all.
    #[cfg_attr(test, schema(value_type = PuzzleProgress))]
    pub r#final: Option<PuzzleProgress>,
}

impl IntoProto<proto::FindPuzzlesResponse> for PuzzleMessage {
    fn into_proto(self) -> proto::FindPuzzlesResponse {
        use proto::find_puzzles_response::Message;
        let message = match self {
            PuzzleMessage::Puzzle(it) => Message::Puzzle(it.into_proto()),
            PuzzleMessage::Progress(it) => Message::Progress(it.into_proto()),
            PuzzleMessage::Final(it) => Message::Final(it.into_proto()),
        };
        proto::FindPuzzlesResponse { message: Some(message) }
    }
}

/// A position that exactly one distinct move wins in time, proven for every defence.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Puzzle {
    /// In canonical form.
    pub position: String,
    /// Id of the seat to move, which wins.
    pub to_move: String,
    /// Lines from the first move to the end of the game, the winner's moves and the
    /// defences in turn: one for every distinct first defence, and more for other replies
    /// that also win. Later defences are proven as well; each line shows one of the
    /// longest.
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
    #[cfg_attr(test, schema(required = true))]
    pub move_index: Option<u32>,
    /// As in the response of `position`.
    pub key: String,
}

message!(Puzzle => Puzzle {
    position, to_move, solutions, theme, difficulty, plies_to_end, first_moves, move_index, key
});

impl IntoProto<proto::puzzle::SolutionLine> for Vec<String> {
    fn into_proto(self) -> proto::puzzle::SolutionLine {
        proto::puzzle::SolutionLine { moves: self }
    }
}

/// Progress of a search for puzzles.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PuzzleProgress {
    /// Puzzles found.
    pub found: u32,
    /// Puzzles requested.
    pub wanted: u32,
    /// Positions examined.
    pub looked_at: u64,
}

message!(PuzzleProgress => PuzzleProgress { found, wanted, looked_at });

/// An event of a stream of `puzzles`.
#[cfg_attr(test, derive(ToSchema))]
#[allow(dead_code, reason = "documentation only")]
pub(crate) struct PuzzleEvent {
    /// The kind of the event.
    event: PuzzleEventKind,
    /// Counts the events; `end` for the last one.
    id: String,
    /// How long to wait before reconnecting, in milliseconds.
    retry: u32,
    /// JSON: a `PuzzleMessage`, or the `Problem` of an `error`.
    #[cfg_attr(test, schema(schema_with = crate::rest::docs::document::puzzle_event_data))]
    data: String,
}

/// The kind of an event of a search for puzzles.
#[derive(Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "lowercase")]
#[allow(dead_code, reason = "documentation only")]
pub(crate) enum PuzzleEventKind {
    /// A puzzle was found.
    Puzzle,
    /// Progress of the search.
    Progress,
    /// The end.
    Final,
    /// The search failed.
    Error,
}

/// One line of a stream of `puzzles` in `application/x-ndjson`.
#[derive(Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(untagged)]
#[allow(dead_code, reason = "documentation only")]
pub(crate) enum PuzzleLine {
    /// A message of the search.
    Message(PuzzleMessage),
    /// The search failed; the last line.
    Error {
        /// Why.
        error: Problem,
    },
}

pub(crate) struct Call;

impl StreamCall for Call {
    const METHOD: Method = Method::FindPuzzles;

    type Body = PuzzleQuestion;
    type Updates = QuotaStream<Puzzles>;

    async fn start(
        app: &App,
        AdmittedCaller { caller, admission }: AdmittedCaller,
        game: String,
        question: PuzzleQuestion,
    ) -> Result<QuotaStream<Puzzles>, ApiError> {
        let puzzles = app.engine.puzzles(&engine_question(game, question), caller.clone()).await?;
        QuotaStream::new(&app.engine, admission, caller, puzzles)
    }
}

impl Updates for QuotaStream<Puzzles> {
    type Update = PuzzleMessage;

    async fn next_update(&mut self) -> Result<PuzzleMessage, ApiError> {
        let update = self.next().await?;
        Ok(PuzzleMessage::new(self.variant(), update))
    }
}

/// Finds puzzles
///
/// Positions that exactly one distinct move wins in time, proven for every defence, in a
/// given game or in games that are played for this. Server-sent events: `puzzle` for
/// each, `progress` in between, then exactly one `final`; if the search fails, the stream
/// ends with `error` and a problem. With `Accept: application/x-ndjson`, JSON lines with
/// the same objects; with `Accept: application/json`, one object with all puzzles, once
/// the search is done.
#[cfg_attr(test, utoipa::path(post, path = "/v1/games/{game}/puzzles", tag = "analysis", operation_id = "findPuzzles",
    params(("game" = String, Path, description = "Id of the game", example = "pentago")),
    request_body = PuzzleQuestion,
    responses((status = 200, description = "A stream, or all of it", content(
        (PuzzleEvent = "text/event-stream"), (PuzzleLine = "application/x-ndjson"),
        (PuzzlesAnswer = "application/json"))), Failures, NotAcceptable, NotJson)))]
pub(crate) async fn post(
    State(app): State<Arc<App>>,
    context: RequestContext,
    Json(question): Json<PuzzleQuestion>,
) -> Result<Response, ApiError> {
    context.stream::<Call>(&app, question).await
}

fn engine_question(game: String, question: PuzzleQuestion) -> engine::PuzzleQuestion {
    let default = engine::PuzzleQuestion::new(spec(game, question.variant, question.position, question.moves));
    engine::PuzzleQuestion {
        count: question.count.map_or(default.count, |count| count as usize),
        min_plies: question.min_plies,
        max_plies: question.max_plies,
        seed: question.seed.unwrap_or_else(|| RandomState::new().hash_one(())),
        limits: limits(question.limits),
        total_time: Some(question.total_time_ms.map_or(TOTAL_TIME_DEFAULT, Duration::from_millis)),
        theme: question.theme.unwrap_or_default(),
        ..default
    }
}

fn puzzle(variant: &Variant, it: engine::Puzzle) -> Puzzle {
    Puzzle {
        position: it.position,
        to_move: seat_id(variant, it.to_move),
        solutions: it.solutions,
        theme: it.theme,
        difficulty: rounded(it.difficulty),
        plies_to_end: it.plies_to_end,
        first_moves: it.first_moves,
        move_index: it.move_idx.map(index),
        key: it.key.to_string(),
    }
}

fn progress(it: engine::PuzzleProgress) -> PuzzleProgress {
    PuzzleProgress { found: index(it.found), wanted: index(it.wanted), looked_at: it.looked_at }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A search for puzzles ends within a minute, unless the caller sets another time.
    #[test]
    fn the_whole_search_has_a_time() {
        let total = |total_time_ms| {
            let question = PuzzleQuestion { count: Some(100), total_time_ms, ..PuzzleQuestion::default() };
            engine_question("pentago".to_owned(), question).total_time
        };
        assert_eq!(total(None), Some(Duration::from_mins(1)));
        assert_eq!(total(Some(250)), Some(Duration::from_millis(250)));
        assert_eq!(total(Some(0)), Some(Duration::ZERO), "the engine refuses it");
    }
}
