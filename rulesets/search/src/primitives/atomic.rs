//! Atomics of tables that threads share. `tests/loom` replaces them by its own, which
//! try every order of events.

pub(crate) use std::sync::atomic::AtomicU64;
pub(crate) use std::sync::atomic::Ordering::Relaxed;
