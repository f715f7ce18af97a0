//! Tests of the checks in `pentad_sdk::testing`. One binary, so that it is linked
//! once.
//!
//! A check that cannot fail is worthless, so a small game first obeys every law and then
//! breaks one at a time: the check must report which.

/// The small game, its search, and the faults it can have.
mod digits;

/// Faults of the search.
mod contract;
/// Faults of rules, symmetries and layouts, and differences from the reference.
mod laws;

use std::panic::{AssertUnwindSafe, catch_unwind};

use digits::Fault;

/// Asserts that `check` passes without a fault, and panics for each fault with a
/// message that contains the given text.
fn catches(faults: &[(Fault, &str)], check: impl Fn(Fault)) {
    check(Fault::None);
    for (fault, part) in faults {
        let caught = catch_unwind(AssertUnwindSafe(|| check(*fault)));
        let payload = caught.err().unwrap_or_else(|| panic!("{fault:?} is not caught"));
        let message = payload.downcast_ref::<String>().cloned().unwrap_or_default();
        assert!(message.contains(part), "{fault:?} is caught with {message:?}, not with {part:?}");
    }
}
