//! Every metric, its description and its buckets, the log, and traces.
//!
//! Each server has a recorder of its own, so that several may run in one
//! process. Handles are made once and kept: counting costs an atomic addition,
//! no label is formatted while a call runs. Labels come from closed sets, and
//! everything is there from the start, at zero.
//!
//! Calls are counted in [`requests`], what the engine reports in [`observed`].
//! Which trace a call belongs to says [`traceparent`]; [`spans`] records it,
//! [`export`] sends it away.

mod export;
mod logs;
mod observed;
mod requests;
mod spans;
mod traceparent;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use metrics::{Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use pentad_engine::{Class, Engine};
use pentad_host::Ruleset;

pub(crate) use logs::init as init_logs;
pub(crate) use observed::Observed;
pub(crate) use requests::{Call, Method, Protocol};
pub(crate) use traceparent::TraceHeaders;

use export::Exporter;
use requests::Requests;

use crate::config::Config;

/// Seconds, from a call answered out of hand to the longest search.
const LATENCY_BUCKETS: [f64; 18] =
    [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0];
/// Seconds; a worker should be free within 0.05.
const CANCEL_BUCKETS: [f64; 10] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0];

/// How often [`upkeep`](Telemetry::upkeep) is due: histograms keep every sample
/// until then.
pub(crate) const UPKEEP_INTERVAL: Duration = Duration::from_secs(5);

/// For the last traces to reach their collector when the server stops.
const LAST_TRACES: Duration = Duration::from_secs(2);

/// All metrics of one server, and the way its traces take.
pub(crate) struct Telemetry {
    recorder: PrometheusRecorder,
    handle: PrometheusHandle,
    process: metrics_process::Collector,
    requests: Requests,
    /// Empty where no traces are sent.
    exporter: OnceLock<Arc<Exporter>>,
}

impl Telemetry {
    /// Metrics for a server of these games, `n_refused` files left out.
    pub(crate) fn new(rulesets: &[Arc<Ruleset>], n_refused: usize) -> Result<Arc<Telemetry>, BuildError> {
        let full = |name: &str| Matcher::Full(name.to_owned());
        let recorder = PrometheusBuilder::new()
            .set_buckets_for_metric(full("pentad_request_duration_seconds"), &LATENCY_BUCKETS)?
            .set_buckets_for_metric(full("pentad_search_duration_seconds"), &LATENCY_BUCKETS)?
            .set_buckets_for_metric(full("pentad_cancel_latency_seconds"), &CANCEL_BUCKETS)?
            .build_recorder();
        let handle = recorder.handle();
        let process = metrics_process::Collector::default();
        let games: Vec<&str> = rulesets.iter().map(|ruleset| ruleset.info().id.as_str()).collect();
        let requests = metrics::with_local_recorder(&recorder, || {
            describe_all();
            process.describe();
            set_infos(rulesets, n_refused);
            Requests::new(&games)
        });
        Ok(Arc::new(Telemetry { recorder, handle, process, requests, exporter: OnceLock::new() }))
    }

    /// Starts to send traces, if the settings say where to. Needs the runtime.
    pub(crate) fn start_export(&self, config: &Config) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        if let Some(exporter) = Exporter::start(config)? {
            // A server is served once, so nothing is there yet.
            let _ = self.exporter.set(Arc::new(exporter));
        }
        Ok(())
    }

    /// Sends the traces that still wait, within a bound.
    pub(crate) async fn finish_export(&self) {
        if let Some(exporter) = self.exporter.get() {
            exporter.finish(LAST_TRACES).await;
        }
    }

    /// What the engine is to be given.
    pub(crate) fn observer(&self, rulesets: &[Arc<Ruleset>]) -> Observed {
        let games: Vec<&str> = rulesets.iter().map(|ruleset| ruleset.info().id.as_str()).collect();
        self.record(|| Observed::new(&games))
    }

    /// Everything in Prometheus' text format, gauges as of now.
    pub(crate) fn render(&self, engine: &Engine) -> String {
        self.record(|| {
            self.process.collect();
            set_gauges(engine);
        });
        self.handle.render()
    }

    /// Folds samples into their buckets. Due every [`UPKEEP_INTERVAL`].
    pub(crate) fn upkeep(&self) {
        self.handle.run_upkeep();
    }

    fn record<T>(&self, work: impl FnOnce() -> T) -> T {
        metrics::with_local_recorder(&self.recorder, work)
    }
}

impl std::fmt::Debug for Telemetry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Telemetry")
    }
}

/// The catalogue.
fn describe_all() {
    describe_counter!("pentad_requests_total", "Calls answered, by code; a caller's cancel is CANCELLED or 499");
    describe_histogram!("pentad_request_duration_seconds", Unit::Seconds, "From a call's arrival to its last byte");
    describe_counter!("pentad_rejected_total", "Calls refused, by the reason given");
    describe_histogram!("pentad_search_duration_seconds", Unit::Seconds, "Time that searches ran on a worker");
    describe_counter!("pentad_search_nodes_total", "Positions visited by searches");
    describe_counter!("pentad_search_stops_total", "Searches ended, by what ended them");
    describe_counter!("pentad_evaluations_total", "Values given, by how sure they are and where they come from");
    describe_counter!("pentad_cache_requests_total", "Questions to the cache: hit, miss, or shared with a running one");
    describe_gauge!("pentad_cache_entries", "Answers remembered");
    describe_gauge!("pentad_queue_depth", "Questions waiting for a worker");
    describe_gauge!("pentad_queue_oldest_seconds", Unit::Seconds, "How long the oldest of them has waited");
    describe_gauge!("pentad_workers", "Searches that can run at once");
    describe_gauge!("pentad_workers_busy", "Searches running");
    describe_histogram!(
        "pentad_cancel_latency_seconds",
        Unit::Seconds,
        "From the moment nobody waits for a search any more to its worker being free"
    );
    describe_gauge!("pentad_ruleset_info", "1 for every rule set loaded");
    describe_gauge!("pentad_ruleset_up", "1 while a rule set answers, 0 while it is set aside");
    describe_counter!("pentad_ruleset_faults_total", "Misbehaviour of rule sets, by kind");
    describe_counter!("pentad_ruleset_loads_total", "Files tried as rule sets: loaded or refused");
    describe_gauge!("pentad_build_info", "1, labelled with what runs");
}

fn set_infos(rulesets: &[Arc<Ruleset>], n_refused: usize) {
    gauge!("pentad_build_info", "version" => crate::VERSION, "revision" => crate::REVISION).set(1.0);
    counter!("pentad_ruleset_loads_total", "result" => "loaded").increment(rulesets.len() as u64);
    counter!("pentad_ruleset_loads_total", "result" => "refused").increment(n_refused as u64);
    for info in rulesets.iter().map(|ruleset| ruleset.info()) {
        gauge!(
            "pentad_ruleset_info",
            "game" => info.id.clone(),
            "version" => info.version.clone(),
            "abi" => format!("{}.{}", info.abi_major, info.abi_minor),
            "sha256" => info.sha256.clone(),
            "isolation" => "none",
        )
        .set(1.0);
    }
}

fn set_gauges(engine: &Engine) {
    let stats = engine.stats();
    for queue in &stats.queues {
        let class = match queue.class {
            Class::Interactive => "interactive",
            Class::Bulk => "bulk",
        };
        gauge!("pentad_queue_depth", "class" => class).set(queue.depth as f64);
        gauge!("pentad_queue_oldest_seconds", "class" => class).set(queue.oldest.as_secs_f64());
    }
    gauge!("pentad_workers").set(stats.workers as f64);
    gauge!("pentad_workers_busy").set(stats.workers_busy as f64);
    gauge!("pentad_cache_entries").set(stats.cache_entries as f64);
    for ruleset in engine.rulesets() {
        let game = &ruleset.info().id;
        gauge!("pentad_ruleset_up", "game" => game.clone()).set(f64::from(u8::from(engine.is_up(game))));
    }
}
