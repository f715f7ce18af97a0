//! The gRPC port: `pentad.v1.Analysis`, health, reflection, gRPC-Web.
//!
//! Plain calls of [`Analysis`](analysis) take a short way: no router, no layer
//! but the one below, no boxing of bodies. Everything else, gRPC-Web with its
//! preflight requests above all, goes through tonic's and tower's layers.
//!
//! Answers are compressed if the request was, as the gRPC convention has it.
//! Most clients announce gzip without wanting it: compressing 2 kB for each of
//! them would cost more than the call.

mod analysis;
mod arrival;
mod deadline;
pub(crate) mod health;
mod status;

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::{HeaderValue, Method as HttpMethod, Request, Response, Version, header};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use tonic::body::Body;
use tonic::codec::CompressionEncoding;
use tonic::server::NamedService;
use tonic::service::Routes;
use tower::util::BoxCloneSyncService;
use tower::{Layer, Service, ServiceExt};

use crate::app::App;
use crate::cors;
use crate::proto::FILE_DESCRIPTOR_SET;
use crate::proto::analysis_server::AnalysisServer;
use crate::request_id;
use crate::telemetry::{Method, TraceHeaders};

use analysis::AnalysisService;
use arrival::InTime;

type BoxFuture = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

/// Everything on the gRPC port.
#[derive(Clone)]
pub(crate) struct GrpcPort {
    calls: Calls,
    web: BoxCloneSyncService<Request<Body>, Response<Body>, Infallible>,
}

impl GrpcPort {
    pub(crate) fn new(app: &Arc<App>) -> Result<GrpcPort, tonic_reflection::server::Error> {
        let calls = Calls::new(app)?;
        let web = tonic_web::GrpcWebLayer::new().layer(calls.clone());
        let web = cors::grpc_web(&app.config.cors_origins).layer(web);
        Ok(GrpcPort { calls, web: BoxCloneSyncService::new(web) })
    }
}

impl hyper::service::Service<Request<Incoming>> for GrpcPort {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = BoxOrCall;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        if is_plain_grpc(&request) {
            return self.calls.clone().call(request);
        }
        BoxOrCall::Other(Box::pin(self.web.clone().oneshot(request.map(Body::new))))
    }
}

fn is_plain_grpc<B>(request: &Request<B>) -> bool {
    let headers = request.headers();
    request.version() == Version::HTTP_2
        && request.method() == HttpMethod::POST
        && !headers.contains_key(header::ORIGIN)
        && headers.get(header::CONTENT_TYPE).is_some_and(|kind| !kind.as_bytes().starts_with(b"application/grpc-web"))
}

/// The services, for plain and unwrapped gRPC-Web calls.
#[derive(Clone)]
struct Calls {
    app: Arc<App>,
    plain: AnalysisServer<AnalysisService>,
    compressing: AnalysisServer<AnalysisService>,
    /// Health and reflection; says "unimplemented" to the rest.
    others: Routes,
}

impl Calls {
    fn new(app: &Arc<App>) -> Result<Calls, tonic_reflection::server::Error> {
        let plain = AnalysisServer::new(AnalysisService::new(Arc::clone(app)))
            .accept_compressed(CompressionEncoding::Gzip)
            .max_decoding_message_size(app.config.body_bytes_max);
        let reflection = || {
            tonic_reflection::server::Builder::configure()
                .register_encoded_file_descriptor_set(FILE_DESCRIPTOR_SET)
                .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        };
        let others = Routes::new(health::server(Arc::clone(app)))
            .add_service(reflection().build_v1()?)
            .add_service(reflection().build_v1alpha()?)
            .prepare();
        let compressing = plain.clone().send_compressed(CompressionEncoding::Gzip);
        Ok(Calls { app: Arc::clone(app), plain, compressing, others })
    }
}

impl<B> Service<Request<B>> for Calls
where
    B: hyper::body::Body<Data = Bytes> + Send + Unpin + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>> + Send + 'static,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = BoxOrCall;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<B>) -> BoxOrCall {
        let Some(rpc) = analysis_rpc(request.uri().path()) else {
            let others = self.others.clone();
            return BoxOrCall::Other(Box::pin(others.oneshot(request.map(|body| Body::new(body.map_err(Into::into))))));
        };
        let method = Method::of_rpc(rpc);
        let id = request_id::of(request.headers());
        request.headers_mut().insert(request_id::HEADER, id.clone());
        let trace = TraceHeaders::of(request.headers());
        let compressed = request.headers().contains_key("grpc-encoding");
        let server = if compressed { &mut self.compressing } else { &mut self.plain };
        let timeout_ms = self.app.config.body_timeout_ms;
        let request = request.map(|body| InTime::new(body, timeout_ms));
        BoxOrCall::Call { answering: server.call(request), app: Arc::clone(&self.app), method, id: Some(id), trace }
    }
}

fn analysis_rpc(path: &str) -> Option<&str> {
    path.strip_prefix('/')?.strip_prefix(AnalysisServer::<AnalysisService>::NAME)?.strip_prefix('/')
}

/// An answer under way.
pub(crate) enum BoxOrCall {
    /// From [`AnalysisService`]; still gets its request id.
    Call { answering: BoxFuture, app: Arc<App>, method: Method, id: Option<HeaderValue>, trace: TraceHeaders },
    /// From any other service.
    Other(BoxFuture),
}

impl Future for BoxOrCall {
    type Output = Result<Response<Body>, Infallible>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match self.get_mut() {
            BoxOrCall::Other(answering) => answering.as_mut().poll(cx),
            BoxOrCall::Call { answering, app, method, id, trace } => {
                let Ok(mut response) = ready!(answering.as_mut().poll(cx));
                if let Some(id) = id.take() {
                    // Only failed calls have it this early.
                    if response.headers().contains_key(tonic::Status::GRPC_STATUS) {
                        response = status::explain(response, app, *method, &id, trace);
                    }
                    response.headers_mut().insert(request_id::HEADER, id);
                }
                Poll::Ready(Ok(response))
            }
        }
    }
}
