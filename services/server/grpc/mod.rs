//! The gRPC port: `pentad.v1.Analysis`, health, reflection, gRPC-Web.
//!
//! Plain calls of [`Analysis`](analysis) skip the tower layers: no path router,
//! no boxed bodies. Everything else, above all gRPC-Web and its preflight
//! requests, passes through tonic's and tower's layers.
//!
//! Responses are compressed if the request was, as is the gRPC convention, and if
//! they are long and the client accepts gzip. Most clients advertise it by default:
//! compressing 2 kB for each of them would cost more than the call.

mod analysis;
mod body_timeout;
mod deadline;
pub(crate) mod health;
mod status;
mod until_closing;

pub(crate) use analysis::{MessageStream, Rpc};
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) use deadline::grpc_timeout;

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use futures_util::TryFutureExt;
use http::{HeaderValue, Method as HttpMethod, Request, Response, Version, header};
use http_body_util::Either;
use pentad_model::i18n::Language;
use tonic::body::Body;
use tonic::codec::CompressionEncoding;
use tonic::server::NamedService;
use tonic::service::Routes;
use tower::util::{BoxCloneSyncService, MapResponseLayer};
use tower::{Layer, Service, ServiceExt};

use crate::app::App;
use crate::calls::Method;
use crate::cors;
use crate::language;
use crate::listen::{LongStream, RequestBody};
use crate::proto::FILE_DESCRIPTOR_SET;
use crate::proto::analysis_server::AnalysisServer;
use crate::request_id;
use crate::telemetry::{Protocol, TrackedCall};

use analysis::AnalysisService;
use body_timeout::TimeoutBody;
use until_closing::UntilClosing;

const GRPC_ENCODING: &str = "grpc-encoding";
/// RPCs whose streams last as long as the caller likes.
const KEPT_OPEN: [&str; 1] = ["/grpc.health.v1.Health/Watch"];

/// The body of a plain call, or of one that was translated from gRPC-Web.
type CallBody = Either<RequestBody, Body>;

type BoxFuture = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

/// Everything on the gRPC port.
#[derive(Clone)]
pub(crate) struct GrpcPort {
    router: AnalysisRouter,
    web: BoxCloneSyncService<Request<Body>, Response<Body>, Infallible>,
}

impl GrpcPort {
    pub(crate) fn new(app: &Arc<App>) -> Result<GrpcPort, tonic_reflection::server::Error> {
        let router = AnalysisRouter::new(app)?;
        let translated = router.clone().map_request(|request: Request<Body>| request.map(Either::Right));
        let web = tonic_web::GrpcWebLayer::new().layer(translated);
        let web = cors::grpc_web(&app.access).layer(web);
        let web = MapResponseLayer::new(cors::any_origin(&app.access)).layer(web);
        Ok(GrpcPort { router, web: BoxCloneSyncService::new(web) })
    }
}

impl hyper::service::Service<Request<RequestBody>> for GrpcPort {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = ResponseFuture;

    fn call(&self, request: Request<RequestBody>) -> Self::Future {
        if is_plain_grpc(&request) {
            return self.router.clone().call(request.map(Either::Left));
        }
        ResponseFuture::Other(Box::pin(self.web.clone().oneshot(request.map(Body::new))))
    }
}

fn is_plain_grpc<B>(request: &Request<B>) -> bool {
    let headers = request.headers();
    request.version() == Version::HTTP_2
        && request.method() == HttpMethod::POST
        && !headers.contains_key(header::ORIGIN)
        && headers.get(header::CONTENT_TYPE).is_some_and(|kind| !kind.as_bytes().starts_with(b"application/grpc-web"))
}

/// Routes plain calls, and gRPC-Web calls already translated to plain ones.
#[derive(Clone)]
struct AnalysisRouter {
    app: Arc<App>,
    uncompressed: AnalysisServer<AnalysisService>,
    compressed: AnalysisServer<AnalysisService>,
    /// Health and reflection; `UNIMPLEMENTED` for any other path.
    other_services: Routes,
}

impl AnalysisRouter {
    fn new(app: &Arc<App>) -> Result<AnalysisRouter, tonic_reflection::server::Error> {
        let uncompressed = AnalysisServer::new(AnalysisService::new(Arc::clone(app)))
            .accept_compressed(CompressionEncoding::Gzip)
            .max_decoding_message_size(app.config().body_bytes_max);
        let reflection = || {
            tonic_reflection::server::Builder::configure()
                .register_encoded_file_descriptor_set(FILE_DESCRIPTOR_SET)
                .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        };
        let other_services = Routes::new(health::server(Arc::clone(app)))
            .add_service(reflection().build_v1()?)
            .add_service(reflection().build_v1alpha()?)
            .prepare();
        let compressed = uncompressed.clone().send_compressed(CompressionEncoding::Gzip);
        Ok(AnalysisRouter { app: Arc::clone(app), uncompressed, compressed, other_services })
    }
}

impl Service<Request<CallBody>> for AnalysisRouter {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = ResponseFuture;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<CallBody>) -> ResponseFuture {
        let Some(rpc_name) = analysis_rpc_name(request.uri().path()) else {
            if is_reflection(request.uri().path())
                && let Err(error) =
                    self.app.access.admit(Protocol::Grpc, &request).and_then(|reservation| reservation.begin())
            {
                let request_id = request_id::from_headers(request.headers());
                let status = status::from_error(&error, request_id::as_str(&request_id));
                return ResponseFuture::refused(status.into_http(), request_id);
            }
            let is_kept_open = KEPT_OPEN.contains(&request.uri().path());
            let (timeout_ms, phase) = (self.app.config().body_timeout_ms, &self.app.phase);
            let request = request
                .map(|body| Body::new(UntilClosing::new(TimeoutBody::new(body, Some(timeout_ms)), phase.subscribe())));
            let response = self.other_services.clone().oneshot(request);
            return ResponseFuture::Other(Box::pin(response.map_ok(move |mut response| {
                if is_kept_open {
                    response.extensions_mut().insert(LongStream::KeptOpen);
                }
                response
            })));
        };
        let method = Method::from_rpc_name(rpc_name);
        let request_id = request_id::from_headers(request.headers());
        let mut call = TrackedCall::new(&self.app.telemetry, Protocol::Grpc, method, request_id.clone(), &request);
        let admitted = self.app.access.admit(Protocol::Grpc, &request).and_then(|reservation| {
            reservation.begin()?;
            Ok(call.set_reservation(reservation))
        });
        match admitted {
            Ok(admission) => drop(request.extensions_mut().insert(admission)),
            Err(error) => return ResponseFuture::refused(status::for_refused(&error, call), request_id),
        }
        let call = CallSlot::new(call);
        request.extensions_mut().insert(call.clone());
        let language = language::negotiate(request.headers());
        request.extensions_mut().insert(language);
        let headers = request.headers();
        // Short responses to requests that are not compressed opt out one by one;
        // streams cannot, and consist of short messages.
        let may_compress = !matches!(method, Method::Analyze | Method::Batch) && accepts_gzip(headers);
        let is_compressed = headers.contains_key(GRPC_ENCODING) || may_compress;
        let server = if is_compressed { &mut self.compressed } else { &mut self.uncompressed };
        // A batch has its own timeout for silent callers.
        let timeout_ms = (method != Method::Batch).then_some(self.app.config().body_timeout_ms);
        let request = request.map(|body| TimeoutBody::new(body, timeout_ms));
        let body_bytes_max = self.app.config().body_bytes_max;
        let language = method.has_translations().then_some(language);
        let (response, is_stream) = (server.call(request), method.is_stream());
        ResponseFuture::Analysis { response, call, request_id, body_bytes_max, language, is_stream }
    }
}

fn accepts_gzip(headers: &http::HeaderMap) -> bool {
    let accepted = headers.get_all("grpc-accept-encoding").iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|encoding| encoding.trim() == "gzip")
}

/// Hands the call from [`AnalysisRouter`] to [`AnalysisService`], in the
/// request's extensions.
#[derive(Clone)]
pub(crate) struct CallSlot(Arc<Mutex<Option<TrackedCall>>>);

impl CallSlot {
    fn new(call: TrackedCall) -> CallSlot {
        CallSlot(Arc::new(Mutex::new(Some(call))))
    }

    /// `None` if it was taken before.
    fn take(&self) -> Option<TrackedCall> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Reflection describes the API to admitted callers only.
fn is_reflection(path: &str) -> bool {
    path.starts_with("/grpc.reflection.")
}

fn analysis_rpc_name(path: &str) -> Option<&str> {
    path.strip_prefix('/')?.strip_prefix(AnalysisServer::<AnalysisService>::NAME)?.strip_prefix('/')
}

/// The response of [`AnalysisRouter`].
pub(crate) enum ResponseFuture {
    /// From [`AnalysisService`], or from tonic in front of it.
    Analysis {
        response: BoxFuture,
        call: CallSlot,
        request_id: HeaderValue,
        body_bytes_max: usize,
        /// The language of the texts in the response, if it has any.
        language: Option<Language>,
        is_stream: bool,
    },
    /// From any other service.
    Other(BoxFuture),
}

impl ResponseFuture {
    /// The response to a call that is not admitted.
    fn refused(mut response: Response<Body>, request_id: HeaderValue) -> ResponseFuture {
        response.headers_mut().insert(request_id::HEADER, request_id);
        ResponseFuture::Other(Box::pin(std::future::ready(Ok(response))))
    }
}

impl Future for ResponseFuture {
    type Output = Result<Response<Body>, Infallible>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match self.get_mut() {
            ResponseFuture::Other(response) => response.as_mut().poll(cx),
            ResponseFuture::Analysis { response, call, request_id, body_bytes_max, language, is_stream } => {
                let Ok(mut response) = ready!(response.as_mut().poll(cx));
                // A call that the service has not taken was refused by tonic.
                if let Some(call) = call.take() {
                    response = status::for_refused_by_tonic(response, call, *body_bytes_max);
                }
                response.headers_mut().insert(request_id::HEADER, request_id.clone());
                // A failure has its status in front, and is in English.
                let has_failed = response.headers().contains_key("grpc-status");
                if *is_stream && !has_failed {
                    response.extensions_mut().insert(LongStream::Updates);
                }
                if let Some(language) = language.filter(|_| !has_failed) {
                    let value = language::content_language(language);
                    response.headers_mut().insert(header::CONTENT_LANGUAGE, value);
                }
                Poll::Ready(Ok(response))
            }
        }
    }
}
