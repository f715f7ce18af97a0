//! grpc.health.v1: the server (``), the service, and each game.
//!
//! Answers are looked up when asked, so they cannot lag behind. A watch looks
//! again four times a second, and ends when the server has closed its ports:
//! it would hold up the drain otherwise.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{Stream, stream};
use tonic::{Request, Response, Status};
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_server::{Health, HealthServer};
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};

use crate::app::{App, Phase};

const SERVICE: &str = "pentad.v1.Analysis";
const LOOK_AGAIN: Duration = Duration::from_millis(250);

/// For the gRPC and the admin port.
pub(crate) fn server(app: Arc<App>) -> HealthServer<HealthService> {
    HealthServer::new(HealthService { app })
}

/// Says whether the server, or one game, may get traffic.
#[derive(Debug)]
pub(crate) struct HealthService {
    app: Arc<App>,
}

#[tonic::async_trait]
impl Health for HealthService {
    async fn check(&self, request: Request<HealthCheckRequest>) -> Result<Response<HealthCheckResponse>, Status> {
        let service = request.into_inner().service;
        match status_of(&self.app, &service) {
            Some(status) => Ok(Response::new(HealthCheckResponse { status: status.into() })),
            None => Err(Status::not_found(format!("no service `{service}`; see {SERVICE} and {SERVICE}/GAME"))),
        }
    }

    type WatchStream = Pin<Box<dyn Stream<Item = Result<HealthCheckResponse, Status>> + Send>>;

    async fn watch(&self, request: Request<HealthCheckRequest>) -> Result<Response<Self::WatchStream>, Status> {
        let service = request.into_inner().service;
        Ok(Response::new(changes(Arc::clone(&self.app), service)))
    }
}

fn changes(app: Arc<App>, service: String) -> Pin<Box<dyn Stream<Item = Result<HealthCheckResponse, Status>> + Send>> {
    Box::pin(stream::unfold((app, service, None), async |(app, service, told)| {
        let mut phase = app.phase.subscribe();
        loop {
            let status = status_of(&app, &service).unwrap_or(ServingStatus::ServiceUnknown);
            if told != Some(status) {
                let answer = HealthCheckResponse { status: status.into() };
                return Some((Ok(answer), (app, service, Some(status))));
            }
            if *phase.borrow_and_update() == Phase::Closing {
                return None;
            }
            // Either it changed or it is time to look again.
            let _ = tokio::time::timeout(LOOK_AGAIN, phase.changed()).await;
        }
    }))
}

fn status_of(app: &App, service: &str) -> Option<ServingStatus> {
    let ready = match service.strip_prefix(SERVICE) {
        None if service.is_empty() => app.is_ready(),
        Some("") => app.is_ready(),
        Some(game) => {
            let game = game.strip_prefix('/')?;
            app.engine.ruleset(game).ok()?;
            app.is_game_ready(game)
        }
        None => return None,
    };
    Some(if ready { ServingStatus::Serving } else { ServingStatus::NotServing })
}
