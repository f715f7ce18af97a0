//! Metrics of calls, the same for both protocols.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use arc_swap::{ArcSwap, Guard};
use metrics::{Counter, Gauge, Histogram, counter, gauge, histogram};

use crate::calls::Method;
use crate::config::AccessLog;
use crate::error::Reason;

/// `access_log = "sampled"` logs one of this many calls.
const ACCESS_SAMPLE: u64 = 100;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    Grpc,
    Rest,
}

/// Indexed by the numeric code.
const GRPC_CODES: [&str; 17] = [
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
];
/// Every status that is sent, and 499 for calls cancelled by the caller.
pub(super) const HTTP_CODES: [&str; 17] = [
    "200", "499", "303", "304", "400", "401", "403", "404", "405", "413", "415", "421", "422", "429", "500", "503",
    "504",
];
/// Index of any other status.
pub(super) const HTTP_OTHER: usize = HTTP_CODES.len();
/// Number of codes of either protocol, with room for other statuses.
const N_CODES: usize = if HTTP_OTHER < GRPC_CODES.len() { GRPC_CODES.len() } else { HTTP_OTHER + 1 };

/// Code of a game that fails. Its series exist from the start, at zero: `rate` would otherwise
/// miss the first failure. Other failures are in `pentad_rejected_total` from the start.
fn ruleset_failure(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Grpc => "UNAVAILABLE",
        Protocol::Rest => "503",
    }
}

fn codes(protocol: Protocol) -> &'static [&'static str] {
    match protocol {
        Protocol::Grpc => &GRPC_CODES,
        Protocol::Rest => &HTTP_CODES,
    }
}

/// Index of cancelled calls, the same in both lists.
pub(super) const CANCELLED: usize = 1;

/// Game index of calls without a game, and of those with an unknown one.
pub(super) const NO_GAME: usize = 0;
pub(super) const UNKNOWN_GAME: usize = 1;

pub(crate) struct RequestMetrics {
    by_game: ArcSwap<SeriesByGame>,
    pub(super) rejected: Vec<Counter>,
    /// By protocol.
    pub(super) in_flight: [Gauge; 2],
    access_log: AccessLog,
    n_calls: AtomicU64,
}

/// Series of the games that are or were served. A game keeps its index.
pub(super) struct SeriesByGame {
    /// `none`, `other`, then the games.
    pub(super) games: Vec<String>,
    game_idxs: HashMap<String, usize>,
    /// Indexed by protocol, method and game; see [`series`](Self::series).
    series: Vec<OnceLock<Series>>,
}

pub(super) struct Series {
    pub(super) duration: Histogram,
    overrun: OnceLock<Histogram>,
    codes: [OnceLock<Counter>; N_CODES],
}

impl RequestMetrics {
    /// Registers the series that need no game. Call it with the recorder set.
    pub(super) fn new(access_log: AccessLog) -> RequestMetrics {
        let games = vec!["none".to_owned(), "other".to_owned()];
        let rejected =
            Reason::ALL.iter().map(|reason| counter!("pentad_rejected_total", "reason" => reason.as_str())).collect();
        RequestMetrics {
            by_game: ArcSwap::from_pointee(SeriesByGame::new(games)),
            rejected,
            in_flight: [Protocol::Grpc, Protocol::Rest]
                .map(|protocol| gauge!("pentad_calls_in_flight", "protocol" => protocol_name(protocol))),
            access_log,
            n_calls: AtomicU64::new(0),
        }
    }

    /// Registers the series of new games. Call it with the recorder set.
    pub(super) fn add_games(&self, served: &[&str]) {
        let mut games = self.by_game().games.clone();
        games.extend(served.iter().filter(|game| self.game_idx(game).is_none()).map(|game| (*game).to_owned()));
        self.by_game.store(Arc::new(SeriesByGame::new(games)));
    }

    pub(super) fn by_game(&self) -> Guard<Arc<SeriesByGame>> {
        self.by_game.load()
    }

    pub(super) fn game_idx(&self, game: &str) -> Option<usize> {
        self.by_game().game_idxs.get(game).copied()
    }

    /// Whether to write the call that begins now to the access log.
    pub(super) fn logs_access(&self) -> bool {
        match self.access_log {
            AccessLog::Off => false,
            AccessLog::Sampled => self.n_calls.fetch_add(1, Ordering::Relaxed).is_multiple_of(ACCESS_SAMPLE),
            AccessLog::All => true,
        }
    }
}

impl SeriesByGame {
    /// The games that are or were served.
    pub(super) fn served(&self) -> &[String] {
        &self.games[2..]
    }

    fn new(games: Vec<String>) -> SeriesByGame {
        let game_idxs = games.iter().cloned().enumerate().skip(2).map(|(idx, game)| (game, idx)).collect();
        let n_series = 2 * Method::ALL.len() * games.len();
        let requests = SeriesByGame { games, game_idxs, series: (0..n_series).map(|_| OnceLock::new()).collect() };
        for protocol in [Protocol::Grpc, Protocol::Rest] {
            let is_served = |method: &Method| protocol == Protocol::Rest || !method.is_rest_only();
            for method in Method::ALL.iter().copied().filter(is_served) {
                // For calls refused for their game or path, to compare them with all calls.
                requests.series(protocol, method, if method.has_game() { UNKNOWN_GAME } else { NO_GAME });
                if method == Method::Other {
                    continue;
                }
                let games = if method.has_game() { 2..requests.games.len() } else { NO_GAME..NO_GAME + 1 };
                for game in games {
                    if method.is_timed_search() {
                        requests.overrun(protocol, method, game);
                    }
                    requests.counter(protocol, method, game, 0);
                    let is_failure = |code: &&str| *code == ruleset_failure(protocol);
                    let failure = codes(protocol).iter().position(is_failure).expect("both lists have the code");
                    requests.counter(protocol, method, game, failure);
                }
            }
        }
        requests
    }

    pub(super) fn series(&self, protocol: Protocol, method: Method, game: usize) -> &Series {
        let idx = (protocol as usize * Method::ALL.len() + method as usize) * self.games.len() + game;
        self.series[idx].get_or_init(|| Series {
            duration: histogram!(
                "pentad_request_duration_seconds",
                "protocol" => protocol_name(protocol),
                "method" => method.as_str(),
                "game" => self.games[game].clone(),
            ),
            overrun: OnceLock::new(),
            codes: Default::default(),
        })
    }

    pub(super) fn overrun(&self, protocol: Protocol, method: Method, game: usize) -> &Histogram {
        self.series(protocol, method, game).overrun.get_or_init(|| {
            histogram!(
                "pentad_request_overrun_seconds",
                "protocol" => protocol_name(protocol),
                "method" => method.as_str(),
                "game" => self.games[game].clone(),
            )
        })
    }

    pub(super) fn counter(&self, protocol: Protocol, method: Method, game: usize, code: usize) -> &Counter {
        self.series(protocol, method, game).codes[code].get_or_init(|| {
            counter!(
                "pentad_requests_total",
                "protocol" => protocol_name(protocol),
                "method" => method.as_str(),
                "game" => self.games[game].clone(),
                "code" => code_name(protocol, code),
            )
        })
    }
}

pub(super) fn protocol_name(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Grpc => "grpc",
        Protocol::Rest => "rest",
    }
}

pub(super) fn code_name(protocol: Protocol, code: usize) -> &'static str {
    codes(protocol).get(code).copied().unwrap_or("other")
}
