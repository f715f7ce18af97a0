//! Parses arbitrary input, for fuzz targets and for regression tests of their findings.
//! Every function panics if a result breaks an invariant.

use std::fmt::Debug;
use std::net::{IpAddr, SocketAddr};

use http::{HeaderMap, HeaderName, HeaderValue, Request};
use prost::Message;

use crate::calls::batch::grpc::read_arbitrary_message;
use crate::calls::wire::GameMessage;
use crate::calls::with_calls;
use crate::client_address::ClientAddress;
use crate::config::TrustedProxies;
use crate::proto::{BatchRequest, ListLegalMovesResponse};
use crate::{access, batch, grpc, request_id, rest, telemetry};

/// Reads a REST body as every question.
pub fn json(bytes: &[u8]) {
    rest::read_arbitrary_json(bytes);
}

/// Reads the body of a batch: its lines, however they are cut into pieces.
pub fn batch_lines(bytes: &[u8]) {
    batch::ndjson::read_arbitrary_lines(bytes);
}

/// Reads query parameters as every question.
pub fn query(query: &str) {
    rest::read_arbitrary_query(query);
}

/// Reads a file of tokens.
pub fn tokens_file(text: &str) {
    access::read_arbitrary_tokens(text);
}

/// Reads a gRPC message as every request, and converts it to a question.
pub fn protobuf(bytes: &[u8]) {
    macro_rules! read_requests {
        ($($rpc:ident: $module:ident, $path:literal [$($verb:ident)*], $kind:ident($($rpc_parts:tt)*), { $($flag:ident)* };)*) => {
            $(read_request!($($rpc_parts)*);)*
        };
    }
    macro_rules! read_request {
        ($method:ident, $request:ident, $($rest:tt)*) => {
            if let Some(Err(error)) = message::<crate::proto::$request>(bytes).map(GameMessage::into_parts) {
                assert!(error.mapping().status.is_client_error() && !error.message().is_empty(), "{error:?}");
            }
        };
        () => {};
    }
    with_calls!(read_requests);
    if let Some(request) = message::<BatchRequest>(bytes) {
        read_arbitrary_message(request);
    }
    // The one message whose encoding is written by hand.
    message::<ListLegalMovesResponse>(bytes);
}

/// Checks that a message survives encoding and decoding.
fn message<M: Message + Default + PartialEq + Debug>(bytes: &[u8]) -> Option<M> {
    let message = M::decode(bytes).ok()?;
    let written = message.encode_to_vec();
    assert_eq!(written.len(), message.encoded_len());
    assert_eq!(M::decode(&*written).as_ref(), Ok(&message));
    Some(message)
}

/// Reads headers, one `name: value` per line, as the ports do: client addresses, deadlines,
/// trace contexts, request ids, web origins and host names.
pub fn headers(text: &[u8]) {
    let mut headers = HeaderMap::new();
    for line in text.split(|byte| *byte == b'\n') {
        let Some(colon) = line.iter().position(|byte| *byte == b':') else { continue };
        let name = HeaderName::from_bytes(&line[..colon]);
        let value = HeaderValue::from_bytes(line[colon + 1..].trim_ascii());
        if let (Ok(name), Ok(value)) = (name, value) {
            headers.append(name, value);
        }
    }
    let trusted = TrustedProxies::new("10.0.0.0/8, 2001:db8::/32").expect("it is well-formed");
    let stranger = SocketAddr::from(([192, 0, 2, 1], 1));
    let client = ClientAddress::of(stranger, &headers, &trusted);
    assert_eq!(client.0, stranger.ip(), "an untrusted peer is its own client");
    let proxied = ClientAddress::of(SocketAddr::from(([10, 0, 0, 1], 1)), &headers, &trusted);
    assert_eq!(proxied.0, IpAddr::to_canonical(&proxied.0));
    let id = request_id::from_headers(&headers);
    assert!((1..=128).contains(&request_id::as_str(&id).len()));
    let _deadline = grpc::grpc_timeout(&headers).map(|timeout| std::time::Instant::now() + timeout);
    telemetry::read_arbitrary_trace_context(&headers);
    let mut request = Request::new(());
    *request.headers_mut() = headers;
    access::check_arbitrary_page(&request);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::HintRequest;

    /// Each function accepts well-formed, nearly well-formed and malformed input.
    #[test]
    fn anything_is_read() {
        let question =
            r#"{"position": "6/6 w", "moves": ["a1"], "limits": {"timeMs": 5}, "count": 2, "detail": "area"}"#;
        for body in [question, "{}", "{\"moves\": null}", "{\"count\": -1}", "[]", "\u{0}"] {
            json(body.as_bytes());
            json(&body.as_bytes()[..body.len() / 2]);
        }
        for text in
            ["", "\n\n{}\n", "{\"id\":\"x\",\"kind\":\"hints\",\"game\":\"g\"}\n{\"cancel\":\"x\"}\n{\"id\":\"y\""]
        {
            batch_lines(text.as_bytes());
        }
        for text in
            ["", "position=6%2F6+w&moves=a,b&timeMs=5", "moves=%ff", "&&=&", "timeMs=0", "pageSize=1&distinct=true"]
        {
            query(text);
        }
        let request = HintRequest { game: "pentago".to_owned(), detail: 99, ..Default::default() };
        for message in [request.encode_to_vec(), vec![0x0a, 0xff], vec![0xff; 20], Vec::new()] {
            protobuf(&message);
        }
        for lines in [
            "x-forwarded-for: 1.2.3.4, 10.0.0.1\nforwarded: for=\"[::1]:80\"",
            "grpc-timeout: 99999999H\ntraceparent: 00-0-0-0",
            "origin: http://a\nhost: a\nx-request-id: b c",
            ":\n\n::",
        ] {
            headers(lines.as_bytes());
        }
        let digest = "0".repeat(64);
        for text in [format!("web {digest} 5\n"), format!("web {digest}\nweb {digest}"), "pentad_secret x".to_owned()] {
            tokens_file(&text);
        }
    }
}
