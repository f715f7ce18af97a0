//! Quotas of CPU time: a token bucket per token name, subject or client address.
//!
//! A bucket fills at the quota's rate, up to what its window holds. When a search is
//! admitted, it takes the CPU time that it may need, which can leave the bucket in
//! debt; when it ends, unused time is given back. It is admitted if the bucket holds
//! that much or is half full. So a small quota still allows a long search, and later
//! ones wait until its time has been earned.
//!
//! The number of buckets is bounded. A full bucket is the same as a new one, so full
//! ones are dropped; if none is full, new callers share one bucket.
//!
//! The caller passes the time, from a monotonic clock. Limiters such as `governor` are
//! unsuitable: they cannot give back what was taken.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU64;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// About 100 bytes per bucket.
pub(crate) const BUCKETS_MAX: usize = 65_536;
/// Minimum time between two sweeps for full buckets.
const SWEEP_INTERVAL: Duration = Duration::from_secs(1);

/// Rate and burst of a quota.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct QuotaLimit {
    /// Milliseconds per second; 1,000 is one core.
    pub(crate) cpu_ms_per_second: NonZeroU64,
    /// Unused time accumulates for this many seconds.
    pub(crate) window_s: NonZeroU64,
}

impl QuotaLimit {
    /// Capacity of a bucket, in milliseconds.
    pub(crate) fn capacity_ms(self) -> u64 {
        self.cpu_ms_per_second.get().saturating_mul(self.window_s.get())
    }

    fn capacity_ns(self) -> i64 {
        i64::try_from(self.capacity_ms().saturating_mul(1_000_000)).unwrap_or(i64::MAX)
    }

    /// Gain of a bucket in this time.
    fn earned_ns(self, time: Duration) -> i64 {
        let earned = time.as_nanos() * u128::from(self.cpu_ms_per_second.get()) / 1_000;
        i64::try_from(earned).unwrap_or(i64::MAX)
    }

    /// Time that a bucket needs to gain this much.
    fn time_to_earn(self, ns: i64) -> Duration {
        let ns = u128::from(ns.max(0).unsigned_abs()) * 1_000;
        let time = ns.div_ceil(u128::from(self.cpu_ms_per_second.get()));
        Duration::from_nanos(u64::try_from(time).unwrap_or(u64::MAX))
    }
}

/// Owner of a quota.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum QuotaKey {
    /// The name of a token.
    Token(Arc<str>),
    /// A subject of OpenID Connect tokens.
    #[cfg_attr(not(feature = "oidc"), allow(dead_code, reason = "no token has a subject"))]
    Subject(Arc<str>),
    /// A client without a token.
    Address(IpAddr),
}

impl QuotaKey {
    /// IPv6 addresses count by their /64 network, since one client usually has all of
    /// it.
    pub(crate) fn of_address(address: IpAddr) -> QuotaKey {
        QuotaKey::Address(match address.to_canonical() {
            IpAddr::V6(address) => {
                let network = address.to_bits() & !u128::from(u64::MAX);
                IpAddr::V6(Ipv6Addr::from_bits(network))
            }
            v4 @ IpAddr::V4(_) => v4,
        })
    }
}

/// Time until the bucket holds enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shortage {
    pub(crate) retry_after: Duration,
}

/// Remaining quota.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct QuotaStatus {
    pub(crate) remaining_ms: u64,
    /// Time until the bucket is full.
    pub(crate) reset: Duration,
}

/// The buckets of all callers.
#[derive(Debug)]
pub(crate) struct Quotas {
    buckets: Mutex<Buckets>,
    buckets_max: usize,
}

#[derive(Debug, Default)]
struct Buckets {
    /// One per name in the current tokens file and in earlier ones.
    tokens: HashMap<Arc<str>, Bucket>,
    subjects: BoundedBuckets<Arc<str>>,
    addresses: BoundedBuckets<IpAddr>,
}

/// Buckets with one limit, for an unbounded set of callers.
#[derive(Debug)]
struct BoundedBuckets<K> {
    buckets: HashMap<K, Bucket>,
    /// Shared by callers beyond `buckets_max`.
    shared: Option<Bucket>,
    swept_at: Option<Instant>,
}

impl<K> Default for BoundedBuckets<K> {
    fn default() -> Self {
        BoundedBuckets { buckets: HashMap::new(), shared: None, swept_at: None }
    }
}

#[derive(Clone, Copy, Debug)]
struct Bucket {
    /// In nanoseconds; negative while more is reserved or used than was earned.
    balance_ns: i64,
    updated_at: Instant,
}

impl Bucket {
    fn full(limit: QuotaLimit, now: Instant) -> Bucket {
        Bucket { balance_ns: limit.capacity_ns(), updated_at: now }
    }

    /// Adds what was earned since the last update.
    fn refill(&mut self, limit: QuotaLimit, now: Instant) {
        let earned = limit.earned_ns(now.saturating_duration_since(self.updated_at));
        self.balance_ns = self.balance_ns.saturating_add(earned).min(limit.capacity_ns());
        self.updated_at = self.updated_at.max(now);
    }
}

impl Quotas {
    pub(crate) fn new(buckets_max: usize) -> Quotas {
        Quotas { buckets: Mutex::default(), buckets_max }
    }

    /// Takes CPU time from a bucket, or returns when to try again.
    pub(crate) fn take(&self, key: &QuotaKey, limit: QuotaLimit, time: Duration, now: Instant) -> Result<(), Shortage> {
        let wanted = nanos(time);
        self.with_bucket(key, limit, now, |bucket| {
            let missing = wanted.min(limit.capacity_ns() / 2) - bucket.balance_ns;
            if missing > 0 {
                return Err(Shortage { retry_after: limit.time_to_earn(missing) });
            }
            bucket.balance_ns -= wanted;
            Ok(())
        })
    }

    /// Replaces the time taken by the time used, which may be more.
    pub(crate) fn settle(&self, key: &QuotaKey, limit: QuotaLimit, taken: Duration, used: Duration, now: Instant) {
        self.with_bucket(key, limit, now, |bucket| {
            let balance = bucket.balance_ns.saturating_add(nanos(taken)).saturating_sub(nanos(used));
            bucket.balance_ns = balance.min(limit.capacity_ns());
        });
    }

    pub(crate) fn status(&self, key: &QuotaKey, limit: QuotaLimit, now: Instant) -> QuotaStatus {
        self.with_bucket(key, limit, now, |bucket| QuotaStatus {
            remaining_ms: bucket.balance_ns.max(0).unsigned_abs() / 1_000_000,
            reset: limit.time_to_earn(limit.capacity_ns().saturating_sub(bucket.balance_ns)),
        })
    }

    /// Runs `work` on the refilled bucket.
    fn with_bucket<T>(
        &self,
        key: &QuotaKey,
        limit: QuotaLimit,
        now: Instant,
        work: impl FnOnce(&mut Bucket) -> T,
    ) -> T {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let bucket = buckets.find(key, limit, now, self.buckets_max);
        bucket.refill(limit, now);
        work(bucket)
    }
}

impl Buckets {
    fn find(&mut self, key: &QuotaKey, limit: QuotaLimit, now: Instant, buckets_max: usize) -> &mut Bucket {
        let full = || Bucket::full(limit, now);
        match key {
            QuotaKey::Token(name) => self.tokens.entry(Arc::clone(name)).or_insert_with(full),
            QuotaKey::Subject(subject) => self.subjects.find(subject, limit, now, buckets_max),
            QuotaKey::Address(address) => self.addresses.find(address, limit, now, buckets_max),
        }
    }
}

impl<K: Clone + Eq + Hash> BoundedBuckets<K> {
    fn find(&mut self, key: &K, limit: QuotaLimit, now: Instant, buckets_max: usize) -> &mut Bucket {
        let full = || Bucket::full(limit, now);
        if self.buckets.len() >= buckets_max && !self.buckets.contains_key(key) {
            self.sweep(limit, now);
            if self.buckets.len() >= buckets_max {
                return self.shared.get_or_insert_with(full);
            }
        }
        self.buckets.entry(key.clone()).or_insert_with(full)
    }

    /// Drops full buckets.
    fn sweep(&mut self, limit: QuotaLimit, now: Instant) {
        if self.swept_at.is_some_and(|at| now.saturating_duration_since(at) < SWEEP_INTERVAL) {
            return;
        }
        self.swept_at = Some(now);
        self.buckets.retain(|_, bucket| {
            bucket.refill(limit, now);
            bucket.balance_ns < limit.capacity_ns()
        });
    }
}

fn nanos(time: Duration) -> i64 {
    i64::try_from(time.as_nanos()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn limit(cpu_ms_per_second: u64, window_s: u64) -> QuotaLimit {
        let positive = |n| NonZeroU64::new(n).unwrap();
        QuotaLimit { cpu_ms_per_second: positive(cpu_ms_per_second), window_s: positive(window_s) }
    }

    fn address(n: u8) -> QuotaKey {
        QuotaKey::of_address(IpAddr::from([192, 0, 2, n]))
    }

    /// A full bucket allows a burst, then the rate limits; the returned wait is neither too
    /// short nor too long.
    #[test]
    fn buckets_fill_at_their_rate() {
        let (quotas, limit, key, start) = (Quotas::new(BUCKETS_MAX), limit(100, 10), address(1), Instant::now());
        let take = |ms, now| quotas.take(&key, limit, ms * MS, now);
        assert_eq!(take(500, start), Ok(()));
        assert_eq!(take(500, start), Ok(()));
        assert_eq!(take(50, start), Err(Shortage { retry_after: 500 * MS }));
        assert_eq!(take(50, start + 499 * MS), Err(Shortage { retry_after: MS }));
        assert_eq!(take(50, start + 500 * MS), Ok(()));
        let status = quotas.status(&key, limit, start + 1_500 * MS);
        assert_eq!(status, QuotaStatus { remaining_ms: 100, reset: 9_000 * MS });
        let much_later = quotas.status(&key, limit, start + Duration::from_secs(86_400 * 365 * 100));
        assert_eq!(much_later, QuotaStatus { remaining_ms: 1_000, reset: Duration::ZERO });
    }

    /// Unused time is given back, and excess use is owed.
    #[test]
    fn reservations_are_settled() {
        let (quotas, limit, key, now) = (Quotas::new(BUCKETS_MAX), limit(100, 10), address(1), Instant::now());
        quotas.take(&key, limit, 1_000 * MS, now).unwrap();
        quotas.settle(&key, limit, 1_000 * MS, 30 * MS, now);
        assert_eq!(quotas.status(&key, limit, now).remaining_ms, 970);
        quotas.settle(&key, limit, Duration::ZERO, 1_970 * MS, now);
        assert_eq!(quotas.status(&key, limit, now).remaining_ms, 0);
        assert_eq!(quotas.take(&key, limit, Duration::ZERO, now), Err(Shortage { retry_after: 10_000 * MS }));
        quotas.settle(&key, limit, 9_999 * MS, Duration::ZERO, now);
        assert_eq!(quotas.status(&key, limit, now).remaining_ms, 1_000, "never more than the window holds");
    }

    /// A search that needs more than the window holds is admitted by a half full bucket, and
    /// is charged in full.
    #[test]
    fn long_searches_need_a_half_full_bucket() {
        let (quotas, limit, key, start) = (Quotas::new(BUCKETS_MAX), limit(100, 10), address(1), Instant::now());
        quotas.take(&key, limit, 500 * MS, start).unwrap();
        quotas.take(&key, limit, MS, start).unwrap();
        assert_eq!(quotas.take(&key, limit, 60_000 * MS, start), Err(Shortage { retry_after: 10 * MS }));
        quotas.take(&key, limit, 60_000 * MS, start + 10 * MS).unwrap();
        let refused = quotas.take(&key, limit, MS, start + 10 * MS).unwrap_err();
        assert_eq!(refused.retry_after, 595_010 * MS);
        quotas.settle(&key, limit, 60_000 * MS, 100 * MS, start + 10 * MS);
        assert_eq!(quotas.take(&key, limit, 400 * MS, start + 10 * MS), Ok(()));
    }

    /// A time before the last one, from a slower thread, changes nothing.
    #[test]
    fn time_does_not_go_back() {
        let (quotas, limit, key, start) = (Quotas::new(BUCKETS_MAX), limit(100, 10), address(1), Instant::now());
        quotas.take(&key, limit, 1_000 * MS, start + 1_000 * MS).unwrap();
        assert_eq!(quotas.status(&key, limit, start).remaining_ms, 0);
        assert_eq!(quotas.status(&key, limit, start + 2_000 * MS).remaining_ms, 100);
    }

    /// Small steps earn as much as large ones.
    #[test]
    fn rounding_loses_nothing() {
        let (quotas, limit, key, start) = (Quotas::new(BUCKETS_MAX), limit(1, 10), address(1), Instant::now());
        quotas.take(&key, limit, 10 * MS, start).unwrap();
        for step in 1..=1_000 {
            quotas.status(&key, limit, start + step * MS);
        }
        assert_eq!(quotas.status(&key, limit, start + 1_000 * MS).remaining_ms, 1);
    }

    /// A new limit applies to the current balance: a reload does not refill the bucket.
    #[test]
    fn limits_may_change() {
        let (quotas, key, now) = (Quotas::new(BUCKETS_MAX), QuotaKey::Token("web".into()), Instant::now());
        quotas.take(&key, limit(100, 10), 900 * MS, now).unwrap();
        assert_eq!(quotas.status(&key, limit(1_000, 10), now).remaining_ms, 100);
        assert_eq!(quotas.status(&key, limit(5, 10), now).remaining_ms, 50);
    }

    /// Beyond the bound, addresses share a bucket until others are full again. A flood of
    /// addresses neither takes more memory nor gets more time.
    #[test]
    fn number_of_buckets_is_bounded() {
        let (quotas, limit, start) = (Quotas::new(2), limit(100, 10), Instant::now());
        let take = |n, ms, now| quotas.take(&address(n), limit, ms * MS, now);
        take(1, 1_000, start).unwrap();
        take(2, 100, start).unwrap();
        take(3, 1_000, start).unwrap();
        take(4, 1, start).expect_err("it shares the bucket of the third");
        assert_eq!(quotas.buckets.lock().unwrap().addresses.buckets.len(), 2);
        assert_eq!(quotas.take(&QuotaKey::Token("web".into()), limit, MS, start), Ok(()), "names have their own");
        // The second address has earned its time back, the first has not.
        let later = start + 2_000 * MS;
        take(5, 1_000, later).unwrap();
        assert_eq!(take(1, 201, later), Err(Shortage { retry_after: 10 * MS }), "nobody's debt is forgotten");
    }

    /// A client is a /64 network of IPv6, or one address of IPv4 in any form.
    #[test]
    fn addresses_are_keyed_by_client() {
        let key = |text: &str| QuotaKey::of_address(text.parse().unwrap());
        assert_eq!(key("2001:db8:1:2::3"), key("2001:db8:1:2:ffff::"));
        assert_ne!(key("2001:db8:1:2::3"), key("2001:db8:1:3::3"));
        assert_eq!(key("::ffff:192.0.2.1"), key("192.0.2.1"));
        assert_ne!(key("192.0.2.1"), key("192.0.2.2"));
    }
}
