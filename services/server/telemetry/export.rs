//! Exports spans to a collector, by OTLP over gRPC.
//!
//! Calls put spans into a bounded queue; if it is full, they are dropped and counted.
//! One task exports them in batches. A collector that does not respond costs spans and
//! one warning per minute, never a call.
//!
//! The SDK's `BatchSpanProcessor` is unsuitable: it reports the number of dropped spans
//! only at shutdown, and dropping its provider waits for the collector.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use opentelemetry::{Context, KeyValue};
use opentelemetry_otlp::{SpanExporter as OtlpExporter, WithExportConfig, WithTonicConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::resource::EnvResourceDetector;
use opentelemetry_sdk::trace::{IdGenerator, RandomIdGenerator, Span, SpanData, SpanExporter, SpanProcessor};
use tokio::sync::{Notify, mpsc};
use tokio::time::timeout;
use tonic::transport::Endpoint;

use super::collector_tls;
use crate::config::Config;

/// Spans per export.
const BATCH_LEN_MAX: usize = 512;
/// Longest wait for a batch to fill.
const BATCH_INTERVAL: Duration = Duration::from_secs(1);
/// Shortest time between two warnings.
const WARNING_INTERVAL: Duration = Duration::from_mins(1);

/// Sending end of the queue.
#[derive(Clone, Debug)]
pub(super) struct Exporter {
    queue: mpsc::Sender<SpanData>,
    signals: Arc<ExportSignals>,
}

#[derive(Debug, Default)]
struct ExportSignals {
    /// A batch is full, or the exporter shuts down.
    wake: Notify,
    is_shutting_down: AtomicBool,
    /// Number of spans dropped because the queue was full, since the last batch.
    n_dropped: AtomicU64,
}

impl Exporter {
    /// Returns `None` if no collector is configured. Call it on the runtime. It
    /// connects with the first batch.
    pub(super) fn start(config: &Config) -> Result<Option<Exporter>, Box<dyn std::error::Error + Send + Sync>> {
        let Some(endpoint) = &config.otlp_endpoint else { return Ok(None) };
        let timeout = Duration::from_millis(config.otlp_timeout_ms);
        let collector = Endpoint::from_shared(endpoint.as_str().to_owned())?.connect_timeout(timeout);
        let channel = if endpoint.is_tls() { collector_tls::channel(&collector)? } else { collector.connect_lazy() };
        let mut otlp = OtlpExporter::builder().with_tonic().with_channel(channel).with_timeout(timeout).build()?;
        otlp.set_resource(&resource());
        let (queue, receiver) = mpsc::channel(config.trace_queue_len_max);
        let signals = Arc::new(ExportSignals::default());
        let task = BatchTask {
            otlp,
            endpoint: endpoint.as_str().to_owned(),
            timeout,
            queue: receiver,
            signals: Arc::clone(&signals),
            n_lost: 0,
            warned_at: None,
        };
        tokio::spawn(task.run());
        Ok(Some(Exporter { queue, signals }))
    }

    /// Exports the queued spans, within the bound, and stops the task.
    pub(super) async fn shutdown(&self, bound: Duration) {
        self.signals.is_shutting_down.store(true, Ordering::Release);
        self.signals.wake.notify_one();
        // The task closes the queue as it ends.
        if timeout(bound, self.queue.closed()).await.is_err() {
            tracing::warn!(bound_ms = bound.as_millis() as u64, "the last traces could not be exported in time");
        }
    }
}

impl SpanProcessor for Exporter {
    fn on_start(&self, _: &mut Span, _: &Context) {}

    /// Queues a span, or drops it if the queue is full.
    fn on_end(&self, span: SpanData) {
        if self.queue.try_send(span).is_err() {
            self.signals.n_dropped.fetch_add(1, Ordering::Relaxed);
        }
        let n_queued = self.queue.max_capacity() - self.queue.capacity();
        if n_queued >= BATCH_LEN_MAX.min(self.queue.max_capacity() / 2) {
            self.signals.wake.notify_one();
        }
    }

    // These do not wait for the collector; `Exporter::shutdown` does.
    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }
}

/// Receiving end of the queue.
struct BatchTask {
    otlp: OtlpExporter,
    endpoint: String,
    timeout: Duration,
    queue: mpsc::Receiver<SpanData>,
    signals: Arc<ExportSignals>,
    /// Number of spans lost since the last warning.
    n_lost: u64,
    warned_at: Option<Instant>,
}

impl BatchTask {
    async fn run(mut self) {
        loop {
            // Either way there is something to export.
            let _ = timeout(BATCH_INTERVAL, self.signals.wake.notified()).await;
            let is_last = self.signals.is_shutting_down.load(Ordering::Acquire) || self.queue.is_closed();
            // Spans queued during these exports are left to the next round.
            let mut n_left = self.queue.len();
            while n_left > 0 {
                let batch: Vec<SpanData> =
                    std::iter::from_fn(|| self.queue.try_recv().ok()).take(n_left.min(BATCH_LEN_MAX)).collect();
                n_left -= batch.len();
                self.export(batch).await;
            }
            let n_dropped = self.signals.n_dropped.swap(0, Ordering::Relaxed);
            if n_dropped > 0 {
                self.record_lost(n_dropped, "spans arrive faster than the collector accepts them");
            }
            if is_last {
                return;
            }
        }
    }

    async fn export(&mut self, batch: Vec<SpanData>) {
        let n_spans = batch.len() as u64;
        match timeout(self.timeout, self.otlp.export(batch)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => self.record_lost(n_spans, &error.to_string()),
            Err(_) => self.record_lost(n_spans, "the collector did not respond in time"),
        }
    }

    fn record_lost(&mut self, n_spans: u64, error: &str) {
        self.n_lost += n_spans;
        if self.warned_at.is_none_or(|at| at.elapsed() >= WARNING_INTERVAL) {
            tracing::warn!(endpoint = self.endpoint, spans = self.n_lost, error, "traces are lost");
            self.warned_at = Some(Instant::now());
            self.n_lost = 0;
        }
    }
}

/// Returns the service's identity. `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_SERVICE_NAME`
/// override the attributes set here.
fn resource() -> Resource {
    let mut resource = Resource::builder_empty()
        .with_attributes([
            KeyValue::new("service.name", "pentad"),
            KeyValue::new("service.version", crate::VERSION),
            KeyValue::new("service.instance.id", RandomIdGenerator::default().new_trace_id().to_string()),
        ])
        .with_detector(Box::new(EnvResourceDetector::new()));
    if let Some(name) = std::env::var("OTEL_SERVICE_NAME").ok().filter(|name| !name.is_empty()) {
        resource = resource.with_service_name(name);
    }
    resource.build()
}
