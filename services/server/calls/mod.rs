//! The calls of the API, a module each: the JSON types, the REST handlers, the
//! conversions to and from protobuf, and what the engine is asked.
//!
//! `with_calls` is the table of all calls. Routes, the gRPC service, the document
//! `/openapi.json`, metrics and fuzz targets are generated from it. What the calls share
//! is in `rest` and `grpc`; [`wire`] converts between JSON and protobuf types.

pub mod analysis;
pub mod batch;
pub mod compare;
pub(crate) mod diagram;
pub mod evaluation;
pub mod explorer;
pub mod game;
pub mod games;
pub mod hints;
pub mod judge;
pub(crate) mod kinds;
pub(crate) mod labels;
pub mod layout;
pub mod legal_moves;
pub mod limits;
pub mod position;
pub mod puzzles;
pub mod review;
pub mod threats;
pub mod wire;

use std::sync::Arc;

use pentad_engine::{Caller, Engine, EngineError, QuestionLimits};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;

use crate::access::Admission;
use crate::app::App;
use crate::error::ApiError;
use crate::streams::PlacedUpdates;

/// Passes the table of calls to the macro `$consumer`.
///
/// A row has the RPC's name, which is also its label in metrics; the module with its
/// handlers; its REST path and the methods that it is served by; how gRPC serves it: the
/// method of the generated trait, the messages, and the name of the stream's type; and
/// its [`Flag`]s.
macro_rules! with_calls {
    ($consumer:ident) => {
        $consumer! {
            ListGames: games, "/v1/games" [get],
                unary(list_games, ListGamesRequest, ListGamesResponse), { Translated };
            GetGame: game, "/v1/games/{game}" [get],
                unary(get_game, GetGameRequest, GetGameResponse), { Translated };
            DescribePosition: position, "/v1/games/{game}/position" [get post],
                unary(describe_position, DescribePositionRequest, DescribePositionResponse), { Translated };
            ListLegalMoves: legal_moves, "/v1/games/{game}/legal-moves" [get post],
                unary(list_legal_moves, ListLegalMovesRequest, ListLegalMovesResponse), { Translated };
            Evaluate: evaluation, "/v1/games/{game}/evaluation" [get post],
                unary(evaluate, EvaluateRequest, EvaluateResponse), { Timed };
            Hint: hints, "/v1/games/{game}/hints" [get post],
                unary(hint, HintRequest, HintResponse), { Translated Timed };
            Analyze: analysis, "/v1/games/{game}/analysis" [get post],
                stream(analyze, AnalyzeRequest, AnalyzeResponse, AnalyzeStream), { Translated };
            Review: review, "/v1/games/{game}/review" [post],
                stream(review, ReviewRequest, ReviewResponse, ReviewStream), { Translated };
            Compare: compare, "/v1/games/{game}/compare" [post],
                unary(compare, CompareRequest, CompareResponse), { Translated };
            FindPuzzles: puzzles, "/v1/games/{game}/puzzles" [post],
                stream(find_puzzles, FindPuzzlesRequest, FindPuzzlesResponse, FindPuzzlesStream), {};
            ListThreats: threats, "/v1/games/{game}/threats" [get post],
                unary(list_threats, ListThreatsRequest, ListThreatsResponse), {};
            Explore: explorer, "/v1/games/{game}/explorer" [post],
                unary(explore, ExploreRequest, ExploreResponse), {};
            Batch: batch, "/v1/batch" [post],
                batch(), { Translated };
            Diagram: diagram, "/v1/games/{game}/diagram.svg" [get],
                rest_only(), { Translated RestOnly };
        }
    };
}

pub(crate) use with_calls;

macro_rules! define_methods {
    ($($rpc:ident: $module:ident, $path:literal [$($verb:ident)*], $kind:ident($($rpc_parts:tt)*), { $($flag:ident)* };)*) => {
        /// The RPC, also for its REST counterpart, and calls that only REST has.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum Method {
            $($rpc,)*
            /// Documentation, and unknown paths and RPCs.
            Other,
        }

        impl Method {
            pub(crate) const ALL: &[Method] = &[$(Method::$rpc,)* Method::Other];
        }

        /// By [`Method`]; `Other` has no row.
        const ROWS: &[Row] = &[$(Row {
            name: stringify!($rpc),
            path: $path,
            is_stream: matches!(stringify!($kind).as_bytes(), b"stream" | b"batch"),
            flags: &[$(Flag::$flag,)*],
        },)*];
    };
}

with_calls!(define_methods);

struct Row {
    name: &'static str,
    path: &'static str,
    is_stream: bool,
    flags: &'static [Flag],
}

/// A property of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flag {
    /// Its answers have texts in the caller's language.
    Translated,
    /// Its answer is promised within the time that it is granted.
    Timed,
    /// gRPC does not have it.
    RestOnly,
}

impl Method {
    fn row(self) -> Option<&'static Row> {
        ROWS.get(self as usize)
    }

    fn has(self, flag: Flag) -> bool {
        self.row().is_some_and(|row| row.flags.contains(&flag))
    }

    /// The label in metrics.
    pub(crate) fn as_str(self) -> &'static str {
        self.row().map_or("other", |row| row.name)
    }

    /// Finds a method by the last part of its gRPC path.
    pub(crate) fn from_rpc_name(name: &str) -> Method {
        Self::find(|row| row.name == name)
    }

    /// Finds a method by its REST path, with `{game}` in place of the game.
    pub(crate) fn from_rest_path(path: &str) -> Method {
        Self::find(|row| row.path == path)
    }

    fn find(is_searched: impl Fn(&Row) -> bool) -> Method {
        let found = ROWS.iter().position(is_searched);
        found.map_or(Method::Other, |idx| Method::ALL[idx])
    }

    /// Whether it is about one game.
    pub(crate) fn has_game(self) -> bool {
        self.row().is_some_and(|row| row.path.contains("{game}"))
    }

    /// Whether its answer is a stream of messages.
    pub(crate) fn is_stream(self) -> bool {
        self.row().is_some_and(|row| row.is_stream)
    }

    pub(crate) fn has_translations(self) -> bool {
        self.has(Flag::Translated)
    }

    pub(crate) fn is_timed_search(self) -> bool {
        self.has(Flag::Timed)
    }

    pub(crate) fn is_rest_only(self) -> bool {
        self.has(Flag::RestOnly)
    }
}

/// Characters of an id that a path cannot have as they are. Dots are among them, since `..` is
/// another path.
const NOT_IN_PATHS: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_');

/// Returns the REST path of a game, for requests of this program.
pub(crate) fn game_path(game: &str) -> String {
    format!("/v1/games/{}", utf8_percent_encode(game, NOT_IN_PATHS))
}

/// The caller of a call, and the quota that pays for it.
#[derive(Clone, Debug)]
pub(crate) struct AdmittedCaller {
    pub(crate) caller: Caller,
    pub(crate) admission: Admission,
}

/// A call with one answer.
pub(crate) trait UnaryCall {
    /// The question as JSON, without the game.
    type Body: Send;
    /// The answer as JSON.
    type Answer;
    /// `game` is empty for calls that are not about one.
    fn answer(
        app: &App,
        admitted: AdmittedCaller,
        game: String,
        body: Self::Body,
    ) -> impl Future<Output = Result<Self::Answer, ApiError>> + Send;
}

/// A call about a position with one answer; batches may have it, too.
pub(crate) trait PositionCall {
    type Body: Send;
    /// The question as the engine takes it.
    type Question: Send + Sync;
    /// The engine's answer.
    type Found: Send;
    type Answer;

    fn question(game: String, body: Self::Body) -> Self::Question;

    /// Returns the limits of the search that the question needs, if it needs one.
    fn limits(_question: &Self::Question) -> Option<QuestionLimits> {
        None
    }

    fn ask(
        engine: &Arc<Engine>,
        question: &Self::Question,
        caller: Caller,
    ) -> impl Future<Output = Result<Self::Found, EngineError>> + Send;

    fn json(found: Self::Found) -> Self::Answer;
}

impl<C: PositionCall> UnaryCall for C {
    type Body = C::Body;
    type Answer = C::Answer;

    async fn answer(app: &App, admitted: AdmittedCaller, game: String, body: C::Body) -> Result<C::Answer, ApiError> {
        let question = C::question(game, body);
        Ok(C::json(ask::<C>(app, admitted, &question).await?))
    }
}

/// Takes the cost of the search from the caller's quota, then queries the engine.
pub(crate) async fn ask<C: PositionCall>(
    app: &App,
    admitted: AdmittedCaller,
    question: &C::Question,
) -> Result<C::Found, ApiError> {
    if let Some(limits) = C::limits(question) {
        admitted.admission.admit_search(&app.engine, limits, &admitted.caller)?;
    }
    Ok(C::ask(&app.engine, question, admitted.caller).await?)
}

/// A call with a stream of updates.
pub(crate) trait StreamCall {
    const METHOD: Method;
    type Body: Send;
    type Updates: Updates;
    fn start(
        app: &App,
        admitted: AdmittedCaller,
        game: String,
        body: Self::Body,
    ) -> impl Future<Output = Result<Self::Updates, ApiError>> + Send;
}

/// Begins a stream, if one more of its kind may run.
pub(crate) async fn stream<C: StreamCall>(
    app: &App,
    admitted: AdmittedCaller,
    game: String,
    body: C::Body,
) -> Result<PlacedUpdates<C::Updates>, ApiError> {
    let place = app.streams.begin(C::METHOD, admitted.caller.key, &app.config())?;
    Ok(PlacedUpdates { updates: C::start(app, admitted, game, body).await?, _place: place })
}

/// Updates up to one that [ends](Update::is_last) them, or to an error. Dropping this
/// stops the work.
pub(crate) trait Updates: Send + 'static {
    type Update: Update;
    fn next_update(&mut self) -> impl Future<Output = Result<Self::Update, ApiError>> + Send;
}

/// One message of a stream.
pub(crate) trait Update: Serialize + Send {
    /// All messages of a stream in one object.
    type All: Default + Serialize + Send;

    /// The name of its server-sent event; `final` ends the stream.
    fn event(&self) -> &'static str;

    fn is_last(&self) -> bool {
        self.event() == "final"
    }

    fn add_to(self, all: &mut Self::All);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ids of games stay as they are, so that metrics know them; anything else stays one
    /// segment.
    #[test]
    fn paths_are_encoded() {
        assert_eq!(game_path("pentago-xl"), "/v1/games/pentago-xl");
        assert_eq!(game_path("../a b?/ä"), "/v1/games/%2E%2E%2Fa%20b%3F%2F%C3%A4");
    }

    /// Every method is found by its name and by its path.
    #[test]
    fn methods_are_found() {
        for &method in Method::ALL {
            assert_eq!(Method::from_rpc_name(method.as_str()), method);
            let path = method.row().map_or("/docs", |row| row.path);
            assert_eq!(Method::from_rest_path(path), method);
        }
        assert!(!Method::Batch.has_game() && Method::Hint.has_game() && !Method::Other.has_game());
    }
}
