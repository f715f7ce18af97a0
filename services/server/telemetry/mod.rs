//! Metrics, with their descriptions and buckets; the log; traces.
//!
//! Each server has a recorder of its own, so that several can run in one
//! process. Handles are created once and kept: counting is an atomic addition,
//! and no label is formatted during a call. Labels come from closed sets, and
//! series exist from the start, at zero.
//!
//! [`tracked_call`] follows one call: metrics, log line and span. The modules `*_metrics`
//! have one source of metrics each. [`logs`] and [`log_writer`] write the log,
//! [`worker_log`] the events of worker processes. [`trace_context`] parses the caller's
//! trace, [`spans`] starts the call's span, [`export`] sends spans to a collector.

mod batch_metrics;
mod client_metrics;
#[cfg(feature = "otlp")]
mod collector_tls;
mod engine_metrics;
#[cfg_attr(not(feature = "otlp"), path = "no_export.rs")]
mod export;
mod log_writer;
mod logs;
mod port_metrics;
#[cfg(target_os = "linux")]
mod process_metrics;
mod request_metrics;
mod spans;
mod store_metrics;
mod trace_context;
mod tracked_call;
mod worker_log;
mod worker_metrics;

use std::borrow::Cow;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use metrics::{Counter, Gauge, Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use pentad_engine::Engine;
use pentad_host::{Protections, Ruleset};
use pentad_store::Layers;

pub(crate) use client_metrics::{ANONYMOUS, ClientCounters};
pub(crate) use engine_metrics::EngineMetrics;
pub(crate) use logs::{Excerpt, flush as flush_logs, init as init_logs, print_line, set_level as set_log_level};
pub(crate) use port_metrics::PortMetrics;
pub(crate) use request_metrics::Protocol;
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) use trace_context::read_arbitrary_trace_context;
pub(crate) use tracked_call::{GrantedTime, TrackedCall};
pub(crate) use worker_log::WorkerLog;

use batch_metrics::BatchMetrics;
use client_metrics::ClientMetrics;
use logs::RefusalLimiter;
use request_metrics::RequestMetrics;
use spans::Spans;
use worker_metrics::WorkerMetrics;

use crate::access::AuthFailure;
use crate::batch::ItemResult;
use crate::calls::kinds::Kind;
use crate::config::{AccessLog, Config};
use crate::reload::ReloadResult;

/// Seconds, from a search that ends at once to the longest one.
const WORK_BUCKETS: [f64; 8] = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10.0, 60.0];
/// Seconds. Few, because there is a histogram per protocol, method and game: 0.025 is promised
/// for calls without a search, and 1.5 is above the default time of a search.
const REQUEST_BUCKETS: [f64; 6] = [0.005, 0.025, 0.1, 0.5, 1.5, 10.0];
/// Seconds; a worker should be free within 0.05 s of a cancellation.
const CANCEL_BUCKETS: [f64; 10] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0];

/// Seconds beyond the granted time; at most 0.1 is promised.
const OVERRUN_BUCKETS: [f64; 4] = [0.025, 0.1, 0.5, 2.5];

/// Interval of [`upkeep`](Telemetry::upkeep); histograms buffer every sample until then.
pub(crate) const UPKEEP_INTERVAL: Duration = Duration::from_secs(5);
/// Interval of [`log_refusals`](Telemetry::log_refusals).
pub(crate) const REFUSALS_INTERVAL: Duration = Duration::from_secs(1);

/// How long a stopping server waits for its last spans to be exported.
const EXPORT_FLUSH_TIMEOUT: Duration = Duration::from_secs(2);

/// Counters that are kept in microseconds and shown in seconds: counters are whole numbers.
const MICROSECOND_COUNTERS: [&str; 2] = ["pentad_client_cpu_seconds_total", "process_cpu_seconds_total"];

/// Value of gauges to leave out: those of rule sets that are no longer served.
const NOT_SHOWN: f64 = f64::NAN;

/// All metrics of one server, and its spans.
pub(crate) struct Telemetry {
    recorder: PrometheusRecorder,
    handle: PrometheusHandle,
    requests: RequestMetrics,
    engine: Arc<EngineMetrics>,
    workers: WorkerMetrics,
    /// `pentad_ruleset_info` of the rule sets that are served.
    infos: Mutex<Vec<Gauge>>,
    clients: ClientMetrics,
    batches: BatchMetrics,
    refusals: RefusalLimiter,
    /// Set by [`start_export`](Self::start_export) if a collector is configured.
    spans: OnceLock<Spans>,
}

impl Telemetry {
    /// Registers the metrics of a server without games.
    pub(crate) fn new(access_log: AccessLog) -> Result<Arc<Telemetry>, BuildError> {
        let full = |name: &str| Matcher::Full(name.to_owned());
        let recorder = PrometheusBuilder::new()
            .set_buckets_for_metric(full("pentad_request_duration_seconds"), &REQUEST_BUCKETS)?
            .set_buckets_for_metric(full("pentad_request_overrun_seconds"), &OVERRUN_BUCKETS)?
            .set_buckets_for_metric(full("pentad_search_duration_seconds"), &WORK_BUCKETS)?
            .set_buckets_for_metric(full("pentad_queue_wait_seconds"), &WORK_BUCKETS)?
            .set_buckets_for_metric(full("pentad_cancel_latency_seconds"), &CANCEL_BUCKETS)?
            .build_recorder();
        let handle = recorder.handle();
        let (requests, engine, clients, batches) = metrics::with_local_recorder(&recorder, || {
            describe_all();
            #[cfg(target_os = "linux")]
            process_metrics::describe();
            gauge!("pentad_build_info", "version" => crate::VERSION, "revision" => crate::revision()).set(1.0);
            ReloadResult::ALL.into_iter().for_each(|result| reloads(result).increment(0));
            set_protections(Protections::default());
            let (requests, engine) = (RequestMetrics::new(access_log), Arc::new(EngineMetrics::new()));
            (requests, engine, ClientMetrics::new(), BatchMetrics::new())
        });
        let (infos, refusals, spans) = (Mutex::default(), RefusalLimiter::default(), OnceLock::new());
        let workers = WorkerMetrics::default();
        Ok(Arc::new(Telemetry {
            recorder,
            handle,
            requests,
            engine,
            workers,
            infos,
            clients,
            batches,
            refusals,
            spans,
        }))
    }

    /// Registers the metrics of the rule sets that are served from now on; `n_refused`
    /// files are not.
    pub(crate) fn set_rulesets(&self, rulesets: &[Arc<Ruleset>], n_refused: usize) {
        let games: Vec<&str> = rulesets.iter().map(|ruleset| ruleset.info().id.as_str()).collect();
        self.workers.set_rulesets(rulesets);
        let mut infos = self.infos.lock().unwrap_or_else(PoisonError::into_inner);
        self.with_recorder(|| {
            self.requests.add_games(&games);
            self.engine.add_games(&games);
            gauge!("pentad_rulesets_refused").set(n_refused as f64);
            infos.iter().for_each(|info| info.set(NOT_SHOWN));
            *infos = rulesets.iter().map(|ruleset| ruleset_info(ruleset)).collect();
            infos.iter().for_each(|info| info.set(1.0));
        });
    }

    /// Sets which protections the kernel enforces on worker processes.
    pub(crate) fn set_protections(&self, active: Protections) {
        self.with_recorder(|| set_protections(active));
    }

    /// Counts files that were loaded and refused, at the start or by a reload.
    pub(crate) fn count_loads(&self, n_loaded: usize, n_refused: usize) {
        self.with_recorder(|| {
            counter!("pentad_ruleset_loads_total", "result" => "loaded").increment(n_loaded as u64);
            counter!("pentad_ruleset_loads_total", "result" => "refused").increment(n_refused as u64);
        });
    }

    /// Starts exporting spans if a collector is configured. Call it on the runtime.
    pub(crate) fn start_export(&self, config: &Config) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        if let Some(spans) = Spans::start(config)? {
            // A server starts once, so this is never set twice.
            let _ = self.spans.set(spans);
        }
        Ok(())
    }

    /// Exports the queued spans, within [`EXPORT_FLUSH_TIMEOUT`].
    pub(crate) async fn shutdown_export(&self) {
        if let Some(spans) = self.spans.get() {
            spans.shutdown(EXPORT_FLUSH_TIMEOUT).await;
        }
    }

    /// Counts a batch item.
    pub(crate) fn count_batch_item(&self, kind: Option<Kind>, result: ItemResult) {
        self.batches.count(kind, result);
    }

    /// Counts a reload.
    pub(crate) fn count_reload(&self, result: ReloadResult) {
        self.with_recorder(|| reloads(result).increment(1));
    }

    /// Returns the observer for the engine.
    pub(crate) fn observer(&self) -> Arc<EngineMetrics> {
        Arc::clone(&self.engine)
    }

    /// Returns the counters of a caller, by the name of its token or [`ANONYMOUS`].
    pub(crate) fn client(&self, name: &str) -> Arc<ClientCounters> {
        self.with_recorder(|| self.clients.client(name))
    }

    /// Sets when the first certificate of a file expires; `None` if there is no such file.
    pub(crate) fn set_tls_not_after(&self, file: &'static str, seconds: Option<i64>) {
        let seconds = seconds.map_or(NOT_SHOWN, |seconds| seconds as f64);
        self.with_recorder(|| gauge!("pentad_tls_not_after_seconds", "file" => file).set(seconds));
    }

    pub(crate) fn count_auth_failure(&self, failure: AuthFailure) {
        self.clients.count_auth_failure(failure);
    }

    /// Registers the metrics of a port: `grpc`, `rest` or `admin`.
    pub(crate) fn port(&self, port: &'static str) -> PortMetrics {
        self.with_recorder(|| PortMetrics::new(port))
    }

    /// Renders all metrics in Prometheus's text format, with current gauges.
    pub(crate) fn render(&self, engine: &Engine, stores: Option<&Layers>) -> String {
        self.with_recorder(|| {
            #[cfg(target_os = "linux")]
            process_metrics::export();
            counter!("pentad_log_lines_lost_total").absolute(logs::n_lost());
            self.set_gauges(engine);
            store_metrics::export(stores);
        });
        let text = self.handle.render();
        let is_shown = |line: &&str| !line.ends_with(" NaN\n");
        text.split_inclusive('\n').filter(is_shown).map(in_seconds).collect()
    }

    /// Moves buffered samples into their buckets. Call it every
    /// [`UPKEEP_INTERVAL`].
    pub(crate) fn upkeep(&self) {
        self.handle.run_upkeep();
    }

    /// Logs how many refusals were left out of the log. Call it every
    /// [`REFUSALS_INTERVAL`].
    pub(crate) fn log_refusals(&self) {
        self.refusals.log_left_out();
    }

    /// Sets the gauges that are not updated by events. Call it with the recorder set.
    fn set_gauges(&self, engine: &Engine) {
        let stats = engine.stats();
        for queue in &stats.queues {
            let class = queue.class.as_str();
            gauge!("pentad_queue_depth", "class" => class).set(queue.depth as f64);
            gauge!("pentad_queue_oldest_seconds", "class" => class).set(queue.oldest.as_secs_f64());
        }
        for pool in &stats.pools {
            gauge!("pentad_workers", "pool" => pool.name).set(pool.workers as f64);
            gauge!("pentad_workers_busy", "pool" => pool.name).set(pool.busy as f64);
        }
        gauge!("pentad_cache_entries").set(stats.cache_entries as f64);
        gauge!("pentad_cache_bytes").set(stats.cache_bytes as f64);
        gauge!("pentad_search_memory_bytes").set(stats.search_memory_bytes as f64);
        for game in self.requests.by_game().served() {
            let if_served = |value: f64| if engine.ruleset(game).is_ok() { value } else { NOT_SHOWN };
            let is_up = f64::from(u8::from(engine.is_up(game)));
            gauge!("pentad_ruleset_up", "game" => game.clone()).set(if_served(is_up));
            let n_searches = engine.n_searches(game) as f64;
            gauge!("pentad_searches_running", "game" => game.clone()).set(if_served(n_searches));
        }
        self.workers.export();
    }

    fn with_recorder<T>(&self, work: impl FnOnce() -> T) -> T {
        metrics::with_local_recorder(&self.recorder, work)
    }
}

impl std::fmt::Debug for Telemetry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Telemetry")
    }
}

/// Converts the value of a line of the metrics if it is one of [`MICROSECOND_COUNTERS`].
fn in_seconds(line: &str) -> Cow<'_, str> {
    let is_converted = MICROSECOND_COUNTERS.iter().any(|name| line.starts_with(name));
    let parts = line.trim_end().rsplit_once(' ').filter(|_| is_converted);
    match parts.and_then(|(series, value)| Some((series, value.parse::<u64>().ok()?))) {
        Some((series, us)) => Cow::Owned(format!("{series} {}\n", us as f64 / 1e6)),
        None => Cow::Borrowed(line),
    }
}

/// Registers the help texts of all metrics.
fn describe_all() {
    describe_counter!("pentad_requests_total", "Calls, by status code; CANCELLED or 499 if the caller cancelled");
    describe_histogram!("pentad_request_duration_seconds", Unit::Seconds, "From a call's arrival to its last byte");
    describe_histogram!(
        "pentad_request_overrun_seconds",
        Unit::Seconds,
        "How far beyond its time limit or deadline a call ended; 0 if in time"
    );
    describe_gauge!("pentad_calls_in_flight", "Calls that have arrived and not ended");
    describe_gauge!("pentad_connections", "Open connections, by port");
    describe_counter!(
        "pentad_connections_closed_total",
        "Connections that the server closed or refused for what they did, by port and reason"
    );
    describe_counter!("pentad_rejected_total", "Calls that failed, by the reason given to the caller");
    describe_counter!("pentad_batch_items_total", "Questions of batches, by kind and by what became of them");
    describe_counter!("pentad_client_cpu_seconds_total", "CPU time of searches, by name of the caller's token, else -");
    describe_counter!(
        "pentad_rate_limited_total",
        "Calls refused for their quota, by name of the caller's token, else -"
    );
    describe_counter!(
        "pentad_overloaded_total",
        "Calls refused because a queue was full, by name of the caller's token, else -, and by whether the caller was \
         within its share of the calls in flight or beyond it"
    );
    describe_gauge!(
        "pentad_tls_not_after_seconds",
        Unit::Seconds,
        "When the first certificate of a file expires, in seconds since 1970"
    );
    describe_counter!("pentad_auth_failures_total", "Calls refused for their token: missing, malformed or unknown");
    describe_histogram!("pentad_search_duration_seconds", Unit::Seconds, "Time that searches spent on a worker");
    describe_counter!("pentad_search_nodes_total", "Positions visited by searches");
    describe_counter!("pentad_search_stops_total", "Searches that ended, by stop reason");
    describe_counter!("pentad_evaluations_total", "Evaluations returned, by certainty and source");
    describe_counter!("pentad_cache_requests_total", "Cache lookups: hit, miss, or shared with a running search");
    describe_gauge!("pentad_cache_entries", "Answers in the cache");
    describe_gauge!("pentad_cache_bytes", Unit::Bytes, "About how much memory the answers in the cache take");
    describe_counter!(
        "pentad_store_requests_total",
        "Lookups in a store of answers: hit, miss, skipped while it is down or busy, timeout, bad if damaged, failed"
    );
    describe_counter!(
        "pentad_store_writes_total",
        "Answers offered to a store: stored, kept if a better one was there, dropped, failed; and evicted ones"
    );
    describe_gauge!("pentad_store_entries", "Answers in a store");
    describe_gauge!("pentad_store_bytes", Unit::Bytes, "What the answers in a store take, without free space in it");
    describe_gauge!("pentad_store_up", "1 while a store serves, 0 while it does not or there is none");
    describe_gauge!("pentad_stores_down", "Configured stores that do not serve");
    describe_counter!(
        "pentad_store_set_aside_total",
        "Files of a store that could not be read, were renamed and replaced by an empty one"
    );
    describe_gauge!(
        "pentad_search_memory_bytes",
        Unit::Bytes,
        "Memory granted to running searches, and to tables that are kept for the next ones"
    );
    describe_gauge!("pentad_queue_depth", "Searches waiting for a worker");
    describe_gauge!("pentad_queue_oldest_seconds", Unit::Seconds, "Waiting time of the oldest search in the queue");
    describe_histogram!("pentad_queue_wait_seconds", Unit::Seconds, "Time that searches waited for a worker");
    describe_gauge!(
        "pentad_workers",
        "Workers: short, long and bulk for searches, rules for calls of the rules, lists for long lists of moves"
    );
    describe_gauge!("pentad_workers_busy", "Workers that run a job");
    describe_gauge!("pentad_searches_running", "Searches running, also those that were given up and go on");
    describe_histogram!(
        "pentad_cancel_latency_seconds",
        Unit::Seconds,
        "Time from the moment that no caller waits for a search to its worker being free"
    );
    describe_gauge!("pentad_ruleset_info", "1 for every loaded rule set");
    describe_gauge!(
        "pentad_ruleset_up",
        "1 while a rule set serves, 0 while it is quarantined or its worker process is down"
    );
    describe_gauge!("pentad_ruleset_protection", "1 if the kernel enforces this protection on worker processes");
    describe_counter!("pentad_ruleset_faults_total", "Faults of rule sets, by kind");
    describe_gauge!("pentad_rulesets_refused", "Rule set files that the last load or reload refused");
    describe_counter!("pentad_ruleset_restarts_total", "Restarts of a rule set's worker process");
    describe_counter!("pentad_ruleset_loads_total", "Rule set files found: loaded or refused");
    describe_counter!("pentad_log_lines_lost_total", "Lines of the log that standard error did not take");
    describe_counter!(
        "pentad_reloads_total",
        "Reloads of settings and rule sets: ok, partial if a file was refused, failed"
    );
    describe_gauge!("pentad_build_info", "1, labelled with version and revision");
}

fn set_protections(active: Protections) {
    for name in Protections::all().names() {
        let is_active = active.names().any(|it| it == name);
        gauge!("pentad_ruleset_protection", "protection" => name).set(f64::from(u8::from(is_active)));
    }
}

fn reloads(result: ReloadResult) -> Counter {
    counter!("pentad_reloads_total", "result" => result.as_str())
}

fn ruleset_info(ruleset: &Ruleset) -> Gauge {
    let info = ruleset.info();
    gauge!(
        "pentad_ruleset_info",
        "game" => info.id.clone(),
        "version" => info.version.clone(),
        "abi" => format!("{}.{}", info.abi_major, info.abi_minor),
        "sha256" => info.sha256.clone(),
        "isolation" => ruleset.isolation().as_str(),
    )
}
