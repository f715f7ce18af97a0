//! An OTLP collector that stores the spans it receives.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use futures_util::stream;
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{TraceService, TraceServiceServer};
use opentelemetry_proto::tonic::collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse};
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value as Any;
use opentelemetry_proto::tonic::trace::v1 as otlp;
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tonic::transport::Server;
use tonic::{Request, Response, Status};

use super::assert_eventually;

/// A received span; ids are in hexadecimal.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub(crate) trace: String,
    pub(crate) id: String,
    pub(crate) parent: String,
    pub(crate) name: String,
    pub(crate) is_server: bool,
    pub(crate) is_error: bool,
    pub(crate) state: String,
    pub(crate) started_ns: u64,
    pub(crate) ended_ns: u64,
    pub(crate) attributes: BTreeMap<String, Value>,
    /// Trace id and span id of each link.
    pub(crate) links: Vec<(String, String)>,
    /// Attributes of the sender.
    pub(crate) resource: BTreeMap<String, Value>,
}

impl Span {
    /// Returns an attribute, or null.
    pub(crate) fn get(&self, key: &str) -> Value {
        self.attributes.get(key).cloned().unwrap_or_default()
    }
}

/// A collector on a free port.
pub(crate) struct Collector {
    address: SocketAddr,
    spans: Arc<Mutex<Vec<Span>>>,
}

impl Collector {
    pub(crate) async fn start() -> Collector {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let spans = Arc::new(Mutex::new(Vec::new()));
        let service = TraceServiceServer::new(Store(Arc::clone(&spans)));
        let connections = stream::unfold(listener, async |listener| {
            let connection = listener.accept().await.map(|(connection, _)| connection);
            Some((connection, listener))
        });
        tokio::spawn(Server::builder().add_service(service).serve_with_incoming(connections));
        Collector { address, spans }
    }

    /// Returns the value for the server's `otlp_endpoint`.
    pub(crate) fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Starts a proxy that terminates TLS. Returns its address as a value for `otlp_endpoint`,
    /// and the certificate to trust.
    pub(crate) async fn behind_tls(&self) -> (String, String) {
        let certified = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
        let key = PrivateKeyDer::try_from(certified.signing_key.serialize_der()).expect("a key");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let builder = builder.expect("the provider has them").with_no_client_auth();
        let mut config =
            builder.with_single_cert(vec![certified.cert.der().clone()], key).expect("they belong together");
        config.alpn_protocols = vec![b"h2".to_vec()];
        let (acceptor, collector) = (TlsAcceptor::from(Arc::new(config)), self.address);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("it is bound").port();
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let acceptor = acceptor.clone();
                tokio::spawn(async move {
                    let mut encrypted = acceptor.accept(socket).await?;
                    let mut plain = TcpStream::connect(collector).await?;
                    tokio::io::copy_bidirectional(&mut encrypted, &mut plain).await
                });
            }
        });
        (format!("https://localhost:{port}"), certified.cert.pem())
    }

    /// Returns every span received so far.
    pub(crate) fn spans(&self) -> Vec<Span> {
        self.spans.lock().expect("no panics while it is locked").clone()
    }

    /// Waits for a trace's server span, which is exported last; returns it and its
    /// child spans in the order of their start.
    pub(crate) async fn call(&self, trace: &str) -> (Span, Vec<Span>) {
        assert_eventually(&format!("the call of trace {trace} is exported"), async || {
            let mut spans: Vec<Span> = self.spans().into_iter().filter(|span| span.trace == trace).collect();
            spans.sort_by_key(|span| (span.started_ns, span.ended_ns));
            let call = spans.iter().position(|span| span.is_server).ok_or_else(|| spans.clone())?;
            Ok::<_, Vec<Span>>((spans.remove(call), spans))
        })
        .await
    }
}

struct Store(Arc<Mutex<Vec<Span>>>);

#[tonic::async_trait]
impl TraceService for Store {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        for sent in request.into_inner().resource_spans {
            let resource = attributes(sent.resource.map(|resource| resource.attributes).unwrap_or_default());
            let spans = sent.scope_spans.into_iter().flat_map(|scope| scope.spans);
            let spans = spans.map(|span| read(span, resource.clone()));
            self.0.lock().expect("no panics while it is locked").extend(spans);
        }
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

fn read(span: otlp::Span, resource: BTreeMap<String, Value>) -> Span {
    Span {
        is_server: span.kind() == otlp::span::SpanKind::Server,
        is_error: span.status.is_some_and(|status| status.code() == otlp::status::StatusCode::Error),
        trace: hex(&span.trace_id),
        id: hex(&span.span_id),
        parent: hex(&span.parent_span_id),
        name: span.name,
        state: span.trace_state,
        started_ns: span.start_time_unix_nano,
        ended_ns: span.end_time_unix_nano,
        attributes: attributes(span.attributes),
        links: span.links.iter().map(|link| (hex(&link.trace_id), hex(&link.span_id))).collect(),
        resource,
    }
}

fn attributes(pairs: Vec<KeyValue>) -> BTreeMap<String, Value> {
    let value = |value: Option<Any>| match value {
        Some(Any::StringValue(text)) => json!(text),
        Some(Any::BoolValue(truth)) => json!(truth),
        Some(Any::IntValue(number)) => json!(number),
        other => panic!("attributes are plain: {other:?}"),
    };
    pairs.into_iter().map(|pair| (pair.key, value(pair.value.and_then(|any| any.value)))).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
