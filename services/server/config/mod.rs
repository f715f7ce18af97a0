//! The table of settings: documentation, unit, default and bounds.
//!
//! Everything comes from this table: flags (`--grpc-listen`), environment variables
//! (`PENTAD_GRPC_LISTEN`), keys of the file (`grpc_listen`) and the output of
//! `--print-config`. Flags override the environment, the environment overrides
//! the file, the file overrides the defaults.
//!
//! `source` reads flags, environment and file; `value` has the types of values.

mod environment;
mod memory;
mod print;
mod reload;
mod source;
mod value;

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use pentad_engine::EngineConfig;

pub use environment::{check_variables, log_format_of};
pub use print::print;
pub(crate) use reload::SettingChanges;
pub use source::{ConfigError, EffectiveConfig, ServeFlags, SettingFlags, Source};
pub use value::{
    AccessLog, AllowedHosts, CorsOrigins, GameIds, Isolation, JwksSource, LogFilter, LogFormat, OptionalText,
    OtlpEndpoint, Paths, ProtectionNames, RulesetDir, RulesetDirs, RulesetEntry, StoreLocation, StoreLocations,
    TrustedProxies, ValueKind,
};

use value::{SettingValue, check_bounds};

/// The definition of one setting.
#[derive(Debug)]
pub struct Setting {
    /// Key in the file.
    pub key: &'static str,
    /// Documentation for operators.
    pub doc: &'static str,
    /// The type of its values.
    pub kind: ValueKind,
    /// Minimum and maximum, for numbers.
    pub bounds: Option<(u64, u64)>,
    /// Parses the texts of flags, of an environment variable or of the file: one,
    /// unless the setting may be given more than once.
    pub(crate) set: fn(&mut Config, &[String]) -> Result<(), String>,
    /// Formats the value as TOML; `None` if it is unset.
    pub(crate) to_toml: fn(&Config) -> Option<String>,
    /// Copies the value from another configuration.
    pub(crate) copy: fn(&mut Config, &Config),
}

impl Setting {
    /// `grpc-listen`, without the two dashes.
    pub fn flag(&self) -> String {
        self.key.replace('_', "-")
    }

    /// `PENTAD_GRPC_LISTEN`.
    pub fn env(&self) -> String {
        format!("PENTAD_{}", self.key.to_uppercase())
    }
}

macro_rules! settings {
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

        /// Every setting, in the order of `--help` and `--print-config`.
        pub static SETTINGS: &[Setting] = &[$(
            Setting {
                key: stringify!($name),
                doc: concat!($($doc, "\n"),+),
                kind: <$type as SettingValue>::KIND,
                bounds: settings!(@bounds $($min $max)?),
                set: |config, texts| {
                    let value = <$type as SettingValue>::parse_all(texts)?;
                    $( check_bounds(&value, $min, $max)?; )?
                    config.$name = value;
                    Ok(())
                },
                to_toml: |config| config.$name.to_toml(),
                copy: |config, from| config.$name.clone_from(&from.$name),
            },
        )+];
    };
    (@bounds) => { None };
    (@bounds $min:literal $max:literal) => { Some(($min, $max)) };
}

settings! {
    /// Address of gRPC and gRPC-Web. Port 0 picks a free port.
    grpc_listen: SocketAddr = SocketAddr::from(([127, 0, 0, 1], 50051));
    /// Address of REST and its documentation.
    rest_listen: SocketAddr = SocketAddr::from(([127, 0, 0, 1], 8080));
    /// Address of metrics, probes and the list of rule sets, without
    /// authentication: never make it public.
    admin_listen: SocketAddr = SocketAddr::from(([127, 0, 0, 1], 9090));
    /// Serves tools for language models (Model Context Protocol, Streamable HTTP without
    /// sessions) at `/mcp` on the REST port. Their calls are those of REST, with the same
    /// tokens, quotas and limits. `/mcp?tools=games,position` serves only some of them.
    mcp: bool = false;

    /// Directories of rule sets; every `.so` in them is loaded. Repeat the flag for
    /// more than one; the file takes a list, and the environment a list separated by
    /// `:` or `,`. `bundled`, the default, is the directory of the bundled rule sets
    /// (`rulesets/` next to the executable, else `deps/`), so `bundled` followed by
    /// `./mine` adds your own. If two files have the same game, the first is loaded.
    /// `DIR=process` and `DIR=in-process` override `isolation` for one directory.
    rulesets: RulesetDirs = RulesetDirs::default();
    /// Where rule sets run: `process` starts a confined worker process for each, so
    /// that a crash, a hang or growing memory costs only the requests of that game, and
    /// restarts it; `in-process` runs them in the server, where a call is 48 to 58
    /// microseconds faster; `auto` runs the bundled rule sets in the server and all
    /// others in processes of their own. A rule set is bundled if it is in the bundled
    /// directory and its SHA-256 is in `rulesets.sha256` next to the executable, or,
    /// without that file, if it has the name of one that was built with the server.
    isolation: Isolation = Isolation::Auto;
    /// Protections without which rule sets are not loaded into processes of their own:
    /// any of `no_new_privs`, `no_capabilities`, `memory_limit`, `landlock`, `seccomp`
    /// and `no_files`. By default a process runs with those that the kernel has;
    /// `/plugins` and `pentad_ruleset_protection` name them.
    require_protections: ProtectionNames = ProtectionNames::default();
    /// Files with the SHA-256 sums of the rule sets that may be loaded, as printed by
    /// `sha256sum`. Repeat the flag for more than one, such as the list of an image and
    /// your own; the file takes a list, and the environment a list separated by `,`. By
    /// default all may be loaded.
    allow_list: Paths = Paths::default();
    /// Ids of games that must be loaded, such as `pentago,pentaflip`. Until all are, the
    /// server is not ready, so that a roll-out stops. A game that goes down later leaves
    /// the server ready for the others.
    require_games: GameIds = GameIds::default();
    /// Reloads when a rule set, the allow-list, the tokens file or a certificate
    /// changes, as `POST /plugins:reload` on the admin port and SIGHUP do.
    watch: bool = false;

    /// Number of concurrent searches with a time limit of up to two seconds. As many
    /// longer ones may run as well, and searches of batches on the workers that these
    /// leave idle, except one. More than the number of cores does not help: a search
    /// keeps its threads busy.
    workers: usize = engine_default().workers.get(), 1..=1024;
    /// Threads per search of up to two seconds.
    threads_per_search: usize = engine_default().threads_per_search.get(), 1..=256;
    /// Threads per search of more than two seconds.
    threads_per_long_search: usize = engine_default().threads_per_long_search.get(), 1..=256;
    /// Memory that one search may use, in MiB. All searches together may use twice
    /// `workers` times as much; tables unused for 30 s are freed, and if less is left,
    /// a search gets smaller tables. Most searches use a fraction; exact solutions use
    /// what they need (Pentago with 18 marbles 1,000, with 17 from 1,500 to 3,000, with
    /// 16 4,500). By default half of the memory divided by twice `workers`, at most
    /// 5,120.
    memory_per_search_mib: u64 = memory::share_per_search_mib(engine_default().workers.get()), 1..=1_048_576;
    /// Number of searches of each class that may wait for a worker. Further requests
    /// fail as `overloaded`, or replace one of a caller that has more of them waiting.
    queue_len_max: usize = engine_default().queue_len_max, 0..=1_000_000;
    /// Sum of the time limits of searches that wait for a worker, for each class and
    /// length. Searches without a time limit count as `time_default_ms`. Further
    /// requests are refused as with `queue_len_max`.
    queue_cost_ms_max: u64 = ms(engine_default().queue_cost_max), 0..=3_600_000_000;
    /// Number of analyses that stream at once, and as many reviews and searches for
    /// puzzles; one caller may have a quarter of each. Further ones fail as
    /// `overloaded`.
    streams_max: usize = 1_024, 0..=100_000;
    /// Number of batches answered at once; one caller may have a quarter of them.
    batch_streams_max: usize = 64, 0..=10_000;
    /// Number of unanswered questions of one batch. The server reads further ones only
    /// when some are answered, so this bounds the memory of a batch.
    batch_window: usize = 64, 1..=10_000;
    /// Size of the cache of answers, in MiB. 0 disables it.
    cache_mib: u64 = engine_default().cache_bytes_max >> 20, 0..=1_048_576;
    /// File in which answers outlive the process: proofs, estimates that took
    /// `store_estimate_ms_min`, and everything that a review searched. It is created if
    /// it does not exist; an unreadable one is renamed and replaced by an empty one. A
    /// file serves one process at a time.
    /// `redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE]` is a Redis or Valkey server
    /// that replicas share, which also keeps two of them from running the same search (in
    /// servers built with the feature `redis`, as images and releases are);
    /// with `rediss://` the connection is encrypted (TLS). Without a store, or while it
    /// fails, answers are searched as usual. Repeat the flag for more than one, nearest
    /// first: a file, then a shared one; the settings file takes a list, and the
    /// environment a list separated by `,`. By default nothing is stored.
    store: StoreLocations = StoreLocations::default();
    /// Size of each file in `store`, in MiB. A full file drops its least valuable
    /// answers: those of replaced rules, then those that are quick to find again.
    store_mib: u64 = 1_024, 1..=1_048_576;
    /// How long a lookup in a file of `store` may take. After that the answer is
    /// searched, and while lookups remain slow they are skipped.
    store_read_ms_max: u64 = 25, 1..=10_000;
    /// How long a lookup in a shared store may take. After five failures in a row, or
    /// as many failures as successes, it is skipped until it answers a probe in the
    /// background.
    store_shared_ms_max: u64 = 5, 1..=10_000;
    /// How long a shared store keeps an estimate, in seconds; 0 for as long as it has
    /// room. Proofs stay. A full server decides itself what to drop
    /// (`maxmemory-policy`).
    store_shared_estimate_s_max: u64 = 0, 0..=315_360_000;
    /// PEM file with the authorities that may issue the certificate of a shared store
    /// with TLS (`rediss://`). By default those that the system trusts. This file and
    /// the next two are read again for every connection.
    store_ca: Option<PathBuf> = None;
    /// PEM file with the client certificate for a shared store with TLS (mTLS), then
    /// those of its issuers. By default none is sent.
    store_cert: Option<PathBuf> = None;
    /// PEM file with the private key of `store_cert`.
    store_key: Option<PathBuf> = None;
    /// File with a secret, of at least 16 bytes, that all replicas of a shared store
    /// have: they authenticate their answers with it, so that nothing else that can
    /// write to the server can forge proofs. Without it, proofs of a shared store are
    /// given as estimates or searched again, unless the rules confirm them at once. It
    /// is read at the start; after a change, earlier answers are not found.
    store_secret: Option<PathBuf> = None;
    /// Minimum search time of estimates that are stored. Proofs are always stored, and
    /// so are the results of reviews.
    store_estimate_ms_min: u64 = ms(engine_default().stored_estimate_min), 0..=3_600_000;
    /// CPU time that a cancelled search may use until it stops, or a fifth of the time
    /// that it may be blocked. After that it counts as a `hang` fault of its rule set,
    /// and its worker is replaced.
    hang_grace_ms: u64 = ms(engine_default().hang_grace), 50..=60_000;

    /// Time limit of requests that set no limit.
    time_default_ms: u64 = ms(engine_default().time_default), 1..=3_600_000;
    /// Upper bound on the time limit of a request; higher ones are lowered to it.
    time_max_ms: u64 = ms(engine_default().time_max), 1..=3_600_000;
    /// Upper bound on the time of a review or a search for puzzles. Its last message
    /// then sums up what was found.
    stream_time_max_ms: u64 = ms(engine_default().stream_time_max), 1..=86_400_000;
    /// Maximum and default number of moves on a page of legal moves.
    page_len_max: usize = engine_default().page_len_max, 1..=100_000;
    /// Hints per response.
    hints_max: usize = engine_default().hints_max, 1..=1_000;
    /// Moves per request, in any of its lists.
    moves_len_max: usize = engine_default().moves_len_max, 1..=100_000;
    /// Length of a position's text, in bytes.
    position_len_max: usize = engine_default().position_len_max, 16..=4_096;
    /// Size of a request body or gRPC message, in bytes.
    body_bytes_max: usize = 262_144, 1_024..=67_108_864;

    /// Open connections per public port, as far as the limit of open files allows. A
    /// full port closes the connection that has waited longest for its client; if all
    /// have running requests, one that only streams its answers, and otherwise one of
    /// an address that has more connections than the newcomer's.
    connections_max: usize = 4_096, 1..=1_000_000;
    /// Open connections per port from one address (IPv6: from one /64). Further ones
    /// are closed at once. The default leaves half of a port to others and is more than
    /// most proxies open; it does not apply to `trusted_proxies`.
    connections_per_address_max: usize = 2_048, 1..=1_000_000;
    /// Addresses and networks of reverse proxies, such as `10.0.0.7,fd00::/8`. Behind
    /// them the client of a request is the last address in `X-Forwarded-For`, or else
    /// in `Forwarded`, that is not one of them. Name only proxies that append to one of
    /// these headers and drop the other, since callers can forge both.
    /// `connections_per_address_max` does not apply to them.
    trusted_proxies: TrustedProxies = TrustedProxies::default();
    /// Age at which a connection is closed gracefully, with a jitter of 10 %: its
    /// calls are completed and its client reconnects, perhaps to a newer replica.
    /// 0 means no maximum age.
    connection_age_ms_max: u64 = 0, 0..=86_400_000;
    /// How long the calls of a connection that is closed gracefully may take to
    /// complete. After that it is aborted. Set it above `time_max_ms`.
    connection_grace_ms: u64 = 90_000, 0..=86_400_000;
    /// Concurrent calls per HTTP/2 connection.
    streams_per_connection_max: u32 = 512, 1..=65_536;
    /// Interval of keep-alive PINGs on HTTP/2 connections. 0 sends none.
    keepalive_interval_ms: u64 = 60_000, 0..=3_600_000;
    /// How long the ACK of a PING may take before the connection is closed.
    keepalive_timeout_ms: u64 = 20_000, 100..=600_000;
    /// How long a client may take to send the headers of its first request (HTTP/2:
    /// the connection preface), and on HTTP/1.1 those of the next one after a response.
    header_timeout_ms: u64 = 15_000, 100..=600_000;
    /// How long an HTTP/2 connection may be without calls before it is closed
    /// gracefully. 0 means no limit. On HTTP/1.1 `header_timeout_ms` applies.
    idle_timeout_ms: u64 = 300_000, 0..=86_400_000;
    /// How long a client may leave a response unread, or read less than 1 kB of it per
    /// second. After that its connection is aborted, or its HTTP/2 stream reset.
    write_timeout_ms: u64 = 30_000, 100..=600_000;
    /// How long a client may take to send the whole request body.
    body_timeout_ms: u64 = 15_000, 100..=600_000;

    /// File with the tokens of callers: lines `name sha256-hex [cpu-ms per second]`,
    /// which `pentad token NAME` prints. Every call then needs a token, as
    /// `authorization: Bearer TOKEN`, except for health, documentation and pages. By
    /// default none is needed.
    tokens: Option<PathBuf> = None;
    /// Issuer of OpenID Connect tokens, exactly as in their `iss`. Callers may then
    /// send such a token instead of one from `tokens`; its `sub` is the caller. Needs
    /// `oidc_audience`, `oidc_jwks` and a server built with the feature `oidc`.
    oidc_issuer: OptionalText = OptionalText::default();
    /// Audience of OpenID Connect tokens: one of those in their `aud`.
    oidc_audience: OptionalText = OptionalText::default();
    /// The provider's public keys, a JSON Web Key Set: a file, which reloads read again,
    /// or a URL (`https://`, or `http://` on this machine), which is fetched every ten
    /// minutes and when a token names a new key. RS256 and ES256 are accepted.
    oidc_jwks: Option<JwksSource> = None;
    /// CPU time per second, in milliseconds, for each subject of OpenID Connect tokens.
    /// 0 sets no quota.
    oidc_cpu_ms_per_second: u64 = 0, 0..=1_000_000;
    /// CPU time per second, in milliseconds, for each client address without a token;
    /// 1000 is one core. IPv6 addresses count by their /64 network. 0 sets no quota.
    /// With `tokens`, 0 refuses callers without a token, and any other value lets them
    /// in.
    anonymous_cpu_ms_per_second: u64 = 0, 0..=1_000_000;
    /// Seconds for which the unused CPU time of a quota accumulates.
    quota_window_s: u64 = 60, 1..=3_600;
    /// PEM file with the certificate of the gRPC and REST ports, then those of its
    /// issuers. Both ports then accept only TLS, 1.2 or later.
    tls_cert: Option<PathBuf> = None;
    /// PEM file with the private key of `tls_cert`.
    tls_key: Option<PathBuf> = None;
    /// PEM file with the authorities that issue client certificates (mTLS). By default
    /// clients need none.
    tls_client_ca: Option<PathBuf> = None;
    /// How long a TLS handshake may take.
    tls_handshake_timeout_ms: u64 = 10_000, 100..=600_000;
    /// Web origins that may call REST and gRPC-Web from a browser, in addition to the
    /// server's own, such as `https://play.example.org`; `*` for any. Requests from
    /// pages of other origins are refused, so that no page uses this machine's CPU time
    /// without permission.
    cors_origins: CorsOrigins = CorsOrigins::List(Vec::new());
    /// Host names by which browsers may address the server, in addition to `localhost`
    /// and its addresses; `*` for any. By default none on a loopback address, since a
    /// page could otherwise pass as the server's own by DNS rebinding, and any
    /// elsewhere.
    allowed_hosts: AllowedHosts = AllowedHosts::List(Vec::new());
    /// Serves on an address that is not loopback although anyone may call: without
    /// `tokens`, `tls_client_ca` and `anonymous_cpu_ms_per_second`. For networks where
    /// something else controls access.
    insecure: bool = false;

    /// Delay between becoming not ready and closing the ports on shutdown, for
    /// load balancers to notice. 5000 is usual on Kubernetes.
    drain_delay_ms: u64 = 0, 0..=600_000;
    /// How long running calls may take to complete on shutdown. After that,
    /// searches are stopped and return the best result so far.
    drain_ms_max: u64 = 30_000, 0..=3_600_000;

    /// Format of the log on standard error. The line `listening grpc=… rest=… admin=…`,
    /// by which scripts find the ports, is plain text with `json` as well.
    log_format: LogFormat = LogFormat::Text;
    /// Level of the log: `off`, `error`, `warn`, `info`, `debug` (a line per request)
    /// or `trace`; or a list of `target=level`, where a target is a module path and a
    /// level without a target applies to all others, such as `info,pentad=debug`.
    log_level: LogFilter = LogFilter::default();
    /// Calls that are logged when they end, at `info` with the target
    /// `pentad::access`: none, every hundredth, or all. The lines name the peer of the
    /// connection, the client (see `trusted_proxies`) and the user agent.
    access_log: AccessLog = AccessLog::Off;

    /// Collector for traces, by OTLP over gRPC: `http://HOST:PORT`, usually port 4317, or
    /// `https://HOST:PORT` with a certificate of an authority that the system trusts
    /// (`SSL_CERT_FILE` names others). By default that of `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` or
    /// `OTEL_EXPORTER_OTLP_ENDPOINT`; without any, or if this is empty, no traces are
    /// exported. The log has trace ids in any case. `OTEL_SERVICE_NAME`,
    /// `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_EXPORTER_OTLP_HEADERS` and
    /// `OTEL_EXPORTER_OTLP_COMPRESSION` apply. Needs a server built with the feature
    /// `otlp`, as images and releases are.
    otlp_endpoint: Option<OtlpEndpoint> = None;
    /// How long the export of a batch may take, including retries. After that its
    /// spans are lost; calls never wait for it.
    otlp_timeout_ms: u64 = 5_000, 100..=60_000;
    /// Percentage of traces to sample among those that start here. Calls with a
    /// `traceparent` follow its decision.
    trace_sample_percent: u32 = 100, 0..=100;
    /// Spans waiting for export, about 1 kB each. Further ones are lost.
    trace_queue_len_max: usize = 4_096, 1..=1_000_000;
}

impl Config {
    /// The settings of the engine.
    pub fn engine(&self) -> EngineConfig {
        let count = |n: usize| NonZeroUsize::new(n).unwrap_or(NonZeroUsize::MIN);
        EngineConfig {
            workers: count(self.workers),
            threads_per_search: count(self.threads_per_search),
            threads_per_long_search: count(self.threads_per_long_search),
            memory_per_search_bytes: self.memory_per_search_mib << 20,
            queue_len_max: self.queue_len_max,
            queue_cost_max: Duration::from_millis(self.queue_cost_ms_max),
            cache_bytes_max: self.cache_mib << 20,
            stored_estimate_min: Duration::from_millis(self.store_estimate_ms_min),
            time_default: Duration::from_millis(self.time_default_ms),
            time_max: Duration::from_millis(self.time_max_ms),
            stream_time_max: Duration::from_millis(self.stream_time_max_ms),
            moves_len_max: self.moves_len_max,
            position_len_max: self.position_len_max,
            hints_max: self.hints_max,
            page_len_max: self.page_len_max,
            hang_grace: Duration::from_millis(self.hang_grace_ms),
            ..engine_default()
        }
    }

    /// Fails if other machines can reach the server and nothing controls who may call.
    pub(crate) fn check_exposure(&self) -> Result<(), ConfigError> {
        let needs_token = self.tokens.is_some() || self.oidc_jwks.is_some();
        let is_limited = needs_token || self.tls_client_ca.is_some() || self.anonymous_cpu_ms_per_second > 0;
        if is_limited || self.insecure {
            return Ok(());
        }
        let ports = [("grpc_listen", self.grpc_listen), ("rest_listen", self.rest_listen)];
        match ports.into_iter().find(|(_, address)| is_public(*address)) {
            Some((key, address)) => Err(ConfigError::Contradiction(format!(
                "{key} is {address}, which other machines can reach, and anyone may call; set tokens (a file of \
                 bearer tokens), tls_client_ca (client certificates) or anonymous_cpu_ms_per_second (a quota per \
                 address), or insecure if a firewall, proxy or network policy decides who may call"
            ))),
            None => Ok(()),
        }
    }

    /// Warnings for the operator about who can reach the server.
    pub(crate) fn exposure_warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if is_public(self.admin_listen) {
            warnings.push(format!(
                "admin_listen is {}, which other machines can reach; the admin port has no authentication and must \
                 not be public",
                self.admin_listen
            ));
        }
        let is_public = is_public(self.grpc_listen) || is_public(self.rest_listen);
        let has_tokens = self.tokens.is_some() || self.oidc_jwks.is_some();
        if is_public && has_tokens && self.tls_cert.is_none() {
            warnings.push("tokens are sent in clear text; set tls_cert, or let a proxy terminate TLS".to_owned());
        }
        warnings
    }

    /// Warns if searches and cache may exceed the container's memory limit.
    pub(crate) fn memory_warning(&self) -> Option<String> {
        memory::warning(self)
    }

    /// Warns if searches and cache may exceed the machine's memory.
    pub(crate) fn machine_memory_warning(&self) -> Option<String> {
        memory::machine_warning(self)
    }

    /// Memory that searches and cache may take together.
    pub(crate) fn memory_budget_mib(&self) -> u64 {
        memory::budget_mib(self)
    }

    /// The container's memory limit, if it has one.
    pub(crate) fn memory_limit_mib(&self) -> Option<u64> {
        memory::limit_mib()
    }

    /// Warns if a connection's maximum age may cut off calls.
    fn short_grace(&self) -> Option<String> {
        let (grace, time_max) = (self.connection_grace_ms, self.time_max_ms);
        (self.connection_age_ms_max > 0 && grace < time_max).then(|| {
            format!(
                "connection_grace_ms is {grace}, below time_max_ms, {time_max}: calls may be cut off when their \
                 connection reaches connection_age_ms_max"
            )
        })
    }

    /// Memory limit of a rule set in a process of its own: that of all searches at once,
    /// and a reserve for its tables and threads.
    pub(crate) fn worker_memory_bytes(&self) -> u64 {
        const RESERVE: u64 = 512 << 20;
        memory::n_searches_max(self.workers).saturating_mul(self.memory_per_search_mib << 20).saturating_add(RESERVE)
    }

    /// Checks constraints between settings.
    fn check(&self) -> Result<(), ConfigError> {
        if self.tls_cert.is_some() != self.tls_key.is_some() {
            return Err(ConfigError::Contradiction("tls_cert and tls_key need each other; set both".to_owned()));
        }
        if self.tls_client_ca.is_some() && self.tls_cert.is_none() {
            let message = "tls_client_ca needs TLS; set tls_cert and tls_key as well";
            return Err(ConfigError::Contradiction(message.to_owned()));
        }
        if self.store_cert.is_some() != self.store_key.is_some() {
            return Err(ConfigError::Contradiction("store_cert and store_key need each other; set both".to_owned()));
        }
        if (self.store_ca.is_some() || self.store_cert.is_some()) && !self.store.has_tls() {
            let message = "store_ca and store_cert need a store with TLS; set store to rediss://HOST:PORT";
            return Err(ConfigError::Contradiction(message.to_owned()));
        }
        if self.store_secret.is_some() && !self.store.has_shared() {
            let message = "store_secret needs a shared store; set store to redis://HOST:PORT";
            return Err(ConfigError::Contradiction(message.to_owned()));
        }
        let oidc = [self.oidc_issuer.0.is_some(), self.oidc_audience.0.is_some(), self.oidc_jwks.is_some()];
        if oidc.contains(&true) && oidc.contains(&false) {
            let message = "oidc_issuer, oidc_audience and oidc_jwks need each other; set all three";
            return Err(ConfigError::Contradiction(message.to_owned()));
        }
        if oidc.contains(&true) && !cfg!(feature = "oidc") {
            let message =
                "oidc_jwks needs a server built with `cargo build --release --features oidc`; this one is not";
            return Err(ConfigError::Contradiction(message.to_owned()));
        }
        if self.otlp_endpoint.is_some() && !cfg!(feature = "otlp") {
            let message =
                "otlp_endpoint needs a server built with `cargo build --release --features otlp`; this one is not";
            return Err(ConfigError::Contradiction(message.to_owned()));
        }
        if self.time_default_ms > self.time_max_ms {
            let (default, max) = (self.time_default_ms, self.time_max_ms);
            return Err(ConfigError::Contradiction(format!("time_default_ms is {default}, above time_max_ms, {max}")));
        }
        Ok(())
    }
}

/// Whether other machines can reach it.
fn is_public(address: SocketAddr) -> bool {
    !address.ip().to_canonical().is_loopback()
}

fn engine_default() -> EngineConfig {
    EngineConfig::default()
}

fn ms(duration: Duration) -> u64 {
    duration.as_millis() as u64
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::SETTINGS;
    use super::environment::OTHER_VARIABLES;

    /// Endings by which a word in a document is recognised as the name of a setting.
    const ENDINGS: [&str; 8] = ["_ms", "_ms_max", "_ms_min", "_mib", "_listen", "_endpoint", "_percent", "_origins"];
    /// Fields of the API that have such an ending.
    const API_FIELDS: [&str; 3] = ["elapsed_ms", "time_ms", "total_time_ms"];

    /// The documents name only settings and environment variables that exist.
    #[test]
    fn documented_settings_exist() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let keys: BTreeSet<&str> = SETTINGS.iter().map(|setting| setting.key).collect();
        let variables: BTreeSet<String> = SETTINGS.iter().map(super::Setting::env).collect();
        let mut n_named = 0;
        for folder in ["", "deploy", "services", ".github"] {
            for entry in fs::read_dir(root.join(folder)).expect("the folder exists") {
                let path = entry.expect("it can be listed").path();
                if path.extension().is_none_or(|extension| extension != "md") || path.ends_with("CHANGELOG.md") {
                    continue;
                }
                let text = fs::read_to_string(&path).expect("it can be read");
                for word in text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_') {
                    let is_key = ENDINGS.iter().any(|ending| word.ends_with(ending)) && !API_FIELDS.contains(&word);
                    if is_key && word.bytes().all(|byte| !byte.is_ascii_uppercase()) && !word.starts_with('_') {
                        assert!(keys.contains(word), "{}: there is no setting `{word}`", path.display());
                    }
                    if word.starts_with("PENTAD_") && word.len() > "PENTAD_".len() && !OTHER_VARIABLES.contains(&word) {
                        assert!(variables.contains(word), "{}: no setting has {word}", path.display());
                    }
                    n_named += usize::from(keys.contains(word));
                }
            }
        }
        assert!(n_named > 50, "the documents name settings, but only {n_named} were found");
    }
}
