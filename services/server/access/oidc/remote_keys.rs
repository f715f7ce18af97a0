//! A provider's key set at a URL.
//!
//! A separate thread fetches it: at start-up, every ten minutes, and soon after a token
//! names an unknown key, since providers rotate their keys. Calls never wait for it. If
//! a fetch fails or its result is unusable, the known keys stay valid, so an outage of
//! the provider does not affect this server.

use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use arc_swap::{ArcSwap, Guard};
use bytes::Bytes;
use http::{Request, StatusCode, Uri, header};
use http_body_util::{BodyExt as _, Empty, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use tokio::runtime::{Builder, Runtime};

use super::key_set::{BYTES_MAX, KeySet, KeySetError};

/// From connecting to the last byte.
const FETCH_TIME_MAX: Duration = Duration::from_secs(5);
const REFRESH_INTERVAL: Duration = Duration::from_mins(10);
/// Delay after a failure; doubled after each further one.
const RETRY_AFTER_MIN: Duration = Duration::from_secs(1);
/// Minimum time between two fetches, however many unknown keys are named.
const COOLDOWN: Duration = Duration::from_secs(5);
/// How long start-up waits for the first fetch.
const FIRST_WAIT_MAX: Duration = Duration::from_secs(6);

/// Keys of the last fetch. The thread ends when this is dropped.
#[derive(Debug)]
pub(super) struct RemoteKeys {
    url: Uri,
    keys: ArcSwap<KeySet>,
    refresh: SyncSender<()>,
}

impl RemoteKeys {
    /// Starts fetching and waits up to [`FIRST_WAIT_MAX`] for the first result. Until
    /// there is one, tokens are refused.
    pub(super) fn start(url: &Uri) -> Result<Arc<RemoteKeys>, KeySetError> {
        let unusable = |message| KeySetError::Unusable { place: url.to_string(), message };
        let fetcher = Fetcher::new(url.clone()).map_err(unusable)?;
        let (refresh, wanted) = mpsc::sync_channel(1);
        let (first, is_first) = mpsc::sync_channel(1);
        let keys = Arc::new(RemoteKeys { url: url.clone(), keys: ArcSwap::default(), refresh });
        let weak = Arc::downgrade(&keys);
        let run = move || fetcher.run(&weak, &wanted, &first);
        let thread = thread::Builder::new().name("oidc-keys".to_owned()).spawn(run);
        thread.map_err(|error| unusable(error.to_string()))?;
        // The log has the error.
        let _waited = is_first.recv_timeout(FIRST_WAIT_MAX);
        Ok(keys)
    }

    pub(super) fn url(&self) -> &Uri {
        &self.url
    }

    pub(super) fn load(&self) -> Guard<Arc<KeySet>> {
        self.keys.load()
    }

    /// Fetches the keys again, unless that was done within [`COOLDOWN`].
    pub(super) fn refresh_soon(&self) {
        // If the channel is full, a refresh is already pending.
        let _already_wanted = self.refresh.try_send(());
    }
}

struct Fetcher {
    url: Uri,
    runtime: Runtime,
    client: Client<HttpsConnector<HttpConnector>, Empty<Bytes>>,
}

impl Fetcher {
    fn new(url: Uri) -> Result<Fetcher, String> {
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
        let builder = HttpsConnectorBuilder::new().with_native_roots();
        let builder = builder.map_err(|error| format!("cannot read the system's certificate authorities: {error}"))?;
        // The setting allows plain HTTP to this machine only.
        let connector = builder.https_or_http().enable_http1().build();
        Ok(Fetcher { url, runtime, client: Client::builder(TokioExecutor::new()).build(connector) })
    }

    fn run(self, keys: &Weak<RemoteKeys>, wanted: &mpsc::Receiver<()>, first: &SyncSender<()>) {
        let mut retry_after = RETRY_AFTER_MIN;
        loop {
            let fetched_at = Instant::now();
            let fetched = self.runtime.block_on(async { tokio::time::timeout(FETCH_TIME_MAX, self.fetch()).await });
            let fetched = fetched.unwrap_or_else(|_| Err(format!("no response within {} s", FETCH_TIME_MAX.as_secs())));
            let wait = match fetched {
                Ok(set) => {
                    let Some(keys) = keys.upgrade() else { return };
                    tracing::debug!(url = %self.url, keys = ?set, "fetched the keys of the OpenID Connect provider");
                    keys.keys.store(Arc::new(set));
                    retry_after = RETRY_AFTER_MIN;
                    REFRESH_INTERVAL
                }
                Err(error) => {
                    let message = "cannot fetch the keys of the OpenID Connect provider; the known keys stay valid";
                    tracing::error!(url = %self.url, error, message);
                    let wait = retry_after;
                    retry_after = (2 * retry_after).min(REFRESH_INTERVAL);
                    wait
                }
            };
            // Only start-up waits for a result, and only for the first.
            let _nobody_waits = first.try_send(());
            match wanted.recv_timeout(wait) {
                Ok(()) => thread::sleep(COOLDOWN.saturating_sub(fetched_at.elapsed())),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    async fn fetch(&self) -> Result<KeySet, String> {
        let request = Request::get(&self.url).header(header::ACCEPT, "application/json");
        let request = request.body(Empty::new()).map_err(|error| error.to_string())?;
        let response = self.client.request(request).await.map_err(|error| with_causes(&error))?;
        // Redirects are not followed: they could lead anywhere.
        if response.status() != StatusCode::OK {
            return Err(format!("status {}", response.status()));
        }
        let body = Limited::new(response.into_body(), BYTES_MAX).collect().await.map_err(|error| error.to_string())?;
        KeySet::parse(&body.to_bytes())
    }
}

/// Returns `client error (Connect): tcp connect error: Connection refused`, for
/// example.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
