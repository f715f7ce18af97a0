//! `pentad mcp`: the same tools on standard input and output.

use std::process::Stdio;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::time::timeout;

use super::{McpClient, STATELESS, WHITE_WINS, tool_server};
use crate::access::TokenFile;
use crate::support::program::program;
use crate::support::{TIMEOUT, endless_search, server, two_games};

/// The program, with its standard streams.
struct McpProcess {
    child: Child,
    stdin: ChildStdin,
    stdout: Lines<BufReader<ChildStdout>>,
}

impl McpProcess {
    fn start(arguments: &[&str], environment: &[(&str, &str)]) -> McpProcess {
        let mut command = program(["mcp"].iter().chain(arguments));
        command.envs(environment.iter().copied());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the program starts");
        let stdin = child.stdin.take().expect("it is piped");
        let stdout = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        McpProcess { child, stdin, stdout }
    }

    /// With rule sets of its own: Pentago and tic-tac-toe.
    fn local(arguments: &[&str]) -> McpProcess {
        let rulesets = two_games().to_str().expect("UTF-8");
        McpProcess::start(&[&["--rulesets", rulesets], arguments].concat(), &[])
    }

    async fn write(&mut self, message: &Value) {
        self.stdin.write_all(format!("{message}\n").as_bytes()).await.expect("it reads");
        self.stdin.flush().await.expect("it reads");
    }

    /// The next message, which has to be one of JSON-RPC.
    async fn read(&mut self) -> Value {
        let line = timeout(TIMEOUT, self.stdout.next_line()).await.expect("it answers").expect("it writes UTF-8");
        let line = line.expect("it has not ended");
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        message
    }

    async fn ask(&mut self, id: u64, method: &str, params: Value) -> Value {
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
        let response = self.read().await;
        assert_eq!(response["id"], id, "{response}");
        response
    }

    /// Closes its input, and waits until it ends well.
    async fn end(mut self) {
        drop(self.stdin);
        let status = timeout(TIMEOUT, self.child.wait()).await.expect("it ends").expect("it can be waited for");
        assert!(status.success(), "{status}");
    }
}

fn call(tool: &str, arguments: &Value) -> Value {
    json!({"name": tool, "arguments": arguments})
}

/// Removes what differs from run to run.
fn stable(mut result: Value) -> Value {
    let content = &mut result["structuredContent"];
    for name in ["elapsedMs", "cached"] {
        content.as_object_mut().map(|fields| fields.remove(name));
    }
    json!([content.take(), result["content"]])
}

/// The program answers as `/mcp` does, with rule sets of its own and from a server.
#[tokio::test]
async fn standard_streams_answer_as_http_does() {
    let server = tool_server().start().await;
    let http = McpClient::new(&server).version("2025-11-25");
    let url = format!("http://{}", server.addresses.rest);
    for mut process in [McpProcess::local(&[]), McpProcess::start(&["--server", &url], &[])] {
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {}});
        let first = process.ask(1, "initialize", hello).await;
        assert_eq!(first["result"]["protocolVersion"], "2025-11-25", "{first}");
        process.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        let listed = process.ask(2, "tools/list", json!({})).await;
        assert_eq!(listed["result"], http.result("tools/list", json!({})).await);
        for (tool, arguments) in [
            ("games", json!({"game": "tictactoe"})),
            ("position", json!({"game": "pentago", "moves": ["c3-2r"]})),
            ("hint", json!({"game": "pentago", "position": WHITE_WINS})),
            ("threats", json!({"game": "pentago", "position": WHITE_WINS})),
        ] {
            let answered = process.ask(3, "tools/call", call(tool, &arguments)).await["result"].take();
            assert_eq!(stable(answered), stable(http.call(tool, &arguments).await), "{tool}");
        }
        let failed = process.ask(4, "tools/call", call("position", &json!({"game": "chess"}))).await["result"].take();
        assert_eq!(failed["structuredContent"]["error"]["reason"], "unknown_game", "{failed}");
        let uri = "pentad://games/pentago/diagram.svg?size=100";
        let read = process.ask(5, "resources/read", json!({"uri": uri})).await["result"].take();
        assert_eq!(read["contents"], http.result("resources/read", json!({"uri": uri})).await["contents"]);
        process.end().await;
    }
}

/// Requests of the latest revision need no beginning, and a choice of tools is kept.
#[tokio::test]
async fn requests_stand_for_themselves() {
    let mut process = McpProcess::local(&["--tools", "games,position"]);
    let meta = json!({"io.modelcontextprotocol/protocolVersion": STATELESS,
        "io.modelcontextprotocol/clientCapabilities": {}});
    let found = process.ask(1, "server/discover", json!({"_meta": meta})).await;
    assert_eq!(found["result"]["supportedVersions"], json!([STATELESS]), "{found}");
    let listed = process.ask(2, "tools/list", json!({"_meta": meta})).await;
    assert_eq!(listed["result"]["tools"].as_array().map(Vec::len), Some(2), "{listed}");
    let ping = process.ask(3, "ping", json!({"_meta": meta})).await;
    assert_eq!(ping["error"]["code"], -32601, "{ping}");
    process.write(&json!([1])).await;
    assert_eq!(process.read().await["error"]["code"], -32600);
    process.end().await;
}

/// Requests that are piped in are all answered before the program ends.
#[tokio::test]
async fn piped_requests_are_answered() {
    let mut process = McpProcess::local(&[]);
    for id in 0..3 {
        let arguments = json!({"game": "tictactoe", "limits": {"nodes": 1_000}});
        let message = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": call("hint", &arguments)});
        process.write(&message).await;
    }
    let McpProcess { mut child, stdin, mut stdout } = process;
    drop(stdin);
    let mut ids = Vec::new();
    while let Some(line) = timeout(TIMEOUT, stdout.next_line()).await.expect("it ends").expect("UTF-8") {
        let response: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(response["result"]["isError"], false, "{line}");
        ids.push(response["id"].as_u64().expect("a number"));
    }
    ids.sort_unstable();
    assert_eq!(ids, [0, 1, 2]);
    assert!(timeout(TIMEOUT, child.wait()).await.expect("it ends").expect("a status").success());
}

/// A cancelled request stops its search on the server, and is not answered.
#[tokio::test]
async fn cancelled_requests_stop_their_search() {
    let (file, [web]) = TokenFile::new([("web", None)]).await;
    let server = server().plugin("search_endless").set(|config| config.tokens = Some(file.path().to_owned()));
    let server = server.start().await;
    let url = format!("http://{}", server.addresses.rest);
    let mut process = McpProcess::start(&["--server", &url], &[("PENTAD_TOKEN", &web)]);
    let mut arguments = endless_search(0, 3_000_000);
    arguments["game"] = "search-endless".into();
    let message = json!({"jsonrpc": "2.0", "id": "long", "method": "tools/call", "params": call("hint", &arguments)});
    process.write(&message).await;
    server.assert_busy(1.0).await;
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "long"}});
    process.write(&cancel).await;
    server.assert_busy(0.0).await;
    let next = process.ask(2, "ping", json!({})).await;
    assert_eq!(next["result"], json!({}), "the next response is that of the next request");
    process.end().await;
}

/// Unknown tools are refused before anything is loaded.
#[tokio::test]
async fn unknown_tools_are_named() {
    let ended = crate::support::program::run(program(["mcp", "--tools", "games,solve"])).await;
    assert_eq!(ended.code, Some(64), "{ended:?}");
    assert!(ended.stderr.contains("there is no tool `solve`"), "{ended:?}");
}
