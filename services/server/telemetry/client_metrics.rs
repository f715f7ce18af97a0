//! Metrics of callers, by the name of their token.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
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
}

impl ClientMetrics {
    /// Registers the series without a client. Call it with the recorder set.
    pub(super) fn new() -> ClientMetrics {
        let failure = |failure: &AuthFailure| counter!("pentad_auth_failures_total", "kind" => failure.as_str());
        ClientMetrics { clients: Mutex::default(), auth_failures: AuthFailure::ALL.iter().map(failure).collect() }
    }

    /// Returns the counters of a name, registering new ones at zero. Call it with the
    /// recorder set.
    pub(super) fn client(&self, name: &str) -> Arc<ClientCounters> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = clients.get(name) {
            return Arc::clone(known);
        }
        let counters = Arc::new(ClientCounters::new(name));
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
    /// Counters are whole numbers; this keeps the fractions of a second.
    cpu_us: AtomicU64,
    cpu_seconds: Counter,
    rate_limited: Counter,
}

impl ClientCounters {
    fn new(name: &str) -> ClientCounters {
        ClientCounters {
            name: name.into(),
            cpu_us: AtomicU64::new(0),
            cpu_seconds: counter!("pentad_client_cpu_seconds_total", "client" => name.to_owned()),
            rate_limited: counter!("pentad_rate_limited_total", "client" => name.to_owned()),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn count_cpu(&self, time: Duration) {
        let us = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let total_us = self.cpu_us.fetch_add(us, Ordering::Relaxed).saturating_add(us);
        self.cpu_seconds.absolute(total_us / 1_000_000);
    }

    pub(crate) fn count_rate_limited(&self) {
        self.rate_limited.increment(1);
    }
}
