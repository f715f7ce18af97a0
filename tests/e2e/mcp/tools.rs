//! The tools: the same answers as REST, with the position in every one; arguments that are
//! wrong; whole games.

use serde_json::{Map, Value, json};

use super::conforms::assert_conforms;
use super::{McpClient, WHITE_WINS, tool_server};
use crate::support::TestServer;
use crate::support::rest::send;

/// Tool, its call on REST, and arguments without the game.
fn questions() -> Vec<(&'static str, &'static str, &'static str, Value)> {
    let limits = json!({"nodes": 2_000});
    vec![
        ("position", "position", "pentago", json!({"moves": ["c3-2r", "d4-1l"]})),
        ("position", "position", "tictactoe", json!({"position": "xxx/oo1/3 o"})),
        ("legal_moves", "legal-moves", "pentago", json!({"prefix": "c3-", "texts": true})),
        ("legal_moves", "legal-moves", "pentago", json!({"pageSize": 7, "variant": "clockwise"})),
        ("hint", "hints", "pentago", json!({"position": WHITE_WINS, "count": 3, "limits": limits})),
        ("hint", "hints", "pentago", json!({"position": WHITE_WINS, "detail": "area"})),
        ("hint", "hints", "tictactoe", json!({"moves": ["b2", "a1"], "limits": limits})),
        ("compare", "compare", "tictactoe", json!({"moves": ["b2"], "compareMoves": ["a1", "b1"], "limits": limits})),
        ("review", "review", "tictactoe", json!({"moves": ["a1", "b1", "a2", "b2", "a3"], "limits": limits})),
        ("threats", "threats", "pentago", json!({"position": WHITE_WINS})),
        ("puzzle", "puzzles", "pentago", json!({"seed": 7, "maxPlies": 1, "limits": limits, "totalTimeMs": 3_600_000})),
    ]
}

fn about(game: &str, arguments: &Value) -> Value {
    let mut arguments = arguments.clone();
    arguments["game"] = game.into();
    arguments
}

/// Removes what may differ between two answers to one question.
fn comparable(mut value: Value) -> Value {
    match &mut value {
        Value::Object(fields) => {
            fields.retain(|name, _| !["elapsedMs", "cached", "requestId"].contains(&name.as_str()));
            fields.values_mut().for_each(|field| *field = comparable(field.take()));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = comparable(item.take())),
        _ => {}
    }
    value
}

async fn rest(server: &TestServer, game: &str, call: &str, body: &Value) -> Value {
    let request = server.http.post(server.rest_url(&format!("/v1/games/{game}/{call}"))).json(body);
    comparable(send(request.header("accept", "application/json")).await.json())
}

/// Every field of REST's answer is in the tool's, unchanged; the position is that of the
/// question; the result conforms to its schema; and the text has the position and the board.
#[tokio::test]
async fn tools_answer_as_rest_does() {
    let server = tool_server().set(|config| config.cache_mib = 0).start().await;
    let client = McpClient::new(&server);
    let tools = client.result("tools/list", json!({})).await["tools"].take();
    for (tool, call, game, arguments) in questions() {
        let result = client.call(tool, &about(game, &arguments)).await;
        assert_eq!(result["isError"], false, "{tool}: {result}");
        let found = comparable(result["structuredContent"].clone());
        let expected = rest(&server, game, call, &arguments).await;
        for (name, value) in expected.as_object().expect("an answer") {
            assert_eq!(&found[name], value, "{tool} {arguments}: {name}");
        }
        let definition = tools.as_array().unwrap().iter().find(|it| it["name"] == tool).expect("it is listed");
        assert_conforms(&result["structuredContent"], &definition["outputSchema"]);

        let place = match found["puzzles"][0]["position"].as_str() {
            Some(position) => json!({ "position": position }),
            None => {
                let fields = ["variant", "position", "moves"].iter();
                fields.filter_map(|name| Some(((*name).to_owned(), arguments.get(*name)?.clone()))).collect()
            }
        };
        let described = rest(&server, game, "position", &place).await;
        for name in ["position", "toMove", "outcome", "legalMoveCount"] {
            assert_eq!(found[name], described[name], "{tool} {arguments}: {name}");
        }
        assert_eq!(found["game"], game, "{tool}");
        let text = result["content"][0]["text"].as_str().expect("a text");
        let diagram = found["diagram"].as_str().expect("a text");
        for part in [found["position"].as_str().expect("a text"), diagram] {
            assert!(text.contains(part), "{tool}: {part:?} in {text}");
        }
        // Tic-tac-toe describes no board.
        assert_eq!(diagram.contains("a b c d e f"), game == "pentago", "{tool}: {diagram}");
    }
}

/// The list of games is REST's; one game has its rules and notation.
#[tokio::test]
async fn games_are_described() {
    let server = tool_server().start().await;
    let client = McpClient::new(&server);
    let all = client.call("games", &json!({})).await;
    assert_eq!(all["structuredContent"], server.get("/v1/games").await.ok().json());
    let one = client.answer("games", &json!({"game": "pentago"})).await;
    let expected = server.get("/v1/games/pentago").await.ok().json();
    assert_eq!((&one["rules"], &one["notation"]), (&expected["rules"], &expected["notation"]));
    assert_eq!(one["games"][0]["variants"], expected["variants"]);
    let text = client.call("games", &json!({"game": "pentago"})).await["content"][0]["text"].to_string();
    assert!(text.contains("Rules") && text.contains("variant finnish"), "{text}");
    assert_eq!(client.problem("games", &json!({"game": "chess"})).await["reason"], "unknown_game");
    let definition = client.result("tools/list", json!({})).await["tools"][0].take();
    assert_conforms(&all["structuredContent"], &definition["outputSchema"]);
    assert_conforms(&Value::Object(one), &definition["outputSchema"]);
}

/// What is wrong with the arguments is an answer that a model can read: the problem of the
/// API, with reason and field.
#[tokio::test]
async fn failures_are_results() {
    let server = tool_server().start().await;
    let client = McpClient::new(&server);
    let tools = client.result("tools/list", json!({})).await["tools"].take();
    for (tool, arguments, reason, field) in [
        ("position", json!({}), "bad_argument", "game"),
        ("position", json!({"game": 7}), "bad_argument", "game"),
        ("position", json!({"game": "chess"}), "unknown_game", "game"),
        ("position", json!({"game": "pentago", "variant": "blitz"}), "unknown_variant", "variant"),
        ("position", json!({"game": "pentago", "position": "7/6 w"}), "bad_position", "position"),
        ("position", json!({"game": "pentago", "moves": ["z9-1r"]}), "bad_move", "moves[0]"),
        ("position", json!({"game": "pentago", "moves": ["c3-2r", "c3-1r"]}), "illegal_move", "moves[1]"),
        ("position", json!({"game": "pentago", "fen": "x"}), "bad_argument", "fen"),
        ("position", json!({"game": "pentago", "legalMoves": "no"}), "bad_argument", "legalMoves"),
        ("hint", json!({"game": "pentago", "limts": {}}), "bad_argument", "limts"),
        ("hint", json!({"game": "pentago", "policy": true}), "bad_argument", "policy"),
        ("hint", json!({"game": "pentago", "limits": {"timems": 5}}), "bad_argument", "limits.timems"),
        ("hint", json!({"game": "pentago", "limits": {"timeMs": "5"}}), "bad_argument", "limits.timeMs"),
        ("hint", json!({"game": "pentago", "moves": "c3-2r"}), "bad_argument", "moves"),
        ("hint", json!({"game": "tictactoe", "position": "xxx/oo1/3 o"}), "game_over", "moves"),
        ("compare", json!({"game": "tictactoe", "compareMoves": ["a1"]}), "bad_argument", "compareMoves"),
        (
            "compare",
            json!({"game": "tictactoe", "moves": ["a1"], "compareMoves": ["a1", "b2"]}),
            "illegal_move",
            "compareMoves[0]",
        ),
        ("threats", json!({"game": "tictactoe", "depth": 0}), "bad_argument", "depth"),
        ("review", json!({"game": "tictactoe", "moves": ["a1", "a1"]}), "illegal_move", "moves[1]"),
        ("puzzle", json!({"game": "tictactoe", "maxPlies": 9}), "bad_argument", "maxPlies"),
    ] {
        let result = client.call(tool, &arguments).await;
        assert_eq!(result["isError"], true, "{tool} {arguments}: {result}");
        let error = &result["structuredContent"]["error"];
        assert_eq!(error["reason"], reason, "{tool} {arguments}: {error}");
        if reason != "game_over" && reason != "unknown_game" {
            assert_eq!(error["field"], field, "{tool} {arguments}: {error}");
        }
        let text = result["content"][0]["text"].as_str().expect("a text");
        let detail = error["detail"].as_str().expect("a sentence");
        assert!(text.starts_with(reason) && text.contains(detail.trim_end_matches('.')), "{tool}: {text}");
        let definition = tools.as_array().unwrap().iter().find(|it| it["name"] == tool).expect("it is listed");
        assert_conforms(&result["structuredContent"], &definition["outputSchema"]);
    }
}

/// After an illegal move the result has the position before it; after a question about a
/// finished game, its end.
#[tokio::test]
async fn failures_keep_the_position() {
    let server = tool_server().start().await;
    let client = McpClient::new(&server);
    let played = json!({"game": "tictactoe", "moves": ["b2", "a1", "a1", "c3"]});
    let result = client.call("hint", &played).await;
    let content = &result["structuredContent"];
    assert_eq!((&content["error"]["index"], &content["toMove"]), (&json!(2), &json!("x")), "{result}");
    let before = client.answer("position", &json!({"game": "tictactoe", "moves": ["b2", "a1"]})).await;
    assert_eq!((&content["position"], &content["diagram"]), (&before["position"], &before["diagram"]));
    let over = client.call("hint", &json!({"game": "tictactoe", "position": "xxx/oo1/3 o"})).await;
    assert_eq!(over["structuredContent"]["error"]["reason"], "game_over", "{over}");
    let text = over["content"][0]["text"].as_str().expect("a text");
    assert!(text.contains("The game is over"), "{text}");
}

/// Plays a game to its end: a hint for one side, the first legal move for the other.
async fn play(client: &McpClient<'_>, game: &str, variant: &str) -> (Map<String, Value>, Vec<String>) {
    let mut moves: Vec<String> = Vec::new();
    loop {
        let place = json!({"game": game, "variant": variant, "moves": moves});
        let state = client.answer("position", &place).await;
        if !state["outcome"].is_null() {
            return (state, moves);
        }
        let mv = if moves.len().is_multiple_of(2) {
            let question = json!({"game": game, "variant": variant, "position": state["position"],
                "limits": {"nodes": 2_000}});
            client.answer("hint", &question).await["hints"][0]["move"].clone()
        } else {
            state["legalMoves"][0].clone()
        };
        moves.push(mv.as_str().expect("a move").to_owned());
        assert!(moves.len() <= 36, "{moves:?}");
    }
}

/// Whole games by the tools alone: the side that takes hints wins, and the review says so.
#[tokio::test]
async fn whole_games_are_played() {
    let server = tool_server().start().await;
    for (client, game, winner) in [
        (McpClient::new(&server), "tictactoe", "x"),
        (McpClient::new(&server).version("2025-06-18"), "tictactoe", "x"),
        (McpClient::new(&server).version("2025-11-25"), "pentago", "w"),
    ] {
        let (end, moves) = play(&client, game, "").await;
        assert_eq!(end["outcome"]["scores"][winner], 1.0, "{game}: {moves:?}");
        let review = json!({"game": game, "moves": moves, "limits": {"nodes": 500}, "totalTimeMs": 3_600_000});
        let review = client.answer("review", &review).await;
        assert_eq!(review["moves"].as_array().map(Vec::len), Some(moves.len()), "{game}");
        assert_eq!(review["position"], end["position"], "{game}");
    }
}

/// Without the tool `legal_moves` no answer lists moves, and a caller may do without them.
#[tokio::test]
async fn legal_moves_can_be_kept_back() {
    let server = tool_server().start().await;
    let client = McpClient::new(&server);
    let place = json!({"game": "tictactoe"});
    assert_eq!(client.answer("position", &place).await["legalMoves"].as_array().map(Vec::len), Some(9));
    let without = client.answer("position", &json!({"game": "tictactoe", "legalMoves": false})).await;
    assert!(!without.contains_key("legalMoves") && without["legalMoveCount"] == 9, "{without:?}");

    let few = McpClient::new(&server).tools("games,position");
    let listed = few.result("tools/list", json!({})).await;
    assert_eq!(listed["tools"].as_array().map(Vec::len), Some(2), "{listed}");
    assert!(listed["tools"][1]["inputSchema"]["properties"].get("legalMoves").is_none(), "{listed}");
    let result = few.call("position", &place).await;
    assert!(result["structuredContent"].get("legalMoves").is_none(), "{result}");
    assert!(!result["content"][0]["text"].to_string().contains("b2"), "{result}");
    assert_eq!(few.problem("position", &json!({"game": "tictactoe", "legalMoves": true})).await["field"], "legalMoves");
    let reply = few.send("tools/call", json!({"name": "hint", "arguments": place})).await.ok();
    assert_eq!(reply.json()["error"]["code"], -32602, "{reply:?}");
}

/// Results link to a picture, which is that of REST; clients of revisions without links get
/// none.
#[tokio::test]
async fn diagrams_are_resources() {
    let server = tool_server().start().await;
    let client = McpClient::new(&server);
    let place = json!({"game": "pentago", "moves": ["c3-2r"]});
    let result = client.call("position", &place).await;
    let link = &result["content"][1];
    assert_eq!((&link["type"], &link["mimeType"]), (&json!("resource_link"), &json!("image/svg+xml")), "{result}");
    let read = client.result("resources/read", json!({"uri": link["uri"]})).await;
    let position = result["structuredContent"]["position"].as_str().expect("a position").replace(' ', "%20");
    let expected = server.get(&format!("/v1/games/pentago/diagram.svg?position={position}")).await.ok().text();
    assert_eq!((&read["contents"][0]["text"], &read["contents"][0]["uri"]), (&json!(expected), &link["uri"]));
    let bad = client.send("resources/read", json!({"uri": "pentad://games/pentago/diagram.svg?size=1"})).await.ok();
    let error = &bad.json()["error"];
    assert_eq!((&error["code"], &error["data"]["field"]), (&json!(-32602), &json!("size")), "{bad:?}");

    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "position", "arguments": place}});
    let old = server.post("/mcp", &message).await.ok().json();
    assert_eq!(old["result"]["content"].as_array().map(Vec::len), Some(1), "{old}");
}

/// Texts are in the language of the request.
#[tokio::test]
async fn texts_are_translated() {
    let server = tool_server().start().await;
    let client = McpClient::new(&server);
    let params = json!({"name": "hint", "arguments": {"game": "pentago", "position": WHITE_WINS}});
    let reply = send(client.request("tools/call", params).header("accept-language", "de")).await.ok();
    let hint = &reply.json()["result"]["structuredContent"]["hints"][0];
    let question = server.http.post(server.rest_url("/v1/games/pentago/hints")).header("accept-language", "de");
    let expected = send(question.json(&json!({"position": WHITE_WINS}))).await.ok().json();
    assert_eq!(hint["reasons"], expected["hints"][0]["reasons"], "{reply:?}");
    let english = client.answer("hint", &json!({"game": "pentago", "position": WHITE_WINS})).await;
    assert_ne!(hint["reasons"], english["hints"][0]["reasons"]);
}
