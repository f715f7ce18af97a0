//! Threads and queues: fairness between callers, bounds, watchdogs and cancellation.

pub(crate) mod cancel;
pub(crate) mod fair_queue;
pub(crate) mod job;
pub(crate) mod policy;
pub(crate) mod pool;
pub(crate) mod queue_time;
pub(crate) mod thread_time;
pub(crate) mod wake_batch;
pub(crate) mod wakeups;
