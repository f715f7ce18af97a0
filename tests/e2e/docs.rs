//! The guides and the reference under `/docs`, as files. `.ci/guides` runs what they show
//! and follows their links, `.ci/browser` tests the pages.

use std::collections::BTreeSet;

use pentad::error::Reason;
use serde_json::Value;

use crate::support::rest::{Reply, send};
use crate::support::{TestServer, server};

/// Returns the addresses that a page refers to.
fn references(html: &str) -> BTreeSet<&str> {
    let values = ["src=\"", "href=\""].into_iter().flat_map(|attribute| html.split(attribute).skip(1));
    values.filter_map(|rest| rest.split('"').next()).collect()
}

/// Every reason has a page, which names it, and its problems have the page as their type.
/// A page without a reason would be one that no problem links to.
#[tokio::test]
async fn every_reason_has_a_page() {
    let server = server().start().await;
    let list = server.get("/docs/errors").await.ok().text();
    for reason in Reason::ALL {
        let (path, reason) = (reason.page(), reason.as_str());
        let page = server.get(&path).await.ok();
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8", "{path}");
        let html = page.text();
        assert!(html.contains(&format!("<h1><code>{reason}</code></h1>")), "{path}: {html}");
        let text = server.get(&format!("{path}.md")).await.ok().text();
        for part in [format!("# {reason}\n"), "## Cause".into(), "## Remedy".into(), format!("\"type\": \"{path}\"")] {
            assert!(text.contains(&part), "{path}.md has no {part}: {text}");
        }
        assert!(list.contains(&format!("href=\"{path}\"")), "the list of errors has no {reason}");
    }
    let linked: BTreeSet<_> =
        references(&list).into_iter().filter_map(|path| path.strip_prefix("/docs/errors/")).collect();
    let pages: Vec<_> = linked.iter().filter(|name| !name.contains(['.', '#'])).collect();
    assert_eq!(pages.len(), Reason::ALL.len(), "{pages:?}");
}

/// The type of a problem is the address of a page on the server that sent it, also where
/// the problem is part of a stream.
#[tokio::test]
async fn types_of_problems_resolve() {
    let server = server().start().await;
    let too_long = format!("/v1/games/pentago/position?position={}", "6".repeat(1100));
    for (path, reason) in [
        ("/v1/games/chess", "unknown_game"),
        ("/v1/games/pentago/position?variant=blitz", "unknown_variant"),
        ("/v1/games/pentago/position?position=x", "bad_position"),
        ("/v1/games/pentago/position?moves=x", "bad_move"),
        ("/v1/games/pentago/hints?level=11", "bad_argument"),
        ("/v1/games/pentago/position?moves=a1-2r,a1-2r", "illegal_move"),
        ("/v1/games/pentago/hints?position=wwwww1/6/bbbb2/6/6/6+b", "game_over"),
        (&too_long, "too_large"),
    ] {
        let problem = server.get(path).await.json();
        assert_eq!(problem["reason"], reason, "{path}: {problem}");
        assert_resolves(&server, path, &problem).await;
    }
    let batch = server.http.post(server.rest_url("/v1/batch")).header("content-type", "application/x-ndjson");
    let line = send(batch.body(r#"{"id": "a", "kind": "hints", "game": "chess"}"#))
        .await
        .ok()
        .text()
        .lines()
        .next()
        .unwrap_or_default()
        .to_owned();
    let line: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
    assert_resolves(&server, "/v1/batch", &line["error"]).await;
}

/// Resolves the type as a client does, RFC 3986 against the address of the request.
async fn assert_resolves(server: &TestServer, path: &str, problem: &Value) {
    let kind = problem["type"].as_str().unwrap_or_else(|| panic!("no type: {problem}"));
    let base = reqwest::Url::parse(&server.rest_url(path)).expect("a URL");
    let page = send(server.http.get(base.join(kind).expect("a reference"))).await.ok();
    let reason = problem["reason"].as_str().unwrap_or_default();
    assert!(page.text().contains(&format!("<h1><code>{reason}</code></h1>")), "{problem}: {page:?}");
}

/// Pages are complete by themselves: everything that they load comes from this server.
#[tokio::test]
async fn documentation_is_self_contained() {
    let server = server().start().await;
    let page = server.get("/docs").await.ok();
    assert_eq!(page.body, server.get("/docs/").await.ok().body);
    for path in ["/docs", "/docs/reference", "/docs/guides/streams", "/docs/games/pentago", "/docs/errors"] {
        let page = server.get(path).await.ok();
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8", "{path}");
        let html = page.text();
        let loaded = references(&html).into_iter().filter(|address| address.contains("/assets/")).collect::<Vec<_>>();
        assert_eq!(loaded.len(), 3, "style, script and icon: {html}");
        for asset in loaded {
            let reply = server.get(asset).await.ok();
            assert_eq!(reply.header("cache-control"), "public, max-age=31536000, immutable", "{asset}");
        }
        assert!(!html.contains("src=\"http") && !html.contains("\"//"), "{html}");
    }
    let html = server.get("/docs/reference").await.ok().text();
    let script = references(&html).into_iter().find(|address| address.ends_with(".js")).expect("a script");
    assert!(server.get(script).await.ok().text().contains("/openapi.json"), "the reference shows this API");
}

/// Guides are served as Markdown, too, and `llms.txt` lists them; each has its type and
/// an ETag, and is compressed for clients that accept it.
#[tokio::test]
async fn guides_are_served_as_markdown() {
    let server = server().start().await;
    let list = server.get("/llms.txt").await.ok();
    assert_eq!(list.header("content-type"), "text/plain; charset=utf-8");
    let text = list.text();
    assert!(text.starts_with("# Pentad\n\n> "), "{text}");
    let addresses: BTreeSet<&str> = text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .filter(|path| path.ends_with(".md"))
        .collect();
    assert!(addresses.len() > 30, "{addresses:?}");
    for path in addresses {
        let page = server.get(path).await.ok();
        assert_eq!(page.header("content-type"), "text/markdown; charset=utf-8", "{path}");
        assert!(page.text().starts_with("# "), "{path}: {page:?}");
    }
    for path in ["/docs", "/docs/guides/streams", "/docs/guides/streams.md", "/llms.txt"] {
        assert_is_revalidated_and_compressed(&server, path).await;
    }
}

async fn assert_is_revalidated_and_compressed(server: &TestServer, path: &str) {
    let get = async |name: &str, value: &str| -> Reply {
        send(server.http.get(server.rest_url(path)).header(name, value)).await
    };
    let plain = get("accept-encoding", "identity").await.ok();
    assert_eq!(plain.header("cache-control"), "no-cache", "{path}");
    let tag = plain.header("etag").to_owned();
    assert!(!tag.is_empty(), "{path}");
    assert!(get("if-none-match", &tag).await.expect(304).body.is_empty(), "{path}");
    let small = get("accept-encoding", "gzip").await.ok();
    assert_eq!(small.header("content-encoding"), "gzip", "{path}");
    assert!(small.body.len() < plain.body.len(), "{path}");
}

/// Only the documentation's own paths lead anywhere, and none of them twice.
#[tokio::test]
async fn other_paths_lead_nowhere() {
    let server = server().start().await;
    for path in [
        "/docs.html",
        "/docs/index",
        "/docs/reference.html",
        "/docs/errors/bad_move.html",
        "/docs/errors/bad_mood",
        "/docs/guides",
        "/docs/guides/..%2f..%2findex",
        "/docs/../llms.txt.md",
        "/docs/assets/",
        "/docs/assets/guide.css",
        "/docs//errors",
        "/llms.txt/",
    ] {
        let reply = server.get(path).await.expect(404);
        assert_eq!(reply.json()["type"], "about:blank", "{path}: {reply:?}");
    }
}
