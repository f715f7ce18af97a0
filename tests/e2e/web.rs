//! The board page and the embeddable board as files: types, caching, policy, paths.
//! `.ci/browser` tests their behaviour.

use std::io::Read;

use http::Method;
use serde_json::json;

use crate::support::rest::{Reply, send};
use crate::support::{TestServer, server};

async fn request(server: &TestServer, method: Method, path: &str, headers: &[(&str, &str)]) -> Reply {
    let request = server.http.request(method, server.rest_url(path));
    send(headers.iter().fold(request, |request, (name, value)| request.header(*name, *value))).await
}

async fn get(server: &TestServer, path: &str, headers: &[(&str, &str)]) -> Reply {
    request(server, Method::GET, path, headers).await
}

/// The paths that the page refers to.
fn references(page: &str) -> Vec<String> {
    let quoted = page.split('"').filter(|part| part.starts_with("/assets/"));
    quoted.map(str::to_owned).collect()
}

/// The page comes from this server alone: each part has its type, and nothing in it
/// is inline or from elsewhere.
#[tokio::test]
async fn page_is_self_contained() {
    let server = server().start().await;
    let page = server.get("/").await.ok();
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8", "{page:?}");
    let html = page.text();
    assert!(!html.contains("://") && !html.contains("style=") && !html.contains("<style"), "{html}");
    let references = references(&html);
    assert!(references.len() >= 4, "scripts, style and icon: {html}");
    for path in references {
        let expected = match path.rsplit('.').next() {
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            _ => "image/svg+xml",
        };
        let asset = server.get(&path).await.ok();
        assert_eq!(asset.header("content-type"), expected, "{path}: {asset:?}");
        let text = asset.text();
        let foreign = text.replace("http://www.w3.org/", "");
        assert!(!foreign.contains("https://") && !foreign.contains("http://") && !foreign.contains("url(//"), "{path}");
    }
}

/// Scripts and styles come from the server's own files only, and no text becomes
/// markup.
#[tokio::test]
async fn policy_is_strict() {
    let server = server().start().await;
    let page = server.get("/").await.ok();
    let policy = page.header("content-security-policy").to_owned();
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    assert!(!policy.contains("unsafe") && !policy.contains("http") && !policy.contains("blob:"), "{policy}");
    assert!(policy.contains("require-trusted-types-for 'script'"), "{policy}");
    for path in references(&page.text()) {
        let asset = server.get(&path).await.ok();
        assert_eq!(asset.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(asset.header("content-security-policy"), policy, "{path}");
    }
}

/// Assets are cached permanently, the page is revalidated each time, the embeddable board is
/// cached for an hour; each has an ETag.
#[tokio::test]
async fn caching_by_kind() {
    let server = server().start().await;
    let mut cases =
        vec![("/".to_owned(), "no-cache"), ("/embed/v1/pentad-board.js".to_owned(), "public, max-age=3600")];
    let page = server.get("/").await.ok().text();
    cases.extend(references(&page).into_iter().map(|path| (path, "public, max-age=31536000, immutable")));
    for (path, policy) in cases {
        let whole = get(&server, &path, &[]).await.ok();
        assert_eq!(whole.header("cache-control"), policy, "{path}: {:?}", whole.headers);
        let tag = whole.header("etag").to_owned();
        assert!(!tag.is_empty(), "{path}");
        let known = get(&server, &path, &[("if-none-match", &tag)]).await.expect(304);
        assert!(known.body.is_empty() && known.header("etag") == tag, "{path}: {known:?}");
        get(&server, &path, &[("if-none-match", "\"other\"")]).await.ok();
        let head = request(&server, Method::HEAD, &path, &[]).await.ok();
        assert!(head.body.is_empty() && head.header("etag") == tag, "{path}: {head:?}");
    }
}

/// Clients that accept gzip get it, with the same content, and `Vary` names the encoding.
#[tokio::test]
async fn compressed_for_those_who_accept_it() {
    let server = server().start().await;
    let page = server.get("/").await.ok().text();
    for path in references(&page).iter().map(String::as_str).chain(["/", "/embed/v1/pentad-board.js"]) {
        let plain = get(&server, path, &[("accept-encoding", "identity")]).await.ok();
        assert_eq!(plain.header("content-encoding"), "", "{path}");
        for accepted in ["gzip", "br;q=1, gzip;q=0.8"] {
            let small = get(&server, path, &[("accept-encoding", accepted)]).await.ok();
            assert_eq!(small.header("content-encoding"), "gzip", "{path}: {small:?}");
            assert!(
                small.header("vary").to_ascii_lowercase().contains("accept-encoding"),
                "{path}: {:?}",
                small.headers
            );
            let mut content = Vec::new();
            flate2::read::GzDecoder::new(&small.body[..]).read_to_end(&mut content).expect("valid gzip");
            assert!(content == plain.body, "{path}");
        }
        let refused = get(&server, path, &[("accept-encoding", "gzip;q=0")]).await.ok();
        assert!(refused.body == plain.body, "{path}");
    }
}

/// Any site's page may load the embeddable board; the API stays closed to it.
#[tokio::test]
async fn board_is_for_any_site() {
    let server = server().start().await;
    let foreign = [("origin", "https://site.example"), ("sec-fetch-site", "cross-site")];
    let script = get(&server, "/embed/v1/pentad-board.js", &foreign).await.ok();
    assert_eq!(script.header("access-control-allow-origin"), "https://site.example", "{:?}", script.headers);
    assert_eq!(script.header("cross-origin-resource-policy"), "cross-origin", "{:?}", script.headers);
    assert_eq!(script.header("content-type"), "text/javascript; charset=utf-8");
    for path in ["/embed/v1/example.html", "/embed/v1/example.js", "/embed/v1/example.css"] {
        get(&server, path, &foreign).await.ok();
    }
    get(&server, "/v1/games", &foreign).await.expect(403);
}

/// No path serves anything except the files of the page.
#[tokio::test]
async fn hostile_paths_lead_nowhere() {
    let server = server().start().await;
    for path in [
        "/assets/",
        "/assets/..%2f..%2fCargo.toml",
        "/assets/%2e%2e/%2e%2e/Cargo.toml",
        "/assets/..%5c..%5cCargo.toml",
        "/assets/%00",
        "/assets/%ff%fe",
        "/assets/page.js",
        "/assets/index.html",
        "/assets//etc/passwd",
        "/assets/page-0000000000.js?x=/etc/passwd",
        "/index.html",
        "/table.rs",
        "/embed/",
        "/embed/v1/",
        "/embed/v1/..%2f..%2findex.html",
        "/embed/v2/pentad-board.js",
        "/embed/v1/PENTAD-BOARD.JS",
    ] {
        let reply = get(&server, path, &[]).await;
        assert!(reply.status == 404 && !reply.text().contains("package"), "{path}: {reply:?}");
        assert_eq!(reply.header("content-type"), "application/problem+json", "{path}: {reply:?}");
        assert!(!reply.header("cache-control").contains("immutable"), "{path}: {reply:?}");
    }
    let reply = server.post("/", &json!({})).await;
    assert_eq!(reply.status, 405, "{reply:?}");
}
