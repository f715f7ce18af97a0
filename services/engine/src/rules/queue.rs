//! Which call of the rules runs next, and which games have slow ones.
//!
//! Interactive calls go before bulk ones, of which one in [`BULK_TURN`] goes first when
//! both wait; within a class callers share by the time that their calls take.
//!
//! The bookkeeping of a [`RulesPool`](crate::rules::pool::RulesPool), without its
//! threads: the pool locks it, and calls nobody while it does.

use std::collections::VecDeque;
use std::sync::Arc;
use std::task::Waker;
use std::time::{Duration, Instant};

use tokio::runtime::Handle;

use crate::question::{CallerKey, Class, Priority};
use crate::schedule::fair_queue::{Bound, FairQueue};
use crate::served_game::ServedGame;

/// Of so many calls one is a bulk call, if there are any, however many others wait.
const BULK_TURN: u32 = 8;

/// One call of the rules, and whoever waits for it.
pub(crate) trait RulesJob: Send + Sync {
    fn game(&self) -> &Arc<ServedGame>;
    fn class(&self) -> Class;
    fn caller(&self) -> CallerKey {
        CallerKey::default()
    }
    fn priority(&self) -> Priority {
        Priority::Normal
    }
    /// Whether nobody waits for it any more.
    fn is_abandoned(&self) -> bool;
    /// Makes the call and answers; returns whom to wake for the answer, and where.
    fn run(&self) -> Option<(Waker, &Handle)>;
    /// Whether it waits for a store, rather than for the rules.
    fn is_reading_store(&self) -> bool {
        false
    }
    /// Answers that the store is late.
    fn skip_store(&self) {}
    /// Charges the rule set with a hang and answers so.
    fn give_up(&self);
    /// Answers that the game's calls do not return.
    fn refuse(&self);
    /// Answers that its place was needed for a caller with fewer calls.
    fn overload(&self, retry_after: Duration);
}

pub(crate) struct Queued {
    pub(crate) job: Arc<dyn RulesJob>,
    pub(crate) since: Instant,
}

#[derive(Default)]
pub(crate) struct RulesQueue {
    urgent: VecDeque<Queued>,
    interactive: FairQueue<Queued>,
    bulk: FairQueue<Queued>,
    /// Interactive calls taken while bulk ones waited, since the last of those.
    n_before_bulk: u32,
    running: Vec<Running>,
    slow_games: Vec<SlowGame>,
    /// Calls that a game may have that are slow.
    slow_calls_max: usize,
    call_time_mean: Duration,
}

struct Running {
    worker_id: u64,
    job: Arc<dyn RulesJob>,
    started: Instant,
    /// What its caller was charged for it.
    cost: Duration,
    /// It has a stand-in.
    is_slow: bool,
    /// It counts as a slow call of its game: not as long as it waits for a store.
    is_counted: bool,
}

/// A game with slow calls, from the first until the last of them returns.
struct SlowGame {
    game: Arc<ServedGame>,
    /// Those given up included.
    n_slow: usize,
    n_given_up: usize,
    /// Its calls that wait for the slow ones.
    parked: VecDeque<Queued>,
}

/// What taking a call led to.
#[derive(Default)]
pub(crate) struct Taken {
    pub(crate) call: Option<Queued>,
    /// Nobody waits for these any more.
    pub(crate) abandoned: Vec<Queued>,
    /// Their game's calls do not return.
    pub(crate) refused: Vec<Queued>,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// Soon enough.
    InTime,
    /// Another worker has taken its place meanwhile.
    Slow,
    /// Nobody has counted on it any more.
    GivenUp,
}

/// What the watchdog found.
#[derive(Default)]
pub(crate) struct Overdue {
    /// So many calls have become slow.
    pub(crate) n_slow: usize,
    /// Of these, the store is late.
    pub(crate) late_stores: Vec<Arc<dyn RulesJob>>,
    /// These are given up.
    pub(crate) given_up: Vec<Arc<dyn RulesJob>>,
    /// These waited for calls that are given up.
    pub(crate) refused: Vec<Queued>,
}

impl RulesQueue {
    pub(crate) fn new(slow_calls_max: usize) -> Self {
        RulesQueue { slow_calls_max, call_time_mean: Duration::from_micros(100), ..RulesQueue::default() }
    }

    /// Appends a call to its class's queue; an urgent one goes before all others.
    pub(crate) fn push(&mut self, queued: Queued, is_urgent: bool) {
        if is_urgent {
            self.urgent.push_back(queued);
            return;
        }
        let (caller, priority, cost) = (queued.job.caller(), queued.job.priority(), self.call_time_mean);
        self.class(queued.job.class()).push(caller, priority, cost, queued);
    }

    /// Makes room for a call of a caller by taking out the last one of whoever has most
    /// in its class, if that is more.
    pub(crate) fn evict_for(&mut self, job: &dyn RulesJob) -> Option<Queued> {
        let (class, caller, cost) = (job.class(), job.caller(), self.call_time_mean);
        // Bulk calls give their place to interactive ones whoever makes them.
        let bulk = (class == Class::Interactive).then(|| self.bulk.evict_for(caller, cost, Bound::Len)).flatten();
        bulk.or_else(|| self.class(class).evict_for(caller, cost, Bound::Len))
    }

    fn class(&mut self, class: Class) -> &mut FairQueue<Queued> {
        match class {
            Class::Interactive => &mut self.interactive,
            Class::Bulk => &mut self.bulk,
        }
    }

    /// The call that is next.
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

    /// Whether a worker should look; what is parked is not for it.
    pub(crate) fn has_work(&self) -> bool {
        !self.urgent.is_empty() || !self.interactive.is_empty() || !self.bulk.is_empty()
    }

    /// Takes the next call and enters it as running.
    pub(crate) fn take(&mut self, worker_id: u64, now: Instant) -> Taken {
        let mut taken = Taken::default();
        while let Some(queued) = self.pop() {
            if queued.job.is_abandoned() {
                self.settle(&*queued.job, self.call_time_mean, Duration::ZERO);
                taken.abandoned.push(queued);
                continue;
            }
            let slow_calls_max = self.slow_calls_max;
            match self.slow_game(queued.job.game()) {
                Some(slow) if slow.n_given_up >= slow_calls_max => taken.refused.push(queued),
                Some(slow) if slow.n_slow >= slow_calls_max => slow.parked.push_back(queued),
                _ => {
                    let job = queued.job.clone();
                    let cost = self.call_time_mean;
                    self.running.push(Running {
                        worker_id,
                        job,
                        started: now,
                        cost,
                        is_slow: false,
                        is_counted: false,
                    });
                    taken.call = Some(queued);
                    break;
                }
            }
        }
        taken
    }

    /// The call of a worker has returned.
    pub(crate) fn finish(&mut self, worker_id: u64, job: &Arc<dyn RulesJob>, now: Instant) -> Ended {
        let Some(idx) = self.running.iter().position(|running| running.worker_id == worker_id) else {
            self.slow_call_returned(job.game(), true);
            return Ended::GivenUp;
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

    /// Marks calls that run for longer than `slow_after`, and ends those that run
    /// for longer than `call_time_max`. A call that waits for a store gets its stand-in too,
    /// but its game has nothing to do with the wait, however long.
    pub(crate) fn check(&mut self, now: Instant, slow_after: Duration, call_time_max: Duration) -> Overdue {
        let mut overdue = Overdue::default();
        let mut idx = 0;
        while idx < self.running.len() {
            let running = &mut self.running[idx];
            let time = now.saturating_duration_since(running.started);
            let waits_for_store = running.job.is_reading_store();
            let game = running.job.game().clone();
            if time >= slow_after && !running.is_slow {
                running.is_slow = true;
                overdue.n_slow += 1;
                overdue.late_stores.extend(waits_for_store.then(|| running.job.clone()));
            }
            if running.is_slow && waits_for_store {
                // The rules have their time once the store has answered.
                running.started = now;
                idx += 1;
                continue;
            }
            if running.is_slow && !running.is_counted {
                running.is_counted = true;
                self.slow_game_entry(&game).n_slow += 1;
            }
            if time < call_time_max {
                idx += 1;
                continue;
            }
            overdue.given_up.push(self.running.swap_remove(idx).job);
            let slow_calls_max = self.slow_calls_max;
            let slow = self.slow_game_entry(&game);
            slow.n_given_up += 1;
            if slow.n_given_up >= slow_calls_max {
                overdue.refused.extend(slow.parked.drain(..));
            }
        }
        overdue
    }

    pub(crate) fn n_running(&self) -> usize {
        self.running.len()
    }

    /// How long calls take, on average over the last few.
    pub(crate) fn call_time_mean(&self) -> Duration {
        self.call_time_mean
    }

    /// Calls that wait, parked ones included.
    pub(crate) fn n_waiting(&self) -> usize {
        let n_parked: usize = self.slow_games.iter().map(|slow| slow.parked.len()).sum();
        self.urgent.len() + self.interactive.len() + self.bulk.len() + n_parked
    }

    /// Calls that wait, parked ones first.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = &Queued> + Clone {
        let parked = self.slow_games.iter().flat_map(|slow| &slow.parked);
        parked.chain(&self.urgent).chain(self.interactive.iter()).chain(self.bulk.iter())
    }

    /// How long one thread would take for all calls that wait.
    pub(crate) fn work(&self) -> Duration {
        self.call_time_mean * u32::try_from(self.n_waiting()).unwrap_or(u32::MAX)
    }

    /// Charges a caller with what its call took instead of the estimate.
    fn settle(&mut self, job: &dyn RulesJob, estimate: Duration, took: Duration) {
        self.class(job.class()).settle(job.caller(), estimate, took);
    }

    fn slow_game(&mut self, game: &Arc<ServedGame>) -> Option<&mut SlowGame> {
        self.slow_games.iter_mut().find(|slow| Arc::ptr_eq(&slow.game, game))
    }

    fn slow_game_entry(&mut self, game: &Arc<ServedGame>) -> &mut SlowGame {
        let found = self.slow_games.iter().position(|slow| Arc::ptr_eq(&slow.game, game));
        let idx = found.unwrap_or_else(|| {
            self.slow_games.push(SlowGame { game: game.clone(), n_slow: 0, n_given_up: 0, parked: VecDeque::new() });
            self.slow_games.len() - 1
        });
        &mut self.slow_games[idx]
    }

    /// Lets the calls that waited for it go on, in their order.
    fn slow_call_returned(&mut self, game: &Arc<ServedGame>, was_given_up: bool) {
        let Some(idx) = self.slow_games.iter().position(|slow| Arc::ptr_eq(&slow.game, game)) else { return };
        let slow = &mut self.slow_games[idx];
        slow.n_slow -= 1;
        slow.n_given_up -= usize::from(was_given_up);
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

#[cfg(test)]
pub(crate) mod tests;
