//! The service `pentad.v1.Analysis`.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;

use futures_util::{FutureExt, Stream, stream};
use http::HeaderMap;
use pentad_engine as engine;
use pentad_engine::Caller;
use tonic::{Code, Request, Response, Status};

use super::{CallSlot, GRPC_ENCODING, accepts_gzip, deadline, status};
use crate::access::Admission;
use crate::app::App;
use crate::convert::grpc as convert;
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

/// Takes the call that [`AnalysisRouter`](super::AnalysisRouter) began. `game`
/// picks the game's id from the message.
fn start<Q>(request: Request<Q>, game: fn(&Q) -> Option<&str>) -> (Rpc, Q) {
    let (metadata, extensions, message) = request.into_parts();
    let call = extensions.get::<CallSlot>().and_then(CallSlot::take);
    let mut call = call.expect("the router puts every call into its request");
    let admission = extensions.get::<Admission>().cloned().expect("the router admits every call");
    if let Some(game) = game(&message) {
        call.set_game(game);
    }
    (Rpc { call, admission, headers: metadata.into_headers() }, message)
}

/// A call in progress.
struct Rpc {
    call: TrackedCall,
    admission: Admission,
    headers: HeaderMap,
}

impl Rpc {
    fn caller(&self) -> Caller {
        let arrived = self.call.arrived();
        let timeout = deadline::grpc_timeout(&self.headers);
        if let Some(timeout) = timeout {
            self.call.granted().at_most(timeout);
        }
        let deadline = timeout.and_then(|timeout| arrived.checked_add(timeout));
        let (trace, meter) = (self.call.trace().clone(), self.admission.spending.meter());
        Caller { arrived, deadline, trace, meter, ..Caller::now() }
    }

    /// Answers with one message.
    async fn respond<A: prost::Message>(
        self,
        work: impl AsyncFnOnce(Caller) -> Result<A, ApiError>,
    ) -> Result<Response<A>, Status> {
        match catch_panic(work(self.caller())).await {
            Ok(message) => {
                // Only the compressing server, which serves these calls, need be told.
                let is_optional = !self.headers.contains_key(GRPC_ENCODING) && accepts_gzip(&self.headers);
                let opts_out = is_optional && message.encoded_len() < COMPRESSED_LEN_MIN;
                let mut response = Response::new(message);
                if opts_out {
                    response.disable_compression();
                }
                self.call.finish_grpc(Code::Ok);
                Ok(response)
            }
            Err(error) => Err(self.fail(error)),
        }
    }

    fn fail(mut self, error: ApiError) -> Status {
        let error = error.redacted();
        self.call.record_error(&error);
        let status = status::from_error(&error, self.call.request_id());
        self.call.finish_grpc(status.code());
        status
    }
}

#[tonic::async_trait]
impl Analysis for AnalysisService {
    async fn list_games(
        &self,
        request: Request<proto::ListGamesRequest>,
    ) -> Result<Response<proto::ListGamesResponse>, Status> {
        let (rpc, _) = start(request, |_| None);
        rpc.respond(async |_| {
            let games = self.app.engine.rulesets().iter().map(|ruleset| convert::game(ruleset)).collect();
            Ok(proto::ListGamesResponse { games })
        })
        .await
    }

    async fn get_game(
        &self,
        request: Request<proto::GetGameRequest>,
    ) -> Result<Response<proto::GetGameResponse>, Status> {
        let (rpc, request) = start(request, |request| Some(&request.game));
        rpc.respond(async |_| Ok(convert::game_answer(&*self.app.engine.ruleset(&request.game)?))).await
    }

    async fn describe_position(
        &self,
        request: Request<proto::DescribePositionRequest>,
    ) -> Result<Response<proto::DescribePositionResponse>, Status> {
        let (rpc, request) = start(request, |request| Some(&request.game));
        rpc.respond(async |caller| {
            let spec = convert::position_question(request);
            Ok(convert::position_answer(self.app.engine.describe(&spec, caller).await?))
        })
        .await
    }

    async fn list_legal_moves(
        &self,
        request: Request<proto::ListLegalMovesRequest>,
    ) -> Result<Response<proto::ListLegalMovesResponse>, Status> {
        let (rpc, request) = start(request, |request| Some(&request.game));
        rpc.respond(async |caller| {
            let question = convert::moves_question(request);
            Ok(proto::ListLegalMovesResponse { page: self.app.engine.legal_moves(&question, caller).await? })
        })
        .await
    }

    async fn evaluate(
        &self,
        request: Request<proto::EvaluateRequest>,
    ) -> Result<Response<proto::EvaluateResponse>, Status> {
        let (rpc, request) = start(request, |request| Some(&request.game));
        let admission = rpc.admission.clone();
        rpc.respond(async |caller| {
            let (spec, limits) = convert::evaluation_question(request);
            admission.admit_search(&self.app.engine, limits, &caller)?;
            Ok(convert::evaluation_answer(self.app.engine.evaluate(&spec, limits, caller).await?))
        })
        .await
    }

    async fn hint(&self, request: Request<proto::HintRequest>) -> Result<Response<proto::HintResponse>, Status> {
        let (rpc, request) = start(request, |request| Some(&request.game));
        let admission = rpc.admission.clone();
        rpc.respond(async |caller| {
            let question = convert::hint_question(request)?;
            admission.admit_search(&self.app.engine, question.limits, &caller)?;
            Ok(convert::hints_answer(self.app.engine.hint(&question, caller).await?))
        })
        .await
    }

    type AnalyzeStream = Pin<Box<dyn Stream<Item = Result<proto::AnalyzeResponse, Status>> + Send>>;

    async fn analyze(&self, request: Request<proto::AnalyzeRequest>) -> Result<Response<Self::AnalyzeStream>, Status> {
        let (rpc, request) = start(request, |request| Some(&request.game));
        let caller = rpc.caller();
        let started = catch_panic(async {
            let question = convert::analyze_question(request)?;
            rpc.admission.admit_search(&self.app.engine, question.limits, &caller)?;
            Ok(self.app.engine.analyze(&question, caller).await?)
        });
        match started.await {
            Ok(analysis) => Ok(Response::new(updates(rpc, analysis))),
            Err(error) => Err(rpc.fail(error)),
        }
    }
}

/// Every improvement, then the final one. Dropping the stream stops the search.
fn updates(
    rpc: Rpc,
    analysis: engine::Analysis,
) -> Pin<Box<dyn Stream<Item = Result<proto::AnalyzeResponse, Status>> + Send>> {
    Box::pin(stream::unfold(Some((rpc, analysis)), async |state| {
        let (rpc, mut analysis) = state?;
        let next = catch_panic(async {
            let Some(hints) = analysis.next().await else { return Ok(None) };
            Ok(Some(convert::analysis_update(hints?)))
        });
        match next.await {
            Ok(Some(update)) if update.r#final => {
                rpc.call.finish_grpc(Code::Ok);
                Some((Ok(update), None))
            }
            Ok(Some(update)) => Some((Ok(update), Some((rpc, analysis)))),
            Ok(None) => {
                let error = ApiError::internal("an analysis ended without a final update");
                Some((Err(rpc.fail(error)), None))
            }
            Err(error) => Some((Err(rpc.fail(error)), None)),
        }
    }))
}

/// Turns a panic into an internal error of this one call.
async fn catch_panic<A>(work: impl Future<Output = Result<A, ApiError>>) -> Result<A, ApiError> {
    AssertUnwindSafe(work).catch_unwind().await.unwrap_or_else(|panic| Err(ApiError::from_panic(panic)))
}
