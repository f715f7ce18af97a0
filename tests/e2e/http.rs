//! HTTP features of the REST port: ETags, CORS, compression, request ids,
//! documentation, diagrams.

use std::collections::BTreeSet;
use std::io::Read;

use pentad::config::CorsOrigins;
use serde_json::{Value, json};

use crate::support::rest::{Reply, least_request, send};
use crate::support::{TestServer, server};

async fn get_with(server: &TestServer, path: &str, headers: &[(&str, &str)]) -> Reply {
    let request = server.http.get(server.rest_url(path));
    send(headers.iter().fold(request, |request, (name, value)| request.header(*name, *value))).await
}

/// GET responses have an ETag; a matching If-None-Match gets 304 without a body,
/// another one the complete response.
#[tokio::test]
async fn etags_save_the_body() {
    let server = server().start().await;
    for path in [
        "/v1/games",
        "/v1/games/pentago",
        "/v1/games/pentago/position?moves=c3-2r",
        "/v1/games/pentago/legal-moves?prefix=a1",
        "/v1/games/pentago/evaluation?position=wwww2/6/bbbb2/6/6/6+w",
        "/v1/games/pentago/hints?position=wwww2/6/bbbb2/6/6/6+w",
        "/v1/games/pentago/threats?position=wwww2/6/bbbb2/6/6/6+w",
        "/v1/games/pentago/diagram.svg",
    ] {
        let whole = server.get(path).await.ok();
        let tag = whole.header("etag").to_owned();
        assert!(tag.starts_with("W/\"") && tag.ends_with('"'), "{path}: {whole:?}");
        // A reload may correct the rules, and no address names their version.
        assert_eq!(whole.header("cache-control"), "no-cache", "{path}: {whole:?}");
        for known in [tag.as_str(), tag.trim_start_matches("W/"), &format!("\"other\", {tag}"), "*"] {
            let same = get_with(&server, path, &[("if-none-match", known)]).await.expect(304);
            assert!(same.body.is_empty(), "{path}: {same:?}");
            assert_eq!(same.header("etag"), tag, "{path}: {same:?}");
        }
        get_with(&server, path, &[("if-none-match", "\"other\"")]).await.ok();
    }
    let one = server.get("/v1/games/pentago/position").await.ok();
    let other = server.get("/v1/games/pentago/position?moves=c3-2r").await.ok();
    assert_ne!(one.header("etag"), other.header("etag"), "different responses have different ETags");
    let posted = server.post("/v1/games/pentago/position", &json!({})).await.ok();
    assert_eq!(posted.header("etag"), "", "POST is not cached");
}

/// `/openapi.json` is compressed once, and has an ETag: it is served without a token or a charge.
#[tokio::test]
async fn openapi_json_is_revalidated() {
    let server = server().start().await;
    let whole = get_with(&server, "/openapi.json", &[("accept-encoding", "gzip")]).await.ok();
    assert_eq!((whole.header("content-encoding"), whole.header("cache-control")), ("gzip", "no-cache"), "{whole:?}");
    assert_eq!(whole.header("content-length"), whole.body.len().to_string(), "not compressed on its way: {whole:?}");
    let tag = whole.header("etag").to_owned();
    get_with(&server, "/openapi.json", &[("if-none-match", &tag)]).await.expect(304);
}

/// A drawing is paid for by what it takes.
#[tokio::test]
async fn diagrams_are_charged() {
    let server = server().start().await;
    let cpu = async || server.metrics().await.count("pentad_client_cpu_seconds_total", &[("client", "-")]);
    let arrows = "a1-f6,".repeat(5_000);
    let before = cpu().await;
    server.get("/v1/games/pentago/diagram.svg").await.ok();
    let plain = cpu().await - before;
    server.get(&format!("/v1/games/pentago/diagram.svg?arrows={}", arrows.trim_end_matches(','))).await.ok();
    let with_arrows = cpu().await - before - plain;
    assert!(with_arrows > plain, "{with_arrows} s with arrows, {plain} s without");
}

/// A cached answer has the same ETag.
#[tokio::test]
async fn cached_hint_keeps_its_etag() {
    let server = server().start().await;
    let path = "/v1/games/pentago/hints?nodes=2000&variant=finnish";
    let (first, second) = (server.get(path).await.ok(), server.get(path).await.ok());
    assert_eq!((&first.json()["cached"], &second.json()["cached"]), (&json!(false), &json!(true)));
    assert_eq!(first.header("etag"), second.header("etag"));
}

/// Proxies may not keep random answers; with a seed they may, and revalidate them.
#[tokio::test]
async fn random_hints_are_not_cacheable() {
    let server = server().start().await;
    let policy = async |query: &str| {
        let path = format!("/v1/games/pentago/hints?variant=finnish&nodes=2000&{query}");
        server.get(&path).await.ok().header("cache-control").to_owned()
    };
    assert_eq!(policy("level=4").await, "no-store");
    assert_eq!(policy("level=4&seed=0").await, "no-cache");
    assert_eq!(policy("level=10").await, "no-cache");
}

/// HEAD is GET without the body, with its headers.
#[tokio::test]
async fn head_has_no_body() {
    let server = server().start().await;
    for path in ["/v1/games", "/v1/games/pentago/position", "/openapi.json", "/v1/games/pentago/diagram.svg"] {
        let (get, head) = (server.get(path).await.ok(), send(server.http.head(server.rest_url(path))).await.ok());
        assert!(head.body.is_empty(), "{path}: {head:?}");
        for name in ["content-type", "etag", "cache-control"] {
            assert_eq!(head.header(name), get.header(name), "{path}: {name}");
        }
    }
}

/// With `*` every origin is allowed, and the response headers are exposed.
#[tokio::test]
async fn cors_allows_every_origin_if_told_so() {
    let server = server().set(|config| config.cors_origins = CorsOrigins::Any).start().await;
    let origin = [("origin", "https://play.example")];
    let answer = get_with(&server, "/v1/games", &origin).await.ok();
    assert_eq!(answer.header("access-control-allow-origin"), "*", "{answer:?}");
    assert_eq!(answer.header("access-control-allow-credentials"), "", "credentials are never allowed: {answer:?}");
    let exposed = answer.header("access-control-expose-headers").to_lowercase();
    for name in ["x-request-id", "etag", "retry-after", "www-authenticate", "ratelimit", "ratelimit-policy"] {
        assert!(exposed.contains(name), "{name}: {answer:?}");
    }
    let problem = get_with(&server, "/v1/games/chess", &origin).await.expect(404);
    assert_eq!(problem.header("access-control-allow-origin"), "*", "failures can be read too: {problem:?}");

    let preflight = preflight(&server, "https://play.example").await;
    assert!(preflight.status.is_success(), "{preflight:?}");
    assert_eq!(preflight.header("access-control-allow-origin"), "*", "{preflight:?}");
    let methods = preflight.header("access-control-allow-methods");
    assert!(["GET", "POST"].iter().all(|method| methods.contains(method)), "{preflight:?}");
    let allowed = preflight.header("access-control-allow-headers").to_lowercase();
    assert!(allowed == "*" || allowed.contains("content-type"), "{preflight:?}");
}

/// With a list of origins, only those are allowed.
#[tokio::test]
async fn cors_allows_only_listed_origins() {
    let origins = CorsOrigins::List(vec!["https://play.example".to_owned()]);
    let server = server().set(|config| config.cors_origins = origins).start().await;
    let ours = preflight(&server, "https://play.example").await;
    assert_eq!(ours.header("access-control-allow-origin"), "https://play.example", "{ours:?}");
    let theirs = preflight(&server, "https://evil.example").await;
    assert_eq!(theirs.header("access-control-allow-origin"), "", "{theirs:?}");
    let theirs = get_with(&server, "/v1/games", &[("origin", "https://evil.example")]).await.expect(403);
    assert_eq!(theirs.header("access-control-allow-origin"), "", "{theirs:?}");
}

async fn preflight(server: &TestServer, origin: &str) -> Reply {
    let url = server.rest_url("/v1/games/pentago/hints");
    let request = server.http.request(http::Method::OPTIONS, url).header("origin", origin);
    send(
        request
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "content-type"),
    )
    .await
}

/// Responses are compressed only for clients that accept gzip.
#[tokio::test]
async fn responses_are_compressed_on_request() {
    let server = server().start().await;
    let path = "/v1/games/pentago/legal-moves";
    let plain = server.get(path).await.ok();
    assert_eq!(plain.header("content-encoding"), "", "{plain:?}");
    let packed = get_with(&server, path, &[("accept-encoding", "gzip, br")]).await.ok();
    assert_eq!(packed.header("content-encoding"), "gzip", "{packed:?}");
    let mut varies = packed.headers.get_all("vary").iter().filter_map(|value| value.to_str().ok());
    assert!(varies.any(|value| value.to_lowercase().contains("accept-encoding")), "{packed:?}");
    assert!(packed.body.len() < plain.body.len() / 2, "{} and {} bytes", packed.body.len(), plain.body.len());
    let mut unpacked = Vec::new();
    flate2::read::GzDecoder::new(&packed.body[..]).read_to_end(&mut unpacked).expect("gzip");
    assert_eq!(unpacked, plain.body);
    let stream = send(
        server
            .http
            .get(server.rest_url("/v1/games/pentago/analysis?position=wwww2/6/bbbb2/6/6/6+w"))
            .header("accept-encoding", "gzip"),
    )
    .await
    .ok();
    assert_eq!(stream.header("content-encoding"), "", "events must not wait in a compressor: {stream:?}");
}

/// A valid request id is returned, also with failures; otherwise a new one is
/// generated for each request.
#[tokio::test]
async fn request_ids_are_returned() {
    let server = server().start().await;
    for path in ["/v1/games", "/v1/games/chess", "/nowhere"] {
        let answer = get_with(&server, path, &[("x-request-id", "web-42:a/7")]).await;
        assert_eq!(answer.header("x-request-id"), "web-42:a/7", "{path}: {answer:?}");
        if answer.status != 200 {
            assert_eq!(answer.problem().request_id, "web-42:a/7", "{path}");
        }
    }
    let mut made = BTreeSet::new();
    for _ in 0..5 {
        let answer = server.get("/v1/games").await.ok();
        assert!(made.insert(answer.header("x-request-id").to_owned()), "{made:?}: {answer:?}");
    }
    assert!(made.iter().all(|id| id.len() >= 16), "{made:?}");
    let forged = get_with(&server, "/v1/games", &[("x-request-id", "two words")]).await.ok();
    assert_ne!(forged.header("x-request-id"), "two words");
}

/// The OpenAPI 3.1 document has every path, and every path in it is served with its
/// methods.
#[tokio::test]
async fn openapi_document_is_complete() {
    let server = server().start().await;
    let api = server.get("/openapi.json").await.ok().json();
    assert!(api["openapi"].as_str().is_some_and(|version| version.starts_with("3.1.")), "{}", api["openapi"]);
    let paths = api["paths"].as_object().expect("an object");
    for (path, methods) in [
        ("/v1/games", &["get"][..]),
        ("/v1/games/{game}", &["get"]),
        ("/v1/games/{game}/position", &["get", "post"]),
        ("/v1/games/{game}/legal-moves", &["get", "post"]),
        ("/v1/games/{game}/evaluation", &["get", "post"]),
        ("/v1/games/{game}/hints", &["get", "post"]),
        ("/v1/games/{game}/analysis", &["get", "post"]),
        ("/v1/games/{game}/threats", &["get", "post"]),
        ("/v1/games/{game}/review", &["post"]),
        ("/v1/games/{game}/compare", &["post"]),
        ("/v1/games/{game}/puzzles", &["post"]),
        ("/v1/games/{game}/explorer", &["post"]),
        ("/v1/games/{game}/diagram.svg", &["get"]),
    ] {
        let described: Vec<&String> =
            paths.get(path).and_then(Value::as_object).map(|it| it.keys().collect()).unwrap_or_default();
        assert_eq!(described, methods, "{path}");
    }
    for (path, methods) in paths {
        for method in methods.as_object().expect("an object").keys() {
            let answer = send(least_request(&server, method, path)).await;
            assert_eq!(answer.status, 200, "{path}: {answer:?}");
        }
    }
    assert_references(&api, &api);
}

/// Asserts that every `$ref` resolves.
fn assert_references(api: &Value, part: &Value) {
    match part {
        Value::Object(fields) => {
            if let Some(Value::String(reference)) = fields.get("$ref") {
                let pointer = reference.strip_prefix('#').unwrap_or_else(|| panic!("{reference} leads elsewhere"));
                assert!(api.pointer(pointer).is_some(), "{reference} does not resolve");
            }
            fields.values().for_each(|part| assert_references(api, part));
        }
        Value::Array(items) => items.iter().for_each(|part| assert_references(api, part)),
        _ => {}
    }
}

/// Responses have the required fields of their OpenAPI schema.
#[tokio::test]
async fn responses_match_their_schema() {
    let server = server().start().await;
    let api = server.get("/openapi.json").await.ok().json();
    for (schema, path) in [
        ("GamesAnswer", "/v1/games"),
        ("PositionAnswer", "/v1/games/pentago/position"),
        ("MovesAnswer", "/v1/games/pentago/legal-moves"),
        ("EvaluationAnswer", "/v1/games/pentago/evaluation?depth=1"),
        ("HintsAnswer", "/v1/games/pentago/hints?depth=1"),
        ("ThreatsAnswer", "/v1/games/pentago/threats?position=wwww2/6/bbbb2/6/6/6+w"),
        ("Problem", "/v1/games/chess"),
    ] {
        let described = &api["components"]["schemas"][schema];
        let answer = server.get(path).await.json();
        let required = described["required"].as_array().unwrap_or_else(|| panic!("no {schema}: {described}"));
        for name in required.iter().map(|name| name.as_str().expect("a name")) {
            assert!(answer.get(name).is_some(), "{schema} requires {name}: {answer:#}");
        }
        for name in answer.as_object().expect("an object").keys() {
            assert!(described["properties"].get(name).is_some(), "{schema} does not describe {name}");
        }
    }
}

/// Responses have a status that the document lists for the call, with the headers
/// that it names.
#[tokio::test]
async fn statuses_and_headers_are_documented() {
    // With a quota, so that its fields are present.
    let server = server().set(|config| config.anonymous_cpu_ms_per_second = 1_000_000).start().await;
    let api = server.get("/openapi.json").await.ok().json();
    for (path, methods) in api["paths"].as_object().expect("an object") {
        let url = server.rest_url(&path.replace("{game}", "tictactoe"));
        for (method, operation) in methods.as_object().expect("an object") {
            let request = || server.http.request(method.to_uppercase().parse().expect("a method"), &url);
            let mut replies = vec![send(least_request(&server, method, path)).await.ok()];
            if method == "get" {
                replies.push(send(server.http.get(format!("{url}?colour=red"))).await.expect(400));
            } else {
                // In a batch it is the error of one line.
                let malformed = if path == "/v1/batch" { 200 } else { 400 };
                let request_malformed = request().body("{").header("content-type", "application/json");
                replies.push(send(request_malformed).await.expect(malformed));
                replies.push(send(request().body("{}").header("content-type", "text/plain")).await.expect(415));
            }
            replies.push(send(request().header("origin", "https://evil.example")).await.expect(403));
            replies.push(send(request().header("host", "evil.example")).await.expect(421));
            if !replies[0].header("etag").is_empty() {
                replies.push(send(request().header("if-none-match", "*")).await.expect(304));
            }
            for reply in replies {
                let documented = &operation["responses"][reply.status.as_str()];
                let headers = documented["headers"].as_object().unwrap_or_else(|| panic!("{method} {path}: {reply:?}"));
                assert!(headers.contains_key("X-Request-Id"), "{method} {path}: {headers:?}");
                assert_eq!(
                    headers.contains_key("ETag"),
                    !reply.header("etag").is_empty(),
                    "{method} {path}: {reply:?}"
                );
                for name in headers.keys() {
                    assert_ne!(reply.header(name), "", "{method} {path} documents {name}: {reply:?}");
                }
            }
            let has_body = operation.get("requestBody").is_some();
            assert_eq!(operation["responses"].get("415").is_some(), has_body, "{method} {path}");
        }
    }
}

/// Numbers are accepted up to their documented maximum and no further, in both
/// forms of a question. That of `count` is a setting.
#[tokio::test]
async fn numbers_are_bounded_as_documented() {
    let server = server().set(|config| config.hints_max = 7).start().await;
    let api = server.get("/openapi.json").await.ok().json();
    let schemas = &api["components"]["schemas"];
    for (call, schema, field) in [
        ("hints", "HintsQuestion", "count"),
        ("hints", "HintsQuestion", "level"),
        ("hints", "HintsQuestion", "seed"),
        ("hints", "Limits", "timeMs"),
        ("hints", "Limits", "nodes"),
        ("hints", "Limits", "depth"),
        ("legal-moves", "MovesQuestion", "pageSize"),
        ("threats", "ThreatsQuestion", "depth"),
    ] {
        let path = format!("/v1/games/{{game}}/{call}");
        let parameters = api["paths"][&path]["get"]["parameters"].as_array().expect("an array");
        let parameter = parameters.iter().find(|it| it["name"] == field).expect("a parameter");
        let property = &schemas[schema]["properties"][field];
        assert_eq!(parameter["schema"]["maximum"], property["maximum"], "{field}");
        assert_eq!(parameter["schema"]["format"], property["format"], "{field}");

        let maximum = property["maximum"].as_u64().unwrap_or_else(|| panic!("{field} is not bounded: {property}"));
        for (value, status) in [(u128::from(maximum), 200), (u128::from(maximum) + 1, 400)] {
            // A game that is searched to its end quickly.
            let (path, position) = (format!("/v1/games/tictactoe/{call}"), "xo1/3/3 x");
            let query = format!("?position={}&{field}={value}", position.replace(' ', "+"));
            server.get(&format!("{path}{query}")).await.expect(status);
            let number = if schema == "Limits" {
                format!(r#""limits":{{"{field}":{value}}}"#)
            } else {
                format!(r#""{field}":{value}"#)
            };
            let request = server.http.post(server.rest_url(&path)).header("content-type", "application/json");
            send(request.body(format!(r#"{{"position":"{position}",{number}}}"#))).await.expect(status);
        }
    }
}

/// The events and lines of a stream have the fields of their schemas.
#[tokio::test]
async fn streams_match_their_schemas() {
    let server = server().start().await;
    let api = server.get("/openapi.json").await.ok().json();
    let schema_of = |media_type: &str| {
        let content = &api["paths"]["/v1/games/{game}/analysis"]["get"]["responses"]["200"]["content"];
        let reference = content[media_type]["schema"]["$ref"].as_str().expect("a reference");
        api.pointer(reference.trim_start_matches('#')).expect("it resolves")
    };
    let path = "/v1/games/pentago/analysis?position=wwww2/6/bbbb2/6/6/6+w";

    let event = schema_of("text/event-stream");
    let text = server.get(path).await.ok().text();
    let fields: BTreeSet<&str> = text.lines().filter_map(|line| line.split_once(": ")).map(|(name, _)| name).collect();
    let required = event["required"].as_array().unwrap_or_else(|| panic!("an object: {event}"));
    assert_eq!(fields, required.iter().filter_map(Value::as_str).collect(), "{text}");
    let data = &event["properties"]["data"];
    assert_eq!((&data["type"], &data["contentMediaType"]), (&json!("string"), &json!("application/json")));
    let kinds = &api["components"]["schemas"]["AnalysisEventKind"]["enum"];
    assert_eq!(*kinds, json!(["update", "final", "error"]));

    let line = schema_of("application/x-ndjson");
    assert_eq!(line["oneOf"][0]["$ref"], "#/components/schemas/AnalysisUpdate", "{line}");
    assert_eq!(line["oneOf"][1]["required"], json!(["error"]), "{line}");
}

/// A diagram is well-formed SVG of the requested size, has every piece and a title,
/// and no external references.
#[tokio::test]
async fn diagrams_of_any_game() {
    let server = server().start().await;
    for (path, width, words) in [
        ("/v1/games/pentago/diagram.svg", "480", "White to move"),
        ("/v1/games/pentago/diagram.svg?position=wwwww1/6/bbbb2/6/6/6+b&size=100", "100", "wins"),
        ("/v1/games/pentago/diagram.svg?variant=czech&moves=c3-2r,d4-1l", "480", "to move"),
        ("/v1/games/tictactoe/diagram.svg?position=xo1/3/3+x&size=4096", "4096", "Crosses to move"),
    ] {
        let reply = server.get(path).await.ok();
        assert_eq!(reply.header("content-type"), "image/svg+xml", "{path}");
        let text = reply.text();
        let document = roxmltree::Document::parse(&text).unwrap_or_else(|error| panic!("{path}: {error}\n{text}"));
        let root = document.root_element();
        assert_eq!((root.tag_name().name(), root.attribute("width")), ("svg", Some(width)), "{path}");
        let title =
            root.children().find(|node| node.has_tag_name("title")).and_then(|node| node.text()).unwrap_or_default();
        assert!(title.contains(words), "{path}: {title}");
        for node in document.descendants() {
            assert!(!["script", "image", "foreignObject"].contains(&node.tag_name().name()), "{path}: {node:?}");
            for attribute in node.attributes() {
                assert!(
                    !attribute.name().ends_with("href") && !attribute.name().starts_with("on"),
                    "{path}: {attribute:?}"
                );
            }
        }
    }
    let count = async |position: &str| {
        let path = format!("/v1/games/pentago/diagram.svg?position={}", position.replace(' ', "+"));
        server.get(&path).await.ok().text().matches("-piece").count() - 2
    };
    assert_eq!((count("6/6/6/6/6/6 w").await, count("wwww2/6/bbb3/6/6/6 b").await), (0, 7));
    let path = "/v1/games/pentago/diagram.svg?moves=c3-2r&lastMove=true&highlight=a1,b2&arrows=a1-f6&theme=dark";
    let marked = server.get(path).await.ok().text();
    let n = |part: &str| marked.matches(part).count();
    assert_eq!((n("opacity=\"0.6\""), n("fill=\"none\""), n("marker-end")), (1, 2, 1), "{marked}");
    let text = server.get("/v1/games/tictactoe/diagram.svg?position=xo1/3/3+x").await.ok().text();
    assert!(text.contains("xo1/3/3 x"), "without a board, the position's text: {text}");
}

/// Invalid diagram requests return problem documents.
#[tokio::test]
async fn invalid_diagram_requests_are_problems() {
    let server = server().start().await;
    for (query, status, reason, field) in [
        ("size=31", 400, "bad_argument", Some("size")),
        ("theme=pink", 400, "bad_argument", Some("theme")),
        ("highlight=a1,z9", 400, "bad_argument", Some("highlight[1]")),
        ("arrows=a1", 400, "bad_argument", Some("arrows[0]")),
        ("arrows=a1-b2,a1-z9", 400, "bad_argument", Some("arrows[1]")),
        ("lastMove=c3-2r", 400, "bad_argument", Some("lastMove")),
        ("size=4097", 400, "bad_argument", Some("size")),
        ("size=big", 400, "bad_argument", Some("size")),
        ("width=100", 400, "bad_argument", Some("width")),
        ("position=nonsense", 400, "bad_position", Some("position")),
        ("variant=blitz", 404, "unknown_variant", Some("variant")),
        ("moves=a1-2r,a1-2r", 422, "illegal_move", Some("moves[1]")),
    ] {
        let failure = server.get(&format!("/v1/games/pentago/diagram.svg?{query}")).await.expect(status).problem();
        assert_eq!((&*failure.reason, failure.field.as_deref()), (reason, field), "{query}: {failure:?}");
    }
    assert_eq!(server.get("/v1/games/chess/diagram.svg").await.expect(404).problem().reason, "unknown_game");
}
