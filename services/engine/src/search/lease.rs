//! Who of those that share a store makes a search.
//!
//! Single flight beyond one process: a question that another replica is searching is not
//! searched again. Whoever comes second waits for the first one's lease to end, and looks
//! into the store; if there is no answer then, it searches itself. It does not wait where
//! that would leave it without the time to find anything by itself: a question that comes
//! almost at the same moment, and is due as soon, is searched twice.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::sleep;

use crate::question::Class;
use crate::resolve::query::ResolvedQuery;
use crate::search::single_flight::SharedSearch;
use crate::store::answer_store::{Claim, SearchLease};
use crate::store::stored::StoredAnswers;

/// What is left of a question's time, at least, if it waited in vain: enough to find a
/// good move.
const RESERVE: Duration = Duration::from_millis(25);
/// A search may end, and its answer be stored, so long after it was due.
const GRACE: Duration = Duration::from_millis(20);
/// How often one that waits looks again; at first sooner, since many proofs are quick.
const POLL_MIN: Duration = Duration::from_millis(4);
const POLL_MAX: Duration = Duration::from_millis(32);

/// The right to search, as far as there is one.
#[derive(Default)]
pub(crate) struct Claimed {
    /// To be kept until the answer was offered.
    pub(crate) lease: SearchLease,
    /// Somebody else had it before: there may be an answer by now.
    pub(crate) has_waited: bool,
}

/// Whether a search is worth a claim: one that takes long, and is not of a batch, which
/// may wait in the queue for as long as it likes.
pub(crate) fn is_worth_a_claim(query: &ResolvedQuery, long: Duration) -> bool {
    query.search_key.class == Class::Interactive && query.cost >= long
}

/// Claims the search for a question, or waits until nobody else has it.
pub(crate) async fn claim(stored: &StoredAnswers, query: &Arc<ResolvedQuery>, search: &SharedSearch) -> Claimed {
    let mut claimed = Claimed::default();
    let mut poll = POLL_MIN;
    loop {
        let left = query.due.saturating_duration_since(Instant::now());
        if left <= RESERVE || search.cancel.is_cancelled() {
            return claimed;
        }
        match stored.claim(query, left + GRACE).await {
            Claim::Granted(lease) => return Claimed { lease, ..claimed },
            Claim::Taken { expires_in } if expires_in + RESERVE > left => return claimed,
            Claim::Taken { .. } => claimed.has_waited = true,
        }
        tokio::select! {
            () = sleep(poll) => {}
            // Nobody wants to know any more.
            () = search.progress.closed() => return claimed,
        }
        poll = (poll * 2).min(POLL_MAX);
    }
}
