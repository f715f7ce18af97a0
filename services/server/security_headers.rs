//! Security headers of responses, by path.
//!
//! No type on the REST port may be guessed (`nosniff`). The documentation runs only its
//! own scripts, and no other site may frame it. The board page and the embeddable board
//! are made for pages of other sites.

use axum::body::Body;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use http::{HeaderMap, HeaderName, HeaderValue, header};

const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// As that of the board, but no other site may frame it: the reference has a field for a
/// token.
const DOCS_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types 'none'";
/// No inline script or style, and no text that becomes markup. Board pictures are
/// `data:` URLs.
const BOARD_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *; \
    require-trusted-types-for 'script'; trusted-types 'none'";
/// For answers, which are data: a diagram that is opened as a page runs nothing.
const DATA_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors *";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Docs,
    Board,
    Embeddable,
    Data,
}

impl Content {
    fn of_path(path: &str) -> Content {
        match path {
            "/" => Content::Board,
            "/docs" | "/llms.txt" => Content::Docs,
            _ if path.starts_with("/docs/") => Content::Docs,
            _ if path.starts_with("/assets/") => Content::Board,
            _ if is_embeddable(path) => Content::Embeddable,
            _ => Content::Data,
        }
    }
}

/// Whether any site may load it into its pages.
pub(crate) fn is_embeddable(path: &str) -> bool {
    path.starts_with("/embed/")
}

/// Whether it is a page or part of one: it needs no token, costs nothing, and any site
/// may link to it.
pub(crate) fn is_page(path: &str) -> bool {
    path == "/openapi.json" || Content::of_path(path) != Content::Data
}

/// Middleware around the whole REST port.
pub(crate) async fn set(request: Request<Body>, next: Next) -> Response {
    let content = Content::of_path(request.uri().path());
    let mut response = next.run(request).await;
    set_for(content, response.headers_mut());
    response
}

fn set_for(content: Content, headers: &mut HeaderMap) {
    let policy = match content {
        Content::Docs => DOCS_POLICY,
        Content::Board | Content::Embeddable => BOARD_POLICY,
        Content::Data => DATA_POLICY,
    };
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin"));
    match content {
        // For browsers that do not support `frame-ancestors`.
        Content::Docs => drop(headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"))),
        Content::Embeddable => {
            headers.insert(CROSS_ORIGIN_RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
        }
        Content::Board | Content::Data => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(path: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        set_for(Content::of_path(path), &mut headers);
        headers
    }

    /// Only the documentation must not be framed, and only `/embed/` is for any page.
    #[test]
    fn what_other_sites_may_embed() {
        for (path, is_framed, is_page, is_embedded) in [
            ("/", true, true, false),
            ("/docs", false, true, false),
            ("/docs/", false, true, false),
            ("/docs/errors/bad_move", false, true, false),
            ("/llms.txt", false, true, false),
            ("/openapi.json", true, true, false),
            ("/assets/page-0123456789.js", true, true, false),
            ("/embed/v1/pentad-board.js", true, true, true),
            ("/v1/games", true, false, false),
            ("/v1/games/pentago/hints", true, false, false),
            ("/documents", true, false, false),
            ("/assets", true, false, false),
            ("/embed", true, false, false),
            ("/nowhere", true, false, false),
        ] {
            let headers = headers(path);
            let policy = headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
            assert_eq!(policy.contains("frame-ancestors *"), is_framed, "{path}");
            assert_eq!(!headers.contains_key(header::X_FRAME_OPTIONS), is_framed, "{path}");
            assert_eq!(super::is_page(path), is_page, "{path}");
            assert_eq!(headers.contains_key(CROSS_ORIGIN_RESOURCE_POLICY), is_embedded, "{path}");
            assert_eq!(headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff", "{path}");
            assert!(policy.starts_with("default-src 'none'"), "{path}: {policy}");
        }
    }
}
