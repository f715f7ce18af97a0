//! The service `pentad.v1.Analysis`, generated from the table of calls.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;

use futures_util::{FutureExt, Stream, stream};
use http::HeaderMap;
use pentad_engine::Caller;
use pentad_model::i18n::Language;
use tonic::{Code, Request, Response, Status, Streaming};

use super::{CallSlot, GRPC_ENCODING, accepts_gzip, deadline, status};
use crate::access::Admission;
use crate::app::App;
use crate::cache_control;
use crate::calls::batch::grpc as batch;
use crate::calls::wire::{GameMessage, IntoProto};
use crate::calls::{self, AdmittedCaller, StreamCall, UnaryCall, Update, Updates, with_calls};
use crate::error::ApiError;
use crate::proto;
use crate::proto::analysis_server::Analysis;
use crate::telemetry::TrackedCall;

/// Shorter messages are compressed only for clients that compress, too.
const COMPRESSED_LEN_MIN: usize = 4 * 1024;

pub(super) struct AnalysisService {
    app: Arc<App>,
}

impl AnalysisService {
    pub(super) fn new(app: Arc<App>) -> AnalysisService {
        AnalysisService { app }
    }
}

/// As `async_trait` writes it.
type RpcFuture<'a, A> = Pin<Box<dyn Future<Output = Result<Response<A>, Status>> + Send + 'a>>;

macro_rules! define_service {
    ($($rpc:ident: $module:ident, $path:literal [$($verb:ident)*], $kind:ident($($rpc_parts:tt)*), { $($flag:ident)* };)*) => {
        impl Analysis for AnalysisService {
            $(define_rpc! { $kind($($rpc_parts)*) $module })*
        }
    };
}

macro_rules! define_rpc {
    (unary($method:ident, $request:ident, $response:ident) $module:ident) => {
        fn $method<'a, 'f>(&'a self, request: Request<proto::$request>) -> RpcFuture<'f, proto::$response>
        where
            'a: 'f,
            Self: 'f,
        {
            Box::pin(unary::<calls::$module::Call, _, _>(&self.app, request))
        }
    };
    (stream($method:ident, $request:ident, $response:ident, $stream:ident) $module:ident) => {
        type $stream = MessageStream<proto::$response>;

        fn $method<'a, 'f>(&'a self, request: Request<proto::$request>) -> RpcFuture<'f, Self::$stream>
        where
            'a: 'f,
            Self: 'f,
        {
            Box::pin(streaming::<calls::$module::Call, _, _>(&self.app, request))
        }
    };
    (batch() $module:ident) => {
        type BatchStream = MessageStream<proto::BatchResponse>;

        fn batch<'a, 'f>(&'a self, request: Request<Streaming<proto::BatchRequest>>) -> RpcFuture<'f, Self::BatchStream>
        where
            'a: 'f,
            Self: 'f,
        {
            Box::pin(async move {
                let (rpc, messages) = start(request, |_| None);
                match batch::start(&self.app, &rpc, messages) {
                    Ok(started) => Ok(Response::new(started.responses(rpc))),
                    Err(error) => Err(rpc.fail(error)),
                }
            })
        }
    };
    (rest_only() $module:ident) => {};
}

with_calls!(define_service);

/// Answers with one message.
async fn unary<C, Q, A>(app: &App, request: Request<Q>) -> Result<Response<A>, Status>
where
    C: UnaryCall,
    Q: GameMessage<Body = C::Body>,
    C::Answer: IntoProto<A>,
    A: prost::Message,
{
    let (rpc, message) = start(request, Q::game);
    let answer = catch_panic(async {
        let (game, body) = message.into_parts()?;
        C::answer(app, rpc.admitted(), game, body).await
    });
    match answer.await {
        Ok(answer) => Ok(rpc.respond(answer.into_proto())),
        Err(error) => Err(rpc.fail(error)),
    }
}

/// Answers with a stream of messages.
async fn streaming<C, Q, M>(app: &App, request: Request<Q>) -> Result<Response<MessageStream<M>>, Status>
where
    C: StreamCall,
    Q: GameMessage<Body = C::Body>,
    <C::Updates as Updates>::Update: IntoProto<M>,
    M: Send + 'static,
{
    let (rpc, message) = start(request, Q::game);
    let updates = catch_panic(async {
        let (game, body) = message.into_parts()?;
        calls::stream::<C>(app, rpc.admitted(), game, body).await
    });
    match updates.await {
        Ok(updates) => Ok(Response::new(messages(rpc, updates))),
        Err(error) => Err(rpc.fail(error)),
    }
}

/// Takes the call that [`AnalysisRouter`](super::AnalysisRouter) began. `game`
/// returns the game's id in the message.
fn start<Q>(request: Request<Q>, game: fn(&Q) -> Option<&str>) -> (Rpc, Q) {
    let (metadata, extensions, message) = request.into_parts();
    let call = extensions.get::<CallSlot>().and_then(CallSlot::take);
    let mut call = call.expect("the router puts every call into its request");
    let admission = extensions.get::<Admission>().cloned().expect("the router admits every call");
    let language = extensions.get::<Language>().copied().unwrap_or_default();
    if let Some(game) = game(&message) {
        call.set_game(game);
    }
    (Rpc { call, admission, language, headers: metadata.into_headers() }, message)
}

/// A call in progress.
pub(crate) struct Rpc {
    call: TrackedCall,
    admission: Admission,
    language: Language,
    headers: HeaderMap,
}

impl Rpc {
    pub(crate) fn admitted(&self) -> AdmittedCaller {
        let arrived = self.call.arrived();
        let timeout = deadline::grpc_timeout(&self.headers);
        if let Some(timeout) = timeout {
            self.call.granted().at_most(timeout);
        }
        let deadline = timeout.and_then(|timeout| arrived.checked_add(timeout));
        let (trace, reservation) = (self.call.trace().clone(), &self.admission.reservation);
        let (key, meter, language) = (reservation.caller_key(), reservation.meter(), self.language);
        let skips_cache = cache_control::skips_cache(&self.headers);
        let caller = Caller { arrived, deadline, key, trace, meter, language, skips_cache, ..Caller::now() };
        AdmittedCaller { caller, admission: self.admission.clone() }
    }

    fn respond<A: prost::Message>(self, message: A) -> Response<A> {
        // The server that does not compress needs no opt-out.
        let is_optional = !self.headers.contains_key(GRPC_ENCODING) && accepts_gzip(&self.headers);
        let opts_out = is_optional && message.encoded_len() < COMPRESSED_LEN_MIN;
        let mut response = Response::new(message);
        if opts_out {
            response.disable_compression();
        }
        self.call.finish_grpc(Code::Ok);
        response
    }

    pub(crate) fn finish(self, code: Code) {
        self.call.finish_grpc(code);
    }

    fn fail(mut self, error: ApiError) -> Status {
        let error = error.redacted();
        self.call.record_error(&error);
        let status = status::from_error(&error, self.call.request_id());
        self.call.finish_grpc(status.code());
        status
    }
}

pub(crate) type MessageStream<M> = Pin<Box<dyn Stream<Item = Result<M, Status>> + Send>>;

/// Every message to the last one. Dropping the stream stops the work for it.
fn messages<S, M>(rpc: Rpc, updates: S) -> MessageStream<M>
where
    S: Updates,
    S::Update: IntoProto<M>,
    M: Send + 'static,
{
    Box::pin(stream::unfold(Some((rpc, updates)), async |state| {
        let (rpc, mut updates) = state?;
        match catch_panic(updates.next_update()).await {
            Ok(update) if update.is_last() => {
                rpc.call.finish_grpc(Code::Ok);
                Some((Ok(update.into_proto()), None))
            }
            Ok(update) => Some((Ok(update.into_proto()), Some((rpc, updates)))),
            Err(error) => Some((Err(rpc.fail(error)), None)),
        }
    }))
}

/// Turns a panic into an internal error of this one call.
async fn catch_panic<A>(work: impl Future<Output = Result<A, ApiError>>) -> Result<A, ApiError> {
    AssertUnwindSafe(work).catch_unwind().await.unwrap_or_else(|panic| Err(ApiError::from_panic(panic)))
}
