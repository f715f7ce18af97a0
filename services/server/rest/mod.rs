//! The REST port: JSON, streams, pictures and their documentation.
//!
//! Every call passes `entry`, which gives it its id, counts it, catches
//! panics and writes failures as problems. Handlers only know engine answers
//! and [`ApiError`](crate::error::ApiError)s.

mod analysis;
mod answer;
mod body;
mod diagram;
mod docs;
mod entry;
mod games;
mod problem;
mod query;
mod questions;
mod svg;
pub mod types;

pub use problem::Problem;

use std::sync::Arc;

use axum::Router;
use axum::response::Redirect;
use axum::routing::get;
use tower_http::compression::predicate::{NotForContentType, Predicate};
use tower_http::compression::{CompressionLayer, DefaultPredicate};

use crate::app::App;
use crate::cors;

/// Everything on the REST port.
pub(crate) fn router(app: &Arc<App>) -> Router {
    // Small pieces of a stream would wait in the compressor for each other.
    let worth_compressing = DefaultPredicate::new().and(NotForContentType::new("application/x-ndjson"));
    Router::new()
        .route("/v1/games", get(games::list))
        .route("/v1/games/{game}", get(games::get))
        .route("/v1/games/{game}/position", get(questions::get_position).post(questions::post_position))
        .route("/v1/games/{game}/legal-moves", get(questions::get_moves).post(questions::post_moves))
        .route("/v1/games/{game}/evaluation", get(questions::get_evaluation).post(questions::post_evaluation))
        .route("/v1/games/{game}/hints", get(questions::get_hints).post(questions::post_hints))
        .route("/v1/games/{game}/analysis", get(analysis::get).post(analysis::post))
        .route("/v1/games/{game}/diagram.svg", get(diagram::get))
        .route("/", get(async || Redirect::to("/docs")))
        .merge(docs::router())
        .fallback(entry::unknown_path)
        .method_not_allowed_fallback(entry::wrong_method)
        .layer(axum::middleware::from_fn_with_state(Arc::clone(app), entry::enter))
        .layer(CompressionLayer::new().gzip(true).compress_when(worth_compressing))
        .layer(cors::rest(&app.config.cors_origins))
        .with_state(Arc::clone(app))
}
