//! A gRPC client with JSON messages, converted by the descriptors that the server
//! publishes.
//!
//! Its transport is a bare HTTP/2 client: tonic's own channel would enforce
//! `grpc-timeout` itself and hide whether the server does.

use std::net::SocketAddr;
use std::sync::LazyLock;

use bytes::{Buf, BufMut, Bytes};
use futures_util::Stream;
use futures_util::TryStreamExt;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use pentad::proto::FILE_DESCRIPTOR_SET;
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor, MethodDescriptor, SerializeOptions};
use serde_json::{Map, Value};
use tokio::time::timeout;
use tonic::body::Body;
use tonic::client::Grpc;
use tonic::codec::{Codec, CompressionEncoding, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::{Request, Status};

use super::TIMEOUT;

static POOL: LazyLock<DescriptorPool> =
    LazyLock::new(|| DescriptorPool::decode(FILE_DESCRIPTOR_SET).expect("the descriptors are sound"));

/// Plain HTTP/2 without TLS.
pub(crate) type Transport = Client<HttpConnector, Body>;

pub(crate) fn transport() -> Transport {
    let mut connector = HttpConnector::new();
    // With Nagle's algorithm the small frames of a new connection wait 40 ms for an ACK.
    connector.set_nodelay(true);
    Client::builder(TokioExecutor::new()).http2_only(true).build(connector)
}

/// Calls `pentad.v1.Analysis`.
#[derive(Clone)]
pub(crate) struct GrpcClient {
    address: SocketAddr,
    transport: Transport,
    timeout: Option<String>,
    request_id: Option<String>,
    traceparent: Option<String>,
    authorization: Option<String>,
    accept_language: Option<String>,
    cache_control: Option<String>,
    gzip: bool,
}

impl GrpcClient {
    pub(crate) fn new(address: SocketAddr) -> GrpcClient {
        GrpcClient {
            address,
            transport: transport(),
            timeout: None,
            request_id: None,
            traceparent: None,
            authorization: None,
            accept_language: None,
            cache_control: None,
            gzip: false,
        }
    }

    /// Sends `grpc-timeout`, e.g. `100m`.
    pub(crate) fn timeout(self, timeout: &str) -> GrpcClient {
        GrpcClient { timeout: Some(timeout.to_owned()), ..self }
    }

    /// Sends `x-request-id`.
    pub(crate) fn request_id(self, id: &str) -> GrpcClient {
        GrpcClient { request_id: Some(id.to_owned()), ..self }
    }

    /// Sends `traceparent`.
    pub(crate) fn traceparent(self, parent: &str) -> GrpcClient {
        GrpcClient { traceparent: Some(parent.to_owned()), ..self }
    }

    /// Sends `authorization: Bearer`.
    pub(crate) fn token(self, token: &str) -> GrpcClient {
        GrpcClient { authorization: Some(format!("Bearer {token}")), ..self }
    }

    /// Sends `accept-language`.
    pub(crate) fn accept_language(self, languages: &str) -> GrpcClient {
        GrpcClient { accept_language: Some(languages.to_owned()), ..self }
    }

    /// Sends `cache-control: no-cache`.
    pub(crate) fn no_cache(self) -> GrpcClient {
        GrpcClient { cache_control: Some("no-cache".to_owned()), ..self }
    }

    /// Compresses requests and accepts compressed answers.
    pub(crate) fn gzip(self) -> GrpcClient {
        GrpcClient { gzip: true, ..self }
    }

    pub(crate) fn origin(&self) -> http::Uri {
        format!("http://{}", self.address).parse().expect("an address makes a URI")
    }

    pub(crate) fn transport(&self) -> Transport {
        self.transport.clone()
    }

    /// Makes a unary call; request and response have REST's JSON form.
    pub(crate) async fn call(&self, rpc: &str, request: &Value) -> Result<Value, Status> {
        let method = method(rpc);
        let response = self.call_raw(rpc, encode(&method.input(), request)).await?;
        Ok(decode(&method.output(), response.into_inner()))
    }

    /// Makes a server-streaming call, likewise in REST's JSON form.
    pub(crate) async fn stream(
        &self,
        rpc: &str,
        body: &Value,
    ) -> Result<impl Stream<Item = Result<Value, Status>> + Unpin + use<>, Status> {
        let method = method(rpc);
        let request = self.request(encode(&method.input(), body));
        let mut grpc = self.ready().await;
        let streaming = timeout(TIMEOUT, grpc.server_streaming(request, path(rpc), RawCodec));
        let response = streaming.await.expect("the server begins a stream or refuses")?;
        Ok(response.into_inner().map_ok(move |bytes| decode(&method.output(), bytes)))
    }

    /// Makes a bidirectional streaming call, with messages as bytes.
    pub(crate) async fn bidirectional<S: Stream<Item = Bytes> + Send + 'static>(
        &self,
        rpc: &str,
        messages: S,
    ) -> Result<impl Stream<Item = Result<Bytes, Status>> + Unpin + use<S>, Status> {
        let mut grpc = self.ready().await;
        let (metadata, extensions, _) = self.request(Bytes::new()).into_parts();
        let request = Request::from_parts(metadata, extensions, messages);
        let streaming = timeout(TIMEOUT, grpc.streaming(request, path(rpc), RawCodec));
        Ok(streaming.await.expect("the server begins a stream or refuses")?.into_inner())
    }

    /// Makes a unary call with these bytes as its message.
    pub(crate) async fn call_raw(&self, rpc: &str, message: Bytes) -> Result<tonic::Response<Bytes>, Status> {
        let mut grpc = self.ready().await;
        timeout(TIMEOUT, grpc.unary(self.request(message), path(rpc), RawCodec)).await.expect("the server answers")
    }

    async fn ready(&self) -> Grpc<Transport> {
        let mut grpc = Grpc::with_origin(self.transport(), self.origin());
        if self.gzip {
            grpc = grpc.send_compressed(CompressionEncoding::Gzip).accept_compressed(CompressionEncoding::Gzip);
        }
        grpc.ready().await.expect("the server takes connections");
        grpc
    }

    fn request(&self, message: Bytes) -> Request<Bytes> {
        let mut request = Request::new(message);
        let metadata = [
            ("grpc-timeout", &self.timeout),
            ("x-request-id", &self.request_id),
            ("traceparent", &self.traceparent),
            ("authorization", &self.authorization),
            ("accept-language", &self.accept_language),
            ("cache-control", &self.cache_control),
        ];
        for (name, value) in metadata {
            if let Some(value) = value {
                request.metadata_mut().insert(name, value.parse().expect("tests send sane metadata"));
            }
        }
        request
    }
}

/// Returns every RPC of the service, and whether it streams its answers.
pub(crate) fn rpcs() -> Vec<(String, bool)> {
    let service = POOL.get_service_by_name("pentad.v1.Analysis").expect("the service is described");
    service.methods().map(|method| (method.name().to_owned(), method.is_server_streaming())).collect()
}

fn path(rpc: &str) -> http::uri::PathAndQuery {
    format!("/pentad.v1.Analysis/{rpc}").parse().expect("names make paths")
}

fn method(rpc: &str) -> MethodDescriptor {
    let service = POOL.get_service_by_name("pentad.v1.Analysis").expect("the service is described");
    service.methods().find(|method| method.name() == rpc).unwrap_or_else(|| panic!("no RPC {rpc}"))
}

/// Encodes a request in REST's JSON form as a message.
pub(crate) fn encode(kind: &MessageDescriptor, body: &Value) -> Bytes {
    let mut body = body.clone();
    if let Some(detail) = body.get_mut("detail") {
        *detail = format!("DETAIL_{}", detail.as_str().expect("a word").to_uppercase()).into();
    }
    let message = DynamicMessage::deserialize(kind.clone(), &body)
        .unwrap_or_else(|error| panic!("{body} is no {}: {error}", kind.name()));
    message.encode_to_vec().into()
}

/// Encodes the request of an RPC.
pub(crate) fn encode_for(rpc: &str, request: &Value) -> Bytes {
    encode(&method(rpc).input(), request)
}

/// Decodes the response of an RPC.
pub(crate) fn decode_for(rpc: &str, message: Bytes) -> Value {
    decode(&method(rpc).output(), message)
}

/// Decodes a message into REST's JSON form: enums in lower case, unset fields absent.
fn decode(kind: &MessageDescriptor, message: Bytes) -> Value {
    let message = DynamicMessage::decode(kind.clone(), message).expect("answers are what the descriptors say");
    let options = SerializeOptions::new().stringify_64_bit_integers(false).skip_default_fields(false);
    let mut text = Vec::new();
    message
        .serialize_with_options(&mut serde_json::Serializer::new(&mut text), &options)
        .expect("messages can be written as JSON");
    // Through text, as REST's responses are, so that numbers are parsed alike.
    to_rest_form(serde_json::from_slice(&text).expect("what was written can be read"))
}

/// Converts enums to REST's lower-case words, and unwraps a point's list of pieces, a
/// graph's scores and the lines of a solution.
fn to_rest_form(value: Value) -> Value {
    const ENUMS: [(&str, &str); 5] = [
        ("certainty", "CERTAINTY_"),
        ("outcome", "OUTCOME_"),
        ("source", "SOURCE_"),
        ("stopReason", "STOP_REASON_"),
        ("label", "MOVE_LABEL_"),
    ];
    match value {
        Value::Array(items) => items.into_iter().map(to_rest_form).collect(),
        Value::Object(fields) => fields
            .into_iter()
            .map(|(key, value)| {
                let prefix = ENUMS.iter().find(|(name, _)| *name == key).map(|(_, prefix)| *prefix);
                let word = prefix.and_then(|prefix| value.as_str()?.strip_prefix(prefix));
                let value = match word {
                    Some("UNSPECIFIED") => Value::Null,
                    Some(word) => word.to_lowercase().into(),
                    None if key == "board" => pieces_only(value),
                    None if key == "scores" && value.is_array() => unwrapped(value, "scores"),
                    None if key == "solutions" => unwrapped(value, "moves"),
                    None => to_rest_form(value),
                };
                (key, value)
            })
            .collect::<Map<_, _>>()
            .into(),
        plain => plain,
    }
}

fn pieces_only(board: Value) -> Value {
    let Value::Object(points) = board else { return board };
    points.into_iter().map(|(point, mut held)| (point, held["pieces"].take())).collect::<Map<_, _>>().into()
}

/// Converts a list of messages with one field to a list of that field.
fn unwrapped(list: Value, field: &str) -> Value {
    let Value::Array(items) = list else { return list };
    items.into_iter().map(|mut item| item[field].take()).collect()
}

/// Passes messages as bytes, without decoding them.
pub(crate) struct RawCodec;

impl Codec for RawCodec {
    type Encode = Bytes;
    type Decode = Bytes;
    type Encoder = RawCodec;
    type Decoder = RawCodec;

    fn encoder(&mut self) -> RawCodec {
        RawCodec
    }

    fn decoder(&mut self) -> RawCodec {
        RawCodec
    }
}

impl Encoder for RawCodec {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, message: Bytes, out: &mut EncodeBuf<'_>) -> Result<(), Status> {
        out.put(message);
        Ok(())
    }
}

impl Decoder for RawCodec {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, message: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        let len = message.remaining();
        Ok(Some(message.copy_to_bytes(len)))
    }
}
