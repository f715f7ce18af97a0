//! CPU time of one call: reserved from its caller's quota before a search, and settled
//! when both the call and its work have ended.

use std::sync::atomic::{Ordering, fence};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use http::{HeaderMap, HeaderName, HeaderValue, header};
use pentad_engine::{Caller, CallerKey, CostMeter, Engine, QuestionLimits};

use super::{Access, CALL_COST, Principal};
use crate::error::ApiError;
use crate::telemetry::{ClientCounters, GrantedTime};

pub(crate) const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
pub(crate) const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// Longer searches have `threads_per_long_search` threads. The engine decides by the
/// same bound.
const SHORT_SEARCH: Duration = Duration::from_secs(2);
/// How often a cancelled call checks whether its search has stopped.
const POLL_INTERVAL: Duration = Duration::from_millis(5);
/// Maximum wait of a call with several searches before it tries again to reserve time
/// for the next: other calls of the same caller may have given time back.
const QUOTA_WAIT_MAX: Duration = Duration::from_secs(1);

/// CPU time that a call has reserved from its caller's quota. Unused time is given back
/// when this is dropped and the call's work has stopped.
#[derive(Debug)]
pub(crate) struct QuotaReservation {
    account: Mutex<Account>,
    meter: Arc<CostMeter>,
}

#[derive(Clone, Debug)]
struct Account {
    access: Arc<Access>,
    principal: Principal,
    /// Reserved and not yet settled.
    reserved: Duration,
    /// Number of threads of the search, and when it was admitted.
    search: Option<(u32, Instant)>,
    /// CPU time on the meter that is already charged.
    charged: Duration,
}

impl QuotaReservation {
    pub(super) fn new(access: &Arc<Access>, principal: Principal) -> Arc<QuotaReservation> {
        let account = Account {
            access: Arc::clone(access),
            principal,
            reserved: Duration::ZERO,
            search: None,
            charged: Duration::ZERO,
        };
        Arc::new(QuotaReservation { account: Mutex::new(account), meter: Arc::default() })
    }

    /// Takes the fixed cost of a call.
    pub(crate) fn begin(&self) -> Result<(), ApiError> {
        self.with_account(|account| account.access.take(&account.principal, CALL_COST))
    }

    /// Meter for the engine's [`Caller`].
    pub(crate) fn meter(&self) -> Arc<CostMeter> {
        Arc::clone(&self.meter)
    }

    /// Name of the caller's token, or `-`.
    pub(crate) fn client(&self) -> String {
        self.with_account(|account| account.principal.name().to_owned())
    }

    /// Counters of the caller.
    pub(crate) fn counters(&self) -> Arc<ClientCounters> {
        self.with_account(|account| Arc::clone(&account.principal.counters))
    }

    /// Takes CPU time for a search.
    fn reserve(&self, time: Duration, n_threads: u32) -> Result<(), ApiError> {
        self.with_account(|account| {
            let wanted = time.saturating_mul(n_threads);
            account.access.take(&account.principal, wanted)?;
            account.reserved += wanted;
            account.search = Some((n_threads, Instant::now()));
            Ok(())
        })
    }

    /// Identity of the caller for fair queuing in the engine.
    pub(crate) fn caller_key(&self) -> CallerKey {
        self.with_account(|account| account.principal.key)
    }

    /// Creates a reservation for one item of a batch, which is charged on its own.
    pub(crate) fn for_item(&self) -> Arc<QuotaReservation> {
        self.with_account(|account| QuotaReservation::new(&account.access, account.principal.clone()))
    }

    /// Reserves the cost of one item of a batch, including its search if it needs one.
    /// A shortage does not count as a refusal: the item waits.
    pub(crate) fn reserve_item(
        &self,
        engine: &Engine,
        limits: Option<QuestionLimits>,
        caller: &Caller,
    ) -> Result<(), ApiError> {
        let (time, n_threads) = match limits {
            Some(limits) => (engine.granted_time(limits, caller), engine.config().threads_per_search.get()),
            None => (Duration::ZERO, 1),
        };
        let n_threads = u32::try_from(n_threads).unwrap_or(u32::MAX);
        self.with_account(|account| {
            let wanted = time.saturating_mul(n_threads) + CALL_COST;
            account.access.try_take(&account.principal, wanted)?;
            account.reserved += wanted - CALL_COST;
            account.search = limits.map(|_| (n_threads, Instant::now()));
            Ok(())
        })
    }

    /// Settles a call that has its answer, so that its caller can send the next one at
    /// once.
    pub(crate) fn settle(&self) {
        self.with_account(|account| match is_working(&self.meter) {
            true => account.release_unused(),
            false => account.settle(&self.meter),
        });
    }

    /// Keeps shared caches from storing answers that depend on the caller, and reports
    /// the quota, if there is one, in the syntax of
    /// draft-ietf-httpapi-ratelimit-headers-10.
    pub(crate) fn write_headers(&self, headers: &mut HeaderMap) {
        if self.with_account(|account| account.principal.is_personal()) {
            make_private(headers);
        }
        let field = |text: String| HeaderValue::try_from(text).expect("numbers are valid in a header");
        self.with_account(|Account { access, principal, .. }| {
            let Some((key, limit)) = &principal.quota else { return };
            let status = access.quotas.status(key, *limit, Instant::now());
            let reset_s = status.reset.as_millis().div_ceil(1_000);
            let policy = format!("\"cpu\";q={};w={};qu=\"cpu-ms\"", limit.capacity_ms(), limit.window_s);
            headers.insert(RATE_LIMIT_POLICY, field(policy));
            headers.insert(RATE_LIMIT, field(format!("\"cpu\";r={};t={reset_s}", status.remaining_ms)));
        });
    }

    fn with_account<T>(&self, work: impl FnOnce(&mut Account) -> T) -> T {
        work(&mut self.account.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Replaces `no-cache`, with which a shared cache may store an answer and revalidate it.
fn make_private(headers: &mut HeaderMap) {
    if headers.get(header::CACHE_CONTROL).is_some_and(|policy| policy == "no-cache") {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    }
}

/// Whether the engine still works for this caller: it drops its handle of the meter
/// when all CPU time is counted.
fn is_working(meter: &Arc<CostMeter>) -> bool {
    let is_shared = Arc::strong_count(meter) > 1;
    // Makes counts that other threads added before they dropped their handles visible.
    fence(Ordering::Acquire);
    is_shared
}

impl Account {
    /// Replaces the reserved time by the metered time.
    fn settle(&mut self, meter: &CostMeter) {
        let used = meter.cpu().saturating_sub(self.charged);
        self.charged += used;
        if !used.is_zero() {
            self.principal.counters.count_cpu(used);
        }
        self.replace_reserved(used);
        self.reserved = Duration::ZERO;
    }

    /// Gives back the part that a search which stops now cannot have used; the rest is
    /// settled when its use is known.
    fn release_unused(&mut self) {
        let Some((n_threads, admitted)) = self.search else { return };
        let used_at_most = admitted.elapsed().saturating_mul(n_threads).min(self.reserved);
        self.replace_reserved(used_at_most);
        self.reserved = used_at_most;
    }

    fn replace_reserved(&self, used: Duration) {
        if let Some((key, limit)) = self.principal.quota.as_ref().filter(|_| self.reserved != used) {
            self.access.quotas.settle(key, *limit, self.reserved, used, Instant::now());
        }
    }
}

impl Drop for QuotaReservation {
    /// The work of a cancelled call continues for some milliseconds, and is charged
    /// when it stops: cancelling early must not be free.
    fn drop(&mut self) {
        let account = self.account.get_mut().unwrap_or_else(PoisonError::into_inner);
        let meter = std::mem::take(&mut self.meter);
        let runtime = tokio::runtime::Handle::try_current().ok();
        match runtime.filter(|_| is_working(&meter)) {
            None => account.settle(&meter),
            Some(runtime) => {
                account.release_unused();
                let mut account = account.clone();
                runtime.spawn(async move {
                    while is_working(&meter) {
                        tokio::time::sleep(POLL_INTERVAL).await;
                    }
                    account.settle(&meter);
                });
            }
        }
    }
}

/// Permission of a call to search.
#[derive(Clone, Debug)]
pub(crate) struct Admission {
    pub(crate) granted: GrantedTime,
    pub(crate) reservation: Arc<QuotaReservation>,
}

impl Admission {
    /// Records how long a search with these limits may take, and reserves that much CPU
    /// time per thread from the caller's quota.
    pub(crate) fn admit_search(
        &self,
        engine: &Engine,
        limits: QuestionLimits,
        caller: &Caller,
    ) -> Result<(), ApiError> {
        let time = engine.granted_time(limits, caller);
        self.granted.at_most(time);
        let config = engine.config();
        let n_threads = if time <= SHORT_SEARCH { config.threads_per_search } else { config.threads_per_long_search };
        self.reservation.reserve(time, u32::try_from(n_threads.get()).unwrap_or(u32::MAX))
    }

    /// Same as [`admit_search`](Self::admit_search), for the next of several searches
    /// of one call. Settles the earlier ones. If the quota is used up, it waits, at
    /// most until the deadline, instead of failing half-way.
    pub(crate) async fn admit_next_search(
        &self,
        engine: &Engine,
        limits: QuestionLimits,
        caller: &Caller,
    ) -> Result<(), ApiError> {
        loop {
            self.reservation.settle();
            let Err(error) = self.admit_search(engine, limits, caller) else { return Ok(()) };
            let ApiError::RateLimited { retry_after, .. } = &error else { return Err(error) };
            let wait = (*retry_after).clamp(POLL_INTERVAL, QUOTA_WAIT_MAX);
            if caller.deadline.is_some_and(|deadline| Instant::now() + wait >= deadline) {
                return Err(error);
            }
            tokio::time::sleep(wait).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use super::super::quota::{QuotaKey, QuotaLimit};
    use super::*;
    use crate::config::{AccessLog, Config};
    use crate::telemetry::Telemetry;

    const MS: Duration = Duration::from_millis(1);

    /// A caller with a minute of CPU time and almost no refill, and its access control.
    fn caller() -> (Arc<Access>, Principal) {
        let telemetry = Telemetry::new(AccessLog::Off).unwrap();
        let access = Arc::new(Access::new(&Config::default(), &telemetry).unwrap());
        let limit = QuotaLimit { cpu_ms_per_second: NonZeroU64::MIN, window_s: NonZeroU64::new(60_000).unwrap() };
        let quota = Some((QuotaKey::Token("web".into()), limit));
        (access, Principal { counters: telemetry.client("web"), subject: None, quota, key: CallerKey::of("web") })
    }

    fn remaining_ms(access: &Access, principal: &Principal) -> u64 {
        let (key, limit) = principal.quota.as_ref().unwrap();
        access.quotas.status(key, *limit, Instant::now()).remaining_ms
    }

    /// Unused time is given back with the answer, or on drop.
    #[tokio::test]
    async fn unused_time_is_given_back() {
        let (access, principal) = caller();
        let answered = QuotaReservation::new(&access, principal.clone());
        answered.reserve(20_000 * MS, 2).unwrap();
        assert!(remaining_ms(&access, &principal) < 21_000);
        answered.settle();
        assert_eq!(remaining_ms(&access, &principal), 60_000);
        let dropped = QuotaReservation::new(&access, principal.clone());
        dropped.reserve(20_000 * MS, 2).unwrap();
        drop((answered, dropped));
        assert_eq!(remaining_ms(&access, &principal), 60_000);
    }

    /// While the engine works for a caller that has left, the elapsed time stays
    /// reserved; when the engine drops the meter, the metered time is charged.
    #[tokio::test]
    async fn abandoned_work_is_settled_when_it_stops() {
        let (access, principal) = caller();
        let reservation = QuotaReservation::new(&access, principal.clone());
        let working = reservation.meter();
        // A nanosecond with this many threads is a millisecond of CPU time.
        reservation.reserve(MS, 1_000_000).unwrap();
        assert_eq!(remaining_ms(&access, &principal), 0);
        drop(reservation);
        assert!(remaining_ms(&access, &principal) < 60_000);
        drop(working);
        let settled = async {
            while remaining_ms(&access, &principal) < 60_000 {
                tokio::time::sleep(MS).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), settled).await.expect("it stopped, so it is settled");
    }
}
