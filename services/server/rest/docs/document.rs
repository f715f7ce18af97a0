//! Generates `openapi.json` from the types and handlers of the calls.
//!
//! `PENTAD_BLESS=1 cargo test -p pentad-server openapi_json` writes the file again.

use utoipa::openapi::header::Header;
use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::{AnyOfBuilder, Object, ObjectBuilder, Ref, Schema, Type};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{RefOr, Required};
use utoipa::{IntoParams, IntoResponses, Modify, OpenApi};

use super::languages::Languages;
use crate::calls::analysis::AnalysisUpdate;
use crate::calls::hints::Detail;
use crate::calls::judge::{JudgeAnswer, JudgeQuestion};
use crate::calls::puzzles::PuzzleMessage;
use crate::calls::review::ReviewMessage;
use crate::calls::with_calls;
use crate::rest::problem::Problem;

macro_rules! define_api {
    ($($rpc:ident: $module:ident, $path:literal [$($verb:ident)*], $kind:ident($($rpc_parts:tt)*), { $($flag:ident)* };)*) => {
        #[derive(OpenApi)]
        #[openapi(
            info(
                title = "Pentad",
                description = "Analyses games: what is legal, how good a position is, which move is best and why.\n\n\
                    Every request names the game in its path and optionally a `variant` (the game's first by default), a \
                    `position` in the game's notation (the start by default) and `moves` played from there (none by default).\n\n\
                    Errors are `application/problem+json` with a `reason` from a closed list. Every response carries \
                    `x-request-id`, the caller's if it sent one.\n\n\
                    Servers may ask for a bearer token, and may have a quota of CPU time for each token or address: a search \
                    takes the time that it may need, and what it did not use is given back. Web pages of other origins are \
                    refused unless the server allows them.\n\n\
                    Texts for players are in the language of `Accept-Language`: English, Swedish, Finnish, German or French.",
                license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
            ),
            servers((url = "/", description = "This server")),
            security(()),
            components(schemas(AnalysisUpdate, JudgeAnswer, JudgeQuestion, PuzzleMessage, ReviewMessage)),
            modifiers(&OptionalBodies, &AccessFailures, &ResponseHeaders, &Languages, &Security),
            paths($($(crate::calls::$module::$verb,)*)*),
            tags(
                (name = "games", description = "The games that are served"),
                (name = "positions", description = "Facts that follow from the rules, without a search"),
                (name = "analysis", description = "Results of a search within limits"),
                (name = "batch", description = "Many questions at once"),
            )
        )]
        pub(crate) struct Api;
    };
}

with_calls!(define_api);

/// Makes bodies optional: an empty one stands for all defaults.
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

/// Adds the refusals that every call may get.
struct AccessFailures;

impl Modify for AccessFailures {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        let operations = api.paths.paths.values_mut().flat_map(|path| [path.get.as_mut(), path.post.as_mut()]);
        for operation in operations.flatten() {
            let failures = Refusals::responses().into_iter();
            operation.responses.responses.extend(failures);
        }
    }
}

/// Describes the bearer token. Whether it is required depends on the settings.
struct Security;

impl Modify for Security {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        const BEARER: &str = "bearer";
        let scheme = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("A token from the server's operator, if the server asks for one."));
        let components = api.components.get_or_insert_default();
        components.add_security_scheme(BEARER, SecurityScheme::Http(scheme.build()));
        api.security = Some(vec![SecurityRequirement::default(), SecurityRequirement::new(BEARER, [""; 0])]);
    }
}

/// Describes the headers of responses.
struct ResponseHeaders;

impl Modify for ResponseHeaders {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        let operations = api.paths.paths.values_mut().flat_map(|path| [path.get.as_mut(), path.post.as_mut()]);
        operations.flatten().for_each(describe_headers);
    }
}

fn describe_headers(operation: &mut Operation) {
    let responses = &mut operation.responses.responses;
    let has_etag = responses.contains_key("304");
    for (status, response) in responses {
        let RefOr::T(response) = response else { continue };
        let mut header = |name: &str, kind, description: &str| {
            let mut header = Header::new(Object::with_type(kind));
            header.description = Some(description.to_owned());
            response.headers.insert(name.to_owned(), RefOr::T(header));
        };
        header("X-Request-Id", Type::String, "The caller's if it sent one; also in the server's log.");
        match status.as_str() {
            "200" | "304" if has_etag => {
                header("ETag", Type::String, "Send it as `If-None-Match` to get 304 if nothing has changed.");
                header("Cache-Control", Type::String, "How long the response may be reused.");
            }
            "401" => header("WWW-Authenticate", Type::String, "`Bearer`, with what is wrong with the token."),
            "429" => header("Retry-After", Type::Integer, "Seconds to wait before a retry."),
            _ => {}
        }
        if !["401", "403", "421"].contains(&status.as_str()) {
            header(
                "RateLimit-Policy",
                Type::String,
                "The caller's quota, if it has one: `\"cpu\";q=6000;w=60;qu=\"cpu-ms\"` are 6,000 ms of CPU time in 60 s.",
            );
            header(
                "RateLimit",
                Type::String,
                "What is left of it, and the seconds until all of it is there: `\"cpu\";r=5100;t=9`.",
            );
        }
    }
}

/// The schema of the `data` of an event of an analysis.
pub(crate) fn event_data() -> Object {
    data_schema("AnalysisUpdate", "JSON: an `AnalysisUpdate`, or the `Problem` of an `error`.")
}

/// The schema of the `data` of an event of a review.
pub(crate) fn review_event_data() -> Object {
    data_schema("ReviewMessage", "JSON: a `ReviewMessage`, or the `Problem` of an `error`.")
}

/// The schema of the `data` of an event of a search for puzzles.
pub(crate) fn puzzle_event_data() -> Object {
    data_schema("PuzzleMessage", "JSON: a `PuzzleMessage`, or the `Problem` of an `error`.")
}

fn data_schema(name: &str, description: &str) -> Object {
    let json = AnyOfBuilder::new().item(Ref::from_schema_name(name)).item(Ref::from_schema_name("Problem")).build();
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some(description))
        .content_media_type("application/json")
        .content_schema(Some(Schema::AnyOf(json)))
        .build()
}

/// Errors of requests that are not admitted.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "documentation only")]
enum Refusals {
    /// `unauthenticated`: the server requires a token
    #[response(status = 401, content_type = "application/problem+json")]
    Unauthenticated(Problem),
    /// `bad_argument`: web pages of this origin may not call
    #[response(status = 403, content_type = "application/problem+json")]
    ForeignOrigin(Problem),
    /// `bad_argument`: the server is not known by this host name
    #[response(status = 421, content_type = "application/problem+json")]
    UnknownHost(Problem),
    /// `overloaded` or `rate_limited`, with Retry-After
    #[response(status = 429, content_type = "application/problem+json")]
    TooMany(Problem),
}

/// Errors of any request about a position.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "documentation only")]
pub(crate) enum Failures {
    /// Malformed: `bad_position`, `bad_move` or `bad_argument`
    #[response(status = 400, content_type = "application/problem+json")]
    Malformed(Problem),
    /// `unknown_game` or `unknown_variant`
    #[response(status = 404, content_type = "application/problem+json")]
    Unknown(Problem),
    /// `too_large`
    #[response(status = 413, content_type = "application/problem+json")]
    TooLarge(Problem),
    /// `illegal_move` or `game_over`
    #[response(status = 422, content_type = "application/problem+json")]
    Forbidden(Problem),
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

/// The error of requests for another format of a stream.
#[derive(IntoResponses)]
#[response(
    status = 406,
    description = "The request accepts none of the formats",
    content_type = "application/problem+json"
)]
#[allow(dead_code, reason = "documentation only")]
pub(crate) struct NotAcceptable(Problem);

/// The error of requests with a body of another type.
#[derive(IntoResponses)]
#[response(status = 415, description = "The body is not JSON", content_type = "application/problem+json")]
#[allow(dead_code, reason = "documentation only")]
pub(crate) struct NotJson(Problem);

/// Parameters of GET for hints, in addition to position and limits.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[allow(dead_code, reason = "documentation only")]
pub(crate) struct HintParams {
    /// Number of hints, 1 by default. Moves that lead to the same or a symmetric
    /// position count as one.
    #[param(minimum = 1, maximum = 1000)]
    count: Option<u32>,
    /// Playing strength, 1 to 10; 10, the default, is full strength. Lower levels search
    /// less deeply, overlook moves and misjudge others. Levels from 6 play every win in
    /// one, levels from 8 every proven win. `limits` can only make a level weaker.
    #[param(minimum = 1, maximum = 10)]
    level: Option<u32>,
    /// Seed of the choices of levels below 10: the same seed and limits give the same
    /// choice. Random by default, so that bots vary.
    #[param(format = "uint64", maximum = 18_446_744_073_709_551_615_u64)]
    seed: Option<u64>,
    /// How much a hint reveals; everything by default.
    #[param(inline)]
    detail: Option<Detail>,
    /// Only these moves are considered.
    allow_moves: Option<Vec<String>>,
    /// These moves are not considered.
    avoid_moves: Option<Vec<String>>,
    /// Whether to value every different move and give each a probability.
    policy: Option<bool>,
}

/// Parameters of GET for an analysis, in addition to those for hints.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[allow(dead_code, reason = "documentation only")]
pub(crate) struct AnalysisParams {
    /// At most one update per interval, the latest one; the first and the last are sent at
    /// once. Every improvement by default.
    #[param(format = "uint64", minimum = 1, maximum = 18_446_744_073_709_551_615_u64)]
    report_interval_ms: Option<u64>,
}
