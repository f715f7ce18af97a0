//! Endpoints about the games that are served.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;

use super::middleware::RequestContext;
use super::problem::Problem;
use super::query::Params;
use super::response::{self, CachePolicy};
use super::types::{GameAnswer, GamesAnswer};
use crate::app::App;
use crate::convert::json as convert;
use crate::error::ApiError;
use crate::language;

/// The games that are served
#[utoipa::path(get, path = "/v1/games", tag = "games", operation_id = "listGames", responses(
    (status = 200, description = "The games", body = GamesAnswer),
    (status = 304, description = "Not modified"),
    (status = 400, description = "Bad parameter", body = Problem, content_type = "application/problem+json"),
    (status = 500, description = "`internal`", body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn list(
    State(app): State<Arc<App>>,
    params: Params,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    params.finish()?;
    let language = language::negotiate(&headers);
    let games = app.engine.rulesets().iter().map(|ruleset| convert::game(ruleset, language)).collect();
    response::cacheable_words(&headers, &GamesAnswer { games }, CachePolicy::Minute)
}

/// One game
///
/// With help on its rules and notation, and its board as data.
#[utoipa::path(get, path = "/v1/games/{game}", tag = "games", operation_id = "getGame",
    params(("game" = String, Path, description = "Id of the game", example = "pentago")),
    responses(
        (status = 200, description = "The game", body = GameAnswer),
        (status = 304, description = "Not modified"),
        (status = 400, description = "Bad parameter", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "No such game", body = Problem, content_type = "application/problem+json"),
        (status = 500, description = "`internal`", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn get(
    State(app): State<Arc<App>>,
    context: RequestContext,
    params: Params,
) -> Result<Response, ApiError> {
    params.finish()?;
    let game = convert::game_answer(&*app.engine.ruleset(&context.game)?, context.caller.language);
    response::cacheable_words(&context.headers, &game, CachePolicy::Minute)
}
