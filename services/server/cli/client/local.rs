//! The REST routes in this process, without a port.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::body::Body as AxumBody;
use bytes::Bytes;
use http::{HeaderValue, Request, Response, header};
use http_body_util::{BodyExt as _, Full};
use tower::ServiceExt as _;

use super::Body;
use crate::app::App;
use crate::cli::this_program_as_worker;
use crate::config::{AccessLog, Config, LogFilter, LogFormat};
use crate::reload::Reloading;
use crate::rulesets::{self, Found};
use crate::{rest, telemetry};

const A_DAY_MS: u64 = 86_400_000;

/// The server's state and routes.
pub(super) struct Local {
    pub(super) app: Arc<App>,
    routes: Router,
    /// Rule-set files that were refused, and why.
    pub(super) refused: Vec<String>,
}

impl Local {
    /// Loads the configured rule sets, or only the one of a file, whose id is returned.
    pub(super) fn start(config: &Config, file: Option<&Path>) -> Result<(Local, Option<String>), Box<dyn Error>> {
        telemetry::init_logs(LogFormat::Text, &LogFilter::faults_only())?;
        let config = without_access(config);
        let worker = this_program_as_worker();
        let found = match file {
            Some(file) => rulesets::load_file(&config, &worker, file)?,
            None => rulesets::load(&config, &worker)?,
        };
        let Found { rulesets, refused } = &found;
        let id = file.and(rulesets.first()).map(|ruleset| ruleset.info().id.clone());
        let refused = refused.iter().map(|file| file.error.clone()).collect();
        let same = config.clone();
        let app = Arc::new(App::new(config, Reloading::new(worker, Box::new(move || Ok(same.clone())))?)?);
        app.set_rulesets(found);
        let routes = rest::calls(&app);
        Ok((Local { app, routes, refused }, id))
    }

    pub(super) async fn send(&self, request: Request<Full<Bytes>>) -> Response<Body> {
        let mut request = request.map(AxumBody::new);
        request.headers_mut().insert(header::HOST, HeaderValue::from_static("localhost"));
        let response = self.routes.clone().oneshot(request).await.unwrap_or_else(|never| match never {});
        response.map(|body| body.map_err(Into::into).boxed_unsync())
    }
}

/// Nothing but this process calls, for as long as it likes.
fn without_access(config: &Config) -> Config {
    let default = Config::default();
    Config {
        grpc_listen: default.grpc_listen,
        rest_listen: default.rest_listen,
        admin_listen: default.admin_listen,
        tokens: None,
        oidc_issuer: default.oidc_issuer,
        oidc_audience: default.oidc_audience,
        oidc_jwks: None,
        anonymous_cpu_ms_per_second: 0,
        tls_cert: None,
        tls_key: None,
        tls_client_ca: None,
        cors_origins: default.cors_origins,
        allowed_hosts: default.allowed_hosts,
        access_log: AccessLog::Off,
        stream_time_max_ms: A_DAY_MS,
        ..config.clone()
    }
}
