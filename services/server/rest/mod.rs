//! The REST port: JSON, event streams, diagrams, the API's documentation and the board page.
//!
//! Every call passes `middleware`. Handlers deal in engine results and
//! [`ApiError`](crate::error::ApiError)s only.

mod analysis;
mod arbitrary_bytes;
mod batch;
mod body;
mod compare;
mod diagram;
mod docs;
mod explorer;
mod games;
mod language_docs;
mod middleware;
mod positions;
mod problem;
mod puzzles;
mod query;
mod response;
mod review;
mod stream;
mod svg;
pub mod threats;
pub mod types;
mod web;

pub(crate) use arbitrary_bytes::{read_json as read_arbitrary_json, read_query as read_arbitrary_query};
pub(crate) use body::from_object;
pub use problem::Problem;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};
use tower::util::MapResponseLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate};
use tower_http::compression::{CompressionLayer, DefaultPredicate};

use crate::app::App;
use crate::{cors, security_headers};

/// Everything on the REST port.
pub(crate) fn router(app: &Arc<App>) -> Router {
    // The compressor would buffer the small chunks of a stream.
    let is_compressible = DefaultPredicate::new().and(NotForContentType::new("application/x-ndjson"));
    Router::new()
        .route("/v1/games", get(games::list))
        .route("/v1/games/{game}", get(games::get))
        .route("/v1/games/{game}/position", get(positions::get_position).post(positions::post_position))
        .route("/v1/games/{game}/legal-moves", get(positions::get_moves).post(positions::post_moves))
        .route("/v1/games/{game}/evaluation", get(positions::get_evaluation).post(positions::post_evaluation))
        .route("/v1/games/{game}/hints", get(positions::get_hints).post(positions::post_hints))
        .route("/v1/games/{game}/analysis", get(analysis::get).post(analysis::post))
        .route("/v1/games/{game}/review", post(review::post))
        .route("/v1/games/{game}/compare", post(compare::post))
        .route("/v1/games/{game}/explorer", post(explorer::post))
        .route("/v1/games/{game}/puzzles", post(puzzles::post))
        .route("/v1/games/{game}/threats", get(threats::get).post(threats::post))
        .route("/v1/batch", post(batch::post))
        .route("/v1/games/{game}/diagram.svg", get(diagram::get))
        .merge(web::router())
        .merge(docs::router(&app.config()))
        .fallback(middleware::unknown_path)
        .method_not_allowed_fallback(middleware::wrong_method)
        .layer(axum::middleware::from_fn_with_state(Arc::clone(app), middleware::track_request))
        .layer(CompressionLayer::new().gzip(true).compress_when(is_compressible))
        .layer(cors::rest(&app.access))
        .layer(MapResponseLayer::new(cors::any_origin(&app.access)))
        .layer(axum::middleware::from_fn(security_headers::set))
        .with_state(Arc::clone(app))
}
