//! The atomics of tables that threads share. `tests/loom` puts others here, which try
//! every order of events.

pub(crate) use std::sync::atomic::AtomicU64;
pub(crate) use std::sync::atomic::Ordering::Relaxed;
