//! The methods of the protocol, the same for both transports.

use serde_json::{Map, Value, json};

use super::message::{INVALID_PARAMS, METHOD_NOT_FOUND, RpcError, RpcRequest};
use super::resources;
use super::routes::Routes;
use super::tools::{self, ToolSet};
use super::version::Version;

/// How long clients may keep lists, in milliseconds: they change with the program.
const LIST_TTL_MS: u64 = 3_600_000;
/// How long clients may keep a diagram, in milliseconds. It has texts in the language of its request.
const DIAGRAM_TTL_MS: u64 = 60_000;

/// How to use the tools, for the model.
const INSTRUCTIONS: &str = "Pentad analyses board games. Call `games` first, and `games` with `game` before you play \
    one, for its rules and notation. Nothing is kept between calls: name the position by `position` (its text from an \
    earlier result), by `moves` from the start, or by both. Every result about a position has its text, a board, and \
    whose turn it is; `position` plays `moves` and lists the legal ones. Values are either proven or estimates. \
    Searches take 1,000 ms unless `limits` say otherwise.";

/// Answers a request.
pub(super) async fn respond(
    request: RpcRequest,
    version: Version,
    tools: &ToolSet,
    routes: &dyn Routes,
) -> Result<Value, RpcError> {
    let RpcRequest { method, params, .. } = request;
    let result = match (&*method, version.is_stateless()) {
        ("initialize", _) => return initialize(&params),
        ("server/discover", true) => cacheable(discovery(), LIST_TTL_MS, "public"),
        ("ping", false) => json!({}),
        ("tools/list", _) => listed(&params, "tools", tools.definitions().into())?,
        ("tools/call", _) => call(params, version, tools, routes).await?,
        ("resources/list", _) => listed(&params, "resources", resources::list())?,
        ("resources/templates/list", _) => listed(&params, "resourceTemplates", resources::templates())?,
        ("resources/read", _) => cacheable(resources::read(&params, routes, version).await?, DIAGRAM_TTL_MS, "private"),
        _ => return Err(RpcError::new(METHOD_NOT_FOUND, format!("there is no method `{method}`"))),
    };
    Ok(if version.is_stateless() { complete(result) } else { result })
}

fn initialize(params: &Map<String, Value>) -> Result<Value, RpcError> {
    let Some(requested) = params.get("protocolVersion").and_then(Value::as_str) else {
        return Err(RpcError::new(INVALID_PARAMS, "`protocolVersion` must be a string"));
    };
    Ok(json!({
        "protocolVersion": Version::negotiate(requested).as_str(),
        "capabilities": capabilities(),
        "serverInfo": server_info(),
        "instructions": INSTRUCTIONS,
    }))
}

/// Returns the revision on which an `initialize` request agrees, for a transport that keeps
/// it.
pub(super) fn negotiated(request: &RpcRequest) -> Option<Version> {
    let requested = request.params.get("protocolVersion").and_then(Value::as_str)?;
    (request.method == "initialize").then(|| Version::negotiate(requested))
}

fn discovery() -> Value {
    json!({
        "supportedVersions": Version::stateless(),
        "capabilities": capabilities(),
        "instructions": INSTRUCTIONS,
    })
}

fn capabilities() -> Value {
    json!({
        "tools": {},
        "resources": {},
        "extensions": { "io.modelcontextprotocol/ui": { "mimeTypes": [resources::APP_TYPE] } },
    })
}

fn server_info() -> Value {
    json!({ "name": "pentad", "title": "Pentad", "version": crate::VERSION })
}

/// Returns a list on one page.
fn listed(params: &Map<String, Value>, name: &str, items: Value) -> Result<Value, RpcError> {
    match params.get("cursor") {
        None | Some(Value::Null) => {
            let mut result = Map::new();
            result.insert(name.to_owned(), items);
            Ok(cacheable(Value::Object(result), LIST_TTL_MS, "public"))
        }
        Some(_) => Err(RpcError::new(INVALID_PARAMS, "`cursor` is unknown: the list has one page")),
    }
}

async fn call(
    mut params: Map<String, Value>,
    version: Version,
    tools: &ToolSet,
    routes: &dyn Routes,
) -> Result<Value, RpcError> {
    let name = match params.remove("name") {
        Some(Value::String(name)) => name,
        _ => return Err(RpcError::new(INVALID_PARAMS, "`name` must be the name of a tool")),
    };
    let Some(tool) = tools.find(&name) else {
        return Err(RpcError::new(INVALID_PARAMS, format!("unknown tool: {name}; `tools/list` has the names")));
    };
    let arguments = match params.remove("arguments") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(arguments)) => arguments,
        Some(_) => return Err(RpcError::new(INVALID_PARAMS, "`arguments` must be an object")),
    };
    Ok(tools::call(tool, arguments, tools, routes, version).await)
}

/// Adds how long a result may be kept, and whether it is the same for everyone.
fn cacheable(mut result: Value, ttl_ms: u64, scope: &str) -> Value {
    result["ttlMs"] = ttl_ms.into();
    result["cacheScope"] = scope.into();
    result
}

/// Adds what every result has since revision 2026-07-28.
fn complete(mut result: Value) -> Value {
    result["resultType"] = "complete".into();
    result["_meta"] = json!({ "io.modelcontextprotocol/serverInfo": server_info() });
    result
}
