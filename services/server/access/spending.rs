//! The CPU time of one call: taken from its caller's quota before a search, and
//! settled when the call has ended and so has the work for it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use http::{HeaderMap, HeaderName, HeaderValue};
use pentad_engine::{Caller, CostMeter, Engine, QuestionLimits};

use super::{Access, Principal};
use crate::error::ApiError;
use crate::telemetry::GrantedTime;

pub(crate) const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
pub(crate) const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// Longer searches have `threads_per_long_search` threads.
const SHORT_SEARCH: Duration = Duration::from_secs(2);
/// How often a call whose caller has left looks whether its search has stopped.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// What a call has taken from its caller's quota. What it did not use is given back
/// when it is dropped and its work has stopped.
#[derive(Debug)]
pub(crate) struct Spending {
    account: Mutex<Account>,
    meter: Arc<CostMeter>,
}

#[derive(Clone, Debug)]
struct Account {
    access: Arc<Access>,
    principal: Principal,
    /// Taken and not settled.
    reserved: Duration,
    /// Threads of the search, and when it was admitted.
    search: Option<(u32, Instant)>,
    /// Of what the meter shows.
    charged: Duration,
}

impl Spending {
    pub(crate) fn new(access: &Arc<Access>, principal: Principal) -> Arc<Spending> {
        let account = Account {
            access: Arc::clone(access),
            principal,
            reserved: Duration::ZERO,
            search: None,
            charged: Duration::ZERO,
        };
        Arc::new(Spending { account: Mutex::new(account), meter: Arc::default() })
    }

    /// For the engine's [`Caller`].
    pub(crate) fn meter(&self) -> Arc<CostMeter> {
        Arc::clone(&self.meter)
    }

    /// The name of the caller's token, or `-`.
    pub(crate) fn client(&self) -> String {
        self.with_account(|account| account.principal.name().to_owned())
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

    /// Settles a call that has its answer, so that its caller sees what is left.
    pub(crate) fn settle(&self) {
        if Arc::strong_count(&self.meter) == 1 {
            self.with_account(|account| account.settle(&self.meter));
        }
    }

    /// Tells the caller its quota, if it has one, in the syntax of
    /// draft-ietf-httpapi-ratelimit-headers-10.
    pub(crate) fn write_rate_limit(&self, headers: &mut HeaderMap) {
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

impl Account {
    /// Replaces what is reserved by what the meter shows.
    fn settle(&mut self, meter: &CostMeter) {
        let used = meter.cpu().saturating_sub(self.charged);
        self.charged += used;
        if !used.is_zero() {
            self.principal.counters.count_cpu(used);
        }
        self.replace_reserved(used);
        self.reserved = Duration::ZERO;
    }

    /// Gives back what a search that stops now cannot have used.
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

impl Drop for Spending {
    /// The work of a call that was cancelled goes on for some milliseconds, and what it
    /// used is counted when it stops: leaving early must not be free.
    fn drop(&mut self) {
        let account = self.account.get_mut().unwrap_or_else(PoisonError::into_inner);
        let meter = std::mem::take(&mut self.meter);
        let runtime = tokio::runtime::Handle::try_current().ok();
        match runtime.filter(|_| Arc::strong_count(&meter) > 1) {
            None => account.settle(&meter),
            Some(runtime) => {
                account.release_unused();
                let mut account = account.clone();
                runtime.spawn(async move {
                    while Arc::strong_count(&meter) > 1 {
                        tokio::time::sleep(POLL_INTERVAL).await;
                    }
                    account.settle(&meter);
                });
            }
        }
    }
}

/// Lets a call search.
#[derive(Clone, Debug)]
pub(crate) struct Admission {
    pub(crate) granted: GrantedTime,
    pub(crate) spending: Arc<Spending>,
}

impl Admission {
    /// Notes how long a search with these limits may take, and takes that much CPU time
    /// for each of its threads from the caller's quota.
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
        self.spending.reserve(time, u32::try_from(n_threads.get()).unwrap_or(u32::MAX))
    }
}
