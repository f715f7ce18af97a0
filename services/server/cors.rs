//! Cross-origin requests from web pages: which pages may read answers.
//!
//! [`access`](crate::access) decides which pages may call at all. Browser credentials
//! (cookies, client certificates) are never allowed; a page sends its token itself.

use std::sync::Arc;
use std::time::Duration;

use http::request::Parts;
use http::{HeaderName, HeaderValue, Method, Response, header};
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};

use crate::access::{Access, RATE_LIMIT, RATE_LIMIT_POLICY};
use crate::{request_id, security_headers};

/// How long browsers cache a preflight response.
const MAX_AGE: Duration = Duration::from_secs(3600);

pub(crate) fn rest(access: &Arc<Access>) -> CorsLayer {
    layer(access, [Method::GET, Method::HEAD, Method::POST, Method::OPTIONS]).expose_headers([
        request_id::HEADER,
        header::ETAG,
        header::RETRY_AFTER,
        header::WWW_AUTHENTICATE,
        RATE_LIMIT,
        RATE_LIMIT_POLICY,
    ])
}

pub(crate) fn grpc_web(access: &Arc<Access>) -> CorsLayer {
    layer(access, [Method::POST, Method::OPTIONS]).expose_headers([
        request_id::HEADER,
        HeaderName::from_static("grpc-status"),
        HeaderName::from_static("grpc-message"),
        HeaderName::from_static("grpc-status-details-bin"),
    ])
}

/// Marks answers that any page may read with `*`, so that caches can share them.
pub(crate) fn any_origin<B>(access: &Arc<Access>) -> impl Fn(Response<B>) -> Response<B> + Clone + use<B> {
    let access = Arc::clone(access);
    move |mut response| {
        if let Some(allowed) = response.headers_mut().get_mut(header::ACCESS_CONTROL_ALLOW_ORIGIN)
            && access.allows_any_origin()
        {
            *allowed = HeaderValue::from_static("*");
        }
        response
    }
}

fn layer<const N: usize>(access: &Arc<Access>, methods: [Method; N]) -> CorsLayer {
    let access = Arc::clone(access);
    let is_allowed = move |origin: &HeaderValue, request: &Parts| {
        security_headers::is_embeddable(request.uri.path())
            || origin.to_str().is_ok_and(|origin| access.allows_origin(origin))
    };
    CorsLayer::new()
        .allow_methods(methods)
        // `*` does not cover `authorization`.
        .allow_headers(AllowHeaders::mirror_request())
        .max_age(MAX_AGE)
        .allow_origin(AllowOrigin::predicate(is_allowed))
}
