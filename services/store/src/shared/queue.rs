//! A bounded queue between callers, which never wait, and a thread that does.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

pub(super) struct Queue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    len_max: usize,
}

struct State<T> {
    items: VecDeque<T>,
    is_closed: bool,
}

/// Work for the waiting thread.
pub(super) enum Work<T> {
    Items(Vec<T>),
    /// Nothing arrived within the time.
    Idle,
    /// The queue is empty and closed.
    Closed,
}

impl<T> Queue<T> {
    pub(super) fn new(len_max: usize) -> Self {
        let state = State { items: VecDeque::new(), is_closed: false };
        Queue { state: Mutex::new(state), changed: Condvar::new(), len_max }
    }

    /// Adds an item; returns whether there was room for it.
    pub(super) fn push(&self, item: T) -> bool {
        self.push_replacing(item, |_| false) == 0
    }

    /// Adds an item; in a full queue it replaces the first expendable one. Returns how many
    /// items were lost, possibly the new one.
    pub(super) fn push_replacing(&self, item: T, is_expendable: impl Fn(&T) -> bool) -> u64 {
        let mut state = self.lock();
        if state.is_closed {
            return 1;
        }
        let mut n_lost = 0;
        if state.items.len() >= self.len_max {
            let Some(idx) = state.items.iter().position(is_expendable) else { return 1 };
            state.items.remove(idx);
            n_lost = 1;
        }
        state.items.push_back(item);
        drop(state);
        self.changed.notify_one();
        n_lost
    }

    /// Waits for items, for at most `wait_max`, and takes up to `len_max` of them. Items of a
    /// closed queue are still taken.
    pub(super) fn take(&self, len_max: usize, wait_max: Duration) -> Work<T> {
        let is_idle = |state: &mut State<T>| state.items.is_empty() && !state.is_closed;
        let waited = self.changed.wait_timeout_while(self.lock(), wait_max, is_idle);
        let (mut state, _) = waited.expect("nothing panics while it is locked");
        match (state.items.len(), state.is_closed) {
            (0, true) => Work::Closed,
            (0, false) => Work::Idle,
            (len, _) => Work::Items(state.items.drain(..len.min(len_max)).collect()),
        }
    }

    /// Waits without taking items; returns whether the queue is closed.
    pub(super) fn wait(&self, wait_max: Duration) -> bool {
        let waited = self.changed.wait_timeout_while(self.lock(), wait_max, |state| !state.is_closed);
        waited.expect("nothing panics while it is locked").0.is_closed
    }

    /// Closes the queue to new items. Returns how many are left.
    pub(super) fn close(&self) -> usize {
        let mut state = self.lock();
        state.is_closed = true;
        let len = state.items.len();
        drop(state);
        self.changed.notify_all();
        len
    }

    /// Drops all items and returns how many there were.
    pub(super) fn clear(&self) -> usize {
        let items = std::mem::take(&mut self.lock().items);
        items.len()
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().expect("nothing panics while it is locked")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A full queue accepts only items that replace expendable ones.
    #[test]
    fn the_expendable_goes_first() {
        let queue = Queue::new(3);
        assert!([1, 2, 30].into_iter().all(|item| queue.push(item)));
        assert!(!queue.push(4));
        let is_small = |item: &i32| *item < 10;
        assert_eq!([40, 50, 60].map(|item| queue.push_replacing(item, is_small)), [1, 1, 1]);
        let Work::Items(items) = queue.take(10, Duration::ZERO) else { panic!("there are items") };
        assert_eq!(items, [30, 40, 50]);
        assert!(matches!(queue.take(10, Duration::ZERO), Work::Idle));
        assert!(queue.push(7));
        assert_eq!(queue.close(), 1);
        assert!(!queue.push(8));
        assert!(matches!(queue.take(10, Duration::ZERO), Work::Items(items) if items == [7]));
        assert!(matches!(queue.take(10, Duration::ZERO), Work::Closed));
    }
}
