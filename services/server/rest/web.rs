//! The board page at `/`, the guides and the reference under `/docs`, their assets, and the
//! board for other sites' pages under `/embed/`.
//!
//! `services/web` builds them; they are compiled in, also in debug builds, and
//! compressed when they are first requested. A path is looked up among the known ones,
//! so no path leads anywhere else. Pages have paths without `.html`.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Write;
use std::sync::{Arc, LazyLock, OnceLock};

use axum::Router;
use axum::body::Body;
use axum::response::Response;
use axum::routing::get;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::{HeaderMap, HeaderValue, Uri, header};

use super::response::{CachePolicy, IfNoneMatch, etag, with_etag};
use crate::app::App;
use crate::error::ApiError;

/// Paths and contents of everything that is served here.
static FILES: &[(&str, &[u8])] = include!("../../web/dist/table.rs");

static ASSETS: LazyLock<HashMap<&'static str, Asset>> =
    LazyLock::new(|| FILES.iter().map(|(path, content)| (*path, Asset::new(path, *content))).collect());

const INDEX: &str = "/index.html";

pub(super) fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(async |headers: HeaderMap| serve(INDEX, &headers)))
        .route("/docs", get(page))
        .route("/docs/", get(page))
        .route("/docs/{*page}", get(page))
        .route("/llms.txt", get(by_path))
        .route("/assets/{file}", get(by_path))
        .route("/embed/v1/{file}", get(by_path))
}

async fn by_path(uri: Uri, headers: HeaderMap) -> Result<Response, ApiError> {
    serve(uri.path(), &headers)
}

/// A page of the documentation, or a file of it.
async fn page(uri: Uri, headers: HeaderMap) -> Result<Response, ApiError> {
    let file = page_file(uri.path()).ok_or_else(|| ApiError::UnknownPath { path: uri.path().to_owned() })?;
    serve(&file, &headers)
}

/// Returns the file of a path below `/docs`: that of a page has the ending `.html`, which
/// no path has.
fn page_file(path: &str) -> Option<Cow<'_, str>> {
    let path = path.strip_suffix('/').unwrap_or(path);
    match path.rsplit('/').next().and_then(|name| name.split_once('.')) {
        None => Some(format!("{path}.html").into()),
        Some((_, "html")) => None,
        Some(_) => Some(path.into()),
    }
}

fn serve(path: &str, request: &HeaderMap) -> Result<Response, ApiError> {
    let asset = ASSETS.get(path).ok_or_else(|| ApiError::UnknownPath { path: path.to_owned() })?;
    asset.answer(request, cache_policy(path))
}

/// Assets are named by a digest of their content; other names stay the same.
fn cache_policy(path: &str) -> CachePolicy {
    if path.starts_with("/assets/") || path.starts_with("/docs/assets/") {
        CachePolicy::Immutable
    } else if path.starts_with("/embed/") {
        CachePolicy::Hour
    } else {
        CachePolicy::Revalidate
    }
}

/// Content that is compressed once, when it is first requested.
#[derive(Debug)]
pub(super) struct Asset {
    content: Bytes,
    gzip: OnceLock<Bytes>,
    content_type: &'static str,
    etag: String,
}

impl Asset {
    pub(super) fn new(path: &str, content: impl Into<Bytes>) -> Asset {
        let content = content.into();
        Asset { gzip: OnceLock::new(), content_type: content_type(path), etag: etag(&content), content }
    }

    pub(super) fn answer(&self, request: &HeaderMap, policy: CachePolicy) -> Result<Response, ApiError> {
        let full = || Ok(self.response(accepts_gzip(request)));
        with_etag(&IfNoneMatch::new(request), &self.etag, policy, full)
    }

    fn gzip(&self) -> &Bytes {
        self.gzip.get_or_init(|| gzip(&self.content))
    }

    fn response(&self, is_gzip: bool) -> Response {
        let mut response = Response::new(Body::from(if is_gzip { self.gzip().clone() } else { self.content.clone() }));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if is_gzip {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        response
    }
}

fn gzip(content: &[u8]) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content).expect("writing to memory cannot fail");
    encoder.finish().expect("writing to memory cannot fail").into()
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        Some("md") => "text/markdown; charset=utf-8",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// `gzip` among the accepted encodings, not with the weight 0.
fn accepts_gzip(request: &HeaderMap) -> bool {
    let accepted = request.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let is_refused = weight.trim().strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0));
        name.trim().eq_ignore_ascii_case("gzip") && !is_refused
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page is small, and every file has a type and is found by its path. Parts that the
    /// page loads later are named by its script.
    #[test]
    fn files_are_complete_and_small() {
        assert!(ASSETS.contains_key(INDEX) && ASSETS.contains_key("/embed/v1/pentad-board.js"));
        let text = |path: &str| String::from_utf8(ASSETS[path].content.to_vec()).expect("text is UTF-8");
        let page = text(INDEX);
        let scripts: Vec<String> =
            ASSETS.keys().filter(|path| is_asset(path) && path.ends_with(".js")).map(|path| text(path)).collect();
        let mut compressed = ASSETS[INDEX].gzip().len();
        for (path, asset) in ASSETS.iter() {
            assert_ne!(asset.content_type, "application/octet-stream", "{path}");
            if page.contains(path) {
                compressed += asset.gzip().len();
            } else if let Some(name) = path.strip_prefix("/assets/") {
                assert!(scripts.iter().any(|script| script.contains(name)), "{path} is not part of the page");
            }
        }
        assert!(compressed < 100_000, "{compressed} bytes");
        let references = page.split('"').filter(|part| is_asset(part));
        assert!(references.clone().count() >= 4 && references.clone().all(|path| ASSETS.contains_key(path)), "{page}");
    }

    fn is_asset(path: &str) -> bool {
        path.starts_with("/assets/")
    }

    /// Pages have no ending, other files their own, and a slash at the end is ignored.
    #[test]
    fn pages_have_no_ending() {
        for (path, file) in [
            ("/docs", Some("/docs.html")),
            ("/docs/", Some("/docs.html")),
            ("/docs/errors/bad_move", Some("/docs/errors/bad_move.html")),
            ("/docs/guides/streams.md", Some("/docs/guides/streams.md")),
            ("/docs/errors.html", None),
        ] {
            assert_eq!(page_file(path).as_deref(), file, "{path}");
            assert!(file.is_none_or(|file| ASSETS.contains_key(file)), "{path}");
        }
    }

    #[test]
    fn encodings_are_negotiated() {
        for (accepted, expected) in [
            ("gzip", true),
            ("br, GZIP;q=0.5", true),
            ("deflate, gzip;q=0", false),
            ("gzip; q=0.0", false),
            ("identity", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, accepted.parse().unwrap());
            assert_eq!(accepts_gzip(&headers), expected, "{accepted}");
        }
    }
}
