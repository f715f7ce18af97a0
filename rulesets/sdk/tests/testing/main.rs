//! The checks that games call find what they are for. One binary, so that it is
//! linked once.
//!
//! A check that never fails looks like one that holds. So a small game keeps
//! every law, and then breaks one at a time: the check has to say which.

/// The small game, its search, and the ways it can break a law.
mod digits;

/// Broken searches.
mod contract;
/// Broken rules, symmetries, drawings and twins.
mod laws;

use std::panic::{AssertUnwindSafe, catch_unwind};

use digits::Fault;

/// The checks pass without a fault, and each fault stops them with a message
/// that says so.
fn catches(faults: &[(Fault, &str)], check: impl Fn(Fault)) {
    check(Fault::None);
    for (fault, said) in faults {
        let caught = catch_unwind(AssertUnwindSafe(|| check(*fault)));
        let payload = caught.err().unwrap_or_else(|| panic!("{fault:?} is not caught"));
        let message = payload.downcast_ref::<String>().cloned().unwrap_or_default();
        assert!(message.contains(said), "{fault:?} is caught by {message:?}, which does not say {said:?}");
    }
}
