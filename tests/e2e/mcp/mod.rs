//! Tools for language models: the protocol, every tool, who may call them, and `pentad mcp`.

mod access;
mod conforms;
mod protocol;
mod stdio;
mod tools;

use serde_json::{Map, Value, json};

use crate::support::rest::{Reply, send};
use crate::support::{ServerBuilder, TestServer, server};

/// The latest revision, in which every request stands for itself.
const STATELESS: &str = "2026-07-28";
/// Two plies from a win for white: any hint proves it.
const WHITE_WINS: &str = "wwww2/6/bbbb2/6/6/6 w";

/// A server with the tools.
fn tool_server() -> ServerBuilder {
    server().set(|config| config.mcp = true)
}

/// A client of one server over HTTP.
struct McpClient<'a> {
    server: &'a TestServer,
    path: String,
    version: &'static str,
    token: Option<String>,
}

impl<'a> McpClient<'a> {
    /// A client in the latest revision.
    fn new(server: &'a TestServer) -> McpClient<'a> {
        McpClient { server, path: "/mcp".to_owned(), version: STATELESS, token: None }
    }

    fn version(self, version: &'static str) -> McpClient<'a> {
        McpClient { version, ..self }
    }

    fn token(self, token: &str) -> McpClient<'a> {
        McpClient { token: Some(token.to_owned()), ..self }
    }

    /// Chooses tools by the address.
    fn tools(self, names: &str) -> McpClient<'a> {
        McpClient { path: format!("/mcp?tools={names}"), ..self }
    }

    /// A request with everything that its revision asks for.
    fn request(&self, method: &str, mut params: Value) -> reqwest::RequestBuilder {
        let mut request = self.server.http.post(self.server.rest_url(&self.path));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        request = request.header("accept", "application/json, text/event-stream");
        request = request.header("mcp-protocol-version", self.version);
        if self.version == STATELESS {
            let name = ["name", "uri"].iter().find_map(|field| params[field].as_str().map(str::to_owned));
            request = request.header("mcp-method", method);
            request = name.into_iter().fold(request, |request, name| request.header("mcp-name", name));
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": self.version,
                "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        request.json(&json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params }))
    }

    async fn send(&self, method: &str, params: Value) -> Reply {
        send(self.request(method, params)).await
    }

    /// The result of a request that has one.
    async fn result(&self, method: &str, params: Value) -> Value {
        let reply = self.send(method, params).await.ok();
        let mut response = reply.json();
        assert_eq!((&response["jsonrpc"], &response["id"]), (&json!("2.0"), &json!(7)), "{reply:?}");
        assert!(response["error"].is_null() && response["result"].is_object(), "{reply:?}");
        response["result"].take()
    }

    /// The result of a tool, whether it failed or not.
    async fn call(&self, tool: &str, arguments: &Value) -> Value {
        let result = self.result("tools/call", json!({ "name": tool, "arguments": arguments })).await;
        assert_eq!(result["content"][0]["type"], "text", "{result}");
        result
    }

    /// The structured content of a tool that succeeds.
    async fn answer(&self, tool: &str, arguments: &Value) -> Map<String, Value> {
        let mut result = self.call(tool, arguments).await;
        assert_eq!(result["isError"], false, "{tool} {arguments}: {result}");
        match result["structuredContent"].take() {
            Value::Object(fields) => fields,
            other => panic!("{tool}: {other}"),
        }
    }

    /// The problem of a tool that fails.
    async fn problem(&self, tool: &str, arguments: &Value) -> Value {
        let mut result = self.call(tool, arguments).await;
        assert_eq!(result["isError"], true, "{tool} {arguments}: {result}");
        result["structuredContent"]["error"].take()
    }
}
