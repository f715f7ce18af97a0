//! Open connections of a port: the limits per address and in total, and which
//! connection is evicted for another.
//!
//! A full port closes the connection that has waited longest for its peer, so that idle
//! connections cannot keep others out. Connections with a running request are not
//! closed: if there are no others, newcomers wait.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tokio::time::{Instant, timeout};

use super::activity::{CloseReason, ConnectionActivity};
use crate::config::TrustedProxies;
use crate::telemetry::PortMetrics;

/// How long a connection must have waited for its peer before it can be evicted: a
/// client that has just connected or received a response may be about to send.
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
    /// Candidates for eviction, the longest waiting last. They are evicted only if they
    /// are still waiting.
    evictable: Vec<(Instant, ConnectionId)>,
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
        if let Some(address) = address
            && connections.by_address.get(&address).is_some_and(|n_open| *n_open >= self.per_address_max)
        {
            return Err(AddressLimitReached);
        }
        if connections.open.len() >= self.max && !self.evict(&mut connections) {
            return Ok(None);
        }
        let activity = ConnectionActivity::new();
        let id = connections.insert(Connection { address, activity: Arc::clone(&activity), task: None });
        self.metrics.n_open.increment(1.0);
        Ok(Some(ConnectionSlot { table: Arc::clone(self), id, activity }))
    }

    /// Closes the connection that has waited longest for its peer. Returns whether
    /// there is one.
    pub(super) fn evict_one(&self) -> bool {
        self.evict(&mut self.lock())
    }

    fn evict(&self, connections: &mut Connections) -> bool {
        let Some(connection) = connections.take_evictable() else { return false };
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

    fn take_evictable(&mut self) -> Option<Connection> {
        if self.evictable.is_empty() {
            self.find_evictable();
        }
        while let Some((since, id)) = self.evictable.pop() {
            let waits_since = self.open.get(&id).and_then(|connection| connection.activity.waiting_since());
            if waits_since == Some(since) {
                return self.remove(id);
            }
        }
        None
    }

    /// Fills `evictable` with the connections that have waited longest.
    fn find_evictable(&mut self) {
        let now = Instant::now();
        let waiting = self.open.iter().filter_map(|(id, connection)| Some((connection.activity.waiting_since()?, *id)));
        self.evictable = waiting.filter(|(since, _)| *since + EVICTABLE_AFTER <= now).collect();
        self.evictable.sort_unstable();
        self.evictable.truncate(self.open.len().div_ceil(EVICTION_BATCH));
        self.evictable.reverse();
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
        let slot = admit(table, "192.0.2.1").await.unwrap();
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
