//! The protocol over HTTP: both kinds of clients, and everything that is refused.

use serde_json::{Value, json};

use super::conforms::check;
use super::{McpClient, STATELESS, tool_server};
use crate::support::rest::{Reply, send};
use crate::support::{TestServer, server};

/// Address of the app that shows a result on a board.
const BOARD_APP: &str = "ui://pentad/board";
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

async fn post(server: &TestServer, headers: &[(&str, &str)], body: impl Into<String>) -> Reply {
    let mut request = server.http.post(server.rest_url("/mcp")).header("content-type", "application/json");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    send(request.body(body.into())).await
}

/// Without the setting there is no such path.
#[tokio::test]
async fn tools_are_off_by_default() {
    let server = server().start().await;
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let problem = server.post("/mcp", &message).await.expect(404).problem();
    assert!(problem.message.contains("/mcp"), "{problem:?}");
}

/// A client of an earlier revision begins with `initialize` and goes on without a session.
#[tokio::test]
async fn earlier_clients_shake_hands() {
    let server = tool_server().start().await;
    for (requested, agreed) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
    ] {
        let params =
            json!({"protocolVersion": requested, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        let message = json!({"jsonrpc": "2.0", "id": "first", "method": "initialize", "params": params});
        let reply = post(&server, &[], message.to_string()).await.ok();
        assert_eq!(reply.header("mcp-session-id"), "", "{reply:?}");
        let response = reply.json();
        assert_eq!((&response["id"], &response["result"]["protocolVersion"]), (&json!("first"), &json!(agreed)));
        let extensions = json!({"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}});
        let capabilities = json!({"tools": {}, "resources": {}, "extensions": extensions});
        assert_eq!(response["result"]["capabilities"], capabilities);
        assert_eq!(response["result"]["serverInfo"]["name"], "pentad");
        assert!(response["result"]["instructions"].as_str().is_some_and(|text| text.contains("`games` first")));

        let notification = json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string();
        let accepted = post(&server, &[("mcp-protocol-version", agreed)], notification).await.expect(202);
        assert!(accepted.body.is_empty(), "{accepted:?}");
    }
    for version in ["2025-06-18", "2025-11-25"] {
        let client = McpClient::new(&server).version(version);
        assert_eq!(client.result("ping", json!({})).await, json!({}));
        assert_eq!(client.result("tools/list", json!({})).await["tools"].as_array().map(Vec::len), Some(8));
        let reply = client.send("server/discover", json!({})).await.ok();
        assert_eq!(reply.json()["error"]["code"], -32601, "{reply:?}");
    }
    // The first revision with this transport has no header for itself.
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string();
    assert!(post(&server, &[], list).await.ok().json()["result"]["tools"].is_array());
}

/// A client of the latest revision asks at once. Every result names its type and the server.
#[tokio::test]
async fn stateless_clients_ask_at_once() {
    let server = tool_server().start().await;
    let client = McpClient::new(&server);
    let discovered = client.result("server/discover", json!({})).await;
    assert_eq!(discovered["supportedVersions"], json!([STATELESS]));
    assert!(discovered["capabilities"]["tools"].is_object() && discovered["instructions"].is_string(), "{discovered}");
    for (method, params) in [
        ("tools/list", json!({})),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({"uri": "pentad://games/tictactoe/diagram.svg"})),
        ("resources/read", json!({"uri": BOARD_APP})),
    ] {
        let result = client.result(method, params).await;
        assert_eq!(
            (&result["resultType"], &result["_meta"][SERVER_INFO]["name"]),
            (&json!("complete"), &json!("pentad"))
        );
        assert!(result["ttlMs"].is_u64() && result["cacheScope"].is_string(), "{method}: {result}");
    }
    let called = client.call("games", &json!({})).await;
    assert_eq!((&called["resultType"], &called["_meta"][SERVER_INFO]["title"]), (&json!("complete"), &json!("Pentad")));
    for method in ["ping", "prompts/list", "subscriptions/listen", "logging/setLevel", "nothing"] {
        let reply = client.send(method, json!({})).await.expect(404);
        assert_eq!(reply.json()["error"]["code"], -32601, "{reply:?}");
        assert_eq!(reply.json()["id"], 7, "{reply:?}");
    }
}

/// The board is an app: one document that loads nothing, for hosts that show apps.
#[tokio::test]
async fn the_board_is_an_app() {
    let server = tool_server().start().await;
    let client = McpClient::new(&server);
    let capabilities = client.result("server/discover", json!({})).await["capabilities"].take();
    let kind = json!("text/html;profile=mcp-app");
    assert_eq!(capabilities["extensions"]["io.modelcontextprotocol/ui"]["mimeTypes"], json!([kind]));
    let listed = client.result("resources/list", json!({})).await["resources"].take();
    assert_eq!((&listed[0]["uri"], &listed[0]["mimeType"]), (&json!(BOARD_APP), &kind), "{listed}");
    let app = client.result("resources/read", json!({"uri": BOARD_APP})).await["contents"][0].take();
    assert_eq!((&app["uri"], &app["mimeType"]), (&json!(BOARD_APP), &kind));
    let html = app["text"].as_str().expect("a document");
    assert!(html.starts_with("<!doctype html>"), "{html}");
    assert!(!html.contains("src=\"http") && !html.contains("href="), "{html}");
}

/// Malformed messages get the codes of JSON-RPC, with the status 400.
#[tokio::test]
async fn malformed_messages_are_refused() {
    let server = tool_server().start().await;
    for (body, id, code) in [
        ("{oops", Value::Null, -32700),
        ("", Value::Null, -32700),
        (r#"[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]"#, Value::Null, -32600),
        (r#"{"id": 1, "method": "ping"}"#, json!(1), -32600),
        (r#"{"jsonrpc": "2.0", "id": 1}"#, json!(1), -32600),
        (r#"{"jsonrpc": "2.0", "id": 1, "result": {}}"#, Value::Null, -32600),
        (r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": [1]}"#, json!(1), -32602),
    ] {
        let reply = post(&server, &[], body).await.expect(400);
        let response = reply.json();
        assert_eq!((&response["id"], &response["error"]["code"]), (&id, &json!(code)), "{body}: {reply:?}");
        assert_eq!(reply.header("content-type"), "application/json", "{reply:?}");
    }
    let client = McpClient::new(&server).version("2025-11-25");
    for (method, params, code) in [
        ("tools/call", json!({"name": "solve"}), -32602),
        ("tools/call", json!({"name": 7}), -32602),
        ("tools/call", json!({"name": "games", "arguments": []}), -32602),
        ("tools/list", json!({"cursor": "next"}), -32602),
        ("initialize", json!({}), -32602),
        ("resources/read", json!({}), -32602),
        ("resources/read", json!({"uri": "file:///etc/passwd"}), -32002),
        ("nothing", json!({}), -32601),
    ] {
        let response = client.send(method, params.clone()).await.ok().json();
        assert_eq!((&response["id"], &response["error"]["code"]), (&json!(7), &json!(code)), "{method} {params}");
    }
}

/// The headers of a request of the latest revision repeat its body; other revisions are
/// refused with those that are served.
#[tokio::test]
async fn versions_and_headers_have_to_match() {
    let server = tool_server().start().await;
    let body = |version: &str| {
        let meta = json!({"io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": {}});
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}}).to_string()
    };
    let (known, method) = (("mcp-protocol-version", STATELESS), ("mcp-method", "tools/list"));
    let reply = post(&server, &[known, method], body(STATELESS)).await.ok();
    assert!(reply.json()["result"]["tools"].is_array(), "{reply:?}");
    for headers in [&[known][..], &[method], &[known, ("mcp-method", "tools/call")]] {
        let reply = post(&server, headers, body(STATELESS)).await.expect(400);
        assert_eq!(reply.json()["error"]["code"], -32020, "{headers:?}: {reply:?}");
    }
    let reply = post(&server, &[("mcp-protocol-version", "2030-01-01"), method], body("2030-01-01")).await.expect(400);
    let error = &reply.json()["error"];
    assert_eq!((&error["code"], &error["data"]["supported"]), (&json!(-32022), &json!([STATELESS])), "{reply:?}");
    let bare = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string();
    assert_eq!(post(&server, &[known, method], bare.clone()).await.expect(400).json()["error"]["code"], -32602);
    let unknown = ("mcp-protocol-version", "2030-01-01");
    assert_eq!(post(&server, &[unknown], bare).await.expect(400).json()["error"]["code"], -32022);
}

/// What HTTP itself refuses is a problem, as on all of REST.
#[tokio::test]
async fn http_errors_are_problems() {
    let server = tool_server().set(|config| config.body_bytes_max = 4_096).start().await;
    for method in ["GET", "DELETE", "PUT"] {
        let request = server.http.request(method.parse().expect("a method"), server.rest_url("/mcp"));
        let reply = send(request.header("accept", "text/event-stream")).await.expect(405);
        assert!(reply.header("allow").contains("POST"), "{reply:?}");
        assert_eq!(reply.problem().reason, "bad_argument");
    }
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}).to_string();
    let problem = post(&server, &[("accept", "text/event-stream")], ping.clone()).await.expect(406).problem();
    assert!(problem.message.contains("does not allow application/json"), "{problem:?}");
    let typed = server.http.post(server.rest_url("/mcp")).header("content-type", "text/plain").body(ping.clone());
    send(typed).await.expect(415).problem();
    let large = json!({"jsonrpc": "2.0", "id": "x".repeat(5_000), "method": "ping"}).to_string();
    assert_eq!(post(&server, &[], large).await.expect(413).problem().reason, "too_large");
    for (query, field) in [("?tools=solve", "tools"), ("?session=1", "session")] {
        let request = server.http.post(server.rest_url(&format!("/mcp{query}"))).json(&json!({}));
        assert_eq!(send(request).await.expect(400).problem().field.as_deref(), Some(field));
    }
}

/// Every tool has schemas; valid arguments conform to them, and misspelt ones do not.
#[tokio::test]
async fn tools_are_listed_with_schemas() {
    let server = tool_server().start().await;
    let client = McpClient::new(&server);
    let tools = client.result("tools/list", json!({})).await["tools"].take();
    let names: Vec<&str> = tools.as_array().unwrap().iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, ["games", "position", "legal_moves", "hint", "compare", "review", "threats", "puzzle"]);
    for tool in tools.as_array().unwrap() {
        for schema in ["inputSchema", "outputSchema"] {
            assert_eq!(tool[schema]["type"], "object", "{tool}");
        }
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "{tool}");
        let app = if tool["name"] == "games" { Value::Null } else { BOARD_APP.into() };
        assert_eq!(tool["_meta"]["ui"]["resourceUri"], app, "{tool}");
        let input = &tool["inputSchema"];
        let fits = |arguments: Value| check(&arguments, input, input, "");
        let takes = |name: &str| input["properties"].get(name).is_some();
        let mut least = json!({"game": "tictactoe"});
        if takes("compareMoves") {
            least["compareMoves"] = json!(["a1", "b2"]);
        }
        assert_eq!(fits(least.clone()), Ok(()), "{tool}");
        if takes("limits") {
            least["limits"] = json!({"timeMs": 5});
            assert_eq!(fits(least.clone()), Ok(()), "{tool}");
            least["limits"] = json!({"timems": 5});
            assert!(fits(least.clone()).is_err(), "{tool}");
        }
        assert!(fits(json!({"game": "tictactoe", "colour": 1})).is_err(), "{tool}");
        assert!(fits(json!({"game": 7})).is_err(), "{tool}");
    }
}
