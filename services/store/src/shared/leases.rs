//! Leases on searches that this process has claimed, and their renewal.
//!
//! A lease in the server is short, however long the search may take: its holder renews it,
//! and the lease of a killed process is free again within [`LEASE`]. The writer thread
//! renews leases, since it never waits for a search; a lease that it cannot renew in time
//! expires, which at worst makes another replica repeat the search.
//!
//! A lease is renewed only while the server has it under the value of its claim, so an
//! expired lease that another replica has claimed stays with that replica.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use redis::Value;

use super::Shared;
use super::server::{Requests, Server};

/// How long other replicas wait at most for one that was killed.
pub(super) const LEASE: Duration = Duration::from_secs(2);
/// Three renewals may be lost before the lease is.
const RENEW_EVERY: Duration = Duration::from_millis(500);
/// Maximum number of leases renewed in one round trip.
const BATCH: usize = 64;

/// Leases to renew, next one first.
#[derive(Default)]
pub(super) struct Leases(Mutex<VecDeque<Lease>>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Lease {
    key: String,
    /// Unique value of this claim in the server.
    value: String,
    /// When the search is due; the lease is not renewed beyond that.
    until: Instant,
    renew_at: Instant,
}

impl Leases {
    /// Renews a lease from now on, until it is released or its search is due.
    pub(super) fn hold(&self, now: Instant, key: &str, value: &str, hold: Duration) {
        // The initial lease is long enough.
        if hold <= LEASE {
            return;
        }
        let lease =
            Lease { key: key.to_owned(), value: value.to_owned(), until: now + hold, renew_at: now + RENEW_EVERY };
        self.lock().push_back(lease);
    }

    /// Stops renewing a lease.
    pub(super) fn release(&self, value: &str) {
        self.lock().retain(|lease| lease.value != value);
    }

    /// Returns how long until the next renewal.
    pub(super) fn until_renewal(&self, now: Instant) -> Option<Duration> {
        self.lock().front().map(|lease| lease.renew_at.saturating_duration_since(now))
    }

    /// Returns the leases to renew now, at most `BATCH`, each with its new duration. They
    /// become due again later, whether this renewal succeeds or not.
    fn due(&self, now: Instant) -> Vec<(Lease, Duration)> {
        let mut leases = self.lock();
        let mut due = Vec::new();
        while due.len() < BATCH && leases.front().is_some_and(|lease| lease.renew_at <= now) {
            let lease = leases.pop_front().expect("the front was checked");
            let left = lease.until.saturating_duration_since(now);
            if !left.is_zero() {
                leases.push_back(Lease { renew_at: now + RENEW_EVERY, ..lease.clone() });
                due.push((lease, left.min(LEASE)));
            }
        }
        due
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Lease>> {
        self.0.lock().expect("nothing panics while it is locked")
    }
}

/// Renews the leases that are due.
pub(super) fn renew(shared: &Shared, server: &mut Server) {
    let due = shared.leases.due(Instant::now());
    if due.is_empty() {
        return;
    }
    let mut requests = Requests::new();
    due.iter().for_each(|(lease, lasts)| requests.renew(&lease.key, &lease.value, *lasts));
    match server.send(&requests) {
        Ok(replies) => {
            for ((lease, _), reply) in due.iter().zip(replies) {
                // Another process has the lease, or the reply is unknown.
                if !matches!(reply, Ok(Value::Int(1))) {
                    shared.leases.release(&lease.value);
                }
            }
        }
        Err(problem) => shared.breaker.failed(Instant::now(), &problem),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_mins(1);

    fn values(due: &[(Lease, Duration)]) -> Vec<(&str, u128)> {
        due.iter().map(|(lease, lasts)| (&*lease.value, lasts.as_millis())).collect()
    }

    /// A lease is renewed repeatedly until its search is due, and never beyond that.
    #[test]
    fn leases_are_renewed_until_their_search_is_due() {
        let start = Instant::now();
        let after = |ms| start + Duration::from_millis(ms);
        let leases = Leases::default();
        leases.hold(start, "short", "a", LEASE);
        assert_eq!(leases.until_renewal(start), None, "it needs no renewal");
        leases.hold(start, "long", "b", Duration::from_millis(3200));
        assert_eq!(leases.until_renewal(after(100)), Some(Duration::from_millis(400)));
        assert_eq!(values(&leases.due(after(499))), []);
        assert_eq!(values(&leases.due(after(500))), [("b", 2000)]);
        assert_eq!(values(&leases.due(after(500))), [], "once is enough");
        assert_eq!(leases.until_renewal(after(500)), Some(RENEW_EVERY));
        // The writer was delayed.
        assert_eq!(values(&leases.due(after(2700))), [("b", 500)]);
        assert_eq!(values(&leases.due(after(3200))), []);
        assert_eq!(leases.until_renewal(after(3200)), None, "the search is over");
    }

    /// A released lease is not renewed; the others are.
    #[test]
    fn released_leases_are_not_renewed() {
        let start = Instant::now();
        let leases = Leases::default();
        ["a", "b", "c"].iter().for_each(|value| leases.hold(start, "key", value, MINUTE));
        leases.release("b");
        assert_eq!(values(&leases.due(start + RENEW_EVERY)), [("a", 2000), ("c", 2000)]);
        leases.release("a");
        leases.release("c");
        assert_eq!(leases.until_renewal(start), None);
    }

    /// Many leases are renewed in batches, each once.
    #[test]
    fn many_leases() {
        let start = Instant::now();
        let leases = Leases::default();
        (0..BATCH * 2 + 1).for_each(|n| leases.hold(start, "key", &n.to_string(), MINUTE));
        let now = start + RENEW_EVERY;
        assert_eq!([(); 4].map(|()| leases.due(now).len()), [BATCH, BATCH, 1, 0]);
    }
}
