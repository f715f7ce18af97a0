//! Which call of the rules runs next, and which games have slow ones.
//!
//! The bookkeeping of a [`RulesPool`](crate::rules_pool::RulesPool), without its
//! threads: the pool locks it, and calls nobody while it does.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::question::Class;
use crate::served_game::ServedGame;

/// One call of the rules, and whoever waits for it.
pub(crate) trait RulesJob: Send + Sync {
    fn game(&self) -> &Arc<ServedGame>;
    fn class(&self) -> Class;
    /// Whether nobody waits for it any more.
    fn is_abandoned(&self) -> bool;
    /// Makes the call, which has waited so long for a worker, and answers.
    fn run(&self, waited: Duration);
    /// Charges the rule set with a hang and answers so.
    fn give_up(&self);
    /// Answers that the game's calls do not return.
    fn refuse(&self);
}

pub(crate) struct Queued {
    pub(crate) job: Arc<dyn RulesJob>,
    pub(crate) since: Instant,
}

#[derive(Default)]
pub(crate) struct RulesQueue {
    interactive: VecDeque<Queued>,
    bulk: VecDeque<Queued>,
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
    is_slow: bool,
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
        match (is_urgent, queued.job.class()) {
            (true, _) => self.interactive.push_front(queued),
            (false, Class::Interactive) => self.interactive.push_back(queued),
            (false, Class::Bulk) => self.bulk.push_back(queued),
        }
    }

    /// Whether a worker should look; what is parked is not for it.
    pub(crate) fn has_work(&self) -> bool {
        !self.interactive.is_empty() || !self.bulk.is_empty()
    }

    /// Takes the next call and enters it as running.
    pub(crate) fn take(&mut self, worker_id: u64, now: Instant) -> Taken {
        let mut taken = Taken::default();
        while let Some(queued) = self.interactive.pop_front().or_else(|| self.bulk.pop_front()) {
            if queued.job.is_abandoned() {
                taken.abandoned.push(queued);
                continue;
            }
            let slow_calls_max = self.slow_calls_max;
            match self.slow_game(queued.job.game()) {
                Some(slow) if slow.n_given_up >= slow_calls_max => taken.refused.push(queued),
                Some(slow) if slow.n_slow >= slow_calls_max => slow.parked.push_back(queued),
                _ => {
                    let job = queued.job.clone();
                    self.running.push(Running { worker_id, job, started: now, is_slow: false });
                    taken.call = Some(queued);
                    break;
                }
            }
        }
        taken
    }

    /// The call of a worker has returned.
    pub(crate) fn finish(&mut self, worker_id: u64, job: &Arc<dyn RulesJob>, now: Instant) -> Ended {
        let ended = match self.running.iter().position(|running| running.worker_id == worker_id) {
            None => Ended::GivenUp,
            Some(idx) => {
                let Running { started, is_slow, .. } = self.running.swap_remove(idx);
                self.call_time_mean = (self.call_time_mean * 15 + now.saturating_duration_since(started)) / 16;
                if is_slow { Ended::Slow } else { Ended::InTime }
            }
        };
        if ended != Ended::InTime {
            self.slow_call_returned(job.game(), ended == Ended::GivenUp);
        }
        ended
    }

    /// Marks calls that run for longer than `slow_after`, and ends those that run
    /// for longer than `call_time_max`.
    pub(crate) fn check(&mut self, now: Instant, slow_after: Duration, call_time_max: Duration) -> Overdue {
        let mut overdue = Overdue::default();
        let mut idx = 0;
        while idx < self.running.len() {
            let time = now.saturating_duration_since(self.running[idx].started);
            let game = self.running[idx].job.game().clone();
            if time >= slow_after && !self.running[idx].is_slow {
                self.running[idx].is_slow = true;
                overdue.n_slow += 1;
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

    /// Calls that wait, parked ones included.
    pub(crate) fn n_waiting(&self) -> usize {
        let n_parked: usize = self.slow_games.iter().map(|slow| slow.parked.len()).sum();
        self.interactive.len() + self.bulk.len() + n_parked
    }

    /// Calls that wait, parked ones first.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = &Queued> + Clone {
        let parked = self.slow_games.iter().flat_map(|slow| &slow.parked);
        parked.chain(&self.interactive).chain(&self.bulk)
    }

    /// How long one thread would take for all calls that wait.
    pub(crate) fn work(&self) -> Duration {
        self.call_time_mean * u32::try_from(self.n_waiting()).unwrap_or(u32::MAX)
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
            match queued.job.class() {
                Class::Interactive => self.interactive.push_front(queued),
                Class::Bulk => self.bulk.push_front(queued),
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use pentad_host::Ruleset;

    use super::*;

    const SLOW: Duration = Duration::from_millis(20);
    const HUNG: Duration = Duration::from_secs(5);

    pub(crate) fn game(plugin: &str) -> Arc<ServedGame> {
        let ruleset = Ruleset::load(&pentad_test_plugins::build(plugin), None).expect("the plugin loads");
        Arc::new(ServedGame::new(ruleset))
    }

    struct FakeJob {
        game: Arc<ServedGame>,
        class: Class,
        is_abandoned: AtomicBool,
    }

    impl RulesJob for FakeJob {
        fn game(&self) -> &Arc<ServedGame> {
            &self.game
        }
        fn class(&self) -> Class {
            self.class
        }
        fn is_abandoned(&self) -> bool {
            self.is_abandoned.load(Ordering::Relaxed)
        }
        fn run(&self, _waited: Duration) {}
        fn give_up(&self) {}
        fn refuse(&self) {}
    }

    fn job(game: &Arc<ServedGame>, class: Class) -> Arc<dyn RulesJob> {
        Arc::new(FakeJob { game: game.clone(), class, is_abandoned: AtomicBool::new(false) })
    }

    /// A queue whose clock the test moves.
    struct Scenario {
        queue: RulesQueue,
        now: Instant,
    }

    impl Scenario {
        fn new(slow_calls_max: usize) -> Self {
            Scenario { queue: RulesQueue::new(slow_calls_max), now: Instant::now() }
        }

        fn push(&mut self, job: &Arc<dyn RulesJob>) {
            self.queue.push(Queued { job: job.clone(), since: self.now }, false);
        }

        fn take(&mut self, worker_id: u64) -> Option<Arc<dyn RulesJob>> {
            self.queue.take(worker_id, self.now).call.map(|queued| queued.job)
        }

        fn takes(&mut self, worker_id: u64, expected: &Arc<dyn RulesJob>) {
            let taken = self.take(worker_id).expect("a call is taken");
            assert!(Arc::ptr_eq(&taken, expected), "another call is taken");
        }

        fn pass(&mut self, time: Duration) -> Overdue {
            self.now += time;
            self.queue.check(self.now, SLOW, HUNG)
        }
    }

    /// Urgent calls go first, then interactive ones, then bulk; who has left is skipped.
    #[test]
    fn calls_go_by_urgency_and_class() {
        let game = game("tictactoe");
        let mut it = Scenario::new(1);
        let [bulk, first, second] =
            [Class::Bulk, Class::Interactive, Class::Interactive].map(|class| job(&game, class));
        let left = Arc::new(FakeJob { game: game.clone(), class: Class::Interactive, is_abandoned: true.into() });
        let left: Arc<dyn RulesJob> = left;
        [&bulk, &left, &first, &second].into_iter().for_each(|job| it.push(job));
        let urgent = job(&game, Class::Bulk);
        it.queue.push(Queued { job: urgent.clone(), since: it.now }, true);
        assert_eq!(it.queue.n_waiting(), 5);
        for (worker_id, expected) in (0..).zip([&urgent, &first, &second, &bulk]) {
            it.takes(worker_id, expected);
        }
        assert!(it.take(9).is_none());
        assert_eq!((it.queue.n_waiting(), it.queue.n_running()), (0, 4));
    }

    /// A game with as many slow calls as it may have waits for those, in order; others
    /// do not.
    #[test]
    fn a_slow_game_waits_for_itself() {
        let (slow, other) = (game("tictactoe"), game("well_behaved"));
        let mut it = Scenario::new(1);
        let calls: Vec<_> = (0..3).map(|_| job(&slow, Class::Interactive)).collect();
        let others = job(&other, Class::Interactive);
        calls.iter().chain([&others]).for_each(|job| it.push(job));
        it.takes(1, &calls[0]);
        assert_eq!(it.pass(SLOW / 2).n_slow, 0);
        assert_eq!(it.pass(SLOW / 2).n_slow, 1);
        assert_eq!(it.pass(SLOW).n_slow, 0, "it has a stand-in already");
        it.takes(2, &others);
        assert!(it.take(3).is_none() && !it.queue.has_work(), "the game's others are parked");
        assert_eq!(it.queue.n_waiting(), 2);
        assert_eq!(it.queue.finish(1, &calls[0], it.now), Ended::Slow);
        it.takes(3, &calls[1]);
        it.takes(4, &calls[2]);
        assert_eq!(it.queue.finish(3, &calls[1], it.now), Ended::InTime);
    }

    /// Once as many are given up as may be slow, those who wait are refused, until one
    /// returns.
    #[test]
    fn a_hung_game_is_refused_until_it_returns() {
        let game = game("tictactoe");
        let mut it = Scenario::new(1);
        let calls: Vec<_> = (0..4).map(|_| job(&game, Class::Interactive)).collect();
        it.push(&calls[0]);
        it.takes(1, &calls[0]);
        it.pass(SLOW);
        it.push(&calls[1]);
        assert!(it.take(2).is_none());
        let overdue = it.pass(HUNG);
        assert_eq!((overdue.given_up.len(), overdue.refused.len(), it.queue.n_running()), (1, 1, 0));
        it.push(&calls[2]);
        let taken = it.queue.take(2, it.now);
        assert!(taken.call.is_none() && taken.refused.len() == 1);
        assert_eq!(it.queue.finish(1, &calls[0], it.now), Ended::GivenUp);
        it.push(&calls[3]);
        it.takes(2, &calls[3]);
    }

    /// However long a game hangs, the calls that it has at once are bounded: those that
    /// may be slow, and what had started before one was.
    #[test]
    fn the_calls_of_a_hanging_game_are_bounded() {
        let game = game("tictactoe");
        let mut it = Scenario::new(2);
        let n_workers = 3;
        (0..100).for_each(|_| it.push(&job(&game, Class::Interactive)));
        let (mut n_idle, mut n_started) = (n_workers, 0);
        for _ in 0..1000 {
            while n_idle > 0 && it.take(n_started).is_some() {
                (n_idle, n_started) = (n_idle - 1, n_started + 1);
            }
            n_idle += it.pass(Duration::from_millis(7)).n_slow;
        }
        assert_eq!((n_started, it.queue.n_waiting()), (3, 0), "three hang, and the others were refused");
    }
}
