//! Wraps the service of a port: adds the peer's address to requests, and reports
//! running requests to the connection.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::{Request, Response, Version};
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;
use hyper::service::Service;
use pin_project_lite::pin_project;

use super::activity::{BodyUnderWay, ConnectionActivity, RequestUnderWay};
use super::stream_task::{self, BodyState};
use super::{LongStream, PeerAddress};
use crate::client_address::ClientAddress;
use crate::config::TrustedProxies;

/// Maximum chunk that `h2` buffers for a response: it takes a whole chunk even if the
/// peer opens its window by a single byte.
const HTTP2_CHUNK_LEN_MAX: usize = 8 * 1024;

/// The service of one connection.
pub(super) struct ConnectionService<S> {
    pub(super) service: S,
    pub(super) peer: PeerAddress,
    pub(super) trusted_proxies: Arc<TrustedProxies>,
    pub(super) activity: Arc<ConnectionActivity>,
}

impl<S, B> Service<Request<Incoming>> for ConnectionService<S>
where
    S: Service<Request<RequestBody>, Response = Response<B>>,
{
    type Response = Response<ResponseBody<B>>;
    type Error = S::Error;
    type Future = ResponseFuture<S::Future>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        let under_way = Some(self.activity.begin_request());
        let client = ClientAddress::of(self.peer.0, request.headers(), &self.trusted_proxies);
        request.extensions_mut().insert(self.peer);
        request.extensions_mut().insert(client);
        let is_http2 = request.version() == Version::HTTP_2;
        let receiving = (!request.body().is_end_stream()).then(|| self.activity.begin_body());
        let request = request.map(|body| RequestBody { body, receiving: receiving.clone() });
        ResponseFuture { response: self.service.call(request), under_way, receiving, is_http2 }
    }
}

/// The body of a request.
#[derive(Debug)]
pub(crate) struct RequestBody {
    body: Incoming,
    receiving: Option<BodyUnderWay>,
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        Pin::new(&mut self.get_mut().body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Handlers drop a body when they have read it.
impl Drop for RequestBody {
    fn drop(&mut self) {
        if let Some(receiving) = &self.receiving {
            receiving.end();
        }
    }
}

pin_project! {
    /// The future of [`ConnectionService`].
    pub(super) struct ResponseFuture<F> {
        #[pin]
        response: F,
        under_way: Option<RequestUnderWay>,
        receiving: Option<BodyUnderWay>,
        is_http2: bool,
    }
}

impl<F, B, E> Future for ResponseFuture<F>
where
    F: Future<Output = Result<Response<B>, E>>,
{
    type Output = Result<Response<ResponseBody<B>>, E>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let response = ready!(this.response.poll(cx))?;
        let (mut under_way, is_http2) = (this.under_way.take(), *this.is_http2);
        if let Some(receiving) = this.receiving.take() {
            receiving.end();
        }
        if let Some(under_way) = &mut under_way
            && let Some(kind) = response.extensions().get::<LongStream>()
        {
            under_way.set_stream(*kind);
        }
        Poll::Ready(Ok(response.map(|body| ResponseBody { body, rest: Bytes::new(), is_http2, under_way })))
    }
}

pin_project! {
    /// Keeps the request running until the response's body ends or is dropped.
    pub(super) struct ResponseBody<B> {
        #[pin]
        body: B,
        // Rest of a frame that is sent in chunks.
        rest: Bytes,
        is_http2: bool,
        under_way: Option<RequestUnderWay>,
    }
}

impl<B: Body<Data = Bytes>> Body for ResponseBody<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let this = self.project();
        let data = if this.rest.is_empty() {
            let Poll::Ready(frame) = this.body.poll_frame(cx) else {
                stream_task::set_body_state(BodyState::Waiting);
                return Poll::Pending;
            };
            stream_task::set_body_state(BodyState::Sending);
            match frame.map(|frame| frame.map(Frame::into_data)) {
                Some(Ok(Ok(data))) => data,
                Some(Ok(Err(trailers))) => return Poll::Ready(Some(Ok(trailers))),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        } else {
            stream_task::set_body_state(BodyState::Sending);
            std::mem::take(this.rest)
        };
        let mut chunk = data;
        if *this.is_http2 && chunk.len() > HTTP2_CHUNK_LEN_MAX {
            *this.rest = chunk.split_off(HTTP2_CHUNK_LEN_MAX);
        }
        Poll::Ready(Some(Ok(Frame::data(chunk))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (body, n_rest) = (self.body.size_hint(), self.rest.len() as u64);
        let mut hint = SizeHint::new();
        if let Some(upper) = body.upper() {
            hint.set_upper(upper + n_rest);
        }
        hint.set_lower(body.lower() + n_rest);
        hint
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::{BodyExt, Full};

    use super::*;

    fn body(bytes: &[u8], is_http2: bool, activity: &Arc<ConnectionActivity>) -> ResponseBody<Full<Bytes>> {
        let under_way = Some(activity.begin_request());
        ResponseBody { body: Full::new(Bytes::copy_from_slice(bytes)), rest: Bytes::new(), is_http2, under_way }
    }

    /// On HTTP/2 long frames are sent in chunks, and the exact length stays known.
    #[tokio::test]
    async fn long_frames_are_sent_in_chunks() {
        let activity = ConnectionActivity::new();
        let bytes: Vec<u8> = (0..20_000_u32).map(|byte| byte as u8).collect();
        let mut chunked = body(&bytes, true, &activity);
        let mut received = Vec::new();
        for len in [8192, 8192, 3616] {
            assert_eq!(chunked.size_hint().exact(), Some((bytes.len() - received.len()) as u64));
            assert!(!chunked.is_end_stream());
            let chunk = chunked.frame().await.unwrap().unwrap().into_data().unwrap();
            assert_eq!(chunk.len(), len);
            received.extend(chunk);
        }
        assert!(chunked.is_end_stream());
        assert_eq!(received, bytes);
        let whole = body(&bytes, false, &activity).frame().await.unwrap().unwrap().into_data().unwrap();
        assert_eq!(whole, bytes, "HTTP/1.1 has no window");
    }

    /// A request is running until its response is dropped.
    #[tokio::test]
    async fn request_ends_with_its_response() {
        let activity = ConnectionActivity::new();
        let response = body(b"x", true, &activity);
        assert!(activity.is_busy());
        drop(response);
        assert!(!activity.is_busy());
    }
}
