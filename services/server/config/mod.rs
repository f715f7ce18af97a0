//! Every knob: what it does, its unit, default and bounds.
//!
//! One table says it all. From it come the flags (`--grpc-listen`), the
//! environment (`PENTAD_GRPC_LISTEN`), the keys of the file (`grpc_listen`) and
//! what `--print-config` prints. A flag wins over the environment, that over
//! the file, that over the default.
//!
//! Reading the sources belongs to `source`, the types of values to `value`.

mod memory;
mod print;
mod source;
mod value;

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use pentad_engine::EngineConfig;

pub use print::print;
pub use source::{ConfigError, KnobFlags, Settings, Source};
pub use value::{CorsOrigins, Kind, LogFilter, LogFormat, OtlpEndpoint};

use value::{KnobValue, within};

/// One knob as the sources and the documentation see it.
#[derive(Debug)]
pub struct Knob {
    /// As in the file.
    pub key: &'static str,
    /// What it does, for operators.
    pub doc: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// Smallest and largest number allowed.
    pub bounds: Option<(u64, u64)>,
    /// Reads the text of a flag or an environment variable.
    pub(crate) set: fn(&mut Config, &str) -> Result<(), String>,
    /// The value as TOML, `None` where nothing is set.
    pub(crate) show: fn(&Config) -> Option<String>,
}

impl Knob {
    /// `grpc-listen`, without the two dashes.
    pub fn flag(&self) -> String {
        self.key.replace('_', "-")
    }

    /// `PENTAD_GRPC_LISTEN`.
    pub fn env(&self) -> String {
        format!("PENTAD_{}", self.key.to_uppercase())
    }
}

macro_rules! knobs {
    ($( $(#[doc = $doc:literal])+ $name:ident: $type:ty = $default:expr $(, $min:literal ..= $max:literal)?; )+) => {
        /// The effective settings of a server.
        #[derive(Clone, Debug)]
        pub struct Config {
            $( $(#[doc = $doc])+ pub $name: $type, )+
        }

        impl Default for Config {
            fn default() -> Self {
                Config { $( $name: $default, )+ }
            }
        }

        /// Every knob, in the order of the documentation.
        pub static KNOBS: &[Knob] = &[$(
            Knob {
                key: stringify!($name),
                doc: concat!($($doc, "\n"),+),
                kind: <$type as KnobValue>::KIND,
                bounds: knobs!(@bounds $($min $max)?),
                set: |config, text| {
                    let value = <$type as KnobValue>::parse(text)?;
                    $( within(&value, $min, $max)?; )?
                    config.$name = value;
                    Ok(())
                },
                show: |config| config.$name.to_toml(),
            },
        )+];
    };
    (@bounds) => { None };
    (@bounds $min:literal $max:literal) => { Some(($min, $max)) };
}

knobs! {
    /// Where gRPC and gRPC-Web are served. Port 0 takes a free port.
    grpc_listen: SocketAddr = SocketAddr::from(([127, 0, 0, 1], 50051));
    /// Where REST and its documentation are served.
    rest_listen: SocketAddr = SocketAddr::from(([127, 0, 0, 1], 8080));
    /// Where metrics, probes and the list of rule sets are served, in plain
    /// text to whoever asks: never make it public.
    admin_listen: SocketAddr = SocketAddr::from(([127, 0, 0, 1], 9090));

    /// Directory of the rule sets; every `.so` in it is loaded. Without it the
    /// bundled ones are: `rulesets/` beside the executable, else `deps/`.
    rulesets: Option<PathBuf> = None;
    /// File of the SHA-256 sums that may be loaded, as `sha256sum` prints them.
    /// Without it every rule set of the directory may.
    allow_list: Option<PathBuf> = None;

    /// Searches running at once, of those due within two seconds and as many
    /// again of those that have longer. More than cores does not help: a search
    /// keeps its threads busy all the time.
    workers: usize = engine().workers.get(), 1..=1024;
    /// Threads of one search that is due within two seconds.
    threads_per_search: usize = engine().threads_per_search.get(), 1..=256;
    /// Threads of one search that has longer.
    threads_per_long_search: usize = engine().threads_per_long_search.get(), 1..=256;
    /// Memory that one search may use, in MiB, of up to twice `workers` searches
    /// at once. Most use a fraction; exact solutions use all they need (Pentago
    /// with 18 marbles 1,000, with 17 from 1,500 to 3,000, with 16 4,500). By
    /// default half of the memory, shared by `workers`, at most 5,120.
    memory_per_search_mib: u64 = memory::share_per_search_mib(engine().workers.get()), 1..=1_048_576;
    /// Questions waiting for a worker. One more is refused as `overloaded`.
    queue_len_max: usize = engine().queue_len_max, 0..=1_000_000;
    /// Memory of remembered answers, in MiB. 0 remembers nothing.
    cache_mib: u64 = engine().cache_bytes_max >> 20, 0..=1_048_576;
    /// A search that goes on so long after it was told to stop is given up: its
    /// worker is replaced and the rule set charged with a hang.
    hang_grace_ms: u64 = ms(engine().hang_grace), 50..=60_000;

    /// Time of a question that names no limit.
    time_default_ms: u64 = ms(engine().time_default), 1..=3_600_000;
    /// Longest time that a question gets, whatever it asks for.
    time_max_ms: u64 = ms(engine().time_max), 1..=3_600_000;
    /// Moves on one page of legal moves, and the page size of a question that
    /// names none.
    page_len_max: usize = engine().page_len_max, 1..=100_000;
    /// Hints of one answer.
    hints_max: usize = engine().hints_max, 1..=1_000;
    /// Moves in one question, played or listed.
    moves_len_max: usize = engine().moves_len_max, 1..=100_000;
    /// Bytes of a position's text.
    position_len_max: usize = engine().position_len_max, 16..=4_096;
    /// Bytes of a request's body or gRPC message.
    body_bytes_max: usize = 262_144, 1_024..=67_108_864;

    /// Connections open at once, per port. The next one waits to be accepted.
    connections_max: usize = 4_096, 1..=1_000_000;
    /// Age at which a connection is told to finish, give or take a tenth: its
    /// calls are answered and its client opens another, so that replicas that
    /// came later get their share. 0 lets connections live as long as they like.
    connection_age_ms_max: u64 = 0, 0..=86_400_000;
    /// Calls at once on one HTTP/2 connection.
    streams_per_connection_max: u32 = 512, 1..=65_536;
    /// Pause after which an HTTP/2 connection is asked for a sign of life.
    /// 0 never asks.
    keepalive_interval_ms: u64 = 60_000, 0..=3_600_000;
    /// How long that sign may take before the connection is closed.
    keepalive_timeout_ms: u64 = 20_000, 100..=600_000;
    /// How long an HTTP/1.1 client may take to send its request's head.
    header_timeout_ms: u64 = 15_000, 100..=600_000;
    /// How long a client may take to send its request's body, all of it.
    body_timeout_ms: u64 = 15_000, 100..=600_000;
    /// Web origins that may call REST and gRPC-Web from a browser: `*` for any,
    /// or a list. Credentials are never allowed, so `*` gives away nothing that
    /// the open port does not.
    cors_origins: CorsOrigins = CorsOrigins::Any;

    /// Pause between "not ready" and closing the ports when stopping, so that
    /// load balancers have looked away. 5000 is usual on Kubernetes.
    drain_delay_ms: u64 = 0, 0..=600_000;
    /// How long running calls may take to finish when stopping. Then searches
    /// are told to answer with what they have.
    drain_ms_max: u64 = 30_000, 0..=3_600_000;

    /// Form of the log on standard error.
    log_format: LogFormat = LogFormat::Text;
    /// What is logged: `error`, `warn`, `info`, `debug` (a line per request),
    /// `trace`, or a filter such as `info,pentad=debug`.
    log_level: LogFilter = LogFilter::default();

    /// Collector that traces are sent to, by OTLP over gRPC without TLS:
    /// `http://HOST:PORT`, usually port 4317. Without it none are; the log tells
    /// trace ids all the same. `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`
    /// say who sends them; `OTEL_EXPORTER_OTLP_HEADERS` and `_COMPRESSION` work.
    otlp_endpoint: Option<OtlpEndpoint> = None;
    /// How long sending one batch may take, its retries included. Then its
    /// spans are lost; calls never wait for it.
    otlp_timeout_ms: u64 = 5_000, 100..=60_000;
    /// How many of 100 traces that begin here are sent. Calls with a
    /// `traceparent` do as it says.
    trace_sample_percent: u32 = 100, 0..=100;
    /// Spans waiting to be sent, about 1 kB each. One more is lost.
    trace_queue_len_max: usize = 4_096, 1..=1_000_000;
}

impl Config {
    /// The part of the settings that bounds the engine.
    pub fn engine(&self) -> EngineConfig {
        let count = |n: usize| NonZeroUsize::new(n).unwrap_or(NonZeroUsize::MIN);
        EngineConfig {
            workers: count(self.workers),
            threads_per_search: count(self.threads_per_search),
            threads_per_long_search: count(self.threads_per_long_search),
            memory_per_search_bytes: self.memory_per_search_mib << 20,
            queue_len_max: self.queue_len_max,
            cache_bytes_max: self.cache_mib << 20,
            time_default: Duration::from_millis(self.time_default_ms),
            time_max: Duration::from_millis(self.time_max_ms),
            moves_len_max: self.moves_len_max,
            position_len_max: self.position_len_max,
            hints_max: self.hints_max,
            page_len_max: self.page_len_max,
            hang_grace: Duration::from_millis(self.hang_grace_ms),
        }
    }

    /// What no single knob can know.
    fn check(&self) -> Result<(), ConfigError> {
        if self.time_default_ms > self.time_max_ms {
            let (default, max) = (self.time_default_ms, self.time_max_ms);
            return Err(ConfigError::Contradiction(format!("time_default_ms is {default}, above time_max_ms, {max}")));
        }
        Ok(())
    }
}

fn engine() -> EngineConfig {
    EngineConfig::default()
}

fn ms(duration: Duration) -> u64 {
    duration.as_millis() as u64
}
