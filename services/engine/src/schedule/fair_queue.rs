//! A queue that is fair between callers: start-time fair queuing.
//!
//! Each caller has a flow of its own, first in, first out by priority. A flow's first item has a virtual
//! start time: where the flow's last item ended by its cost, or the present virtual time if the flow was
//! idle. The item that starts first is next. So callers share capacity by cost, and a caller with one
//! question beside another's thousand is next after the running ones.
//!
//! An item's cost is known when it has run; until then its estimate counts, and
//! [`settle`](FairQueue::settle) replaces it. Virtual times are nanoseconds of cost.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use crate::question::{CallerKey, Priority};

/// Most idle flows that are remembered, with what they have used lately.
const IDLE_FLOWS_MAX: usize = 1024;

/// Items of all callers.
#[derive(Debug)]
pub(crate) struct FairQueue<T> {
    flows: HashMap<CallerKey, Flow<T>>,
    n_idle_flows: usize,
    /// Start of the last item taken.
    virtual_time: u64,
    next_seq: u64,
    len: usize,
    cost: Duration,
}

#[derive(Debug)]
struct Flow<T> {
    entries: VecDeque<Entry<T>>,
    /// Virtual start of the first entry, or of the next one to come.
    start: u64,
    cost: Duration,
}

#[derive(Debug)]
struct Entry<T> {
    /// Order of arrival, which decides between flows with the same start.
    seq: u64,
    priority: Priority,
    cost: Duration,
    item: T,
}

/// Measure by which a queue is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    Len,
    Cost,
}

impl<T> Default for FairQueue<T> {
    fn default() -> Self {
        FairQueue { flows: HashMap::new(), n_idle_flows: 0, virtual_time: 0, next_seq: 0, len: 0, cost: Duration::ZERO }
    }
}

impl<T> FairQueue<T> {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the estimated cost of all items.
    pub(crate) fn cost(&self) -> Duration {
        self.cost
    }

    /// Returns all items, those of one caller in their order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> + Clone {
        self.flows.values().flat_map(|flow| flow.entries.iter().map(|entry| &entry.item))
    }

    /// Appends an item behind its caller's items of the same or a higher priority.
    pub(crate) fn push(&mut self, key: CallerKey, priority: Priority, cost: Duration, item: T) {
        let seq = self.next_seq;
        self.next_seq += 1;
        let flow = self.flow(key);
        let idx = flow.entries.partition_point(|entry| entry.priority >= priority);
        flow.insert(idx, Entry { seq, priority, cost, item });
        self.len += 1;
        self.cost += cost;
    }

    /// Puts an item back that was popped and has not run.
    pub(crate) fn push_front(&mut self, key: CallerKey, priority: Priority, cost: Duration, item: T) {
        let now = self.virtual_time;
        let flow = self.flow(key);
        flow.insert(0, Entry { seq: 0, priority, cost, item });
        flow.start = flow.start.saturating_sub(nanos(cost)).max(now);
        self.len += 1;
        self.cost += cost;
    }

    /// Takes the next item, and charges its estimated cost to its caller.
    pub(crate) fn pop(&mut self) -> Option<T> {
        let waiting = self.flows.iter_mut().filter_map(|(_, flow)| {
            let seq = flow.entries.front()?.seq;
            Some((flow.start, seq, flow))
        });
        let (start, _, flow) = waiting.min_by_key(|(start, seq, _)| (*start, *seq))?;
        let entry = flow.remove(0)?;
        flow.start = start.saturating_add(nanos(entry.cost));
        let is_idle = flow.entries.is_empty();
        self.virtual_time = self.virtual_time.max(start);
        self.removed(entry.cost);
        if is_idle {
            self.note_idle();
        }
        Some(entry.item)
    }

    /// Replaces the estimated cost of a popped item by its actual cost.
    pub(crate) fn settle(&mut self, key: CallerKey, estimate: Duration, cost: Duration) {
        let now = self.virtual_time;
        if let Some(flow) = self.flows.get_mut(&key) {
            let start = flow.start.saturating_sub(nanos(estimate)).saturating_add(nanos(cost));
            flow.start = start.max(now);
        }
    }

    /// Removes the items that match. Their callers are not charged.
    pub(crate) fn remove_where(&mut self, is_removed: impl Fn(&T) -> bool) -> Vec<T> {
        let mut removed = Vec::new();
        let (mut n_emptied, mut freed) = (0, Duration::ZERO);
        for flow in self.flows.values_mut().filter(|flow| !flow.entries.is_empty()) {
            let (out, kept): (VecDeque<_>, VecDeque<_>) =
                std::mem::take(&mut flow.entries).into_iter().partition(|entry| is_removed(&entry.item));
            flow.entries = kept;
            let cost: Duration = out.iter().map(|entry| entry.cost).sum();
            flow.cost -= cost;
            freed += cost;
            n_emptied += usize::from(flow.entries.is_empty());
            removed.extend(out.into_iter().map(|entry| entry.item));
        }
        self.len -= removed.len();
        self.cost -= freed;
        (0..n_emptied).for_each(|_| self.note_idle());
        removed
    }

    /// Makes room for an item of a caller: removes the last item of the caller that has most, if that has
    /// more than this caller would have.
    pub(crate) fn evict_for(&mut self, key: CallerKey, cost: Duration, bound: Bound) -> Option<T> {
        let size = |flow: &Flow<T>| match bound {
            Bound::Len => flow.entries.len() as u128,
            Bound::Cost => flow.cost.as_nanos(),
        };
        let added = match bound {
            Bound::Len => 1,
            Bound::Cost => cost.as_nanos(),
        };
        let own = self.flows.get(&key).map_or(0, size);
        let (_, largest) =
            self.flows.iter_mut().filter(|(other, _)| **other != key).max_by_key(|(_, flow)| size(flow))?;
        if size(largest) <= own + added {
            return None;
        }
        let entry = largest.remove(largest.entries.len().checked_sub(1)?)?;
        let is_idle = largest.entries.is_empty();
        self.removed(entry.cost);
        if is_idle {
            self.note_idle();
        }
        Some(entry.item)
    }

    /// Returns the items that would be taken before a new one of this caller, in the order in which they
    /// start.
    pub(crate) fn ahead_of(&self, key: CallerKey, priority: Priority) -> Vec<&T> {
        let flow = self.flows.get(&key);
        let mut new_start = flow.map_or(0, |flow| flow.start).max(self.virtual_time);
        let own = flow.into_iter().flat_map(|flow| &flow.entries).take_while(|entry| entry.priority >= priority);
        new_start += own.map(|entry| nanos(entry.cost)).sum::<u64>();
        let mut ahead = Vec::new();
        for (other, flow) in &self.flows {
            let mut start = flow.start;
            for entry in &flow.entries {
                if start > new_start || (*other == key && entry.priority < priority) {
                    break;
                }
                ahead.push((start, entry.seq, &entry.item));
                start = start.saturating_add(nanos(entry.cost));
            }
        }
        ahead.sort_by_key(|(start, seq, _)| (*start, *seq));
        ahead.into_iter().map(|(_, _, item)| item).collect()
    }

    /// Returns with how many items one of this caller competes: the caller's own items, and of each other
    /// caller as many as come before the last of those.
    pub(crate) fn n_competing(&self, key: CallerKey, is_counted: impl Fn(&T) -> bool) -> usize {
        let counted = |flow: &Flow<T>| flow.entries.iter().filter(|entry| is_counted(&entry.item)).count();
        let own = self.flows.get(&key).map_or(0, counted);
        let others = self.flows.iter().filter(|(other, _)| **other != key);
        own + others.map(|(_, flow)| counted(flow).min(own + 1)).sum::<usize>()
    }

    /// Returns the caller's flow, which is about to get an item.
    fn flow(&mut self, key: CallerKey) -> &mut Flow<T> {
        let now = self.virtual_time;
        let mut is_new = false;
        let flow = self.flows.entry(key).or_insert_with(|| {
            is_new = true;
            Flow { entries: VecDeque::new(), start: now, cost: Duration::ZERO }
        });
        if flow.entries.is_empty() {
            flow.start = flow.start.max(now);
            self.n_idle_flows -= usize::from(!is_new);
        }
        flow
    }

    fn removed(&mut self, cost: Duration) {
        self.len -= 1;
        self.cost -= cost;
    }

    /// Notes that a flow has become empty. It is kept while its start is ahead of the virtual time, and while
    /// there is room.
    fn note_idle(&mut self) {
        self.n_idle_flows += 1;
        if self.n_idle_flows > IDLE_FLOWS_MAX {
            let now = self.virtual_time;
            self.flows.retain(|_, flow| !flow.entries.is_empty() || flow.start > now);
            self.n_idle_flows = self.flows.values().filter(|flow| flow.entries.is_empty()).count();
        }
        if self.n_idle_flows > IDLE_FLOWS_MAX {
            self.flows.retain(|_, flow| !flow.entries.is_empty());
            self.n_idle_flows = 0;
        }
    }
}

impl<T> Flow<T> {
    fn insert(&mut self, idx: usize, entry: Entry<T>) {
        self.cost += entry.cost;
        self.entries.insert(idx, entry);
    }

    fn remove(&mut self, idx: usize) -> Option<Entry<T>> {
        let entry = self.entries.remove(idx)?;
        self.cost -= entry.cost;
        Some(entry)
    }
}

fn nanos(cost: Duration) -> u64 {
    u64::try_from(cost.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn key(name: &str) -> CallerKey {
        CallerKey::of(name)
    }

    fn push(queue: &mut FairQueue<String>, caller: &str, n: usize, cost: Duration) {
        (0..n).for_each(|idx| queue.push(key(caller), Priority::Normal, cost, format!("{caller}{idx}")));
    }

    fn drain(queue: &mut FairQueue<String>) -> Vec<String> {
        std::iter::from_fn(|| queue.pop()).collect()
    }

    /// A single question beside a flood is next after one of the flood's; a single caller's items are first
    /// in, first out.
    #[test]
    fn a_flood_does_not_starve_a_single_question() {
        let mut queue = FairQueue::default();
        push(&mut queue, "flood", 5, SECOND);
        assert_eq!(queue.pop().unwrap(), "flood0");
        assert_eq!(queue.pop().unwrap(), "flood1");
        push(&mut queue, "single", 1, SECOND);
        let ahead = queue.ahead_of(key("third"), Priority::Normal);
        assert_eq!(ahead, ["single0"], "the flood has used up two seconds");
        assert_eq!(drain(&mut queue), ["single0", "flood2", "flood3", "flood4"]);
        assert_eq!((queue.len(), queue.cost()), (0, Duration::ZERO));
    }

    /// Two callers that always have items waiting share by cost, not by number, and the actual cost of an
    /// item counts.
    #[test]
    fn callers_share_by_cost() {
        let mut queue = FairQueue::default();
        push(&mut queue, "long", 4, 4 * SECOND);
        push(&mut queue, "short", 16, SECOND);
        let order = drain(&mut queue);
        for turn in order[..15].chunks(5) {
            let n_long = turn.iter().filter(|item| item.starts_with("long")).count();
            assert_eq!(n_long, 1, "{order:?}");
        }
        let mut queue = FairQueue::default();
        push(&mut queue, "early", 8, 4 * SECOND);
        push(&mut queue, "full", 8, 4 * SECOND);
        let mut n_early = 0;
        for _ in 0..10 {
            let is_early = queue.pop().unwrap().starts_with("early");
            n_early += usize::from(is_early);
            if is_early {
                queue.settle(key("early"), 4 * SECOND, SECOND);
            }
        }
        assert_eq!(n_early, 8, "four of its items cost as much as one of the other's");
    }

    /// Among a caller's items the priority decides, then the order; priority takes nothing from other
    /// callers.
    #[test]
    fn priority_is_among_a_callers_own() {
        let mut queue = FairQueue::default();
        for (name, priority) in [("low", Priority::Low), ("normal", Priority::Normal), ("high", Priority::High)] {
            queue.push(key("a"), priority, SECOND, name.to_owned());
            queue.push(key("a"), priority, SECOND, format!("{name} again"));
        }
        push(&mut queue, "b", 1, SECOND);
        let ahead = queue.ahead_of(key("a"), Priority::High);
        assert_eq!(ahead, ["high", "b0", "high again"]);
        let order = drain(&mut queue);
        assert_eq!(order, ["high", "b0", "high again", "normal", "normal again", "low", "low again"]);
    }

    /// Removed items are not charged, and an item that is put back is next.
    #[test]
    fn what_does_not_run_is_not_charged() {
        let mut queue = FairQueue::default();
        push(&mut queue, "a", 3, SECOND);
        push(&mut queue, "b", 2, SECOND);
        assert_eq!(queue.remove_where(|item| item == "a0" || item == "a1").len(), 2);
        assert_eq!((queue.len(), queue.cost()), (3, 3 * SECOND));
        let first = queue.pop().unwrap();
        queue.push_front(key("a"), Priority::Normal, SECOND, "a back".to_owned());
        let order = drain(&mut queue);
        assert_eq!(order[0], "a back", "{first} then {order:?}");
    }

    /// A full queue evicts from the caller that has most for one that has less, and never from equals.
    #[test]
    fn room_is_made_at_the_largest_flow() {
        let mut queue = FairQueue::default();
        push(&mut queue, "flood", 5, SECOND);
        push(&mut queue, "some", 2, 2 * SECOND);
        assert_eq!(queue.evict_for(key("new"), SECOND, Bound::Len).unwrap(), "flood4");
        assert_eq!(queue.evict_for(key("flood"), SECOND, Bound::Len), None, "it has most itself");
        assert_eq!(queue.evict_for(key("new"), 4 * SECOND, Bound::Cost), None, "it would have as much");
        assert!(queue.evict_for(key("new"), SECOND, Bound::Cost).is_some());
        assert_eq!(FairQueue::<u8>::default().evict_for(key("new"), SECOND, Bound::Len), None);
    }

    /// A caller competes with its own items and at most as many of each other caller, plus one.
    #[test]
    fn competitors_are_counted_by_caller() {
        let mut queue = FairQueue::default();
        push(&mut queue, "flood", 50, SECOND);
        push(&mut queue, "some", 2, SECOND);
        let n_competing = |caller| queue.n_competing(key(caller), |_| true);
        assert_eq!((n_competing("single"), n_competing("some"), n_competing("flood")), (2, 5, 52));
    }

    /// Flows of callers that have left are dropped.
    #[test]
    fn idle_flows_are_bounded() {
        let mut queue = FairQueue::default();
        for caller in 0..10 * IDLE_FLOWS_MAX {
            queue.push(CallerKey::of(caller), Priority::Normal, SECOND, caller);
            assert_eq!(queue.pop(), Some(caller));
            assert!(queue.flows.len() <= IDLE_FLOWS_MAX + 1);
        }
    }
}
