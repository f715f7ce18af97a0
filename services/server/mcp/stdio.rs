//! The transport of standard streams: a message per line.
//!
//! Requests run side by side, and each response is written when it is there. A client cancels
//! a request with `notifications/cancelled`. When its input ends, the requests under way are
//! still answered, so that a script can pipe its requests in.

use std::collections::HashMap;
use std::io;

use bytes::Bytes;
use futures_util::future::{AbortHandle, Abortable};
use futures_util::stream::FuturesUnordered;
use futures_util::{Stream, StreamExt as _};
use serde_json::Value;

use super::message::{INVALID_REQUEST, Malformed, Message, RpcError, RpcRequest, result_response};
use super::routes::Routes;
use super::server;
use super::tools::ToolSet;
use super::version::Version;
use crate::batch::lines::{Line, LineReader};

/// Further requests are read when some are answered.
const RUNNING_MAX: usize = 64;

/// Answers the messages of `input` until it ends. Messages longer than `len_max` bytes are
/// refused. Fails if the output cannot be written.
pub(crate) async fn serve<S>(
    input: S,
    len_max: usize,
    tools: &ToolSet,
    routes: &dyn Routes,
    mut write: impl FnMut(&Value) -> io::Result<()>,
) -> io::Result<()>
where
    S: Stream<Item = io::Result<Bytes>> + Unpin,
{
    let mut lines = LineReader::new(input, len_max);
    let mut running = FuturesUnordered::new();
    let mut cancels: HashMap<String, AbortHandle> = HashMap::new();
    let mut session = Version::LATEST_WITH_HANDSHAKE;
    let mut is_open = true;
    while is_open || !running.is_empty() {
        tokio::select! {
            Some(answered) = running.next(), if !running.is_empty() => {
                if let Ok(response) = answered {
                    let response: Value = response;
                    cancels.remove(&response["id"].to_string());
                    write(&response)?;
                }
            }
            line = lines.next(), if is_open && running.len() < RUNNING_MAX => match line.transpose()? {
                None => is_open = false,
                Some(line) => match parse(&line, len_max) {
                    Ok(Message::Request(request)) => {
                        session = server::negotiated(&request).unwrap_or(session);
                        let (cancel, registration) = AbortHandle::new_pair();
                        cancels.insert(request.id.to_string(), cancel);
                        running.push(Abortable::new(respond(request, session, tools, routes), registration));
                    }
                    Ok(Message::Notification { method, params }) => {
                        let cancelled = params.get("requestId").filter(|_| method == "notifications/cancelled");
                        if let Some(cancel) = cancelled.and_then(|id| cancels.remove(&id.to_string())) {
                            cancel.abort();
                        }
                    }
                    Err(Malformed { id, error }) => write(&error.into_response(&id))?,
                },
            },
        }
    }
    Ok(())
}

fn parse(line: &Line, len_max: usize) -> Result<Message, Malformed> {
    if line.is_cut {
        let error = RpcError::new(INVALID_REQUEST, format!("a message is longer than {len_max} bytes"));
        return Err(Malformed { id: Value::Null, error });
    }
    Message::parse(&line.text)
}

async fn respond(request: RpcRequest, session: Version, tools: &ToolSet, routes: &dyn Routes) -> Value {
    let id = request.id.clone();
    let answered = match Version::of_request(&request.params) {
        Ok(named) => server::respond(request, named.unwrap_or(session), tools, routes).await,
        Err(error) => Err(error),
    };
    match answered {
        Ok(result) => result_response(&id, result),
        Err(error) => error.into_response(&id),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use futures_util::stream;
    use http::{Request, Response};
    use http_body_util::Full;
    use serde_json::json;

    use super::super::routes::RouteReply;
    use super::*;

    /// Answers `GET /v1/games`, and no other request ever.
    struct OnlyGames;

    impl Routes for OnlyGames {
        fn send(&self, request: Request<Full<Bytes>>, _: u64) -> RouteReply<'_> {
            Box::pin(async move {
                if request.uri() != "/v1/games" {
                    std::future::pending::<()>().await;
                }
                Ok(Response::new(Bytes::from_static(b"{\"games\": []}")))
            })
        }
    }

    async fn answered(messages: &[Value]) -> Vec<Value> {
        let lines = messages.iter().map(|message| Ok(Bytes::from(format!("{message}\n"))));
        let written = Mutex::new(Vec::new());
        let write = |message: &Value| {
            written.lock().unwrap().push(message.clone());
            Ok(())
        };
        let input = stream::iter(lines.collect::<Vec<_>>());
        serve(input, 1_000, &ToolSet::all(), &OnlyGames, write).await.expect("it ends");
        written.into_inner().unwrap()
    }

    fn call(id: u64, name: &str, arguments: &Value) -> Value {
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments}})
    }

    /// A cancelled request has no response, and the others are not affected.
    #[tokio::test]
    async fn requests_are_cancelled_by_their_id() {
        let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
        let messages = [call(1, "position", &json!({"game": "x"})), call(2, "games", &json!({})), cancel];
        let written = answered(&messages).await;
        assert_eq!(written.len(), 1, "{written:?}");
        assert_eq!((&written[0]["id"], &written[0]["result"]["isError"]), (&json!(2), &json!(false)));
    }

    /// Malformed and oversized lines are refused one by one, and the requests after them are
    /// answered in the revision on which the session agreed.
    #[tokio::test]
    async fn the_stream_goes_on_after_malformed_messages() {
        let written = answered(&[
            json!([1]),
            json!("x".repeat(2_000)),
            json!({"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            json!({"jsonrpc": "2.0", "id": "b", "method": "server/discover"}),
        ])
        .await;
        let codes: Vec<&Value> = written.iter().map(|message| &message["error"]["code"]).collect();
        assert_eq!(codes, [&json!(-32600), &json!(-32600), &Value::Null, &json!(-32601)], "{written:?}");
        assert_eq!(written[2]["result"]["protocolVersion"], "2025-06-18", "{written:?}");
    }
}
