//! Sends spans to a collector, by OTLP over gRPC.
//!
//! Calls only put spans into a bounded queue, and what finds it full is lost
//! and counted. One task takes them from there in batches. A collector that
//! does not answer costs its spans, a warning a minute, and nothing else.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use opentelemetry::KeyValue;
use opentelemetry_otlp::{SpanExporter as OtlpExporter, WithExportConfig, WithTonicConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::resource::EnvResourceDetector;
use opentelemetry_sdk::trace::{SpanData, SpanExporter};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tonic::transport::Endpoint;

use super::traceparent;
use crate::config::Config;

/// Spans in one message.
const BATCH_LEN_MAX: usize = 512;
/// Spans wait for others at most so long.
const INTERVAL: Duration = Duration::from_secs(1);
/// Pause between two warnings.
const WARNING_INTERVAL: Duration = Duration::from_mins(1);

/// The way to a collector.
pub(super) struct Exporter {
    queue: mpsc::Sender<SpanData>,
    signals: Arc<Signals>,
    task: Mutex<Option<JoinHandle<()>>>,
    sample_percent: u64,
}

#[derive(Default)]
struct Signals {
    /// Enough spans for a batch wait, or the end has come.
    wake: Notify,
    is_ending: AtomicBool,
    /// Found the queue full since the last look.
    n_dropped: AtomicU64,
}

impl fmt::Debug for Exporter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Exporter")
    }
}

impl Exporter {
    /// Starts sending to the collector that the settings name, if they do.
    /// Needs the runtime; connects when there is something to send.
    pub(super) fn start(config: &Config) -> Result<Option<Exporter>, Box<dyn std::error::Error + Send + Sync>> {
        let Some(endpoint) = &config.otlp_endpoint else { return Ok(None) };
        let time_max = Duration::from_millis(config.otlp_timeout_ms);
        let channel = Endpoint::from_shared(endpoint.as_str().to_owned())?.connect_timeout(time_max).connect_lazy();
        let mut otlp = OtlpExporter::builder().with_tonic().with_channel(channel).with_timeout(time_max).build()?;
        otlp.set_resource(&resource());
        let (queue, waiting) = mpsc::channel(config.trace_queue_len_max);
        let signals = Arc::new(Signals::default());
        let sender = Sender {
            otlp,
            endpoint: endpoint.as_str().to_owned(),
            time_max,
            waiting,
            signals: Arc::clone(&signals),
            n_lost: 0,
            warned_at: None,
        };
        let task = Mutex::new(Some(tokio::spawn(sender.run())));
        Ok(Some(Exporter { queue, signals, task, sample_percent: u64::from(config.trace_sample_percent) }))
    }

    /// Whether a trace that begins here is to be recorded.
    pub(super) fn samples(&self, random: u64) -> bool {
        random % 100 < self.sample_percent
    }

    /// Takes a span, or loses it if too many wait.
    pub(super) fn send(&self, span: SpanData) {
        if self.queue.try_send(span).is_err() {
            self.signals.n_dropped.fetch_add(1, Ordering::Relaxed);
        }
        let n_waiting = self.queue.max_capacity() - self.queue.capacity();
        if n_waiting >= BATCH_LEN_MAX.min(self.queue.max_capacity() / 2) {
            self.signals.wake.notify_one();
        }
    }

    /// Sends what waits, within a bound, and then nothing more.
    pub(super) async fn finish(&self, bound: Duration) {
        let Some(mut task) = self.task.lock().ok().and_then(|mut task| task.take()) else { return };
        self.signals.is_ending.store(true, Ordering::Release);
        self.signals.wake.notify_one();
        if timeout(bound, &mut task).await.is_err() {
            task.abort();
            tracing::warn!(bound_ms = bound.as_millis() as u64, "the last traces could not be exported in time");
        }
    }
}

/// The end of the queue.
struct Sender {
    otlp: OtlpExporter,
    endpoint: String,
    time_max: Duration,
    waiting: mpsc::Receiver<SpanData>,
    signals: Arc<Signals>,
    /// Since the last warning.
    n_lost: u64,
    warned_at: Option<Instant>,
}

impl Sender {
    async fn run(mut self) {
        loop {
            // Whichever comes first; both mean the same.
            let _ = timeout(INTERVAL, self.signals.wake.notified()).await;
            let is_last = self.signals.is_ending.load(Ordering::Acquire) || self.waiting.is_closed();
            // What comes while these are sent is for the next round.
            let mut n_left = self.waiting.len();
            while n_left > 0 {
                let batch: Vec<SpanData> =
                    std::iter::from_fn(|| self.waiting.try_recv().ok()).take(n_left.min(BATCH_LEN_MAX)).collect();
                n_left -= batch.len();
                self.export(batch).await;
            }
            let n_dropped = self.signals.n_dropped.swap(0, Ordering::Relaxed);
            if n_dropped > 0 {
                self.lost(n_dropped, "they come faster than the collector takes them");
            }
            if is_last {
                return;
            }
        }
    }

    async fn export(&mut self, batch: Vec<SpanData>) {
        let n_spans = batch.len() as u64;
        match timeout(self.time_max, self.otlp.export(batch)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => self.lost(n_spans, &error.to_string()),
            Err(_) => self.lost(n_spans, "the collector does not answer in time"),
        }
    }

    fn lost(&mut self, n_spans: u64, error: &str) {
        self.n_lost += n_spans;
        if self.warned_at.is_none_or(|at| at.elapsed() >= WARNING_INTERVAL) {
            tracing::warn!(endpoint = self.endpoint, spans = self.n_lost, error, "traces are lost");
            self.warned_at = Some(Instant::now());
            self.n_lost = 0;
        }
    }
}

/// What runs here: the standard attributes, over which those of the environment
/// (`OTEL_RESOURCE_ATTRIBUTES`, `OTEL_SERVICE_NAME`) win.
fn resource() -> Resource {
    let mut resource = Resource::builder_empty()
        .with_attributes([
            KeyValue::new("service.name", "pentad"),
            KeyValue::new("service.version", crate::VERSION),
            KeyValue::new("service.instance.id", traceparent::fresh_trace_id().to_string()),
        ])
        .with_detector(Box::new(EnvResourceDetector::new()));
    if let Some(name) = std::env::var("OTEL_SERVICE_NAME").ok().filter(|name| !name.is_empty()) {
        resource = resource.with_service_name(name);
    }
    resource.build()
}
