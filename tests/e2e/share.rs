//! Addresses for messages: pages with the tags of previews that lead on to the board, and
//! pictures of positions.

use std::io::{Read as _, Write as _};

use crate::access::TokenFile;
use crate::support::rest::{Reply, send};
use crate::support::{TestServer, server};

/// White wins with `e1`.
const POSITION: &str = "p=wwww2/6/bbbb2/6/6/6_w";

async fn get(server: &TestServer, path: &str, headers: &[(&str, &str)]) -> Reply {
    let request = server.http.get(server.rest_url(path));
    send(headers.iter().fold(request, |request, (name, value)| request.header(*name, *value))).await
}

/// The attributes of the tags of a page, which has to be well-formed but for its doctype
/// and void elements.
fn content(page: &str, tag: &str) -> Option<String> {
    let html = page.split_once("<html").map(|(_, rest)| format!("<html{rest}")).expect("a page");
    let void = |line: &str| match line.starts_with("<meta ") {
        true => line.replacen('>', "/>", line.matches('>').count()),
        false => line.to_owned(),
    };
    let xml: Vec<String> = html.lines().map(void).collect();
    let xml = xml.join("\n");
    let document = roxmltree::Document::parse(&xml).unwrap_or_else(|error| panic!("{error}:\n{xml}"));
    let named = |node: &roxmltree::Node<'_, '_>| {
        ["property", "name", "http-equiv"].iter().any(|attribute| node.attribute(*attribute) == Some(tag))
    };
    let node = document.descendants().find(named)?;
    node.attribute("content").map(str::to_owned)
}

/// A shared address describes its game for previews, with a picture, and leads on to the
/// same game on the board page.
#[tokio::test]
async fn links_have_previews() {
    let server = server().start().await;
    let query = format!("{POSITION}&m=f6-4r(e1)");
    let page = get(&server, &format!("/s/pentago/standard?{query}"), &[]).await.ok();
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8", "{page:?}");
    assert!(page.header("content-security-policy").starts_with("default-src 'none'"), "{page:?}");
    let html = page.text();
    let tag = |name: &str| content(&html, name).unwrap_or_else(|| panic!("{name}:\n{html}"));
    assert_eq!(tag("og:title"), "Pentago, Standard");
    assert_eq!(tag("og:description"), "Black to move", "variations are left out");
    assert_eq!(tag("twitter:card"), "summary_large_image");
    assert_eq!(tag("og:url"), server.rest_url(&format!("/s/pentago/standard?{query}")));
    let board = format!("../../#pentago/standard?{query}");
    assert_eq!(tag("refresh"), format!("0; url={board}"));
    assert!(html.contains(&format!("<a href=\"{}\">", board.replace('&', "&amp;"))), "{html}");

    let picture = tag("og:image");
    assert_eq!(picture, server.rest_url(&format!("/s/pentago/standard.png?{query}")));
    let picture = send(server.http.get(picture)).await.ok();
    assert_eq!(picture.header("content-type"), "image/png", "{:?}", picture.headers);
    let png = &picture.body;
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n") && png.ends_with(b"IEND\xaeB`\x82") && png.len() < 200_000);
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
    assert_eq!((number(16), number(20)), (1200, 630));
    let other = get(&server, "/s/pentago/standard.png", &[]).await.ok();
    assert_ne!(other.body, picture.body);
    let etag = picture.header("etag").to_owned();
    let known = get(&server, &format!("/s/pentago/standard.png?{query}"), &[("if-none-match", &etag)]).await;
    assert_eq!(known.status, 304);

    let german = get(&server, "/s/pentago?m=c3-2r", &[("accept-language", "de")]).await.ok();
    assert_eq!(german.header("content-language"), "de", "{german:?}");
    assert_eq!(content(&german.text(), "og:description").as_deref(), Some("Am Zug: Schwarz"));
    assert_eq!(content(&german.text(), "refresh").as_deref(), Some("0; url=../#pentago?m=c3-2r"));
}

/// A game that describes no board has a preview without a picture.
#[tokio::test]
async fn games_without_a_board_have_no_picture() {
    let server = server().start().await;
    let page = get(&server, "/s/tictactoe?m=b2", &[]).await.ok().text();
    assert_eq!(content(&page, "og:title").as_deref(), Some("Tic-tac-toe, Standard"));
    assert_eq!(content(&page, "og:image"), None, "{page}");
    assert_eq!(get(&server, "/s/tictactoe/standard.png", &[]).await.status, 404);
}

/// Whatever an address says, nothing of it becomes markup, another address or a long answer.
#[tokio::test]
async fn hostile_addresses_are_harmless() {
    let server = server().start().await;
    let script = "%3Cscript%3Ealert(1)%3C/script%3E";
    let quote = "%22%3E%3Cscript%3Ealert(1)%3C/script%3E";
    for (path, status) in [
        (format!("/s/{script}"), 404),
        (format!("/s/pentago/{quote}"), 404),
        ("/s/chess/standard".to_owned(), 404),
        ("/s/pentago/blitz?m=c3-2r".to_owned(), 404),
        (format!("/s/pentago/standard?p={quote}"), 400),
        (format!("/s/pentago/standard?p={}", "w".repeat(50_000)), 413),
        (format!("/s/pentago/standard?m={quote}"), 400),
        ("/s/pentago/standard?m=a1-2r.a1-2r".to_owned(), 422),
        (format!("/s/pentago/standard?m={}", "a1-1r.".repeat(5_000)), 413),
        ("/s//".to_owned(), 404),
    ] {
        let reply = get(&server, &path, &[]).await;
        let shown: String = path.chars().take(80).collect();
        assert_eq!(reply.status, status, "{shown}: {reply:?}");
        let page = reply.text();
        assert_eq!(reply.header("content-type"), "text/html; charset=utf-8", "{shown}");
        assert!(page.starts_with("<!doctype html>") && page.len() < 1_000, "{shown}: {page}");
        assert!(page.contains("<a href=\"/\">") && !page.contains("script") && !page.contains("refresh"), "{page}");
    }
    // Fields that the server does not read stay text, and the address stays on this server.
    for query in
        ["n=%22%3E%3Cscript%3E", "n='><script>", "n=\"onload=x", "url=https://evil.example/", "at=-1;url=//evil"]
    {
        let uri = format!("GET /s/pentago/standard?{query} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
        let address = server.rest_url("").trim_start_matches("http://").trim_end_matches('/').to_owned();
        let reply = tokio::task::spawn_blocking(move || {
            let mut stream = std::net::TcpStream::connect(address).expect("a connection");
            stream.write_all(uri.as_bytes()).expect("it is sent");
            let mut text = String::new();
            stream.read_to_string(&mut text).expect("text");
            text
        });
        let reply = reply.await.expect("an answer");
        if reply.starts_with("HTTP/1.1 400") {
            continue;
        }
        assert!(!reply.contains("<script") && !reply.contains("\"onload"), "{query}: {reply}");
        let page = reply.split_once("\r\n\r\n").expect("a body").1;
        let refresh = content(page, "refresh").expect("it leads on");
        assert!(refresh.starts_with("0; url=../../#pentago/standard?"), "{query}: {refresh}");
    }
    // The connection may be closed before all of it is read.
    let long = server.rest_url(&format!("/s/pentago/standard?p={}", "w".repeat(1 << 20)));
    if let Ok(long) = server.http.get(long).send().await {
        assert!(long.status().is_client_error(), "{}", long.status());
    }
    get(&server, "/s/pentago/standard", &[]).await.ok();
}

/// People come from other sites and without a token: they are led on, and learn nothing of
/// the position. Pictures need what other answers need.
#[tokio::test]
async fn people_without_a_token_are_led_on() {
    let (tokens, [token]) = TokenFile::new([("alice", None)]).await;
    let server = server().set(|config| config.tokens = Some(tokens.path().to_owned())).start().await;
    let page = get(&server, "/s/pentago/standard?m=c3-2r", &[]).await.ok().text();
    assert_eq!(content(&page, "refresh").as_deref(), Some("0; url=../../#pentago/standard?m=c3-2r"));
    assert_eq!(content(&page, "og:title"), None, "{page}");
    assert_eq!(get(&server, "/s/pentago/standard.png", &[]).await.status, 401);
    let bearer = format!("Bearer {token}");
    let headers = [("authorization", bearer.as_str())];
    let page = get(&server, "/s/pentago/standard?m=c3-2r", &headers).await.ok();
    assert_eq!(content(&page.text(), "og:title").as_deref(), Some("Pentago, Standard"));
    assert!(page.header("cache-control").contains("private"), "{page:?}");
}

/// A click on a link of another site is a request across sites, which may call nothing.
#[tokio::test]
async fn links_are_followed_from_other_sites() {
    let server = server().start().await;
    let headers = [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")];
    let page = get(&server, "/s/pentago/standard?m=c3-2r", &headers).await.ok().text();
    assert_eq!(content(&page, "refresh").as_deref(), Some("0; url=../../#pentago/standard?m=c3-2r"));
}
