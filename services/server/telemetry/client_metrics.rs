//! Metrics of callers, by the name of their token.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use metrics::{Counter, counter};

use crate::access::AuthFailure;

/// Name of callers without a token; no token can have it.
pub(crate) const ANONYMOUS: &str = "-";

/// Counters of current and earlier callers. They are a closed set: the names in the
/// tokens files.
#[derive(Default)]
pub(super) struct ClientMetrics {
    clients: Mutex<HashMap<Arc<str>, Arc<ClientCounters>>>,
    auth_failures: Vec<Counter>,
    in_flight: Arc<InFlight>,
}

/// Calls in flight of all callers.
#[derive(Debug, Default)]
struct InFlight {
    n_calls: AtomicUsize,
    /// Callers that have at least one.
    n_callers: AtomicUsize,
}

impl ClientMetrics {
    /// Registers the series without a client. Call it with the recorder set.
    pub(super) fn new() -> ClientMetrics {
        let failure = |failure: &AuthFailure| counter!("pentad_auth_failures_total", "kind" => failure.as_str());
        let auth_failures = AuthFailure::ALL.iter().map(failure).collect();
        ClientMetrics { clients: Mutex::default(), auth_failures, in_flight: Arc::default() }
    }

    /// Returns the counters of a name, registering new ones at zero. Call it with the
    /// recorder set.
    pub(super) fn client(&self, name: &str) -> Arc<ClientCounters> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = clients.get(name) {
            return Arc::clone(known);
        }
        let counters = Arc::new(ClientCounters::new(name, Arc::clone(&self.in_flight)));
        clients.insert(Arc::clone(&counters.name), Arc::clone(&counters));
        counters
    }

    pub(super) fn count_auth_failure(&self, failure: AuthFailure) {
        self.auth_failures[failure as usize].increment(1);
    }
}

/// Counters of one caller.
#[derive(Debug)]
pub(crate) struct ClientCounters {
    name: Arc<str>,
    /// In microseconds; shown in seconds.
    cpu: Counter,
    rate_limited: Counter,
    overloaded_within_share: Counter,
    overloaded_beyond_share: Counter,
    n_in_flight: AtomicUsize,
    of_all: Arc<InFlight>,
}

/// A call in flight, until it is dropped.
#[derive(Debug)]
pub(super) struct ClientCall(Arc<ClientCounters>);

impl ClientCounters {
    fn new(name: &str, of_all: Arc<InFlight>) -> ClientCounters {
        let overloaded =
            |share: &'static str| counter!("pentad_overloaded_total", "client" => name.to_owned(), "share" => share);
        ClientCounters {
            name: name.into(),
            cpu: counter!("pentad_client_cpu_seconds_total", "client" => name.to_owned()),
            rate_limited: counter!("pentad_rate_limited_total", "client" => name.to_owned()),
            overloaded_within_share: overloaded("within"),
            overloaded_beyond_share: overloaded("beyond"),
            n_in_flight: AtomicUsize::new(0),
            of_all,
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn count_cpu(&self, time: Duration) {
        self.cpu.increment(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
    }

    pub(crate) fn count_rate_limited(&self) {
        self.rate_limited.increment(1);
    }

    /// Whether this caller has more than one and a half times its equal share of the calls in
    /// flight, so that others are served and it is held back. Names that stand for many callers
    /// (`-`, `+oidc`) have no share.
    fn is_beyond_share(&self) -> bool {
        let n_callers = self.of_all.n_callers.load(Ordering::Relaxed);
        let n_calls = self.of_all.n_calls.load(Ordering::Relaxed);
        let own = self.n_in_flight.load(Ordering::Relaxed);
        !self.name.starts_with(['-', '+']) && n_callers > 1 && 2 * own * n_callers > 3 * n_calls
    }
}

impl ClientCall {
    pub(super) fn new(counters: Arc<ClientCounters>) -> ClientCall {
        if counters.n_in_flight.fetch_add(1, Ordering::Relaxed) == 0 {
            counters.of_all.n_callers.fetch_add(1, Ordering::Relaxed);
        }
        counters.of_all.n_calls.fetch_add(1, Ordering::Relaxed);
        ClientCall(counters)
    }

    pub(super) fn count_overloaded(&self) {
        let ClientCounters { overloaded_within_share, overloaded_beyond_share, .. } = &*self.0;
        let counter = if self.0.is_beyond_share() { overloaded_beyond_share } else { overloaded_within_share };
        counter.increment(1);
    }
}

impl Drop for ClientCall {
    fn drop(&mut self) {
        let ClientCounters { n_in_flight, of_all, .. } = &*self.0;
        of_all.n_calls.fetch_sub(1, Ordering::Relaxed);
        if n_in_flight.fetch_sub(1, Ordering::Relaxed) == 1 {
            of_all.n_callers.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only a caller with far more calls than the others is beyond its share.
    #[test]
    fn greedy_callers_are_beyond_their_share() {
        let in_flight = Arc::<InFlight>::default();
        let client = |name| Arc::new(ClientCounters::new(name, Arc::clone(&in_flight)));
        let (heavy, light, anonymous) = (client("heavy"), client("light"), client(ANONYMOUS));
        let calls =
            |client: &Arc<ClientCounters>, n| (0..n).map(|_| ClientCall::new(Arc::clone(client))).collect::<Vec<_>>();
        let alone = calls(&heavy, 100);
        assert!(!heavy.is_beyond_share(), "nobody else is served");
        let few = calls(&light, 2);
        assert!(heavy.is_beyond_share() && !light.is_beyond_share());
        let as_many = calls(&light, 98);
        assert!(!heavy.is_beyond_share() && !light.is_beyond_share(), "both have as many");
        drop((few, as_many, alone));
        let _many = calls(&anonymous, 100);
        let _one = calls(&light, 1);
        assert!(!anonymous.is_beyond_share(), "it stands for many callers");
        assert_eq!(in_flight.n_calls.load(Ordering::Relaxed), 101);
        assert_eq!(in_flight.n_callers.load(Ordering::Relaxed), 2);
    }
}
