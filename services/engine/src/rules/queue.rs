//! The queue of calls of the rules: which is next, and which games have slow ones.
//!
//! Urgent calls go first. Interactive calls go before bulk ones, except that one call in [`BULK_TURN`] is a
//! bulk call while both wait; within a class callers share by the time that their calls take.
//!
//! - A call that has run for `slow_after` gets a replacement worker, so that the calls of other games wait
//!   for slow ones no longer than that.
//! - A game has at most `slow_calls_max` slow calls, and those that had started before they were known to
//!   be slow. Its further calls wait until one returns. This bounds the number of threads.
//! - A call that does more work than `hang` allows, or waits for longer, is given up. Once a game has
//!   `slow_calls_max` of those, its calls are refused until one returns.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::question::Class;
use crate::schedule::fair_queue::{Bound, FairQueue};
use crate::schedule::job::{Job, Refused};
use crate::schedule::policy::{Admission, Ended, Overdue, Policy, Taken};
use crate::schedule::pool::retry_after;
use crate::schedule::thread_time::{HangLimits, Overrun, ThreadTime};
use crate::served_game::ServedGame;

/// One call in this many is a bulk call while both classes wait.
const BULK_TURN: u32 = 8;
/// Calls that take longer on average are answered one by one.
const SHORT_CALL: Duration = Duration::from_micros(50);

/// One call of the rules.
pub(crate) trait RulesJob: Job {
    fn game(&self) -> &Arc<ServedGame>;

    fn class(&self) -> Class;

    /// Whether it goes before all others.
    fn is_urgent(&self) -> bool {
        false
    }

    /// Whether it waits for a store, rather than for the rules.
    fn is_reading_store(&self) -> bool {
        false
    }
}

/// Bounds of a queue.
#[derive(Clone, Debug)]
pub(crate) struct RulesQueueConfig {
    pub(crate) n_workers: usize,
    pub(crate) queue_len_max: usize,
    pub(crate) slow_after: Duration,
    /// Slow calls that a game may have at once.
    pub(crate) slow_calls_max: usize,
    /// Bounds of a slow call.
    pub(crate) hang: HangLimits,
}

/// The calls of one pool that wait and those that run.
pub(crate) struct RulesQueue {
    config: RulesQueueConfig,
    urgent: VecDeque<Queued>,
    interactive: FairQueue<Queued>,
    bulk: FairQueue<Queued>,
    /// Interactive calls taken since the last bulk one, while bulk calls waited.
    n_before_bulk: u32,
    running: Vec<Running>,
    slow_games: Vec<SlowGame>,
    call_time_mean: Duration,
}

struct Queued {
    job: Arc<dyn RulesJob>,
    since: Instant,
}

struct Running {
    worker_id: u64,
    job: Arc<dyn RulesJob>,
    started: Instant,
    /// Estimate that its caller was charged.
    cost: Duration,
    /// Whether it has a replacement worker.
    is_slow: bool,
    /// Whether it counts as a slow call of its game: not while it waits for a store.
    is_counted: bool,
    /// What it has done since it was slow.
    overrun: Overrun,
}

/// A game with slow calls, from the first until the last of them returns.
struct SlowGame {
    game: Arc<ServedGame>,
    /// Hung calls included.
    n_slow: usize,
    n_hung: usize,
    /// Calls of the game that wait for the slow ones.
    parked: VecDeque<Queued>,
}

impl RulesQueue {
    pub(crate) fn new(config: RulesQueueConfig) -> Self {
        RulesQueue {
            config,
            urgent: VecDeque::new(),
            interactive: FairQueue::default(),
            bulk: FairQueue::default(),
            n_before_bulk: 0,
            running: Vec::new(),
            slow_games: Vec::new(),
            call_time_mean: Duration::from_micros(100),
        }
    }

    /// Appends a call to its class's queue, or to the urgent ones.
    fn push(&mut self, queued: Queued) {
        if queued.job.is_urgent() {
            self.urgent.push_back(queued);
            return;
        }
        let (caller, priority, cost) = (queued.job.caller(), queued.job.priority(), self.call_time_mean);
        self.class(queued.job.class()).push(caller, priority, cost, queued);
    }

    /// Makes room for a call: removes the last call of the caller with the most calls in its class, if
    /// that has more than the new call's.
    fn evict_for(&mut self, job: &dyn RulesJob) -> Option<Queued> {
        let (class, caller, cost) = (job.class(), job.caller(), self.call_time_mean);
        // Bulk calls make room for interactive ones first.
        let bulk = (class == Class::Interactive).then(|| self.bulk.evict_for(caller, cost, Bound::Len)).flatten();
        bulk.or_else(|| self.class(class).evict_for(caller, cost, Bound::Len))
    }

    fn class(&mut self, class: Class) -> &mut FairQueue<Queued> {
        match class {
            Class::Interactive => &mut self.interactive,
            Class::Bulk => &mut self.bulk,
        }
    }

    fn pop(&mut self) -> Option<Queued> {
        if let Some(urgent) = self.urgent.pop_front() {
            return Some(urgent);
        }
        if self.bulk.is_empty() {
            self.n_before_bulk = 0;
            return self.interactive.pop();
        }
        if self.interactive.is_empty() || self.n_before_bulk + 1 >= BULK_TURN {
            self.n_before_bulk = 0;
            return self.bulk.pop();
        }
        self.n_before_bulk += 1;
        self.interactive.pop()
    }

    /// Returns the number of waiting calls, parked ones included.
    fn n_waiting(&self) -> usize {
        let n_parked: usize = self.slow_games.iter().map(|slow| slow.parked.len()).sum();
        self.urgent.len() + self.interactive.len() + self.bulk.len() + n_parked
    }

    /// Returns the waiting calls, parked ones first.
    fn all_waiting(&self) -> impl Iterator<Item = &Queued> + Clone {
        let parked = self.slow_games.iter().flat_map(|slow| &slow.parked);
        parked.chain(&self.urgent).chain(self.interactive.iter()).chain(self.bulk.iter())
    }

    /// Returns how long one thread would take for all waiting calls.
    fn work(&self) -> Duration {
        self.call_time_mean * u32::try_from(self.n_waiting()).unwrap_or(u32::MAX)
    }

    /// Charges a caller the time that its call took, in place of the estimate.
    fn settle(&mut self, job: &dyn RulesJob, estimate: Duration, took: Duration) {
        self.class(job.class()).settle(job.caller(), estimate, took);
    }

    fn slow_game(&mut self, game: &Arc<ServedGame>) -> Option<&mut SlowGame> {
        self.slow_games.iter_mut().find(|slow| Arc::ptr_eq(&slow.game, game))
    }

    fn slow_game_entry(&mut self, game: &Arc<ServedGame>) -> &mut SlowGame {
        let found = self.slow_games.iter().position(|slow| Arc::ptr_eq(&slow.game, game));
        let idx = found.unwrap_or_else(|| {
            self.slow_games.push(SlowGame { game: game.clone(), n_slow: 0, n_hung: 0, parked: VecDeque::new() });
            self.slow_games.len() - 1
        });
        &mut self.slow_games[idx]
    }

    /// Puts the calls that waited for a slow one back into the queue, in their order.
    fn slow_call_returned(&mut self, game: &Arc<ServedGame>, was_hung: bool) {
        let Some(idx) = self.slow_games.iter().position(|slow| Arc::ptr_eq(&slow.game, game)) else { return };
        let slow = &mut self.slow_games[idx];
        slow.n_slow -= 1;
        slow.n_hung -= usize::from(was_hung);
        let parked = std::mem::take(&mut slow.parked);
        if slow.n_slow == 0 {
            self.slow_games.swap_remove(idx);
        }
        for queued in parked.into_iter().rev() {
            let (caller, priority, cost) = (queued.job.caller(), queued.job.priority(), self.call_time_mean);
            self.class(queued.job.class()).push_front(caller, priority, cost, queued);
        }
    }
}

impl Policy for RulesQueue {
    type Job = dyn RulesJob;

    fn n_workers(&self) -> usize {
        self.config.n_workers
    }

    fn admit(&mut self, job: &Arc<dyn RulesJob>, now: Instant) -> Admission<dyn RulesJob> {
        let mut admission = Admission { result: Ok(()), evicted: Vec::new(), cancelled: Vec::new() };
        if self.n_waiting() >= self.config.queue_len_max {
            let retry_after = retry_after(self.work() / self.config.n_workers as u32);
            let Some(evicted) = self.evict_for(&**job) else {
                return Admission { result: Err(Refused::Full { retry_after }), ..admission };
            };
            admission.evicted.push((evicted.job, retry_after));
        }
        self.push(Queued { job: job.clone(), since: now });
        admission
    }

    fn take(&mut self, worker_id: u64, now: Instant) -> Taken<dyn RulesJob> {
        let mut taken = Taken::default();
        let slow_calls_max = self.config.slow_calls_max;
        while let Some(queued) = self.pop() {
            if queued.job.is_cancelled() {
                self.settle(&*queued.job, self.call_time_mean, Duration::ZERO);
                taken.cancelled.push(queued.job);
                continue;
            }
            match self.slow_game(queued.job.game()) {
                Some(slow) if slow.n_hung >= slow_calls_max => taken.unavailable.push(queued.job),
                Some(slow) if slow.n_slow >= slow_calls_max => slow.parked.push_back(queued),
                _ => {
                    let (job, cost) = (queued.job.clone(), self.call_time_mean);
                    self.running.push(Running {
                        worker_id,
                        job,
                        started: now,
                        cost,
                        is_slow: false,
                        is_counted: false,
                        overrun: Overrun::default(),
                    });
                    taken.job = Some(queued.job);
                    break;
                }
            }
        }
        taken
    }

    fn finish(&mut self, worker_id: u64, job: &Arc<dyn RulesJob>, now: Instant) -> Ended {
        let Some(idx) = self.running.iter().position(|running| running.worker_id == worker_id) else {
            self.slow_call_returned(job.game(), true);
            return Ended::Hung;
        };
        let Running { started, cost, is_slow, is_counted, .. } = self.running.swap_remove(idx);
        let took = now.saturating_duration_since(started);
        self.call_time_mean = (self.call_time_mean * 15 + took) / 16;
        self.settle(&**job, cost, took);
        if is_counted {
            self.slow_call_returned(job.game(), false);
        }
        if is_slow { Ended::Slow } else { Ended::InTime }
    }

    /// A call that waits for a store gets a replacement worker too, but the wait is not charged to its
    /// game, however long it is.
    fn check(&mut self, now: Instant, thread_time: &dyn Fn(u64) -> Option<ThreadTime>) -> Overdue<dyn RulesJob> {
        let mut overdue = Overdue::default();
        let RulesQueueConfig { slow_after, slow_calls_max, hang, .. } = self.config;
        let mut idx = 0;
        while idx < self.running.len() {
            let running = &mut self.running[idx];
            let time = now.saturating_duration_since(running.started);
            let waits_for_store = running.job.is_reading_store();
            let game = running.job.game().clone();
            if time >= slow_after && !running.is_slow {
                running.is_slow = true;
                overdue.n_slow += 1;
                overdue.store_late.extend(waits_for_store.then(|| running.job.clone()));
            }
            if running.is_slow && waits_for_store {
                // The time of the rules counts from the store's answer.
                (running.started, running.overrun) = (now, Overrun::default());
                idx += 1;
                continue;
            }
            let limits = hang.for_job(game.ruleset.is_isolated());
            let has_hung = running.is_slow && running.overrun.has_hung(now, thread_time(running.worker_id), &limits);
            if running.is_slow && !running.is_counted {
                running.is_counted = true;
                self.slow_game_entry(&game).n_slow += 1;
            }
            if !has_hung {
                idx += 1;
                continue;
            }
            overdue.hung.push(self.running.swap_remove(idx).job);
            let slow = self.slow_game_entry(&game);
            slow.n_hung += 1;
            if slow.n_hung >= slow_calls_max {
                overdue.unavailable.extend(slow.parked.drain(..).map(|queued| queued.job));
            }
        }
        overdue
    }

    /// Cancelled calls are few and short-lived, so they stay until a worker finds them.
    fn remove_cancelled(&mut self) -> Vec<Arc<dyn RulesJob>> {
        Vec::new()
    }

    /// Parked calls do not count.
    fn has_work(&self) -> bool {
        !self.urgent.is_empty() || !self.interactive.is_empty() || !self.bulk.is_empty()
    }

    fn wakes_at_once(&self) -> bool {
        self.call_time_mean > SHORT_CALL
    }

    fn n_running(&self) -> usize {
        self.running.len()
    }

    fn waiting(&self, class: Class) -> (usize, Option<Instant>) {
        let live = self.all_waiting().filter(|queued| queued.job.class() == class && !queued.job.is_cancelled());
        (live.clone().count(), live.map(|queued| queued.since).min())
    }
}

#[cfg(test)]
mod pool_tests;
#[cfg(test)]
mod tests;
