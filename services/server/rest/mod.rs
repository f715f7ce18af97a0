//! The REST port: JSON, event streams, diagrams and the API's documentation.
//!
//! Every call passes `middleware`. Handlers deal in engine results and
//! [`ApiError`](crate::error::ApiError)s only.

mod analysis;
mod body;
mod diagram;
mod docs;
mod games;
mod middleware;
mod positions;
mod problem;
mod query;
mod response;
mod svg;
pub mod types;

pub use problem::Problem;

use std::sync::Arc;

use axum::Router;
use axum::response::Redirect;
use axum::routing::get;
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
        .route("/v1/games/{game}/diagram.svg", get(diagram::get))
        .route("/", get(async || Redirect::to("/docs")))
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
