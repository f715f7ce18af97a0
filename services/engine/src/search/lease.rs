//! Search leases: which of the processes that share a store makes a search.
//!
//! Single flight beyond one process: a question that another replica is searching is not searched again.
//! The second replica waits for the first one's lease to end and looks into the store; if there is no answer
//! then, it searches itself. It does not wait where that would leave it no time for a search of its own: a
//! question that arrives at almost the same time and is due as soon is searched twice.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::sleep;

use crate::question::Class;
use crate::resolve::query::ResolvedQuery;
use crate::search::single_flight::SharedSearch;
use crate::store::answer_store::{Claim, SearchLease};
use crate::store::stored::StoredAnswers;

/// Time that is left to a question that waited in vain: enough to find a good move.
const RESERVE: Duration = Duration::from_millis(25);
/// How long after its due time a search may end and its answer be stored.
const GRACE: Duration = Duration::from_millis(20);
/// Interval between claims, doubling from the first to the second; many proofs are quick.
const POLL_MIN: Duration = Duration::from_millis(4);
const POLL_MAX: Duration = Duration::from_millis(32);

/// A lease, which is empty if it was not worth waiting for.
#[derive(Default)]
pub(crate) struct AcquiredLease {
    /// Kept until the answer was offered to the store.
    pub(crate) lease: SearchLease,
    /// Whether another replica had it before, so that there may be an answer by now.
    pub(crate) has_waited: bool,
}

/// Whether a search is worth a lease: it takes long and is not a bulk search, which may wait in the queue
/// for any time.
pub(crate) fn is_worth_a_lease(query: &ResolvedQuery, long: Duration) -> bool {
    query.effort.class == Class::Interactive && query.cost >= long
}

/// Acquires the lease of a search, or waits until no other replica has it.
pub(crate) async fn acquire(
    stored: &StoredAnswers,
    query: &Arc<ResolvedQuery>,
    search: &SharedSearch,
) -> AcquiredLease {
    let mut acquired = AcquiredLease::default();
    let mut poll = POLL_MIN;
    loop {
        let left = query.due.saturating_duration_since(Instant::now());
        if left <= RESERVE || search.cancel.is_cancelled() {
            return acquired;
        }
        match stored.claim(query, left + GRACE).await {
            Claim::Granted(lease) => return AcquiredLease { lease, ..acquired },
            Claim::Taken { expires_in } if expires_in + RESERVE > left => return acquired,
            Claim::Taken { .. } => acquired.has_waited = true,
        }
        tokio::select! {
            () = sleep(poll) => {}
            // No waiter is left.
            () = search.progress.closed() => return acquired,
        }
        poll = (poll * 2).min(POLL_MAX);
    }
}
