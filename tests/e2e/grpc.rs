//! The gRPC port besides the calls themselves: reflection, health, gRPC-Web,
//! compression, request ids, limits, connection age.

use std::io::Write;

use bytes::{BufMut, Bytes, BytesMut};
use futures_util::stream;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use pentad::config::CorsOrigins;
use serde_json::{Value, json};
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tonic::{Code, Request};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use crate::support::failure::Failure;
use crate::support::grpc::{GrpcClient, decode_for, encode_for, transport};
use crate::support::held::Held;
use crate::support::rest::{Reply, send};
use crate::support::{TIMEOUT, TestServer, about, assert_eventually, server};

/// Reflection lists the services and describes them, in v1 and v1alpha.
#[tokio::test]
async fn reflection_lists_the_service() {
    let server = server().start().await;
    let grpc = server.grpc();
    let expected = ["grpc.health.v1.Health", "pentad.v1.Analysis"];

    let services = {
        use tonic_reflection::pb::v1::ServerReflectionRequest;
        use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
        use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
        use tonic_reflection::pb::v1::server_reflection_response::MessageResponse;
        let mut client = ServerReflectionClient::with_origin(transport(), grpc.origin());
        let reflection = |request| ServerReflectionRequest { host: String::new(), message_request: Some(request) };
        let requests = stream::iter([
            reflection(MessageRequest::ListServices(String::new())),
            reflection(MessageRequest::FileContainingSymbol("pentad.v1.Analysis.Hint".to_owned())),
        ]);
        let mut answers = client.server_reflection_info(requests).await.expect("reflection").into_inner();
        let list = answers.message().await.expect("no failure").expect("an answer").message_response;
        let Some(MessageResponse::ListServicesResponse(list)) = list else { panic!("{list:?}") };
        let file = answers.message().await.expect("no failure").expect("an answer").message_response;
        let Some(MessageResponse::FileDescriptorResponse(file)) = file else { panic!("{file:?}") };
        assert!(!file.file_descriptor_proto.is_empty());
        list.service.into_iter().map(|service| service.name).collect::<Vec<_>>()
    };
    assert!(expected.iter().all(|name| services.iter().any(|service| service == name)), "v1: {services:?}");

    let services = {
        use tonic_reflection::pb::v1alpha::ServerReflectionRequest;
        use tonic_reflection::pb::v1alpha::server_reflection_client::ServerReflectionClient;
        use tonic_reflection::pb::v1alpha::server_reflection_request::MessageRequest;
        use tonic_reflection::pb::v1alpha::server_reflection_response::MessageResponse;
        let mut client = ServerReflectionClient::with_origin(transport(), grpc.origin());
        let request = ServerReflectionRequest {
            host: String::new(),
            message_request: Some(MessageRequest::ListServices(String::new())),
        };
        let mut answers =
            client.server_reflection_info(stream::iter([request])).await.expect("reflection").into_inner();
        let list = answers.message().await.expect("no failure").expect("an answer").message_response;
        let Some(MessageResponse::ListServicesResponse(list)) = list else { panic!("{list:?}") };
        list.service.into_iter().map(|service| service.name).collect::<Vec<_>>()
    };
    assert!(expected.iter().all(|name| services.iter().any(|service| service == name)), "v1alpha: {services:?}");
}

/// Health is reported overall, for the service and per game; others are NOT_FOUND.
#[tokio::test]
async fn health_is_reported_per_game() {
    let server = server().start().await;
    let mut client = HealthClient::with_origin(transport(), server.grpc().origin());
    for service in ["", "pentad.v1.Analysis", "pentad.v1.Analysis/pentago", "pentad.v1.Analysis/tictactoe"] {
        let answer = client.check(HealthCheckRequest { service: service.to_owned() }).await.expect(service);
        assert_eq!(answer.into_inner().status(), ServingStatus::Serving, "{service}");
    }
    for service in ["pentad.v1.Analysis/chess", "pentad.v1.Analysis/", "pentad.v1.Analysispentago", "pentago"] {
        let status = client.check(HealthCheckRequest { service: service.to_owned() }).await.expect_err(service);
        assert_eq!(status.code(), Code::NotFound, "{service}: {status:?}");
    }
}

/// A health watch reports the state at once, then the drain, and ends.
#[tokio::test]
async fn health_watch_reports_the_drain() {
    let server = server().start().await;
    let mut client = HealthClient::with_origin(transport(), server.grpc().origin());
    let mut watch = client.watch(HealthCheckRequest::default()).await.expect("a watch").into_inner();
    let first = watch.message().await.expect("no failure").expect("the first state");
    assert_eq!(first.status(), ServingStatus::Serving);
    let stopping = tokio::spawn(server.stop());
    let second = watch.message().await.expect("no failure").expect("the second state");
    assert_eq!(second.status(), ServingStatus::NotServing);
    assert!(watch.message().await.expect("no failure").is_none(), "it ends rather than hold up the drain");
    assert_eq!(stopping.await.expect("no panic"), pentad::Drained::Complete);
}

/// Compressed requests get compressed responses; plain ones get plain responses,
/// although every client accepts gzip.
#[tokio::test]
async fn compressed_requests_get_compressed_responses() {
    let server = server().start().await;
    let body = json!({"game": "pentago"});
    let plain = server.grpc().call("ListLegalMoves", &body).await.expect("the moves");
    let packed = server.grpc().gzip().call("ListLegalMoves", &body).await.expect("the moves");
    assert_eq!(plain, packed);
    let message = encode_for("ListLegalMoves", &body);
    let response = server.grpc().gzip().call_raw("ListLegalMoves", message.clone()).await.expect("the moves");
    assert_eq!(response.metadata().get("grpc-encoding").map(|it| it.as_bytes()), Some(&b"gzip"[..]));
    let response = server.grpc().call_raw("ListLegalMoves", message).await.expect("the moves");
    assert_eq!(response.metadata().get("grpc-encoding"), None);
}

/// A client that only accepts gzip gets long responses compressed, short ones not.
#[tokio::test]
async fn long_responses_are_compressed_for_clients_that_accept_it() {
    let server = server().bundled().start().await;
    let is_compressed = async |rpc: &str, body: Value, accepted: &str| {
        let message = encode_for(rpc, &body);
        let frame = [&[0], &(message.len() as u32).to_be_bytes()[..], &message].concat();
        let client = server.grpc();
        let request = http::Request::post(format!("{}pentad.v1.Analysis/{rpc}", client.origin()))
            .header("content-type", "application/grpc")
            .header("te", "trailers")
            .header("grpc-accept-encoding", accepted)
            .body(tonic::body::Body::new(http_body_util::Full::new(Bytes::from(frame))))
            .expect("a request");
        let response = client.transport().request(request).await.expect("the server answers");
        let bytes = response.into_body().collect().await.expect("a complete body").to_bytes();
        bytes[0] == 1
    };
    let (xl, pentago) = (json!({"game": "pentago-xl"}), json!({"game": "pentago"}));
    assert!(is_compressed("ListLegalMoves", xl.clone(), "gzip").await);
    assert!(is_compressed("ListLegalMoves", xl.clone(), "identity, deflate, gzip").await);
    assert!(!is_compressed("ListLegalMoves", xl, "identity").await);
    assert!(!is_compressed("ListLegalMoves", pentago.clone(), "gzip").await);
    assert!(!is_compressed("DescribePosition", pentago, "gzip").await);
}

/// The client's request id is returned with successes and failures.
#[tokio::test]
async fn request_ids_are_returned() {
    let server = server().start().await;
    let client = server.grpc().request_id("caller-7");
    let response = client.call_raw("ListGames", Bytes::new()).await.expect("the games");
    assert_eq!(response.metadata().get("x-request-id").map(|id| id.as_bytes()), Some(&b"caller-7"[..]));
    let status = client.call("Hint", &json!({"game": "chess"})).await.expect_err("no such game");
    assert_eq!(status.metadata().get("x-request-id").map(|id| id.as_bytes()), Some(&b"caller-7"[..]), "{status:?}");
    assert_eq!(Failure::from_status(&status).request_id, "caller-7");
    let made = server.grpc().call_raw("ListGames", Bytes::new()).await.expect("the games");
    assert!(made.metadata().get("x-request-id").is_some_and(|id| id.len() >= 16), "{made:?}");
}

/// A message far above the limit is refused, plain or compressed, and the
/// connection stays usable.
#[tokio::test]
async fn huge_messages_are_refused() {
    let server = server().start().await;
    let request = json!({"game": "pentago", "position": " ".repeat(8 << 20)});
    let client = server.grpc();
    for (form, client) in [("plain", client.clone()), ("gzip bomb", client.clone().gzip())] {
        let status = client.call("DescribePosition", &request).await.expect_err("8 MiB");
        let failure = Failure::from_status(&status);
        assert_eq!((status.code(), &*failure.reason), (Code::ResourceExhausted, "too_large"), "{form}: {status:?}");
        client.call("DescribePosition", &json!({"game": "pentago"})).await.expect("the next call is answered");
    }
}

/// A gRPC-Web call with a plain HTTP client.
async fn grpc_web(server: &TestServer, rpc: &str, message: &Value) -> Reply {
    let url = format!("http://{}/pentad.v1.Analysis/{rpc}", server.addresses.grpc);
    let request = server.http.post(url).header("content-type", "application/grpc-web+proto");
    send(request.header("origin", "https://play.example").header("x-grpc-web", "1").body(framed(rpc, message))).await
}

/// A request as a length-prefixed gRPC message.
fn framed(rpc: &str, request: &Value) -> Bytes {
    let message = encode_for(rpc, request);
    let mut frame = BytesMut::new();
    frame.put_u8(0);
    frame.put_u32(message.len() as u32);
    frame.put(message);
    frame.freeze()
}

/// The frames of a gRPC-Web body: messages, then the trailers' text.
fn frames(mut body: &[u8]) -> (Vec<Bytes>, String) {
    let (mut messages, mut trailers) = (Vec::new(), String::new());
    while !body.is_empty() {
        let len = u32::from_be_bytes(body[1..5].try_into().expect("four bytes")) as usize;
        let (head, rest) = body.split_at(5);
        let (content, rest) = rest.split_at(len);
        match head[0] {
            0 => messages.push(Bytes::copy_from_slice(content)),
            0x80 => trailers = String::from_utf8(content.to_vec()).expect("text"),
            other => panic!("a frame of kind {other}"),
        }
        body = rest;
    }
    (messages, trailers)
}

/// gRPC-Web calls work, with CORS; failures have their details.
#[tokio::test]
async fn grpc_web_works() {
    let server = server().set(|config| config.cors_origins = CorsOrigins::Any).start().await;
    let reply = grpc_web(&server, "DescribePosition", &json!({"game": "pentago", "moves": ["c3-2r"]})).await.ok();
    assert_eq!(reply.header("content-type"), "application/grpc-web+proto", "{reply:?}");
    assert_eq!(reply.header("access-control-allow-origin"), "*", "{reply:?}");
    let (messages, trailers) = frames(&reply.body);
    assert!(trailers.lines().any(|line| line.replace(' ', "") == "grpc-status:0"), "{trailers}");
    let answer = decode_for("DescribePosition", messages[0].clone());
    assert_eq!(answer["position"], "6/6/2w3/6/6/6 b", "{answer:#}");

    let reply = grpc_web(&server, "Hint", &json!({"game": "chess"})).await.ok();
    let (messages, trailers) = frames(&reply.body);
    assert!(messages.is_empty());
    let failure = if trailers.is_empty() { format!("{:?}", reply.headers) } else { trailers };
    assert!(failure.contains("grpc-status") && failure.contains('5'), "NOT_FOUND is 5: {failure}");
    assert!(failure.contains("grpc-status-details-bin"), "{failure}");

    let reply = grpc_web(&server, "Analyze", &json!({"game": "tictactoe", "position": "xx1/oo1/3 x"})).await.ok();
    let (messages, _) = frames(&reply.body);
    let last = decode_for("Analyze", messages.last().expect("an update").clone());
    assert_eq!(last["final"], true, "{last:#}");
}

/// CORS preflight requests to the gRPC port succeed.
#[tokio::test]
async fn grpc_web_preflight_succeeds() {
    let server = server().set(|config| config.cors_origins = CorsOrigins::Any).start().await;
    let url = format!("http://{}/pentad.v1.Analysis/Hint", server.addresses.grpc);
    let request = server.http.request(http::Method::OPTIONS, url).header("origin", "https://play.example");
    let request = request
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "content-type,x-grpc-web,grpc-timeout");
    let reply = send(request).await.ok();
    assert_eq!(reply.header("access-control-allow-origin"), "*", "{reply:?}");
    assert!(reply.header("access-control-allow-methods").contains("POST"), "{reply:?}");
}

/// Unknown services and methods are UNIMPLEMENTED.
#[tokio::test]
async fn unknown_methods_are_unimplemented() {
    let server = server().start().await;
    let status = server.grpc().call_raw("NoSuchMethod", Bytes::new()).await.expect_err("no such method");
    assert_eq!(status.code(), Code::Unimplemented, "{status:?}");
    let mut grpc = tonic::client::Grpc::with_origin(transport(), server.grpc().origin());
    grpc.ready().await.expect("the server takes connections");
    let path = "/pentad.v2.Analysis/Hint".parse().expect("a path");
    let answer = grpc.unary::<_, Bytes, _>(Request::new(Bytes::new()), path, crate::support::grpc::RawCodec).await;
    assert_eq!(answer.expect_err("no such service").code(), Code::Unimplemented);
}

/// Many calls share one connection.
#[tokio::test]
async fn calls_share_a_connection() {
    let server = server().start().await;
    let client: GrpcClient = server.grpc();
    let calls = (0..100).map(|_| {
        let client = client.clone();
        tokio::spawn(async move { client.call("DescribePosition", &json!({"game": "pentago"})).await })
    });
    for call in calls.collect::<Vec<_>>() {
        let answer = call.await.expect("no panic").expect("an answer");
        assert_eq!(answer["legalMoveCount"], 288);
    }
}

/// A connection at its maximum age sends GOAWAY, finishes its open calls and closes
/// cleanly: no accepted call is lost.
#[tokio::test]
async fn connection_closes_gracefully_at_its_maximum_age() {
    let held = Held::new();
    let server = server().held(&held).set(|config| config.connection_age_ms_max = 300).start().await;
    let post = |rpc: &str, message: &Value| {
        ::http::Request::post(format!("{}pentad.v1.Analysis/{rpc}", server.grpc().origin()))
            .header("content-type", "application/grpc")
            .body(Full::new(framed(rpc, message)))
            .unwrap()
    };
    // On a busy machine a connection may reach its age before its call begins.
    let (mut sender, connection, answer) = assert_eventually("a call begins on a connection", async || {
        let stream = TcpStream::connect(server.addresses.grpc).await.unwrap();
        let (mut sender, connection) = http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
        let connection = tokio::spawn(connection);
        let answer = tokio::spawn(sender.send_request(post("Hint", &about("held", Held::search(0)))));
        let has_begun = assert_eventually("the call begins or is refused", async || {
            let busy = server.metrics().await.n_searching();
            if busy == 1.0 || answer.is_finished() { Ok(busy == 1.0) } else { Err(busy) }
        })
        .await;
        if has_begun { Ok((sender, connection, answer)) } else { Err(answer.await) }
    })
    .await;
    let refusal = assert_eventually("after GOAWAY the client begins no call", async || {
        match sender.send_request(post("ListGames", &json!({}))).await {
            Ok(answer) => Err(answer.into_body().collect().await.expect("an accepted call is answered")),
            Err(refusal) => Ok(refusal),
        }
    })
    .await;
    assert!(refusal.is_canceled() || refusal.is_closed(), "it was never sent: {refusal:?}");
    assert!(!answer.is_finished(), "the call is still in flight");

    held.release();
    let answer = timeout(TIMEOUT, answer).await.expect("it is answered").expect("no panic").expect("after its age");
    let body = answer.into_body().collect().await.expect("all of it");
    assert_eq!(body.trailers().expect("trailers")["grpc-status"], "0");
    let message = body.to_bytes().slice(5..);
    assert_eq!(decode_for("Hint", message)["stopReason"], "depth", "it was not cut short");
    timeout(TIMEOUT, connection).await.expect("it ends").unwrap().expect("it closes cleanly");
    assert!(sender.is_closed());

    // The server shares this thread: the request is sent before it accepts.
    let mut idle = std::net::TcpStream::connect(server.addresses.rest).unwrap();
    idle.write_all(b"GET /v1/games HTTP/1.1\r\nhost: localhost\r\n\r\n").unwrap();
    idle.set_nonblocking(true).unwrap();
    let mut idle = TcpStream::from_std(idle).unwrap();
    let mut answer = Vec::new();
    timeout(TIMEOUT, idle.read_to_end(&mut answer)).await.expect("HTTP/1.1 connections end too").unwrap();
    assert!(answer.starts_with(b"HTTP/1.1 200 OK\r\n"), "{}", String::from_utf8_lossy(&answer));
}
