//! The service `pentad.v1.Analysis`.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;

use futures_util::{FutureExt, Stream, stream};
use http::HeaderMap;
use pentad_engine as engine;
use pentad_engine::{Caller, Class, Place};
use tonic::{Code, Request, Response, Status};

use super::{deadline, status};
use crate::app::App;
use crate::convert::grpc as convert;
use crate::error::ApiError;
use crate::proto;
use crate::proto::analysis_server::Analysis;
use crate::request_id;
use crate::telemetry::{Call, Method, Protocol, TraceHeaders};

/// Answers the calls.
pub(super) struct AnalysisService {
    app: Arc<App>,
}

impl AnalysisService {
    pub(super) fn new(app: Arc<App>) -> AnalysisService {
        AnalysisService { app }
    }

    fn open<Q>(&self, method: Method, request: Request<Q>, game: fn(&Q) -> &str) -> (Rpc, Q) {
        let (metadata, _, asked) = request.into_parts();
        let headers = metadata.into_headers();
        let id = request_id::of(&headers);
        let mut call = Call::new(&self.app.telemetry, Protocol::Grpc, method, id, &TraceHeaders::of(&headers));
        if method != Method::ListGames {
            call.set_game(game(&asked));
        }
        (Rpc { call, headers }, asked)
    }
}

/// One call under way.
struct Rpc {
    call: Call,
    headers: HeaderMap,
}

impl Rpc {
    fn caller(&self) -> Caller {
        let arrived = self.call.arrived();
        let deadline = deadline::of(&self.headers).and_then(|left| arrived.checked_add(left));
        Caller { arrived, deadline, class: Class::Interactive, trace: self.call.trace().clone() }
    }

    async fn answer<A>(self, work: impl Future<Output = Result<A, ApiError>>) -> Result<Response<A>, Status> {
        match fenced(work).await {
            Ok(answer) => {
                self.call.end_grpc(Code::Ok);
                Ok(Response::new(answer))
            }
            Err(error) => Err(self.fail(error)),
        }
    }

    fn fail(mut self, error: ApiError) -> Status {
        let error = error.for_callers();
        self.call.rejected(&error);
        let status = status::of(&error, self.call.request_id());
        self.call.end_grpc(status.code());
        status
    }
}

#[tonic::async_trait]
impl Analysis for AnalysisService {
    async fn list_games(
        &self,
        request: Request<proto::ListGamesRequest>,
    ) -> Result<Response<proto::ListGamesResponse>, Status> {
        let (rpc, _) = self.open(Method::ListGames, request, |_| "");
        let games = async {
            let games = self.app.engine.rulesets().iter().map(|ruleset| convert::game(ruleset)).collect();
            Ok(proto::ListGamesResponse { games })
        };
        rpc.answer(games).await
    }

    async fn get_game(
        &self,
        request: Request<proto::GetGameRequest>,
    ) -> Result<Response<proto::GetGameResponse>, Status> {
        let (rpc, asked) = self.open(Method::GetGame, request, |asked| &asked.game);
        rpc.answer(async { Ok(convert::game_answer(self.app.engine.ruleset(&asked.game)?)) }).await
    }

    async fn describe_position(
        &self,
        request: Request<proto::DescribePositionRequest>,
    ) -> Result<Response<proto::DescribePositionResponse>, Status> {
        let (rpc, asked) = self.open(Method::DescribePosition, request, |asked| &asked.game);
        let caller = rpc.caller();
        let place = convert::position_question(asked);
        let description = async {
            let found = self.app.engine.describe(&place, caller).await?;
            Ok(convert::position_answer(self.app.variant(&place)?, found))
        };
        rpc.answer(description).await
    }

    async fn list_legal_moves(
        &self,
        request: Request<proto::ListLegalMovesRequest>,
    ) -> Result<Response<proto::ListLegalMovesResponse>, Status> {
        let (rpc, asked) = self.open(Method::ListLegalMoves, request, |asked| &asked.game);
        let caller = rpc.caller();
        let question = convert::moves_question(asked);
        let page = async {
            let page = self.app.engine.legal_moves(&question, caller).await?;
            Ok(proto::ListLegalMovesResponse { page })
        };
        rpc.answer(page).await
    }

    async fn evaluate(
        &self,
        request: Request<proto::EvaluateRequest>,
    ) -> Result<Response<proto::EvaluateResponse>, Status> {
        let (rpc, asked) = self.open(Method::Evaluate, request, |asked| &asked.game);
        let caller = rpc.caller();
        let (place, limits) = convert::evaluation_question(asked);
        let value = async {
            let found = self.app.engine.evaluate(&place, limits, caller).await?;
            Ok(convert::evaluation_answer(self.app.variant(&place)?, found))
        };
        rpc.answer(value).await
    }

    async fn hint(&self, request: Request<proto::HintRequest>) -> Result<Response<proto::HintResponse>, Status> {
        let (rpc, asked) = self.open(Method::Hint, request, |asked| &asked.game);
        let caller = rpc.caller();
        let hints = async {
            let question = convert::hint_question(asked)?;
            let found = self.app.engine.hint(&question, caller).await?;
            Ok(convert::hints_answer(self.app.variant(&question.place)?, found))
        };
        rpc.answer(hints).await
    }

    type AnalyzeStream = Pin<Box<dyn Stream<Item = Result<proto::AnalyzeResponse, Status>> + Send>>;

    async fn analyze(&self, request: Request<proto::AnalyzeRequest>) -> Result<Response<Self::AnalyzeStream>, Status> {
        let (rpc, asked) = self.open(Method::Analyze, request, |asked| &asked.game);
        let caller = rpc.caller();
        let started = fenced(async {
            let question = convert::analyze_question(asked)?;
            let analysis = self.app.engine.analyze(&question, caller).await?;
            Ok((analysis, question.place))
        });
        match started.await {
            Ok((analysis, place)) => Ok(Response::new(updates(rpc, Arc::clone(&self.app), analysis, place))),
            Err(error) => Err(rpc.fail(error)),
        }
    }
}

/// Every improvement, then the last; dropping it stops the search.
fn updates(
    rpc: Rpc,
    app: Arc<App>,
    analysis: engine::Analysis,
    place: Place,
) -> Pin<Box<dyn Stream<Item = Result<proto::AnalyzeResponse, Status>> + Send>> {
    Box::pin(stream::unfold(Some((rpc, analysis)), move |state| {
        let app = Arc::clone(&app);
        let place = place.clone();
        async move {
            let (rpc, mut analysis) = state?;
            let next = fenced(async {
                let Some(found) = analysis.next().await else { return Ok(None) };
                Ok(Some(convert::analysis_update(app.variant(&place)?, found?)))
            });
            match next.await {
                Ok(Some(update)) if update.r#final => {
                    rpc.call.end_grpc(Code::Ok);
                    Some((Ok(update), None))
                }
                Ok(Some(update)) => Some((Ok(update), Some((rpc, analysis)))),
                Ok(None) => {
                    let error = ApiError::internal("an analysis ended without a final answer");
                    Some((Err(rpc.fail(error)), None))
                }
                Err(error) => Some((Err(rpc.fail(error)), None)),
            }
        }
    }))
}

/// A panic costs this one call.
async fn fenced<A>(work: impl Future<Output = Result<A, ApiError>>) -> Result<A, ApiError> {
    AssertUnwindSafe(work).catch_unwind().await.unwrap_or_else(|panic| Err(ApiError::panicked(panic)))
}
