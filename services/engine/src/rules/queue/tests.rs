use std::sync::atomic::{AtomicBool, Ordering};

use std::task::Waker;

use pentad_host::Ruleset;
use tokio::runtime::Handle;

use super::*;
use crate::question::{CallerKey, Priority};
use crate::schedule::job::PoolLoad;

const SLOW: Duration = Duration::from_millis(20);
const HUNG: Duration = Duration::from_secs(5);
const INTERVAL: Duration = Duration::from_millis(10);

pub(crate) fn game(plugin: &str) -> Arc<ServedGame> {
    let ruleset = Ruleset::load(&pentad_test_plugins::build(plugin), None).expect("the plugin loads");
    Arc::new(ServedGame::new(ruleset))
}

struct FakeJob {
    game: Arc<ServedGame>,
    class: Class,
    caller: CallerKey,
    is_urgent: bool,
    is_cancelled: AtomicBool,
    is_reading_store: AtomicBool,
}

impl Job for FakeJob {
    fn caller(&self) -> CallerKey {
        self.caller
    }
    fn priority(&self) -> Priority {
        Priority::Normal
    }
    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }
    fn run(&self, _: &PoolLoad<'_>) -> Option<(Waker, &Handle)> {
        None
    }
    fn evicted(&self, _: Duration) {}
    fn hung(&self) {}
    fn returned(&self) {}
}

impl RulesJob for FakeJob {
    fn game(&self) -> &Arc<ServedGame> {
        &self.game
    }
    fn class(&self) -> Class {
        self.class
    }
    fn is_urgent(&self) -> bool {
        self.is_urgent
    }
    fn is_reading_store(&self) -> bool {
        self.is_reading_store.load(Ordering::Relaxed)
    }
}

fn job(game: &Arc<ServedGame>, class: Class) -> Arc<dyn RulesJob> {
    job_of("anyone", game, class)
}

fn job_of(caller: &str, game: &Arc<ServedGame>, class: Class) -> Arc<dyn RulesJob> {
    Arc::new(fake_job(caller, game, class))
}

fn fake_job(caller: &str, game: &Arc<ServedGame>, class: Class) -> FakeJob {
    FakeJob {
        game: game.clone(),
        class,
        caller: CallerKey::of(caller),
        is_urgent: false,
        is_cancelled: AtomicBool::new(false),
        is_reading_store: AtomicBool::new(false),
    }
}

/// A queue whose clock the test moves.
struct Scenario {
    queue: RulesQueue,
    now: Instant,
    /// What the thread of every worker has done.
    thread: ThreadTime,
}

impl Scenario {
    fn new(slow_calls_max: usize) -> Self {
        let config = RulesQueueConfig {
            n_workers: 1,
            queue_len_max: 1000,
            slow_after: SLOW,
            slow_calls_max,
            hang: HangLimits { cpu: HUNG, blocked: HUNG, interval: INTERVAL },
        };
        let thread = ThreadTime { cpu: Duration::ZERO, is_blocked: true };
        Scenario { queue: RulesQueue::new(config), now: Instant::now(), thread }
    }

    fn push(&mut self, job: &Arc<dyn RulesJob>) {
        self.queue.push(Queued { job: job.clone(), since: self.now });
    }

    fn take(&mut self, worker_id: u64) -> Option<Arc<dyn RulesJob>> {
        self.queue.take(worker_id, self.now).job
    }

    fn takes(&mut self, worker_id: u64, expected: &Arc<dyn RulesJob>) {
        let taken = self.take(worker_id).expect("a call is taken");
        assert!(Arc::ptr_eq(&taken, expected), "another call is taken");
    }

    /// Looks at the calls every so often for a time.
    fn pass(&mut self, time: Duration) -> Overdue<dyn RulesJob> {
        let mut all = Overdue::default();
        let end = self.now + time;
        while self.now < end {
            self.now = end.min(self.now + INTERVAL);
            let thread = self.thread;
            let Overdue { n_slow, store_late, hung, unavailable } = self.queue.check(self.now, &|_| Some(thread));
            all.n_slow += n_slow;
            all.store_late.extend(store_late);
            all.hung.extend(hung);
            all.unavailable.extend(unavailable);
        }
        all
    }
}

/// Urgent calls go first, then interactive ones, then bulk ones; cancelled calls are skipped.
#[test]
fn calls_go_by_urgency_and_class() {
    let game = game("tictactoe");
    let mut it = Scenario::new(1);
    let [bulk, first, second] = [Class::Bulk, Class::Interactive, Class::Interactive].map(|class| job(&game, class));
    let left = FakeJob { is_cancelled: true.into(), ..fake_job("anyone", &game, Class::Interactive) };
    let left: Arc<dyn RulesJob> = Arc::new(left);
    [&bulk, &left, &first, &second].into_iter().for_each(|job| it.push(job));
    let urgent: Arc<dyn RulesJob> = Arc::new(FakeJob { is_urgent: true, ..fake_job("anyone", &game, Class::Bulk) });
    it.push(&urgent);
    assert_eq!(it.queue.n_waiting(), 5);
    for (worker_id, expected) in (0..).zip([&urgent, &first, &second, &bulk]) {
        it.takes(worker_id, expected);
    }
    assert!(it.take(9).is_none());
    assert_eq!((it.queue.n_waiting(), it.queue.n_running()), (0, 4));
}

/// Bulk calls are one in eight while interactive ones wait, and all when none do.
#[test]
fn bulk_calls_have_a_share() {
    let game = game("tictactoe");
    let mut it = Scenario::new(1);
    (0..100).for_each(|_| it.push(&job(&game, Class::Interactive)));
    (0..20).for_each(|_| it.push(&job(&game, Class::Bulk)));
    let classes: Vec<Class> = (0..120).map(|worker_id| it.take(worker_id).expect("a call").class()).collect();
    for turn in classes[..112].chunks(BULK_TURN as usize) {
        assert_eq!(turn.iter().filter(|class| **class == Class::Bulk).count(), 1, "{classes:?}");
    }
    assert!(classes[114..].iter().all(|class| *class == Class::Bulk));
}

/// A caller's single call is next, however many calls another caller has waiting, and finds a place in a
/// full queue.
#[test]
fn callers_take_turns() {
    let game = game("tictactoe");
    let mut it = Scenario::new(1);
    let flood: Vec<_> = (0..50).map(|_| job_of("flood", &game, Class::Interactive)).collect();
    flood.iter().for_each(|job| it.push(job));
    it.takes(0, &flood[0]);
    let single = job_of("single", &game, Class::Interactive);
    let evicted = it.queue.evict_for(&*single).expect("the flood has most");
    assert!(Arc::ptr_eq(&evicted.job, &flood[49]));
    assert!(it.queue.evict_for(&*flood[0]).is_none(), "nobody has more than the flood");
    it.push(&single);
    it.takes(1, &single);
    it.takes(2, &flood[1]);
}

/// The calls of a game with as many slow calls as it may have wait for those, in order; other games'
/// calls do not.
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
    assert_eq!(it.pass(SLOW).n_slow, 0, "it has a replacement worker already");
    it.takes(2, &others);
    assert!(it.take(3).is_none() && !it.queue.has_work(), "the game's others are parked");
    assert_eq!(it.queue.n_waiting(), 2);
    assert_eq!(it.queue.finish(1, &calls[0], it.now), Ended::Slow);
    it.takes(3, &calls[1]);
    it.takes(4, &calls[2]);
    assert_eq!(it.queue.finish(3, &calls[1], it.now), Ended::InTime);
}

/// Once as many calls have hung as may be slow, waiting calls are refused until one returns.
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
    let overdue = it.pass(HUNG + INTERVAL);
    assert_eq!((overdue.hung.len(), overdue.unavailable.len(), it.queue.n_running()), (1, 1, 0));
    it.push(&calls[2]);
    let taken = it.queue.take(2, it.now);
    assert!(taken.job.is_none() && taken.unavailable.len() == 1);
    assert_eq!(it.queue.finish(1, &calls[0], it.now), Ended::Hung);
    it.push(&calls[3]);
    it.takes(2, &calls[3]);
}

/// A call that has not returned because its thread waits for a core, or because everything was paused, has
/// not hung; once it has used its CPU time, it has.
#[test]
fn a_busy_machine_hangs_no_call() {
    let game = game("tictactoe");
    let mut it = Scenario::new(1);
    let call = job(&game, Class::Interactive);
    it.push(&call);
    it.takes(1, &call);
    it.thread.is_blocked = false;
    let overdue = it.pass(20 * HUNG);
    assert_eq!((overdue.n_slow, overdue.hung.len()), (1, 0));
    it.now += 100 * HUNG;
    it.thread.is_blocked = true;
    assert_eq!(it.pass(INTERVAL).hung.len(), 0, "nobody looked meanwhile");
    it.thread = ThreadTime { cpu: HUNG, is_blocked: false };
    assert_eq!(it.pass(INTERVAL).hung.len(), 1);
}

/// A call that waits for a store gets a replacement worker but is no slow call of its game, however long it
/// takes; once the store has answered it is like any other.
#[test]
fn a_late_store_is_not_the_games_fault() {
    let game = game("tictactoe");
    let mut it = Scenario::new(1);
    let reading = Arc::new(fake_job("anyone", &game, Class::Interactive));
    reading.is_reading_store.store(true, Ordering::Relaxed);
    let (held_up, others) = (reading.clone() as Arc<dyn RulesJob>, [(); 3].map(|()| job(&game, Class::Interactive)));
    it.push(&held_up);
    it.takes(1, &held_up);
    let overdue = it.pass(SLOW);
    assert_eq!((overdue.n_slow, overdue.store_late.len()), (1, 1));
    it.push(&others[0]);
    it.takes(2, &others[0]);
    assert_eq!(it.queue.finish(2, &others[0], it.now), Ended::InTime);
    let overdue = it.pass(2 * HUNG);
    assert_eq!((overdue.n_slow, overdue.store_late.len(), overdue.hung.len()), (0, 0, 0));
    it.push(&others[1]);
    it.takes(2, &others[1]);
    assert_eq!(it.queue.finish(2, &others[1], it.now), Ended::InTime);

    // The rules hang after all, which is noticed after the usual time.
    reading.is_reading_store.store(false, Ordering::Relaxed);
    assert_eq!(it.pass(HUNG / 2).hung.len(), 0);
    assert_eq!(it.pass(HUNG / 2 + 2 * INTERVAL).hung.len(), 1);
    it.push(&others[2]);
    assert_eq!(it.queue.take(2, it.now).unavailable.len(), 1);
    assert_eq!(it.queue.finish(1, &held_up, it.now), Ended::Hung);

    // Or they return.
    reading.is_reading_store.store(true, Ordering::Relaxed);
    it.push(&held_up);
    it.takes(1, &held_up);
    assert_eq!(it.pass(SLOW).n_slow, 1);
    assert_eq!(it.queue.finish(1, &held_up, it.now), Ended::Slow);
    assert!(it.queue.slow_games.is_empty());
}

/// However long a game hangs, its concurrent calls are bounded: those that may be slow, and those that had
/// started before one was.
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
