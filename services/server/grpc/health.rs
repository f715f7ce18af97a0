//! grpc.health.v1 for the server (``), the service, and each game, also those that
//! are required and missing.
//!
//! Statuses are computed on request, so they are never stale. A watch polls
//! four times a second and ends when the public ports are closed: otherwise it
//! would hold up the drain.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{Stream, stream};
use tonic::{Request, Response, Status};
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_server::{Health, HealthServer};
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};

use crate::app::{App, ServerPhase};

const SERVICE: &str = "pentad.v1.Analysis";
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// For the gRPC and the admin port.
pub(crate) fn server(app: Arc<App>) -> HealthServer<HealthService> {
    HealthServer::new(HealthService { app })
}

#[derive(Debug)]
pub(crate) struct HealthService {
    app: Arc<App>,
}

#[tonic::async_trait]
impl Health for HealthService {
    async fn check(&self, request: Request<HealthCheckRequest>) -> Result<Response<HealthCheckResponse>, Status> {
        let service = request.into_inner().service;
        match serving_status(&self.app, &service) {
            Some(status) => Ok(Response::new(HealthCheckResponse { status: status.into() })),
            None => Err(Status::not_found(format!("no service `{service}`; there are {SERVICE} and {SERVICE}/GAME"))),
        }
    }

    type WatchStream = Pin<Box<dyn Stream<Item = Result<HealthCheckResponse, Status>> + Send>>;

    async fn watch(&self, request: Request<HealthCheckRequest>) -> Result<Response<Self::WatchStream>, Status> {
        let service = request.into_inner().service;
        Ok(Response::new(status_stream(Arc::clone(&self.app), service)))
    }
}

fn status_stream(
    app: Arc<App>,
    service: String,
) -> Pin<Box<dyn Stream<Item = Result<HealthCheckResponse, Status>> + Send>> {
    Box::pin(stream::unfold((app, service, None), async |(app, service, reported)| {
        let mut phase = app.phase.subscribe();
        loop {
            let status = serving_status(&app, &service).unwrap_or(ServingStatus::ServiceUnknown);
            if reported != Some(status) {
                let response = HealthCheckResponse { status: status.into() };
                return Some((Ok(response), (app, service, Some(status))));
            }
            if *phase.borrow_and_update() == ServerPhase::Closing {
                return None;
            }
            // A new phase and a timeout both mean: check again.
            let _ = tokio::time::timeout(POLL_INTERVAL, phase.changed()).await;
        }
    }))
}

fn serving_status(app: &App, service: &str) -> Option<ServingStatus> {
    let ready = match service.strip_prefix(SERVICE) {
        None if service.is_empty() => app.is_ready(),
        Some("") => app.is_ready(),
        Some(game) => {
            let game = game.strip_prefix('/')?;
            if app.engine.ruleset(game).is_err() && !app.config().require_games.contains(game) {
                return None;
            }
            app.is_game_ready(game)
        }
        None => return None,
    };
    Some(if ready { ServingStatus::Serving } else { ServingStatus::NotServing })
}
