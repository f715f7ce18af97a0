//! The queue between callers, which wait for a bounded time, and the reader threads.
//!
//! A lookup usually takes microseconds, and a timer for each would cost more than that.
//! A separate thread therefore checks every few milliseconds for callers that have waited
//! too long ([`ReadQueue::wait_for_late`]). Callers stay in the queue while a reader reads,
//! so that a reader blocked by the disk does not block them.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use pentad_engine::{Explored, PositionKey, StoreKey, StoredAnswer, Wakeups};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// Number of reader threads. One is enough for pages in memory; while one waits for the
/// disk, the other continues.
pub(crate) const READERS: usize = 2;
/// Maximum number of waiting reads.
const LEN_MAX: usize = 1024;
/// Maximum number of lookups per transaction.
const BATCH: usize = 32;
/// Number of checks for late callers per timeout.
const CHECKS_PER_TIMEOUT: u32 = 8;
/// Checks pause after this time without a lookup.
const IDLE: Duration = Duration::from_secs(1);

/// Reads waiting for a reader, and callers waiting for their answers.
#[derive(Default)]
pub(crate) struct ReadQueue {
    state: Mutex<State>,
    changed: Condvar,
    /// Signals the first lookup after a pause.
    resumed: Condvar,
}

#[derive(Default)]
struct State {
    lookups: VecDeque<(StoreKey, Caller)>,
    explorations: VecDeque<Exploration>,
    /// Callers by reader, in the order of the keys it has taken; `None` for late ones.
    under_way: [Vec<Option<Caller>>; READERS],
    wakeups: Wakeups,
    /// Time of the last lookup.
    last: Option<Instant>,
    /// Whether checks for late callers are paused.
    is_idle: bool,
    is_closed: bool,
}

/// A caller waiting for an answer.
pub(crate) struct Caller {
    pub(crate) reply: oneshot::Sender<Option<StoredAnswer>>,
    /// Runtime on which it waits, if any.
    runtime: Option<Handle>,
    since: Instant,
}

/// An exploration of a position.
pub(crate) struct Exploration {
    pub(crate) position: StoreKey,
    pub(crate) after: Vec<PositionKey>,
    pub(crate) reply: oneshot::Sender<Explored>,
}

/// Reads taken by a reader.
#[derive(Default)]
pub(crate) struct ReadBatch {
    pub(crate) keys: Vec<StoreKey>,
    pub(crate) explorations: Vec<Exploration>,
}

impl ReadQueue {
    /// Queues a lookup; `None` if there is no room for it.
    pub(crate) fn look_up(&self, key: StoreKey) -> Option<oneshot::Receiver<Option<StoredAnswer>>> {
        let (reply, answer) = oneshot::channel();
        let now = Instant::now();
        let caller = Caller { reply, runtime: Handle::try_current().ok(), since: now };
        let mut state = self.lock();
        if state.is_full() {
            return None;
        }
        state.lookups.push_back((key, caller));
        state.last = Some(now);
        if std::mem::take(&mut state.is_idle) {
            self.resumed.notify_one();
        }
        self.wake_if_needed(state);
        Some(answer)
    }

    /// Queues an exploration; returns false if there is no room for it.
    pub(crate) fn explore(&self, exploration: Exploration) -> bool {
        let mut state = self.lock();
        let has_room = !state.is_full();
        if has_room {
            state.explorations.push_back(exploration);
            self.wake_if_needed(state);
        }
        has_room
    }

    /// Waits for reads; `None` once the queue is closed. The callers of the lookups stay
    /// here until [`finish`](Self::finish).
    pub(crate) fn take(&self, reader: usize) -> Option<ReadBatch> {
        let mut is_looking = false;
        let mut state = self.lock();
        while !state.is_closed {
            if state.has_reads() {
                if is_looking {
                    state.wakeups.end_looking();
                }
                let len = state.lookups.len().min(BATCH);
                let lookups: Vec<_> = state.lookups.drain(..len).collect();
                let (keys, callers) = lookups.into_iter().map(|(key, caller)| (key, Some(caller))).unzip();
                state.under_way[reader] = callers;
                let explorations = state.explorations.pop_front().into_iter().collect();
                self.wake_if_needed(state);
                return Some(ReadBatch { keys, explorations });
            }
            if is_looking {
                state.wakeups.fall_asleep();
                let is_asleep = |state: &mut State| state.wakeups.is_asleep() && !state.is_closed;
                state = self.changed.wait_while(state, is_asleep).expect("nothing panics while it is locked");
                state.wakeups.wake_up();
            } else {
                // A caller that got an answer may be about to make another lookup.
                is_looking = true;
                state.wakeups.begin_looking();
                drop(state);
                thread::yield_now();
                state = self.lock();
            }
        }
        None
    }

    /// Removes and returns the callers of a reader's batch in order; `None` for late ones.
    pub(crate) fn finish(&self, reader: usize) -> Vec<Option<Caller>> {
        std::mem::take(&mut self.lock().under_way[reader])
    }

    /// Waits until callers have waited longer than `timeout`, by up to an eighth, and
    /// removes them; `None` once the queue is closed.
    pub(crate) fn wait_for_late(&self, timeout: Duration) -> Option<Vec<Caller>> {
        let interval = (timeout / CHECKS_PER_TIMEOUT).clamp(Duration::from_millis(1), IDLE);
        let mut state = self.lock();
        while !state.is_closed {
            let late = state.take_late(timeout);
            if !late.is_empty() {
                return Some(late);
            }
            let is_idle = !state.has_callers() && state.last.is_none_or(|last| last.elapsed() > IDLE);
            state.is_idle = is_idle;
            let is_waiting = |state: &mut State| state.is_idle && !state.is_closed;
            state = match is_idle {
                true => self.resumed.wait_while(state, is_waiting).expect("nothing panics while it is locked"),
                false => self.resumed.wait_timeout(state, interval).expect("nothing panics while it is locked").0,
            };
        }
        None
    }

    /// Closes the queue; waiting callers get no answer.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        state.lookups.clear();
        state.explorations.clear();
        state.under_way = Default::default();
        drop(state);
        self.changed.notify_all();
        self.resumed.notify_all();
    }

    /// Wakes a reader unless another is about to find the read.
    fn wake_if_needed(&self, mut state: MutexGuard<'_, State>) {
        if state.has_reads() && state.wakeups.should_notify() {
            drop(state);
            self.changed.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nothing panics while it is locked")
    }
}

impl State {
    fn is_full(&self) -> bool {
        self.is_closed || self.lookups.len() + self.explorations.len() >= LEN_MAX
    }

    fn has_reads(&self) -> bool {
        !self.lookups.is_empty() || !self.explorations.is_empty()
    }

    fn has_callers(&self) -> bool {
        !self.lookups.is_empty() || self.under_way.iter().any(|callers| !callers.is_empty())
    }

    fn take_late(&mut self, timeout: Duration) -> Vec<Caller> {
        let mut late = Vec::new();
        // The first has waited longest.
        while self.lookups.front().is_some_and(|(_, caller)| caller.since.elapsed() > timeout) {
            late.extend(self.lookups.pop_front().map(|(_, caller)| caller));
        }
        let under_way = self.under_way.iter_mut().flatten();
        late.extend(under_way.filter_map(|caller| caller.take_if(|caller| caller.since.elapsed() > timeout)));
        late
    }
}

/// Answers callers. Several callers are answered by a task on their runtime, where waking
/// them takes no system call each.
pub(crate) fn reply(mut answered: Vec<(Caller, Option<StoredAnswer>)>) {
    let runtime = answered.iter().find_map(|(caller, _)| caller.runtime.clone());
    let id_of = |runtime: &Option<Handle>| runtime.as_ref().map(Handle::id);
    // The caller may have stopped waiting.
    let send = |(caller, answer): (Caller, Option<StoredAnswer>)| drop(caller.reply.send(answer));
    answered.extract_if(.., |(caller, _)| id_of(&caller.runtime) != id_of(&runtime)).for_each(send);
    match runtime {
        Some(runtime) if answered.len() > 1 => drop(runtime.spawn(async move { answered.into_iter().for_each(send) })),
        _ => answered.into_iter().for_each(send),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pentad_engine::StoreScope;

    use super::*;

    const NOW: Duration = Duration::ZERO;

    fn key(n: u8) -> StoreKey {
        let text = || "x".to_owned();
        let scope = StoreScope { game: text(), version: text(), fingerprint: text(), variant: text() };
        StoreKey { scope: Arc::new(scope), digest: PositionKey([n; 16]) }
    }

    /// Callers that wait too long are removed, whether a reader has their lookup or not; the
    /// others keep their places.
    #[tokio::test]
    async fn late_callers_are_taken_out() {
        let queue = ReadQueue::default();
        let answers: Vec<_> = (0..3).map(|n| queue.look_up(key(n)).expect("there is room")).collect();
        assert_eq!(queue.take(0).expect("it is open").keys, [key(0), key(1), key(2)]);
        let late = queue.look_up(key(3)).expect("there is room");
        assert_eq!(queue.wait_for_late(NOW).expect("it is open").len(), 4);
        assert!(queue.finish(0).iter().all(Option::is_none));
        for answer in answers.into_iter().chain([late]) {
            answer.await.expect_err("nobody answers");
        }
        // Later callers are still watched.
        let next = queue.look_up(key(4)).expect("there is room");
        assert_eq!(queue.take(1).expect("it is open").keys, [key(4)]);
        let callers: Vec<_> = queue.finish(1).into_iter().flatten().collect();
        assert_eq!(callers.len(), 1);
        reply(callers.into_iter().map(|caller| (caller, None)).collect());
        assert_eq!(next.await, Ok(None));
    }

    /// The watch sleeps while there are no callers, and wakes for a lookup.
    #[tokio::test]
    async fn the_watch_wakes_for_a_lookup() {
        let queue = Arc::new(ReadQueue::default());
        let watch = {
            let queue = queue.clone();
            thread::spawn(move || queue.wait_for_late(NOW).map(|late| late.len()))
        };
        while !queue.lock().is_idle {
            thread::yield_now();
        }
        let answer = queue.look_up(key(1)).expect("there is room");
        assert_eq!(watch.join().expect("no panic"), Some(1));
        answer.await.expect_err("it was late");
        let queue_of_watch = queue.clone();
        let watch = thread::spawn(move || queue_of_watch.wait_for_late(Duration::MAX).is_none());
        queue.close();
        assert!(watch.join().expect("no panic"), "it ends with the queue");
        assert!(queue.look_up(key(2)).is_none() && queue.take(0).is_none());
    }

    /// Answers reach callers of several runtimes.
    #[test]
    fn callers_of_other_runtimes_are_answered() {
        let queue = ReadQueue::default();
        let runtimes = [(); 2].map(|()| tokio::runtime::Builder::new_current_thread().build().expect("a runtime"));
        let answers: Vec<_> = (0..4)
            .map(|n| {
                let _entered = runtimes[usize::from(n) % 2].enter();
                queue.look_up(key(n)).expect("there is room")
            })
            .collect();
        queue.take(0).expect("it is open");
        reply(queue.finish(0).into_iter().flatten().map(|caller| (caller, None)).collect());
        for (n, answer) in answers.into_iter().enumerate() {
            assert_eq!(runtimes[n % 2].block_on(answer), Ok(None));
        }
    }
}
