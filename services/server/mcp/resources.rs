//! Diagrams as resources: results link to them, and a client that shows them to people
//! reads them. The board is an app for clients that show one beside a result (extension
//! MCP Apps, revision 2026-01-26).

use serde_json::{Map, Value, json};

use super::message::{INTERNAL_ERROR, INVALID_PARAMS, RESOURCE_NOT_FOUND, RpcError};
use super::routes::{self, NoAnswer, Routes};
use super::tools::DIAGRAM_TYPE;
use super::version::Version;

const SCHEME: &str = "pentad://games/";
const DIAGRAM: &str = "diagram.svg";
/// The app that shows the position of a result.
pub(super) const BOARD_APP: &str = "ui://pentad/board";
pub(super) const APP_TYPE: &str = "text/html;profile=mcp-app";
/// One document with its script and style, built by `services/web`.
const BOARD_APP_HTML: &str = include_str!("../../web/dist/mcp/board.html");

/// Returns the resources for `resources/list`.
pub(super) fn list() -> Value {
    json!([{
        "uri": BOARD_APP,
        "name": "board",
        "title": "Board",
        "description": "The position of a result on a board, with its moves, for people to look at and to play.",
        "mimeType": APP_TYPE,
    }])
}

/// Returns the templates for `resources/templates/list`.
pub(super) fn templates() -> Value {
    json!([{
        "uriTemplate": "pentad://games/{game}/diagram.svg{?variant,position,moves,size,highlight,arrows,lastMove,theme}",
        "name": DIAGRAM,
        "title": "Diagram",
        "description": "A position as a picture, with the parameters of the call `diagram.svg` of REST.",
        "mimeType": DIAGRAM_TYPE,
    }])
}

/// Returns the result of `resources/read`.
pub(super) async fn read(
    params: &Map<String, Value>,
    routes: &dyn Routes,
    version: Version,
) -> Result<Value, RpcError> {
    let Some(uri) = params.get("uri").and_then(Value::as_str) else {
        return Err(RpcError::new(INVALID_PARAMS, "`uri` must be a string"));
    };
    if uri == BOARD_APP {
        let meta = json!({ "ui": { "prefersBorder": true } });
        let contents = json!([{ "uri": uri, "mimeType": APP_TYPE, "text": BOARD_APP_HTML, "_meta": meta }]);
        return Ok(json!({ "contents": contents }));
    }
    let Some(path) = diagram_path(uri) else {
        let code = if version.is_stateless() { INVALID_PARAMS } else { RESOURCE_NOT_FOUND };
        let message = format!("there is no resource `{uri}`; `resources/templates/list` has the known forms");
        return Err(RpcError::new(code, message).with_data(json!({ "uri": uri })));
    };
    let svg = routes::get_text(routes, &path).await.map_err(|error| match error {
        NoAnswer::Problem(problem) => {
            let code =
                if problem["status"].as_u64().is_some_and(|it| it < 500) { INVALID_PARAMS } else { INTERNAL_ERROR };
            RpcError::new(code, problem["detail"].as_str().unwrap_or_default()).with_data(problem)
        }
        NoAnswer::Failure(message) => RpcError::new(INTERNAL_ERROR, message),
    })?;
    Ok(json!({ "contents": [{ "uri": uri, "mimeType": DIAGRAM_TYPE, "text": svg }] }))
}

/// Returns the path of a diagram on the REST port.
fn diagram_path(uri: &str) -> Option<String> {
    let rest = uri.strip_prefix(SCHEME)?;
    let (place, query) =
        rest.split_once('?').map_or((rest, String::new()), |(place, query)| (place, format!("?{query}")));
    let (game, file) = place.split_once('/')?;
    let is_safe = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'#');
    (file == DIAGRAM && !game.is_empty() && is_safe(uri)).then(|| format!("/v1/games/{game}/{DIAGRAM}{query}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only diagrams are resources, and no address leads to another call.
    #[test]
    fn only_diagrams_are_resources() {
        for (uri, path) in [
            ("pentad://games/pentago/diagram.svg", Some("/v1/games/pentago/diagram.svg")),
            ("pentad://games/a/diagram.svg?position=6%2F6%20w", Some("/v1/games/a/diagram.svg?position=6%2F6%20w")),
            ("pentad://games/pentago/hints", None),
            ("pentad://games//diagram.svg", None),
            ("pentad://games/a/b/diagram.svg", None),
            ("pentad://games/a/diagram.svg?moves=a b", None),
            ("pentad://games/a/diagram.svg#x", None),
            ("file:///etc/passwd", None),
            ("", None),
        ] {
            assert_eq!(diagram_path(uri).as_deref(), path, "{uri}");
        }
    }
}
