//! Cross-origin requests from web pages.
//!
//! Credentials are never allowed, so any origin is a safe default: a page gets
//! nothing that it could not fetch without the browser.

use std::time::Duration;

use http::{HeaderName, HeaderValue, Method, header};
use tower_http::cors::{AllowOrigin, Any, CorsLayer};

use crate::config::CorsOrigins;
use crate::request_id;

/// How long browsers cache a preflight response.
const MAX_AGE: Duration = Duration::from_secs(3600);

pub(crate) fn rest(origins: &CorsOrigins) -> CorsLayer {
    layer(origins, [Method::GET, Method::HEAD, Method::POST, Method::OPTIONS]).expose_headers([
        request_id::HEADER,
        header::ETAG,
        header::RETRY_AFTER,
    ])
}

pub(crate) fn grpc_web(origins: &CorsOrigins) -> CorsLayer {
    layer(origins, [Method::POST, Method::OPTIONS]).expose_headers([
        request_id::HEADER,
        HeaderName::from_static("grpc-status"),
        HeaderName::from_static("grpc-message"),
        HeaderName::from_static("grpc-status-details-bin"),
    ])
}

fn layer<const N: usize>(origins: &CorsOrigins, methods: [Method; N]) -> CorsLayer {
    let layer = CorsLayer::new().allow_methods(methods).allow_headers(Any).max_age(MAX_AGE);
    match origins {
        CorsOrigins::Any => layer.allow_origin(Any),
        CorsOrigins::List(origins) => {
            let values = origins.iter().filter_map(|origin| HeaderValue::from_str(origin).ok());
            layer.allow_origin(AllowOrigin::list(values))
        }
    }
}
