//! The service `pentad.v1.Analysis`.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;

use futures_util::{FutureExt, Stream, stream};
use http::HeaderMap;
use pentad_engine as engine;
use pentad_engine::Caller;
use pentad_host::Ruleset;
use pentad_model::i18n::Language;
use tonic::{Code, Request, Response, Status, Streaming};

use super::{CallSlot, GRPC_ENCODING, accepts_gzip, batch, deadline, status};
use crate::access::{Admission, QuotaReservation};
use crate::app::App;
use crate::convert::grpc as convert;
use crate::convert::threats as convert_threats;
use crate::error::ApiError;
use crate::language;
use crate::proto;
use crate::proto::analysis_server::Analysis;
use crate::quota_stream::{QuotaStream, SteppedCall};
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
pub(super) struct Rpc {
    call: TrackedCall,
    admission: Admission,
    headers: HeaderMap,
}

impl Rpc {
    /// Who asks, and until when.
    pub(super) fn caller(&self) -> Caller {
        let arrived = self.call.arrived();
        let timeout = deadline::grpc_timeout(&self.headers);
        if let Some(timeout) = timeout {
            self.call.granted().at_most(timeout);
        }
        let deadline = timeout.and_then(|timeout| arrived.checked_add(timeout));
        let (trace, reservation) = (self.call.trace().clone(), &self.admission.reservation);
        let (key, meter, language) = (reservation.caller_key(), reservation.meter(), self.language());
        Caller { arrived, deadline, key, trace, meter, language, ..Caller::now() }
    }

    fn language(&self) -> Language {
        language::negotiate(&self.headers)
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

    /// What the call may cost.
    pub(super) fn reservation(&self) -> Arc<QuotaReservation> {
        Arc::clone(&self.admission.reservation)
    }

    pub(super) fn finish(self, code: Code) {
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

#[tonic::async_trait]
impl Analysis for AnalysisService {
    async fn list_games(
        &self,
        request: Request<proto::ListGamesRequest>,
    ) -> Result<Response<proto::ListGamesResponse>, Status> {
        let (rpc, _) = start(request, |_| None);
        rpc.respond(async |caller| {
            let game = |ruleset: &Arc<Ruleset>| convert::game(ruleset, caller.language);
            let games = self.app.engine.rulesets().iter().map(game).collect();
            Ok(proto::ListGamesResponse { games })
        })
        .await
    }

    async fn get_game(
        &self,
        request: Request<proto::GetGameRequest>,
    ) -> Result<Response<proto::GetGameResponse>, Status> {
        let (rpc, request) = start(request, |request| Some(&request.game));
        rpc.respond(async |caller| Ok(convert::game_answer(&*self.app.engine.ruleset(&request.game)?, caller.language)))
            .await
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
            Ok(convert::moves_answer(self.app.engine.legal_moves(&question, caller).await?))
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

    async fn list_threats(
        &self,
        request: Request<proto::ListThreatsRequest>,
    ) -> Result<Response<proto::ListThreatsResponse>, Status> {
        let (rpc, request) = start(request, |request| Some(&request.game));
        let admission = rpc.admission.clone();
        rpc.respond(async |caller| {
            let question = convert_threats::grpc_question(request);
            if question.depth > 1 {
                admission.admit_search(&self.app.engine, question.limits, &caller)?;
            }
            Ok(convert_threats::grpc_answer(self.app.engine.threats(&question, caller).await?))
        })
        .await
    }

    type AnalyzeStream = MessageStream<proto::AnalyzeResponse>;

    async fn analyze(&self, request: Request<proto::AnalyzeRequest>) -> Result<Response<Self::AnalyzeStream>, Status> {
        let (rpc, request) = start(request, |request| Some(&request.game));
        let caller = rpc.caller();
        let started = catch_panic(async {
            let question = convert::analyze_question(request)?;
            rpc.admission.admit_search(&self.app.engine, question.limits, &caller)?;
            Ok(self.app.engine.analyze(&question, caller).await?)
        });
        match started.await {
            Ok(analysis) => Ok(Response::new(messages(rpc, analysis))),
            Err(error) => Err(rpc.fail(error)),
        }
    }

    type ReviewStream = MessageStream<proto::ReviewResponse>;

    async fn review(&self, request: Request<proto::ReviewRequest>) -> Result<Response<Self::ReviewStream>, Status> {
        let (rpc, request) = start(request, |request| Some(&request.game));
        let caller = rpc.caller();
        let started = catch_panic(async {
            let review = self.app.engine.review(&convert::review_question(request), caller.clone()).await?;
            QuotaStream::new(&self.app.engine, rpc.admission.clone(), caller, review)
        });
        match started.await {
            Ok(review) => Ok(Response::new(messages(rpc, review))),
            Err(error) => Err(rpc.fail(error)),
        }
    }

    type FindPuzzlesStream = MessageStream<proto::FindPuzzlesResponse>;

    async fn find_puzzles(
        &self,
        request: Request<proto::FindPuzzlesRequest>,
    ) -> Result<Response<Self::FindPuzzlesStream>, Status> {
        let (rpc, request) = start(request, |request| Some(&request.game));
        let caller = rpc.caller();
        let started = catch_panic(async {
            let puzzles = self.app.engine.puzzles(&convert::puzzle_question(request), caller.clone()).await?;
            QuotaStream::new(&self.app.engine, rpc.admission.clone(), caller, puzzles)
        });
        match started.await {
            Ok(puzzles) => Ok(Response::new(messages(rpc, puzzles))),
            Err(error) => Err(rpc.fail(error)),
        }
    }

    async fn compare(
        &self,
        request: Request<proto::CompareRequest>,
    ) -> Result<Response<proto::CompareResponse>, Status> {
        let (rpc, request) = start(request, |request| Some(&request.game));
        let admission = rpc.admission.clone();
        rpc.respond(async |caller| {
            let question = convert::comparison_question(request);
            admission.admit_search(&self.app.engine, question.limits, &caller)?;
            Ok(convert::comparison_answer(self.app.engine.compare(&question, caller).await?))
        })
        .await
    }

    async fn explore(
        &self,
        request: Request<proto::ExploreRequest>,
    ) -> Result<Response<proto::ExploreResponse>, Status> {
        let (rpc, request) = start(request, |request| Some(&request.game));
        rpc.respond(async |caller| {
            let question = convert::exploration_question(request);
            Ok(convert::exploration_answer(self.app.engine.explore(&question, caller).await?))
        })
        .await
    }

    type BatchStream = batch::ResponseStream;

    async fn batch(
        &self,
        request: Request<Streaming<proto::BatchRequest>>,
    ) -> Result<Response<Self::BatchStream>, Status> {
        let (rpc, messages) = start(request, |_| None);
        match batch::start(&self.app, &rpc, messages) {
            Ok(started) => Ok(Response::new(started.responses(rpc))),
            Err(error) => Err(rpc.fail(error)),
        }
    }
}

/// Where the messages of a stream come from.
trait MessageSource: Send + 'static {
    type Message: Send + 'static;
    /// The next message, and whether it is the last.
    fn next_message(&mut self) -> impl Future<Output = Result<(Self::Message, bool), ApiError>> + Send;
}

impl MessageSource for engine::Analysis {
    type Message = proto::AnalyzeResponse;

    async fn next_message(&mut self) -> Result<(proto::AnalyzeResponse, bool), ApiError> {
        let Some(hints) = self.next().await else {
            return Err(ApiError::internal("an analysis ended without a final update"));
        };
        let update = convert::analysis_update(hints?);
        let is_last = update.r#final;
        Ok((update, is_last))
    }
}

impl MessageSource for QuotaStream<engine::Review> {
    type Message = proto::ReviewResponse;

    async fn next_message(&mut self) -> Result<(proto::ReviewResponse, bool), ApiError> {
        let update = self.next().await?;
        let is_last = engine::Review::is_last(&update);
        Ok((convert::review_message(self.variant(), update), is_last))
    }
}

impl MessageSource for QuotaStream<engine::Puzzles> {
    type Message = proto::FindPuzzlesResponse;

    async fn next_message(&mut self) -> Result<(proto::FindPuzzlesResponse, bool), ApiError> {
        let update = self.next().await?;
        let is_last = engine::Puzzles::is_last(&update);
        Ok((convert::puzzle_message(self.variant(), update), is_last))
    }
}

type MessageStream<M> = Pin<Box<dyn Stream<Item = Result<M, Status>> + Send>>;

/// Every message to the last one. Dropping the stream stops the work for it.
fn messages<S: MessageSource>(rpc: Rpc, source: S) -> MessageStream<S::Message> {
    Box::pin(stream::unfold(Some((rpc, source)), async |state| {
        let (rpc, mut source) = state?;
        match catch_panic(source.next_message()).await {
            Ok((message, true)) => {
                rpc.call.finish_grpc(Code::Ok);
                Some((Ok(message), None))
            }
            Ok((message, false)) => Some((Ok(message), Some((rpc, source)))),
            Err(error) => Some((Err(rpc.fail(error)), None)),
        }
    }))
}

/// Turns a panic into an internal error of this one call.
async fn catch_panic<A>(work: impl Future<Output = Result<A, ApiError>>) -> Result<A, ApiError> {
    AssertUnwindSafe(work).catch_unwind().await.unwrap_or_else(|panic| Err(ApiError::from_panic(panic)))
}
