//! Which workers of a pool sleep, and whether one has to be woken for a job.
//!
//! Waking a thread costs more than most calls of the rules take. So a worker that finds
//! no job looks once more before it sleeps, and while one is looking, no other is woken.
//! The pool keeps this beside its queue, under the same lock:
//!
//! | the pool | does |
//! | --- | --- |
//! | has queued a job, or made one ready | [`should_notify`](Wakeups::should_notify), and notifies if that says so |
//! | finds no job for a worker | [`begin_looking`](Wakeups::begin_looking), and looks again |
//! | finds none again | [`fall_asleep`](Wakeups::fall_asleep), waits while [`is_asleep`](Wakeups::is_asleep), then [`wake_up`](Wakeups::wake_up) |
//! | ends that wait by a timeout | [`wake_up_alone`](Wakeups::wake_up_alone) |
//! | finds a job for a worker that was looking | [`end_looking`](Wakeups::end_looking), then `should_notify` if there are more |
//!
//! No job is forgotten: `tests/loom` tries every order of these steps.

/// Number of workers that sleep, and of those that look for a job.
#[derive(Debug, Default)]
pub struct Wakeups {
    /// Workers that wait to be woken.
    n_sleeping: usize,
    /// Workers that were woken and have not noticed it yet.
    n_woken: usize,
    /// Workers that are awake, or woken, and have no job yet.
    n_looking: usize,
}

impl Wakeups {
    /// Returns whether to notify a worker of a job that no other is about to find. The worker that
    /// wakes up counts as looking from now on.
    pub fn should_notify(&mut self) -> bool {
        if self.n_looking > 0 || self.n_sleeping == 0 {
            return false;
        }
        self.n_sleeping -= 1;
        self.n_woken += 1;
        self.n_looking += 1;
        true
    }

    /// Notes that a worker that found no job is about to look again.
    pub fn begin_looking(&mut self) {
        self.n_looking += 1;
    }

    /// Notes that a looking worker found a job.
    pub fn end_looking(&mut self) {
        self.n_looking -= 1;
    }

    /// Notes that a looking worker found no job and waits to be woken.
    pub fn fall_asleep(&mut self) {
        self.n_looking -= 1;
        self.n_sleeping += 1;
    }

    /// Whether no wake-up is left to be noticed. Any sleeping worker may take one.
    pub fn is_asleep(&self) -> bool {
        self.n_woken == 0
    }

    /// Notes that a worker is back from sleep, to look for a job. `should_notify` has counted it as
    /// looking.
    pub fn wake_up(&mut self) {
        self.n_woken = self.n_woken.saturating_sub(1);
    }

    /// Notes that a worker looks for a job again without having been woken.
    pub fn wake_up_alone(&mut self) {
        self.n_sleeping -= 1;
        self.n_looking += 1;
    }
}
