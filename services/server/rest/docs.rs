//! `/openapi.json`, generated from types and handlers, and Swagger UI at `/docs`.
//!
//! Swagger UI's assets are compiled in, so that it works offline.

use std::sync::Arc;

use axum::Router;
use utoipa::openapi::{RefOr, Required};
use utoipa::{IntoParams, IntoResponses, Modify, OpenApi};
use utoipa_swagger_ui::{Config, SwaggerUi};

use super::problem::Problem;
use super::types::Detail;
use super::{analysis, diagram, games, positions};
use crate::app::App;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Pentad",
        description = "Analyses games: what is legal, how good a position is, which move is best and why.\n\n\
            Every request names the game in its path and optionally a `variant` (the game's first by default), a \
            `position` in the game's notation (the start by default) and `moves` played from there (none by default).\n\n\
            Errors are `application/problem+json` with a `reason` from a closed list. Every response carries \
            `x-request-id`, the caller's if it sent one.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    servers((url = "/", description = "This server")),
    modifiers(&OptionalBodies),
    paths(
        games::list,
        games::get,
        positions::get_position,
        positions::post_position,
        positions::get_moves,
        positions::post_moves,
        positions::get_evaluation,
        positions::post_evaluation,
        positions::get_hints,
        positions::post_hints,
        analysis::get,
        analysis::post,
        diagram::get,
    ),
    tags(
        (name = "games", description = "The games that are served"),
        (name = "positions", description = "Facts that follow from the rules, without a search"),
        (name = "analysis", description = "Results of a search within limits"),
    )
)]
struct Api;

/// An empty body stands for all defaults.
struct OptionalBodies;

impl Modify for OptionalBodies {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        let posts = api.paths.paths.values_mut().filter_map(|path| path.post.as_mut());
        for body in posts.filter_map(|post| post.request_body.as_mut()) {
            if let RefOr::T(body) = body {
                body.required = Some(Required::False);
            }
        }
    }
}

/// `/openapi.json` and `/docs`.
pub(super) fn router() -> Router<Arc<App>> {
    let config = Config::default().try_it_out_enabled(true).use_base_layout();
    SwaggerUi::new("/docs").url("/openapi.json", Api::openapi()).config(config).into()
}

/// Errors of any request about a position.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "documentation only")]
pub(super) enum Failures {
    /// Malformed: `bad_position`, `bad_move` or `bad_argument`
    #[response(status = 400, content_type = "application/problem+json")]
    Malformed(Problem),
    /// `unknown_game` or `unknown_variant`
    #[response(status = 404, content_type = "application/problem+json")]
    Unknown(Problem),
    /// `too_large`
    #[response(status = 413, content_type = "application/problem+json")]
    TooLarge(Problem),
    /// The body is not JSON
    #[response(status = 415, content_type = "application/problem+json")]
    MediaType(Problem),
    /// `illegal_move` or `game_over`
    #[response(status = 422, content_type = "application/problem+json")]
    Forbidden(Problem),
    /// `overloaded`, with Retry-After
    #[response(status = 429, content_type = "application/problem+json")]
    Overloaded(Problem),
    /// `internal`
    #[response(status = 500, content_type = "application/problem+json")]
    Internal(Problem),
    /// `ruleset_fault` or `ruleset_unavailable`
    #[response(status = 503, content_type = "application/problem+json")]
    Unavailable(Problem),
    /// `deadline`
    #[response(status = 504, content_type = "application/problem+json")]
    Deadline(Problem),
}

/// Parameters of GET for hints besides position and limits.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[allow(dead_code, reason = "documentation only")]
pub(super) struct HintParams {
    /// Number of hints, 1 by default.
    #[param(minimum = 1, maximum = 1000)]
    count: Option<u32>,
    /// Playing strength, 1 to 10; 10, the default, is full strength. Lower levels
    /// search less and choose among their estimates with some luck.
    #[param(minimum = 1, maximum = 10)]
    level: Option<u32>,
    /// Decides what a level below 10 chooses, always the same for the same seed and
    /// limits. Drawn at random by default, so that bots vary.
    seed: Option<u64>,
    /// How much a hint reveals; everything by default.
    #[param(inline)]
    detail: Option<Detail>,
    /// Only these moves are considered.
    allow_moves: Option<Vec<String>>,
    /// These moves are not considered.
    avoid_moves: Option<Vec<String>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The document has every path and is OpenAPI 3.1.
    #[test]
    fn document_is_complete() {
        let api = serde_json::to_value(Api::openapi()).unwrap();
        assert!(api["openapi"].as_str().unwrap().starts_with("3.1"), "{}", api["openapi"]);
        let paths: Vec<&String> = api["paths"].as_object().unwrap().keys().collect();
        assert_eq!(
            paths,
            [
                "/v1/games",
                "/v1/games/{game}",
                "/v1/games/{game}/analysis",
                "/v1/games/{game}/diagram.svg",
                "/v1/games/{game}/evaluation",
                "/v1/games/{game}/hints",
                "/v1/games/{game}/legal-moves",
                "/v1/games/{game}/position",
            ]
        );
        assert!(api["components"]["schemas"]["Problem"].is_object());
    }

    /// What generators of clients rely on: every response is described, operations
    /// have names of their own, no body is required, bounds are told, and fields that
    /// are always sent are required.
    #[test]
    fn document_suits_generators() {
        let api = serde_json::to_value(Api::openapi()).unwrap();
        let mut ids = std::collections::BTreeSet::new();
        for (path, methods) in api["paths"].as_object().unwrap() {
            for (method, operation) in methods.as_object().unwrap() {
                let id = operation["operationId"].as_str().unwrap();
                assert!(ids.insert(id.to_owned()), "{method} {path}: another `{id}`");
                for (status, response) in operation["responses"].as_object().unwrap() {
                    let description = response["description"].as_str().unwrap_or_default();
                    assert!(!description.is_empty(), "{method} {path}: {status}");
                }
                assert_ne!(operation["requestBody"]["required"], true, "{method} {path}");
            }
        }
        assert_eq!(api["servers"][0]["url"], "/");
        let schemas = &api["components"]["schemas"];
        for (schema, field, min, max) in [
            ("HintsQuestion", "level", 1, Some(10)),
            ("HintsQuestion", "count", 1, Some(1000)),
            ("Limits", "timeMs", 1, None),
            ("Limits", "nodes", 1, None),
            ("Limits", "depth", 1, None),
        ] {
            let property = &schemas[schema]["properties"][field];
            assert_eq!((property["minimum"].as_i64(), property["maximum"].as_i64()), (Some(min), max), "{field}");
        }
        for (schema, fields) in [
            ("Evaluation", &["outcome", "pliesToEnd", "scores"][..]),
            ("HintsAnswer", &["stopReason", "hints"]),
            ("PositionAnswer", &["outcome", "board"]),
        ] {
            let required: Vec<_> = schemas[schema]["required"].as_array().unwrap().iter().collect();
            assert!(fields.iter().all(|field| required.iter().any(|it| *it == field)), "{schema}: {required:?}");
        }
    }
}
