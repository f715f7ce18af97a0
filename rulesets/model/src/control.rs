//! The caller's side of a running search.

use std::fmt;
use std::time::Instant;

use crate::report::Report;

/// Stops a search, receives its reports and gives it the time.
pub trait Control<M>: Sync {
    /// Returns whether the search must end. Polled at least every 5 ms by every thread;
    /// once true, it stays true.
    fn should_stop(&self) -> bool;
    /// Receives each improvement, on the thread that called the search.
    fn report(&self, report: &Report<M>);
    /// Returns the time by which [`Limits::time`](crate::Limits::time) is measured. A
    /// search reads no other clock, so a test with its own decides how fast time passes.
    /// A control that wraps another forwards this call.
    fn now(&self) -> Instant {
        Instant::now()
    }
}

/// Passes the reports of a search on to another control, each corrected by a
/// function.
pub struct CorrectedReports<'a, M, F> {
    inner: &'a dyn Control<M>,
    correct: F,
}

impl<'a, M, F: Fn(Report<M>) -> Report<M> + Sync> CorrectedReports<'a, M, F> {
    /// Passes reports to `inner`, which also decides when the search stops.
    pub fn new(inner: &'a dyn Control<M>, correct: F) -> Self {
        CorrectedReports { inner, correct }
    }
}

impl<M: Clone, F: Fn(Report<M>) -> Report<M> + Sync> Control<M> for CorrectedReports<'_, M, F> {
    fn should_stop(&self) -> bool {
        self.inner.should_stop()
    }
    fn report(&self, report: &Report<M>) {
        self.inner.report(&(self.correct)(report.clone()));
    }
    fn now(&self) -> Instant {
        self.inner.now()
    }
}

impl<M, F> fmt::Debug for CorrectedReports<'_, M, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CorrectedReports").finish_non_exhaustive()
    }
}

/// A control that never stops a search and ignores its reports.
#[derive(Clone, Copy, Debug, Default)]
pub struct NeverStop;

impl<M> Control<M> for NeverStop {
    fn should_stop(&self) -> bool {
        false
    }
    fn report(&self, _: &Report<M>) {}
}
