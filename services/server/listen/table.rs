//! Open connections of a port: the limits per address and in total, and which
//! connection is evicted for another.
//!
//! A full port closes a connection for a newcomer, so that nobody can keep others out:
//! the one that has waited longest for its peer; else one that only streams; else one with
//! a request that has run for a second, if its address has more connections than that of
//! the newcomer. Of the last two kinds, addresses with the most connections come first, and
//! of their connections those that have been busy longest. If there is none, a newcomer
//! waits, unless its address has more than its share of the port: then it is refused,
//! because those behind it would wait as well.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tokio::time::{Instant, timeout};

use super::activity::{CloseReason, ConnectionActivity, Occupation};
use crate::config::TrustedProxies;
use crate::telemetry::PortMetrics;

/// How long a connection must have waited for its peer before it can be evicted, or its
/// request must have run: a client that has just connected or received a response may be
/// about to send, and most answers take less.
const EVICTABLE_AFTER: Duration = Duration::from_secs(1);
/// How often a newcomer checks for a connection that has become evictable.
const RETRY_INTERVAL: Duration = Duration::from_millis(100);
/// Candidates collected per O(n) scan, so that one scan serves several newcomers.
const EVICTION_BATCH: usize = 64;

/// The open connections of a port.
#[derive(Debug)]
pub(super) struct ConnectionTable {
    max: usize,
    per_address_max: usize,
    trusted_proxies: Arc<TrustedProxies>,
    metrics: PortMetrics,
    connections: Mutex<Connections>,
    /// A connection has ended.
    ended: Notify,
}

#[derive(Debug, Default)]
struct Connections {
    open: HashMap<ConnectionId, Connection>,
    by_address: HashMap<IpAddr, usize>,
    /// Candidates for eviction, the first to go last. They are evicted only if their
    /// occupation is still the same.
    evictable: Vec<Candidate>,
    /// When they were collected.
    evictable_of: Option<Instant>,
    next_id: ConnectionId,
}

type ConnectionId = u64;

#[derive(Debug)]
struct Connection {
    /// Address that it counts for; `None` for a trusted proxy.
    address: Option<IpAddr>,
    activity: Arc<ConnectionActivity>,
    task: Option<AbortHandle>,
}

/// A connection that may be evicted, in the order of eviction.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    occupation: Occupation,
    /// Connections of its address; 0 if it is idle, because its address does not matter
    /// then, and for trusted proxies.
    n_of_address: Reverse<usize>,
    since: Instant,
    id: ConnectionId,
}

/// Slot of a connection in the table, freed when dropped.
#[derive(Debug)]
pub(super) struct ConnectionSlot {
    table: Arc<ConnectionTable>,
    id: ConnectionId,
    activity: Arc<ConnectionActivity>,
}

/// The address has reached its limit of connections.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct AddressLimitReached;

impl ConnectionTable {
    pub(super) fn new(
        max: usize,
        per_address_max: usize,
        trusted_proxies: Arc<TrustedProxies>,
        metrics: PortMetrics,
    ) -> Arc<ConnectionTable> {
        let (connections, ended) = (Mutex::default(), Notify::new());
        Arc::new(ConnectionTable { max, per_address_max, trusted_proxies, metrics, connections, ended })
    }

    fn lock(&self) -> MutexGuard<'_, Connections> {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a slot for a connection from this address, as soon as there is one.
    pub(super) async fn admit(self: &Arc<Self>, peer: IpAddr) -> Result<ConnectionSlot, AddressLimitReached> {
        let peer = peer.to_canonical();
        let address = (!self.trusted_proxies.contains(peer)).then(|| counted_address(peer));
        loop {
            let ended = self.ended.notified();
            if let Some(slot) = self.try_admit(address)? {
                return Ok(slot);
            }
            // Either outcome means: try again.
            let _ = timeout(RETRY_INTERVAL, ended).await;
        }
    }

    fn try_admit(self: &Arc<Self>, address: Option<IpAddr>) -> Result<Option<ConnectionSlot>, AddressLimitReached> {
        let mut connections = self.lock();
        let n_own = connections.n_of_address(address);
        if n_own >= self.per_address_max {
            return Err(AddressLimitReached);
        }
        if connections.open.len() >= self.max && !self.evict(&mut connections, Some(n_own)) {
            let share = self.max / connections.by_address.len().max(1);
            return if n_own > share { Err(AddressLimitReached) } else { Ok(None) };
        }
        let activity = ConnectionActivity::new();
        let id = connections.insert(Connection { address, activity: Arc::clone(&activity), task: None });
        self.metrics.n_open.increment(1.0);
        Ok(Some(ConnectionSlot { table: Arc::clone(self), id, activity }))
    }

    /// Closes the connection that has waited longest for its peer, or else one that only
    /// streams. Returns whether there is one.
    pub(super) fn evict_one(&self) -> bool {
        self.evict(&mut self.lock(), None)
    }

    /// Closes a connection for a newcomer whose address has `n_own` connections.
    fn evict(&self, connections: &mut Connections, n_own: Option<usize>) -> bool {
        let Some(connection) = connections.take_evictable(n_own) else { return false };
        if let Some(task) = connection.task {
            task.abort();
        }
        self.metrics.count_closed(CloseReason::PortFull);
        true
    }

    /// Waits until no connection is open.
    pub(super) async fn emptied(&self) {
        loop {
            let ended = self.ended.notified();
            if self.n_open() == 0 {
                return;
            }
            ended.await;
        }
    }

    pub(super) fn n_open(&self) -> usize {
        self.lock().open.len()
    }

    pub(super) fn metrics(&self) -> &PortMetrics {
        &self.metrics
    }
}

impl Connections {
    fn insert(&mut self, connection: Connection) -> ConnectionId {
        if let Some(address) = connection.address {
            *self.by_address.entry(address).or_default() += 1;
        }
        let id = self.next_id;
        self.next_id += 1;
        self.open.insert(id, connection);
        id
    }

    /// Returns `None` if it was removed before.
    fn remove(&mut self, id: ConnectionId) -> Option<Connection> {
        let connection = self.open.remove(&id)?;
        if let Some(address) = connection.address
            && let Some(n_open) = self.by_address.get_mut(&address)
        {
            *n_open -= 1;
            if *n_open == 0 {
                self.by_address.remove(&address);
            }
        }
        Some(connection)
    }

    fn n_of_address(&self, address: Option<IpAddr>) -> usize {
        address.and_then(|address| self.by_address.get(&address)).copied().unwrap_or(0)
    }

    fn take_evictable(&mut self, n_own: Option<usize>) -> Option<Connection> {
        if self.evictable.is_empty() || self.evictable_of.is_none_or(|at| at.elapsed() >= RETRY_INTERVAL) {
            self.find_evictable();
        }
        while let Some(candidate) = self.evictable.pop() {
            let Some(connection) = self.open.get(&candidate.id) else { continue };
            if connection.activity.occupation() != (candidate.occupation, candidate.since) {
                continue;
            }
            let has_more = || n_own.is_some_and(|n_own| self.n_of_address(connection.address) > n_own + 1);
            if candidate.occupation == Occupation::Working && !has_more() {
                // The others have no more connections than this one.
                self.evictable.push(candidate);
                return None;
            }
            return self.remove(candidate.id);
        }
        None
    }

    /// Fills `evictable` with the connections that are evicted first.
    fn find_evictable(&mut self) {
        let now = Instant::now();
        let candidates = self.open.iter().filter_map(|(id, connection)| {
            let (occupation, since) = connection.activity.occupation();
            let is_evictable = occupation == Occupation::Streaming || since + EVICTABLE_AFTER <= now;
            let is_idle = occupation == Occupation::Idle;
            let n_of_address = Reverse(if is_idle { 0 } else { self.n_of_address(connection.address) });
            is_evictable.then_some(Candidate { occupation, n_of_address, since, id: *id })
        });
        self.evictable = candidates.collect();
        self.evictable.sort_unstable();
        self.evictable.truncate(self.open.len().div_ceil(EVICTION_BATCH));
        self.evictable.reverse();
        self.evictable_of = Some(now);
    }
}

impl ConnectionSlot {
    pub(super) fn activity(&self) -> &Arc<ConnectionActivity> {
        &self.activity
    }

    /// Counts that the server closes this connection.
    pub(super) fn count_closed(&self, reason: CloseReason) {
        self.table.metrics.count_closed(reason);
    }

    /// Returns a function that gives the table the connection's task, to abort it.
    pub(super) fn task_setter(&self) -> impl FnOnce(AbortHandle) + use<> {
        let (table, id) = (Arc::clone(&self.table), self.id);
        move |task| {
            if let Some(connection) = table.lock().open.get_mut(&id) {
                connection.task = Some(task);
            }
        }
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.table.metrics.n_open.decrement(1.0);
        self.table.lock().remove(self.id);
        self.table.ended.notify_waiters();
    }
}

/// The owner of one IPv6 address usually has its whole /64, so that counts as one.
fn counted_address(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::super::LongStream;
    use super::*;

    fn table(max: usize, per_address_max: usize) -> Arc<ConnectionTable> {
        let trusted = TrustedProxies::new("10.0.0.0/8").unwrap();
        ConnectionTable::new(max, per_address_max, Arc::new(trusted), PortMetrics::noop())
    }

    async fn admit(table: &Arc<ConnectionTable>, peer: &str) -> Result<ConnectionSlot, AddressLimitReached> {
        table.admit(peer.parse().unwrap()).await
    }

    /// Opens a connection with a task that ends if the table closes it.
    async fn open(table: &Arc<ConnectionTable>) -> (Arc<ConnectionActivity>, tokio::task::JoinHandle<()>) {
        open_from(table, "192.0.2.1").await
    }

    async fn open_from(
        table: &Arc<ConnectionTable>,
        peer: &str,
    ) -> (Arc<ConnectionActivity>, tokio::task::JoinHandle<()>) {
        let slot = admit(table, peer).await.unwrap();
        let (activity, set_task) = (Arc::clone(slot.activity()), slot.task_setter());
        let task = tokio::spawn(async move {
            let _slot = slot;
            std::future::pending::<()>().await;
        });
        set_task(task.abort_handle());
        (activity, task)
    }

    /// Connections are counted by IPv4 address and IPv6 /64; those of trusted proxies
    /// are not.
    #[tokio::test]
    async fn addresses_have_a_limit() {
        let table = table(100, 2);
        let first = admit(&table, "192.0.2.1").await.unwrap();
        let _second = admit(&table, "::ffff:192.0.2.1").await.unwrap();
        assert_eq!(admit(&table, "192.0.2.1").await.unwrap_err(), AddressLimitReached);
        let _other = admit(&table, "192.0.2.2").await.unwrap();
        drop(first);
        let _again = admit(&table, "192.0.2.1").await.unwrap();
        let mut network = Vec::new();
        for peer in ["2001:db8::1", "2001:db8::ffff:1"] {
            network.push(admit(&table, peer).await.unwrap());
        }
        assert_eq!(admit(&table, "2001:db8::2").await.unwrap_err(), AddressLimitReached);
        let _next_network = admit(&table, "2001:db8:0:1::2").await.unwrap();
        for _ in 0..10 {
            network.push(admit(&table, "10.1.2.3").await.unwrap());
        }
        assert_eq!(table.n_open(), 4 + network.len());
        drop(network);
        assert_eq!(table.lock().by_address.len(), 3);
    }

    /// A full port closes the connection that has waited longest for its peer.
    #[tokio::test(start_paused = true)]
    async fn longest_idle_connection_makes_room() {
        let table = table(3, 100);
        let (busy, busy_task) = open(&table).await;
        let _request = busy.begin_request();
        let (active, active_task) = open(&table).await;
        let (_idle, idle_task) = open(&table).await;
        advance(Duration::from_secs(5)).await;
        drop(active.begin_request());
        advance(Duration::from_secs(5)).await;
        let (_new, new_task) = open(&table).await;
        assert!(idle_task.await.unwrap_err().is_cancelled());
        let (_newer, newer_task) = open(&table).await;
        assert!(active_task.await.unwrap_err().is_cancelled());
        assert_eq!(table.n_open(), 3);
        assert!(![&busy_task, &new_task, &newer_task].iter().any(|task| task.is_finished()));
    }

    /// If every connection has a running request, a newcomer waits until one becomes
    /// idle or ends.
    #[tokio::test(start_paused = true)]
    async fn newcomers_wait_for_busy_connections() {
        let table = table(1, 100);
        let (first, first_task) = open(&table).await;
        let request = first.begin_request();
        assert!(timeout(Duration::from_mins(1), admit(&table, "192.0.2.9")).await.is_err());
        drop(request);
        let idle_since = Instant::now();
        let (second, second_task) = open(&table).await;
        assert!(first_task.await.unwrap_err().is_cancelled());
        assert!(idle_since.elapsed() >= EVICTABLE_AFTER);
        let _request = second.begin_request();
        let ended = Instant::now();
        second_task.abort();
        let _third = open(&table).await;
        assert!(ended.elapsed() < RETRY_INTERVAL);
    }

    /// A connection that does not read its response can be evicted as well.
    #[tokio::test(start_paused = true)]
    async fn unread_responses_make_room() {
        let table = table(1, 100);
        let (unread, unread_task) = open(&table).await;
        let _request = unread.begin_request();
        unread.set_write_blocked(Some(Instant::now()));
        advance(Duration::from_secs(2)).await;
        let _new = open(&table).await;
        assert!(unread_task.await.unwrap_err().is_cancelled());
    }

    /// The longest running stream of the address with the most connections makes room,
    /// after idle connections and before those whose request waits for its answer.
    #[tokio::test(start_paused = true)]
    async fn streams_make_room() {
        let table = table(4, 100);
        let mut streams = Vec::new();
        for peer in ["192.0.2.2", "192.0.2.1", "192.0.2.1"] {
            let (activity, task) = open_from(&table, peer).await;
            let mut request = activity.begin_request();
            request.set_stream(LongStream::Updates);
            streams.push((request, task));
            advance(Duration::from_millis(10)).await;
        }
        let (_idle, idle_task) = open_from(&table, "192.0.2.3").await;
        advance(Duration::from_secs(2)).await;
        let (working, _task) = open_from(&table, "192.0.2.9").await;
        assert!(idle_task.await.unwrap_err().is_cancelled());
        let _request = working.begin_request();
        for ended in [1, 0, 1] {
            let (activity, _task) = open_from(&table, "192.0.2.9").await;
            assert!(streams.remove(ended.min(streams.len() - 1)).1.await.unwrap_err().is_cancelled(), "{ended}");
            std::mem::forget(activity.begin_request());
        }
    }

    /// An address whose requests take all of the port has to make room for others, but not
    /// for its own newcomers, which are refused while it has more than its share.
    #[tokio::test(start_paused = true)]
    async fn working_connections_make_room_for_other_addresses() {
        let table = table(4, 100);
        let mut working = Vec::new();
        for _ in 0..4 {
            let (activity, task) = open_from(&table, "192.0.2.1").await;
            working.push((activity.begin_request(), task));
            advance(Duration::from_millis(10)).await;
        }
        let (begun, _first) = (Instant::now(), open_from(&table, "192.0.2.2").await);
        assert!(begun.elapsed() <= EVICTABLE_AFTER);
        assert!(working.remove(0).1.await.unwrap_err().is_cancelled());
        assert_eq!(admit(&table, "192.0.2.1").await.unwrap_err(), AddressLimitReached);
        assert!(!working.iter().any(|(_, task)| task.is_finished()));
    }

    /// The table is empty when the last connection has ended.
    #[tokio::test(start_paused = true)]
    async fn last_connection_is_waited_for() {
        let table = table(10, 10);
        let tasks = [open(&table).await.1, open(&table).await.1];
        assert!(timeout(Duration::from_secs(10), table.emptied()).await.is_err());
        tasks.iter().for_each(|task| task.abort());
        table.emptied().await;
        assert_eq!(table.n_open(), 0);
    }
}
