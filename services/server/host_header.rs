//! Checks that a request of HTTP/1.1 has exactly one `Host` (RFC 9112, section 3.2): a proxy
//! might choose the other of two.

use http::{HeaderMap, Version, header};

use crate::error::ApiError;

/// Refuses requests of HTTP/1.1 with no `Host` or several. HTTP/1.0 may have none, and
/// HTTP/2 has `:authority` instead.
pub(crate) fn check(version: Version, headers: &HeaderMap) -> Result<(), ApiError> {
    let n_hosts = headers.get_all(header::HOST).iter().count();
    match version {
        Version::HTTP_11 if n_hosts == 0 => Err(refused("none")),
        Version::HTTP_10 | Version::HTTP_11 if n_hosts > 1 => Err(refused("several")),
        _ => Ok(()),
    }
}

fn refused(found: &str) -> ApiError {
    ApiError::bad_request("", format!("a request must have exactly one `host` header; this one has {found}"))
}
