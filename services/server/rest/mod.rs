//! The REST port: JSON, event streams, diagrams, the API's documentation, the board page and
//! tools for language models.
//!
//! Every call passes `middleware`. Handlers deal in engine results and
//! [`ApiError`](crate::error::ApiError)s only.

mod accept;
#[cfg(any(test, feature = "fuzzing"))]
mod arbitrary_bytes;
pub(crate) mod body;
pub(crate) mod docs;
pub(crate) mod json_error;
pub(crate) mod middleware;
mod problem;
pub(crate) mod query;
pub(crate) mod response;
mod share;
mod stream;
pub(crate) mod svg;
mod web;

pub(crate) use accept::accepts;
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) use arbitrary_bytes::{read_json as read_arbitrary_json, read_query as read_arbitrary_query};
pub(crate) use body::from_object;
pub use problem::Problem;

use std::sync::Arc;

use axum::Router;
use axum::routing::MethodRouter;
use tower::util::MapResponseLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate};
use tower_http::compression::{CompressionLayer, DefaultPredicate};

use crate::app::App;
use crate::calls::{self, with_calls};
use crate::{cors, mcp, security_headers};

macro_rules! call_routes {
    ($($rpc:ident: $module:ident, $path:literal [$($verb:ident)*], $kind:ident($($rpc_parts:tt)*), { $($flag:ident)* };)*) => {
        Router::new()$(.route($path, MethodRouter::new()$(.$verb(calls::$module::$verb))*))*
    };
}

/// Everything on the REST port.
pub(crate) fn router(app: &Arc<App>) -> Router {
    // The compressor would buffer the small chunks of a stream.
    let is_compressible = DefaultPredicate::new().and(NotForContentType::new("application/x-ndjson"));
    let mcp = if app.config().mcp { mcp::router(app) } else { Router::new() };
    let pages = web::router().merge(docs::router(&app.config())).merge(share::router());
    tracked(with_calls!(call_routes).merge(pages).merge(mcp), app)
        .layer(CompressionLayer::new().gzip(true).compress_when(is_compressible))
        .layer(cors::rest(&app.access))
        .layer(MapResponseLayer::new(cors::any_origin(&app.access)))
        .layer(axum::middleware::from_fn(security_headers::set))
        .with_state(Arc::clone(app))
}

/// The calls alone, for this process: without pages, compression and headers for browsers.
pub(crate) fn calls(app: &Arc<App>) -> Router {
    tracked(with_calls!(call_routes), app).with_state(Arc::clone(app))
}

fn tracked(routes: Router<Arc<App>>, app: &Arc<App>) -> Router<Arc<App>> {
    routes
        .fallback(middleware::unknown_path)
        .method_not_allowed_fallback(middleware::wrong_method)
        .layer(axum::middleware::from_fn_with_state(Arc::clone(app), middleware::track_request))
}
