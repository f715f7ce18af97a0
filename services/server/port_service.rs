//! One service type for all ports.
//!
//! Hyper's connection code is generic over the service and its body. With one type it is
//! compiled once instead of once per port.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::Router;
use axum::routing::future::RouteFuture;
use http::{Request, Response};
use http_body_util::Either;
use pin_project_lite::pin_project;
use tower::Service as _;

use crate::grpc::{self, GrpcPort};
use crate::listen::RequestBody;

/// What a port serves.
#[derive(Clone)]
pub(crate) enum PortService {
    Grpc(GrpcPort),
    /// REST or admin.
    Http(Router),
}

/// The body of a response.
pub(crate) type PortBody = Either<tonic::body::Body, axum::body::Body>;

impl hyper::service::Service<Request<RequestBody>> for PortService {
    type Response = Response<PortBody>;
    type Error = Infallible;
    type Future = PortFuture;

    fn call(&self, request: Request<RequestBody>) -> PortFuture {
        match self {
            PortService::Grpc(port) => PortFuture::Grpc { response: port.call(request) },
            // A router is always ready.
            PortService::Http(router) => PortFuture::Http { response: router.clone().call(request) },
        }
    }
}

pin_project! {
    /// The future of [`PortService`].
    #[project = PortFutureProjection]
    pub(crate) enum PortFuture {
        Grpc { response: grpc::ResponseFuture },
        Http { #[pin] response: RouteFuture<Infallible> },
    }
}

impl Future for PortFuture {
    type Output = Result<Response<PortBody>, Infallible>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        Poll::Ready(match self.project() {
            PortFutureProjection::Grpc { response } => {
                ready!(Pin::new(response).poll(cx)).map(|response| response.map(Either::Left))
            }
            PortFutureProjection::Http { response } => {
                ready!(response.poll(cx)).map(|response| response.map(Either::Right))
            }
        })
    }
}
