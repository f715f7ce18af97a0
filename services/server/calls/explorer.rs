//! Explore: what is known of each move of a position, without a search.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use pentad_engine as engine;
use pentad_engine::{Caller, Engine, EngineError, Exploration, ExploreQuestion};
use serde::{Deserialize, Serialize};
#[cfg(test)]
use utoipa::ToSchema;

use super::PositionCall;
use super::evaluation::{Evaluation, evaluation};
use super::position::spec;
use super::wire::{Keyed, message, question, rounded, scores, seat_id};
use crate::app::App;
use crate::error::ApiError;
use crate::rest::body::Json;
#[cfg(test)]
use crate::rest::docs::document::{Failures, NotJson};
use crate::rest::middleware::RequestContext;
use crate::rest::response;

/// A position whose moves to explore.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schema(example = json!({"moves": ["c3-2r"], "pageSize": 20})))]
pub struct ExplorationQuestion {
    /// Id of the variant; the game's first by default.
    pub variant: Option<String>,
    /// Position in the game's notation; the start by default.
    pub position: Option<String>,
    /// Moves played from the position; none by default.
    pub moves: Option<Vec<String>>,
    /// Maximum number of moves on this page; the server's maximum by default.
    #[cfg_attr(test, schema(format = "uint32", maximum = 4_294_967_295_u32))]
    pub page_size: Option<u32>,
    /// `nextPageToken` of the previous page; the rest of the question must be the
    /// same.
    pub page_token: Option<String>,
}

question!(ExploreRequest => ExplorationQuestion { variant, position, moves, page_size, page_token });

/// What is known of each move of a position.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ExplorationAnswer {
    /// One entry per distinct move: moves that lead to the same or a symmetric position
    /// share one. Ordered by number of games, then by value for the seat to move. Pages
    /// may overlap if games are recorded meanwhile.
    pub moves: Vec<ExploredMove>,
    /// Number of distinct moves on all pages; 0 if the game is over.
    pub total: u64,
    /// Empty on the last page.
    pub next_page_token: String,
    /// Recorded games that continued from this or a symmetric position.
    pub games: u64,
    /// The position after `moves`, in canonical form.
    pub position: String,
    /// Id of the seat whose turn it is.
    pub to_move: String,
    /// As in the response of `position`.
    pub key: String,
}

message!(ExplorationAnswer => ExploreResponse { moves, total, next_page_token, games, position, to_move, key });

/// What is known of a move.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ExploredMove {
    /// In canonical notation.
    pub r#move: String,
    /// Other moves that lead to the same position or a symmetric one. Not listed where
    /// there are more than 2,000 legal moves.
    pub equivalents: Vec<String>,
    /// Recorded games with this move.
    pub games: u64,
    /// Their mean result per seat, 0 to 1; empty without games.
    #[cfg_attr(test, schema(value_type = std::collections::BTreeMap<String, f64>))]
    pub scores: Keyed<f64>,
    /// The best known value: a proof before an estimate, a deeper search before a
    /// shallower one; static if nothing else is known.
    pub evaluation: Evaluation,
    /// Share of the distinct replies whose value is proven; 1 if the move's own value is
    /// proven.
    #[cfg_attr(test, schema(minimum = 0, maximum = 1))]
    pub proven_share: f64,
}

message!(ExploredMove => ExploredMove { r#move, equivalents, games, scores, evaluation, proven_share });

pub(crate) struct Call;

impl PositionCall for Call {
    type Body = ExplorationQuestion;
    type Question = ExploreQuestion;
    type Found = Exploration;
    type Answer = ExplorationAnswer;

    fn question(game: String, question: ExplorationQuestion) -> ExploreQuestion {
        ExploreQuestion {
            spec: spec(game, question.variant, question.position, question.moves),
            page_size: question.page_size.unwrap_or(0) as usize,
            page_token: question.page_token.unwrap_or_default(),
        }
    }

    async fn ask(engine: &Arc<Engine>, question: &ExploreQuestion, caller: Caller) -> Result<Exploration, EngineError> {
        engine.explore(question, caller).await
    }

    fn json(exploration: Exploration) -> ExplorationAnswer {
        let variant = &*exploration.variant;
        let explored = |it: engine::ExploredMove| ExploredMove {
            r#move: it.mv,
            equivalents: it.equivalents,
            games: it.games,
            scores: it.scores.map_or_else(Keyed::default, |it| scores(variant, &it)),
            evaluation: evaluation(variant, &it.evaluation),
            proven_share: rounded(it.proven_share),
        };
        ExplorationAnswer {
            moves: exploration.moves.into_iter().map(explored).collect(),
            total: exploration.total,
            next_page_token: exploration.next_page_token,
            games: exploration.games,
            position: exploration.position,
            to_move: seat_id(variant, exploration.to_move),
            key: exploration.key.to_string(),
        }
    }
}

/// Explores a position
///
/// Lists what is known of each distinct move: recorded games, their results, the best
/// known value. Nothing is searched: static values and those of a book come from the rule
/// set, results of earlier searches from the cache and the store, recorded games (`pentad
/// selfplay`, `pentad import`) from the store.
#[cfg_attr(test, utoipa::path(post, path = "/v1/games/{game}/explorer", tag = "positions", operation_id = "explore",
    params(("game" = String, Path, description = "Id of the game", example = "pentago")),
    request_body = ExplorationQuestion,
    responses((status = 200, description = "The moves", body = ExplorationAnswer), Failures, NotJson)))]
pub(crate) async fn post(
    State(app): State<Arc<App>>,
    context: RequestContext,
    Json(question): Json<ExplorationQuestion>,
) -> Result<Response, ApiError> {
    response::json(&context.answer::<Call>(&app, question).await?)
}
