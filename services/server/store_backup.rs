//! `POST /store:backup` on the admin port: a dump of the store's file, while it is used.
//!
//! The dump is a snapshot: everything that was acknowledged before the request is in it, and
//! later writes do not change it. While it is sent, the file keeps the replaced pages, so it may
//! grow; so that there is never more than one, a second request is refused.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Instant;

use axum::body::{Body, Bytes};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use http::{StatusCode, header};
use pentad_store::{DumpStats, Layers};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use crate::app::App;

/// Chunks that wait for the client.
const CHUNKS_MAX: usize = 4;

/// Starts a dump and responds with its bytes.
pub(crate) async fn backup(app: Arc<App>) -> Response {
    let Some(store) = app.store.clone() else {
        return refuse(StatusCode::NOT_FOUND, "there is no store; see the setting store");
    };
    let Ok(turn) = Arc::clone(&app.backing_up).try_lock_owned() else {
        return refuse(StatusCode::CONFLICT, "another backup is under way; wait for its end");
    };
    let (chunks, received) = mpsc::channel(CHUNKS_MAX);
    let started = Instant::now();
    let dumping = std::thread::Builder::new().name("backup".to_owned()).spawn(move || {
        let _turn = turn;
        dump(&store, chunks, started);
    });
    if let Err(error) = dumping {
        return refuse(StatusCode::SERVICE_UNAVAILABLE, &format!("cannot start a thread: {error}"));
    }
    respond(received).await
}

/// Responds once the first chunk is there, so that a store that is down gets a status of its own.
async fn respond(mut received: mpsc::Receiver<io::Result<Bytes>>) -> Response {
    match received.recv().await {
        Some(Ok(first)) => {
            let body = stream::unfold((Some(first), received), async |(first, mut received)| {
                let chunk = match first {
                    Some(first) => Ok(first),
                    None => received.recv().await?,
                };
                Some((chunk, (None, received)))
            });
            ([(header::CONTENT_TYPE, "application/octet-stream")], Body::from_stream(body)).into_response()
        }
        Some(Err(error)) => refuse(StatusCode::SERVICE_UNAVAILABLE, &error.to_string()),
        None => refuse(StatusCode::NOT_FOUND, "no store of this server is a file; see the setting store"),
    }
}

fn refuse(status: StatusCode, message: &str) -> Response {
    (status, format!("{message}\n")).into_response()
}

/// Writes the dump. An error ends the response early, and the client sees that the end is missing.
fn dump(store: &Layers, chunks: mpsc::Sender<io::Result<Bytes>>, started: Instant) {
    let mut out = ChunkWriter { chunks, n_bytes: 0 };
    match store.dump_blocking(&mut out) {
        None => {}
        Some(Ok(DumpStats { answers, games, .. })) => {
            let (bytes, ms) = (out.n_bytes, started.elapsed().as_millis() as u64);
            tracing::info!(answers, games, bytes, ms, "backup of the store");
        }
        Some(Err(error)) => {
            tracing::warn!("the backup of the store was not completed: {error}");
            // The client may be the reason.
            let _gone = out.chunks.try_send(Err(io::Error::other(error.to_string())));
        }
    }
}

struct ChunkWriter {
    chunks: mpsc::Sender<io::Result<Bytes>>,
    n_bytes: u64,
}

impl Write for ChunkWriter {
    /// Waits while the client does not read; fails when it is gone.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let gone = || io::Error::new(io::ErrorKind::BrokenPipe, "the client closed the connection");
        let chunk = Ok(Bytes::copy_from_slice(bytes));
        match self.chunks.try_send(chunk) {
            Ok(()) => {}
            Err(TrySendError::Full(chunk)) => self.chunks.blocking_send(chunk).map_err(|_| gone())?,
            Err(TrySendError::Closed(_)) => return Err(gone()),
        }
        self.n_bytes += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
