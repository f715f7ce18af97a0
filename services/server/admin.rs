//! The admin port: metrics, probes, and the loaded plugins.
//!
//! It stays open until the drain is complete, so that the drain can be observed. It has
//! no authentication and must not be public.

use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use http::uri::Authority;
use http::{HeaderMap, StatusCode, header};
use pentad_host::{IsolationStatus, Protections};
use pentad_store::Layers;
use serde::Serialize;
use tonic::service::Routes;

use crate::app::{App, Loading, ServerPhase};
use crate::grpc::health;
use crate::host_header;
use crate::store_backup;

/// Routes of the admin port.
pub(crate) fn router(app: &Arc<App>) -> Router {
    let pages = Router::new()
        .route("/metrics", get(metrics))
        .route("/plugins", get(plugins))
        .route_layer(from_fn_with_state(Arc::clone(app), check_name))
        .route("/plugins:reload", post(reload))
        .route("/store:backup", post(backup))
        // Probes need not know the server's name.
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(readyz))
        .with_state(Arc::clone(app));
    let pages = pages.merge(Routes::new(health::server(Arc::clone(app))).into_axum_router().reset_fallback());
    pages.layer(from_fn(check_host))
}

/// Refuses requests without exactly one `Host`.
async fn check_host(request: Request, next: Next) -> Response {
    match host_header::check(request.version(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(error) => (StatusCode::BAD_REQUEST, format!("{error}\n")).into_response(),
    }
}

/// Refuses requests by a name that is not the server's: a page could read what this
/// port shows if its own name resolved to this machine (DNS rebinding).
async fn check_name(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if app.access.allows_admin_host(request.headers(), request.uri()) {
        return next.run(request).await;
    }
    let message = "this server does not have this name; use its address, or list the name in allowed_hosts\n";
    (StatusCode::MISDIRECTED_REQUEST, message).into_response()
}

async fn metrics(State(app): State<Arc<App>>) -> impl IntoResponse {
    (
        [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")],
        app.telemetry.render(&app.engine, app.store.as_ref()),
    )
}

async fn readyz(State(app): State<Arc<App>>) -> impl IntoResponse {
    let reason = match *app.phase.borrow() {
        ServerPhase::Starting => "starting\n".to_owned(),
        ServerPhase::Draining | ServerPhase::Closing => "draining\n".to_owned(),
        ServerPhase::Ready => match app.missing_games() {
            Some(missing) => format!("required games are missing: {missing}\n"),
            None if app.n_awaited() > 0 => format!("rule sets are being loaded: {} left\n", app.n_awaited()),
            None if !app.has_a_game() => "no rule set answers\n".to_owned(),
            None => return (StatusCode::OK, "ready\n".to_owned()),
        },
    };
    (StatusCode::SERVICE_UNAVAILABLE, reason)
}

/// Responds when the reload is complete: 200 with the changes, even if files were
/// refused; 500 if nothing could be changed.
async fn reload(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    if !is_direct(&headers) {
        let message = "reload by this port's address or localhost, not from a web page\n";
        return (StatusCode::FORBIDDEN, message).into_response();
    }
    match app.reload("admin").await {
        Ok(reloaded) => Json(reloaded).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")).into_response(),
    }
}

/// Responds with a dump of the store's file.
async fn backup(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    if !is_direct(&headers) {
        let message = "back up by this port's address or localhost, not from a web page\n";
        return (StatusCode::FORBIDDEN, message).into_response();
    }
    store_backup::backup(app).await
}

/// Whether a request addresses this port by IP address or localhost and does not come
/// from a web page: pages can send requests here, also by a name of their own that
/// resolves to this machine.
fn is_direct(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let name = host.parse::<Authority>().ok().map(|authority| authority.host().trim_matches(['[', ']']).to_owned());
    let is_address = name.is_some_and(|name| name == "localhost" || name.parse::<IpAddr>().is_ok());
    is_address && !headers.contains_key(header::ORIGIN) && !headers.contains_key("sec-fetch-site")
}

/// Body of `/plugins`.
#[derive(Serialize)]
struct Plugins {
    loaded: Vec<Plugin>,
    refused: Vec<RefusedPlugin>,
    /// Files that are still being loaded after the start.
    loading: Vec<String>,
    protections: ProtectionReport,
    /// Stores of answers, nearest first.
    stores: Vec<Store>,
}

/// Protections of worker processes, by name.
#[derive(Serialize)]
struct ProtectionReport {
    /// Those that the kernel enforces.
    active: Vec<&'static str>,
    missing: Vec<&'static str>,
    /// Those that `require_protections` names.
    required: Vec<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Store {
    /// `file` or `shared`.
    layer: &'static str,
    place: String,
    /// `up` or `down`.
    state: &'static str,
    /// Why it is down.
    problem: Option<String>,
    entries: u64,
    /// Number of unreadable files that were renamed since the start.
    set_aside: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Plugin {
    file: String,
    sha256: String,
    game: String,
    version: String,
    abi: String,
    /// `process` or `in-process`.
    isolation: &'static str,
    /// `up`, or `down` while the rule set is quarantined or its worker process is down.
    state: &'static str,
    /// Worker process, if the rule set has one.
    worker: Option<WorkerReport>,
    /// The file and its directory, if other users can write to them.
    writable_by_others: Vec<String>,
    faults: u64,
    last_fault: Option<LastFault>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WorkerReport {
    /// `starting`, `up`, `restarting` or `quarantined`.
    state: &'static str,
    pid: Option<u32>,
    restarts: u64,
    /// Protections that the kernel enforces on it.
    protections: Vec<&'static str>,
    /// Milliseconds since 1970.
    started_unix_ms: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LastFault {
    kind: &'static str,
    call: &'static str,
    detail: String,
    /// Milliseconds since 1970.
    at_unix_ms: u64,
}

#[derive(Serialize)]
struct RefusedPlugin {
    file: String,
    error: String,
}

async fn plugins(State(app): State<Arc<App>>) -> Json<Plugins> {
    let loaded = app.engine.rulesets().into_iter().map(|ruleset| {
        let (info, isolation) = (ruleset.info(), ruleset.isolation());
        Plugin {
            file: text(&info.path),
            sha256: info.sha256.clone(),
            game: info.id.clone(),
            version: info.version.clone(),
            abi: format!("{}.{}", info.abi_major, info.abi_minor),
            isolation: isolation.as_str(),
            state: if app.engine.is_up(&info.id) { "up" } else { "down" },
            worker: match isolation {
                IsolationStatus::InProcess => None,
                IsolationStatus::Process(worker) => Some(WorkerReport {
                    state: worker.state.as_str(),
                    pid: worker.pid,
                    restarts: worker.restarts,
                    protections: worker.protections.names().collect(),
                    started_unix_ms: unix_ms(worker.started),
                }),
            },
            writable_by_others: info.writable_by_others.iter().map(|path| text(path)).collect(),
            faults: ruleset.faults(),
            last_fault: ruleset.last_fault().map(|(at, fault)| LastFault {
                kind: fault.kind.as_str(),
                call: fault.call,
                detail: fault.detail,
                at_unix_ms: unix_ms(at),
            }),
        }
    });
    let refused = app.refused();
    let refused = refused.iter().map(|file| RefusedPlugin { file: text(&file.path), error: file.error.clone() });
    let stores = app.store.iter().flat_map(Layers::status).map(|status| Store {
        layer: status.layer,
        place: status.place,
        state: if status.state.is_up() { "up" } else { "down" },
        problem: status.state.problem().map(str::to_owned),
        entries: status.entries,
        set_aside: status.set_aside,
    });
    let loading = match &*app.loading.borrow() {
        Loading::Files(left) => left.iter().map(|path| text(path)).collect(),
        Loading::Complete | Loading::Failed(_) => Vec::new(),
    };
    let active = app.protections.get().copied().unwrap_or_default();
    let protections = ProtectionReport {
        active: active.names().collect(),
        missing: Protections::all().missing_from(active).names().collect(),
        required: app.config().require_protections.0.names().collect(),
    };
    let (loaded, refused, stores) = (loaded.collect(), refused.collect(), stores.collect());
    Json(Plugins { loaded, refused, loading, protections, stores })
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn unix_ms(at: SystemTime) -> u64 {
    at.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}
